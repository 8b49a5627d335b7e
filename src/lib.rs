//! The command `tilesight`, and the settings of the service that it starts.
//!
//! Other programs use the crates below: `tilesight-core` scores hands, `tilesight-vision` reads
//! photos, `tilesight-jobs` runs jobs of many photos, `tilesight-service` answers over HTTP.
//! `ARCHITECTURE.md` draws them.
//!
//! # Where to look
//! | question | file |
//! |---|---|
//! | a setting: its flag, its variable, its default | `config/settings.rs`, `config.rs` |
//! | a subcommand | its file in `cli/commands` |

pub mod cli;
pub mod config;

/// Generated functions, one for each text of the catalogues.
#[deny(dead_code)]
mod texts {
    include!(concat!(env!("OUT_DIR"), "/texts.rs"));
}

/// Tests the examples of the README, like those in the code.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
