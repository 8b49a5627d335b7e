//! `GET /v1/series/{id}/export`: the standings, or the results in the form that `import` reads.

use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::{HeaderValue, Uri};
use axum::response::{IntoResponse, Response};
use tilesight_core::series::{SeriesError, SeriesTableKind};
use tilesight_jobs::series::StoredSeries;
use utoipa::IntoParams;

use super::{AfterRound, AllSeries};
use crate::answer::failure::Failure;
use crate::input::query::{Pairs, Parameters, Query, StyleInQuery, take_name};
use crate::openapi::{LinkRefusals, QueryRefusals, SeriesRefusals};
use crate::routes::journals::views::Viewer;
use crate::routes::journals::{InPath, Shared, revision_headers};

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
    params(("id" = String, Path, description = "The series."), SelectedTable, AfterRound, StyleInQuery),
    responses((status = 200, description = "The table.", content_type = "text/csv", body = String),
        QueryRefusals, SeriesRefusals))]
pub(super) async fn for_organisers(
    InPath(_, found): InPath<AllSeries>,
    viewer: Viewer,
    uri: Uri,
) -> Result<Response, Failure> {
    exported(&viewer, found, &uri).await
}

/// Exports a table of a shared series as a file.
#[utoipa::path(get, path = "/v1/shared-series/{token}/export", tag = "series", operation_id = "export_shared_series",
    params(("token" = String, Path, description = "The token of the link."), SelectedTable, AfterRound, StyleInQuery),
    responses((status = 200, description = "The table.", content_type = "text/csv", body = String),
        QueryRefusals, LinkRefusals))]
pub(super) async fn for_onlookers(
    Shared { found, .. }: Shared<AllSeries>,
    viewer: Viewer,
    uri: Uri,
) -> Result<Response, Failure> {
    exported(&viewer, found, &uri).await
}

async fn exported(viewer: &Viewer, found: StoredSeries, uri: &Uri) -> Result<Response, Failure> {
    let Query((SelectedTable { table }, (AfterRound { round }, StyleInQuery { csv }))) =
        Query::from_uri(uri)?;
    let revision = found.revision;
    let written = viewer.compute(move || {
        let progress = found.document.journal.progress()?;
        let plain = table.csv(&progress, round);
        Ok::<_, SeriesError>(csv.convert(plain.into_bytes(), true))
    });
    let converted = written.await??;
    let body = converted.map_err(|error| Failure::Internal { cause: error.to_string() })?;
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8; header=present")),
        (CONTENT_DISPOSITION, HeaderValue::from_static("attachment; filename=\"series.csv\"")),
    ];
    Ok((headers, revision_headers(revision), body).into_response())
}
