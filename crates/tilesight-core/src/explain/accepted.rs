//! Descriptions of the values that types of the program accept, in every language.

use std::fmt;

use super::{Lang, Message};
use crate::texts;

/// A value that a type accepts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Accepted {
    /// A hand: an object or a text.
    Hand,
    /// Codes: a list, or a text with commas.
    Codes,
    /// Tiles: a list, or a text with commas.
    Tiles,
    /// A whole number in this range.
    Whole {
        /// Smallest number.
        min: u32,
        /// Largest number.
        max: u32,
    },
}

crate::display_english!(Accepted);

impl Accepted {
    /// Writes the description for [`Visitor::expecting`](serde::de::Visitor::expecting).
    pub(crate) fn describe(self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self, out)
    }
}

impl Message for Accepted {
    fn text(&self, lang: Lang) -> String {
        match self {
            Accepted::Hand => texts::json_value::hand(lang).to_owned(),
            Accepted::Codes => texts::json_value::codes(lang).to_owned(),
            Accepted::Tiles => texts::json_value::tiles(lang).to_owned(),
            Accepted::Whole { min, max } => texts::json_value::whole_number(lang, min, max),
        }
    }
}
