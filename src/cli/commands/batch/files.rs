//! The files of results, each under its final name only once it is complete.
//!
//! `results.jsonl`, `errors.jsonl` and `results.csv` grow under the name `*.partial` while photos
//! are read and are renamed when all rows are written; `summary.json` and `summary.txt` come last.
//! Invariant: a file of results under its final name is complete, and the same photos give the same
//! bytes.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tilesight_jobs::Outcome;
use tilesight_jobs::batch::{BatchRow, Skipped, Summary, Table, write_ordered};
use tilesight_jobs::sheet::CsvStyle;

pub(in crate::cli) const RESULTS: &str = "results.jsonl";
pub(super) const ERRORS: &str = "errors.jsonl";
pub(super) const TABLE: &str = "results.csv";
const ORDERED: &str = "results.csv.ordered";
pub(super) const SUMMARY: &str = "summary.json";
pub(super) const TEXT: &str = "summary.txt";

/// The files while they grow.
#[derive(Debug)]
pub(super) struct ResultFiles {
    folder: PathBuf,
    results: BufWriter<File>,
    errors: BufWriter<File>,
    table: Table<BufWriter<File>>,
    style: CsvStyle,
    summary: Summary,
}

impl ResultFiles {
    /// Creates empty files in a folder; results of an earlier run stay until these are complete.
    pub(super) fn new(folder: &Path, style: CsvStyle, skipped: Skipped) -> io::Result<ResultFiles> {
        let open = |name| create(&partial(folder, name)).map(BufWriter::new);
        Ok(ResultFiles {
            results: open(RESULTS)?,
            errors: open(ERRORS)?,
            table: Table::new(open(TABLE)?).map_err(io::Error::from)?,
            style,
            summary: Summary::new(skipped),
            folder: folder.to_owned(),
        })
    }

    /// Adds the outcome of the next photo, with the file of its overlay if it has one.
    pub(super) fn add(
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
    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.results.flush()?;
        self.errors.flush()?;
        self.table.flush()
    }

    /// Completes the files and gives them their final names.
    pub(super) fn finish(mut self) -> io::Result<Summary> {
        self.flush()?;
        self.put_in_order()?;
        let mut summary = BufWriter::new(create(&partial(&self.folder, SUMMARY))?);
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
        let (table, ordered) = (partial(&self.folder, TABLE), partial(&self.folder, ORDERED));
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

fn partial(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!("{name}.partial"))
}
