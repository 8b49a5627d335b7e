//! Choice of the sets that form a line, from those of a hand as a score shows them.

use crate::rules::{ScoredSet, SetKind};
use crate::tile::Tile;

use super::kinds::Kinds;

/// The sets of a hand as a score shows them.
#[derive(Debug)]
pub(in crate::rules) struct ShownSets(Vec<ScoredSet>);

impl ShownSets {
    pub(in crate::rules) fn new(sets: Vec<ScoredSet>) -> ShownSets {
        ShownSets(sets)
    }

    pub(in crate::rules) fn all(&self) -> &[ScoredSet] {
        &self.0
    }

    pub(in crate::rules) fn into_vec(self) -> Vec<ScoredSet> {
        self.0
    }

    pub(in crate::rules) fn pick(&self, wanted: impl Fn(&ScoredSet) -> bool) -> Vec<ScoredSet> {
        self.0.iter().filter(|set| wanted(set)).cloned().collect()
    }

    /// Returns the pungs and kongs of these kinds.
    pub(in crate::rules) fn pungs(&self, kinds: Kinds) -> Vec<ScoredSet> {
        self.pick(|set| is_pung(set) && holds(set, kinds))
    }

    /// Returns the pungs and kongs that count as concealed.
    pub(in crate::rules) fn concealed_pungs(&self) -> Vec<ScoredSet> {
        self.pick(|set| is_pung(set) && set.concealed)
    }

    /// Returns the pairs of these kinds: one, or several of seven pairs.
    pub(in crate::rules) fn pairs(&self, kinds: Kinds) -> Vec<ScoredSet> {
        self.pick(|set| set.kind == SetKind::Pair && holds(set, kinds))
    }

    /// Returns the pungs, kongs and pairs of these kinds.
    pub(in crate::rules) fn pungs_and_pairs(&self, kinds: Kinds) -> Vec<ScoredSet> {
        self.pick(|set| (is_pung(set) || set.kind == SetKind::Pair) && holds(set, kinds))
    }

    /// Returns the chows that start at a tile.
    fn chows_at(&self, low: Tile) -> Vec<ScoredSet> {
        self.pick(|set| set.kind == SetKind::Chow && set.tiles[0] == low)
    }

    /// Returns groups of `of_a_kind` identical chows, at most `groups` of them; four identical
    /// chows are two groups of two.
    pub(in crate::rules) fn identical_chows(
        &self,
        of_a_kind: usize,
        groups: usize,
    ) -> Vec<ScoredSet> {
        let found = Tile::ALL.into_iter().map(|low| self.chows_at(low)).flat_map(|chows| {
            let whole = chows.chunks_exact(of_a_kind).map(<[ScoredSet]>::to_vec);
            whole.collect::<Vec<_>>()
        });
        found.take(groups).flatten().collect()
    }

    /// Returns one chow of each suit, all of the same numbers.
    pub(in crate::rules) fn chows_in_three_suits(&self) -> Vec<ScoredSet> {
        (0..7).find_map(|number| self.one_at([number, number + 9, number + 18])).unwrap_or_default()
    }

    /// Returns 123, 456 and 789 of a suit.
    pub(in crate::rules) fn straight(&self) -> Vec<ScoredSet> {
        [0, 9, 18]
            .into_iter()
            .find_map(|one| self.one_at([one, one + 3, one + 6]))
            .unwrap_or_default()
    }

    /// Returns one chow for each of these starting tiles; `None` if one of them is missing.
    fn one_at(&self, lows: [usize; 3]) -> Option<Vec<ScoredSet>> {
        lows.into_iter().map(|low| self.chows_at(Tile::ALL[low]).into_iter().next()).collect()
    }

    /// Returns the pungs and kongs of one number in all three suits.
    pub(in crate::rules) fn pungs_in_three_suits(&self) -> Vec<ScoredSet> {
        const ONES: Kinds = 1 | 1 << 9 | 1 << 18;
        (0..9)
            .map(|number| self.pungs(ONES << number))
            .find(|pungs| pungs.len() == 3)
            .unwrap_or_default()
    }
}

/// Marks the set that the winning tile completed: the first that can hold it, with pungs last.
pub(in crate::rules) fn place_winning_tile(concealed: &mut [ScoredSet], tile: Tile) {
    let fitting = concealed.iter_mut().filter(|set| set.tiles.contains(&tile));
    if let Some(set) = fitting.min_by_key(|set| set.kind == SetKind::Pung) {
        set.winning = true;
    }
}

/// Returns one list for each set.
pub(in crate::rules) fn each(sets: Vec<ScoredSet>) -> Vec<Vec<ScoredSet>> {
    sets.into_iter().map(|set| vec![set]).collect()
}

pub(in crate::rules) fn is_pung(set: &ScoredSet) -> bool {
    matches!(set.kind, SetKind::Pung | SetKind::Kong)
}

pub(in crate::rules) fn holds(set: &ScoredSet, kinds: Kinds) -> bool {
    kinds >> set.tiles[0].index() & 1 == 1
}
