//! `tilesight review merge`: merges the corrections of several reviewers into one file.
//!
//! Input: files of corrections. Output: one file with all their rows, and the conflicts on standard
//! output.

use std::io::Write as _;
use std::path::PathBuf;

use tilesight_core::rules::Book;
use tilesight_jobs::corrections::{Corrections, merge};

use crate::cli::output::file::OutputOption;
use crate::cli::output::{Exit, Stop, terminal};

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
pub(super) fn run(args: &Args) -> Result<Exit, Stop> {
    // An existing file is merged, so that none of its rows is lost.
    let option = OutputOption { name: "--out", endings: &["csv"], force: true };
    option.check(&args.out, std::iter::empty()).map_err(Stop::bad_input)?;
    let book = Book::shipped();
    let mut tables = Vec::new();
    for file in std::iter::once(&args.out).chain(&args.files) {
        if file != &args.out && !file.exists() {
            return Err(Stop::bad_input(format!("there is no file {}", file.display())));
        }
        let table = Corrections::read(file, &book)
            .map_err(|error| Stop::bad_input(format!("{}: {error}", file.display())))?;
        tables.push(table);
    }
    let merged = merge(&tables, args.prefer.as_deref());
    // The format of the first file with rows is kept for the program that edits it.
    let like = tables.iter().find(|table| !table.rows().is_empty()).cloned().unwrap_or_default();
    let table = like.with_rows(merged.rows);
    if let Some(id) = table.contradictory() {
        let detail = "somebody says different things about it, and no `time` tells which is later";
        let advice = "remove one, or name the reviewers";
        return Err(Stop::bad_input(format!("{id}: {detail}: {advice}")));
    }
    table.write(&args.out)?;
    let mut out = terminal::stdout();
    for conflict in &merged.conflicts {
        writeln!(out, "{conflict}")?;
    }
    writeln!(
        out,
        "photos: {}, conflicts: {}, in {}",
        merged.photos,
        merged.conflicts.len(),
        args.out.display()
    )?;
    Ok(Exit::Done)
}
