//! Merge of several reviewers' tables of corrections.
//!
//! Input: tables. Output: all their rows, and the conflicts. Invariants: no row is lost: an
//! overruled row stays before the one that counts; merging a table twice changes nothing.

use std::collections::HashMap;

use super::{CorrectionRow, Corrections};

/// Merged rows; those that count come after those that they overrule.
#[derive(Debug, Default)]
pub struct MergeResult {
    /// The rows of all tables, each once.
    pub rows: Vec<CorrectionRow>,
    /// Descriptions of the photos that reviewers corrected differently.
    pub conflicts: Vec<String>,
    /// Number of photos.
    pub photos: usize,
}

/// Merges tables of corrections. Of the rows about one photo the latest counts, or one of the
/// reviewer in `prefer`.
#[must_use]
pub fn merge(tables: &[Corrections], prefer: Option<&str>) -> MergeResult {
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
    let others: Vec<String> = others
        .iter()
        .filter(|row| row.reviewer != last.reviewer && row.correction != last.correction)
        .map(|row| describe(row))
        .collect();
    (!others.is_empty()).then(|| format!("{id}: {}; {} counts", others.join("; "), describe(last)))
}

/// Returns a short description of a row.
fn describe(row: &CorrectionRow) -> String {
    let correction = serde_json::to_value(&row.correction).unwrap_or_default();
    let mut fields = Vec::new();
    for (name, value) in correction.as_object().into_iter().flatten() {
        let Some(inner) = value.as_object() else {
            fields.push(describe_field(name, value));
            continue;
        };
        let given = inner.iter().filter(|(_, value)| !value.is_null());
        fields.extend(given.map(|(name, value)| describe_field(name, value)));
    }
    let name = if row.reviewer.is_empty() { "somebody" } else { &row.reviewer };
    format!("{name} {}", fields.join(", "))
}

fn describe_field(name: &str, value: &serde_json::Value) -> String {
    match value.as_str() {
        Some(text) => format!("{name}={text}"),
        None => format!("{name}={value}"),
    }
}

#[cfg(test)]
mod tests {
    use tilesight_core::rules::Book;

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
        let both = merge(&[kim.clone(), ann.clone()], None);
        assert_eq!((both.photos, both.rows.len()), (3, 5));
        assert_eq!(
            both.conflicts,
            ["a: Ann winning_tile=6m; Kim win=self_drawn, winning_tile=3m counts"]
        );
        let counts = |rows: MergeResult| {
            let table = Corrections::from_rows(rows.rows);
            table.get("a").map(|row| row.reviewer.clone())
        };
        assert_eq!(counts(both).as_deref(), Some("Kim"));
        assert_eq!(counts(merge(&[kim.clone(), ann.clone()], Some("Ann"))).as_deref(), Some("Ann"));
        let once = Corrections::from_rows(merge(&[kim.clone(), ann], None).rows);
        let twice = Corrections::from_rows(merge(&[once.clone(), kim], None).rows);
        assert_eq!(once, twice);
    }

    #[test]
    fn a_repeated_answer_of_one_reviewer_is_not_a_conflict() {
        let one = table("id,winning_tile,reviewer,time\na,3m,Kim,1\na,6m,Kim,2\n");
        let found = merge(&[one], None);
        assert!(found.conflicts.is_empty() && found.rows.len() == 2, "{found:?}");
    }
}
