//! Queue in front of the workers: which clients may wait in it, and in which order they are served.
//!
//! Input: clients that ask for a place, and for a worker with memory for one photo. Output:
//! [`WaitingPermit`]s and [`WorkerPermit`]s, which are given back when they are dropped. Workers
//! serve clients in rounds
//! (start-time fair queueing, Goyal, Vin and Cheng 1996): each photo has the number of the round in
//! which it is read, the photos of one client have consecutive numbers, and a client's first photo
//! has the number of the current round. So a client's first photo goes before another client's
//! second, even if that one came earlier. Invariants: a client without a place finds one as long as
//! the reserve lasts, which is for such clients only; memory and worker are taken together, in the
//! order of the queue, so that neither is held while waiting for the other and a large photo is not
//! passed over; a client that leaves is removed at once.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{Notify, oneshot};

use crate::decode_memory::MemoryBudget;
use crate::guard::client::Client;

/// Additional places per worker, for clients that hold none. Because of them, a client waits for at
/// most this many photos more than the queue itself holds per worker: less than half a second at a
/// tenth of a second per photo.
const RESERVE: usize = 4;

/// State of the workers, the memory, and the photos that wait for them.
#[derive(Debug)]
pub(super) struct WorkerQueue {
    total: Capacity,
    budget: MemoryBudget,
    state: Mutex<QueueState>,
    /// Notified when something is given back.
    freed: Notify,
}

/// Amount of each resource.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Capacity {
    /// Places for waiting photos and photos being read.
    pub(super) places: usize,
    pub(super) workers: usize,
    /// Memory, in units of the caller's choice.
    pub(super) memory: u32,
}

#[derive(Debug)]
struct QueueState {
    workers: usize,
    memory: u32,
    taken: usize,
    holders: HashMap<Client, Holder>,
    /// Rank of the current round.
    round: u64,
    arrivals: u64,
    waiting: BTreeMap<Rank, WaitingPhoto>,
}

/// Client with permits to wait.
#[derive(Debug, Default)]
struct Holder {
    /// Rank of permits of the client; `places` of them count as places.
    permits: usize,
    places: usize,
    /// Round in which the client's next photo may be read.
    next: u64,
}

/// Position of a photo in the queue: its round, and its order of arrival within the round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    round: u64,
    arrival: u64,
}

#[derive(Debug)]
struct WaitingPhoto {
    memory: u32,
    granted: oneshot::Sender<WorkerPermit>,
}

/// Permit to wait for a worker, with one photo at a time.
#[derive(Debug)]
pub(crate) struct WaitingPermit {
    queue: Arc<WorkerQueue>,
    client: Client,
    /// Whether the permit counts as a place.
    place: bool,
}

/// Permit to use a core, and memory for one photo.
#[derive(Debug)]
pub(crate) struct WorkerPermit {
    queue: Arc<WorkerQueue>,
    memory: u32,
    /// Permit that the photo waited with. It is given back after the worker, so that the next photo
    /// in the queue is served before another client takes the place.
    _waiting: Option<Arc<WaitingPermit>>,
}

/// Entry of a photo in the queue; on drop it removes the photo that nothing waits for any more.
struct QueueEntry<'a> {
    queue: &'a Arc<WorkerQueue>,
    number: Rank,
}

impl WorkerQueue {
    pub(super) fn new(total: Capacity, budget: MemoryBudget) -> Arc<WorkerQueue> {
        let state = QueueState {
            workers: total.workers,
            memory: total.memory,
            taken: 0,
            holders: HashMap::new(),
            round: 0,
            arrivals: 0,
            waiting: BTreeMap::new(),
        };
        Arc::new(WorkerQueue { total, budget, state: Mutex::new(state), freed: Notify::new() })
    }

    /// Returns the free resources. Of the places it counts only those that any client may take.
    pub(super) fn free(&self) -> Capacity {
        let state = self.state();
        let places = self.total.places.saturating_sub(state.taken);
        Capacity { places, workers: state.workers, memory: state.memory }
    }

    /// Returns how the memory is shared.
    pub(super) fn budget(&self) -> MemoryBudget {
        self.budget
    }

    /// Returns the number of places that are held, including those of the reserve.
    pub(super) fn count_held(&self) -> usize {
        self.state().taken
    }

    /// Returns the signal that fires when something is given back.
    pub(super) fn freed(&self) -> &Notify {
        &self.freed
    }

    /// Returns whether a client would find a place now.
    pub(super) fn is_open_to(&self, client: &Client) -> bool {
        self.total.is_open_to(&self.state(), client)
    }

    /// Returns a place for a client if one is free.
    pub(super) fn enter(self: &Arc<Self>, client: &Client) -> Option<Arc<WaitingPermit>> {
        let mut state = self.state();
        if !self.total.is_open_to(&state, client) {
            return None;
        }
        state.taken += 1;
        let holder = state.holders.entry(client.clone()).or_default();
        holder.permits += 1;
        holder.places += 1;
        let queue = Arc::clone(self);
        Some(Arc::new(WaitingPermit { queue, client: client.clone(), place: true }))
    }

    /// Returns a permit without a place, for a client whose request holds a place elsewhere.
    pub(super) fn enter_without_place(self: &Arc<Self>, client: &Client) -> Arc<WaitingPermit> {
        self.state().holders.entry(client.clone()).or_default().permits += 1;
        let queue = Arc::clone(self);
        Arc::new(WaitingPermit { queue, client: client.clone(), place: false })
    }

    /// Returns a worker with memory, at most the total, if one is free and no photo waits in the
    /// queue.
    pub(super) fn spare(self: &Arc<Self>, memory: u32) -> Option<WorkerPermit> {
        let memory = memory.min(self.total.memory);
        let mut state = self.state();
        let free = state.waiting.is_empty() && state.fits(memory);
        free.then(|| state.grant(self, memory))
    }

    /// Serves the next photos while the resources last.
    fn serve(self: &Arc<Self>) {
        while let Some((granted, permit)) = self.next() {
            // If the client has just left, the permit is dropped, and the next is served.
            let _ = granted.send(permit);
        }
        self.freed.notify_waiters();
    }

    fn next(self: &Arc<Self>) -> Option<(oneshot::Sender<WorkerPermit>, WorkerPermit)> {
        let mut state = self.state();
        let (&number, WaitingPhoto { memory, .. }) = state.waiting.first_key_value()?;
        let memory = *memory;
        if !state.fits(memory) {
            return None;
        }
        state.round = state.round.max(number.round);
        let WaitingPhoto { granted, .. } = state.waiting.remove(&number)?;
        Some((granted, state.grant(self, memory)))
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Capacity {
    fn is_open_to(&self, state: &QueueState, client: &Client) -> bool {
        let first = state.holders.get(client).is_none_or(|holder| holder.places == 0);
        let reserve = if first { RESERVE * self.workers } else { 0 };
        state.taken < self.places + reserve
    }
}

impl QueueState {
    fn fits(&self, memory: u32) -> bool {
        self.workers > 0 && self.memory >= memory
    }

    fn grant(&mut self, queue: &Arc<WorkerQueue>, memory: u32) -> WorkerPermit {
        self.workers -= 1;
        self.memory -= memory;
        WorkerPermit { queue: Arc::clone(queue), memory, _waiting: None }
    }

    /// Returns the number of a client's next photo.
    fn number(&mut self, client: &Client) -> Rank {
        self.arrivals += 1;
        let holder = self.holders.entry(client.clone()).or_default();
        let round = holder.next.max(self.round);
        holder.next = round + 1;
        Rank { round, arrival: self.arrivals }
    }

    /// Adds a client's next photo, and returns its number.
    fn add(&mut self, client: &Client, photo: WaitingPhoto) -> Rank {
        let number = self.number(client);
        self.waiting.insert(number, photo);
        number
    }
}

impl WaitingPermit {
    /// Returns how the memory is shared.
    pub(super) fn budget(&self) -> MemoryBudget {
        self.queue.budget
    }

    /// Waits for a worker and memory; a request for more memory than the total gets the total.
    pub(super) async fn worker(self: &Arc<Self>, memory: u32) -> WorkerPermit {
        let (granted, permit) = oneshot::channel();
        let memory = memory.min(self.queue.total.memory);
        let number = self.queue.state().add(&self.client, WaitingPhoto { memory, granted });
        let leaving = QueueEntry { queue: &self.queue, number };
        self.queue.serve();
        let permit = permit.await.expect("who waits is served, or taken out by leaving");
        drop(leaving);
        permit.kept_with(Arc::clone(self))
    }
}

impl Drop for QueueEntry<'_> {
    fn drop(&mut self) {
        // A small photo behind a large one that leaves may fit now.
        let left = self.queue.state().waiting.remove(&self.number);
        if left.is_some() {
            self.queue.serve();
        }
    }
}

impl WorkerPermit {
    /// Keeps the permit that the photo waited with for as long as the worker.
    fn kept_with(mut self, waiting: Arc<WaitingPermit>) -> WorkerPermit {
        self._waiting = Some(waiting);
        self
    }
}

impl Drop for WorkerPermit {
    fn drop(&mut self) {
        {
            let mut state = self.queue.state();
            state.workers += 1;
            state.memory += self.memory;
        }
        self.queue.serve();
    }
}

impl Drop for WaitingPermit {
    fn drop(&mut self) {
        {
            let mut state = self.queue.state();
            let place = usize::from(self.place);
            state.taken -= place;
            if let Some(holder) = state.holders.get_mut(&self.client) {
                holder.places -= place;
                holder.permits -= 1;
                if holder.permits == 0 {
                    state.holders.remove(&self.client);
                }
            }
        }
        self.queue.freed.notify_waiters();
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::pin::Pin;
    use std::task::Poll;

    use tilesight_stills::DecodeLimits;

    use super::*;

    fn client(name: &str) -> Client {
        Client::Key(name.into())
    }

    fn queue(places: usize, workers: usize) -> Arc<WorkerQueue> {
        let budget = MemoryBudget { limits: DecodeLimits::default(), pixels: None };
        WorkerQueue::new(Capacity { places, workers, memory: 10 }, budget)
    }

    type Waits = Pin<Box<dyn Future<Output = WorkerPermit>>>;

    /// Returns the permit of a photo that is served at once.
    async fn served(queue: &Arc<WorkerQueue>, name: &str, memory: u32) -> WorkerPermit {
        queue.enter(&client(name)).expect("a place").worker(memory).await
    }

    /// Returns the future of a photo that is in the queue from now on.
    async fn waits(queue: &Arc<WorkerQueue>, name: &str, memory: u32) -> Waits {
        let waiting = queue.enter(&client(name)).expect("a place");
        let mut waits: Waits = Box::pin(async move { waiting.worker(memory).await });
        assert!(ready(&mut waits).await.is_none(), "{name} is served at once");
        waits
    }

    async fn ready(waits: &mut Waits) -> Option<WorkerPermit> {
        poll_fn(|context| match waits.as_mut().poll(context) {
            Poll::Ready(served) => Poll::Ready(Some(served)),
            Poll::Pending => Poll::Ready(None),
        })
        .await
    }

    /// Returns the names of the waiting clients in the order in which they are served.
    async fn order(
        mut busy: WorkerPermit,
        mut waiting: Vec<(&'static str, Waits)>,
    ) -> Vec<&'static str> {
        let mut order = Vec::new();
        while !waiting.is_empty() {
            drop(busy);
            let mut next = None;
            for (at, (_, waits)) in waiting.iter_mut().enumerate() {
                if let Some(served) = ready(waits).await {
                    assert!(next.replace((at, served)).is_none(), "there is one worker");
                }
            }
            let (at, served) = next.expect("somebody is served");
            order.push(waiting.remove(at).0);
            busy = served;
        }
        order
    }

    #[tokio::test]
    async fn the_first_of_one_goes_before_the_second_of_another() {
        let queue = queue(20, 1);
        let busy = served(&queue, "flood", 1).await;
        let mut waiting = Vec::new();
        for name in ["flood", "flood", "flood", "two", "two", "three", "flood"] {
            waiting.push((name, waits(&queue, name, 1).await));
        }
        let found = order(busy, waiting).await;
        assert_eq!(found, ["two", "three", "flood", "two", "flood", "flood", "flood"]);
    }

    #[tokio::test]
    async fn a_returning_client_waits_for_one_photo_of_a_flood() {
        let queue = queue(40, 1);
        let mut busy = served(&queue, "flood", 1).await;
        let mut flood = Vec::new();
        for _ in 0..10 {
            flood.push(waits(&queue, "flood", 1).await);
        }
        for _ in 0..4 {
            let mut mine = waits(&queue, "mine", 1).await;
            drop(busy);
            busy = ready(&mut mine).await.expect("it is next");
            let mut next = flood.remove(0);
            drop(busy);
            busy = ready(&mut next).await.expect("then one of the others");
        }
    }

    #[tokio::test]
    async fn a_first_photo_finds_a_place_beyond_the_others() {
        let queue = queue(2, 1);
        let held: Vec<_> = std::iter::from_fn(|| queue.enter(&client("flood"))).collect();
        assert_eq!(held.len(), 2, "one alone has all places but the reserve");
        let first = queue.enter(&client("mine")).expect("a place of the reserve");
        assert!(queue.enter(&client("mine")).is_none(), "the second is one of the others");
        let more: Vec<_> =
            (0..10).map_while(|n| queue.enter(&client(&format!("other-{n}")))).collect();
        assert_eq!((more.len(), queue.count_held()), (3, 6), "the reserve ends too");
        assert_eq!(queue.free().places, 0);
        drop((held, first, more));
        assert_eq!(queue.free(), queue.total);
        assert!(queue.state().holders.is_empty(), "nobody is remembered");
    }

    #[tokio::test]
    async fn a_client_that_leaves_the_queue_frees_its_place() {
        let queue = queue(20, 2);
        let first = served(&queue, "a", 5).await;
        let large = waits(&queue, "b", 10).await;
        let small = waits(&queue, "c", 5).await;
        assert!(queue.spare(1).is_none(), "somebody waits");
        drop(large);
        let mut small = small;
        let small = ready(&mut small).await.expect("nothing is before it any more");
        drop((first, small));
        assert_eq!((queue.free().workers, queue.free().memory), (2, 10));
        assert!(queue.state().waiting.is_empty());
    }

    #[tokio::test]
    async fn a_permit_for_a_client_that_left_goes_to_the_next() {
        let queue = queue(20, 1);
        let busy = served(&queue, "a", 1).await;
        let (gone, next) = (waits(&queue, "b", 1).await, waits(&queue, "c", 1).await);
        // The client leaves while its permit is on the way.
        drop(busy);
        drop(gone);
        let mut next = next;
        assert!(ready(&mut next).await.is_some());
    }
}
