//! The sets of a decomposition as a score shows them, and the choice of those that form a line.

use crate::context::Context;
use crate::hand::Hand;
use crate::rules::decompose::decompositions::Decomposition;
use crate::rules::decompose::facts::Facts;
use crate::rules::decompose::kinds::{DRAGONS, Kinds, WINDS};
use crate::rules::decompose::sets;
use crate::rules::{ScoredSet, SetKind};
use crate::tile::Wind;

use super::line::Line::{self, *};

/// The sets of a decomposition: melds in their order, concealed chows, concealed pungs, pairs last.
#[derive(Debug)]
pub(super) struct Pieces {
    sets: Vec<ScoredSet>,
    seat: Wind,
    prevalent: Wind,
}

impl Pieces {
    pub(super) fn new(facts: &Facts, hand: &Hand, decomposition: &Decomposition) -> Pieces {
        let concealed = decomposition.concealed_pungs(facts);
        let mut sets = sets::scored_sets(facts, hand, decomposition, concealed);
        // The winning tile completed the first set that can hold it, with pungs last.
        let tile = hand.winning();
        let in_hand = sets[facts.melds.count..].iter_mut();
        let fitting = in_hand.filter(|set| set.tiles.contains(&tile));
        if let Some(set) = fitting.min_by_key(|set| set.kind == SetKind::Pung) {
            set.winning = true;
        }
        let Context { seat, prevalent, .. } = facts.context;
        Pieces { sets, seat, prevalent }
    }

    pub(super) fn into_sets(self) -> Vec<ScoredSet> {
        self.sets
    }

    /// Returns the sets that form a line: one list for each time it counts. Empty if the whole hand
    /// or the win context forms it.
    pub(super) fn forming(&self, line: Line) -> Vec<Vec<ScoredSet>> {
        match line {
            Dragon => self.pungs(DRAGONS).into_iter().map(|pung| vec![pung]).collect(),
            SeatWind => vec![self.pungs(1 << self.seat.tile().index())],
            PrevalentWind => vec![self.pungs(1 << self.prevalent.tile().index())],
            SmallThreeDragons => vec![self.same(DRAGONS)],
            BigThreeDragons => vec![self.pungs(DRAGONS)],
            SmallFourWinds => vec![self.same(WINDS)],
            BigFourWinds => vec![self.pungs(WINDS)],
            FourConcealedPungs | AllKongs => vec![self.pick(is_pung)],
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

    /// Returns the pungs, kongs and pairs of these kinds.
    fn same(&self, kinds: Kinds) -> Vec<ScoredSet> {
        self.pick(|set| set.kind != SetKind::Chow && holds(set, kinds))
    }
}

fn is_pung(set: &ScoredSet) -> bool {
    matches!(set.kind, SetKind::Pung | SetKind::Kong)
}

fn holds(set: &ScoredSet, kinds: Kinds) -> bool {
    kinds >> set.tiles[0].index() & 1 == 1
}
