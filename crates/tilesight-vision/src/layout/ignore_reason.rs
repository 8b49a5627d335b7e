//! Reasons for leaving a tile out of the hand.
//!
//! Invariant: every tile that is seen is in the hand or is left out for one of these reasons.

use serde::{Deserialize, Serialize};

/// Reason for leaving a tile out of the hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
#[schema(as = Ignored)]
pub enum IgnoreReason {
    /// The tile shows no face: it is a tile's side, a blur or another object.
    NotAFace,
    /// The tile lies away from the hand: a discard or another player's tile.
    Elsewhere,
    /// The tile is face down and belongs to no set: the wall.
    FaceDown,
    /// The tile is much larger or smaller than the hand's tiles.
    OtherSize,
    /// More tiles lie beside the hand than a hand can have.
    Surplus,
}
