//! The sets of a decomposition as a score shows them, and the choice of those that form a line.

use crate::context::Context;
use crate::hand::Hand;
use crate::rules::ScoredSet;
use crate::rules::decompose::decompositions::Decomposition;
use crate::rules::decompose::facts::Facts;
use crate::rules::decompose::kinds::{DRAGONS, WINDS};
use crate::rules::decompose::sets;
use crate::rules::decompose::shown_sets::{ShownSets, each, is_pung, place_winning_tile};
use crate::tile::Wind;

use super::line::Line::{self, *};

/// The sets of a decomposition: melds in their order, concealed chows, concealed pungs, pairs last.
#[derive(Debug)]
pub(super) struct Pieces {
    sets: ShownSets,
    seat: Wind,
    prevalent: Wind,
}

impl Pieces {
    pub(super) fn new(facts: &Facts, hand: &Hand, decomposition: &Decomposition) -> Pieces {
        let concealed = decomposition.concealed_pungs(facts);
        let mut sets = sets::scored_sets(facts, hand, decomposition, concealed);
        place_winning_tile(&mut sets[facts.melds.count..], hand.winning());
        let Context { seat, prevalent, .. } = facts.context;
        Pieces { sets: ShownSets::new(sets), seat, prevalent }
    }

    pub(super) fn into_sets(self) -> Vec<ScoredSet> {
        self.sets.into_vec()
    }

    /// Returns the sets that form a line: one list for each time it counts. Empty if the whole hand
    /// or the win context forms it.
    pub(super) fn forming(&self, line: Line) -> Vec<Vec<ScoredSet>> {
        match line {
            Dragon => each(self.sets.pungs(DRAGONS)),
            SeatWind => vec![self.sets.pungs(1 << self.seat.tile().index())],
            PrevalentWind => vec![self.sets.pungs(1 << self.prevalent.tile().index())],
            SmallThreeDragons => vec![self.sets.pungs_and_pairs(DRAGONS)],
            BigThreeDragons => vec![self.sets.pungs(DRAGONS)],
            SmallFourWinds => vec![self.sets.pungs_and_pairs(WINDS)],
            BigFourWinds => vec![self.sets.pungs(WINDS)],
            FourConcealedPungs | AllKongs => vec![self.sets.pick(is_pung)],
            _ => Vec::new(),
        }
    }
}
