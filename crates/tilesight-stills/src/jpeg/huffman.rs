//! Huffman codes, and tables that answer several questions at once.
//!
//! Input: a code as the file defines it. Output: [`Code`], from bits to symbols; [`Numbers`], from
//! bits to the differences and coefficients of a sequential scan, with the sign and the run already
//! taken out of the symbol; [`Skips`], from bits to how far they lead where nothing has to be
//! known. Invariant: a code is one that can be read; bits that mean nothing are found out when they
//! are read.

use super::bits::{Bits, signed};

/// Added to the place in a block where the block ends.
pub(super) const END: u8 = 128;
/// Added to the place in a block where bits mean nothing.
const NOTHING: u8 = 64;

/// A Huffman code.
pub(super) struct Code {
    /// For the first bits of a code its length and, below, its symbol; 0 where it is longer.
    short: [u16; 1 << SHORT],
    /// For each length the first code that is longer, filled up to 16 bits.
    limits: [u32; 17],
    /// For each length what is added to a code to have its symbol's place.
    offsets: [i32; 17],
    symbols: Vec<u8>,
}

/// Most codes are no longer.
const SHORT: u32 = 9;

impl Code {
    /// The code with so many symbols of each length from 1 to 16; `None` where there can't be such
    /// a code.
    pub(super) fn of(counts: &[u8; 16], symbols: &[u8]) -> Option<Code> {
        let total: usize = counts.iter().map(|&count| usize::from(count)).sum();
        if total != symbols.len() || !(1..=256).contains(&total) {
            return None;
        }
        let symbols = symbols.to_vec();
        let mut code = Code { short: [0; 1 << SHORT], limits: [0; 17], offsets: [0; 17], symbols };
        let (mut next, mut place) = (0_u32, 0_i32);
        for length in 1..=16 {
            let count = u32::from(counts[length - 1]);
            next <<= 1;
            code.offsets[length] = place - next as i32;
            next += count;
            place += count as i32;
            if next > 1 << length {
                return None;
            }
            code.limits[length] = next << (16 - length);
        }
        for bits in 0..code.short.len() {
            if let Some((length, symbol)) = code.search((bits << (16 - SHORT)) as u16, 1)
                && length <= SHORT
            {
                code.short[bits] = (length << 8) as u16 | u16::from(symbol);
            }
        }
        Some(code)
    }

    /// The length and the symbol of the code that 16 bits begin with.
    fn look_up(&self, bits: u16) -> Option<(u32, u8)> {
        match self.short[usize::from(bits >> (16 - SHORT))] {
            0 => self.search(bits, SHORT as usize + 1),
            found => Some((u32::from(found >> 8), found as u8)),
        }
    }

    /// The same among the codes of at least that length.
    fn search(&self, bits: u16, shortest: usize) -> Option<(u32, u8)> {
        let length = (shortest..=16).find(|&length| u32::from(bits) < self.limits[length])?;
        let place = i32::from(bits >> (16 - length)) + self.offsets[length];
        Some((length as u32, *self.symbols.get(usize::try_from(place).ok()?)?))
    }

    /// Reads a symbol; 16 bits are certain.
    pub(super) fn symbol(&self, bits: &mut Bits<'_>) -> Option<u8> {
        let (length, symbol) = self.look_up(bits.peek::<16>() as u16)?;
        bits.consume(length);
        Some(symbol)
    }
}

/// Which numbers a code is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// How much a block's mean differs from that of the block before it.
    Mean,
    /// How many coefficients are zero, and the one that follows.
    Coefficient,
}

/// What a symbol says: how far it leads, and how many bits of a number follow it.
fn meaning(symbol: u8, kind: Kind) -> Option<(u8, u32)> {
    let (run, size) = (symbol >> 4, u32::from(symbol & 15));
    match (kind, run, size) {
        (Kind::Mean, 0, ..=11) => Some((1, size)),
        (Kind::Coefficient, 0, 0) => Some((END, 0)),
        (Kind::Coefficient, 15, 0) => Some((16, 0)),
        (Kind::Coefficient, _, 1..=10) => Some((run + 1, size)),
        _ => None,
    }
}

/// The numbers behind a code, ready to be looked up.
pub(super) struct Numbers {
    /// For the first bits the number, how far it leads, and the length of code and number in bits.
    /// The length is 0 where they are longer than these bits; then the number is that of the code
    /// and, below, of the number, or all is 0 where the code alone is longer.
    entries: Box<[u32; 1 << LOOKED_UP]>,
    code: Code,
    kind: Kind,
}

/// Bits that are looked up at once. Of 9 to 12 this takes the least time for photos of 12
/// megapixels and 3 MB: with fewer bits more numbers have to be read in two steps, and larger
/// tables leave the cache.
const LOOKED_UP: u32 = 10;

impl Numbers {
    pub(super) fn of(code: Code, kind: Kind) -> Numbers {
        let mut entries = Box::new([0; 1 << LOOKED_UP]);
        for (bits, entry) in entries.iter_mut().enumerate() {
            let bits = (bits as u16) << (16 - LOOKED_UP);
            if let Some((length, symbol)) = code.look_up(bits)
                && length <= LOOKED_UP
                && let Some((advance, size)) = meaning(symbol, kind)
            {
                let advance = u32::from(advance) << 8;
                let number = u32::from(bits) << length & 0xffff;
                let number = signed((number >> (16 - size)) as u16, size);
                *entry = if length + size <= LOOKED_UP {
                    u32::from(number as u16) << 16 | advance | (length + size)
                } else {
                    (length << 4 | size) << 16 | advance
                };
            }
        }
        Numbers { entries, code, kind }
    }

    /// Reads a number and how far it leads; 31 bits are certain.
    #[inline(always)]
    pub(super) fn read(&self, bits: &mut Bits<'_>) -> (i16, u8) {
        let entry = self.entries[bits.peek::<LOOKED_UP>()];
        let length = entry & 0xff;
        if length == 0 {
            let (number, advance, behind) = self.read_long(entry, *bits);
            *bits = behind;
            return (number, advance);
        }
        bits.consume(length);
        ((entry >> 16) as i16, (entry >> 8) as u8)
    }

    /// Takes and returns the bits, so that they are in registers elsewhere.
    #[inline(never)]
    fn read_long<'b>(&self, entry: u32, mut bits: Bits<'b>) -> (i16, u8, Bits<'b>) {
        let (length, size, advance) = if entry == 0 {
            let found = self.code.look_up(bits.peek::<16>() as u16).and_then(|(length, symbol)| {
                meaning(symbol, self.kind).map(|(advance, size)| (length, size, advance))
            });
            let Some(found) = found else { return (0, NOTHING, bits) };
            found
        } else {
            (entry >> 20, entry >> 16 & 15, (entry >> 8) as u8)
        };
        bits.consume(length);
        (signed(bits.take(size), size), advance, bits)
    }
}

/// How far bits lead whose coefficients nobody asks for: several of them at once.
pub(super) struct Skips(Box<[u16; 1 << SKIPPED]>);

/// Bits that are skipped at once: of 11 to 13 this takes the least time for the same photos.
const SKIPPED: u32 = 13;

impl Skips {
    pub(super) fn of(code: &Code) -> Skips {
        let mut entries = Box::new([0; 1 << SKIPPED]);
        for (bits, entry) in entries.iter_mut().enumerate() {
            let (mut passed, mut far) = (0, 0);
            while far < END {
                let rest = (bits << (16 - SKIPPED) << passed) as u16;
                let found = code.look_up(rest).and_then(|(length, symbol)| {
                    meaning(symbol, Kind::Coefficient).map(|(by, size)| (length + size, by))
                });
                let Some((length, by)) = found else { break };
                // No group of them leads out of a block.
                if passed + length > SKIPPED || (by != END && far + by > 62) {
                    break;
                }
                (passed, far) = (passed + length, far + by);
            }
            *entry = u16::from(far) << 8 | passed as u16;
        }
        Skips(entries)
    }

    /// Passes coefficients behind `place` and returns the place of the last one of them, [`END`]
    /// added behind the last one of all; `None` where they have to be read one by one.
    #[inline(always)]
    pub(super) fn pass(&self, place: u8, bits: &mut Bits<'_>) -> Option<u8> {
        let entry = self.0[bits.peek::<SKIPPED>()];
        let next = place.wrapping_add((entry >> 8) as u8);
        // A block that is full has no end behind it: those bits would be the next block's.
        if entry == 0 || next & 127 > 62 {
            return None;
        }
        bits.consume(u32::from(entry & 0xff));
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jpeg::bits::{Entropy, Intervals};

    /// A code with symbols of 2 to 16 bits.
    fn code() -> Code {
        let counts = [0, 1, 2, 1, 1, 1, 0, 0, 1, 0, 1, 1, 0, 0, 0, 3];
        let symbols = [0x00, 0x01, 0x02, 0x11, 0x03, 0x21, 0xf0, 0x05, 0x1a, 0x31, 0x0a, 0x10];
        Code::of(&counts, &symbols).expect("there is room")
    }

    #[test]
    fn a_code_has_no_more_symbols_than_bits_tell_apart() {
        let of = |first: u8, second: u8, symbols: usize| {
            let mut counts = [0; 16];
            (counts[0], counts[1]) = (first, second);
            Code::of(&counts, &vec![0; symbols]).is_some()
        };
        assert!(of(1, 2, 3));
        assert!(!of(1, 3, 4));
        assert!(!of(3, 0, 3));
        assert!(!of(0, 0, 0));
        assert!(!of(1, 2, 2));
    }

    /// What bits say, read symbol by symbol.
    fn plainly(code: &Code, bits: &mut Bits<'_>) -> Option<(i16, u8)> {
        bits.refill();
        let (advance, size) = meaning(code.symbol(bits)?, Kind::Coefficient)?;
        Some((signed(bits.take(size), size), advance))
    }

    #[test]
    fn tables_say_what_symbols_say() {
        let skips = Skips::of(&code());
        let (code, numbers) = (code(), Numbers::of(code(), Kind::Coefficient));
        for bits in 0..=u16::MAX {
            let mut bytes = bits.to_be_bytes().to_vec();
            bytes.extend([0x5a; 8]);
            bytes = bytes
                .into_iter()
                .flat_map(|b| [b, 0].into_iter().take(1 + usize::from(b == 255)))
                .collect();
            bytes.extend([0xff, 0xd9]);
            let (entropy, _) = Entropy::of(&bytes).expect("it ends");
            let start = Intervals::of(&entropy, 0).bits;

            let (mut plain, mut fast) = (start, start);
            let expected = plainly(&code, &mut plain);
            let found = numbers.read(&mut fast);
            assert_eq!(found, expected.unwrap_or((0, NOTHING)), "{bits:016b}");
            assert!(expected.is_none() || fast.position() == plain.position(), "{bits:016b}");

            let (mut plain, mut fast) = (start, start);
            let Some(mut left) = skips.pass(0, &mut fast) else { continue };
            while plain.position() < fast.position() {
                left = left.wrapping_sub(plainly(&code, &mut plain).expect("it means something").1);
            }
            assert_eq!((left, plain.position()), (0, fast.position()), "{bits:016b}");
        }
    }
}
