//! The ways to split the concealed tiles of one suit into chows and pungs.
//!
//! Input: packed counts. Output: every split, with or without a pair, each once. A split is found
//! number by number: the lowest remaining tile starts a pung, or one chow for each of its copies.

use crate::hand::HandSize;

use super::packed::PackedCounts;

/// Number of sets in the hands of most games. A number of the compiler, so that their
/// decompositions have no room for more.
pub(in crate::rules) const USUAL_SETS: usize = HandSize::Thirteen.sets();

/// Maximum number of ways to split a suit of up to 14 tiles into sets and a pair (a test checks all
/// suits).
pub(in crate::rules) const MAX_SPLITS: usize = 4;

/// Maximum number of ways to split a suit of up to 17 tiles into sets and a pair.
pub(in crate::rules) const MAX_SPLITS_OF_SIXTEEN: usize = 6;

/// A way to read the tiles of a suit into at most `SETS` sets and a pair.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::rules) struct Split<const SETS: usize = USUAL_SETS> {
    /// Numbers, from 0, at which the chows start, in rising order.
    pub(in crate::rules) chows: [u8; SETS],
    pub(in crate::rules) chow_count: u8,
    /// Numbers of the chows as a set, one bit each.
    pub(in crate::rules) chow_kinds: u8,
    /// Numbers of the pungs, one bit each.
    pub(in crate::rules) pungs: u16,
    /// Number of the pair, one bit; 0 without a pair.
    pub(in crate::rules) pair: u16,
}

impl<const SETS: usize> Split<SETS> {
    const NONE: Split<SETS> =
        Split { chows: [0; SETS], chow_count: 0, chow_kinds: 0, pungs: 0, pair: 0 };
}

/// All ways to read the tiles of a suit, of which there are at most `MAX`.
#[derive(Clone, Copy)]
pub(in crate::rules) struct Splits<const SETS: usize = USUAL_SETS, const MAX: usize = MAX_SPLITS> {
    all: [Split<SETS>; MAX],
    count: usize,
}

impl<const SETS: usize, const MAX: usize> Splits<SETS, MAX> {
    const NONE: Splits<SETS, MAX> = Splits { all: [Split::NONE; MAX], count: 0 };

    pub(in crate::rules) fn as_slice(&self) -> &[Split<SETS>] {
        &self.all[..self.count]
    }

    fn push(&mut self, split: Split<SETS>) {
        self.all[self.count] = split;
        self.count += 1;
    }

    /// Returns all splits of a suit: into sets, or into sets and a pair if the number of tiles
    /// requires one.
    pub(in crate::rules) fn for_suit(counts: PackedCounts) -> Splits<SETS, MAX> {
        let mut splits = Splits::NONE;
        if counts.total().is_multiple_of(3) {
            splits.extend(counts.0, Split::NONE);
        } else {
            for number in counts.positions_to_sets() {
                if counts.count_at(number) >= 2 {
                    let split = Split { pair: 1 << number, ..Split::NONE };
                    splits.extend(counts.0 - (2 << (3 * number)), split);
                }
            }
        }
        splits
    }

    /// Returns the only split of the honors, which form no chows; empty if tiles are left over.
    pub(in crate::rules) fn for_honors(counts: PackedCounts) -> Splits<SETS, MAX> {
        let pungs = counts.threes();
        let pair = counts.twos();
        let split = Split { pungs, pair, ..Split::NONE };
        let complete = counts.kinds() == pungs | pair && pair & pair.wrapping_sub(1) == 0;
        let mut splits = Splits::NONE;
        if complete {
            splits.push(split);
        }
        splits
    }

    /// Adds every way to split the rest of a suit into sets.
    fn extend(&mut self, mut left: u32, mut split: Split<SETS>) {
        while left != 0 {
            let low = left.trailing_zeros() / 3;
            let copies = left >> (3 * low) & 7;
            if copies >= 3 {
                let with_pung = Split { pungs: split.pungs | 1 << low, ..split };
                self.extend(left - (3 << (3 * low)), with_pung);
            }
            let next = left >> (3 * low + 3) & 7;
            let last = left >> (3 * low + 6) & 7;
            if low > 6 || next < copies || last < copies {
                return;
            }
            left -= copies * (0o111 << (3 * low));
            split.chow_kinds |= 1 << low;
            for _ in 0..copies {
                split.chows[usize::from(split.chow_count) % SETS] = low as u8;
                split.chow_count += 1;
            }
        }
        self.push(split);
    }
}

#[cfg(test)]
pub(in crate::rules) mod tests {
    use super::*;

    /// Calls `visit` with every suit of up to 14 tiles, at most four of a kind.
    pub(crate) fn for_every_suit(visit: &mut impl FnMut(PackedCounts)) {
        for_every_suit_up_to(HandSize::Thirteen.tiles() as u32, visit);
    }

    /// Calls `visit` with every suit of up to so many tiles, at most four of a kind.
    fn for_every_suit_up_to(tiles: u32, visit: &mut impl FnMut(PackedCounts)) {
        fn fill(
            number: usize,
            left: u32,
            counts: PackedCounts,
            visit: &mut impl FnMut(PackedCounts),
        ) {
            if number == 9 {
                return visit(counts);
            }
            for count in 0..=left.min(4) {
                fill(number + 1, left - count, counts.plus(number, count), visit);
            }
        }
        fill(0, tiles, PackedCounts::default(), visit);
    }

    fn tiles_of<const SETS: usize>(split: &Split<SETS>) -> PackedCounts {
        let mut tiles = PackedCounts::default();
        for &low in &split.chows[..usize::from(split.chow_count)] {
            tiles = tiles.plus_chow(low.into());
        }
        for number in 0..9 {
            let pung = u32::from(split.pungs >> number & 1) * 3;
            let pair = u32::from(split.pair >> number & 1) * 2;
            tiles = tiles.plus(number, pung + pair);
        }
        tiles
    }

    #[test]
    fn every_split_uses_every_tile_and_there_is_room_for_all() {
        let suits = check_all_splits::<USUAL_SETS, MAX_SPLITS>(HandSize::Thirteen);
        assert!(suits > 250_000);
    }

    #[test]
    fn suits_of_larger_hands_are_split_as_well() {
        const LARGE: usize = HandSize::Sixteen.sets();
        let suits = check_all_splits::<LARGE, MAX_SPLITS_OF_SIXTEEN>(HandSize::Sixteen);
        assert!(suits > 550_000);
    }

    /// Checks the splits of all suits, and returns their number.
    fn check_all_splits<const SETS: usize, const MAX: usize>(size: HandSize) -> usize {
        let mut suits = 0;
        let mut longest = 0;
        for_every_suit_up_to(size.tiles() as u32, &mut |counts| {
            // A suit that is one tile short of a set and a pair is never split.
            if counts.total() % 3 == 1 {
                return;
            }
            suits += 1;
            let splits = Splits::<SETS, MAX>::for_suit(counts);
            longest = longest.max(splits.as_slice().len());
            for (at, split) in splits.as_slice().iter().enumerate() {
                assert!(tiles_of(split) == counts);
                assert!(!splits.as_slice()[..at].contains(split));
            }
        });
        assert_eq!(longest, MAX);
        suits
    }

    fn is_sets(counts: PackedCounts) -> bool {
        let mut splits: Splits = Splits::NONE;
        splits.extend(counts.0, Split::NONE);
        splits.count > 0
    }

    #[test]
    fn pairs_and_missing_tiles_have_three_positions() {
        for_every_suit(&mut |counts| {
            if counts.total() % 3 != 2 {
                return;
            }
            let possible = counts.positions_to_sets();
            for other in (0..9).filter(|position| !possible.contains(position)) {
                let copies = counts.count_at(other);
                assert!(copies < 2 || !is_sets(counts.minus_one(other).minus_one(other)));
                assert!(copies > 3 || !is_sets(counts.plus(other, 1)));
            }
        });
    }

    /// Returns the first split of honors, of which there are these numbers.
    fn split_honors(counts: [u32; 7]) -> Option<Split> {
        let mut honors = PackedCounts::default();
        for (at, count) in counts.into_iter().enumerate() {
            honors = honors.plus(at, count);
        }
        <Splits>::for_honors(honors).as_slice().first().copied()
    }

    #[test]
    fn honors_form_pungs_and_one_pair() {
        let found = split_honors([3, 0, 2, 0, 0, 3, 0]).expect("two pungs and a pair");
        assert_eq!((found.pungs, found.pair), (0b010_0001, 0b000_0100));
        assert_eq!(split_honors([0; 7]), Some(Split::NONE));
        for broken in [[2, 2, 0, 0, 0, 0, 0], [1, 0, 0, 0, 0, 0, 0], [4, 0, 0, 0, 0, 0, 0]] {
            assert_eq!(split_honors(broken), None);
        }
    }
}
