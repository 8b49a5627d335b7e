//! The engine and the reader of photos for C, and for every language that calls C.
//!
//! Input: bytes and languages as C has them, and handles. Output: handles of answers, whose texts
//! are the JSON of [`contract`](tilesight_core::contract), the same as over HTTP.
//! `bindings/c/include/tilesight.h` is made from the exports of this crate.
//! Invariants: nothing is computed here; no panic leaves a function; a handle is a number that is
//! given once, so a handle that was released is recognised.

mod calls;
pub mod exports;
mod handles;
