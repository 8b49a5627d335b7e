//! Budget of a search, counted in steps.
//!
//! Input: a number of steps, each the weighing of one possibility. Output: whether the search may
//! go on. A search that runs out of steps keeps the best that it found, and its caller lowers the
//! confidence in it. Each step is a checkpoint too: a search that nobody waits for ends. Invariant:
//! steps are counted and never timed, so that a photo has the same answer on every machine.

use std::cell::Cell;

use tilesight_core::stop::checkpoint;

/// Budget of a search, and what it has spent of it.
#[derive(Debug)]
pub(crate) struct Effort {
    spent: Cell<usize>,
    max: usize,
}

impl Effort {
    /// Creates a budget of this number of steps.
    pub(crate) fn new(max: usize) -> Effort {
        Effort { spent: Cell::new(0), max }
    }

    /// Creates a budget of the steps that this one has left.
    pub(crate) fn rest(&self) -> Effort {
        Effort::new(self.max - self.spent.get())
    }

    /// Takes a step. Returns whether the budget still had it.
    pub(crate) fn step(&self) -> bool {
        self.steps(1)
    }

    /// Takes a number of steps, as many as are left. Returns whether the budget had them all.
    pub(crate) fn steps(&self, steps: usize) -> bool {
        checkpoint();
        let left = self.max - self.spent.get();
        self.spent.set(self.spent.get() + steps.min(left));
        steps <= left
    }

    /// Returns whether no step is left.
    pub(crate) fn is_spent(&self) -> bool {
        self.spent.get() >= self.max
    }

    /// Returns the number of steps that were taken.
    pub(crate) fn spent(&self) -> usize {
        self.spent.get()
    }
}

#[cfg(test)]
mod tests {
    use tilesight_core::stop::{StopSignal, Stopped};

    use super::*;

    #[test]
    fn a_step_of_work_that_nobody_waits_for_ends_it() {
        let signal = StopSignal::new();
        signal.give();
        let effort = Effort::new(2);
        assert_eq!(signal.run(|| effort.step()), Err(Stopped));
        assert!(effort.step(), "other work goes on");
    }

    #[test]
    fn a_budget_ends_after_its_steps() {
        let effort = Effort::new(2);
        assert_eq!([effort.step(), effort.step()], [true, true]);
        assert!(effort.is_spent());
        assert!(!effort.step());
        assert_eq!(effort.spent(), 2);
        let effort = Effort::new(5);
        assert!(effort.steps(4) && !effort.steps(2));
        assert_eq!(effort.spent(), 5);
    }
}
