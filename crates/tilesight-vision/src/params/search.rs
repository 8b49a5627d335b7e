//! Limits of the search for the hand.
//!
//! Input: none. Output: [`SearchParams`]. Invariant: a larger limit costs time or raises more
//! doubts; it makes no reading less probable.

use serde::{Deserialize, Serialize};

/// Limits of the search for the hand.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchParams {
    /// Number of blocks tried as the anchor of the hand, the weightiest first. Not tuned.
    pub anchors: usize,
    /// Number of sets tried as further anchors: in a hand of called sets no block is heavy. Not
    /// tuned.
    pub set_anchors: usize,
    /// Number of lighter blocks tried as further anchors if no hand around these wins. Not tuned.
    pub light_anchors: usize,
    /// Maximum number of faces that count for an anchor: a row of forty is the table's wall.
    pub max_faces: usize,
    /// An anchor of more playing tiles than this is more likely a wall or a row of discards than a
    /// hand. Not tuned.
    pub row_of_discards: usize,
    /// Factor for the weight of such an anchor. Not tuned.
    pub discards_weight: f32,
    /// Maximum number of hands listed beside the chosen one: a table has four players.
    pub other_hands: usize,
    /// Minimum number of playing tiles in the rest of a table that can hold another hand.
    pub min_of_hand: usize,
    /// A block whose scale differs from the anchor's by more than this factor is another row of the
    /// table. Perspective makes the far end of a hand that runs away smaller by up to a half.
    pub scale_factor: f32,
    /// From one block to the next one near it the scale changes by less than this factor.
    /// Perspective hardly changes it; the inaccurate corners of a single tile change it by up to a
    /// third.
    pub step_factor: f32,
    /// An ignored tile beyond this many widths is elsewhere, a nearer one is surplus. Not tuned.
    pub elsewhere: f32,
    /// Number of blocks tried in all combinations. Not tuned: it bounds the time.
    pub tried_blocks: usize,
    /// Maximum number of combinations tried. Not tuned: it bounds the time.
    pub combinations: usize,
    /// Number of combinations tried with one more tile. Not tuned: it bounds the time.
    pub completed: usize,
    /// An ignored single tile this near to the hand, in widths, becomes a doubt. Not tuned.
    pub at_hand: f32,
    /// A hand whose fit is worse by this much or more is not a doubt. Not tuned.
    pub rival: f32,
    /// Minimum number of playing tiles in a row that is another player's hand: with two sets
    /// claimed, seven are left. Not tuned.
    pub row_of_hand: usize,
    /// Minimum cosine of the angle between two blocks that face the same way: half a right angle.
    /// Not tuned.
    pub same_way: f32,
    /// Number of tiles without print side by side that are a wall: only four white dragons exist.
    pub wall: usize,
    /// Number of such tiles that are a wall beside a back. Not tuned.
    pub wall_with_back: usize,
}

impl SearchParams {
    /// The values in use.
    pub const DEFAULT: SearchParams = SearchParams {
        anchors: 4,
        set_anchors: 2,
        light_anchors: 8,
        max_faces: 14,
        row_of_discards: 22,
        discards_weight: 0.5,
        other_hands: 3,
        min_of_hand: 13,
        scale_factor: 1.8,
        step_factor: 1.5,
        elsewhere: 3.2,
        tried_blocks: 24,
        combinations: 1 << 12,
        completed: 12,
        at_hand: 0.25,
        rival: 4.0,
        row_of_hand: 7,
        same_way: 0.7,
        wall: 5,
        wall_with_back: 3,
    };
}
