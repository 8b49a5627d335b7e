//! `tilesight review merge`: merges the corrections of several reviewers into one file.
//!
//! Input: files of corrections. Output: one file with all their rows, and the conflicts on standard
//! output. Invariants: no row is lost: an overruled row stays before the one that counts; merging a
//! file twice changes nothing.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::PathBuf;

use tilesight_core::rules::Book;
use tilesight_jobs::batch::{CorrectionRow, Corrections};

use crate::cli::output_file::OutputOption;
use crate::cli::{Exit, terminal};

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
        writeln!(terminal::stderr(), "error: {error}")?;
        return Ok(Exit::BadInput);
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
    let merged = merged(&tables, args.prefer.as_deref());
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

/// All rows; those that count come after those that they overrule.
#[derive(Debug, Default)]
struct MergeResult {
    rows: Vec<CorrectionRow>,
    conflicts: Vec<String>,
    photos: usize,
}

fn merged(tables: &[Corrections], prefer: Option<&str>) -> MergeResult {
    let mut ids: Vec<&str> = Vec::new();
    let mut by_id: HashMap<&str, Vec<&CorrectionRow>> = HashMap::new();
    for row in tables.iter().flat_map(Corrections::rows) {
        let rows = by_id.entry(&row.id).or_default();
        if rows.is_empty() {
            ids.push(&row.id);
        }
        if !rows.contains(&row) {
            rows.push(row);
        }
    }
    let mut merged = MergeResult { photos: ids.len(), ..MergeResult::default() };
    for id in ids {
        let mut rows = by_id.remove(id).unwrap_or_default();
        // The sort is stable: rows without a time, or with equal times, stay in the order of the
        // files.
        rows.sort_by_key(|row| (prefer == Some(row.reviewer.as_str()), row.time.as_str()));
        merged.conflicts.extend(conflict(id, &rows));
        merged.rows.extend(rows.into_iter().cloned());
    }
    merged
}

/// Describes the difference between the reviewers of a photo; the last row counts.
fn conflict(id: &str, rows: &[&CorrectionRow]) -> Option<String> {
    let (last, others) = rows.split_last()?;
    // An earlier row of the same person is not a conflict but was corrected.
    let differs =
        |row: &&&CorrectionRow| row.reviewer != last.reviewer && row.correction != last.correction;
    let others: Vec<String> = others.iter().filter(differs).map(|row| said(row)).collect();
    (!others.is_empty()).then(|| format!("{id}: {}; {} counts", others.join("; "), said(last)))
}

/// Returns a short description of a row.
fn said(row: &CorrectionRow) -> String {
    let correction = serde_json::to_value(&row.correction).unwrap_or_default();
    let fields = correction.as_object().into_iter().flatten().flat_map(|(name, value)| {
        let inner = value.as_object().into_iter().flatten();
        let inner: Vec<_> = inner.filter(|(_, value)| !value.is_null()).collect();
        match value.is_object() {
            true => inner,
            false => vec![(name, value)],
        }
    });
    let plain = |value: &serde_json::Value| {
        value.as_str().map_or_else(|| value.to_string(), ToOwned::to_owned)
    };
    let fields: Vec<_> = fields.map(|(name, value)| format!("{name}={}", plain(value))).collect();
    let name = if row.reviewer.is_empty() { "somebody" } else { &row.reviewer };
    format!("{name} {}", fields.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(csv: &str) -> Corrections {
        Corrections::parse(csv.as_bytes(), &Book::shipped()).expect(csv)
    }

    #[test]
    fn the_latest_counts_and_nothing_is_lost() {
        let kim = table(
            "id,winning_tile,win,reviewer,time\na,3m,self_drawn,Kim,2026-11-23T12:00:00Z\nb,1p,,Kim,2026-11-23T12:01:00Z\n",
        );
        let ann = table(
            "id,winning_tile,reviewer,time\na,6m,Ann,2026-11-23T11:00:00Z\nb,1p,Ann,2026-11-23T11:00:00Z\nc,5s,Ann,2026-11-23T11:00:00Z\n",
        );
        let both = merged(&[kim.clone(), ann.clone()], None);
        assert_eq!((both.photos, both.rows.len()), (3, 5));
        assert_eq!(
            both.conflicts,
            ["a: Ann winning_tile=6m; Kim win=self_drawn, winning_tile=3m counts"]
        );
        let counts = |rows: MergeResult| {
            let table = Corrections::of_rows(rows.rows);
            table.get("a").map(|row| row.reviewer.clone())
        };
        assert_eq!(counts(both).as_deref(), Some("Kim"));
        assert_eq!(
            counts(merged(&[kim.clone(), ann.clone()], Some("Ann"))).as_deref(),
            Some("Ann")
        );
        let once = Corrections::of_rows(merged(&[kim.clone(), ann], None).rows);
        let twice = Corrections::of_rows(merged(&[once.clone(), kim], None).rows);
        assert_eq!(once, twice);
    }

    #[test]
    fn what_one_person_says_again_is_not_a_conflict() {
        let one = table("id,winning_tile,reviewer,time\na,3m,Kim,1\na,6m,Kim,2\n");
        let found = merged(&[one], None);
        assert!(found.conflicts.is_empty() && found.rows.len() == 2, "{found:?}");
    }
}
