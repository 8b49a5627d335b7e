//! `GET /v1/games/{id}/export`: the score sheet as a table in CSV or a workbook. The game itself is
//! its JSON.

use std::sync::Arc;

use axum::http::header::{ACCEPT, CONTENT_DISPOSITION, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderValue, Uri};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tilesight_jobs::evenings::StoredEvening;
use tilesight_jobs::score_sheet::SheetFormat;
use tilesight_jobs::sheet::CsvStyle;
use tilesight_jobs::workbook::WORKBOOK;
use utoipa::{IntoParams, ToSchema};

use super::Games;
use super::views::GameForm;
use crate::answer::failure::Failure;
use crate::input::query::{Pairs, Parameters, Query, take_name};
use crate::openapi::{GameRefusals, LinkRefusals, QueryRefusals};
use crate::routes::journals::views::Viewer;
use crate::routes::journals::{InPath, Shared, revision_headers};

/// Format of a score sheet as a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum ExportFormat {
    /// Comma-separated values.
    Csv,
    /// Workbook of Excel.
    Xlsx,
}

/// Format of a score sheet as a file, and the style of its CSV.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
struct ExportQuery {
    /// Format of the file; when absent, `csv` if its style is given, and otherwise as `Accept`
    /// says.
    #[param(inline)]
    format: Option<ExportFormat>,
    /// Style of the CSV; `excel` is UTF-8 with a byte order mark, semicolons and decimal commas.
    #[param(required = false, inline)]
    csv: CsvStyle,
}

impl Parameters for ExportQuery {
    fn take(pairs: &mut Pairs) -> Result<ExportQuery, Failure> {
        let csv: Option<CsvStyle> = take_name(pairs, "csv")?;
        // A style of the table asks for the table.
        let table = csv.map(|_| ExportFormat::Csv);
        let format = take_name(pairs, "format")?.or(table);
        Ok(ExportQuery { format, csv: csv.unwrap_or_default() })
    }
}

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
    let Query(ExportQuery { format, csv }) = Query::from_uri(uri)?;
    let format = match format.unwrap_or_else(|| accepted(headers)) {
        ExportFormat::Csv => SheetFormat::Csv(csv),
        ExportFormat::Xlsx => SheetFormat::Workbook,
    };
    let found = Arc::new(found);
    let view = games.views.get(viewer, &found, GameForm::File(format)).await?;
    let (kind, disposition) = match format {
        SheetFormat::Csv(_) => {
            ("text/csv; charset=utf-8; header=present", "attachment; filename=\"game.csv\"")
        }
        SheetFormat::Workbook => (WORKBOOK, "attachment; filename=\"game.xlsx\""),
    };
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(kind)),
        (CONTENT_DISPOSITION, HeaderValue::from_static(disposition)),
        (VARY, HeaderValue::from(ACCEPT)),
    ];
    Ok((headers, revision_headers(found.revision), view.body()).into_response())
}

/// Returns the format that `Accept` names; CSV by default.
fn accepted(headers: &HeaderMap) -> ExportFormat {
    let values = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let named = values.flat_map(|value| value.split(',')).find_map(format_of);
    named.unwrap_or(ExportFormat::Csv)
}

/// Returns the format of a media type with its parameters.
fn format_of(kind: &str) -> Option<ExportFormat> {
    match kind.split(';').next()?.trim() {
        "text/csv" => Some(ExportFormat::Csv),
        WORKBOOK => Some(ExportFormat::Xlsx),
        _ => None,
    }
}
