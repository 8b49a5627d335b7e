//! Jobs of many photos: the queue, the store and the worker that `tilesight batch`, the HTTP jobs
//! and the machines of a fleet share, with SQLite in one folder as the back end of a single
//! machine.
//!
//! ```
//! use std::sync::Arc;
//!
//! use tilesight_core::contract::{Problem, ProblemKind};
//! use tilesight_jobs::{EmbeddedStore, JobId, NewItem, NewJob, Priority, Work};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! // One folder holds the queue and the store.
//! let backend = Arc::new(EmbeddedStore::open(folder.path())?).backend();
//! let job = NewJob::new(JobId::random()?);
//! backend.store.create(&job).await?;
//!
//! // An item is a task for a worker, or the problem that prevented one.
//! let problem = Problem::new(ProblemKind::UnreadableImage, "the file is empty");
//! let item = NewItem { id: "a.jpg".to_owned(), work: Work::Refused(problem) };
//! backend.submit(&job.id, 0, &[item], Priority::Normal).await?;
//! backend.store.seal(&job.id).await?;
//!
//! let items = backend.store.items(&job.id, 0, 100).await?;
//! assert!(items[0].outcome.as_ref().is_some_and(|outcome| outcome.is_failure()));
//! # Ok(())
//! # }
//! ```
//!
//! A [`Worker`] reads the photos of the tasks in the queue:
//!
//! ```no_run
//! # use std::sync::Arc;
//! # use tilesight_jobs::{EmbeddedStore, ForeignTasks, IdleHost, Settings, Worker};
//! # use tilesight_vision::Reader;
//! # async fn work(reader: Reader) -> Result<(), Box<dyn std::error::Error>> {
//! let backend = Arc::new(EmbeddedStore::open("jobs".as_ref())?).backend();
//! let settings = Settings::new("worker".parse()?, ForeignTasks::Read);
//! let worker = Worker::new(backend, Arc::new(reader), Arc::new(IdleHost), settings);
//! // Two photos at once, until `stop` is sent or dropped.
//! let (stop, stopped) = tokio::sync::watch::channel(false);
//! let tally = worker.run(2, &stopped).await?;
//! # drop(stop);
//! println!("{} photos were read", tally.read);
//! # Ok(())
//! # }
//! ```
//!
//! # Parts
//! - [`Queue`] and [`Store`] are the traits of a back end. [`EmbeddedStore`] implements both in a
//!   folder; the crate `tilesight-fleet` implements them for many machines.
//! - [`Task`], [`Outcome`], [`Job`] and [`Item`] are the stored data; [`Backend::submit`] and
//!   [`Backend::resume`] bring a job's tasks into the queue.
//! - [`Worker`] leases tasks and reads their photos, in a process whose [`Host`] may have more
//!   urgent work.
//! - [`batch`] reads lists and archives of photos and writes rows; [`sheet`] reads and writes
//!   spreadsheets. [`plan`] lists the photos of files and folders, once before any is read.
//! - [`corrections`] has people's corrections of readings, and [`review`] the queue in which a
//!   person makes them.
//! - [`evenings`] keeps what is played over an evening, as documents of the same store.
//! - [`backup`] saves what a service stores, and restores it.
//! - [`sweep`] removes expired data, up to a time that [`retention`] tells; [`sharing`], [`random`]
//!   and [`worker_threads`] are parts that the service uses too.
//!
//! # Invariants
//! A job is a list of items in the order they were given. An item is a photo and the options of its
//! reading, a [`Task`], or the problem that prevented one. There is one [`Outcome`] per item.
//! - A task's key contains everything that its outcome depends on: the same key has the same
//!   outcome, so a photo is never read twice with the same options.
//! - An outcome is written once (the first one stays) and contains no clock time, id or timing, so
//!   that it does not depend on the number of attempts before a reader survived to write it.
//! - Everything that a job needs to go on is in the store. If a queue loses a task, this costs time
//!   but no result: [`Item::task`] is pushed again.
//!
//! # Features and their cost
//! There are none. SQLite is compiled from C with the crate; a reader of photos needs the feature
//! `onnx` of `tilesight-vision`, which this crate does not enable.

mod backend;
pub mod backup;
pub mod batch;
pub mod corrections;
mod embedded;
pub mod evenings;
mod hash;
mod job;
pub mod journals;
mod outcome;
pub mod plan;
mod queue;
pub mod random;
pub mod retention;
pub mod review;
pub mod score_sheet;
pub mod series;
pub mod series_table;
pub mod sharing;
pub mod sheet;
mod store;
mod store_error;
pub mod sweep;
pub mod table_file;
mod task;
mod timestamp;
pub mod workbook;
mod worker;
pub mod worker_threads;

/// Generated functions, one for each text of the catalogues.
#[deny(dead_code)]
mod texts {
    include!(concat!(env!("OUT_DIR"), "/texts.rs"));
}

pub use self::backend::{Backend, SubmitError};
pub use self::embedded::{EmbeddedStore, LAYOUT};
#[doc(hidden)]
pub use self::hash::unhex;
pub use self::hash::{HashError, PhotoId};
pub use self::job::{
    Item, Job, JobId, JobIdError, JobState, KEEP_PHOTOS, NewItem, NewJob, Progress, Selection, Work,
};
pub use self::outcome::{Content, Outcome, OutcomeError, line_of};
pub use self::queue::{
    Backlog, Company, DEAD_LETTER_LIFETIME, DeadLetter, FailResult, LEASE, Lease, MAX_ATTEMPTS,
    Priority, PushResult, Queue, QueueError, Token,
};
pub use self::store::{
    Documents, ExpiryReport, Name, Revision, Standing, Store, Usage, WriteResult,
};
pub use self::store_error::StoreError;
pub use self::task::{Engine, Engines, Task, TaskKey};
pub use self::timestamp::Timestamp;
pub use self::worker::{
    ForeignTasks, Host, IdleHost, Settings, Worker, WorkerError, WorkerPermit, WorkerTally,
};
