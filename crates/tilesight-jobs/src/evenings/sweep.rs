//! Removal of expired evenings, and migration of data that older programs wrote.
//!
//! Input: the time. Output: free space. Any number of processes may do this for the same store
//! concurrently: each step is idempotent. Invariants: an evening is removed only after it was read
//! and found unchanged for its lifetime; an unreadable evening does not keep the others from being
//! swept.

use std::collections::{HashMap, HashSet};
use std::time::Duration;

use super::census::{Census, Entry, ID};
use super::links::hash_of;
use super::{GameStore, GameStoreError, StoredGame, entries, games, links};
use crate::evenings::GameLimits;
use crate::{Name, StoreError, Timestamp};

/// Age from which on an entry without its evening counts as abandoned: its author has finished long
/// ago, or died between writing the two.
const ABANDONED: Duration = Duration::from_secs(3600);
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

impl GameStore {
    /// Removes the evenings that were not changed for their lifetime, and counts the remaining
    /// ones.
    ///
    /// # Errors
    /// [`StoreError`]; the next sweep does what this one could not.
    pub async fn sweep(&self, now: Timestamp) -> Result<SweepReport, StoreError> {
        let mut swept = SweepReport { renewed: self.hash_links().await?, ..SweepReport::default() };
        // Lists the evenings first, because an entry is written before its evening.
        let all = self.documents.list(&games()).await?.into_iter();
        let all: HashSet<Name> = all.filter(|game| game.as_str().len() == ID).collect();
        let mut known = self.entries().await?;
        for game in &all {
            if !known.contains_key(game)
                && let Some(found) = self.readable(game).await?
            {
                known.insert(game.clone(), self.enter(&found).await?);
                swept.renewed += u64::from(self.renew(found).await?);
            }
        }
        for entry in known.values() {
            if !all.contains(&entry.game) {
                if entry.changed.after(ABANDONED) < now {
                    self.documents.remove(&entries(), &entry.name()).await?;
                }
            } else if self.is_over(entry.changed, now) {
                swept.removed += u64::from(self.remove_if_over(entry, now).await?);
            }
        }
        let mut census = self.census.lock().await;
        let mut left: Vec<Entry> = self.entries().await?.into_values().collect();
        let begun = |game: &Name| census.as_ref().is_some_and(|census| census.counts(game));
        left.retain(|entry| all.contains(&entry.game) || begun(&entry.game));
        *census = Some(Census::new(&left, census.take()));
        if swept != SweepReport::default() {
            tracing::info!(removed = swept.removed, renewed = swept.renewed, "games were swept");
        }
        Ok(swept)
    }

    /// Returns the index. If an evening has two entries, because a process died while replacing
    /// one, the older entry is removed.
    pub(super) async fn entries(&self) -> Result<HashMap<Name, Entry>, StoreError> {
        let mut known: HashMap<Name, Entry> = HashMap::new();
        let all = self.documents.list(&entries()).await?;
        for entry in all.iter().filter_map(Entry::read) {
            let older = match known.get(&entry.game) {
                Some(other) if other.changed > entry.changed => Some(entry),
                _ => known.insert(entry.game.clone(), entry),
            };
            if let Some(older) = older {
                self.documents.remove(&entries(), &older.name()).await?;
            }
        }
        Ok(known)
    }

    /// Adds an evening of an older program to the index.
    async fn enter(&self, found: &StoredGame) -> Result<Entry, StoreError> {
        let entry = Entry::new(&found.id, found.document.changed, found.document.owner.as_deref());
        self.put_entry(&entry).await?;
        Ok(entry)
    }

    /// Rewrites an evening whose document contains a plain-text token, and returns whether it did.
    async fn renew(&self, found: StoredGame) -> Result<bool, StoreError> {
        if found.document.plain.is_none() {
            return Ok(false);
        }
        match self.save(found).await {
            Ok(_) => Ok(true),
            Err(GameStoreError::Store(error)) => Err(error),
            // A client changed the evening in the meantime, and thereby rewrote it.
            Err(_) => Ok(false),
        }
    }

    fn is_over(&self, changed: Timestamp, now: Timestamp) -> bool {
        self.limits
            .as_ref()
            .is_some_and(|GameLimits { lifetime, .. }| changed.after(*lifetime) < now)
    }

    /// Removes an evening if it has expired; otherwise updates its entry in the index.
    async fn remove_if_over(&self, entry: &Entry, now: Timestamp) -> Result<bool, StoreError> {
        let Some(found) = self.readable(&entry.game).await? else { return Ok(false) };
        if self.is_over(found.document.changed, now) {
            self.remove(&found).await?;
            self.documents.remove(&entries(), &entry.name()).await?;
            return Ok(true);
        }
        let later =
            Entry::new(&entry.game, found.document.changed, found.document.owner.as_deref());
        self.move_entry(entry, &later).await?;
        Ok(false)
    }

    /// Returns an evening; `None` if it is gone or can't be parsed.
    async fn readable(&self, game: &Name) -> Result<Option<StoredGame>, StoreError> {
        match self.load(game).await {
            Err(error @ (StoreError::Corrupt { .. } | StoreError::Newer { .. })) => {
                tracing::warn!(%game, %error, "a game can't be read");
                Ok(None)
            }
            loaded => loaded,
        }
    }

    pub(super) async fn put_entry(&self, entry: &Entry) -> Result<(), StoreError> {
        match self.documents.save(&entries(), &entry.name(), None, b"game").await {
            Ok(_) | Err(StoreError::Conflict) => Ok(()),
            Err(error) => Err(error),
        }
    }

    pub(super) async fn move_entry(&self, from: &Entry, to: &Entry) -> Result<(), StoreError> {
        if from == to {
            return Ok(());
        }
        self.put_entry(to).await?;
        self.documents.remove(&entries(), &from.name()).await
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
