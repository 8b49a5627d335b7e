//! Games that are watched: one look at the store for all who watch the same one.
//!
//! Input: a game. Output: a channel that always holds the game as it was last seen. What this
//! process changes is seen at once, what another one changes within [`TICK`]. Invariant: anyone who
//! looks at the store ends with the last who watches.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::sleep;

use super::{GameStore, StoredGame};
use crate::jobs::{Name, StoreError};

/// How often the store is asked for what other processes wrote.
const TICK: Duration = Duration::from_secs(2);

/// What was last seen of a game.
#[derive(Debug, Clone)]
pub enum Observation {
    /// It is there.
    There(Arc<StoredGame>),
    /// It was removed.
    Gone,
}

/// The games that are watched.
#[derive(Debug, Default)]
pub(super) struct Watchers(Mutex<HashMap<Name, watch::Sender<Observation>>>);

impl Watchers {
    fn all(&self) -> MutexGuard<'_, HashMap<Name, watch::Sender<Observation>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A game was saved.
    pub(super) fn saved(&self, found: &StoredGame) {
        if let Some(seen) = self.all().get(&found.id) {
            see(seen, Observation::There(Arc::new(found.clone())));
        }
    }

    /// A game was removed.
    pub(super) fn removed(&self, game: &Name) {
        if let Some(seen) = self.all().get(game) {
            see(seen, Observation::Gone);
        }
    }

    /// Ends the watch over a game, unless somebody has come again.
    fn end(&self, game: &Name) -> bool {
        let mut all = self.all();
        let nobody = all.get(game).is_none_or(|seen| seen.receiver_count() == 0);
        if nobody {
            all.remove(game);
        }
        nobody
    }
}

/// Passes on what is news: what was read before somebody saved may come after it.
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

impl GameStore {
    /// Watches a game, from what was just found on.
    #[must_use]
    pub fn watch(self: &Arc<Self>, found: &Arc<StoredGame>) -> watch::Receiver<Observation> {
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

    /// Looks at the store as long as somebody watches.
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

    /// The game where it is another than the one that was seen.
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
