//! A game as server-sent events: each phone at the table sees what another one enters.
//!
//! Output: `game` whenever its revision grew, carrying the whole game, so that a client that missed
//! some has missed nothing; `gone` as the last one when the game was removed. The id of an event is
//! the revision: a client that comes back with `Last-Event-ID` gets only what is new to it.
//! Invariants: a stream ends with its game and with the service, and holds one of a bounded number
//! of [places](super::places); all streams of a game look at the store together, and share what
//! they send.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tilesight_core::contract::Problem;
use tilesight_core::explain::Lang;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use super::places::Place;
use super::views::ViewKind;
use super::{GameInPath, Games};
use crate::games::{Observation, StoredGame};
use crate::http::Service;
use crate::http::client::Client;
use crate::http::failure::Failure;
use crate::http::input::NameInPath;
use crate::http::language;
use crate::http::openapi::{Language, Unavailable};

/// How long nothing may be sent before proxies take the connection for a dead one.
const SILENCE: Duration = Duration::from_secs(15);
/// What is sent then: a comment.
const ALIVE: &[u8] = b":\n\n";
/// The last event of a game that was removed, or of a link that was taken back.
const GONE: &[u8] = b"event: gone\ndata: {}\n\n";
/// When a browser comes back after its connection broke, in milliseconds: the first line of every
/// stream.
const RETRY: &[u8] = b"retry: 2000\n\n";

/// A game as it changes.
///
/// `game` carries the game as `GET /v1/games/{id}` answers it.
#[utoipa::path(get, path = "/v1/games/{id}/events", tag = "games", operation_id = "game_events",
    params(("id" = String, Path, description = "The game."), Language,
        ("Last-Event-ID" = Option<String>, Header, description = "The revision that the client has.")),
    responses((status = 200, description = "Events, as long as somebody listens.", body = String, content_type = "text/event-stream"),
        (status = 404, description = "The game does not exist, or belongs to another key.", body = Problem, content_type = "application/problem+json"),
        (status = 500, description = "The service failed.", body = Problem, content_type = "application/problem+json"), Unavailable))]
pub(super) async fn of_players(
    State(service): State<Service>,
    GameInPath(games, found): GameInPath,
    client: Client,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let seat = Seat { _place: games.places.to_play(&client, &found.id)?, token: None };
    Ok(watched(&service, games, found, seat, &headers))
}

/// A shared game as it changes.
#[utoipa::path(get, path = "/v1/shared-games/{token}/events", tag = "games", operation_id = "shared_game_events",
    params(("token" = String, Path, description = "The token of the link."), Language,
        ("Last-Event-ID" = Option<String>, Header, description = "The revision that the client has.")),
    responses((status = 200, description = "Events, as long as somebody listens.", body = String, content_type = "text/event-stream"),
        (status = 404, description = "The link does not exist, or was revoked.", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "This address follows as many games at once as it may.", body = Problem, content_type = "application/problem+json",
            headers(("Retry-After" = u64, description = "Seconds to wait."))),
        (status = 500, description = "The service failed.", body = Problem, content_type = "application/problem+json"), Unavailable))]
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
        // Proxies such as nginx gather what they pass on, unless they are asked not to.
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    let headers = headers.map(|(name, value)| (name, HeaderValue::from_static(value)));
    (headers, Body::from_stream(events)).into_response()
}

/// From where somebody watches.
struct Seat {
    /// By which somebody looks on; `None` for those who play.
    token: Option<String>,
    _place: Place,
}

/// A game that somebody watches.
struct Watchers {
    games: Arc<Games>,
    seen: watch::Receiver<Observation>,
    seat: Seat,
    lang: Lang,
    /// The revision that the client has.
    known: Option<u64>,
    stop: watch::Receiver<bool>,
    begun: bool,
    ended: bool,
}

impl Watchers {
    /// What is sent next; `None` once there will be nothing.
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
                // The client reconnects to another service.
                _ = self.stop.wait_for(|stop| *stop) => return None,
            }
        }
        None
    }

    /// The game, as long as the viewer has a link.
    fn visible(&self, sight: Observation) -> Option<Arc<StoredGame>> {
        match (sight, &self.seat.token) {
            (Observation::There(found), Some(token)) => found.link(token).map(|_| found),
            (Observation::There(found), None) => Some(found),
            (Observation::Gone, _) => None,
        }
    }

    /// The game as an event; `None` where the rules have changed since and there is nothing to
    /// show.
    async fn told(&self, found: &Arc<StoredGame>) -> Option<Bytes> {
        let form = if self.seat.token.is_some() { ViewKind::Onlookers } else { ViewKind::Players };
        let view = self.games.views.of(found, form, self.lang).await;
        let view =
            view.inspect_err(|error| tracing::warn!(%error, "the events of a game ended early"));
        Some(view.ok()?.event())
    }
}
