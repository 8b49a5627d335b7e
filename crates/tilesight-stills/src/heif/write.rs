//! Writer of a photo to a file of its own: the coded pictures, byte for byte, and what decoders
//! need.
//!
//! The whole file is written anew, so only the units that contribute to the picture remain of the
//! original file. A profile is reduced to its colours.

use std::collections::HashMap;

use super::boxes::contradicts;
use super::{Coding, GridCell, Step, Still};
use crate::DecodeError;
use crate::coded;
use crate::colour::CodePoints;
use crate::gamut;

fn write_box(kind: [u8; 4], parts: &[&[u8]]) -> Vec<u8> {
    let content: usize = parts.iter().map(|part| part.len()).sum();
    // A file of four gigabytes exceeds every limit.
    let length = u32::try_from(8 + content).expect("a part of a file whose own length fits");
    let mut bytes = Vec::with_capacity(length as usize);
    bytes.extend(length.to_be_bytes());
    bytes.extend(kind);
    for part in parts {
        bytes.extend_from_slice(part);
    }
    bytes
}

fn full_box(kind: [u8; 4], version: u8, parts: &[&[u8]]) -> Vec<u8> {
    let head: &[u8] = &[version, 0, 0, 0];
    write_box(kind, &[&[head], parts].concat())
}

/// Flag on the index of a property that a reader must know.
const ESSENTIAL: u16 = 0x8000;

/// Writes the whole file. Items are numbered from 1: the cells, then the grid.
pub(super) fn file(still: &Still<'_>) -> Result<Vec<u8>, DecodeError> {
    let cells: Vec<GridCell<'static>> = still
        .cells
        .iter()
        .map(|cell| coded::essence(still.coding, cell))
        .collect::<Result<_, _>>()?;
    let mut data = Pool::default();
    let locations: Vec<(usize, usize)> = cells.iter().map(|cell| data.place(&cell.data)).collect();
    let grid = still.is_grid.then(|| grid_layout(still, cells.len()));
    let properties = Properties::new(still, &cells);
    let head = write_box(*b"ftyp", &brands(still.coding));
    let draft = meta(still, &properties, (&locations, 0), grid.as_deref())?;
    let offset = head.len() + draft.len() + 8;
    let meta = meta(still, &properties, (&locations, offset), grid.as_deref())?;
    Ok([head, meta, write_box(*b"mdat", &[&data.bytes])].concat())
}

fn brands(coding: Coding) -> [&'static [u8]; 2] {
    match coding {
        Coding::Hevc => [b"heic\0\0\0\0", b"mif1heic"],
        Coding::Av1 => [b"avif\0\0\0\0", b"mif1avif"],
    }
}

/// Coded pictures, each stored once.
#[derive(Debug, Default)]
struct Pool<'a> {
    bytes: Vec<u8>,
    known: HashMap<&'a [u8], usize>,
}

impl<'a> Pool<'a> {
    /// Stores a coded picture unless it is stored already, and returns its offset and length.
    fn place(&mut self, data: &'a [u8]) -> (usize, usize) {
        let end = self.bytes.len();
        let at = *self.known.entry(data).or_insert(end);
        if at == end {
            self.bytes.extend_from_slice(data);
        }
        (at, data.len())
    }
}

fn grid_layout(still: &Still<'_>, cells: usize) -> Vec<u8> {
    // Both were read from one byte each.
    let columns = still.columns;
    let rows = cells as u32 / still.columns;
    let mut layout = vec![0, 1, (rows - 1) as u8, (columns - 1) as u8];
    layout.extend(still.size.0.to_be_bytes());
    layout.extend(still.size.1.to_be_bytes());
    layout
}

/// Properties, each stored once, and the indices of each item's properties.
#[derive(Debug, Default)]
struct Properties {
    boxes: Vec<Vec<u8>>,
    items: Vec<Vec<u16>>,
}

impl Properties {
    fn new(still: &Still<'_>, cells: &[GridCell<'_>]) -> Properties {
        let mut properties = Properties::default();
        let size = properties.size(still.cell_size);
        for cell in cells {
            let kind = still.coding.configuration();
            let configuration = properties.add(write_box(kind, &[&cell.configuration]));
            properties.items.push(vec![configuration | ESSENTIAL, size]);
        }
        if still.is_grid {
            let size = properties.size(still.size);
            properties.items.push(vec![size]);
        }
        let mut whole = colours(still);
        whole.extend(still.steps.iter().map(write_step));
        for property in whole {
            let index = properties.add(property);
            // Transformations of the picture are essential; a colour is not.
            let essential = if &properties.boxes[usize::from(index) - 1][4..8] == b"colr" {
                0
            } else {
                ESSENTIAL
            };
            if let Some(last) = properties.items.last_mut() {
                last.push(index | essential);
            }
        }
        properties
    }

    /// Stores a property unless it is stored already, and returns its index, counted from 1.
    fn add(&mut self, property: Vec<u8>) -> u16 {
        let known = self.boxes.iter().position(|known| *known == property);
        let at = known.unwrap_or(self.boxes.len());
        if known.is_none() {
            self.boxes.push(property);
        }
        u16::try_from(at + 1).expect("at most as many as parts that were read")
    }

    fn size(&mut self, (width, height): (u32, u32)) -> u16 {
        self.add(full_box(*b"ispe", 0, &[&width.to_be_bytes(), &height.to_be_bytes()]))
    }
}

fn colours(still: &Still<'_>) -> Vec<Vec<u8>> {
    let profile = still
        .colour
        .profile
        .as_deref()
        .and_then(gamut::essence)
        .map(|profile| write_box(*b"colr", &[b"prof", &profile]));
    let points = still.colour.code_points.map(|points| {
        let CodePoints { primaries, transfer, matrix, full_range } = points;
        let numbers = [primaries, transfer, matrix].map(u16::to_be_bytes).concat();
        write_box(*b"colr", &[b"nclx", &numbers, &[u8::from(full_range) << 7]])
    });
    profile.into_iter().chain(points).collect()
}

fn write_step(step: &Step) -> Vec<u8> {
    match *step {
        // A reader computes the offsets from the size after the preceding steps, so they are
        // written for that size.
        Step::Crop { part: (left, top, width, height), of } => {
            let one = 1_u32.to_be_bytes();
            let right = offset_of_centre(left, width, of.0);
            let down = offset_of_centre(top, height, of.1);
            let sides = [width.to_be_bytes(), one, height.to_be_bytes(), one].concat();
            write_box(*b"clap", &[&sides, &right, &down])
        }
        Step::Rotate(turns) => write_box(*b"irot", &[&[turns]]),
        Step::MirrorRows => write_box(*b"imir", &[&[0]]),
        Step::MirrorColumns => write_box(*b"imir", &[&[1]]),
    }
}

/// Writes the offset of a part's centre from that of the side, as a fraction in half pixels.
fn offset_of_centre(start: u32, part: u32, whole: u32) -> Vec<u8> {
    let halves = 2 * i64::from(start) + i64::from(part) - i64::from(whole);
    [i32::try_from(halves).unwrap_or(0).to_be_bytes(), 2_i32.to_be_bytes()].concat()
}

fn meta(
    still: &Still<'_>,
    properties: &Properties,
    (locations, offset): (&[(usize, usize)], usize),
    grid: Option<&[u8]>,
) -> Result<Vec<u8>, DecodeError> {
    let items = properties.items.len();
    let last = u16::try_from(items).map_err(|_| contradicts("the number of its tiles"))?;
    let handler = full_box(*b"hdlr", 0, &[b"\0\0\0\0pict", &[0; 13]]);
    let primary = full_box(*b"pitm", 0, &[&last.to_be_bytes()]);
    let references = grid.map(|_| {
        let cells: Vec<u8> = (1..last).flat_map(u16::to_be_bytes).collect();
        let from = last.to_be_bytes();
        let count = (last - 1).to_be_bytes();
        full_box(*b"iref", 0, &[&write_box(*b"dimg", &[&from, &count, &cells])])
    });
    let inside = grid.map(|layout| write_box(*b"idat", &[layout]));
    let parts = [
        handler,
        primary,
        write_locations(locations, offset, grid)?,
        entries(still.coding, last, grid.is_some()),
        references.unwrap_or_default(),
        write_associations(properties),
        inside.unwrap_or_default(),
    ];
    Ok(full_box(*b"meta", 0, &parts.each_ref().map(Vec::as_slice)))
}

/// Writes the locations of the items: cells are in the file, the grid's layout is in the `idat`
/// box.
fn write_locations(
    locations: &[(usize, usize)],
    offset: usize,
    grid: Option<&[u8]>,
) -> Result<Vec<u8>, DecodeError> {
    let in_file = locations.iter().map(|&(at, length)| (0_u16, at + offset, length));
    let inside = grid.map(|layout| (1, 0, layout.len()));
    let all: Vec<_> = in_file.chain(inside).collect();
    let mut list = (all.len() as u16).to_be_bytes().to_vec();
    for (item, (method, at, length)) in (1_u16..).zip(all) {
        let at = u32::try_from(at).map_err(|_| contradicts("where its parts are"))?;
        let length = u32::try_from(length).map_err(|_| contradicts("where its parts are"))?;
        // Same file, one piece.
        for number in [item, method, 0, 1] {
            list.extend(number.to_be_bytes());
        }
        list.extend(at.to_be_bytes());
        list.extend(length.to_be_bytes());
    }
    // Offsets and lengths have four bytes.
    Ok(full_box(*b"iloc", 1, &[&[0x44, 0], &list]))
}

fn entries(coding: Coding, last: u16, is_grid: bool) -> Vec<u8> {
    let coded = match coding {
        Coding::Hevc => b"hvc1",
        Coding::Av1 => b"av01",
    };
    let mut list = Vec::new();
    for item in 1..=last {
        let kind = if is_grid && item == last { b"grid" } else { coded };
        list.extend(full_box(*b"infe", 2, &[&item.to_be_bytes(), &[0, 0], kind, &[0]]));
    }
    full_box(*b"iinf", 0, &[&last.to_be_bytes(), &list])
}

fn write_associations(properties: &Properties) -> Vec<u8> {
    let mut list = (properties.items.len() as u32).to_be_bytes().to_vec();
    for (item, indices) in (1_u16..).zip(&properties.items) {
        list.extend(item.to_be_bytes());
        list.push(indices.len() as u8);
        list.extend(indices.iter().flat_map(|index| index.to_be_bytes()));
    }
    let boxes: Vec<&[u8]> = properties.boxes.iter().map(Vec::as_slice).collect();
    // The flag means that indices have two bytes.
    let associations = write_box(*b"ipma", &[&[0, 0, 0, 1], &list]);
    write_box(*b"iprp", &[&write_box(*b"ipco", &boxes), &associations])
}
