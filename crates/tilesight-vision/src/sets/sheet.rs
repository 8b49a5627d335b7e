//! A sheet: a photo of one's tiles in the order in which they are taught.
//!
//! Input: the seen tiles of the photo. Output: its rows, with a name proposed for every tile. The
//! order is that of the notation: characters, dots and bamboo from 1 to 9, winds and dragons,
//! bonus tiles, the back. A row may end anywhere, faces may be missing, and every face may lie
//! there several times; the cheapest alignment of the tiles with the order is found by dynamic
//! programming (Needleman and Wunsch, 1970). Invariant: tiles keep their order, so that the names
//! never run backwards.

use tilesight_core::tile::Face;

use super::error::SheetError;
use super::face_label::FaceLabel;
use super::learn::LabelledTile;
use crate::layout::sheet_rows::{TileInRow, sheet_rows};
use crate::params::{Params, SheetParams};
use crate::pixels::seen_tile::SeenTile;

const PARAMS: SheetParams = SheetParams::DEFAULT;

/// Rows of a sheet with the names that its tiles are thought to have.
#[derive(Debug, Clone, PartialEq)]
pub struct SetSheet {
    rows: Vec<Vec<ProposedTile>>,
}

/// A tile of a sheet.
#[derive(Debug, Clone, PartialEq)]
pub struct ProposedTile {
    /// The tile as it was seen.
    pub seen: SeenTile,
    /// Quarter turns by which the face is turned clockwise against the quad's top.
    pub turn: usize,
    /// Proposed name; `None` for a tile to be left out.
    pub label: Option<FaceLabel>,
    /// Whether the name need not be asked about.
    pub is_sure: bool,
}

/// Names of a sheet's tiles, row by row; `None` leaves a tile out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SheetNames(Vec<Vec<Option<FaceLabel>>>);

/// Parses a name in a row, which is counted from 1.
fn parse_name(row: usize, word: &str) -> Result<Option<FaceLabel>, SheetError> {
    if word == LEFT_OUT {
        return Ok(None);
    }
    word.parse()
        .map(Some)
        .map_err(|_| SheetError::Name { row, name: word.chars().take(40).collect() })
}

/// Word that leaves a tile out.
const LEFT_OUT: &str = "-";

impl SheetNames {
    /// Parses names: one line for each row, names separated by spaces, `-` for a tile to be left
    /// out. Empty lines and what follows a `#` do not count.
    ///
    /// # Errors
    /// [`SheetError::Name`] for a word that is no name.
    pub fn parse(text: &str) -> Result<SheetNames, SheetError> {
        let lines = text.lines().map(|line| line.split('#').next().unwrap_or_default());
        let mut rows = Vec::new();
        for line in lines.filter(|line| !line.trim().is_empty()) {
            let row = rows.len() + 1;
            let names = line.split_whitespace().map(|word| parse_name(row, word));
            rows.push(names.collect::<Result<Vec<_>, _>>()?);
        }
        Ok(SheetNames(rows))
    }

    /// Returns the number of rows.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.0.len()
    }

    /// Splits off the names of the first rows.
    #[must_use]
    pub fn split_first(mut self, rows: usize) -> (SheetNames, SheetNames) {
        let rest = self.0.split_off(rows.min(self.0.len()));
        (self, SheetNames(rest))
    }
}

/// Returns all faces in the order of a sheet.
fn order() -> Vec<Face> {
    Face::printed().chain([Face::Back]).collect()
}

impl SetSheet {
    /// Finds the rows of the seen tiles of a photo, and proposes names.
    ///
    /// # Errors
    /// [`SheetError::NoTiles`] if there are none.
    pub fn new(tiles: &[SeenTile]) -> Result<SetSheet, SheetError> {
        let rows = sheet_rows(tiles, &Params::DEFAULT);
        if rows.is_empty() {
            return Err(SheetError::NoTiles);
        }
        let order = order();
        let mut names = Alignment::new(tiles, &rows, &order).names(&order).into_iter();
        let mut sheet = SetSheet { rows: Vec::new() };
        for row in rows {
            let mut proposed = Vec::new();
            for TileInRow { tile, turn } in row {
                let face = names.next().flatten();
                let seen = tiles[tile].clone();
                let is_sure =
                    face.is_some_and(|face| seen.faces.probability(Some(face)) >= PARAMS.sure);
                proposed.push(ProposedTile {
                    seen,
                    turn,
                    label: face.map(FaceLabel::Face),
                    is_sure,
                });
            }
            settle_whole_row(&mut proposed, &order);
            sheet.rows.push(proposed);
        }
        Ok(sheet)
    }

    /// Returns the rows.
    #[must_use]
    pub fn rows(&self) -> &[Vec<ProposedTile>] {
        &self.rows
    }

    /// Names a tile, by its row and its place in it.
    pub fn name(&mut self, row: usize, place: usize, label: Option<FaceLabel>) {
        if let Some(tile) = self.rows.get_mut(row).and_then(|row| row.get_mut(place)) {
            (tile.label, tile.is_sure) = (label, true);
        }
    }

    /// Names all tiles.
    ///
    /// # Errors
    /// [`SheetError`] if rows and names differ in number.
    pub fn name_all(&mut self, names: SheetNames) -> Result<(), SheetError> {
        let named = names.0.len();
        let found = self.rows.len();
        if named != found {
            return Err(SheetError::Rows { named, found });
        }
        let lengths = names.0.iter().zip(&self.rows).map(|(names, row)| (names.len(), row.len()));
        let unequal = lengths.enumerate().find(|(_, (named, found))| named != found);
        if let Some((at, (named, found))) = unequal {
            return Err(SheetError::Row { row: at + 1, named, found });
        }
        for (row, names) in names.0.into_iter().enumerate() {
            names.into_iter().enumerate().for_each(|(at, label)| self.name(row, at, label));
        }
        Ok(())
    }

    /// Returns the tiles that are to be asked about, by row and place.
    #[must_use]
    pub fn open(&self) -> Vec<(usize, usize)> {
        let rows = self.rows.iter().enumerate();
        let tiles = rows.flat_map(|(row, tiles)| {
            tiles.iter().enumerate().map(move |(place, tile)| (row, place, tile))
        });
        let open = tiles.filter(|(_, _, tile)| !tile.is_sure);
        open.map(|(row, place, _)| (row, place)).collect()
    }

    /// Returns the named tiles to learn from.
    #[must_use]
    pub fn labelled(&self) -> Vec<LabelledTile> {
        let tiles = self.rows.iter().flatten();
        let labelled = tiles.filter_map(|tile| {
            let label = tile.label.clone()?;
            Some(LabelledTile { quad: tile.seen.quad.rotated(tile.turn), label })
        });
        labelled.collect()
    }
}

/// Names a row by the whole row of the order that it seems to be, each face equally often, if half
/// of its names agree: what the network does not know is what the row teaches. Names that the
/// alignment had given otherwise are asked about.
fn settle_whole_row(row: &mut [ProposedTile], order: &[Face]) {
    let wholes = whole_rows(order, row.len()).into_iter();
    let agreed = wholes.map(|faces| (count_agreed(row, &faces), faces));
    let likeliest = agreed.max_by_key(|(agreed, _)| *agreed);
    let Some((agreed, whole)) = likeliest else { return };
    if 2 * agreed < row.len() {
        return;
    }
    let is_known = 2 * row.iter().filter(|tile| tile.is_sure).count() >= row.len();
    for (tile, face) in row.iter_mut().zip(whole) {
        let label = Some(FaceLabel::Face(face));
        if tile.label != label {
            tile.label = label;
            tile.is_sure = false;
        } else if is_known {
            tile.is_sure = true;
        }
    }
}

/// Counts the tiles of a row that are named by these faces.
fn count_agreed(row: &[ProposedTile], faces: &[Face]) -> usize {
    let pairs = faces.iter().zip(row);
    pairs.filter(|(face, tile)| tile.label == Some(FaceLabel::Face(**face))).count()
}

/// Returns the rows of this many tiles that people lay out: one or several rows of the order, each
/// face equally often.
fn whole_rows(order: &[Face], length: usize) -> Vec<Vec<Face>> {
    let starts: Vec<usize> = (0..order.len()).filter(|&at| begins_row(order[at])).collect();
    let ends = starts.iter().skip(1).copied();
    let mut rows = Vec::new();
    for (from, to) in starts.iter().flat_map(|&from| ends.clone().map(move |to| (from, to))) {
        let faces = order.get(from..to).unwrap_or_default();
        if !faces.is_empty() && length.is_multiple_of(faces.len()) {
            let times = length / faces.len();
            rows.push(faces.iter().flat_map(|&face| std::iter::repeat_n(face, times)).collect());
        }
    }
    rows
}

/// Returns whether rows of a sheet usually begin with a face.
fn begins_row(face: Face) -> bool {
    match face {
        Face::Tile(tile) => {
            tile.number().map_or(tile.index() == 27 || tile.index() == 31, |n| n == 1)
        }
        Face::Bonus(bonus) => bonus.index() % 4 == 0,
        Face::Back => true,
    }
}

/// Alignment of the tiles with the order: for every tile, the least cost of all tiles up to it if
/// it has this face, or none after it.
struct Alignment {
    /// For every tile, by face: the least cost and the choice before it.
    best: Vec<Vec<Cell>>,
}

/// The least cost of the tiles up to one, and how it came about.
#[derive(Debug, Clone, Copy)]
struct Cell {
    cost: f32,
    /// Number of faces of the order that are used or passed: the last one is that of the tile, or
    /// of the last tile that has a name.
    before: usize,
    is_named: bool,
}

impl Alignment {
    fn new(tiles: &[SeenTile], rows: &[Vec<TileInRow>], order: &[Face]) -> Alignment {
        let states = order.len() + 1;
        let start = Cell { cost: f32::INFINITY, before: 0, is_named: false };
        let mut last = vec![start; states];
        last[0].cost = 0.0;
        let mut best = Vec::new();
        for row in rows {
            for (place, TileInRow { tile, .. }) in row.iter().enumerate() {
                last = step(&last, &tiles[*tile], order, place == 0);
                best.push(last.clone());
            }
        }
        Alignment { best }
    }

    /// Returns the names of the cheapest alignment.
    fn names(&self, order: &[Face]) -> Vec<Option<Face>> {
        let Some(last) = self.best.last() else { return Vec::new() };
        let cheapest = (0..last.len()).min_by(|&a, &b| last[a].cost.total_cmp(&last[b].cost));
        let mut state = cheapest.unwrap_or(0);
        let mut names = Vec::new();
        for cells in self.best.iter().rev() {
            let cell = cells[state];
            names.push(cell.is_named.then(|| order[state - 1]));
            state = cell.before;
        }
        names.reverse();
        names
    }
}

/// Returns the cells after one more tile. State 0 is before the first face; state `n` means that
/// the last named tile has the face `n - 1`.
fn step(last: &[Cell], tile: &SeenTile, order: &[Face], begins: bool) -> Vec<Cell> {
    let even = 1.0 / order.len() as f32;
    let mut cells = Vec::new();
    for (state, unnamed) in last.iter().enumerate() {
        let mut cell = Cell { cost: unnamed.cost + PARAMS.unnamed, before: state, is_named: false };
        if let Some(face) = state.checked_sub(1).map(|at| order[at]) {
            let p = tile.faces.probability(Some(face));
            let name = -((1.0 - PARAMS.order) * p + PARAMS.order * even).ln();
            let row = if begins && !begins_row(face) { PARAMS.off_row } else { 0.0 };
            cell = cheapest_named(&last[..=state], name, row, cell);
        }
        cells.push(cell);
    }
    cells
}

/// Returns the cheapest way to name the tile after one of the cells, or `unnamed` if that is
/// cheaper. `name` and `row` are costs of the name itself.
fn cheapest_named(last: &[Cell], name: f32, row: f32, unnamed: Cell) -> Cell {
    let mut cheapest = unnamed;
    for (before, cell) in last.iter().enumerate() {
        let between = match last.len() - 1 - before {
            0 => PARAMS.repeated,
            apart => (PARAMS.skipped * (apart - 1) as f32).min(PARAMS.all_skipped),
        };
        let cost = cell.cost + between + name + row;
        if cost < cheapest.cost {
            cheapest = Cell { cost, before, is_named: true };
        }
    }
    cheapest
}

#[cfg(test)]
mod tests;
