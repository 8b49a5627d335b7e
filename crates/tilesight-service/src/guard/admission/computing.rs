//! Workers for requests without a photo: scores, answers, rows, reviews, exports and score sheets.
//!
//! Input: a client, and a piece of work. Output: its result, once it is the client's turn. Work has
//! one of these lanes, in each of which clients take turns ([`WorkerQueue`]):
//!
//! - [`WorkSize::Large`] work waits with the photos for the same workers, so that together they
//!   never use more cores than there are. A request holds one of a bounded number of places, of
//!   which each client has a share. One piece takes at most about as long as a photo; longer work
//!   is done in pieces, and waits for its next turn between them.
//! - [`WorkSize::Small`] work takes some milliseconds, and has workers of its own: it must not wait
//!   for a photo, which takes a hundred.
//! - [`WorkSize::Sheet`] work loads, shows and changes score sheets, and loads and stores what
//!   other work computes with. Half of its time it waits for the disk, so it has twice as many
//!   workers of its own.
//!
//! Invariants: nothing here runs on the threads that answer; no worker of the first two lanes is
//! held while a request waits for a store.

use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{FromRef, FromRequestParts};
use axum::http::request::Parts;

use super::queue::{Capacity, WorkerQueue};
use super::{Admission, WorkerPermit};
use crate::Limits;
use crate::answer::failure::{Failure, SharedResource};
use crate::decode_memory::MemoryBudget;
use crate::guard::client::Client;
use crate::guard::shares::{Share, Shares};

/// Number of requests with large work per worker that may be received, wait or run. Four clients
/// find room for a dozen each; the bodies of all of them have less than 10 MB per worker.
const PLACES_PER_WORKER: usize = 64;

/// Size of a piece of work, which determines its workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WorkSize {
    /// Work of some milliseconds.
    Small,
    /// Work of up to the time of a photo.
    Large,
    /// Work on a score sheet or with a store, which also waits for the disk.
    Sheet,
}

/// Places and workers for work without a photo.
#[derive(Debug, Clone)]
pub(super) struct Lanes {
    places: Arc<Shares<Client>>,
    small: Arc<WorkerQueue>,
    sheets: Arc<WorkerQueue>,
}

/// Place of a request with large work, from its arrival until the work is done.
pub(crate) type ComputingPlace = Share<Client>;

impl Lanes {
    pub(super) fn new(limits: &Limits, budget: MemoryBudget) -> Lanes {
        // Half as many as for photos: a flood of small work then leaves them most of the cores.
        let small = (limits.workers / 2).max(1);
        let sheets = 2 * limits.workers;
        Lanes {
            places: Shares::new(PLACES_PER_WORKER * limits.workers),
            small: WorkerQueue::new(Capacity { places: 0, workers: small, memory: 0 }, budget),
            sheets: WorkerQueue::new(Capacity { places: 0, workers: sheets, memory: 0 }, budget),
        }
    }
}

impl Admission {
    /// Returns the number of requests with large work that are received, wait or run.
    pub(crate) fn count_computing(&self) -> usize {
        self.lanes.places.all() - self.lanes.places.free()
    }
}

/// Client of a request, which takes turns with others at the workers.
#[derive(Debug, Clone)]
pub(crate) struct Turns {
    admission: Admission,
    client: Client,
}

impl<S> FromRequestParts<S> for Turns
where
    Admission: FromRef<S>,
    S: Sync,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Turns, Infallible> {
        let client = Client::from_extensions(&parts.extensions);
        Ok(Turns::new(Admission::from_ref(state), client))
    }
}

impl Turns {
    /// Returns the turns of a client.
    pub(crate) fn new(admission: Admission, client: Client) -> Turns {
        Turns { admission, client }
    }

    pub(crate) fn client(&self) -> &Client {
        &self.client
    }

    /// Takes a place for a request with large work, before its body is received.
    ///
    /// # Errors
    /// [`Failure::Share`] if the client has used up its share, [`Failure::Busy`] if all places are
    /// taken.
    pub(crate) fn enter(&self) -> Result<ComputingPlace, Failure> {
        let place = self.admission.lanes.places.take(&self.client);
        place.map_err(|full| full.failure(SharedResource::Computing))
    }

    /// Waits for a worker for one piece of work. Behind other clients it waits for one piece of
    /// each, however many they have.
    async fn worker(&self, size: WorkSize) -> WorkerPermit {
        let queue = match size {
            WorkSize::Small => &self.admission.lanes.small,
            WorkSize::Large => &self.admission.queue,
            WorkSize::Sheet => &self.admission.lanes.sheets,
        };
        queue.enter_without_place(&self.client).worker(0).await
    }

    /// Uses a store once it is the client's turn. No worker that computes is held meanwhile.
    pub(crate) async fn use_store<T>(&self, using: impl Future<Output = T>) -> T {
        let turn = self.worker(WorkSize::Sheet).await;
        let done = using.await;
        drop(turn);
        done
    }

    /// Runs one piece of work on a worker. The work waits for no store: what it needs is loaded
    /// before, so that no core is idle while others wait for it.
    ///
    /// # Errors
    /// [`Failure::Internal`] if the work panics.
    pub(crate) async fn compute<T: Send + 'static>(
        &self,
        size: WorkSize,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let worker = self.worker(size).await;
        Ok(worker.run(work).await?.0)
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::sync::mpsc;
    use std::task::Poll;

    use tilesight_core::stop::checkpoint;

    use super::*;

    fn one_worker() -> Admission {
        Admission::new(&Limits { workers: 1, waiting: 0, ..Limits::default() })
    }

    fn turns(admission: &Admission, name: &str) -> Turns {
        Turns::new(admission.clone(), Client::Key(name.into()))
    }

    /// Polls a future once.
    async fn poll_once<F: Future>(mut future: std::pin::Pin<&mut F>) -> Option<F::Output> {
        std::future::poll_fn(|context| match future.as_mut().poll(context) {
            Poll::Ready(ready) => Poll::Ready(Some(ready)),
            Poll::Pending => Poll::Ready(None),
        })
        .await
    }

    #[tokio::test]
    async fn small_work_waits_for_no_photo_and_no_large_work() {
        let admission = one_worker();
        let one = turns(&admission, "one");
        let photo = admission.enter(one.client()).expect("a place").worker(b"").await;
        let mut large = pin!(one.compute(WorkSize::Large, || 1));
        assert!(poll_once(large.as_mut()).await.is_none(), "the worker reads a photo");
        assert_eq!(one.compute(WorkSize::Small, || 2).await, Ok(2));
        assert_eq!(one.compute(WorkSize::Sheet, || 3).await, Ok(3));
        drop(photo);
        assert_eq!(large.await, Ok(1));
        assert_eq!(admission.free(), admission.total());
    }

    #[tokio::test]
    async fn waiting_for_a_store_holds_no_worker_that_computes() {
        let admission = one_worker();
        let one = turns(&admission, "one");
        let (answer, answered) = tokio::sync::oneshot::channel::<u8>();
        let mut loading = pin!(one.use_store(answered));
        assert!(poll_once(loading.as_mut()).await.is_none(), "the store has not answered");
        assert_eq!(one.compute(WorkSize::Large, || 1).await, Ok(1));
        assert_eq!(one.compute(WorkSize::Small, || 2).await, Ok(2));
        answer.send(3).expect("it waits");
        assert_eq!(loading.await, Ok(3));
        assert_eq!(admission.free(), admission.total());
    }

    #[tokio::test]
    async fn each_size_of_work_takes_turns_by_client() {
        for size in [WorkSize::Small, WorkSize::Large, WorkSize::Sheet] {
            let admission = one_worker();
            let (flood, mine) = (turns(&admission, "flood"), turns(&admission, "mine"));
            let mut held: Vec<_> =
                std::iter::repeat_with(|| Box::pin(flood.worker(size))).take(6).collect();
            let mut busy = Vec::new();
            let mut waiting = Vec::new();
            for mut turn in held.drain(..) {
                match poll_once(turn.as_mut()).await {
                    Some(worker) => busy.push(worker),
                    None => waiting.push(turn),
                }
            }
            assert!(waiting.len() > 1, "{size:?}: {} workers", busy.len());
            let mut mine = Box::pin(mine.worker(size));
            assert!(poll_once(mine.as_mut()).await.is_none());
            busy.pop();
            assert!(poll_once(mine.as_mut()).await.is_some(), "{size:?}: the newcomer is next");
        }
    }

    #[tokio::test]
    async fn a_flood_of_large_work_leaves_places_for_others() {
        let admission = one_worker();
        let flood = turns(&admission, "flood");
        let held: Vec<_> = std::iter::from_fn(|| flood.enter().ok()).collect();
        assert_eq!(held.len(), PLACES_PER_WORKER * 3 / 4);
        let refused = Failure::Share { what: SharedResource::Computing };
        assert_eq!(flood.enter().err(), Some(refused));
        assert!(turns(&admission, "mine").enter().is_ok());
        drop(held);
        assert_eq!(admission.count_computing(), 0);
    }

    #[tokio::test]
    async fn abandoned_work_gives_its_worker_back_at_its_next_checkpoint() {
        for size in [WorkSize::Small, WorkSize::Large, WorkSize::Sheet] {
            let admission = one_worker();
            let (starts, started) = mpsc::channel();
            let (go, gone) = mpsc::channel::<()>();
            let endless = move || {
                starts.send(()).expect("the test waits");
                let _ = gone.recv();
                loop {
                    checkpoint();
                }
            };
            let one = turns(&admission, "one");
            let mut abandoned = Box::pin(one.compute(size, endless));
            assert!(poll_once(abandoned.as_mut()).await.is_none());
            started.recv().expect("it begins");
            drop(abandoned);
            drop(go);
            let queue = match size {
                WorkSize::Small => &admission.lanes.small,
                WorkSize::Large => &admission.queue,
                WorkSize::Sheet => &admission.lanes.sheets,
            };
            let all = if size == WorkSize::Sheet { 2 } else { 1 };
            while queue.free().workers < all {
                tokio::task::yield_now().await;
            }
        }
    }
}
