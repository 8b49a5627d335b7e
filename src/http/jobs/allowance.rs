//! How many bytes a job may still bring while its photos come in.
//!
//! Input: the store, whom the job is counted for, and the limits. Output: that some more bytes may
//! be kept, or whose room is full. Invariant: what all jobs keep goes beyond its limit by no more
//! than [`LOOK`] for each job that is coming in, and by the results of photos that are there.

use std::sync::Arc;

use crate::config::JobLimits;
use crate::http::failure::Failure;
use crate::jobs::{Store, Usage};

/// After so many bytes the store is asked again: other jobs come in at the same time. A second of a
/// fast line; and asking takes as long as looking at all jobs does, a millisecond where there are
/// thousands.
const LOOK: u64 = 16_000_000;

/// What a job may still bring.
#[derive(Debug)]
pub(super) struct Allowance {
    store: Arc<dyn Store>,
    client: String,
    /// Of all jobs, and of those of this client.
    most: (u64, u64),
    /// What may come before the store is asked.
    left: u64,
}

impl Allowance {
    pub(super) fn new(store: Arc<dyn Store>, client: String, limits: &JobLimits) -> Allowance {
        Allowance { store, client, most: (limits.kept, limits.kept_each), left: 0 }
    }

    /// Takes some more bytes, which are about to be kept.
    ///
    /// # Errors
    /// [`Failure::TooMuchKept`] and [`Failure::NoRoom`].
    pub(super) async fn take(&mut self, bytes: u64) -> Result<(), Failure> {
        if bytes > self.left {
            let Usage { all, theirs } = self.store.usage(&self.client).await?;
            let (most, each) = self.most;
            let (room, own) = (most.saturating_sub(all), each.saturating_sub(theirs));
            if bytes > own {
                return Err(Failure::TooMuchKept { most: each });
            }
            if bytes > room {
                return Err(Failure::NoRoom);
            }
            self.left = room.min(own).min(LOOK.max(bytes));
        }
        self.left -= bytes;
        Ok(())
    }
}
