//! The sets of a decomposition as a score shows them, and the choice of those that form a fan.

use crate::hand::Hand;
use crate::rules::{ScoredSet, SetKind};
use crate::tile::Tile;

use super::fan::Fan::{self, *};
use super::fan::FanSet;
use super::tally::{Scorer, wait_shape};
use crate::rules::decompose::decompositions::Decomposition;
use crate::rules::decompose::facts::Facts;
use crate::rules::decompose::kinds::{DRAGONS, Kinds, WINDS};
use crate::rules::decompose::sets;

/// The sets of a decomposition: melds in their order, concealed chows, concealed pungs, special
/// sets, the pair last.
#[derive(Debug)]
pub(super) struct Pieces {
    sets: Vec<ScoredSet>,
}

impl Pieces {
    pub(super) fn new(
        facts: &Facts,
        hand: &Hand,
        decomposition: &Decomposition,
        counted: FanSet,
    ) -> Pieces {
        let sets =
            sets::scored_sets(facts, hand, decomposition, decomposition.concealed_pungs(facts));
        let mut pieces = Pieces { sets };
        pieces.place_winning_tile(facts, decomposition, counted);
        pieces
    }

    /// Marks the set that the winning tile completed: the set that makes the wait if a wait counts,
    /// otherwise the first that can hold the tile, with pungs last.
    fn place_winning_tile(
        &mut self,
        facts: &Facts,
        decomposition: &Decomposition,
        counted: FanSet,
    ) {
        let tile = Tile::ALL[facts.winning];
        let wait = wait_shape(decomposition, facts.winning).filter(|&wait| counted.contains(wait));
        let concealed = &mut self.sets[facts.melds.count..];
        let fitting = concealed.iter_mut().filter(|set| completes(tile, set, wait));
        if let Some(set) = fitting.min_by_key(|set| set.kind == SetKind::Pung) {
            set.winning = true;
        }
    }

    pub(super) fn into_sets(self) -> Vec<ScoredSet> {
        self.sets
    }

    /// Returns the chow at a place among the chows of the decomposition.
    pub(super) fn chow(&self, at: usize) -> ScoredSet {
        let mut chows = self.sets.iter().filter(|set| set.kind == SetKind::Chow);
        chows.nth(at).expect("a decomposition shows all its chows").clone()
    }

    /// Returns the pung or kong of a kind.
    pub(super) fn pung(&self, tile: usize) -> ScoredSet {
        let mut pungs = self.pungs(1 << tile);
        pungs.pop().expect("a decomposition shows all its pungs")
    }

    /// Returns the pungs and kongs of these kinds.
    fn pungs(&self, kinds: Kinds) -> Vec<ScoredSet> {
        self.pick(|set| is_pung(set) && holds(set, kinds))
    }

    fn pick(&self, wanted: impl Fn(&ScoredSet) -> bool) -> Vec<ScoredSet> {
        self.sets.iter().filter(|set| wanted(set)).cloned().collect()
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
        let with_pair = |kinds| self.pick(|set| set.kind != SetKind::Chow && holds(set, kinds));
        let kongs = |concealed: &[bool]| {
            self.pick(|set| set.kind == SetKind::Kong && concealed.contains(&set.concealed))
        };
        match fan {
            BigFourWinds | BigThreeWinds => vec![self.pungs(WINDS)],
            BigThreeDragons | TwoDragonPungs | DragonPung => vec![self.pungs(DRAGONS)],
            LittleFourWinds => vec![with_pair(WINDS)],
            LittleThreeDragons => vec![with_pair(DRAGONS)],
            PrevalentWind => vec![self.pungs(1 << context.prevalent.tile().index())],
            SeatWind => vec![self.pungs(1 << context.seat.tile().index())],
            PungOfTerminalsOrHonors => {
                let kinds = scorer.outer_pungs(decomposition, scorer.tally(decomposition).fans);
                self.pungs(kinds).into_iter().map(|pung| vec![pung]).collect()
            }
            FourConcealedPungs | ThreeConcealedPungs | TwoConcealedPungs => {
                vec![self.pick(|set| is_pung(set) && set.concealed)]
            }
            FourKongs | ThreeKongs | MeldedAndConcealedKong => vec![kongs(&[true, false])],
            TwoConcealedKongs | ConcealedKong => vec![kongs(&[true])],
            TwoMeldedKongs | MeldedKong => vec![kongs(&[false])],
            TileHog => self.tile_hogs(scorer.facts),
            KnittedStraight => {
                vec![self.pick(|set| matches!(set.kind, SetKind::Knitted | SetKind::Singles))]
            }
            EdgeWait | ClosedWait | SingleWait => vec![self.pick(|set| set.winning)],
            _ => Vec::new(),
        }
    }

    /// Returns the sets that hold a tile of which the hand has four without a kong, one list for
    /// each such tile.
    fn tile_hogs(&self, facts: &Facts) -> Vec<Vec<ScoredSet>> {
        let is_hog = |tile: &Tile| {
            facts.copies(tile.index()) == 4 && facts.melds.kongs >> tile.index() & 1 == 0
        };
        let hogs = Tile::ALL.into_iter().filter(is_hog);
        hogs.map(|tile| self.pick(|set| set.tiles.contains(&tile))).collect()
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

fn is_pung(set: &ScoredSet) -> bool {
    matches!(set.kind, SetKind::Pung | SetKind::Kong)
}

fn holds(set: &ScoredSet, kinds: Kinds) -> bool {
    kinds >> set.tiles[0].index() & 1 == 1
}
