//! Corrections by people as a small table beside the results, `corrections.csv`.
//!
//! Each row is one reviewer's correction of one photo: `id` as in the results, the fields of a
//! [`Correction`], then `reviewer`, `time` and `note`. People edit the file with a spreadsheet, and
//! a review writes it. Invariants: of several rows about one photo the last one counts; a column
//! whose name begins with `#` is kept unchanged; every other unknown column is refused, because a
//! misspelled one would silently change nothing; the file is replaced as a whole, so that a process
//! killed during the write loses nothing.

use std::collections::HashMap;
use std::io;
use std::path::Path;

use csv::WriterBuilder;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tilesight_core::contract::{ContextDto, Problem, check_named};
use tilesight_core::rules::Book;
use tilesight_core::spreadsheet::text;
use tilesight_files::input;
use tilesight_files::replace::replace;

use super::cells::{answers_cell, cell_value, fault_in_line, plain};
use super::correction::Correction;
use crate::sheet::{ColumnError, CsvStyle, OwnColumns, Sheet, SheetError, SheetRow, is_own};

/// Maximum size of a table in bytes: a table of a million photos has about a hundred bytes per
/// photo.
const MAX_BYTES: usize = 256 << 20;
/// Name of the column with the photo's id.
const ID: &str = "id";
/// Names of the columns beside the correction itself.
const ABOUT: [&str; 3] = ["reviewer", "time", "note"];

/// Correction of one photo by one reviewer.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct CorrectionRow {
    /// Id of the photo, as in the results.
    pub id: String,
    /// The correction.
    pub correction: Correction,
    /// Name of the reviewer.
    pub reviewer: String,
    /// Time of the correction, in RFC 3339; it orders the rows of several reviewers.
    pub time: String,
    /// Reason, as free text.
    pub note: String,
    /// Cells of columns that are kept for their owner, with the names of the columns.
    #[serde(skip)]
    kept: Vec<(String, String)>,
}

/// Table of corrections.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corrections {
    rows: Vec<CorrectionRow>,
    delimiter: u8,
    /// Whether the program that edited the table needs a byte order mark to recognize UTF-8.
    has_mark: bool,
}

/// Error when a table of corrections can't be used. Its author can fix it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CorrectionsError {
    /// The file is not a table.
    #[error(transparent)]
    Sheet(#[from] SheetError),
    /// The disk failed.
    #[error("it can't be read or written: {0}")]
    Io(io::Error),
    /// The columns can't be used.
    #[error(transparent)]
    Columns(#[from] ColumnError),
    /// A row contains a value that can't be read.
    #[error("{}", fault_in_line(*line, problem))]
    Row {
        /// Line, counted from 1.
        line: u64,
        /// Fault in the row.
        problem: Problem,
    },
    /// Two rows contradict each other, and neither takes precedence.
    #[error(
        "line {line} is about {id} again, and says something else than line {before}: keep one of them, or tell them apart by `reviewer` or `time`"
    )]
    RowTwice {
        /// Line, counted from 1.
        line: u64,
        /// Line of the earlier row.
        before: u64,
        /// Id of the photo.
        id: String,
    },
}

impl Default for Corrections {
    fn default() -> Corrections {
        Corrections { rows: Vec::new(), delimiter: b',', has_mark: false }
    }
}

impl CorrectionRow {
    /// Returns a row without reviewer, time and note.
    #[must_use]
    pub fn new(id: impl Into<String>, correction: Correction) -> CorrectionRow {
        CorrectionRow { id: id.into(), correction, ..CorrectionRow::default() }
    }
}

impl Corrections {
    /// Reads the table in a file; returns an empty one if the file does not exist.
    ///
    /// # Errors
    /// [`CorrectionsError`] names the line or the column.
    pub fn read(file: &Path, book: &Book) -> Result<Corrections, CorrectionsError> {
        match input::read(file, MAX_BYTES).map_err(io::Error::from) {
            Ok(bytes) => Corrections::parse(&bytes, book),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Corrections::default()),
            Err(error) => Err(CorrectionsError::Io(error)),
        }
    }

    /// Parses a table from its bytes.
    ///
    /// # Errors
    /// As [`read`](Corrections::read).
    pub fn parse(bytes: &[u8], book: &Book) -> Result<Corrections, CorrectionsError> {
        let sheet = Sheet::read(bytes)?;
        if sheet.columns.is_empty() && sheet.rows.is_empty() {
            return Ok(Corrections::default());
        }
        sheet.check_columns(ID, &column_names().collect::<Vec<_>>(), OwnColumns::Kept)?;
        let Sheet { columns, rows: lines, delimiter, has_mark } = sheet;
        let mut rows = Vec::new();
        for SheetRow { line, cells } in &lines {
            let row = row_of(&columns, cells, book)
                .map_err(|problem| CorrectionsError::Row { line: *line, problem })?;
            rows.push(row);
        }
        if let Some((before, at)) = contradiction(&rows) {
            let line = lines[at].line;
            let before = lines[before].line;
            return Err(CorrectionsError::RowTwice { line, before, id: rows[at].id.clone() });
        }
        Ok(Corrections { rows, delimiter, has_mark })
    }

    /// Returns the id of a photo with contradictory rows of the same reviewer and time: a table
    /// with such rows can't be read again.
    #[must_use]
    pub fn contradictory(&self) -> Option<&str> {
        contradiction(&self.rows).map(|(_, at)| self.rows[at].id.as_str())
    }

    /// Returns all rows, including those that later rows override.
    #[must_use]
    pub fn rows(&self) -> &[CorrectionRow] {
        &self.rows
    }

    /// Returns the row that counts for each photo: the last one.
    #[must_use]
    pub fn rows_by_id(&self) -> HashMap<&str, &CorrectionRow> {
        self.rows.iter().map(|row| (row.id.as_str(), row)).collect()
    }

    /// Returns the row that counts for a photo.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&CorrectionRow> {
        self.rows.iter().rev().find(|row| row.id == id)
    }

    /// Adds a reviewer's correction and replaces the reviewer's earlier one for the same photo.
    /// Cells that are kept for their owner stay.
    pub fn put(&mut self, mut row: CorrectionRow) {
        let before = self.row_of_reviewer(&row.id, &row.reviewer);
        if let Some(at) = before {
            row.kept = self.rows.remove(at).kept;
        }
        self.rows.push(row);
    }

    /// Removes a reviewer's correction of a photo. Returns whether there was one.
    pub fn remove(&mut self, id: &str, reviewer: &str) -> bool {
        let Some(at) = self.row_of_reviewer(id, reviewer) else { return false };
        self.rows.remove(at);
        true
    }

    fn row_of_reviewer(&self, id: &str, reviewer: &str) -> Option<usize> {
        self.rows.iter().rposition(|row| row.id == id && row.reviewer == reviewer)
    }

    /// Returns a table of these rows, in their order.
    #[must_use]
    pub fn from_rows(rows: Vec<CorrectionRow>) -> Corrections {
        Corrections { rows, ..Corrections::default() }
    }

    /// Returns a table of other rows that is written in this table's format.
    #[must_use]
    pub fn with_rows(&self, rows: Vec<CorrectionRow>) -> Corrections {
        Corrections { rows, ..self.clone() }
    }

    /// Replaces the file with this table atomically.
    ///
    /// # Errors
    /// Errors of the disk; the file is then unchanged.
    pub fn write(&self, file: &Path) -> io::Result<()> {
        replace(file, &self.to_csv().map_err(io::Error::from)?)
    }

    /// Returns the table as CSV, without the columns of the win context and of answers that no row
    /// uses.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn to_csv(&self) -> Result<Vec<u8>, csv::Error> {
        let cells: Vec<HashMap<String, String>> = self.rows.iter().map(cells_of).collect();
        let mut columns: Vec<&str> = column_names()
            .filter(|name| !is_optional(name) || cells.iter().any(|row| row.contains_key(*name)))
            .collect();
        for (name, _) in self.rows.iter().flat_map(|row| &row.kept) {
            if !columns.contains(&name.as_str()) {
                columns.push(name);
            }
        }
        let mark = if self.has_mark { CsvStyle::Excel.mark() } else { b"" };
        let mut table = WriterBuilder::new().delimiter(self.delimiter).from_writer(mark.to_vec());
        table.write_record(&columns)?;
        for row in &cells {
            table.write_record(
                columns.iter().map(|&name| row.get(name).map_or("", String::as_str)),
            )?;
        }
        table.into_inner().map_err(|error| error.into_error().into())
    }
}

/// Returns the names of all columns, in their order.
fn column_names() -> impl Iterator<Item = &'static str> {
    std::iter::once(ID).chain(Correction::NAMES).chain(ContextDto::names()).chain(ABOUT)
}

/// Returns the indices of two rows about one photo that differ, by the same reviewer at the same
/// time.
fn contradiction(rows: &[CorrectionRow]) -> Option<(usize, usize)> {
    let mut before: HashMap<(&str, &str, &str), usize> = HashMap::new();
    for (at, row) in rows.iter().enumerate() {
        let first = *before.entry((&row.id, &row.reviewer, &row.time)).or_insert(at);
        if rows[first].correction != row.correction {
            return Some((first, at));
        }
    }
    None
}

fn row_of(columns: &[String], cells: &[String], book: &Book) -> Result<CorrectionRow, Problem> {
    let mut row = CorrectionRow::default();
    let mut said = Map::new();
    let mut context = Map::new();
    for (column, cell) in columns.iter().zip(cells).filter(|(_, cell)| !cell.is_empty()) {
        let cell = plain(cell);
        match column.as_str() {
            ID => cell.clone_into(&mut row.id),
            "reviewer" => cell.clone_into(&mut row.reviewer),
            "time" => cell.clone_into(&mut row.time),
            "note" => cell.clone_into(&mut row.note),
            name if is_own(name) => row.kept.push((column.clone(), cell.to_owned())),
            name if Correction::NAMES.contains(&name) => {
                said.insert(column.clone(), cell_value(name, cell)?);
            }
            name => {
                context.insert(column.clone(), cell_value(name, cell)?);
            }
        }
    }
    if row.id.is_empty() {
        let detail = "the cell `id` is empty";
        return Err(Problem::new(tilesight_core::contract::ProblemKind::MalformedRequest, detail));
    }
    said.insert("context".to_owned(), Value::Object(context));
    row.correction = Correction::from_json(Value::Object(said).to_string().as_bytes())?;
    check_named(book, &row.correction.context, None)?;
    Ok(row)
}

/// Returns the non-empty cells of a row, by the names of their columns.
fn cells_of(row: &CorrectionRow) -> HashMap<String, String> {
    let mut cells: HashMap<String, String> =
        row.kept.iter().map(|(name, cell)| (name.clone(), text(cell))).collect();
    let said = serde_json::to_value(&row.correction).unwrap_or_default();
    let context = serde_json::to_value(row.correction.context).unwrap_or_default();
    for (name, value) in said.as_object().into_iter().chain(context.as_object()).flatten() {
        let cell = match value {
            Value::Null | Value::Object(_) => continue,
            Value::String(said) => text(said),
            Value::Array(_) if name == Correction::ANSWERS => {
                text(&answers_cell(&row.correction.answers))
            }
            Value::Array(codes) => {
                codes.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(",")
            }
            other => other.to_string(),
        };
        cells.insert(name.clone(), cell);
    }
    let about =
        [(ID, &row.id), ("reviewer", &row.reviewer), ("time", &row.time), ("note", &row.note)];
    for (name, said) in about {
        if !said.is_empty() {
            cells.insert(name.to_owned(), text(said));
        }
    }
    cells
}

/// Returns whether a column is left out if no row uses it.
fn is_optional(column: &str) -> bool {
    column == Correction::ANSWERS || ContextDto::names().any(|field| field == column)
}

#[cfg(test)]
mod tests {
    use tilesight_core::context::WinKind;

    use super::*;

    fn table(csv: &str) -> Corrections {
        Corrections::parse(csv.as_bytes(), &Book::shipped())
            .unwrap_or_else(|error| panic!("{csv}: {error}"))
    }

    fn csv(table: &Corrections) -> String {
        String::from_utf8(table.to_csv().expect("memory")).expect("UTF-8")
    }

    #[test]
    fn a_table_is_written_as_it_was_read() {
        let text = "id,accepted,hand,winning_tile,no_hand,game,seat,win,declared,reviewer,time,note,#table\n\
            a.jpg,true,,,,,,,,Kim,2026-11-23T12:00:00Z,,3\n\
            '=b.jpg,,\"[EEE,2]123m456p789s5s5s\",5s,,,S,self_drawn,,Kim,,\"blurred, but clear\",\n\
            c.jpg,,,,true,,,,,,,,\n\
            d.jpg,,,,,sixteen-tile,,,,,,,\n\
            e.jpg,,'+3m||ab,,,,,,\"heaven,earth\",,,,\n";
        let read = table(text);
        assert_eq!(csv(&read), text);
        assert_eq!(read.rows()[1].id, "=b.jpg");
        assert_eq!(read.rows()[1].correction.context.setup.win, Some(WinKind::SelfDrawn));
        assert_eq!(table(&csv(&read)), read);
    }

    #[test]
    fn tables_come_as_spreadsheets_write_them() {
        let read = table("\u{feff}id;no_hand;last_of_kind;#x\r\na.jpg;x;TRUE;\r\n;;;\r\n");
        assert!(read.rows()[0].correction.no_hand && read.rows().len() == 1);
        assert_eq!(read.rows()[0].correction.context.setup.last_of_kind, Some(true));
        assert!(
            csv(&read).starts_with("\u{feff}id;accepted;"),
            "it stays as its owner's program writes it"
        );
        assert_eq!(table("").rows(), []);
    }

    #[test]
    fn rows_of_one_photo_are_told_apart_by_reviewer_or_time() {
        for rows in [
            "a,123m,Kim,1\na,123p,Ann,1\n",
            "a,123m,Kim,1\na,123p,Kim,2\n",
            "a,123m,Kim,1\na,123m,Kim,1\n",
        ] {
            let read = table(&format!("id,hand,reviewer,time\n{rows}"));
            assert_eq!((read.rows().len(), read.contradictory()), (2, None), "{rows}");
        }
        let same = |hand: &str| {
            let hand = Some(hand.to_owned());
            CorrectionRow::new("a", Correction { hand, ..Correction::default() })
        };
        let rows = Corrections::from_rows(vec![same("123m"), same("123p")]);
        assert_eq!(rows.contradictory(), Some("a"));
    }

    #[test]
    fn words_of_spreadsheets_are_read() {
        for yes in ["WAHR", "SAND", "SANT", "TRUE", "是", "ja"] {
            let read = table(&format!("id,no_hand,won\na,{yes},{yes}\n"));
            let correction = &read.rows()[0].correction;
            assert!(correction.no_hand, "{yes}");
            assert_eq!(correction.context.setup.won, Some(true), "{yes}");
        }
        let read = table("id,won\na,FALSKT\n");
        assert_eq!(read.rows()[0].correction.context.setup.won, Some(false));
    }

    #[test]
    fn the_last_row_about_a_photo_counts_and_the_others_stay() {
        let mut both = table("id,hand,reviewer,#n\na,123m,Kim,1\na,123p,Ann,2\nb,123s,Kim,3\n");
        assert_eq!(both.get("a").map(|row| row.reviewer.as_str()), Some("Ann"));
        let hand = Some("456m".to_owned());
        let mut again = CorrectionRow::new("a", Correction { hand, ..Correction::default() });
        "Kim".clone_into(&mut again.reviewer);
        both.put(again);
        assert_eq!((both.rows().len(), both.rows_by_id()["a"].reviewer.as_str()), (3, "Kim"));
        assert!(csv(&both).contains("a,,456m,,,,Kim,,,1\n"), "{}", csv(&both));
        assert!(both.remove("a", "Kim") && !both.remove("a", "Kim"));
        assert_eq!(both.get("a").map(|row| row.reviewer.as_str()), Some("Ann"));
    }

    #[test]
    fn answers_have_a_column_where_somebody_gave_some() {
        let text = "id,accepted,hand,winning_tile,no_hand,game,answers,reviewer,time,note\n\
            a.jpg,,,,,,tile-11=F; winning_tile=1m,Kim,,\n";
        let read = table(text);
        assert_eq!(csv(&read), text);
        assert_eq!(read.rows()[0].correction.answers.len(), 2);
    }

    #[test]
    fn an_invalid_table_is_refused_with_line_and_column() {
        for (csv, expected) in [
            ("hand\n123m\n", "the column `id` is missing"),
            ("id,hnad\na,1\n", "unknown column `hnad`"),
            ("id,hand,hand\na,,\n", "the column `hand` is given twice"),
            ("id,hand\na,123m\nb,12x\n", "line 3: "),
            ("id,winning_tile\na,0z\n", "line 2: column winning_tile: "),
            ("id,no_hand\na,perhaps\n", "line 2: column no_hand: \"perhaps\" is neither"),
            ("sep=,\nid,won\na,perhaps\n", "line 3: column won: \"perhaps\" is neither"),
            (
                "id,hand\na,123m\na,123p\n",
                "line 3 is about a again, and says something else than line 2",
            ),
            ("id,hand,reviewer\na,123m,Kim\na,123p,Kim\n", "line 3 is about a again"),
            ("PK\u{3}\u{4}", "export it as CSV"),
            ("id,hand\n,123m\n", "line 2: the cell `id` is empty"),
            ("id,ruleset\na,riichi\n", "line 2: "),
        ] {
            let error = Corrections::parse(csv.as_bytes(), &Book::shipped()).expect_err(csv);
            assert!(error.to_string().contains(expected), "{csv}: {error}");
        }
    }

    #[test]
    fn a_table_is_read_from_its_file_and_a_missing_one_is_empty() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("corrections.csv");
        let read = || Corrections::read(&file, &Book::shipped()).expect("a table or no file");
        assert_eq!(read(), Corrections::default());
        let one = table("id,accepted\na,true\n");
        one.write(&file).expect("written");
        assert_eq!(read(), one);
    }
}
