//! Serialized games: each revision is serialized once per language for all clients that view it.
//!
//! Input: a game from the store. Output: its bytes, as the body of an answer or as an event; a
//! hundred streams share one allocation. Invariants: of several concurrent requests for a view, one
//! has it serialized and the others wait for the result; clients take turns at serializing, outside
//! the async threads, and it is completed even if the client has left; the cache is bounded in
//! bytes.

use std::convert::Infallible;
use std::sync::Arc;

use crate::Service;
use crate::answer::failure::Failure;
use crate::answer::language::Language;
use crate::guard::admission::{Turns, WorkSize};
use crate::guard::client::Client;
use crate::kept::Kept;
use axum::body::Bytes;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use tilesight_core::evening::GameView;
use tilesight_core::explain::Lang;
use tilesight_jobs::evenings::StoredEvening;
use tilesight_jobs::score_sheet::{ScoreSheetError, SheetFormat, score_sheet};
use tilesight_jobs::{Name, Revision};

/// Maximum size of the cache of serialized games, in bytes: twenty of the largest, or the evenings
/// of a thousand tables.
const MAX_CACHE_BYTES: usize = 32 * 1024 * 1024;

/// Audience or format for which a game is serialized.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum ViewKind {
    /// JSON for players, with the game's id and its link.
    Players,
    /// JSON for viewers.
    Onlookers,
    /// File for spreadsheets.
    File(SheetFormat),
}

/// Client that views games, and the language in which it does.
#[derive(Debug, Clone)]
pub(in crate::routes) struct Viewer {
    turns: Turns,
    lang: Lang,
}

impl FromRequestParts<Service> for Viewer {
    type Rejection = Infallible;

    async fn from_request_parts(
        parts: &mut Parts,
        service: &Service,
    ) -> Result<Viewer, Infallible> {
        let turns = Turns::from_request_parts(parts, service).await?;
        let Language(lang) = Language::from_request_parts(parts, service).await?;
        Ok(Viewer { turns, lang })
    }
}

impl Viewer {
    pub(in crate::routes) fn client(&self) -> &Client {
        self.turns.client()
    }

    pub(in crate::routes) fn lang(&self) -> Lang {
        self.lang
    }

    /// Runs work on a score sheet once it is this client's turn.
    pub(in crate::routes) async fn compute<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Failure> {
        self.turns.compute(WorkSize::Sheet, work).await
    }

    /// Uses a store of score sheets once it is this client's turn.
    pub(in crate::routes) async fn in_turn<T>(&self, using: impl Future<Output = T>) -> T {
        self.turns.use_store(using).await
    }
}

/// Serialized game: a complete event if it is JSON.
#[derive(Debug, Clone)]
pub(super) struct View {
    bytes: Bytes,
    /// Start and end of the body within the bytes.
    body: (usize, usize),
}

impl View {
    /// Returns the body of an answer.
    pub(super) fn body(&self) -> Bytes {
        self.bytes.slice(self.body.0..self.body.1)
    }

    /// Returns an event whose id is the revision.
    pub(super) fn event(&self) -> Bytes {
        self.bytes.clone()
    }

    fn file(file: Vec<u8>) -> View {
        let body = (0, file.len());
        View { bytes: file.into(), body }
    }

    fn json(revision: Revision, view: &GameView) -> View {
        let mut bytes = format!("event: game\nid: {}\ndata: ", revision.0).into_bytes();
        let begin = bytes.len();
        serde_json::to_writer(&mut bytes, view).expect("its keys are texts");
        let body = (begin, bytes.len());
        bytes.extend_from_slice(b"\n\n");
        // The view is kept for longer than it took to write.
        bytes.shrink_to_fit();
        View { bytes: bytes.into(), body }
    }

    fn new(found: &StoredEvening, kind: ViewKind, lang: Lang) -> Result<View, Failure> {
        Ok(match kind {
            ViewKind::Players => View::json(found.revision, &found.view(lang)?),
            ViewKind::Onlookers => View::json(found.revision, &found.view_of_onlookers(lang)?),
            ViewKind::File(format) => {
                View::file(score_sheet(&found.document.journal, format).map_err(failure_of)?)
            }
        })
    }
}

/// Returns the failure of a file that could not be written.
fn failure_of(error: ScoreSheetError) -> Failure {
    match error {
        ScoreSheetError::Game(error) => error.into(),
        other => Failure::Internal { cause: other.to_string() },
    }
}

/// Identity of a view in the cache.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key {
    game: Name,
    revision: Revision,
    kind: ViewKind,
    lang: Lang,
}

/// Views that are kept.
#[derive(Debug)]
pub(super) struct Views(Kept<Key, View>);

impl Default for Views {
    fn default() -> Views {
        Views(Kept::new(MAX_CACHE_BYTES, |view| view.bytes.len()))
    }
}

impl Views {
    /// Returns a game in serialized form.
    ///
    /// # Errors
    /// The failure of a game whose rules have changed since, and of a process that is stopping.
    pub(super) async fn get(
        &self,
        viewer: &Viewer,
        found: &Arc<StoredEvening>,
        kind: ViewKind,
    ) -> Result<View, Failure> {
        // A file has no translated words.
        let is_file = matches!(kind, ViewKind::File(_));
        let lang = if is_file { Lang::default() } else { viewer.lang };
        let key = Key { game: found.id.clone(), revision: found.revision, kind, lang };
        let view = self.0.cell(key);
        if let Some(view) = view.get() {
            return Ok(view.clone());
        }
        let viewer = viewer.clone();
        let found = Arc::clone(found);
        // The view is serialized in a task of its own, so that it is ready for the next request
        // even if this one ends.
        let writing = tokio::spawn(async move {
            view.get_or_try_init(async || {
                viewer.compute(move || View::new(&found, kind, lang)).await?
            })
            .await
            .cloned()
        });
        writing.await.unwrap_or_else(|error| Err(Failure::Internal { cause: error.to_string() }))
    }
}
