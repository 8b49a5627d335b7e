//! First picture of a sequence: a burst or a short film without a primary item.

use std::borrow::Cow;

use super::boxes::{Box, Boxes, Cursor, contradicts};
use super::derive::check_pixels;
use super::{Budget, Coding, GridCell, Step, Still, add_colour, unsupported};
use crate::colour::Colour;
use crate::error::cut_short;
use crate::{DecodeError, DecodeLimits, FileKind};

/// Description of a track's first sample.
#[derive(Debug, Default)]
struct Track<'a> {
    /// Handler type: `pict` or `vide` for pictures; alpha and sound have others.
    handler: [u8; 4],
    /// Content of the sample table.
    table: &'a [u8],
    turns: u8,
}

/// Returns the first sample of the first track of pictures.
pub(super) fn still<'a>(
    bytes: &'a [u8],
    moov: &'a [u8],
    budget: &mut Budget,
    limits: &DecodeLimits,
) -> Result<Still<'a>, DecodeError> {
    for found in Boxes::new(moov) {
        let found = found?;
        budget.part()?;
        if &found.kind != b"trak" {
            continue;
        }
        let track = track(found.data, budget)?;
        if matches!(&track.handler, b"pict" | b"vide") {
            return first_sample(bytes, &track, budget, limits);
        }
    }
    Err(DecodeError::Unsupported { kind: FileKind::Video })
}

fn track<'a>(trak: &'a [u8], budget: &mut Budget) -> Result<Track<'a>, DecodeError> {
    let mut track = Track::default();
    let mut waiting = vec![trak];
    // Intermediate boxes only contain other boxes, so their content is queued.
    while let Some(data) = waiting.pop() {
        for found in Boxes::new(data) {
            let Box { kind, data } = found?;
            budget.part()?;
            match &kind {
                b"mdia" | b"minf" => waiting.push(data),
                b"tkhd" => track.turns = turns(Cursor(data))?,
                b"stbl" => track.table = data,
                // In old files `minf` has a second box of this type, for the data's handler.
                b"hdlr" if track.handler == [0; 4] => {
                    let mut cursor = Cursor(data);
                    cursor.take(8)?;
                    track.handler = cursor.kind()?;
                }
                _ => {}
            }
        }
    }
    Ok(track)
}

/// Returns the anticlockwise quarter turns of a track header's matrix; 0 for matrices that are not
/// turns.
fn turns(mut cursor: Cursor<'_>) -> Result<u8, DecodeError> {
    let (version, _) = cursor.full_box()?;
    // Skips times, the track's id, its duration, and the fields that order overlapping tracks.
    cursor.take(if version == 1 { 32 } else { 20 } + 16)?;
    let mut matrix = [0; 5];
    for value in &mut matrix {
        *value = cursor.u32()?.cast_signed().signum();
    }
    Ok(match matrix {
        [0, 1, _, -1, 0] => 3,
        [-1, 0, _, 0, -1] => 2,
        [0, -1, _, 1, 0] => 1,
        _ => 0,
    })
}

fn first_sample<'a>(
    bytes: &'a [u8],
    track: &Track<'a>,
    budget: &mut Budget,
    limits: &DecodeLimits,
) -> Result<Still<'a>, DecodeError> {
    let mut entry = None;
    let mut length = None;
    let mut offset = None;
    for found in Boxes::new(track.table) {
        let Box { kind, data } = found?;
        budget.part()?;
        let mut cursor = Cursor(data);
        match &kind {
            b"stsd" => {
                cursor.take(8)?;
                entry = Boxes::new(cursor.0).next().transpose()?;
            }
            b"stsz" => {
                cursor.full_box()?;
                let common = cursor.u32()?;
                cursor.u32()?;
                length = Some(if common == 0 { cursor.u32()? } else { common });
            }
            b"stco" | b"co64" => {
                cursor.take(8)?;
                offset = Some(cursor.uint(if &kind == b"stco" { 4 } else { 8 })?);
            }
            _ => {}
        }
    }
    let (Some(entry), Some(length), Some(offset)) = (entry, length, offset) else {
        return Err(contradicts("its first picture"));
    };
    let data = usize::try_from(offset)
        .ok()
        .and_then(|offset| bytes.get(offset..)?.get(..length as usize))
        .ok_or_else(cut_short)?;
    let mut still = describe(entry, data, budget)?;
    check_pixels(still.size, limits)?;
    still.steps.extend((track.turns != 0).then_some(Step::Rotate(track.turns)));
    Ok(still)
}

/// Reads a sample entry's size, configuration and colour.
fn describe<'a>(
    entry: Box<'a>,
    data: &'a [u8],
    budget: &mut Budget,
) -> Result<Still<'a>, DecodeError> {
    let coding = Coding::from_kind(entry.kind)
        .ok_or_else(|| unsupported(FileKind::Heic, super::name(entry.kind)))?;
    let mut cursor = Cursor(entry.data);
    cursor.take(24)?;
    let size = (u32::from(cursor.u16()?), u32::from(cursor.u16()?));
    // Skips resolutions, a frame count, the encoder's name and a depth.
    cursor.take(50)?;
    let mut configuration = None;
    let mut colour = Colour::default();
    for found in Boxes::new(cursor.0) {
        let Box { kind, data } = found?;
        budget.part()?;
        match &kind {
            b"colr" => add_colour(&mut colour, data)?,
            kind if *kind == coding.configuration() => configuration = Some(data),
            _ => {}
        }
    }
    let configuration = configuration.ok_or_else(|| contradicts("its coding"))?;
    let cell = GridCell { configuration: Cow::Borrowed(configuration), data: Cow::Borrowed(data) };
    Ok(Still::from_cell(coding, size, cell, colour))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a track header of version 0 with the upper left of a matrix.
    fn header([a, b, c, d]: [i32; 4]) -> Vec<u8> {
        let mut bytes = vec![0; 4 + 20 + 16];
        for value in [a, b, 0, c, d, 0] {
            bytes.extend((value << 16).to_be_bytes());
        }
        bytes
    }

    #[test]
    fn a_tracks_matrix_is_a_turn_or_none() {
        let cases =
            [([1, 0, 0, 1], 0), ([0, 1, -1, 0], 3), ([-1, 0, 0, -1], 2), ([0, -1, 1, 0], 1)];
        for (matrix, expected) in cases {
            assert_eq!(turns(Cursor(&header(matrix))), Ok(expected), "{matrix:?}");
        }
        assert_eq!(turns(Cursor(&header([1, 1, 0, 1]))), Ok(0), "sheared");
        assert_eq!(turns(Cursor(&[0; 30])), Err(cut_short()));
    }
}
