//! A set of a decomposition as a score shows it.

use crate::tile::Tile;

/// A set of the chosen decomposition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoredSet {
    /// Kind of the set.
    pub kind: SetKind,
    /// Tiles of the set, in order.
    pub tiles: Vec<Tile>,
    /// Whether the set counts as concealed: neither melded nor, for a pung, completed by a discard.
    pub concealed: bool,
    /// Whether the winning tile completed the set in this decomposition.
    pub winning: bool,
}

/// The kinds of sets that decompositions are made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SetKind {
    /// Three consecutive tiles of a suit.
    Chow,
    /// Three of a kind.
    Pung,
    /// Four of a kind.
    Kong,
    /// Two of a kind.
    Pair,
    /// 1-4-7, 2-5-8 and 3-6-9 in three suits: nine tiles.
    Knitted,
    /// Tiles that belong to a special hand one by one, or to no set.
    Singles,
}
