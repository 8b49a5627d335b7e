//! The files of results, each under its final name only once it is complete.
//!
//! `results.jsonl`, `errors.jsonl` and `results.csv` grow under the name `*.partial` while photos
//! are read and are renamed when all rows are written; `summary.json` and `summary.txt` come last.
//! Invariant: a file of results under its final name is complete, and the same photos give the same
//! bytes.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::{BatchRow, Skipped, Summary, Table, write_ordered};
use crate::outcome::Outcome;
use crate::sheet::CsvStyle;

/// Name of the file with a line of JSON for each photo.
pub const RESULTS: &str = "results.jsonl";
/// Name of the file with the lines of photos that could not be read.
pub const ERRORS: &str = "errors.jsonl";
/// Name of the table with a row for each photo.
pub const TABLE: &str = "results.csv";
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
    style: CsvStyle,
    summary: Summary,
}

impl ResultFiles {
    /// Creates empty files in a folder; results of an earlier run stay until these are complete.
    ///
    /// # Errors
    /// Any I/O error.
    pub fn new(folder: &Path, style: CsvStyle, skipped: Skipped) -> io::Result<ResultFiles> {
        Ok(ResultFiles {
            results: create_partial(folder, RESULTS)?,
            errors: create_partial(folder, ERRORS)?,
            table: Table::new(create_partial(folder, TABLE)?).map_err(io::Error::from)?,
            style,
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
        self.put_in_order()?;
        let mut summary = create_partial(&self.folder, SUMMARY)?;
        self.summary.write_json(&mut summary)?;
        summary.write_all(b"\n")?;
        summary.flush()?;
        create(&partial(&self.folder, TEXT))?.write_all(self.summary.to_string().as_bytes())?;
        for name in [RESULTS, ERRORS, TABLE, SUMMARY, TEXT] {
            fs::rename(partial(&self.folder, name), self.folder.join(name))?;
        }
        Ok(self.summary)
    }

    /// Fills in the photos' positions in the review, which are known once all photos are read, and
    /// writes the table in the requested style.
    fn put_in_order(&self) -> io::Result<()> {
        let table = partial(&self.folder, TABLE);
        let ordered = partial(&self.folder, ORDERED);
        let out = BufWriter::new(create(&ordered)?);
        write_ordered(File::open(&table)?, out, self.style, &self.summary.order())
            .map_err(io::Error::from)?;
        fs::rename(ordered, table)
    }
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
