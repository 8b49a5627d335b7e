//! The sets of a reading as a score shows them, and the choice of those that form a line.

use crate::hand::Hand;
use crate::rules::decompose::decompositions::Decomposition;
use crate::rules::decompose::kinds::{DRAGONS, Kinds, WINDS};
use crate::rules::decompose::sets;
use crate::rules::{ScoredSet, SetKind};
use crate::tile::Tile;

use super::fu::FuSet;
use super::line::Line::{self, *};
use super::readings::Completed;
use super::tally::Scorer;

/// The sets of a reading: melds in their order, concealed chows, concealed pungs, pairs last.
#[derive(Debug)]
pub(super) struct Pieces {
    sets: Vec<ScoredSet>,
    seat_wind: Kinds,
    prevalent_wind: Kinds,
}

impl Pieces {
    pub(super) fn new(
        scorer: &Scorer<'_>,
        hand: &Hand,
        decomposition: &Decomposition,
        completed: Completed,
    ) -> Pieces {
        let concealed = scorer.concealed_pungs(decomposition, completed);
        let mut sets = sets::scored_sets(scorer.facts, hand, decomposition, concealed);
        let own = &mut sets[scorer.facts.melds.count..];
        if let Some(set) = own.iter_mut().find(|set| is_completed(set, completed, hand.winning())) {
            set.winning = true;
        }
        Pieces { sets, seat_wind: scorer.seat_wind, prevalent_wind: scorer.prevalent_wind }
    }

    pub(super) fn sets(&self) -> &[ScoredSet] {
        &self.sets
    }

    /// Returns the sets that give a part of the fu.
    pub(super) fn giving(&self, set: FuSet) -> Vec<ScoredSet> {
        match set {
            FuSet::None => Vec::new(),
            FuSet::Pung(kind) => self.pungs(kind),
            FuSet::Pair => self.pick(|set| set.kind == SetKind::Pair),
            FuSet::Winning => self.pick(|set| set.winning),
        }
    }

    /// Returns the sets that form a line, one list; none if the whole hand or the win context forms
    /// it.
    pub(super) fn forming(&self, line: Line) -> Vec<Vec<ScoredSet>> {
        let dragon = |index: usize| self.pungs(1 << index);
        let sets = match line {
            RedDragon => dragon(31),
            GreenDragon => dragon(32),
            WhiteDragon => dragon(33),
            SeatWind => self.pungs(self.seat_wind),
            PrevalentWind => self.pungs(self.prevalent_wind),
            Iipeikou => self.equal_chows(1),
            Ryanpeikou => self.equal_chows(2),
            SanshokuDoujun => self.chows_in_three_suits(),
            Ittsu => self.straight(),
            Sanankou | Suuankou | SuuankouTanki => self.pick(|set| is_pung(set) && set.concealed),
            SanshokuDoukou => self.pungs_in_three_suits(),
            Sankantsu | Suukantsu => self.pick(|set| set.kind == SetKind::Kong),
            Shousangen => [self.pungs(DRAGONS), self.pairs(DRAGONS)].concat(),
            Daisangen => self.pungs(DRAGONS),
            Shousuushii => [self.pungs(WINDS), self.pairs(WINDS)].concat(),
            Daisuushii => self.pungs(WINDS),
            _ => return Vec::new(),
        };
        vec![sets]
    }

    fn pick(&self, wanted: impl Fn(&ScoredSet) -> bool) -> Vec<ScoredSet> {
        self.sets.iter().filter(|set| wanted(set)).cloned().collect()
    }

    /// Returns the pungs and kongs of these kinds.
    fn pungs(&self, kinds: Kinds) -> Vec<ScoredSet> {
        self.pick(|set| is_pung(set) && holds(set, kinds))
    }

    fn pairs(&self, kinds: Kinds) -> Vec<ScoredSet> {
        self.pick(|set| set.kind == SetKind::Pair && holds(set, kinds))
    }

    /// Returns the chows that start at a tile.
    fn chows_at(&self, low: usize) -> Vec<ScoredSet> {
        self.pick(|set| set.kind == SetKind::Chow && set.tiles[0] == Tile::ALL[low])
    }

    /// Returns some pairs of equal chows; four equal chows are two pairs.
    fn equal_chows(&self, pairs: usize) -> Vec<ScoredSet> {
        let pairs_of = |low: usize| {
            let chows = self.chows_at(low);
            chows.chunks_exact(2).map(<[ScoredSet]>::to_vec).collect::<Vec<_>>()
        };
        (0..Tile::KINDS).flat_map(pairs_of).take(pairs).flatten().collect()
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
        lows.into_iter().map(|low| self.chows_at(low).into_iter().next()).collect()
    }

    fn pungs_in_three_suits(&self) -> Vec<ScoredSet> {
        let of_number = |number: usize| self.pungs((1 | 1 << 9 | 1 << 18) << number);
        (0..9).map(of_number).find(|pungs| pungs.len() == 3).unwrap_or_default()
    }
}

/// Returns whether a concealed set is the one that the winning tile completed.
fn is_completed(set: &ScoredSet, completed: Completed, winning: Tile) -> bool {
    let kind = match completed {
        Completed::Pair | Completed::SevenPairs => SetKind::Pair,
        Completed::Pung => SetKind::Pung,
        Completed::Orphans => SetKind::Singles,
        Completed::Chow(chow) => {
            let low = Tile::ALL[usize::from(chow / 7 * 9 + chow % 7)];
            return set.kind == SetKind::Chow && set.tiles[0] == low;
        }
    };
    set.kind == kind && set.tiles.contains(&winning)
}

fn is_pung(set: &ScoredSet) -> bool {
    matches!(set.kind, SetKind::Pung | SetKind::Kong)
}

fn holds(set: &ScoredSet, kinds: Kinds) -> bool {
    kinds >> set.tiles[0].index() & 1 == 1
}
