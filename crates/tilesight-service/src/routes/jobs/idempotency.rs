//! `Idempotency-Key`: a client that got no answer repeats its request, and there is still only one
//! job.
//!
//! Input: the name of a client's key, and the outcome of the request. Output: whether the request
//! is new, known, or still being processed. A key is a document of the store, so that it is valid
//! for all services of a fleet and across restarts. Invariants: a key is stored for a day; it is
//! bound to a request only once the whole request was received; if a service dies while it
//! processes a request, the key is released within [`CLAIM`].

use std::sync::Arc;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tilesight_jobs::{JobId, Name, Revision, Store, StoreError, Timestamp};

use crate::answer::failure::Failure;

/// Time for which a key is remembered.
const LIFETIME: Duration = Duration::from_secs(24 * 3600);
/// Time for which a request holds its key without a renewal.
const CLAIM: Duration = Duration::from_secs(30);
/// Interval between renewals: two in a row may get lost.
pub(super) const RENEWAL: Duration = Duration::from_secs(10);

/// Stored state of a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct KeyRecord {
    job: JobId,
    expires: Timestamp,
    state: KeyState,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum KeyState {
    /// A request with this key is being received.
    InFlight { until: Timestamp },
    /// A request with this fingerprint was received.
    Received { fingerprint: String },
}

/// Result of claiming a key for a request.
#[derive(Debug)]
pub(super) enum ClaimResult {
    /// No other request has the key: the request holds it now.
    New(Claim),
    /// A request with this key was received before, and created this job.
    Again {
        /// Job that the request created.
        job: JobId,
        /// Fingerprint of the request.
        fingerprint: String,
    },
}

/// Key held by the request that is being received.
#[derive(Debug)]
pub(super) struct Claim {
    store: Arc<dyn Store>,
    name: Name,
    revision: Revision,
    entry: KeyRecord,
}

fn kind() -> Name {
    "idempotency".parse().expect("a name")
}

/// Looks up a key, and claims it if it is free.
pub(super) async fn begin(
    store: &Arc<dyn Store>,
    name: Name,
    job: JobId,
) -> Result<ClaimResult, Failure> {
    let now = Timestamp::now();
    let known = store.load(&kind(), &name).await?;
    let revision = known.as_ref().map(|(revision, _)| *revision);
    let known = known.map(|(_, bytes)| read(&bytes)).transpose()?;
    match known.filter(|entry| entry.expires > now) {
        Some(KeyRecord { state: KeyState::InFlight { until }, .. }) if until > now => {
            let wait = until.0.saturating_sub(now.0).div_ceil(1000).max(1);
            return Err(Failure::InFlight { wait });
        }
        Some(KeyRecord { job, state: KeyState::Received { fingerprint }, .. }) => {
            return Ok(ClaimResult::Again { job, fingerprint });
        }
        // The service that held the claim died: no client knows of that job, and it was never
        // sealed.
        Some(KeyRecord { job, state: KeyState::InFlight { .. }, .. }) => store.delete(&job).await?,
        None => {}
    }
    let state = KeyState::InFlight { until: now.saturating_add(CLAIM) };
    let entry = KeyRecord { job, expires: now.saturating_add(LIFETIME), state };
    match store.save(&kind(), &name, revision, &bytes(&entry)).await {
        Ok(revision) => {
            Ok(ClaimResult::New(Claim { store: Arc::clone(store), name, revision, entry }))
        }
        Err(StoreError::Conflict) => Err(Failure::InFlight { wait: 1 }),
        Err(error) => Err(error.into()),
    }
}

/// Removes a key whose job was deleted.
pub(super) async fn delete(store: &dyn Store, name: &Name) -> Result<(), StoreError> {
    store.remove(&kind(), name).await
}

pub(super) async fn sweep(store: &dyn Store, now: Timestamp) -> Result<(), StoreError> {
    for name in store.list(&kind()).await? {
        let Some((_, bytes)) = store.load(&kind(), &name).await? else { continue };
        if read(&bytes)?.expires <= now {
            store.remove(&kind(), &name).await?;
        }
    }
    Ok(())
}

impl Claim {
    /// Returns the name of the key, by which it is found when its job is deleted.
    pub(super) fn name(&self) -> &Name {
        &self.name
    }

    pub(super) async fn renew(&mut self) -> Result<(), Failure> {
        self.become_(KeyState::InFlight { until: Timestamp::now().saturating_add(CLAIM) }).await
    }

    /// Binds the key to the request, which was received completely.
    pub(super) async fn received(mut self, fingerprint: String) -> Result<(), Failure> {
        self.become_(KeyState::Received { fingerprint }).await
    }

    /// Releases the key of a failed request.
    pub(super) async fn release(self) -> Result<(), StoreError> {
        self.store.remove(&kind(), &self.name).await
    }

    async fn become_(&mut self, state: KeyState) -> Result<(), Failure> {
        self.entry.state = state;
        let bytes = bytes(&self.entry);
        match self.store.save(&kind(), &self.name, Some(self.revision), &bytes).await {
            Ok(revision) => {
                self.revision = revision;
                Ok(())
            }
            // The claim was not renewed in time, and another request with the key took over.
            Err(StoreError::Conflict) => Err(Failure::InFlight { wait: 1 }),
            Err(error) => Err(error.into()),
        }
    }
}

fn bytes(entry: &KeyRecord) -> Vec<u8> {
    serde_json::to_vec(entry).expect("its keys are texts")
}

fn read(bytes: &[u8]) -> Result<KeyRecord, StoreError> {
    serde_json::from_slice(bytes).map_err(|error| StoreError::corrupt(&error))
}
