//! `tilesight review merge`: merges the corrections of several reviewers into one file.
//!
//! Input: files of corrections. Output: one file with all their rows, and the conflicts on standard
//! output.

use std::io::Write as _;
use std::path::PathBuf;

use tilesight_core::rules::Book;
use tilesight_jobs::corrections::{Corrections, merge};

use crate::cli::output_file::OutputOption;
use crate::cli::{Exit, report_bad_input, terminal};

/// Arguments of `tilesight review merge`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Files of corrections
    #[arg(required = true, num_args = 1.., value_name = "CORRECTIONS.csv")]
    files: Vec<PathBuf>,
    /// File for the result; if it exists, it is merged too
    #[arg(long, short, value_name = "CORRECTIONS.csv")]
    out: PathBuf,
    /// Reviewer whose rows count in conflicts; by default the latest row counts
    #[arg(long, value_name = "NAME")]
    prefer: Option<String>,
}

/// Merges the files.
///
/// # Errors
/// When the result can't be written.
pub(super) fn run(args: &Args) -> anyhow::Result<Exit> {
    // An existing file is merged, so that none of its rows is lost.
    let option = OutputOption { name: "--out", endings: &["csv"], force: true };
    if let Err(error) = option.check(&args.out, std::iter::empty()) {
        return report_bad_input(&error);
    }
    let book = Book::shipped();
    let mut tables = Vec::new();
    for file in std::iter::once(&args.out).chain(&args.files) {
        if file != &args.out && !file.exists() {
            writeln!(terminal::stderr(), "error: there is no file {}", file.display())?;
            return Ok(Exit::BadInput);
        }
        match Corrections::read(file, &book) {
            Ok(table) => tables.push(table),
            Err(error) => {
                writeln!(terminal::stderr(), "error: {}: {error}", file.display())?;
                return Ok(Exit::BadInput);
            }
        }
    }
    let merged = merge(&tables, args.prefer.as_deref());
    // The format of the first file with rows is kept for the program that edits it.
    let like = tables.iter().find(|table| !table.rows().is_empty()).cloned().unwrap_or_default();
    let table = like.with_rows(merged.rows);
    if let Some(id) = table.contradictory() {
        let detail = "somebody says different things about it, and no `time` tells which is later";
        writeln!(terminal::stderr(), "error: {id}: {detail}: remove one, or name the reviewers")?;
        return Ok(Exit::BadInput);
    }
    table.write(&args.out)?;
    let mut out = terminal::stdout();
    for conflict in &merged.conflicts {
        writeln!(out, "{conflict}")?;
    }
    let (photos, conflicts) = (merged.photos, merged.conflicts.len());
    writeln!(out, "photos: {photos}, conflicts: {conflicts}, in {}", args.out.display())?;
    Ok(Exit::Done)
}
