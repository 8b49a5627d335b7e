//! Decoding of one coded picture of a HEIC or AVIF file, from its bytes to planes of samples.
//!
//! Input: a [`GridCell`] and the size that the container claims for it. Output: [`Planes`]. The
//! decoders are libraries in safe Rust. Their input is assembled here from the units that
//! contribute to the picture, so neither hidden pictures nor comments reach them. Invariant: a
//! decoder's work is bounded before it starts, by the size that it may allocate and by the number
//! of units that may each cover the whole picture.

mod av1;
mod hevc;

use std::borrow::Cow;

use super::heif::{CodePoints, Coding, GridCell, Still, contradicts};
use super::{DecodeError, DecodeLimits};

/// The samples of a decoded picture.
#[derive(Debug)]
pub(super) struct Planes {
    pub(super) size: (usize, usize),
    /// Bits per sample, 8 to 16.
    pub(super) depth: u8,
    /// Number of bits by which the sides of the colour planes are shorter; `None` for grey
    /// pictures.
    pub(super) chroma: Option<(u8, u8)>,
    /// Y, Cb and Cr; the latter two are empty in grey pictures. Rows follow each other without
    /// gaps.
    pub(super) samples: [Samples; 3],
    /// Colour code points from the coded picture itself.
    pub(super) code_points: CodePoints,
}

/// Samples of a plane.
#[derive(Debug)]
pub(super) enum Samples {
    /// Samples of eight bits.
    Bytes(Vec<u8>),
    /// Samples of any depth.
    Words(Vec<u16>),
}

impl Samples {
    fn len(&self) -> usize {
        match self {
            Samples::Bytes(samples) => samples.len(),
            Samples::Words(samples) => samples.len(),
        }
    }

    /// Copies a row of samples.
    pub(super) fn row(&self, start: usize, to: &mut [u16]) {
        match self {
            Samples::Bytes(samples) => {
                for (to, from) in to.iter_mut().zip(&samples[start..]) {
                    *to = u16::from(*from);
                }
            }
            Samples::Words(samples) => to.copy_from_slice(&samples[start..start + to.len()]),
        }
    }
}

impl Planes {
    /// Returns width and height of the colour planes.
    pub(super) fn chroma_size(&self) -> (usize, usize) {
        let (width, height) = self.size;
        let (right, down) = self.chroma.unwrap_or_default();
        (width.div_ceil(1 << right), height.div_ceil(1 << down))
    }

    /// Checks that all samples are present, so that rows can be sliced.
    fn check(self, still: &Still<'_>) -> Result<Planes, DecodeError> {
        let (width, height) = self.size;
        let chroma = if self.chroma.is_some() { self.chroma_size() } else { (0, 0) };
        let needed = [(width, height), chroma, chroma].map(|(width, height)| width * height);
        let complete = self.samples.iter().zip(needed).all(|(plane, needed)| plane.len() >= needed);
        let covers = width >= still.cell_size.0 as usize && height >= still.cell_size.1 as usize;
        if !complete || !covers || !(8..=16).contains(&self.depth) {
            return Err(contradicts("its size"));
        }
        Ok(self)
    }
}

/// Decodes one of a photo's coded pictures.
pub(super) fn decode(
    still: &Still<'_>,
    cell: &GridCell<'_>,
    limits: &DecodeLimits,
) -> Result<Planes, DecodeError> {
    match still.coding {
        Coding::Hevc => hevc::decode(still, cell, limits)?,
        Coding::Av1 => av1::decode(still, cell, limits)?,
    }
    .check(still)
}

/// Returns a coded picture without the units that do not affect it: comments, hashes, padding.
pub(super) fn essence(
    coding: Coding,
    cell: &GridCell<'_>,
) -> Result<GridCell<'static>, DecodeError> {
    let (configuration, data) = match coding {
        Coding::Hevc => hevc::essence(cell)?,
        Coding::Av1 => av1::essence(cell)?,
    };
    Ok(GridCell { configuration: Cow::Owned(configuration), data: Cow::Owned(data) })
}

/// Returns the number of pixels that a decoder may allocate for a picture: its claimed size,
/// rounded up as the coding does.
fn allowance((width, height): (u32, u32)) -> u64 {
    // The largest blocks of AV1 are 128 pixels wide.
    let rounded = |side: u32| u64::from(side).next_multiple_of(128);
    rounded(width) * rounded(height)
}

/// Limits the number of units of a picture: a picture of the maximum size may have at most
/// `max_units` units that each cover all of its pixels, a smaller one proportionally more.
///
/// A camera's units share the pixels. Units that repeat each other would make a small file
/// expensive: a file of 14 KB with seven frames of 45 megapixels took 9 s.
fn check_passes(
    units: usize,
    max_units: u64,
    still: &Still<'_>,
    limits: &DecodeLimits,
) -> Result<(), DecodeError> {
    let pixels = allowance(still.cell_size);
    if units > 1 && units as u64 * pixels > max_units * limits.pixels {
        return Err(DecodeError::TooManyParts { limit: limits.parts });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::heif::Colour;
    use super::*;

    #[test]
    fn small_pictures_may_have_more_units_than_large_ones() {
        let limits = DecodeLimits::default();
        for (size, units, most, fits) in [
            ((6720, 6720), 1, 2, true),
            ((6720, 6720), 2, 2, true),
            ((6720, 6720), 3, 2, false),
            ((6720, 6720), 8, 8, true),
            ((6720, 6720), 9, 8, false),
            ((4032, 3024), 7, 2, true),
            ((512, 512), 200, 2, true),
            ((512, 512), 400, 2, false),
        ] {
            let (coding, colour) = (Coding::Av1, Colour::default());
            let (is_grid, columns, cells, steps) = (false, 1, Vec::new(), Vec::new());
            let still =
                Still { coding, size, is_grid, columns, cell_size: size, cells, colour, steps };
            let checked = check_passes(units, most, &still, &limits);
            assert_eq!(checked.is_ok(), fits, "{units} units of {size:?}");
        }
    }
}
