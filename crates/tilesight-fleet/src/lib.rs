//! Jobs of many machines: the queue and the store of `tilesight-jobs` in NATS JetStream, photos
//! there or in S3-compatible storage.
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use tilesight_fleet::{Nats, NatsOptions, Role};
//!
//! # async fn connect() -> Result<(), Box<dyn std::error::Error>> {
//! // Every machine opens the same back end; missing streams and buckets are created.
//! let url = "nats://localhost:4222";
//! let options = NatsOptions::from_environment(url, Role::Worker, false)?;
//! let nats = Arc::new(Nats::open(url, &options).await?);
//! let backend = nats.backend();
//! println!("{} tasks wait", backend.queue.backlog().await?.waiting);
//! # Ok(())
//! # }
//! ```
//!
//! # Parts
//! - [`Nats`] implements [`Queue`] and [`Store`]; [`Nats::backend`] is what a [`Worker`], a service
//!   or a batch takes.
//! - [`NatsOptions`] are the settings of a cluster, from [environment variables](ENVIRONMENT) or by
//!   hand; [`PhotoStorage`] says where photos are kept, and [`Role`] what the process may do.
//!
//! # Design
//! Two work-queue streams (one per priority) deliver tasks to pull consumers, and a third stream
//! keeps dead letters; jobs, items, tasks with their outcomes, and documents are key-value buckets;
//! photos are in an object store, or in S3-compatible storage. Any number of processes on any
//! number of machines may open the same back end.
//!
//! There are no transactions. The records stay consistent by these rules instead:
//! - Every record is changed by compare and swap, and read from the leader of its stream, never
//!   from a replica that may lag behind.
//! - A process that writes two records writes them in an order in which a crash in between leaves
//!   something that is found again: a chunk of items before the references to their tasks, a photo
//!   before its record.
//! - A queue may hold a task twice, or a task that has been answered: the store says whether the
//!   task is wanted.
//!
//! Streams are replicated three times if the server is part of a cluster, and a call returns once a
//! majority has its writes.
//!
//! # Features and their cost
//! - `s3` keeps photos in S3-compatible storage. It adds an HTTP client (`object_store` and
//!   `reqwest`) to the build.
//!
//! [`Queue`]: tilesight_jobs::Queue
//! [`Store`]: tilesight_jobs::Store
//! [`Worker`]: tilesight_jobs::Worker

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
pub use self::options::{NatsOptions, Role};
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
use tilesight_jobs::{Backend, JobId, StoreError};

/// Queue and store in a NATS cluster.
#[derive(Debug)]
pub struct Nats {
    lanes: Lanes,
    jobs: Jobs,
    chunks: Chunks,
    tasks: Tasks,
    photos: Photos,
    connection: Connection,
    /// Bucket of documents, opened on first use: a worker may have no permission to access it.
    documents: OnceCell<Records>,
    /// Cached results of unfinished jobs, so that querying a job is cheap.
    marks: Marks,
    /// Bytes of the photos that this process received for jobs that are not sealed yet.
    coming: Mutex<HashMap<JobId, u64>>,
}

impl Nats {
    /// Connects, and creates the streams and buckets that are missing. `url` names one server, or
    /// several of a cluster, separated by commas.
    ///
    /// # Errors
    /// [`StoreError::Settings`] when the options can't be used or don't make this URL safe,
    /// [`StoreError::Unavailable`] when no server answers or JetStream is off,
    /// [`StoreError::UnknownLayout`] when another version of the program created the buckets.
    pub async fn open(url: &str, options: &NatsOptions) -> Result<Nats, StoreError> {
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

    /// Returns the bucket of documents.
    async fn documents(&self) -> Result<&Records, StoreError> {
        self.documents.get_or_try_init(|| self.connection.bucket("documents")).await
    }

    /// Returns this back end as both the queue and the store of a [`Backend`].
    #[must_use]
    pub fn backend(self: &Arc<Nats>) -> Backend {
        Backend { queue: self.clone(), store: self.clone() }
    }

    /// Reads or changes the bytes received so far for unsealed jobs.
    fn coming<T>(&self, change: impl FnOnce(&mut HashMap<JobId, u64>) -> T) -> T {
        change(&mut self.coming.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the time after which a lease expires unless it is extended, as the creator of the
    /// streams configured it.
    #[must_use]
    pub fn lease_time(&self) -> Duration {
        self.lanes.lease_time()
    }
}
