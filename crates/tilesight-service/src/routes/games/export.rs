//! `GET /v1/games/{id}/export`: the score sheet as a table in CSV or a workbook. The game itself is
//! its JSON.

use std::sync::Arc;

use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use tilesight_jobs::evenings::StoredEvening;

use super::Games;
use super::views::GameForm;
use crate::answer::failure::Failure;
use crate::input::query::Query;
use crate::openapi::{GameRefusals, LinkRefusals, QueryRefusals};
use crate::routes::journals::file::{ExportQuery, file_answer};
use crate::routes::journals::views::Viewer;
use crate::routes::journals::{InPath, Shared};

/// Exports the score sheet of a game as a file.
#[utoipa::path(get, path = "/v1/games/{id}/export", tag = "games", operation_id = "export_game",
    params(("id" = String, Path, description = "The game."), ExportQuery),
    responses((status = 200, description = "The sheet.",
            content((String = "text/csv"), (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        QueryRefusals, GameRefusals))]
pub(super) async fn for_players(
    InPath(games, found): InPath<Games>,
    viewer: Viewer,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Failure> {
    exported(&games, &viewer, found, &headers, &uri).await
}

/// Exports the score sheet of a shared game as a file.
#[utoipa::path(get, path = "/v1/shared-games/{token}/export", tag = "games", operation_id = "export_shared_game",
    params(("token" = String, Path, description = "The token of the link."), ExportQuery),
    responses((status = 200, description = "The sheet.",
            content((String = "text/csv"), (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        QueryRefusals, LinkRefusals))]
pub(super) async fn for_onlookers(
    Shared { all: games, found, .. }: Shared<Games>,
    viewer: Viewer,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Failure> {
    exported(&games, &viewer, found, &headers, &uri).await
}

async fn exported(
    games: &Games,
    viewer: &Viewer,
    found: StoredEvening,
    headers: &HeaderMap,
    uri: &Uri,
) -> Result<Response, Failure> {
    let Query(query): Query<ExportQuery> = Query::from_uri(uri)?;
    let format = query.format(headers);
    let found = Arc::new(found);
    let view = games.views.get(viewer, &found, GameForm::File(format)).await?;
    Ok(file_answer("game", format, found.revision, view.body()))
}
