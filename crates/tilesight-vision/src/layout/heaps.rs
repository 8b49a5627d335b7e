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

impl Heap {
    /// Returns how far along a direction the middle of the heap lies.
    fn middle(&self, items: &[RowQuad], way: Point) -> f32 {
        median(self.tiles.iter().map(|&i| items[i].quad.centre().dot(way))).unwrap_or(0.0)
    }
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
        // The axes are of doubled angles.
        let crossed = 2.0 * view.params.slipped.crossed.powi(2) - 1.0;
        let limit = crossed * self.axis.length() * other.axis.length();
        let is_known = self.agrees(params.agreement) && other.agrees(params.agreement);
        if is_known && self.axis.dot(other.axis) < limit {
            return false;
        }
        let mut pairs = self.tiles.iter().flat_map(|&i| other.tiles.iter().map(move |&j| (i, j)));
        pairs.any(|(i, j)| are_near(view, i, j, params.near))
    }
}

/// Returns whether two tiles lie within a number of widths of each other, in nearly the same or
/// crossed directions.
fn are_near(view: &TopView, i: usize, j: usize, widths: f32) -> bool {
    let p = &view.items[i].quad;
    let q = &view.items[j].quad;
    edge_angle_between(p, q) <= view.params.arrangement.aligned && p.gap(q, widths) < widths
}

/// Divides the hand into heaps, in reading order of the largest one. Heaps with the same axis share
/// its top.
pub(super) fn heaps(view: &TopView, hand: &[usize]) -> Vec<Heap> {
    let params = &view.params.rows;
    let parts = parts(view, hand);
    let Some(largest) = parts.iter().max_by_key(|part| part.len()) else { return Vec::new() };
    let elsewhere: Vec<usize> = hand.iter().copied().filter(|i| !largest.contains(i)).collect();
    let items = items_of(view, largest);
    let main = RowAxes::with_votes(&items, params, |across| facing(view, &elsewhere, across));
    let mut heaps = Vec::new();
    for part in &parts {
        // A single tile has no line of its own.
        let axes = match part[..] {
            [_] => main,
            _ => RowAxes::like(&items_of(view, part), &main, params),
        };
        heaps.push(Heap { axes, tiles: part.clone() });
    }
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
    let in_line = linked(&all, |a, b| runs[a].shares_line(&runs[b], view));
    let parts = in_line
        .iter()
        .map(|part| part.iter().flat_map(|&run| runs[run].tiles.iter().copied()).collect());
    parts.flat_map(|tiles| without_crossed(view, tiles)).collect()
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
    if part.len() < 6 {
        return None;
    }
    let axes = RowAxes::new(&items_of(view, part), &view.params.rows);
    let mut across = part.to_vec();
    across.retain(|&i| axes.runs_across(view.items[i].top));
    if across.len() < 2 {
        return None;
    }
    let neighbours = Neighbours::new(view, part, &axes);
    let pairs =
        across.iter().enumerate().flat_map(|(n, &a)| across[..n].iter().map(move |&b| (a, b)));
    // Only one of the three tiles may have a neighbour outside of the set.
    let pairs_apart = pairs.filter(|&(a, b)| !(neighbours.has_three(a) && neighbours.has_three(b)));
    let sets = pairs_apart.flat_map(|(a, b)| {
        let others = part.iter().filter(move |&&c| c != a && c != b);
        others.map(move |&c| [a, b, c])
    });
    sets.take_while(|_| view.effort.step())
        .find(|set| {
            neighbours.lies_apart(set)
                && are_level(view, set, axes.across).is_some()
                && may_be_set(view, set)
        })
        .map(|set| set.to_vec())
}

/// The neighbours of each tile in its row.
struct Neighbours(HashMap<usize, Vec<usize>>);

impl Neighbours {
    fn new(view: &TopView, part: &[usize], axes: &RowAxes) -> Neighbours {
        let mut all = HashMap::new();
        for &i in part {
            let mut others = part.to_vec();
            others.retain(|&j| j != i && are_neighbours(view, axes, i, j));
            all.insert(i, others);
        }
        Neighbours(all)
    }

    /// Returns whether a tile has so many neighbours that one is outside of any set.
    fn has_three(&self, i: usize) -> bool {
        self.0[&i].len() > 2
    }

    /// Returns whether at most one tile of a set has a neighbour outside of it.
    fn lies_apart(&self, set: &[usize; 3]) -> bool {
        let beside = set.iter().filter(|i| self.0[i].iter().any(|other| !set.contains(other)));
        beside.count() <= 1
    }
}

/// Returns whether two tiles touch and lie equally far down.
fn are_neighbours(view: &TopView, axes: &RowAxes, i: usize, j: usize) -> bool {
    let p = &view.items[i].quad;
    let q = &view.items[j].quad;
    let below = (q.centre() - p.centre()).dot(axes.down).abs();
    below < p.short_side() / 2.0 && are_near(view, i, j, view.params.rows.touching)
}

/// Returns the votes of tiles elsewhere for a reading direction: all tiles of a hand face its
/// player.
fn facing(view: &TopView, apart: &[usize], across: Point) -> f32 {
    let items = view.items;
    let vote = view.params.arrangement.elsewhere_vote;
    let up = across.quarter_turn() * -1.0;
    vote * apart.iter().map(|&i| items[i].lopsided * items[i].top.dot(up)).sum::<f32>()
}

/// Sorts heaps from top to bottom, and from left to right if their middles are less than half a
/// tile's length apart in height.
fn in_reading_order(items: &[RowQuad], heaps: &mut [Heap], main: &RowAxes) {
    let all = heaps.iter().flat_map(|heap| heap.tiles.iter());
    let length = median(all.map(|&i| items[i].quad.down().length())).unwrap_or(1.0);
    sort_by_place(items, heaps, main.down);
    let mut from = 0;
    while from < heaps.len() {
        let top = heaps[from].middle(items, main.down);
        let beside = heaps[from..]
            .iter()
            .take_while(|heap| heap.middle(items, main.down) - top < length / 2.0);
        let to = from + beside.count();
        sort_by_place(items, &mut heaps[from..to], main.across);
        from = to;
    }
}

fn sort_by_place(items: &[RowQuad], heaps: &mut [Heap], way: Point) {
    heaps.sort_by(|a, b| a.middle(items, way).total_cmp(&b.middle(items, way)));
}
