//! Admission control: limits on the photos in flight, the photos read at once, and the memory that
//! decoding them holds.
//!
//! A request goes through these steps:
//!
//! 1. It takes an [`UploadPermit`] on arrival, before its body is read, so that memory is bounded.
//!    Each client has a share of the upload permits. The request is refused at once if none is left
//!    or the queue for the workers is full.
//! 2. When its body has arrived, it exchanges the upload permit for a [`WaitingPermit`], and is
//!    refused if the queue has filled meanwhile. A request of several photos takes one permit per
//!    photo, or as many as are free, and its photos then share them.
//! 3. To read a photo, it waits for a [`WorkerPermit`]: a worker and, according to the photo's
//!    header, a share of the memory that all decoding may hold together. A photo that needs more
//!    than all of it is refused by its decoder, which checks the header too.
//!
//! The queue is short and the upload permits are many, because a phone takes longer to send a photo
//! than a worker takes to read it: slow uploads neither keep workers idle nor delay an accepted
//! photo. The [`WorkerQueue`] serves clients in turn: a client's first photo goes before another
//! client's second, and always finds a place. A client that disconnects while it waits gives
//! everything back at once.
//!
//! Requests without a photo compute too: `computing.rs` has their ways to a worker. Invariant: work
//! holds its resources until it ends, because it uses the processor until then; if the client
//! disconnects or the request times out, it ends at its next checkpoint.

mod computing;
mod queue;

use std::pin::pin;
use std::sync::Arc;

use tilesight_jobs::worker_threads::{self, WorkError};

use self::computing::Lanes;
pub(crate) use self::computing::{Turns, WorkSize};
use self::queue::{Capacity, WorkerQueue};
pub(crate) use self::queue::{WaitingPermit, WorkerPermit};
use crate::Limits;
use crate::answer::failure::{Failure, SharedResource};
use crate::decode_memory::MemoryBudget;
use crate::guard::client::Client;
use crate::guard::shares::{Share, Shares};

/// Upload permits, waiting permits and workers of a service.
#[derive(Debug, Clone)]
pub(crate) struct Admission {
    uploads: Arc<Shares<Client>>,
    queue: Arc<WorkerQueue>,
    lanes: Lanes,
    total: Resources,
}

/// Amounts of each resource: those free at one moment, or the totals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Resources {
    pub(crate) uploads: usize,
    /// Places in the queue that any client may take, for waiting photos and photos being read.
    pub(crate) places: usize,
    pub(crate) workers: usize,
    /// Memory for decoding, in bytes.
    pub(crate) memory: u64,
    /// Pixels that this memory is enough for.
    pub(crate) pixels: u64,
}

/// Permit to send a body, and to ask for a worker afterwards.
#[derive(Debug)]
pub(crate) struct UploadPermit {
    queue: Arc<WorkerQueue>,
    client: Client,
    upload: Share<Client>,
}

impl Admission {
    pub(crate) fn new(limits: &Limits) -> Admission {
        let budget = MemoryBudget { limits: limits.decode, pixels: limits.decode_pixels };
        let workers = limits.workers;
        let places = workers + limits.waiting;
        let capacity = Capacity { places, workers, memory: budget.total() };
        let (memory, pixels) = budget.enough_for(capacity.memory);
        Admission {
            uploads: Shares::new(limits.uploads),
            queue: WorkerQueue::new(capacity, budget),
            lanes: Lanes::new(limits, budget),
            total: Resources { uploads: limits.uploads, places, workers, memory, pixels },
        }
    }

    /// Returns the resources of an idle service.
    pub(crate) fn total(&self) -> Resources {
        self.total
    }

    /// Returns the resources that are free now.
    pub(crate) fn free(&self) -> Resources {
        let Capacity { places, workers, memory } = self.queue.free();
        let (memory, pixels) = self.queue.budget().enough_for(memory);
        Resources { uploads: self.uploads.free(), places, workers, memory, pixels }
    }

    /// Returns the number of photos that were admitted and are not answered yet.
    pub(crate) fn in_flight(&self) -> usize {
        self.uploads.all() - self.uploads.free() + self.queue.count_held()
    }

    /// Waits until a worker is free and no request is waiting, and takes the worker for a photo of
    /// a job.
    ///
    /// The job does not join the queue of the requests, which are the first to get released
    /// resources. A request that arrives while all workers read photos of jobs waits for the rest
    /// of one photo, because a running network can't be interrupted.
    pub(crate) async fn spare_worker(&self, photo: &[u8]) -> WorkerPermit {
        let memory = self.queue.budget().share(photo);
        loop {
            // Registered before the check, so that no notification in between is missed.
            let mut freed = pin!(self.queue.freed().notified());
            freed.as_mut().enable();
            if let Some(permit) = self.queue.spare(memory) {
                return permit;
            }
            freed.await;
        }
    }

    /// Returns the permit to prepare a job's incoming photos, such as unpacking and stripping, one
    /// step at a time.
    ///
    /// The permit queues in addition to the client's places, as one more photo of this client.
    pub(crate) fn permit_preparation(&self, client: &Client) -> Arc<WaitingPermit> {
        self.queue.enter_without_place(client)
    }

    /// Takes an upload permit for one body.
    ///
    /// Fails with [`Failure::Busy`] if all upload permits are taken or the queue is full, and with
    /// [`Failure::Share`] if this client has used up its share.
    pub(crate) fn enter(&self, client: &Client) -> Result<UploadPermit, Failure> {
        self.enter_with(client, 1)
    }

    /// Like [`Admission::enter`], for a body with the size limit of `bodies` bodies. It counts as
    /// that many uploads, but as no more than one client may have.
    pub(crate) fn enter_with(
        &self,
        client: &Client,
        bodies: usize,
    ) -> Result<UploadPermit, Failure> {
        if !self.queue.is_open_to(client) {
            return Err(Failure::Busy);
        }
        let upload = self
            .uploads
            .take_many(client, bodies)
            .map_err(|full| full.failure(SharedResource::Uploads))?;
        Ok(UploadPermit { queue: Arc::clone(&self.queue), client: client.clone(), upload })
    }
}

impl UploadPermit {
    /// Returns the client of the request.
    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    /// Waits for a worker and for the memory that the photo needs according to its header. Fails
    /// with [`Failure::Busy`] if the queue has filled while the body arrived.
    pub(crate) async fn worker(self, photo: &[u8]) -> Result<WorkerPermit, Failure> {
        let permit = self.into_waiting(1)?.pop().expect("there is one, or the queue is full");
        Ok(permit.worker_for(photo).await)
    }

    /// Exchanges the upload permit for one waiting permit per photo, or for as many as are free,
    /// but at least one. Fails with [`Failure::Busy`] if none is free.
    ///
    /// Photos without a permit of their own share the other permits, one after the other. A request
    /// of four photos can therefore succeed even when other requests leave only one place at a
    /// time, or when the service has only three. Each of its photos waits behind the first photos
    /// of other clients, so the request delays them no longer than four requests of one photo
    /// would.
    pub(crate) fn into_waiting(self, photos: usize) -> Result<Vec<Arc<WaitingPermit>>, Failure> {
        let UploadPermit { queue, client, upload } = self;
        let permits: Vec<_> = std::iter::from_fn(|| queue.enter(&client)).take(photos).collect();
        drop(upload);
        if permits.is_empty() { Err(Failure::Busy) } else { Ok(permits) }
    }
}

impl WaitingPermit {
    /// Waits for a worker and for the memory that a photo needs according to its header.
    pub(crate) async fn worker_for(self: &Arc<Self>, photo: &[u8]) -> WorkerPermit {
        self.worker(self.budget().share(photo)).await
    }

    /// Waits for a worker for one step that needs no memory for pixels. An archive of ten thousand
    /// members therefore delays another client by one member, and jobs still come in while requests
    /// are many.
    pub(crate) async fn worker_for_step(self: &Arc<Self>) -> WorkerPermit {
        self.worker(0).await
    }
}

impl WorkerPermit {
    /// Runs `work` on a worker thread, and returns the permit with the result.
    ///
    /// A caller that answers a request drops the permit after the answer is written: if it did so
    /// earlier, the next photo would compete for the core. If the caller has gone, the work ends at
    /// its next checkpoint, and the permit is dropped then. A panic becomes [`Failure::Internal`];
    /// the panic hook has printed its location.
    pub(crate) async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<(T, WorkerPermit), Failure> {
        let done = worker_threads::run(move || {
            let permit = self;
            tilesight_failpoint::point!("http.reading");
            (work(), permit)
        });
        done.await.map_err(|WorkError(cause)| Failure::Internal { cause })
    }
}

#[cfg(test)]
impl Admission {
    /// Waits until a place is free.
    pub(crate) async fn place_free(&self) {
        while self.free().places == 0 {
            tokio::task::yield_now().await;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::{ImageFormat, RgbImage};
    use tilesight_stills::{DecodeLimits, DecodingCost};

    use super::*;

    fn photo(side: u32, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        RgbImage::new(side, side).write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    fn one() -> Client {
        Client::Key("one".into())
    }

    #[tokio::test]
    async fn large_photos_wait_for_each_other_and_give_everything_back() {
        let large = photo(512, ImageFormat::Png);
        let decode = DecodeLimits::default();
        let memory = 3 * DecodingCost::from_header(&large, &decode).memory / 2;
        let decode = DecodeLimits { memory, ..decode };
        let limits = Limits { decode, workers: 4, waiting: 4, ..Limits::default() };
        let admission = Admission::new(&limits);
        let first = admission.enter(&one()).unwrap().worker(&large).await.unwrap();
        let mut second = std::pin::pin!(admission.enter(&one()).unwrap().worker(&large));
        assert!(!is_ready(second.as_mut()).await, "there is room for one only");
        assert_eq!(admission.free().workers, 3, "it waits without a worker");
        drop(first);
        drop(second.await);
        assert_eq!(admission.free(), admission.total());
    }

    #[tokio::test]
    async fn a_photo_that_can_never_fit_keeps_no_other_waiting() {
        let decode = DecodeLimits { memory: 3_000_000, ..DecodeLimits::default() };
        let limits = Limits { decode, workers: 4, waiting: 4, ..Limits::default() };
        let admission = Admission::new(&limits);
        let huge = photo(2048, ImageFormat::Png);
        let refused = admission.enter(&one()).unwrap().worker(&huge).await.unwrap();
        let small = photo(64, ImageFormat::Png);
        let mut other = pin!(admission.enter(&one()).unwrap().worker(&small));
        assert!(is_ready(other.as_mut()).await);
        drop(refused);
    }

    #[tokio::test]
    async fn photos_of_one_request_take_turns_with_those_of_others() {
        let limits = Limits { workers: 1, waiting: 1, ..Limits::default() };
        let admission = Admission::new(&limits);
        let single = admission.enter(&one()).unwrap().worker(b"").await.unwrap();
        // One place is left for a request of four photos, which takes it.
        let mut waiting = admission.enter(&one()).unwrap().into_waiting(4).unwrap();
        assert_eq!((waiting.len(), admission.free().places), (1, 0));
        drop(single);
        let first = waiting.pop().unwrap();
        let first_worker = first.worker_for(b"").await;
        // A client that arrives now waits for this photo only: the second photo queues behind the
        // client.
        let mut next = pin!(admission.enter(&one()).unwrap().worker(b""));
        assert!(!is_ready(next.as_mut()).await);
        drop(first_worker);
        let mut second = pin!(async move { first.worker_for(b"").await });
        assert!(!is_ready(second.as_mut()).await, "the worker is another's");
        drop(next.await.unwrap());
        drop(second.await);
        assert_eq!(admission.free(), admission.total());
    }

    #[tokio::test]
    async fn preparations_stand_in_the_queue_for_workers() {
        let limits = Limits { workers: 1, waiting: 2, ..Limits::default() };
        let admission = Admission::new(&limits);
        let other = Client::Key("other".into());
        let reading = admission.enter(&one()).unwrap().worker(b"").await.unwrap();
        let preparation = admission.permit_preparation(&other);
        let mut step = pin!(preparation.worker_for_step());
        assert!(!is_ready(step.as_mut()).await, "the worker is a request's");
        let mut behind = pin!(admission.enter(&one()).unwrap().worker(b""));
        assert!(!is_ready(behind.as_mut()).await);
        drop(reading);
        let worker = step.await;
        assert!(!is_ready(behind.as_mut()).await, "who came first is first");
        let mut spare = pin!(admission.spare_worker(b""));
        assert!(!is_ready(spare.as_mut()).await, "a job's photo gives way to both");
        assert_eq!(worker.run(|| 7).await.expect("it ends").0, 7);
        drop(behind.await);
        drop(spare.await);
        assert_eq!(admission.free(), admission.total());
    }

    /// Returns whether a future is ready, without waiting for it.
    async fn is_ready<F: Future>(mut future: std::pin::Pin<&mut F>) -> bool {
        std::future::poll_fn(|context| {
            std::task::Poll::Ready(future.as_mut().poll(context).is_ready())
        })
        .await
    }

    #[tokio::test]
    async fn a_sender_holds_no_worker_and_a_late_request_is_refused() {
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
        let reading = quick.worker(b"").await.unwrap();
        assert_eq!((admission.free().uploads, admission.free().places), (2, 0));
        assert_eq!(admission.enter(&one()).err(), Some(Failure::Busy), "nobody may wait");
        assert_eq!(slow.worker(b"").await.err(), Some(Failure::Busy), "the queue has filled");
        drop(reading);
        assert_eq!(admission.free(), admission.total());
    }
}
