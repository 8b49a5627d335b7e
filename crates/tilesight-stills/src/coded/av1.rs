//! AV1 pictures: parsing of their open bitstream units (OBU), which `oxideav-av1` decodes.

use oxideav_av1::SequenceHeader;
use oxideav_av1::decoder::{SpecDecodeSession, SpecFrame};

use super::{Planes, Samples, allowance};
use crate::colour::CodePoints;
use crate::error::cut_short;
use crate::heif::{Cursor, GridCell, Still, contradicts};
use crate::{DecodeError, first_line, unless_it_panics};

/// Number of bytes of a configuration before its units.
const HEAD: usize = 4;

/// Maximum number of frames of a picture: one, or up to four layers, from coarse to fine.
pub(super) const MAX_FRAMES: u64 = 4;

const SEQUENCE_HEADER: u8 = 1;
const TILE_GROUP: u8 = 4;
const FRAME: u8 = 6;

/// A unit: its type, the byte that names its layer, if any, and its payload.
#[derive(Debug, Clone, Copy)]
struct Obu<'t> {
    kind: u8,
    layer: Option<u8>,
    payload: &'t [u8],
}

impl Obu<'_> {
    /// Writes the unit with its length.
    fn write(&self, stream: &mut Vec<u8>) {
        const HAS_LAYER: u8 = 4;
        const HAS_LENGTH: u8 = 2;
        let layer = if self.layer.is_some() { HAS_LAYER } else { 0 };
        stream.push(self.kind << 3 | layer | HAS_LENGTH);
        stream.extend(self.layer);
        let mut length = self.payload.len();
        while length >= 0x80 {
            stream.push(length as u8 | 0x80);
            length >>= 7;
        }
        stream.push(length as u8);
        stream.extend_from_slice(self.payload);
    }
}

/// Returns the units of a list that contribute to the picture: a sequence header, and frames with
/// their parts.
fn units(list: &[u8]) -> Result<Vec<Obu<'_>>, DecodeError> {
    let mut cursor = Cursor(list);
    let mut units = Vec::new();
    while !cursor.0.is_empty() {
        let head = cursor.u8()?;
        let layer = if head & 4 == 0 { None } else { Some(cursor.u8()?) };
        // The last unit of a list may omit its length.
        let length = if head & 2 == 0 { cursor.0.len() } else { leb128(&mut cursor)? };
        let kind = head >> 3 & 15;
        let payload = cursor.take(length)?;
        // Frame headers, tile groups, frames, and repeated frame headers.
        if head & 0x80 == 0 && matches!(kind, SEQUENCE_HEADER | 3 | TILE_GROUP | FRAME | 7) {
            units.push(Obu { kind, layer, payload });
        }
    }
    Ok(units)
}

/// Reads a length coded with seven bits a byte, lowest first.
fn leb128(cursor: &mut Cursor<'_>) -> Result<usize, DecodeError> {
    let mut length = 0_u64;
    for at in 0..8 {
        let byte = cursor.u8()?;
        length |= u64::from(byte & 0x7f) << (7 * at);
        if byte & 0x80 == 0 {
            return usize::try_from(length).map_err(|_| cut_short());
        }
    }
    Err(contradicts("its units"))
}

/// Returns the units of a picture, with the configuration's sequence header if the picture has no
/// header of its own.
fn units_of<'t>(cell: &'t GridCell<'_>) -> Result<Vec<Obu<'t>>, DecodeError> {
    let configured = cell.configuration.get(HEAD..).ok_or_else(cut_short)?;
    let mut of_cell = units(&cell.data)?;
    if !of_cell.iter().any(|unit| unit.kind == SEQUENCE_HEADER) {
        let headers = units(configured)?.into_iter().filter(|unit| unit.kind == SEQUENCE_HEADER);
        of_cell.splice(0..0, headers.take(1));
    }
    if of_cell.is_empty() { Err(cut_short()) } else { Ok(of_cell) }
}

fn stream(units: &[Obu<'_>]) -> Vec<u8> {
    let mut stream = Vec::new();
    for unit in units {
        unit.write(&mut stream);
    }
    stream
}

/// Returns the number of units that may each be a whole frame.
pub(super) fn count_frames(cell: &GridCell<'_>) -> Result<usize, DecodeError> {
    let units = units_of(cell)?;
    let frames =
        units.iter().filter(|unit| unit.kind != SEQUENCE_HEADER && unit.kind != TILE_GROUP);
    Ok(frames.count())
}

/// Returns the number of bytes that decoding holds for each pixel of a cell: the decoder keeps
/// every frame with what later frames may refer to. Measured, 2026-11-29: 5.1 bytes for each of a
/// pixel's samples, of which there are one to three, and with more than eight bits up to 8.
pub(super) fn bytes_per_pixel(cell: &GridCell<'_>) -> u64 {
    let header = units_of(cell).ok().and_then(|units| {
        let header = units.iter().find(|unit| unit.kind == SEQUENCE_HEADER)?;
        // The survey asks this, before the decoder runs.
        unless_it_panics(|| oxideav_av1::parse_sequence_header(header.payload).ok())
    });
    let frames = count_frames(cell).unwrap_or(1).max(1) as u64;
    // The decoder refuses a file without a header.
    let Some(colour) = header.map(|header| header.color_config) else { return 0 };
    let samples = match (colour.mono_chrome, colour.subsampling_x) {
        (true, _) => 1,
        (false, true) => 2,
        (false, false) => 3,
    };
    let of_sample = if colour.bit_depth > 8 { 8 } else { 6 };
    frames * samples * of_sample
}

pub(super) fn decode(still: &Still<'_>, cell: &GridCell<'_>) -> Result<Planes, DecodeError> {
    let units = units_of(cell)?;
    let sequence = units.iter().find(|unit| unit.kind == SEQUENCE_HEADER).ok_or_else(cut_short)?;
    let header =
        oxideav_av1::parse_sequence_header(sequence.payload).map_err(|error| failure(&error))?;
    let mut session = SpecDecodeSession::new();
    session.set_max_picture_size(u32::try_from(allowance(still.cell_size)).unwrap_or(u32::MAX));
    let frames = session.decode_temporal_unit(&stream(&units)).map_err(|error| failure(&error))?;
    // With several layers, the last one is the finest.
    planes(&header, frames.into_iter().next_back().ok_or_else(cut_short)?)
}

fn planes(header: &SequenceHeader, frame: SpecFrame) -> Result<Planes, DecodeError> {
    let colour = &header.color_config;
    let depth = frame.bit_depth;
    let mut planes = frame.planes.into_iter();
    let sampling = (u8::from(colour.subsampling_x), u8::from(colour.subsampling_y));
    Ok(Planes {
        size: (frame.width as usize, frame.height as usize),
        depth,
        chroma: (!colour.mono_chrome).then_some(sampling),
        samples: std::array::from_fn(|_| samples(planes.next().unwrap_or_default(), depth)),
        code_points: CodePoints {
            primaries: colour.color_primaries.into(),
            transfer: colour.transfer_characteristics.into(),
            matrix: colour.matrix_coefficients.into(),
            full_range: colour.color_range,
        },
    })
}

/// Returns the samples of a plane; those of more than eight bits have two bytes each.
fn samples(plane: Vec<u8>, depth: u8) -> Samples {
    if depth == 8 || plane.is_empty() {
        return Samples::Bytes(plane);
    }
    let (pairs, _) = plane.as_chunks::<2>();
    Samples::Words(pairs.iter().map(|&pair| u16::from_le_bytes(pair)).collect())
}

fn failure(error: &oxideav_av1::Error) -> DecodeError {
    DecodeError::Broken(first_line(&error.to_string()))
}

/// Returns configuration and data of the same picture, without the units that do not affect it.
pub(super) fn essence(cell: &GridCell<'_>) -> Result<(Vec<u8>, Vec<u8>), DecodeError> {
    let units = units_of(cell)?;
    // The units include the header.
    Ok((cell.configuration[..HEAD].to_vec(), stream(&units)))
}
