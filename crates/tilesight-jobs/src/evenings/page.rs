//! Pages of the evenings of a key, newest first.
//!
//! Input: the owner's name, and the end of the previous page. Output: the ids of the evenings of a
//! page, and the place where the next one begins; then each evening by itself, so that one at a
//! time is in memory. Invariants: a page reads the index alone; an evening that is created or
//! deleted between two pages moves no other one into both or out of both.

use std::fmt;
use std::str::FromStr;

use tilesight_core::explain::{Lang, Message, display_english};

use super::index::{ID_DIGITS, IndexRow, mark_of_owner};
use super::{EveningStore, StoredEvening};
use crate::{Name, StoreError, texts};

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
    /// Ids of the evenings of the page, newest first.
    pub evenings: Vec<Name>,
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
    /// Returns a page of the evenings of a key, newest first.
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
        let all = self.index().rows().await?.into_values();
        let mut rows: Vec<(EveningCursor, IndexRow)> = all
            .filter(|row| row.owner_mark() == Some(mark.as_str()))
            .map(|row| (EveningCursor::new(&row), row))
            .filter(|(cursor, _)| before.is_none_or(|before| cursor < before))
            .collect();
        rows.sort_by(|(one, _), (other, _)| other.cmp(one));
        let more = rows.len() > max;
        rows.truncate(max);
        let next = rows.last().filter(|_| more).map(|(cursor, _)| cursor.clone());
        let evenings = rows.into_iter().map(|(_, row)| row.evening).collect();
        Ok(EveningPage { evenings, next })
    }

    /// Returns an evening of a page; `None` if it is gone, if it belongs to another key, whose mark
    /// in the index is the same by chance, or if it can't be read, which is logged.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn load_listed(
        &self,
        id: &Name,
        owner: &str,
    ) -> Result<Option<StoredEvening>, StoreError> {
        let found = self.readable(id).await?;
        Ok(found.filter(|one| one.document.owner.as_deref() == Some(owner)))
    }
}
