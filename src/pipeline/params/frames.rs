//! How the frames of a camera are read as one hand.
//!
//! Input: none. Output: [`FrameParams`]. Invariant: none; fewer than three frames are never kept,
//! the newest, the base and one beside them.

use serde::{Deserialize, Serialize};

/// How the frames of a camera are read as one hand.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FrameParams {
    /// Frames that are kept, at the most. Each is registered anew with every new frame, which takes
    /// some 5 ms in a browser; the frames that show no tile best are given up first.
    pub kept: usize,
    /// So many photos from different sides is what all frames say together at the most, as
    /// [`TogetherParams::most_independent`](super::TogetherParams::most_independent): frames of one
    /// camera differ by little more than the light on the tiles. With two, what the frames agree on
    /// is as sure as measured for pairs of photos.
    pub most_independent: f32,
    /// A reading is steady when so many frames in a row lead to the same hand and score. One frame
    /// says what a photo says; three at three frames a second outlast a hand that passes by.
    pub steady: usize,
    /// So many frames in a row that show other tiles than those that are kept are another hand. One
    /// is a blurred frame or an arm across the table.
    pub another_hand: usize,
}

impl FrameParams {
    /// The values in use.
    pub const DEFAULT: FrameParams =
        FrameParams { kept: 5, most_independent: 2.0, steady: 3, another_hand: 2 };
}
