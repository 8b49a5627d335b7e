//! Worker that takes tasks, reads their photos and writes the outcomes.
//!
//! Input: a [`Backend`], a [`Reader`] and the [`Host`] that decides when a photo may be read.
//! Output: outcomes in the store. Invariants: an outcome is written before its task leaves the
//! queue; a task leaves the queue only with an outcome, or if it is not wanted; a broken photo is
//! an outcome, a failed reading is an attempt, and an unreachable store is neither.

mod isolation;
mod task_photos;
mod task_sets;
mod work_loop;

use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tilesight_core::rules::Book;
use tilesight_vision::sets::UnknownSet;
use tilesight_vision::{Reader, Reading};
use tokio::sync::watch;
use tokio::task::JoinSet;

use self::isolation::Isolation;
use self::task_sets::SetReaders;
use self::work_loop::WorkerLoop;
use super::queue::LEASE;
use crate::{Backend, Engine, Engines, Name, QueueError, StoreError, Task};

/// Number of consecutive readings that may fail through no fault of their photos before the worker
/// stops: its networks are broken, and it would spoil every task in the queue.
const MAX_FAILURES: u32 = 5;

/// Permit to read one photo now; released on drop.
pub struct WorkerPermit(
    #[allow(dead_code, reason = "it is kept to be dropped")] Box<dyn Any + Send>,
);

impl WorkerPermit {
    /// Returns a permit that holds a value, such as that of a semaphore, until it is dropped.
    #[must_use]
    pub fn new(permit: impl Any + Send) -> WorkerPermit {
        WorkerPermit(Box::new(permit))
    }
}

impl fmt::Debug for WorkerPermit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WorkerPermit")
    }
}

/// Process that a worker runs in, which may have more urgent work than jobs.
#[async_trait]
pub trait Host: Send + Sync + fmt::Debug {
    /// Waits until this photo may be read.
    async fn permit(&self, photo: &[u8]) -> WorkerPermit;

    /// Notifies the host that a photo was read; called on the thread that read it.
    fn read(&self, _task: &Task, _reading: &Reading) {}

    /// Notifies the host that the photo of another player's hand was read for the same task.
    fn read_other(&self, _task: &Task, _reading: &Reading) {}
}

/// Host without any other work.
#[derive(Debug, Clone, Copy, Default)]
pub struct IdleHost;

#[async_trait]
impl Host for IdleHost {
    async fn permit(&self, _photo: &[u8]) -> WorkerPermit {
        WorkerPermit::new(())
    }
}

/// Policy for tasks that were created for another engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForeignTasks {
    /// Reads the task: it is left from before an update of the only worker there is.
    Read,
    /// Gives the task back: another worker of the fleet has that engine. An answer by this engine
    /// would permanently be taken for an answer by the other.
    GiveBack,
}

/// Settings of a worker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Name of the worker in the queue.
    pub name: Name,
    /// Policy for tasks for another engine.
    pub foreign: ForeignTasks,
    /// Interval at which a lease is extended: a third of the lease time, so that two extensions may
    /// get lost.
    pub heartbeat: Duration,
    /// Maximum time for reading one photo. A reading normally takes a second; one that exceeds this
    /// limit hangs, and its thread is abandoned.
    pub max_reading_time: Duration,
}

impl Settings {
    /// Returns the default settings.
    #[must_use]
    pub fn new(name: Name, foreign: ForeignTasks) -> Settings {
        Settings { name, foreign, heartbeat: LEASE / 3, max_reading_time: Duration::from_secs(120) }
    }
}

/// Counts of a worker's work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WorkerTally {
    /// Number of photos that were read or found broken.
    pub read: u64,
    /// Number of tasks that needed no reading: already answered, or not wanted any more.
    pub skipped: u64,
    /// Number of failed attempts.
    pub failed: u64,
}

/// Error when a worker stopped on its own.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WorkerError {
    /// The back end is broken: the operator must fix it.
    #[error(transparent)]
    Queue(QueueError),
    /// The back end is broken: the operator must fix it.
    #[error(transparent)]
    Store(StoreError),
    /// No photo can be read here: the operator must fix the networks.
    #[error("{readings} readings in a row failed: the log says why")]
    Broken {
        /// Number of failed readings.
        readings: u32,
    },
}

/// Worker that takes tasks and reads their photos.
#[derive(Debug, Clone)]
pub struct Worker {
    backend: Backend,
    reader: Arc<Reader>,
    /// Engine without own sets.
    engine: Engine,
    book: Arc<Book>,
    host: Arc<dyn Host>,
    settings: Settings,
    isolation: Isolation,
    set_readers: SetReaders,
}

/// Returns the engine of a reader without own sets, and of the rule sets of a book.
fn engine(reader: &Reader, book: &Book) -> Engine {
    Engine::new(reader.model().manifest(), book)
}

impl Worker {
    /// Returns an idle worker.
    #[must_use]
    pub fn new(
        backend: Backend,
        reader: Arc<Reader>,
        host: Arc<dyn Host>,
        settings: Settings,
    ) -> Worker {
        let book = Arc::new(Book::shipped());
        let engine = engine(&reader, &book);
        Worker {
            backend,
            reader,
            engine,
            book,
            host,
            settings,
            isolation: Isolation::default(),
            set_readers: SetReaders::default(),
        }
    }

    /// Returns this worker with the rule sets of a book instead of the shipped ones.
    #[must_use]
    pub fn with_book(self, book: Arc<Book>) -> Worker {
        Worker { engine: engine(&self.reader, &book), book, ..self }
    }

    /// Returns the engine by which a reader of this worker answers a request, with the own sets
    /// that the reader has now.
    fn engine_for(&self, task: &Task, reader: &Reader) -> Result<Engine, UnknownSet> {
        let engines = Engines::new(self.engine, reader.sets().sets());
        engines.for_choice(task.table.fields.set.as_ref())
    }

    /// Works on `concurrency` photos concurrently until `stop` says `true`, or its sender is gone.
    /// A photo that is being read then is finished; a photo that still waits for its permit is
    /// given back.
    ///
    /// # Errors
    /// [`WorkerError`], after the other photos were finished.
    pub async fn run(
        &self,
        concurrency: usize,
        stop: &watch::Receiver<bool>,
    ) -> Result<WorkerTally, WorkerError> {
        let mut loops = JoinSet::new();
        // If one loop fails, the others stop too: they share the cause.
        let (halt, halted) = watch::channel(false);
        for _ in 0..concurrency {
            let mut work_loop = WorkerLoop::new(self.clone(), [stop.clone(), halted.clone()]);
            loops.spawn(async move {
                let ended = work_loop.work().await;
                (work_loop.tally, ended)
            });
        }
        let mut tally = WorkerTally::default();
        let mut result = Ok(());
        while let Some(ended) = loops.join_next().await {
            let (some, ended) = ended.expect("a loop neither panics nor is aborted");
            tally = tally.and(some);
            if ended.is_err() {
                let _ = halt.send(true);
                result = ended;
            }
        }
        result.map(|()| tally)
    }
}

impl WorkerTally {
    fn and(self, other: WorkerTally) -> WorkerTally {
        WorkerTally {
            read: self.read + other.read,
            skipped: self.skipped + other.skipped,
            failed: self.failed + other.failed,
        }
    }
}
