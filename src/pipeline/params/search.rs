//! How far the search for the hand goes.
//!
//! Input: none. Output: [`SearchParams`]. Invariant: a larger limit costs time or asks more; it
//! makes no reading less probable.

use serde::{Deserialize, Serialize};

/// How far the search for the hand goes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SearchParams {
    /// Blocks that are tried as the anchor of the hand, the weightiest first. Not tuned.
    pub anchors: usize,
    /// Sets that are tried besides: of a hand of called sets none is heavy. Not tuned.
    pub set_anchors: usize,
    /// An anchor counts no more than this many faces: a row of forty is the table's wall.
    pub most_faces: usize,
    /// An anchor of more playing tiles than this is rather a wall or a row of discards than a hand.
    /// Not tuned.
    pub row_of_discards: usize,
    /// Its weight is then multiplied by this. Not tuned.
    pub discards_weight: f32,
    /// Hands that are listed beside the chosen one: a table has four players.
    pub other_hands: usize,
    /// What is left of a table has to show this many playing tiles to hold another hand.
    pub least_of_hand: usize,
    /// A block of another scale than this factor of the anchor's is another row of the table.
    /// Perspective makes the far end of a hand that runs away smaller by up to a half.
    pub scale_factor: f32,
    /// From one block to the next one near it the scale changes by less than this factor: by
    /// perspective hardly, by loose corners of a single tile up to a third.
    pub step_factor: f32,
    /// An ignored tile beyond this many widths is elsewhere, a nearer one is surplus. Not tuned.
    pub elsewhere: f32,
    /// Blocks that are tried in all combinations. Not tuned: it bounds the time.
    pub tried_blocks: usize,
    /// Combinations of them that are tried. Not tuned: it bounds the time.
    pub combinations: usize,
    /// Combinations that are tried with a single tile more. Not tuned: it bounds the time.
    pub completed: usize,
    /// An ignored single tile this near to the hand, in widths, becomes a doubt. Not tuned.
    pub at_hand: f32,
    /// A hand whose fit is worse by this much or more is not a doubt. Not tuned.
    pub rival: f32,
    /// This many tiles without print side by side are a wall: there are four white dragons.
    pub wall: usize,
    /// Beside a back this many are enough. Not tuned.
    pub wall_with_back: usize,
}

impl SearchParams {
    /// The values in use.
    pub const DEFAULT: SearchParams = SearchParams {
        anchors: 4,
        set_anchors: 2,
        most_faces: 14,
        row_of_discards: 22,
        discards_weight: 0.5,
        other_hands: 3,
        least_of_hand: 13,
        scale_factor: 1.8,
        step_factor: 1.5,
        elsewhere: 3.2,
        tried_blocks: 24,
        combinations: 1 << 12,
        completed: 12,
        at_hand: 0.25,
        rival: 4.0,
        wall: 5,
        wall_with_back: 3,
    };
}
