//! The back end of a fleet: NATS JetStream for everything, or for everything but photos.
//!
//! Two work-queue streams (one a priority) carry tasks to pull consumers, a third keeps dead
//! letters; jobs, items, tasks with their outcomes, and documents are key-value buckets; photos are
//! in an object store, or in S3-compatible storage. Any number of processes on any number of
//! machines may open the same one.
//!
//! There are no transactions. What keeps the records together instead:
//! - Every record is changed by [compare and swap](records::Records::change), and read from the
//!   leader of its stream, never from a replica that may lag behind.
//! - A process that writes two records writes them in an order in which a crash in between leaves
//!   something that is found again: a chunk of items before the references to their tasks, a photo
//!   before its record.
//! - A queue may hold a task twice, or one that was answered meanwhile: the store says whether it
//!   is wanted.
//!
//! Streams are replicated three times where the server is part of a cluster, and a call returns
//! when a majority has what it wrote.

mod chunks;
mod connection;
mod credentials;
mod documents;
mod environment;
mod fault;
mod jobs;
mod objects;
mod options;
mod photos;
mod progress;
mod queue;
mod records;
mod servers;
mod storage;
mod store;
mod tasks;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::OnceCell;

pub use self::environment::{ENVIRONMENT, OptionsError};
pub use self::options::{Options, Role};
pub use self::servers::ServersError;
pub use self::storage::{PhotoStorage, PhotoStorageError};

use self::chunks::Chunks;
use self::connection::Connection;
use self::jobs::Jobs;
use self::photos::Photos;
use self::progress::Marks;
use self::queue::Lanes;
use self::records::Records;
use self::tasks::Tasks;
use super::{Backend, JobId, StoreError};

/// A queue and a store in a NATS cluster.
#[derive(Debug)]
pub struct Nats {
    lanes: Lanes,
    jobs: Jobs,
    chunks: Chunks,
    tasks: Tasks,
    photos: Photos,
    connection: Connection,
    /// Opened when somebody needs them: a worker may have no right to look at them.
    documents: OnceCell<Records>,
    /// What is known of jobs that are being read, so that a look at them costs little.
    marks: Marks,
    /// Bytes of the photos that came in here for jobs that are not sealed yet.
    coming: Mutex<HashMap<JobId, u64>>,
}

impl Nats {
    /// Connects, and makes the streams and buckets that are missing. `url` names one server or,
    /// with commas between, several of a cluster.
    ///
    /// # Errors
    /// [`StoreError::Settings`] when the options can't be used or don't make this URL safe,
    /// [`StoreError::Unavailable`] when no server answers or JetStream is off,
    /// [`StoreError::Newer`] when a newer program made the buckets.
    pub async fn open(url: &str, options: &Options) -> Result<Nats, StoreError> {
        let connection = Connection::open(url, options).await?;
        let jobs = connection.bucket("jobs").await?;
        jobs::check_layout(&jobs).await?;
        let tasks = connection.bucket("tasks").await?;
        let kept = connection.bucket("kept").await?;
        let objects = objects::open(&connection, &options.photos).await?;
        let nats = Nats {
            lanes: Lanes::open(&connection, options).await?,
            chunks: Chunks::new(jobs.clone()),
            tasks: Tasks::new(tasks, jobs.clone()),
            jobs: Jobs::new(jobs),
            photos: Photos::new(kept, objects),
            documents: OnceCell::new(),
            connection,
            marks: Marks::default(),
            coming: Mutex::default(),
        };
        if options.role == Role::Service {
            nats.documents().await?;
        }
        Ok(nats)
    }

    /// The bucket of documents.
    async fn documents(&self) -> Result<&Records, StoreError> {
        self.documents.get_or_try_init(|| self.connection.bucket("documents")).await
    }

    /// This as the queue and the store of a [`Backend`].
    #[must_use]
    pub fn backend(self: &Arc<Nats>) -> Backend {
        let (queue, store) = (Arc::clone(self), Arc::clone(self));
        Backend { queue, store }
    }

    /// What came in for a job so far, which is changed or taken away.
    fn coming<T>(&self, change: impl FnOnce(&mut HashMap<JobId, u64>) -> T) -> T {
        change(&mut self.coming.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// How long a lease lasts that is not extended: what the creator of the streams asked for.
    #[must_use]
    pub fn lease_time(&self) -> Duration {
        self.lanes.lease_time()
    }
}
