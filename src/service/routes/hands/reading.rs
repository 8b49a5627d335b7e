//! Reading of the photos of one request with the permits that it holds.
//!
//! Input: a plan of photos, and the upload permit of their request. Output: the settled table, or
//! the problems of all photos that can't be used. At most as many photos are read at a time as
//! there are waiting permits and free workers. A permit whose photo is read takes the next photo,
//! and is given back when no photo is left. If several photos show the winner's hand, the pixel
//! stages process each like a photo of a hand of its own, and the photos are joined on the worker
//! that becomes free last. Invariant: every photo waits for its worker in the same queue as the
//! photos of other requests; a client that leaves gives all permits back, those of work in progress
//! when it ends at its next checkpoint.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use futures_util::future::try_join_all;
use tilesight_core::context::ContextSetup;
use tilesight_core::contract::{HandField, Problem};
use tilesight_core::rules::Profile;
use tilesight_vision::contract::{SeatPhoto, TablePlan, no_hand_problem};
use tilesight_vision::{ReadError, ReadOptions, Reader, Reading, SeenPhoto, Status, TableReading};

use crate::service::Service;
use crate::service::answer::failure::Failure;
use crate::service::guard::admission::{UploadPermit, WaitingPermit, WorkerPermit};

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

/// Result of the work on a photo, or on the photos of a hand.
#[derive(Debug)]
struct PhotoResult<T> {
    /// Place of the photo in the request, if it is one of several.
    place: Option<HandField>,
    result: Result<T, ReadError>,
    /// Time that the photo waited for a worker.
    waited: Duration,
    /// Time when the photo was finished.
    ended: Instant,
}

/// Output of a worker for one photo.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "each is moved once")]
enum PhotoOutput {
    /// Reading of a photo that is the only one of its hand.
    Hand(Box<Reading>),
    /// Output of the pixel stages for one of several photos of the winner's hand.
    Pixels(SeenPhoto),
}

/// Photos of a request, in order.
struct PhotoQueue<'a> {
    service: &'a Service,
    reader: &'a Arc<Reader>,
    waiting: Mutex<std::iter::Enumerate<std::vec::IntoIter<SeatPhoto<Bytes>>>>,
    unfinished: AtomicUsize,
}

/// Reads the photos of a table and settles it.
pub(crate) async fn read_table(
    service: &Service,
    reader: &Arc<Reader>,
    permit: UploadPermit,
    plan: TablePlan<Bytes>,
) -> Result<ReadTable, Failure> {
    let TablePlan { ruleset, rulesets, photos, typed } = plan;
    // Only the winner's hand may have more than one photo, and it comes first.
    let several = photos.first().filter(|first| !first.more.is_empty());
    let several = several.map(|hand| (hand.place, hand.context, hand.options.clone()));
    let photos = one_by_one(photos);
    let permits = permit.into_waiting(photos.len())?;
    let unfinished = AtomicUsize::new(photos.len());
    let waiting = Mutex::new(photos.into_iter().enumerate());
    let queue = PhotoQueue { service, reader, waiting, unfinished };
    let lanes = try_join_all(permits.into_iter().map(|permit| queue.process(permit))).await?;
    let (results, workers): (Vec<_>, Vec<_>) = lanes.into_iter().unzip();
    let mut worker = workers.into_iter().flatten().next();
    let (mut hands, seen) = read_in_order(results.into_iter().flatten().collect());
    if let Some((place, context, options)) = several
        && let Some(last) = worker.take()
    {
        let first = seen.first().map_or(Duration::ZERO, |photo| photo.waited);
        let joined = match usable(seen) {
            Ok(photos) => {
                let (reading, last) = queue.join(last, photos, context, options).await?;
                worker = Some(last);
                let ended = Instant::now();
                vec![PhotoResult { place, result: reading, waited: first, ended }]
            }
            Err(refused) => refused,
        };
        hands.splice(..0, joined);
    }
    let steps = steps(&hands);
    let mut others = readings(hands)?;
    let winner = others.remove(0);
    let worker = worker.expect("the photo that is finished last leaves its worker");
    let settle = move || TableReading::settle(ruleset, winner, others, typed);
    let (table, worker) = worker.run(settle).await?;
    Ok(ReadTable { table, rulesets, steps, worker })
}

/// Returns the photos of all hands, each alone. Several photos of a hand are named by their places
/// in it.
fn one_by_one(photos: Vec<SeatPhoto<Bytes>>) -> Vec<SeatPhoto<Bytes>> {
    let mut all = Vec::new();
    for SeatPhoto { place, photo, more, context, options } in photos {
        if more.is_empty() {
            all.push(SeatPhoto { place, photo, more, context, options });
            continue;
        }
        all.extend(std::iter::once(photo).chain(more).enumerate().map(|(at, photo)| {
            let options = options.clone();
            SeatPhoto {
                place: Some(HandField::OfHand(at)),
                photo,
                more: Vec::new(),
                context,
                options,
            }
        }));
    }
    all
}

/// Returns the readings of whole hands, and the photos to be joined, both in the order of the
/// request.
fn read_in_order(
    mut results: Vec<(usize, PhotoResult<PhotoOutput>)>,
) -> (Vec<PhotoResult<Reading>>, Vec<PhotoResult<SeenPhoto>>) {
    results.sort_by_key(|(at, _)| *at);
    let (mut hands, mut seen) = (Vec::new(), Vec::new());
    for (_, PhotoResult { place, result, waited, ended }) in results {
        match result {
            Ok(PhotoOutput::Hand(reading)) => {
                hands.push(PhotoResult { place, result: Ok(*reading), waited, ended });
            }
            Ok(PhotoOutput::Pixels(photo)) => {
                seen.push(PhotoResult { place, result: Ok(photo), waited, ended });
            }
            Err(error) if is_one_of_several(place) => {
                seen.push(PhotoResult { place, result: Err(error), waited, ended });
            }
            Err(error) => hands.push(PhotoResult { place, result: Err(error), waited, ended }),
        }
    }
    (hands, seen)
}

/// Returns the photos of a hand, or the error of each photo that can't be used.
fn usable(seen: Vec<PhotoResult<SeenPhoto>>) -> Result<Vec<SeenPhoto>, Vec<PhotoResult<Reading>>> {
    let (mut photos, mut refused) = (Vec::new(), Vec::new());
    for PhotoResult { place, result, waited, ended } in seen {
        match result {
            Ok(photo) => photos.push(photo),
            Err(error) => refused.push(PhotoResult { place, result: Err(error), waited, ended }),
        }
    }
    if refused.is_empty() { Ok(photos) } else { Err(refused) }
}

/// Returns whether a photo is one of several of the winner's hand.
fn is_one_of_several(place: Option<HandField>) -> bool {
    matches!(place, Some(HandField::OfHand(_)))
}

/// Returns the readings of all photos, the winner's first, or the problems of all photos that can't
/// be used.
fn readings(results: Vec<PhotoResult<Reading>>) -> Result<Vec<Reading>, Failure> {
    let (mut readings, mut problems) = (Vec::new(), Vec::new());
    for PhotoResult { place, result, .. } in results {
        let problem = match result {
            Ok(reading) if reading.status == Status::NoHand => no_hand_problem(&reading),
            Ok(reading) => {
                readings.push(reading);
                continue;
            }
            Err(error @ ReadError::Model(_)) => return Err(error.into()),
            Err(error) => Problem::from(&error),
        };
        problems.push(match place {
            Some(place) => problem.about(&place.photo()),
            None => problem,
        });
    }
    if problems.len() > 1 {
        let kind = problems[0].kind;
        let errors = problems.into_iter().flat_map(|problem| problem.errors).collect();
        return Err(Problem::with_errors(kind, errors).into());
    }
    problems.pop().map_or(Ok(readings), |problem| Err(problem.into()))
}

/// Returns the steps of the winner's photo, and the additional time that the other photos took.
fn steps(results: &[PhotoResult<Reading>]) -> Vec<(&'static str, Duration)> {
    let Some((winner, others)) = results.split_first() else { return Vec::new() };
    let mut steps = vec![("wait", winner.waited)];
    steps.extend(winner.result.iter().flat_map(|reading| &reading.timings));
    if !others.is_empty() {
        steps.push(("others", winner.ended.elapsed()));
    }
    steps
}

impl PhotoQueue<'_> {
    /// Processes photos with one permit until none is left. Returns the worker of the last photo of
    /// all.
    async fn process(
        &self,
        permit: Arc<WaitingPermit>,
    ) -> Result<(Vec<(usize, PhotoResult<PhotoOutput>)>, Option<WorkerPermit>), Failure> {
        let mut results = Vec::new();
        while let Some((at, photo)) = self.next() {
            let (place, start) = (photo.place, Instant::now());
            let worker = permit.worker_for(&photo.photo).await;
            let waited = start.elapsed();
            self.service.metrics().steps(&[("wait", waited)]);
            let (result, worker) = self.read(worker, photo).await?;
            results.push((at, PhotoResult { place, result, waited, ended: Instant::now() }));
            if self.unfinished.fetch_sub(1, Ordering::Relaxed) == 1 {
                return Ok((results, Some(worker)));
            }
        }
        Ok((results, None))
    }

    fn next(&self) -> Option<(usize, SeatPhoto<Bytes>)> {
        self.waiting.lock().expect("nothing panics while it is locked").next()
    }

    /// Reads a photo on a thread of its own, which keeps the worker until it is done. A photo that
    /// can't be read does not end the request.
    async fn read(
        &self,
        worker: WorkerPermit,
        photo: SeatPhoto<Bytes>,
    ) -> Result<(Result<PhotoOutput, ReadError>, WorkerPermit), Failure> {
        let (service, reader) = (self.service.clone(), Arc::clone(self.reader));
        let work = move || {
            let SeatPhoto { place, photo, context, options, .. } = photo;
            let output = match place {
                Some(HandField::OfHand(at)) => {
                    reader.see_one_of(&photo, at, &options).map(PhotoOutput::Pixels)
                }
                _ => reader
                    .read(&photo, &context, options)
                    .map(|reading| PhotoOutput::Hand(Box::new(reading))),
            };
            // Counted here, where the work is complete, even if the client has disconnected.
            match &output {
                Ok(PhotoOutput::Hand(reading)) => service.metrics().steps(&reading.timings),
                Ok(PhotoOutput::Pixels(seen)) => service.metrics().steps(&seen.timings),
                Err(_) => {}
            }
            output
        };
        worker.run(work).await
    }

    /// Joins the photos of a hand and reads it.
    async fn join(
        &self,
        worker: WorkerPermit,
        photos: Vec<SeenPhoto>,
        context: ContextSetup,
        options: ReadOptions,
    ) -> Result<(Result<Reading, ReadError>, WorkerPermit), Failure> {
        let (service, reader) = (self.service.clone(), Arc::clone(self.reader));
        let work = move || {
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
        };
        worker.run(work).await
    }
}
