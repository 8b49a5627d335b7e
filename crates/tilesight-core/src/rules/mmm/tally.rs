//! The count of each line in one decomposition of a hand, without explanations.
//!
//! Input: [`Facts`] and a [`Decomposition`]. Output: a [`LineTally`], which both layers use, so
//! they always agree. Invariant: nothing here allocates, and decompositions that are not a win in
//! this game (thirteen orphans, knitted tiles) have no tally.

use crate::rules::decompose::decompositions::{Decomposition, Shape};
use crate::rules::decompose::facts::Facts;
use crate::rules::decompose::kinds::{self, DRAGONS, Kinds, WINDS, is_within, kind_of};
use crate::tile::{Tile, Wind};

use super::hand_value::HandValue;
use super::line::Line::{self, *};
use super::line::LineCounts;
use super::options::Options;
use super::{Mmm, whole_hand};

/// Ones, nines, winds and dragons.
const OFFICERS: Kinds = kinds::TERMINALS_AND_HONORS;

/// Kinds of chows that hold a one or a nine, one bit each.
const OFFICER_CHOWS: u32 = 0b1000001_1000001_1000001;

/// All chows of one suit. The next constant has the chows that start at 1, 4 and 7.
const CHOWS_OF_A_SUIT: u32 = 0x7f;
const STRAIGHT: u32 = 0b1001001;

/// Paragraphs whose parts add up, each with its parts.
pub(super) const PARTS: [&[Line]; 5] = [
    &[IdenticalChows, ThreeIdenticalChows, TwoSetsOfIdenticalChows],
    &[SameChowInThreeSuits, SameChowConcealed],
    &[Straight, StraightConcealed],
    &[OnlyOfficers, OnlyOfficersConcealed, OnlyOfficersWithoutChows, OnlyOfficersWithoutHonours],
    &[OneSuit, OneSuitWithoutHonours, OneSuitConcealed],
];

/// Lines of the kinds of tiles; seven pairs combine with them if the options allow it.
const OF_KINDS: [Line; 7] = [
    NoOfficers,
    OneSuit,
    OneSuitWithoutHonours,
    OneSuitConcealed,
    OnlyOnesAndNines,
    OnlyHonours,
    Jade,
];

/// The count of each line in a decomposition.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineTally {
    /// Lines that count.
    pub(super) counts: LineCounts,
    /// Lines that the decomposition shows, including parts that do not count beside a better part.
    pub(super) shown: LineCounts,
}

/// A hand to be scored: the properties that all its decompositions share.
pub(super) struct Scorer<'a> {
    pub(super) options: &'a Options,
    pub(super) facts: &'a Facts,
    shared: LineCounts,
    /// Whether no tile was called except the winning one.
    concealed: bool,
}

impl<'a> Scorer<'a> {
    pub(super) fn new(rules: &'a Mmm, facts: &'a Facts) -> Scorer<'a> {
        let options = &rules.options;
        let shared = whole_hand::counts(facts, options);
        Scorer { options, facts, shared, concealed: facts.melds.is_concealed() }
    }

    /// Returns the tally of a decomposition; `None` if it is not a win in this game.
    pub(super) fn tally(&self, decomposition: &Decomposition) -> Option<LineTally> {
        let mut shown = self.shared;
        match decomposition.shape {
            Shape::Regular => self.add_sets(decomposition, &mut shown),
            Shape::Pairs
                if self.options.four_alike_are_two_pairs || self.facts.tile_hogs(true) == 0 =>
            {
                self.add_pairs(&mut shown);
            }
            _ => return None,
        }
        if shown.get(FullyConcealed) > 0 && !self.options.self_draw_points_when_fully_concealed {
            shown.set(SelfDraw, 0);
        }
        let points = shown.points();
        shown.set_if(ExtraHalf, (20..40).contains(&points));
        shown.set_if(ExtraWhole, points >= 40);
        let counts = if self.options.parts_add_up { shown } else { best_parts(shown) };
        Some(LineTally { counts, shown })
    }

    /// Returns the pungs and kongs that count as concealed.
    pub(super) fn concealed_pungs(&self, decomposition: &Decomposition) -> Kinds {
        if self.options.won_pung_is_open {
            decomposition.concealed_pungs(self.facts)
        } else {
            self.facts.melds.concealed_kongs | decomposition.hidden_pungs
        }
    }

    /// Adds the lines of four sets and a pair.
    fn add_sets(&self, decomposition: &Decomposition, counts: &mut LineCounts) {
        self.add_points(decomposition, counts);
        self.add_chows(decomposition, counts);
        self.add_pungs(decomposition, counts);
        self.add_honours(decomposition, counts);
        let chows = is_within(Kinds::from(decomposition.chow_kinds()), Kinds::from(OFFICER_CHOWS));
        let pair = !self.options.officers_in_pair || is_within(decomposition.pair, OFFICERS);
        let officers = is_within(decomposition.pungs, OFFICERS) && chows && pair;
        self.add_officers(officers, decomposition.chow_count == 0, counts);
    }

    /// Adds the points of pungs, kongs and the pair (1.1).
    fn add_points(&self, decomposition: &Decomposition, counts: &mut LineCounts) {
        let kongs = self.facts.melds.kongs;
        let concealed = self.concealed_pungs(decomposition);
        for (line, kinds) in pungs_by_points(decomposition.pungs, kongs, concealed) {
            counts.set(line, kinds.count_ones());
        }
        let own = self.own_wind();
        let round = self.round_wind();
        let twice = self.options.double_wind_pair_counts_twice || own != round;
        counts.set_if(DragonPair, decomposition.pair & DRAGONS != 0);
        counts.set_if(OwnWindPair, decomposition.pair & own != 0);
        counts.set_if(RoundWindPair, decomposition.pair & round != 0 && twice);
    }

    /// Adds the lines of 1.2.2 and 1.2.11 to 1.2.13.
    fn add_chows(&self, decomposition: &Decomposition, counts: &mut LineCounts) {
        let chows = &decomposition.chows[..decomposition.chow_count];
        let concealed = self.concealed || !self.options.only_chows_must_be_concealed;
        counts.set_if(OnlyChows, chows.len() == 4 && concealed);
        if chows.len() < 2 {
            return;
        }
        let alike = alike(chows);
        let four = alike == 6 && self.options.four_identical_chows_are_two_sets;
        counts.set_if(IdenticalChows, self.concealed && alike >= 1);
        counts.set_if(ThreeIdenticalChows, self.concealed && alike >= 3);
        counts.set_if(TwoSetsOfIdenticalChows, self.concealed && (alike == 2 || four));

        let kinds = decomposition.chow_kinds();
        let same = kinds & kinds >> 7 & kinds >> 14 & CHOWS_OF_A_SUIT != 0;
        let straight = [0, 7, 14].iter().any(|suit| kinds >> suit & STRAIGHT == STRAIGHT);
        counts.set_if(SameChowInThreeSuits, same);
        counts.set_if(SameChowConcealed, same && self.concealed);
        counts.set_if(Straight, straight);
        counts.set_if(StraightConcealed, straight && self.concealed);
    }

    /// Adds the lines of 1.2.15, 1.2.16, 1.2.18 and 1.2.28; kongs are the same in all
    /// decompositions.
    fn add_pungs(&self, decomposition: &Decomposition, counts: &mut LineCounts) {
        let pungs = decomposition.pungs;
        let concealed = self.concealed_pungs(decomposition).count_ones();
        counts.set_if(OnlyPungs, decomposition.chow_count == 0);
        counts.set_if(SamePungInThreeSuits, pungs & pungs >> 9 & pungs >> 18 & 0x1ff != 0);
        counts.set_if(ThreeConcealedPungs, concealed >= 3);
        counts.set_if(FourConcealedPungs, concealed == 4);
    }

    /// Adds the lines of 1.2.8, 1.2.9, 1.2.19 and 1.2.22 to 1.2.24.
    fn add_honours(&self, decomposition: &Decomposition, counts: &mut LineCounts) {
        let dragons = (decomposition.pungs & DRAGONS).count_ones();
        let winds = (decomposition.pungs & WINDS).count_ones();
        counts.set(Dragons, dragons);
        counts.set_if(OwnWind, decomposition.pungs & self.own_wind() != 0);
        counts.set_if(RoundWind, decomposition.pungs & self.round_wind() != 0);
        counts.set_if(SmallDragons, dragons == 2 && decomposition.pair & DRAGONS != 0);
        counts.set_if(BigDragons, dragons == 3);
        counts.set_if(SmallWinds, winds == 3 && decomposition.pair & WINDS != 0);
        counts.set_if(BigWinds, winds == 4);
    }

    /// Adds the lines of 1.2.14 with its parts.
    fn add_officers(&self, officers: bool, without_chows: bool, counts: &mut LineCounts) {
        let without_honors = self.facts.kinds & kinds::HONORS == 0;
        counts.set_if(OnlyOfficers, officers);
        counts.set_if(OnlyOfficersConcealed, officers && self.concealed);
        counts.set_if(OnlyOfficersWithoutChows, officers && without_chows);
        counts.set_if(OnlyOfficersWithoutHonours, officers && without_honors);
    }

    /// Adds the lines of seven pairs.
    fn add_pairs(&self, counts: &mut LineCounts) {
        counts.set_if(SevenPairs, true);
        if !self.options.seven_pairs_are_fully_concealed {
            counts.set(FullyConcealed, 0);
        }
        if self.options.seven_pairs_combine {
            self.add_officers(is_within(self.facts.kinds, OFFICERS), true, counts);
        } else {
            OF_KINDS.into_iter().for_each(|line| counts.set(line, 0));
        }
        if self.options.seven_pairs_have_points {
            let own = self.own_wind();
            let round = self.round_wind();
            let twice = self.options.double_wind_pair_counts_twice || own != round;
            counts.set(DragonPair, self.pairs_of(DRAGONS));
            counts.set(OwnWindPair, self.pairs_of(own));
            counts.set(RoundWindPair, if twice { self.pairs_of(round) } else { 0 });
        }
    }

    /// Returns the number of pairs of some kinds in a hand of seven pairs.
    fn pairs_of(&self, kinds: Kinds) -> u32 {
        let tiles = (0..Tile::KINDS).filter(|tile| kinds >> tile & 1 == 1);
        tiles.map(|tile| self.facts.copies(tile) as u32 / 2).sum()
    }

    pub(super) const fn own_wind(&self) -> Kinds {
        kind_of(self.facts.context.seat)
    }

    pub(super) const fn round_wind(&self) -> Kinds {
        kind_of(self.facts.context.prevalent)
    }
}

impl LineTally {
    pub(super) fn hand_value(&self, scorer: &Scorer<'_>) -> HandValue {
        let is_east = scorer.facts.context.seat == Wind::East;
        HandValue::new(&self.counts, scorer.options, is_east)
    }
}

/// Returns the pungs and kongs by the lines of their points.
pub(super) const fn pungs_by_points(
    pungs: Kinds,
    kongs: Kinds,
    concealed: Kinds,
) -> [(Line, Kinds); 8] {
    let plain = pungs & !OFFICERS;
    let officers = pungs & OFFICERS;
    [
        (OpenPung, plain & !kongs & !concealed),
        (ConcealedPung, plain & !kongs & concealed),
        (OpenOfficerPung, officers & !kongs & !concealed),
        (ConcealedOfficerPung, officers & !kongs & concealed),
        (OpenKong, plain & kongs & !concealed),
        (ConcealedKong, plain & kongs & concealed),
        (OpenOfficerKong, officers & kongs & !concealed),
        (ConcealedOfficerKong, officers & kongs & concealed),
    ]
}

/// Returns the number of pairs of identical chows that can be picked: 1 of two, 2 of two and two, 3
/// of three, 6 of four.
fn alike(chows: &[u8]) -> usize {
    (0..chows.len())
        .map(|at| chows[at + 1..].iter().filter(|&&other| other == chows[at]).count())
        .sum()
}

/// Keeps only the most valuable part of each paragraph with parts, the first among equals.
fn best_parts(mut counts: LineCounts) -> LineCounts {
    for parts in PARTS {
        if let Some(best) = best_part(&counts, parts) {
            parts.iter().filter(|&&part| part != best).for_each(|&part| counts.set(part, 0));
        }
    }
    counts
}

/// Returns the most valuable of the parts that are shown, the first among equals.
pub(super) fn best_part(counts: &LineCounts, parts: &[Line]) -> Option<Line> {
    let shown = parts.iter().copied().filter(|&part| counts.get(part) > 0);
    shown.reduce(|best, part| if part.adds() > best.adds() { part } else { best })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identical_chows_are_told_apart_by_how_many_pairs_they_make() {
        for (chows, expected) in [
            ([1, 2, 3, 4], 0),
            ([1, 2, 1, 4], 1),
            ([1, 2, 2, 1], 2),
            ([5, 5, 1, 5], 3),
            ([7; 4], 6),
        ] {
            assert_eq!(alike(&chows), expected, "{chows:?}");
        }
    }

    #[test]
    fn only_the_best_part_counts_where_parts_do_not_add_up() {
        let mut counts = LineCounts::NONE;
        for line in [OneSuit, OneSuitWithoutHonours, OneSuitConcealed, OnlyOfficers, Jade] {
            counts.set_if(line, true);
        }
        counts.set_if(OnlyOfficersConcealed, true);
        let best = best_parts(counts);
        assert_eq!(best.doublings(), 3 + 1 + 12);
        assert_eq!(best.get(OnlyOfficers), 1);
    }
}
