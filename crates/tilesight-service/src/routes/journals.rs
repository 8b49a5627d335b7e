//! Parts that the endpoints of games and of series share: both are journals, which clients create,
//! view and change.
//!
//! Input: requests, and the [`JournalStore`] of a kind. Output: the journal that a path names, a
//! new journal, a page of a list, and streams of changes. Invariants: a change needs `If-Match`, so
//! that nobody overwrites a revision that they have not seen; a journal belongs to the key that
//! created it, and does not exist for any other; the token of a link shows one journal and changes
//! nothing; a revision is serialized once for all who view it; streams of each kind of journal hold
//! permits of their own.

mod change;
pub(super) mod events;
pub(super) mod file;
mod revision;
pub(super) mod streams;
pub(super) mod views;

use std::sync::Arc;

use axum::extract::{FromRequestParts, Path};
use axum::http::HeaderValue;
use axum::http::header::LOCATION;
use axum::http::request::Parts;
use axum::response::Response;
use tilesight_jobs::journals::{
    JournalCursor, JournalStore, JournalStoreError, StoreErrorOf, Stored,
};
use tilesight_jobs::{Name, StoreError, Timestamp};

pub(super) use self::change::{SentChange, SentJournal, now, precondition, status};
pub(super) use self::revision::{answer_unchanged, has_revision, revision_headers};
use self::streams::StreamPermits;
use self::views::{Viewed, Viewer, Views};
use crate::Service;
use crate::answer::failure::Failure;
use crate::guard::client::Owner;
use crate::input::query::NameInPath;

/// Number of journals on a page of a list by default.
const USUAL: usize = 50;

/// A kind of journal that a service has.
pub(super) trait Journals: Send + Sync + Sized + 'static {
    /// The journals.
    type Journal: Viewed;

    /// Returns those of a service.
    ///
    /// # Errors
    /// When the service stores none.
    fn find(service: &Service) -> Result<Arc<Self>, Failure>;

    /// Returns the store of the journals.
    fn store(&self) -> &Arc<JournalStore<Self::Journal>>;

    /// Returns the permits to follow the journals.
    fn streams(&self) -> &StreamPermits;

    /// Returns the serialized journals.
    fn views(&self) -> &Arc<Views<Self::Journal>>;

    /// Returns the failure of an id that no journal has.
    fn missing() -> Failure;

    /// Returns the failure for an error of the store.
    fn failure(error: StoreErrorOf<Self::Journal>) -> Failure;
}

/// Journal that the path names, if the sender may see it.
pub(super) struct InPath<S: Journals>(pub(super) Arc<S>, pub(super) Stored<S::Journal>);

impl<S: Journals> FromRequestParts<Service> for InPath<S> {
    type Rejection = Failure;

    async fn from_request_parts(
        parts: &mut Parts,
        service: &Service,
    ) -> Result<InPath<S>, Failure> {
        let all = S::find(service)?;
        let Path(id): Path<String> =
            Path::from_request_parts(parts, service).await.map_err(|_| S::missing())?;
        let Ok(owner) = Owner::from_request_parts(parts, service).await;
        let Ok(viewer) = Viewer::from_request_parts(parts, service).await;
        let finding = all.store().find(&id, owner.0.as_deref());
        let found = viewer.in_turn(finding).await.map_err(S::failure)?;
        Ok(InPath(all, found))
    }
}

/// Journal that the token in the path shows.
pub(super) struct Shared<S: Journals> {
    pub(super) all: Arc<S>,
    pub(super) found: Stored<S::Journal>,
    pub(super) token: String,
}

impl<S: Journals> FromRequestParts<Service> for Shared<S> {
    type Rejection = Failure;

    async fn from_request_parts(
        parts: &mut Parts,
        service: &Service,
    ) -> Result<Shared<S>, Failure> {
        let NameInPath(token) = NameInPath::from_request_parts(parts, service).await?;
        let all = S::find(service)?;
        let Ok(viewer) = Viewer::from_request_parts(parts, service).await;
        let finding = all.store().find_shared(&token);
        let found = viewer.in_turn(finding).await.map_err(|error| match error {
            JournalStoreError::Missing(_) => Failure::NoSuchLink,
            other => S::failure(other),
        })?;
        Ok(Shared { all, found, token })
    }
}

/// Removes expired journals of a kind, if the service stores any.
///
/// # Errors
/// Errors of the store.
pub(super) async fn sweep<S: Journals>(
    service: &Service,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Ok(all) = S::find(service) else { return Ok(()) };
    all.store().sweep(now).await.map(|_| ())
}

/// Stores a new journal of the sender, once for each key. Returns `true` if it is new.
///
/// # Errors
/// Errors of the store.
pub(super) async fn create<S: Journals>(
    all: &S,
    journal: S::Journal,
    key: Option<&Name>,
    owner: Owner,
    viewer: &Viewer,
) -> Result<(Stored<S::Journal>, bool), Failure> {
    let address = viewer.client().to_string();
    let creating = all.store().create_for(journal, owner.0, Some(&address), key);
    viewer.in_turn(creating).await.map_err(S::failure)
}

/// Returns an answer that says where its journal is.
pub(super) fn with_location(mut answer: Response, path: &str, id: &Name) -> Response {
    let place = HeaderValue::try_from(format!("{path}/{id}")).expect("hex digits");
    answer.headers_mut().insert(LOCATION, place);
    answer
}

/// Page of a list of journals, newest first.
pub(super) struct ListedPage<T> {
    /// Summaries of the journals.
    pub(super) summaries: Vec<T>,
    /// Value of `before` for the next page; `None` on the last one.
    pub(super) next: Option<String>,
}

impl<T: Send + 'static> ListedPage<T> {
    /// Returns a page of the journals of a key, without those that have no summary.
    ///
    /// # Errors
    /// Errors of the store, and of a process that is stopping.
    pub(super) async fn load<S: Journals>(
        all: &S,
        owner: &str,
        before: Option<&JournalCursor>,
        limit: Option<usize>,
        viewer: &Viewer,
        summary: impl Fn(&Stored<S::Journal>) -> Option<T> + Copy + Send + 'static,
    ) -> Result<ListedPage<T>, Failure> {
        let store = all.store();
        let page = viewer.in_turn(store.page(owner, before, limit.unwrap_or(USUAL))).await?;
        let mut summaries = Vec::new();
        for id in page.ids {
            let found = viewer.in_turn(store.load_listed(&id, owner)).await?;
            let Some(found) = found else { continue };
            summaries.extend(viewer.compute(move || summary(&found)).await?);
        }
        Ok(ListedPage { summaries, next: page.next.map(|next| next.to_string()) })
    }
}
