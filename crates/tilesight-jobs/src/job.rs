//! Jobs, their ids and their items, as the stores hold them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tilesight_core::contract::Problem;
use tilesight_core::explain::{Lang, Message, display_english};

use crate::texts;
use crate::{Outcome, StoreError, Task, Timestamp, hash, random};

/// Id of a job: 32 hex digits. Ids sort by creation time and can't be guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId([u8; 16]);

/// Error when a text is not the id of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub struct JobIdError;

impl JobId {
    /// Creates a new id: 48 bits of milliseconds, followed by 80 random bits.
    ///
    /// # Errors
    /// [`StoreError`] if the system has no random numbers.
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
        f.write_str(&tilesight_core::hex::encode(&self.0))
    }
}

display_english!(JobIdError);

impl Message for JobIdError {
    fn text(&self, lang: Lang) -> String {
        texts::job_id::invalid(lang).to_owned()
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
    /// Id, chosen by the creator. Creating the job again after a lost answer changes nothing.
    pub id: JobId,
    /// Name of the key that owns the job; `None` if no key was required.
    pub owner: Option<String>,
    /// Client that the job's photos and results count for, and that its photos share turns by;
    /// never shown.
    #[serde(default)]
    pub client: Option<String>,
    /// Time of creation.
    pub created: Timestamp,
    /// Time from which the job, its photos and its results may be removed.
    pub expires: Timestamp,
    /// Data of the front end that created the job. The store does not interpret it.
    pub extra: Value,
}

/// Field of [`NewJob::extra`] that keeps a job's photos until the job is removed.
pub const KEEP_PHOTOS: &str = "keep_photos";

impl NewJob {
    /// Creates a job without an owner that begins now and never expires.
    #[must_use]
    pub fn new(id: JobId) -> NewJob {
        NewJob {
            id,
            owner: None,
            client: None,
            created: Timestamp::now(),
            expires: Timestamp::NEVER,
            extra: Value::Null,
        }
    }
}

/// The current state of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The job as it was created.
    #[serde(flatten)]
    pub new: NewJob,
    /// Whether no further item can be appended.
    pub sealed: bool,
    /// Time of cancellation, if the job was cancelled.
    pub cancelled: Option<Timestamp>,
    /// Time when the job was sealed and its last item had its outcome, or when it was cancelled.
    pub finished: Option<Timestamp>,
    /// Progress of the job.
    pub progress: Progress,
}

/// State of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum JobState {
    /// Items may still be appended. Those that were appended are already being read.
    Open,
    /// The job is sealed, and not every item has its outcome.
    Running,
    /// Every item has its outcome.
    Finished,
    /// The job was cancelled. Items without an outcome get none.
    Cancelled,
}

impl Job {
    /// Returns whether the job's photos are kept until it is removed, and not only until it has
    /// ended.
    #[must_use]
    pub fn keeps_photos(&self) -> bool {
        self.new.extra.get(KEEP_PHOTOS) == Some(&Value::Bool(true))
    }

    /// Returns the state of the job.
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

/// Numbers of items of a job, by outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Progress {
    /// Number of items appended so far.
    pub total: u64,
    /// Number of items with a reading.
    pub read: u64,
    /// Number of items with a problem.
    pub failed: u64,
}

impl Progress {
    /// Returns the number of items without an outcome.
    #[must_use]
    pub const fn pending(&self) -> u64 {
        self.total.saturating_sub(self.read + self.failed)
    }
}

/// An item as it is appended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewItem {
    /// Name of the item, chosen by the creator; it need not be unique.
    pub id: String,
    /// Work for the item.
    pub work: Work,
}

/// Work for an item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(clippy::large_enum_variant, reason = "nearly all work is a task")]
pub enum Work {
    /// The photo of the item must be read.
    Read(Task),
    /// No work: the item could not become a task, and this problem is its outcome.
    Refused(Problem),
}

/// The current state of an item.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Index of the item in its job, counted from 0.
    pub index: u64,
    /// Name of the item, chosen by the creator.
    pub id: String,
    /// Task of the item; `None` if it could not become one.
    pub task: Option<Task>,
    /// Outcome of the item; `None` while it waits, and forever if its job was cancelled before.
    pub outcome: Option<Outcome>,
}

/// Filter of the jobs that [`Store::jobs`](crate::Store::jobs) lists, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Selection {
    /// Only jobs of this owner.
    pub owner: Option<String>,
    /// Only jobs that are counted for this client.
    pub client: Option<String>,
    /// Only jobs that are neither finished nor cancelled.
    pub unfinished: bool,
    /// Only jobs older than this one, which is the last one of the previous page.
    pub before: Option<JobId>,
    /// Maximum number of jobs.
    pub max_jobs: usize,
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
            // An id without letters equals its upper-case form.
            let same = *bad == one.to_string();
            assert_eq!(bad.parse::<JobId>().is_ok(), same, "{bad}");
        }
    }
}
