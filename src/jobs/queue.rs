//! The queue: which tasks wait, who holds one, and which were given up.
//!
//! A task waits until a worker leases it, and is held until the worker says how it ended. A lease
//! that is not extended for the queue's lease time (30 s) ends, and somebody else gets the task.
//! What counts as an attempt is a reading that [began](Queue::begin) and whose end was never
//! reported: leases also run out because the queue can't be reached, and no photo is given up for
//! that. Invariants: a task is held by one worker at a time, but for workers that lost their lease
//! and don't know yet; a pushed task is handed out until it is done or dead; nothing about
//! interactive requests is ever here.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::Timestamp;
use super::store::Name;
use super::task::{Task, TaskKey};

/// How often a task is tried before it is given up. A photo that ends its worker ends three of
/// them: one is bad luck, two may be a machine going down slowly.
pub const ATTEMPTS: u32 = 3;

/// How long a lease lasts that is not extended, unless a queue was made with another time.
pub const LEASE: Duration = Duration::from_secs(30);

/// Who goes first. Within a priority the older task goes first; in a folder the tasks of several
/// clients take turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// A few photos somebody waits for.
    High,
    /// A large heap.
    Normal,
}

/// What became of a pushed task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PushResult {
    /// It waits now. A task that is done or dead may be pushed again and is new then.
    New,
    /// It waits already, or somebody holds it.
    Known,
}

/// A task in somebody's hands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// What is to be read.
    pub task: Task,
    /// Which attempt a reading would be, from 1. Beyond [`ATTEMPTS`] the task is not to be tried
    /// any more: earlier holders vanished while they read it. The holder writes its outcome and
    /// calls [`Queue::fail`].
    pub attempt: u32,
    /// What the queue knows the lease by.
    pub token: Token,
}

/// What a queue knows a lease by: text that only the queue understands.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Token(pub String);

/// What became of a task that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailResult {
    /// It waits again.
    Retried,
    /// It was given up, and is among the [`DeadLetter`]s.
    Dead,
}

/// A task that was given up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeadLetter {
    /// The task.
    pub task: Task,
    /// How often it was tried.
    pub attempts: u32,
    /// What its last holder said.
    pub reason: String,
    /// When it was given up.
    pub at: Timestamp,
}

/// How much there is to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Backlog {
    /// Tasks that wait.
    pub waiting: u64,
    /// Tasks that somebody holds.
    pub held: u64,
    /// Dead letters.
    pub dead: u64,
}

/// Tasks on their way to workers.
#[async_trait]
pub trait Queue: Send + Sync + fmt::Debug {
    /// Lets tasks wait, and says for each in order whether it is new. They are on disk when this
    /// returns. After an error some of them may wait: push all of them again.
    ///
    /// # Errors
    /// [`QueueError`], [`QueueError::Full`] when no more may wait.
    async fn push(&self, tasks: &[Task], priority: Priority)
    -> Result<Vec<PushResult>, QueueError>;

    /// The next task for a worker; `None` when there was none for the time it waits.
    ///
    /// # Errors
    /// [`QueueError`].
    async fn lease(&self, worker: &Name, wait: Duration) -> Result<Option<Lease>, QueueError>;

    /// Holds a task for another lease time from now.
    ///
    /// # Errors
    /// [`QueueError::Lost`] when somebody else may hold it by now.
    async fn extend(&self, lease: &Lease) -> Result<(), QueueError>;

    /// Notes that a reading begins: from now on the lease is an attempt, whatever becomes of its
    /// holder, until [`Queue::done`] or [`Queue::give_back`] says otherwise. The note survives the
    /// holder's process.
    ///
    /// # Errors
    /// [`QueueError::Lost`] when somebody else may hold it by now. After another error it may be
    /// noted: a worker that does not read gives the lease back.
    async fn begin(&self, lease: &Lease) -> Result<(), QueueError>;

    /// Takes a task from the queue for good: its outcome is written. It doesn't matter whether the
    /// lease was lost meanwhile.
    ///
    /// # Errors
    /// [`QueueError`].
    async fn done(&self, lease: Lease) -> Result<(), QueueError>;

    /// The attempt failed, whether or not it began: the task waits again, or is given up when this
    /// was attempt [`ATTEMPTS`] or a later one. The worker that holds the last attempt writes its
    /// outcome before.
    ///
    /// # Errors
    /// [`QueueError::Lost`] when somebody else may hold it by now.
    async fn fail(&self, lease: Lease, reason: &str) -> Result<FailResult, QueueError>;

    /// Lets a task wait again, behind the others of its priority, and does not count the attempt:
    /// nothing was wrong with it. Where the lease was lost meanwhile, a reading that began is not
    /// counted either: its holder lives.
    ///
    /// # Errors
    /// [`QueueError`]. A reading that began counts then, until the same call works.
    async fn give_back(&self, lease: Lease) -> Result<(), QueueError>;

    /// The newest dead letters, one for each key. They are kept for people, at least a week long.
    ///
    /// # Errors
    /// [`QueueError`].
    async fn dead(&self, most: usize) -> Result<Vec<DeadLetter>, QueueError>;

    /// Forgets a dead letter, whether or not there is one.
    ///
    /// # Errors
    /// [`QueueError`].
    async fn forget(&self, key: &TaskKey) -> Result<(), QueueError>;

    /// How much there is to do.
    ///
    /// # Errors
    /// [`QueueError`].
    async fn backlog(&self) -> Result<Backlog, QueueError>;
}

/// Why a queue did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueueError {
    /// It can't be reached, or its disk fails: the same call may work later.
    #[error("the queue can't be reached: {reason}")]
    Unavailable {
        /// What the system said.
        reason: String,
    },
    /// No more tasks may wait: the caller can wait until some are done.
    #[error("the queue is full")]
    Full,
    /// The lease ended before it was extended; its holder has nothing to fix.
    #[error("the lease ended before it was extended")]
    Lost,
    /// What is kept is not what was written: the operator has to restore it.
    #[error("the queue is corrupt: {reason}")]
    Corrupt {
        /// What is wrong with it.
        reason: String,
    },
}

impl QueueError {
    /// The same call may work later, says the system.
    pub fn unavailable(reason: &impl fmt::Display) -> QueueError {
        QueueError::Unavailable { reason: reason.to_string() }
    }

    /// Something can't be understood.
    pub fn corrupt(reason: &impl fmt::Display) -> QueueError {
        QueueError::Corrupt { reason: reason.to_string() }
    }
}
