//! Errors in a text: the fault, its place, and what was expected there.
//!
//! The person who typed the text can correct each of them.

use std::fmt;

/// A place in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Offset in bytes, always on a character boundary.
    pub byte: usize,
    /// Number of characters before the place; 0 for the first character.
    pub column: usize,
}

impl fmt::Display for Position {
    /// Writes the place as people count, from 1.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "character {}", self.column + 1)
    }
}

/// The character found, or the end of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FoundChar(pub Option<char>);

/// The kinds of text that can be expected in a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Expectation {
    /// A tile, the first of a meld.
    Tile,
    /// Anything that can stand among concealed tiles.
    InHand,
    /// Anything that can stand within a meld.
    InMeld,
    /// The letter of a suit.
    Suit,
    /// A number of tiles in a suit.
    NumberOfSuit,
    /// A number of winds and dragons.
    NumberOfHonor,
    /// The five behind the mark of a red one.
    RedFive,
    /// The tile behind `+`.
    WinningTile,
    /// The mark of a meld.
    Mark,
    /// The bracket that ends a meld.
    EndOfMeld,
    /// A wind of the win context.
    Wind,
    /// A flag of the win context.
    Flag,
    /// The player who discarded the winning tile.
    From,
    /// Flowers.
    Flower,
    /// The number of a flower or season.
    NumberOfFlower,
    /// The end of the text.
    EndOfText,
}

/// A kind of set whose mark can be wrong. A kong takes every mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum MarkedSet {
    /// A chow, whose mark says which tile was claimed.
    Chow,
    /// A pung, whose mark says from whom a tile was claimed.
    Pung,
}

/// Error when a text is not a hand.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotationError {
    /// A character that is not allowed here.
    Unexpected {
        /// Place of the character.
        at: Position,
        /// The character that was found.
        found: FoundChar,
        /// The kind of text that was expected.
        expected: Expectation,
    },
    /// A number that the suit does not have, such as `8z`.
    NoSuchTile {
        /// Place of the number.
        at: Position,
        /// The number.
        number: u8,
        /// The letter of the suit.
        suit: char,
        /// The numbers that exist.
        expected: Expectation,
    },
    /// A meld whose tiles are not a set.
    NotASet {
        /// Place where the meld begins.
        at: Position,
        /// The tiles of the meld.
        tiles: String,
    },
    /// More than one tile after the `+`.
    SeveralWinningTiles {
        /// Place where the tiles begin.
        at: Position,
        /// The tiles.
        tiles: String,
    },
    /// A mark after the comma that this kind of meld cannot have.
    WrongMark {
        /// Place of the mark.
        at: Position,
        /// The mark.
        found: FoundChar,
        /// The kind of the marked set.
        kind: MarkedSet,
    },
    /// A marked chow whose tiles are not in rising order; the mark could mean two different tiles.
    MarkOnUnsortedChow {
        /// Place of the mark.
        at: Position,
        /// The tiles in rising order.
        rising: String,
    },
    /// Only one of the two flags that say how the hand was won is known.
    HalfKnownWin {
        /// Place of the kong flag.
        at: Position,
        /// The kong flag.
        found: FoundChar,
    },
    /// A win that is another than the one that was written before it.
    OtherWin {
        /// Place of the later one.
        at: Position,
    },
    /// A flower that was named before, or a ninth one.
    Flowers {
        /// Place of the surplus flower.
        at: Position,
        /// The character of the flower.
        found: FoundChar,
    },
}

impl NotationError {
    /// Returns the place that the error is about.
    #[must_use]
    pub const fn position(&self) -> Position {
        match self {
            Self::Unexpected { at, .. }
            | Self::NoSuchTile { at, .. }
            | Self::NotASet { at, .. }
            | Self::SeveralWinningTiles { at, .. }
            | Self::WrongMark { at, .. }
            | Self::MarkOnUnsortedChow { at, .. }
            | Self::HalfKnownWin { at, .. }
            | Self::OtherWin { at }
            | Self::Flowers { at, .. } => *at,
        }
    }
}
