//! End of work that nobody waits for any more.
//!
//! Input: a [`StopSignal`], which the caller that waits for the work gives, and the work, which
//! calls [`checkpoint`] between its steps. Output: the result, or [`Stopped`]. Once the signal is
//! given, the next checkpoint unwinds the stack to [`StopSignal::run`], so that no function between
//! them has to pass the signal on, and no half-made result can be taken for a whole one.
//! Invariants: a signal concerns only the thread that runs its work; work without a signal never
//! stops; a checkpoint decides nothing about a result, so results do not depend on time.

use std::any::Any;
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

thread_local! {
    static SIGNAL: RefCell<Option<StopSignal>> = const { RefCell::new(None) };
}

/// Signal that ends work at its next checkpoint. Clones are one signal.
#[derive(Debug, Clone, Default)]
pub struct StopSignal(Arc<AtomicBool>);

/// Reason why work has no result: its signal was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the work was stopped, because nobody waits for it any more")]
pub struct Stopped;

/// Signal of the caller's work, which becomes the thread's signal again on drop.
struct Outer(Option<StopSignal>);

impl StopSignal {
    /// Creates a signal that is not given yet.
    #[must_use]
    pub fn new() -> StopSignal {
        StopSignal::default()
    }

    /// Gives the signal. It can't be taken back.
    pub fn give(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_given(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Runs work on this thread, whose checkpoints heed this signal.
    ///
    /// # Errors
    /// [`Stopped`] if a checkpoint met the signal.
    pub fn run<T>(&self, work: impl FnOnce() -> T) -> Result<T, Stopped> {
        let outer = Outer(SIGNAL.replace(Some(self.clone())));
        let done = catch_unwind(AssertUnwindSafe(work));
        drop(outer);
        done.map_err(|reason: Box<dyn Any + Send>| match reason.downcast::<Stopped>() {
            Ok(stopped) => *stopped,
            Err(panic) => resume_unwind(panic),
        })
    }
}

impl Drop for Outer {
    fn drop(&mut self) {
        SIGNAL.set(self.0.take());
    }
}

/// Ends the work of this thread if its signal was given. Costs a few nanoseconds: call it once for
/// every step that takes a millisecond or less.
pub fn checkpoint() {
    let is_given = SIGNAL.with_borrow(|signal| signal.as_ref().is_some_and(StopSignal::is_given));
    if is_given {
        // Unlike a panic, this calls no panic hook: nothing is printed.
        resume_unwind(Box::new(Stopped));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_ends_at_the_first_checkpoint_after_the_signal() {
        let signal = StopSignal::new();
        let mut steps = 0;
        let done = signal.run(|| {
            for step in 0..10 {
                checkpoint();
                steps = step;
                if step == 3 {
                    signal.give();
                }
            }
        });
        assert_eq!((done, steps), (Err(Stopped), 3));
        checkpoint();
    }

    #[test]
    fn work_without_a_given_signal_returns_its_result() {
        checkpoint();
        let other = StopSignal::new();
        other.give();
        let done = StopSignal::new().run(|| {
            checkpoint();
            // The inner work stops alone.
            let inner = other.run(checkpoint);
            checkpoint();
            inner
        });
        assert_eq!(done, Ok(Err(Stopped)));
    }

    #[test]
    fn a_panic_stays_a_panic() {
        let caught = catch_unwind(|| StopSignal::new().run(|| panic!("over this")));
        let message = caught.expect_err("it panicked");
        assert_eq!(message.downcast_ref::<&str>(), Some(&"over this"));
    }
}
