//! Decoder of files that have all their coefficients in one scan, as cameras write them.
//!
//! Input: a [`Jpeg`] whose first scan has all components. Output: the rows of its picture at a
//! reduced size, and the [`Detail`] for decoding parts of it at full size. One row of units is held
//! at a time, with only the coefficients that its pixels need.

use super::Jpeg;
use super::bits::{Entropy, Intervals};
use super::block::{Block, Codes};
use super::detail::{Detail, Entry, STRETCH};
use super::header::{Frame, Headers, Part};
use super::picture::{Picture, Rows, Strip};
use super::plan::Plan;

/// Decodes a file at a reduced size.
pub(super) fn decode(
    jpeg: Jpeg<'_>,
    factor: usize,
    write: &mut dyn FnMut(usize, &Picture),
) -> Option<Detail> {
    let Jpeg { mut headers, first: scan, colours } = jpeg;
    if scan.band != (0, 63) || scan.bits != (0, 0) {
        return None;
    }
    let codes = |part: &Part| {
        Some(Codes::new(headers.code(0, part.codes.0)?, headers.code(1, part.codes.1)?))
    };
    let codes: Vec<Codes> = scan.parts.iter().map(codes).collect::<Option<_>>()?;
    let frame = headers.frame()?;
    let plans = plans(&headers, frame, factor)?;
    let full_size = self::plans(&headers, frame, 1)?;
    let (entropy, length) = Entropy::parse(headers.rest())?;
    let mut units = Units::new(Intervals::new(&entropy, headers.restart));
    let mut rows = Rows::new(frame.reduced(factor), colours);
    let mut strip = Strip::new(frame, factor, frame.units().0);
    let mut entries = Vec::new();
    for row in 0..frame.units().1 {
        for first in (0..strip.units).step_by(STRETCH) {
            entries.push(units.entry());
            let count = STRETCH.min(strip.units - first);
            units.read(first, count, &plans, &codes, &mut strip)?;
        }
        units.intervals.check()?;
        rows.write(&strip, row, write);
    }
    units.intervals.finish()?;
    headers.at += length;
    // A file with a second scan is not supported.
    if headers.next_scan()?.is_some() {
        return None;
    }
    let restart = headers.restart;
    let frame = headers.into_frame()?;
    Some(Detail { frame, colours, restart, codes, plans: full_size, entropy, entries })
}

/// Returns the plan of each component.
fn plans(headers: &Headers<'_>, frame: &Frame, factor: usize) -> Option<Vec<Plan>> {
    (0..frame.components.len()).map(|at| Plan::new(headers, at, factor)).collect()
}

/// Units of a scan, read one after the other.
pub(super) struct Units<'a> {
    intervals: Intervals<'a>,
    /// Mean of each component's last block.
    means: [i16; 3],
}

impl<'a> Units<'a> {
    fn new(intervals: Intervals<'a>) -> Units<'a> {
        Units { intervals, means: [0; 3] }
    }

    /// Starts at an entry.
    pub(super) fn from(entropy: &'a Entropy, restart: usize, entry: &Entry) -> Units<'a> {
        let intervals = Intervals::from(entropy, restart, entry.place);
        Units { intervals, means: entry.means }
    }

    fn entry(&self) -> Entry {
        Entry { place: self.intervals.place(), means: self.means }
    }

    /// Reads `count` units into a strip; `None` if the bits are not a valid code, or if there are
    /// too few units.
    pub(super) fn read(
        &mut self,
        first: usize,
        count: usize,
        plans: &[Plan],
        codes: &[Codes],
        strip: &mut Strip,
    ) -> Option<()> {
        let mut block = Block::EMPTY;
        for unit in first..first + count {
            if self.intervals.begin_unit()? {
                self.means = [0; 3];
            }
            for (at, (plan, codes)) in plans.iter().zip(codes).enumerate() {
                for y in 0..plan.blocks.1 {
                    for x in 0..plan.blocks.0 {
                        let (bits, mean) = (&mut self.intervals.bits, &mut self.means[at]);
                        codes.read(bits, &plan.layout, mean, &mut block)?;
                        let place = (unit * plan.blocks.0 + x, y);
                        plan.write(&block, strip.block(at, plan, place));
                    }
                }
            }
        }
        Some(())
    }
}
