//! Records of jobs.
//!
//! Invariant: a job that is being deleted keeps its record, marked, until everything that it refers
//! to is gone, so that a process that finds the record can finish the deletion.

use serde::{Deserialize, Serialize};
use tilesight_jobs::{JobId, NewJob, StoreError, Timestamp};

use super::records::{JsonRecord, RecordChange, Records, all, parse_keys};

/// Version of the buckets' layout, and of the documents in them, that this program writes and
/// reads. Buckets of version 1 can have documents that this program does not read.
const LAYOUT: u32 = 2;

/// Records of all jobs.
#[derive(Debug)]
pub(super) struct Jobs {
    records: Records,
}

/// Record of a job. The number of its items is in its chunks.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct JobRecord {
    pub(super) new: NewJob,
    pub(super) cancelled: Option<Cancellation>,
    pub(super) finished: Option<Timestamp>,
    /// Whether the job is being deleted.
    pub(super) going: bool,
    pub(super) settled: CountedItems,
    /// Bytes of photos while they are kept, then an estimate of the bytes of results that needs no
    /// reading of them.
    #[serde(default)]
    pub(super) bytes: u64,
}

/// Record that a job was cancelled.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Cancellation {
    pub(super) at: Timestamp,
    /// Key of the record of the items that had their outcome by then, with one bit per item.
    pub(super) cut: String,
}

/// Counts of the leading items of a job whose outcomes are final.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct CountedItems {
    /// Number of these items, which is always at the end of a chunk.
    pub(super) items: u64,
    /// Number of items that were read.
    pub(super) read: u64,
    /// Number of items that have a problem.
    pub(super) failed: u64,
    /// Time at which the last of their outcomes was written.
    pub(super) last: Option<Timestamp>,
}

impl JsonRecord for JobRecord {}

impl JobRecord {
    pub(super) fn key(job: &JobId) -> String {
        format!("job.{job}")
    }

    /// Returns whether the job has ended.
    pub(super) fn is_over(&self) -> bool {
        self.finished.is_some() || self.cancelled.is_some()
    }

    /// Returns whether items without an outcome still wait for one.
    pub(super) fn is_wanted(&self) -> bool {
        self.cancelled.is_none() && !self.going
    }
}

impl Jobs {
    pub(super) fn new(records: Records) -> Jobs {
        Jobs { records }
    }

    pub(super) async fn create(&self, job: &NewJob) -> Result<(), StoreError> {
        self.records
            .change(&JobRecord::key(&job.id), |record: Option<JobRecord>| match record {
                Some(_) => Ok((RecordChange::Keep, ())),
                None => {
                    let record = JobRecord {
                        new: job.clone(),
                        cancelled: None,
                        finished: None,
                        going: false,
                        settled: CountedItems::default(),
                        bytes: 0,
                    };
                    Ok((RecordChange::Save(record), ()))
                }
            })
            .await
    }

    /// Returns a job that is not being deleted.
    pub(super) async fn get(&self, job: &JobId) -> Result<Option<JobRecord>, StoreError> {
        let record: Option<JobRecord> = self.records.get(&JobRecord::key(job)).await?;
        Ok(record.filter(|record| !record.going))
    }

    /// Like [`Jobs::get`], but fails if there is no such job.
    pub(super) async fn find(&self, job: &JobId) -> Result<JobRecord, StoreError> {
        self.get(job).await?.ok_or(StoreError::NoJob)
    }

    /// Changes an existing job that is not being deleted.
    pub(super) async fn change(
        &self,
        job: &JobId,
        mut change: impl FnMut(&mut JobRecord),
    ) -> Result<(), StoreError> {
        self.records
            .change(&JobRecord::key(job), |record: Option<JobRecord>| {
                let mut record = record.filter(|record| !record.going).ok_or(StoreError::NoJob)?;
                change(&mut record);
                Ok((RecordChange::Save(record), ()))
            })
            .await
    }

    /// Marks a job as being deleted; returns whether it exists.
    pub(super) async fn mark_deleted(&self, job: &JobId) -> Result<bool, StoreError> {
        self.records
            .change(&JobRecord::key(job), |record: Option<JobRecord>| {
                Ok(match record {
                    None => (RecordChange::Keep, false),
                    Some(record) if record.going => (RecordChange::Keep, true),
                    Some(record) => (RecordChange::Save(JobRecord { going: true, ..record }), true),
                })
            })
            .await
    }

    /// Removes the record of a job, and the records of its cancellation.
    pub(super) async fn remove(&self, job: &JobId) -> Result<(), StoreError> {
        for cut in self.records.list(&format!("cut.{job}.")).await? {
            self.records.clear(&format!("cut.{job}.{cut}")).await?;
        }
        self.records.clear(&JobRecord::key(job)).await
    }

    /// Cancels a job that is neither finished nor cancelled: `cut` has a bit for each item that has
    /// its outcome, and `settled` counts them.
    pub(super) async fn cancel(
        &self,
        job: &JobId,
        cut: Vec<u8>,
        settled: CountedItems,
    ) -> Result<(), StoreError> {
        // Written before the job is cancelled, under a unique name, because another process may
        // cancel the job at the same time.
        let key = format!("cut.{job}.{}", JobId::random()?);
        self.records.save(&key, cut, None).await?;
        let at = Timestamp::now();
        self.change(job, |record| {
            if record.cancelled.is_none() && record.finished.is_none() {
                record.cancelled = Some(Cancellation { at, cut: key.clone() });
                record.settled = settled;
            }
        })
        .await
    }

    /// Returns the bits of the items that had their outcome when the job was cancelled.
    pub(super) async fn cut(&self, cancelled: &Cancellation) -> Result<Vec<u8>, StoreError> {
        let cut = self.records.load(&cancelled.cut).await?;
        Ok(cut.map(|(_, bits)| bits).unwrap_or_default())
    }

    /// Returns the ids of all jobs, the newest first, including jobs that are being deleted.
    pub(super) async fn ids(&self) -> Result<Vec<JobId>, StoreError> {
        let mut ids: Vec<JobId> = parse_keys(&self.records.list("job.").await?)?;
        ids.sort_unstable_by(|a, b| b.cmp(a));
        Ok(ids)
    }

    /// Returns the records of all jobs that are not being deleted.
    pub(super) async fn all(&self) -> Result<Vec<JobRecord>, StoreError> {
        let ids = self.ids().await?;
        let records = all(ids.iter().map(|id| self.get(id)).collect()).await?;
        Ok(records.into_iter().flatten().collect())
    }

    /// Returns the ids of the jobs that have expired, or whose deletion was interrupted.
    pub(super) async fn expired_jobs(&self, now: Timestamp) -> Result<Vec<JobId>, StoreError> {
        let mut over = Vec::new();
        for id in self.ids().await? {
            let record: Option<JobRecord> = self.records.get(&JobRecord::key(&id)).await?;
            if record.is_some_and(|record| record.going || record.new.expires <= now) {
                over.push(id);
            }
        }
        Ok(over)
    }
}

/// Records the layout if there is no record of it, and refuses another layout than this program's.
pub(super) async fn check_layout(records: &Records) -> Result<(), StoreError> {
    records
        .change("layout", |layout| match layout {
            None => Ok((RecordChange::Save(LayoutVersion(LAYOUT)), ())),
            Some(LayoutVersion(LAYOUT)) => Ok((RecordChange::Keep, ())),
            Some(LayoutVersion(found)) => Err(StoreError::UnknownLayout { found, known: LAYOUT }),
        })
        .await
}

#[derive(Debug, Serialize, Deserialize)]
struct LayoutVersion(u32);

impl JsonRecord for LayoutVersion {}
