//! `GET /v1/series` lists the series of a key.
//!
//! Without keys there is no list: someone who knows the id of a series may write to it.

use axum::Json;
use axum::extract::State;
use axum::http::Uri;
use serde::Serialize;
use tilesight_core::series::SeriesSummary;
use tilesight_jobs::evenings::EveningCursor;
use tilesight_jobs::series::StoredSeries;
use utoipa::{IntoParams, ToSchema};

use super::AllSeries;
use crate::Service;
use crate::answer::failure::Failure;
use crate::answer::language::Language;
use crate::guard::client::Owner;
use crate::input::query::{Pairs, Parameters, Query, take_limit, take_value};
use crate::openapi::{QueryRefusals, SeriesListRefusals};
use crate::routes::journals::views::Viewer;
use crate::routes::journals::{Journals as _, ListedPage};

/// Maximum number of series on a page.
const MAX_SERIES: usize = 100;

/// Selection of the series to list.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct SeriesSelection {
    /// Maximum number of series to return.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<usize>,
    /// Return only series after those of the previous page: its `next`.
    #[param(value_type = Option<String>, min_length = 44, max_length = 44, pattern = "^[0-9a-f]{44}$")]
    before: Option<EveningCursor>,
}

impl Parameters for SeriesSelection {
    fn take(pairs: &mut Pairs) -> Result<SeriesSelection, Failure> {
        let limit = take_limit(pairs, MAX_SERIES)?;
        let before = take_value(pairs, "before")?;
        Ok(SeriesSelection { limit, before })
    }
}

/// Page of series, newest first.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct SeriesList {
    /// Series on this page.
    series: Vec<SeriesSummary>,
    /// Value of `before` for the next page; `null` on the last page.
    next: Option<String>,
}

/// Lists the series of the requesting key, newest first.
#[utoipa::path(get, path = "/v1/series", tag = "series", operation_id = "list_series", params(SeriesSelection, Language),
    responses((status = 200, body = SeriesList, description = "One page of series."),
        QueryRefusals, SeriesListRefusals))]
pub(super) async fn list(
    State(service): State<Service>,
    Owner(owner): Owner,
    viewer: Viewer,
    uri: Uri,
) -> Result<Json<SeriesList>, Failure> {
    let all = AllSeries::find(&service)?;
    let Query(SeriesSelection { limit, before }) = Query::from_uri(&uri)?;
    let owner = owner.ok_or(Failure::UnlistedSeries)?;
    let listed = ListedPage::load(&*all, &owner, before.as_ref(), limit, &viewer, summary);
    let ListedPage { summaries, next } = service.in_time(listed).await?;
    Ok(Json(SeriesList { series: summaries, next }))
}

/// Returns the summary of a series; `None` if its rules have changed, so that it can no longer be
/// shown: one such series must not hide the others.
fn summary(found: &StoredSeries) -> Option<SeriesSummary> {
    match SeriesSummary::new(&found.document.journal, found.id.as_str(), found.revision.0) {
        Ok(summary) => Some(summary),
        Err(error) => {
            tracing::warn!(series = %found.id, %error, "a series can't be shown any more");
            None
        }
    }
}
