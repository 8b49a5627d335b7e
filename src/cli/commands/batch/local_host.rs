//! The host of the workers in this process: it has nothing more urgent to do than reading.
//!
//! The host counts the photos that are read, and draws their overlays if wanted.

use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use tilesight_jobs::Task;
use tilesight_jobs::{Host, WorkerPermit};
use tilesight_vision::Reading;

use super::overlays::OverlayWriter;

/// Host of the workers.
#[derive(Debug, Default)]
pub(super) struct LocalHost {
    pub(super) draws: Option<OverlayWriter>,
    read: AtomicU64,
}

impl LocalHost {
    pub(super) fn new(draws: Option<OverlayWriter>) -> LocalHost {
        LocalHost { draws, ..LocalHost::default() }
    }

    /// Returns the number of photos read by this process, including broken ones.
    pub(super) fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }
}

#[async_trait]
impl Host for LocalHost {
    async fn permit(&self, _photo: &[u8]) -> WorkerPermit {
        self.read.fetch_add(1, Ordering::Relaxed);
        WorkerPermit::new(())
    }

    fn read(&self, task: &Task, reading: &Reading) {
        if let Some(draws) = &self.draws {
            draws.draw(task, reading);
        }
    }
}
