//! Thresholds for decoding a large photo at a part of its size.

/// Parameters for decoding a large photo at a part of its size.
#[derive(Debug, Clone, PartialEq)]
pub struct ReduceParams {
    /// Minimum longer side of a reduced photo, in pixels: three times that of the detector's
    /// largest input, so that the detector and its close-up still shrink the photo. With 1,200
    /// pixels instead, 46 real photos of 2,400 to 4,300 pixels had the same names for all tiles of
    /// the hand as in full; in four of them, which show part of a hand, another tile was supposed
    /// to have won.
    pub min_long_side: u32,
    /// Minimum median width of the tiles in the reduced photo, in pixels; narrower tiles are read
    /// at full size. The classifier's input is 56 pixels wide, but accuracy holds down to 28: of
    /// 1,135 tiles in 105 held-out photos that were shrunk until tiles were 44 to 28 pixels wide,
    /// 1,111 to 1,113 were named right, as many as before (1,112); of 464 of our renders 454 (453).
    /// At 24 these fall to 446, at 20 the photos' to 1,106.
    pub min_tile: f32,
}

impl ReduceParams {
    /// The values in use.
    pub const DEFAULT: ReduceParams = ReduceParams { min_long_side: 1900, min_tile: 28.0 };
}
