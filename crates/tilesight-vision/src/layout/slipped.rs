//! Sets whose tiles slipped out of line: the turned tile lies a little above, below or aside of the
//! others.
//!
//! Input: runs of neighbouring tiles. Output: the same runs, with small neighbouring ones joined if
//! together they are a set of which one tile lies across the others, side by side and nearly in
//! line. Invariant: no tile is lost, and runs of more than three tiles are left as they are.

use super::super::geometry::rows::RowQuad;
use super::super::geometry::{Point, median};
use super::super::params::SlippedParams;
use super::likelihood::{may_be_one_kind, may_be_set};
use super::top_view::TopView;

/// Joins runs that are a set together.
pub(super) fn join_slipped(view: &TopView, mut runs: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let mut split: Vec<SplitSet> = Vec::new();
    for second in 1..runs.len() {
        split.extend((0..second).filter_map(|first| SplitSet::new(view, &runs, first, second)));
    }
    while let Some(at) = nearest(&split) {
        let SplitSet { first, second, set, .. } = split.swap_remove(at);
        runs[first] = set;
        runs[second].clear();
        split.retain(|other| !other.has(first) && !other.has(second));
        for other in (0..runs.len()).filter(|&other| other != first) {
            split.extend(SplitSet::new(view, &runs, first.min(other), first.max(other)));
        }
    }
    runs.retain(|run| !run.is_empty());
    runs
}

/// Two runs that are a set together.
struct SplitSet {
    first: usize,
    second: usize,
    /// Tiles of both runs from left to right.
    set: Vec<usize>,
    gap: f32,
}

impl SplitSet {
    /// Returns two runs of which the first stands before the second, if they are neighbours and a
    /// set together.
    fn new(view: &TopView, runs: &[Vec<usize>], first: usize, second: usize) -> Option<SplitSet> {
        let a = &runs[first];
        let b = &runs[second];
        if a.is_empty() || b.is_empty() || !(3..=4).contains(&(a.len() + b.len())) {
            return None;
        }
        let gap = distance(view.items, a, b);
        if gap > view.params.rows.touching {
            return None;
        }
        let all: Vec<usize> = a.iter().chain(b).copied().collect();
        let set = in_line(view, &all).filter(|set| is_set(view, set))?;
        Some(SplitSet { first, second, set, gap })
    }

    fn has(&self, run: usize) -> bool {
        self.first == run || self.second == run
    }
}

/// Returns the place of the two runs that lie nearest to each other; of equally near ones those
/// that stand first.
fn nearest(split: &[SplitSet]) -> Option<usize> {
    let sets = split.iter().enumerate();
    let nearest = sets.min_by(|(_, a), (_, b)| {
        a.gap.total_cmp(&b.gap).then((a.second, a.first).cmp(&(b.second, b.first)))
    });
    nearest.map(|(at, _)| at)
}

fn is_set(view: &TopView, set: &[usize]) -> bool {
    if set.len() == 3 { may_be_set(view, set) } else { may_be_one_kind(view, set) }
}

/// Returns the distance between the nearest tiles of two runs, in widths.
fn distance(items: &[RowQuad], a: &[usize], b: &[usize]) -> f32 {
    let pairs = a.iter().flat_map(|&i| b.iter().map(move |&j| (&items[i].quad, &items[j].quad)));
    pairs.map(|(p, q)| p.gap(q, 1.0)).fold(f32::INFINITY, f32::min)
}

/// Returns three or four tiles from left to right, if one of them, or two of four, lie across the
/// others and all are nearly in one line.
fn in_line(view: &TopView, all: &[usize]) -> Option<Vec<usize>> {
    let params = &view.params.slipped;
    let down: Vec<Point> = all.iter().map(|&i| view.items[i].quad.down().unit()).collect();
    let mut upright = down.clone();
    upright.retain(|way| {
        let across = down.iter().filter(|other| way.dot(**other).abs() < params.crossed);
        2 * across.count() < all.len()
    });
    if upright.len() == all.len() || 2 * upright.len() < all.len() {
        return None;
    }
    let first = *upright.first()?;
    let mut sum = Point::default();
    for way in upright {
        sum = sum + if way.dot(first) < 0.0 { way * -1.0 } else { way };
    }
    are_level(view, all, sum.unit())
}

/// Returns tiles from left to right, if they lie side by side and nearly in one line that runs
/// across `aside`.
pub(super) fn are_level(view: &TopView, all: &[usize], aside: Point) -> Option<Vec<usize>> {
    let items: &[RowQuad] = view.items;
    let params: &SlippedParams = &view.params.slipped;
    let unit = median(all.iter().map(|&i| items[i].quad.short_side()))?;
    let along = aside.quarter_turn() * -1.0;
    let middle = median(all.iter().map(|&i| place(&items[i], aside, unit)))?;
    let mut set: Vec<(usize, f32)> =
        all.iter().map(|&i| (i, place(&items[i], along, unit))).collect();
    set.sort_by(|a, b| a.1.total_cmp(&b.1));
    let apart = set.windows(2).all(|two| two[1].1 - two[0].1 > params.apart);
    let level = all.iter().all(|&i| (place(&items[i], aside, unit) - middle).abs() < params.aside);
    (apart && level).then(|| set.into_iter().map(|(i, _)| i).collect())
}

/// Returns how many widths an item lies along a direction.
fn place(item: &RowQuad, way: Point, unit: f32) -> f32 {
    item.quad.centre().dot(way) / unit.max(1.0)
}
