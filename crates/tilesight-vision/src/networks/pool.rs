//! Sessions of one network that callers borrow in turn.
//!
//! Input: the sessions, then work that needs one. Output: what the work returns. Invariant: every
//! borrowed session comes back, also when the work panics: a panic costs the request that it
//! happened in, and no later one waits for a session that is gone.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// The sessions that nobody uses at the moment, and those that wait for one.
#[derive(Debug)]
pub(super) struct Pool<S> {
    idle: Mutex<Vec<S>>,
    returned: Condvar,
}

impl<S> Pool<S> {
    pub(super) fn new(sessions: Vec<S>) -> Pool<S> {
        Pool { idle: Mutex::new(sessions), returned: Condvar::new() }
    }

    /// Does work with an idle session, and waits for one if need be.
    ///
    /// # Panics
    /// When the work does. Its session is used again: ONNX Runtime keeps the state of a run outside
    /// the session, so that a run that ended early leaves nothing behind.
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

    /// The list is whole whenever the lock is free: nothing panics while it is held.
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
