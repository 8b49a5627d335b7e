//! Admission: how many photos may be in the house, how many are worked on at once, and how large
//! they may be together.
//!
//! A request takes a place for its upload on arrival, before its body is read, so that memory is bounded;
//! when none is left, or the queue for the workers is full already, it is refused at once. Once its body
//! is there it changes that place for one in the queue, and is refused where others were faster. Reading
//! a photo then takes its share of the pixels that may be decoded at once, by its header, and a
//! worker. The queue is short and the uploads are many, because a phone sends for longer than a
//! worker reads: slow uploads neither keep workers idle nor make an accepted photo wait.
//! A request of several photos takes a place for each, or makes do with what there is: then its photos take
//! turns, and each stands behind whatever came before it. All queues are first come first served. Who leaves while waiting gives everything back at once. Invariant: what work holds it
//! holds until it really ends, also when the client has gone or the request has timed out: work that
//! nobody waits for still uses the processor.

use std::pin::pin;
use std::sync::Arc;

use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;

use super::failure::Failure;
use crate::config::Limits;

/// The places and the workers of a service.
#[derive(Debug, Clone)]
pub(super) struct Admission {
    uploads: Arc<Semaphore>,
    queue: Arc<Semaphore>,
    workers: Arc<Semaphore>,
    pixels: Pixels,
    /// Workers less those that jobs have.
    spare: Arc<Semaphore>,
    /// Rings when something is given back.
    bell: Arc<Notify>,
    most: Free,
}

/// What is free at a moment, or at the most.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Free {
    pub(super) uploads: usize,
    /// To wait in, or to be read in.
    pub(super) places: usize,
    pub(super) workers: usize,
    pub(super) pixels: u64,
}

/// The pixels that may be decoded at once, counted in [`TILE`]s.
#[derive(Debug, Clone)]
struct Pixels {
    free: Arc<Semaphore>,
    all: u32,
}

/// What pixels are counted in: 256 x 256, so that a semaphore's 32 bits are enough for any photo.
const TILE: u64 = 65_536;

/// The right to send in a body, and to ask for a worker.
#[derive(Debug)]
pub(super) struct Place {
    admission: Admission,
    permit: OwnedSemaphorePermit,
}

/// A place in the queue: the right to wait for a worker, with one photo at a time.
#[derive(Debug)]
pub(super) struct Turn {
    workers: Arc<Semaphore>,
    pixels: Pixels,
    _place: OwnedSemaphorePermit,
    // Last, because what it announces has to be free by then.
    bell: Bell,
}

/// A place in the queue with a worker: the right to use a core, and memory for one photo.
#[derive(Debug)]
pub(super) struct Slot {
    pixels: OwnedSemaphorePermit,
    worker: OwnedSemaphorePermit,
    turn: Turn,
}

/// A worker that no request waits for, and memory for one photo of a job.
#[derive(Debug)]
pub(super) struct Spare {
    _pixels: OwnedSemaphorePermit,
    _core: Core,
}

/// A worker for what a job needs done: the right to use a core.
#[derive(Debug)]
pub(super) struct Core {
    // Given back first, so that there is one for whoever has a worker.
    _counted: OwnedSemaphorePermit,
    _worker: OwnedSemaphorePermit,
    // Last, because what it announces has to be free by then.
    _bell: Bell,
}

/// Rings when it is dropped.
#[derive(Debug)]
struct Bell(Arc<Notify>);

impl Bell {
    fn ring(&self) {
        self.0.notify_waiters();
    }
}

impl Drop for Bell {
    fn drop(&mut self) {
        self.ring();
    }
}

impl Admission {
    pub(super) fn new(limits: &Limits) -> Admission {
        let all = u32::try_from(limits.decode_pixels.div_ceil(TILE)).unwrap_or(u32::MAX).max(1);
        let places = limits.workers + limits.waiting;
        Admission {
            uploads: Arc::new(Semaphore::new(limits.uploads)),
            queue: Arc::new(Semaphore::new(places)),
            workers: Arc::new(Semaphore::new(limits.workers)),
            pixels: Pixels { free: Arc::new(Semaphore::new(all as usize)), all },
            spare: Arc::new(Semaphore::new(limits.workers)),
            bell: Arc::new(Notify::new()),
            most: Free {
                uploads: limits.uploads,
                places,
                workers: limits.workers,
                pixels: u64::from(all) * TILE,
            },
        }
    }

    /// What is there when nobody is.
    pub(super) fn most(&self) -> Free {
        self.most
    }

    /// What is free now.
    pub(super) fn free(&self) -> Free {
        Free {
            uploads: self.uploads.available_permits(),
            places: self.queue.available_permits(),
            workers: self.workers.available_permits(),
            pixels: self.pixels.free.available_permits() as u64 * TILE,
        }
    }

    /// Waits until no request waits and a worker is free, and takes it for a photo of a job.
    ///
    /// It stands in no queue that requests stand in: whatever is given back, they are asked first. A request
    /// that comes while all workers read jobs' photos waits for the rest of one photo, because a core can't
    /// be taken away from a network in the middle.
    pub(super) async fn spare(&self, photo: &[u8]) -> Spare {
        let share = self.pixels.share(photo);
        loop {
            // Listening begins before looking, so that no ring in between is missed.
            let mut rung = pin!(self.bell.notified());
            rung.as_mut().enable();
            if let Some(spare) = self.try_spare(share) {
                return spare;
            }
            rung.await;
        }
    }

    fn try_spare(&self, share: u32) -> Option<Spare> {
        let (free, most) = (self.free(), self.most);
        let for_jobs = most.workers - self.spare.available_permits();
        let for_requests = (most.workers - free.workers).saturating_sub(for_jobs);
        let waiting = (most.places - free.places).saturating_sub(for_requests);
        if waiting > 0 {
            return None;
        }
        let pixels = Arc::clone(&self.pixels.free).try_acquire_many_owned(share).ok()?;
        let worker = Arc::clone(&self.workers).try_acquire_owned().ok()?;
        Some(Spare { _pixels: pixels, _core: self.core(worker) })
    }

    /// Waits for a worker for a piece of what a job's photos need on their way in: unpacking one, stripping one.
    ///
    /// It stands in the queue of those that wait for a worker, behind whoever came before, and holds the worker
    /// for this piece alone. So an archive of ten thousand members delays a request by one member for each
    /// upload of a job, and jobs still come in while requests are many.
    pub(super) async fn chore(&self) -> Core {
        let worker = Arc::clone(&self.workers).acquire_owned().await;
        self.core(worker.expect("the semaphore is never closed"))
    }

    fn core(&self, worker: OwnedSemaphorePermit) -> Core {
        let counted = Arc::clone(&self.spare).try_acquire_owned();
        Core {
            _counted: counted.expect("there is one for each worker"),
            _worker: worker,
            _bell: Bell(Arc::clone(&self.bell)),
        }
    }

    /// A place to send a body in, or [`Failure::Busy`] when all are taken or nobody more may wait.
    pub(super) fn enter(&self) -> Result<Place, Failure> {
        self.enter_with(1)
    }

    /// The same for a body as long as so many may be, which takes as many places; never more than there are.
    pub(super) fn enter_with(&self, bodies: usize) -> Result<Place, Failure> {
        if self.queue.available_permits() == 0 {
            return Err(Failure::Busy);
        }
        let bodies = u32::try_from(bodies.min(self.most.uploads)).unwrap_or(u32::MAX);
        let permit = Arc::clone(&self.uploads).try_acquire_many_owned(bodies);
        Ok(Place { admission: self.clone(), permit: permit.map_err(|_| Failure::Busy)? })
    }
}

impl Place {
    /// Waits for the memory that the photo will need by its header, then for a worker; or
    /// [`Failure::Busy`] when the queue has filled while the body came.
    pub(super) async fn slot(self, photo: &[u8]) -> Result<Slot, Failure> {
        let mut turns = self.turns(1)?;
        let turn = turns.pop().expect("there is one, or the queue is full");
        Ok(turn.slot(photo).await)
    }

    /// Changes the place for one in the queue for each of so many photos, as far as there are any, and one at
    /// the least; [`Failure::Busy`] when there is none.
    ///
    /// Photos that have no place of their own take turns in those there are. So a request of four photos is
    /// not refused for ever where other requests leave one place at a time, nor where there are only three;
    /// and since each of its photos waits behind what others have waiting, it keeps nobody waiting longer
    /// than four requests of one photo would.
    pub(super) fn turns(self, photos: usize) -> Result<Vec<Turn>, Failure> {
        let Place { admission: Admission { queue, workers, pixels, bell, .. }, permit } = self;
        let places = std::iter::from_fn(|| Arc::clone(&queue).try_acquire_owned().ok());
        let turn = |place| Turn {
            workers: Arc::clone(&workers),
            pixels: pixels.clone(),
            _place: place,
            bell: Bell(Arc::clone(&bell)),
        };
        let turns: Vec<Turn> = places.take(photos).map(turn).collect();
        drop(permit);
        if turns.is_empty() { Err(Failure::Busy) } else { Ok(turns) }
    }
}

impl Turn {
    /// Waits for the memory that a photo will need by its header, then for a worker.
    ///
    /// Memory comes first: a worker that waited for it would keep small photos from being read.
    pub(super) async fn slot(self, photo: &[u8]) -> Slot {
        let share = self.pixels.share(photo);
        let memory = Arc::clone(&self.pixels.free).acquire_many_owned(share).await;
        let worker = Arc::clone(&self.workers).acquire_owned().await;
        Slot {
            pixels: memory.expect("the semaphore is never closed"),
            worker: worker.expect("the semaphore is never closed"),
            turn: self,
        }
    }
}

impl Pixels {
    /// What a photo takes; never more than there is, so that the largest one waits to be alone.
    ///
    /// A file without a readable header takes the least: no decoder gets as far as its pixels. What a
    /// header claims is bounded by the decoder's own limit.
    fn share(&self, photo: &[u8]) -> u32 {
        let size = imagesize::blob_size(photo);
        let pixels = size.map_or(0, |size| (size.width as u64).saturating_mul(size.height as u64));
        u32::try_from(pixels.div_ceil(TILE)).unwrap_or(u32::MAX).clamp(1, self.all)
    }
}

impl Core {
    /// Runs `work` on a thread that may block; the worker is given back when it ends, whoever still waits for it.
    pub(super) async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let done = spawn_blocking(move || {
            let _core = self;
            work()
        });
        done.await.map_err(|error| Failure::Internal { cause: error.to_string() })
    }
}

impl Slot {
    /// Gives worker and memory back and keeps the place, for another photo of the same request.
    pub(super) fn next(self) -> Turn {
        let Slot { pixels, worker, turn } = self;
        drop((pixels, worker));
        turn.bell.ring();
        turn
    }

    /// Runs `work` on a thread that may block, and gives the slot back beside what came of it.
    ///
    /// Who waits for it drops the slot once the answer is made: else the next photo would keep the core from
    /// writing it. Where nobody waits any more it is dropped when the work ends. A panic becomes
    /// [`Failure::Internal`]; the panic hook has printed where it was.
    pub(super) async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<(T, Slot), Failure> {
        let done = spawn_blocking(move || {
            let slot = self;
            (work(), slot)
        });
        done.await.map_err(|error| Failure::Internal { cause: error.to_string() })
    }
}

#[cfg(test)]
impl Admission {
    /// Waits until there is a place.
    pub(super) async fn place_free(&self) {
        drop(self.queue.acquire().await.expect("the semaphore is never closed"));
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::{ImageFormat, RgbImage};

    use super::*;

    fn photo(side: u32, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        RgbImage::new(side, side).write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    #[test]
    fn a_photo_takes_its_pixels_and_never_more_than_there_are() {
        let limits = Limits { decode_pixels: 10 * TILE, ..Limits::default() };
        let pixels = Admission::new(&limits).pixels;
        for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
            assert_eq!(pixels.share(&photo(16, format)), 1, "{format:?}");
            assert_eq!(pixels.share(&photo(512, format)), 4, "{format:?}");
            assert_eq!(pixels.share(&photo(2048, format)), 10, "{format:?}");
        }
        assert_eq!(pixels.share(b"no photo"), 1);
    }

    #[tokio::test]
    async fn large_photos_wait_for_each_other_and_give_everything_back() {
        let limits =
            Limits { decode_pixels: 5 * TILE, workers: 4, waiting: 4, ..Limits::default() };
        let admission = Admission::new(&limits);
        let large = photo(512, ImageFormat::Png);
        let first = admission.enter().unwrap().slot(&large).await.unwrap();
        let mut second = std::pin::pin!(admission.enter().unwrap().slot(&large));
        assert!(!is_ready(second.as_mut()).await, "there is room for one only");
        assert_eq!(admission.free().workers, 3, "it waits without a worker");
        drop(first);
        drop(second.await);
        assert_eq!(admission.free(), admission.most());
    }

    #[tokio::test]
    async fn photos_of_one_request_take_turns_with_those_of_others() {
        let limits = Limits { workers: 1, waiting: 1, ..Limits::default() };
        let admission = Admission::new(&limits);
        let single = admission.enter().unwrap().slot(b"").await.unwrap();
        // One place is left for a request of four photos: it has that one.
        let mut turns = admission.enter().unwrap().turns(4).unwrap();
        assert_eq!((turns.len(), admission.free().places), (1, 0));
        drop(single);
        let first = turns.pop().unwrap().slot(b"").await;
        // Whoever comes now waits for this photo alone: the second one stands behind.
        let mut next = pin!(admission.enter().unwrap().slot(b""));
        assert!(!is_ready(next.as_mut()).await);
        let mut second = pin!(first.next().slot(b""));
        assert!(!is_ready(second.as_mut()).await, "the worker is another's");
        drop(next.await.unwrap());
        drop(second.await);
        assert_eq!(admission.free(), admission.most());
    }

    #[tokio::test]
    async fn chores_stand_in_the_queue_for_workers() {
        let limits = Limits { workers: 1, waiting: 2, ..Limits::default() };
        let admission = Admission::new(&limits);
        let reading = admission.enter().unwrap().slot(b"").await.unwrap();
        let mut chore = pin!(admission.chore());
        assert!(!is_ready(chore.as_mut()).await, "the worker is a request's");
        let mut behind = pin!(admission.enter().unwrap().slot(b""));
        assert!(!is_ready(behind.as_mut()).await);
        drop(reading);
        let core = chore.await;
        assert!(!is_ready(behind.as_mut()).await, "who came first is first");
        let mut spare = pin!(admission.spare(b""));
        assert!(!is_ready(spare.as_mut()).await, "a job's photo gives way to both");
        assert_eq!(core.run(|| 7).await, Ok(7));
        drop(behind.await);
        drop(spare.await);
        assert_eq!(admission.free(), admission.most());
    }

    /// Whether a future is ready, without waiting for it.
    async fn is_ready<F: Future>(mut future: std::pin::Pin<&mut F>) -> bool {
        std::future::poll_fn(|context| {
            std::task::Poll::Ready(future.as_mut().poll(context).is_ready())
        })
        .await
    }

    #[tokio::test]
    async fn who_sends_holds_no_worker_and_who_comes_late_is_refused() {
        let limits = Limits { workers: 1, waiting: 0, uploads: 2, ..Limits::default() };
        let admission = Admission::new(&limits);
        let (slow, quick) = (admission.enter().unwrap(), admission.enter().unwrap());
        assert_eq!(admission.enter().err(), Some(Failure::Busy), "two may send");
        assert_eq!((admission.free().uploads, admission.free().places), (0, 1));
        let reading = quick.slot(b"").await.unwrap();
        assert_eq!((admission.free().uploads, admission.free().places), (1, 0));
        assert_eq!(admission.enter().err(), Some(Failure::Busy), "nobody may wait");
        assert_eq!(slow.slot(b"").await.err(), Some(Failure::Busy), "the queue has filled");
        drop(reading);
        assert_eq!(admission.free(), admission.most());
    }
}
