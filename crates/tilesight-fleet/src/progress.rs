//! Progress of a job: how many of its items have their outcome.
//!
//! No counter is incremented when an outcome is written: a worker that dies between the outcome and
//! the counter would leave a wrong count. Instead each query checks the tasks of the items, chunk
//! by chunk. Once every item of the leading chunks has its outcome, this is noted in the job's
//! record and never checked again; results of the other items are cached in the process. Invariant:
//! a job counts as finished only when every item was seen to have its outcome; until then the count
//! may be too low, never too high.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tilesight_jobs::{Job, JobId, NewItem, Progress, StoreError, Timestamp, Work};

use super::Nats;
use super::chunks::{Extent, ITEMS};
use super::jobs::{CountedItems, JobRecord};
use super::records::all;
use super::tasks::TaskContent;

/// Number of consecutive items without an outcome after which a check stops: tasks are read in the
/// order in which they were submitted, usually by fewer workers than this. With more workers the
/// count lags behind for a while.
const SILENT: u64 = 5 * ITEMS as u64;
/// Maximum number of jobs with cached results; beyond it the cache is cleared.
const MAX_CACHED_JOBS: usize = 1000;

/// Result of an item.
#[derive(Debug, Clone, Copy)]
pub(super) struct ItemMark {
    failed: bool,
    written: Option<Timestamp>,
}

/// Cached results of items whose chunk is not settled.
#[derive(Debug, Default)]
pub(super) struct Marks(Mutex<HashMap<JobId, HashMap<u64, ItemMark>>>);

/// Result of a check of a job.
#[derive(Debug)]
struct SeenItems {
    /// Final counts.
    settled: CountedItems,
    /// Counts of the items after the settled ones.
    beyond: Progress,
    /// Bits, one for each item, set if the item has its outcome.
    bits: Vec<u8>,
}

impl Marks {
    fn all(&self) -> MutexGuard<'_, HashMap<JobId, HashMap<u64, ItemMark>>> {
        // Each entry is correct at any time, so a panic elsewhere does no harm.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn get(&self, job: &JobId, place: u64) -> Option<ItemMark> {
        self.all().get(job).and_then(|marks| marks.get(&place).copied())
    }

    fn note(&self, job: &JobId, place: u64, mark: ItemMark) {
        let mut all = self.all();
        if all.len() >= MAX_CACHED_JOBS && !all.contains_key(job) {
            all.clear();
        }
        all.entry(*job).or_default().insert(place, mark);
    }

    /// Drops the cached results of a job's items before an index; for `u64::MAX`, all of them.
    pub(super) fn drop_before(&self, job: &JobId, before: u64) {
        let mut all = self.all();
        if let Some(marks) = all.get_mut(job) {
            marks.retain(|place, _| *place >= before);
            if marks.is_empty() {
                all.remove(job);
            }
        }
    }
}

impl CountedItems {
    fn add(&mut self, items: usize, marks: &[(u64, ItemMark)]) {
        self.items += items as u64;
        for (_, mark) in marks {
            *(if mark.failed { &mut self.failed } else { &mut self.read }) += 1;
            self.last = self.last.max(mark.written);
        }
    }
}

impl Nats {
    /// Returns the current state of a job, and notes new final counts in its record.
    pub(super) async fn stand(&self, id: &JobId) -> Result<Option<Job>, StoreError> {
        let Some(record) = self.jobs.get(id).await? else { return Ok(None) };
        let extent = self.chunks.extent(id).await?;
        if record.cancelled.is_some() {
            return Ok(Some(as_job(record, &extent, Progress::default())));
        }
        let SeenItems { settled, beyond, .. } = self.scan(&record, &extent, false).await?;
        let mut record = JobRecord { settled, ..record };
        if record.finished.is_none() && settled.items == extent.total {
            record.finished =
                extent.sealed.map(|sealed| settled.last.unwrap_or(sealed).max(sealed));
        }
        self.note(&record).await?;
        Ok(Some(as_job(record, &extent, beyond)))
    }

    /// Cancels a job unless it is finished: items without an outcome get none.
    pub(super) async fn stop(&self, id: &JobId) -> Result<(), StoreError> {
        let job = self.stand(id).await?.ok_or(StoreError::NoJob)?;
        if job.finished.is_some() || job.cancelled.is_some() {
            return Ok(());
        }
        let record = self.jobs.find(id).await?;
        let extent = self.chunks.extent(id).await?;
        let SeenItems { settled, beyond, bits } = self.scan(&record, &extent, true).await?;
        let read = settled.read + beyond.read;
        let failed = settled.failed + beyond.failed;
        let settled = CountedItems { items: extent.total, read, failed, last: None };
        self.jobs.cancel(id, bits, settled).await?;
        self.marks.drop_before(id, u64::MAX);
        Ok(())
    }

    /// Writes final counts into the job's record, if they are ahead of the recorded ones.
    async fn note(&self, record: &JobRecord) -> Result<(), StoreError> {
        let id = &record.new.id;
        let Some(noted) = self.jobs.get(id).await? else { return Ok(()) };
        if noted.settled.items >= record.settled.items && noted.finished == record.finished {
            return Ok(());
        }
        let noted = self.jobs.change(id, |noted| {
            if noted.cancelled.is_none() && noted.settled.items <= record.settled.items {
                noted.settled = record.settled;
                noted.finished = noted.finished.or(record.finished);
            }
        });
        match noted.await {
            // The job was deleted in the meantime.
            Err(StoreError::NoJob) => Ok(()),
            noted => noted,
        }?;
        self.marks.drop_before(id, record.settled.items);
        Ok(())
    }

    /// Checks the items of a job that are not settled. Only with `to_the_end` are all of them
    /// checked and the bits set.
    async fn scan(
        &self,
        record: &JobRecord,
        extent: &Extent,
        to_the_end: bool,
    ) -> Result<SeenItems, StoreError> {
        let id = &record.new.id;
        let mut seen =
            SeenItems { settled: record.settled, beyond: Progress::default(), bits: Vec::new() };
        if to_the_end {
            (0..record.settled.items).for_each(|place| set_bit(&mut seen.bits, place));
        }
        let mut whole = true;
        let mut silent = 0;
        for start in extent.starts.iter().filter(|start| **start >= record.settled.items) {
            let items = self.chunks.items_at(id, *start).await?;
            let marks = self.marks_of(id, *start, &items).await?;
            if to_the_end {
                marks.iter().for_each(|(place, _)| set_bit(&mut seen.bits, *place));
            }
            whole &= marks.len() == items.len();
            if whole {
                seen.settled.add(items.len(), &marks);
                continue;
            }
            seen.beyond.failed += marks.iter().filter(|(_, mark)| mark.failed).count() as u64;
            seen.beyond.read += marks.iter().filter(|(_, mark)| !mark.failed).count() as u64;
            silent = if marks.is_empty() { silent + items.len() as u64 } else { 0 };
            if silent >= SILENT && !to_the_end {
                break;
            }
        }
        Ok(seen)
    }

    /// Returns the results of those items of a chunk that have an outcome.
    async fn marks_of(
        &self,
        job: &JobId,
        start: u64,
        items: &[NewItem],
    ) -> Result<Vec<(u64, ItemMark)>, StoreError> {
        let each = (start..).zip(items).map(|(place, item)| self.mark(job, place, item));
        let marks = all(each.collect()).await?;
        Ok(marks.into_iter().flatten().collect())
    }

    async fn mark(
        &self,
        job: &JobId,
        place: u64,
        item: &NewItem,
    ) -> Result<Option<(u64, ItemMark)>, StoreError> {
        let task = match &item.work {
            Work::Refused(_) => return Ok(Some((place, ItemMark { failed: true, written: None }))),
            Work::Read(task) => task,
        };
        if let Some(mark) = self.marks.get(job, place) {
            return Ok(Some((place, mark)));
        }
        let Some(record) = self.tasks.get(&task.key).await? else { return Ok(None) };
        let TaskContent::Outcome(written, outcome) = record.outcome(&task.key) else {
            return Ok(None);
        };
        let mark = ItemMark { failed: outcome.is_failure(), written: Some(written) };
        self.marks.note(job, place, mark);
        Ok(Some((place, mark)))
    }
}

fn as_job(record: JobRecord, extent: &Extent, beyond: Progress) -> Job {
    let CountedItems { read, failed, .. } = record.settled;
    let cancelled = record.cancelled.map(|cancelled| cancelled.at);
    Job {
        new: record.new,
        sealed: extent.sealed.is_some(),
        cancelled,
        finished: cancelled.or(record.finished),
        progress: Progress {
            total: extent.total,
            read: read + beyond.read,
            failed: failed + beyond.failed,
        },
    }
}

fn set_bit(bits: &mut Vec<u8>, place: u64) {
    let (byte, bit) = split(place);
    bits.resize(bits.len().max(byte + 1), 0);
    bits[byte] |= bit;
}

/// Returns whether the bit at an index is set.
pub(super) fn has_bit(bits: &[u8], place: u64) -> bool {
    let (byte, bit) = split(place);
    bits.get(byte).is_some_and(|bits| bits & bit != 0)
}

fn split(place: u64) -> (usize, u8) {
    (usize::try_from(place / 8).expect("there are fewer items than addresses"), 1 << (place % 8))
}
