//! Types of the fields of the win context, and the spelling of their values as text.

use serde::Serialize;
use serde::de::DeserializeOwned;
use utoipa::ToSchema;

use super::{
    CompletedSet, Count, Declaration, DeclaredSet, Feeder, Indicators, MAX_COUNT, RiichiCall,
    WinKind,
};
use crate::meld::Relation;
use crate::tile::Wind;

/// Spelling of a type's values where they are text: in queries, forms, columns and flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spelling {
    /// `true` or `false`.
    Flag,
    /// Exactly one of these names.
    OneOf(&'static [&'static str]),
    /// Any of these names, each at most once, separated by commas.
    SomeOf(&'static [&'static str]),
    /// Tiles, separated by commas.
    Tiles,
    /// A number of 0 to a maximum.
    Number {
        /// Maximum.
        max: u8,
    },
    /// A text with a notation of its own.
    Text,
}

/// A type that a field of the win context can have.
pub trait ContextValue:
    Copy + PartialEq + Serialize + DeserializeOwned + ToSchema + Send + Sync + 'static
{
    /// Placeholder for a value in the command's help.
    const PLACEHOLDER: &'static str;
    /// Spelling of the values as text; the names are those of JSON.
    const SPELLING: Spelling;
}

impl ContextValue for bool {
    const PLACEHOLDER: &'static str = "BOOL";
    const SPELLING: Spelling = Spelling::Flag;
}

impl ContextValue for Wind {
    const PLACEHOLDER: &'static str = "WIND";
    const SPELLING: Spelling = Spelling::OneOf(&["E", "S", "W", "N"]);
}

impl ContextValue for WinKind {
    const PLACEHOLDER: &'static str = "HOW";
    const SPELLING: Spelling =
        Spelling::OneOf(&["self_drawn", "discard", "kong_replacement", "robbed_kong"]);
}

impl ContextValue for Relation {
    const PLACEHOLDER: &'static str = "PLAYER";
    const SPELLING: Spelling = Spelling::OneOf(&["left", "across", "right"]);
}

impl ContextValue for Feeder {
    const PLACEHOLDER: &'static str = "PLAYER";
    const SPELLING: Spelling = Spelling::OneOf(&["left", "across", "right", "nobody"]);
}

impl ContextValue for RiichiCall {
    const PLACEHOLDER: &'static str = "HOW";
    const SPELLING: Spelling = Spelling::OneOf(&["no", "riichi", "double"]);
}

impl ContextValue for Indicators {
    const PLACEHOLDER: &'static str = "TILES";
    const SPELLING: Spelling = Spelling::Tiles;
}

impl ContextValue for Count {
    const PLACEHOLDER: &'static str = "COUNT";
    const SPELLING: Spelling = Spelling::Number { max: MAX_COUNT };
}

impl ContextValue for DeclaredSet {
    const PLACEHOLDER: &'static str = "CODES";
    const SPELLING: Spelling = Spelling::SomeOf(&Declaration::NAMES);
}

impl ContextValue for CompletedSet {
    const PLACEHOLDER: &'static str = "SET";
    const SPELLING: Spelling = Spelling::Text;
}
