//! The photos of a job that failed, and those that a person should check: computed once for each
//! outcome, and kept.
//!
//! Input: the outcomes of a job. Output: the indices of its failures, its review queue, and for the
//! last correction of each photo whether it leaves anything open. Invariants: an outcome never
//! changes, so it is looked at once, also while the job runs; the outcomes are looked at in pieces,
//! between which clients take turns; the queue does not depend on corrections.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sha2::{Digest as _, Sha256};
use tilesight_jobs::batch::{BatchRow, ReviewItem};
use tilesight_jobs::corrections::CorrectionRow;
use tilesight_jobs::review::{QueuePart, ReviewError};
use tilesight_jobs::{Item, Job, JobId};

use super::{Jobs, PIECE};
use crate::answer::failure::Failure;
use crate::guard::admission::{Turns, WorkSize};
use crate::kept::Kept;

/// Maximum size of all digests that are kept, in bytes.
const MAX_BYTES: usize = 32 * 1024 * 1024;
/// Size of a photo in a digest, in bytes: with its id and a verdict, if it is to be reviewed.
const PHOTO_BYTES: usize = 224;

/// Digests of the jobs that were asked about most recently.
#[derive(Debug)]
pub(super) struct Digests(pub(super) Kept<JobId, Arc<Digest>>);

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
    /// Verdicts on corrected photos, by their indices.
    verdicts: BTreeMap<u64, Verdict>,
}

/// Photo with an outcome, as far as the digest needs it.
struct SeenPhoto {
    index: u64,
    is_failure: bool,
    to_review: Option<ReviewItem>,
}

/// Verdict on a photo with a correction.
#[derive(Debug)]
struct Verdict {
    /// Hash of the correction.
    of: [u8; 32],
    is_done: bool,
}

impl Default for Digests {
    fn default() -> Digests {
        Digests(Kept::new(MAX_BYTES, |digest| {
            digest.photos.load(Ordering::Relaxed) as usize * PHOTO_BYTES
        }))
    }
}

impl Digests {
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
        let cell = self.0.cell(job.new.id);
        let digest = Arc::clone(cell.get_or_init(async || Arc::default()).await);
        digest.photos.fetch_max(job.progress.total, Ordering::Relaxed);
        let _looking = digest.looking.lock().await;
        let done = job.progress.read + job.progress.failed;
        let mut from = 0;
        while digest.content().count < done {
            from = digest.content().next_unseen(from);
            let store = jobs.store();
            let items = turns.use_store(store.items(&job.new.id, from, PIECE)).await?;
            let Some(last) = items.last() else { break };
            from = last.index + 1;
            let looking = turns.compute(WorkSize::Large, || {
                items.into_iter().filter_map(SeenPhoto::new).collect::<Vec<_>>()
            });
            let photos = looking.await?;
            digest.content().add(photos);
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

    /// Returns whether a correction leaves nothing open that changes the score of its photo, if
    /// that is known.
    pub(super) fn is_done(&self, index: u64, row: &CorrectionRow) -> Option<bool> {
        let of = hash_of(row);
        let content = self.content();
        let verdict = content.verdicts.get(&index).filter(|verdict| verdict.of == of)?;
        Some(verdict.is_done)
    }

    /// Keeps the verdict on a photo with a correction, in place of an earlier one.
    pub(super) fn keep_verdict(&self, index: u64, row: &CorrectionRow, is_done: bool) {
        let verdict = Verdict { of: hash_of(row), is_done };
        self.content().verdicts.insert(index, verdict);
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

    fn add(&mut self, photos: Vec<SeenPhoto>) {
        for SeenPhoto { index, is_failure, to_review } in photos {
            let at = usize::try_from(index).unwrap_or(usize::MAX);
            if self.seen.get(at).copied().unwrap_or_default() {
                continue;
            }
            self.seen.resize(self.seen.len().max(at + 1), false);
            self.seen[at] = true;
            self.count += 1;
            if is_failure {
                self.failed.insert(index);
            }
            self.queue.extend(to_review);
        }
        self.queue.sort_by(ReviewItem::rank);
    }
}

impl SeenPhoto {
    /// Returns `None` for a photo without an outcome.
    fn new(photo: Item) -> Option<SeenPhoto> {
        let Item { index, id, outcome, .. } = photo;
        let outcome = outcome?;
        let row = BatchRow::from_stored(outcome.json().as_bytes());
        let item = ReviewItem::from_row(&id, index, &row);
        // The questions are in the photo's own answer.
        let to_review = item.needs_review().then(|| ReviewItem { questions: Vec::new(), ..item });
        Some(SeenPhoto { index, is_failure: outcome.is_failure(), to_review })
    }
}

/// Returns a hash that tells corrections of a photo apart.
fn hash_of(row: &CorrectionRow) -> [u8; 32] {
    let json = serde_json::to_vec(row).expect("its keys are texts");
    Sha256::digest(json).into()
}
