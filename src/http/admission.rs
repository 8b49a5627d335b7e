//! Admission: how many photos may be in the house, and how many are worked on at once.
//!
//! A request takes a place on arrival, before its body is read, so that memory is bounded by the
//! number of places; when none is left it is refused at once. Reading a photo then takes a worker.
//! Invariant: both are held until the work really ends, also when the client has gone or the
//! request has timed out: work that nobody waits for still uses the processor.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;

use super::failure::Failure;
use crate::config::Limits;

/// The places and the workers of a service.
#[derive(Debug, Clone)]
pub(super) struct Admission {
    places: Arc<Semaphore>,
    workers: Arc<Semaphore>,
}

/// The right to send in a body and to wait for a worker.
#[derive(Debug)]
pub(super) struct Place {
    workers: Arc<Semaphore>,
    permit: OwnedSemaphorePermit,
}

/// A place with a worker: the right to use a core.
#[derive(Debug)]
pub(super) struct Slot {
    _place: OwnedSemaphorePermit,
    _worker: OwnedSemaphorePermit,
}

impl Admission {
    pub(super) fn new(limits: &Limits) -> Admission {
        Admission {
            places: Arc::new(Semaphore::new(limits.workers + limits.waiting)),
            workers: Arc::new(Semaphore::new(limits.workers)),
        }
    }

    /// A place, or [`Failure::Busy`] when all are taken.
    pub(super) fn enter(&self) -> Result<Place, Failure> {
        let permit = Arc::clone(&self.places).try_acquire_owned().map_err(|_| Failure::Busy)?;
        Ok(Place { workers: Arc::clone(&self.workers), permit })
    }
}

impl Place {
    /// Waits for a worker, first come first served.
    pub(super) async fn worker(self) -> Slot {
        let worker = self.workers.acquire_owned().await.expect("the semaphore is never closed");
        Slot { _place: self.permit, _worker: worker }
    }
}

impl Slot {
    /// Runs `work` on a thread that may block, and holds the slot until it ends.
    ///
    /// A panic in it becomes [`Failure::Internal`]; the panic hook has printed where it was.
    pub(super) async fn run<T: Send + 'static>(
        self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let done = spawn_blocking(move || {
            let _slot = self;
            work()
        });
        done.await.map_err(|error| Failure::Internal { cause: error.to_string() })
    }
}

#[cfg(test)]
impl Admission {
    /// Waits until there is a place.
    pub(super) async fn place_free(&self) {
        drop(self.places.acquire().await.expect("the semaphore is never closed"));
    }
}
