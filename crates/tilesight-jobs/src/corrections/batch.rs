//! Corrections that a run of a batch applies to its outcomes.
//!
//! Input: the file of corrections in the folder of the results, and corrections in tables and
//! manifests. Output: the outcome of a photo as it is written into the results. Invariant:
//! correcting reads no photo and leaves the stored outcome unchanged; the file takes precedence
//! over the tables, because its author saw the reading.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use tilesight_core::explain::Lang;
use tilesight_core::rules::Book;

use super::{Correction, Corrections, FILE_NAME, PhotoQuestion};
use crate::{Item, Outcome};

/// Maximum number of ids that a message lists.
const MAX_LISTED: usize = 5;

/// People's corrections of photos, by the ids of their rows.
#[derive(Debug, Default)]
pub struct BatchCorrections {
    by_id: HashMap<String, Correction>,
    /// Ids in the file that no row has had so far.
    unmatched: HashSet<String>,
    book: Arc<Book>,
    lang: Lang,
}

impl BatchCorrections {
    /// Combines the corrections of the file with those of tables; the file takes precedence.
    #[must_use]
    pub fn new(
        file: &Corrections,
        tables: HashMap<String, Correction>,
        book: Arc<Book>,
        lang: Lang,
    ) -> BatchCorrections {
        let mut by_id = tables;
        let mut unmatched = HashSet::new();
        for (id, row) in file.rows_by_id() {
            let below = by_id.remove(id).unwrap_or_default();
            by_id.insert(id.to_owned(), row.correction.clone().or(&below));
            unmatched.insert(id.to_owned());
        }
        BatchCorrections { by_id, unmatched, book, lang }
    }

    /// Returns the outcome of an item as it is written into the results.
    pub fn apply<'a>(&mut self, item: &Item, outcome: &'a Outcome) -> Cow<'a, Outcome> {
        self.unmatched.remove(&item.id);
        let Some(correction) = self.by_id.get(&item.id) else { return Cow::Borrowed(outcome) };
        let asked = PhotoQuestion::from_item(item, self.lang, &self.book);
        Cow::Owned(correction.apply(outcome, &asked))
    }

    /// Returns a message about ids in the file that no photo of the batch has.
    #[must_use]
    pub fn unmatched(&self) -> Option<String> {
        let mut ids: Vec<&str> = self.unmatched.iter().map(String::as_str).collect();
        ids.sort_unstable();
        let named = ids.iter().take(MAX_LISTED).copied().collect::<Vec<_>>().join(", ");
        let more = match ids.len().saturating_sub(MAX_LISTED) {
            0 => String::new(),
            count => format!(" and {count} more"),
        };
        let message = format!("{FILE_NAME} names what is not one of the photos: {named}{more}");
        (!ids.is_empty()).then_some(message)
    }
}
