//! Storage allowance of a job while its photos come in.
//!
//! Input: the store, the client of the job, and the limits. Output: permission to store more bytes,
//! or the limit that is reached. Invariant: the total storage of all jobs exceeds its limit by at
//! most [`LOOK`] for each incoming job, plus the results of photos that are already stored.

use std::sync::Arc;

use tilesight_jobs::{Store, Usage};

use crate::JobLimits;
use crate::answer::failure::Failure;

/// Bytes after which the store is asked again, because other jobs come in at the same time. A fast
/// connection takes one second for them; the query takes as long as listing all jobs: a millisecond
/// if there are thousands.
const LOOK: u64 = 16_000_000;

/// Storage that a job may still use.
#[derive(Debug)]
pub(super) struct Allowance {
    store: Arc<dyn Store>,
    client: String,
    /// Limits in bytes, for all jobs and for those of this client.
    max: (u64, u64),
    /// Bytes that may come before the store is asked again.
    left: u64,
}

impl Allowance {
    pub(super) fn new(store: Arc<dyn Store>, client: String, limits: &JobLimits) -> Allowance {
        Allowance { store, client, max: (limits.kept, limits.kept_per_client), left: 0 }
    }

    /// Takes some bytes that are about to be stored.
    ///
    /// # Errors
    /// [`Failure::TooMuchKept`] and [`Failure::NoRoom`].
    pub(super) async fn take(&mut self, bytes: u64) -> Result<(), Failure> {
        if bytes > self.left {
            let Usage { all, theirs } = self.store.usage(&self.client).await?;
            let (max, each) = self.max;
            let own = each.saturating_sub(theirs);
            if bytes > own {
                return Err(Failure::TooMuchKept { max: each });
            }
            let room = max.saturating_sub(all);
            if bytes > room {
                return Err(Failure::NoRoom);
            }
            self.left = room.min(own).min(LOOK.max(bytes));
        }
        self.left -= bytes;
        Ok(())
    }
}
