//! A game as server-sent events: `game` with the whole game after every change, and `gone` when it
//! was removed. Streams are those of all [journals](crate::routes::journals::events).

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use super::{GameInPath, SharedGame};
use crate::Service;
use crate::answer::events::stream_events;
use crate::answer::failure::Failure;
use crate::answer::language::Language;
use crate::openapi::{GameRefusals, LinkRefusals, LinkStreamRefusals};
use crate::routes::journals::events::JournalEvents;
use crate::routes::journals::views::Viewer;

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
    let events = JournalEvents::new(&games.views, viewer, seen, &headers, permit);
    Ok(stream_events(events, service.stop_signal()))
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
    let events = JournalEvents::new(&games.views, viewer, seen, &headers, permit).for_link(token);
    Ok(stream_events(events, service.stop_signal()))
}
