//! The sets of a decomposition as a score shows them, and the choice of those that form a line.

use crate::hand::Hand;
use crate::rules::decompose::decompositions::Decomposition;
use crate::rules::decompose::kinds::{DRAGONS, Kinds, WINDS};
use crate::rules::decompose::sets;
use crate::rules::{ScoredSet, SetKind};
use crate::tile::Tile;

use super::line::Line::{self, *};
use super::tally::{Scorer, pungs_by_points};

/// The sets of a decomposition: melds in their order, concealed chows, concealed pungs, pairs last.
#[derive(Debug)]
pub(super) struct Pieces {
    sets: Vec<ScoredSet>,
    /// Pungs and kongs by the line of their points.
    points: [(Line, Kinds); 8],
    own_wind: Kinds,
    round_wind: Kinds,
}

impl Pieces {
    pub(super) fn new(scorer: &Scorer<'_>, hand: &Hand, decomposition: &Decomposition) -> Pieces {
        let concealed = scorer.concealed_pungs(decomposition);
        let mut sets = sets::scored_sets(scorer.facts, hand, decomposition, concealed);
        place_winning_tile(&mut sets[scorer.facts.melds.count..], hand.winning());
        Pieces {
            sets,
            points: pungs_by_points(decomposition.pungs, scorer.facts.melds.kongs, concealed),
            own_wind: scorer.own_wind(),
            round_wind: scorer.round_wind(),
        }
    }

    pub(super) fn sets(&self) -> &[ScoredSet] {
        &self.sets
    }

    /// Returns the sets that form a line: one list for each time it counts. Empty if the whole hand
    /// or the win context forms it.
    pub(super) fn forming(&self, line: Line) -> Vec<Vec<ScoredSet>> {
        if let Some((_, kinds)) = self.points.iter().find(|(points, _)| *points == line) {
            return each(self.pungs(*kinds));
        }
        match line {
            DragonPair => each(self.pairs(DRAGONS)),
            OwnWindPair => each(self.pairs(self.own_wind)),
            RoundWindPair => each(self.pairs(self.round_wind)),
            Dragons => each(self.pungs(DRAGONS)),
            OwnWind => each(self.pungs(self.own_wind)),
            RoundWind => each(self.pungs(self.round_wind)),
            IdenticalChows => vec![self.identical_chows(2, 1)],
            ThreeIdenticalChows => vec![self.identical_chows(3, 1)],
            TwoSetsOfIdenticalChows => vec![self.identical_chows(2, 2)],
            SameChowInThreeSuits | SameChowConcealed => vec![self.chows_in_three_suits()],
            Straight | StraightConcealed => vec![self.straight()],
            SamePungInThreeSuits => vec![self.pungs_in_three_suits()],
            ThreeKongs | FourKongs => vec![self.pick(|set| set.kind == SetKind::Kong)],
            ThreeConcealedPungs | FourConcealedPungs => {
                vec![self.pick(|set| is_pung(set) && set.concealed)]
            }
            SmallDragons => vec![[self.pungs(DRAGONS), self.pairs(DRAGONS)].concat()],
            SmallWinds => vec![[self.pungs(WINDS), self.pairs(WINDS)].concat()],
            BigDragons => vec![self.pungs(DRAGONS)],
            BigWinds => vec![self.pungs(WINDS)],
            _ => Vec::new(),
        }
    }

    fn pick(&self, wanted: impl Fn(&ScoredSet) -> bool) -> Vec<ScoredSet> {
        self.sets.iter().filter(|set| wanted(set)).cloned().collect()
    }

    /// Returns the pungs and kongs of these kinds.
    fn pungs(&self, kinds: Kinds) -> Vec<ScoredSet> {
        self.pick(|set| is_pung(set) && holds(set, kinds))
    }

    /// Returns the pairs of these kinds: one, or several of seven pairs.
    fn pairs(&self, kinds: Kinds) -> Vec<ScoredSet> {
        self.pick(|set| set.kind == SetKind::Pair && holds(set, kinds))
    }

    /// Returns the chows that start at a tile.
    fn chows_at(&self, low: Tile) -> Vec<ScoredSet> {
        self.pick(|set| set.kind == SetKind::Chow && set.tiles[0] == low)
    }

    /// Returns groups of `of_a_kind` identical chows, at most `kinds` groups; four identical chows
    /// are two groups of two.
    fn identical_chows(&self, of_a_kind: usize, kinds: usize) -> Vec<ScoredSet> {
        let groups = Tile::ALL.into_iter().map(|low| self.chows_at(low));
        let groups = groups.flat_map(|chows| {
            let whole = chows.chunks_exact(of_a_kind).map(<[ScoredSet]>::to_vec);
            whole.collect::<Vec<_>>()
        });
        groups.take(kinds).flatten().collect()
    }

    /// Returns one chow of each suit, all of the same numbers.
    fn chows_in_three_suits(&self) -> Vec<ScoredSet> {
        let of_number = |number: usize| self.one_at([number, number + 9, number + 18]);
        (0..7).find_map(of_number).unwrap_or_default()
    }

    /// Returns 123, 456 and 789 of a suit.
    fn straight(&self) -> Vec<ScoredSet> {
        let of_suit = |suit: usize| self.one_at([9 * suit, 9 * suit + 3, 9 * suit + 6]);
        (0..3).find_map(of_suit).unwrap_or_default()
    }

    /// Returns one chow for each of these starting tiles; `None` if one of them is missing.
    fn one_at(&self, lows: [usize; 3]) -> Option<Vec<ScoredSet>> {
        lows.into_iter().map(|low| self.chows_at(Tile::ALL[low]).into_iter().next()).collect()
    }

    fn pungs_in_three_suits(&self) -> Vec<ScoredSet> {
        let of_number = |number: usize| self.pungs((1 | 1 << 9 | 1 << 18) << number);
        (0..9).map(of_number).find(|pungs| pungs.len() == 3).unwrap_or_default()
    }
}

/// Marks the set that the winning tile completed: the first that can hold it, with pungs last, as
/// in the tally.
fn place_winning_tile(concealed: &mut [ScoredSet], tile: Tile) {
    let fitting = concealed.iter_mut().filter(|set| set.tiles.contains(&tile));
    if let Some(set) = fitting.min_by_key(|set| set.kind == SetKind::Pung) {
        set.winning = true;
    }
}

/// Returns one list for each set.
fn each(sets: Vec<ScoredSet>) -> Vec<Vec<ScoredSet>> {
    sets.into_iter().map(|set| vec![set]).collect()
}

fn is_pung(set: &ScoredSet) -> bool {
    matches!(set.kind, SetKind::Pung | SetKind::Kong)
}

fn holds(set: &ScoredSet, kinds: Kinds) -> bool {
    kinds >> set.tiles[0].index() & 1 == 1
}
