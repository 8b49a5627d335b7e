//! Store of photos, jobs with their items, outcomes, and documents with revisions.
//!
//! Invariants: the writes of a call are on disk when it returns, and survive a power cut; the first
//! outcome of a task stays; items keep the order in which they were appended; a photo or an outcome
//! is removed with the last job that refers to it, or by the next [`Store::expire`].

use std::fmt;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::hash::{PhotoId, as_text};
use super::outcome::Outcome;
use super::store_error::StoreError;
use super::task::TaskKey;
use crate::{Item, Job, JobId, NewItem, NewJob, Selection, Timestamp};

/// Name of a worker, or of a document and its kind: 1 to 64 letters, digits, `-` and `_`. A name
/// can be part of a subject, a key and a file name without escaping.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(String);

/// Error when a text can't be a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid name: expected 1 to 64 letters a-z and A-Z, digits, `-` and `_`")]
pub struct NameError;

impl Name {
    /// Returns the name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::str::FromStr for Name {
    type Err = NameError;

    fn from_str(text: &str) -> Result<Name, NameError> {
        let is_name = (1..=64).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        if is_name { Ok(Name(text.to_owned())) } else { Err(NameError) }
    }
}

as_text!(Name);

/// Revision of a document; it grows with every save.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Revision(pub u64);

/// Result of writing an outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteResult {
    /// The outcome was the first, and stays.
    First,
    /// The task already had an outcome, which stays.
    Known,
}

/// Demand for a task's outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// The task has its outcome.
    Answered,
    /// The task is wanted by an item of a job that was not cancelled.
    Wanted,
    /// The task is not wanted any more: its jobs were cancelled or deleted.
    Unwanted,
}

/// Numbers of objects that [`Store::expire`] removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExpiryReport {
    /// Number of expired jobs.
    pub jobs: u64,
    /// Number of outcomes that no job refers to any more.
    pub outcomes: u64,
    /// Number of photos that no job refers to any more.
    pub photos: u64,
}

/// Bytes of photos and results that the jobs of a store keep. A photo or a result of several jobs
/// counts for each of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Bytes of all jobs.
    pub all: u64,
    /// Bytes of the jobs that count for one client.
    pub theirs: u64,
}

/// Small documents with revisions, each with a kind and an id. Concurrent saves do not overwrite
/// each other: the second gets an error.
#[async_trait]
pub trait Documents: Send + Sync + fmt::Debug {
    /// Returns a document and its revision.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn load(&self, kind: &Name, id: &Name)
    -> Result<Option<(Revision, Vec<u8>)>, StoreError>;

    /// Returns a document's revision, for a caller that may have the document already.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn revision(&self, kind: &Name, id: &Name) -> Result<Option<Revision>, StoreError> {
        Ok(self.load(kind, id).await?.map(|(revision, _)| revision))
    }

    /// Saves a document whose revision is still `expected`; with `None`, the document must not
    /// exist yet.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when another caller saved or removed the document in the meantime.
    async fn save(
        &self,
        kind: &Name,
        id: &Name,
        expected: Option<Revision>,
        bytes: &[u8],
    ) -> Result<Revision, StoreError>;

    /// Returns the ids of all documents of a kind, sorted.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn list(&self, kind: &Name) -> Result<Vec<Name>, StoreError>;

    /// Removes a document; does nothing if there is none.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn remove(&self, kind: &Name, id: &Name) -> Result<(), StoreError>;
}

/// Store of everything that outlives a process.
#[async_trait]
pub trait Store: Documents {
    /// Checks that the store is still in the place where it was opened, without waiting for locks
    /// or the network.
    ///
    /// # Errors
    /// [`StoreError::Settings`] when something else is in its place.
    async fn check(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Creates a job. Repeating the call changes nothing.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn create(&self, job: &NewJob) -> Result<(), StoreError>;

    /// Keeps a photo for a job, at least until the job is deleted or
    /// [`drop_photos`](Store::drop_photos) is called. The caller has removed the photo's metadata.
    ///
    /// # Errors
    /// [`StoreError::NoJob`], and others.
    async fn put_photo(&self, job: &JobId, bytes: &[u8]) -> Result<PhotoId, StoreError>;

    /// Returns a photo's bytes; `None` if no job keeps the photo any more.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when the bytes differ from those that were stored, and others.
    async fn photo(&self, photo: &PhotoId) -> Result<Option<Vec<u8>>, StoreError>;

    /// Releases the photos of a job: those that no other job keeps are removed.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn drop_photos(&self, job: &JobId) -> Result<(), StoreError>;

    /// Appends items to a job and returns the number of items that it has now. `from` is the index
    /// of the first item: items at indices that the job already has are ignored, so that appending
    /// again after a lost answer changes nothing. An item whose task already has an outcome gets it
    /// at once.
    ///
    /// # Errors
    /// [`StoreError::Gap`] when `from` is beyond the end, [`StoreError::Sealed`] and
    /// [`StoreError::NoJob`], and others.
    async fn append(&self, job: &JobId, from: u64, items: &[NewItem]) -> Result<u64, StoreError>;

    /// Closes a job to further items: it is finished when the last item has its outcome. Repeating
    /// the call changes nothing.
    ///
    /// # Errors
    /// [`StoreError::NoJob`], and others.
    async fn seal(&self, job: &JobId) -> Result<(), StoreError>;

    /// Returns the current state of a job.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn job(&self, job: &JobId) -> Result<Option<Job>, StoreError>;

    /// Returns the selected jobs, the newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn jobs(&self, which: &Selection) -> Result<Vec<Job>, StoreError>;

    /// Returns the bytes that all jobs keep, and those of a client's jobs. Called for every
    /// incoming photo: reads only the jobs, not the photos and results that they keep.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn usage(&self, client: &str) -> Result<Usage, StoreError>;

    /// Returns the items of a job from an index on, in order, at most `max`; the list is empty if
    /// the job does not exist.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn items(&self, job: &JobId, from: u64, max: usize) -> Result<Vec<Item>, StoreError>;

    /// Cancels a job that is not finished: items without an outcome get none. Cancelling a finished
    /// or cancelled job changes nothing.
    ///
    /// # Errors
    /// [`StoreError::NoJob`], and others.
    async fn cancel(&self, job: &JobId) -> Result<(), StoreError>;

    /// Deletes a job with its items, and with the photos and outcomes that no other job refers to.
    /// Repeating the call changes nothing.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn delete(&self, job: &JobId) -> Result<(), StoreError>;

    /// Deletes all expired jobs, and everything that no job refers to.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire(&self, now: Timestamp) -> Result<ExpiryReport, StoreError>;

    /// Returns whether a task still has to be read.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn standing(&self, key: &TaskKey) -> Result<Standing, StoreError>;

    /// Writes the outcome of a task, for every item of every job that waits for it. The first
    /// outcome stays.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn put_outcome(
        &self,
        key: &TaskKey,
        outcome: &Outcome,
    ) -> Result<WriteResult, StoreError>;

    /// Returns the outcome of a task.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn outcome(&self, key: &TaskKey) -> Result<Option<Outcome>, StoreError>;
}
