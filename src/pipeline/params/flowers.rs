//! Which flowers belong to the hand.
//!
//! Input: none. Output: [`FlowerParams`]. Invariant: distances are in tile widths, angles in
//! degrees.

use serde::{Deserialize, Serialize};

/// Which flowers belong to the hand.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FlowerParams {
    /// Flowers that lie askew are the hand's own within this reach. Not tuned.
    pub reach: f32,
    /// Those that lie as straight as the hand within this one. Further off they may be the hand's
    /// where nothing else is nearer. Not tuned.
    pub straight_reach: f32,
    /// Beyond this even those are asked about. Not tuned.
    pub asked_reach: f32,
    /// Flowers that continue the row need only this quality. Not tuned.
    pub quality_in_line: f32,
    /// They continue it, touching it and of its size and direction, where they cost no more than
    /// this. Not tuned.
    pub in_line: f32,
    /// The most that flowers may cost: six widths away, a little askew, a tenth smaller than the
    /// hand.
    pub most_cost: f32,
    /// Within this many widths of a discard a flower lies among the discards, unless the hand is
    /// nearer. Not tuned.
    pub among: f32,
    /// One that lies as straight as the hand only within this. Not tuned.
    pub among_straight: f32,
    /// Single tiles lie as straight as the hand within this angle. Not tuned.
    pub straight: f32,
    /// Most tiles of a block that may be flowers of which one is named wrongly; more are a table's
    /// discards. Not tuned.
    pub few: usize,
    /// A tile that shows a flower with this probability may be one: a flower whose picture is new
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
        most_cost: 9.0,
        among: 1.5,
        among_straight: 0.8,
        straight: 5.0,
        few: 4,
        maybe: 0.08,
    };
}
