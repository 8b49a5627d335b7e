//! A game as server-sent events: each phone at the table sees the entries of the others.
//!
//! Output: `game` whenever the revision has grown, with the whole game, so that a client that
//! missed events has missed nothing; `gone` as the last event when the game was removed. The id of
//! an event is the revision: a client that reconnects with `Last-Event-ID` gets only new events.
//! Invariants: a stream ends with its game and with the service, and holds one of a bounded number
//! of [permits](super::streams); all streams of a game share one observer of the store, and share
//! the bytes that they send.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use tilesight_jobs::evenings::{Observation, StoredEvening};
use tokio::sync::watch;

use super::streams::StreamPermit;
use super::views::{ViewKind, Viewer};
use super::{GameInPath, Games, SharedGame};
use crate::Service;
use crate::answer::events::{EventSource, RETRY, last_event_id, stream_events};
use crate::answer::failure::Failure;
use crate::answer::language::Language;
use crate::openapi::{GameRefusals, LinkRefusals, LinkStreamRefusals};

/// Last event of a game that was removed, or of a link that was revoked.
const GONE: &[u8] = b"event: gone\ndata: {}\n\n";
/// Streams the changes of a game.
///
/// Each `game` event carries the game as `GET /v1/games/{id}` returns it.
#[utoipa::path(get, path = "/v1/games/{id}/events", tag = "games", operation_id = "game_events",
    params(("id" = String, Path, description = "The game."), Language,
        ("Last-Event-ID" = Option<String>, Header, description = "The revision that the client has.")),
    responses((status = 200, description = "Events, as long as somebody listens.", body = String, content_type = "text/event-stream"),
        GameRefusals))]
pub(super) async fn for_players(
    State(service): State<Service>,
    GameInPath(games, found): GameInPath,
    viewer: Viewer,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let permit = games.streams.permit_player(viewer.client(), &found.id)?;
    let seen = games.store.watch(&Arc::new(found));
    let known = known_revision(&headers);
    let source = GameEvents::new(games, viewer, seen, known, permit);
    Ok(stream_events(source, service.stop_signal()))
}

/// Streams the changes of a shared game.
#[utoipa::path(get, path = "/v1/shared-games/{token}/events", tag = "games", operation_id = "shared_game_events",
    params(("token" = String, Path, description = "The token of the link."), Language,
        ("Last-Event-ID" = Option<String>, Header, description = "The revision that the client has.")),
    responses((status = 200, description = "Events, as long as somebody listens.", body = String, content_type = "text/event-stream"),
        LinkStreamRefusals, LinkRefusals))]
pub(super) async fn for_onlookers(
    State(service): State<Service>,
    SharedGame { games, found, token }: SharedGame,
    viewer: Viewer,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let link = found.link(&token).ok_or(Failure::NoSuchGame)?;
    let permit = games.streams.permit_onlooker(viewer.client(), &found.id, &link)?;
    let seen = games.store.watch(&Arc::new(found));
    let known = known_revision(&headers);
    let source =
        GameEvents { token: Some(token), ..GameEvents::new(games, viewer, seen, known, permit) };
    Ok(stream_events(source, service.stop_signal()))
}

/// Returns the revision that a client has.
fn known_revision(headers: &HeaderMap) -> Option<u64> {
    last_event_id(headers).and_then(|id| id.parse().ok())
}

/// Events of a game for one client that watches it.
struct GameEvents {
    games: Arc<Games>,
    seen: watch::Receiver<Observation>,
    /// Token of the viewer's link; `None` for players.
    token: Option<String>,
    viewer: Viewer,
    /// Revision that the client has.
    known: Option<u64>,
    begun: bool,
    ended: bool,
    _permit: StreamPermit,
}

impl EventSource for GameEvents {
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

impl GameEvents {
    fn new(
        games: Arc<Games>,
        viewer: Viewer,
        seen: watch::Receiver<Observation>,
        known: Option<u64>,
        permit: StreamPermit,
    ) -> GameEvents {
        let _permit = permit;
        GameEvents { games, viewer, seen, known, token: None, begun: false, ended: false, _permit }
    }

    /// Returns the game, as long as the client's link is valid.
    fn visible(&self, latest: Observation) -> Option<Arc<StoredEvening>> {
        match (latest, &self.token) {
            (Observation::There(found), Some(token)) => found.link(token).map(|_| found),
            (Observation::There(found), None) => Some(found),
            (Observation::Gone, _) => None,
        }
    }

    /// Returns the game as an event; `None` if the rules have changed since and the game can't be
    /// shown.
    async fn event(&self, found: &Arc<StoredEvening>) -> Option<Bytes> {
        let kind = if self.token.is_some() { ViewKind::Onlookers } else { ViewKind::Players };
        match self.games.views.get(&self.viewer, found, kind).await {
            Ok(view) => Some(view.event()),
            Err(error) => {
                tracing::warn!(?error, "the events of a game ended early");
                None
            }
        }
    }
}
