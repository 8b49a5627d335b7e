//! What people say of single photos, put upon what was read.
//!
//! Input: the file of corrections beside the results, and the same from tables and manifests.
//! Output: the outcome of a photo as it is written into the results. Invariant: no photo is read
//! for it, and the stored outcome stays as it is; what the file says outranks the tables, because
//! it was written by someone who saw the reading.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tilesight_core::explain::Lang;
use tilesight_core::rules::Book;

use crate::batch::{Correction, Corrections, PhotoQuestion, corrected};
use crate::jobs::{Item, Outcome};

/// The file beside the results.
pub(in crate::cli) const CORRECTIONS: &str = "corrections.csv";
/// Ids that a message lists.
const LISTED: usize = 5;

/// What people say of the photos, by the ids of their rows.
#[derive(Debug, Default)]
pub(super) struct CorrectionTable {
    by_id: HashMap<String, Correction>,
    /// Ids in the file that no row had so far.
    unmatched: HashSet<String>,
    book: Arc<Book>,
    lang: Lang,
}

impl CorrectionTable {
    /// What the file says, and beneath it what tables say.
    pub(super) fn new(
        file: &Corrections,
        tables: HashMap<String, Correction>,
        book: Arc<Book>,
        lang: Lang,
    ) -> CorrectionTable {
        let mut by_id = tables;
        let mut unmatched = HashSet::new();
        for (id, row) in file.by_id() {
            let below = by_id.remove(id).unwrap_or_default();
            by_id.insert(id.to_owned(), row.correction.clone().or(&below));
            unmatched.insert(id.to_owned());
        }
        CorrectionTable { by_id, unmatched, book, lang }
    }

    /// The outcome of an item as it is written down.
    pub(super) fn apply<'a>(&mut self, item: &Item, outcome: &'a Outcome) -> Cow<'a, Outcome> {
        self.unmatched.remove(&item.id);
        let Some(correction) = self.by_id.get(&item.id) else { return Cow::Borrowed(outcome) };
        let ask = item.task.as_ref().map(|task| task.ask.clone()).unwrap_or_default();
        let asked = PhotoQuestion::of(&ask, self.lang, &self.book);
        Cow::Owned(corrected(outcome, correction, &asked))
    }

    /// A message about photos that the file names and that are not among these.
    pub(super) fn unmatched(&self) -> Option<String> {
        let mut ids: Vec<&str> = self.unmatched.iter().map(String::as_str).collect();
        ids.sort_unstable();
        let named = ids.iter().take(LISTED).copied().collect::<Vec<_>>().join(", ");
        let more = ids.len().saturating_sub(LISTED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let message = format!("{CORRECTIONS} names what is not one of the photos: {named}{more}");
        (!ids.is_empty()).then_some(message)
    }
}
