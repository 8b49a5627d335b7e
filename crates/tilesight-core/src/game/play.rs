//! What happened in a deal, as people enter it: a won hand or only its points, a draw, or payments
//! by hand.
//!
//! Players are named, never seats: the sheet knows who sits where. Invariant: what is stored of a
//! hand is its notation, so that a game is small and can be read by people.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::text::{LONGEST_TEXT, check_length, check_text};
use super::{GameError, Player, Points};
use crate::context::ContextSetup;
use crate::notation::Notation;
use crate::rules::RulesetId;

/// Characters of a hand in notation, as its schema promises.
const LONGEST_HAND: usize = 400;
/// Points that are entered by hand at the most: with so many, the totals of the longest game can
/// still be added up.
const MOST_POINTS: u32 = 1_000_000;
/// Points of a hand without tiles at the most: nobody gets more than six times as many, so the
/// totals can be added up as well.
const MOST_HAND_POINTS: u32 = MOST_POINTS / 10;

/// What happened in a deal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Play {
    /// Somebody won with a hand that is scored.
    Win(Win),
    /// Somebody won with a hand of which only the points were written down; the rules settle it.
    Points(HandPoints),
    /// The wall was empty and nobody had won.
    Draw,
    /// Points that people agreed on, such as those of a false mahjong.
    Manual(Manual),
}

/// A won hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Win {
    /// Who won.
    pub winner: Player,
    /// Who discarded the winning tile, or added it to a kong that was robbed; `None` on a
    /// self-draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discarder: Option<Player>,
    /// The hand.
    pub hand: HandText,
    /// Whether its winning tile was only supposed: nobody saw or stated which tile won.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub winning_tile_supposed: bool,
    /// The rule set, where it was stated with the hand: it must be the game's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruleset: Option<RulesetId>,
    /// The win context beside seat, round and discarder, which the game knows.
    #[serde(default, skip_serializing_if = "is_empty")]
    pub context: ContextSetup,
    /// The hands of those who did not win, where the rules score every player.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Other>,
}

/// A won hand without its tiles: who pays follows from the rules, as far as it does not depend on
/// the tiles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HandPoints {
    /// Who won.
    pub winner: Player,
    /// Who discarded the winning tile; `null` on a self-draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub discarder: Option<Player>,
    /// What the hand is worth.
    #[schema(maximum = 100_000)]
    pub points: u32,
}

/// The hand of a player who did not win.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Other {
    /// Whose it is.
    pub player: Player,
    /// The hand, which may be incomplete.
    pub hand: HandText,
}

/// A hand in notation, as it was entered. Whether it is a hand is found when it is scored.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct HandText(String);

/// Points by hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Manual {
    /// Why.
    pub reason: Reason,
    /// Whom it is about: the winner of a hand, or who called a false mahjong.
    pub player: Player,
    /// What each player gains or loses, in the order of the players; they sum to zero.
    #[schema(value_type = Vec<i32>, min_items = 4, max_items = 4)]
    pub payments: Points,
    /// Whether the deal ended with it. A hand always ends it; after a false mahjong the others may
    /// play on.
    #[serde(default)]
    pub ends_deal: bool,
    /// What else there is to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// Why points are entered by hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ManualReason)]
pub enum Reason {
    /// A won hand whose tiles nobody wrote down.
    Hand,
    /// Somebody called mahjong without a valid hand.
    FalseMahjong,
    /// Another penalty, or points that were agreed on.
    Adjustment,
}

impl Play {
    /// Whether the deal was over.
    #[must_use]
    pub const fn ends_deal(&self) -> bool {
        match self {
            Play::Win(_) | Play::Points(_) | Play::Draw => true,
            Play::Manual(manual) => manual.ends_deal || matches!(manual.reason, Reason::Hand),
        }
    }

    /// The same, checked as far as it can be without the game.
    pub(super) fn checked(self) -> Result<Play, GameError> {
        match self {
            Play::Win(win) => win.check_discarder().map(|()| Play::Win(win)),
            Play::Points(hand) => hand.checked().map(Play::Points),
            Play::Manual(manual) => manual.checked().map(Play::Manual),
            Play::Draw => Ok(Play::Draw),
        }
    }
}

impl Win {
    /// Refuses a win by the winner's own discard.
    pub(super) fn check_discarder(&self) -> Result<(), GameError> {
        check_discarder(self.winner, self.discarder)
    }
}

impl HandPoints {
    fn checked(self) -> Result<HandPoints, GameError> {
        check_discarder(self.winner, self.discarder)?;
        if self.points > MOST_HAND_POINTS {
            return Err(GameError::TooManyPoints { field: "points", most: MOST_HAND_POINTS });
        }
        Ok(self)
    }
}

fn check_discarder(winner: Player, discarder: Option<Player>) -> Result<(), GameError> {
    if discarder == Some(winner) { Err(GameError::OwnDiscard) } else { Ok(()) }
}

impl Manual {
    fn checked(self) -> Result<Manual, GameError> {
        let sum: i64 = self.payments.iter().map(|&points| i64::from(points)).sum();
        if sum != 0 {
            return Err(GameError::Unbalanced(sum));
        }
        if self.payments.iter().any(|points| points.unsigned_abs() > MOST_POINTS) {
            return Err(GameError::TooManyPoints { field: "payments", most: MOST_POINTS });
        }
        check_text("note", self.note.as_deref().unwrap_or_default(), LONGEST_TEXT)?;
        let ends_deal = self.ends_deal || self.reason == Reason::Hand;
        Ok(Manual { ends_deal, ..self })
    }
}

impl HandText {
    /// A hand from its notation.
    ///
    /// # Errors
    /// [`GameError::TooLong`].
    pub fn new(text: &str) -> Result<HandText, GameError> {
        let text = text.trim();
        check_length("hand", text, LONGEST_HAND)?;
        Ok(HandText(text.to_owned()))
    }

    /// The notation.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<Notation> for HandText {
    type Error = GameError;

    fn try_from(hand: Notation) -> Result<HandText, GameError> {
        HandText::new(&hand.to_string())
    }
}

impl fmt::Display for HandText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn is_empty(context: &ContextSetup) -> bool {
    *context == ContextSetup::default()
}
