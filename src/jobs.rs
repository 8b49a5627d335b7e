//! Many photos: what a job is, and the three pieces that `tilesight batch`, the HTTP jobs and a
//! fleet's workers share: a [`Queue`], a [`Store`] and the worker's loop around the [`Reader`].
//!
//! A job is a list of items in the order they were given. An item is a photo and what is asked of
//! it, a [`Task`], or the problem that kept it from being one. Input: items. Output: one
//! [`Outcome`] an item. Invariants:
//! - A task's key says everything that its outcome depends on: the same key has the same outcome,
//!   so a photo that was read once is never read again for the same question.
//! - An outcome is written once (the first one stays) and holds no clock, no id and no timing, so
//!   that it does not show how often a photo was read before one of its readers lived to write it.
//! - Everything a job needs to go on is in the store. A queue that loses a task costs time and no
//!   result: [`Item::task`] is pushed again.
//!
//! [`Reader`]: crate::pipeline::Reader

pub mod embedded;
mod hash;
#[cfg(feature = "fleet")]
pub mod nats;
pub mod outcome;
pub mod queue;
pub mod store;
pub mod submit;
pub mod sweep;
pub mod task;
pub mod worker;

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use self::embedded::EmbeddedStore;
pub use self::hash::PhotoId;
#[cfg(feature = "fleet")]
pub use self::nats::Nats;
pub use self::outcome::Outcome;
#[cfg(feature = "http")]
pub(crate) use self::outcome::line_of;
pub use self::queue::{
    ATTEMPTS, Backlog, DeadLetter, FailResult, Lease, Priority, PushResult, Queue, QueueError,
    Token,
};
pub use self::store::{
    Documents, ExpiryReport, Name, Revision, Standing, Store, StoreError, Usage, WriteResult,
};
pub use self::submit::SubmitError;
pub use self::task::{Ask, Engine, Task, TaskKey};
pub use self::worker::{ForeignTasks, Host, IdleHost, Settings, Tally, Turn, Worker, WorkerError};
use crate::random;
use tilesight_core::contract::Problem;
use tilesight_core::explain::{Lang, Message, said};

/// A queue and a store that belong together.
#[derive(Debug, Clone)]
pub struct Backend {
    /// What is to be read.
    pub queue: Arc<dyn Queue>,
    /// What was given and what was read.
    pub store: Arc<dyn Store>,
}

/// Milliseconds since 1970, as the wall clock of their writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub u64);

impl Timestamp {
    /// Later than everything; a whole number that every store can keep.
    pub const NEVER: Timestamp = Timestamp(i64::MAX as u64);

    /// Now.
    #[must_use]
    pub fn now() -> Timestamp {
        Timestamp::from(SystemTime::now())
    }

    /// So much later.
    #[must_use]
    pub fn after(self, time: Duration) -> Timestamp {
        let time = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Timestamp(self.0.saturating_add(time)).min(Timestamp::NEVER)
    }
}

impl From<SystemTime> for Timestamp {
    /// A clock before 1970 is a clock at 1970.
    fn from(time: SystemTime) -> Timestamp {
        let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Timestamp(0).after(since)
    }
}

impl From<Timestamp> for SystemTime {
    fn from(time: Timestamp) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_millis(time.0)
    }
}

/// The name of a job: 32 hex digits. Ids sort by the time they were made at, and nobody guesses
/// one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId([u8; 16]);

/// A text that is no id of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid job id: expected 32 hex digits")]
pub struct JobIdError;

impl JobId {
    /// A new id: 48 bits of milliseconds, then 80 bits that nobody knows.
    ///
    /// # Errors
    /// When the machine has no random numbers.
    pub fn random() -> Result<JobId, StoreError> {
        let mut id = [0; 16];
        id[..6].copy_from_slice(&Timestamp::now().0.to_be_bytes()[2..]);
        let unknown: [u8; 10] = random::bytes().map_err(|error| StoreError::unavailable(&error))?;
        id[6..].copy_from_slice(&unknown);
        Ok(JobId(id))
    }
}

impl fmt::Display for JobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&tilesight_core::hex::of(&self.0))
    }
}

impl Message for JobIdError {
    fn said(&self, lang: Lang) -> String {
        said!(
            self,
            lang,
            "die Id eines Auftrags hat 32 Ziffern von 0 bis f",
            "id'et for et job har 32 cifre fra 0 til f",
            "ett jobbs id har 32 siffror från 0 till f",
            "任务的 id 有 32 位数字，从 0 到 f",
        )
    }
}

impl FromStr for JobId {
    type Err = JobIdError;

    fn from_str(text: &str) -> Result<JobId, JobIdError> {
        hash::unhex(text).map(JobId).ok_or(JobIdError)
    }
}

hash::as_text!(JobId);

/// A job as it is created: empty, and open for items.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewJob {
    /// Its id, chosen by its creator: creating it again after a lost answer changes nothing.
    pub id: JobId,
    /// Whose it is, by the name of a key; nobody's where no key was asked for.
    pub owner: Option<String>,
    /// Whom its photos and results are counted for, and beside whose jobs its photos take turns;
    /// never shown.
    #[serde(default)]
    pub client: Option<String>,
    /// When it was created.
    pub created: Timestamp,
    /// From when on it, its photos and its results may be removed.
    pub expires: Timestamp,
    /// What the front end that created it wants to find again; the store does not look into it.
    pub extra: Value,
}

/// The field of [`NewJob::extra`] that keeps a job's photos until the job is removed.
pub const KEEP_PHOTOS: &str = "keep_photos";

impl NewJob {
    /// A job without an owner that begins now and never expires.
    #[must_use]
    pub fn new(id: JobId) -> NewJob {
        let (created, expires) = (Timestamp::now(), Timestamp::NEVER);
        NewJob { id, owner: None, client: None, created, expires, extra: Value::Null }
    }
}

/// A job as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// What it was created as.
    #[serde(flatten)]
    pub new: NewJob,
    /// No item will come any more.
    pub sealed: bool,
    /// When it was cancelled, if it was.
    pub cancelled: Option<Timestamp>,
    /// When it was sealed and its last item had its outcome, or when it was cancelled.
    pub finished: Option<Timestamp>,
    /// How far it is.
    pub progress: Progress,
}

/// Where a job is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
pub enum JobState {
    /// Items may still be appended; those that are there are read already.
    Open,
    /// Sealed, and not every item has its outcome.
    Running,
    /// Every item has its outcome.
    Finished,
    /// Cancelled: what has no outcome yet gets none.
    Cancelled,
}

impl Job {
    /// Whether its photos stay until it is removed, and not only until it has ended.
    #[must_use]
    pub fn keeps_photos(&self) -> bool {
        self.new.extra.get(KEEP_PHOTOS) == Some(&Value::Bool(true))
    }

    /// Where it is in its life.
    #[must_use]
    pub const fn state(&self) -> JobState {
        match (self.cancelled, self.finished, self.sealed) {
            (Some(_), _, _) => JobState::Cancelled,
            (None, Some(_), _) => JobState::Finished,
            (None, None, true) => JobState::Running,
            (None, None, false) => JobState::Open,
        }
    }
}

/// How many items a job has, and how many of them have their outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Progress {
    /// All items appended so far.
    pub total: u64,
    /// Items with a reading.
    pub read: u64,
    /// Items with a problem.
    pub failed: u64,
}

impl Progress {
    /// Items without an outcome.
    #[must_use]
    pub const fn pending(&self) -> u64 {
        self.total.saturating_sub(self.read + self.failed)
    }
}

/// An item as it is appended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewItem {
    /// Its name, chosen by its creator; it need not be unique.
    pub id: String,
    /// What is to be done.
    pub work: Work,
}

/// What is to be done about an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Work {
    /// Its photo is to be read.
    Read(Task),
    /// Nothing: it could not become a task, and this is its outcome.
    Refused(Problem),
}

/// An item as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Its place in its job, from 0.
    pub index: u64,
    /// Its name, chosen by its creator.
    pub id: String,
    /// What is or was to be read; `None` where nothing could be.
    pub task: Option<Task>,
    /// What came of it; `None` while it waits, and always if its job was cancelled before.
    pub outcome: Option<Outcome>,
}

/// Which jobs [`Store::jobs`] lists: the newest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    /// Only those of this owner.
    pub owner: Option<String>,
    /// Only those that are counted for this client.
    pub client: Option<String>,
    /// Only those that are neither finished nor cancelled.
    pub unfinished: bool,
    /// Only those older than this one: the last one of the page before.
    pub before: Option<JobId>,
    /// So many at the most.
    pub most: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_by_their_time_and_are_read_as_they_are_written() {
        let (one, other) = (JobId::random().expect("random"), JobId::random().expect("random"));
        assert_ne!(one, other);
        assert_eq!(one.to_string().parse(), Ok(one));
        let early = JobId([0; 16]);
        assert!(early < one && early.to_string() < one.to_string());
        for bad in ["", "..", &"g".repeat(32), &"0".repeat(31), &one.to_string().to_uppercase()] {
            // An id without letters is its own upper case.
            let same = *bad == one.to_string();
            assert_eq!(bad.parse::<JobId>().is_ok(), same, "{bad}");
        }
    }

    #[test]
    fn time_does_not_run_over() {
        assert_eq!(Timestamp(5).after(Duration::from_millis(7)), Timestamp(12));
        assert_eq!(Timestamp(5).after(Duration::MAX), Timestamp::NEVER);
        assert_eq!(Timestamp::from(SystemTime::UNIX_EPOCH - Duration::from_secs(1)), Timestamp(0));
        assert_eq!(Timestamp::from(SystemTime::from(Timestamp(1500))), Timestamp(1500));
    }
}
