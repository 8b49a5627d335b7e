//! Parameters of scoring: the win context and the rule sets.

use std::sync::Arc;

use super::fault::RequestFault;
use super::{ContextDto, FieldError, Problem, ProblemKind, find_ruleset, find_rulesets};
use crate::rules::{Book, Profile, RulesetId};

/// Parameters of scoring that a request has beside a hand.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scoring {
    /// The win context; empty if none was sent.
    pub context: ContextDto,
    /// Rule sets to score by, side by side.
    pub rulesets: Option<Vec<RulesetId>>,
}

impl Scoring {
    /// Merges the parameters of two sources.
    ///
    /// # Errors
    /// A [`Problem`] with the fields for which the sources differ.
    pub fn merge(self, other: Scoring) -> Result<Scoring, Problem> {
        let context = self
            .context
            .merge(&other.context)
            .map_err(|errors| Problem::with_errors(ProblemKind::InvalidContext, errors))?;
        match (&self.rulesets, &other.rulesets) {
            (Some(one), Some(two)) if one != two => {
                let errors =
                    vec![FieldError::from_message("rulesets", &RequestFault::QueryAndBodyDiffer)];
                Err(Problem::with_errors(ProblemKind::InvalidContext, errors))
            }
            _ => Ok(Scoring { context, rulesets: self.rulesets.or(other.rulesets) }),
        }
    }

    /// Returns these parameters with what they leave out taken from those that a photo was read
    /// with. Several rule sets without a single one take the first of them, as everywhere.
    #[must_use]
    pub fn complete_from(self, reading: &ContextDto) -> Scoring {
        let several = self.rulesets.as_ref().is_some_and(|list| !list.is_empty());
        let named = self.context.ruleset;
        let mut context = self.context.amend(reading);
        if several {
            context.ruleset = named;
        }
        Scoring { context, ..self }
    }

    /// Looks up the rule sets that are named.
    ///
    /// # Errors
    /// A [`Problem`] about an unknown name.
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
    /// Rule set of the one score that every answer has: the one named for it, else the first of
    /// several, else the default.
    pub one: Arc<Profile>,
    /// Rule sets to score by, side by side.
    pub all: Option<Vec<Arc<Profile>>>,
}
