//! The records of jobs.
//!
//! Invariant: a job that is being deleted keeps its record, marked, until everything that it refers
//! to is gone, so that the process that finds it can finish that.

use serde::{Deserialize, Serialize};

use super::records::{Change, JsonRecord, Records, all};
use crate::jobs::{JobId, NewJob, StoreError, Timestamp};

/// The layout of the buckets that this program writes and reads.
const LAYOUT: u32 = 1;

/// The records of all jobs.
#[derive(Debug)]
pub(super) struct Jobs {
    records: Records,
}

/// The record of a job. How many items it has is said by its chunks.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct JobRecord {
    pub(super) new: NewJob,
    pub(super) cancelled: Option<Cancellation>,
    pub(super) finished: Option<Timestamp>,
    /// It is being deleted.
    pub(super) going: bool,
    pub(super) settled: CountedItems,
    /// Of photos while they are kept, then of results as far as it is known without reading them.
    #[serde(default)]
    pub(super) bytes: u64,
}

/// That a job was cancelled.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Cancellation {
    pub(super) at: Timestamp,
    /// The key of the record that says which items had their outcome then: one bit each.
    pub(super) cut: String,
}

/// The items at the beginning of a job of which is known for good what came of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct CountedItems {
    /// How many there are: they end where a chunk does.
    pub(super) items: u64,
    /// How many were read.
    pub(super) read: u64,
    /// How many have a problem.
    pub(super) failed: u64,
    /// When the last of their outcomes was written.
    pub(super) last: Option<Timestamp>,
}

impl JsonRecord for JobRecord {}

impl JobRecord {
    pub(super) fn key(job: &JobId) -> String {
        format!("job.{job}")
    }

    /// Whether it has ended.
    pub(super) fn is_over(&self) -> bool {
        self.finished.is_some() || self.cancelled.is_some()
    }

    /// Whether its items without an outcome still want one.
    pub(super) fn wants(&self) -> bool {
        self.cancelled.is_none() && !self.going
    }
}

impl Jobs {
    pub(super) fn new(records: Records) -> Jobs {
        Jobs { records }
    }

    pub(super) async fn create(&self, job: &NewJob) -> Result<(), StoreError> {
        let decide = |record: Option<JobRecord>| match record {
            Some(_) => Ok((Change::Keep, ())),
            None => {
                let record = JobRecord {
                    new: job.clone(),
                    cancelled: None,
                    finished: None,
                    going: false,
                    settled: CountedItems::default(),
                    bytes: 0,
                };
                Ok((Change::Save(record), ()))
            }
        };
        self.records.change(&JobRecord::key(&job.id), decide).await
    }

    /// A job that is not being deleted.
    pub(super) async fn get(&self, job: &JobId) -> Result<Option<JobRecord>, StoreError> {
        let record: Option<JobRecord> = self.records.get(&JobRecord::key(job)).await?;
        Ok(record.filter(|record| !record.going))
    }

    /// The same, where there has to be one.
    pub(super) async fn find(&self, job: &JobId) -> Result<JobRecord, StoreError> {
        self.get(job).await?.ok_or(StoreError::NoJob)
    }

    /// Changes a job that is there and not being deleted.
    pub(super) async fn change(
        &self,
        job: &JobId,
        mut change: impl FnMut(&mut JobRecord),
    ) -> Result<(), StoreError> {
        let decide = |record: Option<JobRecord>| {
            let mut record = record.filter(|record| !record.going).ok_or(StoreError::NoJob)?;
            change(&mut record);
            Ok((Change::Save(record), ()))
        };
        self.records.change(&JobRecord::key(job), decide).await
    }

    /// Marks a job as one that is being deleted; tells whether there is one.
    pub(super) async fn let_go(&self, job: &JobId) -> Result<bool, StoreError> {
        let decide = |record: Option<JobRecord>| {
            Ok(match record {
                None => (Change::Keep, false),
                Some(record) if record.going => (Change::Keep, true),
                Some(record) => (Change::Save(JobRecord { going: true, ..record }), true),
            })
        };
        self.records.change(&JobRecord::key(job), decide).await
    }

    /// Removes the record of a job, and what was noted when it was cancelled.
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
        // Written before the job is cancelled, under a name that nobody else uses who cancels it
        // too.
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

    /// Which items of a cancelled job had their outcome when it was cancelled.
    pub(super) async fn cut(&self, cancelled: &Cancellation) -> Result<Vec<u8>, StoreError> {
        let cut = self.records.load(&cancelled.cut).await?;
        Ok(cut.map(|(_, bits)| bits).unwrap_or_default())
    }

    /// The ids of all jobs, the newest first, those that are being deleted too.
    pub(super) async fn ids(&self) -> Result<Vec<JobId>, StoreError> {
        let ids = self.records.list("job.").await?;
        let ids = ids.iter().map(|id| id.parse().map_err(|error| StoreError::corrupt(&error)));
        let mut ids = ids.collect::<Result<Vec<JobId>, _>>()?;
        ids.sort_unstable_by(|a, b| b.cmp(a));
        Ok(ids)
    }

    /// The records of all jobs that are not being deleted.
    pub(super) async fn all(&self) -> Result<Vec<JobRecord>, StoreError> {
        let ids = self.ids().await?;
        let records = all(ids.iter().map(|id| self.get(id)).collect()).await?;
        Ok(records.into_iter().flatten().collect())
    }

    /// The ids of the jobs whose time is over, or whose deletion was cut short.
    pub(super) async fn over(&self, now: Timestamp) -> Result<Vec<JobId>, StoreError> {
        let mut over = Vec::new();
        for id in self.ids().await? {
            let record: Option<JobRecord> = self.records.get(&JobRecord::key(&id)).await?;
            let gone = |record: JobRecord| record.going || record.new.expires <= now;
            over.extend(record.is_some_and(gone).then_some(id));
        }
        Ok(over)
    }
}

/// Notes the layout where there is none, and refuses one that is newer than this program.
pub(super) async fn check_layout(records: &Records) -> Result<(), StoreError> {
    let decide = |layout: Option<Layout>| match layout {
        None => Ok((Change::Save(Layout(LAYOUT)), ())),
        Some(Layout(found)) if found > LAYOUT => Err(StoreError::Newer { found, known: LAYOUT }),
        Some(_) => Ok((Change::Keep, ())),
    };
    records.change("layout", decide).await
}

#[derive(Debug, Serialize, Deserialize)]
struct Layout(u32);

impl JsonRecord for Layout {}
