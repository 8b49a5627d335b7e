//! The tiles as they would be seen from straight above the table.
//!
//! Input: the seen tiles. Output: [`FlatTiles`], the same tiles with their outlines in the table's
//! plane and as geometry items, and a [`TopView`] of them for the steps of the layout. Invariant:
//! indices are those of the seen tiles; distances, angles and sizes are the same all over the
//! table.

use tilesight_core::tile::{Face, Tile};

use super::super::geometry::Point;
use super::super::geometry::plane::{Mark, Plane};
use super::super::geometry::rows::RowQuad;
use super::super::params::{LIKELY, Params};
use super::companions;
use super::faces::shows_print;
use crate::effort::Effort;
use crate::pixels::faces::Sort;
use crate::pixels::seen_tile::SeenTile;

/// Tiles in the table's plane.
pub(super) struct FlatTiles {
    tiles: Vec<SeenTile>,
    items: Vec<RowQuad>,
}

/// Input of the layout's steps: tiles, items, parameters, and the budget of all its searches.
#[derive(Clone, Copy)]
pub(super) struct TopView<'a> {
    pub(super) tiles: &'a [SeenTile],
    pub(super) items: &'a [RowQuad],
    pub(super) params: &'a Params,
    pub(super) effort: &'a Effort,
}

impl FlatTiles {
    pub(super) fn new(tiles: &[SeenTile], params: &Params) -> FlatTiles {
        let mut tiles = in_plane(tiles, params);
        companions::make_flowers(&mut tiles, params);
        let items = tiles.iter().map(|tile| item_of(tile, params)).collect();
        FlatTiles { tiles, items }
    }

    pub(super) fn view<'a>(&'a self, params: &'a Params, effort: &'a Effort) -> TopView<'a> {
        TopView { tiles: &self.tiles, items: &self.items, params, effort }
    }
}

impl TopView<'_> {
    /// Returns the likeliest sort of face of a tile.
    pub(super) fn sort(&self, i: usize) -> Sort {
        self.tiles[i].faces.sort().0
    }

    pub(super) fn is_back(&self, i: usize) -> bool {
        self.sort(i) == Sort::Back
    }
}

/// Returns the tiles with their outlines as seen from straight above.
fn in_plane(tiles: &[SeenTile], params: &Params) -> Vec<SeenTile> {
    // Backs and apparent white dragons are often the sides of tiles, which lie in other planes.
    let clear =
        tiles.iter().filter(|tile| tile.inside >= 1.0 && tile.score >= params.visibility.dim);
    let faces = clear.filter(|tile| shows_print(tile) && tile.faces.top().1 > LIKELY);
    let marks: Vec<Mark> = faces.map(|tile| mark_of(tile, params)).collect();
    let plane = Plane::fit(&marks, &params.plane);
    let mut flat = tiles.to_vec();
    flat.iter_mut().for_each(|tile| tile.quad = tile.quad.map(|corner| plane.flat(corner)));
    flat
}

/// Returns a tile's outline, and along which sides it is long according to its print.
fn mark_of(tile: &SeenTile, params: &Params) -> Mark {
    let upright = tile.turns[0] + tile.turns[2];
    let is_known =
        tile.faces.sort().0 != Sort::Back && (upright - 0.5).abs() > params.visibility.mark_upright;
    Mark { quad: tile.quad, is_upright: is_known.then_some(upright > 0.5) }
}

/// Returns a tile as a geometry item: its outline and the mean of the possible directions of its
/// top.
fn item_of(tile: &SeenTile, params: &Params) -> RowQuad {
    let top = (0..4).fold(Point::default(), |sum, turn| sum + tile.up(turn) * tile.turns[turn]);
    let is_reversible = tile.faces.best().and_then(Face::tile).is_some_and(Tile::is_reversible);
    let lopsided = if is_reversible { params.visibility.reversible } else { 1.0 };
    RowQuad { quad: tile.quad, top, lopsided }
}
