//! Count of the prefix codes of a lossless picture, without decoding its pixels.
//!
//! A picture may have up to 65,536 groups of five codes, and a decoder builds tables for all of
//! them before the first pixel: 16 x 16 pixels took 1.25 GB and 4 s. Input: the coded picture.
//! Output: nothing, or an error if its codes would take too much. What stands before the codes is
//! decoded: transformations, and the picture that assigns groups to blocks; they have at most a
//! sixteenth of the pixels each. After the specification
//! (<https://developers.google.com/speed/webp/docs/webp_lossless_bitstream_specification>).
//! Invariant: the work is linear in the bytes and in the pixels of these small pictures.

use crate::DecodeError;
use crate::error::cut_short;
use crate::heif::contradicts;

/// Maximum number of bytes that a decoder may need for the tables of a picture's codes. libwebp
/// writes at most 2,600 groups, whose tables of four kilobytes for each code take 53 MB.
pub(in super::super) const MAX_CODE_BYTES: u64 = 96 << 20;

/// Numbers of symbols of a group's codes: green with lengths, red, blue, opacity, distances.
const ALPHABETS: [usize; 5] = [256 + 24, 256, 256, 256, 40];

/// Order in which the lengths of the codes for code lengths are written.
const ORDER: [usize; 19] = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15];

/// Longest code in bits.
const MAX_LENGTH: usize = 15;

/// Offsets across and down for the first 120 distances.
#[rustfmt::skip]
const NEAR: [(i32, i32); 120] = [
    (0, 1),  (1, 0),  (1, 1),  (-1, 1), (0, 2),  (2, 0),  (1, 2),  (-1, 2),
    (2, 1),  (-2, 1), (2, 2),  (-2, 2), (0, 3),  (3, 0),  (1, 3),  (-1, 3),
    (3, 1),  (-3, 1), (2, 3),  (-2, 3), (3, 2),  (-3, 2), (0, 4),  (4, 0),
    (1, 4),  (-1, 4), (4, 1),  (-4, 1), (3, 3),  (-3, 3), (2, 4),  (-2, 4),
    (4, 2),  (-4, 2), (0, 5),  (3, 4),  (-3, 4), (4, 3),  (-4, 3), (5, 0),
    (1, 5),  (-1, 5), (5, 1),  (-5, 1), (2, 5),  (-2, 5), (5, 2),  (-5, 2),
    (4, 4),  (-4, 4), (3, 5),  (-3, 5), (5, 3),  (-5, 3), (0, 6),  (6, 0),
    (1, 6),  (-1, 6), (6, 1),  (-6, 1), (2, 6),  (-2, 6), (6, 2),  (-6, 2),
    (4, 5),  (-4, 5), (5, 4),  (-5, 4), (3, 6),  (-3, 6), (6, 3),  (-6, 3),
    (0, 7),  (7, 0),  (1, 7),  (-1, 7), (5, 5),  (-5, 5), (7, 1),  (-7, 1),
    (4, 6),  (-4, 6), (6, 4),  (-6, 4), (2, 7),  (-2, 7), (7, 2),  (-7, 2),
    (3, 7),  (-3, 7), (7, 3),  (-7, 3), (5, 6),  (-5, 6), (6, 5),  (-6, 5),
    (8, 0),  (4, 7),  (-4, 7), (7, 4),  (-7, 4), (8, 1),  (8, 2),  (6, 6),
    (-6, 6), (8, 3),  (5, 7),  (-5, 7), (7, 5),  (-7, 5), (8, 4),  (6, 7),
    (-6, 7), (7, 6),  (-7, 6), (8, 5),  (7, 7),  (-7, 7), (8, 6),  (8, 7),
];

/// Checks the codes of a picture. The opacity of a lossy picture has no header; its size is given.
pub(super) fn check_codes(data: &[u8], size: Option<(u32, u32)>) -> Result<(), DecodeError> {
    let mut bits = Bits { bytes: data, at: 0 };
    let (width, height) = match size {
        Some(size) => size,
        None => {
            bits.take(8)?;
            let size = (bits.take(14)? + 1, bits.take(14)? + 1);
            bits.take(4)?;
            size
        }
    };
    let width = skip_transformations(&mut bits, (width, height))?;
    let cache = color_cache(&mut bits)?;
    let groups = count_groups(&mut bits, (width, height))?;
    let mut needed = 0;
    for _ in 0..groups {
        for (at, symbols) in ALPHABETS.into_iter().enumerate() {
            let symbols = if at == 0 { symbols + cache } else { symbols };
            needed += Code::read(&mut bits, symbols)?.table_bytes();
        }
        if needed > MAX_CODE_BYTES {
            return Err(contradicts("the number of its codes"));
        }
    }
    Ok(())
}

/// Reads the transformations, and returns the width of the picture that they leave.
fn skip_transformations(bits: &mut Bits<'_>, size: (u32, u32)) -> Result<u32, DecodeError> {
    let (mut width, height) = size;
    let mut seen = [false; 4];
    while bits.take(1)? == 1 {
        let kind = bits.take(2)?;
        if std::mem::replace(&mut seen[kind as usize], true) {
            return Err(contradicts("its coding"));
        }
        match kind {
            // Prediction, or differences of colours: a value for each block.
            0 | 1 => {
                let side = bits.take(3)? + 2;
                skip_picture(bits, blocks((width, height), side))?;
            }
            // Differences from green have no data.
            2 => {}
            // A palette: pixels of few colours share a byte.
            _ => {
                let colours = bits.take(8)? + 1;
                skip_picture(bits, (colours, 1))?;
                let together = match colours {
                    0..=2 => 3,
                    3..=4 => 2,
                    5..=16 => 1,
                    _ => 0,
                };
                width = blocks((width, 1), together).0;
            }
        }
    }
    Ok(width)
}

/// Returns the number of groups of codes. Where there are several, a picture names one for each
/// block; no encoder writes more groups than there are blocks.
fn count_groups(bits: &mut Bits<'_>, size: (u32, u32)) -> Result<u32, DecodeError> {
    if bits.take(1)? == 0 {
        return Ok(1);
    }
    let side = bits.take(3)? + 2;
    let size = blocks(size, side);
    let pixels = read_picture(bits, size)?;
    let groups = pixels.iter().map(|pixel| (pixel >> 8 & 0xffff) + 1).max().unwrap_or(1);
    if groups > size.0 * size.1 { Err(contradicts("the number of its codes")) } else { Ok(groups) }
}

/// Returns the number of blocks across and down, with sides of two to the power of `side`.
fn blocks((width, height): (u32, u32), side: u32) -> (u32, u32) {
    (width.div_ceil(1 << side), height.div_ceil(1 << side))
}

/// Returns the number of colours that the cache holds, 0 without one.
fn color_cache(bits: &mut Bits<'_>) -> Result<usize, DecodeError> {
    if bits.take(1)? == 0 {
        return Ok(0);
    }
    match bits.take(4)? {
        width @ 1..=11 => Ok(1 << width),
        _ => Err(contradicts("its coding")),
    }
}

fn skip_picture(bits: &mut Bits<'_>, size: (u32, u32)) -> Result<(), DecodeError> {
    read_picture(bits, size).map(drop)
}

/// Decodes a small picture, which has one group of codes, to opacity, red, green and blue.
fn read_picture(bits: &mut Bits<'_>, (width, height): (u32, u32)) -> Result<Vec<u32>, DecodeError> {
    let cached = color_cache(bits)?;
    let mut cache = vec![0_u32; cached];
    let mut codes = Vec::with_capacity(ALPHABETS.len());
    for (at, symbols) in ALPHABETS.into_iter().enumerate() {
        codes.push(Code::read(bits, if at == 0 { symbols + cached } else { symbols })?);
    }
    let count = width as usize * height as usize;
    let mut pixels: Vec<u32> = Vec::with_capacity(count);
    while pixels.len() < count {
        let symbol = codes[0].next(bits)?;
        let start = pixels.len();
        match symbol {
            0..256 => {
                let red = codes[1].next(bits)?;
                let blue = codes[2].next(bits)?;
                let opacity = codes[3].next(bits)?;
                pixels.push((opacity << 24 | red << 16 | symbol << 8 | blue) as u32);
            }
            256..280 => {
                let length = distance(bits, symbol - 256)?;
                let symbol = codes[4].next(bits)?;
                let back = steps_back(distance(bits, symbol)?, width);
                if back > start || length > count - start {
                    return Err(contradicts("its coding"));
                }
                for at in start..start + length {
                    pixels.push(pixels[at - back]);
                }
            }
            _ => pixels.push(*cache.get(symbol - 280).ok_or_else(|| contradicts("its coding"))?),
        }
        if cached > 0 {
            for &pixel in &pixels[start..] {
                cache[cache_slot(pixel, cached)] = pixel;
            }
        }
    }
    Ok(pixels)
}

/// Returns the place of a pixel in a cache of this length.
fn cache_slot(pixel: u32, length: usize) -> usize {
    let shift = 32 - length.trailing_zeros();
    (pixel.wrapping_mul(0x1e35_a7bd) >> shift) as usize
}

/// Reads the rest of a length or a distance, which begins with a symbol.
fn distance(bits: &mut Bits<'_>, symbol: usize) -> Result<usize, DecodeError> {
    if symbol < 4 {
        return Ok(symbol + 1);
    }
    let more = (symbol - 2) >> 1;
    let offset = (2 + (symbol & 1)) << more;
    Ok(offset + bits.take(more as u32)? as usize + 1)
}

/// Converts a distance to a number of pixels: the smallest ones name pixels near above.
fn steps_back(distance: usize, width: u32) -> usize {
    match NEAR.get(distance - 1) {
        Some(&(across, down)) => (across + down * width as i32).max(1) as usize,
        None => distance - NEAR.len(),
    }
}

/// A prefix code: how many codes there are of each length, and their symbols in order.
struct Code {
    counts: [u16; MAX_LENGTH + 1],
    symbols: Vec<u16>,
}

impl Code {
    fn read(bits: &mut Bits<'_>, symbols: usize) -> Result<Code, DecodeError> {
        let lengths = if bits.take(1)? == 1 {
            simple_lengths(bits, symbols)?
        } else {
            coded_lengths(bits, symbols)?
        };
        Code::new(&lengths)
    }

    fn new(lengths: &[u8]) -> Result<Code, DecodeError> {
        let mut counts = [0_u16; MAX_LENGTH + 1];
        for &length in lengths {
            counts[usize::from(length)] += 1;
        }
        counts[0] = 0;
        let mut starts = [0; MAX_LENGTH + 2];
        for length in 1..=MAX_LENGTH {
            starts[length + 1] = starts[length] + usize::from(counts[length]);
        }
        let count = starts[MAX_LENGTH + 1];
        let space: u32 =
            (1..).zip(&counts[1..]).map(|(bits, &n)| u32::from(n) << (15 - bits)).sum();
        // A single symbol takes no bits; the codes of several use all combinations.
        if count == 0 || count > 1 && space != 1 << MAX_LENGTH {
            return Err(contradicts("its codes"));
        }
        let mut symbols = vec![0; count];
        for (symbol, &length) in (0..).zip(lengths).filter(|(_, length)| **length > 0) {
            symbols[starts[usize::from(length)]] = symbol;
            starts[usize::from(length)] += 1;
        }
        Ok(Code { counts, symbols })
    }

    /// Returns the number of bytes that a decoder's tables for this code take: an entry of four
    /// bytes for each combination of up to ten bits, and two nodes of sixteen bytes for each longer
    /// code.
    fn table_bytes(&self) -> u64 {
        const TABLE_BITS: usize = 10;
        const OWN: u64 = 64;
        let longest = self.counts.iter().rposition(|&count| count > 0).unwrap_or(0);
        if self.symbols.len() < 2 {
            return OWN;
        }
        let long: u64 = self.counts[TABLE_BITS + 1..].iter().map(|&count| u64::from(count)).sum();
        OWN + (4 << longest.min(TABLE_BITS)) + 2 * 2 * 16 * long
    }

    /// Reads a symbol.
    fn next(&self, bits: &mut Bits<'_>) -> Result<usize, DecodeError> {
        if let [only] = self.symbols[..] {
            return Ok(usize::from(only));
        }
        let mut code = 0;
        let mut first = 0;
        let mut index = 0;
        for &count in &self.counts[1..] {
            code |= bits.take(1)?;
            let count = u32::from(count);
            if code < first + count {
                return Ok(usize::from(self.symbols[(index + code - first) as usize]));
            }
            index += count;
            first = (first + count) << 1;
            code <<= 1;
        }
        Err(contradicts("its codes"))
    }
}

/// Reads a code of one or two symbols.
fn simple_lengths(bits: &mut Bits<'_>, symbols: usize) -> Result<Vec<u8>, DecodeError> {
    let has_two = bits.take(1)? == 1;
    let width = if bits.take(1)? == 1 { 8 } else { 1 };
    let mut lengths = vec![0; symbols];
    let first = bits.take(width)? as usize;
    *lengths.get_mut(first).ok_or_else(|| contradicts("its codes"))? = 1;
    if has_two {
        let second = bits.take(8)? as usize;
        // Encoders write them in order; decoders disagree about other ones.
        if second <= first {
            return Err(contradicts("its codes"));
        }
        *lengths.get_mut(second).ok_or_else(|| contradicts("its codes"))? = 1;
    }
    Ok(lengths)
}

/// Reads the lengths of a code's symbols, which are coded themselves.
fn coded_lengths(bits: &mut Bits<'_>, symbols: usize) -> Result<Vec<u8>, DecodeError> {
    let mut of_lengths = [0; ORDER.len()];
    let written = 4 + bits.take(4)? as usize;
    for &at in &ORDER[..written] {
        of_lengths[at] = bits.take(3)? as u8;
    }
    let code = Code::new(&of_lengths)?;
    let mut max_codes = symbols;
    if bits.take(1)? == 1 {
        let width = 2 + 2 * bits.take(3)?;
        max_codes = 2 + bits.take(width)? as usize;
        if max_codes > symbols {
            return Err(contradicts("its codes"));
        }
    }
    let mut lengths = Vec::with_capacity(symbols);
    let mut previous = 8;
    while lengths.len() < symbols && max_codes > 0 {
        max_codes -= 1;
        let (length, times) = match code.next(bits)? {
            16 => (previous, 3 + bits.take(2)?),
            17 => (0, 3 + bits.take(3)?),
            18 => (0, 11 + bits.take(7)?),
            length => (length as u8, 1),
        };
        if length > 0 {
            previous = length;
        }
        lengths.extend(std::iter::repeat_n(length, times as usize));
    }
    if lengths.len() > symbols {
        return Err(contradicts("its codes"));
    }
    lengths.resize(symbols, 0);
    Ok(lengths)
}

/// Reader of bits, lowest first.
struct Bits<'a> {
    bytes: &'a [u8],
    /// Number of bits that were read.
    at: usize,
}

impl Bits<'_> {
    /// Reads a number of up to 24 bits.
    fn take(&mut self, count: u32) -> Result<u32, DecodeError> {
        let from = self.at / 8;
        self.at += count as usize;
        if self.at > self.bytes.len() * 8 {
            return Err(cut_short());
        }
        let mut four = [0; 4];
        let there = &self.bytes[from..self.bytes.len().min(from + 4)];
        four[..there.len()].copy_from_slice(there);
        let number = u32::from_le_bytes(four) >> (self.at - count as usize - from * 8);
        Ok(number & ((1 << count) - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writer of bits, lowest first.
    #[derive(Default)]
    struct Writer {
        bytes: Vec<u8>,
        used: usize,
    }

    impl Writer {
        fn put(&mut self, number: u32, count: usize) {
            for bit in 0..count {
                if self.used.is_multiple_of(8) {
                    self.bytes.push(0);
                }
                *self.bytes.last_mut().expect("a byte") |=
                    ((number >> bit & 1) as u8) << (self.used % 8);
                self.used += 1;
            }
        }

        /// Writes a code of one symbol.
        fn single(&mut self, symbol: u32) {
            self.put(0b101, 3);
            self.put(symbol, 8);
        }

        /// Writes a code of 256 symbols of eight bits: the code of lengths has 0 and 8.
        fn full(&mut self) {
            self.put(0, 1);
            self.put(12 - 4, 4);
            for length in ORDER.iter().take(12) {
                self.put(u32::from(matches!(length, 0 | 8)), 3);
            }
            self.put(1, 1);
            self.put(3, 3);
            self.put(254, 8);
            self.put(u32::MAX, 32);
            (0..7).for_each(|_| self.put(u32::MAX, 32));
        }
    }

    /// Returns a picture whose blocks of 4 x 4 pixels name `named` groups, of which `written`
    /// follow.
    fn picture(side: u32, named: u32, written: u32) -> Vec<u8> {
        let mut bits = Writer::default();
        bits.put(0x2f, 8);
        bits.put(side - 1, 14);
        bits.put(side - 1, 14);
        bits.put(0, 4);
        // No transformation and no cache, but groups for blocks of four pixels.
        bits.put(0b100, 3);
        bits.put(0, 3);
        // The picture of groups: no cache; red and green together are the number of the last group.
        bits.put(0, 1);
        for symbol in [(named - 1) & 0xff, (named - 1) >> 8, 0, 0, 0] {
            bits.single(symbol);
        }
        for _ in 0..written {
            (0..4).for_each(|_| bits.full());
            bits.single(0);
        }
        bits.put(0, 32);
        bits.bytes
    }

    #[test]
    fn groups_are_counted_before_their_tables_are_built() {
        assert_eq!(check_codes(&picture(16, 1, 1), None), Ok(()));
        assert_eq!(check_codes(&picture(16, 16, 16), None), Ok(()));
        let many = Err(contradicts("the number of its codes"));
        assert_eq!(check_codes(&picture(16, 65_536, 0), None), many, "more groups than blocks");
        assert!(check_codes(&picture(64, 16, 15), None).is_err(), "one is missing");
    }

    #[test]
    fn tables_are_limited_however_large_the_picture() {
        // 2,600 groups of four codes with tables of a kilobyte.
        assert_eq!(check_codes(&picture(256, 2_600, 2_600), None), Ok(()));
        let many = check_codes(&picture(1_024, 65_536, 30_000), None);
        assert_eq!(many, Err(contradicts("the number of its codes")));
    }

    #[test]
    fn damage_is_an_error_and_never_a_panic() {
        let whole = picture(64, 200, 200);
        for length in 0..200 {
            assert!(check_codes(&whole[..length], None).is_err());
        }
        let mut random = fastrand::Rng::with_seed(42);
        for _ in 0..3_000 {
            let mut damaged = whole.clone();
            for _ in 0..1 + random.usize(..4) {
                let at = random.usize(5..80);
                damaged[at] = random.u8(..);
            }
            let _ = check_codes(&damaged, None);
        }
    }
}
