//! Pages of the journals of a key, newest first.
//!
//! Input: the owner's name, and the end of the previous page. Output: the ids of the journals of a
//! page, and the place where the next one begins; then each journal by itself, so that one at a
//! time is in memory. Invariants: a page reads the index alone; a journal that is created or
//! deleted between two pages moves no other one into both or out of both.

use std::fmt;
use std::str::FromStr;

use tilesight_core::explain::{Lang, Message, display_english};

use super::index::{ID_DIGITS, IndexRow, mark_of_owner};
use super::{Journal, JournalStore, Stored};
use crate::{Name, StoreError, texts};

/// Number of hex digits of the time in a cursor.
const TIME_DIGITS: usize = 12;

/// Place of a journal in the list: its time and its id. Cursors sort from oldest to newest.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct JournalCursor(String);

/// Error when a text is not a cursor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub struct JournalCursorError;

/// Page of journals.
#[derive(Debug)]
pub struct JournalPage {
    /// Ids of the journals of the page, newest first.
    pub ids: Vec<Name>,
    /// Last place of this page, before which the next one begins; `None` on the last page.
    pub next: Option<JournalCursor>,
}

display_english!(JournalCursorError);

impl Message for JournalCursorError {
    fn text(&self, lang: Lang) -> String {
        texts::evening_cursor::invalid(lang).to_owned()
    }
}

impl JournalCursor {
    fn new(row: &IndexRow) -> JournalCursor {
        JournalCursor(format!("{:0TIME_DIGITS$x}{}", row.changed.0, row.journal))
    }
}

impl fmt::Display for JournalCursor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for JournalCursor {
    type Err = JournalCursorError;

    fn from_str(text: &str) -> Result<JournalCursor, JournalCursorError> {
        let digits = text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
        if digits && text.len() == TIME_DIGITS + ID_DIGITS {
            Ok(JournalCursor(text.to_owned()))
        } else {
            Err(JournalCursorError)
        }
    }
}

impl<J: Journal> JournalStore<J> {
    /// Returns a page of the journals of a key, newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn page(
        &self,
        owner: &str,
        before: Option<&JournalCursor>,
        max: usize,
    ) -> Result<JournalPage, StoreError> {
        let mark = mark_of_owner(owner);
        let all = self.index().rows().await?.into_values();
        let mut rows: Vec<(JournalCursor, IndexRow)> = all
            .filter(|row| row.owner_mark() == Some(mark.as_str()))
            .map(|row| (JournalCursor::new(&row), row))
            .filter(|(cursor, _)| before.is_none_or(|before| cursor < before))
            .collect();
        rows.sort_by(|(one, _), (other, _)| other.cmp(one));
        let more = rows.len() > max;
        rows.truncate(max);
        let next = rows.last().filter(|_| more).map(|(cursor, _)| cursor.clone());
        let ids = rows.into_iter().map(|(_, row)| row.journal).collect();
        Ok(JournalPage { ids, next })
    }

    /// Returns a journal of a page; `None` if it is gone, if it belongs to another key, whose mark
    /// in the index is the same by chance, or if it can't be read, which is logged.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn load_listed(
        &self,
        id: &Name,
        owner: &str,
    ) -> Result<Option<Stored<J>>, StoreError> {
        let found = self.readable(id).await?;
        Ok(found.filter(|one| one.document.owner.as_deref() == Some(owner)))
    }
}
