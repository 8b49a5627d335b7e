//! All ways to read a hand: regular, with a knitted straight, and as a special hand.
//!
//! Input: [`Facts`]. Output: every [`Decomposition`], each once, in a fixed order: thirteen
//! orphans, honors and knitted tiles, seven pairs, regular decompositions (splits of characters,
//! dots, bamboo in rising order), decompositions with a knitted straight. Invariant: a
//! decomposition uses every tile once.
//!
//! A hand of sixteen tiles has regular decompositions only. The number of sets is a parameter of
//! the compiler, so that smaller hands are read as if there were no larger ones.

use crate::hand::HandSize;

use super::facts::{CHOW_KINDS, Facts, GROUPS, HONOR_GROUP, place};
use super::kinds::{HONORS, KNITTED, Kinds, NUMBERS, TERMINALS_AND_HONORS, is_within, spread};
use super::packed::PackedCounts;
use super::splits::{MAX_SPLITS, MAX_SPLITS_OF_SIXTEEN, Split, Splits, USUAL_SETS};

/// Placeholder for an absent chow; sorts last.
pub(in crate::rules) const NO_CHOW: u8 = CHOW_KINDS as u8;

/// The shape of a decomposition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::rules) enum Shape {
    /// Sets and a pair.
    Regular,
    /// A knitted straight, one set and a pair; with the kinds of the straight.
    Knitted(Kinds),
    /// Seven pairs.
    Pairs,
    /// The thirteen terminals and honors, one of them twice.
    Orphans,
    /// Different honors and tiles of the knitted straight of these kinds.
    HonorsAndKnitted(Kinds),
}

/// A way to read the hand, which has at most `SETS` sets.
#[derive(Clone, Copy, Debug)]
pub(in crate::rules) struct Decomposition<const SETS: usize = USUAL_SETS> {
    pub(in crate::rules) shape: Shape,
    /// Kinds of the chows, the exposed ones first; [`NO_CHOW`] fills up the rest.
    pub(in crate::rules) chows: [u8; SETS],
    pub(in crate::rules) chow_count: usize,
    /// Kinds of the concealed chows, one bit each.
    pub(in crate::rules) hidden_chows: u32,
    /// Kinds of the pungs and kongs.
    pub(in crate::rules) pungs: Kinds,
    /// Kinds of the pungs among the concealed tiles, whether or not a claimed tile completed them.
    pub(in crate::rules) hidden_pungs: Kinds,
    /// Kind of the pair in a regular or knitted decomposition.
    pub(in crate::rules) pair: Kinds,
}

/// Number of bytes of the number that the chows are packed into.
const PACKED: usize = size_of::<u64>();

impl<const SETS: usize> Decomposition<SETS> {
    /// Returns a decomposition that has only the melds.
    pub(in crate::rules) fn from_melds(facts: &Facts, shape: Shape) -> Decomposition<SETS> {
        let melds = &facts.melds;
        let mut chows = [NO_CHOW; SETS];
        chows[..melds.chow_count].copy_from_slice(&melds.chows[..melds.chow_count]);
        Decomposition {
            shape,
            chows,
            chow_count: melds.chow_count,
            hidden_chows: 0,
            pungs: melds.pungs,
            hidden_pungs: 0,
            pair: 0,
        }
    }

    /// Adds the sets of one suit or of the honors.
    fn add(&mut self, split: &Split<SETS>, group: usize) {
        let pungs = spread(split.pungs, group);
        self.pungs |= pungs;
        self.hidden_pungs |= pungs;
        self.pair |= spread(split.pair, group);
        self.hidden_chows |= u32::from(split.chow_kinds) << (7 * group);
        // The chows are bytes of one number: a loop over them would end where is hard to predict.
        let place = 8 * self.chow_count;
        let count = usize::from(split.chow_count);
        let given = ((1 << (8 * count)) - 1) << place;
        let kinds = pack(split.chows) + 7 * group as u64 * 0x0101_0101_0101_0101;
        let others = pack(self.chows) & !given;
        self.chows = unpack(others | kinds << place & given);
        self.chow_count += count;
    }

    /// Returns whether both read the concealed tiles into the same sets.
    pub(in crate::rules) fn has_sets_of(&self, other: &Self) -> bool {
        self.shape == other.shape
            && self.chows == other.chows
            && self.hidden_pungs == other.hidden_pungs
            && self.pair == other.pair
    }

    /// Returns the kinds of all chows, one bit each.
    pub(in crate::rules) fn chow_kinds(&self) -> u32 {
        self.chows[..self.chow_count].iter().fold(0, |kinds, &chow| kinds | 1 << chow)
    }

    /// Returns the pungs, including kongs, that no claimed tile completed. A discard completes a
    /// pung only when it can't be read into a concealed chow, the pair or the knitted tiles: fewer
    /// melded pungs are never worth less.
    pub(in crate::rules) fn concealed_pungs(&self, facts: &Facts) -> Kinds {
        let winning = 1 << facts.winning;
        let fits_elsewhere = self.hidden_chows & chows_with(facts.winning) != 0
            || matches!(self.shape, Shape::Knitted(knit) if knit & winning != 0);
        let claimed = if facts.self_drawn || fits_elsewhere { 0 } else { winning };
        facts.melds.concealed_kongs | self.hidden_pungs & !claimed
    }
}

/// Returns bytes as one number, the first lowest.
fn pack<const COUNT: usize>(bytes: [u8; COUNT]) -> u64 {
    let mut all = [0; PACKED];
    all[..COUNT].copy_from_slice(&bytes);
    u64::from_le_bytes(all)
}

/// Returns the first bytes of a number.
fn unpack<const COUNT: usize>(packed: u64) -> [u8; COUNT] {
    let all = packed.to_le_bytes();
    std::array::from_fn(|at| all[at])
}

/// Returns the kinds of chows that hold a tile, one bit each.
pub(in crate::rules) const fn chows_with(tile: usize) -> u32 {
    let (group, number) = place(tile);
    if group == HONOR_GROUP {
        return 0;
    }
    let mut kinds = 0;
    let mut low = number.saturating_sub(2);
    while low <= number && low < 7 {
        kinds |= 1 << (group * 7 + low);
        low += 1;
    }
    kinds
}

/// Calls `visit` with every decomposition of a hand of thirteen tiles and the winning one.
pub(in crate::rules) fn for_each(facts: &Facts, visit: &mut impl FnMut(&Decomposition)) {
    if facts.melds.count == 0 {
        special(facts, visit);
    }
    regular::<_, MAX_SPLITS>(facts, &facts.hidden, Shape::Regular, visit);
    if facts.melds.count <= 1 {
        let hidden_kinds = facts.hidden_kinds();
        for knit in KNITTED.into_iter().filter(|&knit| is_within(knit, hidden_kinds)) {
            let left = remove_tiles(&facts.hidden, knit);
            regular::<_, MAX_SPLITS>(facts, &left, Shape::Knitted(knit), visit);
        }
    }
}

/// Number of sets in the hands of sixteen tiles and the winning one.
pub(in crate::rules) const SETS_OF_SIXTEEN: usize = HandSize::Sixteen.sets();

/// Calls `visit` with every way to read a hand of sixteen tiles and the winning one into sets and a
/// pair. Its special hands are those of one game, which finds them itself.
pub(in crate::rules) fn for_each_of_sixteen(
    facts: &Facts,
    visit: &mut impl FnMut(&Decomposition<SETS_OF_SIXTEEN>),
) {
    regular::<_, MAX_SPLITS_OF_SIXTEEN>(facts, &facts.hidden, Shape::Regular, visit);
}

/// Visits the decompositions of a fully concealed hand that have no sets.
fn special(facts: &Facts, visit: &mut impl FnMut(&Decomposition)) {
    if facts.kinds == TERMINALS_AND_HONORS {
        visit(&<Decomposition>::from_melds(facts, Shape::Orphans));
    }
    if facts.hidden.iter().all(|group| group.is_single()) {
        let numbers = facts.kinds & NUMBERS;
        if let Some(knit) = KNITTED.into_iter().find(|&knit| is_within(numbers, knit)) {
            visit(&<Decomposition>::from_melds(facts, Shape::HonorsAndKnitted(knit)));
        }
    }
    if facts.hidden.iter().all(|group| group.is_even()) {
        visit(&<Decomposition>::from_melds(facts, Shape::Pairs));
    }
}

/// Removes one tile of each of these kinds, all of which must be present.
pub(in crate::rules) fn remove_tiles(
    groups: &[PackedCounts; GROUPS],
    kinds: Kinds,
) -> [PackedCounts; GROUPS] {
    let mut left = *groups;
    for (group, left) in left.iter_mut().enumerate() {
        for position in (0..9).filter(|position| kinds >> (9 * group + position) & 1 == 1) {
            *left = left.minus_one(position);
        }
    }
    left
}

/// Visits the decompositions of the concealed tiles into sets and one pair.
fn regular<const SETS: usize, const MAX: usize>(
    facts: &Facts,
    hidden: &[PackedCounts; GROUPS],
    shape: Shape,
    visit: &mut impl FnMut(&Decomposition<SETS>),
) {
    // Sets have three tiles, so one group has two tiles more, for the pair, and the others have a
    // multiple of three.
    let left_over = hidden.map(|group| group.total() % 3);
    if left_over.iter().sum::<u32>() != 2 || left_over.contains(&1) {
        return;
    }
    let honors = Splits::<SETS, MAX>::for_honors(hidden[HONOR_GROUP]);
    let Some(honors) = honors.as_slice().first() else { return };
    let mut start = Decomposition::from_melds(facts, shape);
    start.add(honors, HONOR_GROUP);
    let [characters, dots, bamboo] =
        [0, 1, 2].map(|suit| Splits::<SETS, MAX>::for_suit(hidden[suit]));
    for split in characters.as_slice() {
        let mut first = start;
        first.add(split, 0);
        for split in dots.as_slice() {
            let mut second = first;
            second.add(split, 1);
            for split in bamboo.as_slice() {
                let mut decomposition = second;
                decomposition.add(split, 2);
                visit(&decomposition);
            }
        }
    }
}

impl Facts {
    /// Returns the kinds of the concealed tiles.
    pub(in crate::rules) fn hidden_kinds(&self) -> Kinds {
        super::facts::kinds(&self.hidden)
    }
}

/// Returns the number of kinds of honors among these kinds.
pub(in crate::rules) const fn honor_count(kinds: Kinds) -> u32 {
    (kinds & HONORS).count_ones()
}
