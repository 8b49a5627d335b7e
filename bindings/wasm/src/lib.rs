//! The engine for browsers and Node: the library behind a small set of WebAssembly functions.
//!
//! Input and output are the JSON of [`contract`](tilesight_vision::contract), the same as over
//! HTTP, in the module's memory. [`engine`] documents the functions, [`exports`] the calling
//! convention. There is no generated glue code: `bindings/npm/index.js` calls the exports, and
//! docs/browser.md explains why.
//! Invariant: this crate computes nothing itself; a hand scores as it does natively.

pub mod engine;
pub mod exports;
#[cfg(feature = "reader")]
pub mod host;
#[cfg(feature = "measure")]
pub mod measure;
#[cfg(feature = "reader")]
pub mod photo;
#[cfg(feature = "reader")]
pub mod sets;
#[cfg(feature = "reader")]
pub mod watch;
