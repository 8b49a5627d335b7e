//! Records of tasks: the jobs that refer to a task, and its outcome.
//!
//! Each task has one record, so that compare and swap of a single record ensures that the first
//! outcome stays, and is removed with the last job that refers to it. Invariants: the outcome's
//! bytes are kept unchanged; bytes that were modified, or that were written for another task, are
//! not an outcome: the task is read again.

use std::str;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tilesight_jobs::as_hash;
use tilesight_jobs::{JobId, Outcome, Standing, StoreError, TaskKey, Timestamp, WriteResult};

use super::jobs::JobRecord;
use super::records::{Record, RecordChange, Records};

/// Records of all tasks.
#[derive(Debug)]
pub(super) struct Tasks {
    records: Records,
    /// Bucket of jobs, which also has the keys of outcomes that no job refers to.
    jobs: Records,
}

/// Record of a task.
#[derive(Debug, Default)]
pub(super) struct TaskRecord {
    head: Head,
    outcome: Option<String>,
}

/// First line of a task's record; the outcome follows.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Head {
    jobs: Vec<JobId>,
    /// Time at which the outcome was written.
    written: Option<Timestamp>,
    /// Hash of the task's key and its outcome.
    #[serde(default)]
    seal: Option<Seal>,
}

/// SHA-256 of a task's key and its outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seal([u8; 32]);

as_hash!(Seal);

impl Seal {
    fn new(key: &TaskKey, outcome: &str) -> Seal {
        // The key has a fixed number of digits, so the boundary to the outcome is unambiguous.
        let text = ["tilesight outcome 1", &key.to_string(), outcome].concat();
        Seal(Sha256::digest(text).into())
    }
}

/// Outcome in a task's record.
#[derive(Debug)]
pub(super) enum TaskContent {
    /// The record has no outcome.
    Nothing,
    /// Outcome of the task, and the time at which it was written.
    Outcome(Timestamp, Outcome),
    /// Bytes that were not written as the outcome of this task.
    Forged,
}

impl Record for TaskRecord {
    fn bytes(&self) -> Vec<u8> {
        let mut bytes = serde_json::to_vec(&self.head).expect("its keys are texts");
        bytes.push(b'\n');
        bytes.extend_from_slice(self.outcome.as_deref().unwrap_or_default().as_bytes());
        bytes
    }

    fn parse(bytes: &[u8]) -> Result<TaskRecord, StoreError> {
        let text = str::from_utf8(bytes).map_err(|error| StoreError::corrupt(&error))?;
        let (head, outcome) = text.split_once('\n').unwrap_or((text, ""));
        let head = serde_json::from_str(head).map_err(|error| StoreError::corrupt(&error))?;
        Ok(TaskRecord { head, outcome: (!outcome.is_empty()).then(|| outcome.to_owned()) })
    }
}

impl TaskRecord {
    pub(super) fn has(&self, job: &JobId) -> bool {
        self.head.jobs.contains(job)
    }

    /// Returns the outcome of the task with this key.
    pub(super) fn outcome(self, key: &TaskKey) -> TaskContent {
        let (Some(written), Some(json)) = (self.head.written, self.outcome) else {
            return TaskContent::Nothing;
        };
        let sealed = self.head.seal == Some(Seal::new(key, &json));
        match Outcome::from_json(json) {
            Ok(outcome) if sealed => TaskContent::Outcome(written, outcome),
            _ => {
                tracing::error!(%key, "an outcome does not match its task and is refused: check who can write to the store");
                TaskContent::Forged
            }
        }
    }

    fn is_answered(&self, key: &TaskKey) -> bool {
        self.outcome.as_ref().is_some_and(|json| self.head.seal == Some(Seal::new(key, json)))
    }
}

impl TaskContent {
    /// Returns the outcome if it is valid.
    pub(super) fn into_outcome(self) -> Option<Outcome> {
        match self {
            TaskContent::Outcome(_, outcome) => Some(outcome),
            TaskContent::Nothing | TaskContent::Forged => None,
        }
    }
}

impl Tasks {
    pub(super) fn new(records: Records, jobs: Records) -> Tasks {
        Tasks { records, jobs }
    }

    pub(super) async fn get(&self, key: &TaskKey) -> Result<Option<TaskRecord>, StoreError> {
        self.records.get(&key.to_string()).await
    }

    /// Records that a job refers to a task.
    pub(super) async fn refer(&self, key: &TaskKey, job: &JobId) -> Result<(), StoreError> {
        self.records
            .change(&key.to_string(), |record: Option<TaskRecord>| {
                let mut record = record.unwrap_or_default();
                if record.has(job) {
                    return Ok((RecordChange::Keep, ()));
                }
                record.head.jobs.push(*job);
                Ok((RecordChange::Save(record), ()))
            })
            .await
    }

    /// Removes a job's reference to a task; returns whether an outcome was removed with it.
    pub(super) async fn release(&self, key: &TaskKey, job: &JobId) -> Result<bool, StoreError> {
        self.records
            .change(&key.to_string(), |record: Option<TaskRecord>| {
                let Some(mut record) = record else { return Ok((RecordChange::Keep, false)) };
                record.head.jobs.retain(|other| other != job);
                if record.head.jobs.is_empty() {
                    return Ok((RecordChange::Remove, record.outcome.is_some()));
                }
                Ok((RecordChange::Save(record), false))
            })
            .await
    }

    pub(super) async fn put_outcome(
        &self,
        key: &TaskKey,
        outcome: &Outcome,
    ) -> Result<WriteResult, StoreError> {
        let mut loose = false;
        let written = self
            .records
            .change(&key.to_string(), |record: Option<TaskRecord>| {
                let mut record = record.unwrap_or_default();
                loose = record.head.jobs.is_empty();
                if record.is_answered(key) {
                    return Ok((RecordChange::Keep, WriteResult::Known));
                }
                record.head.written = Some(Timestamp::now());
                record.head.seal = Some(Seal::new(key, outcome.json()));
                record.outcome = Some(outcome.json().to_owned());
                Ok((RecordChange::Save(record), WriteResult::First))
            })
            .await?;
        if loose {
            // The task has no references: the outcome is swept unless a job refers to it by then.
            self.jobs.save(&format!("loose.{key}"), Vec::new(), None).await?;
        }
        Ok(written)
    }

    pub(super) async fn standing(&self, key: &TaskKey) -> Result<Standing, StoreError> {
        let Some(record) = self.get(key).await? else { return Ok(Standing::Unwanted) };
        if record.is_answered(key) {
            return Ok(Standing::Answered);
        }
        for job in &record.head.jobs {
            let job: Option<JobRecord> = self.jobs.get(&JobRecord::key(job)).await?;
            if job.is_some_and(|job| job.is_wanted()) {
                return Ok(Standing::Wanted);
            }
        }
        Ok(Standing::Unwanted)
    }

    /// Removes outcomes that no job refers to, and returns their number.
    pub(super) async fn sweep(&self) -> Result<u64, StoreError> {
        let mut removed = 0;
        for key in self.jobs.list("loose.").await? {
            removed += self
                .records
                .change(&key, |record: Option<TaskRecord>| {
                    Ok(match record {
                        Some(record) if record.head.jobs.is_empty() => (RecordChange::Remove, 1),
                        _ => (RecordChange::Keep, 0),
                    })
                })
                .await?;
            self.jobs.clear(&format!("loose.{key}")).await?;
        }
        Ok(removed)
    }
}
