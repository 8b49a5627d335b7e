//! Watched evenings: one poll of the store for all viewers of the same evening.
//!
//! Input: an evening. Output: a channel that always holds the last observed state of the evening.
//! Changes by this process are seen at once, changes by other processes within [`TICK`]. Invariant:
//! the polling of an evening stops with its last viewer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::sleep;

use super::{EveningStore, StoredEvening};
use crate::{Name, StoreError};

/// Interval at which the store is polled for changes by other processes.
const TICK: Duration = Duration::from_secs(2);

/// Last observed state of an evening.
#[derive(Debug, Clone)]
pub enum Observation {
    /// The evening exists.
    There(Arc<StoredEvening>),
    /// The evening was removed.
    Gone,
}

/// Evenings that are being watched.
#[derive(Debug, Default)]
pub(super) struct Watchers(Mutex<HashMap<Name, watch::Sender<Observation>>>);

impl Watchers {
    fn all(&self) -> MutexGuard<'_, HashMap<Name, watch::Sender<Observation>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Publishes an evening that was saved.
    pub(super) fn saved(&self, found: &StoredEvening) {
        if let Some(seen) = self.all().get(&found.id) {
            see(seen, Observation::There(Arc::new(found.clone())));
        }
    }

    /// Publishes that an evening was removed.
    pub(super) fn removed(&self, game: &Name) {
        if let Some(seen) = self.all().get(game) {
            see(seen, Observation::Gone);
        }
    }

    /// Stops watching an evening unless a new viewer has arrived, and returns whether it stopped.
    fn end(&self, game: &Name) -> bool {
        let mut all = self.all();
        let nobody = all.get(game).is_none_or(|seen| seen.receiver_count() == 0);
        if nobody {
            all.remove(game);
        }
        nobody
    }
}

/// Publishes a state if it is newer: a state that was read before another process saved may arrive
/// after the saved one.
fn see(seen: &watch::Sender<Observation>, now: Observation) {
    seen.send_if_modified(|before| {
        let news = match (&*before, &now) {
            (Observation::There(before), Observation::There(now)) => now.revision > before.revision,
            (Observation::There(_), Observation::Gone) => true,
            (Observation::Gone, _) => false,
        };
        if news {
            *before = now;
        }
        news
    });
}

impl EveningStore {
    /// Watches an evening, starting with the given state.
    #[must_use]
    pub fn watch(self: &Arc<Self>, found: &Arc<StoredEvening>) -> watch::Receiver<Observation> {
        let mut all = self.watched.all();
        if let Some(seen) = all.get(&found.id) {
            let receiver = seen.subscribe();
            see(seen, Observation::There(Arc::clone(found)));
            return receiver;
        }
        let (seen, receiver) = watch::channel(Observation::There(Arc::clone(found)));
        all.insert(found.id.clone(), seen.clone());
        tokio::spawn(Arc::clone(self).follow(found.id.clone(), seen));
        receiver
    }

    /// Polls the store as long as there are viewers.
    async fn follow(self: Arc<Self>, game: Name, seen: watch::Sender<Observation>) {
        loop {
            tokio::select! {
                () = seen.closed() => {
                    if self.watched.end(&game) {
                        return;
                    }
                }
                () = sleep(TICK) => match self.look_again(&game, &seen).await {
                    Ok(Some(now)) => see(&seen, now),
                    Ok(None) => {}
                    Err(error) => tracing::warn!(%error, "a watched game can't be loaded; trying again"),
                },
            }
        }
    }

    /// Returns the state of the evening if it differs from the last observed one.
    async fn look_again(
        &self,
        game: &Name,
        seen: &watch::Sender<Observation>,
    ) -> Result<Option<Observation>, StoreError> {
        let known = match &*seen.borrow() {
            Observation::There(found) => found.revision,
            Observation::Gone => return Ok(None),
        };
        match self.documents.revision(&super::games(), game).await? {
            Some(revision) if revision == known => Ok(None),
            _ => Ok(Some(match self.load(game).await? {
                Some(found) => Observation::There(Arc::new(found)),
                None => Observation::Gone,
            })),
        }
    }
}
