//! Grouping of touching quads into blocks and of quads into rows, at any rotation of the photo.
//!
//! Input: [`RowQuad`]s, quads with an estimate of where their top is. Output: [`blocks`] of quads
//! that touch in line, the [`RowAxes`] that most of them agree on, and [`rows`] of quads in reading
//! order with the gaps between them. Distances are in widths of the items, so the photo's scale
//! does not matter. Invariant: every item is in exactly one block and one row.

use std::f32::consts::{FRAC_1_SQRT_2, FRAC_PI_2, TAU};

use super::super::params::RowParams;
use super::{Point, Quad, edge_angle_between, median};

/// A quad to be arranged.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RowQuad {
    /// Outline, longer sides down (see [`Quad::upright`]).
    pub quad: Quad,
    /// Direction of the item's top: the sum of the possible directions, each times its probability.
    /// The zero vector means no evidence.
    pub top: Point,
    /// Share of `top` that distinguishes up from down, from 0 to 1; the rest only identifies the
    /// edges of the top and the bottom.
    pub lopsided: f32,
}

impl RowQuad {
    /// Returns the weight of this item's vote for a direction of its top.
    fn vote(&self, top: Point) -> f32 {
        let along = self.top.dot(top);
        self.lopsided * along.max(0.0) + (1.0 - self.lopsided) * along.abs()
    }
}

/// Groups items that touch their neighbours in line; each block is sorted by index.
#[must_use]
pub(crate) fn blocks(items: &[RowQuad], params: &RowParams) -> Vec<Vec<usize>> {
    let all: Vec<usize> = (0..items.len()).collect();
    linked(&all, |a, b| are_linked(&items[a].quad, &items[b].quad, params))
}

/// Splits indices into connected components (union-find), each in the order of `chosen`.
#[must_use]
pub(crate) fn linked(
    chosen: &[usize],
    are_linked: impl Fn(usize, usize) -> bool,
) -> Vec<Vec<usize>> {
    let mut leader: Vec<usize> = (0..chosen.len()).collect();
    for i in 0..chosen.len() {
        for j in 0..i {
            if are_linked(chosen[i], chosen[j]) {
                join(&mut leader, i, j);
            }
        }
    }
    let parts = gather(&mut leader).into_iter();
    parts.map(|part| part.into_iter().map(|m| chosen[m]).collect()).collect()
}

/// Returns the leader of an index, shortening the path on the way.
fn find(leader: &mut [usize], i: usize) -> usize {
    let mut i = i;
    while leader[i] != i {
        leader[i] = leader[leader[i]];
        i = leader[i];
    }
    i
}

fn join(leader: &mut [usize], i: usize, j: usize) {
    let a = find(leader, i);
    let b = find(leader, j);
    leader[a.max(b)] = a.min(b);
}

/// Returns the members of each leader, in the order of the leaders.
fn gather(leader: &mut [usize]) -> Vec<Vec<usize>> {
    let mut members = vec![Vec::new(); leader.len()];
    for i in 0..leader.len() {
        let at = find(leader, i);
        members[at].push(i);
    }
    members.retain(|list| !list.is_empty());
    members
}

/// Returns whether two quads are neighbours in one block: same scale, aligned, close and in line.
fn are_linked(a: &Quad, b: &Quad, params: &RowParams) -> bool {
    let scale_a = a.scale();
    let scale_b = b.scale();
    let between = b.centre() - a.centre();
    // Cheap tests first: most pairs are far apart.
    if between.length() > params.neighbour_reach * scale_a.max(scale_b) {
        return false;
    }
    let ratio = scale_a.max(scale_b) / scale_a.min(scale_b).max(1e-3);
    ratio < params.same_scale
        && edge_angle_between(a, b) < params.aligned
        && is_in_line(a, between, params.off_line)
        && a.distance(b) < params.touching * a.short_side().min(b.short_side())
}

/// Returns whether a neighbour lies beside or below a quad rather than past its corner. A second
/// row may be shifted by half a tile.
fn is_in_line(a: &Quad, between: Point, off_line: f32) -> bool {
    let across = a.across();
    let down = a.down();
    between.cross(across.unit()).abs() < off_line * down.length()
        || between.cross(down.unit()).abs() < off_line * across.length()
}

/// Returns the direction of the edge of a quad that is nearest to the given one.
fn nearest_edge(quad: &Quad, to: Point) -> Point {
    let edges = [quad.across(), quad.down(), quad.across() * -1.0, quad.down() * -1.0];
    let directions = edges.into_iter().map(Point::unit);
    directions.max_by(|a, b| a.dot(to).total_cmp(&b.dot(to))).unwrap_or(to)
}

/// Directions that a group of items shares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RowAxes {
    /// Reading direction, a unit vector.
    pub across: Point,
    /// Direction from the top of the items to their bottom, a unit vector.
    pub down: Point,
    /// Certainty that the axes are this way up: the share of votes for it minus that for the next
    /// best.
    pub certainty: f32,
}

impl RowAxes {
    /// Returns the axes that most items agree on. The edges give the axes, and the tops show which
    /// way is up; because rows are longer than high, their direction helps if tops are unclear
    /// (backs, symmetric faces).
    #[must_use]
    pub(crate) fn new(items: &[RowQuad], params: &RowParams) -> RowAxes {
        RowAxes::with_votes(items, params, |_| 0.0)
    }

    /// Like [`RowAxes::new`], but for items that lie apart from others: they rarely face the
    /// opposite way.
    #[must_use]
    pub(crate) fn like(items: &[RowQuad], others: &RowAxes, params: &RowParams) -> RowAxes {
        RowAxes::with_votes(items, params, |across| {
            params.facing_vote * across.dot(others.across).min(0.0)
        })
    }

    /// Like [`RowAxes::new`], but with further votes for a reading direction.
    #[must_use]
    pub(crate) fn with_votes(
        items: &[RowQuad],
        params: &RowParams,
        more: impl Fn(Point) -> f32,
    ) -> RowAxes {
        let axis = common_axis(items);
        let candidates: [Point; 4] = std::array::from_fn(|turn| {
            let angle = axis + FRAC_PI_2 * turn as f32;
            Point::new(angle.cos(), angle.sin())
        });
        let along = neighbour_votes(items, candidates[0], params);
        let total: [f32; 4] = std::array::from_fn(|turn| {
            let top = candidates[turn].quarter_turn() * -1.0;
            let votes: f32 = items.iter().map(|item| item.vote(top)).sum();
            votes + params.pair_vote * along[turn % 2] + more(candidates[turn])
        });
        let best = (0..4).max_by(|&a, &b| total[a].total_cmp(&total[b])).unwrap_or(0);
        let rival = (0..4).filter(|&t| t != best).map(|t| total[t]).fold(0.0, f32::max);
        let across = candidates[best];
        let certainty = (total[best] - rival) / total[best].max(1e-6);
        RowAxes { across, down: across.quarter_turn(), certainty }
    }

    /// Returns the axes at one item: the directions of its own edges that are nearest to the
    /// shared ones, so that rows may curve and recede in perspective.
    #[must_use]
    pub(crate) fn axes_at(&self, quad: &Quad) -> RowAxes {
        RowAxes {
            across: nearest_edge(quad, self.across),
            down: nearest_edge(quad, self.down),
            certainty: self.certainty,
        }
    }

    /// Returns whether a direction runs along the row rather than up or down, as the top of a
    /// sideways tile does.
    #[must_use]
    pub(crate) fn runs_across(&self, direction: Point) -> bool {
        direction.dot(self.across).abs() > direction.dot(self.down).abs()
    }

    /// Returns the length of an item in the reading direction and across it.
    #[must_use]
    pub(crate) fn extents(&self, quad: &Quad) -> (f32, f32) {
        let a = quad.across();
        let b = quad.down();
        let a_runs_along = a.unit().dot(self.across).abs() >= b.unit().dot(self.across).abs();
        if a_runs_along { (a.length(), b.length()) } else { (b.length(), a.length()) }
    }
}

/// Returns the angle of the edges, four-way symmetric, averaged over the items by their size.
fn common_axis(items: &[RowQuad]) -> f32 {
    let sum = items.iter().fold(Point::default(), |sum, item| {
        let edge = item.quad.across();
        let angle = 4.0 * edge.y.atan2(edge.x);
        sum + Point::new(angle.cos(), angle.sin()) * item.quad.scale()
    });
    (sum.y.atan2(sum.x) / 4.0).rem_euclid(TAU)
}

/// Returns the number of linked pairs along a direction and along its normal.
fn neighbour_votes(items: &[RowQuad], direction: Point, params: &RowParams) -> [f32; 2] {
    let mut votes = [0.0; 2];
    for (i, a) in items.iter().enumerate() {
        for b in &items[..i] {
            if are_linked(&a.quad, &b.quad, params) {
                let between = (b.quad.centre() - a.quad.centre()).unit();
                let is_along = between.dot(direction).abs() > FRAC_1_SQRT_2;
                votes[usize::from(!is_along)] += 1.0;
            }
        }
    }
    votes
}

/// A row of items in reading order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TileRow {
    /// Indices of the items, from the first to the last.
    pub items: Vec<usize>,
    /// Gaps before each item but the first, in item widths; negative if the items overlap.
    pub gaps: Vec<f32>,
}

/// Arranges the chosen items into rows, the topmost first.
#[must_use]
pub(crate) fn rows(
    items: &[RowQuad],
    chosen: &[usize],
    axes: &RowAxes,
    params: &RowParams,
) -> Vec<TileRow> {
    let parts = linked(chosen, |i, j| {
        let a = &items[i].quad;
        let b = &items[j].quad;
        is_beside(a, b, axes, params) && is_beside(b, a, axes, params)
    });
    let mut rows: Vec<TileRow> =
        parts.into_iter().map(|members| sort_row(items, members, axes)).collect();
    rows.sort_by(|a, b| height(items, a, axes).total_cmp(&height(items, b, axes)));
    rows
}

/// Returns how far down the middle of a row lies.
fn height(items: &[RowQuad], row: &TileRow, axes: &RowAxes) -> f32 {
    median(row.items.iter().map(|&i| items[i].quad.centre().dot(axes.down))).unwrap_or(0.0)
}

/// Returns whether `b` lies in the row of `a`, judged by the edges of `a`.
fn is_beside(a: &Quad, b: &Quad, axes: &RowAxes, params: &RowParams) -> bool {
    let local = axes.axes_at(a);
    let between = b.centre() - a.centre();
    let height = axes.extents(a).1.min(axes.extents(b).1);
    let along = between.dot(local.across).abs();
    let aside = between.cross(local.across).abs();
    // A row that recedes in perspective turns by some degrees between distant items, so the offset
    // grows with the distance, but never reaches the next row.
    let allowed =
        (params.row_offset * height + params.row_drift * along).min(params.max_row_offset * height);
    aside < allowed && along < params.row_reach * a.short_side()
}

/// Sorts a row's items and measures the gaps.
fn sort_row(items: &[RowQuad], mut members: Vec<usize>, axes: &RowAxes) -> TileRow {
    members.sort_by(|&i, &j| {
        let [a, b] = [i, j].map(|item| items[item].quad.centre().dot(axes.across));
        a.total_cmp(&b)
    });
    let unit = median(members.iter().map(|&i| items[i].quad.short_side())).unwrap_or(1.0);
    let gaps = members
        .windows(2)
        .map(|pair| {
            let a = &items[pair[0]].quad;
            let b = &items[pair[1]].quad;
            let between = (b.centre() - a.centre()).length();
            let halves = (axes.extents(a).0 + axes.extents(b).0) / 2.0;
            let local = (a.short_side() + b.short_side()) / 2.0;
            // The local width follows perspective, and the row's median stabilises it.
            (between - halves) / (0.5 * (local + unit))
        })
        .collect();
    TileRow { items: members, gaps }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PARAMS: &RowParams = &RowParams::DEFAULT;

    /// Returns upright items of 30x40 with their top left corners at the given places.
    fn items(places: &[(f32, f32)]) -> Vec<RowQuad> {
        places
            .iter()
            .map(|&(x, y)| RowQuad {
                quad: Quad::rectangle(x, y, 30.0, 40.0),
                top: Point::new(0.0, -1.0),
                lopsided: 1.0,
            })
            .collect()
    }

    fn turned(items: &[RowQuad], degrees: f32) -> Vec<RowQuad> {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let turn = |p: Point| Point::new(p.x * cos - p.y * sin, p.x * sin + p.y * cos);
        let turn_item =
            |item: &RowQuad| RowQuad { quad: item.quad.map(turn), top: turn(item.top), ..*item };
        items.iter().map(turn_item).collect()
    }

    #[test]
    fn touching_items_make_a_block_and_gaps_part_them() {
        let items = items(&[(0.0, 0.0), (31.0, 0.0), (62.0, 0.0), (130.0, 0.0), (62.0, 42.0)]);
        assert_eq!(blocks(&items, PARAMS), [vec![0, 1, 2, 4], vec![3]]);
    }

    #[test]
    fn rows_and_gaps_do_not_depend_on_the_rotation() {
        let flat = items(&[(62.0, 0.0), (0.0, 0.0), (31.0, 2.0), (122.0, 0.0), (0.0, 45.0)]);
        for degrees in (0..360).step_by(7) {
            let items = turned(&flat, degrees as f32);
            let axes = RowAxes::new(&items, PARAMS);
            let rows = rows(&items, &[0, 1, 2, 3, 4], &axes, PARAMS);
            assert_eq!(rows.len(), 2, "at {degrees} degrees");
            assert_eq!(rows[0].items, [1, 2, 0, 3], "at {degrees} degrees");
            assert_eq!(rows[1].items, [4]);
            assert!((rows[0].gaps[2] - 1.0).abs() < 0.05, "{:?}", rows[0].gaps);
        }
    }

    #[test]
    fn without_tops_a_row_reads_along_its_length() {
        let mut items = items(&[(0.0, 0.0), (31.0, 0.0), (62.0, 0.0)]);
        items.iter_mut().for_each(|item| item.top = Point::default());
        assert!(RowAxes::new(&items, PARAMS).across.x.abs() > 0.99);
        let upright = turned(&items, 90.0);
        assert!(RowAxes::new(&upright, PARAMS).across.y.abs() > 0.99);
    }

    #[test]
    fn faces_that_look_the_same_upside_down_do_not_turn_a_set_against_its_hand() {
        let main = RowAxes::new(&items(&[(0.0, 0.0), (31.0, 0.0)]), PARAMS);
        let mut set =
            items(&[(300.0, 0.0), (331.0, 0.0), (362.0, 0.0), (393.0, 0.0), (424.0, 0.0)]);
        set.iter_mut().for_each(|item| item.top = Point::new(0.0, 1.0));
        assert!(
            RowAxes::like(&set, &main, PARAMS).across.x < -0.99,
            "five that face away lie before another player"
        );
        set.iter_mut().for_each(|item| item.lopsided = 0.15);
        assert!(RowAxes::like(&set, &main, PARAMS).across.x > 0.99);
    }

    #[test]
    fn a_few_upside_down_items_do_not_turn_the_row() {
        let mut items = items(&[(0.0, 0.0), (31.0, 0.0), (62.0, 0.0), (93.0, 0.0)]);
        items[1].top = Point::new(0.0, 1.0);
        let axes = RowAxes::new(&items, PARAMS);
        assert!(axes.across.x > 0.99);
        assert!(axes.certainty > 0.3);
    }
}
