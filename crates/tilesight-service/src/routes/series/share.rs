//! Link of a series, which shows it read-only. Its token is derived as that of a
//! [game](super::super::games).

use axum::Json;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tilesight_core::series::SeriesView;
use utoipa::ToSchema;

use super::{AfterRound, AllSeries, JSON, write};
use crate::answer::failure::Failure;
use crate::answer::language::Language;
use crate::input::query::Query;
use crate::openapi::{LinkRefusals, NoRoom, NoSuchRound, QueryRefusals, SeriesLinkRefusals};
use crate::routes::journals::views::Viewer;
use crate::routes::journals::{InPath, Shared, answer_unchanged, has_revision, revision_headers};

/// Read-only link to a series.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SeriesLink {
    /// Token of the link.
    token: String,
    /// Address of the series as JSON.
    series: String,
    /// Address of the page that shows the series to people.
    page: String,
}

/// Creates a read-only link, or returns the existing one.
#[utoipa::path(post, path = "/v1/series/{id}/share", tag = "series", operation_id = "share_series",
    params(("id" = String, Path, description = "The series.")),
    responses((status = 200, body = SeriesLink, description = "The link.", headers(("ETag" = String, description = "The series' revision."))),
        SeriesLinkRefusals, NoRoom))]
pub(super) async fn share(InPath(all, found): InPath<AllSeries>) -> Result<Response, Failure> {
    let (found, token) = all.store.share(found).await?;
    let link = SeriesLink {
        series: format!("/v1/shared-series/{token}"),
        page: format!("/#shared-series={token}"),
        token,
    };
    Ok((revision_headers(found.revision), Json(link)).into_response())
}

/// Revokes all links: they no longer show the series.
#[utoipa::path(delete, path = "/v1/series/{id}/share", tag = "series", operation_id = "unshare_series",
    params(("id" = String, Path, description = "The series.")),
    responses((status = 204, description = "No link shows the series any more."),
        SeriesLinkRefusals, NoRoom))]
pub(super) async fn unshare(InPath(all, found): InPath<AllSeries>) -> Result<Response, Failure> {
    let found = all.store.unshare(found).await?;
    Ok((StatusCode::NO_CONTENT, revision_headers(found.revision)).into_response())
}

/// Returns a shared series by the token of its link.
#[utoipa::path(get, path = "/v1/shared-series/{token}", tag = "series", operation_id = "get_shared_series",
    params(("token" = String, Path, description = "The token of the link."), AfterRound, Language,
        ("If-None-Match" = Option<String>, Header, description = "The revision that the client has.")),
    responses((status = 200, body = SeriesView, description = "The series, without ids.", headers(("ETag" = String, description = "Its revision."))),
        (status = 304, description = "It is unchanged."),
        NoSuchRound,
        QueryRefusals, LinkRefusals))]
pub(super) async fn get(
    Shared { found, .. }: Shared<AllSeries>,
    viewer: Viewer,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Failure> {
    let Query(AfterRound { round }) = Query::from_uri(&uri)?;
    if has_revision(&headers, found.revision) {
        return Ok(answer_unchanged(found.revision));
    }
    let revision = found.revision;
    let body = viewer.compute(move || write(&found.view_of_onlookers(round)?)).await?;
    Ok((revision_headers(revision), JSON, body?).into_response())
}
