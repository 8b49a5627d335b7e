//! Corrections of one photo by a person: the hand, the winning tile, the win context, or that there
//! is no hand to score.
//!
//! The file of corrections, the columns of a table of win contexts and a manifest all use the same
//! names. Invariant: a correction concerns one photo and depends on no other; an absent field
//! leaves the value that was read.

use serde::{Deserialize, Serialize};
use tilesight_core::contract::{ContextDto, HandInput, Problem, objects, read_json};
use tilesight_core::tile::Tile;
use tilesight_vision::DoubtKind;
use tilesight_vision::contract::{DoubtDto, GivenAnswer};

/// Correction of the reading of one photo.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(default, deny_unknown_fields, expecting = "an object with a correction")]
pub struct Correction {
    /// Whether everything that was not corrected is right as it was read.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub accepted: bool,
    /// The hand, in notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 400)]
    pub hand: Option<String>,
    /// Answers to doubts of the reading. Beside a hand they say which doubts it settles; a hand
    /// without them settles all doubts about tiles.
    #[serde(skip_serializing_if = "Vec::is_empty", deserialize_with = "objects")]
    #[schema(max_items = 64)]
    pub answers: Vec<GivenAnswer>,
    /// The tile that completed the hand.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub winning_tile: Option<Tile>,
    /// Whether the photo shows no hand to score.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub no_hand: bool,
    /// Name of the other game that the hand belongs to, which is not scored here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<String>,
    /// Fields of the win context; they take precedence over those given when the photo was read.
    #[serde(skip_serializing_if = "is_empty")]
    #[schema(required = false)]
    pub context: ContextDto,
}

fn is_empty(context: &ContextDto) -> bool {
    *context == ContextDto::default()
}

impl Correction {
    /// Names of the fields outside the win context, in the order of their columns.
    pub const NAMES: [&str; 6] =
        ["accepted", "hand", "winning_tile", "no_hand", "game", Correction::ANSWERS];

    /// Name of the field with answers to doubts, which few tables have.
    pub(crate) const ANSWERS: &str = "answers";

    /// Names of the fields in `NAMES` that are yes or no.
    pub(crate) const FLAGS: [&str; 2] = ["accepted", "no_hand"];

    /// Reads a correction from JSON and checks its hand.
    ///
    /// # Errors
    /// A [`Problem`] with the field that can't be read.
    pub fn from_json(json: &[u8]) -> Result<Correction, Problem> {
        let correction: Correction = read_json(json, "")?;
        correction.check()?;
        Ok(correction)
    }

    /// Checks that the hand can be parsed; the rules decide whether it wins.
    ///
    /// # Errors
    /// A [`Problem`] about `hand`.
    pub fn check(&self) -> Result<(), Problem> {
        let hand = self.hand.clone().map(HandInput::Notation);
        hand.map_or(Ok(()), |hand| hand.setup().map(|_| ()))
    }

    /// Returns whether the correction has no content.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Correction::default()
    }

    /// Returns whether the photo must not be scored.
    #[must_use]
    pub const fn leaves_out(&self) -> bool {
        self.no_hand || self.game.is_some()
    }

    /// Returns whether a person gave the hand as a whole, rather than by answers.
    #[must_use]
    pub(crate) fn has_typed_hand(&self) -> bool {
        self.hand.is_some() && self.answers.is_empty()
    }

    /// Returns whether a doubt is settled by more than an answer to it.
    #[must_use]
    pub(crate) fn settles(&self, doubt: &DoubtDto) -> bool {
        let field = doubt.field.as_deref().and_then(|field| field.strip_prefix("context."));
        match field {
            _ if self.accepted => true,
            Some(field) => self.gives(field),
            None if self.has_typed_hand() => true,
            None => self.winning_tile.is_some() && doubt.kind == DoubtKind::WinningTile,
        }
    }

    /// Returns whether a field of the win context is given.
    fn gives(&self, field: &str) -> bool {
        let context = serde_json::to_value(self.context).unwrap_or_default();
        context.get(field).is_some_and(|value| !value.is_null())
    }

    /// Returns this correction, with absent fields taken from `other`.
    #[must_use]
    pub fn or(self, other: &Correction) -> Correction {
        if self.leaves_out() {
            return self;
        }
        // A photo with a given or accepted hand is scored, regardless of earlier corrections.
        let scored = self.accepted || self.hand.is_some();
        Correction {
            accepted: self.accepted || other.accepted,
            // The winning tile of another hand does not apply to this one.
            winning_tile: match self.hand {
                Some(_) => self.winning_tile,
                None => self.winning_tile.or(other.winning_tile),
            },
            // Answers belong to the hand that they were given about.
            answers: if self.hand.is_some() || !self.answers.is_empty() {
                self.answers
            } else {
                other.answers.clone()
            },
            hand: self.hand.or_else(|| other.hand.clone()),
            no_hand: other.no_hand && !scored,
            game: other.game.clone().filter(|_| !scored),
            context: self.context.or(&other.context),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Correction {
        Correction::from_json(json.as_bytes()).unwrap_or_else(|error| panic!("{json}: {error:?}"))
    }

    #[test]
    fn a_correction_is_written_as_it_was_read() {
        for json in [
            r#"{"accepted":true}"#,
            r#"{"hand":"123m456p789sEESSS","winning_tile":"3m"}"#,
            r#"{"no_hand":true}"#,
            r#"{"game":"sixteen-tile"}"#,
        ] {
            assert_eq!(serde_json::to_string(&read(json)).expect("JSON"), json);
        }
        assert!(read("{}").is_empty());
    }

    #[test]
    fn an_unreadable_correction_names_its_field() {
        for (json, field) in [
            (r#"{"hnad":"11m"}"#, "hnad"),
            (r#"{"winning_tile":"0z"}"#, "winning_tile"),
            (r#"{"context":{"seet":"S"}}"#, "context.seet"),
        ] {
            let problem = Correction::from_json(json.as_bytes()).expect_err(json);
            assert_eq!(problem.errors[0].field, field, "{json}");
        }
        assert!(Correction::from_json(br#"{"hand":"12x"}"#).is_err());
    }

    #[test]
    fn one_completes_another() {
        let before = read(r#"{"hand":"123m","winning_tile":"3m","context":{"seat":"S"}}"#);
        let both = read(r#"{"context":{"seat":"W","win":"self_drawn"}}"#).or(&before);
        let expected =
            r#"{"hand":"123m","winning_tile":"3m","context":{"seat":"W","win":"self_drawn"}}"#;
        assert_eq!(both, read(expected));
        let other_hand = read(r#"{"hand":"123p"}"#).or(&before);
        assert_eq!(other_hand.winning_tile, None, "it was that of the other hand");
        let left_out = read(r#"{"no_hand":true}"#);
        assert_eq!(left_out.clone().or(&before), left_out);
        assert!(!read(r#"{"accepted":true}"#).or(&left_out).leaves_out());
    }
}
