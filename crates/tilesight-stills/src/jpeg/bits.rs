//! The bits of a scan.
//!
//! Input: the bytes that follow a scan's header. Output: [`Entropy`], the same without the zeros
//! that are stuffed behind each 0xff, cut at the restart markers; [`Bits`], a place in it.
//! Invariant: behind the last bit there are zeros, as many as are asked for; who reads them finds
//! out by [`Bits::position`].

use memchr::memchr;

/// The compressed blocks of one scan.
pub(super) struct Entropy {
    data: Vec<u8>,
    /// Where each restart interval begins, in bytes.
    starts: Vec<usize>,
}

impl Entropy {
    /// Copies a scan's bytes up to the marker that ends it, and says how many there were; `None`
    /// where no marker does, or where the restart markers are out of order.
    pub(super) fn of(bytes: &[u8]) -> Option<(Entropy, usize)> {
        let mut data = Vec::with_capacity(bytes.len());
        let (mut starts, mut at) = (vec![0], 0);
        loop {
            let next = at + memchr(0xff, &bytes[at..])?;
            data.extend_from_slice(&bytes[at..next]);
            at = next + 2;
            match *bytes.get(next + 1)? {
                0x00 => data.push(0xff),
                // Any number of these may fill up the room before a marker.
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

    /// The bits from a position on, which is counted in bits.
    fn at(&self, position: usize) -> Bits<'_> {
        let mut bits = Bits { data: &self.data, at: position / 8, buffer: 0, count: 0 };
        bits.refill();
        bits.consume((position % 8) as u32);
        bits
    }
}

/// The restart intervals of a scan, one after the other.
pub(super) struct Intervals<'a> {
    entropy: &'a Entropy,
    pub(super) bits: Bits<'a>,
    /// Units in an interval, and how many of this one are left.
    length: usize,
    left: usize,
    index: usize,
}

/// A place between two units.
#[derive(Clone, Copy)]
pub(super) struct Place {
    position: usize,
    left: usize,
    index: usize,
}

impl<'a> Intervals<'a> {
    /// Of so many units each; 0 where one interval is all.
    pub(super) fn of(entropy: &'a Entropy, units: usize) -> Intervals<'a> {
        let length = if units == 0 { usize::MAX } else { units };
        Intervals { entropy, bits: entropy.at(0), length, left: length, index: 0 }
    }

    /// The same from a place on.
    pub(super) fn from(entropy: &'a Entropy, units: usize, place: Place) -> Intervals<'a> {
        let Place { position, left, index } = place;
        Intervals { bits: entropy.at(position), left, index, ..Intervals::of(entropy, units) }
    }

    /// Where the next unit begins.
    pub(super) fn place(&self) -> Place {
        Place { position: self.bits.position(), left: self.left, index: self.index }
    }

    /// Begins a unit, and says whether it is the first of another interval; `None` where there are
    /// too few intervals, or where the last one was too short.
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
        self.bits = self.entropy.at(self.entropy.starts.get(self.index)? * 8);
        self.left = self.length;
        Some(())
    }

    /// `None` where more bits were read than the interval has.
    pub(super) fn check(&self) -> Option<()> {
        let end = self.entropy.starts.get(self.index + 1).unwrap_or(&self.entropy.data.len()) * 8;
        (self.bits.position() <= end).then_some(())
    }

    /// `None` where that is so, or where there are more intervals than units.
    pub(super) fn finish(&self) -> Option<()> {
        self.check()?;
        (self.index + 1 == self.entropy.starts.len()).then_some(())
    }
}

/// A place in the bits of a scan.
#[derive(Clone, Copy)]
pub(super) struct Bits<'a> {
    data: &'a [u8],
    /// The byte that fills the buffer next.
    at: usize,
    /// The next bits, the first one highest.
    buffer: u64,
    /// How many of them are certain.
    count: u32,
}

impl Bits<'_> {
    /// So many bits are certain after a refill: more than a code of 16 with 15 bits behind it has.
    pub(super) const REFILLED: u32 = 56;

    /// Makes at least [`Bits::REFILLED`] bits certain.
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

    /// Refills unless a code and what follows it are certain already.
    #[inline(always)]
    pub(super) fn refill_if_low(&mut self) {
        if self.count < 32 {
            self.refill();
        }
    }

    /// The next `N` bits, of 1 to 32 certain ones.
    #[inline(always)]
    pub(super) fn peek<const N: u32>(&self) -> usize {
        (self.buffer >> (64 - N)) as usize
    }

    /// Passes certain bits.
    #[inline(always)]
    pub(super) fn consume(&mut self, count: u32) {
        self.buffer <<= count & 63;
        self.count = self.count.wrapping_sub(count);
    }

    /// The next `size` bits, of 0 to 15 certain ones.
    #[inline(always)]
    pub(super) fn take(&mut self, size: u32) -> u16 {
        let value = (self.buffer >> 1 >> (63 - (size & 15))) as u16;
        self.consume(size);
        value
    }

    /// How many bits of the scan were passed; more than it has where it is cut short.
    pub(super) fn position(&self) -> usize {
        (self.at * 8).saturating_sub(self.count as usize)
    }
}

/// The bytes from a place to the end, followed by zeros.
#[cold]
fn last_bytes(data: &[u8], at: usize) -> u64 {
    let mut bytes = [0; 8];
    for (to, from) in bytes.iter_mut().zip(data.iter().skip(at)) {
        *to = *from;
    }
    u64::from_be_bytes(bytes)
}

/// The number that `size` bits stand for: of positive ones the first bit is set.
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
        let (entropy, length) = Entropy::of(&bytes).expect("it ends");
        assert_eq!((entropy.data, entropy.starts), (vec![1, 0xff, 2, 3, 0xff], vec![0, 3, 4]));
        assert_eq!(length, 12);
        assert!(Entropy::of(&[1, 0xff, 0xd1, 0xff, 0xd9]).is_none(), "the second one first");
        assert!(Entropy::of(&[1, 2]).is_none(), "no end");
        assert!(Entropy::of(&[1, 0xff]).is_none(), "half a marker");
    }

    #[test]
    fn intervals_end_where_their_bits_do() {
        let (entropy, _) = Entropy::of(&[7, 7, 0xff, 0xd0, 5, 0xff, 0xd9]).expect("it ends");
        let mut intervals = Intervals::of(&entropy, 1);
        assert_eq!(intervals.begin_unit(), Some(false));
        intervals.bits.consume(16);
        assert_eq!(intervals.begin_unit(), Some(true));
        assert_eq!(intervals.bits.take(8), 5);
        assert_eq!(intervals.finish(), Some(()));
        // Behind the end there are zeros, and somebody notices.
        assert_eq!(intervals.bits.take(9), 0);
        assert_eq!(intervals.check(), None);

        let mut intervals = Intervals::of(&entropy, 1);
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
