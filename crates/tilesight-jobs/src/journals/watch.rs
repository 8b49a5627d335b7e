//! Watched journals: one poll of the store for all viewers of the same journal.
//!
//! Input: a journal. Output: a channel that always holds the last observed state of the journal.
//! Changes by this process are seen at once, changes by other processes within [`TICK`]. Invariant:
//! the polling of a journal stops with its last viewer.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::sleep;

use super::{Journal, JournalStore, Stored};
use crate::{Name, StoreError};

/// Interval at which the store is polled for changes by other processes.
const TICK: Duration = Duration::from_secs(2);

/// Last observed state of a journal.
#[derive(Debug, Clone)]
pub enum Observation<J: Journal> {
    /// The journal exists.
    There(Arc<Stored<J>>),
    /// The journal was removed.
    Gone,
}

/// Journals that are being watched.
#[derive(Debug)]
pub(super) struct Watchers<J: Journal>(Mutex<HashMap<Name, watch::Sender<Observation<J>>>>);

impl<J: Journal> Default for Watchers<J> {
    fn default() -> Watchers<J> {
        Watchers(Mutex::default())
    }
}

impl<J: Journal> Watchers<J> {
    fn all(&self) -> MutexGuard<'_, HashMap<Name, watch::Sender<Observation<J>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Publishes a journal that was saved.
    pub(super) fn saved(&self, found: &Stored<J>) {
        if let Some(seen) = self.all().get(&found.id) {
            see(seen, Observation::There(Arc::new(found.clone())));
        }
    }

    /// Publishes that a journal was removed.
    pub(super) fn removed(&self, id: &Name) {
        if let Some(seen) = self.all().get(id) {
            see(seen, Observation::Gone);
        }
    }

    /// Stops watching a journal unless a new viewer has arrived, and returns whether it stopped.
    fn end(&self, id: &Name) -> bool {
        let mut all = self.all();
        let nobody = all.get(id).is_none_or(|seen| seen.receiver_count() == 0);
        if nobody {
            all.remove(id);
        }
        nobody
    }
}

/// Publishes a state if it is newer: a state that was read before another process saved may arrive
/// after the saved one.
fn see<J: Journal>(seen: &watch::Sender<Observation<J>>, now: Observation<J>) {
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

impl<J: Journal> JournalStore<J> {
    /// Watches a journal, starting with the given state.
    #[must_use]
    pub fn watch(self: &Arc<Self>, found: &Arc<Stored<J>>) -> watch::Receiver<Observation<J>> {
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
    async fn follow(self: Arc<Self>, id: Name, seen: watch::Sender<Observation<J>>) {
        loop {
            tokio::select! {
                () = seen.closed() => {
                    if self.watched.end(&id) {
                        return;
                    }
                }
                () = sleep(TICK) => match self.look_again(&id, &seen).await {
                    Ok(Some(now)) => see(&seen, now),
                    Ok(None) => {}
                    Err(error) => tracing::warn!(%error, "a watched {} can't be loaded; trying again", J::NAMES.kind),
                },
            }
        }
    }

    /// Returns the state of the journal if it differs from the last observed one.
    async fn look_again(
        &self,
        id: &Name,
        seen: &watch::Sender<Observation<J>>,
    ) -> Result<Option<Observation<J>>, StoreError> {
        let known = match &*seen.borrow() {
            Observation::There(found) => found.revision,
            Observation::Gone => return Ok(None),
        };
        match self.documents.revision(&super::kind::<J>(), id).await? {
            Some(revision) if revision == known => Ok(None),
            _ => Ok(Some(match self.load(id).await? {
                Some(found) => Observation::There(Arc::new(found)),
                None => Observation::Gone,
            })),
        }
    }
}
