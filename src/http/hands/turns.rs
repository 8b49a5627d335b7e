//! Reads the photos of one request in the places that it has in the queue.
//!
//! Input: photos and places, one at the least. Output: a reading or an error for each photo, in their order. As many
//! are read at a time as there are places and free workers; a place whose photo is read takes the next one,
//! and is given back when none is left. Invariant: every photo waits for its worker in the same queue as those
//! of other requests, and whoever leaves gives all places back, but for work that goes on.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use futures_util::future::try_join_all;

use super::read_with;
use crate::contract::AskedPhoto;
use crate::http::Service;
use crate::http::admission::{Slot, Turn};
use crate::http::failure::Failure;
use crate::pipeline::{ReadError, Reader, Reading};
use crate::rules::RulesetId;

/// What came of a photo.
#[derive(Debug)]
pub(super) struct Done {
    /// What it is called, where it is one of several.
    pub(super) place: Option<String>,
    /// The reading, or why there is none.
    pub(super) reading: Result<Reading, ReadError>,
    /// How long it waited for a worker.
    pub(super) waited: Duration,
    /// When it was done.
    pub(super) ended: Instant,
}

/// What all photos of a request share.
struct Work<'a> {
    service: &'a Service,
    reader: &'a Arc<Reader>,
    ruleset: RulesetId,
    waiting: Mutex<std::iter::Enumerate<std::vec::IntoIter<AskedPhoto<Bytes>>>>,
    left: AtomicUsize,
}

/// Reads all photos; the slot is that of the last one, to be kept until the answer is made.
pub(super) async fn read_all(
    service: &Service,
    reader: &Arc<Reader>,
    turns: Vec<Turn>,
    (photos, ruleset): (Vec<AskedPhoto<Bytes>>, RulesetId),
) -> Result<(Vec<Done>, Vec<Slot>), Failure> {
    let left = AtomicUsize::new(photos.len());
    let waiting = Mutex::new(photos.into_iter().enumerate());
    let work = Work { service, reader, ruleset, waiting, left };
    let lanes = try_join_all(turns.into_iter().map(|turn| work.in_place(turn))).await?;
    let (mut done, mut slots) = (Vec::new(), Vec::new());
    for (read, slot) in lanes {
        done.extend(read);
        slots.extend(slot);
    }
    done.sort_by_key(|(at, _)| *at);
    Ok((done.into_iter().map(|(_, done)| done).collect(), slots))
}

impl Work<'_> {
    /// Reads photos in one place until none is left.
    async fn in_place(
        &self,
        mut turn: Turn,
    ) -> Result<(Vec<(usize, Done)>, Option<Slot>), Failure> {
        let mut done = Vec::new();
        while let Some((at, asked)) = self.next() {
            let start = Instant::now();
            let options = asked.options(self.ruleset);
            let AskedPhoto { place, photo, context, .. } = asked;
            let slot = turn.slot(&photo).await;
            let waited = start.elapsed();
            self.service.metrics().steps(&[("wait", waited)]);
            let reader = Arc::clone(self.reader);
            let asked = (context, options);
            let (reading, slot) = read_with(self.service, slot, reader, photo, asked).await?;
            done.push((at, Done { place, reading, waited, ended: Instant::now() }));
            if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
                return Ok((done, Some(slot)));
            }
            turn = slot.next();
        }
        Ok((done, None))
    }

    fn next(&self) -> Option<(usize, AskedPhoto<Bytes>)> {
        self.waiting.lock().expect("nothing panics while it is locked").next()
    }
}
