//! One way to read the whole layout: its types.
//!
//! Input: none. Output: [`Plan`], [`MeldPlan`] and [`MeldShape`]. `plans` lists the plans of an
//! arrangement. Invariant: each of the hand's tiles is in exactly one part of a plan.

use serde::Serialize;

/// One way to read the whole layout, in indices of the seen tiles.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Plan {
    /// The concealed tiles without the winning tile, in reading order.
    pub concealed: Vec<usize>,
    /// The winning tile, if one is set apart.
    pub winning: Option<usize>,
    /// The sets that lie apart.
    pub melds: Vec<MeldPlan>,
    /// Flowers and seasons.
    pub flowers: Vec<usize>,
    /// Backs that do not belong to a set: they cannot be scored.
    pub hidden: Vec<usize>,
    /// How plausible this plan is against the others; the plans' weights sum to one.
    pub weight: f32,
}

/// A set that lies apart.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeldPlan {
    /// Its tiles in reading order; a fourth tile above the others comes last.
    pub tiles: Vec<usize>,
    /// Its kind as far as its arrangement shows it.
    pub shape: MeldShape,
    /// Those of its tiles that lie face down, even if they look like white dragons.
    pub hidden: Vec<usize>,
}

/// The kind of a set, and who discarded the claimed tile, as far as the arrangement of its tiles
/// shows them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MeldShape {
    /// The tile at this place lies sideways: it was claimed, from the left, across or right.
    Claimed {
        /// The place of the sideways tile.
        at: usize,
    },
    /// Nothing lies sideways: exposed, from an unknown player.
    Apart,
    /// Four of a kind that the player drew: two or four of them show their backs, or all lie open.
    ConcealedKong,
    /// A pung with a fourth tile above or beside the sideways one, or on its middle one: then three
    /// tiles are seen.
    AddedKong {
        /// The place of the sideways tile, if one lies sideways.
        at: Option<usize>,
    },
}

impl MeldShape {
    /// The place of the sideways tile.
    pub(in super::super) fn turned(self) -> Option<usize> {
        match self {
            MeldShape::Claimed { at } => Some(at),
            MeldShape::AddedKong { at } => at,
            MeldShape::Apart | MeldShape::ConcealedKong => None,
        }
    }
}
