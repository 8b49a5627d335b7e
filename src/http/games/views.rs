//! Games as they are sent: written out once for all who look at the same revision in the same
//! language.
//!
//! Input: a game as it was found. Output: its bytes, as the body of an answer or as an event; a
//! hundred streams share one allocation. Invariants: of those who ask at once one has it written
//! and the others wait for it; it is written beside the async threads, also when the client has
//! left; what is kept for the next who asks is bounded in bytes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use tilesight_core::explain::Lang;
use tilesight_core::game::{GameError, GameView, csv};
use tokio::sync::OnceCell;

use crate::games::{GameStore, GameStoreError, StoredGame};
use crate::jobs::{Name, Revision, StoreError};

/// Bytes of written games that are cache: a score of the largest, or the evenings of a thousand
/// tables.
const MOST_BYTES: usize = 32 * 1024 * 1024;
/// As what the smallest counts, so that their number is bounded too.
const LEAST_BYTES: usize = 4096;

/// For whom a game is written, or as what.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum ViewKind {
    /// For those who play: with its id and its link.
    Players,
    /// For those who look on.
    Onlookers,
    /// As a table, in CSV.
    Table,
}

/// A game that was written out: all of it as an event where it is JSON.
#[derive(Debug, Clone)]
pub(super) struct View {
    bytes: Bytes,
    /// Where the body begins and ends.
    body: (usize, usize),
}

impl View {
    /// As the body of an answer.
    pub(super) fn body(&self) -> Bytes {
        self.bytes.slice(self.body.0..self.body.1)
    }

    /// As an event whose id is the revision.
    pub(super) fn event(&self) -> Bytes {
        self.bytes.clone()
    }

    fn table(table: String) -> View {
        let body = (0, table.len());
        View { bytes: table.into(), body }
    }

    fn json(revision: Revision, view: &GameView) -> View {
        let mut bytes = format!("event: game\nid: {}\ndata: ", revision.0).into_bytes();
        let begin = bytes.len();
        serde_json::to_writer(&mut bytes, view).expect("its keys are texts");
        let body = (begin, bytes.len());
        bytes.extend_from_slice(b"\n\n");
        // GameDocument for longer than it took to write.
        bytes.shrink_to_fit();
        View { bytes: bytes.into(), body }
    }

    fn of(found: &StoredGame, kind: ViewKind, lang: Lang) -> Result<View, GameError> {
        let json = |view| View::json(found.revision, &view);
        match kind {
            ViewKind::Players => found.view(lang).map(json),
            ViewKind::Onlookers => found.view_of_onlookers(lang).map(json),
            ViewKind::Table => csv(&found.document.game).map(View::table),
        }
    }
}

/// What tells one view from another.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    game: Name,
    revision: Revision,
    kind: ViewKind,
    lang: Lang,
}

/// The views that were asked for last.
#[derive(Debug)]
pub(super) struct Views {
    store: Arc<GameStore>,
    cache: Mutex<Cache>,
}

#[derive(Debug, Default)]
struct Cache {
    views: HashMap<Key, CachedView>,
    /// Grows with every look.
    time: u64,
}

#[derive(Debug)]
struct CachedView {
    view: Arc<OnceCell<View>>,
    looked_at: u64,
}

impl CachedView {
    fn size(&self) -> usize {
        self.view.get().map_or(0, |view| view.bytes.len()).max(LEAST_BYTES)
    }
}

impl Views {
    pub(super) fn new(store: Arc<GameStore>) -> Views {
        Views { store, cache: Mutex::default() }
    }

    /// A game as it is sent.
    ///
    /// # Errors
    /// [`GameStoreError::Game`] where the rules have changed since, and those of a process that
    /// ends.
    pub(super) async fn of(
        &self,
        found: &Arc<StoredGame>,
        kind: ViewKind,
        lang: Lang,
    ) -> Result<View, GameStoreError> {
        let key = Key { game: found.id.clone(), revision: found.revision, kind, lang };
        let view = self.place(key);
        if let Some(view) = view.get() {
            return Ok(view.clone());
        }
        let (store, found) = (Arc::clone(&self.store), Arc::clone(found));
        // A task of its own: should this request end, it is written for the next.
        let writing = tokio::spawn(async move {
            let write = async || {
                store
                    .compute(move || View::of(&found, kind, lang))
                    .await?
                    .map_err(GameStoreError::from)
            };
            view.get_or_try_init(write).await.cloned()
        });
        match writing.await {
            Ok(written) => written,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(error) => Err(StoreError::unavailable(&error).into()),
            },
        }
    }

    /// The place of a view, be it written or not.
    fn place(&self, key: Key) -> Arc<OnceCell<View>> {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        cache.time += 1;
        let time = cache.time;
        let recent = cache.views.entry(key);
        let recent = recent.or_insert_with(|| CachedView { view: Arc::default(), looked_at: 0 });
        recent.looked_at = time;
        let view = Arc::clone(&recent.view);
        if !view.initialized() {
            cache.make_room();
        }
        view
    }
}

impl Cache {
    /// Drops what was not looked at for the longest time. What was asked for last stays: how much
    /// it takes is known when the next is asked for.
    fn make_room(&mut self) {
        let mut bytes: usize = self.views.values().map(CachedView::size).sum();
        while bytes > MOST_BYTES && self.views.len() > 1 {
            let oldest = self.views.iter().min_by_key(|(_, recent)| recent.looked_at);
            let Some(oldest) = oldest.map(|(key, _)| key.clone()) else { return };
            bytes -= self.views.remove(&oldest).map_or(0, |recent| recent.size());
        }
    }
}
