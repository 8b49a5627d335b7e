//! Tables of games and series as files for spreadsheets: comma-separated values, or a workbook.
//!
//! Input: a table of typed cells. Output: the bytes of a file, the same for the same table.
//! Invariant: in a workbook a number is a number, a time is a time, and a text is never a formula,
//! whatever the language of the spreadsheet.

use rust_xlsxwriter::XlsxError;
use tilesight_core::evening::{Cell, SheetTable};
use tilesight_core::spreadsheet::text;

use crate::sheet::CsvStyle;
use crate::workbook::{BookCell, TableBook, WORKBOOK};

/// Name of the column with times.
const TIME: &str = "time (UTC)";

/// Format of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SheetFormat {
    /// Comma-separated values.
    Csv(CsvStyle),
    /// Workbook of Excel, `.xlsx`.
    Workbook,
}

impl SheetFormat {
    /// Returns the media type of a file.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            SheetFormat::Csv(_) => "text/csv; charset=utf-8; header=present",
            SheetFormat::Workbook => WORKBOOK,
        }
    }

    /// Returns the ending of a file's name.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            SheetFormat::Csv(_) => "csv",
            SheetFormat::Workbook => "xlsx",
        }
    }
}

/// Error when a file can't be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableFileError {
    /// The values can't be written.
    #[error(transparent)]
    Csv(#[from] csv::Error),
    /// The workbook can't be written.
    #[error(transparent)]
    Workbook(#[from] XlsxError),
}

/// A table, and what a workbook says beside it.
pub(crate) struct TableFile<'a> {
    pub(crate) table: &'a SheetTable,
    /// Name of the sheet.
    pub(crate) name: &'a str,
    /// Title of the file.
    pub(crate) title: &'a str,
    /// Time of the file in milliseconds since 1970.
    pub(crate) at: u64,
    /// Times of the first rows, in milliseconds since 1970, for a last column.
    pub(crate) times: Option<Vec<Option<u64>>>,
}

impl TableFile<'_> {
    /// Returns the bytes of the file.
    ///
    /// # Errors
    /// [`TableFileError`].
    pub(crate) fn write(self, format: SheetFormat) -> Result<Vec<u8>, TableFileError> {
        match format {
            SheetFormat::Csv(CsvStyle::Plain) => Ok(self.table.to_csv().into_bytes()),
            SheetFormat::Csv(style) => Ok(styled(self.table, style)?),
            SheetFormat::Workbook => Ok(self.write_workbook()?),
        }
    }

    fn write_workbook(self) -> Result<Vec<u8>, XlsxError> {
        let SheetTable { head, rows } = self.table;
        let mut book = TableBook::in_memory(self.name)?;
        book.set_properties(self.title, self.at)?;
        let last = self.times.as_ref().map(|_| TIME);
        book.add_names(head.iter().map(String::as_str).chain(last))?;
        let mut times = self.times.unwrap_or_default().into_iter();
        for row in rows {
            let time = times.next().flatten().map_or(BookCell::Empty, BookCell::Time);
            let missing = head.len().saturating_sub(row.len());
            let cells = row.iter().map(BookCell::from);
            let padding = std::iter::repeat_n(BookCell::Empty, missing);
            book.add_row(cells.chain(padding).chain([time]))?;
        }
        book.fit_columns();
        let mut bytes = Vec::new();
        book.finish(&mut bytes)?;
        Ok(bytes)
    }
}

fn styled(table: &SheetTable, style: CsvStyle) -> Result<Vec<u8>, csv::Error> {
    let mut out = style.writer(style.mark().to_vec());
    out.write_record(table.head.iter().map(|name| text(name)))?;
    for row in &table.rows {
        out.write_record(row.iter().map(|cell| styled_cell(cell, style)))?;
    }
    out.into_inner().map_err(|error| error.into_error().into())
}

fn styled_cell(cell: &Cell, style: CsvStyle) -> String {
    match cell {
        Cell::Empty => String::new(),
        Cell::Text(value) => text(value),
        Cell::Number(number) => number.to_string(),
        Cell::Decimal(number) => style.decimal(&number.to_string()).into_owned(),
        Cell::Uncounted(number) => style.decimal(&format!("({number})")).into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_for_excel_have_semicolons_and_decimal_commas() {
        let head = vec!["what".to_owned(), "=name".to_owned()];
        let row = vec![Cell::Text("-1.5".to_owned()), Cell::Decimal(-1.5)];
        let rows = vec![row, vec![Cell::Uncounted(2.5), Cell::Number(3)]];
        let table = styled(&SheetTable { head, rows }, CsvStyle::Excel).expect("memory");
        let text = "\u{feff}what;'=name\r\n'-1.5;-1,5\r\n(2,5);3\r\n";
        assert_eq!(String::from_utf8(table).expect("UTF-8"), text);
    }
}
