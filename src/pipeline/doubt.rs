//! What the photo does not settle, and the answers to choose from.
//!
//! Input: none. Output: the types of a [`Doubt`]. `doubts` finds them, a reading lists them.
//! Invariant: indices are those of whatever holds the doubt: the seen tiles in a verdict, the tiles
//! of the reading in a reading.

use serde::{Deserialize, Serialize};
use tilesight_core::context::ContextField;
use tilesight_core::hand::HandSetup;
use tilesight_core::settle::Payments;

use super::question::Question;

/// Something that the photo does not settle.
#[derive(Debug, Clone, PartialEq)]
pub struct Doubt {
    /// What sort of doubt.
    pub kind: DoubtKind,
    /// The tiles it is about, as indices into the reading's tiles.
    pub tiles: Vec<usize>,
    /// The question to put to a person.
    pub question: Question,
    /// The possible answers, the most probable first.
    pub alternatives: Vec<Alternative>,
    /// The field of the win context that it is about, if it is about one.
    pub field: Option<ContextField>,
    /// Whether the answers lead to different scores, or could for all we know.
    pub affects_score: bool,
}

/// What sort of doubt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
pub enum DoubtKind {
    /// The hand has too few or too many tiles.
    TileCount,
    /// Nothing sets the winning tile apart.
    WinningTile,
    /// A face could be another.
    Tile,
    /// More than four of one tile, or a flower twice.
    TooManyCopies,
    /// A set lies apart, but nothing shows whether it was claimed.
    ExposedSet,
    /// Four of a kind apart, with nothing turned: concealed or claimed.
    ConcealedKong,
    /// A tile of a pung may lie on the fourth of its kind.
    AddedKong,
    /// A kong of backs: its tile is not visible.
    HiddenKong,
    /// Tiles lie together like a set, but do not form one.
    NotASet,
    /// A flower lies where it may be the winner's or not.
    Flower,
    /// A tile is cut off by the photo's edge.
    CutTile,
    /// The tiles are complete but do not form a winning hand.
    NotAWin,
    /// A field of the win context cannot be true of the hand as it was read.
    Contradiction,
    /// The table shows who fed each set, but not who fed the last one, who pays.
    Feeder,
}

impl DoubtKind {
    /// All kinds, in the order of the contract.
    pub const ALL: [DoubtKind; 14] = [
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
    ];

    /// The name in the contract.
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
        }
    }
}

/// One possible answer to a doubt.
#[derive(Debug, Clone, PartialEq)]
pub struct Alternative {
    /// The answer, as a tile code or a few words.
    pub answer: String,
    /// How probable it is.
    pub p: f32,
    /// The total that the hand would then have; `None` when it would not be a winning hand.
    pub total: Option<u32>,
    /// The hand with this answer, where the answer alone makes it.
    pub hand: Option<HandSetup>,
    /// Who would pay whom: where the answers differ in nothing else, and at a table of several
    /// hands.
    pub payments: Option<Payments>,
}

impl Alternative {
    /// An answer and the total that it leads to.
    #[must_use]
    pub fn new(answer: impl Into<String>, p: f32, total: Option<u32>) -> Alternative {
        Alternative { answer: answer.into(), p, total, hand: None, payments: None }
    }

    /// The same with the hand that the answer makes.
    #[must_use]
    pub fn making(self, hand: &HandSetup) -> Alternative {
        Alternative { hand: Some(hand.clone()), ..self }
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
        assert_eq!(DoubtKind::Feeder as usize + 1, DoubtKind::ALL.len(), "and none left out");
    }
}
