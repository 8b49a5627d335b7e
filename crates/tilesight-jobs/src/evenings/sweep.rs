//! Removal of expired evenings, and migration of data that older programs wrote.
//!
//! Input: the time. Output: free space. Any number of processes may do this for the same store
//! concurrently: each step is idempotent. Invariants: an evening is removed only after it was read
//! and found unchanged for its lifetime; an unreadable evening does not keep the others from being
//! swept.

use std::collections::HashSet;
use std::time::Duration;

use super::census::Census;
use super::index::{ID_DIGITS, IndexRow};
use super::links::hash_of;
use super::{EveningStore, EveningStoreError, StoredEvening, games, links};
use crate::evenings::EveningLimits;
use crate::{Name, StoreError, Timestamp};

/// Age from which a row without its evening counts as abandoned: its author has finished long
/// ago, or died between writing the two.
const MAX_ORPHAN_AGE: Duration = Duration::from_secs(3600);
/// Number of hex digits of a token. A link stored under a name of this length was written by a
/// program that stored tokens in plain text; a hash has twice as many digits.
const TOKEN: usize = 32;

/// Results of a sweep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SweepReport {
    /// Number of evenings that were removed.
    pub removed: u64,
    /// Number of evenings and links of older programs that were migrated.
    pub renewed: u64,
}

impl EveningStore {
    /// Removes the evenings that were not changed for their lifetime, and counts the remaining
    /// ones.
    ///
    /// # Errors
    /// [`StoreError`]; the next sweep does what this one could not.
    pub async fn sweep(&self, now: Timestamp) -> Result<SweepReport, StoreError> {
        let mut swept = SweepReport { renewed: self.hash_links().await?, ..SweepReport::default() };
        // Lists the evenings first, because a row is written before its evening.
        let all = self.documents.list(&games()).await?.into_iter();
        let all: HashSet<Name> = all.filter(|id| id.as_str().len() == ID_DIGITS).collect();
        let mut rows = self.index().rows().await?;
        for id in &all {
            if !rows.contains_key(id)
                && let Some(found) = self.readable(id).await?
            {
                rows.insert(id.clone(), self.enter(&found).await?);
                swept.renewed += u64::from(self.renew(found).await?);
            }
        }
        for row in rows.values() {
            if !all.contains(&row.evening) {
                if row.changed.saturating_add(MAX_ORPHAN_AGE) < now {
                    self.index().remove(row).await?;
                }
            } else if self.is_over(row.changed, now) {
                swept.removed += u64::from(self.remove_if_over(row, now).await?);
            }
        }
        self.creation_keys().sweep(now).await?;
        let mut census = self.census.lock().await;
        let mut left: Vec<IndexRow> = self.index().rows().await?.into_values().collect();
        let begun = |id: &Name| census.as_ref().is_some_and(|census| census.counts(id));
        left.retain(|row| all.contains(&row.evening) || begun(&row.evening));
        *census = Some(Census::new(&left, census.take()));
        if swept != SweepReport::default() {
            tracing::info!(removed = swept.removed, renewed = swept.renewed, "games were swept");
        }
        Ok(swept)
    }

    /// Adds an evening of an older program to the index.
    async fn enter(&self, found: &StoredEvening) -> Result<IndexRow, StoreError> {
        let row = IndexRow::new(&found.id, found.document.changed, found.document.owner.as_deref());
        self.index().insert(&row).await?;
        Ok(row)
    }

    /// Rewrites an evening whose document contains a plain-text token, and returns whether it did.
    async fn renew(&self, found: StoredEvening) -> Result<bool, StoreError> {
        if found.document.plain.is_none() {
            return Ok(false);
        }
        match self.save(found).await {
            Ok(_) => Ok(true),
            Err(EveningStoreError::Store(error)) => Err(error),
            // A client changed the evening in the meantime, and thereby rewrote it.
            Err(_) => Ok(false),
        }
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
            Err(error @ (StoreError::Corrupt { .. } | StoreError::Newer { .. })) => {
                tracing::warn!(game = %id, %error, "a game can't be read");
                Ok(None)
            }
            loaded => loaded,
        }
    }

    /// Moves links that are stored under their token to their hash, and returns their number.
    async fn hash_links(&self) -> Result<u64, StoreError> {
        let mut hashed = 0;
        let all = self.documents.list(&links()).await?;
        for token in all.iter().filter(|name| name.as_str().len() == TOKEN) {
            if let Some((_, game)) = self.documents.load(&links(), token).await? {
                self.put_link(&hash_of(token.as_str()), &game).await?;
                self.documents.remove(&links(), token).await?;
                hashed += 1;
            }
        }
        Ok(hashed)
    }
}
