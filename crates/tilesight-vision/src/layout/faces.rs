//! Properties implied by the likeliest face of a tile.
//!
//! Input: a seen tile. Output: whether it shows a print, a flower, or nothing that distinguishes it
//! from a tile's side or back. Invariant: only the classifier's names count, not the tile's
//! position.

use tilesight_core::tile::{Dragon, Face};

use super::super::params::VisibilityParams;
use crate::pixels::faces::Sort;
use crate::pixels::seen_tile::SeenTile;

/// Returns whether a tile is a flower or a season.
pub(super) fn is_bonus(tile: &SeenTile) -> bool {
    tile.faces.sort().0 == Sort::Bonus
}

/// Returns whether a tile's face cannot be mistaken for the top, side or back of a tile: a flower,
/// or a playing tile other than a white dragon.
pub(super) fn shows_print(tile: &SeenTile) -> bool {
    is_printed(tile) || is_bonus(tile)
}

/// Returns whether a tile is a playing tile other than a white dragon.
pub(super) fn is_printed(tile: &SeenTile) -> bool {
    let face = tile.faces.best().and_then(Face::tile);
    face.is_some_and(|tile| tile.dragon() != Some(Dragon::White))
}

/// Returns the confidence in a tile's name. For flowers, it is the confidence that the tile is any
/// flower, because their pictures differ from set to set.
pub(super) fn confidence(tile: &SeenTile) -> f32 {
    match tile.faces.sort() {
        (Sort::Bonus, p) => p,
        _ => tile.faces.top().1,
    }
}

/// Returns the score at which the detector is wrong about such a tile as often as right.
pub(super) fn min_score(tile: &SeenTile, params: &VisibilityParams) -> f32 {
    match tile.faces.sort() {
        (Sort::Back, p) if p >= params.sure_back => params.dim_back,
        _ => params.dim,
    }
}
