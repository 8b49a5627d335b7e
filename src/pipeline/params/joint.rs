//! How names and interpretations are weighed together.
//!
//! Input: none. Output: [`JointParams`]. Invariant: factors and probabilities are between 0 and 1.

use serde::{Deserialize, Serialize};

/// How names and interpretations are weighed together.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JointParams {
    /// Faces that cannot be one hand, more than four of a kind or a flower twice, are this much
    /// less probable than ones that can. Not zero: when nothing else is left, the tiles are
    /// reported as they were seen, with a doubt.
    pub impossible: f32,
    /// A complete hand that does not win is this much less probable than one that does. Photos of
    /// hands are nearly always photos of winning hands, but not always: strong evidence must win.
    pub not_winning: f32,
    /// A hand that is this much less probable than the best so far changes neither an answer nor a
    /// doubt: rivals are asked about from a twentieth on.
    pub negligible: f32,
    /// When the namings of a plan that are not weighed yet are less probable than this together,
    /// they could no longer change the order.
    pub least_rest: f32,
    /// Namings that are weighed for one plan. Not tuned: it bounds the time.
    pub most_namings: usize,
    /// A tile that the classifier names with this much confidence keeps its name. Calibrated
    /// probabilities are wrong once in fifty at 0.98; a hand of fourteen would otherwise be bent
    /// into a winning one by its surest tiles.
    pub confident: f32,
    /// Faces below this probability are not considered. Not tuned.
    pub least_face: f32,
    /// Most candidates for one tile. Not tuned: it bounds the time.
    pub most_faces: usize,
    /// In a set the two other tiles are evidence for a doubtful third, so this little is enough.
    /// Not tuned.
    pub least_face_in_set: f32,
    /// Tiles that do not make a set where the layout says that they are one are this much less
    /// probable than their faces say: the layout's claim is strong. Not tuned.
    pub not_a_set: f32,
}

impl JointParams {
    /// The values in use.
    pub const DEFAULT: JointParams = JointParams {
        impossible: 1e-6,
        not_winning: 0.03,
        negligible: 1e-4,
        least_rest: 1e-4,
        most_namings: 160,
        confident: 0.98,
        least_face: 2e-3,
        most_faces: 6,
        least_face_in_set: 1e-4,
        not_a_set: 0.01,
    };
}
