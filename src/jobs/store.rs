//! The store: photos, jobs with their items, outcomes, and documents with revisions.
//!
//! Invariants: what a call wrote is on disk when it returns, and is there after a power cut; the
//! first outcome of a task stays; items keep the order they were appended in; a photo or an outcome
//! that no job refers to is removed with the last job that did, or by the next [`Store::expire`].

use std::fmt;

use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use super::hash::{PhotoId, as_text};
use super::outcome::Outcome;
use super::task::TaskKey;
use super::{Item, Job, JobId, NewItem, NewJob, Selection, Timestamp};

/// A name of a worker, or of a document and its kind: 1 to 64 letters, digits, `-` and `_`. It can
/// be part of a subject, a key and a file name as it is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(String);

/// A text that can't be a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("invalid name: expected 1 to 64 letters a-z and A-Z, digits, `-` and `_`")]
pub struct NameError;

impl Name {
    /// The name as text.
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
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        let named = (1..=64).contains(&text.len()) && text.bytes().all(fits);
        named.then(|| Name(text.to_owned())).ok_or(NameError)
    }
}

as_text!(Name);

/// Which version of a document one has: it grows with every save.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Revision(pub u64);

/// Whether an outcome was the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteResult {
    /// It was, and it stays.
    First,
    /// There was one already, and that one stays.
    Known,
}

/// Why somebody still wants a task to be read, or why not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It has its outcome.
    Answered,
    /// An item waits for it whose job was not cancelled.
    Wanted,
    /// Nobody waits for it: its jobs were cancelled or deleted.
    Unwanted,
}

/// What [`Store::expire`] removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExpiryReport {
    /// Jobs whose time was over.
    pub jobs: u64,
    /// Outcomes that nobody refers to any more.
    pub outcomes: u64,
    /// Photos that nobody refers to any more.
    pub photos: u64,
}

/// How many bytes of photos and results the jobs of a store keep. A photo or a result that several
/// jobs have is counted for each of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// All jobs.
    pub all: u64,
    /// Those that are counted for one client.
    pub theirs: u64,
}

/// Small things with revisions, each with a kind and an id. Two who save at once do not overwrite
/// each other: the second gets an error.
#[async_trait]
pub trait Documents: Send + Sync + fmt::Debug {
    /// A document and its revision.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn load(&self, kind: &Name, id: &Name)
    -> Result<Option<(Revision, Vec<u8>)>, StoreError>;

    /// A document's revision, for a caller that may have it already.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn revision(&self, kind: &Name, id: &Name) -> Result<Option<Revision>, StoreError> {
        Ok(self.load(kind, id).await?.map(|(revision, _)| revision))
    }

    /// Saves a document whose revision is still `expected`; `None` where there must be none yet.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] when somebody else saved or removed it meanwhile.
    async fn save(
        &self,
        kind: &Name,
        id: &Name,
        expected: Option<Revision>,
        bytes: &[u8],
    ) -> Result<Revision, StoreError>;

    /// The ids of all documents of a kind, sorted.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn list(&self, kind: &Name) -> Result<Vec<Name>, StoreError>;

    /// Removes a document, whether or not there is one.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn remove(&self, kind: &Name, id: &Name) -> Result<(), StoreError>;
}

/// Everything that outlives a process.
#[async_trait]
pub trait Store: Documents {
    /// Checks, without waiting for anything, that the store is where it was opened.
    ///
    /// # Errors
    /// [`StoreError::Settings`] when something else is in its place.
    async fn check(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Creates a job. Creating the same one again changes nothing.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn create(&self, job: &NewJob) -> Result<(), StoreError>;

    /// Keeps a photo for a job, at least until the job is gone or
    /// [`drop_photos`](Store::drop_photos) is called. The caller has removed its metadata.
    ///
    /// # Errors
    /// [`StoreError::NoJob`], and others.
    async fn put_photo(&self, job: &JobId, bytes: &[u8]) -> Result<PhotoId, StoreError>;

    /// A photo's bytes; `None` when no job keeps it any more.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when they are not the bytes that were put, and others.
    async fn photo(&self, photo: &PhotoId) -> Result<Option<Vec<u8>>, StoreError>;

    /// A job does not need its photos any more: those that no other job keeps are removed.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn drop_photos(&self, job: &JobId) -> Result<(), StoreError>;

    /// Appends items to a job and returns how many it has now. `from` is the place of the first
    /// one: items whose places are taken are left as they are, so that appending again after a lost
    /// answer changes nothing. An item whose task has its outcome already has it at once.
    ///
    /// # Errors
    /// [`StoreError::Gap`] when `from` is beyond the end, [`StoreError::Sealed`] and
    /// [`StoreError::NoJob`], and others.
    async fn append(&self, job: &JobId, from: u64, items: &[NewItem]) -> Result<u64, StoreError>;

    /// No more items will come: the job is finished when the last has its outcome. Sealing again
    /// changes nothing.
    ///
    /// # Errors
    /// [`StoreError::NoJob`], and others.
    async fn seal(&self, job: &JobId) -> Result<(), StoreError>;

    /// A job as it stands.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn job(&self, job: &JobId) -> Result<Option<Job>, StoreError>;

    /// Jobs, the newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn jobs(&self, which: &Selection) -> Result<Vec<Job>, StoreError>;

    /// How much all jobs keep, and how much those of a client. It is asked for while photos come
    /// in: it looks at jobs, and not at what they keep.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn usage(&self, client: &str) -> Result<Usage, StoreError>;

    /// The items of a job from a place on, in order, so many at the most; none of a job that isn't
    /// there.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn items(&self, job: &JobId, from: u64, most: usize) -> Result<Vec<Item>, StoreError>;

    /// Cancels a job that is not finished: items without an outcome get none. Cancelling again, or
    /// what is finished, changes nothing.
    ///
    /// # Errors
    /// [`StoreError::NoJob`], and others.
    async fn cancel(&self, job: &JobId) -> Result<(), StoreError>;

    /// Removes a job with its items, and with the photos and outcomes that no other job refers to.
    /// Deleting again changes nothing.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn delete(&self, job: &JobId) -> Result<(), StoreError>;

    /// Deletes all jobs whose time is over, and whatever nobody refers to.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn expire(&self, now: Timestamp) -> Result<ExpiryReport, StoreError>;

    /// Whether a task is still to be read.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn standing(&self, key: &TaskKey) -> Result<Standing, StoreError>;

    /// Writes what came of a task, for every item of every job that waits for it. The first one
    /// stays.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn put_outcome(
        &self,
        key: &TaskKey,
        outcome: &Outcome,
    ) -> Result<WriteResult, StoreError>;

    /// What came of a task.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn outcome(&self, key: &TaskKey) -> Result<Option<Outcome>, StoreError>;
}

/// Why a store did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// It can't be reached, or its disk fails: the same call may work later.
    #[error("the store can't be reached: {reason}")]
    Unavailable {
        /// What the system said.
        reason: String,
    },
    /// The settings of the store can't be used: the operator can fix it.
    #[error("{reason}")]
    Settings {
        /// What is wrong, and what to do.
        reason: String,
    },
    /// There is no room left: the operator can make some.
    #[error("the store is full")]
    Full,
    /// What is kept is not what was written: the operator has to restore it.
    #[error("the store is corrupt: {reason}")]
    Corrupt {
        /// What is wrong with it.
        reason: String,
    },
    /// A newer version of the program made the store: the operator can update it.
    #[error(
        "a newer version of the program made this store (its layout is {found}; this program knows {known})"
    )]
    Newer {
        /// The layout of the store.
        found: u32,
        /// The newest layout that this program knows.
        known: u32,
    },
    /// There is no such job: it was deleted, or its time was over, or there never was one.
    #[error("there is no such job")]
    NoJob,
    /// The job takes no more items: it was sealed or cancelled.
    #[error("the job takes no more items")]
    Sealed,
    /// The place is beyond the end of the job; the caller left something out.
    #[error("the job has {total} items: the next one must follow them")]
    Gap {
        /// How many items the job has.
        total: u64,
    },
    /// Somebody else changed the document meanwhile: load it again.
    #[error("modified concurrently; reload and retry")]
    Conflict,
}

impl StoreError {
    /// The same call may work later, says the system.
    pub fn unavailable(reason: &impl fmt::Display) -> StoreError {
        StoreError::Unavailable { reason: reason.to_string() }
    }

    /// Something can't be understood.
    pub fn corrupt(reason: &impl fmt::Display) -> StoreError {
        StoreError::Corrupt { reason: reason.to_string() }
    }
}
