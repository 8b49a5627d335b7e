//! The sets of a reading as a score shows them, and the choice of those that form a line.

use crate::hand::Hand;
use crate::rules::decompose::decompositions::Decomposition;
use crate::rules::decompose::kinds::{DRAGONS, Kinds, WINDS};
use crate::rules::decompose::sets;
use crate::rules::decompose::shown_sets::ShownSets;
use crate::rules::{ScoredSet, SetKind};
use crate::tile::Tile;

use super::fu::FuSet;
use super::line::Line::{self, *};
use super::readings::Completed;
use super::scorer::Scorer;

/// The sets of a reading: melds in their order, concealed chows, concealed pungs, pairs last.
#[derive(Debug)]
pub(super) struct Pieces {
    sets: ShownSets,
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
        Pieces {
            sets: ShownSets::new(sets),
            seat_wind: scorer.seat_wind,
            prevalent_wind: scorer.prevalent_wind,
        }
    }

    pub(super) fn sets(&self) -> &[ScoredSet] {
        self.sets.all()
    }

    /// Returns the sets that give a part of the fu.
    pub(super) fn giving(&self, set: FuSet) -> Vec<ScoredSet> {
        match set {
            FuSet::None => Vec::new(),
            FuSet::Pung(kind) => self.sets.pungs(kind),
            FuSet::Pair => self.sets.pick(|set| set.kind == SetKind::Pair),
            FuSet::Winning => self.sets.pick(|set| set.winning),
        }
    }

    /// Returns the sets that form a line, one list; none if the whole hand or the win context forms
    /// it.
    pub(super) fn forming(&self, line: Line) -> Vec<Vec<ScoredSet>> {
        let sets = match line {
            RedDragon => self.sets.pungs(1 << 31),
            GreenDragon => self.sets.pungs(1 << 32),
            WhiteDragon => self.sets.pungs(1 << 33),
            SeatWind => self.sets.pungs(self.seat_wind),
            PrevalentWind => self.sets.pungs(self.prevalent_wind),
            Iipeikou => self.sets.identical_chows(2, 1),
            Ryanpeikou => self.sets.identical_chows(2, 2),
            SanshokuDoujun => self.sets.chows_in_three_suits(),
            Ittsu => self.sets.straight(),
            Sanankou | Suuankou | SuuankouTanki => self.sets.concealed_pungs(),
            SanshokuDoukou => self.sets.pungs_in_three_suits(),
            Sankantsu | Suukantsu => self.sets.pick(|set| set.kind == SetKind::Kong),
            Shousangen => [self.sets.pungs(DRAGONS), self.sets.pairs(DRAGONS)].concat(),
            Daisangen => self.sets.pungs(DRAGONS),
            Shousuushii => [self.sets.pungs(WINDS), self.sets.pairs(WINDS)].concat(),
            Daisuushii => self.sets.pungs(WINDS),
            _ => return Vec::new(),
        };
        vec![sets]
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
