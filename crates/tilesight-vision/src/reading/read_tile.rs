//! A tile of a reading: its appearance, the face it was read as, and its part in the hand.
//!
//! Input: a seen tile. Output: [`ReadTile`]. Invariant: a tile has a reason in `ignored` only if
//! its role is [`Role::Ignored`].

use tilesight_core::tile::Face;

use super::observation::TileViews;
use crate::geometry::Point;
use crate::layout::{IgnoreReason, Role};
use crate::pixels::mirror;
use crate::pixels::seen_tile::SeenTile;

/// Tile of a reading.
#[derive(Debug, Clone)]
pub struct ReadTile {
    /// Appearance of the tile in the photo.
    pub seen: SeenTile,
    /// Face that the tile was read as; `None` if it is not a face after all.
    pub face: Option<Face>,
    /// Direction of the tile's top, as a unit vector.
    pub up: Point,
    /// Whether the tile lies across the others of its group.
    pub sideways: bool,
    /// Part of the tile in the hand.
    pub role: Role,
    /// Group of the tile, numbered in reading order.
    pub group: Option<usize>,
    /// Meld that the tile is part of, as an index into the hand's melds.
    pub meld: Option<usize>,
    /// Reason why the tile is not part of the hand.
    pub ignored: Option<IgnoreReason>,
    /// Views of the tile in each photo that shows it, if several photos were put together.
    pub views: Option<TileViews>,
}

impl ReadTile {
    /// Returns the photo that the tile was named from, if several were put together.
    #[must_use]
    pub fn source_photo(&self) -> Option<usize> {
        self.views.as_ref().map(|views| views.best_photo(self.face))
    }

    /// Returns this tile in the pixels of a mirrored photo.
    pub(super) fn into_mirror(self, width: u32) -> ReadTile {
        let up = Point::new(-self.up.x, self.up.y);
        ReadTile { seen: mirror::into_mirror(self.seen, width), up, ..self }
    }
}
