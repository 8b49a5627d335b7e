//! Decodes files whose coefficients come in several scans.
//!
//! Each scan of a progressive file brings some coefficients of all blocks, or another bit of them;
//! of a sequential file that is not interleaved, it brings one component. Input: a [`Jpeg`].
//! Output: the rows of its picture at a part of its size. All blocks are held until the last scan,
//! but of each only the coefficients that its pixels need, and for the others whether they are
//! zero: that is what later scans depend on. Invariant: no bit comes twice, and none before a
//! higher one.

use super::Jpeg;
use super::bits::{Bits, Entropy, Intervals, signed};
use super::block::Block;
use super::header::{Frame, Headers, Scan};
use super::huffman::Code;
use super::picture::{Picture, Rows, Strip};
use super::plan::Plan;

/// The blocks of a component.
struct Blocks {
    plan: Plan,
    /// Blocks in a row, those of units that reach beyond the picture included.
    across: usize,
    /// As many for each block as are kept.
    values: Vec<i16>,
    /// One bit for each coefficient of a block, as the file has them.
    nonzero: Vec<u64>,
    /// The lowest bit of each coefficient that has come.
    lowest: [Option<u8>; 64],
}

/// Decodes a file at a part of its size.
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
                *blocks = Some(Blocks::of(&headers, part.component, factor)?);
            }
            blocks.as_mut()?.expect(&scan, headers.frame()?.is_progressive)?;
        }
        let (entropy, length) = Entropy::of(headers.rest())?;
        Reader::of(&headers, &scan, &entropy)?.read(&mut all, headers.frame()?)?;
        headers.at += length;
        next = headers.next_scan()?;
    }
    let frame = headers.frame()?;
    let all: Vec<Blocks> = all.into_iter().flatten().collect();
    if all.len() != frame.components.len() || all.iter().any(|blocks| blocks.lowest[0].is_none()) {
        return None;
    }
    let mut rows = Rows::of(frame.reduced(factor), colours);
    let mut strip = Strip::of(frame, factor, frame.units().0);
    for row in 0..frame.units().1 {
        for (at, blocks) in all.iter().enumerate() {
            blocks.write(at, row, &mut strip);
        }
        rows.write(&strip, row, write);
    }
    Some(())
}

impl Blocks {
    fn of(headers: &Headers<'_>, component: usize, factor: usize) -> Option<Blocks> {
        let plan = Plan::of(headers, component, factor)?;
        let (across, down) = headers.frame()?.units();
        let across = across * plan.blocks.0;
        let count = across * down * plan.blocks.1;
        let values = vec![0; count * plan.layout.size];
        Some(Blocks { plan, across, values, nonzero: vec![0; count], lowest: [None; 64] })
    }

    /// Notes what a scan brings; `None` where that has come, or comes too early.
    fn expect(&mut self, scan: &Scan, is_progressive: bool) -> Option<()> {
        let (before, lowest) = scan.bits;
        let band = usize::from(scan.band.0)..=usize::from(scan.band.1);
        let is_allowed = if is_progressive {
            // The means come by themselves, and before all else.
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
        let (plan, mut block) = (&self.plan, Block::EMPTY);
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

    /// The value of a coefficient, if it is kept.
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

/// Reads a scan.
struct Reader<'a> {
    scan: &'a Scan,
    intervals: Intervals<'a>,
    /// For each part the codes of means and of coefficients, where the scan has such.
    codes: Vec<[Option<Code>; 2]>,
    means: [i16; 3],
    /// In how many of the next blocks the band brings nothing new.
    empty: u32,
}

impl<'a> Reader<'a> {
    fn of(headers: &Headers<'a>, scan: &'a Scan, entropy: &'a Entropy) -> Option<Reader<'a>> {
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
        let intervals = Intervals::of(entropy, headers.restart);
        Some(Reader { scan, intervals, codes, means: [0; 3], empty: 0 })
    }

    /// Reads all units: of one component alone these are its blocks, without those that lie beyond
    /// the picture.
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

/// The band of a block.
struct Coefficients<'r, 'a> {
    blocks: &'r mut Blocks,
    at: usize,
    band: (u8, u8),
    lowest: u8,
    bits: &'r mut Bits<'a>,
    empty: &'r mut u32,
}

impl Coefficients<'_, '_> {
    /// Reads coefficients of which nothing has come.
    fn read(&mut self, code: &Code) -> Option<()> {
        if *self.empty > 0 {
            *self.empty -= 1;
            return Some(());
        }
        let mut place = self.band.0;
        while place <= self.band.1 {
            self.bits.refill_if_low();
            let symbol = code.symbol(self.bits)?;
            let (run, size) = (symbol >> 4, u32::from(symbol & 15));
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

    /// Reads another bit of each coefficient that is known not to be zero, and coefficients of
    /// which this is the first.
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
            // Most of these blocks have nothing to correct, and a file can have many.
            let nonzero = self.blocks.nonzero[self.at] & (u64::MAX >> (63 - self.band.1));
            if nonzero >> place != 0 {
                self.pass(place, 64);
            }
        }
        Some(())
    }

    /// Corrects what is not zero up to the zero behind `run` others, or to the end of the band, and
    /// returns its place.
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

    /// In how many blocks the band brings nothing new, this one included.
    fn run_of_blocks(&mut self, size: u8) -> u32 {
        (1 << size) + u32::from(self.bits.take(u32::from(size)))
    }
}
