//! A series as server-sent events: `series` with the whole series after every change, and `gone`
//! when it was removed. Streams are those of all [journals](crate::routes::journals::events).

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;

use super::AllSeries;
use crate::Service;
use crate::answer::failure::Failure;
use crate::openapi::{LinkRefusals, LinkStreamRefusals, SeriesRefusals};
use crate::routes::journals::events::{stream, stream_shared};
use crate::routes::journals::views::Viewer;
use crate::routes::journals::{InPath, Shared};

/// Streams the changes of a series.
///
/// Each `series` event carries the series as `GET /v1/series/{id}` returns it.
#[utoipa::path(get, path = "/v1/series/{id}/events", tag = "series", operation_id = "series_events",
    params(("id" = String, Path, description = "The series."),
        ("Last-Event-ID" = Option<String>, Header, description = "The revision that the client has.")),
    responses((status = 200, description = "Events, as long as somebody listens.", body = String, content_type = "text/event-stream"),
        SeriesRefusals))]
pub(super) async fn for_organisers(
    State(service): State<Service>,
    named: InPath<AllSeries>,
    viewer: Viewer,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    stream(&service, named, viewer, &headers)
}

/// Streams the changes of a shared series.
#[utoipa::path(get, path = "/v1/shared-series/{token}/events", tag = "series", operation_id = "shared_series_events",
    params(("token" = String, Path, description = "The token of the link."),
        ("Last-Event-ID" = Option<String>, Header, description = "The revision that the client has.")),
    responses((status = 200, description = "Events, as long as somebody listens.", body = String, content_type = "text/event-stream"),
        LinkStreamRefusals, LinkRefusals))]
pub(super) async fn for_onlookers(
    State(service): State<Service>,
    shared: Shared<AllSeries>,
    viewer: Viewer,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    stream_shared(&service, shared, viewer, &headers)
}
