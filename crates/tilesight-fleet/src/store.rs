//! Implementation of the store: its guarantees follow from the order in which records are written.

use async_trait::async_trait;
use tilesight_core::contract::{Problem, ProblemKind};
use tilesight_jobs::{
    ExpiryReport, Item, Job, JobId, NewItem, NewJob, Outcome, PhotoId, Selection, Standing, Store,
    StoreError, TaskKey, Timestamp, Usage, Work, WriteResult,
};

use super::Nats;
use super::jobs::JobRecord;
use super::progress::has_bit;
use super::records::all;
use super::tasks::TaskContent;

/// Typical size of a result in bytes, which is counted instead of reading the results.
const RESULT: u64 = 12_000;

#[async_trait]
impl Store for Nats {
    async fn create(&self, job: &NewJob) -> Result<(), StoreError> {
        self.jobs.create(job).await
    }

    async fn put_photo(&self, job: &JobId, bytes: &[u8]) -> Result<PhotoId, StoreError> {
        self.jobs.find(job).await?;
        let photo = self.photos.put(job, bytes).await?;
        self.coming(|coming| *coming.entry(*job).or_default() += bytes.len() as u64);
        Ok(photo)
    }

    async fn photo(&self, photo: &PhotoId) -> Result<Option<Vec<u8>>, StoreError> {
        self.photos.get(photo).await
    }

    async fn drop_photos(&self, job: &JobId) -> Result<(), StoreError> {
        self.photos.release(job).await?;
        let results = self.chunks.extent(job).await?.total.saturating_mul(RESULT);
        match self.jobs.change(job, |record| record.bytes = results).await {
            // The job was deleted in the meantime.
            Err(StoreError::NoJob) => Ok(()),
            changed => changed,
        }
    }

    async fn append(&self, job: &JobId, from: u64, items: &[NewItem]) -> Result<u64, StoreError> {
        let record = self.jobs.find(job).await?;
        let end = from.saturating_add(items.len() as u64);
        loop {
            let extent = self.chunks.extent(job).await?;
            let total = extent.total;
            if from > total {
                return Err(StoreError::Gap { total });
            }
            let there = usize::try_from(total - from).unwrap_or(usize::MAX).min(items.len());
            // The items exist already, but an earlier append whose answer was lost may not have got
            // to their references.
            if end <= total {
                self.refer(job, items).await?;
                return Ok(total);
            }
            if extent.sealed.is_some() || !record.is_wanted() {
                return Err(StoreError::Sealed);
            }
            self.chunks.append(job, total, &items[there..]).await?;
        }
    }

    async fn seal(&self, job: &JobId) -> Result<(), StoreError> {
        match self.coming(|coming| coming.remove(job)) {
            Some(bytes) => self.jobs.change(job, |record| record.bytes = bytes).await?,
            None => self.jobs.find(job).await.map(drop)?,
        }
        self.chunks.seal(job).await
    }

    async fn job(&self, job: &JobId) -> Result<Option<Job>, StoreError> {
        self.stand(job).await
    }

    async fn jobs(&self, which: &Selection) -> Result<Vec<Job>, StoreError> {
        let mut found = Vec::new();
        for id in self.jobs.ids().await? {
            if found.len() >= which.max_jobs {
                break;
            }
            if which.before.is_some_and(|before| id >= before) {
                continue;
            }
            // Checked before the job's progress is computed: most jobs may belong to other clients.
            let Some(record) = self.jobs.get(&id).await? else { continue };
            let is_of_another = which.owner.is_some() && which.owner != record.new.owner;
            if is_of_another || which.client.is_some() && which.client != record.new.client {
                continue;
            }
            let Some(job) = self.stand(&id).await? else { continue };
            if !(which.unfinished && job.finished.is_some()) {
                found.push(job);
            }
        }
        Ok(found)
    }

    async fn usage(&self, client: &str) -> Result<Usage, StoreError> {
        let mut usage = Usage::default();
        for record in self.jobs.all().await? {
            let coming = self.coming(|coming| coming.get(&record.new.id).copied());
            let bytes = record.bytes + coming.unwrap_or(0);
            usage.all += bytes;
            usage.theirs += bytes * u64::from(record.new.client.as_deref() == Some(client));
        }
        Ok(usage)
    }

    async fn items(&self, job: &JobId, from: u64, max: usize) -> Result<Vec<Item>, StoreError> {
        let Some(record) = self.jobs.get(job).await? else { return Ok(Vec::new()) };
        let cut = match &record.cancelled {
            Some(cancelled) => Some(self.jobs.cut(cancelled).await?),
            None => None,
        };
        let given = self.submitted_items(job, from, max).await?;
        let items = given.into_iter().map(|(index, item)| {
            let wanted = cut.as_ref().is_none_or(|bits| has_bit(bits, index));
            self.item(&record, index, item, wanted)
        });
        all(items.collect()).await
    }

    async fn cancel(&self, job: &JobId) -> Result<(), StoreError> {
        self.stop(job).await
    }

    async fn delete(&self, job: &JobId) -> Result<(), StoreError> {
        self.clear(job).await.map(|_| ())
    }

    async fn expire(&self, now: Timestamp) -> Result<ExpiryReport, StoreError> {
        let mut expired = ExpiryReport::default();
        for job in self.jobs.expired_jobs(now).await? {
            let (outcomes, photos) = self.clear(&job).await?;
            expired.jobs += 1;
            expired.outcomes += outcomes;
            expired.photos += photos;
        }
        expired.outcomes += self.tasks.sweep().await?;
        self.lanes.mend().await.map_err(|error| StoreError::unavailable(&error))?;
        Ok(expired)
    }

    async fn standing(&self, key: &TaskKey) -> Result<Standing, StoreError> {
        self.tasks.standing(key).await
    }

    async fn put_outcome(
        &self,
        key: &TaskKey,
        outcome: &Outcome,
    ) -> Result<WriteResult, StoreError> {
        self.tasks.put_outcome(key, outcome).await
    }

    async fn outcome(&self, key: &TaskKey) -> Result<Option<Outcome>, StoreError> {
        let Some(record) = self.tasks.get(key).await? else { return Ok(None) };
        Ok(record.outcome(key).into_outcome())
    }
}

impl Nats {
    /// Records in their tasks that these items wait for them.
    async fn refer(&self, job: &JobId, items: &[NewItem]) -> Result<(), StoreError> {
        let keys: Vec<TaskKey> = items.iter().filter_map(key).collect();
        all(keys.iter().map(|key| self.tasks.refer(key, job)).collect()).await.map(|_| ())
    }

    /// Returns items as they were submitted, with their indices.
    async fn submitted_items(
        &self,
        job: &JobId,
        from: u64,
        max: usize,
    ) -> Result<Vec<(u64, NewItem)>, StoreError> {
        let extent = self.chunks.extent(job).await?;
        let first = extent.starts.partition_point(|start| *start <= from).saturating_sub(1);
        let mut given = Vec::new();
        for start in extent.starts.iter().skip(first) {
            if given.len() >= max {
                break;
            }
            let items = (*start..).zip(self.chunks.items_at(job, *start).await?);
            given.extend(items.filter(|(place, _)| *place >= from).take(max - given.len()));
        }
        Ok(given)
    }

    /// Returns an item, with its outcome if `wanted`.
    async fn item(
        &self,
        job: &JobRecord,
        index: u64,
        item: NewItem,
        wanted: bool,
    ) -> Result<Item, StoreError> {
        let task = match item.work {
            Work::Refused(problem) => {
                let outcome = Some(Outcome::from_problem(problem));
                return Ok(Item { index, id: item.id, task: None, outcome });
            }
            Work::Read(task) => task,
        };
        let record = self.tasks.get(&task.key).await?;
        // The process that appended the item may have died before this was recorded; the next
        // process that reads the items is about to push their tasks.
        if job.is_wanted() && !record.as_ref().is_some_and(|record| record.has(&job.new.id)) {
            self.tasks.refer(&task.key, &job.new.id).await?;
        }
        let outcome = match record.filter(|_| wanted).map(|record| record.outcome(&task.key)) {
            Some(TaskContent::Outcome(_, outcome)) => Some(outcome),
            // The task is not read again, and a missing row would go unnoticed.
            Some(TaskContent::Forged) if job.is_over() => Some(forged_outcome()),
            Some(TaskContent::Forged | TaskContent::Nothing) | None => None,
        };
        Ok(Item { index, id: item.id, task: Some(task), outcome })
    }

    /// Deletes a job with everything that no other job refers to, or finishes an interrupted
    /// deletion. Returns the numbers of outcomes and photos that were removed.
    async fn clear(&self, job: &JobId) -> Result<(u64, u64), StoreError> {
        if !self.jobs.mark_deleted(job).await? {
            return Ok((0, 0));
        }
        // Prevents other processes from appending after this check.
        self.chunks.seal(job).await?;
        let mut outcomes = 0;
        for start in self.chunks.extent(job).await?.starts {
            let items = self.chunks.items_at(job, start).await?;
            let keys: Vec<TaskKey> = items.iter().filter_map(key).collect();
            let released =
                all(keys.iter().map(|key| self.tasks.release(key, job)).collect()).await?;
            outcomes += released.into_iter().filter(|released| *released).count() as u64;
        }
        let photos = self.photos.release(job).await?;
        self.chunks.delete(job).await?;
        self.jobs.remove(job).await?;
        self.coming(|coming| coming.remove(job));
        self.marks.drop_before(job, u64::MAX);
        Ok((outcomes, photos))
    }
}

/// Returns the placeholder for an outcome that was modified after its job had ended.
fn forged_outcome() -> Outcome {
    let detail = "the stored result was changed: submit the photo again";
    Outcome::from_problem(Problem::new(ProblemKind::Internal, detail))
}

fn key(item: &NewItem) -> Option<TaskKey> {
    match &item.work {
        Work::Read(task) => Some(task.key),
        Work::Refused(_) => None,
    }
}
