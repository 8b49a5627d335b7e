//! The link of a game: who has it sees the sheet, and can change nothing. Its token is kept
//! nowhere: it is made anew of a key whenever it is shown.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tilesight_core::contract::Problem;
use tilesight_core::game::GameView;
use utoipa::ToSchema;

use super::views::ViewKind;
use super::{GameInPath, knows, revised, unchanged};
use crate::http::Service;
use crate::http::failure::Failure;
use crate::http::input::NameInPath;
use crate::http::language;
use crate::http::openapi::{Language, NoRoom, Unavailable};

/// A link.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Link {
    /// The token.
    token: String,
    /// Where the game can be seen by it.
    game: String,
    /// The same as a page for people.
    page: String,
}

/// Makes a link for those who may only look on, or tells the one there is.
///
/// A service that was restarted without a key of its own makes another one; those of before stay
/// good.
#[utoipa::path(post, path = "/v1/games/{id}/share", tag = "games", operation_id = "share_game",
    params(("id" = String, Path, description = "The game.")),
    responses((status = 200, body = Link, description = "The link.", headers(("ETag" = String, description = "The game's revision."))),
        (status = 404, description = "The game does not exist, or belongs to another key.", body = Problem, content_type = "application/problem+json"),
        (status = 412, description = "The game was modified concurrently again and again.", body = Problem, content_type = "application/problem+json"),
        (status = 500, description = "The service failed.", body = Problem, content_type = "application/problem+json"), NoRoom, Unavailable))]
pub(super) async fn share(GameInPath(games, found): GameInPath) -> Result<Response, Failure> {
    let (found, token) = games.store.share(found).await?;
    let (game, page) = (format!("/v1/shared-games/{token}"), format!("/#shared={token}"));
    Ok((revised(found.revision), Json(Link { token, game, page })).into_response())
}

/// Takes all links back: they show nothing any more.
#[utoipa::path(delete, path = "/v1/games/{id}/share", tag = "games", operation_id = "unshare_game",
    params(("id" = String, Path, description = "The game.")),
    responses((status = 204, description = "No link shows the game any more."),
        (status = 404, description = "The game does not exist, or belongs to another key.", body = Problem, content_type = "application/problem+json"),
        (status = 412, description = "The game was modified concurrently again and again.", body = Problem, content_type = "application/problem+json"),
        (status = 500, description = "The service failed.", body = Problem, content_type = "application/problem+json"), NoRoom, Unavailable))]
pub(super) async fn unshare(GameInPath(games, found): GameInPath) -> Result<Response, Failure> {
    let found = games.store.unshare(found).await?;
    Ok((StatusCode::NO_CONTENT, revised(found.revision)).into_response())
}

/// A game by the token of its link.
#[utoipa::path(get, path = "/v1/shared-games/{token}", tag = "games", operation_id = "get_shared_game",
    params(("token" = String, Path, description = "The token of the link."), Language,
        ("If-None-Match" = Option<String>, Header, description = "The revision that the client has.")),
    responses((status = 200, body = GameView, description = "The game, without its id.", headers(("ETag" = String, description = "Its revision."))),
        (status = 304, description = "It is unchanged."),
        (status = 404, description = "The link does not exist, or was revoked.", body = Problem, content_type = "application/problem+json"),
        (status = 500, description = "The service failed.", body = Problem, content_type = "application/problem+json"), Unavailable))]
pub(super) async fn look(
    State(service): State<Service>,
    NameInPath(token): NameInPath,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let games = service.games()?;
    let found = games.store.shared(&token).await?;
    if knows(&headers, found.revision) {
        return Ok(unchanged(found.revision));
    }
    games.shown(found, StatusCode::OK, ViewKind::Onlookers, language::preferred(&headers)).await
}
