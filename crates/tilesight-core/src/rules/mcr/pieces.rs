//! The sets of a decomposition as a score shows them, and the choice of those that form a fan.

use crate::hand::Hand;
use crate::rules::{ScoredSet, SetKind};
use crate::tile::Tile;

use crate::rules::decompose::decompositions::Decomposition;
use crate::rules::decompose::facts::Facts;
use crate::rules::decompose::kinds::{DRAGONS, WINDS};
use crate::rules::decompose::sets;
use crate::rules::decompose::shown_sets::ShownSets;

use super::fan::Fan::{self, *};
use super::fan::FanSet;
use super::tally::{Scorer, wait_shape};

/// The sets of a decomposition: melds in their order, concealed chows, concealed pungs, special
/// sets, the pair last.
#[derive(Debug)]
pub(super) struct Pieces {
    sets: ShownSets,
}

impl Pieces {
    pub(super) fn new(
        facts: &Facts,
        hand: &Hand,
        decomposition: &Decomposition,
        counted: FanSet,
    ) -> Pieces {
        let concealed_pungs = decomposition.concealed_pungs(facts);
        let mut sets = sets::scored_sets(facts, hand, decomposition, concealed_pungs);
        let wait = wait_shape(decomposition, facts.winning).filter(|&wait| counted.contains(wait));
        place_winning_tile(&mut sets[facts.melds.count..], Tile::ALL[facts.winning], wait);
        Pieces { sets: ShownSets::new(sets) }
    }

    pub(super) fn into_sets(self) -> Vec<ScoredSet> {
        self.sets.into_vec()
    }

    /// Returns the chow at a place among the chows of the decomposition.
    pub(super) fn chow(&self, at: usize) -> ScoredSet {
        let mut chows = self.sets.all().iter().filter(|set| set.kind == SetKind::Chow);
        chows.nth(at).expect("a decomposition shows all its chows").clone()
    }

    /// Returns the pung or kong of a kind.
    pub(super) fn pung(&self, tile: usize) -> ScoredSet {
        let mut pungs = self.sets.pungs(1 << tile);
        pungs.pop().expect("a decomposition shows all its pungs")
    }

    /// Returns the sets that form a fan other than a combination of chows or of numbered pungs: one
    /// list for each time it counts. Empty if the whole hand or the win context forms it.
    pub(super) fn forming(
        &self,
        fan: Fan,
        scorer: &Scorer<'_>,
        decomposition: &Decomposition,
    ) -> Vec<Vec<ScoredSet>> {
        let context = &scorer.facts.context;
        match fan {
            BigFourWinds | BigThreeWinds => vec![self.sets.pungs(WINDS)],
            BigThreeDragons | TwoDragonPungs | DragonPung => vec![self.sets.pungs(DRAGONS)],
            LittleFourWinds => vec![self.sets.pungs_and_pairs(WINDS)],
            LittleThreeDragons => vec![self.sets.pungs_and_pairs(DRAGONS)],
            PrevalentWind => vec![self.sets.pungs(1 << context.prevalent.tile().index())],
            SeatWind => vec![self.sets.pungs(1 << context.seat.tile().index())],
            PungOfTerminalsOrHonors => {
                let kinds = scorer.outer_pungs(decomposition, scorer.tally(decomposition).fans);
                self.sets.pungs(kinds).into_iter().map(|pung| vec![pung]).collect()
            }
            FourConcealedPungs | ThreeConcealedPungs | TwoConcealedPungs => {
                vec![self.sets.concealed_pungs()]
            }
            FourKongs | ThreeKongs | MeldedAndConcealedKong => {
                vec![self.sets.pick(|set| set.kind == SetKind::Kong)]
            }
            TwoConcealedKongs | ConcealedKong => {
                vec![self.sets.pick(|set| set.kind == SetKind::Kong && set.concealed)]
            }
            TwoMeldedKongs | MeldedKong => {
                vec![self.sets.pick(|set| set.kind == SetKind::Kong && !set.concealed)]
            }
            TileHog => self.tile_hogs(scorer.facts),
            KnittedStraight => {
                vec![self.sets.pick(|set| matches!(set.kind, SetKind::Knitted | SetKind::Singles))]
            }
            EdgeWait | ClosedWait | SingleWait => vec![self.sets.pick(|set| set.winning)],
            _ => Vec::new(),
        }
    }

    /// Returns the sets that hold a tile of which the hand has four without a kong, one list for
    /// each such tile.
    fn tile_hogs(&self, facts: &Facts) -> Vec<Vec<ScoredSet>> {
        Tile::ALL
            .into_iter()
            .filter(|tile| facts.copies(tile.index()) == 4)
            .filter(|tile| facts.melds.kongs >> tile.index() & 1 == 0)
            .map(|tile| self.sets.pick(|set| set.tiles.contains(&tile)))
            .collect()
    }
}

/// Marks the set that the winning tile completed: the set that makes the wait if a wait counts,
/// otherwise the first that can hold the tile, with pungs last.
fn place_winning_tile(concealed: &mut [ScoredSet], tile: Tile, wait: Option<Fan>) {
    let fitting = concealed.iter_mut().filter(|set| completes(tile, set, wait));
    if let Some(set) = fitting.min_by_key(|set| set.kind == SetKind::Pung) {
        set.winning = true;
    }
}

/// Returns whether a tile can have completed a set, and, if a wait is given, in the form of that
/// wait.
fn completes(tile: Tile, set: &ScoredSet, wait: Option<Fan>) -> bool {
    let Some(at) = set.tiles.iter().position(|&other| other == tile) else { return false };
    match (wait, set.kind) {
        (None, _) | (Some(SingleWait), SetKind::Pair) => true,
        (Some(ClosedWait), SetKind::Chow) => at == 1,
        (Some(EdgeWait), SetKind::Chow) => {
            matches!((at, set.tiles[0].number()), (2, Some(1)) | (0, Some(7)))
        }
        _ => false,
    }
}
