//! Parameters of scoring: the win context and the rule sets.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{ContextDto, Problem, ProblemKind, RequestFault, find_ruleset, find_rulesets};
use crate::rules::{Book, Profile, RulesetId};

/// Parameters of scoring that a request has beside a hand.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Scoring {
    /// The win context; empty if none was sent.
    pub context: ContextDto,
    /// Rule sets to score by, side by side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rulesets: Option<Vec<RulesetId>>,
}

impl Scoring {
    /// Merges the parameters of two sources.
    ///
    /// # Errors
    /// A [`Problem`] with the fields for which the sources differ.
    pub fn merge(self, other: Scoring) -> Result<Scoring, Problem> {
        let context = self.context.merge(&other.context)?;
        let rulesets = merge_values("rulesets", self.rulesets, other.rulesets)?;
        Ok(Scoring { context, rulesets })
    }

    /// Returns these parameters with the absent ones taken from others.
    #[must_use]
    pub fn or(self, other: Scoring) -> Scoring {
        let context = self.context.or(&other.context);
        Scoring { context, rulesets: self.rulesets.or(other.rulesets) }
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

/// Returns the value that one or both of two sources give.
///
/// # Errors
/// A [`Problem`] with the field if both give different values.
pub fn merge_values<T: PartialEq>(
    name: &str,
    one: Option<T>,
    other: Option<T>,
) -> Result<Option<T>, Problem> {
    if one.is_some() && other.is_some() && one != other {
        let kind = ProblemKind::InvalidContext;
        return Err(Problem::for_field(kind, name, &RequestFault::QueryAndBodyDiffer));
    }
    Ok(one.or(other))
}
