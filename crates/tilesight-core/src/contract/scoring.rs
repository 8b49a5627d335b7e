//! How a hand is to be scored: its win context and the rule sets.

use std::sync::Arc;

use super::fault::RequestFault;
use super::{ContextDto, FieldError, Problem, ProblemKind, find_ruleset, find_rulesets};
use crate::rules::{Book, Profile, RulesetId};

/// What a request gives beside a hand.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scoring {
    /// The win context; empty when none was sent.
    pub context: ContextDto,
    /// The rule sets to score by side by side.
    pub rulesets: Option<Vec<RulesetId>>,
}

impl Scoring {
    /// What two sources give together.
    ///
    /// # Errors
    /// A [`Problem`] with the fields for which they differ.
    pub fn merge(self, other: Scoring) -> Result<Scoring, Problem> {
        let context = self
            .context
            .merge(&other.context)
            .map_err(|errors| Problem::with_errors(ProblemKind::InvalidContext, errors))?;
        match (&self.rulesets, &other.rulesets) {
            (Some(one), Some(two)) if one != two => {
                let errors = vec![FieldError::of("rulesets", &RequestFault::QueryAndBodyDiffer)];
                Err(Problem::with_errors(ProblemKind::InvalidContext, errors))
            }
            _ => Ok(Scoring { context, rulesets: self.rulesets.or(other.rulesets) }),
        }
    }

    /// The rule sets that are named, looked up.
    ///
    /// # Errors
    /// A [`Problem`] about the name that no rule set has.
    pub fn find(&self, book: &Book) -> Result<ScoringRulesets, Problem> {
        let all = self.rulesets.as_deref().map(|list| find_rulesets(book, list)).transpose()?;
        let first = all.as_ref().and_then(|all| all.first());
        let one = match (self.context.ruleset, first) {
            (None, Some(first)) => Arc::clone(first),
            (named, _) => find_ruleset(book, named)?,
        };
        Ok(ScoringRulesets { one, all })
    }
}

/// The rule sets of a request.
#[derive(Debug, PartialEq, Eq)]
pub struct ScoringRulesets {
    /// The rule set of the one score that every answer has: the one named for it, else the first of
    /// several, else the default.
    pub one: Arc<Profile>,
    /// Those to score by side by side.
    pub all: Option<Vec<Arc<Profile>>>,
}
