//! `GET /v1/games/{id}/export`: the score sheet as a file, in CSV or JSON.

use std::sync::Arc;

use axum::extract::State;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, Uri};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tilesight_core::evening::GameView;
use tilesight_core::explain::Lang;
use tilesight_jobs::evenings::StoredEvening;
use tilesight_jobs::sheet::CsvStyle;
use utoipa::{IntoParams, ToSchema};

use super::views::ViewKind;
use super::{GameInPath, Games, revision_headers};
use crate::service::Service;
use crate::service::answer::failure::Failure;
use crate::service::answer::language;
use crate::service::input::query::{NameInPath, check_parameters, parse_pairs, take_name};
use crate::service::openapi::{GameRefusals, Language, LinkRefusals, QueryRefusals};

/// Form in which the sheet is exported.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "describes the query")]
pub(super) struct ExportQuery {
    /// Format: `csv` for spreadsheets, `json` for programs.
    #[param(required = false, inline)]
    format: ExportFormat,
    /// Style of the CSV; `excel` is UTF-8 with a byte order mark and semicolons.
    #[param(required = false, inline)]
    csv: CsvStyle,
}

/// Formats of a sheet.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ExportFormat)]
pub(super) enum ExportFormat {
    /// Table with one line per entry.
    #[default]
    Csv,
    /// The game, as other endpoints return it.
    Json,
}

/// Exports the score sheet of a game as a file.
#[utoipa::path(get, path = "/v1/games/{id}/export", tag = "games", operation_id = "export_game",
    params(("id" = String, Path, description = "The game."), ExportQuery, Language),
    responses((status = 200, description = "The sheet.", content((String = "text/csv"), (GameView = "application/json"))),
        QueryRefusals, GameRefusals))]
pub(super) async fn for_players(
    GameInPath(games, found): GameInPath,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    exported(&games, found, &uri, &headers).await
}

/// Exports the score sheet of a shared game as a file.
#[utoipa::path(get, path = "/v1/shared-games/{token}/export", tag = "games", operation_id = "export_shared_game",
    params(("token" = String, Path, description = "The token of the link."), ExportQuery, Language),
    responses((status = 200, description = "The sheet.", content((String = "text/csv"), (GameView = "application/json"))),
        QueryRefusals, LinkRefusals))]
pub(super) async fn for_onlookers(
    State(service): State<Service>,
    NameInPath(token): NameInPath,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let games = service.games()?;
    let found = games.store.find_shared(&token).await?;
    exported(&games, found, &uri, &headers).await
}

async fn exported(
    games: &Games,
    found: StoredEvening,
    uri: &Uri,
    headers: &HeaderMap,
) -> Result<Response, Failure> {
    let mut pairs = parse_pairs(uri)?;
    check_parameters(&pairs, &["format", "csv"])?;
    let format: ExportFormat = take_name(&mut pairs, "format")?.unwrap_or_default();
    let csv: CsvStyle = take_name(&mut pairs, "csv")?.unwrap_or_default();
    let (view, lang, kind, name) = match format {
        // The table has no translated words.
        ExportFormat::Csv => (
            ViewKind::Table,
            Lang::default(),
            "text/csv; charset=utf-8; header=present",
            "attachment; filename=\"game.csv\"",
        ),
        ExportFormat::Json => (
            ViewKind::Onlookers,
            language::preferred(headers),
            "application/json",
            "attachment; filename=\"game.json\"",
        ),
    };
    let found = Arc::new(found);
    let view = games.views.get(&found, view, lang).await?;
    let body = match format {
        ExportFormat::Csv => csv.convert(view.body().into(), true),
        ExportFormat::Json => Ok(view.body().into()),
    };
    let body = body.map_err(|error| Failure::Internal { cause: error.to_string() })?;
    let headers = [(CONTENT_TYPE, kind), (CONTENT_DISPOSITION, name)]
        .map(|(header, value)| (header, HeaderValue::from_static(value)));
    Ok((headers, revision_headers(found.revision), body).into_response())
}
