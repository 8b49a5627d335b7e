//! Progress of a job, as answers and webhooks state it.

use serde::Serialize;
use tilesight_jobs::Progress;
use utoipa::ToSchema;

/// Number of photos, in total and by state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = JobCounts)]
pub(super) struct PhotoCounts {
    /// Total number of photos.
    total: u64,
    /// Photos with a reading.
    read: u64,
    /// Photos with a problem.
    failed: u64,
    /// Photos with neither a reading nor a problem yet.
    pending: u64,
}

impl PhotoCounts {
    pub(super) fn from_progress(progress: &Progress) -> PhotoCounts {
        PhotoCounts {
            total: progress.total,
            read: progress.read,
            failed: progress.failed,
            pending: progress.pending(),
        }
    }

    /// Returns the number of photos with a reading or a problem.
    pub(super) fn count_done(&self) -> u64 {
        self.read + self.failed
    }
}
