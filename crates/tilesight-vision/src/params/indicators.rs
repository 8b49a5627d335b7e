//! Parameters for dora indicators and red fives.
//!
//! Invariant: all are probabilities.

use serde::{Deserialize, Serialize};

/// Parameters for dora indicators and red fives.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct IndicatorParams {
    /// Probability that a tile that lies face up in a wall is the indicator. Of 331 that are
    /// proposed on drawn tables 311 are indicators in full view, and some others lie on walls that
    /// are seen in part; nobody turns up another tile of a wall on purpose.
    pub right: f32,
    /// A five whose probability of being red differs from 0 and from 1 by more than this is asked
    /// about: 54 of 1,296 drawn crops in colour are, and 37 are wrong without a question
    /// (`evaluation.reds`). A limit of 0.1 asks about 101 and leaves 31 silently wrong; 0.3 asks
    /// about 32 and leaves 42.
    pub doubtful_red: f32,
}

impl IndicatorParams {
    /// The values in use.
    pub const DEFAULT: IndicatorParams = IndicatorParams { right: 0.9, doubtful_red: 0.2 };
}
