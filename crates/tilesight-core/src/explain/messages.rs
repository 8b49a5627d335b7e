//! Translations of the errors of a hand, its win context or its rules.
//!
//! The English texts are with the errors themselves. Every error is matched exhaustively, so a new
//! kind of error does not compile without its translations.

mod context;
mod hand;
mod notation;
mod rules;
