//! Limits of the search for the hand.
//!
//! Invariant: a larger limit costs time or raises more doubts; it makes no reading less probable.

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
    /// Number of blocks nearest to the focus around which a hand is searched, until one is found
    /// that shows enough faces: the nearest may be an object that looks like a tile. Not tuned.
    pub focus_blocks: usize,
    /// Number of lighter blocks tried as further anchors if no hand around these wins. Not tuned.
    pub light_anchors: usize,
    /// An anchor of more playing tiles than this is more likely a wall or a row of discards than a
    /// hand. Not tuned.
    pub row_of_discards: usize,
    /// Factor for the weight of such an anchor. Not tuned.
    pub discards_weight: f32,
    /// Maximum number of hands listed beside the chosen one: a table has four players.
    pub other_hands: usize,
    /// A block whose scale differs from the anchor's by more than this factor is another row of the
    /// table. Perspective makes the far end of a hand that runs away smaller by up to a half.
    pub scale_factor: f32,
    /// Ratio of sizes from which a fifth tile of a kind, or a second one of a flower, is no
    /// tile: a dealer's plate is 1.5 times as large as a tile, a die half as large. Corners of the
    /// refiner are accurate to 0.03 widths, and a tile on top of another looks up to 1.2 times as
    /// large.
    pub odd_size: f32,
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
    /// Number of single tiles, or of pairs, with the same faces that are tried as the missing one,
    /// those first that fit best. A set has four of a kind; of white dragons a photo shows more,
    /// since the tops of standing tiles look like them. Of 1,200 drawn tables none is read
    /// otherwise without this limit. It bounds the work.
    pub equal_blocks: usize,
    /// Maximum number of steps of the whole layout, each the weighing of one combination or of one
    /// exchange in it, some microseconds. Of 180 drawn tables (a third each neat, loose and as
    /// players leave them) the costliest takes 17,000; in a release 150,000 take a second at most.
    /// It bounds the work.
    pub steps: usize,
    /// Factor for the probability of a hand if the budget ran out before every combination was
    /// weighed: another one may be the better hand. Chosen, not measured: such a reading must be
    /// reviewed.
    pub unfinished: f32,
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
    /// Number of tiles without print side by side that are a wall beside a back. Not tuned.
    pub wall_with_back: usize,
}

impl SearchParams {
    /// The values in use.
    pub const DEFAULT: SearchParams = SearchParams {
        anchors: 4,
        set_anchors: 2,
        focus_blocks: 4,
        light_anchors: 8,
        row_of_discards: 22,
        discards_weight: 0.5,
        other_hands: 3,
        scale_factor: 1.8,
        odd_size: 1.25,
        step_factor: 1.5,
        elsewhere: 3.2,
        tried_blocks: 24,
        combinations: 1 << 12,
        completed: 12,
        equal_blocks: 8,
        steps: 150_000,
        unfinished: 0.5,
        at_hand: 0.25,
        rival: 4.0,
        row_of_hand: 7,
        same_way: 0.7,
        wall_with_back: 3,
    };
}
