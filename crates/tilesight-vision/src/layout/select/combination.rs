//! Search for the combinations of blocks that are best as a whole hand.
//!
//! Input: the anchor and the candidates. Output: the best [`Combination`]s. Each is weighed by the
//! cost of its blocks (the distance from the nearest other block, angle and size, less for sets)
//! and by the distance of its tiles to a win. Invariant: unless the budget runs out, no combination
//! that is left out is better than the first.

use super::block_view::BlockView;
use super::candidates::Candidate;
use super::subsets::{Subset, subsets};
use super::worth::{max_value, value};

/// A combination of blocks: how well it fits, and its worth as a hand.
#[derive(Debug, Clone)]
pub(super) struct Combination {
    pub(super) blocks: Vec<usize>,
    pub(super) fit: f32,
    pub(super) worth: f32,
}

impl Combination {
    pub(super) fn value(&self) -> f32 {
        self.fit + self.worth
    }

    pub(super) fn wins(&self, table: &BlockView) -> bool {
        self.worth >= table.params.selection.wins
    }

    /// Returns whether the hand wins, if need be with another face of one of its tiles: it is worth
    /// more than a hand that is a tile away. That a hand waits is no such evidence for its tiles:
    /// many combinations of thirteen do.
    pub(super) fn may_win(&self, table: &BlockView) -> bool {
        table.won && self.worth > table.max_worth_beside_win()
    }

    /// Returns this combination with more blocks.
    pub(super) fn with(&self, table: &BlockView, added: &[usize]) -> Combination {
        let mut blocks = self.blocks.clone();
        let mut fit = self.fit;
        for &block in added {
            let beside = table.cost_beside(block, blocks.iter().copied());
            blocks.push(block);
            fit -= beside + table.crowd(block, &blocks) + table.facing(block, blocks[0]);
        }
        Combination { fit, worth: value(table, &blocks), blocks }
    }

    /// Creates a combination whose cost includes the tiles around its blocks.
    fn new(table: &BlockView, subset: Subset, blocks: Vec<usize>) -> Combination {
        let crowd: f32 = blocks[1..].iter().map(|&b| table.crowd(b, &blocks)).sum();
        let worth = value(table, &blocks);
        let mut combination = Combination { blocks, fit: subset.fit - crowd, worth };
        if !combination.may_win(table) {
            combination.fit -= table.strays(&combination.blocks);
        }
        combination
    }
}

/// Returns the best combinations of the candidates around the anchor, best first.
pub(super) fn best_combinations(
    table: &BlockView,
    anchor: usize,
    candidates: &[Candidate],
) -> Vec<Combination> {
    let params = &table.params.selection;
    let max_completed = table.params.search.completed;
    // Sorted by their fit, so that the search can stop once the lead exceeds all that the number of
    // tiles and a win can add.
    let mut subsets = subsets(table, anchor, candidates);
    subsets.sort_unstable_by(|a, b| b.fit.total_cmp(&a.fit));
    // A single tile that completes a hand gains as much as its absence cost.
    let completed = 2.0 * params.distance + params.short;
    let mut best: Vec<Combination> = Vec::new();
    for subset in subsets {
        let value = best.first().map_or(f32::NEG_INFINITY, Combination::value);
        if subset.fit + params.wins <= value {
            break;
        }
        let blocks = subset.blocks(anchor, candidates);
        let last = best.get(max_completed - 1).map_or(f32::NEG_INFINITY, Combination::value);
        if subset.fit + max_value(table, &blocks) <= last.max(value - completed) {
            continue;
        }
        // The anchor alone is weighed in any case.
        if !table.effort.step() && !best.is_empty() {
            break;
        }
        let combination = Combination::new(table, subset, blocks);
        let at = best.partition_point(|other| other.value() >= combination.value());
        best.insert(at, combination);
        best.truncate(max_completed);
    }
    best
}
