//! Functions that C calls. Their comments become those of the header.
//!
//! Input: handles, pointers with lengths, and languages. Output: handles. Invariant: each function
//! converts its arguments and calls one function of [`tilesight_engine`].

pub mod answer;
pub mod engine;
pub mod reader;
