//! Decoder of files whose coefficients come in several scans.
//!
//! Each scan of a progressive file adds some coefficients of all blocks, or another bit of them;
//! each scan of a sequential file that is not interleaved adds one component. Input: a [`Jpeg`].
//! Output: the rows of its picture at a reduced size. All blocks are held until the last scan. Of
//! each block only the coefficients that its pixels need are held, and for the others whether they
//! are zero, because later scans depend on it. Invariant: no bit comes twice, and no bit comes
//! before a higher one.

use super::Jpeg;
use super::bits::{Bits, Entropy, Intervals, signed};
use super::block::Block;
use super::header::{Frame, Headers, Scan};
use super::huffman::Code;
use super::picture::{Picture, RowWriter, Strip};
use super::plan::ConversionPlan;

/// Blocks of a component.
struct Blocks {
    plan: ConversionPlan,
    /// Number of blocks in a row, including those of units that reach beyond the picture.
    across: usize,
    /// Coefficients of all blocks, only those that are kept.
    values: Vec<i16>,
    /// Bits per block, one for each coefficient in the order of the file: set if it is not zero.
    nonzero: Vec<u64>,
    /// Lowest bit of each coefficient that was received.
    lowest: [Option<u8>; 64],
}

/// Decodes a file at a reduced size.
pub(super) fn decode(
    jpeg: Jpeg<'_>,
    factor: usize,
    write: &mut dyn FnMut(usize, &Picture),
) -> Option<()> {
    let Jpeg { mut headers, first, colours } = jpeg;
    let mut all: [Option<Blocks>; 3] = [None, None, None];
    let mut next = Some(first);
    while let Some(scan) = next {
        for part in &scan.parts {
            let blocks = &mut all[part.component];
            if blocks.is_none() {
                *blocks = Some(Blocks::new(&headers, part.component, factor)?);
            }
            blocks.as_mut()?.expect(&scan, headers.frame()?.is_progressive)?;
        }
        let (entropy, length) = Entropy::parse(headers.rest())?;
        Reader::new(&headers, &scan, &entropy)?.read(&mut all, headers.frame()?)?;
        headers.at += length;
        next = headers.next_scan()?;
    }
    let frame = headers.frame()?;
    let all: Vec<Blocks> = all.into_iter().flatten().collect();
    if all.len() != frame.components.len() || all.iter().any(|blocks| blocks.lowest[0].is_none()) {
        return None;
    }
    let mut rows = RowWriter::new(frame.reduced_size(factor), colours);
    let mut strip = Strip::new(frame, factor, frame.units().0);
    for row in 0..frame.units().1 {
        for (at, blocks) in all.iter().enumerate() {
            blocks.write(at, row, &mut strip);
        }
        rows.write(&strip, row, write);
    }
    Some(())
}

impl Blocks {
    fn new(headers: &Headers<'_>, component: usize, factor: usize) -> Option<Blocks> {
        let plan = ConversionPlan::new(headers, component, factor)?;
        let (across, down) = headers.frame()?.units();
        let across = across * plan.blocks.0;
        let count = across * down * plan.blocks.1;
        let values = vec![0; count * plan.layout.size];
        Some(Blocks { plan, across, values, nonzero: vec![0; count], lowest: [None; 64] })
    }

    /// Records what a scan adds; `None` if that was received before, or comes too early.
    fn expect(&mut self, scan: &Scan, is_progressive: bool) -> Option<()> {
        let (before, lowest) = scan.bits;
        let band = usize::from(scan.band.0)..=usize::from(scan.band.1);
        let is_allowed = if is_progressive {
            // Means come in scans of their own, before all other coefficients.
            lowest <= 13 && (band == (0..=0) || scan.parts.len() == 1 && *band.start() > 0)
        } else {
            band == (0..=63) && scan.bits == (0, 0)
        };
        if !is_allowed || *band.start() > 0 && self.lowest[0].is_none() {
            return None;
        }
        for coefficient in &mut self.lowest[band] {
            match *coefficient {
                None if before == 0 => {}
                Some(last) if last == before && before == lowest + 1 => {}
                _ => return None,
            }
            *coefficient = Some(lowest);
        }
        Some(())
    }

    /// Writes the pixels of a row of units.
    fn write(&self, component: usize, row: usize, strip: &mut Strip) {
        let plan = &self.plan;
        let mut block = Block::EMPTY;
        for y in 0..plan.blocks.1 {
            for x in 0..self.across {
                let at = (row * plan.blocks.1 + y) * self.across + x;
                let values = &self.values[at * plan.layout.size..][..plan.layout.size];
                block.values[..plan.layout.size].copy_from_slice(values);
                block.is_flat = self.nonzero[at] >> 1 == 0;
                plan.write(&block, strip.block(component, plan, (x, y)));
            }
        }
    }

    fn is_zero(&self, block: usize, place: u8) -> bool {
        self.nonzero[block] >> place & 1 == 0
    }

    /// Returns the value of a coefficient, if it is kept.
    fn value(&mut self, block: usize, place: u8) -> Option<&mut i16> {
        let slot = self.plan.layout.slot(place);
        (slot < self.plan.layout.size)
            .then(|| &mut self.values[block * self.plan.layout.size + slot])
    }

    fn set(&mut self, block: usize, place: u8, number: i16) {
        self.nonzero[block] |= 1 << place;
        if let Some(value) = self.value(block, place) {
            *value = number;
        }
    }
}

/// Reader of a scan.
struct Reader<'a> {
    scan: &'a Scan,
    intervals: Intervals<'a>,
    /// Codes of means and of coefficients for each part, if the scan has them.
    codes: Vec<[Option<Code>; 2]>,
    means: [i16; 3],
    /// Number of following blocks for which the band adds nothing.
    empty: u32,
}

impl<'a> Reader<'a> {
    fn new(headers: &Headers<'a>, scan: &'a Scan, entropy: &'a Entropy) -> Option<Reader<'a>> {
        let mut codes = Vec::new();
        for part in &scan.parts {
            let means = if scan.band.0 == 0 && scan.bits.0 == 0 {
                Some(headers.code(0, part.codes.0)?)
            } else {
                None
            };
            let coefficients =
                if scan.band.1 > 0 { Some(headers.code(1, part.codes.1)?) } else { None };
            codes.push([means, coefficients]);
        }
        let intervals = Intervals::new(entropy, headers.restart);
        Some(Reader { scan, intervals, codes, means: [0; 3], empty: 0 })
    }

    /// Reads all units. If the scan has a single component, its blocks are the units, without those
    /// that lie beyond the picture.
    fn read(mut self, all: &mut [Option<Blocks>; 3], frame: &Frame) -> Option<()> {
        let alone = self.scan.parts.len() == 1;
        let (across, down) = match self.scan.parts.as_slice() {
            [part] => frame.blocks(part.component),
            _ => frame.units(),
        };
        for row in 0..down {
            for column in 0..across {
                if self.intervals.begin_unit()? {
                    (self.means, self.empty) = ([0; 3], 0);
                }
                for part in 0..self.scan.parts.len() {
                    let blocks = all[self.scan.parts[part].component].as_mut()?;
                    let unit = if alone { (1, 1) } else { blocks.plan.blocks };
                    for y in 0..unit.1 {
                        for x in 0..unit.0 {
                            let row = row * unit.1 + y;
                            let at = row * blocks.across + column * unit.0 + x;
                            self.read_block(part, blocks, at)?;
                        }
                    }
                }
            }
            self.intervals.check()?;
        }
        self.intervals.finish()
    }

    fn read_block(&mut self, part: usize, blocks: &mut Blocks, at: usize) -> Option<()> {
        let mut band = self.scan.band;
        let is_first = self.scan.bits.0 == 0;
        let bits = &mut self.intervals.bits;
        let lowest = self.scan.bits.1;
        if band.0 == 0 {
            bits.refill_if_low();
            if is_first {
                let size = u32::from(self.codes[part][0].as_ref()?.symbol(bits)?);
                if size > 11 {
                    return None;
                }
                let mean = &mut self.means[part];
                *mean = mean.wrapping_add(signed(bits.take(size), size));
                blocks.set(at, 0, *mean << lowest);
            } else if bits.take(1) == 1
                && let Some(value) = blocks.value(at, 0)
            {
                *value |= 1 << lowest;
            }
            band.0 = 1;
        }
        if band.1 == 0 {
            return Some(());
        }
        let code = self.codes[part][1].as_ref()?;
        let mut coefficients =
            Coefficients { blocks, at, band, lowest, bits, empty: &mut self.empty };
        if is_first { coefficients.read(code) } else { coefficients.correct(code) }
    }
}

/// Band of coefficients of a block.
struct Coefficients<'r, 'a> {
    blocks: &'r mut Blocks,
    at: usize,
    band: (u8, u8),
    lowest: u8,
    bits: &'r mut Bits<'a>,
    empty: &'r mut u32,
}

impl Coefficients<'_, '_> {
    /// Reads coefficients of which no bit was received before.
    fn read(&mut self, code: &Code) -> Option<()> {
        if *self.empty > 0 {
            *self.empty -= 1;
            return Some(());
        }
        let mut place = self.band.0;
        while place <= self.band.1 {
            self.bits.refill_if_low();
            let symbol = code.symbol(self.bits)?;
            let run = symbol >> 4;
            let size = u32::from(symbol & 15);
            if size == 0 && run < 15 {
                *self.empty = self.run_of_blocks(run) - 1;
                break;
            }
            place += run;
            if size > 0 {
                if place > self.band.1 {
                    return None;
                }
                let number = signed(self.bits.take(size), size);
                self.blocks.set(self.at, place, number << self.lowest);
            }
            place += 1;
        }
        Some(())
    }

    /// Reads another bit of each coefficient that is not zero, and the first bit of further
    /// coefficients.
    fn correct(&mut self, code: &Code) -> Option<()> {
        let mut place = self.band.0;
        while *self.empty == 0 && place <= self.band.1 {
            self.bits.refill_if_low();
            let symbol = code.symbol(self.bits)?;
            let run = symbol >> 4;
            let new = match symbol & 15 {
                0 if run < 15 => {
                    *self.empty = self.run_of_blocks(run);
                    break;
                }
                0 => None,
                1 if self.bits.take(1) == 1 => Some(1 << self.lowest),
                1 => Some(-1 << self.lowest),
                _ => return None,
            };
            place = self.pass(place, run);
            if let Some(number) = new {
                if place > self.band.1 {
                    return None;
                }
                self.blocks.set(self.at, place, number);
            }
            place += 1;
        }
        if *self.empty > 0 {
            *self.empty -= 1;
            // Most of these blocks have nothing to correct, and a file can have many of them.
            let nonzero = self.blocks.nonzero[self.at] & (u64::MAX >> (63 - self.band.1));
            if nonzero >> place != 0 {
                self.pass(place, 64);
            }
        }
        Some(())
    }

    /// Corrects nonzero coefficients up to the zero that follows `run` other zeros, or to the end
    /// of the band, and returns that zero's position.
    fn pass(&mut self, from: u8, mut run: u8) -> u8 {
        let mut place = from;
        while place <= self.band.1 {
            if self.blocks.is_zero(self.at, place) {
                if run == 0 {
                    break;
                }
                run -= 1;
            } else {
                self.bits.refill_if_low();
                if self.bits.take(1) == 1
                    && let Some(value) = self.blocks.value(self.at, place)
                {
                    *value = value.wrapping_add(value.signum() << self.lowest);
                }
            }
            place += 1;
        }
        place
    }

    /// Returns the number of blocks for which the band adds nothing, including this one.
    fn run_of_blocks(&mut self, size: u8) -> u32 {
        (1 << size) + u32::from(self.bits.take(u32::from(size)))
    }
}
