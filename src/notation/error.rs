//! What can be wrong with a text, where, and what could have stood there instead.
//!
//! Whoever typed the text can mend every one of these.

use std::fmt;

/// A place in the text that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Offset in bytes, always on a character boundary.
    pub byte: usize,
    /// Characters before it; the first character is 0.
    pub column: usize,
}

impl fmt::Display for Position {
    /// Counted as people do, from 1.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "character {}", self.column + 1)
    }
}

/// The character met, or the end of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found(pub Option<char>);

impl fmt::Display for Found {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(character) => write!(out, "`{}`", character.escape_debug()),
            None => write!(out, "the end of the text"),
        }
    }
}

/// Why a text is no hand.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotationError {
    /// A character that cannot stand here.
    #[error("{at}: found {found}, expected {expected}")]
    Unexpected {
        /// Where.
        at: Position,
        /// What stands there.
        found: Found,
        /// What could have stood there.
        expected: &'static str,
    },
    /// A number that the suit does not have, such as `8z`.
    #[error("{at}: found `{number}` before `{suit}`, expected {expected}")]
    NoSuchTile {
        /// Where the number stands.
        at: Position,
        /// The number.
        number: u8,
        /// The letter of the suit.
        suit: char,
        /// The numbers that exist.
        expected: &'static str,
    },
    /// A meld whose tiles form no set.
    #[error("{at}: found a meld of {tiles}, expected a chow, a pung or a kong")]
    NotASet {
        /// Where the meld begins.
        at: Position,
        /// Its tiles.
        tiles: String,
    },
    /// More than one tile after the `+`.
    #[error("{at}: found the tiles {tiles}, expected one winning tile")]
    SeveralWinningTiles {
        /// Where they begin.
        at: Position,
        /// The tiles.
        tiles: String,
    },
    /// A mark after the comma that this kind of meld cannot have.
    #[error("{at}: found {found} as the mark of a {kind}, expected {expected}")]
    WrongMark {
        /// Where the mark stands.
        at: Position,
        /// The mark.
        found: Found,
        /// "chow", "pung" or "kong".
        kind: &'static str,
        /// The marks that it can have.
        expected: &'static str,
    },
    /// A chow whose tiles are not in rising order has a mark, which then could mean two tiles.
    #[error("{at}: found a mark on a chow that is not in rising order, expected `[{rising},..]`")]
    MarkOnUnsortedChow {
        /// Where the mark stands.
        at: Position,
        /// The tiles in rising order.
        rising: String,
    },
    /// Only one of the two flags that say how the hand was won is known.
    #[error(
        "{at}: found {found}, expected self-drawn and kong flag both to be 0 or 1, or both `?`"
    )]
    HalfKnownWin {
        /// Where the kong flag stands.
        at: Position,
        /// The kong flag.
        found: Found,
    },
    /// A flower for the second time, or a ninth one.
    #[error("{at}: found {found}, expected at most eight flowers, each named once")]
    Flowers {
        /// Where the flower too many stands.
        at: Position,
        /// Its letter.
        found: Found,
    },
}

impl NotationError {
    /// The place that the error is about.
    #[must_use]
    pub const fn at(&self) -> Position {
        match self {
            Self::Unexpected { at, .. }
            | Self::NoSuchTile { at, .. }
            | Self::NotASet { at, .. }
            | Self::SeveralWinningTiles { at, .. }
            | Self::WrongMark { at, .. }
            | Self::MarkOnUnsortedChow { at, .. }
            | Self::HalfKnownWin { at, .. }
            | Self::Flowers { at, .. } => *at,
        }
    }
}
