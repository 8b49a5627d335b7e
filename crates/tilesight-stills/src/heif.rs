//! Parsing of the HEIC and AVIF container: which coded pictures form the photo, and how they are
//! assembled.
//!
//! Input: the bytes of a file that begins with an `ftyp` box. Output: a [`Still`], which borrows
//! the coded pictures and holds size, grid, colour and turns; nothing is decoded here. The boxes
//! are those of ISO/IEC 14496-12 and 23008-12. The photo is the primary item, or else the first
//! sample of the first track of a sequence. Thumbnails, alpha, gain maps, Exif and all later
//! pictures are not read. The orientation in an Exif block is not read either, because the standard
//! requires it to repeat the container's.
//! Invariants: every claim (pixels, boxes, items, cells, bytes) is checked against the limits
//! before anything is allocated for it, and every loop moves forward.

mod boxes;
mod derive;
mod items;
mod sequence;
mod write;

use std::borrow::Cow;

use boxes::Boxes;
pub(super) use boxes::{Cursor, contradicts};

use super::colour::{CodePoints, Colour};
use super::error::cut_short;
use super::{DecodeError, DecodeLimits, FileKind};

/// Coding of the pictures in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coding {
    /// HEVC, in HEIC files.
    Hevc,
    /// AV1, in AVIF files.
    Av1,
}

impl Coding {
    /// Returns the coding for the type of an item or a sample entry.
    fn from_kind(kind: [u8; 4]) -> Option<Coding> {
        match &kind {
            b"hvc1" | b"hev1" => Some(Coding::Hevc),
            b"av01" => Some(Coding::Av1),
            _ => None,
        }
    }

    /// Returns the type of the property that configures the decoder.
    fn configuration(self) -> [u8; 4] {
        match self {
            Coding::Hevc => *b"hvcC",
            Coding::Av1 => *b"av1C",
        }
    }

    /// Returns the usual name of files with this coding.
    pub(super) fn file_kind(self) -> FileKind {
        match self {
            Coding::Hevc => FileKind::Heic,
            Coding::Av1 => FileKind::Avif,
        }
    }
}

/// A coded picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct GridCell<'a> {
    /// Configuration of the decoder: the payload of `hvcC` or `av1C`.
    pub(super) configuration: Cow<'a, [u8]>,
    /// Coded data of the picture.
    pub(super) data: Cow<'a, [u8]>,
}

/// A transformation of the decoded picture; they apply in the order of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Crop to the clean aperture: left, top, width and height, in a picture of the size `of`.
    Crop { part: (u32, u32, u32, u32), of: (u32, u32) },
    /// Anticlockwise quarter turns, 1 to 3.
    Rotate(u8),
    /// Horizontal mirroring: left and right change places.
    MirrorColumns,
    /// Vertical mirroring: top and bottom change places.
    MirrorRows,
}

/// A photo that is ready to be decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Still<'a> {
    pub(super) coding: Coding,
    /// Width and height before any step.
    pub(super) size: (u32, u32),
    /// Whether the cells form a grid. If not, the only cell is the picture.
    pub(super) is_grid: bool,
    /// Number of cells side by side.
    pub(super) columns: u32,
    /// Width and height of each cell. The last column and the last row may reach beyond the
    /// picture.
    pub(super) cell_size: (u32, u32),
    /// Tiles, row by row.
    pub(super) cells: Vec<GridCell<'a>>,
    pub(super) colour: Colour<'a>,
    pub(super) steps: Vec<Step>,
}

impl<'a> Still<'a> {
    /// Creates a photo whose picture is one cell, without steps.
    fn from_cell(
        coding: Coding,
        size: (u32, u32),
        cell: GridCell<'a>,
        colour: Colour<'a>,
    ) -> Still<'a> {
        Still {
            coding,
            size,
            is_grid: false,
            columns: 1,
            cell_size: size,
            cells: vec![cell],
            colour,
            steps: Vec::new(),
        }
    }

    /// Finds the photo of a file.
    ///
    /// # Errors
    /// [`DecodeError`] when there is no photo, when it exceeds a limit, or when it uses an
    /// unsupported feature.
    pub(super) fn parse(bytes: &'a [u8], limits: &DecodeLimits) -> Result<Still<'a>, DecodeError> {
        let mut budget = Budget::new(limits);
        let mut meta = None;
        let mut moov = None;
        for found in Boxes::new(bytes) {
            // Phones append their own data behind the boxes.
            let Ok(found) = found else { break };
            budget.part()?;
            let place = match &found.kind {
                b"meta" => &mut meta,
                b"moov" => &mut moov,
                _ => continue,
            };
            if place.is_none() {
                budget.metadata(found.data.len())?;
                *place = Some(found.data);
            }
        }
        let items = meta.map(|meta| items::MetaItems::parse(meta, &mut budget)).transpose()?;
        match (items.filter(|items| items.primary.is_some()), moov) {
            (Some(items), _) => derive::still(bytes, &items, limits),
            (None, Some(moov)) => sequence::still(bytes, moov, &mut budget, limits),
            (None, None) => Err(cut_short()),
        }
    }

    /// Returns the number of pixels of all cells: each is decoded as a whole, even if the picture
    /// shows only a part of it.
    pub(super) fn decoded_pixels(&self) -> u64 {
        let cell = u64::from(self.cell_size.0) * u64::from(self.cell_size.1);
        cell.saturating_mul(self.cells.len() as u64)
    }

    /// Writes the photo to a file of its own that contains only its pixels.
    pub(super) fn to_file(&self) -> Result<Vec<u8>, DecodeError> {
        write::file(self)
    }

    /// Returns the error for a feature that the decoder does not support.
    pub(super) fn unsupported(&self, feature: impl Into<String>) -> DecodeError {
        unsupported(self.coding.file_kind(), feature)
    }
}

fn unsupported(kind: FileKind, feature: impl Into<String>) -> DecodeError {
    DecodeError::UnsupportedFeature { kind, feature: feature.into() }
}

/// Returns the four characters of a box type in printable form.
fn name(kind: [u8; 4]) -> String {
    kind.iter().map(|&byte| if byte.is_ascii_alphanumeric() { byte as char } else { '?' }).collect()
}

/// Remaining budget of parts and metadata for the container.
#[derive(Debug)]
struct Budget {
    parts: usize,
    max_parts: usize,
    metadata: usize,
    max_metadata: usize,
}

impl Budget {
    fn new(limits: &DecodeLimits) -> Budget {
        Budget {
            parts: limits.parts,
            max_parts: limits.parts,
            metadata: limits.metadata,
            max_metadata: limits.metadata,
        }
    }

    /// Charges a box, an item, a reference or a property of an item.
    fn part(&mut self) -> Result<(), DecodeError> {
        let limit = self.max_parts;
        self.parts = self.parts.checked_sub(1).ok_or(DecodeError::TooManyParts { limit })?;
        Ok(())
    }

    fn metadata(&mut self, bytes: usize) -> Result<(), DecodeError> {
        let limit = self.max_metadata;
        let left = self.metadata.checked_sub(bytes);
        self.metadata = left.ok_or(DecodeError::TooMuchMetadata { limit })?;
        Ok(())
    }
}

/// Reads width and height of an `ispe` property.
fn extents_of(property: &[u8]) -> Result<(u32, u32), DecodeError> {
    let mut cursor = Cursor(property);
    cursor.full_box()?;
    Ok((cursor.u32()?, cursor.u32()?))
}

/// Adds the colour of a `colr` property to the colour read so far.
fn add_colour<'a>(colour: &mut Colour<'a>, property: &'a [u8]) -> Result<(), DecodeError> {
    let mut cursor = Cursor(property);
    match &cursor.kind()? {
        b"nclx" => {
            let primaries = cursor.u16()?;
            let transfer = cursor.u16()?;
            let matrix = cursor.u16()?;
            let full_range = cursor.u8()? & 0x80 != 0;
            let points = CodePoints { primaries, transfer, matrix, full_range };
            colour.code_points = colour.code_points.or(Some(points));
        }
        b"prof" | b"rICC" if colour.profile.is_none() => colour.profile = Some(cursor.0.into()),
        _ => {}
    }
    Ok(())
}

/// Returns the transformation of a property, if it has an effect.
fn step_of(kind: [u8; 4], property: &[u8], size: (u32, u32)) -> Result<Option<Step>, DecodeError> {
    let mut cursor = Cursor(property);
    Ok(match &kind {
        b"irot" => Some(cursor.u8()? & 3).filter(|&turns| turns != 0).map(Step::Rotate),
        // The second edition of the standard clarified which axis is which, and phones follow it.
        b"imir" if cursor.u8()? & 1 == 0 => Some(Step::MirrorRows),
        b"imir" => Some(Step::MirrorColumns),
        b"clap" => Some(clean_aperture(&mut cursor, size)?),
        _ => None,
    })
}

/// Reads the clean aperture: a size, and the offset of its centre from the picture's, as fractions.
fn clean_aperture(cursor: &mut Cursor<'_>, size: (u32, u32)) -> Result<Step, DecodeError> {
    // A width is unsigned, an offset is signed.
    let width = fraction(cursor, f64::from)?;
    let height = fraction(cursor, f64::from)?;
    let right = fraction(cursor, |number| f64::from(number.cast_signed()))?;
    let down = fraction(cursor, |number| f64::from(number.cast_signed()))?;
    let (left, width) = crop_side(size.0, width, right)?;
    let (top, height) = crop_side(size.1, height, down)?;
    Ok(Step::Crop { part: (left, top, width, height), of: size })
}

fn fraction(cursor: &mut Cursor<'_>, to_float: fn(u32) -> f64) -> Result<f64, DecodeError> {
    let above = to_float(cursor.u32()?);
    let below = cursor.u32()?;
    if below == 0 {
        return Err(contradicts("its clean aperture"));
    }
    Ok(above / f64::from(below))
}

/// Returns the start and the length of the part of a side whose centre lies at an offset from the
/// side's centre.
fn crop_side(whole: u32, part: f64, offset: f64) -> Result<(u32, u32), DecodeError> {
    let start = (f64::from(whole) - 1.0) / 2.0 + offset - (part - 1.0) / 2.0;
    let fits = part >= 1.0 && start > -1.0 && start + part < f64::from(whole) + 1.0;
    // In range by the check above. A start beyond the edge by less than a pixel counts as the edge.
    let start = start.max(0.0).floor() as u32;
    let part = (part.round() as u32).min(whole.saturating_sub(start));
    if fits && part > 0 { Ok((start, part)) } else { Err(contradicts("its clean aperture")) }
}
