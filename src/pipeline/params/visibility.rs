//! Which detections count as tiles, and which of their names are trusted.
//!
//! Input: none. Output: [`VisibilityParams`]. Invariant: all are shares, probabilities or scores
//! between 0 and 1, but for [`VisibilityParams::least_evidence`], a count.

use serde::{Deserialize, Serialize};

/// Which detections count as tiles, and which of their names are trusted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VisibilityParams {
    /// Below this score the detector is as often wrong as right: on the sample scenes false alarms
    /// lie between 0.2 and 0.45, faces of the hand above 0.6. Such a tile must not join two others
    /// into one run, and whether it belongs to the hand is decided for it alone.
    pub dim: f32,
    /// The same for a tile that is [surely](VisibilityParams::sure_back) a back: backs show no
    /// print and are found with lower scores, those of a dark set on a dark table down to this.
    pub dim_back: f32,
    /// From this probability on a tile is surely a back. Not tuned; set together with
    /// [`VisibilityParams::dim_back`].
    pub sure_back: f32,
    /// A quad with less than this share inside the photo shows too little of its face to be named.
    /// Not tuned.
    pub cut_off: f32,
    /// Blocks of at least this quality (score times confidence, averaged) are tiles with the names
    /// they have: other objects are often named a flower or white dragon with low confidence. Not
    /// tuned.
    pub sure_block: f32,
    /// Printed faces, each counted by its score times its confidence, that a picture of tiles shows
    /// at the least. The held-out real photos show 4.6 and more, seven tiles standing alone among
    /// them; what is seen in 200 drawn keyboards, consoles, cloths and boards of `make evaluate`
    /// makes 3.3 at the most.
    pub least_evidence: f32,
    /// A white dragon and a back together are at least this probable where a tile without print
    /// lies. Not tuned: more likely than not.
    pub blank: f32,
    /// Candidates below this do not count for [`VisibilityParams::blank`]. Not tuned.
    pub blank_candidate: f32,
    /// How much of the classifier's estimate of up and down is believed for a face that is usually
    /// drawn the same upside down: its training accepts either half turn of these. In 45
    /// near-photographic tables it is right for 60 % of them, for 99 % of the hand's other faces;
    /// on real sets it knows better. With 0.15, which the scenes alone would call for, one more
    /// real hand is read upside down, with 1 eight drawn tables more in a hundred.
    pub reversible: f32,
    /// A tile takes part in fitting the plane where its name is at least this probable. Not tuned:
    /// more likely than not.
    pub mark_confidence: f32,
    /// And shows which sides are longer where the probability of its lying upright is at least this
    /// far from a half. Not tuned.
    pub mark_upright: f32,
    /// A tile among flowers that is at least this probably a flower is one. In the scenes of unseen
    /// sets whose flowers were left out for it, the worst named tile of a row has 0.43 to 0.61 for
    /// a bird or a wind, and 0.1 to 0.4 for any flower.
    pub sure_flower: f32,
    /// One whose best name is less probable than this is doubtful, by the same scenes.
    pub doubtful_flower: f32,
    /// And is a flower where that is at least this probable, by the same scenes.
    pub maybe_flower: f32,
    /// Three or four tiles may be a set when its faces are at least this probable against the
    /// likeliest ones: one misread tile is forgiven when its true face was among the candidates.
    /// Not tuned.
    pub possible_set: f32,
    /// They likely are one when its faces are nearly the likeliest. Not tuned.
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
        least_evidence: 3.9,
        blank: 0.5,
        blank_candidate: 0.01,
        reversible: 0.4,
        mark_confidence: 0.5,
        mark_upright: 0.3,
        sure_flower: 0.6,
        doubtful_flower: 0.9,
        maybe_flower: 0.05,
        possible_set: 1e-3,
        likely_set: 0.3,
    };
}
