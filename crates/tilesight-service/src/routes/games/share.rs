//! Link of a game, which shows the score sheet read-only. Its token is not stored: it is derived
//! from a key whenever it is shown.

use axum::Json;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tilesight_core::evening::GameView;
use utoipa::ToSchema;

use super::Games;
use crate::answer::failure::Failure;
use crate::answer::language::Language;
use crate::openapi::{LinkChangeRefusals, LinkRefusals, NoRoom};
use crate::routes::journals::views::{Audience, Viewer};
use crate::routes::journals::{InPath, Shared, answer_unchanged, has_revision, revision_headers};

/// Read-only link to a game.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Link {
    /// Token of the link.
    token: String,
    /// Address of the game as JSON.
    game: String,
    /// Address of the page that shows the game to people.
    page: String,
}

/// Creates a read-only link, or returns the existing one.
///
/// A service that was restarted without a key of its own creates another link; earlier links stay
/// valid.
#[utoipa::path(post, path = "/v1/games/{id}/share", tag = "games", operation_id = "share_game",
    params(("id" = String, Path, description = "The game.")),
    responses((status = 200, body = Link, description = "The link.", headers(("ETag" = String, description = "The game's revision."))),
        LinkChangeRefusals, NoRoom))]
pub(super) async fn share(InPath(games, found): InPath<Games>) -> Result<Response, Failure> {
    let (found, token) = games.store.share(found).await?;
    let link = Link {
        game: format!("/v1/shared-games/{token}"),
        page: format!("/#shared={token}"),
        token,
    };
    Ok((revision_headers(found.revision), Json(link)).into_response())
}

/// Revokes all links: they no longer show the game.
#[utoipa::path(delete, path = "/v1/games/{id}/share", tag = "games", operation_id = "unshare_game",
    params(("id" = String, Path, description = "The game.")),
    responses((status = 204, description = "No link shows the game any more."),
        LinkChangeRefusals, NoRoom))]
pub(super) async fn unshare(InPath(games, found): InPath<Games>) -> Result<Response, Failure> {
    let found = games.store.unshare(found).await?;
    Ok((StatusCode::NO_CONTENT, revision_headers(found.revision)).into_response())
}

/// Returns a shared game by the token of its link.
#[utoipa::path(get, path = "/v1/shared-games/{token}", tag = "games", operation_id = "get_shared_game",
    params(("token" = String, Path, description = "The token of the link."), Language,
        ("If-None-Match" = Option<String>, Header, description = "The revision that the client has.")),
    responses((status = 200, body = GameView, description = "The game, without its id.", headers(("ETag" = String, description = "Its revision."))),
        (status = 304, description = "It is unchanged."),
        LinkRefusals))]
pub(super) async fn get(
    Shared { all: games, found, .. }: Shared<Games>,
    viewer: Viewer,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    if has_revision(&headers, found.revision) {
        return Ok(answer_unchanged(found.revision));
    }
    games.answer_with(&viewer, found, StatusCode::OK, Audience::Onlookers).await
}
