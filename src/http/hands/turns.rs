//! Reads the photos of one request in the places that it has in the queue.
//!
//! Input: photos and places, at least one of each. Output: a reading or an error for each photo, in
//! their order. As many are read at a time as there are places and free workers; a place whose
//! photo is read takes the next one, and is given back when no photo is left. Invariant: every
//! photo waits for its worker in the same queue as those of other requests, and a client that
//! leaves gives all places back, except where work goes on.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use futures_util::future::try_join_all;

use super::read_with;
use crate::contract::{Place, SeatPhoto};
use crate::http::Service;
use crate::http::admission::{Slot, Turn};
use crate::http::failure::Failure;
use crate::pipeline::{ReadError, Reader, Reading};

/// The result for a photo.
#[derive(Debug)]
pub(super) struct PhotoResult {
    /// Where the photo stands in the request, if it is one of several hands.
    pub(super) place: Option<Place>,
    /// The reading, or why there is none.
    pub(super) reading: Result<Reading, ReadError>,
    /// How long it waited for a worker.
    pub(super) waited: Duration,
    /// When it was finished.
    pub(super) ended: Instant,
}

/// What all photos of a request share.
struct Work<'a> {
    service: &'a Service,
    reader: &'a Arc<Reader>,
    waiting: Mutex<std::iter::Enumerate<std::vec::IntoIter<SeatPhoto<Bytes>>>>,
    left: AtomicUsize,
}

/// Reads all photos; the slot is that of the last one, to be held until the answer is made.
pub(super) async fn read_all(
    service: &Service,
    reader: &Arc<Reader>,
    turns: Vec<Turn>,
    photos: Vec<SeatPhoto<Bytes>>,
) -> Result<(Vec<PhotoResult>, Vec<Slot>), Failure> {
    let left = AtomicUsize::new(photos.len());
    let waiting = Mutex::new(photos.into_iter().enumerate());
    let work = Work { service, reader, waiting, left };
    let lanes = try_join_all(turns.into_iter().map(|turn| work.in_place(turn))).await?;
    let (mut results, mut slots) = (Vec::new(), Vec::new());
    for (read, slot) in lanes {
        results.extend(read);
        slots.extend(slot);
    }
    results.sort_by_key(|(at, _)| *at);
    Ok((results.into_iter().map(|(_, result)| result).collect(), slots))
}

impl Work<'_> {
    /// Reads photos in one place until none is left.
    async fn in_place(
        &self,
        mut turn: Turn,
    ) -> Result<(Vec<(usize, PhotoResult)>, Option<Slot>), Failure> {
        let mut results = Vec::new();
        while let Some((at, photo)) = self.next() {
            let start = Instant::now();
            let slot = turn.slot(&photo.photo).await;
            let waited = start.elapsed();
            self.service.metrics().steps(&[("wait", waited)]);
            let (place, reader) = (photo.place, Arc::clone(self.reader));
            let (reading, slot) = read_with(self.service, slot, reader, photo).await?;
            results.push((at, PhotoResult { place, reading, waited, ended: Instant::now() }));
            if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
                return Ok((results, Some(slot)));
            }
            turn = slot.next();
        }
        Ok((results, None))
    }

    fn next(&self) -> Option<(usize, SeatPhoto<Bytes>)> {
        self.waiting.lock().expect("nothing panics while it is locked").next()
    }
}
