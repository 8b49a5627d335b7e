//! Stages that look at pixels: from an upright photo to named tiles.
//!
//! Input: a [`Photo`](tilesight_stills::Photo). Output: quads with the probabilities of their
//! faces.

pub mod body;
mod bonus_tiles;
pub mod classify;
pub(crate) mod complete;
pub mod crop;
pub mod detect;
pub(crate) mod mirror;
pub(crate) mod negative;
pub(crate) mod refine;
pub(crate) mod rejoin;
mod second_look;
