//! Records in a key-value bucket, changed by compare and swap.
//!
//! Input: keys and bytes. Output: bytes with the revision they are of. Invariant: a record that is
//! removed leaves nothing behind, no marker either; a change is made to what was read, or not at
//! all.

use std::fmt;
use std::future::Future;
use std::time::Duration;

use async_nats::jetstream::kv::{CreateErrorKind, Store, UpdateErrorKind};
use async_nats::jetstream::{self, response::Response};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::time::sleep;

use super::fault::unavailable;
use crate::jobs::StoreError;

/// Requests that are on their way at once: enough to fill the time of their travel, and few enough
/// that one process does not crowd out the others.
const AT_ONCE: usize = 64;
/// How often a change is tried that others keep coming before: each of them gets on, so a hundred
/// in a row are a hundred who want the same record at once.
const TRIES: u32 = 100;
/// The longest pause between two of them.
const LONGEST_PAUSE: Duration = Duration::from_millis(32);
/// The server's code for a message that is not there.
const NO_MESSAGE: u64 = 10037;
/// Its code for a sequence that is not there, in deletions.
const NOT_DELETED: u64 = 10057;

/// A bucket.
#[derive(Clone)]
pub(super) struct Records {
    context: jetstream::Context,
    bucket: Store,
}

/// What is kept as a record.
pub(super) trait Record: Sized {
    /// As it is kept.
    fn bytes(&self) -> Vec<u8>;

    /// As it was kept.
    fn parse(bytes: &[u8]) -> Result<Self, StoreError>;
}

/// Records that are JSON.
pub(super) trait JsonRecord: Serialize + DeserializeOwned {}

impl<T: JsonRecord> Record for T {
    fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("its keys are texts")
    }

    fn parse(bytes: &[u8]) -> Result<T, StoreError> {
        serde_json::from_slice(bytes).map_err(|error| StoreError::corrupt(&error))
    }
}

/// What is to become of a record.
#[derive(Debug)]
pub(super) enum Change<T> {
    /// It stays as it is.
    Keep,
    /// It becomes this.
    Save(T),
    /// It goes.
    Remove,
}

/// What the server says of a deletion.
#[derive(Debug, Deserialize)]
struct DeleteResponse {
    success: bool,
}

impl fmt::Debug for Records {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Records({})", self.bucket.name)
    }
}

impl Records {
    pub(super) fn new(context: jetstream::Context, bucket: Store) -> Records {
        Records { context, bucket }
    }

    /// The bytes of a record and their revision.
    pub(super) async fn load(&self, key: &str) -> Result<Option<(u64, Vec<u8>)>, StoreError> {
        let entry = self.bucket.entry(key).await.map_err(unavailable)?;
        Ok(entry.map(|entry| (entry.revision, entry.value.into())))
    }

    /// A record.
    pub(super) async fn get<T: Record>(&self, key: &str) -> Result<Option<T>, StoreError> {
        self.load(key).await?.map(|(_, bytes)| T::parse(&bytes)).transpose()
    }

    /// Writes a record where `expected` is the revision it has, or `None` where there is none.
    /// `None` comes back where that is not so any more.
    pub(super) async fn save(
        &self,
        key: &str,
        bytes: Vec<u8>,
        expected: Option<u64>,
    ) -> Result<Option<u64>, StoreError> {
        match expected {
            None => match self.bucket.create(key, bytes.into()).await {
                Ok(revision) => Ok(Some(revision)),
                Err(error) if error.kind() == CreateErrorKind::AlreadyExists => Ok(None),
                Err(error) => Err(unavailable(error)),
            },
            Some(expected) => match self.bucket.update(key, bytes.into(), expected).await {
                Ok(revision) => Ok(Some(revision)),
                Err(error) if error.kind() == UpdateErrorKind::WrongLastRevision => Ok(None),
                Err(error) => Err(unavailable(error)),
            },
        }
    }

    /// Removes this revision of a record, and tells whether it was there.
    pub(super) async fn remove(&self, revision: u64) -> Result<bool, StoreError> {
        delete_message(&self.context, &self.bucket.stream_name, revision).await
    }

    /// Changes a record as often as it takes until nobody else did so meanwhile. The closure says
    /// what is to become of what is there, and what the caller learns.
    pub(super) async fn change<T: Record, R>(
        &self,
        key: &str,
        mut decide: impl FnMut(Option<T>) -> Result<(Change<T>, R), StoreError>,
    ) -> Result<R, StoreError> {
        let mut pause = Duration::from_millis(1);
        for _ in 0..TRIES {
            let found = self.load(key).await?;
            let revision = found.as_ref().map(|(revision, _)| *revision);
            let record = found.map(|(_, bytes)| T::parse(&bytes)).transpose()?;
            let (change, result) = decide(record)?;
            let done = match (change, revision) {
                (Change::Keep, _) | (Change::Remove, None) => true,
                (Change::Save(record), revision) => {
                    self.save(key, record.bytes(), revision).await?.is_some()
                }
                (Change::Remove, Some(revision)) => self.remove(revision).await?,
            };
            if done {
                return Ok(result);
            }
            sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
        Err(StoreError::unavailable(&"too many concurrent changes of the same record"))
    }

    /// Removes a record whatever its revision.
    pub(super) async fn clear(&self, key: &str) -> Result<(), StoreError> {
        while let Some((revision, _)) = self.load(key).await? {
            self.remove(revision).await?;
        }
        Ok(())
    }

    /// What follows a prefix in the keys that begin with it. The prefix ends with a dot.
    pub(super) async fn list(&self, prefix: &str) -> Result<Vec<String>, StoreError> {
        let prefix = format!("{}{prefix}", self.bucket.prefix);
        let subjects = self.bucket.stream.info_with_subjects(format!("{prefix}>"));
        let mut subjects = subjects.await.map_err(unavailable)?;
        let mut keys = Vec::new();
        while let Some((subject, _)) = subjects.try_next().await.map_err(unavailable)? {
            keys.extend(subject.strip_prefix(&prefix).map(str::to_owned));
        }
        Ok(keys)
    }
}

/// Waits for many things at once, but not for all of them at the same time, and returns what they
/// became in their order.
pub(super) async fn all<T, E, F>(futures: Vec<F>) -> Result<Vec<T>, E>
where
    F: Future<Output = Result<T, E>>,
{
    stream::iter(futures).buffered(AT_ONCE).try_collect().await
}

/// Removes one message from a stream, and tells whether it was there.
pub(super) async fn delete_message(
    context: &jetstream::Context,
    stream: &str,
    sequence: u64,
) -> Result<bool, StoreError> {
    let subject = format!("STREAM.MSG.DELETE.{stream}");
    // Overwriting what was deleted would cost reading and writing its block of the file.
    let request = serde_json::json!({ "seq": sequence, "no_erase": true });
    match context.request(subject, &request).await.map_err(unavailable)? {
        Response::Ok(DeleteResponse { success }) => Ok(success),
        Response::Err { error } if matches!(error.error_code().0, NO_MESSAGE | NOT_DELETED) => {
            Ok(false)
        }
        Response::Err { error } => Err(unavailable(error)),
    }
}
