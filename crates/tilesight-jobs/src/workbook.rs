//! Tables as workbooks of Excel, `.xlsx`.
//!
//! Input: the names of the columns, and then the rows from above. Output: a file, the same for the
//! same table. Invariants: a number is a number, a time is a time, and a text is never a formula,
//! whatever the language of the spreadsheet; a long table is written through a file without a name,
//! so that memory does not grow with its rows.

use std::io::Write;
use std::path::Path;

use rust_xlsxwriter::{DocProperties, ExcelDateTime, Format, Workbook, Worksheet, XlsxError};
use tilesight_core::evening::Cell;

/// Media type of a workbook.
pub const WORKBOOK: &str = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
/// Maximum number of rows below the names of the columns.
pub const MAX_ROWS: u64 = 1_048_575;
/// Maximum number of characters of a text, which counts those outside Unicode's first plane twice.
const MAX_TEXT_UNITS: usize = 32_767;
/// Number of the format of dates and times that a spreadsheet shows as its language does.
const DATE_AND_TIME: u8 = 22;

/// Format of numbers that don't count: in brackets, with their sign.
const UNCOUNTED: &str = "\"(\"General\")\";\"(-\"General\")\"";

/// Value of a cell.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum BookCell<'a> {
    Empty,
    Text(&'a str),
    Number(f64),
    /// Number that does not count, shown in brackets.
    Uncounted(f64),
    Boolean(bool),
    /// Time in milliseconds since 1970.
    Time(u64),
}

impl<'a> From<&'a Cell> for BookCell<'a> {
    fn from(cell: &'a Cell) -> BookCell<'a> {
        match cell {
            Cell::Empty => BookCell::Empty,
            Cell::Text(text) => BookCell::Text(text),
            Cell::Number(number) => BookCell::Number(*number as f64),
            Cell::Decimal(number) => BookCell::Number(*number),
            Cell::Uncounted(number) => BookCell::Uncounted(*number),
        }
    }
}

/// Workbook with one sheet, which grows by one row at a time.
pub(crate) struct TableBook {
    book: Workbook,
    sheet: Worksheet,
    row: u32,
    time: Format,
    uncounted: Format,
}

impl TableBook {
    /// Returns a workbook in memory, whose columns are as wide as what is in them.
    ///
    /// # Errors
    /// Errors of the writer.
    pub(crate) fn in_memory(name: &str) -> Result<TableBook, XlsxError> {
        TableBook::new(name, Workbook::new(), Worksheet::new())
    }

    /// Returns a workbook whose rows go into a file without a name in a folder.
    ///
    /// # Errors
    /// Errors of the writer, and of the folder.
    pub(crate) fn on_disk(name: &str, folder: &Path) -> Result<TableBook, XlsxError> {
        let mut book = Workbook::new();
        book.set_tempdir(folder)?;
        let sheet = book.new_worksheet_with_constant_memory()?;
        TableBook::new(name, book, sheet)
    }

    fn new(name: &str, book: Workbook, mut sheet: Worksheet) -> Result<TableBook, XlsxError> {
        sheet.set_name(name)?;
        sheet.set_freeze_panes(1, 0)?;
        let time = Format::new().set_num_format_index(DATE_AND_TIME);
        let uncounted = Format::new().set_num_format(UNCOUNTED);
        Ok(TableBook { book, sheet, row: 0, time, uncounted })
    }

    /// Sets the title of the file and its time in milliseconds since 1970, which would be the
    /// present one otherwise.
    ///
    /// # Errors
    /// Errors of the writer.
    pub(crate) fn set_properties(&mut self, title: &str, at: u64) -> Result<(), XlsxError> {
        let properties = DocProperties::new().set_title(title).set_creation_datetime(&moment(at)?);
        self.book.set_properties(&properties);
        Ok(())
    }

    /// Sets the width of a column, in characters. The rows must come later.
    ///
    /// # Errors
    /// Errors of the writer.
    pub(crate) fn set_width(&mut self, column: u16, width: f64) -> Result<(), XlsxError> {
        self.sheet.set_column_width(column, width).map(drop)
    }

    /// Writes the names of the columns, which come first.
    ///
    /// # Errors
    /// Errors of the writer.
    pub(crate) fn add_names<'a>(
        &mut self,
        names: impl IntoIterator<Item = &'a str>,
    ) -> Result<(), XlsxError> {
        let bold = Format::new().set_bold();
        for (column, name) in (0..).zip(names) {
            self.sheet.write_string_with_format(self.row, column, name, &bold)?;
        }
        self.row += 1;
        Ok(())
    }

    /// Adds a row.
    ///
    /// # Errors
    /// Errors of the writer; more than [`MAX_ROWS`] rows are one.
    pub(crate) fn add_row<'a>(
        &mut self,
        cells: impl IntoIterator<Item = BookCell<'a>>,
    ) -> Result<(), XlsxError> {
        let row = self.row;
        for (column, cell) in (0..).zip(cells) {
            match cell {
                BookCell::Empty => {}
                BookCell::Text(text) => {
                    self.sheet.write_string(row, column, shorten(text))?;
                }
                BookCell::Number(number) => {
                    self.sheet.write_number(row, column, number)?;
                }
                BookCell::Uncounted(number) => {
                    self.sheet.write_number_with_format(row, column, number, &self.uncounted)?;
                }
                BookCell::Boolean(value) => {
                    self.sheet.write_boolean(row, column, value)?;
                }
                BookCell::Time(at) => {
                    let time = moment(at)?;
                    self.sheet.write_datetime_with_format(row, column, &time, &self.time)?;
                }
            }
        }
        self.row += 1;
        Ok(())
    }

    /// Makes the columns as wide as what is in them, in memory alone.
    pub(crate) fn fit_columns(&mut self) {
        self.sheet.autofit();
    }

    /// Writes the file.
    ///
    /// # Errors
    /// Errors of the writer.
    pub(crate) fn finish(mut self, out: impl Write + Send) -> Result<(), XlsxError> {
        self.book.push_worksheet(self.sheet);
        self.book.save_to_writer(out)
    }
}

/// Returns a time in milliseconds since 1970 as spreadsheets count it.
fn moment(at: u64) -> Result<ExcelDateTime, XlsxError> {
    ExcelDateTime::from_timestamp((at / 1000) as i64)
}

/// Returns a text, or the beginning of one that no cell can hold.
fn shorten(text: &str) -> &str {
    if text.len() <= MAX_TEXT_UNITS {
        return text;
    }
    let mut units = 0;
    let end = text.char_indices().find(|(_, c)| {
        units += c.len_utf16();
        units > MAX_TEXT_UNITS
    });
    end.map_or(text, |(at, _)| &text[..at])
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::{Cursor, Read};

    use zip::ZipArchive;

    use super::*;

    /// Returns a part of a workbook.
    pub(crate) fn part(workbook: &[u8], name: &str) -> String {
        let mut archive = ZipArchive::new(Cursor::new(workbook)).expect("a workbook");
        let mut text = String::new();
        archive.by_name(name).expect(name).read_to_string(&mut text).expect("UTF-8");
        text
    }

    #[test]
    fn a_long_table_is_written_through_a_folder_that_stays_empty() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut book = TableBook::on_disk("rows", folder.path()).expect("a workbook");
        book.set_properties("Rows", 0).expect("a title");
        book.add_names(["text", "number", "yes"]).expect("names");
        let long = "🀄".repeat(MAX_TEXT_UNITS);
        for text in ["=1+1", &long] {
            let cells = [BookCell::Text(text), BookCell::Number(-1.5), BookCell::Boolean(true)];
            book.add_row(cells).expect("a row");
        }
        let mut bytes = Vec::new();
        book.finish(&mut bytes).expect("memory");
        let sheet = part(&bytes, "xl/worksheets/sheet1.xml");
        assert!(!sheet.contains("<f>") && sheet.contains("<t>=1+1</t>"), "{}", &sheet[..2000]);
        assert!(sheet.contains("<v>-1.5</v>") && sheet.contains("t=\"b\"><v>1</v>"));
        assert_eq!(sheet.matches('🀄').count(), MAX_TEXT_UNITS / 2);
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }

    #[test]
    fn a_text_is_shortened_between_its_characters() {
        assert_eq!(shorten("a🀄"), "a🀄");
        let exact = "a".repeat(MAX_TEXT_UNITS);
        assert_eq!(shorten(&exact), exact);
        let odd = format!("{}🀄", "a".repeat(MAX_TEXT_UNITS - 1));
        assert_eq!(shorten(&odd), "a".repeat(MAX_TEXT_UNITS - 1));
    }
}
