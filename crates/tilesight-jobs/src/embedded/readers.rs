//! Connections for reading, each used by one thread at a time. They never wait for the writer.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use tokio::sync::Semaphore;

use super::database::connect;
use super::fault::Fault;

/// Number of idle connections that are kept for reuse; further ones are closed after use.
const MAX_IDLE: usize = 4;
/// Maximum number of concurrent reads: one takes a tenth of a millisecond, and needs a thread and
/// three file descriptors.
const MAX_READERS: usize = 16;

/// Pool of connections for reading.
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
            places: Arc::new(Semaphore::new(MAX_READERS)),
        }))
    }

    /// Reads from the database, on a thread that may block on the disk. All of `work` sees one
    /// snapshot of the database.
    pub(super) async fn read<T, E>(
        &self,
        work: impl FnOnce(&Connection) -> Result<T, E> + Send + 'static,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<Fault> + From<rusqlite::Error> + Send + 'static,
    {
        let shared = Arc::clone(&self.0);
        let place = Arc::clone(&shared.places)
            .acquire_owned()
            .await
            .map_err(|error| Fault::Unavailable(error.to_string()))?;
        let read = tokio::task::spawn_blocking(move || {
            // Held by the work itself: the caller that waits for it may be dropped before the work
            // is done.
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
        if idle.len() < MAX_IDLE {
            idle.push(connection);
        }
    }
}
