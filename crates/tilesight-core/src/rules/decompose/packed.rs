//! The tiles of one suit (or the honors) as an integer: three bits for each number, 1 lowest.
//!
//! Invariant: no count exceeds seven, so the sum of two legal counts never overflows into the next.

use super::kinds::{Kinds, spread};

/// Lowest bit of every count.
const ONES: u32 = 0o111_111_111;

/// Counts of up to nine kinds, three bits each.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::rules) struct PackedCounts(pub(in crate::rules) u32);

impl PackedCounts {
    /// The nine gates of a suit: 1112345678999.
    pub(in crate::rules) const NINE_GATES: PackedCounts = PackedCounts(0o311_111_113);

    /// Packs eight counts that lie in the bytes of an integer, lowest first.
    pub(in crate::rules) const fn from_bytes(bytes: u64) -> PackedCounts {
        // Counts are below eight: pairs, then quarters, then halves move together.
        let pairs = (bytes | bytes >> 5) & 0x003f_003f_003f_003f;
        let quarters = (pairs | pairs >> 10) & 0x0000_0fff_0000_0fff;
        PackedCounts((quarters | quarters >> 20) as u32)
    }

    /// Returns the count at a position of 0 to 8.
    pub(in crate::rules) const fn count_at(self, position: usize) -> usize {
        (self.0 >> (3 * position) & 7) as usize
    }

    /// Returns whether no count is below that of `others`.
    pub(in crate::rules) fn holds(self, others: PackedCounts) -> bool {
        (0..9).all(|position| self.count_at(position) >= others.count_at(position))
    }

    /// Returns the counts with `count` more of one kind.
    pub(in crate::rules) const fn plus(self, position: usize, count: u32) -> PackedCounts {
        PackedCounts(self.0 + (count << (3 * position)))
    }

    /// Returns the counts with one less of a kind, which must be present.
    pub(in crate::rules) const fn minus_one(self, position: usize) -> PackedCounts {
        PackedCounts(self.0 - (1 << (3 * position)))
    }

    /// Returns the counts with one more chow, which starts at a position.
    pub(in crate::rules) const fn plus_chow(self, low: usize) -> PackedCounts {
        PackedCounts(self.0 + (0o111 << (3 * low)))
    }

    /// Returns the number of tiles, up to 62.
    pub(in crate::rules) const fn total(self) -> u32 {
        // Neighboring counts are added into fields of six bits, whose sum is the remainder by 63.
        ((self.0 & 0o707_070_707) + (self.0 >> 3 & 0o707_070_707)) % 63
    }

    /// Returns the positions that a tile can have which makes all tiles sets: three, in rising
    /// order. A pair whose other tiles are sets can have no others, because a third tile like it
    /// would make it one.
    pub(in crate::rules) const fn positions_to_sets(self) -> [usize; 3] {
        // The positions in a set add up to a multiple of three. Every third count adds up by the
        // remainder by 511, of which 512 is one more.
        let ones = (self.0 >> 3 & 0o7_007_007) % 511;
        let twos = (self.0 >> 6 & 0o7_007_007) % 511;
        // What is missing to a multiple of three has the remainder of twice the sum.
        let first = (2 * (ones + 2 * twos) % 3) as usize;
        [first, first + 3, first + 6]
    }

    /// Returns the positions whose count is at least one.
    pub(in crate::rules) const fn kinds(self) -> u16 {
        compress(self.0 | self.0 >> 1 | self.0 >> 2)
    }

    /// Returns the positions whose count is exactly two.
    pub(in crate::rules) const fn twos(self) -> u16 {
        compress(self.0 >> 1 & !self.0 & !(self.0 >> 2))
    }

    /// Returns the positions whose count is exactly three.
    pub(in crate::rules) const fn threes(self) -> u16 {
        compress(self.0 & self.0 >> 1 & !(self.0 >> 2))
    }

    /// Returns the number of kinds with four or more tiles.
    pub(in crate::rules) const fn fours(self) -> u32 {
        (self.0 >> 2 & ONES).count_ones()
    }

    /// Returns the kinds of a group whose count is odd.
    pub(in crate::rules) const fn odd_kinds(self, group: usize) -> Kinds {
        spread(compress(self.0), group)
    }

    /// Returns whether every count is even.
    pub(in crate::rules) const fn is_even(self) -> bool {
        self.0 & ONES == 0
    }

    /// Returns whether no count exceeds one.
    pub(in crate::rules) const fn is_single(self) -> bool {
        self.0 & !ONES == 0
    }
}

/// Gathers every third bit.
const fn compress(spread: u32) -> u16 {
    let spread = spread & ONES;
    let triples = (spread | spread >> 2 | spread >> 4) & 0o007_007_007;
    ((triples | triples >> 6 | triples >> 12) & 0x1ff) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    fn packed(counts: [u32; 9]) -> PackedCounts {
        counts.into_iter().enumerate().fold(PackedCounts::default(), |all, (at, n)| all.plus(at, n))
    }

    #[test]
    fn bytes_are_packed_in_order() {
        let bytes = u64::from_le_bytes([3, 0, 1, 4, 2, 0, 0, 1]);
        assert!(PackedCounts::from_bytes(bytes) == packed([3, 0, 1, 4, 2, 0, 0, 1, 0]));
    }

    #[test]
    fn counts_are_found_by_size() {
        let hand = packed([3, 0, 1, 4, 2, 0, 0, 1, 3]);
        assert_eq!(hand.total(), 14);
        assert_eq!(hand.kinds(), 0b1_1001_1101);
        assert_eq!(hand.twos(), 0b0_0001_0000);
        assert_eq!(hand.threes(), 0b1_0000_0001);
        assert_eq!(hand.fours(), 1);
        assert_eq!(hand.count_at(3), 4);
        assert!(!hand.is_even() && !hand.is_single());
    }
}
