//! Search from the primary item to its coded pictures: through the base of a tone map, an identity,
//! or a grid.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use super::boxes::{Cursor, contradicts};
use super::items::{ItemLocation, MetaItems, Property};
use super::{Coding, GridCell, Step, Still, add_colour, extents_of, name, step_of, unsupported};
use crate::colour::Colour;
use crate::error::cut_short;
use crate::{DecodeError, DecodeLimits, FileKind};

/// Maximum nesting of derived pictures: cameras' files have one or two levels.
const DEEPEST: usize = 4;

/// Maximum number of turns, mirrors and crops of one picture: cameras write two.
const MAX_STEPS: usize = 16;

/// Properties of one item.
#[derive(Debug, Default)]
struct ItemDescription<'a> {
    size: Option<(u32, u32)>,
    /// Type and payload of the decoder's configuration.
    configuration: Option<([u8; 4], &'a [u8])>,
    colour: Colour<'a>,
    /// Turns, mirrors and crops, in the order in which they apply.
    transformations: Vec<Property<'a>>,
}

/// Finds the coded pictures of the primary item.
pub(super) fn still<'a>(
    bytes: &'a [u8],
    items: &MetaItems<'a>,
    limits: &DecodeLimits,
) -> Result<Still<'a>, DecodeError> {
    let mut item = items.primary.ok_or_else(cut_short)?;
    // Transformations of the identities around the picture, the outermost first.
    let mut around = Vec::new();
    for _ in 0..DEEPEST {
        let kind = kind_of(items, item)?;
        match &kind {
            // The first input of a tone map is the picture for ordinary screens.
            b"tmap" => item = first_input(items, item)?,
            b"iden" => {
                around.push(describe(items, item, true)?.transformations);
                item = first_input(items, item)?;
            }
            _ => {
                let mut still = match Coding::from_kind(kind) {
                    Some(coding) => single(&HeifSource { bytes, items, limits }, item, coding)?,
                    None if &kind == b"grid" => grid(&HeifSource { bytes, items, limits }, item)?,
                    None => {
                        return Err(unsupported(FileKind::Heic, name(kind)));
                    }
                };
                for transformations in around.iter().rev() {
                    add_steps(&mut still, transformations)?;
                }
                return Ok(still);
            }
        }
    }
    Err(contradicts("what it is derived from"))
}

fn kind_of(items: &MetaItems<'_>, item: u32) -> Result<[u8; 4], DecodeError> {
    let kind = items.kinds.get(&item).copied();
    kind.ok_or_else(|| DecodeError::Broken("its picture is missing or protected".to_owned()))
}

fn first_input(items: &MetaItems<'_>, item: u32) -> Result<u32, DecodeError> {
    let first = items.inputs.get(&item).and_then(|inputs| inputs.first());
    first.copied().ok_or_else(|| contradicts("what it is derived from"))
}

/// The file, its items, and the limits.
#[derive(Debug, Clone, Copy)]
struct HeifSource<'s, 'a> {
    bytes: &'a [u8],
    items: &'s MetaItems<'a>,
    limits: &'s DecodeLimits,
}

/// Returns a picture that is coded as a whole.
fn single<'a>(
    source: &HeifSource<'_, 'a>,
    item: u32,
    coding: Coding,
) -> Result<Still<'a>, DecodeError> {
    let ItemDescription { size, configuration, colour, transformations } =
        describe(source.items, item, true)?;
    let size = size.ok_or_else(|| contradicts("its size"))?;
    check_pixels(size, source.limits)?;
    let cell = GridCell {
        configuration: Cow::Borrowed(require_configuration(configuration, coding)?),
        data: data_of(source, item, source.limits.bytes)?,
    };
    let mut still = Still::from_cell(coding, size, cell, colour);
    add_steps(&mut still, &transformations)?;
    Ok(still)
}

/// Returns a picture that consists of a grid of cells, as phones write it.
fn grid<'a>(source: &HeifSource<'_, 'a>, item: u32) -> Result<Still<'a>, DecodeError> {
    let outer = describe(source.items, item, true)?;
    let layout = data_of(source, item, 64)?;
    let (columns, rows, size) = grid_layout(&layout)?;
    if outer.size.is_some_and(|claimed| claimed != size) {
        return Err(contradicts("its size"));
    }
    check_pixels(size, source.limits)?;
    let inputs = source.items.inputs.get(&item).map_or(&[][..], Vec::as_slice);
    if inputs.len() as u64 != u64::from(columns) * u64::from(rows) {
        return Err(contradicts("the number of its tiles"));
    }
    if inputs.iter().collect::<HashSet<_>>().len() < inputs.len() {
        return Err(unsupported(FileKind::Heic, "repeated dimg"));
    }
    let first = describe(source.items, inputs[0], false)?;
    let cell = first.size.ok_or_else(|| contradicts("the size of its tiles"))?;
    if !covers(cell.0, columns, size.0) || !covers(cell.1, rows, size.1) {
        return Err(contradicts("the size of its tiles"));
    }
    check_pixels(cell, source.limits)?;
    let (coding, cells) = cells(source, inputs, cell)?;
    let colour = if outer.colour == Colour::default() { first.colour } else { outer.colour };
    let mut still = Still {
        coding,
        size,
        is_grid: true,
        columns,
        cell_size: cell,
        cells,
        colour,
        steps: Vec::new(),
    };
    add_steps(&mut still, &outer.transformations)?;
    Ok(still)
}

/// Reads columns, rows and size of a grid.
fn grid_layout(layout: &[u8]) -> Result<(u32, u32, (u32, u32)), DecodeError> {
    let mut cursor = Cursor(layout);
    cursor.u8()?;
    let flags = cursor.u8()?;
    let rows = u32::from(cursor.u8()?) + 1;
    let columns = u32::from(cursor.u8()?) + 1;
    let bytes = if flags & 1 == 1 { 4 } else { 2 };
    let width = cursor.uint(bytes)? as u32;
    let height = cursor.uint(bytes)? as u32;
    Ok((columns, rows, (width, height)))
}

/// Returns whether `count` cells cover a side, the last one at least in part.
fn covers(cell: u32, count: u32, side: u32) -> bool {
    let cell = u64::from(cell);
    let count = u64::from(count);
    let side = u64::from(side);
    cell * count >= side && cell * (count - 1) < side
}

/// Returns the cells of a grid, which all have the same type and size.
fn cells<'a>(
    source: &HeifSource<'_, 'a>,
    inputs: &[u32],
    size: (u32, u32),
) -> Result<(Coding, Vec<GridCell<'a>>), DecodeError> {
    let kind = kind_of(source.items, inputs[0])?;
    let coding = Coding::from_kind(kind).ok_or_else(|| unsupported(FileKind::Heic, name(kind)))?;
    let mut cells = Vec::with_capacity(inputs.len());
    let mut left = source.limits.bytes;
    for &input in inputs {
        let ItemDescription { size: claimed, configuration, transformations, .. } =
            describe(source.items, input, false)?;
        if kind_of(source.items, input)? != kind || claimed != Some(size) {
            return Err(contradicts("the size of its tiles"));
        }
        if transformations.iter().any(Property::has_effect) {
            return Err(unsupported(coding.file_kind(), "irot, imir, clap (grid)"));
        }
        // Tiles may share bytes; their total is limited like the bytes of a file.
        let data = data_of(source, input, left)?;
        left -= data.len();
        let configuration = Cow::Borrowed(require_configuration(configuration, coding)?);
        cells.push(GridCell { configuration, data });
    }
    let distinct: HashSet<&[u8]> = cells.iter().map(|cell| cell.data.as_ref()).collect();
    if distinct.iter().map(|data| data.len()).sum::<usize>() > source.bytes.len() {
        return Err(contradicts("where its tiles are"));
    }
    Ok((coding, cells))
}

fn require_configuration(
    configuration: Option<([u8; 4], &[u8])>,
    coding: Coding,
) -> Result<&[u8], DecodeError> {
    let fits = configuration.filter(|(kind, _)| *kind == coding.configuration());
    fits.map(|(_, data)| data).ok_or_else(|| contradicts("its coding"))
}

/// Reads the properties of an item; `whole` for a whole picture, not a cell of a grid.
///
/// The order of the properties matters only among the transformations, which apply to the size that
/// `ispe` describes wherever it stands (ISO/IEC 23008-12, 6.5.1). A camera of Sony writes `irot`
/// first.
fn describe<'a>(
    items: &MetaItems<'a>,
    item: u32,
    whole: bool,
) -> Result<ItemDescription<'a>, DecodeError> {
    let mut description = ItemDescription::default();
    for property in items.properties(item)? {
        match &property.kind {
            b"ispe" => description.size = Some(extents_of(property.data)?),
            b"hvcC" | b"av1C" => description.configuration = Some((property.kind, property.data)),
            b"colr" => add_colour(&mut description.colour, property.data)?,
            b"clap" | b"irot" | b"imir" => description.transformations.push(property),
            // These describe what the decoder finds itself, or choose among layers of one picture.
            b"pixi" | b"a1op" | b"a1lx" | b"lsel" | b"lhvC" | b"auxC" | b"pasp" => {}
            kind if property.is_essential && whole => {
                return Err(unsupported(FileKind::Heic, name(*kind)));
            }
            _ => {}
        }
    }
    Ok(description)
}

/// Adds transformations that apply after those so far.
fn add_steps(still: &mut Still<'_>, properties: &[Property<'_>]) -> Result<(), DecodeError> {
    for property in properties {
        let step = step_of(property.kind, property.data, current_size(still))?;
        still.steps.extend(step);
    }
    if still.steps.len() > MAX_STEPS { Err(contradicts("how it is turned")) } else { Ok(()) }
}

/// Returns the size of a picture after the steps so far.
fn current_size(still: &Still<'_>) -> (u32, u32) {
    let mut size = still.size;
    for step in &still.steps {
        match *step {
            Step::Crop { part: (_, _, width, height), .. } => size = (width, height),
            Step::Rotate(turns) if turns % 2 == 1 => size = (size.1, size.0),
            Step::Rotate(_) | Step::MirrorColumns | Step::MirrorRows => {}
        }
    }
    size
}

/// Checks that a picture has pixels, and not more than the limit.
pub(super) fn check_pixels(
    (width, height): (u32, u32),
    limits: &DecodeLimits,
) -> Result<(), DecodeError> {
    if width == 0 || height == 0 {
        return Err(DecodeError::TooSmall { width, height });
    }
    if u64::from(width) * u64::from(height) > limits.pixels {
        return Err(DecodeError::TooManyPixels { width, height, limit: limits.pixels });
    }
    Ok(())
}

/// Returns the bytes of an item, at most `max_bytes`.
fn data_of<'a>(
    source: &HeifSource<'_, 'a>,
    item: u32,
    max_bytes: usize,
) -> Result<Cow<'a, [u8]>, DecodeError> {
    let place =
        source.items.locations.get(&item).ok_or_else(|| contradicts("where its parts are"))?;
    let from = match place.method {
        0 => source.bytes,
        1 => source.items.inside,
        _ => return Err(unsupported(FileKind::Heic, "construction_method 2")),
    };
    let pieces = pieces(place, from)?;
    if pieces.iter().map(|piece| piece.len()).sum::<usize>() > max_bytes {
        return Err(contradicts("where its parts are"));
    }
    Ok(match pieces[..] {
        [piece] => Cow::Borrowed(piece),
        _ => Cow::Owned(pieces.concat()),
    })
}

/// Returns the bytes of each extent. No byte may be in two of them: a file of 887 bytes that named
/// its few frames again and again had 6,000 of them and took 8 s.
fn pieces<'a>(place: &ItemLocation, from: &'a [u8]) -> Result<Vec<&'a [u8]>, DecodeError> {
    let ranges: Vec<Range<usize>> = place
        .extents
        .iter()
        .map(|&(start, length)| range(start, length, from.len()))
        .collect::<Result<_, _>>()?;
    let mut in_order = ranges.clone();
    in_order.sort_unstable_by_key(|range| (range.start, range.end));
    if in_order.windows(2).any(|two| two[1].start < two[0].end) {
        return Err(contradicts("where its parts are"));
    }
    Ok(ranges.into_iter().map(|range| &from[range]).collect())
}

/// Returns the range of an extent within `all` bytes. A length of 0 means the rest.
fn range(start: u64, length: u64, all: usize) -> Result<Range<usize>, DecodeError> {
    let start = usize::try_from(start).map_err(|_| cut_short())?;
    let left = all.checked_sub(start).ok_or_else(cut_short)?;
    let length = match length {
        0 => left,
        length => usize::try_from(length).map_err(|_| cut_short())?,
    };
    if length > left { Err(cut_short()) } else { Ok(start..start + length) }
}
