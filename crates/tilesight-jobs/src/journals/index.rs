//! Index of the stored journals: a table with one row for each, which says when it was last changed
//! and whose it is, without reading any journal.
//!
//! Input and output: [`IndexRow`]s. A row is stored as the name of a document, because a
//! store lists names in one request, but reads documents one by one: a fleet with ten thousand
//! journals would need as many requests for each sweep. Only this module knows that encoding.
//! Invariant: the row of a journal is written before the journal, so every journal has one.

use std::collections::HashMap;

use sha2::{Digest as _, Sha256};
use tilesight_core::hex;

use super::JournalNames;
use crate::{Documents, Name, StoreError, Timestamp};

/// Number of hex digits of a journal's id.
pub(super) const ID_DIGITS: usize = 32;
/// Latest time that a row can hold, in the year 10889.
const MAX_TIME: Timestamp = Timestamp(0xffff_ffff_ffff);
/// Owner mark of an unowned journal. The probability that the hash of a key's name equals it is 1
/// in 2^64.
const NOBODY: &str = "0000000000000000";

/// Row about one journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct IndexRow {
    /// Id of the journal.
    pub(super) journal: Name,
    /// Time of the last change that the index knows; the journal may have been changed later.
    pub(super) changed: Timestamp,
    /// First 16 hex digits of the SHA-256 of the owner's name: the name itself may contain
    /// characters that a key must not.
    owner_mark: String,
}

impl IndexRow {
    /// Returns the row of a journal.
    pub(super) fn new(journal: &Name, changed: Timestamp, owner: Option<&str>) -> IndexRow {
        let owner_mark = owner.map_or_else(|| NOBODY.to_owned(), mark_of_owner);
        IndexRow { journal: journal.clone(), changed: changed.min(MAX_TIME), owner_mark }
    }

    /// Returns the mark of the journal's owner; `None` for an unowned journal.
    pub(super) fn owner_mark(&self) -> Option<&str> {
        Some(self.owner_mark.as_str()).filter(|mark| *mark != NOBODY)
    }

    /// Encodes the row as the name of a document.
    fn key(&self) -> Name {
        let name = format!("{}-{:012x}-{}", self.journal, self.changed.0, self.owner_mark);
        name.parse().expect("with the 32 digits of an id it has 62 characters")
    }

    /// Decodes a row; returns `None` for a name that this program did not write.
    fn parse(name: &Name) -> Option<IndexRow> {
        let (journal, rest) = name.as_str().split_once('-')?;
        let (changed, owner) = rest.split_once('-')?;
        if [journal.len(), changed.len(), owner.len()] != [ID_DIGITS, 12, NOBODY.len()] {
            return None;
        }
        let changed = Timestamp(u64::from_str_radix(changed, 16).ok()?);
        Some(IndexRow { journal: journal.parse().ok()?, changed, owner_mark: owner.to_owned() })
    }
}

/// Returns the first 16 hex digits of the SHA-256 of a key's name.
pub(super) fn mark_of_owner(owner: &str) -> String {
    hex::encode(&Sha256::digest(owner.as_bytes())[..8])
}

/// Returns the time of the last change of any journal in a store.
///
/// # Errors
/// [`StoreError`].
pub(crate) async fn last_change(
    documents: &dyn Documents,
    names: JournalNames,
) -> Result<Option<Timestamp>, StoreError> {
    let rows = JournalIndex { documents, names }.rows().await?;
    Ok(rows.values().map(|row| row.changed).max())
}

/// Table of [`IndexRow`]s in a store.
#[derive(Debug, Clone, Copy)]
pub(super) struct JournalIndex<'a> {
    pub(super) documents: &'a dyn Documents,
    pub(super) names: JournalNames,
}

impl JournalIndex<'_> {
    /// Returns the kind of the documents that are rows.
    fn kind(&self) -> Name {
        self.names.kind_of("entry")
    }

    /// Returns all rows by their journals. If a journal has two rows, because a process died while
    /// replacing one, the older row is removed.
    pub(super) async fn rows(&self) -> Result<HashMap<Name, IndexRow>, StoreError> {
        let mut rows: HashMap<Name, IndexRow> = HashMap::new();
        for row in self.documents.list(&self.kind()).await?.iter().filter_map(IndexRow::parse) {
            let older = match rows.get(&row.journal) {
                Some(other) if other.changed > row.changed => Some(row),
                _ => rows.insert(row.journal.clone(), row),
            };
            if let Some(older) = older {
                self.remove(&older).await?;
            }
        }
        Ok(rows)
    }

    /// Adds a row. Repeating the call changes nothing.
    pub(super) async fn insert(&self, row: &IndexRow) -> Result<(), StoreError> {
        match self.documents.save(&self.kind(), &row.key(), None, self.names.kind.as_bytes()).await
        {
            Ok(_) | Err(StoreError::Conflict) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// Replaces a row. Until the old one is removed, the journal has two.
    pub(super) async fn replace(&self, old: &IndexRow, new: &IndexRow) -> Result<(), StoreError> {
        if old == new {
            return Ok(());
        }
        self.insert(new).await?;
        self.remove(old).await
    }

    /// Removes a row; does nothing if there is none.
    pub(super) async fn remove(&self, row: &IndexRow) -> Result<(), StoreError> {
        self.documents.remove(&self.kind(), &row.key()).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(number: u128) -> Name {
        format!("{number:032x}").parse().unwrap()
    }

    #[test]
    fn a_row_is_its_key() {
        for (changed, owner) in
            [(0, None), (1_795_000_000_000, Some("anna.b-c_d")), (MAX_TIME.0, Some("x"))]
        {
            let row = IndexRow::new(&name(7), Timestamp(changed), owner);
            assert_eq!(IndexRow::parse(&row.key()), Some(row));
        }
        assert_eq!(IndexRow::new(&name(7), Timestamp::NEVER, None).changed, MAX_TIME);
        for foreign in ["", "last", "a-b", "a-b-c"] {
            assert_eq!(foreign.parse().ok().as_ref().and_then(IndexRow::parse), None, "{foreign}");
        }
    }
}
