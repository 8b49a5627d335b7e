//! The HTTP service: photos and typed hands in, readings and scores out, as JSON.
//!
//! [`app`] is the whole service as a router, without a socket; [`serve`] runs it on one. Each
//! endpoint has its own file with its tests. Invariants: only this module names axum; every error
//! is an RFC 9457 problem with a stable type and tells no internal path; a photo lives in memory
//! and nowhere else; photos are read off the async threads, and an accepted request is answered.

mod admission;
mod failure;
mod hands;
mod health;
mod input;
mod language;
#[cfg(feature = "web")]
mod page;
mod readings;
mod request_id;
mod rulesets;
mod score;
mod server;
#[cfg(test)]
mod testing;
mod upload;

use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use tower_http::catch_panic::CatchPanicLayer;

use self::admission::Admission;
use self::failure::Failure;
pub use self::server::serve;
use crate::config::Limits;
use crate::pipeline::Reader;

/// What all requests share: the reader once it is loaded, the limits, and who may come in.
#[derive(Debug, Clone)]
pub struct Service(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    reader: OnceLock<Arc<Reader>>,
    admission: Admission,
    limits: Limits,
    stopping: AtomicBool,
}

impl Service {
    /// A service that answers everything but photos until [`ready`](Service::ready) is called.
    #[must_use]
    pub fn new(limits: Limits) -> Service {
        let admission = Admission::new(&limits);
        let stopping = AtomicBool::new(false);
        Service(Arc::new(Shared { reader: OnceLock::new(), admission, limits, stopping }))
    }

    /// Photos can be read from now on. The first reader stays.
    pub fn ready(&self, reader: Arc<Reader>) {
        let _ = self.0.reader.set(reader);
    }

    /// The process was told to stop: `/readyz` says so, and what was accepted is still answered.
    pub fn stop(&self) {
        self.0.stopping.store(true, Ordering::Relaxed);
    }

    fn stopping(&self) -> bool {
        self.0.stopping.load(Ordering::Relaxed)
    }

    fn reader(&self) -> Result<Arc<Reader>, Failure> {
        self.0.reader.get().cloned().ok_or(Failure::Starting)
    }

    fn limits(&self) -> &Limits {
        &self.0.limits
    }

    fn admission(&self) -> &Admission {
        &self.0.admission
    }
}

/// The whole service.
pub fn app(service: Service) -> Router {
    let body_bytes = service.limits().body_bytes;
    let score_bytes = score::most_bytes(service.limits());
    let reading_bytes = readings::most_bytes(service.limits());
    let router = Router::new();
    #[cfg(feature = "web")]
    let router = router.merge(page::routes());
    router
        .route("/v1/hands", post(hands::read))
        .route("/v1/score", post(score::score).layer(DefaultBodyLimit::max(score_bytes)))
        .route(
            "/v1/readings/score",
            post(readings::score).layer(DefaultBodyLimit::max(reading_bytes)),
        )
        .route("/v1/rulesets", get(rulesets::list))
        .route("/livez", get(health::livez))
        .route("/readyz", get(health::readyz))
        .fallback(async || Failure::NoSuchPath)
        .method_not_allowed_fallback(async || Failure::NoSuchMethod)
        .layer(DefaultBodyLimit::max(body_bytes))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn(request_id::identify))
        .with_state(service)
}

/// A panic in a handler: opaque to the client, named in the log.
#[allow(clippy::needless_pass_by_value, reason = "the layer asks for this signature")]
fn panicked(payload: Box<dyn Any + Send>) -> Response {
    let text = payload.downcast_ref::<&str>().map(ToString::to_string);
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    Failure::Internal { cause: text.unwrap_or_else(|| "a panic".to_owned()) }.into_response()
}
