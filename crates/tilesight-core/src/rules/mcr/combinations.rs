//! Fans of two to four chows, or of two to four pungs, and the choice of those that count together.
//!
//! Sets that are combined by one fan may be combined with further sets only once: the fans that
//! count form a forest over the sets (the account-once principle). No set serves the same fan twice
//! (non-identical). The choice with most points counts. [`groups`] lists the fans that four sets
//! show, [`choose`] picks among them; [`CHOWS`] holds the result for every four chows, because the
//! quick path needs it.

use std::sync::LazyLock;

use crate::rules::decompose::decompositions::NO_CHOW;
use crate::rules::decompose::facts::CHOW_KINDS;

use super::fan::Fan::{self, *};

/// Number of kinds of chows in a suit. A chow has the number suit times 7 plus start, a pung suit
/// times 9 plus number.
const CHOWS_IN_SUIT: u8 = 7;
const PUNGS_IN_SUIT: u8 = 9;

/// Sets, out of up to four, that form a fan together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SetGroup {
    pub(super) fan: Fan,
    /// Sets of the group, one bit each.
    pub(super) sets: u8,
}

impl SetGroup {
    /// Returns whether a set serves the same fan in both groups.
    const fn uses_sets_of(self, other: SetGroup) -> bool {
        self.fan as u8 == other.fan as u8 && self.sets & other.sets != 0
    }
}

/// Maximum number of groups: four sets have six pairs, four triples and one quadruple.
const MAX_GROUPS: usize = 11;

/// All groups that up to four sets form, by falling points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Groups {
    all: [SetGroup; MAX_GROUPS],
    count: usize,
}

impl Groups {
    pub(super) fn as_slice(&self) -> &[SetGroup] {
        &self.all[..self.count]
    }

    /// Removes the group of all four sets with this fan, if it is present.
    pub(super) fn remove(&mut self, fan: Fan) {
        if let Some(at) = self.as_slice().iter().position(|group| group.fan == fan) {
            self.all.copy_within(at + 1..self.count, at);
            self.count -= 1;
        }
    }
}

/// A set as patterns see it: suit and number.
type SuitAndNumber = (u8, u8);

/// Function that returns the fan of two to four sets, if they form one.
type FanPattern = fn(&[SuitAndNumber]) -> Option<Fan>;

/// Returns all fans that chows form.
pub(super) fn chow_groups(chows: &[u8]) -> Groups {
    groups(chows, CHOWS_IN_SUIT, name_of_chows)
}

/// Returns all fans that pungs of numbers form.
pub(super) fn pung_groups(pungs: &[u8]) -> Groups {
    groups(pungs, PUNGS_IN_SUIT, name_of_pungs)
}

fn groups(sets: &[u8], in_suit: u8, name: FanPattern) -> Groups {
    let mut groups = Groups { all: [SetGroup { fan: FlowerTiles, sets: 0 }; MAX_GROUPS], count: 0 };
    for mask in 1u8..1 << sets.len() {
        let mut places = [(0, 0); 4];
        let mut count = 0;
        for (index, &set) in sets.iter().enumerate() {
            if mask >> index & 1 == 1 {
                places[count] = (set / in_suit, set % in_suit);
                count += 1;
            }
        }
        let places = &mut places[..count];
        places.sort_unstable();
        if let Some(fan) = name(places) {
            groups.all[groups.count] = SetGroup { fan, sets: mask };
            groups.count += 1;
        }
    }
    groups.all[..groups.count].sort_by_key(|group| group.fan);
    groups
}

/// Returns whether the numbers rise by `step` from each place to the next.
fn rises(places: &[SuitAndNumber], step: u8) -> bool {
    places.windows(2).all(|pair| pair[0].1 + step == pair[1].1)
}

fn same_suit(places: &[SuitAndNumber]) -> bool {
    places.iter().all(|place| place.0 == places[0].0)
}

fn three_suits(places: &[SuitAndNumber]) -> bool {
    places.len() == 3 && places[0].0 < places[1].0 && places[1].0 < places[2].0
}

/// Returns the places by number, whatever their suits.
fn sort_by_number(places: &[SuitAndNumber]) -> [SuitAndNumber; 3] {
    let mut sorted = [places[0], places[1], places[2]];
    sorted.sort_unstable_by_key(|place| place.1);
    sorted
}

/// Returns the fan of chows that are sorted by suit and start. Pure and Three-Suited Terminal Chows
/// are named without a check of the pair.
fn name_of_chows(chows: &[SuitAndNumber]) -> Option<Fan> {
    match chows.len() {
        2 => name_of_two_chows(chows[0], chows[1]),
        3 if same_suit(chows) => match chows {
            [(_, 0), (_, 3), (_, 6)] => Some(PureStraight),
            _ if rises(chows, 0) => Some(PureTripleChow),
            _ if rises(chows, 1) || rises(chows, 2) => Some(PureShiftedChows),
            _ => None,
        },
        3 if three_suits(chows) => match sort_by_number(chows) {
            [(_, 0), (_, 3), (_, 6)] => Some(MixedStraight),
            sorted if rises(&sorted, 0) => Some(MixedTripleChow),
            sorted if rises(&sorted, 1) => Some(MixedShiftedChows),
            _ => None,
        },
        4 if same_suit(chows) => match chows {
            [(_, 0), (_, 0), (_, 6), (_, 6)] => Some(PureTerminalChows),
            _ if rises(chows, 0) => Some(QuadrupleChow),
            _ if rises(chows, 1) || rises(chows, 2) => Some(FourPureShiftedChows),
            _ => None,
        },
        4 => match chows {
            [(a, 0), (b, 6), (c, 0), (d, 6)] if a == b && c == d => Some(ThreeSuitedTerminalChows),
            _ => None,
        },
        _ => None,
    }
}

fn name_of_two_chows(first: SuitAndNumber, second: SuitAndNumber) -> Option<Fan> {
    let same_suit = first.0 == second.0;
    match (same_suit, second.1.abs_diff(first.1)) {
        (true, 0) => Some(PureDoubleChow),
        (false, 0) => Some(MixedDoubleChow),
        (true, 3) => Some(ShortStraight),
        (true, 6) => Some(TwoTerminalChows),
        _ => None,
    }
}

/// Returns the fan of pungs that are sorted by suit and number.
fn name_of_pungs(pungs: &[SuitAndNumber]) -> Option<Fan> {
    match pungs.len() {
        2 => (pungs[0].1 == pungs[1].1).then_some(DoublePung),
        3 if same_suit(pungs) => rises(pungs, 1).then_some(PureShiftedPungs),
        3 if three_suits(pungs) => match sort_by_number(pungs) {
            sorted if rises(&sorted, 0) => Some(TriplePung),
            sorted if rises(&sorted, 1) => Some(MixedShiftedPungs),
            _ => None,
        },
        4 => (same_suit(pungs) && rises(pungs, 1)).then_some(FourPureShiftedPungs),
        _ => None,
    }
}

/// Groups that count together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Choice {
    /// Groups that count, one bit each.
    pub(super) chosen: u16,
    pub(super) points: u32,
}

/// Returns the choice of groups with most points that keeps both principles; among equals the one
/// that takes the earlier groups.
pub(super) fn choose(groups: &[SetGroup]) -> Choice {
    let mut best = Choice::default();
    search(groups, 0, Choice::default(), &mut best);
    best
}

fn search(groups: &[SetGroup], next: usize, so_far: Choice, best: &mut Choice) {
    let Some(group) = groups.get(next) else {
        if so_far.points > best.points {
            *best = so_far;
        }
        return;
    };
    if fits(groups, so_far.chosen, *group) {
        let points = so_far.points + u32::from(group.fan.points());
        search(groups, next + 1, Choice { chosen: so_far.chosen | 1 << next, points }, best);
    }
    search(groups, next + 1, so_far, best);
}

#[inline]
fn chosen_groups(groups: &[SetGroup], chosen: u16) -> impl Iterator<Item = &SetGroup> {
    groups.iter().enumerate().filter(move |(at, _)| chosen >> at & 1 == 1).map(|(_, group)| group)
}

/// Returns whether a group may count beside the chosen ones: it must not close a cycle, nor use a
/// set for the same fan again.
fn fits(groups: &[SetGroup], chosen: u16, group: SetGroup) -> bool {
    if chosen_groups(groups, chosen).any(|other| other.uses_sets_of(group)) {
        return false;
    }
    // Sets that are combined already, one mask for each set.
    let mut bound = [1u8, 2, 4, 8];
    for other in chosen_groups(groups, chosen) {
        let joined = bound.iter().filter(|&&sets| sets & other.sets != 0).fold(0, |all, s| all | s);
        for sets in bound.iter_mut().filter(|sets| **sets & joined != 0) {
            *sets = joined;
        }
    }
    bound.iter().all(|sets| (sets & group.sets).count_ones() <= 1)
}

/// The worth of up to four chows together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ChowWorth {
    /// Points of the best choice; if `whole` is set, only of groups of fewer than four chows.
    pub(super) points: u8,
    /// Fan of all four chows. Terminal Chows still depend on the pair.
    pub(super) whole: Option<Fan>,
}

/// Fans that count among up to four chows: a forest over four sets has at most three.
pub(super) type ChowFans = [Option<Fan>; 3];

/// The worth of every choice of four chows, and the fans of the best choice of groups of fewer than
/// four.
pub(super) struct ChowTable {
    worth: Vec<ChowWorth>,
    smaller: Vec<ChowFans>,
}

/// The worth of all chows, computed on first use.
pub(super) static CHOWS: LazyLock<ChowTable> = LazyLock::new(ChowTable::new);

/// Returns the number of ways to choose `k` of `n`.
const fn choose_of(n: usize, k: usize) -> u16 {
    let mut ways = 1;
    let mut i = 0;
    while i < k {
        ways = ways * (n - i) / (i + 1);
        i += 1;
    }
    ways as u16
}

/// Summands of the number of rising chows `a <= b <= c <= d`: C(a,1) + C(b+1,2) + C(c+2,3) +
/// C(d+3,4).
const RANKS: [[u16; CHOW_KINDS + 1]; 4] = {
    let mut ranks = [[0; CHOW_KINDS + 1]; 4];
    let mut at = 0;
    while at < 4 {
        let mut chow = 0;
        while chow <= CHOW_KINDS {
            ranks[at][chow] = if chow == 0 { 0 } else { choose_of(chow + at, at + 1) };
            chow += 1;
        }
        at += 1;
    }
    ranks
};

impl ChowTable {
    fn new() -> ChowTable {
        let last = RANKS.iter().map(|ranks| usize::from(ranks[CHOW_KINDS])).sum::<usize>();
        let mut table = ChowTable {
            worth: vec![ChowWorth::default(); last + 1],
            smaller: vec![ChowFans::default(); last + 1],
        };
        for a in 0..=NO_CHOW {
            for b in a..=NO_CHOW {
                for c in b..=NO_CHOW {
                    for d in c..=NO_CHOW {
                        let chows = [a, b, c, d];
                        let at = rank(chows);
                        (table.worth[at], table.smaller[at]) = worth_and_fans(&chows);
                    }
                }
            }
        }
        table
    }

    /// Returns the worth of chows in any order; absent chows are [`NO_CHOW`].
    pub(super) fn worth(&self, chows: [u8; 4]) -> ChowWorth {
        self.worth[rank(sort_four(chows))]
    }

    /// Returns the fans of the points of [`worth`](Self::worth).
    pub(super) fn fans(&self, chows: [u8; 4]) -> ChowFans {
        self.smaller[rank(sort_four(chows))]
    }
}

fn worth_and_fans(sorted: &[u8; 4]) -> (ChowWorth, ChowFans) {
    let count = sorted.iter().filter(|&&chow| chow != NO_CHOW).count();
    let groups = chow_groups(&sorted[..count]);
    let (whole, smaller) = match groups.as_slice() {
        [first, smaller @ ..] if first.sets == 0b1111 => (Some(first.fan), smaller),
        smaller => (None, smaller),
    };
    let Choice { chosen, points } = choose(smaller);
    let mut fans = ChowFans::default();
    let counted = (0..smaller.len()).filter(|at| chosen >> at & 1 == 1);
    for (fan, at) in fans.iter_mut().zip(counted) {
        *fan = Some(smaller[at].fan);
    }
    (ChowWorth { points: points as u8, whole }, fans)
}

fn rank(sorted: [u8; 4]) -> usize {
    let ranks = sorted.iter().zip(&RANKS).map(|(&chow, ranks)| ranks[usize::from(chow)]);
    usize::from(ranks.sum::<u16>())
}

/// Sorts four numbers with five comparisons.
fn sort_four([a, b, c, d]: [u8; 4]) -> [u8; 4] {
    let (low1, high1) = sort_two(a, b);
    let (low2, high2) = sort_two(c, d);
    let (lowest, middle1) = sort_two(low1, low2);
    let (middle2, highest) = sort_two(high1, high2);
    let (lower, higher) = sort_two(middle1, middle2);
    [lowest, lower, higher, highest]
}

#[inline]
fn sort_two(one: u8, other: u8) -> (u8, u8) {
    (one.min(other), one.max(other))
}

/// The fans of up to four pungs, found with masks instead of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct PungWorth {
    /// A fan of three or four pungs.
    pub(super) large: Option<Fan>,
    /// Number of Double Pungs that count beside it.
    pub(super) doubles: u32,
}

/// Returns the worth of the pungs of three suits, given as the numbers of each suit.
pub(super) fn pung_worth([m, p, s]: [u16; 3]) -> PungWorth {
    let pure = [m, p, s].into_iter().find_map(|suit| {
        let three = find_steps(suit, suit, suit);
        (three != 0).then_some(three & suit >> 3 != 0)
    });
    let doubles = ((m & p) | (m & s) | (p & s)).count_ones();
    match pure {
        Some(true) => return PungWorth { large: Some(FourPureShiftedPungs), doubles: 0 },
        Some(false) => return PungWorth { large: Some(PureShiftedPungs), doubles },
        None => {}
    }
    if m & p & s != 0 {
        return PungWorth { large: Some(TriplePung), doubles: doubles - 1 };
    }
    let mixed = find_steps(m, p, s)
        | find_steps(m, s, p)
        | find_steps(p, m, s)
        | find_steps(p, s, m)
        | find_steps(s, m, p)
        | find_steps(s, p, m);
    PungWorth { large: (mixed != 0).then_some(MixedShiftedPungs), doubles }
}

/// Returns the numbers in `a` of which the next is in `b` and the one after it in `c`.
#[inline]
const fn find_steps(a: u16, b: u16, c: u16) -> u16 {
    a & b >> 1 & c >> 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_numbers_are_sorted() {
        for number in 0..256u32 {
            let given = [0, 2, 4, 6].map(|shift| (number >> shift & 3) as u8);
            let mut expected = given;
            expected.sort_unstable();
            assert_eq!(sort_four(given), expected);
        }
    }

    #[test]
    fn every_four_chows_have_their_own_index() {
        let mut seen = vec![false; 12_650];
        for a in 0..=NO_CHOW {
            for b in a..=NO_CHOW {
                for c in b..=NO_CHOW {
                    for d in c..=NO_CHOW {
                        assert!(!std::mem::replace(&mut seen[rank([a, b, c, d])], true));
                    }
                }
            }
        }
        assert!(seen.into_iter().all(|seen| seen));
    }

    /// 1m2m3m is 0, 1p2p3p is 7, 1s2s3s is 14.
    #[test]
    fn fans_of_chows_form_a_forest() {
        let none = NO_CHOW;
        let cases = [
            ([0, 0, 7, 7], 3, None),  // two pure doubles and one mixed double
            ([0, 3, 6, 0], 17, None), // a straight and one more for the second 123
            ([0, 7, 14, 0], 9, None), // a mixed triple and a pure double
            ([0, 0, 0, 0], 25, Some(QuadrupleChow)),
            ([0, 2, 4, 6], 17, Some(FourPureShiftedChows)),
            ([0, 0, 6, 6], 3, Some(PureTerminalChows)),
            ([0, 6, 7, 13], 3, Some(ThreeSuitedTerminalChows)),
            ([0, 3, none, none], 1, None),
            ([none; 4], 0, None),
        ];
        for (chows, points, whole) in cases {
            let worth = CHOWS.worth(chows);
            assert_eq!((u32::from(worth.points), worth.whole), (points, whole), "{chows:?}");
        }
    }

    #[test]
    fn masks_and_search_agree_for_all_pungs() {
        for a in 0..27u8 {
            for b in a + 1..28 {
                for c in b + 1..29 {
                    for d in c + 1..30 {
                        let pungs: Vec<u8> = [a, b, c, d].into_iter().filter(|&p| p < 27).collect();
                        let mut suits = [0; 3];
                        for pung in &pungs {
                            suits[usize::from(pung / 9)] |= 1 << (pung % 9);
                        }
                        let worth = pung_worth(suits);
                        let large = worth.large.map_or(0, |fan| u32::from(fan.points()));
                        let found = choose(pung_groups(&pungs).as_slice()).points;
                        assert_eq!(large + 2 * worth.doubles, found, "{pungs:?}");
                    }
                }
            }
        }
    }
}
