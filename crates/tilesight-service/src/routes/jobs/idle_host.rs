//! Reading of jobs' photos inside a service, only while no request waits.

use async_trait::async_trait;
use tilesight_jobs::{Host, Task, WorkerPermit};
use tilesight_vision::Reading;

use crate::Service;

/// Service that reads jobs' photos when it has nothing more urgent to do.
#[derive(Debug)]
pub(super) struct IdleHost(pub(super) Service);

#[async_trait]
impl Host for IdleHost {
    async fn permit(&self, photo: &[u8]) -> WorkerPermit {
        WorkerPermit::new(self.0.admission().spare_worker(photo).await)
    }

    fn read(&self, _task: &Task, reading: &Reading) {
        self.0.metrics().steps(&reading.timings);
    }

    fn read_other(&self, task: &Task, reading: &Reading) {
        self.read(task, reading);
    }
}
