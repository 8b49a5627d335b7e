//! Hands as text: a line that a person can type and other MCR tools can read.
//!
//! ```text
//! hand      = { run | meld } [ "+" winning ]        [789m,1]345s3555567p4p
//! text      = hand [ "|" context [ "|" flowers ] ]  [EEE,2]...|EE1000,2|ah
//! run       = digit { digit } ( "m" | "p" | "s" | "z" )  |  one of E S W N C F P  |  symbol
//! meld      = "[" run { run } [ "," mark ] "]"  |  the same in any other brackets
//! context   = prevalent seat self-drawn last-of-kind last-wall-tile kong [ "," from ]
//! flowers   = [ count ] { letter a..h | f1..f4 | s1..s4 }
//! symbol    = the character on an honor, such as 白, or a tile of Unicode, such as 🀆
//! ```
//!
//! A digit may be one of 一 to 九, the letter of a suit 萬, 筒 or 索, and any character full-width.
//! White space and characters that can't be seen mean nothing, nor do commas, bullets and other
//! punctuation between runs. Among the tiles there may also be a word for how the hand was won,
//! such as `tsumo`, flowers as tiles of Unicode or characters, red fives as `r5p` or `5pr`, dots as
//! `①`, a tile several times as `Ex3`, and a label before all of them (`chat`). The letter of a
//! suit may come before its numbers, as in `m123p456`, unless one behind them could be meant.
//!
//! This is the form that the MCR tools GB-Mahjong and ChineseOfficialMahjongHelper exchange,
//! extended by marks for what it can't express: `?` for an unknown value, `+` before the winning
//! tile if counting does not determine it, `,1` to `,3` after the context for the discarder.
//! `docs/notation.md` explains every part with examples.
//!
//! Input: any string; the parser never panics, and an error names the character and what was
//! expected there. Output: [`Notation`], whose [`Display`](std::fmt::Display) is the only canonical
//! form.
//! Invariant: printing and parsing again gives the same hand and context, with the concealed tiles
//! sorted.

mod chat;
mod completed_set;
mod cursor;
mod error;
mod letters;
mod parse;
mod print;

use std::str::FromStr;

use crate::context::ContextSetup;
use crate::hand::HandSetup;
use crate::tile::Tile;

pub use error::{Expectation, FoundChar, MarkedSet, NotationError, Position};

/// Maximum number of beginnings of a text that are tried: as many as a run or a meld has
/// characters, and more.
const MAX_BEGINNINGS: usize = 64;

/// Content of one line of text: the hand and its win context.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notation {
    /// Tiles, melds and flowers. Only the melds are validated.
    pub hand: HandSetup,
    /// Win context. Fields that the text omits are `None`.
    pub context: ContextSetup,
}

impl Notation {
    /// Creates a notation of a hand without a win context.
    #[must_use]
    pub fn from_hand(hand: HandSetup) -> Self {
        Self { hand, context: ContextSetup::default() }
    }

    /// Returns what a text says before the place of an error: the content of its longest beginning
    /// that is a notation.
    #[must_use]
    pub fn read_before(text: &str, at: Position) -> Notation {
        let before = &text[..at.byte];
        let ends = before.char_indices().rev().map(|(end, _)| end);
        let beginnings = std::iter::once(before.len()).chain(ends).take(MAX_BEGINNINGS);
        beginnings.filter_map(|end| before[..end].parse().ok()).next().unwrap_or_default()
    }

    /// Replaces this by what a text says, and uses the memory of its lists again.
    ///
    /// # Errors
    /// [`NotationError`] as from parsing; there may be anything in this then.
    pub(crate) fn replace(&mut self, text: &str) -> Result<(), NotationError> {
        parse::notation(text, self)
    }
}

impl FromStr for Notation {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        let mut notation = Notation::default();
        notation.replace(text)?;
        Ok(notation)
    }
}

/// Prints tiles in the given order. Numbers of the same suit share its letter: `123m55pE`.
#[must_use]
pub fn print_tiles(tiles: &[Tile]) -> String {
    print::tiles(tiles)
}
