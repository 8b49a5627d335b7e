//! Parameters for reading the frames of a camera as one hand.
//!
//! Invariant: at least three frames can be kept: the newest, the base and one more.

use serde::{Deserialize, Serialize};

/// Parameters for reading the frames of a camera as one hand.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct FrameParams {
    /// Maximum number of kept frames. Each is registered anew with every new frame, which takes
    /// some 5 ms in a browser. Frames that show no tile best are dropped first.
    pub kept: usize,
    /// Maximum number of photos from different sides that all frames together count as, like
    /// [`TogetherParams::max_independent`](super::TogetherParams::max_independent). Frames of one
    /// camera differ by little more than the light on the tiles. With two, a name that the frames
    /// agree on is as certain as measured for pairs of photos.
    pub max_independent: f32,
    /// Number of frames in a row with the same hand and score that make a reading steady. One frame
    /// counts like a photo. Three frames, at three frames a second, take longer than an arm that
    /// passes by.
    pub steady: usize,
    /// Number of frames in a row that must show other tiles than the kept ones to count as another
    /// hand. A single such frame is blurred or shows an arm across the table.
    pub another_hand: usize,
}

impl FrameParams {
    /// The values in use.
    pub const DEFAULT: FrameParams =
        FrameParams { kept: 5, max_independent: 2.0, steady: 3, another_hand: 2 };
}
