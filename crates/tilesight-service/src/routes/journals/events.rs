//! A journal as server-sent events: each phone at the table sees the entries of the others, and
//! those who look on at a series see every result.
//!
//! Output: an event with the whole journal whenever the revision has grown, so that a client that
//! missed events has missed nothing; `gone` as the last event when the journal was removed. The id
//! of an event is the revision: a client that reconnects with `Last-Event-ID` gets only new events.
//! Invariants: a stream ends with its journal and with the service, and holds one of a bounded
//! number of [permits](super::streams); all streams of a journal share one observer of the store,
//! and share the bytes that they send.

use std::sync::Arc;

use axum::body::Bytes;
use axum::http::HeaderMap;
use axum::response::Response;
use tilesight_jobs::journals::{Observation, Stored};
use tokio::sync::watch;

use super::streams::StreamPermit;
use super::views::{Audience, Viewed, Viewer, Views};
use super::{InPath, Journals, Shared};
use crate::Service;
use crate::answer::events::{EventSource, RETRY, last_event_id, stream_events};
use crate::answer::failure::Failure;

/// Last event of a journal that was removed, or of a link that was revoked.
const GONE: &[u8] = b"event: gone\ndata: {}\n\n";

/// Streams the changes of a journal to a player or an organiser.
///
/// # Errors
/// [`Failure::Crowded`] if no permit is left.
pub(in crate::routes) fn stream<S: Journals>(
    service: &Service,
    InPath(all, found): InPath<S>,
    viewer: Viewer,
    headers: &HeaderMap,
) -> Result<Response, Failure> {
    let permit = all.streams().permit_player(viewer.client(), &found.id)?;
    let seen = all.store().watch(&Arc::new(found));
    let events = JournalEvents::new(all.views(), viewer, seen, headers, permit);
    Ok(stream_events(events, service.stop_signal()))
}

/// Streams the changes of a shared journal, as long as its link is valid.
///
/// # Errors
/// [`Failure::Crowded`] if no permit is left, and the failure of a link that was revoked.
pub(in crate::routes) fn stream_shared<S: Journals>(
    service: &Service,
    Shared { all, found, token }: Shared<S>,
    viewer: Viewer,
    headers: &HeaderMap,
) -> Result<Response, Failure> {
    let link = found.link(&token).ok_or_else(S::missing)?;
    let permit = all.streams().permit_onlooker(viewer.client(), &found.id, &link)?;
    let seen = all.store().watch(&Arc::new(found));
    let events = JournalEvents::new(all.views(), viewer, seen, headers, permit).for_link(token);
    Ok(stream_events(events, service.stop_signal()))
}

/// Events of a journal for one client that watches it.
struct JournalEvents<J: Viewed> {
    views: Arc<Views<J>>,
    seen: watch::Receiver<Observation<J>>,
    /// Token of the viewer's link; `None` for players and organisers.
    token: Option<String>,
    viewer: Viewer,
    /// Revision that the client has.
    known: Option<u64>,
    begun: bool,
    ended: bool,
    _permit: StreamPermit,
}

impl<J: Viewed> EventSource for JournalEvents<J> {
    async fn next(&mut self) -> Option<Bytes> {
        if !std::mem::replace(&mut self.begun, true) {
            return Some(Bytes::from(format!("{RETRY}\n")));
        }
        while !self.ended {
            let latest = self.seen.borrow_and_update().clone();
            let Some(found) = self.visible(latest) else {
                self.ended = true;
                return Some(Bytes::from_static(GONE));
            };
            if self.known != Some(found.revision.0) {
                let event = self.event(&found).await;
                self.known = Some(found.revision.0);
                return event;
            }
            self.seen.changed().await.ok()?;
        }
        None
    }
}

impl<J: Viewed> JournalEvents<J> {
    /// Returns the events after the revision that a client has, by its headers.
    fn new(
        views: &Arc<Views<J>>,
        viewer: Viewer,
        seen: watch::Receiver<Observation<J>>,
        headers: &HeaderMap,
        permit: StreamPermit,
    ) -> JournalEvents<J> {
        JournalEvents {
            views: Arc::clone(views),
            seen,
            token: None,
            viewer,
            known: last_event_id(headers).and_then(|id| id.parse().ok()),
            begun: false,
            ended: false,
            _permit: permit,
        }
    }

    /// Returns these events for a viewer, as long as the link is valid.
    fn for_link(self, token: String) -> JournalEvents<J> {
        JournalEvents { token: Some(token), ..self }
    }

    /// Returns the journal, as long as the client's link is valid.
    fn visible(&self, latest: Observation<J>) -> Option<Arc<Stored<J>>> {
        match (latest, &self.token) {
            (Observation::There(found), Some(token)) => found.link(token).map(|_| found),
            (Observation::There(found), None) => Some(found),
            (Observation::Gone, _) => None,
        }
    }

    /// Returns the journal as an event; `None` if the rules have changed since and it can't be
    /// shown.
    async fn event(&self, found: &Arc<Stored<J>>) -> Option<Bytes> {
        let audience = if self.token.is_some() { Audience::Onlookers } else { Audience::Players };
        match self.views.get(&self.viewer, found, audience.into()).await {
            Ok(view) => Some(view.event()),
            Err(error) => {
                tracing::warn!(?error, "the events of a {} ended early", J::NAMES.kind);
                None
            }
        }
    }
}
