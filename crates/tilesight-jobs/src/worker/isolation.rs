//! Isolation of suspect tasks: a task that may crash its worker is read alone.
//!
//! If the last holder of a task vanished, the task may be the cause, or it was only read beside the
//! cause in the same process, or somebody ended the process. If both were retried beside each
//! other, they would vanish together again, and a good photo would be given up with the bad one.
//! Therefore a task is alone from its second attempt on until its end is reported, and a second
//! suspect goes back to the queue instead of waiting here, because a waiting task is held, and
//! vanishes with the process too.

use std::sync::Arc;

use crate::Company;
use tokio::sync::{Mutex, OwnedMutexGuard, OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock};

/// Locks that record which tasks of a worker are being read.
#[derive(Debug, Clone, Default)]
pub(super) struct Isolation {
    suspect: Arc<Mutex<()>>,
    readers: Arc<RwLock<()>>,
}

/// Permit to read a task and to report its end; released on drop.
#[derive(Debug)]
#[allow(dead_code, reason = "it is kept to be dropped")]
pub(super) enum ReadPermit {
    Beside(OwnedRwLockReadGuard<()>),
    Alone(OwnedMutexGuard<()>, OwnedRwLockWriteGuard<()>),
}

impl ReadPermit {
    /// Returns the company in which the task is read.
    pub(super) fn company(&self) -> Company {
        match self {
            ReadPermit::Beside(_) => Company::Others,
            ReadPermit::Alone(..) => Company::Alone,
        }
    }
}

impl Isolation {
    /// Waits until a task may be read. `attempt` is the number of its attempts, including this one.
    /// Returns `None` if the task is a suspect and another suspect is here.
    pub(super) async fn enter(&self, attempt: u32) -> Option<ReadPermit> {
        if attempt <= 1 {
            return Some(ReadPermit::Beside(Arc::clone(&self.readers).read_owned().await));
        }
        let suspect = Arc::clone(&self.suspect).try_lock_owned().ok()?;
        Some(ReadPermit::Alone(suspect, Arc::clone(&self.readers).write_owned().await))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::timeout;

    use super::*;

    const SOON: Duration = Duration::from_millis(20);

    #[tokio::test(start_paused = true)]
    async fn a_suspect_is_alone_and_the_second_is_sent_away() {
        let isolation = Isolation::default();
        let beside = [isolation.enter(1).await, isolation.enter(1).await];
        assert!(timeout(SOON, isolation.enter(2)).await.is_err(), "others are reading");
        drop(beside);
        let alone = isolation.enter(3).await;
        assert!(matches!(alone, Some(ReadPermit::Alone(..))));
        assert!(isolation.enter(2).await.is_none(), "it would vanish with the first");
        assert!(timeout(SOON, isolation.enter(1)).await.is_err(), "a suspect is reading");
        drop(alone);
        assert!(matches!(isolation.enter(1).await, Some(ReadPermit::Beside(_))));
    }
}
