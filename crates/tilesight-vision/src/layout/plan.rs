//! Types for one interpretation of the whole layout.
//!
//! `plans` lists the plans of an arrangement. Invariant: each of the hand's tiles is in exactly one
//! part of a plan.

use serde::{Deserialize, Serialize};

/// An interpretation of the whole layout, in indices of the seen tiles.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Plan {
    /// Concealed tiles without the winning tile, in reading order.
    pub concealed: Vec<usize>,
    /// Winning tile, if one is set apart.
    pub winning: Option<usize>,
    /// Sets that lie apart.
    pub melds: Vec<MeldPlan>,
    /// Flowers and seasons.
    pub flowers: Vec<usize>,
    /// Backs that do not belong to a set: they cannot be scored.
    pub hidden: Vec<usize>,
    /// Plausibility of this plan relative to the others; the plans' weights sum to one.
    pub weight: f32,
}

impl Plan {
    /// Returns the part of a tile in the hand.
    pub(crate) fn role(&self, i: usize) -> Role {
        if self.winning == Some(i) {
            Role::Winning
        } else if self.flowers.contains(&i) {
            Role::Flower
        } else if self.melds.iter().any(|meld| meld.tiles.contains(&i)) {
            Role::Meld
        } else if self.concealed.contains(&i) {
            Role::Concealed
        } else {
            Role::Ignored
        }
    }
}

/// Part of a tile in the hand.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, utoipa::ToSchema,
)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Role {
    /// Concealed tile.
    Concealed,
    /// Tile that completed the hand.
    Winning,
    /// Part of an exposed set or a kong.
    Meld,
    /// Flower or season.
    Flower,
    /// Not part of the hand.
    Ignored,
}

/// A set that lies apart.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeldPlan {
    /// Tiles of the set in reading order; a fourth tile above the others comes last.
    pub tiles: Vec<usize>,
    /// Kind of the set as far as its arrangement shows it.
    pub shape: MeldShape,
    /// Tiles of the set that lie face down, even if they look like white dragons.
    pub hidden: Vec<usize>,
}

/// Kind of a set, and the player who discarded the claimed tile, as far as the arrangement of the
/// set's tiles shows them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MeldShape {
    /// The tile at this place lies sideways: it was claimed, from the left, across or right.
    Claimed {
        /// Place of the sideways tile.
        at: usize,
    },
    /// No tile lies sideways: the set is exposed, from an unknown player.
    Apart,
    /// Four of a kind that the player drew: two or four of the tiles show their backs, or all lie
    /// open.
    ConcealedKong,
    /// A pung with a fourth tile above or beside the sideways one, or on its middle one. In the
    /// last case only three tiles are seen.
    AddedKong {
        /// Place of the sideways tile, if one lies sideways.
        at: Option<usize>,
    },
}

impl MeldShape {
    /// Returns the place of the sideways tile.
    pub(in super::super) fn turned(self) -> Option<usize> {
        match self {
            MeldShape::Claimed { at } => Some(at),
            MeldShape::AddedKong { at } => at,
            MeldShape::Apart | MeldShape::ConcealedKong => None,
        }
    }
}
