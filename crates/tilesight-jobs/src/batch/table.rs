//! Rows of a batch as a table of comma-separated values, for spreadsheets.
//!
//! The table has one row of names, then one row per photo, in the order of the photos. Invariant:
//! columns keep their names, their order and their meaning; new columns come last. A value that
//! does not apply is an empty cell. A text from outside is never interpreted as a formula.

use std::collections::HashMap;
use std::fs::File;
use std::io::{Read as _, Write};
use std::path::Path;

use csv::{Error, StringRecord, Writer};
use rust_xlsxwriter::XlsxError;
use tilesight_core::spreadsheet::{original, text};
use tilesight_vision::Status;
use zip::ZipArchive;
use zip::result::ZipError;

use super::group::ReviewGroup;
use super::row::{BatchRow, RowReading, RowScore};
use crate::sheet::CsvStyle;
use crate::workbook::{BookCell, TableBook};

/// Names of the columns.
pub(super) const COLUMNS: [&str; 26] = [
    "id",
    "index",
    "status",
    "probability",
    "score_probability",
    "hand",
    "ruleset",
    "total",
    "value",
    "legal",
    "fans",
    "questions",
    "error_type",
    "error_detail",
    "assumptions",
    "overlay",
    "order",
    "group",
    "fan_names",
    "corrected",
    "han",
    "fu",
    "limit",
    "yakuman",
    "sticks",
    "faan",
];

/// Indices of the columns with numbers that have decimals: the probabilities.
pub const DECIMALS: [usize; 2] = [3, 4];

/// Indices of the columns with numbers.
const NUMBERS: [usize; 11] = [1, 3, 4, 7, 8, ORDER, 20, 21, 23, 24, 25];

/// Index of the column that is true or false.
const LEGAL: usize = 9;

/// Title of a workbook of results, by which it is recognized.
const TITLE: &str = "Tilesight: results";

/// Columns with long texts, and their widths in a workbook, in characters.
const WIDTHS: [(u16, f64); 7] =
    [(0, 32.0), (5, 32.0), (10, 40.0), (11, 40.0), (13, 40.0), (14, 24.0), (18, 40.0)];

/// Maximum number of bytes of a workbook's properties that are looked at.
const MAX_PROPERTIES: u64 = 10_000;

/// Index of the first column that only some games fill in.
const OF_GAMES: usize = 20;

/// Index of the column with the photo's position in the review, which is known once all rows are.
const ORDER: usize = 16;

/// Table that grows by one row per photo.
#[derive(Debug)]
pub struct Table<W: Write> {
    rows: Writer<W>,
}

impl<W: Write> Table<W> {
    /// Returns a table that begins with its row of names.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn new(out: W) -> Result<Table<W>, Error> {
        let mut table = Table::without_names(out);
        table.rows.write_record(COLUMNS)?;
        Ok(table)
    }

    /// Like [`Table::new`], but without the row of names, to continue a table that already has one.
    pub fn without_names(out: W) -> Table<W> {
        Table { rows: Writer::from_writer(out) }
    }

    /// Adds the row of one photo, with the file of its overlay if it has one.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn add(
        &mut self,
        id: &str,
        index: u64,
        row: &BatchRow,
        overlay: Option<&str>,
    ) -> Result<(), Error> {
        let index = index.to_string();
        match row {
            BatchRow::Read(read) => {
                let mut cells = cells_of_reading(id, index, read);
                cells[15] = text(overlay.unwrap_or_default());
                self.rows.write_record(cells)
            }
            BatchRow::Failed(problem) => {
                let mut cells = empty(id, index, "failed");
                cells[12] = problem.kind.uri().to_owned();
                cells[13] = text(&problem.detail);
                self.rows.write_record(cells)
            }
        }
    }

    /// Writes out buffered rows.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn flush(&mut self) -> std::io::Result<()> {
        self.rows.flush()
    }

    /// Returns the underlying writer after everything is written.
    ///
    /// # Errors
    /// Errors of the writer.
    pub fn finish(self) -> std::io::Result<W> {
        self.rows.into_inner().map_err(csv::IntoInnerError::into_error)
    }
}

/// Copies a table in a style and fills in each photo's position in the review, counted from 1.
/// `order` maps the photos' indices to their positions.
///
/// # Errors
/// Errors of the reader and the writer.
pub fn write_ordered(
    table: impl std::io::Read,
    mut out: impl Write,
    style: CsvStyle,
    order: &HashMap<u64, usize>,
) -> Result<(), Error> {
    let mut rows = csv::Reader::from_reader(table);
    out.write_all(style.mark())?;
    let mut out = style.writer(out);
    out.write_record(rows.headers()?)?;
    for row in rows.records() {
        let row = row?;
        let filled = position(&row, order);
        for (at, cell) in row.iter().enumerate() {
            match at {
                ORDER => out.write_field(&filled)?,
                at if DECIMALS.contains(&at) => out.write_field(&*style.decimal(cell))?,
                _ => out.write_field(cell)?,
            }
        }
        out.write_record(None::<&[u8]>)?;
    }
    Ok(out.flush()?)
}

/// Returns the position in the review of the photo in a row, as text; an empty one without it.
fn position(row: &StringRecord, order: &HashMap<u64, usize>) -> String {
    let index = row.get(1).and_then(|index| index.parse().ok());
    let place = index.and_then(|index: u64| order.get(&index)).map(ToString::to_string);
    place.unwrap_or_default()
}

/// Error when a table can't be written as a workbook.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableBookError {
    /// The table can't be read.
    #[error(transparent)]
    Csv(#[from] Error),
    /// The workbook can't be written.
    #[error(transparent)]
    Workbook(#[from] XlsxError),
}

/// Writes a table as a workbook, with each photo's position in the review, counted from 1. `order`
/// maps the photos' indices to their positions. Rows go through a file without a name in `folder`.
///
/// # Errors
/// [`TableBookError`]; a table of more than [`MAX_ROWS`](crate::workbook::MAX_ROWS) rows is one.
pub fn write_workbook(
    table: impl std::io::Read,
    out: impl Write + Send,
    order: &HashMap<u64, usize>,
    folder: &Path,
) -> Result<(), TableBookError> {
    let mut rows = csv::Reader::from_reader(table);
    let mut book = TableBook::on_disk("results", folder)?;
    // The same photos are the same file.
    book.set_properties(TITLE, 0)?;
    for (column, width) in WIDTHS {
        book.set_width(column, width)?;
    }
    book.add_names(rows.headers()?)?;
    for row in rows.records() {
        let row = row?;
        let place = position(&row, order);
        let cells = row.iter().enumerate();
        book.add_row(cells.map(|(at, cell)| {
            book_cell(at, if at == ORDER && !place.is_empty() { place.as_str() } else { cell })
        }))?;
    }
    Ok(book.finish(out)?)
}

/// Returns whether a file is a workbook that [`write_workbook`] wrote, perhaps saved again since.
pub(super) fn is_results_book(file: &Path) -> bool {
    let title = format!("<dc:title>{TITLE}</dc:title>");
    File::open(file).is_ok_and(|file| read_properties(file).is_ok_and(|text| text.contains(&title)))
}

/// Returns the beginning of the properties of a workbook.
fn read_properties(file: File) -> Result<String, ZipError> {
    let mut archive = ZipArchive::new(file)?;
    let mut properties = Vec::new();
    archive.by_name("docProps/core.xml")?.take(MAX_PROPERTIES).read_to_end(&mut properties)?;
    Ok(String::from_utf8_lossy(&properties).into_owned())
}

/// Returns the value of a cell of a column.
fn book_cell(column: usize, cell: &str) -> BookCell<'_> {
    if cell.is_empty() {
        return BookCell::Empty;
    }
    let number = NUMBERS.contains(&column).then(|| cell.parse().ok()).flatten();
    let truth = (column == LEGAL).then(|| cell.parse().ok()).flatten();
    let value = number.map(BookCell::Number).or(truth.map(BookCell::Boolean));
    value.unwrap_or_else(|| BookCell::Text(original(cell)))
}

fn empty(id: &str, index: String, status: &str) -> [String; COLUMNS.len()] {
    let mut cells: [String; COLUMNS.len()] = Default::default();
    cells[0] = text(id);
    cells[1] = index;
    status.clone_into(&mut cells[2]);
    cells[19] = "no".to_owned();
    cells
}

fn cells_of_reading(id: &str, index: String, read: &RowReading) -> [String; COLUMNS.len()] {
    let mut cells = empty(id, index, name(read.status));
    cells[3] = read.probability.to_string();
    cells[4] = read.score_probability.to_string();
    cells[5] = text(read.hand());
    if let Some(score) = &read.score {
        cells[6] = score.ruleset.map_or(String::new(), |ruleset| ruleset.to_string());
        cells[7] = score.total.to_string();
        cells[8] = score.value.to_string();
        cells[9] = score.legal.to_string();
        let fans = score.awards.iter().map(|fan| format!("{} x {}", fan.code, fan.count));
        cells[10] = fans.collect::<Vec<_>>().join(";");
    }
    let assumptions = read.assumptions().map(|(field, value)| format!("{field}={value}"));
    cells[14] = assumptions.collect::<Vec<_>>().join("; ");
    cells[17] =
        ReviewGroup::from_reading(read).map_or_else(String::new, |group| group.code().to_owned());
    let names = read.score.iter().flat_map(|score| &score.awards);
    cells[18] = text(&names.map(|fan| fan.name.as_str()).collect::<Vec<_>>().join("; "));
    if read.correction().is_some() {
        cells[19] = "yes".to_owned();
    }
    for (cell, figure) in cells[OF_GAMES..].iter_mut().zip(read.score.iter().flat_map(figures)) {
        *cell = figure.unwrap_or_default();
    }
    let questions: Vec<&str> = read.open().map(|doubt| doubt.question.as_str()).collect();
    cells[11] = text(&questions.join(" / "));
    cells
}

/// Returns the figures that only some games have, in the order of their columns.
fn figures(score: &RowScore) -> [Option<String>; COLUMNS.len() - OF_GAMES] {
    [
        score.han.map(|han| han.to_string()),
        score.fu.map(|fu| fu.to_string()),
        score.limit.clone(),
        score.yakuman.map(|yakuman| yakuman.to_string()),
        score.sticks.map(|sticks| sticks.to_string()),
        score.faan.map(|faan| faan.to_string()),
    ]
}

/// Returns the name of a status in JSON.
pub(super) const fn name(status: Status) -> &'static str {
    match status {
        Status::Ok => "ok",
        Status::NeedsReview => "needs_review",
        Status::NoHand => "no_hand",
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use tilesight_core::contract::{Problem, ProblemKind};

    use super::super::row::tests::{score, stored};
    use super::*;
    use crate::workbook::tests::part;

    fn table(rows: &[(&str, BatchRow)]) -> String {
        let mut table = Table::new(Vec::new()).expect("memory");
        for (index, (id, row)) in (0..).zip(rows) {
            table.add(id, index, row, (index == 0).then_some("overlays/a.jpg")).expect("memory");
        }
        String::from_utf8(table.finish().expect("memory")).expect("UTF-8")
    }

    #[test]
    fn each_photo_has_one_row_of_all_columns() {
        let doubts =
            json!([{ "question": "Which, 1m or 2m?", "affects_score": true, "alternatives": [] }]);
        let read = stored(
            "needs_review",
            &doubts,
            &score(16, &[("pure_straight", 1), ("short_straight", 2)]),
        );
        let text = table(&[
            ("a,b.jpg", BatchRow::from_stored(&read)),
            (
                "c.jpg",
                BatchRow::Failed(Problem::new(
                    ProblemKind::UnreadableImage,
                    "the \"picture\" is\nbroken",
                )),
            ),
            ("d.jpg", BatchRow::from_stored(&stored("no_hand", &json!([]), &json!(null)))),
        ]);
        let expected = "id,index,status,probability,score_probability,hand,ruleset,total,value,legal,fans,questions,error_type,error_detail,assumptions,overlay,order,group,fan_names,corrected,han,fu,limit,yakuman,sticks,faan\n\
            \"a,b.jpg\",0,needs_review,0.91,0.8,123m456p789s5s5s,mcr-wmo,16,16,true,pure_straight x 1;short_straight x 2,\"Which, 1m or 2m?\",,,from=left; win=discard,overlays/a.jpg,,small_doubts,PURE_STRAIGHT; SHORT_STRAIGHT,no,,,,,,\n\
            c.jpg,1,failed,,,,,,,,,,urn:tilesight:problem:unreadable-image,\"the \"\"picture\"\" is\nbroken\",,,,,,no,,,,,,\n\
            d.jpg,2,no_hand,0.91,0.8,123m456p789s5s5s,,,,,,,,,,,,no_tiles,,no,,,,,,\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn riichi_and_hong_kong_fill_in_their_own_columns() {
        let with = |figures: serde_json::Value| {
            let mut score = score(8000, &[("dora", 1)]);
            let more = figures.as_object().expect("an object").clone();
            score.as_object_mut().expect("an object").extend(more);
            BatchRow::from_stored(&stored("ok", &json!([]), &score))
        };
        let riichi = json!({ "han": 5, "fu": 30, "limit": "mangan", "yakuman": 0, "sticks": 2000 });
        let yakuman =
            json!({ "han": 13, "fu": null, "limit": "yakuman", "yakuman": 1, "sticks": 0 });
        let hongkong = json!({ "faan": 4, "raw_faan": 4 });
        let text = table(&[("a", with(riichi)), ("b", with(yakuman)), ("c", with(hongkong))]);
        let ends = ["no,5,30,mangan,0,2000,", "no,13,,yakuman,1,0,", "no,,,,,,4"];
        for (row, end) in text.lines().skip(1).zip(ends) {
            assert!(row.ends_with(end), "{row}");
        }
    }

    #[test]
    fn names_of_files_and_words_of_faults_are_never_computed() {
        let fault = Problem::new(ProblemKind::UnreadableImage, "@SUM(A1)");
        let text = table(&[("=HYPERLINK(\"http://x\").jpg", BatchRow::Failed(fault))]);
        let row = text.lines().nth(1).expect("a row");
        assert!(row.starts_with("\"'=HYPERLINK("), "{row}");
        assert!(row.ends_with(",'@SUM(A1),,,,,,no,,,,,,"), "{row}");
    }

    #[test]
    fn the_order_is_filled_in_when_all_rows_are_there() {
        let none = || BatchRow::from_stored(&stored("ok", &json!([]), &json!(null)));
        let before = table(&[("a", none()), ("b, c", none()), ("d", none())]);
        let mut after = Vec::new();
        let order = [(2, 1), (1, 2)].into();
        write_ordered(before.as_bytes(), &mut after, CsvStyle::Plain, &order).expect("memory");
        let mut rows = csv::Reader::from_reader(after.as_slice());
        let column = rows.headers().expect("names").iter().position(|name| name == "order");
        assert_eq!(column, Some(ORDER));
        let filled: Vec<_> =
            rows.records().map(|row| row.expect("a row")[ORDER].to_owned()).collect();
        assert_eq!(filled, ["", "2", "1"]);
        let mut excel = Vec::new();
        let order = [(2, 1), (1, 2)].into();
        write_ordered(before.as_bytes(), &mut excel, CsvStyle::Excel, &order).expect("memory");
        let converted = CsvStyle::Excel.convert_columns(after, true, &DECIMALS);
        assert_eq!(converted.expect("a table"), excel);
        assert!(String::from_utf8_lossy(&excel).contains(";0,91;0,8;"));
        assert!(excel.starts_with("\u{feff}id;index;status;".as_bytes()));
    }

    /// Returns the XML of a cell.
    fn cell_of<'a>(sheet: &'a str, cell: &str) -> &'a str {
        let begin = sheet.find(&format!("<c r=\"{cell}\"")).unwrap_or_else(|| panic!("{cell}"));
        let end = sheet[begin..].find("</c>").expect("its end");
        &sheet[begin..begin + end]
    }

    #[test]
    fn a_workbook_has_numbers_and_texts_where_the_table_has_them() {
        let doubts = json!([]);
        let read = stored("ok", &doubts, &score(16, &[("pure_straight", 1)]));
        let fault = Problem::new(ProblemKind::UnreadableImage, "@SUM(A1)");
        let rows = [("=1+1.jpg", BatchRow::from_stored(&read)), ("12", BatchRow::Failed(fault))];
        let written = table(&rows);
        let folder = tempfile::tempdir().expect("a folder");
        let [one, other] = [(), ()].map(|()| {
            let mut book = Vec::new();
            let order = [(0, 7)].into();
            write_workbook(written.as_bytes(), &mut book, &order, folder.path()).expect("memory");
            book
        });
        assert_eq!(one, other, "the same table is the same file");
        let sheet = part(&one, "xl/worksheets/sheet1.xml");
        for (cell, value) in [
            ("A1", "<t>id</t>"),
            // A text is what it is, not a formula and not a number.
            ("A2", "<t>=1+1.jpg</t>"),
            ("A3", "<t>12</t>"),
            ("B3", "<v>1</v>"),
            ("D2", "<v>0.91</v>"),
            ("H2", "<v>16</v>"),
            ("J2", "t=\"b\"><v>1</v>"),
            ("N3", "<t>@SUM(A1)</t>"),
            ("Q2", "<v>7</v>"),
        ] {
            let found = cell_of(&sheet, cell);
            assert!(found.contains(value), "{cell}: {found}");
        }
        assert!(!sheet.contains("<f>") && !sheet.contains("\"Q3\""), "{sheet}");
    }

    #[test]
    fn names_of_a_status_are_those_of_the_contract() {
        for status in [Status::Ok, Status::NeedsReview, Status::NoHand] {
            assert_eq!(serde_json::to_value(status).expect("a text"), name(status));
        }
    }
}
