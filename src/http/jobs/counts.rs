//! How far a job is, as answers and webhooks state it.

use serde::Serialize;
use utoipa::ToSchema;

use crate::jobs::Progress;

/// How many photos there are, and what became of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = JobCounts)]
pub(super) struct Counts {
    /// All of them.
    total: u64,
    /// Those with a reading.
    read: u64,
    /// Those with a problem.
    failed: u64,
    /// Those with neither.
    pending: u64,
}

impl Counts {
    pub(super) fn of(progress: &Progress) -> Counts {
        Counts {
            total: progress.total,
            read: progress.read,
            failed: progress.failed,
            pending: progress.pending(),
        }
    }

    /// Those with an outcome.
    pub(super) fn done(&self) -> u64 {
        self.read + self.failed
    }
}
