//! Removal of expired jobs, photos of jobs that ended, and outcomes that no job refers to.
//!
//! Input: a store. Output: free space in it. Any number of processes may do this for the same store
//! concurrently: each step is idempotent. Invariant: nothing is removed that a job which has not
//! ended refers to.

use crate::retention::{INTERVAL, time_to_clear};
use crate::{ExpiryReport, Job, JobState, Name, Selection, Store, StoreError, Timestamp};

/// Number of jobs that are processed at once.
const PAGE: usize = 500;

/// Sweeps the store now, and returns the numbers of expired objects.
///
/// # Errors
/// [`StoreError`]; the next sweep removes what this one could not.
pub async fn clear(store: &dyn Store, now: Timestamp) -> Result<ExpiryReport, StoreError> {
    // The process that ran these jobs may be gone.
    for job in all(store, false).await?.iter().filter(|job| is_over(job) && !job.keeps_photos()) {
        store.drop_photos(&job.new.id).await?;
    }
    let expired = store.expire(now).await?;
    if expired.jobs > 0 {
        tracing::info!(jobs = expired.jobs, photos = expired.photos, "jobs expired");
    }
    Ok(expired)
}

/// Like [`clear`], but does nothing if any process began a sweep less than [`INTERVAL`] ago, so
/// that one of a thousand workers does it. Returns `None` if no sweep was due.
///
/// # Errors
/// As [`clear`].
pub async fn clear_if_due(
    store: &dyn Store,
    now: Timestamp,
) -> Result<Option<ExpiryReport>, StoreError> {
    let kind: Name = name("sweep");
    let id: Name = name("last");
    let last = store.load(&kind, &id).await?;
    let began = last.as_ref().and_then(|(_, time)| serde_json::from_slice::<Timestamp>(time).ok());
    // A time to come is that of a clock that was set back since.
    if began.is_some_and(|began| began <= now && now < began.saturating_add(INTERVAL)) {
        return Ok(None);
    }
    let time = serde_json::to_vec(&now).expect("a number");
    match store.save(&kind, &id, last.map(|(revision, _)| revision), &time).await {
        Ok(_) => clear(store, time_to_clear(store, now).await?).await.map(Some),
        // Another process found that a sweep was due, and does it.
        Err(StoreError::Conflict) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns all jobs, or all unfinished ones.
///
/// # Errors
/// [`StoreError`].
pub async fn all(store: &dyn Store, unfinished: bool) -> Result<Vec<Job>, StoreError> {
    let mut which = Selection { unfinished, max_jobs: PAGE, ..Selection::default() };
    let mut all = Vec::new();
    loop {
        let page = store.jobs(&which).await?;
        let Some(last) = page.last() else { return Ok(all) };
        which.before = Some(last.new.id);
        all.extend(page);
    }
}

fn is_over(job: &Job) -> bool {
    matches!(job.state(), JobState::Finished | JobState::Cancelled)
}

fn name(text: &str) -> Name {
    text.parse().expect("it has letters only")
}
