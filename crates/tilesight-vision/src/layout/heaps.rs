//! Division of the hand into heaps: tiles that lie together and share their directions.
//!
//! Input: the hand's tiles as seen from straight above the table. Output: [`Heap`]s in reading
//! order, each with the directions of its rows. Invariant: every tile of the hand is in exactly one
//! heap.

use std::collections::HashMap;

use super::super::geometry::rows::{RowAxes, RowQuad, linked};
use super::super::geometry::{Point, edge_angle_between, median};
use super::likelihood::may_be_set;
use super::slipped::are_level;
use super::top_view::TopView;

/// Tiles of the hand that lie near each other, and the directions that they share.
pub(super) struct Heap {
    pub(super) tiles: Vec<usize>,
    pub(super) axes: RowAxes,
}

/// Tiles that touch each other, with the axis of most of them: a vector at twice the angle, longer
/// the more the tiles agree.
struct TouchingTiles {
    tiles: Vec<usize>,
    axis: Point,
}

impl TouchingTiles {
    fn new(items: &[RowQuad], tiles: Vec<usize>) -> TouchingTiles {
        let axis = tiles.iter().fold(Point::default(), |sum, &i| {
            let top = items[i].top;
            let length = top.length().max(f32::MIN_POSITIVE);
            let double = Point::new(top.x * top.x - top.y * top.y, 2.0 * top.x * top.y);
            sum + double * (1.0 / length)
        });
        TouchingTiles { tiles, axis }
    }

    /// Returns whether most of the run's tiles lie the same way, as two of the three tiles of a set
    /// do. A kong with two turned tiles has no majority.
    fn agrees(&self, agreement: f32) -> bool {
        agreement * self.axis.length() > self.tiles.len() as f32
    }

    /// Returns whether tiles of both runs are near enough to share a line, and have the same axis.
    fn shares_line(&self, other: &TouchingTiles, view: &TopView) -> bool {
        let params = &view.params.arrangement;
        let (a, b) = (self.axis, other.axis);
        let is_known = self.agrees(params.agreement) && other.agrees(params.agreement);
        if is_known && a.dot(b) < params.crossed * a.length() * b.length() {
            return false;
        }
        let mut pairs = self.tiles.iter().flat_map(|&i| other.tiles.iter().map(move |&j| (i, j)));
        pairs.any(|(i, j)| are_near(view, i, j, params.near))
    }
}

/// Returns whether two tiles lie within a number of widths of each other, in nearly the same or
/// crossed directions.
fn are_near(view: &TopView, i: usize, j: usize, widths: f32) -> bool {
    let (p, q) = (&view.items[i].quad, &view.items[j].quad);
    edge_angle_between(p, q) <= view.params.arrangement.aligned && p.gap(q, widths) < widths
}

/// Divides the hand into heaps, in reading order of the largest one. Heaps with the same axis share
/// its top.
pub(super) fn heaps(view: &TopView, hand: &[usize]) -> Vec<Heap> {
    let params = &view.params.rows;
    let parts = parts(view, hand);
    let Some(largest) = parts.iter().max_by_key(|part| part.len()) else { return Vec::new() };
    let elsewhere: Vec<usize> = hand.iter().copied().filter(|i| !largest.contains(i)).collect();
    let votes = |across| facing(view, &elsewhere, across);
    let main = RowAxes::with_votes(&items_of(view, largest), params, votes);
    // A single tile has no line of its own.
    let axes = |part: &[usize]| match part {
        [_] => main,
        _ => RowAxes::like(&items_of(view, part), &main, params),
    };
    let mut heaps: Vec<Heap> =
        parts.iter().map(|part| Heap { axes: axes(part), tiles: part.clone() }).collect();
    in_reading_order(view.items, &mut heaps, &main);
    heaps
}

fn items_of(view: &TopView, tiles: &[usize]) -> Vec<RowQuad> {
    tiles.iter().map(|&i| view.items[i]).collect()
}

/// Returns the parts of a hand: tiles that share a line, or lie in parallel lines near each other.
fn parts(view: &TopView, hand: &[usize]) -> Vec<Vec<usize>> {
    // Tiles that touch share a line even if one lies across the other. Tiles that do not touch
    // share a line only if they have the same axis: a set may lie across another one nearby.
    let touching = linked(hand, |a, b| are_near(view, a, b, view.params.rows.touching));
    let runs: Vec<TouchingTiles> =
        touching.into_iter().map(|tiles| TouchingTiles::new(view.items, tiles)).collect();
    let all: Vec<usize> = (0..runs.len()).collect();
    let parts = linked(&all, |a, b| runs[a].shares_line(&runs[b], view));
    let tiles_of = |part: &Vec<usize>| -> Vec<usize> {
        part.iter().flat_map(|&run| runs[run].tiles.iter().copied()).collect()
    };
    parts.iter().flat_map(|part| without_crossed(view, tiles_of(part))).collect()
}

/// Returns a part without the sets that lie across it, followed by these sets as parts of their
/// own.
fn without_crossed(view: &TopView, mut part: Vec<usize>) -> impl Iterator<Item = Vec<usize>> {
    let mut sets = Vec::new();
    while let Some(set) = crossed_set(view, &part) {
        part.retain(|i| !set.contains(i));
        sets.push(set);
    }
    std::iter::once(part).chain(sets)
}

/// Returns three tiles that are a set in a line of their own, across the line of the others: a set
/// that was thrown down close to another one. At most one of the three has a neighbour among the
/// other tiles; turned tiles of sets above each other have more.
fn crossed_set(view: &TopView, part: &[usize]) -> Option<Vec<usize>> {
    let items = view.items;
    if part.len() < 6 {
        return None;
    }
    let axes = RowAxes::new(&items_of(view, part), &view.params.rows);
    let lies_across = |i: &usize| axes.runs_across(items[*i].top);
    let are_neighbours = |a: usize, b: usize| {
        let (p, q) = (&items[a].quad, &items[b].quad);
        let below = (q.centre() - p.centre()).dot(axes.down).abs();
        below < p.short_side() / 2.0 && are_near(view, a, b, view.params.rows.touching)
    };
    let across: Vec<usize> = part.iter().copied().filter(lies_across).collect();
    let neighbours = |a: usize| -> Vec<usize> {
        part.iter().copied().filter(|&b| b != a && are_neighbours(a, b)).collect()
    };
    let neighbours: HashMap<usize, Vec<usize>> = if across.len() < 2 {
        HashMap::new()
    } else {
        part.iter().map(|&a| (a, neighbours(a))).collect()
    };
    let has_other = |i: &usize, set: &[usize; 3]| neighbours[i].iter().any(|b| !set.contains(b));
    let pairs =
        across.iter().enumerate().flat_map(|(n, &a)| across[..n].iter().map(move |&b| (a, b)));
    // A tile with more than two neighbours has one outside of any set, and only one of the three
    // may have.
    let is_crowded = |i: usize| neighbours[&i].len() > 2;
    let pairs = pairs.filter(|&(a, b)| !(is_crowded(a) && is_crowded(b)));
    let with_third = |(a, b): (usize, usize)| {
        let others = part.iter().copied().filter(move |&c| c != a && c != b);
        others.map(move |c| [a, b, c])
    };
    let is_crossed = |set: &[usize; 3]| {
        set.iter().filter(|&i| has_other(i, set)).count() <= 1
            && are_level(view, set, axes.across).is_some()
            && may_be_set(view, set)
    };
    let mut sets = pairs.flat_map(with_third).take_while(|_| view.effort.step());
    sets.find(is_crossed).map(|set| set.to_vec())
}

/// Returns the votes of tiles elsewhere for a reading direction: all tiles of a hand face its
/// player.
fn facing(view: &TopView, apart: &[usize], across: Point) -> f32 {
    let (items, vote) = (view.items, view.params.arrangement.elsewhere_vote);
    let up = across.quarter_turn() * -1.0;
    vote * apart.iter().map(|&i| items[i].lopsided * items[i].top.dot(up)).sum::<f32>()
}

/// Sorts heaps from top to bottom, and from left to right if their middles are less than half a
/// tile's length apart in height.
fn in_reading_order(items: &[RowQuad], heaps: &mut [Heap], main: &RowAxes) {
    let middle = |heap: &Heap, way: Point| {
        median(heap.tiles.iter().map(|&i| items[i].quad.centre().dot(way))).unwrap_or(0.0)
    };
    let all = || heaps.iter().flat_map(|heap| heap.tiles.iter());
    let length = median(all().map(|&i| items[i].quad.down().length())).unwrap_or(1.0);
    heaps.sort_by(|a, b| middle(a, main.down).total_cmp(&middle(b, main.down)));
    let mut from = 0;
    while from < heaps.len() {
        let top = middle(&heaps[from], main.down);
        let beside = |heap: &&Heap| middle(heap, main.down) - top < length / 2.0;
        let to = from + heaps[from..].iter().take_while(beside).count();
        heaps[from..to].sort_by(|a, b| middle(a, main.across).total_cmp(&middle(b, main.across)));
        from = to;
    }
}
