//! A game as server-sent events: `game` with the whole game after every change, and `gone` when it
//! was removed. Streams are those of all [journals](crate::routes::journals::events).

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use super::Games;
use crate::Service;
use crate::answer::failure::Failure;
use crate::answer::language::Language;
use crate::openapi::{GameRefusals, LinkRefusals, LinkStreamRefusals};
use crate::routes::journals::events::{stream, stream_shared};
use crate::routes::journals::views::Viewer;
use crate::routes::journals::{InPath, Shared};

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
    named: InPath<Games>,
    viewer: Viewer,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    stream(&service, named, viewer, &headers)
}

/// Streams the changes of a shared game.
#[utoipa::path(get, path = "/v1/shared-games/{token}/events", tag = "games", operation_id = "shared_game_events",
    params(("token" = String, Path, description = "The token of the link."), Language,
        ("Last-Event-ID" = Option<String>, Header, description = "The revision that the client has.")),
    responses((status = 200, description = "Events, as long as somebody listens.", body = String, content_type = "text/event-stream"),
        LinkStreamRefusals, LinkRefusals))]
pub(super) async fn for_onlookers(
    State(service): State<Service>,
    shared: Shared<Games>,
    viewer: Viewer,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    stream_shared(&service, shared, viewer, &headers)
}
