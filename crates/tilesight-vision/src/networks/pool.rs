//! Pool of a network's sessions, which callers borrow in turn.
//!
//! Input: the sessions, then closures that need one. Output: the closures' results. Invariant:
//! every borrowed session is returned, also when the closure panics: a panic fails only the request
//! that it happened in, and no later request waits for a lost session.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Idle sessions, and the signal for callers that wait for one.
#[derive(Debug)]
pub(super) struct Pool<S> {
    idle: Mutex<Vec<S>>,
    returned: Condvar,
}

impl<S> Pool<S> {
    pub(super) fn new(sessions: Vec<S>) -> Pool<S> {
        Pool { idle: Mutex::new(sessions), returned: Condvar::new() }
    }

    /// Runs a closure with an idle session, and waits for a session if necessary.
    ///
    /// # Panics
    /// When the closure panics. Its session is used again: ONNX Runtime keeps the state of a run
    /// outside the session, so a run that ended early leaves nothing behind.
    pub(super) fn with<T>(&self, work: impl FnOnce(&mut S) -> T) -> T {
        let mut session = self.take();
        let result = catch_unwind(AssertUnwindSafe(|| work(&mut session)));
        self.idle().push(session);
        self.returned.notify_one();
        result.unwrap_or_else(|panic| resume_unwind(panic))
    }

    fn take(&self) -> S {
        let mut idle = self.idle();
        loop {
            if let Some(session) = idle.pop() {
                return session;
            }
            idle = self.returned.wait(idle).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Locks the list. It is consistent whenever the lock is free: nothing panics while it is held.
    fn idle(&self) -> MutexGuard<'_, Vec<S>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_comes_back_after_a_panic() {
        let pool = Pool::new(vec![7]);
        for _ in 0..3 {
            let work = AssertUnwindSafe(|| pool.with(|_| panic!("in a network")));
            assert!(catch_unwind(work).is_err());
        }
        assert_eq!(pool.with(|session| *session), 7);
    }

    #[test]
    fn a_caller_waits_for_the_only_session() {
        let pool = Pool::new(vec![0]);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| (0..100).for_each(|_| pool.with(|count| *count += 1)));
            }
        });
        assert_eq!(pool.with(|count| *count), 400);
    }
}
