//! Pages of the evenings of a key, newest first.
//!
//! Input: the owner's name, and the end of the previous page. Output: the evenings of a page, and
//! the place where the next one begins. Invariants: only documents of the page are read; an evening
//! that is created or deleted between two pages moves no other one into both or out of both.

use std::fmt;
use std::str::FromStr;

use tilesight_core::explain::{Lang, Message, display_english};

use super::index::{ID_DIGITS, IndexRow, mark_of_owner};
use super::{EveningStore, StoredEvening};
use crate::{StoreError, texts};

/// Number of hex digits of the time in a cursor.
const TIME_DIGITS: usize = 12;

/// Place of an evening in the list: its time and its id. Cursors sort from oldest to newest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct EveningCursor(String);

/// Error when a text is not a cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub struct EveningCursorError;

/// Page of evenings.
#[derive(Debug)]
pub struct EveningPage {
    /// Evenings of the page, newest first.
    pub evenings: Vec<StoredEvening>,
    /// Last place of this page, before which the next one begins; `None` on the last page.
    pub next: Option<EveningCursor>,
}

display_english!(EveningCursorError);

impl Message for EveningCursorError {
    fn text(&self, lang: Lang) -> String {
        texts::evening_cursor::invalid(lang).to_owned()
    }
}

impl EveningCursor {
    fn new(row: &IndexRow) -> EveningCursor {
        EveningCursor(format!("{:0TIME_DIGITS$x}{}", row.changed.0, row.evening))
    }
}

impl fmt::Display for EveningCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for EveningCursor {
    type Err = EveningCursorError;

    fn from_str(text: &str) -> Result<EveningCursor, EveningCursorError> {
        let digits = text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
        if digits && text.len() == TIME_DIGITS + ID_DIGITS {
            Ok(EveningCursor(text.to_owned()))
        } else {
            Err(EveningCursorError)
        }
    }
}

impl EveningStore {
    /// Returns a page of the evenings of a key, newest first. An evening that can't be read is left
    /// out, and logged.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn page(
        &self,
        owner: &str,
        before: Option<&EveningCursor>,
        max: usize,
    ) -> Result<EveningPage, StoreError> {
        let mark = mark_of_owner(owner);
        let rows = self.index().rows().await?.into_values();
        let rows = rows.filter(|row| row.owner_mark() == Some(mark.as_str()));
        let mut rows: Vec<(EveningCursor, IndexRow)> =
            rows.map(|row| (EveningCursor::new(&row), row)).collect();
        rows.retain(|(cursor, _)| before.is_none_or(|before| cursor < before));
        rows.sort_by(|(one, _), (other, _)| other.cmp(one));
        let more = rows.len() > max;
        rows.truncate(max);
        let next = rows.last().filter(|_| more).map(|(cursor, _)| cursor.clone());
        let mut evenings = Vec::with_capacity(rows.len());
        for (_, row) in rows {
            let found = self.readable(&row.evening).await?;
            evenings.extend(found.filter(|one| one.document.owner.as_deref() == Some(owner)));
        }
        Ok(EveningPage { evenings, next })
    }
}
