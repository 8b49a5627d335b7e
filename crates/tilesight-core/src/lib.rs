//! Mahjong hands, the rules that score them, and the JSON of both.
//!
//! No I/O, no images and no async: everything here computes.
//!
pub mod context;
pub mod contract;
pub mod evening;
pub mod explain;
pub mod hand;
pub mod hex;
pub mod lang;
pub mod meld;
pub mod notation;
pub mod plural;
pub mod printable;
pub mod rules;
pub mod settle;
pub mod spreadsheet;
pub mod tile;
pub mod tiles;

/// Texts from the catalogues: a function for each.
#[deny(dead_code)]
mod texts {
    include!(concat!(env!("OUT_DIR"), "/texts.rs"));
}
