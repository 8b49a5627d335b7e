//! Rows of tiles that a person laid out to be looked at, all facing the same way.
//!
//! Input: the seen tiles. Output: the tiles row by row in reading order, each with the quarter turn
//! of its face. Invariant: no names are needed, so that faces which the networks do not know are
//! found in their rows too.

use super::super::geometry::rows::{RowAxes, rows};
use super::super::geometry::{Point, Quad};
use super::super::params::{LIKELY, Params, VisibilityParams};
use super::top_view::FlatTiles;
use crate::effort::Effort;
use crate::pixels::faces::Sort;
use crate::pixels::seen_tile::SeenTile;

/// A tile of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TileInRow {
    /// Index among the seen tiles.
    pub(crate) tile: usize,
    /// Quarter turns by which the face is turned clockwise against the quad's top.
    pub(crate) turn: usize,
}

/// Returns the rows of all tiles, the topmost first.
pub(crate) fn sheet_rows(tiles: &[SeenTile], params: &Params) -> Vec<Vec<TileInRow>> {
    let flat = FlatTiles::new(tiles, params);
    let effort = Effort::new(params.search.steps);
    let view = flat.view(params, &effort);
    let chosen: Vec<usize> =
        (0..tiles.len()).filter(|&i| is_tile(&tiles[i], &params.visibility)).collect();
    let items: Vec<_> = chosen.iter().map(|&i| view.items[i]).collect();
    let axes = RowAxes::new(&items, &params.rows);
    let top = axes.down * -1.0;
    let rows = rows(view.items, &chosen, &axes, &params.rows);
    let mut turned = Vec::new();
    for row in rows {
        let tiles = row.items.into_iter();
        turned.push(
            tiles
                .map(|tile| TileInRow { tile, turn: turn_to(&view.items[tile].quad, top) })
                .collect(),
        );
    }
    turned
}

/// Returns whether a tile is clear enough, and no clutter.
fn is_tile(tile: &SeenTile, visibility: &VisibilityParams) -> bool {
    let (sort, p) = tile.faces.sort();
    let is_clutter = sort == Sort::Nothing && p > LIKELY;
    tile.score >= visibility.dim && !is_clutter
}

/// Returns the turn with which a tile's top points most nearly along a direction.
fn turn_to(quad: &Quad, top: Point) -> usize {
    let ups = [quad.down() * -1.0, quad.across(), quad.down(), quad.across() * -1.0];
    let along = ups.map(|up| up.unit().dot(top));
    (0..4).max_by(|&a, &b| along[a].total_cmp(&along[b])).unwrap_or(0)
}
