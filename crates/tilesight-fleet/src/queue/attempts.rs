//! Attempts at tasks: readings that began and whose end was never reported.
//!
//! Each task has one record, created when its first reading begins, with the leases under which a
//! reading began. The server's own count of deliveries is no substitute: it includes messages that
//! got lost on their way, and leases that expired while a leader was elected. Invariants: a record
//! is removed before its message is acknowledged, so a message that is delivered for the first time
//! has no record; a record that is left behind anyway, by a reader that was disconnected and then
//! killed, expires.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tilesight_jobs::{QueueError, StoreError, TaskKey, Token};

use crate::connection::Connection;
use crate::records::{JsonRecord, RecordChange, Records};

/// Time after which an unchanged record expires: longer than a task waits for its next attempt.
const LIFETIME: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// Records of all tasks.
#[derive(Debug)]
pub(super) struct Attempts(Records);

/// Tokens of the leases under which a reading began.
#[derive(Debug, Default, Serialize, Deserialize)]
struct ReadingStarts(Vec<Token>);

impl JsonRecord for ReadingStarts {}

impl Attempts {
    pub(super) async fn open(connection: &Connection) -> Result<Attempts, StoreError> {
        connection.bucket_for("attempts", LIFETIME).await.map(Attempts)
    }

    /// Returns the number of attempts at a task.
    pub(super) async fn count(&self, key: &TaskKey) -> Result<u32, QueueError> {
        let begun: Option<ReadingStarts> =
            self.0.get(&key.to_string()).await.map_err(queue_error)?;
        Ok(begun.map_or(0, |ReadingStarts(leases)| u32::try_from(leases.len()).unwrap_or(u32::MAX)))
    }

    /// Records an attempt, only once even if it is reported repeatedly. With `first`, this usually
    /// costs one request and returns the revision of the new record.
    pub(super) async fn note(
        &self,
        key: &TaskKey,
        lease: &Token,
        first: bool,
    ) -> Result<Option<u64>, QueueError> {
        let key = key.to_string();
        if first {
            let begun = serde_json::to_vec(&[lease]).expect("a list of texts");
            let made = self.0.save(&key, begun, None).await.map_err(queue_error)?;
            if made.is_some() {
                return Ok(made);
            }
        }
        let decide = |begun: Option<ReadingStarts>| {
            let ReadingStarts(mut leases) = begun.unwrap_or_default();
            if leases.contains(lease) {
                return Ok((RecordChange::Keep, None));
            }
            leases.push(lease.clone());
            Ok((RecordChange::Save(ReadingStarts(leases)), None))
        };
        self.0.change(&key, decide).await.map_err(queue_error)
    }

    /// Withdraws the attempt that was recorded under a lease.
    pub(super) async fn withdraw(&self, key: &TaskKey, lease: &Token) -> Result<(), QueueError> {
        let decide = |begun: Option<ReadingStarts>| {
            let Some(ReadingStarts(mut leases)) = begun else {
                return Ok((RecordChange::Keep, ()));
            };
            let before = leases.len();
            leases.retain(|other| other != lease);
            Ok(match leases.len() {
                0 => (RecordChange::Remove, ()),
                left if left == before => (RecordChange::Keep, ()),
                _ => (RecordChange::Save(ReadingStarts(leases)), ()),
            })
        };
        self.0.change(&key.to_string(), decide).await.map_err(queue_error)
    }

    /// Forgets all attempts at a task that is about to leave the queue. This costs one request if
    /// the record still has the `revision` with which it was created.
    pub(super) async fn delete(
        &self,
        key: &TaskKey,
        revision: Option<u64>,
    ) -> Result<(), QueueError> {
        if let Some(revision) = revision
            && self.0.remove(revision).await.map_err(queue_error)?
        {
            return Ok(());
        }
        self.0.clear(&key.to_string()).await.map_err(queue_error)
    }
}

/// Converts an error of a record into one of the queue.
fn queue_error(error: StoreError) -> QueueError {
    match error {
        StoreError::Corrupt { reason } => QueueError::Corrupt { reason },
        other => QueueError::unavailable(&other),
    }
}
