//! A game as server-sent events: each phone at the table sees the entries of the others.
//!
//! Output: `game` whenever the revision has grown, with the whole game, so that a client that
//! missed events has missed nothing; `gone` as the last event when the game was removed. The id of
//! an event is the revision: a client that reconnects with `Last-Event-ID` gets only new events.
//! Invariants: a stream ends with its game and with the service, and holds one of a bounded number
//! of [places](super::places); all streams of a game share one observer of the store, and share the
//! bytes that they send.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tilesight_core::explain::Lang;
use tilesight_jobs::evenings::{Observation, StoredGame};
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use super::places::Place;
use super::views::ViewKind;
use super::{GameInPath, Games};
use crate::http::Service;
use crate::http::client::Client;
use crate::http::failure::Failure;
use crate::http::input::NameInPath;
use crate::http::language;
use crate::http::openapi::{GameRefusals, Language, LinkRefusals, LinkStreamRefusals};

/// Maximum time without data, before proxies consider the connection dead.
const SILENCE: Duration = Duration::from_secs(15);
/// Comment that is sent after that time.
const ALIVE: &[u8] = b":\n\n";
/// Last event of a game that was removed, or of a link that was revoked.
const GONE: &[u8] = b"event: gone\ndata: {}\n\n";
/// First line of every stream: the delay before a browser reconnects, in milliseconds.
const RETRY: &[u8] = b"retry: 2000\n\n";

/// Streams the changes of a game.
///
/// Each `game` event carries the game as `GET /v1/games/{id}` returns it.
#[utoipa::path(get, path = "/v1/games/{id}/events", tag = "games", operation_id = "game_events",
    params(("id" = String, Path, description = "The game."), Language,
        ("Last-Event-ID" = Option<String>, Header, description = "The revision that the client has.")),
    responses((status = 200, description = "Events, as long as somebody listens.", body = String, content_type = "text/event-stream"),
        GameRefusals))]
pub(super) async fn of_players(
    State(service): State<Service>,
    GameInPath(games, found): GameInPath,
    client: Client,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let seat = Seat { _place: games.places.to_play(&client, &found.id)?, token: None };
    Ok(watched(&service, games, found, seat, &headers))
}

/// Streams the changes of a shared game.
#[utoipa::path(get, path = "/v1/shared-games/{token}/events", tag = "games", operation_id = "shared_game_events",
    params(("token" = String, Path, description = "The token of the link."), Language,
        ("Last-Event-ID" = Option<String>, Header, description = "The revision that the client has.")),
    responses((status = 200, description = "Events, as long as somebody listens.", body = String, content_type = "text/event-stream"),
        LinkStreamRefusals, LinkRefusals))]
pub(super) async fn of_onlookers(
    State(service): State<Service>,
    NameInPath(token): NameInPath,
    client: Client,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let games = service.games()?;
    let found = games.store.shared(&token).await?;
    let link = found.link(&token).ok_or(Failure::NoSuchGame)?;
    let place = games.places.to_look_on(&client, &found.id, &link)?;
    Ok(watched(&service, games, found, Seat { token: Some(token), _place: place }, &headers))
}

fn watched(
    service: &Service,
    games: Arc<Games>,
    found: StoredGame,
    seat: Seat,
    headers: &HeaderMap,
) -> Response {
    let known = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let watched = Watchers {
        seen: games.store.watch(&Arc::new(found)),
        games,
        seat,
        lang: language::preferred(headers),
        known,
        stop: service.stopped(),
        begun: false,
        ended: false,
    };
    let events = stream::unfold(watched, async |mut watched| {
        let event = watched.next().await?;
        Some((Ok::<_, Infallible>(event), watched))
    });
    let headers = [
        (CONTENT_TYPE, "text/event-stream"),
        (CACHE_CONTROL, "no-store"),
        // Proxies such as nginx buffer answers by default; this header disables that.
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    let headers = headers.map(|(name, value)| (name, HeaderValue::from_static(value)));
    (headers, Body::from_stream(events)).into_response()
}

/// Access of a client to the game that it watches.
struct Seat {
    /// Token of the viewer's link; `None` for players.
    token: Option<String>,
    _place: Place,
}

/// Stream of one client that watches a game.
struct Watchers {
    games: Arc<Games>,
    seen: watch::Receiver<Observation>,
    seat: Seat,
    lang: Lang,
    /// Revision that the client has.
    known: Option<u64>,
    stop: watch::Receiver<bool>,
    begun: bool,
    ended: bool,
}

impl Watchers {
    /// Returns the next bytes to send; `None` once the stream has ended.
    async fn next(&mut self) -> Option<Bytes> {
        if !std::mem::replace(&mut self.begun, true) {
            return Some(Bytes::from_static(RETRY));
        }
        let silent = Instant::now() + SILENCE;
        while !self.ended {
            let sight = self.seen.borrow_and_update().clone();
            let Some(found) = self.visible(sight) else {
                self.ended = true;
                return Some(Bytes::from_static(GONE));
            };
            if self.known != Some(found.revision.0) {
                self.known = Some(found.revision.0);
                return self.told(&found).await;
            }
            tokio::select! {
                seen = self.seen.changed() => seen.ok()?,
                () = sleep_until(silent) => return Some(Bytes::from_static(ALIVE)),
                // The client reconnects to another process of the service.
                _ = self.stop.wait_for(|stop| *stop) => return None,
            }
        }
        None
    }

    /// Returns the game, as long as the client's link is valid.
    fn visible(&self, sight: Observation) -> Option<Arc<StoredGame>> {
        match (sight, &self.seat.token) {
            (Observation::There(found), Some(token)) => found.link(token).map(|_| found),
            (Observation::There(found), None) => Some(found),
            (Observation::Gone, _) => None,
        }
    }

    /// Returns the game as an event; `None` if the rules have changed since and the game can't be
    /// shown.
    async fn told(&self, found: &Arc<StoredGame>) -> Option<Bytes> {
        let form = if self.seat.token.is_some() { ViewKind::Onlookers } else { ViewKind::Players };
        let view = self.games.views.get(found, form, self.lang).await;
        let view =
            view.inspect_err(|error| tracing::warn!(%error, "the events of a game ended early"));
        Some(view.ok()?.event())
    }
}
