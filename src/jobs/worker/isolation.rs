//! Who may read beside whom: a suspect reads alone.
//!
//! A task whose last holder vanished may be what ended it, or it was only beside it in the same
//! process. Were both tried beside each other again, they would vanish together again, and a good
//! photo would be given up with the bad one. So from its second attempt on a task is read while
//! nothing else is, and a second suspect goes back to the queue rather than wait here, because
//! a process that waits is held and vanishes too.

use std::sync::Arc;

use tokio::sync::{Mutex, OwnedMutexGuard, OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock};

/// Which tasks of a worker are being read.
#[derive(Debug, Clone, Default)]
pub(super) struct Isolation {
    suspect: Arc<Mutex<()>>,
    readers: Arc<RwLock<()>>,
}

/// The right to read a task, until this is dropped.
#[derive(Debug)]
#[allow(dead_code, reason = "it is kept to be dropped")]
pub(super) enum ReadPermit {
    Beside(OwnedRwLockReadGuard<()>),
    Alone(OwnedMutexGuard<()>, OwnedRwLockWriteGuard<()>),
}

impl Isolation {
    /// Waits until a task may be read that has had this many attempts, this one included; `None`
    /// when it is a suspect, and another is here.
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

    #[tokio::test]
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
