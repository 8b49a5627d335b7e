//! The service and the command `tilesight`.
//!
//! Other programs use the crates below: `tilesight-core` scores hands, `tilesight-vision` reads
//! photos, `tilesight-jobs` runs jobs of many photos. `service` is the service, `cli` the command,
//! `config` the settings of both.

pub mod cli;
pub mod config;
pub mod service;

/// Texts from the catalogues: a function for each.
#[deny(dead_code)]
mod texts {
    include!(concat!(env!("OUT_DIR"), "/texts.rs"));
}

/// Tests the examples of the README, like those in the code.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
