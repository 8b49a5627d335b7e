//! Decoder of files that have all their coefficients in one scan, as cameras write them.
//!
//! Input: a [`Jpeg`] whose first scan has all components. Output: the rows of its picture at a
//! reduced size, and the [`Detail`] for decoding parts of it at full size. One row of units is held
//! at a time, with only the coefficients that its pixels need.

use super::Jpeg;
use super::bits::{Entropy, Intervals};
use super::block::Codes;
use super::detail::{Detail, STRETCH};
use super::header::{Frame, Headers};
use super::picture::{Picture, RowWriter, Strip};
use super::plan::ConversionPlan;
use super::units::UnitReader;

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
    let mut codes = Vec::with_capacity(scan.parts.len());
    for part in &scan.parts {
        codes.push(Codes::new(headers.code(0, part.codes.0)?, headers.code(1, part.codes.1)?));
    }
    let frame = headers.frame()?;
    let plans = plans(&headers, frame, factor)?;
    let full_size = self::plans(&headers, frame, 1)?;
    let (entropy, length) = Entropy::parse(headers.rest())?;
    let mut units = UnitReader::new(Intervals::new(&entropy, headers.restart));
    let mut rows = RowWriter::new(frame.reduced_size(factor), colours);
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
fn plans(headers: &Headers<'_>, frame: &Frame, factor: usize) -> Option<Vec<ConversionPlan>> {
    (0..frame.components.len()).map(|at| ConversionPlan::new(headers, at, factor)).collect()
}
