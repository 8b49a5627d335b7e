//! Clears away what is over: jobs whose time is over, photos of jobs that ended, outcomes that
//! nobody refers to.
//!
//! Input: a store. Output: room in it. Any number of processes may do this for the same store at
//! once: each step may be done twice. Invariant: nothing is removed that a job which has not ended
//! refers to.

use std::time::Duration;

use super::{ExpiryReport, Job, JobState, Name, Selection, Store, StoreError, Timestamp};

/// How often what is over is cleared away.
pub const EVERY: Duration = Duration::from_secs(1800);
/// Jobs that are looked at at once.
const PAGE: usize = 500;

/// Clears away what is over now, and tells what expired.
///
/// # Errors
/// [`StoreError`]; what was not cleared away is still there for the next time.
pub async fn clear(store: &dyn Store, now: Timestamp) -> Result<ExpiryReport, StoreError> {
    // The process that saw them running may be gone.
    for job in all(store, false).await?.iter().filter(|job| is_over(job) && !job.keeps_photos()) {
        store.drop_photos(&job.new.id).await?;
    }
    let expired = store.expire(now).await?;
    if expired.jobs > 0 {
        tracing::info!(jobs = expired.jobs, photos = expired.photos, "jobs expired");
    }
    Ok(expired)
}

/// The same, unless somebody did or began to less than [`EVERY`] ago: of a thousand workers one
/// does it. `None` when it was not due.
///
/// # Errors
/// As [`clear`].
pub async fn clear_if_due(
    store: &dyn Store,
    now: Timestamp,
) -> Result<Option<ExpiryReport>, StoreError> {
    let (kind, id): (Name, Name) = (name("sweep"), name("last"));
    let last = store.load(&kind, &id).await?;
    let began = last.as_ref().and_then(|(_, time)| serde_json::from_slice::<Timestamp>(time).ok());
    if began.is_some_and(|began| now < began.after(EVERY)) {
        return Ok(None);
    }
    let time = serde_json::to_vec(&now).expect("a number");
    match store.save(&kind, &id, last.map(|(revision, _)| revision), &time).await {
        Ok(_) => clear(store, now).await.map(Some),
        // Somebody else found that it was due, and does it.
        Err(StoreError::Conflict) => Ok(None),
        Err(error) => Err(error),
    }
}

/// All jobs, or all that have not ended.
///
/// # Errors
/// [`StoreError`].
pub async fn all(store: &dyn Store, unfinished: bool) -> Result<Vec<Job>, StoreError> {
    let mut which = Selection { unfinished, most: PAGE, ..Selection::default() };
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
