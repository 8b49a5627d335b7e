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

use super::colour::CodePoints;
use super::heif::{Coding, GridCell, Still, contradicts};
use super::limits::FREE_DECODED_PIXELS;
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

/// Decodes one of a photo's coded pictures, which [`check_passes`] has accepted.
pub(super) fn decode(still: &Still<'_>, cell: &GridCell<'_>) -> Result<Planes, DecodeError> {
    match still.coding {
        Coding::Hevc => hevc::decode(still, cell)?,
        Coding::Av1 => av1::decode(still, cell)?,
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
    /// Side of the largest blocks of AV1.
    const BLOCK: u64 = 128;
    u64::from(width).next_multiple_of(BLOCK) * u64::from(height).next_multiple_of(BLOCK)
}

/// Checks that the units that may each cover all of their picture, together cover the cells only a
/// few times: frames of AV1, slices of HEVC. They are counted before the first one is decoded.
///
/// A camera's units share the pixels of their cell, one unit as a rule. Units that repeat each
/// other would make a small file expensive: a file of 14 KB with seven frames of 45 megapixels took
/// 9 s.
pub(super) fn check_passes(still: &Still<'_>, limits: &DecodeLimits) -> Result<(), DecodeError> {
    let mut units = 0;
    let mut max_units_of_cell = 0;
    for cell in &still.cells {
        let units_of_cell = match still.coding {
            Coding::Hevc => hevc::count_slices(cell)?,
            Coding::Av1 => av1::count_frames(cell)?,
        };
        units += units_of_cell;
        max_units_of_cell = max_units_of_cell.max(units_of_cell as u64);
    }
    let max_passes = match still.coding {
        Coding::Hevc => hevc::MAX_SLICES,
        Coding::Av1 => av1::MAX_FRAMES,
    };
    let cell = allowance(still.cell_size);
    let shown = cell.saturating_mul(still.cells.len() as u64);
    let decoded = cell.saturating_mul(units as u64);
    let mut max_decoded = max_passes * shown + FREE_DECODED_PIXELS;
    let mut has_room = true;
    if still.coding == Coding::Av1 {
        // A grid of any size may have two layers.
        max_decoded = max_decoded.min(limits.pixels.saturating_mul(2));
        // The decoder keeps every frame of a cell until the cell is decoded.
        has_room = cell.saturating_mul(max_units_of_cell) <= limits.pixels;
    }
    if units > still.cells.len() && (decoded > max_decoded || !has_room) {
        return Err(DecodeError::TooManyParts { limit: limits.parts });
    }
    Ok(())
}

/// Returns the maximum number of bytes that decoding a cell holds.
pub(super) fn held_bytes(still: &Still<'_>) -> u64 {
    let bytes_per_pixel = still.cells.iter().map(|cell| match still.coding {
        Coding::Hevc => hevc::BYTES_PER_PIXEL,
        Coding::Av1 => av1::bytes_per_pixel(cell),
    });
    allowance(still.cell_size).saturating_mul(bytes_per_pixel.max().unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::super::colour::Colour;
    use super::*;

    fn still(coding: Coding, size: (u32, u32), cells: &[usize]) -> Still<'static> {
        // A unit of each kind: a frame of AV1 without content, and a slice of HEVC.
        let (unit, configuration) = match coding {
            Coding::Av1 => (vec![6 << 3 | 2, 1, 0], vec![0; 4]),
            Coding::Hevc => (vec![0, 0, 0, 2, 2, 1], [&[0; 21][..], &[3, 0]].concat()),
        };
        let cells = cells.iter().map(|&units| GridCell {
            configuration: Cow::Owned(configuration.clone()),
            data: Cow::Owned(unit.repeat(units)),
        });
        let cells: Vec<_> = cells.collect();
        let (is_grid, columns, steps) = (cells.len() > 1, 1, Vec::new());
        let (cell_size, colour) = (size, Colour::default());
        Still { coding, size, is_grid, columns, cell_size, cells, colour, steps }
    }

    #[test]
    fn units_cover_their_cells_only_a_few_times() {
        let limits = DecodeLimits::default();
        let (large, phone, small) = ((6720, 6720), (4032, 3024), (512, 512));
        for (coding, size, cells, fits) in [
            (Coding::Av1, large, &[1][..], true),
            (Coding::Av1, large, &[2], false),
            (Coding::Av1, phone, &[3], true),
            (Coding::Av1, phone, &[5], false),
            (Coding::Av1, small, &[7], true),
            (Coding::Av1, small, &[8], false),
            (Coding::Av1, small, &[1; 200], true),
            (Coding::Av1, small, &[2; 180], true),
            (Coding::Av1, small, &[3; 180], false),
            (Coding::Av1, small, &[5; 200], false),
            (Coding::Av1, (128, 128), &[64], true),
            (Coding::Av1, (128, 128), &[6_000], false),
            (Coding::Hevc, large, &[8], true),
            (Coding::Hevc, large, &[9], false),
            (Coding::Hevc, small, &[8; 200], true),
            (Coding::Hevc, small, &[9; 200], false),
            (Coding::Hevc, (128, 128), &[24_000], false),
        ] {
            let checked = check_passes(&still(coding, size, cells), &limits);
            assert_eq!(checked.is_ok(), fits, "{coding:?}, {cells:?} units of {size:?}");
        }
    }
}
