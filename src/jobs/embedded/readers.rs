//! Connections that read, each by one thread at a time. They never wait for the writer.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use tokio::sync::Semaphore;

use super::database::connect;
use super::fault::Fault;

/// How many connections are kept for the next who reads; more are closed after use.
const KEPT: usize = 4;
/// How many read at the same time: a look takes a tenth of a millisecond, and each takes a thread
/// and three descriptors.
const AT_ONCE: usize = 16;

/// Opens connections, and keeps some.
#[derive(Debug)]
pub(super) struct Readers(Arc<ReaderPool>);

#[derive(Debug)]
struct ReaderPool {
    path: PathBuf,
    idle: Mutex<Vec<Connection>>,
    places: Arc<Semaphore>,
}

impl Readers {
    pub(super) fn new(path: PathBuf) -> Readers {
        Readers(Arc::new(ReaderPool {
            path,
            idle: Mutex::default(),
            places: Arc::new(Semaphore::new(AT_ONCE)),
        }))
    }

    /// Reads something, on a thread that may wait for the disk. All of it sees one state of the
    /// database.
    pub(super) async fn read<T, E>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Fault> + From<rusqlite::Error> + Send + 'static,
    {
        let shared = Arc::clone(&self.0);
        let place = Arc::clone(&shared.places).acquire_owned().await;
        let place = place.map_err(|error| Fault::Unavailable(error.to_string()))?;
        let read = tokio::task::spawn_blocking(move || {
            // Held by the work itself: a caller that waits for it may leave before it is done.
            let _place = place;
            let connection = shared.take()?;
            let snapshot = connection.unchecked_transaction()?;
            let result = work(&snapshot);
            snapshot.finish()?;
            shared.keep(connection);
            result
        });
        read.await.unwrap_or_else(|error| Err(Fault::Unavailable(error.to_string()).into()))
    }
}

impl ReaderPool {
    fn take(&self) -> Result<Connection, rusqlite::Error> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        if let Some(connection) = idle {
            return Ok(connection);
        }
        let connection = connect(&self.path)?;
        connection.pragma_update(None, "query_only", true)?;
        Ok(connection)
    }

    fn keep(&self, connection: Connection) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < KEPT {
            idle.push(connection);
        }
    }
}
