//! The files of results, each under its final name only once it is complete.
//!
//! `results.jsonl`, `errors.jsonl` and `results.csv` grow under the name `*.partial` while photos
//! are read and are renamed when all rows are written; `results.xlsx`, if it is wanted,
//! `summary.json` and `summary.txt` come last.
//! Invariant: a file of results under its final name is complete, and the same photos give the same
//! bytes.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::table::is_results_book;
use super::{BatchRow, Skipped, Summary, Table, write_ordered, write_workbook};
use crate::outcome::Outcome;
use crate::sheet::CsvStyle;
use crate::workbook::MAX_ROWS;

/// Name of the file with a line of JSON for each photo.
pub const RESULTS: &str = "results.jsonl";
/// Name of the file with the lines of photos that could not be read.
pub const ERRORS: &str = "errors.jsonl";
/// Name of the table with a row for each photo.
pub const TABLE: &str = "results.csv";
/// Name of the same table as a workbook of Excel.
pub const BOOK: &str = "results.xlsx";
const ORDERED: &str = "results.csv.ordered";
/// Name of the file with the summary.
pub const SUMMARY: &str = "summary.json";
/// Name of the file with the summary as text.
pub const TEXT: &str = "summary.txt";

/// The files while they grow.
#[derive(Debug)]
pub struct ResultFiles {
    folder: PathBuf,
    results: BufWriter<File>,
    errors: BufWriter<File>,
    table: Table<BufWriter<File>>,
    formats: TableFormats,
    summary: Summary,
}

/// Formats in which the table is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TableFormats {
    /// Style of the CSV.
    pub csv: CsvStyle,
    /// Whether the table is written as a workbook too.
    pub workbook: bool,
}

/// Error when a workbook can't hold all rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a workbook has at most {MAX_ROWS} rows, there are {photos} photos: leave out --xlsx")]
pub struct TooManyRows {
    /// Number of photos.
    photos: u64,
}

impl TableFormats {
    /// Checks that the formats can hold a row for each of so many photos.
    ///
    /// # Errors
    /// [`TooManyRows`].
    pub fn check(self, photos: u64) -> Result<(), TooManyRows> {
        if self.workbook && photos > MAX_ROWS { Err(TooManyRows { photos }) } else { Ok(()) }
    }

    /// Returns the names of all files of results.
    pub fn file_names(self) -> impl Iterator<Item = &'static str> {
        let book = self.workbook.then_some(BOOK);
        [RESULTS, ERRORS, TABLE].into_iter().chain(book).chain([SUMMARY, TEXT])
    }
}

impl ResultFiles {
    /// Creates empty files in a folder; results of an earlier run stay until these are complete.
    ///
    /// # Errors
    /// Any I/O error.
    pub fn new(folder: &Path, formats: TableFormats, skipped: Skipped) -> io::Result<ResultFiles> {
        Ok(ResultFiles {
            results: create_partial(folder, RESULTS)?,
            errors: create_partial(folder, ERRORS)?,
            table: Table::new(create_partial(folder, TABLE)?).map_err(io::Error::from)?,
            formats,
            summary: Summary::new(skipped),
            folder: folder.to_owned(),
        })
    }

    /// Adds the outcome of the next photo, with the file of its overlay if it has one.
    ///
    /// # Errors
    /// Any I/O error.
    pub fn add(
        &mut self,
        id: &str,
        index: u64,
        outcome: &Outcome,
        overlay: Option<&str>,
    ) -> io::Result<()> {
        let line = outcome.line(id, index);
        writeln!(self.results, "{line}")?;
        let row = BatchRow::from_stored(outcome.json().as_bytes());
        if matches!(row, BatchRow::Failed(_)) {
            writeln!(self.errors, "{line}")?;
        }
        self.table.add(id, index, &row, overlay).map_err(io::Error::from)?;
        self.summary.add(id, index, &row, overlay);
        Ok(())
    }

    /// Flushes the files, so that other processes see all rows written so far.
    ///
    /// # Errors
    /// Any I/O error.
    pub fn flush(&mut self) -> io::Result<()> {
        self.results.flush()?;
        self.errors.flush()?;
        self.table.flush()
    }

    /// Completes the files and gives them their final names.
    ///
    /// # Errors
    /// Any I/O error.
    pub fn finish(mut self) -> io::Result<Summary> {
        self.flush()?;
        if self.formats.workbook {
            self.write_book()?;
        }
        self.put_in_order()?;
        let mut summary = create_partial(&self.folder, SUMMARY)?;
        self.summary.write_json(&mut summary)?;
        summary.write_all(b"\n")?;
        summary.flush()?;
        create(&partial(&self.folder, TEXT))?.write_all(self.summary.to_string().as_bytes())?;
        for name in self.formats.file_names() {
            fs::rename(partial(&self.folder, name), self.folder.join(name))?;
        }
        // A workbook of an earlier run would not be that of these photos.
        let book = self.folder.join(BOOK);
        if !self.formats.workbook && is_results_book(&book) {
            fs::remove_file(book)?;
        }
        Ok(self.summary)
    }

    fn write_book(&self) -> io::Result<()> {
        let table = File::open(partial(&self.folder, TABLE))?;
        let mut out = create_partial(&self.folder, BOOK)?;
        write_workbook(table, &mut out, &self.summary.order(), &self.folder)
            .map_err(io::Error::other)?;
        out.flush()
    }

    /// Fills in the photos' positions in the review, which are known once all photos are read, and
    /// writes the table in the requested style.
    fn put_in_order(&self) -> io::Result<()> {
        let table = partial(&self.folder, TABLE);
        let ordered = partial(&self.folder, ORDERED);
        let out = BufWriter::new(create(&ordered)?);
        write_ordered(File::open(&table)?, out, self.formats.csv, &self.summary.order())
            .map_err(io::Error::from)?;
        fs::rename(ordered, table)
    }
}

/// Returns whether a file is one of these files that a batch wrote, by its name and its first
/// bytes; a workbook by its title.
#[must_use]
pub fn is_result_file(file: &Path, head: &[u8]) -> bool {
    let decoded = String::from_utf8_lossy(head);
    let text = decoded.trim_start_matches('\u{feff}');
    match file.file_name().and_then(|name| name.to_str()).unwrap_or_default() {
        RESULTS | ERRORS => text.starts_with("{\"id\":"),
        TABLE => begins_as_table(text),
        BOOK => is_results_book(file),
        SUMMARY => text.trim_start_matches(['{', '\n', ' ']).starts_with("\"photos\":"),
        _ => text.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(" photo"),
    }
}

/// Returns whether the first columns are those of a table of results, with any separator.
fn begins_as_table(text: &str) -> bool {
    let line = text.lines().find(|line| !line.starts_with("sep=")).unwrap_or_default();
    line.split([',', ';', '\t']).take(3).eq(["id", "index", "status"])
}

/// Creates a file in place of an existing one. If that is a link, its target stays unchanged.
fn create(file: &Path) -> io::Result<File> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => File::create_new(file),
    }
}

fn create_partial(folder: &Path, name: &str) -> io::Result<BufWriter<File>> {
    create(&partial(folder, name)).map(BufWriter::new)
}

fn partial(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.partial"))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn files_that_a_batch_wrote_are_told_from_those_of_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut table = Vec::new();
        drop(Table::new(&mut table).expect("memory"));
        let mut summary = Vec::new();
        Summary::default().write_json(&mut summary).expect("memory");
        let mut book = Vec::new();
        write_workbook(&*table, &mut book, &HashMap::new(), folder.path()).expect("memory");
        let excel = b"\xef\xbb\xbfsep=;\r\nid;index;status;x\r\n".to_vec();
        for (name, own) in [
            (RESULTS, br#"{"id":"a.jpg","index":0,"error":{}}"#.to_vec()),
            (TABLE, table),
            (TABLE, excel),
            (BOOK, book),
            (SUMMARY, summary),
            (TEXT, Summary::default().to_string().into_bytes()),
        ] {
            let file = folder.path().join(name);
            fs::write(&file, &own).expect("a file");
            assert!(is_result_file(&file, &own), "{name}");
            let other = b"name,phone\nKim,123\n";
            fs::write(&file, other).expect("a file");
            assert!(!is_result_file(&file, other), "{name} of somebody else");
        }
    }

    #[test]
    fn a_workbook_of_an_earlier_run_is_removed_where_none_is_written() {
        let folder = tempfile::tempdir().expect("a folder");
        let book = folder.path().join(BOOK);
        for (workbook, is_there) in [(true, true), (false, false)] {
            let formats = TableFormats { workbook, ..TableFormats::default() };
            let files = ResultFiles::new(folder.path(), formats, Skipped::default());
            files.and_then(ResultFiles::finish).expect("files");
            assert_eq!(book.exists(), is_there);
        }
        fs::write(&book, "a file of somebody else").expect("a file");
        let files = ResultFiles::new(folder.path(), TableFormats::default(), Skipped::default());
        files.and_then(ResultFiles::finish).expect("files");
        assert!(book.exists());
    }

    #[test]
    fn a_workbook_has_a_row_for_each_photo_or_is_refused() {
        let formats = TableFormats { workbook: true, ..TableFormats::default() };
        assert_eq!(formats.check(MAX_ROWS), Ok(()));
        let refused = formats.check(MAX_ROWS + 1).expect_err("one too many").to_string();
        assert!(refused.contains("1048575 rows, there are 1048576 photos"), "{refused}");
        assert_eq!(TableFormats::default().check(u64::MAX), Ok(()));
    }
}
