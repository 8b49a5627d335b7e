//! Reading of the photos of one request with the permits that it holds.
//!
//! Input: a plan of photos, and the upload permit of their request. Output: the settled table, or
//! the problems of all photos that can't be used. At most as many photos are looked at at a time as
//! there are waiting permits and free workers. A permit whose photo was looked at takes the next
//! photo, and is given back when no photo is left. A hand is decided on the worker of the last of
//! its photos, and the table is settled on that of the last hand. Invariant: every photo waits for
//! its worker in the same queue as the photos of other requests; a hand that is finished holds no
//! worker while others wait; a client that leaves gives all permits back, those of work in progress
//! when it ends at its next checkpoint.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use futures_util::future::{try_join, try_join_all};
use tilesight_core::context::ContextSetup;
use tilesight_core::contract::{HandField, Problem};
use tilesight_core::rules::Profile;
use tilesight_vision::contract::{HandPlan, TablePlan, no_hand_problem};
use tilesight_vision::{ReadError, ReadOptions, Reader, Reading, SeenPhoto, Status, TableReading};
use tokio::sync::Semaphore;

use crate::Service;
use crate::answer::failure::Failure;
use crate::guard::admission::{UploadPermit, WaitingPermit, WorkerPermit};

/// Table whose photos were read.
#[derive(Debug)]
pub(crate) struct ReadTable {
    /// Readings, settled.
    pub(crate) table: TableReading,
    /// Rule sets by which to score side by side.
    pub(crate) rulesets: Option<Vec<Arc<Profile>>>,
    /// Durations of the steps of the winner's photo, and the additional time that the other photos
    /// took.
    pub(crate) steps: Vec<(&'static str, Duration)>,
    /// Worker of the last photo, to write the answer with.
    pub(crate) worker: WorkerPermit,
}

/// A hand whose photos were looked at.
#[derive(Debug)]
struct HandResult {
    /// The reading, or the problems of the photos that can't be used.
    reading: Result<Reading, Vec<Problem>>,
    /// Time that the first photo waited for a worker.
    waited: Duration,
    /// Time when the hand was finished.
    ended: Instant,
    /// Worker of the hand, if it is the last of the request.
    worker: Option<WorkerPermit>,
}

/// A photo that was looked at.
#[derive(Debug)]
struct PhotoResult {
    seen: Result<SeenPhoto, ReadError>,
    /// Time that the photo waited for a worker.
    waited: Duration,
    /// Worker of the photo, if it is the last of its hand.
    worker: Option<WorkerPermit>,
}

/// Places of one request in the queue of photos.
struct Lanes<'a> {
    service: &'a Service,
    reader: &'a Arc<Reader>,
    /// Permits that wait for a photo.
    permits: Mutex<Vec<Arc<WaitingPermit>>>,
    /// Number of `permits`; photos wait here in the order of the request.
    free: Semaphore,
    /// Photos that have no permit yet.
    photos: AtomicUsize,
    /// Hands that are not finished.
    hands: AtomicUsize,
}

/// Reads the photos of a table and settles it.
pub(crate) async fn read_table(
    service: &Service,
    reader: &Arc<Reader>,
    permit: UploadPermit,
    plan: TablePlan<Bytes>,
) -> Result<ReadTable, Failure> {
    let photos = plan.photo_count();
    service.gate().take_photos(permit.client(), photos)?;
    let permits = permit.into_waiting(photos)?;
    let lanes = Lanes {
        service,
        reader,
        free: Semaphore::new(permits.len()),
        permits: Mutex::new(permits),
        photos: AtomicUsize::new(photos),
        hands: AtomicUsize::new(1 + plan.others.len()),
    };
    let TablePlan { ruleset, rulesets, winner, others, typed } = plan;
    let others = try_join_all(others.into_iter().map(|hand| lanes.read_hand(hand)));
    let (mut winner, mut others) = try_join(lanes.read_hand(winner), others).await?;
    let steps = steps(&winner, !others.is_empty());
    let worker = std::iter::once(&mut winner)
        .chain(&mut others)
        .find_map(|hand| hand.worker.take())
        .expect("the hand that is finished last leaves its worker");
    let (winner, others) = readings(winner, others)?;
    let settled = worker.run(move || TableReading::settle(ruleset, winner, others, typed));
    let (table, worker) = settled.await?;
    Ok(ReadTable { table, rulesets, steps, worker })
}

/// Returns the readings of the winner and of the other players, or the problems of all photos that
/// can't be used.
fn readings(
    winner: HandResult,
    others: Vec<HandResult>,
) -> Result<(Reading, Vec<Reading>), Failure> {
    let mut problems = Vec::new();
    let winner = winner.reading.map_err(|error| problems.extend(error)).ok();
    let mut readings = Vec::with_capacity(others.len());
    for hand in others {
        match hand.reading {
            Ok(reading) => readings.push(reading),
            Err(refused) => problems.extend(refused),
        }
    }
    match winner {
        Some(winner) if problems.is_empty() => Ok((winner, readings)),
        _ => Err(join_problems(problems).into()),
    }
}

/// Returns one problem that names all photos that can't be used.
fn join_problems(mut problems: Vec<Problem>) -> Problem {
    if problems.len() == 1 {
        return problems.swap_remove(0);
    }
    let kind = problems[0].kind;
    let errors = problems.into_iter().flat_map(|problem| problem.errors).collect();
    Problem::with_errors(kind, errors)
}

/// Returns the steps of the winner's photos, and the additional time that the other photos took.
fn steps(winner: &HandResult, has_others: bool) -> Vec<(&'static str, Duration)> {
    let mut steps = vec![("wait", winner.waited)];
    steps.extend(winner.reading.iter().flat_map(|reading| &reading.timings));
    if has_others {
        steps.push(("others", winner.ended.elapsed()));
    }
    steps
}

impl Lanes<'_> {
    /// Looks at the photos of a hand, each on a worker, and reads the hand on the last one's.
    async fn read_hand(&self, hand: HandPlan<Bytes>) -> Result<HandResult, Failure> {
        let places: Vec<_> = (0..hand.photos.len()).map(|at| hand.place_of(at)).collect();
        let HandPlan { place, photos, context, options } = hand;
        let unfinished = AtomicUsize::new(photos.len());
        let seen_photos = photos
            .into_iter()
            .enumerate()
            .map(|(at, photo)| self.see(photo, at, context, &options, &unfinished));
        let mut worker = None;
        let mut waited = None;
        let mut seen = Vec::new();
        let mut problems = Vec::new();
        for (photo, place) in try_join_all(seen_photos).await?.into_iter().zip(places) {
            waited = waited.or(Some(photo.waited));
            worker = worker.or(photo.worker);
            match photo.seen {
                Ok(photo) => seen.push(photo),
                Err(error @ ReadError::Model(_)) => return Err(error.into()),
                Err(error) => problems.push(Problem::from(&error).about_photo(place)),
            }
        }
        let worker = worker.expect("the photo that is finished last leaves its worker");
        let (reading, worker) = if problems.is_empty() {
            let (reading, worker) = self.decide(worker, seen, context, options).await?;
            (usable(reading, place)?, worker)
        } else {
            (Err(problems), worker)
        };
        let is_last = self.hands.fetch_sub(1, Ordering::Relaxed) == 1;
        Ok(HandResult {
            reading,
            waited: waited.unwrap_or_default(),
            ended: Instant::now(),
            worker: is_last.then_some(worker),
        })
    }

    /// Looks at a photo on a thread of its own, which keeps the worker until it is done. A photo
    /// that can't be used does not end the request.
    async fn see(
        &self,
        photo: Bytes,
        at: usize,
        context: ContextSetup,
        options: &ReadOptions,
        unfinished: &AtomicUsize,
    ) -> Result<PhotoResult, Failure> {
        let start = Instant::now();
        let permit = self.enter().await;
        let worker = permit.worker_for(&photo).await;
        let waited = start.elapsed();
        self.service.metrics().steps(&[("wait", waited)]);
        let service = self.service.clone();
        let reader = Arc::clone(self.reader);
        let options = options.clone();
        let seeing = worker.run(move || {
            let seen = reader.see_one_of(&photo, at, &context, &options);
            // Counted here, where the work is complete, even if the client has disconnected.
            if let Ok(seen) = &seen {
                service.metrics().steps(&seen.timings);
            }
            seen
        });
        let (seen, worker) = seeing.await?;
        self.leave(permit);
        let is_last = unfinished.fetch_sub(1, Ordering::Relaxed) == 1;
        Ok(PhotoResult { seen, waited, worker: is_last.then_some(worker) })
    }

    /// Reads a hand whose photos were looked at.
    async fn decide(
        &self,
        worker: WorkerPermit,
        photos: Vec<SeenPhoto>,
        context: ContextSetup,
        options: ReadOptions,
    ) -> Result<(Result<Reading, ReadError>, WorkerPermit), Failure> {
        let service = self.service.clone();
        let reader = Arc::clone(self.reader);
        let reading = worker.run(move || {
            let counted: Vec<&str> =
                photos.iter().flat_map(|seen| &seen.timings).map(|step| step.0).collect();
            let reading = reader.read_seen(photos, &context, options);
            if let Ok(reading) = &reading {
                // The steps of the pixel stages are counted already, photo by photo.
                let mut rest = reading.timings.clone();
                rest.retain(|(step, _)| !counted.contains(step));
                service.metrics().steps(&rest);
            }
            reading
        });
        reading.await
    }

    /// Waits until a permit of the request is free, and takes it.
    async fn enter(&self) -> Arc<WaitingPermit> {
        self.free.acquire().await.expect("it is never closed").forget();
        self.photos.fetch_sub(1, Ordering::Relaxed);
        self.lock().pop().expect("as many as the semaphore counts")
    }

    /// Gives a permit to the next photo, or back to other requests if every photo has one.
    fn leave(&self, permit: Arc<WaitingPermit>) {
        if self.photos.load(Ordering::Relaxed) > 0 {
            self.lock().push(permit);
            self.free.add_permits(1);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Arc<WaitingPermit>>> {
        self.permits.lock().expect("nothing panics while it is locked")
    }
}

/// Returns the reading of a hand, or the problem of a hand that can't be scored.
fn usable(
    reading: Result<Reading, ReadError>,
    place: Option<HandField>,
) -> Result<Result<Reading, Vec<Problem>>, Failure> {
    let problem = match reading {
        Ok(reading) if reading.status == Status::NoHand => no_hand_problem(&reading),
        Ok(reading) => return Ok(Ok(reading)),
        Err(error @ ReadError::Model(_)) => return Err(error.into()),
        Err(error) => Problem::from(&error),
    };
    Ok(Err(vec![problem.about_photo(place)]))
}
