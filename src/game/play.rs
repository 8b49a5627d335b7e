//! What happened in a deal, as people enter it: a won hand, a draw, or points by hand.
//!
//! Players are named, never seats: the sheet knows who sits where. Invariant: what is stored of a hand
//! is its notation, so that a game is small and can be read by people.

use serde::{Deserialize, Serialize};

use crate::contract::{ContextDto, HandInput};

use super::{Player, Points};

/// What happened in a deal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
pub enum Play {
    /// Somebody won with a hand that is scored.
    Win(Win),
    /// The wall was empty and nobody had won.
    Draw,
    /// Points that people agreed on, such as those of a false mahjong.
    Manual(Manual),
}

/// A won hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
pub struct Win {
    /// Who won.
    pub winner: Player,
    /// Who discarded the winning tile, or added it to a kong that was robbed; `null` on a self-draw.
    #[serde(default)]
    pub discarder: Option<Player>,
    /// The hand: notation, or an object. It is kept as notation.
    pub hand: HandInput,
    /// The circumstances beside seat, round, rule set and discarder, which the game knows.
    #[serde(default)]
    pub context: ContextDto,
    /// The hands of those who did not win, where the rules score every player.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Other>,
}

/// The hand of somebody who did not win.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = GameOther))]
pub struct Other {
    /// Whose it is.
    pub player: Player,
    /// The hand, which may be incomplete: notation, or an object. It is kept as notation.
    pub hand: HandInput,
}

/// Points by hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
pub struct Manual {
    /// Why.
    pub reason: Reason,
    /// Whom it is about: the winner of a hand, or who called a false mahjong.
    pub player: Player,
    /// What each player gains or loses, in the order of the players; they sum to zero.
    #[cfg_attr(feature = "http", schema(value_type = Vec<i32>, min_items = 4, max_items = 4))]
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = ManualReason))]
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
            Play::Win(_) | Play::Draw => true,
            Play::Manual(manual) => manual.ends_deal || matches!(manual.reason, Reason::Hand),
        }
    }
}
