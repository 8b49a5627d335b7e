//! The engine for browsers and Node: the library behind a few functions of WebAssembly.
//!
//! Input and output are the JSON of [`contract`](tilesight::contract), the same as over HTTP, in
//! the module's memory. [`engine`] says what each function does, [`exports`] how a host calls it.
//! There is no generated glue: `bindings/npm/index.js` calls the exports, and docs/browser.md says
//! why. Invariant: nothing here computes; a hand scores as it does natively.

pub mod engine;
pub mod exports;
#[cfg(feature = "reader")]
pub mod host;
#[cfg(feature = "measure")]
pub mod measure;
#[cfg(feature = "reader")]
pub mod photo;
#[cfg(feature = "reader")]
pub mod watch;
