//! Huffman codes, with tables that answer several questions at once.
//!
//! Input: a code as the file defines it. Output: [`Code`], from bits to symbols; [`Numbers`], from
//! bits to the differences and coefficients of a sequential scan, with sign and run already
//! extracted from the symbol; [`Skips`], from bits to the number of coefficients to skip when their
//! values are not needed. Invariant: a code is valid; invalid bits are detected when they are read.

use super::bits::{Bits, signed};

/// Flag in an advance or a position: the block ends here.
pub(super) const END: u8 = 128;
/// Flag in an advance or a position: the bits are not a valid code.
const NOTHING: u8 = 64;

/// A Huffman code.
pub(super) struct Code {
    /// Length and, below it, symbol of the code that the first bits begin with; 0 if that code is
    /// longer.
    short: [u16; 1 << SHORT],
    /// For each length the first code that is longer, padded to 16 bits.
    limits: [u32; 17],
    /// For each length the offset from a code to the index of its symbol.
    offsets: [i32; 17],
    symbols: Vec<u8>,
}

/// Number of bits that are looked up directly; most codes are no longer.
const SHORT: u32 = 9;

impl Code {
    /// Builds the code that has `counts` symbols of each length from 1 to 16; `None` if no such
    /// code exists.
    pub(super) fn new(counts: &[u8; 16], symbols: &[u8]) -> Option<Code> {
        let total: usize = counts.iter().map(|&count| usize::from(count)).sum();
        if total != symbols.len() || !(1..=256).contains(&total) {
            return None;
        }
        let symbols = symbols.to_vec();
        let mut code = Code { short: [0; 1 << SHORT], limits: [0; 17], offsets: [0; 17], symbols };
        let mut next = 0_u32;
        let mut place = 0_i32;
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

    /// Returns length and symbol of the code that 16 bits begin with.
    fn look_up(&self, bits: u16) -> Option<(u32, u8)> {
        match self.short[usize::from(bits >> (16 - SHORT))] {
            0 => self.search(bits, SHORT as usize + 1),
            found => Some((u32::from(found >> 8), found as u8)),
        }
    }

    /// Like [`Code::look_up`], but only among the codes of at least the length `shortest`.
    fn search(&self, bits: u16, shortest: usize) -> Option<(u32, u8)> {
        let length = (shortest..=16).find(|&length| u32::from(bits) < self.limits[length])?;
        let place = i32::from(bits >> (16 - length)) + self.offsets[length];
        Some((length as u32, *self.symbols.get(usize::try_from(place).ok()?)?))
    }

    /// Reads a symbol; 16 bits must be valid.
    pub(super) fn symbol(&self, bits: &mut Bits<'_>) -> Option<u8> {
        let (length, symbol) = self.look_up(bits.peek::<16>() as u16)?;
        bits.consume(length);
        Some(symbol)
    }
}

/// Kind of numbers that a code represents.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Difference of a block's mean from that of the previous block.
    Mean,
    /// Number of zero coefficients, and the coefficient that follows them.
    Coefficient,
}

/// Decodes a symbol: the number of coefficients to advance, and the number of bits of the value
/// that follows.
fn meaning(symbol: u8, kind: Kind) -> Option<(u8, u32)> {
    let run = symbol >> 4;
    let size = u32::from(symbol & 15);
    match (kind, run, size) {
        (Kind::Mean, 0, ..=11) => Some((1, size)),
        (Kind::Coefficient, 0, 0) => Some((END, 0)),
        (Kind::Coefficient, 15, 0) => Some((16, 0)),
        (Kind::Coefficient, _, 1..=10) => Some((run + 1, size)),
        _ => None,
    }
}

/// Numbers that a code represents, in a lookup table.
pub(super) struct Numbers {
    /// For the first bits the number, the advance, and the length of code and number in bits. If
    /// code and number are longer than the bits that are looked up, that length is 0, and the
    /// length of the code and, below it, that of the number take the place of the number. If the
    /// code alone is longer, the entry is 0.
    entries: Box<[u32; 1 << LOOKED_UP]>,
    code: Code,
    kind: Kind,
}

/// Number of bits that are looked up at once. Of 9 to 12 this takes the least time for photos of 12
/// megapixels and 3 MB: with fewer bits more numbers have to be read in two steps, and larger
/// tables leave the cache.
const LOOKED_UP: u32 = 10;

impl Numbers {
    pub(super) fn new(code: Code, kind: Kind) -> Numbers {
        let mut entries = Box::new([0; 1 << LOOKED_UP]);
        for (bits, entry) in entries.iter_mut().enumerate() {
            let bits = (bits as u16) << (16 - LOOKED_UP);
            if let Some((length, symbol)) = code.look_up(bits)
                && length <= LOOKED_UP
                && let Some((advance, size)) = meaning(symbol, kind)
            {
                let advance = u32::from(advance) << 8;
                let rest = u32::from(bits) << length & 0xffff;
                let number = signed((rest >> (16 - size)) as u16, size);
                *entry = if length + size <= LOOKED_UP {
                    u32::from(number as u16) << 16 | advance | (length + size)
                } else {
                    (length << 4 | size) << 16 | advance
                };
            }
        }
        Numbers { entries, code, kind }
    }

    /// Reads a number and its advance; 31 bits must be valid.
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

    /// Reads a number whose code is not in the table. It takes and returns the bits by value, so
    /// that callers keep them in registers.
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

/// Table for skipping several coefficients at once when their values are not needed.
pub(super) struct Skips(Box<[u16; 1 << SKIPPED]>);

/// Number of bits that are skipped at once: of 11 to 13 this takes the least time for the same
/// photos.
const SKIPPED: u32 = 13;

impl Skips {
    pub(super) fn new(code: &Code) -> Skips {
        let mut entries = Box::new([0; 1 << SKIPPED]);
        for (bits, entry) in entries.iter_mut().enumerate() {
            let mut passed = 0;
            let mut far = 0;
            while far < END {
                let rest = (bits << (16 - SKIPPED) << passed) as u16;
                let found = code.look_up(rest).and_then(|(length, symbol)| {
                    meaning(symbol, Kind::Coefficient).map(|(by, size)| (length + size, by))
                });
                let Some((length, by)) = found else { break };
                // No entry may advance beyond a block.
                if passed + length > SKIPPED || (by != END && far + by > 62) {
                    break;
                }
                (passed, far) = (passed + length, far + by);
            }
            *entry = u16::from(far) << 8 | passed as u16;
        }
        Skips(entries)
    }

    /// Skips coefficients behind `place` and returns the position of the last one skipped, with the
    /// flag [`END`] at the end of the block; `None` if the coefficients must be read one by one.
    #[inline(always)]
    pub(super) fn pass(&self, place: u8, bits: &mut Bits<'_>) -> Option<u8> {
        let entry = self.0[bits.peek::<SKIPPED>()];
        let next = place.wrapping_add((entry >> 8) as u8);
        // A full block has no end code: those bits would belong to the next block.
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

    /// Returns a code with symbols of 2 to 16 bits.
    fn code() -> Code {
        let counts = [0, 1, 2, 1, 1, 1, 0, 0, 1, 0, 1, 1, 0, 0, 0, 3];
        let symbols = [0x00, 0x01, 0x02, 0x11, 0x03, 0x21, 0xf0, 0x05, 0x1a, 0x31, 0x0a, 0x10];
        Code::new(&counts, &symbols).expect("there is room")
    }

    #[test]
    fn a_code_has_no_more_symbols_than_bits_tell_apart() {
        let of = |first: u8, second: u8, symbols: usize| {
            let mut counts = [0; 16];
            (counts[0], counts[1]) = (first, second);
            Code::new(&counts, &vec![0; symbols]).is_some()
        };
        assert!(of(1, 2, 3));
        assert!(!of(1, 3, 4));
        assert!(!of(3, 0, 3));
        assert!(!of(0, 0, 0));
        assert!(!of(1, 2, 2));
    }

    /// Decodes bits symbol by symbol, as a reference.
    fn plainly(code: &Code, bits: &mut Bits<'_>) -> Option<(i16, u8)> {
        bits.refill();
        let (advance, size) = meaning(code.symbol(bits)?, Kind::Coefficient)?;
        Some((signed(bits.take(size), size), advance))
    }

    #[test]
    fn tables_say_what_symbols_say() {
        let skips = Skips::new(&code());
        let (code, numbers) = (code(), Numbers::new(code(), Kind::Coefficient));
        for bits in 0..=u16::MAX {
            let mut bytes = bits.to_be_bytes().to_vec();
            bytes.extend([0x5a; 8]);
            bytes = bytes
                .into_iter()
                .flat_map(|b| [b, 0].into_iter().take(1 + usize::from(b == 255)))
                .collect();
            bytes.extend([0xff, 0xd9]);
            let (entropy, _) = Entropy::parse(&bytes).expect("it ends");
            let start = Intervals::new(&entropy, 0).bits;

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
