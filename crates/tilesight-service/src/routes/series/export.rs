//! `GET /v1/series/{id}/export`: the standings, or the results in the form that `import` reads.

use axum::http::{HeaderMap, Uri};
use axum::response::Response;
use tilesight_core::series::SeriesTableKind;
use tilesight_jobs::series::StoredSeries;
use tilesight_jobs::series_table::{SeriesTableError, series_table};
use utoipa::IntoParams;

use super::{AfterRound, AllSeries};
use crate::answer::failure::Failure;
use crate::input::query::{Pairs, Parameters, Query, take_name};
use crate::openapi::{LinkRefusals, NoSuchRound, QueryRefusals, SeriesRefusals};
use crate::routes::journals::file::{ExportQuery, file_answer};
use crate::routes::journals::views::Viewer;
use crate::routes::journals::{InPath, Shared};

/// Selection of a table.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct SelectedTable {
    /// Table to export; `standings` when absent.
    #[param(required = false, inline)]
    table: SeriesTableKind,
}

impl Parameters for SelectedTable {
    fn take(pairs: &mut Pairs) -> Result<SelectedTable, Failure> {
        Ok(SelectedTable { table: take_name(pairs, "table")?.unwrap_or_default() })
    }
}

/// Exports a table of a series as a file.
#[utoipa::path(get, path = "/v1/series/{id}/export", tag = "series", operation_id = "export_series",
    params(("id" = String, Path, description = "The series."), SelectedTable, AfterRound, ExportQuery),
    responses((status = 200, description = "The table.",
            content((String = "text/csv"), (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        NoSuchRound,
        QueryRefusals, SeriesRefusals))]
pub(super) async fn for_organisers(
    InPath(_, found): InPath<AllSeries>,
    viewer: Viewer,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Failure> {
    exported(&viewer, found, &headers, &uri).await
}

/// Exports a table of a shared series as a file.
#[utoipa::path(get, path = "/v1/shared-series/{token}/export", tag = "series", operation_id = "export_shared_series",
    params(("token" = String, Path, description = "The token of the link."), SelectedTable, AfterRound, ExportQuery),
    responses((status = 200, description = "The table.",
            content((String = "text/csv"), (Vec<u8> = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"))),
        NoSuchRound,
        QueryRefusals, LinkRefusals))]
pub(super) async fn for_onlookers(
    Shared { found, .. }: Shared<AllSeries>,
    viewer: Viewer,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Failure> {
    exported(&viewer, found, &headers, &uri).await
}

async fn exported(
    viewer: &Viewer,
    found: StoredSeries,
    headers: &HeaderMap,
    uri: &Uri,
) -> Result<Response, Failure> {
    let Query((SelectedTable { table }, (AfterRound { round }, query))): Query<(
        SelectedTable,
        (AfterRound, ExportQuery),
    )> = Query::from_uri(uri)?;
    let format = query.format(headers);
    let revision = found.revision;
    let written =
        viewer.compute(move || series_table(&found.document.journal, table, round, format));
    let file = written.await?.map_err(failure_of)?;
    Ok(file_answer("series", format, revision, file))
}

/// Returns the failure of a file that could not be written.
fn failure_of(error: SeriesTableError) -> Failure {
    match error {
        SeriesTableError::Series(error) => error.into(),
        other => Failure::Internal { cause: other.to_string() },
    }
}
