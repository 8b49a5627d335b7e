//! `GET /v1/games/{id}/export`: the score sheet to keep, as CSV or as JSON.

use std::sync::Arc;

use axum::extract::{Path, Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, Uri};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::views::Form;
use super::{Games, Named, revised};
use crate::contract::Problem;
use crate::explain::Lang;
use crate::game::GameView;
use crate::games::Found;
use crate::http::Service;
use crate::http::failure::Failure;
use crate::http::language;
use crate::http::openapi::{Language, Unavailable};

/// What the sheet is wanted as.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(super) struct Wanted {
    /// `csv` for spreadsheets, `json` for programs.
    #[param(required = false, inline)]
    #[serde(default)]
    format: Format,
}

/// The formats of a sheet.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ExportFormat)]
pub(super) enum Format {
    /// A table, one line an entry.
    #[default]
    Csv,
    /// The game as it is answered elsewhere.
    Json,
}

/// The score sheet of a game as a file.
#[utoipa::path(get, path = "/v1/games/{id}/export", tag = "games", operation_id = "export_game",
    params(("id" = String, Path, description = "The game."), Wanted, Language),
    responses((status = 200, description = "The sheet.", content((String = "text/csv"), (GameView = "application/json"))),
        (status = 400, description = "The query can't be read.", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such game, or it is another key's.", body = Problem, content_type = "application/problem+json"),
        (status = 500, description = "Something failed here.", body = Problem, content_type = "application/problem+json"), Unavailable))]
pub(super) async fn of_players(
    Named(games, found): Named,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    exported(&games, found, &uri, &headers).await
}

/// The score sheet of a shared game as a file.
#[utoipa::path(get, path = "/v1/shared-games/{token}/export", tag = "games", operation_id = "export_shared_game",
    params(("token" = String, Path, description = "The token of its link."), Wanted, Language),
    responses((status = 200, description = "The sheet.", content((String = "text/csv"), (GameView = "application/json"))),
        (status = 400, description = "The query can't be read.", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "The link was taken back, or never was one.", body = Problem, content_type = "application/problem+json"),
        (status = 500, description = "Something failed here.", body = Problem, content_type = "application/problem+json"), Unavailable))]
pub(super) async fn of_onlookers(
    State(service): State<Service>,
    Path(token): Path<String>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let games = service.games()?;
    let found = games.desk.shared(&token).await?;
    exported(&games, found, &uri, &headers).await
}

async fn exported(
    games: &Games,
    found: Found,
    uri: &Uri,
    headers: &HeaderMap,
) -> Result<Response, Failure> {
    let wanted = Query::<Wanted>::try_from_uri(uri);
    let Query(Wanted { format }) =
        wanted.map_err(|_| Failure::bad_request("format", "`csv` or `json` is expected"))?;
    let (form, lang, kind, name) = match format {
        // A table has no words of ours in it.
        Format::Csv => (
            Form::Table,
            Lang::default(),
            "text/csv; charset=utf-8; header=present",
            "attachment; filename=\"game.csv\"",
        ),
        Format::Json => (
            Form::Onlookers,
            language::preferred(headers),
            "application/json",
            "attachment; filename=\"game.json\"",
        ),
    };
    let found = Arc::new(found);
    let view = games.views.of(&found, form, lang).await?;
    let headers = [(CONTENT_TYPE, kind), (CONTENT_DISPOSITION, name)]
        .map(|(header, value)| (header, HeaderValue::from_static(value)));
    Ok((headers, revised(found.revision), view.body()).into_response())
}
