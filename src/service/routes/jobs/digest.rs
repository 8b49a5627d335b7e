//! The photos of a job that failed, and those that a person should check: computed once for each
//! outcome, and kept.
//!
//! Input: the outcomes of a job. Output: the indices of its failures, and its review queue.
//! Invariants: an outcome never changes, so it is looked at once, also while the job runs; the
//! outcomes are looked at in pieces, between which clients take turns; corrections play no part.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tilesight_jobs::batch::{BatchRow, ReviewItem};
use tilesight_jobs::review::{QueuePart, ReviewError};
use tilesight_jobs::{Item, Job, JobId};

use super::{Jobs, PIECE};
use crate::service::answer::failure::Failure;
use crate::service::guard::admission::{Turns, WorkSize};
use crate::service::kept::Kept;

/// Maximum size of all digests that are kept, in bytes.
const MAX_BYTES: usize = 32 * 1024 * 1024;
/// Size of a photo in a digest, in bytes: with its id, if it is to be reviewed.
const PHOTO_BYTES: usize = 160;

/// Digests of the jobs that were asked about most recently.
#[derive(Debug)]
pub(super) struct Digests(Kept<JobId, Arc<Digest>>);

/// Digest of the outcomes of a job.
#[derive(Debug, Default)]
pub(super) struct Digest {
    /// Number of photos of the job, which grows while it is submitted.
    photos: AtomicU64,
    content: Mutex<Content>,
    /// Held by the request that looks at outcomes, so that others don't look at the same ones.
    looking: tokio::sync::Mutex<()>,
}

#[derive(Debug, Default)]
struct Content {
    /// Whether the outcome of each photo was looked at.
    seen: Vec<bool>,
    count: u64,
    failed: BTreeSet<u64>,
    /// Photos to review, in the order of review.
    queue: Vec<ReviewItem>,
}

impl Default for Digests {
    fn default() -> Digests {
        Digests(Kept::new(MAX_BYTES, |digest| {
            digest.photos.load(Ordering::Relaxed) as usize * PHOTO_BYTES
        }))
    }
}

impl Digests {
    /// Drops the digest of a job.
    pub(super) fn remove(&self, job: &JobId) {
        self.0.remove(|known| known == job);
    }

    /// Returns the digest of the outcomes that a job has now.
    ///
    /// # Errors
    /// Failures of the store and of a process that is stopping.
    pub(super) async fn get(
        &self,
        jobs: &Jobs,
        job: &Job,
        turns: &Turns,
    ) -> Result<Arc<Digest>, Failure> {
        let new = async || Arc::new(Digest::default());
        let digest = Arc::clone(self.0.cell(job.new.id).get_or_init(new).await);
        digest.photos.fetch_max(job.progress.total, Ordering::Relaxed);
        let _looking = digest.looking.lock().await;
        let done = job.progress.read + job.progress.failed;
        let mut from = 0;
        while digest.content().count < done {
            from = digest.content().next_unseen(from);
            let worker = turns.worker(WorkSize::Large).await;
            let items = jobs.store().items(&job.new.id, from, PIECE).await?;
            let Some(last) = items.last() else { break };
            from = last.index + 1;
            let looked = Arc::clone(&digest);
            worker.run(move || looked.content().add(items)).await?;
        }
        Ok(Arc::clone(&digest))
    }
}

impl Digest {
    /// Returns a part of the review queue, the index of its last photo if others follow, and the
    /// length of the whole queue.
    pub(super) fn queue(
        &self,
        part: QueuePart,
    ) -> Result<(Vec<ReviewItem>, Option<u64>, usize), ReviewError> {
        let content = self.content();
        let (items, next) = part.cut(&content.queue)?;
        Ok((items.to_vec(), next, content.queue.len()))
    }

    /// Returns the indices of the photos that failed, from an index on. While the job runs, photos
    /// behind the first one without an outcome are left out.
    pub(super) fn failures(&self, from: u64, is_cancelled: bool) -> Vec<u64> {
        let content = self.content();
        let end = if is_cancelled { u64::MAX } else { content.next_unseen(0) };
        content.failed.range(from..end.max(from)).copied().collect()
    }

    fn content(&self) -> MutexGuard<'_, Content> {
        self.content.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Content {
    /// Returns the index of the first photo from an index on whose outcome was not looked at.
    fn next_unseen(&self, from: u64) -> u64 {
        let start = usize::try_from(from).unwrap_or(usize::MAX).min(self.seen.len());
        let known = self.seen[start..].iter().take_while(|&&seen| seen).count();
        from + known as u64
    }

    fn add(&mut self, items: Vec<Item>) {
        for Item { index, id, outcome, .. } in items {
            let Some(outcome) = outcome else { continue };
            let at = usize::try_from(index).unwrap_or(usize::MAX);
            if self.seen.get(at).copied().unwrap_or_default() {
                continue;
            }
            self.seen.resize(self.seen.len().max(at + 1), false);
            self.seen[at] = true;
            self.count += 1;
            if outcome.is_failure() {
                self.failed.insert(index);
            }
            let row = BatchRow::from_stored(outcome.json().as_bytes());
            let item = ReviewItem::from_row(&id, index, &row);
            if item.needs_review() {
                // The questions are in the photo's own answer.
                self.queue.push(ReviewItem { questions: Vec::new(), ..item });
            }
        }
        self.queue.sort_by(ReviewItem::rank);
    }
}
