//! Records in a key-value bucket, changed by compare and swap.
//!
//! Input: keys and bytes. Output: bytes with their revision. Invariant: a removed record leaves
//! nothing behind, not even a tombstone; a change applies to the record as it was read, or not at
//! all.

use std::fmt;
use std::future::Future;
use std::str::FromStr;
use std::time::Duration;

use async_nats::jetstream::kv::{CreateErrorKind, Store, UpdateErrorKind};
use async_nats::jetstream::{self, response::Response};
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tilesight_jobs::StoreError;
use tokio::time::sleep;

use super::fault::unavailable;

/// Maximum number of concurrent requests: enough to hide their latency, and few enough that one
/// process does not crowd out the others.
const MAX_CONCURRENT: usize = 64;
/// Maximum number of tries for a change that conflicts with concurrent changes: with every conflict
/// another writer succeeded, so a hundred conflicts in a row mean a hundred concurrent writers of
/// the same record.
const MAX_ATTEMPTS: u32 = 100;
/// Longest pause between two tries.
const MAX_PAUSE: Duration = Duration::from_millis(32);
/// Error codes of the server for the deletion of a message that is gone: no message has its number,
/// it was deleted before and others follow, or the storage found nothing to delete.
const GONE: [u64; 3] = [10037, 10043, 10057];

/// Bucket of records.
#[derive(Clone)]
pub(super) struct Records {
    context: jetstream::Context,
    bucket: Store,
}

/// Value that can be stored as a record.
pub(super) trait Record: Sized {
    /// Returns the stored form.
    fn bytes(&self) -> Vec<u8>;

    /// Parses the stored form.
    fn parse(bytes: &[u8]) -> Result<Self, StoreError>;
}

/// Record that is stored as JSON.
pub(super) trait JsonRecord: Serialize + DeserializeOwned {}

impl<T: JsonRecord> Record for T {
    fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("its keys are texts")
    }

    fn parse(bytes: &[u8]) -> Result<T, StoreError> {
        serde_json::from_slice(bytes).map_err(|error| StoreError::corrupt(&error))
    }
}

/// Change of a record.
#[derive(Debug)]
pub(super) enum RecordChange<T> {
    /// Leave the record unchanged.
    Keep,
    /// Replace the record.
    Save(T),
    /// Remove the record.
    Remove,
}

/// Answer of the server to a deletion.
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

    /// Returns the bytes of a record and their revision.
    pub(super) async fn load(&self, key: &str) -> Result<Option<(u64, Vec<u8>)>, StoreError> {
        let entry = self.bucket.entry(key).await.map_err(unavailable)?;
        Ok(entry.map(|entry| (entry.revision, entry.value.into())))
    }

    /// Returns a record.
    pub(super) async fn get<T: Record>(&self, key: &str) -> Result<Option<T>, StoreError> {
        self.load(key).await?.map(|(_, bytes)| T::parse(&bytes)).transpose()
    }

    /// Writes a record if its revision is `expected`, or if it does not exist when `expected` is
    /// `None`. Returns the new revision, or `None` on a conflict.
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

    /// Removes this revision of a record, and returns whether it existed.
    pub(super) async fn remove(&self, revision: u64) -> Result<bool, StoreError> {
        delete_message(&self.context, &self.bucket.stream_name, revision).await
    }

    /// Changes a record, and retries while other processes change it concurrently. The closure maps
    /// the current record to its change and to the caller's result.
    pub(super) async fn change<T: Record, R>(
        &self,
        key: &str,
        mut decide: impl FnMut(Option<T>) -> Result<(RecordChange<T>, R), StoreError>,
    ) -> Result<R, StoreError> {
        let mut pause = Duration::from_millis(1);
        for _ in 0..MAX_ATTEMPTS {
            let found = self.load(key).await?;
            let revision = found.as_ref().map(|(revision, _)| *revision);
            let record = found.map(|(_, bytes)| T::parse(&bytes)).transpose()?;
            let (change, result) = decide(record)?;
            let done = match (change, revision) {
                (RecordChange::Keep, _) | (RecordChange::Remove, None) => true,
                (RecordChange::Save(record), revision) => {
                    self.save(key, record.bytes(), revision).await?.is_some()
                }
                (RecordChange::Remove, Some(revision)) => self.remove(revision).await?,
            };
            if done {
                return Ok(result);
            }
            sleep(pause).await;
            pause = (pause * 2).min(MAX_PAUSE);
        }
        Err(StoreError::unavailable(&"too many concurrent changes of the same record"))
    }

    /// Removes a record regardless of its revision.
    pub(super) async fn clear(&self, key: &str) -> Result<(), StoreError> {
        while let Some((revision, _)) = self.load(key).await? {
            self.remove(revision).await?;
        }
        Ok(())
    }

    /// Returns the keys that begin with a prefix, without the prefix. The prefix must end with a
    /// dot.
    pub(super) async fn list(&self, prefix: &str) -> Result<Vec<String>, StoreError> {
        let prefix = format!("{}{prefix}", self.bucket.prefix);
        let mut subjects = self
            .bucket
            .stream
            .info_with_subjects(format!("{prefix}>"))
            .await
            .map_err(unavailable)?;
        let mut keys = Vec::new();
        while let Some((subject, _)) = subjects.try_next().await.map_err(unavailable)? {
            keys.extend(subject.strip_prefix(&prefix).map(str::to_owned));
        }
        Ok(keys)
    }
}

/// Parses the keys of a listing, which this program wrote.
pub(super) fn parse_keys<T: FromStr<Err: fmt::Display>>(
    keys: &[String],
) -> Result<Vec<T>, StoreError> {
    keys.iter().map(|key| key.parse().map_err(|error| StoreError::corrupt(&error))).collect()
}

/// Awaits many futures, a limited number at a time, and returns their results in order.
pub(super) async fn all<T, E, F>(futures: Vec<F>) -> Result<Vec<T>, E>
where
    F: Future<Output = Result<T, E>>,
{
    stream::iter(futures).buffered(MAX_CONCURRENT).try_collect().await
}

/// Removes one message from a stream, and returns whether it existed.
pub(super) async fn delete_message(
    context: &jetstream::Context,
    stream: &str,
    sequence: u64,
) -> Result<bool, StoreError> {
    let subject = format!("STREAM.MSG.DELETE.{stream}");
    // Erasing the deleted bytes would require reading and writing their block of the file.
    let request = serde_json::json!({ "seq": sequence, "no_erase": true });
    match context.request(subject, &request).await.map_err(unavailable)? {
        Response::Ok(DeleteResponse { success }) => Ok(success),
        Response::Err { error } if GONE.contains(&error.error_code().0) => Ok(false),
        Response::Err { error } => Err(unavailable(error)),
    }
}
