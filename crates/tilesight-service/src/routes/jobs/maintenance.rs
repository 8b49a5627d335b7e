//! Background work of a service for its jobs: reads photos, delivers webhooks, removes expired
//! data.
//!
//! Input: a service whose models are loaded. Output: outcomes, messages, and free space.
//! Invariants: when asked to stop, the maintenance takes no more photos, gives back those it has
//! not begun, finishes the others, and then ends; a task that fails is retried, and does not
//! prevent the other tasks; several services may do all of this for the same store at once.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use tilesight_jobs::retention::time_to_clear;
use tilesight_jobs::{
    Job, JobId, JobState, Settings, StoreError, SubmitError, Timestamp, Worker, retention, sweep,
};
use tilesight_vision::Reader;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use super::idle_host::IdleHost;
use super::webhook::{Delivery, WebhookDelivery};
use super::{Jobs, idempotency, priority};
use crate::Service;
use crate::routes::games::Games;
use crate::routes::journals;
use crate::routes::series::AllSeries;

/// Interval between checks for jobs that have ended: someone may be waiting for a message.
const TICK: Duration = Duration::from_secs(1);
/// Interval between searches for photos that are in no queue: because a queue was full, or because
/// a service died between the store and the queue.
const RESUMING: Duration = Duration::from_secs(120);
/// Delay before the worker restarts after it stopped by itself.
const REST: Duration = Duration::from_secs(30);

/// Background worker for the jobs of a service.
#[derive(Debug)]
pub struct JobMaintenance {
    service: Service,
    jobs: Arc<Jobs>,
    /// Jobs that had not ended at the last look.
    running: HashSet<JobId>,
}

impl JobMaintenance {
    /// Returns a maintenance for the jobs of this service; `None` if the service accepts no jobs.
    #[must_use]
    pub fn new(service: &Service) -> Option<JobMaintenance> {
        let jobs = service.jobs().ok()?;
        Some(JobMaintenance { service: service.clone(), jobs, running: HashSet::new() })
    }

    /// Works until the service stops.
    pub async fn run(mut self, reader: Arc<Reader>, worker: Settings) {
        let mut stop = self.service.stop_signal();
        let working =
            tokio::spawn(work(self.service.clone(), Arc::clone(&self.jobs), reader, worker));
        let delivery = WebhookDelivery::new(&self.jobs, Arc::clone(self.service.metrics()));
        let mut deliveries = JoinSet::new();
        let mut resuming = Instant::now();
        let mut sweeping = Instant::now();
        while !*stop.borrow() {
            warn("webhooks", delivery.round(&mut deliveries).await);
            while deliveries.try_join_next().is_some() {}
            warn("jobs", self.drop_ended_photos().await);
            if due(&mut resuming, RESUMING) {
                warn("the queue", self.resume().await);
            }
            if due(&mut sweeping, retention::INTERVAL) {
                warn("the sweep", self.sweep(Timestamp::now()).await);
            }
            tokio::select! { () = sleep(TICK) => {}, _ = stop.wait_for(|stop| *stop) => {} }
        }
        // The next service sends an interrupted message again.
        deliveries.shutdown().await;
        if let Err(error) = working.await {
            tracing::error!(%error, "the worker panicked");
        }
    }

    /// Removes the photos of jobs that have ended since the last look, except those of jobs that
    /// keep their photos.
    async fn drop_ended_photos(&mut self) -> Result<(), StoreError> {
        self.running.extend(self.jobs.take_created());
        let unfinished = ids(sweep::all(self.jobs.backend.store.as_ref(), true).await?);
        let ended: Vec<JobId> = self.running.difference(&unfinished).copied().collect();
        for job in ended {
            let store = &self.jobs.backend.store;
            if store.job(&job).await?.is_some_and(|job| job.keeps_photos()) {
                self.running.remove(&job);
                continue;
            }
            match store.drop_photos(&job).await {
                // The job was deleted meanwhile, and its photos with it.
                Ok(()) | Err(StoreError::NoJob) => self.running.remove(&job),
                Err(error) => return Err(error),
            };
        }
        self.running.extend(unfinished);
        Ok(())
    }

    /// Queues photos that are in no queue.
    async fn resume(&self) -> Result<(), SubmitError> {
        let jobs = sweep::all(self.jobs.backend.store.as_ref(), true).await?;
        for job in jobs.iter().filter(|job| job.state() == JobState::Running) {
            let new = self.jobs.backend.resume(&job.new.id, priority(job.progress.total)).await?;
            if new > 0 {
                tracing::info!(job = %job.new.id, new, "photos of a job were queued again");
            }
        }
        Ok(())
    }

    /// Removes expired jobs, keys, webhooks, games and series, and the remains of interrupted
    /// requests.
    pub(super) async fn sweep(&self, now: Timestamp) -> Result<(), StoreError> {
        let store = self.jobs.backend.store.as_ref();
        let until = time_to_clear(store, now).await?;
        for job in sweep::all(store, true).await? {
            // Twice the time that a request may take: by then the client has long received an
            // error.
            let may_arrive = job.new.created.saturating_add(self.jobs.limits.upload * 2) >= until;
            if job.state() == JobState::Open && !may_arrive {
                store.delete(&job.new.id).await?;
            }
        }
        sweep::clear(store, until).await?;
        let left = ids(sweep::all(store, false).await?);
        // Gone are also those that another service removed.
        self.jobs.remove_gone(|job| !left.contains(job));
        idempotency::sweep(store, until).await?;
        Delivery::sweep(store).await?;
        tilesight_jobs::corrections::sweep(store).await?;
        journals::sweep::<Games>(&self.service, until).await?;
        journals::sweep::<AllSeries>(&self.service, until).await
    }
}

fn ids(jobs: Vec<Job>) -> HashSet<JobId> {
    jobs.into_iter().map(|job| job.new.id).collect()
}

/// Returns whether a task is due now; if so, it is due again after `pause`.
fn due(next: &mut Instant, pause: Duration) -> bool {
    let now = Instant::now();
    let due = *next <= now;
    if due {
        *next = now + pause;
    }
    due
}

fn warn(what: &str, done: Result<(), impl std::fmt::Display>) {
    if let Err(error) = done {
        tracing::warn!(%error, "{what}: this round failed; trying again");
    }
}

/// Reads photos until the service stops.
async fn work(service: Service, jobs: Arc<Jobs>, reader: Arc<Reader>, settings: Settings) {
    let at_once = jobs.limits.workers;
    if at_once == 0 {
        return;
    }
    let mut stop = service.stop_signal();
    let book = Arc::clone(service.book());
    let host = Arc::new(IdleHost(service));
    let worker = Worker::new(jobs.backend.clone(), reader, host, settings).with_book(book);
    while !*stop.borrow() {
        match worker.run(at_once, &stop).await {
            Ok(tally) => tracing::info!(?tally, "the worker stopped"),
            Err(error) => tracing::error!(%error, "the worker stopped"),
        }
        tokio::select! { () = sleep(REST) => {}, _ = stop.wait_for(|stop| *stop) => {} }
    }
}
