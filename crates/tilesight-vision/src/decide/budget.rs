//! Budget of work for totals, counted in scores.
//!
//! The work that possible totals and repairs take grows with the product of the open questions. It
//! is counted, not timed, so that the same reading has the same answer on every machine.

/// Number of scores that may still be computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ScoreBudget {
    left: usize,
}

impl ScoreBudget {
    /// Returns a budget of this many scores.
    pub(crate) const fn new(scores: usize) -> ScoreBudget {
        ScoreBudget { left: scores }
    }

    /// Spends scores if they are left, and returns whether they were. Nothing is left after the
    /// first refusal, so that what is computed is a prefix of what was asked for.
    pub(crate) fn spend(&mut self, scores: usize) -> bool {
        let left = self.left.checked_sub(scores);
        self.left = left.unwrap_or(0);
        left.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_spent_after_a_refusal() {
        let mut budget = ScoreBudget::new(10);
        assert!(budget.spend(4));
        assert!(!budget.spend(7));
        assert!(!budget.spend(1));
    }
}
