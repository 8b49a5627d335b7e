//! Requests of bindings to other languages, answered as JSON.
//!
//! Input: the bytes of a request of the contract. Output: the JSON of the answer, or a
//! [`Problem`](tilesight_core::contract::Problem), both the same as over HTTP. A binding adds the
//! calling convention of its language, and the networks that read photos.
//! Invariant: nothing is computed here; a hand scores as it does in the program.

mod engine;
#[cfg(feature = "reader")]
pub mod photo;
#[cfg(feature = "reader")]
pub mod sets;

pub use self::engine::{Answer, Engine, head_and_bytes, to_json};
