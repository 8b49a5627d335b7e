//! Hands as text: one line that a person can type and other MCR tools can read.
//!
//! ```text
//! hand      = { run | meld } [ "+" winning ]        [789m,1]345s3555567p4p
//! text      = hand [ "|" context [ "|" flowers ] ]  [EEE,2]...|EE1000,2|ah
//! run       = digit { digit } ( "m" | "p" | "s" | "z" )  |  one of E S W N C F P
//! meld      = "[" run { run } [ "," mark ] "]"
//! context   = prevalent seat self-drawn last-of-kind last-wall-tile kong [ "," from ]
//! flowers   = [ count ] { letter a..h | f1..f4 | s1..s4 }
//! ```
//!
//! This is the form that the MCR tools GB-Mahjong and ChineseOfficialMahjongHelper exchange, with
//! marks added for what it cannot say: `?` where something is not known, `+` before the winning
//! tile where counting does not find it, `,1` to `,3` after the context for who discarded it.
//! `docs/notation.md` explains every part with examples.
//!
//! Input: any string; the parser never panics, and an error names the character and what was
//! expected there. Output: [`Notation`], whose [`Display`](std::fmt::Display) is the one canonical
//! form. Invariant: printing and parsing again gives the same hand and context, with the concealed
//! tiles sorted.

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

/// The content of one line of text: the hand and its win context.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Notation {
    /// The tiles, melds and flowers; nothing about them is checked beyond what sets are.
    pub hand: HandSetup,
    /// The win context; what the text leaves out is `None`.
    pub context: ContextSetup,
}

impl Notation {
    /// The hand without a win context.
    #[must_use]
    pub fn of(hand: HandSetup) -> Self {
        Self { hand, context: ContextSetup::default() }
    }
}

impl FromStr for Notation {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Self, NotationError> {
        parse::notation(text)
    }
}

/// Prints tiles in the order they come; numbers that share a suit share its letter: `123m55pE`.
#[must_use]
pub fn print_tiles(tiles: &[Tile]) -> String {
    print::tiles(tiles)
}
