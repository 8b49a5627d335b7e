//! Rows of tiles that a person laid out to be looked at, all facing the same way.
//!
//! Input: the seen tiles. Output: the tiles row by row in reading order, each with the quarter turn
//! of its face. Invariant: no names are needed, so that faces which the networks do not know are
//! found in their rows too.

use super::super::geometry::Point;
use super::super::geometry::rows::{RowAxes, rows};
use super::super::params::Params;
use super::top_view::FlatTiles;
use crate::effort::Effort;
use crate::pixels::classify::{SeenTile, Sort};

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
    let is_tile = |&i: &usize| {
        let (sort, p) = tiles[i].faces.sort();
        let is_clutter = sort == Sort::Nothing && p > params.visibility.mark_confidence;
        tiles[i].score >= params.visibility.dim && !is_clutter
    };
    let chosen: Vec<usize> = (0..tiles.len()).filter(is_tile).collect();
    let items: Vec<_> = chosen.iter().map(|&i| view.items[i]).collect();
    let axes = RowAxes::new(&items, &params.rows);
    let top = axes.down * -1.0;
    let rows = rows(view.items, &chosen, &axes, &params.rows);
    let in_row = |tile: usize| {
        let quad = &view.items[tile].quad;
        let ups = [quad.down() * -1.0, quad.across(), quad.down(), quad.across() * -1.0];
        let along = |turn: &usize| Point::dot(ups[*turn].unit(), top);
        let turn = (0..4).max_by(|a, b| along(a).total_cmp(&along(b))).unwrap_or(0);
        TileInRow { tile, turn }
    };
    rows.into_iter().map(|row| row.items.into_iter().map(in_row).collect()).collect()
}
