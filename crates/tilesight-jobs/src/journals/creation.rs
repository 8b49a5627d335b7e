//! Keys of requests that create journals: a key creates one journal, however often its request is
//! sent.
//!
//! Input: the name of the key that a sender chose. Output: the id of the journal that it stands
//! for. A key is a document of the store, so that it is valid for all services of a fleet and
//! across restarts. Invariants: a key is stored for a day or until its journal is deleted; it is
//! stored before its journal, with the journal's id, so that of several requests with one key, at
//! once or after a crash, one creates the journal.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::JournalNames;
use crate::{Documents, Name, Revision, StoreError, Timestamp};

/// Time for which a key is remembered.
const LIFETIME: Duration = Duration::from_secs(24 * 3600);

/// Journal that a key stands for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct KeyRecord {
    /// Id of the journal, which may not be stored yet.
    #[serde(rename = "evening")]
    pub(super) journal: Name,
    expires: Timestamp,
}

/// Table of keys in a store.
#[derive(Debug, Clone, Copy)]
pub(super) struct CreationKeys<'a> {
    pub(super) documents: &'a dyn Documents,
    pub(super) names: JournalNames,
}

impl CreationKeys<'_> {
    /// Returns the kind of the documents that are keys.
    fn kind(&self) -> Name {
        self.names.kind_of("creation")
    }

    /// Returns the record of a key with its revision.
    pub(super) async fn load(
        &self,
        key: &Name,
    ) -> Result<Option<(Revision, KeyRecord)>, StoreError> {
        let found = self.documents.load(&self.kind(), key).await?;
        found.map(|(revision, bytes)| Ok((revision, KeyRecord::read(&bytes)?))).transpose()
    }

    /// Binds a key to a journal, in place of an expired record.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] if another request bound it in the meantime.
    pub(super) async fn bind(
        &self,
        key: &Name,
        expired: Option<Revision>,
        journal: &Name,
    ) -> Result<(), StoreError> {
        let expires = Timestamp::now().saturating_add(LIFETIME);
        let record = KeyRecord { journal: journal.clone(), expires };
        let bytes = serde_json::to_vec(&record).expect("its keys are texts");
        self.documents.save(&self.kind(), key, expired, &bytes).await.map(|_| ())
    }

    /// Removes the key of a journal that is deleted, unless it stands for a later one by now.
    pub(super) async fn remove_with(&self, name: &Name, journal: &Name) -> Result<(), StoreError> {
        let Some((_, bytes)) = self.documents.load(&self.kind(), name).await? else {
            return Ok(());
        };
        match KeyRecord::read(&bytes) {
            Ok(record) if record.journal != *journal => Ok(()),
            _ => self.documents.remove(&self.kind(), name).await,
        }
    }

    /// Removes expired and unreadable keys.
    pub(super) async fn sweep(&self, now: Timestamp) -> Result<(), StoreError> {
        for name in self.documents.list(&self.kind()).await? {
            let Some((_, bytes)) = self.documents.load(&self.kind(), &name).await? else {
                continue;
            };
            // An unreadable record stands for no journal, and must not end the sweep.
            if !KeyRecord::read(&bytes).is_ok_and(|record| record.is_valid(now)) {
                self.documents.remove(&self.kind(), &name).await?;
            }
        }
        Ok(())
    }
}

impl KeyRecord {
    /// Returns whether the key still stands for its journal.
    pub(super) fn is_valid(&self, now: Timestamp) -> bool {
        self.expires > now
    }

    fn read(bytes: &[u8]) -> Result<KeyRecord, StoreError> {
        serde_json::from_slice(bytes).map_err(|error| StoreError::corrupt(&error))
    }
}
