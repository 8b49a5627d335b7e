//! Bits of a scan.
//!
//! Input: the bytes that follow a scan's header. Output: [`Entropy`], the same bytes without the
//! zeros that are stuffed behind each 0xff, split at the restart markers; [`Bits`], a position in
//! it. Invariant: reads behind the last bit return zeros; callers detect this by
//! [`Bits::position`].

use memchr::memchr;

/// Compressed blocks of one scan.
pub(super) struct Entropy {
    data: Vec<u8>,
    /// Start of each restart interval, in bytes.
    starts: Vec<usize>,
}

impl Entropy {
    /// Copies a scan's bytes up to the marker that ends it, and returns their number; `None` if no
    /// marker ends the scan, or if the restart markers are out of order.
    pub(super) fn parse(bytes: &[u8]) -> Option<(Entropy, usize)> {
        let mut data = Vec::with_capacity(bytes.len());
        let mut starts = vec![0];
        let mut at = 0;
        loop {
            let next = at + memchr(0xff, &bytes[at..])?;
            data.extend_from_slice(&bytes[at..next]);
            at = next + 2;
            match *bytes.get(next + 1)? {
                0x00 => data.push(0xff),
                // Any number of 0xff bytes may fill the space before a marker.
                0xff => at = next + 1,
                marker @ 0xd0..=0xd7 => {
                    if usize::from(marker - 0xd0) != (starts.len() - 1) % 8 {
                        return None;
                    }
                    starts.push(data.len());
                }
                _ => return Some((Entropy { data, starts }, next)),
            }
        }
    }

    /// Returns the bits from a position on, which is counted in bits.
    fn bits_at(&self, position: usize) -> Bits<'_> {
        let mut bits = Bits { data: &self.data, at: position / 8, buffer: 0, count: 0 };
        bits.refill();
        bits.consume((position % 8) as u32);
        bits
    }
}

/// Restart intervals of a scan, read one after the other.
pub(super) struct Intervals<'a> {
    entropy: &'a Entropy,
    pub(super) bits: Bits<'a>,
    /// Number of units in an interval, and of units left in this one.
    length: usize,
    left: usize,
    index: usize,
}

/// A position between two units.
#[derive(Clone, Copy)]
pub(super) struct BitPosition {
    position: usize,
    left: usize,
    index: usize,
}

impl<'a> Intervals<'a> {
    /// Starts at the first of the intervals of `units` units each; 0 for a single interval.
    pub(super) fn new(entropy: &'a Entropy, units: usize) -> Intervals<'a> {
        let length = if units == 0 { usize::MAX } else { units };
        Intervals { entropy, bits: entropy.bits_at(0), length, left: length, index: 0 }
    }

    /// Starts at a given position.
    pub(super) fn resume(entropy: &'a Entropy, units: usize, place: BitPosition) -> Intervals<'a> {
        let BitPosition { position, left, index } = place;
        Intervals { bits: entropy.bits_at(position), left, index, ..Intervals::new(entropy, units) }
    }

    /// Returns the position of the next unit.
    pub(super) fn place(&self) -> BitPosition {
        BitPosition { position: self.bits.position(), left: self.left, index: self.index }
    }

    /// Begins a unit, and returns whether it is the first of another interval; `None` if there are
    /// too few intervals, or if the last one was too short.
    #[inline(always)]
    pub(super) fn begin_unit(&mut self) -> Option<bool> {
        let is_used_up = self.left == 0;
        if is_used_up {
            self.begin_interval()?;
        }
        self.left -= 1;
        Some(is_used_up)
    }

    fn begin_interval(&mut self) -> Option<()> {
        self.check()?;
        self.index += 1;
        self.bits = self.entropy.bits_at(self.entropy.starts.get(self.index)? * 8);
        self.left = self.length;
        Some(())
    }

    /// Returns `None` if more bits were read than the interval has.
    pub(super) fn check(&self) -> Option<()> {
        let end = self.entropy.starts.get(self.index + 1).unwrap_or(&self.entropy.data.len()) * 8;
        (self.bits.position() <= end).then_some(())
    }

    /// Returns `None` if more bits were read than the interval has, or if intervals are left over.
    pub(super) fn finish(&self) -> Option<()> {
        self.check()?;
        (self.index + 1 == self.entropy.starts.len()).then_some(())
    }
}

/// A position in the bits of a scan.
#[derive(Clone, Copy)]
pub(super) struct Bits<'a> {
    data: &'a [u8],
    /// Index of the byte that fills the buffer next.
    at: usize,
    /// Next bits, the first one highest.
    buffer: u64,
    /// Number of valid bits in the buffer.
    count: u32,
}

impl Bits<'_> {
    /// Minimum number of valid bits after a refill: more than a code of 16 bits followed by 15 bits
    /// needs.
    pub(super) const REFILLED: u32 = 56;

    /// Fills the buffer to at least [`Bits::REFILLED`] valid bits.
    #[inline(always)]
    pub(super) fn refill(&mut self) {
        let next = match self.data.get(self.at..).and_then(|rest| rest.first_chunk::<8>()) {
            Some(bytes) => u64::from_be_bytes(*bytes),
            None => last_bytes(self.data, self.at),
        };
        self.buffer |= next >> self.count;
        self.at += ((63 - self.count) >> 3) as usize;
        self.count |= Self::REFILLED;
    }

    /// Refills the buffer unless it already holds a code and the bits that follow it.
    #[inline(always)]
    pub(super) fn refill_if_low(&mut self) {
        if self.count < 32 {
            self.refill();
        }
    }

    /// Returns the next `N` bits, from 1 to 32, which must be valid.
    #[inline(always)]
    pub(super) fn peek<const N: u32>(&self) -> usize {
        (self.buffer >> (64 - N)) as usize
    }

    /// Skips valid bits.
    #[inline(always)]
    pub(super) fn consume(&mut self, count: u32) {
        self.buffer <<= count & 63;
        self.count = self.count.wrapping_sub(count);
    }

    /// Reads the next `size` bits, from 0 to 15, which must be valid.
    #[inline(always)]
    pub(super) fn take(&mut self, size: u32) -> u16 {
        let value = (self.buffer >> 1 >> (63 - (size & 15))) as u16;
        self.consume(size);
        value
    }

    /// Returns the number of bits of the scan that were consumed; more than it has if it is cut
    /// short.
    pub(super) fn position(&self) -> usize {
        (self.at * 8).saturating_sub(self.count as usize)
    }
}

/// Returns the bytes from a position to the end, followed by zeros.
#[cold]
fn last_bytes(data: &[u8], at: usize) -> u64 {
    let mut bytes = [0; 8];
    for (to, from) in bytes.iter_mut().zip(data.iter().skip(at)) {
        *to = *from;
    }
    u64::from_be_bytes(bytes)
}

/// Returns the number that `size` bits represent: positive numbers have the first bit set.
#[inline(always)]
pub(super) fn signed(bits: u16, size: u32) -> i16 {
    let span = (1_i32 << size) - 1;
    let bits = i32::from(bits);
    (if 2 * bits > span { bits } else { bits - span }) as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stuffed_zeros_go_and_restart_markers_are_counted() {
        let bytes = [1, 0xff, 0, 2, 0xff, 0xff, 0xd0, 3, 0xff, 0xd1, 0xff, 0, 0xff, 0xd9, 9];
        let (entropy, length) = Entropy::parse(&bytes).expect("it ends");
        assert_eq!((entropy.data, entropy.starts), (vec![1, 0xff, 2, 3, 0xff], vec![0, 3, 4]));
        assert_eq!(length, 12);
        assert!(Entropy::parse(&[1, 0xff, 0xd1, 0xff, 0xd9]).is_none(), "the second one first");
        assert!(Entropy::parse(&[1, 2]).is_none(), "no end");
        assert!(Entropy::parse(&[1, 0xff]).is_none(), "half a marker");
    }

    #[test]
    fn intervals_end_where_their_bits_do() {
        let (entropy, _) = Entropy::parse(&[7, 7, 0xff, 0xd0, 5, 0xff, 0xd9]).expect("it ends");
        let mut intervals = Intervals::new(&entropy, 1);
        assert_eq!(intervals.begin_unit(), Some(false));
        intervals.bits.consume(16);
        assert_eq!(intervals.begin_unit(), Some(true));
        assert_eq!(intervals.bits.take(8), 5);
        assert_eq!(intervals.finish(), Some(()));
        // Reads behind the end return zeros, which the check detects.
        assert_eq!(intervals.bits.take(9), 0);
        assert_eq!(intervals.check(), None);

        let mut intervals = Intervals::new(&entropy, 1);
        intervals.begin_unit();
        assert_eq!(intervals.finish(), None, "there is another interval");
        intervals.bits.consume(17);
        assert_eq!(intervals.begin_unit(), None, "the interval was too short");
    }

    #[test]
    fn numbers_have_their_sign_in_the_first_bit() {
        let numbers = [(0, 0, 0), (0, 1, -1), (1, 1, 1), (0, 3, -7), (3, 3, -4), (4, 3, 4)];
        for (bits, size, number) in numbers {
            assert_eq!(signed(bits, size), number, "{size} bits of {bits:b}");
        }
    }
}
