//! The engine for browsers and Node: the library behind a small set of WebAssembly functions.
//!
//! Input and output are the JSON of [`contract`](tilesight_core::contract), the same as over HTTP,
//! in the module's memory. [`tilesight_engine`] documents the functions, [`exports`] the calling
//! convention. There is no generated glue code: `bindings/npm/index.js` calls the exports, and
//! docs/browser.md explains why.
//! Invariant: this crate computes nothing itself; a hand scores as it does natively.

pub mod exports;
#[cfg(feature = "reader")]
pub mod host;
#[cfg(feature = "measure")]
pub mod measure;
#[cfg(feature = "reader")]
pub mod networks;
#[cfg(feature = "reader")]
pub mod watch;
