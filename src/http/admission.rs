//! Admission control: limits on the photos in flight, the photos read at once, and the pixels
//! decoded at once.
//!
//! A request takes an upload place on arrival, before its body is read, so that memory is bounded.
//! Each client has a share of the upload places. The request is refused at once if no upload place
//! is left or the queue for the workers is full. When its body has arrived, the request exchanges
//! the upload place for a place in the queue, and is refused if the queue has filled meanwhile. To
//! read a photo, it then takes a worker and, according to the photo's header, a share of the pixels
//! that may be decoded at once. The queue is short and the upload places are many, because a phone
//! takes longer to send a photo than a worker takes to read it: slow uploads neither keep workers
//! idle nor delay an accepted photo. A request of several photos takes one place per photo, or as
//! many as are free; its photos then take turns. The [`WorkerQueue`] serves clients in turn: a
//! client's first photo goes before another client's second, and always finds a place. A client
//! that disconnects while it waits gives everything back at once. Invariant: work holds its
//! resources until it ends, even if the client has disconnected or the request has timed out,
//! because abandoned work still uses the processor.

mod queue;

use std::pin::pin;
use std::sync::Arc;

use tilesight_jobs::worker_threads::{self, WorkError};
use tilesight_stills as stills;

use self::queue::{Capacity, Grant, Ticket, WorkerQueue};
use super::client::Client;
use super::failure::{Failure, SharedResource};
use super::shares::{Share, Shares};
use crate::config::Limits;

/// Places and workers of a service.
#[derive(Debug, Clone)]
pub(super) struct Admission {
    uploads: Arc<Shares<Client>>,
    queue: Arc<WorkerQueue>,
    most: Free,
}

/// Amounts of each resource: those free at one moment, or the totals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Free {
    pub(super) uploads: usize,
    /// Places in the queue that any client may take, for waiting photos and photos being read.
    pub(super) places: usize,
    pub(super) workers: usize,
    pub(super) pixels: u64,
}

/// Unit in which pixels are counted: 256 x 256, so that 32 bits suffice for any photo.
const TILE: u64 = 65_536;

/// Permit to send a body, and to ask for a worker afterwards.
#[derive(Debug)]
pub(super) struct Place {
    queue: Arc<WorkerQueue>,
    client: Client,
    upload: Share<Client>,
}

/// Place in the queue: a permit to wait for a worker, with one photo at a time.
#[derive(Debug)]
pub(super) struct Turn(Ticket);

/// Place in the queue with a worker: a permit to use a core, and memory for one photo.
#[derive(Debug)]
pub(super) struct Slot {
    // Dropped first, so that the next photo in the queue is served before another client takes the
    // place.
    grant: Grant,
    turn: Turn,
}

/// Permit for the preparation of a job's incoming photos, such as unpacking and stripping, one step
/// at a time.
#[derive(Debug)]
pub(super) struct Chores(Ticket);

/// Worker for a job: a permit to use a core for one such step, or for one photo and its memory.
#[derive(Debug)]
pub(super) struct Core(#[allow(dead_code, reason = "it is kept to be dropped")] Grant);

impl Admission {
    pub(super) fn new(limits: &Limits) -> Admission {
        let all = u32::try_from(limits.decode_pixels.div_ceil(TILE)).unwrap_or(u32::MAX).max(1);
        let (places, workers) = (limits.workers + limits.waiting, limits.workers);
        Admission {
            uploads: Shares::new(limits.uploads),
            queue: WorkerQueue::new(Capacity { places, workers, memory: all }),
            most: Free { uploads: limits.uploads, places, workers, pixels: pixels(all) },
        }
    }

    /// Returns the resources of an idle service.
    pub(super) fn most(&self) -> Free {
        self.most
    }

    /// Returns the resources that are free now.
    pub(super) fn free(&self) -> Free {
        let Capacity { places, workers, memory } = self.queue.free();
        Free { uploads: self.uploads.free(), places, workers, pixels: pixels(memory) }
    }

    /// Returns the number of photos that were admitted and are not answered yet.
    pub(super) fn in_flight(&self) -> usize {
        self.uploads.all() - self.uploads.free() + self.queue.taken()
    }

    /// Waits until a worker is free and no request is waiting, and takes the worker for a photo of
    /// a job.
    ///
    /// The job does not join the queue of the requests, which are the first to get released
    /// resources. A request that arrives while all workers read photos of jobs waits for the rest
    /// of one photo, because a running network can't be interrupted.
    pub(super) async fn spare(&self, photo: &[u8]) -> Core {
        let share = tiles(photo);
        loop {
            // Registered before the check, so that no notification in between is missed.
            let mut freed = pin!(self.queue.freed().notified());
            freed.as_mut().enable();
            if let Some(grant) = self.queue.spare(share) {
                return Core(grant);
            }
            freed.await;
        }
    }

    /// Returns the permit to prepare a job's incoming photos.
    ///
    /// The permit queues in addition to the client's places, as one more photo of this client.
    pub(super) fn chores(&self, client: &Client) -> Chores {
        Chores(self.queue.beside(client))
    }

    /// Takes an upload place for one body.
    ///
    /// Fails with [`Failure::Busy`] if all upload places are taken or the queue is full, and with
    /// [`Failure::Share`] if this client has used up its share.
    pub(super) fn enter(&self, client: &Client) -> Result<Place, Failure> {
        self.enter_with(client, 1)
    }

    /// Like [`Admission::enter`], for a body with the size limit of `bodies` bodies. It takes as
    /// many upload places, but no more than one client may have.
    pub(super) fn enter_with(&self, client: &Client, bodies: usize) -> Result<Place, Failure> {
        if !self.queue.is_open_to(client) {
            return Err(Failure::Busy);
        }
        let upload = self
            .uploads
            .take_many(client, bodies)
            .map_err(|full| Failure::no_place(full, SharedResource::Uploads))?;
        Ok(Place { queue: Arc::clone(&self.queue), client: client.clone(), upload })
    }
}

impl Place {
    /// Waits for a worker and for the memory that the photo needs according to its header. Fails
    /// with [`Failure::Busy`] if the queue has filled while the body arrived.
    pub(super) async fn slot(self, photo: &[u8]) -> Result<Slot, Failure> {
        let mut turns = self.turns(1)?;
        let turn = turns.pop().expect("there is one, or the queue is full");
        Ok(turn.slot(photo).await)
    }

    /// Exchanges the upload place for one place in the queue per photo, or for as many as are free,
    /// but at least one. Fails with [`Failure::Busy`] if no place is free.
    ///
    /// Photos without a place of their own take turns in the other places. A request of four photos
    /// can therefore succeed even when other requests leave only one place at a time, or when the
    /// service has only three. Each of its photos waits behind the first photos of other clients,
    /// so the request delays them no longer than four requests of one photo would.
    pub(super) fn turns(self, photos: usize) -> Result<Vec<Turn>, Failure> {
        let Place { queue, client, upload } = self;
        let places = std::iter::from_fn(|| queue.enter(&client));
        let turns: Vec<Turn> = places.take(photos).map(Turn).collect();
        drop(upload);
        if turns.is_empty() { Err(Failure::Busy) } else { Ok(turns) }
    }
}

impl Turn {
    /// Waits for a worker and for the memory that a photo needs according to its header.
    pub(super) async fn slot(self, photo: &[u8]) -> Slot {
        let grant = self.0.grant(tiles(photo)).await;
        Slot { grant, turn: self }
    }
}

/// Returns the share of the pixels that a photo takes, in units of [`TILE`].
///
/// A file without a readable header takes the minimum, because no decoder gets as far as its
/// pixels. The decoder's own limit bounds the size that a header may declare. A photo larger than
/// the total waits until it can be the only one.
fn tiles(photo: &[u8]) -> u32 {
    let pixels = stills::pixels_of_still(photo).unwrap_or_else(|| {
        let size = imagesize::blob_size(photo);
        size.map_or(0, |size| (size.width as u64).saturating_mul(size.height as u64))
    });
    u32::try_from(pixels.div_ceil(TILE)).unwrap_or(u32::MAX).max(1)
}

fn pixels(tiles: u32) -> u64 {
    u64::from(tiles) * TILE
}

impl Chores {
    /// Waits for a worker and holds it for one step only. An archive of ten thousand members
    /// therefore delays another client by one member, and jobs still come in while requests are
    /// many.
    pub(super) async fn core(&self) -> Core {
        Core(self.0.grant(0).await)
    }
}

impl Core {
    /// Runs `work` on a worker thread; the worker is given back when the work ends.
    pub(super) async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let done = worker_threads::run(move || {
            let _core = self;
            work()
        });
        done.await.map_err(|WorkError(cause)| Failure::Internal { cause })
    }
}

impl Slot {
    /// Gives the worker and the memory back and keeps the place, for another photo of the same
    /// request.
    pub(super) fn next(self) -> Turn {
        let Slot { grant, turn } = self;
        drop(grant);
        turn
    }

    /// Runs `work` on a worker thread, and returns the slot with the result.
    ///
    /// The caller drops the slot after the answer is written: if it did so earlier, the next photo
    /// would compete for the core. If the caller has gone, the slot is dropped when the work ends.
    /// A panic becomes [`Failure::Internal`]; the panic hook has printed its location.
    pub(super) async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<(T, Slot), Failure> {
        let done = worker_threads::run(move || {
            let slot = self;
            tilesight_failpoint::point!("http.reading");
            (work(), slot)
        });
        done.await.map_err(|WorkError(cause)| Failure::Internal { cause })
    }
}

#[cfg(test)]
impl Admission {
    /// Waits until a place is free.
    pub(super) async fn place_free(&self) {
        while self.free().places == 0 {
            tokio::task::yield_now().await;
        }
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

    fn one() -> Client {
        Client::Key("one".into())
    }

    #[test]
    fn a_photo_takes_its_pixels() {
        for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
            assert_eq!(tiles(&photo(16, format)), 1, "{format:?}");
            assert_eq!(tiles(&photo(512, format)), 4, "{format:?}");
            assert_eq!(tiles(&photo(2048, format)), 64, "{format:?}");
        }
        // 1280 by 960.
        assert_eq!(tiles(include_bytes!("../../datasets/samples/demo.heic")), 19);
        assert_eq!(tiles(include_bytes!("../../datasets/samples/demo.avif")), 19);
        assert_eq!(tiles(b"no photo"), 1);
    }

    #[tokio::test]
    async fn large_photos_wait_for_each_other_and_give_everything_back() {
        let limits =
            Limits { decode_pixels: 5 * TILE, workers: 4, waiting: 4, ..Limits::default() };
        let admission = Admission::new(&limits);
        let large = photo(512, ImageFormat::Png);
        let first = admission.enter(&one()).unwrap().slot(&large).await.unwrap();
        let mut second = std::pin::pin!(admission.enter(&one()).unwrap().slot(&large));
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
        let single = admission.enter(&one()).unwrap().slot(b"").await.unwrap();
        // One place is left for a request of four photos, which takes it.
        let mut turns = admission.enter(&one()).unwrap().turns(4).unwrap();
        assert_eq!((turns.len(), admission.free().places), (1, 0));
        drop(single);
        let first = turns.pop().unwrap().slot(b"").await;
        // A client that arrives now waits for this photo only: the second photo queues behind the
        // client.
        let mut next = pin!(admission.enter(&one()).unwrap().slot(b""));
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
        let other = Client::Key("other".into());
        let reading = admission.enter(&one()).unwrap().slot(b"").await.unwrap();
        let chores = admission.chores(&other);
        let mut chore = pin!(chores.core());
        assert!(!is_ready(chore.as_mut()).await, "the worker is a request's");
        let mut behind = pin!(admission.enter(&one()).unwrap().slot(b""));
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

    /// Returns whether a future is ready, without waiting for it.
    async fn is_ready<F: Future>(mut future: std::pin::Pin<&mut F>) -> bool {
        std::future::poll_fn(|context| {
            std::task::Poll::Ready(future.as_mut().poll(context).is_ready())
        })
        .await
    }

    #[tokio::test]
    async fn who_sends_holds_no_worker_and_who_comes_late_is_refused() {
        // One client may have two of the three upload places.
        let limits = Limits { workers: 1, waiting: 0, uploads: 3, ..Limits::default() };
        let admission = Admission::new(&limits);
        let (slow, quick) = (admission.enter(&one()).unwrap(), admission.enter(&one()).unwrap());
        let share = Failure::Share { what: SharedResource::Uploads };
        assert_eq!(admission.enter(&one()).err(), Some(share), "two may send");
        assert_eq!((admission.free().uploads, admission.free().places), (1, 1));
        let other = admission.enter(&Client::Key("other".into())).unwrap();
        assert_eq!(admission.enter(&Client::Key("last".into())).err(), Some(Failure::Busy));
        drop(other);
        let reading = quick.slot(b"").await.unwrap();
        assert_eq!((admission.free().uploads, admission.free().places), (2, 0));
        assert_eq!(admission.enter(&one()).err(), Some(Failure::Busy), "nobody may wait");
        assert_eq!(slow.slot(b"").await.err(), Some(Failure::Busy), "the queue has filled");
        drop(reading);
        assert_eq!(admission.free(), admission.most());
    }
}
