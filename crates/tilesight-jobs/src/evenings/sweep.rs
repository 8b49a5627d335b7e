//! Removal of expired evenings.
//!
//! Input: the time. Output: free space. Any number of processes may do this for the same store
//! concurrently: each step is idempotent. Invariants: an evening is removed only after it was read
//! and found unchanged for its lifetime; an unreadable evening does not keep the others from being
//! swept.

use std::collections::HashSet;
use std::time::Duration;

use super::census::Census;
use super::index::IndexRow;
use super::{EveningStore, StoredEvening, games};
use crate::evenings::EveningLimits;
use crate::{Name, StoreError, Timestamp};

/// Age from which a row without its evening counts as abandoned: its author has finished long
/// ago, or died between writing the two.
const MAX_ORPHAN_AGE: Duration = Duration::from_secs(3600);

impl EveningStore {
    /// Removes the evenings that were not changed for their lifetime, and counts the remaining
    /// ones. Returns the number of removed evenings.
    ///
    /// # Errors
    /// [`StoreError`]; the next sweep does what this one could not.
    pub async fn sweep(&self, now: Timestamp) -> Result<u64, StoreError> {
        // Lists the evenings first, because a row is written before its evening.
        let all: HashSet<Name> = self.documents.list(&games()).await?.into_iter().collect();
        let mut removed = 0;
        for row in self.index().rows().await?.values() {
            if !all.contains(&row.evening) {
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
        left.retain(|row| all.contains(&row.evening) || before.counts(&row.evening));
        *census = Some(Census::new(&left, Some(before)));
        if removed > 0 {
            tracing::info!(removed, "games were swept");
        }
        Ok(removed)
    }

    fn is_over(&self, changed: Timestamp, now: Timestamp) -> bool {
        self.limits
            .as_ref()
            .is_some_and(|EveningLimits { lifetime, .. }| changed.saturating_add(*lifetime) < now)
    }

    /// Removes an evening if it has expired; otherwise updates its row in the index.
    async fn remove_if_over(&self, row: &IndexRow, now: Timestamp) -> Result<bool, StoreError> {
        let Some(found) = self.readable(&row.evening).await? else { return Ok(false) };
        if self.is_over(found.document.changed, now) {
            self.remove(&found).await?;
            self.index().remove(row).await?;
            return Ok(true);
        }
        let later =
            IndexRow::new(&row.evening, found.document.changed, found.document.owner.as_deref());
        self.index().replace(row, &later).await?;
        Ok(false)
    }

    /// Returns an evening; `None` if it is gone or can't be parsed.
    pub(super) async fn readable(&self, id: &Name) -> Result<Option<StoredEvening>, StoreError> {
        match self.load(id).await {
            Err(error @ (StoreError::Corrupt { .. } | StoreError::UnknownLayout { .. })) => {
                tracing::warn!(game = %id, %error, "a game can't be read");
                Ok(None)
            }
            loaded => loaded,
        }
    }
}
