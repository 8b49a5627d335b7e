//! Parameters for the flowers that belong to the hand.
//!
//! Input: none. Output: [`FlowerParams`]. Invariant: distances are in tile widths, angles in
//! degrees.

use serde::{Deserialize, Serialize};

/// Parameters for the flowers that belong to the hand.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FlowerParams {
    /// Maximum distance from the hand of flowers that lie askew and belong to it. Not tuned.
    pub reach: f32,
    /// Maximum distance of flowers that lie as straight as the hand and belong to it. Flowers
    /// further away may belong to the hand if nothing else is nearer to them. Not tuned.
    pub straight_reach: f32,
    /// Maximum distance of the hand's flowers that are not asked about, however straight they lie.
    /// Not tuned.
    pub asked_reach: f32,
    /// Minimum quality of flowers that continue the row. Not tuned.
    pub quality_in_line: f32,
    /// Maximum cost of flowers that continue the row, that is, touch it and have its size and
    /// direction. Not tuned.
    pub in_line: f32,
    /// Maximum cost of flowers: six widths away, a little askew, a tenth smaller than the hand.
    pub max_cost: f32,
    /// A flower within this many widths of a discard lies among the discards, unless the hand is
    /// nearer. Not tuned.
    pub among: f32,
    /// Limit like [`FlowerParams::among`] for a flower that lies as straight as the hand. Not
    /// tuned.
    pub among_straight: f32,
    /// Maximum angle at which single tiles lie as straight as the hand. Not tuned.
    pub straight: f32,
    /// Maximum number of tiles in a block that may be flowers with one of them misnamed; larger
    /// blocks are a table's discards. Not tuned.
    pub max_block: usize,
    /// Minimum probability of any flower for a tile that may be one: a flower whose picture is new
    /// is easily taken for a bird or a character. Not tuned.
    pub maybe: f32,
}

impl FlowerParams {
    /// The values in use.
    pub const DEFAULT: FlowerParams = FlowerParams {
        reach: 3.2,
        straight_reach: 6.0,
        asked_reach: 4.5,
        quality_in_line: 0.3,
        in_line: 1.0,
        max_cost: 9.0,
        among: 1.5,
        among_straight: 0.8,
        straight: 5.0,
        max_block: 4,
        maybe: 0.08,
    };
}
