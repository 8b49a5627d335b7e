//! Tilesight reads a photo of a winning mahjong hand and scores it.
//!
//! The pipeline stands in the tree: photo → `pipeline` (decode, detect, classify, layout) →
//! hand → `rules` → score. Everything from [`tile`] to `rules` knows no images, no IO and no
//! async, and compiles without any cargo feature.

#[cfg(feature = "jobs")]
pub mod batch;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "vision")]
pub mod config;
pub mod context;
pub mod contract;
pub mod explain;
pub mod game;
#[cfg(feature = "jobs")]
pub mod games;
pub mod hand;
#[cfg(feature = "vision")]
mod hex;
#[cfg(feature = "http")]
pub mod http;
#[cfg(feature = "jobs")]
pub mod jobs;
#[cfg(feature = "pictures")]
mod letters;
pub mod meld;
pub mod notation;
#[cfg(feature = "vision")]
pub mod overlay;
#[cfg(feature = "pictures")]
pub mod picture;
#[cfg(feature = "vision")]
pub mod pipeline;
mod printable;
#[cfg(feature = "jobs")]
mod private;
#[cfg(feature = "jobs")]
mod random;
pub mod rules;
pub mod settle;
#[cfg(feature = "jobs")]
mod sharing;
mod spreadsheet;
pub mod tile;
#[cfg(feature = "pictures")]
pub mod tile_art;
pub mod tiles;
#[cfg(feature = "jobs")]
mod workshop;

/// The examples of the README are tested like those of the code.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
