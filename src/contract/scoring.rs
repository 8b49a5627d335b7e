//! How a hand is to be scored: its win context and the rule sets.

use super::fault::RequestFault;
use super::{ContextDto, FieldError, Problem, ProblemKind};
use crate::rules::RulesetId;

/// What a request gives beside a hand.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Scoring {
    /// The win context; empty when none was sent.
    pub(crate) context: ContextDto,
    /// The rule sets to score by side by side.
    pub(crate) rulesets: Option<Vec<RulesetId>>,
}

impl Scoring {
    /// What two sources give together.
    ///
    /// # Errors
    /// A [`Problem`] with the fields for which they differ.
    pub(crate) fn merge(self, other: Scoring) -> Result<Scoring, Problem> {
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

    /// The rule set of the one score that every answer has: the one named for it, else the first of
    /// several, else the default.
    pub(crate) fn ruleset(&self) -> RulesetId {
        let first = self.rulesets.as_ref().and_then(|list| list.first());
        self.context.ruleset.or(first.copied()).unwrap_or_default()
    }
}
