//! Series over HTTP: leagues and tournaments, whose evenings are games.
//!
//! Input: requests, and the [`SeriesStore`] that keeps the series. Output: the current series after
//! each request, with its revision as `ETag`. Invariants are those of
//! [journals](super::journals); the games of its tables belong to the key of the series, and its
//! link shows no id.

mod change;
mod events;
mod export;
mod import;
mod list;
mod share;

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use tilesight_core::contract::Problem;
use tilesight_core::evening::GameError;
use tilesight_core::explain::Lang;
use tilesight_core::series::{NewSeriesDto, Series, SeriesError, SeriesView};
use tilesight_jobs::series::{SeriesStore, SeriesStoreError, StoredSeries};
use utoipa::IntoParams;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub(crate) use self::import::MAX_IMPORT_BYTES;
use super::journals::streams::StreamPermits;
use super::journals::views::{Audience, View, Viewed, Viewer, Views};
use super::journals::{
    InPath, Journals, SentJournal, answer_unchanged, create as create_journal, has_revision,
    revision_headers, status, with_location,
};
use crate::answer::failure::Failure;
use crate::answer::language::Language;
use crate::answer::problem::ServiceProblemKind;
use crate::guard::client::Owner;
use crate::input::query::{Pairs, Parameters, Query, take_number};
use crate::openapi::{
    BodyRefusals, NoRoom, NoSuchRound, QueryRefusals, SeriesCreationRefusals, SeriesRefusals,
};
use crate::{Service, ServiceBuilder};

/// State that all requests about series share.
#[derive(Debug)]
pub struct AllSeries {
    store: Arc<SeriesStore>,
    streams: StreamPermits,
    views: Arc<Views<Series>>,
}

/// Round after which the standings are shown.
#[derive(Debug, Clone, Copy, IntoParams)]
#[into_params(parameter_in = Query)]
struct AfterRound {
    /// Show the standings after this round; after the last one with a result when absent.
    #[param(minimum = 0, maximum = 104)]
    round: Option<u32>,
}

impl Parameters for AfterRound {
    fn take(pairs: &mut Pairs) -> Result<AfterRound, Failure> {
        let max = tilesight_core::series::MAX_ROUNDS as u64;
        let round = take_number(pairs, "round", 0..=max)?;
        Ok(AfterRound { round: round.and_then(|round| u32::try_from(round).ok()) })
    }
}

impl ServiceBuilder {
    /// Sets the series. They need the games, which are their evenings.
    pub fn series(self, series: Arc<AllSeries>) -> ServiceBuilder {
        self.with_store(series)
    }
}

impl AllSeries {
    /// Returns the series of a store.
    #[must_use]
    pub fn new(store: SeriesStore) -> AllSeries {
        let store = Arc::new(store);
        AllSeries { streams: StreamPermits::default(), views: Arc::default(), store }
    }
}

impl Journals for AllSeries {
    type Journal = Series;

    fn find(service: &Service) -> Result<Arc<AllSeries>, Failure> {
        service.store().ok_or(Failure::NoGames)
    }

    fn store(&self) -> &Arc<SeriesStore> {
        &self.store
    }

    fn streams(&self) -> &StreamPermits {
        &self.streams
    }

    fn views(&self) -> &Arc<Views<Series>> {
        &self.views
    }

    fn missing() -> Failure {
        Failure::NoSuchSeries
    }

    fn failure(error: SeriesStoreError) -> Failure {
        error.into()
    }
}

/// Returns the routes for organisers.
pub(crate) fn routes() -> OpenApiRouter<Service> {
    OpenApiRouter::new()
        .routes(routes!(create))
        .routes(routes!(list::list))
        .routes(routes!(get))
        .routes(routes!(delete))
        .routes(routes!(change::change))
        .routes(routes!(import::import))
        .routes(routes!(events::for_organisers))
        .routes(routes!(export::for_organisers))
        .routes(routes!(share::share))
        .routes(routes!(share::unshare))
}

/// Returns the routes for those who have a link. They need no key: the token serves as one.
pub(crate) fn open_routes() -> OpenApiRouter<Service> {
    OpenApiRouter::new()
        .routes(routes!(share::get))
        .routes(routes!(events::for_onlookers))
        .routes(routes!(export::for_onlookers))
}

/// Creates a series. A repeated request with the same `Idempotency-Key` does not create another
/// one.
#[utoipa::path(post, path = "/v1/series", tag = "series", operation_id = "create_series",
    params(("Idempotency-Key" = Option<String>, Header, description = "Any text, new for each series; remembered for a day."), Language),
    request_body(content = NewSeriesDto),
    responses((status = 200, body = SeriesView, description = "The series as it stands now; it was created before, under the same key.",
            headers(("Location" = String, description = "Where it is."), ("ETag" = String, description = "Its revision."))),
        (status = 201, body = SeriesView, description = "The series before its first round.",
            headers(("Location" = String, description = "Where it is."), ("ETag" = String, description = "Its revision."))),
        BodyRefusals, SeriesCreationRefusals))]
async fn create(
    State(service): State<Service>,
    owner: Owner,
    viewer: Viewer,
    request: Request,
) -> Result<Response, Failure> {
    let all = AllSeries::find(&service)?;
    let SentJournal { key, body } =
        SentJournal::receive(request, &viewer, service.limits()).await?;
    let series = NewSeriesDto::from_json(&body)?.begin(service.book())?;
    let (found, new) = create_journal(&*all, series, key.as_ref(), owner, &viewer).await?;
    let id = found.id.clone();
    let answer = answer_with(&viewer, found, status(new), None).await?;
    Ok(with_location(answer, "/v1/series", &id))
}

/// Returns the current series.
#[utoipa::path(get, path = "/v1/series/{id}", tag = "series", operation_id = "get_series",
    params(("id" = String, Path, description = "The series."), AfterRound, Language,
        ("If-None-Match" = Option<String>, Header, description = "The revision that the client has.")),
    responses((status = 200, body = SeriesView, description = "The series.", headers(("ETag" = String, description = "Its revision."))),
        (status = 304, description = "It is unchanged."),
        NoSuchRound,
        QueryRefusals, SeriesRefusals))]
async fn get(
    InPath(_, found): InPath<AllSeries>,
    viewer: Viewer,
    headers: HeaderMap,
    uri: Uri,
) -> Result<Response, Failure> {
    let Query(AfterRound { round }) = Query::from_uri(&uri)?;
    if has_revision(&headers, found.revision) {
        return Ok(answer_unchanged(found.revision));
    }
    answer_with(&viewer, found, StatusCode::OK, round).await
}

/// Deletes a series, its history and its links. The games of its tables stay.
#[utoipa::path(delete, path = "/v1/series/{id}", tag = "series", operation_id = "delete_series",
    params(("id" = String, Path, description = "The series.")),
    responses((status = 204, description = "It was deleted."),
        SeriesRefusals, NoRoom))]
async fn delete(InPath(all, found): InPath<AllSeries>) -> Result<StatusCode, Failure> {
    all.store.remove(&found).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Returns the answer that shows a series to its organisers.
async fn answer_with(
    viewer: &Viewer,
    found: StoredSeries,
    status: StatusCode,
    after: Option<u32>,
) -> Result<Response, Failure> {
    let revision = found.revision;
    let body = viewer.compute(move || write(&found.view(after)?)).await?;
    Ok((status, revision_headers(revision), JSON, body?).into_response())
}

/// Header of an answer in JSON.
const JSON: [(axum::http::HeaderName, HeaderValue); 1] =
    [(CONTENT_TYPE, HeaderValue::from_static("application/json"))];

fn write(view: &SeriesView) -> Result<Bytes, SeriesError> {
    Ok(serde_json::to_vec(view).expect("its keys are texts").into())
}

/// A series has no translated words, and an event has the standings after the last round.
impl Viewed for Series {
    type Form = Audience;

    fn lang_of(_form: Audience, _lang: Lang) -> Lang {
        Lang::default()
    }

    fn view(found: &StoredSeries, audience: Audience, _lang: Lang) -> Result<View, Failure> {
        let view = match audience {
            Audience::Players => found.view(None)?,
            Audience::Onlookers => found.view_of_onlookers(None)?,
        };
        Ok(View::json("series", found.revision, &view))
    }
}

impl From<SeriesStoreError> for Failure {
    fn from(error: SeriesStoreError) -> Failure {
        match error {
            SeriesStoreError::Missing("game") => Failure::NoSuchGame,
            SeriesStoreError::Missing(_) => Failure::NoSuchSeries,
            SeriesStoreError::Stale(_) => Failure::StaleSeries,
            SeriesStoreError::Full { max, names } if names.kind == "game" => {
                Failure::GamesFull { max }
            }
            SeriesStoreError::FullForOne { max, names } if names.kind == "game" => {
                Failure::TooManyGames { max }
            }
            SeriesStoreError::Full { max, .. } => Failure::SeriesFull { max },
            SeriesStoreError::FullForOne { max, .. } => Failure::TooManySeries { max },
            SeriesStoreError::Refused(error) => error.into(),
            SeriesStoreError::Store(error) => error.into(),
        }
    }
}

impl From<SeriesError> for Failure {
    fn from(error: SeriesError) -> Failure {
        match error {
            SeriesError::Game(GameError::KeyReused) => {
                Problem::from_message(ServiceProblemKind::IdempotencyKeyReused, &error).into()
            }
            error => Problem::from(&error).into(),
        }
    }
}
