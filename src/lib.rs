//! Tilesight reads a photo of a winning mahjong hand and scores it.
//!
//! The pipeline stands in the tree: photo → `pipeline` (decode, detect, classify, layout) →
//! hand → `rules` → score. Everything from [`tile`] to `rules` knows no images, no IO and no
//! async, and compiles without any cargo feature.

#[cfg(feature = "cli")]
pub mod cli;
pub mod context;
pub mod contract;
pub mod explain;
pub mod hand;
pub mod meld;
pub mod notation;
pub mod rules;
pub mod settle;
pub mod tile;
pub mod tiles;
