//! The service and the command `tilesight`.
//!
//! Other programs use the crates below: `tilesight-core` scores hands, `tilesight-vision` reads
//! photos, `tilesight-jobs` runs jobs of many photos. `ARCHITECTURE.md` draws them.
//!
//! # Where to look
//! | question | file |
//! |---|---|
//! | how a request with a photo becomes an answer, step by step | `service/routes/hands.rs` |
//! | which handler answers a path | `service/router.rs`; each path has a file in `service/routes` |
//! | how large a request may be | `max_body_bytes` in the path's file, within `Limits` of `config.rs` |
//! | which faults an answer can carry | `service/answer/problem.rs`, and `contract/problem.rs` of `tilesight-core` for those of hands; `service/openapi/refusals.rs` for refusals before a path's own code runs |
//! | whose turn it is, who may send | `service/guard` |
//! | a setting: its flag, its variable, its default | `config/settings.rs`, `config.rs` |
//! | a subcommand | its file in `cli` |

pub mod cli;
pub mod config;
pub mod service;

/// Generated functions, one for each text of the catalogues.
#[deny(dead_code)]
mod texts {
    include!(concat!(env!("OUT_DIR"), "/texts.rs"));
}

/// Tests the examples of the README, like those in the code.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
