//! Doubts that a photo leaves open, and the answers to choose from.
//!
//! `doubts` finds them, and a reading lists them. Invariant: indices refer to the tiles of the
//! doubt's owner: the seen tiles in a verdict, the tiles of the reading in a reading.

use serde::{Deserialize, Serialize};
use tilesight_core::context::ContextField;
use tilesight_core::hand::HandSetup;
use tilesight_core::settle::Payments;

use super::question::Question;

/// Question about the hand that the photo leaves open.
#[derive(Debug, Clone, PartialEq)]
pub struct Doubt {
    /// Kind of the doubt.
    pub kind: DoubtKind,
    /// Tiles in question, as indices into the reading's tiles.
    pub tiles: Vec<usize>,
    /// Question for a person.
    pub question: Question,
    /// Possible answers, the most probable first.
    pub alternatives: Vec<Alternative>,
    /// Field of the win context in question, if any.
    pub field: Option<ContextField>,
    /// Whether the answers lead, or could lead, to different scores.
    pub affects_score: bool,
}

/// Kind of a doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum DoubtKind {
    /// The hand has too few or too many tiles.
    TileCount,
    /// No tile is set apart as the winning tile.
    WinningTile,
    /// A tile's face could be a different one.
    Tile,
    /// More than four of one tile, or the same flower twice.
    TooManyCopies,
    /// A set lies apart, but nothing shows whether it was claimed.
    ExposedSet,
    /// Four of a kind lie apart with no tile turned: the kong may be concealed or claimed.
    ConcealedKong,
    /// A tile of a pung may lie on the fourth of its kind.
    AddedKong,
    /// A kong shows only backs, so its tile is unknown.
    HiddenKong,
    /// Tiles lie together like a set, but do not form one.
    NotASet,
    /// A flower lies where it may or may not be the winner's.
    Flower,
    /// A tile is cut off by the photo's edge.
    CutTile,
    /// The tiles are complete but do not form a winning hand.
    NotAWin,
    /// A field of the win context contradicts the hand that was read.
    Contradiction,
    /// The table shows who fed each set, but not who fed the last one and therefore pays.
    Feeder,
    /// A tile lies face up on a wall: it may be the dora indicator.
    Indicator,
}

impl DoubtKind {
    /// All kinds, in the order of the contract.
    pub const ALL: [DoubtKind; 15] = [
        DoubtKind::TileCount,
        DoubtKind::WinningTile,
        DoubtKind::Tile,
        DoubtKind::TooManyCopies,
        DoubtKind::ExposedSet,
        DoubtKind::ConcealedKong,
        DoubtKind::AddedKong,
        DoubtKind::HiddenKong,
        DoubtKind::NotASet,
        DoubtKind::Flower,
        DoubtKind::CutTile,
        DoubtKind::NotAWin,
        DoubtKind::Contradiction,
        DoubtKind::Feeder,
        DoubtKind::Indicator,
    ];

    /// Returns the name in the contract.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            DoubtKind::TileCount => "tile_count",
            DoubtKind::WinningTile => "winning_tile",
            DoubtKind::Tile => "tile",
            DoubtKind::TooManyCopies => "too_many_copies",
            DoubtKind::ExposedSet => "exposed_set",
            DoubtKind::ConcealedKong => "concealed_kong",
            DoubtKind::AddedKong => "added_kong",
            DoubtKind::HiddenKong => "hidden_kong",
            DoubtKind::NotASet => "not_a_set",
            DoubtKind::Flower => "flower",
            DoubtKind::CutTile => "cut_tile",
            DoubtKind::NotAWin => "not_a_win",
            DoubtKind::Contradiction => "contradiction",
            DoubtKind::Feeder => "feeder",
            DoubtKind::Indicator => "indicator",
        }
    }
}

/// Possible answer to a doubt.
#[derive(Debug, Clone, PartialEq)]
pub struct Alternative {
    /// Answer, as a tile code or a few words.
    pub answer: String,
    /// Probability of the answer.
    pub p: f32,
    /// Total of the hand with this answer; `None` if it would not be a winning hand.
    pub total: Option<u32>,
    /// Hand with this answer, if the answer alone determines it.
    pub hand: Option<HandSetup>,
    /// Payments between the players: given if the answers differ in nothing else, and at a table of
    /// several hands.
    pub payments: Option<Payments>,
}

impl Alternative {
    /// Creates an answer with the total that results from it.
    #[must_use]
    pub fn new(answer: impl Into<String>, p: f32, total: Option<u32>) -> Alternative {
        Alternative { answer: answer.into(), p, total, hand: None, payments: None }
    }

    /// Adds the hand that results from the answer.
    #[must_use]
    pub(crate) fn making(self, hand: &HandSetup) -> Alternative {
        // The answer may have moved a red five with its set.
        let reds = hand.reds.limit_to(hand);
        Alternative { hand: Some(HandSetup { reds, ..hand.clone() }), ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_named_as_in_the_contract() {
        for (at, kind) in DoubtKind::ALL.into_iter().enumerate() {
            assert_eq!(serde_json::to_value(kind).ok(), Some(kind.name().into()));
            assert_eq!(kind as usize, at, "each kind once, in order");
        }
        assert_eq!(DoubtKind::Indicator as usize + 1, DoubtKind::ALL.len(), "and none left out");
    }
}
