//! Candidates for a hand's blocks, with their costs.
//!
//! Input: the anchor and the steps from it. Output: [`Candidate`]s, split into those that are tried
//! in all combinations and the rest. Invariant: the number of combinations is at most
//! [`SearchParams::combinations`](super::super::super::params::SearchParams::combinations).

use super::block_view::BlockView;
use super::steps::Step;

/// A block that may be chosen, and its cost on the way from the anchor.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) block: usize,
    pub(super) cost: f32,
    near_cost: f32,
}

/// Returns the blocks that may belong to the anchor's hand.
pub(super) fn candidates(table: &BlockView, anchor: usize, steps: &[Step]) -> Vec<Candidate> {
    let params = &table.params.selection;
    let mut all: Vec<Candidate> = Vec::new();
    for (b, block) in table.blocks.iter().enumerate() {
        let is_free = b != anchor && !table.taken[b];
        if is_free
            && block.can_belong()
            && !block.is_flowers()
            && steps[b].gap <= params.reach
            && table.is_of_scale(b, anchor)
        {
            all.push(Candidate {
                block: b,
                cost: table.cost(b, steps[b]) + table.own_cost(b) + table.facing(b, anchor),
                near_cost: steps[b].near_cost(params) + table.own_cost(b),
            });
        }
    }
    // The fourth tile of a kong costs as much as its set.
    for n in 0..all.len() {
        if let Some(set) = all.iter().find(|set| table.is_fourth(all[n].block, set.block)) {
            let near_cost = table.between[all[n].block][set.block].near_cost(params);
            all[n] = Candidate { cost: set.cost, near_cost, ..all[n] };
        }
    }
    all
}

/// Splits the candidates into those that are tried in all combinations, as many as the limit on
/// combinations allows, and the rest. A hand has room for few single tiles, so sets come first.
pub(super) fn split_by_cost(
    table: &BlockView,
    anchor: usize,
    mut candidates: Vec<Candidate>,
) -> (Vec<Candidate>, Vec<Candidate>) {
    let params = &table.params.search;
    candidates.sort_by(|a, b| {
        (is_stray(table, a), a.cost)
            .partial_cmp(&(is_stray(table, b), b.cost))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    // Number of combinations for each number of tiles.
    let max_tiles = table.max_tiles();
    let mut with = vec![0_usize; max_tiles + 1];
    with[table.size(anchor).min(max_tiles)] = 1;
    let mut tried = 0;
    for candidate in candidates.iter().take(params.tried_blocks) {
        let size = table.size(candidate.block);
        for tiles in (size..=max_tiles).rev() {
            with[tiles] += with[tiles - size];
        }
        if with.iter().sum::<usize>() > params.combinations {
            break;
        }
        tried += 1;
    }
    let rest = candidates.split_off(tried);
    (candidates, rest)
}

/// Returns whether a candidate is a small block that lies far from all others.
fn is_stray(table: &BlockView, candidate: &Candidate) -> bool {
    table.blocks[candidate.block].members.len() <= 2
        && candidate.near_cost > table.params.selection.belongs
}
