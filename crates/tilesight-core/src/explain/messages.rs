//! What is wrong with a hand, its win context or its rules, in the languages other than English.
//!
//! The English texts are with the errors themselves. Every error is matched exhaustively: a new
//! kind does not compile before it has its translations.

mod context;
mod hand;
mod notation;
mod rules;
