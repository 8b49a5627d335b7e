//! `GET /v1/games/{id}/export`: the score sheet as a table in CSV. The game itself is its JSON.

use std::sync::Arc;

use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderValue, Uri};
use axum::response::{IntoResponse, Response};
use tilesight_jobs::evenings::StoredEvening;
use tilesight_jobs::sheet::CsvStyle;

use super::views::{ViewKind, Viewer};
use super::{GameInPath, Games, SharedGame, revision_headers};
use crate::answer::failure::Failure;
use crate::input::query::{Query, StyleInQuery};
use crate::openapi::{GameRefusals, LinkRefusals, QueryRefusals};

/// Exports the score sheet of a game as a file.
#[utoipa::path(get, path = "/v1/games/{id}/export", tag = "games", operation_id = "export_game",
    params(("id" = String, Path, description = "The game."), StyleInQuery),
    responses((status = 200, description = "The sheet.", content_type = "text/csv", body = String),
        QueryRefusals, GameRefusals))]
pub(super) async fn for_players(
    GameInPath(games, found): GameInPath,
    viewer: Viewer,
    uri: Uri,
) -> Result<Response, Failure> {
    exported(&games, &viewer, found, &uri).await
}

/// Exports the score sheet of a shared game as a file.
#[utoipa::path(get, path = "/v1/shared-games/{token}/export", tag = "games", operation_id = "export_shared_game",
    params(("token" = String, Path, description = "The token of the link."), StyleInQuery),
    responses((status = 200, description = "The sheet.", content_type = "text/csv", body = String),
        QueryRefusals, LinkRefusals))]
pub(super) async fn for_onlookers(
    SharedGame { games, found, .. }: SharedGame,
    viewer: Viewer,
    uri: Uri,
) -> Result<Response, Failure> {
    exported(&games, &viewer, found, &uri).await
}

async fn exported(
    games: &Games,
    viewer: &Viewer,
    found: StoredEvening,
    uri: &Uri,
) -> Result<Response, Failure> {
    let Query(StyleInQuery { csv }) = Query::from_uri(uri)?;
    let found = Arc::new(found);
    let view = games.views.get(viewer, &found, ViewKind::Table).await?;
    let body = match csv {
        CsvStyle::Plain => view.body(),
        CsvStyle::Excel => {
            let table = viewer.compute(move || csv.convert(view.body().into(), true)).await?;
            table.map_err(|error| Failure::Internal { cause: error.to_string() })?.into()
        }
    };
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8; header=present")),
        (CONTENT_DISPOSITION, HeaderValue::from_static("attachment; filename=\"game.csv\"")),
    ];
    Ok((headers, revision_headers(found.revision), body).into_response())
}
