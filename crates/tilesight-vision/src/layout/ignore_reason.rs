//! Why a tile is left out of the hand.
//!
//! Input: none. Output: [`IgnoreReason`]. Invariant: every tile that is seen is in the hand or is
//! left out for one of these reasons.

use serde::{Deserialize, Serialize};

/// Why a tile is not part of the hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
#[schema(as = Ignored)]
pub enum IgnoreReason {
    /// It shows no face: a tile's side, a blur, another object.
    NotAFace,
    /// It lies away from the hand: a discard, another player's tile.
    Elsewhere,
    /// It is face down and belongs to no set: the wall.
    FaceDown,
    /// It is much larger or smaller than the hand's tiles.
    OtherSize,
    /// More tiles lie beside the hand than a hand has.
    Surplus,
}
