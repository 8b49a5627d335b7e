//! Routes of the service with their limits, and the layers around them.
//!
//! Input: the state. Output: the service as an axum router, another router for the health's own
//! address, and the OpenAPI document of all routes. Invariants: a route is described where it is
//! routed; every layer that applies to all requests is in [`app`], and nowhere else.

use std::any::Any;
use std::sync::{Arc, LazyLock};

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use tilesight_core::contract::ScoreRequest;
use tilesight_core::rules::Book;
use tilesight_jobs::review::ReviewSource;
use tilesight_jobs::worker_threads::panic_message;
use tilesight_vision::contract::AnswersRequest;
use tilesight_vision::sets::MAX_SET_BYTES;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::OpenApi as _;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::access_log;
use crate::answer::compression::compress;
use crate::answer::failure::Failure;
use crate::answer::headers;
use crate::answer::language;
use crate::answer::request_id;
use crate::guard::https;
use crate::guard::layers;
use crate::guard::origin::cors;
use crate::input::body::limit_body;
use crate::openapi;
use crate::routes::docs;
use crate::routes::feedback;
use crate::routes::games;
use crate::routes::hands;
use crate::routes::health::{livez, readyz};
use crate::routes::jobs;
use crate::routes::metrics;
#[cfg(feature = "web")]
use crate::routes::page as front;
use crate::routes::preview;
use crate::routes::readings;
use crate::routes::review;
#[cfg(not(feature = "web"))]
use crate::routes::root as front;
use crate::routes::rulesets;
use crate::routes::score;
use crate::routes::series;
use crate::routes::sets;
use crate::state::Service;

/// Returns the whole service.
pub fn app(service: Service) -> Router {
    app_with(service, Router::new())
}

/// Returns the whole service with the review queue of a source.
pub fn review_app(service: Service, source: Arc<dyn ReviewSource>) -> Router {
    app_with(service, review::routes(source))
}

/// Returns the whole service with more routes behind the same layers.
pub(crate) fn app_with(service: Service, more: Router<Service>) -> Router {
    let guard = from_fn_with_state(Arc::clone(service.gate()), layers::key);
    let book = service.book();
    let lists = Extension(Arc::new(rulesets::RulesetLists::new(Arc::clone(book))));
    let described = Extension(openapi::CachedDocument::new(describe, Arc::clone(book)));
    let routes = GUARDED
        .clone()
        .layer(lists)
        .layer(described)
        .layer(guard)
        .merge(OPEN.clone())
        .merge(more)
        .merge(front::routes())
        .fallback(async || Failure::NoSuchPath)
        .method_not_allowed_fallback(async || Failure::NoSuchMethod)
        .layer(from_fn_with_state(service.clone(), limit_bodies))
        .layer(CatchPanicLayer::custom(answer_panic));
    let sites = service.sites();
    let shared = if sites.is_empty() { routes } else { routes.layer(cors(sites)) };
    shared
        .layer(from_fn_with_state(Arc::clone(service.gate()), layers::throttle))
        .layer(from_fn_with_state(Arc::clone(service.gate()), layers::origin))
        .layer(from_fn(headers::complete))
        .layer(from_fn(https::require))
        .layer(from_fn(language::answer))
        .layer(from_fn_with_state(Arc::clone(service.metrics()), access_log::record))
        .layer(from_fn(request_id::mark))
        .with_state(service)
}

/// Returns only the process's health, for an address of its own: `/livez`, `/readyz`, and
/// `/metrics` without a key. It logs no requests, because a monitor sends one every few seconds.
pub fn health(service: Service) -> Router {
    Router::new()
        .route("/livez", get(livez))
        .route("/readyz", get(readyz))
        .route("/metrics", get(metrics::metrics_with_keys))
        .fallback(async || Failure::NoSuchPath)
        .method_not_allowed_fallback(async || Failure::NoSuchMethod)
        .layer(CatchPanicLayer::custom(answer_panic))
        .layer(from_fn_with_state(Arc::clone(service.gate()), layers::origin_of_health))
        .layer(from_fn(headers::complete))
        .layer(from_fn(https::require))
        .layer(from_fn(language::answer))
        .layer(from_fn(request_id::mark))
        .with_state(service)
}

/// Maximum size of a body.
#[derive(Debug, Clone, Copy)]
enum BodyLimit {
    /// Number of bytes, but no more than a photo may have.
    Bytes(usize),
    /// Size of a photo: [`Limits::body_bytes`](crate::Limits::body_bytes).
    Photo,
    /// Size of a photo of each player, if the body declares its length: `UploadHead` counts them.
    Photos,
    /// Size of a job: [`JobLimits::bytes`](crate::JobLimits::bytes).
    Job,
}

/// Maximum sizes of bodies, by the paths that take one.
const BODY_LIMITS: [(&str, BodyLimit); 17] = [
    ("/v1/hands", BodyLimit::Photos),
    ("/v1/score", BodyLimit::Bytes(ScoreRequest::MAX_BYTES)),
    ("/v1/readings/answers", BodyLimit::Bytes(AnswersRequest::MAX_BYTES)),
    ("/v1/preview", BodyLimit::Photo),
    ("/v1/feedback", BodyLimit::Photo),
    ("/v1/jobs", BodyLimit::Job),
    ("/v1/jobs/{id}/review/{index}", BodyLimit::Bytes(review::MAX_ANSWER_BYTES)),
    ("/v1/jobs/{id}/review/{index}/answers", BodyLimit::Bytes(review::MAX_ANSWER_BYTES)),
    ("/v1/review/{index}", BodyLimit::Bytes(review::MAX_ANSWER_BYTES)),
    ("/v1/review/{index}/answers", BodyLimit::Bytes(review::MAX_ANSWER_BYTES)),
    ("/v1/sets/{name}", BodyLimit::Bytes(MAX_SET_BYTES)),
    ("/v1/games", BodyLimit::Bytes(ScoreRequest::MAX_BYTES)),
    ("/v1/games/{id}/changes", BodyLimit::Bytes(ScoreRequest::MAX_BYTES)),
    ("/v1/games/{id}/hands", BodyLimit::Photos),
    ("/v1/series", BodyLimit::Bytes(ScoreRequest::MAX_BYTES)),
    ("/v1/series/{id}/changes", BodyLimit::Bytes(ScoreRequest::MAX_BYTES)),
    ("/v1/series/{id}/import", BodyLimit::Bytes(series::MAX_IMPORT_BYTES)),
];

/// Sets the maximum size of the body of a request, by its path.
async fn limit_bodies(
    State(service): State<Service>,
    mut request: Request,
    next: Next,
) -> Response {
    let path = request.extensions().get().map_or("", MatchedPath::as_str);
    let limit = BODY_LIMITS.iter().find(|(limited, _)| *limited == path);
    let photo = service.limits().body_bytes;
    let max_bytes = match limit.map_or(BodyLimit::Photo, |(_, limit)| *limit) {
        BodyLimit::Bytes(bytes) => bytes.min(photo),
        BodyLimit::Photo | BodyLimit::Photos => photo,
        BodyLimit::Job => service.jobs().map_or(photo, |jobs| jobs.limits().bytes),
    };
    limit_body(&mut request, max_bytes);
    next.run(request).await
}

/// The routes without their descriptions, of which each takes far longer to make than a service.
static GUARDED: LazyLock<Router<Service>> = LazyLock::new(|| guarded().split_for_parts().0);
static OPEN: LazyLock<Router<Service>> = LazyLock::new(|| open().split_for_parts().0);

/// Returns every route that requires a key if there are keys, with its description.
fn guarded() -> OpenApiRouter<Service> {
    let large = OpenApiRouter::with_openapi(openapi::ServiceApi::openapi())
        .routes(routes!(hands::read))
        .routes(routes!(score::score))
        .routes(routes!(readings::answer))
        .routes(routes!(rulesets::list))
        .routes(routes!(rulesets::one))
        .routes(routes!(openapi::json));
    compress(large)
        .routes(routes!(preview::preview))
        .routes(routes!(sets::list))
        .routes(routes!(sets::get, sets::put, sets::remove))
        .routes(routes!(feedback::send))
        .routes(routes!(feedback::remove))
        .merge(jobs::routes())
        .merge(games::routes())
        .merge(series::routes())
        .routes(routes!(metrics::metrics))
        .merge(docs::routes())
}

/// Returns every route that needs no key: the health of the service, and games and series by the
/// token of their link.
fn open() -> OpenApiRouter<Service> {
    OpenApiRouter::new()
        .routes(routes!(crate::routes::health::livez))
        .routes(routes!(crate::routes::health::readyz))
        .merge(games::open_routes())
        .merge(series::open_routes())
}

/// Returns the OpenAPI document of the service.
#[must_use]
pub fn document() -> serde_json::Value {
    describe(&Book::shipped())
}

fn describe(book: &Book) -> serde_json::Value {
    openapi::complete(guarded().merge(open()).into_openapi(), book)
}

/// Answers a panic in a handler: opaque to the client, named in the log.
#[allow(clippy::needless_pass_by_value, reason = "the layer asks for this signature")]
fn answer_panic(payload: Box<dyn Any + Send>) -> Response {
    Failure::Internal { cause: panic_message(payload.as_ref()) }.into_response()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::DOCUMENT;

    #[test]
    fn every_path_that_takes_a_body_has_a_limit() {
        let paths = DOCUMENT["paths"].as_object().expect("an object");
        let mut taking: Vec<&str> = paths
            .iter()
            .filter(|(_, operations)| {
                let mut operations = operations.as_object().expect("an object").values();
                operations.any(|operation| operation.get("requestBody").is_some())
            })
            .map(|(path, _)| path.as_str())
            .chain(["/v1/review/{index}", "/v1/review/{index}/answers"])
            .collect();
        let mut limited: Vec<&str> = BODY_LIMITS.iter().map(|(path, _)| *path).collect();
        taking.sort_unstable();
        limited.sort_unstable();
        assert_eq!(limited, taking);
    }
}
