//! Queue of tasks: waiting tasks, leases, and dead letters.
//!
//! A task waits until a worker leases it, and is held until the worker reports its end. A lease
//! that is not extended within the queue's lease time (30 s) expires, and another worker gets the
//! task. An attempt is a reading that [began](Queue::begin) and whose end was never reported:
//! leases also expire because the queue can't be reached, and no photo is given up for that. Nor is
//! one for a process that ended while it read other photos too, because anything may have ended it:
//! such a task is a suspect, which is read alone from then on.
//! Invariants: a task is held by one worker at a time, except for workers that lost their lease
//! without knowing it yet; a pushed task is delivered until it is done or dead; interactive
//! requests never use the queue.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::Timestamp;
use super::store::Name;
use super::task::{Task, TaskKey};

/// Number of attempts after which a task is given up. A photo that crashes its worker crashes three
/// of them: one crash may be bad luck, and two may be a machine that is failing slowly.
pub const MAX_ATTEMPTS: u32 = 3;

/// Default time after which a lease expires unless it is extended.
pub const LEASE: Duration = Duration::from_secs(30);

/// Priority of a task. Within a priority the older task goes first; in a folder the tasks of
/// several clients are interleaved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Priority {
    /// A few photos that someone is waiting for.
    High,
    /// Large numbers of photos.
    Normal,
}

/// Result of pushing a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PushResult {
    /// The task waits now. A task that is done or dead may be pushed again, and is new then.
    New,
    /// The task was waiting or held already.
    Known,
}

/// Task that a worker holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lease {
    /// Task to read.
    pub task: Task,
    /// Number of the attempt that a reading would be, from 1. From the second on the task is a
    /// suspect.
    pub attempt: u32,
    /// Number of earlier attempts that count: their holders reported a failure, or vanished while
    /// they read this task alone. With [`MAX_ATTEMPTS`] of them the task must not be read any more:
    /// the holder writes its outcome and calls [`Queue::fail`].
    pub failures: u32,
    /// Token that identifies the lease.
    pub token: Token,
}

/// Token that identifies a lease: an opaque text of the queue.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Token(pub String);

/// Company in which a process reads a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Company {
    /// The process reads nothing else.
    Alone,
    /// The process may read other tasks too.
    Others,
}

/// Result of failing a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailResult {
    /// The task waits again.
    Retried,
    /// The task was given up, and is now a [`DeadLetter`].
    Dead,
}

/// Time for which a [`DeadLetter`] is kept for people to look at.
pub const DEAD_LETTER_LIFETIME: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// Task that was given up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeadLetter {
    /// The task.
    pub task: Task,
    /// Number of attempts.
    pub attempts: u32,
    /// Reason that the last holder reported.
    pub reason: String,
    /// Time at which the task was given up.
    pub at: Timestamp,
}

/// Numbers of tasks in the queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Backlog {
    /// Number of waiting tasks.
    pub waiting: u64,
    /// Number of held tasks.
    pub held: u64,
    /// Number of dead letters.
    pub dead: u64,
}

/// Queue that delivers tasks to workers.
#[async_trait]
pub trait Queue: Send + Sync + fmt::Debug {
    /// Pushes tasks, and returns for each in order whether it is new. The tasks are on disk when
    /// this returns. After an error some of them may be in the queue: push all of them again.
    ///
    /// # Errors
    /// [`QueueError`], [`QueueError::Full`] when no more tasks may wait.
    async fn push(&self, tasks: &[Task], priority: Priority)
    -> Result<Vec<PushResult>, QueueError>;

    /// Leases the next task to a worker; returns `None` if there is none within `wait`.
    ///
    /// # Errors
    /// [`QueueError`].
    async fn lease(&self, worker: &Name, wait: Duration) -> Result<Option<Lease>, QueueError>;

    /// Extends a lease to the lease time from now.
    ///
    /// # Errors
    /// [`QueueError::Lost`] when another worker may hold the task by now.
    async fn extend(&self, lease: &Lease) -> Result<(), QueueError>;

    /// Records that a reading begins: from now on the lease is an attempt, even if its holder
    /// vanishes, until [`Queue::complete`] or [`Queue::give_back`] is called. The record survives
    /// the holder's process. It counts as a failure only if the task is read alone.
    ///
    /// # Errors
    /// [`QueueError::Lost`] when another worker may hold the task by now. After another error the
    /// attempt may be recorded: a worker that does not read gives the lease back.
    async fn begin(&self, lease: &Lease, company: Company) -> Result<(), QueueError>;

    /// Removes a task whose outcome is written from the queue for good, even if the lease was lost
    /// in the meantime.
    ///
    /// # Errors
    /// [`QueueError`].
    async fn complete(&self, lease: Lease) -> Result<(), QueueError>;

    /// Reports that the attempt failed, whether or not it began: the task waits again, or is given
    /// up if this was failure [`MAX_ATTEMPTS`] or a later one. The worker that holds the last
    /// attempt writes the task's outcome first.
    ///
    /// # Errors
    /// [`QueueError::Lost`] when another worker may hold the task by now.
    async fn fail(&self, lease: Lease, reason: &str) -> Result<FailResult, QueueError>;

    /// Puts a task back into the queue, behind the others of its priority, without counting the
    /// attempt: the task is not at fault. If the lease was lost in the meantime, a reading that
    /// began is not counted either, because its holder is alive.
    ///
    /// # Errors
    /// [`QueueError`]. A reading that began then counts until a later call succeeds.
    async fn give_back(&self, lease: Lease) -> Result<(), QueueError>;

    /// Forgets the attempts at a task, which somebody wants to be read as if it was new.
    ///
    /// # Errors
    /// [`QueueError`].
    async fn forget_attempts(&self, key: &TaskKey) -> Result<(), QueueError>;

    /// Returns the newest dead letters, at most one for each key. They are kept for people, for at
    /// least a week.
    ///
    /// # Errors
    /// [`QueueError`].
    async fn dead_letters(&self, max: usize) -> Result<Vec<DeadLetter>, QueueError>;

    /// Removes a dead letter; does nothing if there is none.
    ///
    /// # Errors
    /// [`QueueError`].
    async fn delete_dead_letter(&self, key: &TaskKey) -> Result<(), QueueError>;

    /// Returns the numbers of tasks in the queue.
    ///
    /// # Errors
    /// [`QueueError`].
    async fn backlog(&self) -> Result<Backlog, QueueError>;
}

/// Error of a call to a queue.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum QueueError {
    /// The queue can't be reached, or its disk fails: a retry may succeed.
    #[error("the queue can't be reached: {reason}")]
    Unavailable {
        /// Message of the system.
        reason: String,
    },
    /// No more tasks may wait: the caller can retry once some are done.
    #[error("no more photos may wait in the queue")]
    Full,
    /// The disk of the queue has no space left: the operator can free some.
    #[error("the disk is full, or a limit on its use is reached")]
    NoSpace,
    /// The lease expired before it was extended; its holder need not fix anything.
    #[error("the lease ended before it was extended")]
    Lost,
    /// The stored data differs from what was written: the operator must restore it.
    #[error(
        "the queue is corrupt: {reason}; stop the program and restore the folder from a backup, or \
         name another folder"
    )]
    Corrupt {
        /// Fault of the data.
        reason: String,
    },
}

impl Lease {
    /// Returns whether the task must not be read any more.
    #[must_use]
    pub fn is_spent(&self) -> bool {
        self.failures >= MAX_ATTEMPTS
    }

    /// Returns whether one more failure ends the task.
    #[must_use]
    pub fn is_last(&self) -> bool {
        self.failures.saturating_add(1) >= MAX_ATTEMPTS
    }
}

impl QueueError {
    /// Returns an error that permits a retry, with the message of the system.
    pub fn unavailable(reason: &impl fmt::Display) -> QueueError {
        QueueError::Unavailable { reason: reason.to_string() }
    }

    /// Returns an error for data that can't be parsed.
    pub fn corrupt(reason: &impl fmt::Display) -> QueueError {
        QueueError::Corrupt { reason: reason.to_string() }
    }
}
