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
    while let Some(SplitSet { first, second, set, .. }) = nearest_pair(view, &runs) {
        runs[first] = set;
        runs.remove(second);
    }
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

/// Returns the two runs that are a set together and lie nearest to each other.
fn nearest_pair(view: &TopView, runs: &[Vec<usize>]) -> Option<SplitSet> {
    let mut best: Option<SplitSet> = None;
    for b in 1..runs.len() {
        for a in 0..b {
            if !(3..=4).contains(&(runs[a].len() + runs[b].len())) {
                continue;
            }
            let gap = distance(view.items, &runs[a], &runs[b]);
            if gap > view.params.rows.touching || best.as_ref().is_some_and(|best| best.gap <= gap)
            {
                continue;
            }
            let all: Vec<usize> = runs[a].iter().chain(&runs[b]).copied().collect();
            if let Some(set) = in_line(view, &all).filter(|set| is_set(view, set)) {
                best = Some(SplitSet { first: a, second: b, set, gap });
            }
        }
    }
    best
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
    let down = |i: usize| view.items[i].quad.down().unit();
    let is_across = |a: usize, b: usize| down(a).dot(down(b)).abs() < params.crossed;
    let turned = |&i: &usize| all.iter().filter(|&&other| is_across(i, other)).count();
    let upright: Vec<usize> = all.iter().copied().filter(|i| 2 * turned(i) < all.len()).collect();
    if upright.len() == all.len() || 2 * upright.len() < all.len() {
        return None;
    }
    let first = down(*upright.first()?);
    let same_way = |i: usize| if down(i).dot(first) < 0.0 { down(i) * -1.0 } else { down(i) };
    let aside = upright.iter().fold(Point::default(), |sum, &i| sum + same_way(i)).unit();
    are_level(view, all, aside)
}

/// Returns tiles from left to right, if they lie side by side and nearly in one line that runs
/// across `aside`.
pub(super) fn are_level(view: &TopView, all: &[usize], aside: Point) -> Option<Vec<usize>> {
    let (items, params): (&[RowQuad], &SlippedParams) = (view.items, &view.params.slipped);
    let unit = median(all.iter().map(|&i| items[i].quad.short_side()))?;
    let along = aside.quarter_turn() * -1.0;
    let place = |i: usize, way: Point| items[i].quad.centre().dot(way) / unit.max(1.0);
    let middle = median(all.iter().map(|&i| place(i, aside)))?;
    let mut set = all.to_vec();
    set.sort_by(|&a, &b| place(a, along).total_cmp(&place(b, along)));
    let apart =
        set.windows(2).all(|two| place(two[1], along) - place(two[0], along) > params.apart);
    let level = set.iter().all(|&i| (place(i, aside) - middle).abs() < params.aside);
    (apart && level).then_some(set)
}
