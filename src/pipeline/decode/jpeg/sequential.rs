//! Decodes files that have all their coefficients in one scan, as cameras write them.
//!
//! Input: a [`Jpeg`] whose first scan has all components. Output: its [`Picture`] at a part of its
//! size. One row of units is held at a time, and of no block more than the coefficients that its
//! pixels need.

use super::Jpeg;
use super::bits::{Entropy, Intervals};
use super::block::{Block, Codes};
use super::header::{Headers, Part};
use super::huffman::{Code, Kind, Numbers, Skips};
use super::picture::{Picture, Strip};
use super::plan::Plan;

/// Decodes a file at a part of its size.
pub(super) fn decode(jpeg: Jpeg<'_>, factor: usize) -> Option<Picture> {
    let Jpeg { mut headers, first: scan, colours } = jpeg;
    if scan.band != (0, 63) || scan.bits != (0, 0) {
        return None;
    }
    let raw = raw_codes(&headers, &scan.parts)?;
    let codes: Vec<Codes<'_>> = raw.iter().map(codes).collect();
    let frame = headers.frame()?;
    let plans = (0..frame.components.len()).map(|at| Plan::of(&headers, at, factor));
    let plans: Vec<Plan> = plans.collect::<Option<_>>()?;
    let (entropy, length) = Entropy::of(headers.rest())?;
    let mut intervals = Intervals::of(&entropy, headers.restart);
    let mut picture = Picture::of(frame, factor);
    let mut strip = Strip::of(frame, factor);
    let mut means = [0; 3];
    for row in 0..frame.units().1 {
        read_row(&mut intervals, &mut means, &plans, &codes, &mut strip)?;
        picture.write(&strip, row, colours);
    }
    intervals.finish()?;
    headers.at += length;
    // A second scan would belong to a file that is not understood.
    headers.next_scan()?.is_none().then_some(picture)
}

/// The codes of each component, as they stand: of means and of coefficients.
fn raw_codes(headers: &Headers<'_>, parts: &[Part]) -> Option<Vec<(Code, Code)>> {
    let of = |part: &Part| Some((headers.code(0, part.codes.0)?, headers.code(1, part.codes.1)?));
    parts.iter().map(of).collect()
}

fn codes((means, coefficients): &(Code, Code)) -> Codes<'_> {
    Codes {
        means: Numbers::of(means, Kind::Mean),
        coefficients: Numbers::of(coefficients, Kind::Coefficient),
        skips: Skips::of(coefficients),
    }
}

/// Reads a row of units; `None` where bits mean nothing, or where there are too few.
fn read_row(
    intervals: &mut Intervals<'_>,
    means: &mut [i16; 3],
    plans: &[Plan],
    codes: &[Codes<'_>],
    strip: &mut Strip,
) -> Option<()> {
    let mut block = Block::EMPTY;
    for unit in 0..strip.units {
        if intervals.begin_unit()? {
            *means = [0; 3];
        }
        for (at, (plan, codes)) in plans.iter().zip(codes).enumerate() {
            for y in 0..plan.blocks.1 {
                for x in 0..plan.blocks.0 {
                    codes.read(&mut intervals.bits, &plan.layout, &mut means[at], &mut block)?;
                    let place = (unit * plan.blocks.0 + x, y);
                    plan.write(&block, strip.block(at, plan, place));
                }
            }
        }
    }
    intervals.check()
}
