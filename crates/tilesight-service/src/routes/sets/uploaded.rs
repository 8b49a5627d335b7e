//! Own sets that keys uploaded, as documents of the store of jobs.
//!
//! Input: a key's name, and sets. Output: the sets of that key. A document is the file of a set;
//! its kind has the hash of the key's name, its id that of the set's. Invariant: a key's documents
//! are found under its own kind only, so no key reads or counts those of another.

use std::sync::Arc;

use sha2::{Digest as _, Sha256};
use tilesight_core::contract::SetName;
use tilesight_core::hex;
use tilesight_jobs::{Name, Revision, Store, StoreError};
use tilesight_vision::sets::OwnSet;

use crate::Service;
use crate::answer::failure::Failure;
use crate::guard::client::Client;

/// Maximum number of sets of one key: reading a photo with `auto` compares it with each.
pub(super) const MAX_SETS: usize = 16;
/// Number of bytes of a hash in a name.
const HASH_BYTES: usize = 16;
/// Maximum number of attempts to save a set that another request saves too.
const MAX_ATTEMPTS: usize = 5;

/// Uploaded sets of one key.
#[derive(Debug)]
pub(super) struct UploadedSets {
    store: Arc<dyn Store>,
    kind: Name,
}

impl UploadedSets {
    /// Returns the sets of a client.
    ///
    /// # Errors
    /// [`Failure::KeylessSets`] and [`Failure::NoSetStore`].
    pub(super) fn for_client(service: &Service, client: &Client) -> Result<UploadedSets, Failure> {
        let Client::Key(key) = client else { return Err(Failure::KeylessSets) };
        let jobs = service.jobs().map_err(|_| Failure::NoSetStore)?;
        let kind = format!("set-{}", hash(key)).parse().expect("hex digits");
        Ok(UploadedSets { store: Arc::clone(&jobs.backend().store), kind })
    }

    /// Returns all sets, in the order of their names.
    pub(super) async fn all(&self) -> Result<Vec<OwnSet>, Failure> {
        let mut sets = Vec::new();
        for id in self.store.list(&self.kind).await? {
            sets.extend(self.load(&id).await?.map(|(_, set)| set));
        }
        sets.sort_by(|one: &OwnSet, other| one.name().cmp(other.name()));
        Ok(sets)
    }

    /// Returns a set.
    pub(super) async fn get(&self, name: &SetName) -> Result<Option<OwnSet>, Failure> {
        Ok(self.load(&id_of(name)).await?.map(|(_, set)| set))
    }

    async fn load(&self, id: &Name) -> Result<Option<(Revision, OwnSet)>, Failure> {
        let Some((revision, bytes)) = self.store.load(&self.kind, id).await? else {
            return Ok(None);
        };
        let set = OwnSet::from_bytes(&bytes).map_err(|error| StoreError::corrupt(&error))?;
        Ok(Some((revision, set)))
    }

    /// Saves a set. Returns whether it is new.
    ///
    /// # Errors
    /// [`Failure::TooManySets`], and those of the store.
    pub(super) async fn save(&self, set: &OwnSet) -> Result<bool, Failure> {
        let id = id_of(set.name());
        let bytes = set.to_bytes();
        let mut attempt = 1;
        loop {
            let before = self.store.revision(&self.kind, &id).await?;
            if before.is_none() && self.store.list(&self.kind).await?.len() >= MAX_SETS {
                return Err(Failure::TooManySets { max: MAX_SETS });
            }
            match self.store.save(&self.kind, &id, before, &bytes).await {
                Err(StoreError::Conflict) if attempt < MAX_ATTEMPTS => attempt += 1,
                saved => return Ok(saved.map(|_| before.is_none())?),
            }
        }
    }

    /// Removes a set. Returns whether there was one.
    pub(super) async fn remove(&self, name: &SetName) -> Result<bool, Failure> {
        let id = id_of(name);
        let found = self.store.revision(&self.kind, &id).await?.is_some();
        self.store.remove(&self.kind, &id).await?;
        Ok(found)
    }
}

/// Returns the id of a set's document: names of sets may have characters that ids have not.
fn id_of(name: &SetName) -> Name {
    hash(name.as_str()).parse().expect("hex digits")
}

fn hash(text: &str) -> String {
    hex::encode(&Sha256::digest(text.as_bytes())[..HASH_BYTES])
}
