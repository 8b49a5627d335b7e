//! Results from a spreadsheet: one row for each table.
//!
//! Input: the columns `round`, `table`, and for each chair `player_1`, `points_1` and so on.
//! Output: the action that enters the rows, or every cell that is wrong, with its row and column. A
//! name in brackets is a guest: `(Ulla)` filled the table, `Anna (Ulla)` played in Anna's place. A
//! table without points was not played yet. The players of a row with `rest` in place of a table
//! rest.
//! Invariant: results that were exported are read as they were.

use std::collections::HashMap;

use super::action::{ImportedRest, ImportedTable, SeriesAction};
use super::error::{CellFault, RowFault};
use super::export::REST;
use super::progress::Progress;
use super::{Chair, MAX_PLAYERS, SeriesError, SeriesPlayer};
use crate::evening::names::fold;
use crate::spreadsheet::original;

/// A table of results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultTable {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Rows that are not empty.
    pub rows: Vec<ResultRow>,
}

/// A row of a table of results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultRow {
    /// Line in the file, counted from 1.
    pub line: u64,
    /// Cells, one for each column.
    pub cells: Vec<String>,
}

/// Returns the action that enters a table of results. With `adds_players`, names that are unknown
/// are new players.
///
/// # Errors
/// [`SeriesError::Rows`] with every cell that is wrong.
pub fn read_results(
    progress: &Progress,
    table: &ResultTable,
    adds_players: bool,
) -> Result<SeriesAction, SeriesError> {
    let mut reading = Reading::new(progress, table, adds_players);
    if reading.faults.is_empty() {
        let (resting, tables): (Vec<_>, Vec<_>) =
            table.rows.iter().partition(|row| reading.is_rest(row));
        tables.into_iter().for_each(|row| reading.read_row(row));
        resting.into_iter().for_each(|row| reading.read_rest(row));
        reading.check_order();
    }
    if reading.faults.is_empty() {
        let Reading { names, results, resting, .. } = reading;
        return Ok(SeriesAction::Import { names, results, resting });
    }
    Err(SeriesError::Rows(reading.faults))
}

/// Rows that were read so far.
struct Reading<'a> {
    progress: &'a Progress,
    adds_players: bool,
    /// Positions of the columns by their names.
    columns: HashMap<String, usize>,
    /// Players by the form of their names in which equal ones are equal.
    players: HashMap<String, SeriesPlayer>,
    /// Names of new players.
    names: Vec<String>,
    results: Vec<ImportedTable>,
    resting: Vec<ImportedRest>,
    /// Lines of the tables that were read, by round and table.
    lines: HashMap<(u32, u32), u64>,
    faults: Vec<CellFault>,
}

impl<'a> Reading<'a> {
    fn new(progress: &'a Progress, table: &ResultTable, adds_players: bool) -> Reading<'a> {
        let named = table.columns.iter().enumerate();
        let columns = named.map(|(at, name)| (column_name(name), at)).collect();
        let members = progress.players.iter().enumerate();
        let players =
            members.map(|(at, one)| (fold(&one.name), SeriesPlayer::from_index(at))).collect();
        let mut reading = Reading {
            progress,
            adds_players,
            columns,
            players,
            names: Vec::new(),
            results: Vec::new(),
            resting: Vec::new(),
            lines: HashMap::new(),
            faults: Vec::new(),
        };
        let mut needed = vec!["round".to_owned(), "table".to_owned()];
        for chair in 1..=progress.seats() {
            needed.extend([format!("player_{chair}"), format!("points_{chair}")]);
        }
        for column in needed {
            if !reading.columns.contains_key(&column) {
                reading.fault(1, &column, RowFault::NoColumn);
            }
        }
        if table.rows.is_empty() {
            reading.fault(2, "round", RowFault::NoRows);
        }
        reading
    }

    fn fault(&mut self, line: u64, column: &str, fault: RowFault) {
        self.faults.push(CellFault { line, column: column.to_owned(), fault });
    }

    fn cell<'b>(&self, row: &'b ResultRow, column: &str) -> &'b str {
        let cell = self.columns.get(column).and_then(|&at| row.cells.get(at));
        cell.map_or("", |cell| original(cell.trim()))
    }

    /// Returns whether a row has players who rest.
    fn is_rest(&self, row: &ResultRow) -> bool {
        self.cell(row, "table").eq_ignore_ascii_case(REST)
    }

    /// Returns whether all these cells of a row are empty.
    fn are_empty(&self, row: &ResultRow, name: &str) -> bool {
        let mut chairs = 1..=self.progress.seats();
        chairs.all(|at| self.cell(row, &format!("{name}_{at}")).is_empty())
    }

    /// Reads a row; faults are noted.
    fn read_row(&mut self, row: &ResultRow) {
        let before = self.faults.len();
        let round = self.number(row, "round");
        let table = self.number(row, "table");
        let seats = 1..=self.progress.seats();
        let chairs: Vec<Option<Chair>> = seats.clone().map(|at| self.chair(row, at)).collect();
        let is_played = !self.are_empty(row, "points");
        let played = seats.filter(|_| is_played);
        let points: Vec<Option<i32>> =
            played.map(|at| self.number(row, &format!("points_{at}"))).collect();
        self.check_different(row, &chairs);
        let (Some(round), Some(table)) = (round.and_then(positive), table.and_then(positive))
        else {
            if self.faults.len() == before {
                self.fault(row.line, "round", RowFault::NotANumber("0".to_owned()));
            }
            return;
        };
        let chairs: Option<Vec<Chair>> = chairs.into_iter().collect();
        let points: Option<Vec<i32>> = points.into_iter().collect();
        let (Some(chairs), Some(points)) = (chairs, points) else { return };
        match self.progress.gains(points.clone()) {
            _ if points.is_empty() => {}
            Err(SeriesError::Unbalanced { sum, whole }) => {
                self.fault(row.line, "points_1", RowFault::Unbalanced { sum, whole });
            }
            Err(_) => self.fault(row.line, "points_1", RowFault::NotANumber(points[0].to_string())),
            Ok(_) => {}
        }
        if let Some(line) = self.lines.insert((round, table), row.line) {
            self.fault(row.line, "table", RowFault::TableTwice(line));
        }
        self.results.push(ImportedTable { round, table, chairs, points });
    }

    /// Reads a row with players who rest.
    fn read_rest(&mut self, row: &ResultRow) {
        let round = self.number(row, "round").and_then(positive);
        let mut players = Vec::new();
        for at in 1..=self.progress.seats() {
            if self.cell(row, &format!("player_{at}")).is_empty() {
                continue;
            }
            players.extend(self.chair(row, at).and_then(|chair| chair.player));
        }
        let Some(round) = round else { return };
        let has_round = round as usize <= self.progress.rounds.len()
            || self.lines.keys().any(|(seated, _)| *seated == round);
        if !has_round {
            self.fault(row.line, "round", RowFault::Gap(round));
        }
        self.resting.push(ImportedRest { round, players });
    }

    /// Returns a whole number.
    fn number(&mut self, row: &ResultRow, column: &str) -> Option<i32> {
        let text = self.cell(row, column);
        if text.is_empty() {
            self.fault(row.line, column, RowFault::Empty);
            return None;
        }
        let number = parse_number(text);
        if number.is_none() {
            self.fault(row.line, column, RowFault::NotANumber(text.to_owned()));
        }
        number
    }

    /// Returns who sits on a chair.
    fn chair(&mut self, row: &ResultRow, at: usize) -> Option<Chair> {
        let column = format!("player_{at}");
        let text = self.cell(row, &column);
        if text.is_empty() {
            self.fault(row.line, &column, RowFault::Empty);
            return None;
        }
        if let Some(&player) = self.players.get(&fold(text)) {
            return Some(Chair::for_player(player));
        }
        let (name, guest) = without_guest(text);
        let guest = guest.filter(|guest| !guest.is_empty()).map(str::to_owned);
        if name.is_empty() {
            return guest.map(Chair::for_guest);
        }
        let player = self.player(name);
        if player.is_none() {
            self.fault(row.line, &column, RowFault::UnknownName(name.to_owned()));
        }
        Some(Chair { player: Some(player?), guest })
    }

    /// Returns the player of a name, who may be new.
    fn player(&mut self, name: &str) -> Option<SeriesPlayer> {
        let form = fold(name);
        if let Some(&player) = self.players.get(&form) {
            return Some(player);
        }
        let count = self.progress.players.len() + self.names.len();
        if !self.adds_players || count >= MAX_PLAYERS {
            return None;
        }
        let player = SeriesPlayer::from_index(count);
        self.names.push(name.to_owned());
        self.players.insert(form, player);
        Some(player)
    }

    /// Refuses a player who sits twice at a table.
    fn check_different(&mut self, row: &ResultRow, chairs: &[Option<Chair>]) {
        for (at, chair) in chairs.iter().enumerate() {
            if chair.is_some() && chairs[..at].contains(chair) {
                let column = format!("player_{}", at + 1);
                let name = self.cell(row, &column).to_owned();
                self.fault(row.line, &column, RowFault::NameTwice(name));
            }
        }
    }

    /// Refuses rounds and tables that leave others out.
    fn check_order(&mut self) {
        let seated = self.progress.rounds.len() as u32;
        let lines: Vec<((u32, u32), u64)> =
            self.lines.iter().map(|(at, line)| (*at, *line)).collect();
        for ((round, table), line) in lines {
            let has_round =
                round <= seated + 1 || self.lines.keys().any(|(one, _)| one + 1 == round);
            if !has_round {
                self.fault(line, "round", RowFault::Gap(round - 1));
            }
            let is_new = round > seated;
            if is_new && table > 1 && !self.lines.contains_key(&(round, table - 1)) {
                self.fault(line, "table", RowFault::Gap(table - 1));
            }
        }
        self.faults.sort_by_key(|fault| fault.line);
    }
}

/// Returns the name of a column as it is looked up.
fn column_name(name: &str) -> String {
    name.trim().to_lowercase().replace([' ', '-'], "_")
}

/// Returns a name, and what stands in brackets behind it. These brackets follow on white space, and
/// those between them are in pairs if any such are; `(` and `)` may be part of either name.
fn without_guest(text: &str) -> (&str, Option<&str>) {
    let Some(inner) = text.strip_suffix(')') else { return (text, None) };
    let openings = inner.match_indices('(').map(|(at, _)| at);
    let apart: Vec<usize> = openings
        .filter(|&at| inner[..at].chars().next_back().is_none_or(char::is_whitespace))
        .collect();
    let in_pairs = apart.iter().copied().find(|&at| is_in_pairs(&inner[at + 1..]));
    match in_pairs.or(apart.last().copied()).or(inner.find('(')) {
        Some(at) => (text[..at].trim(), Some(inner[at + 1..].trim())),
        None => (text, None),
    }
}

/// Returns whether every bracket of a text has its counterpart.
fn is_in_pairs(text: &str) -> bool {
    let mut open = 0_i32;
    for letter in text.chars() {
        open += i32::from(letter == '(') - i32::from(letter == ')');
        if open < 0 {
            return false;
        }
    }
    open == 0
}

fn positive(number: i32) -> Option<u32> {
    u32::try_from(number).ok().filter(|number| *number > 0)
}

/// Returns a whole number as people type it: with a sign, and with spaces or apostrophes between
/// thousands. A comma or a dot could be of thousands or of decimals.
fn parse_number(text: &str) -> Option<i32> {
    let plain: String = text
        .chars()
        .filter(|letter| !letter.is_whitespace() && !matches!(letter, '\'' | '’'))
        .map(|letter| if letter == '\u{2212}' { '-' } else { letter })
        .collect();
    plain.parse().ok()
}
