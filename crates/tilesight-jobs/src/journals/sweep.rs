//! Removal of expired journals.
//!
//! Input: the time. Output: free space. Any number of processes may do this for the same store
//! concurrently: each step is idempotent. Invariants: a journal is removed only after it was read
//! and found unchanged for its lifetime; an unreadable journal does not keep the others from being
//! swept.

use std::collections::HashSet;
use std::time::Duration;

use super::census::Census;
use super::index::IndexRow;
use super::{Journal, JournalLimits, JournalStore, Stored, kind};
use crate::{Name, StoreError, Timestamp};

/// Age from which a row without its journal counts as abandoned: its author has finished long
/// ago, or died between writing the two.
const MAX_ORPHAN_AGE: Duration = Duration::from_secs(3600);

impl<J: Journal> JournalStore<J> {
    /// Removes the journals that were not changed for their lifetime, and counts the remaining
    /// ones. Returns the number of removed journals.
    ///
    /// # Errors
    /// [`StoreError`]; the next sweep does what this one could not.
    pub async fn sweep(&self, now: Timestamp) -> Result<u64, StoreError> {
        // Lists the journals first, because a row is written before its journal.
        let all: HashSet<Name> = self.documents.list(&kind::<J>()).await?.into_iter().collect();
        let mut removed = 0;
        for row in self.index().rows().await?.values() {
            if !all.contains(&row.journal) {
                if row.changed.saturating_add(MAX_ORPHAN_AGE) < now {
                    self.index().remove(row).await?;
                }
            } else if self.is_over(row.changed, now) {
                removed += u64::from(self.remove_if_over(row, now).await?);
            }
        }
        self.creation_keys().sweep(now).await?;
        let mut census = self.census.lock().await;
        let mut left: Vec<IndexRow> = self.index().rows().await?.into_values().collect();
        let before = census.take().unwrap_or_default();
        left.retain(|row| all.contains(&row.journal) || before.counts(&row.journal));
        *census = Some(Census::new(&left, Some(before)));
        if removed > 0 {
            tracing::info!(removed, "{} were swept", J::NAMES.several);
        }
        Ok(removed)
    }

    fn is_over(&self, changed: Timestamp, now: Timestamp) -> bool {
        self.limits
            .as_ref()
            .is_some_and(|JournalLimits { lifetime, .. }| changed.saturating_add(*lifetime) < now)
    }

    /// Removes a journal if it has expired; otherwise updates its row in the index.
    async fn remove_if_over(&self, row: &IndexRow, now: Timestamp) -> Result<bool, StoreError> {
        let Some(found) = self.readable(&row.journal).await? else { return Ok(false) };
        if self.is_over(found.document.changed, now) {
            self.remove(&found).await?;
            self.index().remove(row).await?;
            return Ok(true);
        }
        let later =
            IndexRow::new(&row.journal, found.document.changed, found.document.owner.as_deref());
        self.index().replace(row, &later).await?;
        Ok(false)
    }

    /// Returns a journal; `None` if it is gone or can't be parsed.
    pub(super) async fn readable(&self, id: &Name) -> Result<Option<Stored<J>>, StoreError> {
        match self.load(id).await {
            Err(error @ (StoreError::Corrupt { .. } | StoreError::UnknownLayout { .. })) => {
                tracing::warn!(%id, %error, "a {} can't be read", J::NAMES.kind);
                Ok(None)
            }
            loaded => loaded,
        }
    }
}
