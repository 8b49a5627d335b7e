//! The host of the workers in this process: it has nothing more urgent to do than reading.
//!
//! The host counts the photos that are read, lets them wait for memory to be decoded in, and draws
//! their overlays if wanted.

use std::sync::atomic::{AtomicU64, Ordering};

use async_trait::async_trait;
use tilesight_jobs::Task;
use tilesight_jobs::{Host, WorkerPermit};
use tilesight_vision::{DecodeLimits, Reading};

use super::overlays::OverlayWriter;
use tilesight_service::DecodeMemory;

/// Host of the workers.
#[derive(Debug)]
pub(super) struct LocalHost {
    pub(super) draws: Option<OverlayWriter>,
    memory: DecodeMemory,
    read: AtomicU64,
}

impl LocalHost {
    pub(super) fn new(draws: Option<OverlayWriter>, limits: DecodeLimits) -> LocalHost {
        LocalHost { draws, memory: DecodeMemory::new(limits), read: AtomicU64::default() }
    }

    /// Returns the number of photos read by this process, including broken ones.
    pub(super) fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }
}

#[async_trait]
impl Host for LocalHost {
    async fn permit(&self, photo: &[u8]) -> WorkerPermit {
        let memory = self.memory.take(photo).await;
        self.read.fetch_add(1, Ordering::Relaxed);
        WorkerPermit::new(memory)
    }

    fn read(&self, task: &Task, reading: &Reading) {
        if let Some(draws) = &self.draws {
            draws.draw(task, reading);
        }
    }
}
