//! A game as server-sent events: each phone at the table sees what another one enters.
//!
//! Output: `game` whenever its revision grew, carrying the whole game, so that a client that missed some
//! has missed nothing; `gone` as the last one when the game was removed. The id of an event is the
//! revision: a client that comes back with `Last-Event-ID` is told only what is new to it. Invariants: a
//! stream ends with its game and with the service, and holds one of a bounded number of places; a change
//! that another process made is seen within [`TICK`].

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::timeout;

use super::{Games, Named};
use crate::contract::Problem;
use crate::explain::Lang;
use crate::games::{DeskError, Found};
use crate::http::Service;
use crate::http::failure::Failure;
use crate::http::jobs::Owner;
use crate::http::language;
use crate::http::openapi::{Language, Unavailable};

/// How often the store is asked for what other processes wrote.
const TICK: Duration = Duration::from_secs(2);
/// How long nothing may be sent before proxies take the connection for a dead one.
const SILENCE: Duration = Duration::from_secs(15);
/// When a browser comes back after its connection broke.
const RETRY: Duration = Duration::from_secs(2);

/// A game as it changes.
///
/// `game` carries the game as `GET /v1/games/{id}` answers it.
#[utoipa::path(get, path = "/v1/games/{id}/events", tag = "games", operation_id = "game_events",
    params(("id" = String, Path, description = "The game."), Language,
        ("Last-Event-ID" = Option<String>, Header, description = "The revision that one has.")),
    responses((status = 200, description = "Events, as long as somebody listens.", body = String, content_type = "text/event-stream"),
        (status = 404, description = "There is no such game, or it is another key's.", body = Problem, content_type = "application/problem+json"),
        (status = 500, description = "Something failed here.", body = Problem, content_type = "application/problem+json"), Unavailable))]
pub(super) async fn of_players(
    State(service): State<Service>,
    Named(games, found): Named,
    owner: Owner,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let address = Address::Game { id: found.id.to_string(), owner: owner.0 };
    watched(&service, games, address, &headers)
}

/// A shared game as it changes.
#[utoipa::path(get, path = "/v1/shared-games/{token}/events", tag = "games", operation_id = "shared_game_events",
    params(("token" = String, Path, description = "The token of its link."), Language,
        ("Last-Event-ID" = Option<String>, Header, description = "The revision that one has.")),
    responses((status = 200, description = "Events, as long as somebody listens.", body = String, content_type = "text/event-stream"),
        (status = 404, description = "The link was taken back, or never was one.", body = Problem, content_type = "application/problem+json"),
        (status = 500, description = "Something failed here.", body = Problem, content_type = "application/problem+json"), Unavailable))]
pub(super) async fn of_onlookers(
    State(service): State<Service>,
    Path(token): Path<String>,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let games = service.games()?;
    games.desk.shared(&token).await?;
    watched(&service, games, Address::Link { token }, &headers)
}

fn watched(
    service: &Service,
    games: Arc<Games>,
    address: Address,
    headers: &HeaderMap,
) -> Result<Response, Failure> {
    let known = headers.get("last-event-id").and_then(|id| id.to_str().ok()?.parse().ok());
    let place = Arc::clone(&games.streams).try_acquire_owned().map_err(|_| Failure::Busy)?;
    let changes = games.desk.watch();
    let lang = language::preferred(headers);
    let stop = service.stopped();
    let watched = Watched {
        games,
        address,
        lang,
        known,
        changes,
        stop,
        started: false,
        ended: false,
        _place: place,
    };
    let events = stream::unfold(watched, async |mut watched| {
        let event = watched.next().await?;
        Some((Ok::<_, Infallible>(event), watched))
    });
    // Proxies such as nginx gather what they pass on, unless they are asked not to.
    let headers = [
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    Ok((headers, Sse::new(events).keep_alive(KeepAlive::new().interval(SILENCE))).into_response())
}

/// By what somebody knows a game.
enum Address {
    Game { id: String, owner: Option<String> },
    Link { token: String },
}

/// A game that somebody watches.
struct Watched {
    games: Arc<Games>,
    address: Address,
    lang: Lang,
    /// The revision that the client has.
    known: Option<u64>,
    changes: watch::Receiver<u64>,
    stop: watch::Receiver<bool>,
    started: bool,
    ended: bool,
    _place: OwnedSemaphorePermit,
}

impl Watched {
    /// The next event; `None` once there will be none.
    async fn next(&mut self) -> Option<Event> {
        while !self.ended {
            if self.started {
                let mut stop = self.stop.clone();
                tokio::select! {
                    // Whether it was a change or the time: both are a reason to look.
                    _ = timeout(TICK, self.changes.changed()) => {}
                    // The client comes back to whoever takes over.
                    _ = stop.wait_for(|stop| *stop) => return None,
                }
            }
            let first = !std::mem::replace(&mut self.started, true);
            match self.look().await {
                Ok(found) if self.known != Some(found.revision.0) => {
                    self.known = Some(found.revision.0);
                    let event = self.told(&found)?;
                    return Some(if first { event.retry(RETRY) } else { event });
                }
                Ok(_) => {}
                Err(DeskError::NoGame) => {
                    self.ended = true;
                    return Some(Event::default().event("gone").data("{}"));
                }
                Err(error) => {
                    tracing::warn!(%error, "a game's events broke off");
                    return None;
                }
            }
        }
        None
    }

    async fn look(&self) -> Result<Found, DeskError> {
        match &self.address {
            Address::Game { id, owner } => self.games.desk.find(id, owner.as_deref()).await,
            Address::Link { token } => self.games.desk.shared(token).await,
        }
    }

    /// The game as an event; `None` where the rules have changed since and nothing can be told.
    fn told(&self, found: &Found) -> Option<Event> {
        let view = match &self.address {
            Address::Game { .. } => found.view(self.lang),
            Address::Link { .. } => found.view_of_onlookers(self.lang),
        };
        let data = serde_json::to_string(&view.ok()?).expect("its keys are texts");
        Some(Event::default().event("game").id(found.revision.0.to_string()).data(data))
    }
}
