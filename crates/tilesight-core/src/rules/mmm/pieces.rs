//! The sets of a decomposition as a score shows them, and the choice of those that form a line.

use crate::hand::Hand;
use crate::rules::decompose::decompositions::Decomposition;
use crate::rules::decompose::kinds::{DRAGONS, Kinds, WINDS};
use crate::rules::decompose::sets;
use crate::rules::decompose::shown_sets::{ShownSets, each, place_winning_tile};
use crate::rules::{ScoredSet, SetKind};

use super::line::Line::{self, *};
use super::tally::{Scorer, pungs_by_points};

/// The sets of a decomposition: melds in their order, concealed chows, concealed pungs, pairs last.
#[derive(Debug)]
pub(super) struct Pieces {
    sets: ShownSets,
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
            sets: ShownSets::new(sets),
            points: pungs_by_points(decomposition.pungs, scorer.facts.melds.kongs, concealed),
            own_wind: scorer.own_wind(),
            round_wind: scorer.round_wind(),
        }
    }

    pub(super) fn sets(&self) -> &[ScoredSet] {
        self.sets.all()
    }

    /// Returns the sets that form a line: one list for each time it counts. Empty if the whole hand
    /// or the win context forms it.
    pub(super) fn forming(&self, line: Line) -> Vec<Vec<ScoredSet>> {
        if let Some((_, kinds)) = self.points.iter().find(|(points, _)| *points == line) {
            return each(self.sets.pungs(*kinds));
        }
        match line {
            DragonPair => each(self.sets.pairs(DRAGONS)),
            OwnWindPair => each(self.sets.pairs(self.own_wind)),
            RoundWindPair => each(self.sets.pairs(self.round_wind)),
            Dragons => each(self.sets.pungs(DRAGONS)),
            OwnWind => each(self.sets.pungs(self.own_wind)),
            RoundWind => each(self.sets.pungs(self.round_wind)),
            IdenticalChows => vec![self.sets.identical_chows(2, 1)],
            ThreeIdenticalChows => vec![self.sets.identical_chows(3, 1)],
            TwoSetsOfIdenticalChows => vec![self.sets.identical_chows(2, 2)],
            SameChowInThreeSuits | SameChowConcealed => vec![self.sets.chows_in_three_suits()],
            Straight | StraightConcealed => vec![self.sets.straight()],
            SamePungInThreeSuits => vec![self.sets.pungs_in_three_suits()],
            ThreeKongs | FourKongs => vec![self.sets.pick(|set| set.kind == SetKind::Kong)],
            ThreeConcealedPungs | FourConcealedPungs => {
                vec![self.sets.concealed_pungs()]
            }
            SmallDragons => vec![[self.sets.pungs(DRAGONS), self.sets.pairs(DRAGONS)].concat()],
            SmallWinds => vec![[self.sets.pungs(WINDS), self.sets.pairs(WINDS)].concat()],
            BigDragons => vec![self.sets.pungs(DRAGONS)],
            BigWinds => vec![self.sets.pungs(WINDS)],
            _ => Vec::new(),
        }
    }
}
