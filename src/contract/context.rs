//! The circumstances of a win as clients give them.

use serde::{Deserialize, Serialize};

use crate::context::{CompletedSet, ContextSetup, DeclaredSet, Feeder, WinKind};
use crate::meld::Relation;
use crate::rules::RulesetId;
use crate::tile::Wind;

use super::problem::{FieldError, Problem, read_json};

/// The `context` of the contract: the circumstances and the rule set, every field optional.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, expecting = "an object of circumstances")]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = Context))]
pub struct ContextDto {
    /// The rules to score by; `mcr-wmo` when absent.
    pub ruleset: Option<RulesetId>,
    /// The winner's seat.
    pub seat: Option<Wind>,
    /// The wind of the round.
    pub prevalent: Option<Wind>,
    /// Where the winning tile came from.
    pub win: Option<WinKind>,
    /// Who discarded it.
    pub from: Option<Relation>,
    /// It was the last tile of the wall, or the discard after it.
    pub last_wall_tile: Option<bool>,
    /// The other three of its kind lay open. Three copies in the hand's own exposed sets tell it
    /// without being told, even against `false`: nobody can see fewer.
    pub last_of_kind: Option<bool>,
    /// What was declared at the table: codes in a list, or with commas between them. Rule sets that
    /// have no line for one pass over it.
    #[cfg_attr(feature = "http", schema(value_type = Option<super::schema::DeclaredCodes>))]
    pub declared: Option<DeclaredSet>,
    /// Which set the winning tile completed, by its tiles: `456m`, `111p`, `EE`. The one that is
    /// worth most when absent.
    #[cfg_attr(feature = "http", schema(value_type = Option<super::schema::CompletedCode>))]
    pub completes: Option<CompletedSet>,
    /// Who fed the set that decides who pays: the third pung of dragons or the fourth of winds in
    /// MMM. Needed only where more than one player fed those sets; other rules pass over it.
    pub feeder: Option<Feeder>,
    /// `false` for a photo of a hand that has not won: it needs no winning tile, and is scored where the
    /// rules score every player. A typed one goes into `others`.
    pub won: Option<bool>,
}

impl ContextDto {
    /// The circumstances without the rule set.
    #[must_use]
    pub const fn setup(&self) -> ContextSetup {
        ContextSetup {
            seat: self.seat,
            prevalent: self.prevalent,
            win: self.win,
            from: self.from,
            last_wall_tile: self.last_wall_tile,
            last_of_kind: self.last_of_kind,
            declared: self.declared,
            completes: self.completes,
            feeder: self.feeder,
            won: self.won,
        }
    }

    /// Circumstances under a rule set.
    #[must_use]
    pub const fn of(ruleset: Option<RulesetId>, setup: &ContextSetup) -> ContextDto {
        ContextDto {
            ruleset,
            seat: setup.seat,
            prevalent: setup.prevalent,
            win: setup.win,
            from: setup.from,
            last_wall_tile: setup.last_wall_tile,
            last_of_kind: setup.last_of_kind,
            declared: setup.declared,
            completes: setup.completes,
            feeder: setup.feeder,
            won: setup.won,
        }
    }

    /// Reads circumstances from JSON.
    ///
    /// # Errors
    /// A [`Problem`] with the first field that has the wrong shape.
    pub fn from_json(json: &[u8]) -> Result<ContextDto, Problem> {
        read_json(json, "context")
    }

    /// What two sources say together; each fills what the other leaves out.
    ///
    /// # Errors
    /// Every field about which they say different things: neither of them is right by rank.
    pub fn merge(&self, other: &ContextDto) -> Result<ContextDto, Vec<FieldError>> {
        let mut errors = Vec::new();
        // A struct without a rest: a new field can't be forgotten here.
        macro_rules! either {
            ($($field:ident)*) => {
                ContextDto {
                    $($field: either(stringify!($field), self.$field, other.$field, &mut errors)),*
                }
            };
        }
        let merged = either!(ruleset seat prevalent win from last_wall_tile last_of_kind declared completes feeder won);
        if errors.is_empty() { Ok(merged) } else { Err(errors) }
    }
}

fn either<T: PartialEq + Serialize>(
    field: &str,
    one: Option<T>,
    other: Option<T>,
    errors: &mut Vec<FieldError>,
) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) if one != other => {
            let detail = format!("given twice, as {} and as {}", json(&one), json(&other));
            errors.push(FieldError::new(format!("context.{field}"), detail));
            None
        }
        (one, other) => one.or(other),
    }
}

/// A value as clients write it.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_complete_each_other() {
        let one = ContextDto { seat: Some(Wind::South), ..ContextDto::default() };
        let other = ContextDto {
            seat: Some(Wind::South),
            win: Some(WinKind::RobbedKong),
            ..ContextDto::default()
        };
        assert_eq!(one.merge(&other), Ok(other));
    }

    #[test]
    fn every_disagreement_is_named() {
        let one = ContextDto {
            seat: Some(Wind::South),
            last_of_kind: Some(true),
            ..ContextDto::default()
        };
        let other = ContextDto {
            seat: Some(Wind::East),
            last_of_kind: Some(false),
            ..ContextDto::default()
        };
        let errors = one.merge(&other).expect_err("two disagreements");
        let fields: Vec<_> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["context.seat", "context.last_of_kind"]);
        assert_eq!(errors[0].detail, r#"given twice, as "S" and as "E""#);
    }
}
