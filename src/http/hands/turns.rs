//! Reading of the photos of one request in the places that it holds in the queue.
//!
//! Input: photos and places, at least one of each. Output: a reading or an error for each hand, in
//! order. At most as many photos are read at a time as there are places and free workers. A place
//! whose photo is read takes the next photo, and is given back when no photo is left. If several
//! photos show the winner's hand, the pixel stages process each like a photo of a hand of its own,
//! and the photos are joined in the place that becomes free last. Invariant: every photo waits for
//! its worker in the same queue as the photos of other requests; a client that leaves gives all
//! places back, except where work goes on.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use futures_util::future::try_join_all;
use tilesight_core::context::ContextSetup;
use tilesight_core::contract::Place;
use tilesight_vision::contract::SeatPhoto;
use tilesight_vision::{ReadError, ReadOptions, Reader, Reading, SeenPhoto};

use super::{read_seen_with, read_with, see_with};
use crate::http::Service;
use crate::http::admission::{Slot, Turn};
use crate::http::failure::Failure;

/// Result for a hand, or for one of its photos that can't be used.
#[derive(Debug)]
pub(super) struct PhotoResult {
    /// Place of the photo in the request, if it is one of several.
    pub(super) place: Option<Place>,
    /// Reading, or the error.
    pub(super) reading: Result<Reading, ReadError>,
    /// Time that the photo waited for a worker.
    pub(super) waited: Duration,
    /// Time when the photo was finished.
    pub(super) ended: Instant,
}

/// Photo of a hand that has several photos.
#[derive(Debug)]
pub(super) struct OnePhoto {
    /// Index among the photos of the hand.
    pub(super) at: usize,
    pub(super) photo: Bytes,
    pub(super) options: ReadOptions,
}

/// All photos of a hand, after the pixel stages.
#[derive(Debug)]
pub(super) struct SeenHand {
    pub(super) photos: Vec<SeenPhoto>,
    pub(super) context: ContextSetup,
    pub(super) options: ReadOptions,
}

/// Unit of work for one worker.
enum Work {
    /// Reads a photo as a whole hand.
    Read(Box<SeatPhoto<Bytes>>),
    /// Runs the pixel stages on one of several photos of a hand.
    See(OnePhoto),
}

impl Work {
    const fn photo(&self) -> &Bytes {
        match self {
            Work::Read(photo) => &photo.photo,
            Work::See(photo) => &photo.photo,
        }
    }
}

/// Result of a unit of work.
enum Done {
    Read(Box<PhotoResult>),
    Seen(Box<Result<SeenPhoto, ReadError>>, Duration),
}

/// State that all photos of a request share.
struct Queue<'a> {
    service: &'a Service,
    reader: &'a Arc<Reader>,
    waiting: Mutex<std::iter::Enumerate<std::vec::IntoIter<Work>>>,
    left: AtomicUsize,
}

/// Reads all hands. The slot is that of the last photo, to be held until the answer is written.
pub(super) async fn read_all(
    service: &Service,
    reader: &Arc<Reader>,
    turns: Vec<Turn>,
    mut photos: Vec<SeatPhoto<Bytes>>,
) -> Result<(Vec<PhotoResult>, Vec<Slot>), Failure> {
    // Only the winner's hand may have more than one photo, and it comes first.
    let several = photos.first().is_some_and(|first| !first.more.is_empty());
    let of_hand = several.then(|| photos.remove(0));
    let mut work = of_hand.as_ref().map_or_else(Vec::new, looks);
    work.extend(photos.into_iter().map(|photo| Work::Read(Box::new(photo))));
    let left = AtomicUsize::new(work.len());
    let queue = Queue { service, reader, waiting: Mutex::new(work.into_iter().enumerate()), left };
    let lanes = try_join_all(turns.into_iter().map(|turn| queue.in_place(turn))).await?;
    let (mut done, mut slots) = (Vec::new(), Vec::new());
    for (read, slot) in lanes {
        done.extend(read);
        slots.extend(slot);
    }
    done.sort_by_key(|(at, _)| *at);
    let (mut seen, mut results) = (Vec::new(), Vec::new());
    for (_, done) in done {
        match done {
            Done::Read(result) => results.push(*result),
            Done::Seen(photo, waited) => seen.push((*photo, waited)),
        }
    }
    if let (Some(hand), Some(slot)) = (of_hand, slots.pop()) {
        let (first, slot) = join(service, reader, slot, hand, seen).await?;
        results.splice(..0, first);
        slots.push(slot);
    }
    Ok((results, slots))
}

/// Returns the photos of one hand, each as a unit of work of its own.
fn looks(hand: &SeatPhoto<Bytes>) -> Vec<Work> {
    let photos = std::iter::once(&hand.photo).chain(&hand.more).enumerate();
    let one = |(at, photo): (usize, &Bytes)| {
        Work::See(OnePhoto { at, photo: photo.clone(), options: hand.options.clone() })
    };
    photos.map(one).collect()
}

/// Reads the hand that several photos show, or returns the error of each photo that can't be used.
async fn join(
    service: &Service,
    reader: &Arc<Reader>,
    slot: Slot,
    hand: SeatPhoto<Bytes>,
    seen: Vec<(Result<SeenPhoto, ReadError>, Duration)>,
) -> Result<(Vec<PhotoResult>, Slot), Failure> {
    let SeatPhoto { place, context, options, .. } = hand;
    let waited = seen.first().map_or(Duration::ZERO, |(_, waited)| *waited);
    let (mut photos, mut refused) = (Vec::new(), Vec::new());
    for (at, (photo, waited)) in seen.into_iter().enumerate() {
        match photo {
            Ok(photo) => photos.push(photo),
            Err(error) => {
                let place = Some(Place::OfHand(at));
                let (reading, ended) = (Err(error), Instant::now());
                refused.push(PhotoResult { place, reading, waited, ended });
            }
        }
    }
    if !refused.is_empty() {
        return Ok((refused, slot));
    }
    let all = SeenHand { photos, context, options };
    let (reading, slot) = read_seen_with(service, slot, Arc::clone(reader), all).await?;
    Ok((vec![PhotoResult { place, reading, waited, ended: Instant::now() }], slot))
}

impl Queue<'_> {
    /// Reads photos in one place until none is left.
    async fn in_place(
        &self,
        mut turn: Turn,
    ) -> Result<(Vec<(usize, Done)>, Option<Slot>), Failure> {
        let mut results = Vec::new();
        while let Some((at, work)) = self.next() {
            let start = Instant::now();
            let slot = turn.slot(work.photo()).await;
            let waited = start.elapsed();
            self.service.metrics().steps(&[("wait", waited)]);
            let (done, slot) = self.work(work, slot, waited).await?;
            results.push((at, done));
            if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
                return Ok((results, Some(slot)));
            }
            turn = slot.next();
        }
        Ok((results, None))
    }

    async fn work(
        &self,
        work: Work,
        slot: Slot,
        waited: Duration,
    ) -> Result<(Done, Slot), Failure> {
        let reader = Arc::clone(self.reader);
        match work {
            Work::Read(photo) => {
                let place = photo.place;
                let (reading, slot) = read_with(self.service, slot, reader, *photo).await?;
                let ended = Instant::now();
                let result = PhotoResult { place, reading, waited, ended };
                Ok((Done::Read(Box::new(result)), slot))
            }
            Work::See(photo) => {
                let (seen, slot) = see_with(self.service, slot, reader, photo).await?;
                Ok((Done::Seen(Box::new(seen), waited), slot))
            }
        }
    }

    fn next(&self) -> Option<(usize, Work)> {
        self.waiting.lock().expect("nothing panics while it is locked").next()
    }
}
