//! Steps between blocks, and the path to each from an anchor.
//!
//! Input: blocks. Output: the [`Step`] between any two, and for an anchor of the hand the worst
//! step on the path to each. Invariant: steps do not depend on faces.

use super::super::super::geometry::edge_angle_between;
use super::super::super::geometry::rows::RowQuad;
use super::super::super::params::{Params, SelectionParams};
use super::blocks::Block;

/// Differences between two blocks at their nearest tiles.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    /// Distance in tile widths.
    pub(super) gap: f32,
    /// Angle between the tiles' edges, in radians.
    pub(super) angle: f32,
    /// Natural logarithm of the ratio of the tiles' sizes.
    pub(super) octaves: f32,
}

impl Step {
    pub(super) const NONE: Step = Step { gap: 0.0, angle: 0.0, octaves: 0.0 };
    pub(super) const FAR: Step = Step { gap: f32::INFINITY, ..Step::NONE };

    /// Returns the cost if every width costs the same, as for tiles that belong and lie together.
    pub(super) fn near_cost(self, params: &SelectionParams) -> f32 {
        self.gap + self.other_cost(params)
    }

    /// Returns the cost if tiles may lie far apart: `far` for each width beyond the knee.
    pub(super) fn cost(self, params: &SelectionParams, far: f32) -> f32 {
        let beyond = (self.gap - params.knee).max(0.0);
        self.gap.min(params.knee) + far * beyond + self.other_cost(params)
    }

    /// Returns the cost of angle and size. Loose discards lie at random angles; tiles that were put
    /// apart on purpose do not.
    fn other_cost(self, params: &SelectionParams) -> f32 {
        let turned = (self.angle.to_degrees() - params.angle_noise).max(0.0) / params.turn;
        turned.min(params.max_turned) + params.scale * self.octaves
    }

    /// Returns the worst of two steps on one path: the largest gap, angle and ratio of sizes.
    fn and(self, next: Step) -> Step {
        Step {
            gap: self.gap.max(next.gap),
            angle: self.angle.max(next.angle),
            octaves: self.octaves.max(next.octaves),
        }
    }
}

/// Steps from each block to each other one.
pub(super) type Steps = Vec<Vec<Step>>;

pub(super) fn steps_between(blocks: &[Block], items: &[RowQuad], exact: f32) -> Steps {
    let mut steps = vec![vec![Step::NONE; blocks.len()]; blocks.len()];
    for a in 0..blocks.len() {
        for b in a + 1..blocks.len() {
            let step = nearest(&blocks[a], &blocks[b], items, exact);
            (steps[a][b], steps[b][a]) = (step, step);
        }
    }
    steps
}

/// Returns the step between the two nearest tiles of two blocks. Its distance is exact up to
/// `exact` widths.
fn nearest(a: &Block, b: &Block, items: &[RowQuad], exact: f32) -> Step {
    let pairs = a.members.iter().flat_map(|&i| b.members.iter().map(move |&j| (i, j)));
    pairs
        .map(|(i, j)| (items[i].quad.gap(&items[j].quad, exact), i, j))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map_or(Step::FAR, |(gap, i, j)| {
            let p = &items[i].quad;
            let q = &items[j].quad;
            let octaves = (p.scale() / q.scale()).ln().abs();
            Step { gap, angle: edge_angle_between(p, q), octaves }
        })
}

/// Returns for each block the worst step on the path to it from the anchor with the smallest gaps
/// (Dijkstra's algorithm for the minimax path): each set in a line is near the previous one. Also
/// returns the order in which blocks are reached.
pub(super) fn steps_from(
    blocks: &[Block],
    between: &Steps,
    anchor: usize,
    params: &Params,
) -> (Vec<Step>, Vec<usize>) {
    let reach = params.selection.reach;
    let max_octaves = params.search.step_factor.ln();
    let mut reached = vec![Step::FAR; blocks.len()];
    let mut order = vec![usize::MAX; blocks.len()];
    reached[anchor] = Step::NONE;
    let mut count = 0;
    while let Some(from) = (0..blocks.len())
        .filter(|&b| order[b] == usize::MAX && reached[b].gap <= reach)
        .min_by(|&a, &b| reached[a].gap.total_cmp(&reached[b].gap))
    {
        order[from] = count;
        count += 1;
        for to in 0..blocks.len() {
            let similar = (blocks[to].scale / blocks[from].scale).ln().abs() <= max_octaves;
            if order[to] == usize::MAX && similar {
                let step = reached[from].and(between[from][to]);
                if step.gap < reached[to].gap {
                    reached[to] = step;
                }
            }
        }
    }
    (reached, order)
}

/// Returns the distance of a block from the nearest of the others, in tile widths, and its angle to
/// that one, in degrees.
pub(super) fn nearest_of(between: &Steps, others: &[usize], block: usize) -> (f32, f32) {
    let steps = others.iter().map(|&b| between[block][b]);
    let nearest = steps.min_by(|a, b| a.gap.total_cmp(&b.gap)).unwrap_or(Step::FAR);
    (nearest.gap, nearest.angle.to_degrees())
}
