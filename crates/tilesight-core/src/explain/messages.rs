//! Texts of the errors of a hand, its win context or its rules.
//!
//! The texts are in the catalogues of `crates/tilesight-texts`. Every error is matched
//! exhaustively, so a new kind of error does not compile without its text.

mod context;
mod hand;
mod notation;
mod rules;
