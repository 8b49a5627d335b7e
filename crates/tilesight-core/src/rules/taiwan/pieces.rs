//! The sets of a reading as a score shows them, and the choice of those that form a line.

use crate::context::Context;
use crate::hand::Hand;
use crate::rules::decompose::decompositions::chows_with;
use crate::rules::decompose::facts::Facts;
use crate::rules::decompose::kinds::{DRAGONS, Kinds, TERMINALS_AND_HONORS, WINDS};
use crate::rules::decompose::sets::{concealed_set, scored_set, scored_sets, tiles_of};
use crate::rules::decompose::shown_sets::{ShownSets, each, is_pung, place_winning_tile};
use crate::rules::{ScoredSet, SetKind};
use crate::tile::{Tile, Wind};

use super::line::Line::{self, *};
use super::readings::{Completed, FiveSets, Reading};
use super::special::Special;

/// The sets of a reading: melds in their order, concealed chows, concealed pungs, pairs last.
#[derive(Debug)]
pub(super) struct Pieces {
    sets: ShownSets,
    seat: Wind,
    prevalent: Wind,
}

impl Pieces {
    pub(super) fn new(facts: &Facts, hand: &Hand, reading: &Reading) -> Pieces {
        let sets = match reading {
            Reading::Sets(sets, completed) => regular(facts, hand, sets, *completed),
            Reading::Special(special) => {
                let mut sets = special_sets(facts, *special);
                place_winning_tile(&mut sets, hand.winning());
                sets
            }
        };
        Pieces::from_sets(sets, &facts.context)
    }

    /// Returns the sets of a win by bonus tiles alone: its tiles form none.
    pub(super) fn from_bonus_win(facts: &Facts, hand: &Hand) -> Pieces {
        let tiles: Vec<Tile> = hand.concealed().iter().chain([hand.winning()]).collect();
        let melds = hand.melds().map(scored_set);
        let sets = melds.chain([concealed_set(SetKind::Singles, tiles)]).collect();
        Pieces::from_sets(sets, &facts.context)
    }

    fn from_sets(sets: Vec<ScoredSet>, context: &Context) -> Pieces {
        let Context { seat, prevalent, .. } = *context;
        Pieces { sets: ShownSets::new(sets), seat, prevalent }
    }

    pub(super) fn into_sets(self) -> Vec<ScoredSet> {
        self.sets.into_vec()
    }

    /// Returns the sets that form a line: one list for each time it counts. Empty if the whole hand
    /// or the win context forms it.
    pub(super) fn forming(&self, line: Line) -> Vec<Vec<ScoredSet>> {
        let sets = &self.sets;
        match line {
            Dragon => each(sets.pungs(DRAGONS)),
            Wind => each(sets.pungs(WINDS)),
            SeatWind => vec![sets.pungs(1 << self.seat.tile().index())],
            PrevalentWind => vec![sets.pungs(1 << self.prevalent.tile().index())],
            SmallThreeDragons => vec![sets.pungs_and_pairs(DRAGONS)],
            BigThreeDragons => vec![sets.pungs(DRAGONS)],
            SmallFourWinds => vec![sets.pungs_and_pairs(WINDS)],
            BigFourWinds => vec![sets.pungs(WINDS)],
            ThreeConcealedPungs | FourConcealedPungs | FiveConcealedPungs => {
                vec![sets.concealed_pungs()]
            }
            ExposedKong => each(sets.pick(|set| set.kind == SetKind::Kong && !set.concealed)),
            ConcealedKong => each(sets.pick(|set| set.kind == SetKind::Kong && set.concealed)),
            FourKongs | FiveKongs => vec![sets.pick(|set| set.kind == SetKind::Kong)],
            AllPungs => vec![sets.pick(is_pung)],
            AllChows => vec![sets.pick(|set| set.kind == SetKind::Chow)],
            SingleWait => vec![sets.pick(|set| set.winning)],
            _ => Vec::new(),
        }
    }
}

/// Returns the sets of five sets and a pair, and marks the one that the winning tile completed.
fn regular(facts: &Facts, hand: &Hand, sets: &FiveSets, completed: Completed) -> Vec<ScoredSet> {
    let claimed = completed == Completed::Pung && !facts.self_drawn;
    let concealed: Kinds = if claimed { !(1 << facts.winning) } else { Kinds::MAX };
    let mut shown = scored_sets(facts, hand, sets, concealed);
    let tile = hand.winning();
    let concealed = &mut shown[facts.melds.count..];
    let place = concealed.iter().position(|set| match completed {
        Completed::Chow(chow) => {
            set.kind == SetKind::Chow
                && chows_with(set.tiles[1].index()) >> chow & 1 == 1
                && chow == 7 * (set.tiles[0].index() / 9) + set.tiles[0].index() % 9
        }
        Completed::Pung => set.kind == SetKind::Pung && set.tiles[0] == tile,
        Completed::Pair => set.kind == SetKind::Pair,
    });
    if let Some(set) = place.and_then(|place| concealed.get_mut(place)) {
        set.winning = true;
    }
    shown
}

/// Returns the sets of a special hand.
fn special_sets(facts: &Facts, special: Special) -> Vec<ScoredSet> {
    match special {
        Special::SevenPairs(pung) => {
            let of_pung = tiles_of(pung).map(|tile| concealed_set(SetKind::Pung, vec![tile; 3]));
            let pairs = tiles_of(facts.kinds & !pung)
                .flat_map(|tile| std::iter::repeat_n(tile, facts.copies(tile.index()) / 2))
                .map(|tile| concealed_set(SetKind::Pair, vec![tile; 2]));
            of_pung.chain(pairs).collect()
        }
        Special::ThirteenOrphans { pair, set, is_pung } => {
            let low = Tile::ALL[set];
            let of_set = if is_pung {
                concealed_set(SetKind::Pung, vec![low; 3])
            } else {
                concealed_set(SetKind::Chow, Tile::ALL[set..set + 3].to_vec())
            };
            let mut orphans: Vec<Tile> =
                tiles_of(TERMINALS_AND_HONORS).chain(tiles_of(pair)).collect();
            orphans.sort_unstable();
            vec![of_set, concealed_set(SetKind::Singles, orphans)]
        }
    }
}
