//! One tile of a reading: what was seen, what it was read as, and its part in the hand.
//!
//! Input: a seen tile. Output: [`ReadTile`]. Invariant: a tile has a reason in `ignored` only where
//! its role is [`Role::Ignored`].

use serde::{Deserialize, Serialize};
use tilesight_core::tile::Face;

use super::classify::SeenTile;
use super::geometry::Point;
use super::layout::IgnoreReason;
use super::mirror;
use super::together::Looks;

/// One tile of a reading.
#[derive(Debug, Clone)]
pub struct ReadTile {
    /// What was seen.
    pub seen: SeenTile,
    /// The face it was read as; `None` if it is not a face after all.
    pub face: Option<Face>,
    /// Where its top points, as a unit vector.
    pub up: Point,
    /// Whether it lies across the others of its group.
    pub sideways: bool,
    /// Its part in the hand.
    pub role: Role,
    /// The group it lies in, numbered in reading order.
    pub group: Option<usize>,
    /// The meld of the hand that it is a part of, as an index into the hand's melds.
    pub meld: Option<usize>,
    /// Why it is not part of the hand.
    pub ignored: Option<IgnoreReason>,
    /// Where several photos were put together: the looks of those that show it.
    pub looks: Option<Looks>,
}

impl ReadTile {
    /// The photo that it was named from, where several were put together.
    #[must_use]
    pub fn named_from(&self) -> Option<usize> {
        self.looks.as_ref().map(|looks| looks.named(self.face))
    }

    /// The same in the pixels of a mirrored photo.
    pub(super) fn into_mirror(self, width: u32) -> ReadTile {
        let up = Point::new(-self.up.x, self.up.y);
        ReadTile { seen: mirror::into_mirror(self.seen, width), up, ..self }
    }
}

/// The part of a tile in the hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema))]
pub enum Role {
    /// One of the concealed tiles.
    Concealed,
    /// The tile that completed the hand.
    Winning,
    /// Part of an exposed set or a kong.
    Meld,
    /// A flower or a season.
    Flower,
    /// Not part of the hand.
    Ignored,
}
