//! Attempts at tasks: readings that began and whose end was never reported.
//!
//! Each task has one record, created when its first reading begins, with the leases under which a
//! reading began. The server's own count of deliveries is no substitute: it includes messages that
//! got lost on their way, and leases that expired while a leader was elected; and nats-server
//! before 2.10.14 may begin it at one again (<https://github.com/nats-io/nats-server/pull/5305>).
//! Invariants: a record is removed before its message is acknowledged; a record that is left behind
//! anyway, by a reader that was disconnected and then killed, expires.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tilesight_jobs::{Company, QueueError, StoreError, TaskKey, Token};

use crate::connection::Connection;
use crate::records::{JsonRecord, RecordChange, Records};

/// Time after which an unchanged record expires: longer than a task waits for its next attempt.
const LIFETIME: Duration = Duration::from_secs(14 * 24 * 60 * 60);

/// Records of all tasks.
#[derive(Debug)]
pub(super) struct Attempts(Records);

/// Prefix of the token of an attempt that does not count as a failure. Programs before this
/// distinction count it too.
const BESIDE_OTHERS: &str = "beside ";

/// Tokens of the leases under which a reading began.
#[derive(Debug, Default, Serialize, Deserialize)]
struct ReadingStarts(Vec<Token>);

impl JsonRecord for ReadingStarts {}

/// Numbers of attempts at a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct AttemptCounts {
    /// Number of readings that began.
    pub(super) begun: u32,
    /// Number of those that count as failures.
    pub(super) failed: u32,
}

impl ReadingStarts {
    fn counts(&self) -> AttemptCounts {
        let ReadingStarts(tokens) = self;
        let alone = tokens.iter().filter(|Token(token)| !token.starts_with(BESIDE_OTHERS));
        AttemptCounts {
            begun: u32::try_from(tokens.len()).unwrap_or(u32::MAX),
            failed: u32::try_from(alone.count()).unwrap_or(u32::MAX),
        }
    }

    /// Removes the attempt under a lease, and returns whether there was one.
    fn remove(&mut self, lease: &Token) -> bool {
        let before = self.0.len();
        self.0.retain(|Token(token)| token.trim_start_matches(BESIDE_OTHERS) != lease.0);
        self.0.len() != before
    }
}

/// Returns the entry for an attempt under a lease.
fn entry(lease: &Token, company: Company) -> Token {
    match company {
        Company::Alone => lease.clone(),
        Company::Others => Token(format!("{BESIDE_OTHERS}{}", lease.0)),
    }
}

impl Attempts {
    pub(super) async fn open(connection: &Connection) -> Result<Attempts, StoreError> {
        connection.bucket_for("attempts", LIFETIME).await.map(Attempts)
    }

    /// Returns the numbers of attempts at a task.
    pub(super) async fn count(&self, key: &TaskKey) -> Result<AttemptCounts, QueueError> {
        let begun: Option<ReadingStarts> =
            self.0.get(&key.to_string()).await.map_err(queue_error)?;
        Ok(begun.as_ref().map(ReadingStarts::counts).unwrap_or_default())
    }

    /// Records an attempt, only once even if it is reported repeatedly. With `first`, this usually
    /// costs one request and returns the revision of the new record.
    pub(super) async fn note(
        &self,
        key: &TaskKey,
        lease: &Token,
        company: Company,
        first: bool,
    ) -> Result<Option<u64>, QueueError> {
        let key = key.to_string();
        let entry = entry(lease, company);
        if first {
            let begun = serde_json::to_vec(&[&entry]).expect("a list of texts");
            let made = self.0.save(&key, begun, None).await.map_err(queue_error)?;
            if made.is_some() {
                return Ok(made);
            }
        }
        self.0
            .change(&key, |begun: Option<ReadingStarts>| {
                let mut begun = begun.unwrap_or_default();
                if begun.0.contains(&entry) {
                    return Ok((RecordChange::Keep, None));
                }
                begun.remove(lease);
                begun.0.push(entry.clone());
                Ok((RecordChange::Save(begun), None))
            })
            .await
            .map_err(queue_error)
    }

    /// Withdraws the attempt that was recorded under a lease.
    pub(super) async fn withdraw(&self, key: &TaskKey, lease: &Token) -> Result<(), QueueError> {
        self.0
            .change(&key.to_string(), |begun: Option<ReadingStarts>| {
                let Some(mut begun) = begun else { return Ok((RecordChange::Keep, ())) };
                let removed = begun.remove(lease);
                Ok(match begun.0.len() {
                    0 => (RecordChange::Remove, ()),
                    _ if removed => (RecordChange::Save(begun), ()),
                    _ => (RecordChange::Keep, ()),
                })
            })
            .await
            .map_err(queue_error)
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
