//! The sets of a hand as a score shows them, and the choice of those that form a line.
//!
//! Input: a variant of a hand that won, or a hand that has not won. Output: [`HandSets`], from
//! which the sets of each line are picked.

use crate::hand::{Hand, Holding};
use crate::rules::decompose::kinds::Kinds;
use crate::rules::decompose::sets::{concealed_set, scored_set, scored_sets, tiles_of};
use crate::rules::{ScoredSet, SetKind};
use crate::tile::Tile;
use crate::tiles::Counts;

use super::everybody::Formation;
use super::scoring_sets::ScoringSets;
use super::variants::{Completion, Variant, Win};

/// The sets of a hand: melds in their order, concealed chows, concealed pungs, special sets, pairs.
#[derive(Debug)]
pub(super) struct HandSets {
    sets: Vec<ScoredSet>,
}

impl HandSets {
    /// Returns the sets of a hand that won.
    pub(super) fn from_variant(win: &Win<'_>, hand: &Hand, variant: &Variant) -> HandSets {
        let facts = win.facts;
        let concealed_pungs = variant.scoring.concealed_pungs;
        let mut sets = scored_sets(facts, hand, &variant.decomposition, concealed_pungs);
        let tile = Tile::ALL[facts.winning];
        let mut concealed = sets[facts.melds.count..].iter_mut();
        if let Some(set) = concealed.find(|set| completes(tile, variant.last, set)) {
            set.winning = true;
            // A claimed tile opens the set that it completes.
            set.concealed = facts.self_drawn;
        }
        HandSets { sets }
    }

    /// Returns the sets of a hand that has not won; tiles that form no set come last, as one entry.
    pub(super) fn from_holding(holding: &Holding, scoring: &ScoringSets) -> HandSets {
        let mut rest = *holding.concealed();
        let mut sets: Vec<ScoredSet> = holding.melds().map(scored_set).collect();
        for tile in tiles_of(scoring.concealed_pungs) {
            sets.push(concealed_set(SetKind::Pung, take(&mut rest, tile, 3)));
        }
        for tile in tiles_of(scoring.pairs) {
            sets.push(concealed_set(SetKind::Pair, take(&mut rest, tile, 2)));
        }
        if rest.total() > 0 {
            sets.push(concealed_set(SetKind::Singles, rest.iter().collect()));
        }
        HandSets { sets }
    }

    pub(super) fn into_sets(self) -> Vec<ScoredSet> {
        self.sets
    }

    /// Returns the pung, kong or pair of each of these kinds.
    pub(super) fn each(&self, kinds: Kinds) -> Vec<Vec<ScoredSet>> {
        tiles_of(kinds).map(|tile| self.pick(|set| is_of(1 << tile.index(), set))).collect()
    }

    /// Returns the sets that form a line together; empty if the whole hand or the win context forms
    /// it.
    pub(super) fn together(&self, formation: Formation) -> Vec<Vec<ScoredSet>> {
        let sets = match formation {
            Formation::Whole => Vec::new(),
            Formation::Sets(kinds) => self.pick(|set| is_of(kinds, set)),
            Formation::Winning => self.pick(|set| set.winning),
        };
        if sets.is_empty() { Vec::new() } else { vec![sets] }
    }

    fn pick(&self, wanted: impl Fn(&ScoredSet) -> bool) -> Vec<ScoredSet> {
        self.sets.iter().filter(|set| wanted(set)).cloned().collect()
    }
}

/// Takes tiles of a kind out of the rest of a hand.
fn take(rest: &mut Counts, tile: Tile, count: usize) -> Vec<Tile> {
    for _ in 0..count {
        rest.remove(tile);
    }
    vec![tile; count]
}

/// Returns whether a set is a pung, kong or pair of one of these kinds.
fn is_of(kinds: Kinds, set: &ScoredSet) -> bool {
    let same = matches!(set.kind, SetKind::Pung | SetKind::Kong | SetKind::Pair);
    same && kinds >> set.tiles[0].index() & 1 == 1
}

/// Returns whether the winning tile can have completed a set, given the kind of set that it
/// completed.
fn completes(tile: Tile, last: Completion, set: &ScoredSet) -> bool {
    let fits = match last {
        Completion::Pair => set.kind == SetKind::Pair,
        Completion::Pung => set.kind == SetKind::Pung,
        Completion::Chow(None) => set.kind == SetKind::Chow,
        Completion::Chow(Some(low)) => set.kind == SetKind::Chow && set.tiles[0] == low,
        Completion::Special => true,
    };
    fits && set.tiles.contains(&tile)
}
