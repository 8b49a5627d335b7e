//! The HTTP service: photos and typed hands in, readings and scores out, as JSON.
//!
//! [`app`] is the whole service as a router, without a socket; [`serve`] runs it on one, and
//! [`health()`] is the little of it that may have an address of its own. Each endpoint has its own file
//! with its tests. Invariants: only this module names axum; every error is an RFC 9457 problem with a
//! stable type and tells no internal path; a photo lives in memory and nowhere else; photos are read off
//! the async threads, and an accepted request is answered.

mod admission;
mod body;
mod docs;
mod failure;
mod feedback;
mod games;
mod hands;
mod headers;
mod health;
mod input;
mod jobs;
mod keys;
mod language;
mod metrics;
mod openapi;
mod origin;
#[cfg(feature = "web")]
mod page;
mod readings;
mod request_id;
mod rfc3339;
mod rulesets;
mod score;
mod server;
mod shares;
#[cfg(test)]
mod testing;
#[cfg(feature = "tls")]
pub mod tls;
mod turnstile;
mod upload;

use std::any::Any;
use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::body::Bytes;
use axum::extract::DefaultBodyLimit;
use axum::http::HeaderValue;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::sync::watch;
use tower_http::catch_panic::CatchPanicLayer;
use utoipa::OpenApi as _;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt as _};
use utoipa_axum::routes;

use self::admission::Admission;
use self::failure::Failure;
pub use self::feedback::{Store, sweep};
pub use self::games::Games;
pub use self::jobs::{Jobs, Keeper, Seal};
pub use self::keys::{Keys, KeysError, NewKey};
use self::metrics::Metrics;
pub use self::origin::Hosts;
pub use self::server::{Door, serve};
use self::turnstile::Turnstile;
use crate::config::Limits;
use crate::pipeline::Reader;
use crate::workshop::words;

/// What all requests share: the reader once it is loaded, the limits, and who may come in.
#[derive(Debug, Clone)]
pub struct Service(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    reader: OnceLock<Arc<Reader>>,
    admission: Admission,
    turnstile: Turnstile,
    limits: Limits,
    stopping: watch::Sender<bool>,
    document: OnceLock<Bytes>,
    keys: watch::Sender<Arc<Keys>>,
    hosts: Hosts,
    sites: Vec<HeaderValue>,
    feedback: Option<Arc<Store>>,
    jobs: Option<Arc<Jobs>>,
    games: Option<Arc<Games>>,
    metrics: Metrics,
}

impl Service {
    /// A service that answers everything but photos until [`ready`](Service::ready) is called.
    #[must_use]
    pub fn new(limits: Limits) -> Service {
        Service(Arc::new(Shared {
            reader: OnceLock::new(),
            admission: Admission::new(&limits),
            turnstile: Turnstile::default(),
            limits,
            stopping: watch::Sender::new(false),
            document: OnceLock::new(),
            keys: watch::Sender::new(Arc::default()),
            hosts: Hosts::default(),
            sites: Vec::new(),
            feedback: None,
            jobs: None,
            games: None,
            metrics: Metrics::new(),
        }))
    }

    /// The same, but only for those who send one of these keys; to be called before it is shared.
    #[must_use]
    pub fn with_keys(mut self, keys: Keys) -> Service {
        if let Some(shared) = Arc::get_mut(&mut self.0) {
            shared.keys = watch::Sender::new(Arc::new(keys));
        }
        self
    }

    /// The same under more names than this machine's own, for those who ask without a key; to be called before it is
    /// shared.
    #[must_use]
    pub fn with_hosts(mut self, hosts: Hosts) -> Service {
        if let Some(shared) = Arc::get_mut(&mut self.0) {
            shared.hosts = hosts;
        }
        self
    }

    /// The same with sites, such as `https://club.example`, whose pages may use it with a key; to be called before it is
    /// shared. What is no site, such as `*`, is left out.
    #[must_use]
    pub fn with_sites<S: AsRef<str>>(mut self, sites: &[S]) -> Service {
        if let Some(shared) = Arc::get_mut(&mut self.0) {
            let sites = sites.iter().map(AsRef::as_ref).filter(|site| site.contains("://"));
            shared.sites = sites.filter_map(|site| HeaderValue::try_from(site).ok()).collect();
        }
        self
    }

    /// The same with a place for feedback; to be called before it is shared.
    #[must_use]
    pub fn with_feedback(mut self, store: Arc<Store>) -> Service {
        if let Some(shared) = Arc::get_mut(&mut self.0) {
            shared.feedback = Some(store);
        }
        self
    }

    /// The same with a place for jobs; to be called before it is shared. A [`Keeper`] sees to them.
    #[must_use]
    pub fn with_jobs(mut self, jobs: Arc<Jobs>) -> Service {
        if let Some(shared) = Arc::get_mut(&mut self.0) {
            shared.jobs = Some(jobs);
        }
        self
    }

    /// The same with a place for games; to be called before it is shared.
    #[must_use]
    pub fn with_games(mut self, games: Arc<Games>) -> Service {
        if let Some(shared) = Arc::get_mut(&mut self.0) {
            shared.games = Some(games);
        }
        self
    }

    /// Photos can be read from now on. The first reader stays.
    pub fn ready(&self, reader: Arc<Reader>) {
        let _ = self.0.reader.set(reader);
    }

    /// The process was told to stop: `/readyz` says so, and what was accepted is still answered.
    pub fn stop(&self) {
        self.0.stopping.send_replace(true);
    }

    fn stopping(&self) -> bool {
        *self.0.stopping.borrow()
    }

    /// Says `true` once the process was told to stop.
    fn stopped(&self) -> watch::Receiver<bool> {
        self.0.stopping.subscribe()
    }

    fn reader(&self) -> Result<Arc<Reader>, Failure> {
        self.0.reader.get().cloned().ok_or(Failure::Starting)
    }

    /// Other keys from now on: what belongs to one that is not among them ends.
    pub fn renew_keys(&self, keys: Keys) {
        self.0.keys.send_modify(|known| *known = Arc::new(keys.in_place_of(known)));
    }

    fn keys(&self) -> Arc<Keys> {
        Arc::clone(&self.0.keys.borrow())
    }

    fn keys_as_they_change(&self) -> watch::Receiver<Arc<Keys>> {
        self.0.keys.subscribe()
    }

    fn hosts(&self) -> &Hosts {
        &self.0.hosts
    }

    fn feedback(&self) -> Result<Arc<Store>, Failure> {
        self.0.feedback.clone().ok_or(Failure::NoFeedback)
    }

    fn jobs(&self) -> Result<Arc<Jobs>, Failure> {
        self.0.jobs.clone().ok_or(Failure::NoJobs)
    }

    fn games(&self) -> Result<Arc<Games>, Failure> {
        self.0.games.clone().ok_or(Failure::NoGames)
    }

    fn metrics(&self) -> &Metrics {
        &self.0.metrics
    }

    fn limits(&self) -> &Limits {
        &self.0.limits
    }

    /// The OpenAPI document, written once it is asked for.
    fn document(&self) -> Bytes {
        self.0.document.get_or_init(|| openapi::written(&document())).clone()
    }

    fn turnstile(&self) -> &Turnstile {
        &self.0.turnstile
    }

    fn admission(&self) -> &Admission {
        &self.0.admission
    }
}

/// The whole service.
pub fn app(service: Service) -> Router {
    let guard = from_fn_with_state(service.clone(), keys::guard);
    let (guarded, _) = guarded(&service).layer(guard).split_for_parts();
    let (open, _) = open().split_for_parts();
    let body_bytes = service.limits().body_bytes;
    let app = guarded.merge(open);
    #[cfg(feature = "web")]
    let app = app.merge(page::routes());
    let app = app
        .fallback(async || Failure::NoSuchPath)
        .method_not_allowed_fallback(async || Failure::NoSuchMethod)
        .layer(DefaultBodyLimit::max(body_bytes))
        .layer(CatchPanicLayer::custom(panicked));
    let sites = &service.0.sites;
    let app = if sites.is_empty() { app } else { app.layer(origin::cors(sites)) };
    app.layer(from_fn_with_state(service.clone(), turnstile::guard))
        .layer(from_fn_with_state(service.clone(), origin::guard))
        .layer(from_fn(headers::complete))
        .layer(from_fn_with_state(service.clone(), request_id::identify))
        .with_state(service)
}

/// What tells of the process's health alone, for an address of its own: `/livez`, `/readyz`, and `/metrics` without a key.
/// It writes no line in the log: whoever watches a process asks every few seconds.
pub fn health(service: Service) -> Router {
    Router::new()
        .route("/livez", get(health::livez))
        .route("/readyz", get(health::readyz))
        .route("/metrics", get(metrics::metrics))
        .fallback(async || Failure::NoSuchPath)
        .method_not_allowed_fallback(async || Failure::NoSuchMethod)
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(service.clone(), origin::guard_health))
        .layer(from_fn(headers::complete))
        .with_state(service)
}

/// Every route that asks for a key where there are any, with its description.
fn guarded(service: &Service) -> OpenApiRouter<Service> {
    let limits = service.limits();
    let most = service.jobs().map_or(limits.body_bytes, |jobs| jobs.limits().bytes);
    let small = |most| DefaultBodyLimit::max(most);
    OpenApiRouter::with_openapi(openapi::Described::openapi())
        .routes(routes!(hands::read))
        .routes(routes!(score::score).layer(small(score::most_bytes(limits))))
        .routes(routes!(readings::score).layer(small(readings::most_bytes(limits))))
        .routes(routes!(rulesets::list))
        .routes(routes!(feedback::send))
        .routes(routes!(feedback::remove))
        .merge(jobs::routes(most))
        .merge(games::routes(limits.body_bytes))
        .routes(routes!(metrics::metrics))
        .routes(routes!(openapi::json))
        .merge(docs::routes())
}

/// What anybody may ask: whether the service lives, and games by the token of their link.
fn open() -> OpenApiRouter<Service> {
    OpenApiRouter::new()
        .routes(routes!(health::livez))
        .routes(routes!(health::readyz))
        .merge(games::open_routes())
}

/// The OpenAPI document of the service.
#[must_use]
pub fn document() -> serde_json::Value {
    openapi::finished(guarded(&Service::new(Limits::default())).merge(open()).into_openapi())
}

/// A panic in a handler: opaque to the client, named in the log.
#[allow(clippy::needless_pass_by_value, reason = "the layer asks for this signature")]
fn panicked(payload: Box<dyn Any + Send>) -> Response {
    Failure::Internal { cause: words(payload.as_ref()) }.into_response()
}
