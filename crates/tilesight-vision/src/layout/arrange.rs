//! Arrangement of the hand's tiles in rows and groups, with the tiles that lie sideways.
//!
//! Input: the chosen tiles. Output: groups in reading order, the topmost row first. Invariant: gaps
//! separate groups, and a tile is sideways relative to the others of the hand.

use serde::Serialize;

use super::super::geometry::rows::{RowAxes, TileRow, rows};
use super::super::geometry::{Quad, median};
use super::super::params::ArrangementParams;
use super::faces::is_bonus;
use super::heaps::{Heap, heaps};
use super::raised::{RaisedTile, raised_tiles};
use super::slipped::join_slipped;
use super::top_view::TopView;
use crate::pixels::seen_tile::SeenTile;

/// Tiles side by side without a gap.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// Row of the group, counted from the top.
    pub row: usize,
    /// Tiles of the group in reading order.
    pub tiles: Vec<usize>,
    /// Tile that lies above or on top of this group, with its place along the group.
    pub above: Option<TileAbove>,
    /// Tile of this group that may lie on another one.
    pub raised: Option<RaisedTile>,
}

impl Group {
    fn new(row: usize, tiles: Vec<usize>) -> Group {
        Group { row, tiles, above: None, raised: None }
    }
}

/// A single tile above a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct TileAbove {
    /// Index of the tile.
    pub tile: usize,
    /// Place in the group of the tile that is nearest to it.
    pub over: usize,
}

/// Hand in groups.
pub(super) struct Arrangement {
    pub(super) groups: Vec<Group>,
    pub(super) sideways: Vec<bool>,
    /// Quarter turns of each seen tile's face against its outline.
    pub(super) tops: Vec<usize>,
    pub(super) flower_gaps: Vec<(usize, usize)>,
}

/// Arranges the tiles of the hand.
pub(super) fn arrange(view: &TopView, hand: &[usize]) -> Arrangement {
    let heaps = heaps(view, hand);
    let frames = frames(view, &heaps);
    let sideways = sideways(view, hand, &frames);
    let tops = tops(view.tiles, &frames, &sideways);
    let lines: Vec<HeapRows> =
        heaps.iter().map(|heap| HeapRows::new(view, heap, &sideways)).collect();
    let gaps = lines.iter().flat_map(|lines| &lines.rows).flat_map(|row| row.gaps.iter());
    let usual = median(gaps.copied()).unwrap_or(0.0);
    // Overlapping neighbours must not make ordinary gaps look wide.
    let limit = usual.max(0.0) + view.params.arrangement.separation;
    let mut groups = Vec::new();
    let mut all_rows: Vec<TileRow> = Vec::new();
    for (heap, lines) in heaps.iter().zip(lines) {
        let parts = lines.groups(all_rows.len(), limit);
        groups.extend(attach_above(view, join_slipped_groups(view, parts, &heap.axes), &heap.axes));
        all_rows.extend(lines.rows);
    }
    Arrangement { groups, sideways, tops, flower_gaps: flower_gaps(view, &all_rows) }
}

/// Returns the directions of the heap of each seen tile; `None` for tiles that are not in the hand.
fn frames(view: &TopView, heaps: &[Heap]) -> Vec<Option<RowAxes>> {
    let mut frames = vec![None; view.tiles.len()];
    for heap in heaps {
        heap.tiles.iter().for_each(|&i| frames[i] = Some(heap.axes));
    }
    frames
}

/// Returns the neighbours in rows of flowers that have room for another flower between them.
fn flower_gaps(view: &TopView, rows: &[TileRow]) -> Vec<(usize, usize)> {
    let ArrangementParams { min_flower_gap, max_flower_gap, .. } = view.params.arrangement;
    let gaps = rows.iter().flat_map(|row| row.items.windows(2).zip(&row.gaps));
    gaps.filter(|(_, gap)| (min_flower_gap..max_flower_gap).contains(*gap))
        .filter(|(pair, _)| pair.iter().all(|&i| is_bonus(&view.tiles[i])))
        .map(|(pair, _)| (pair[0], pair[1]))
        .collect()
}

/// Rows of a heap's tiles that lie on the table, and the raised tiles between neighbours of one
/// row.
struct HeapRows {
    rows: Vec<TileRow>,
    raised: Vec<RaisedTile>,
}

impl HeapRows {
    fn new(view: &TopView, heap: &Heap, sideways: &[bool]) -> HeapRows {
        let mut raised = raised_tiles(view, &heap.tiles, sideways);
        let rows = rows_without(view, heap, &raised);
        let before = raised.len();
        raised.retain(|one| {
            rows.iter().any(|row| row.items.windows(2).any(|pair| is_between(one, pair)))
        });
        let rows = if raised.len() < before { rows_without(view, heap, &raised) } else { rows };
        HeapRows { rows, raised }
    }

    /// Returns the rows split at gaps wider than `limit`, and numbered from `first` on.
    fn groups(&self, first: usize, limit: f32) -> Vec<Group> {
        let rows = self.rows.iter().enumerate();
        rows.flat_map(|(r, row)| self.split(first + r, row, limit)).collect()
    }

    /// Splits a row at its gaps, and inserts raised tiles at their places.
    fn split(&self, r: usize, row: &TileRow, limit: f32) -> Vec<Group> {
        let mut groups = vec![Group::new(r, vec![row.items[0]])];
        for (pair, &gap) in row.items.windows(2).zip(&row.gaps) {
            let between = self.raised.iter().find(|one| is_between(one, pair));
            if between.is_none() && gap > limit {
                groups.push(Group::new(r, Vec::new()));
            }
            let last = groups.last_mut().expect("a row starts with a group");
            last.tiles.extend(between.map(|one| one.tile));
            last.tiles.push(pair[1]);
            last.raised = last.raised.or(between.copied());
        }
        groups
    }
}

/// Returns the rows of the tiles of a heap that are not raised.
fn rows_without(view: &TopView, heap: &Heap, raised: &[RaisedTile]) -> Vec<TileRow> {
    let mut lying = heap.tiles.clone();
    lying.retain(|&i| raised.iter().all(|one| one.tile != i));
    rows(view.items, &lying, &heap.axes, &view.params.rows)
}

/// Returns whether a raised tile belongs between two neighbours.
fn is_between(raised: &RaisedTile, pair: &[usize]) -> bool {
    let (a, b) = raised.between;
    pair == [a, b] || pair == [b, a]
}

/// Determines which tiles lie across the others, by two criteria: the sides of their outlines
/// compared with those of the upright majority, and the direction of their tops by the classifier.
fn sideways(view: &TopView, hand: &[usize], frames: &[Option<RowAxes>]) -> Vec<bool> {
    let tiles = view.tiles;
    let all = hand.iter().map(|&i| side_ratio(&tiles[i], frames[i]));
    let upright = hand.iter().filter(|&&i| top_is_across(&tiles[i], frames[i]) < 0.5);
    let of_upright = median(upright.map(|&i| side_ratio(&tiles[i], frames[i])));
    let usual = of_upright.or_else(|| median(all)).unwrap_or(0.0);
    let step = -2.0 * view.params.arrangement.width_of_length.ln();
    let mut sideways = vec![false; tiles.len()];
    for &i in hand {
        let ratio = side_ratio(&tiles[i], frames[i]);
        let by_sides = ((ratio - usual) / step).clamp(0.0, 1.0);
        // Backs have no top: only their sides count.
        let is_back = view.is_back(i);
        let by_top = if is_back { by_sides } else { top_is_across(&tiles[i], frames[i]) };
        sideways[i] = by_sides + by_top > 1.0;
    }
    sideways
}

/// Returns the probability that a tile's top points along the row instead of up or down.
fn top_is_across(tile: &SeenTile, axes: Option<RowAxes>) -> f32 {
    let Some(axes) = axes else { return 0.0 };
    (0..4).filter(|&turn| axes.runs_across(tile.up(turn))).map(|turn| tile.turns[turn]).sum()
}

/// Returns the logarithm of a tile's extent along the row by that across it.
fn side_ratio(tile: &SeenTile, axes: Option<RowAxes>) -> f32 {
    let (along, aside) = axes.map_or((1.0, 1.0), |axes| axes.extents(&tile.quad));
    (along / aside.max(1.0)).ln()
}

/// Returns the likeliest turn of each tile that is consistent with the tile being upright or
/// sideways.
fn tops(tiles: &[SeenTile], frames: &[Option<RowAxes>], sideways: &[bool]) -> Vec<usize> {
    let mut tops = Vec::new();
    for ((tile, &sideways), axes) in tiles.iter().zip(sideways).zip(frames) {
        let consistent = (0..4)
            .filter(|&turn| axes.is_none_or(|axes| axes.runs_across(tile.up(turn)) == sideways));
        let top = consistent.max_by(|&a, &b| tile.turns[a].total_cmp(&tile.turns[b]));
        tops.push(top.unwrap_or(0));
    }
    tops
}

/// Returns the groups, with turned tiles that slipped out of their set's line put back.
fn join_slipped_groups(view: &TopView, groups: Vec<Group>, axes: &RowAxes) -> Vec<Group> {
    let (mut kept, small): (Vec<Group>, Vec<Group>) = groups.into_iter().partition(|group| {
        group.tiles.len() > 3 || group.raised.is_some() || group.above.is_some()
    });
    let runs = join_slipped(view, small.iter().map(|group| group.tiles.clone()).collect());
    for mut run in runs {
        let same = small.iter().position(|group| group.tiles == run);
        let from = same.or_else(|| small.iter().position(|group| group.tiles.contains(&run[0])));
        if same.is_none() {
            run.sort_by(|&a, &b| along_row(view, a, axes).total_cmp(&along_row(view, b, axes)));
        }
        let row = from.map_or(0, |from| small[from].row);
        kept.push(Group::new(row, run));
    }
    kept.sort_by(|a, b| {
        let [from, other_from] =
            [a, b].map(|group| group.tiles.first().map_or(0.0, |&i| along_row(view, i, axes)));
        a.row.cmp(&b.row).then(from.total_cmp(&other_from))
    });
    kept
}

/// Returns the place of a tile in the reading direction.
fn along_row(view: &TopView, i: usize, axes: &RowAxes) -> f32 {
    view.items[i].quad.centre().dot(axes.across)
}

/// Attaches each single tile that lies directly above a group to that group.
fn attach_above(view: &TopView, mut groups: Vec<Group>, axes: &RowAxes) -> Vec<Group> {
    let mut n = 0;
    while n < groups.len() {
        let supporter = match groups[n].tiles[..] {
            [tile] if groups.len() > 1 => supporter(view, &groups, n, axes).map(|at| (tile, at)),
            _ => None,
        };
        match supporter {
            Some((tile, Supporter { group, over, .. })) => {
                groups[group].above = Some(TileAbove { tile, over });
                groups.remove(n);
            }
            None => n += 1,
        }
    }
    groups
}

/// Position of the tile that another one lies above: its group, and its place in the group.
struct Supporter {
    group: usize,
    over: usize,
    aside: f32,
}

/// Returns the group, and the place in it, that the single tile of a group lies above: its foot
/// touches or covers the top of a tile there. Distance is measured from the tile's centre to the
/// other's, at most one tile's length down and half a tile's length aside.
fn supporter(view: &TopView, groups: &[Group], single: usize, axes: &RowAxes) -> Option<Supporter> {
    let quad = &view.items[groups[single].tiles[0]].quad;
    let others = groups
        .iter()
        .enumerate()
        .filter(|(g, group)| *g != single && group.tiles.len() > 1 && group.above.is_none());
    others
        .flat_map(|(g, group)| group.tiles.iter().enumerate().map(move |(at, &i)| (g, at, i)))
        .filter_map(|(group, over, other)| {
            let aside = aside_if_above(view, quad, &view.items[other].quad, axes)?;
            Some(Supporter { group, over, aside })
        })
        .min_by(|a, b| a.aside.total_cmp(&b.aside))
}

/// Returns how far aside a tile lies of another one that it lies above; `None` if it does not.
fn aside_if_above(view: &TopView, quad: &Quad, other: &Quad, axes: &RowAxes) -> Option<f32> {
    let params = &view.params.arrangement;
    let length = quad.down().length();
    let between = other.centre() - quad.centre();
    let below = between.dot(axes.down);
    let aside = between.dot(axes.across).abs();
    let is_over = below > params.min_above * length
        && below < params.max_above * length
        && aside < params.above_aside * length;
    let lies_above = is_over && quad.distance(other) < params.above_gap * length;
    lies_above.then_some(aside)
}
