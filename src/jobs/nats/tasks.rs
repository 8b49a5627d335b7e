//! What is known of a task: which jobs refer to it, and what came of it.
//!
//! One record a task, so that the first outcome stays, and goes with the last job that refers to
//! it, by compare and swap of one record. Invariants: the outcome's bytes are kept as they were
//! given; an outcome with other bytes, or one that was written for another task, is not an outcome:
//! the task is read again.

use std::str;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::jobs::JobRecord;
use super::records::{Change, Record, Records};
use crate::jobs::hash::as_hash;
use crate::jobs::{JobId, Outcome, Standing, StoreError, TaskKey, Timestamp, WriteResult};

/// The records of all tasks.
#[derive(Debug)]
pub(super) struct Tasks {
    records: Records,
    /// Where jobs are, and the keys of outcomes that no job asked for.
    jobs: Records,
}

/// The record of a task.
#[derive(Debug, Default)]
pub(super) struct TaskRecord {
    head: Head,
    outcome: Option<String>,
}

/// Its first line; the outcome follows.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Head {
    jobs: Vec<JobId>,
    /// When the outcome was written.
    written: Option<Timestamp>,
    /// What the outcome and its task hash to.
    #[serde(default)]
    seal: Option<Seal>,
}

/// The SHA-256 of a task's key and its outcome.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seal([u8; 32]);

as_hash!(Seal);

impl Seal {
    fn of(key: &TaskKey, outcome: &str) -> Seal {
        // The key has always as many digits, so that nothing runs into it.
        let text = ["tilesight outcome 1", &key.to_string(), outcome].concat();
        Seal(Sha256::digest(text).into())
    }
}

/// What a task's record says of its outcome.
#[derive(Debug)]
pub(super) enum TaskContent {
    /// It has none.
    Nothing,
    /// What came of the task, and when that was written.
    Outcome(Timestamp, Outcome),
    /// Bytes that nobody wrote as the outcome of this task.
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

    /// What came of the task with this key.
    pub(super) fn outcome(self, key: &TaskKey) -> TaskContent {
        let (Some(written), Some(json)) = (self.head.written, self.outcome) else {
            return TaskContent::Nothing;
        };
        let sealed = self.head.seal == Some(Seal::of(key, &json));
        match Outcome::from_json(json) {
            Ok(outcome) if sealed => TaskContent::Outcome(written, outcome),
            _ => {
                tracing::error!(%key, "an outcome does not match its task and is refused: check who can write to the store");
                TaskContent::Forged
            }
        }
    }

    fn is_answered(&self, key: &TaskKey) -> bool {
        let sealed = |json: &String| self.head.seal == Some(Seal::of(key, json));
        self.outcome.as_ref().is_some_and(sealed)
    }
}

impl TaskContent {
    /// The outcome that fits, if there is one.
    pub(super) fn fitting(self) -> Option<Outcome> {
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

    /// Notes that a job refers to a task.
    pub(super) async fn refer(&self, key: &TaskKey, job: &JobId) -> Result<(), StoreError> {
        let decide = |record: Option<TaskRecord>| {
            let mut record = record.unwrap_or_default();
            if record.has(job) {
                return Ok((Change::Keep, ()));
            }
            record.head.jobs.push(*job);
            Ok((Change::Save(record), ()))
        };
        self.records.change(&key.to_string(), decide).await
    }

    /// A job does not refer to a task any more; tells whether an outcome went with it.
    pub(super) async fn release(&self, key: &TaskKey, job: &JobId) -> Result<bool, StoreError> {
        let decide = |record: Option<TaskRecord>| {
            let Some(mut record) = record else { return Ok((Change::Keep, false)) };
            record.head.jobs.retain(|other| other != job);
            Ok(match record.head.jobs.is_empty() {
                true => (Change::Remove, record.outcome.is_some()),
                false => (Change::Save(record), false),
            })
        };
        self.records.change(&key.to_string(), decide).await
    }

    pub(super) async fn put_outcome(
        &self,
        key: &TaskKey,
        outcome: &Outcome,
    ) -> Result<WriteResult, StoreError> {
        let mut loose = false;
        let decide = |record: Option<TaskRecord>| {
            let mut record = record.unwrap_or_default();
            loose = record.head.jobs.is_empty();
            if record.is_answered(key) {
                return Ok((Change::Keep, WriteResult::Known));
            }
            record.head.written = Some(Timestamp::now());
            record.head.seal = Some(Seal::of(key, outcome.json()));
            record.outcome = Some(outcome.json().to_owned());
            Ok((Change::Save(record), WriteResult::First))
        };
        let written = self.records.change(&key.to_string(), decide).await?;
        if loose {
            // Nobody refers to it: it is swept up unless somebody does by then.
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
            if job.is_some_and(|job| job.wants()) {
                return Ok(Standing::Wanted);
            }
        }
        Ok(Standing::Unwanted)
    }

    /// Removes outcomes that no job refers to, and returns how many.
    pub(super) async fn sweep(&self) -> Result<u64, StoreError> {
        let mut removed = 0;
        for key in self.jobs.list("loose.").await? {
            let decide = |record: Option<TaskRecord>| {
                Ok(match record {
                    Some(record) if record.head.jobs.is_empty() => (Change::Remove, 1),
                    _ => (Change::Keep, 0),
                })
            };
            removed += self.records.change(&key, decide).await?;
            self.jobs.clear(&format!("loose.{key}")).await?;
        }
        Ok(removed)
    }
}
