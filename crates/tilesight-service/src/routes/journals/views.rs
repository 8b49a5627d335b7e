//! Serialized journals: each revision is serialized once per language for all clients that view it.
//!
//! Input: a journal from the store. Output: its bytes, as the body of an answer or as an event; a
//! hundred streams share one allocation. Invariants: of several concurrent requests for a view, one
//! has it serialized and the others wait for the result; clients take turns at serializing, outside
//! the async threads, and it is completed even if the client has left; the cache is bounded in
//! bytes.

use std::convert::Infallible;
use std::fmt;
use std::hash::Hash;
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
use serde::Serialize;
use tilesight_core::explain::Lang;
use tilesight_jobs::journals::{Journal, Stored};
use tilesight_jobs::{Name, Revision};

/// Maximum size of the cache of serialized journals of a kind, in bytes: twenty of the largest
/// games, or the evenings of a thousand tables.
const MAX_CACHE_BYTES: usize = 32 * 1024 * 1024;

/// Readers for whom a journal is serialized as JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(in crate::routes) enum Audience {
    /// Players of a game or organisers of a series: with the ids and the link.
    Players,
    /// Viewers by a link.
    Onlookers,
}

/// A kind of journal that is shown.
pub(in crate::routes) trait Viewed: Journal {
    /// Audience or format for which it is serialized.
    type Form: fmt::Debug + Copy + Eq + Hash + From<Audience> + Send + Sync + 'static;

    /// Returns the language of a form; the same one for all clients if it has no translated words.
    #[must_use]
    fn lang_of(form: Self::Form, lang: Lang) -> Lang;

    /// Serializes a journal.
    ///
    /// # Errors
    /// The failure of a journal whose rules have changed since.
    fn view(found: &Stored<Self>, form: Self::Form, lang: Lang) -> Result<View, Failure>;
}

/// Client that views journals, and the language in which it does.
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

/// Serialized journal: a complete event if it is JSON.
#[derive(Debug, Clone)]
pub(in crate::routes) struct View {
    bytes: Bytes,
    /// Start and end of the body within the bytes.
    body: (usize, usize),
}

impl View {
    /// Returns the body of an answer.
    pub(in crate::routes) fn body(&self) -> Bytes {
        self.bytes.slice(self.body.0..self.body.1)
    }

    /// Returns an event whose id is the revision.
    pub(in crate::routes) fn event(&self) -> Bytes {
        self.bytes.clone()
    }

    /// Returns a file.
    pub(in crate::routes) fn file(file: Vec<u8>) -> View {
        let body = (0, file.len());
        View { bytes: file.into(), body }
    }

    /// Returns JSON, as an event of this name.
    pub(in crate::routes) fn json(event: &str, revision: Revision, view: &impl Serialize) -> View {
        let mut bytes = format!("event: {event}\nid: {}\ndata: ", revision.0).into_bytes();
        let begin = bytes.len();
        serde_json::to_writer(&mut bytes, view).expect("its keys are texts");
        let body = (begin, bytes.len());
        bytes.extend_from_slice(b"\n\n");
        // The view is kept for longer than it took to write.
        bytes.shrink_to_fit();
        View { bytes: bytes.into(), body }
    }
}

/// Identity of a view in the cache.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Key<F> {
    journal: Name,
    revision: Revision,
    form: F,
    lang: Lang,
}

/// Views that are kept.
#[derive(Debug)]
pub(in crate::routes) struct Views<J: Viewed>(Kept<Key<J::Form>, View>);

impl<J: Viewed> Default for Views<J> {
    fn default() -> Views<J> {
        Views(Kept::new(MAX_CACHE_BYTES, |view| view.bytes.len()))
    }
}

impl<J: Viewed> Views<J> {
    /// Returns a journal in serialized form.
    ///
    /// # Errors
    /// The failure of a journal whose rules have changed since, and of a process that is stopping.
    pub(in crate::routes) async fn get(
        &self,
        viewer: &Viewer,
        found: &Arc<Stored<J>>,
        form: J::Form,
    ) -> Result<View, Failure> {
        let lang = J::lang_of(form, viewer.lang);
        let key = Key { journal: found.id.clone(), revision: found.revision, form, lang };
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
                viewer.compute(move || J::view(&found, form, lang)).await?
            })
            .await
            .cloned()
        });
        writing.await.unwrap_or_else(|error| Err(Failure::Internal { cause: error.to_string() }))
    }
}
