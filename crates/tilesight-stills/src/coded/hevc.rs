//! HEVC pictures: parsing of their NAL units (ITU-T H.265, ISO/IEC 14496-15), which
//! `heifer-hevc-dec` decodes.

use heifer_hevc_dec::Error;
use heifer_hevc_dec::decoder::{DecodeOptions, decode_picture};
use heifer_hevc_dec::nal::NalUnit;
use heifer_hevc_dec::params::ParameterSets;
use memchr::memmem;

use super::{Planes, Samples, allowance};
use crate::colour::CodePoints;
use crate::error::cut_short;
use crate::heif::{Cursor, GridCell, Still, contradicts};
use crate::{DecodeError, first_line};

/// Maximum number of slices of a picture. Each slice should cover a part of it; at 50 megapixels, a
/// slice that covers all of it takes a third of a second.
pub(super) const MAX_SLICES: u64 = 8;

/// Maximum number of bytes that decoding holds for each pixel: two for each of three samples, the
/// same again if a border is cut off, and what the filters need to know.
pub(super) const BYTES_PER_PIXEL: u64 = 14;

/// Number of bytes of a configuration before its parameter sets.
const HEAD: usize = 22;

/// Units of a picture that contribute to it.
#[derive(Debug, Default)]
struct AccessUnit<'t> {
    parameter_sets: Vec<&'t [u8]>,
    slices: Vec<&'t [u8]>,
}

impl<'t> AccessUnit<'t> {
    fn new(cell: &'t GridCell<'_>) -> Result<AccessUnit<'t>, DecodeError> {
        let mut units = AccessUnit::default();
        let mut cursor = Cursor(&cell.configuration);
        let head = cursor.take(HEAD)?;
        let length_bytes = usize::from(head[21] & 3) + 1;
        for _ in 0..cursor.u8()? {
            cursor.u8()?;
            for _ in 0..cursor.u16()? {
                let length = cursor.u16()?;
                units.add(cursor.take(usize::from(length))?)?;
            }
        }
        let mut cursor = Cursor(&cell.data);
        while !cursor.0.is_empty() {
            let length = usize::try_from(cursor.uint(length_bytes)?).map_err(|_| cut_short())?;
            units.add(cursor.take(length)?)?;
        }
        Ok(units)
    }

    /// Returns the units if there are parameters and pixels.
    fn complete(cell: &'t GridCell<'_>) -> Result<AccessUnit<'t>, DecodeError> {
        let units = AccessUnit::new(cell)?;
        let is_cut = units.slices.is_empty() || units.parameter_sets.is_empty();
        if is_cut { Err(cut_short()) } else { Ok(units) }
    }

    /// Keeps a unit if it belongs to the picture itself and not to another layer.
    fn add(&mut self, unit: &'t [u8]) -> Result<(), DecodeError> {
        let [first, second, ..] = *unit else { return Ok(()) };
        let kind = first >> 1 & 0x3f;
        let layer = (first & 1) << 5 | second >> 3;
        // The decoder would split a unit with a start code in it, although it is one unit here.
        if memmem::find(unit, &[0, 0, 1]).is_some() {
            return Err(contradicts("its units"));
        }
        match kind {
            0..=31 if layer == 0 => self.slices.push(unit),
            32..=34 if layer == 0 => self.parameter_sets.push(unit),
            _ => {}
        }
        Ok(())
    }

    /// Returns all units, each behind a start code.
    fn stream(&self) -> Vec<u8> {
        let mut stream = Vec::new();
        for unit in self.parameter_sets.iter().chain(&self.slices) {
            stream.extend([0, 0, 0, 1]);
            stream.extend_from_slice(unit);
        }
        stream
    }
}

/// Returns the number of slices.
pub(super) fn count_slices(cell: &GridCell<'_>) -> Result<usize, DecodeError> {
    Ok(AccessUnit::new(cell)?.slices.len())
}

pub(super) fn decode(still: &Still<'_>, cell: &GridCell<'_>) -> Result<Planes, DecodeError> {
    let units = AccessUnit::complete(cell)?;
    let options =
        DecodeOptions { max_pixels: allowance(still.cell_size), ..DecodeOptions::default() };
    let frame = decode_picture(&units.stream(), options).map_err(|error| failure(still, &error))?;
    let chroma = match frame.chroma_format {
        1 => Some((1, 1)),
        2 => Some((1, 0)),
        3 => Some((0, 0)),
        _ => None,
    };
    if frame.bit_depth[0] != frame.bit_depth[1] && chroma.is_some() {
        return Err(still.unsupported("bit_depth_chroma"));
    }
    Ok(Planes {
        size: (frame.widths[0] as usize, frame.heights[0] as usize),
        depth: frame.bit_depth[0],
        chroma,
        samples: frame.planes.map(Samples::Words),
        code_points: code_points(&units),
    })
}

/// Returns the colour code points that the parameter sets name.
fn code_points(units: &AccessUnit<'_>) -> CodePoints {
    let mut sets = ParameterSets::default();
    // The decoder has not used units that cannot be parsed either.
    for unit in units.parameter_sets.iter().filter_map(|unit| NalUnit::parse(unit).ok()) {
        let _ = sets.add(&unit);
    }
    let vui = sets.sps.iter().flatten().find_map(|set| set.vui.as_ref());
    let unspecified = CodePoints::UNSPECIFIED as u8;
    let points = vui.map_or([unspecified; 3], |vui| {
        [vui.colour_primaries, vui.transfer_characteristics, vui.matrix_coeffs]
    });
    let [primaries, transfer, matrix] = points.map(u16::from);
    let full_range = vui.is_some_and(|vui| vui.video_full_range_flag);
    CodePoints { primaries, transfer, matrix, full_range }
}

fn failure(still: &Still<'_>, error: &Error) -> DecodeError {
    match error {
        Error::UnexpectedEof => cut_short(),
        Error::Unimplemented(feature) => still.unsupported(*feature),
        error => DecodeError::Broken(first_line(&error.to_string())),
    }
}

/// Returns configuration and data of the same picture, without the units that do not affect it.
pub(super) fn essence(cell: &GridCell<'_>) -> Result<(Vec<u8>, Vec<u8>), DecodeError> {
    let units = AccessUnit::complete(cell)?;
    let mut configuration = cell.configuration[..HEAD].to_vec();
    // Lengths of four bytes, and one array for each parameter set.
    configuration[21] |= 3;
    let arrays = u8::try_from(units.parameter_sets.len()).map_err(|_| contradicts("its units"))?;
    configuration.push(arrays);
    for unit in &units.parameter_sets {
        let length = u16::try_from(unit.len()).map_err(|_| contradicts("its units"))?;
        configuration.extend([0x80 | unit[0] >> 1 & 0x3f, 0, 1]);
        configuration.extend(length.to_be_bytes());
        configuration.extend_from_slice(unit);
    }
    let mut data = Vec::with_capacity(cell.data.len());
    for unit in &units.slices {
        let length = u32::try_from(unit.len()).map_err(|_| cut_short())?;
        data.extend(length.to_be_bytes());
        data.extend_from_slice(unit);
    }
    Ok((configuration, data))
}
