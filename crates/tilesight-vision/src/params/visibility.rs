//! Parameters that decide which detections count as tiles, and which of their names are trusted.
//!
//! Invariant: all are shares, probabilities or scores between 0 and 1, except for
//! [`VisibilityParams::min_evidence`], a count.

use serde::{Deserialize, Serialize};

/// Parameters that decide which detections count as tiles, and which of their names are trusted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VisibilityParams {
    /// Score below which the detector is as often wrong as right: on the sample scenes false alarms
    /// lie between 0.2 and 0.45, faces of the hand above 0.6. A tile below it must not join two
    /// others into one run, and whether it belongs to the hand is decided for it alone.
    pub dim: f32,
    /// Score like [`VisibilityParams::dim`] for a tile that is
    /// [surely](VisibilityParams::sure_back) a back: backs show no print and are found with lower
    /// scores, those of a dark set on a dark table down to this.
    pub dim_back: f32,
    /// Minimum probability of a tile that is surely a back. Not tuned; set together with
    /// [`VisibilityParams::dim_back`].
    pub sure_back: f32,
    /// A quad with less than this share inside the photo shows too little of its face to be named.
    /// Not tuned.
    pub cut_off: f32,
    /// Blocks of at least this quality (score times confidence, averaged) are tiles with the names
    /// they have: other objects are often named a flower or white dragon with low confidence. Not
    /// tuned.
    pub sure_block: f32,
    /// Minimum number of printed faces in a picture of tiles, each counted by its score times its
    /// confidence. The held-out real photos, including seven tiles standing alone, show 4.6 and
    /// more; the false detections in 200 drawn keyboards, consoles, cloths and boards of
    /// `make evaluate` add up to at most 3.3.
    pub min_evidence: f32,
    /// Weight of the classifier's estimate of up and down for a face that is usually drawn the same
    /// upside down: its training accepts either half turn of these. In 45 near-photographic tables
    /// the estimate is right for 60 % of them, and for 99 % of the hand's other faces; on real sets
    /// it is more accurate. With 0.15, which the scenes alone would suggest, one more real hand is
    /// read upside down; with 1, eight more drawn tables in a hundred are.
    pub reversible: f32,
    /// Minimum difference from a half of the probability that such a tile lies upright, for it to
    /// show which sides are longer. Not tuned.
    pub mark_upright: f32,
    /// Minimum probability of any flower with which a tile among flowers is one. In the scenes of
    /// unseen sets, whose flowers were left out for this measurement, the worst named tile of a row
    /// has 0.43 to 0.61 for a bird or a wind, and 0.1 to 0.4 for any flower.
    pub sure_flower: f32,
    /// A tile among flowers whose best name is less probable than this is doubtful, by the same
    /// scenes.
    pub doubtful_flower: f32,
    /// Minimum probability of any flower with which such a doubtful tile is a flower, by the same
    /// scenes.
    pub maybe_flower: f32,
    /// Three or four tiles may be a set if its faces are at least this probable relative to the
    /// likeliest ones: one misread tile is forgiven if its true face was among the candidates. Not
    /// tuned.
    pub possible_set: f32,
    /// Three or four tiles likely are a set if its faces are at least this probable relative to the
    /// likeliest ones. Not tuned.
    pub likely_set: f32,
}

impl VisibilityParams {
    /// The values in use.
    pub const DEFAULT: VisibilityParams = VisibilityParams {
        dim: 0.45,
        dim_back: 0.35,
        sure_back: 0.95,
        cut_off: 0.55,
        sure_block: 0.45,
        min_evidence: 3.9,
        reversible: 0.4,
        mark_upright: 0.3,
        sure_flower: 0.6,
        doubtful_flower: 0.9,
        maybe_flower: 0.05,
        possible_set: 1e-3,
        likely_set: 0.3,
    };
}
