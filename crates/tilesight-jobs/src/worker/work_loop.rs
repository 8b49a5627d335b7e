//! Loop of a worker: one task at a time, from its lease to its end.
//!
//! Every path through [`WorkerLoop::handle`] ends in exactly one of the queue's `complete`, `fail`
//! and `give_back`, or in an error after which the lease is given back as soon as the queue can be
//! reached.

use std::convert::Infallible;
use std::future::{Future, pending};
use std::sync::Arc;
use std::time::Duration;

use tilesight_core::contract::{Problem, ProblemKind};
use tilesight_vision::Reader;
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::isolation::ReadPermit;
use super::task_photos::{TaskPhotos, TaskProgress};
use super::task_sets::TaskSetsError;
use super::{ForeignTasks, MAX_FAILURES, Worker, WorkerError, WorkerPermit, WorkerTally};
use crate::worker_threads;
use crate::{
    Lease, MAX_ATTEMPTS, Outcome, Priority, QueueError, Standing, Store, StoreError, Task,
};

/// Time to wait for a task before checking whether to stop.
const MAX_WAIT: Duration = Duration::from_secs(1);
/// Pauses after a failure of the back end: the first, and the longest.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const MAX_PAUSE: Duration = Duration::from_secs(15);

/// Loop that handles one task at a time.
#[derive(Debug)]
pub(super) struct WorkerLoop {
    worker: Worker,
    stops: [watch::Receiver<bool>; 2],
    pub(super) tally: WorkerTally,
    /// Number of consecutive readings that failed through no fault of their photos.
    failures: u32,
    /// Lease that could not be given back yet: until it is, its reading counts as an attempt at its
    /// photo. Until then the task also stays as isolated as it was read: if another photo crashed
    /// the process now, the attempt would never be withdrawn.
    owed: Option<(Lease, Option<ReadPermit>)>,
}

/// Result of an attempt to read a photo.
#[derive(Debug)]
enum Attempt {
    /// The outcome is known and must be written.
    Answer(Outcome),
    /// The photo is probably at fault: its reading panicked, or its stored bytes are corrupt.
    Poison(String),
    /// The networks are probably at fault: they failed, or the reading timed out.
    Failure(String),
    /// The worker was asked to stop before the photo's permit was granted, or another worker may
    /// hold the task by now.
    Stopped,
    /// The task may have crashed a worker, and so may another task that is being read.
    Suspect,
}

/// Reason why a task was left unchanged.
#[derive(Debug)]
enum Trouble {
    Queue(QueueError),
    Store(StoreError),
    /// The task is for an engine that this worker does not have.
    Foreign,
    /// The task must run alone, and another such task is running.
    Crowded,
}

impl From<QueueError> for Trouble {
    fn from(error: QueueError) -> Trouble {
        Trouble::Queue(error)
    }
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Trouble {
        Trouble::Store(error)
    }
}

impl WorkerLoop {
    pub(super) fn new(worker: Worker, stops: [watch::Receiver<bool>; 2]) -> WorkerLoop {
        WorkerLoop { worker, stops, tally: WorkerTally::default(), failures: 0, owed: None }
    }

    /// Takes tasks until the worker is asked to stop.
    pub(super) async fn work(&mut self) -> Result<(), WorkerError> {
        let mut pause = FIRST_PAUSE;
        while !self.is_stopped() {
            match self.next().await {
                Ok(()) => pause = FIRST_PAUSE,
                Err(trouble) => {
                    trouble.log_or_fail()?;
                    let mut stops = self.stops.clone();
                    tokio::select! { () = sleep(pause) => (), () = wait_for_stop(&mut stops) => () }
                    pause = (pause * 2).min(MAX_PAUSE);
                }
            }
            if self.failures >= MAX_FAILURES {
                return Err(WorkerError::Broken { readings: self.failures });
            }
        }
        // Last chance to report that this worker is alive; without it, the worker counts as
        // vanished.
        let _ = self.settle().await;
        Ok(())
    }

    fn is_stopped(&self) -> bool {
        self.stops.iter().any(|stop| *stop.borrow() || stop.has_changed().is_err())
    }

    /// Gives back the lease that is still owed.
    async fn settle(&mut self) -> Result<(), QueueError> {
        if let Some((lease, _)) = &self.owed {
            self.worker.backend.queue.give_back(lease.clone()).await?;
            self.owed = None;
        }
        Ok(())
    }

    /// Waits for one task and handles it. The wait is never interrupted: a lease that got lost this
    /// way would block its task until it expires.
    async fn next(&mut self) -> Result<(), Trouble> {
        self.settle().await?;
        let Some(lease) =
            self.worker.backend.queue.lease(&self.worker.settings.name, MAX_WAIT).await?
        else {
            return Ok(());
        };
        tilesight_failpoint::point!("worker.leased", "attempt={}", lease.attempt);
        let kept = lease.clone();
        let mut isolated = None;
        let ended = self.handle(lease, &mut isolated).await;
        if ended.is_err() {
            // The task is not at fault, so this was no attempt. If giving the lease back fails too,
            // it is retried when the queue can be reached again.
            self.owed = Some((kept, isolated));
            let _ = self.settle().await;
        }
        ended
    }

    /// Handles a task until its end is reported. `isolated` is set if its photo is read.
    async fn handle(
        &mut self,
        lease: Lease,
        isolated: &mut Option<ReadPermit>,
    ) -> Result<(), Trouble> {
        // An earlier holder may have died, or lost the queue, between the outcome of its last
        // attempt and the report.
        if self.store().standing(&lease.task.key).await? != Standing::Wanted {
            self.tally.skipped += 1;
            return self.report_answered(lease).await;
        }
        if lease.is_spent() {
            let reason = "each worker that read it vanished".to_owned();
            return self.record_failure(lease, reason).await;
        }
        let reader = match self.hold(&lease, self.reader(&lease.task)).await {
            Ok(reader) => reader,
            Err(TaskSetsError::Store(StoreError::Corrupt { reason })) => {
                return self.record_failure(lease, reason).await;
            }
            Err(TaskSetsError::Store(error)) => return Err(error.into()),
            Err(error) => return self.record_failure(lease, error.to_string()).await,
        };
        if self.is_foreign(&lease.task, &reader) {
            return Err(Trouble::Foreign);
        }
        if self.is_forged(&lease.task, &reader) {
            return self.refuse(lease).await;
        }
        let attempt = self.hold(&lease, self.attempt(&lease, &reader, isolated)).await?;
        match attempt {
            Attempt::Answer(outcome) => {
                self.failures = 0;
                self.tally.read += 1;
                let writing = self.store().put_outcome(&lease.task.key, &outcome);
                self.hold(&lease, writing).await?;
                tilesight_failpoint::point!("worker.written", "attempt={}", lease.attempt);
                self.complete(lease).await
            }
            Attempt::Poison(reason) => self.record_failure(lease, reason).await,
            Attempt::Failure(reason) => {
                self.failures += 1;
                self.record_failure(lease, reason).await
            }
            Attempt::Stopped => Ok(self.worker.backend.queue.give_back(lease).await?),
            Attempt::Suspect => Err(Trouble::Crowded),
        }
    }

    fn store(&self) -> &dyn Store {
        self.worker.backend.store.as_ref()
    }

    /// Returns the reader that has the own sets of a task.
    async fn reader(&self, task: &Task) -> Result<Arc<Reader>, TaskSetsError> {
        self.worker.set_readers.for_task(&self.worker.reader, self.store(), task).await
    }

    fn is_foreign(&self, task: &Task, reader: &Reader) -> bool {
        let foreign = self.worker.engine_for(task, reader) != Ok(task.engine);
        if foreign && self.worker.settings.foreign == ForeignTasks::GiveBack {
            tracing::warn!(engine = %task.engine, "a task is for another version, other networks or other own sets");
            return true;
        }
        false
    }

    /// Returns whether another photo or another request was put under the key. Only keys for this
    /// engine can be recomputed here.
    fn is_forged(&self, task: &Task, reader: &Reader) -> bool {
        self.worker.engine_for(task, reader) == Ok(task.engine) && !task.fits_its_key()
    }

    /// Removes a forged task from the queue, and writes no outcome: jobs that want the key keep
    /// waiting for the genuine task, which is pushed again.
    async fn refuse(&mut self, lease: Lease) -> Result<(), Trouble> {
        self.tally.failed += 1;
        let Task { key, table, .. } = &lease.task;
        let photo = table.photo;
        tracing::error!(%key, %photo, "a task does not match its key and is refused: check who can write to the queue");
        let last = Lease { failures: MAX_ATTEMPTS, ..lease };
        self.give_up(last, "the task does not match its key").await
    }

    /// Runs a future while the lease is extended periodically.
    async fn hold<T>(&self, lease: &Lease, work: impl Future<Output = T>) -> T {
        tokio::select! { result = work => result, never = self.extend(lease) => match never {} }
    }

    async fn extend(&self, lease: &Lease) -> Infallible {
        loop {
            sleep(self.worker.settings.heartbeat).await;
            match self.worker.backend.queue.extend(lease).await {
                Ok(()) => {}
                // Another worker may read the photo too; the outcome is the same, whichever
                // finishes first.
                Err(QueueError::Lost) => return pending().await,
                Err(error) => tracing::warn!(%error, "a lease could not be extended"),
            }
        }
    }

    /// Fetches the photos of the task, waits for a permit, records that the reading begins, and
    /// reads the photos one after the other.
    async fn attempt(
        &self,
        lease: &Lease,
        reader: &Arc<Reader>,
        isolated: &mut Option<ReadPermit>,
    ) -> Result<Attempt, Trouble> {
        let mut photos = match TaskPhotos::fetch(self.store(), &lease.task, &self.worker.book).await
        {
            Ok(Ok(photos)) => photos,
            Ok(Err(outcome)) => return Ok(Attempt::Answer(outcome)),
            // A fleet with several copies may have an intact one.
            Err(StoreError::Corrupt { reason }) => return Ok(Attempt::Poison(reason)),
            Err(error) => return Err(error.into()),
        };
        *isolated = self.worker.isolation.enter(lease.attempt).await;
        let Some(company) = isolated.as_ref().map(ReadPermit::company) else {
            return Ok(Attempt::Suspect);
        };
        let Some(mut permit) = self.permit(&photos).await else { return Ok(Attempt::Stopped) };
        match self.worker.backend.queue.begin(lease, company).await {
            Ok(()) => {}
            Err(QueueError::Lost) => return Ok(Attempt::Stopped),
            Err(error) => return Err(error.into()),
        }
        // Logged before the reading: if the process dies, the log shows the photo.
        tracing::debug!(photo = %lease.task.table.photo, "reading");
        loop {
            photos = match self.read(photos, reader, permit, lease).await {
                Ok(TaskProgress::More(photos)) => *photos,
                Ok(TaskProgress::Done(outcome)) => {
                    tilesight_failpoint::point!("worker.read", "attempt={}", lease.attempt);
                    return Ok(Attempt::Answer(outcome));
                }
                Err(attempt) => return Ok(attempt),
            };
            permit = match self.permit(&photos).await {
                Some(permit) => permit,
                None => return Ok(Attempt::Stopped),
            };
        }
    }

    /// Waits until the next photo may be read; returns `None` if the worker must stop first.
    async fn permit(&self, photos: &TaskPhotos) -> Option<WorkerPermit> {
        let mut stops = self.stops.clone();
        tokio::select! {
            permit = self.worker.host.permit(photos.next()) => Some(permit),
            () = wait_for_stop(&mut stops) => None,
        }
    }

    /// Reads one photo on a thread of its own.
    async fn read(
        &self,
        photos: TaskPhotos,
        reader: &Arc<Reader>,
        permit: WorkerPermit,
        lease: &Lease,
    ) -> Result<TaskProgress, Attempt> {
        let host = Arc::clone(&self.worker.host);
        let reader = Arc::clone(reader);
        let attempt = lease.attempt;
        let photo = lease.task.table.photo;
        let reading = worker_threads::run(move || {
            tilesight_failpoint::point!("worker.reading", "attempt={attempt} photo={photo}");
            let progress = photos.read(&reader, host.as_ref());
            // Dropped only now: an abandoned thread keeps its permit as long as it keeps its
            // memory.
            drop(permit);
            progress
        });
        let limit = self.worker.settings.max_reading_time;
        match timeout(limit, reading).await {
            Ok(Ok(Ok(progress))) => Ok(progress),
            Ok(Ok(Err(error))) => Err(Attempt::Failure(error.to_string())),
            Ok(Err(_)) => Err(Attempt::Poison("reading it panicked".to_owned())),
            Err(_) => {
                let reason = format!("reading took longer than {} s", limit.as_secs());
                Err(Attempt::Failure(reason))
            }
        }
    }

    /// Removes a task from the queue. A job may have come to want the task between the check of the
    /// store and this call, when a push still found it in the queue: the task is then pushed again.
    async fn complete(&self, lease: Lease) -> Result<(), Trouble> {
        let task = lease.task.clone();
        self.worker.backend.queue.complete(lease).await?;
        if self.store().standing(&task.key).await? == Standing::Wanted {
            self.worker.backend.queue.push(&[task], Priority::Normal).await?;
        }
        Ok(())
    }

    /// Reports a failed attempt. The last attempt leaves an outcome, so that no job waits for it
    /// forever.
    async fn record_failure(&mut self, lease: Lease, reason: String) -> Result<(), Trouble> {
        self.tally.failed += 1;
        let key = lease.task.key;
        tracing::warn!(%key, attempt = lease.attempt, reason, "a photo could not be read");
        if lease.is_last() {
            self.store().put_outcome(&key, &failure_outcome()).await?;
            tilesight_failpoint::point!("worker.given_up");
        }
        self.give_up(lease, &reason).await
    }

    /// Reports the end of a task that is answered or not wanted any more. One that was given up
    /// gets its dead letter, which the holder that gave it up may not have written.
    async fn report_answered(&mut self, lease: Lease) -> Result<(), Trouble> {
        if self.store().outcome(&lease.task.key).await? != Some(failure_outcome()) {
            return self.complete(lease).await;
        }
        let last = Lease { failures: MAX_ATTEMPTS, ..lease };
        self.give_up(last, "an earlier worker gave it up").await
    }

    async fn give_up(&self, lease: Lease, reason: &str) -> Result<(), Trouble> {
        match self.worker.backend.queue.fail(lease, reason).await {
            Ok(_) | Err(QueueError::Lost) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }
}

impl Trouble {
    /// Returns an error if a retry makes no sense; otherwise logs the trouble.
    fn log_or_fail(self) -> Result<(), WorkerError> {
        match self {
            Trouble::Queue(error @ QueueError::Corrupt { .. }) => Err(WorkerError::Queue(error)),
            Trouble::Store(
                error @ (StoreError::Corrupt { .. } | StoreError::UnknownLayout { .. }),
            ) => Err(WorkerError::Store(error)),
            Trouble::Queue(error) => {
                tracing::warn!(%error, "the queue did not answer");
                Ok(())
            }
            Trouble::Store(error) => {
                tracing::warn!(%error, "the store did not answer");
                Ok(())
            }
            Trouble::Foreign | Trouble::Crowded => Ok(()),
        }
    }
}

/// Resolves when one of the channels says `true` or its sender is gone.
async fn wait_for_stop(stops: &mut [watch::Receiver<bool>; 2]) {
    let [one, other] = stops;
    tokio::select! { _ = one.wait_for(|stop| *stop) => (), _ = other.wait_for(|stop| *stop) => () }
}

/// Returns the outcome of a task that was given up, with the same words for every failure: it must
/// not show which attempt was the last. The reason is in the dead letter.
fn failure_outcome() -> Outcome {
    let detail = format!("reading the photo failed {MAX_ATTEMPTS} times");
    Outcome::from_problem(Problem::new(ProblemKind::Internal, detail))
}
