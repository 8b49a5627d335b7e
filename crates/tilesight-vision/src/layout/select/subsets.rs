//! Computation of how well every combination of candidates fits.
//!
//! Input: the anchor and the candidates. Output: a [`Subset`] for every combination that is no
//! larger than a hand. Each block pays only for the step to the nearest other block, so that a step
//! is paid once. Invariant: the fit depends on tiles and places, not on whether the hand wins.

use super::block_view::BlockView;
use super::candidates::Candidate;

/// A combination of candidates, and how well it fits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subset {
    pub(super) fit: f32,
    /// Bit set of the members: bit 0 is the anchor, bit n + 1 the n-th candidate.
    members: u32,
}

impl Subset {
    /// Returns the blocks of the combination, the anchor first.
    pub(super) fn blocks(self, anchor: usize, candidates: &[Candidate]) -> Vec<usize> {
        let added = candidates.iter().enumerate().filter(|(n, _)| self.members >> n & 2 == 2);
        std::iter::once(anchor).chain(added.map(|(_, candidate)| candidate.block)).collect()
    }
}

/// Lists all combinations, those without a candidate before those with it.
pub(super) fn subsets(table: &BlockView, anchor: usize, candidates: &[Candidate]) -> Vec<Subset> {
    let blocks = candidates.iter().map(|candidate| candidate.block);
    let all: Vec<usize> = std::iter::once(anchor).chain(blocks).collect();
    let mut terms: Vec<Term> = Vec::new();
    for (n, candidate) in candidates.iter().enumerate() {
        let block = candidate.block;
        let earlier = all[..=n].iter();
        terms.push(Term {
            size: table.size(block),
            min_size: table.min_size(block, &all),
            beside: earlier.map(|&other| table.cost_beside(block, [other].into_iter())).collect(),
            facing: table.facing(block, anchor),
            missed: missed_beside(table, block, &all),
        });
    }
    let mut search = SubsetSearch {
        terms: &terms,
        max_tiles: table.max_tiles(),
        holding: (!table.won).then(|| table.tiles_of_hand()),
        found: Vec::new(),
    };
    let anchor = Partial {
        members: 1,
        tiles: table.size(anchor),
        min_tiles: table.min_size(anchor, &[]),
        cost: 0.0,
    };
    search.try_candidate(anchor, 0);
    search.found
}

/// Contribution of a candidate to the cost of a combination.
struct Term {
    /// Number of tiles that the candidate counts for.
    size: usize,
    /// Least such number: four of a kind are a kong, which takes the place of three tiles.
    min_size: usize,
    /// Cost beside the anchor (index 0) and beside each earlier candidate (its index plus one).
    beside: Vec<f32>,
    facing: f32,
    /// Cost of leaving the candidate out beside the anchor (place 0) or beside a candidate (its
    /// index plus one), highest first.
    missed: Vec<(usize, f32)>,
}

/// A combination of the first candidates.
#[derive(Clone, Copy)]
struct Partial {
    members: u32,
    tiles: usize,
    min_tiles: usize,
    cost: f32,
}

impl Partial {
    fn has(self, place: usize) -> bool {
        self.members >> place & 1 == 1
    }
}

struct SubsetSearch<'a> {
    terms: &'a [Term],
    max_tiles: usize,
    /// Number of tiles of a hand that has not won, without the fourth tiles of kongs. That a hand
    /// wins says more than its number.
    holding: Option<usize>,
    found: Vec<Subset>,
}

impl SubsetSearch<'_> {
    /// Tries the n-th candidate and all later ones with the candidates chosen so far.
    fn try_candidate(&mut self, chosen: Partial, n: usize) {
        let Some(term) = self.terms.get(n) else {
            let fit = -chosen.cost - self.missed(chosen);
            self.found.push(Subset { fit, members: chosen.members });
            return;
        };
        self.try_candidate(chosen, n + 1);
        if chosen.tiles + term.size <= self.max_tiles {
            let near = term.beside.iter().enumerate().filter(|&(m, _)| chosen.has(m));
            let nearest = near.map(|(_, &cost)| cost).fold(f32::INFINITY, f32::min);
            let with = Partial {
                members: chosen.members | 2 << n,
                tiles: chosen.tiles + term.size,
                min_tiles: chosen.min_tiles + term.min_size,
                cost: chosen.cost + nearest + term.facing,
            };
            self.try_candidate(with, n + 1);
        }
    }

    /// Returns the cost of leaving out the candidates that are not chosen. A candidate for which a
    /// hand that has not won has no room is not missed.
    fn missed(&self, chosen: Partial) -> f32 {
        let room = self.holding.map_or(usize::MAX, |all| all.saturating_sub(chosen.min_tiles));
        let left_out = self.terms.iter().enumerate().filter(|&(n, _)| !chosen.has(n + 1));
        let missed = left_out.filter(|(_, term)| term.min_size <= room).map(|(_, term)| {
            let worst = term.missed.iter().find(|&&(place, _)| chosen.has(place));
            worst.map_or(0.0, |&(_, missed)| missed)
        });
        missed.sum::<f32>()
    }
}

/// Returns the cost of leaving a block out beside each of the other blocks, highest first, without
/// those where it is zero. A block that fits well belongs to the hand, unless the number of tiles
/// contradicts it; the limit is a cost of half of
/// [`SelectionParams::belongs`](super::super::super::params::SelectionParams::belongs).
fn missed_beside(table: &BlockView, block: usize, others: &[usize]) -> Vec<(usize, f32)> {
    let mut all: Vec<(usize, f32)> = Vec::new();
    for (m, &other) in others.iter().enumerate().filter(|(_, other)| **other != block) {
        let missed = cost_of_leaving_out(table, block, other);
        if missed > 0.0 {
            all.push((m, missed));
        }
    }
    all.sort_by(|a, b| b.1.total_cmp(&a.1));
    all
}

/// Returns the cost of leaving a block out beside another one.
fn cost_of_leaving_out(table: &BlockView, block: usize, other: usize) -> f32 {
    let params = &table.params.selection;
    let cost = params.belongs - table.between[block][other].near_cost(params);
    // A block without print is not missed, except a white dragon beside others.
    if !table.blocks[block].is_blank() {
        cost - table.own_cost(block)
    } else if table.are_dragons(block, other) {
        cost
    } else {
        0.0
    }
}
