//! The worker: takes a task, reads its photo, writes what came of it, takes the next.
//!
//! Input: a [`Backend`], a [`Reader`] and the [`Host`] that says when a photo may be read. Output:
//! outcomes in the store. Invariants: an outcome is written before its task leaves the queue; a
//! task leaves the queue only with an outcome, or when nobody wants it; a photo that is broken is
//! an outcome, a reading that fails is an attempt, and a store that can't be reached is neither.

mod hand;
mod isolation;
mod table;

use std::any::Any;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use tilesight_core::rules::Book;
use tokio::sync::watch;
use tokio::task::JoinSet;

use self::hand::Hand;
use self::isolation::Isolation;
use super::queue::LEASE;
use super::{Backend, Engine, Name, QueueError, StoreError, Task};
use crate::pipeline::{Reader, Reading};

/// How many readings in a row may fail for no fault of their photos before the worker stops: its
/// networks are broken, and it would spoil every task there is.
const FAILURES: u32 = 5;

/// The right to read one photo now; it ends when this is dropped.
pub struct Turn(#[allow(dead_code, reason = "it is kept to be dropped")] Box<dyn Any + Send>);

impl Turn {
    /// A turn that ends when what was given is dropped: a permit, or nothing.
    pub fn until_dropped(permit: impl Any + Send) -> Turn {
        Turn(Box::new(permit))
    }
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Turn")
    }
}

/// The process that a worker runs in: it may have more urgent things to do than jobs.
#[async_trait]
pub trait Host: Send + Sync + fmt::Debug {
    /// Waits until this photo may be read.
    async fn turn(&self, photo: &[u8]) -> Turn;

    /// A photo was read; called on the thread that read it.
    fn read(&self, _task: &Task, _reading: &Reading) {}

    /// The photo of another player's hand was read for the same task.
    fn read_other(&self, _task: &Task, _reading: &Reading) {}
}

/// A process that has nothing else to do.
#[derive(Debug, Clone, Copy, Default)]
pub struct IdleHost;

#[async_trait]
impl Host for IdleHost {
    async fn turn(&self, _photo: &[u8]) -> Turn {
        Turn::until_dropped(())
    }
}

/// What a worker does about a task that was made for another engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ForeignTasks {
    /// Reads it: it is left from before an update of the only program there is.
    Read,
    /// Gives it back: another worker of the fleet has that engine. An answer by this one would be
    /// taken for that one's ever after.
    GiveBack,
}

/// How a worker works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// Its name in the queue.
    pub name: Name,
    /// What to do about tasks for another engine.
    pub foreign: ForeignTasks,
    /// How often a lease is extended: a third of its time, so that two may get lost on the way.
    pub heartbeat: Duration,
    /// How long reading one photo may take. It takes a second; what takes longer than this hangs,
    /// and its thread is left behind.
    pub patience: Duration,
}

impl Settings {
    /// The usual ones.
    #[must_use]
    pub fn new(name: Name, foreign: ForeignTasks) -> Settings {
        Settings { name, foreign, heartbeat: LEASE / 3, patience: Duration::from_secs(120) }
    }
}

/// What a worker did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Photos read, and photos found broken.
    pub read: u64,
    /// Tasks that nobody had to read: answered already, or not wanted any more.
    pub skipped: u64,
    /// Attempts that failed.
    pub failed: u64,
}

/// Why a worker stopped before it was asked to.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WorkerError {
    /// The back end is broken: the operator has to fix it.
    #[error(transparent)]
    Queue(QueueError),
    /// The back end is broken: the operator has to fix it.
    #[error(transparent)]
    Store(StoreError),
    /// No photo can be read here: the operator has to fix the networks.
    #[error("{readings} readings in a row failed: the log says why")]
    Broken {
        /// How many.
        readings: u32,
    },
}

/// Takes tasks and reads their photos.
#[derive(Debug, Clone)]
pub struct Worker {
    backend: Backend,
    reader: Arc<Reader>,
    engine: Engine,
    book: Arc<Book>,
    host: Arc<dyn Host>,
    settings: Settings,
    isolation: Isolation,
}

impl Worker {
    /// A worker, which does nothing yet.
    #[must_use]
    pub fn new(
        backend: Backend,
        reader: Arc<Reader>,
        host: Arc<dyn Host>,
        settings: Settings,
    ) -> Worker {
        let book = Arc::new(Book::shipped());
        let engine = Engine::of(reader.model().manifest(), &book);
        Worker { backend, reader, engine, book, host, settings, isolation: Isolation::default() }
    }

    /// The same with the rule sets of a book instead of the shipped ones.
    #[must_use]
    pub fn with_book(self, book: Arc<Book>) -> Worker {
        Worker { engine: Engine::of(self.reader.model().manifest(), &book), book, ..self }
    }

    /// Works on so many photos at once until `stop` says `true`, or its sender is gone. A photo
    /// that is being read then is finished; one that waits for its turn is given back.
    ///
    /// # Errors
    /// [`WorkerError`], after the other photos were finished.
    pub async fn run(
        &self,
        at_once: usize,
        stop: &watch::Receiver<bool>,
    ) -> Result<Tally, WorkerError> {
        let mut hands = JoinSet::new();
        // One hand that fails stops the others: what is wrong with it is wrong with them.
        let (halt, halted) = watch::channel(false);
        for _ in 0..at_once {
            let mut hand = Hand::new(self.clone(), [stop.clone(), halted.clone()]);
            hands.spawn(async move {
                let ended = hand.work().await;
                (hand.tally, ended)
            });
        }
        let (mut tally, mut result) = (Tally::default(), Ok(()));
        while let Some(ended) = hands.join_next().await {
            let (some, ended) = ended.expect("a hand neither panics nor is aborted");
            tally = tally.and(some);
            if ended.is_err() {
                let _ = halt.send(true);
                result = ended;
            }
        }
        result.map(|()| tally)
    }
}

impl Tally {
    fn and(self, other: Tally) -> Tally {
        Tally {
            read: self.read + other.read,
            skipped: self.skipped + other.skipped,
            failed: self.failed + other.failed,
        }
    }
}
