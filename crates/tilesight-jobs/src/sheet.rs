//! Tables in the formats that spreadsheets write and read.
//!
//! Input: the bytes of a table, in UTF-8, UTF-16 with a byte order mark, or Windows-1252, with
//! commas, semicolons or tabs, with or without a first line `sep=;`. Output: its columns, and its
//! rows with their lines. Conversely, tables of this program are written so that spreadsheets in
//! Europe open them. Invariants: every row has a cell for each column; columns without a name are
//! left out if they are empty, and refused otherwise.

use std::borrow::Cow;
use std::fmt;

use csv::{ReaderBuilder, StringRecord, Terminator, Trim, WriterBuilder};
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use serde::Deserialize;
use tilesight_core::explain::{Lang, Message};

use crate::texts;

/// Byte order mark by which spreadsheets recognize UTF-8.
const BOM: &[u8] = b"\xef\xbb\xbf";
/// Prefix of a first line that names the separator.
const SEP: &str = "sep=";
/// First bytes of workbooks, a spreadsheet program's own format.
const WORKBOOKS: [&[u8]; 2] = [b"PK\x03\x04", b"\xd0\xcf\x11\xe0"];

/// Format of a table of comma-separated values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CsvStyle {
    /// UTF-8 with commas.
    #[default]
    Plain,
    /// For Excel: UTF-8 with a byte order mark, and semicolons.
    Excel,
}

impl fmt::Display for CsvStyle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl CsvStyle {
    /// All styles.
    pub const ALL: [CsvStyle; 2] = [CsvStyle::Plain, CsvStyle::Excel];

    /// Returns the name of the style in requests and flags.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            CsvStyle::Plain => "plain",
            CsvStyle::Excel => "excel",
        }
    }

    /// Returns the bytes before the first cell of a table.
    #[must_use]
    pub const fn mark(self) -> &'static [u8] {
        match self {
            CsvStyle::Plain => b"",
            CsvStyle::Excel => BOM,
        }
    }

    /// Returns the separator of cells.
    #[must_use]
    pub(crate) const fn delimiter(self) -> u8 {
        match self {
            CsvStyle::Plain => b',',
            CsvStyle::Excel => b';',
        }
    }

    /// Returns a writer for a table after its byte order mark.
    pub(super) fn writer<W: std::io::Write>(self, out: W) -> csv::Writer<W> {
        let end = match self {
            CsvStyle::Plain => Terminator::Any(b'\n'),
            CsvStyle::Excel => Terminator::CRLF,
        };
        let mut writer = WriterBuilder::new();
        writer.delimiter(self.delimiter()).terminator(end).flexible(true).from_writer(out)
    }

    /// Returns a number with its decimals after the sign that the style's readers expect: where
    /// semicolons separate cells, a comma.
    #[must_use]
    pub fn decimal(self, number: &str) -> Cow<'_, str> {
        match self {
            CsvStyle::Plain => number.into(),
            CsvStyle::Excel => number.replace('.', ",").into(),
        }
    }

    /// Converts a table of texts and whole numbers, or the continuation of one, that was written
    /// with commas.
    ///
    /// # Errors
    /// Errors of the reader, if the input is not a table.
    pub fn convert(self, table: Vec<u8>, is_beginning: bool) -> Result<Vec<u8>, csv::Error> {
        self.convert_columns(table, is_beginning, &[])
    }

    /// Converts a table that has numbers with decimals in some columns, counted from 0.
    ///
    /// # Errors
    /// Errors of the reader, if the input is not a table.
    pub fn convert_columns(
        self,
        table: Vec<u8>,
        is_beginning: bool,
        decimals: &[usize],
    ) -> Result<Vec<u8>, csv::Error> {
        if self == CsvStyle::Plain {
            return Ok(table);
        }
        let mark = if is_beginning { self.mark() } else { b"" };
        let mut rows = ReaderBuilder::new().has_headers(false).flexible(true).from_reader(&*table);
        let mut out = self.writer(mark.to_vec());
        for row in rows.records() {
            for (column, cell) in row?.iter().enumerate() {
                let number = decimals.contains(&column).then(|| self.decimal(cell));
                out.write_field(number.as_deref().unwrap_or(cell))?;
            }
            out.write_record(None::<&[u8]>)?;
        }
        out.into_inner().map_err(|error| error.into_error().into())
    }
}

/// Parsed table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Rows that are not empty.
    pub rows: Vec<SheetRow>,
    /// Separator of the cells.
    pub delimiter: u8,
    /// Whether the program that wrote the table needs a byte order mark to recognize UTF-8.
    pub has_mark: bool,
}

/// Row of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetRow {
    /// Line in the file, counted from 1.
    pub line: u64,
    /// Cells, one for each column, without surrounding white space.
    pub cells: Vec<String>,
}

/// Error when a file is not a table. Its author can fix it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SheetError {
    /// The file is a spreadsheet program's workbook, not a table as text.
    #[error("{}", texts::sheet_error::workbook(Lang::En))]
    Workbook,
    /// The encoding is unknown: the file is neither UTF-8 nor UTF-16 with a byte order mark, and is
    /// not plausible as Windows-1252.
    #[error("{}", texts::sheet_error::encoding(Lang::En))]
    Encoding,
    /// The file begins like UTF-16, but the rest is not valid UTF-16.
    #[error("{}", texts::sheet_error::utf16(Lang::En))]
    Utf16,
    /// The cells can't be parsed.
    #[error("it can't be read: {0}")]
    Csv(csv::Error),
    /// A cell is in a column without a name.
    #[error(
        "line {line}: {cell:?} is in column {column}, which has no name: name it (#... to keep it for yourself), or empty the cell"
    )]
    Nameless {
        /// Line, counted from 1.
        line: u64,
        /// Column, counted from 1.
        column: usize,
        /// Content of the cell.
        cell: String,
    },
}

impl From<csv::Error> for SheetError {
    fn from(error: csv::Error) -> SheetError {
        SheetError::Csv(error)
    }
}

impl Message for SheetError {
    /// Returns the message about a text file. Errors of tables with cells stay in English: only the
    /// command reads such tables.
    fn text(&self, lang: Lang) -> String {
        match self {
            SheetError::Workbook => texts::sheet_error::workbook(lang).to_owned(),
            SheetError::Encoding => texts::sheet_error::encoding(lang).to_owned(),
            SheetError::Utf16 => texts::sheet_error::utf16(lang).to_owned(),
            _ => self.to_string(),
        }
    }
}

/// Columns that the owner of a table adds: their names begin with `#`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnColumns {
    /// Columns that are not read.
    Skipped,
    /// Columns that are written back with the table, so no two have the same name.
    Kept,
}

/// Error when the columns of a table can't be used. Its author can fix it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ColumnError {
    /// A column that every row needs is missing.
    #[error("the column `{0}` is missing")]
    Missing(&'static str),
    /// The name of a column is unknown.
    #[error(
        "unknown column `{name}`: expected one of {expected}; start its name with # to {purpose}",
        purpose = match own {
            OwnColumns::Skipped => "skip it",
            OwnColumns::Kept => "keep it for yourself",
        }
    )]
    Unknown {
        /// Name of the column.
        name: String,
        /// Known names, separated by commas.
        expected: String,
        /// Use of columns whose names begin with `#`.
        own: OwnColumns,
    },
    /// Two columns have the same name.
    #[error("the column `{0}` is given twice")]
    Twice(String),
}

/// Returns whether a column is one that the owner of a table added.
pub(crate) fn is_own(column: &str) -> bool {
    column.starts_with('#')
}

/// Decodes the text in a file, regardless of the program that wrote it. Also returns whether its
/// encoding differs from plain UTF-8.
///
/// # Errors
/// [`SheetError`] when the file is not a text.
pub fn decode_text(bytes: &[u8]) -> Result<(Cow<'_, str>, bool), SheetError> {
    if WORKBOOKS.iter().any(|magic| bytes.starts_with(magic)) {
        return Err(SheetError::Workbook);
    }
    if let Some((encoding, length)) = Encoding::for_bom(bytes) {
        let text = encoding.decode_without_bom_handling_and_without_replacement(&bytes[length..]);
        let is_utf8 = encoding == UTF_8;
        return match text {
            Some(text) => Ok((text, true)),
            None if is_utf8 => Err(SheetError::Encoding),
            None => Err(SheetError::Utf16),
        };
    }
    match std::str::from_utf8(bytes) {
        Ok(text) if text.contains('\0') => Err(SheetError::Encoding),
        Ok(text) => Ok((Cow::Borrowed(text), false)),
        Err(_) if is_windows_1252(bytes) => {
            Ok((WINDOWS_1252.decode_without_bom_handling(bytes).0, true))
        }
        Err(_) => Err(SheetError::Encoding),
    }
}

/// Returns whether bytes that are not UTF-8 may be a text of older Windows programs. Such a text
/// has none of the five undefined bytes and no zero byte, no letter encoded as UTF-8, and no four
/// non-ASCII letters in a row, of which Chinese and Greek texts in other encodings consist.
fn is_windows_1252(bytes: &[u8]) -> bool {
    if bytes.iter().any(|byte| matches!(byte, 0 | 0x81 | 0x8d | 0x8f | 0x90 | 0x9d)) {
        return false;
    }
    let has_utf8 = bytes.utf8_chunks().any(|chunk| !chunk.valid().is_ascii());
    let has_foreign = bytes.windows(4).any(|four| four.iter().all(|&byte| byte > 0xa0));
    !has_utf8 && !has_foreign
}

impl Sheet {
    /// Reads a table; a table without any text has no columns.
    ///
    /// # Errors
    /// [`SheetError`].
    pub fn read(bytes: &[u8]) -> Result<Sheet, SheetError> {
        let (text, has_mark) = decode_text(bytes)?;
        let (named, table) = separator(&text);
        let delimiter = named.unwrap_or_else(|| delimiter(table));
        let mut reader = ReaderBuilder::new()
            .delimiter(delimiter)
            .flexible(true)
            .trim(Trim::All)
            .has_headers(false)
            .from_reader(table.as_bytes());
        let mut records = reader.records();
        let names = records.next().transpose()?.unwrap_or_default();
        let columns = Columns::from_header(&names);
        let mut lines = LineCounter { table, offset: 0, line: 1 + u64::from(named.is_some()) };
        let mut rows = Vec::new();
        for record in records {
            let record = record?;
            let line = lines.line_of(&record);
            if !record.iter().all(str::is_empty) {
                rows.push(SheetRow { line, cells: columns.cells(line, &record)? });
            }
        }
        Ok(Sheet { columns: columns.names, rows, delimiter, has_mark })
    }

    /// Checks that the names of the columns are known and each given once, and that the column is
    /// there which every row needs.
    pub(crate) fn check_columns(
        &self,
        needed: &'static str,
        known: &[&str],
        own: OwnColumns,
    ) -> Result<(), ColumnError> {
        for (at, name) in self.columns.iter().enumerate() {
            if is_own(name) && own == OwnColumns::Skipped {
                continue;
            }
            if !is_own(name) && !known.contains(&name.as_str()) {
                let expected = known.join(", ");
                return Err(ColumnError::Unknown { name: name.clone(), expected, own });
            }
            if self.columns[..at].contains(name) {
                return Err(ColumnError::Twice(name.clone()));
            }
        }
        if self.columns.iter().any(|column| column == needed) {
            Ok(())
        } else {
            Err(ColumnError::Missing(needed))
        }
    }
}

/// Counter of lines. The reader's own count is one too low after `\r\n`, and ignores blank lines.
struct LineCounter<'a> {
    table: &'a str,
    offset: usize,
    line: u64,
}

impl LineCounter<'_> {
    /// Returns the line of a record, which must come after all records requested before.
    pub(crate) fn line_of(&mut self, record: &StringRecord) -> u64 {
        let begin = record.position().and_then(|position| usize::try_from(position.byte()).ok());
        let rest = self.table.as_bytes().get(begin.unwrap_or(self.offset)..).unwrap_or_default();
        let blank = rest.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
        let begin = self.table.len() - rest.len() + blank;
        let passed = self.table.as_bytes().get(self.offset..begin).unwrap_or_default();
        self.line += passed.iter().filter(|&&byte| byte == b'\n').count() as u64;
        self.offset = begin;
        self.line
    }
}

/// Columns with a name, and their indices.
struct Columns {
    names: Vec<String>,
    places: Vec<usize>,
}

impl Columns {
    fn from_header(names: &StringRecord) -> Columns {
        let named = names.iter().enumerate().filter(|(_, name)| !name.is_empty());
        let (places, names) = named.map(|(place, name)| (place, name.to_owned())).unzip();
        Columns { names, places }
    }

    /// Returns the cells of a row. Spreadsheets omit empty cells at the end of a row, or add some.
    fn cells(&self, line: u64, record: &StringRecord) -> Result<Vec<String>, SheetError> {
        let lost = record
            .iter()
            .enumerate()
            .find(|(place, cell)| !cell.is_empty() && !self.places.contains(place));
        if let Some((place, cell)) = lost {
            return Err(SheetError::Nameless { line, column: place + 1, cell: cell.to_owned() });
        }
        let cells = self.places.iter().map(|&place| record.get(place).unwrap_or_default());
        Ok(cells.map(str::to_owned).collect())
    }
}

/// Returns the separator that a first line names, and the table after it.
fn separator(text: &str) -> (Option<u8>, &str) {
    let (line, rest) = text.split_once('\n').unwrap_or((text, ""));
    let line = line.trim_end_matches('\r').trim_matches('"');
    match line.get(..SEP.len()).filter(|begin| begin.eq_ignore_ascii_case(SEP)) {
        Some(_) => match line.as_bytes()[SEP.len()..] {
            [delimiter] if delimiter.is_ascii() => (Some(delimiter), rest),
            _ => (None, text),
        },
        None => (None, text),
    }
}

/// Returns the separator of the names of the columns: spreadsheets write commas, semicolons or
/// tabs.
fn delimiter(table: &str) -> u8 {
    let first = table.trim_start().split('\n').next().unwrap_or_default().as_bytes();
    [b'\t', b';'].into_iter().find(|delimiter| first.contains(delimiter)).unwrap_or(b',')
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "file;#player;win\r\na.jpg;Jürgen – Øst;x\r\n\r\nb.jpg;Åse;\r\n";

    fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        format!("\u{feff}{text}").encode_utf16().flat_map(bytes).collect()
    }

    #[test]
    fn a_table_is_the_same_in_every_encoding() {
        let (ansi, _, lost) = WINDOWS_1252.encode(TABLE);
        assert!(!lost);
        let plain = Sheet::read(TABLE.as_bytes()).expect("a table");
        assert_eq!(plain.columns, ["file", "#player", "win"]);
        assert_eq!(plain.rows[0].cells, ["a.jpg", "Jürgen – Øst", "x"]);
        assert_eq!(plain.rows.iter().map(|row| row.line).collect::<Vec<_>>(), [2, 4]);
        for bytes in [
            format!("\u{feff}{TABLE}").into_bytes(),
            utf16(TABLE, u16::to_le_bytes),
            utf16(TABLE, u16::to_be_bytes),
            ansi.into_owned(),
        ] {
            let sheet = Sheet::read(&bytes).expect("a table");
            assert_eq!(sheet, Sheet { has_mark: true, ..plain.clone() });
        }
    }

    #[test]
    fn a_first_line_may_say_what_is_between_cells() {
        for (text, delimiter) in [
            ("sep=;\r\na;b\r\n1;2,5\r\n", b';'),
            ("SEP=|\na|b\n1|2,5\n", b'|'),
            ("\"sep=\t\"\na\tb\n1\t2,5\n", b'\t'),
        ] {
            let sheet = Sheet::read(text.as_bytes()).expect(text);
            assert_eq!(
                (sheet.delimiter, sheet.columns.as_slice()),
                (delimiter, ["a", "b"].map(str::to_owned).as_slice())
            );
            let row = SheetRow { line: 3, cells: vec!["1".to_owned(), "2,5".to_owned()] };
            assert_eq!(sheet.rows, [row], "{text}");
        }
        // A column with that name is an ordinary column.
        assert_eq!(Sheet::read(b"sep=seat\n1\n").expect("a table").columns, ["sep=seat"]);
    }

    #[test]
    fn empty_cells_at_the_end_may_be_missing_or_too_many() {
        let sheet = Sheet::read(b"a;b;;\n1;2;;\n3\n;;;\n4;;;;;;\n").expect("a table");
        assert_eq!(sheet.columns, ["a", "b"]);
        let cells: Vec<_> = sheet.rows.iter().map(|row| row.cells.join("|")).collect();
        assert_eq!(cells, ["1|2", "3|", "4|"]);
        let error = Sheet::read(b"a;b\n1;2\n3;4;5\n").expect_err("no column").to_string();
        assert!(error.starts_with("line 3: \"5\" is in column 3, which has no name"), "{error}");
    }

    #[test]
    fn a_file_that_is_not_text_is_refused() {
        for (bytes, expected) in [
            (&b"PK\x03\x04\x14\0"[..], "export it as CSV"),
            (b"\xd0\xcf\x11\xe0\xa1\xb1", "export it as CSV"),
            (b"f\0i\0l\0e\0", "save it as UTF-8"),
            (b"\xff\xfea\0\0\xd8b\0", "not valid UTF-16"),
            // GBK, Shift JIS, and UTF-8 with a letter of Windows-1252.
            (b"file\n\xc2\xe9\xbd\xab.jpg\n", "save it as UTF-8"),
            (b"file\n\x83\x90.jpg\n", "save it as UTF-8"),
            (b"file\nJ\xc3\xbcrgen, J\xfcrgen\n", "save it as UTF-8"),
            (b"\xef\xbb\xbffile\nJ\xfcrgen\n", "save it as UTF-8"),
        ] {
            let error = Sheet::read(bytes).expect_err(expected).to_string();
            assert!(error.contains(expected), "{error}");
        }
        assert_eq!(Sheet::read(b"").expect("nothing").columns, [""; 0]);
    }

    #[test]
    fn a_table_for_excel_has_a_mark_and_semicolons() {
        let table = b"a,b\n\"1,5\",\"x;y\"\n".to_vec();
        let plain = CsvStyle::Plain.convert(table.clone(), true).expect("a table");
        assert_eq!(plain, table);
        let excel = CsvStyle::Excel.convert(table.clone(), true).expect("a table");
        assert_eq!(excel, "\u{feff}a;b\r\n1,5;\"x;y\"\r\n".as_bytes());
        let rest = CsvStyle::Excel.convert(table, false).expect("a table");
        assert_eq!(rest, b"a;b\r\n1,5;\"x;y\"\r\n");
        assert_eq!(Sheet::read(&excel).expect("a table").rows[0].cells, ["1,5", "x;y"]);
    }
}
