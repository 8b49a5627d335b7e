//! Parameters for the joint weighing of names and interpretations.
//!
//! Invariant: factors and probabilities are between 0 and 1.

use serde::{Deserialize, Serialize};

/// Parameters for the joint weighing of names and interpretations.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JointParams {
    /// Factor for faces that cannot be one hand, because of more than four of a kind or the same
    /// flower twice. Not zero: if no other hand is left, the tiles are reported as they were seen,
    /// with a doubt.
    pub impossible: f32,
    /// Factor for a complete hand that does not win. Photos of hands are nearly always photos of
    /// winning hands, but not always: strong evidence must prevail.
    pub not_winning: f32,
    /// A hand that is less probable than the best so far by this factor changes neither an answer
    /// nor a doubt: rivals are asked about from a twentieth on. Nor do the unweighed namings of a
    /// plan if they are less probable together.
    pub negligible: f32,
    /// Maximum number of namings weighed for one plan. Not tuned: it bounds the time.
    pub max_namings: usize,
    /// Maximum number of parts that are named in all namings of one plan. A hand of fourteen tiles
    /// with four kongs and eight flowers has 26 parts, which leaves it all its namings; a row of
    /// 300 tiles has 16. Not tuned: it bounds the time.
    pub max_named: usize,
    /// A tile that the classifier names with this much confidence keeps its name. Calibrated
    /// probabilities are wrong once in fifty at 0.98; otherwise the surest tiles of a hand of
    /// fourteen would be renamed to make it win.
    pub confident: f32,
    /// Minimum probability of a face that is considered. Not tuned.
    pub min_face: f32,
    /// Maximum number of candidates for one tile. Not tuned: it bounds the time.
    pub max_faces: usize,
    /// Factor for tiles that do not form a set although the layout says so, relative to the
    /// probability of their faces: the layout's claim is strong. Not tuned.
    pub not_a_set: f32,
}

impl JointParams {
    /// The values in use.
    pub const DEFAULT: JointParams = JointParams {
        impossible: 1e-6,
        not_winning: 0.03,
        negligible: 1e-4,
        max_namings: 160,
        max_named: 4_800,
        confident: 0.98,
        min_face: 2e-3,
        max_faces: 6,
        not_a_set: 0.01,
    };
}
