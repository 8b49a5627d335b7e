//! Writes the outcomes of the photos in the order of the plan.
//!
//! Input: the jobs of the chunks, as workers complete them. Output: the files of results.
//! Invariant: a row is written only after all rows before it, so that the files do not depend on
//! the order of reading; a chunk whose rows are written releases its photos and makes room for
//! another.

use std::future::pending;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tilesight_jobs::batch::Summary;
use tilesight_jobs::batch::result_files::ResultFiles;
use tilesight_jobs::corrections::BatchCorrections;
use tilesight_jobs::plan::{BatchPlan, PlanChunk};
use tilesight_jobs::{Backend, Item, StoreError};
use tokio::sync::{Semaphore, watch};
use tokio::time::sleep;

use super::overlays::Overlays;
use super::progress::BatchProgress;

/// Rows that are fetched at once.
const PAGE: usize = 32;
/// First pause before the next row is polled again, and the longest one: a photo takes about a
/// tenth of a second.
const FIRST_WAIT: Duration = Duration::from_millis(10);
const MAX_WAIT: Duration = Duration::from_millis(200);
/// Interval between queries of the progress.
const CHECK_INTERVAL: Duration = Duration::from_millis(500);
/// Time without any progress after which a fleet's user is asked whether there is a worker.
const SILENCE: Duration = Duration::from_secs(30);

/// Message when no outcome arrives from a fleet.
const NOBODY: &str = "no photo was read for 30 s: is a `tilesight worker` of this version, with these models, \
                      running on the same NATS?";

/// Time since the last progress.
#[derive(Debug)]
struct Silence {
    done: u64,
    since: Instant,
    reported: bool,
}

impl Silence {
    fn new() -> Silence {
        Silence { done: 0, since: Instant::now(), reported: false }
    }

    /// Returns whether there was no progress for a long time; reports each such period once.
    fn is_long(&mut self, done: u64) -> bool {
        if done != self.done {
            *self = Silence { done, ..Silence::new() };
        }
        let long = self.since.elapsed() >= SILENCE && !self.reported;
        self.reported |= long;
        long
    }
}

/// Writer of the rows.
#[derive(Debug)]
pub(super) struct Collector {
    pub(super) backend: Backend,
    /// Whether the back end is on another machine: it may be unavailable for a while. A local one
    /// may not.
    pub(super) remote: bool,
    pub(super) plan: Arc<BatchPlan>,
    /// People's corrections of photos.
    pub(super) corrections: BatchCorrections,
    pub(super) overlays: Option<Overlays>,
    pub(super) progress: Arc<BatchProgress>,
    pub(super) room: Arc<Semaphore>,
    /// Maximum number of chunks in progress at once.
    pub(super) ahead: usize,
    /// Number of leading entries whose jobs have no outcome that is to be replaced.
    pub(super) prepared: watch::Receiver<u64>,
    pub(super) stop: watch::Receiver<bool>,
}

impl Collector {
    /// Writes all rows; returns `None` if it was stopped before.
    ///
    /// # Errors
    /// When the store is broken or the files can't be written.
    pub(super) async fn run(mut self, mut files: ResultFiles) -> anyhow::Result<Option<Summary>> {
        let plan = Arc::clone(&self.plan);
        let mut looked = Instant::now();
        let mut silence = Silence::new();
        for (place, chunk) in plan.chunks().iter().enumerate() {
            if !self.is_prepared(chunk).await {
                return Ok(None);
            }
            let mut at = 0;
            let mut wait: Option<Duration> = None;
            while at < chunk.entries {
                let items = self.ready(chunk, at, wait.is_some()).await?;
                at += items.len() as u64;
                if let Some(last) = items.last() {
                    self.write(&mut files, chunk, &items).await?;
                    self.progress.set_done(chunk.first + last.index + 1);
                    wait = None;
                    continue;
                }
                files.flush()?;
                let pause = wait.map_or(FIRST_WAIT, |wait| (wait * 2).min(MAX_WAIT));
                wait = Some(pause);
                tokio::select! {
                    () = sleep(pause) => {}
                    _ = self.stop.wait_for(|stop| *stop) => return Ok(None),
                }
                if looked.elapsed() >= CHECK_INTERVAL {
                    looked = Instant::now();
                    let done = chunk.first + self.count_done(&plan.chunks()[place..]).await?;
                    self.progress.show_done(done);
                    if self.remote && silence.is_long(done) {
                        self.progress.print(NOBODY);
                    }
                }
            }
            self.release_photos(chunk).await?;
            self.room.add_permits(1);
        }
        if let Some(unmatched) = self.corrections.unmatched() {
            self.progress.print(&unmatched);
        }
        Ok(Some(files.finish()?))
    }

    /// Waits until the job of a chunk may be looked at; returns whether it may, or the batch was
    /// stopped before.
    async fn is_prepared(&mut self, chunk: &PlanChunk) -> bool {
        let prepared = async {
            if self.prepared.wait_for(|entries| *entries > chunk.first).await.is_err() {
                // The feeder failed, and the batch ends with its error.
                pending::<()>().await;
            }
        };
        tokio::select! {
            biased;
            () = prepared => true,
            _ = self.stop.wait_for(|stop| *stop) => false,
        }
    }

    /// Returns the items of a chunk, from an index on, that have their outcomes. While an item is
    /// waited for, only that one is fetched.
    async fn ready(
        &self,
        chunk: &PlanChunk,
        from: u64,
        waiting: bool,
    ) -> Result<Vec<Item>, StoreError> {
        let max = if waiting { 1 } else { PAGE };
        match self.backend.store.items(&chunk.job, from, max).await {
            Ok(items) => Ok(items.into_iter().take_while(|item| item.outcome.is_some()).collect()),
            Err(error @ StoreError::Unavailable { .. }) if self.remote => {
                tracing::warn!(%error, "results can't be fetched; trying again");
                Ok(Vec::new())
            }
            Err(error) => Err(error),
        }
    }

    /// Releases the photos of a chunk whose rows are written. A store on another machine that can't
    /// be reached is not asked again: the sweep of the fleet releases photos of jobs that ended.
    async fn release_photos(&self, chunk: &PlanChunk) -> Result<(), StoreError> {
        match self.backend.store.drop_photos(&chunk.job).await {
            Err(error @ StoreError::Unavailable { .. }) if self.remote => {
                tracing::warn!(%error, "photos can't be released; the fleet does it later");
                Ok(())
            }
            done => done,
        }
    }

    async fn write(
        &mut self,
        files: &mut ResultFiles,
        chunk: &PlanChunk,
        items: &[Item],
    ) -> anyhow::Result<()> {
        for item in items {
            let read = item.outcome.as_ref().expect("only those with one are ready");
            let outcome = self.corrections.apply(item, read);
            let overlay = self.overlays.as_ref().and_then(|_| Overlays::file_of(item));
            let index = chunk.first + item.index;
            files.add(&item.id, index, &outcome, overlay.as_deref())?;
            tilesight_failpoint::point!("batch.row");
        }
        if let Some(overlays) = &mut self.overlays {
            overlays.place(&self.plan, chunk, items).await?;
        }
        Ok(())
    }

    /// Returns the number of photos of these chunks that have their outcomes; only the first
    /// `ahead` chunks can have any.
    async fn count_done(&self, chunks: &[PlanChunk]) -> Result<u64, StoreError> {
        let mut done = 0;
        for chunk in chunks.iter().take(self.ahead) {
            match self.backend.store.job(&chunk.job).await {
                Ok(Some(job)) => done += job.progress.read + job.progress.failed,
                Ok(None) => {}
                Err(StoreError::Unavailable { .. }) if self.remote => {}
                Err(error) => return Err(error),
            }
        }
        Ok(done)
    }
}
