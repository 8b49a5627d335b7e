//! Log of the requests, and their counts in the metrics.
//!
//! Invariant: the log has nothing that a client chose except the id of a request.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{MatchedPath, Request, State};
use axum::http::Method;
use axum::middleware::Next;
use axum::response::Response;

use crate::answer::request_id::RequestId;
use crate::guard::client::KeyName;
use crate::metrics::{self, Metrics};

/// Counts and logs every request when it is answered. The log has the pattern of the route, never
/// the path, which may contain a link's token; it has no query, body or address, and no header
/// except the id.
pub(crate) async fn record(
    State(metrics): State<Arc<Metrics>>,
    id: RequestId,
    request: Request,
    next: Next,
) -> Response {
    let mut line = LogLine::new(metrics, &request, id);
    let response = next.run(request).await;
    line.key = response.extensions().get::<KeyName>().map(|key| Arc::clone(&key.0));
    line.status = response.status().as_u16();
    response
}

/// Log line of a request. It is written when the request ends, even if the client disconnects: then
/// the status is 499, as in nginx.
struct LogLine {
    metrics: Arc<Metrics>,
    start: Instant,
    id: RequestId,
    method: Method,
    route: String,
    key: Option<Arc<str>>,
    status: u16,
}

const GONE: u16 = 499;

impl LogLine {
    fn new(metrics: Arc<Metrics>, request: &Request, id: RequestId) -> LogLine {
        let route = request.extensions().get::<MatchedPath>().map_or("other", MatchedPath::as_str);
        LogLine {
            metrics,
            start: Instant::now(),
            id,
            method: request.method().clone(),
            route: route.to_owned(),
            key: None,
            status: GONE,
        }
    }
}

impl Drop for LogLine {
    fn drop(&mut self) {
        let took = self.start.elapsed();
        self.metrics.count_answer(&self.route, &self.method, self.status, took);
        let id = self.id.as_str();
        let method = metrics::method(&self.method);
        let route = &*self.route;
        let status = self.status;
        let key = self.key.as_deref();
        let ms = took.as_secs_f64() * 1000.0;
        match status {
            GONE => tracing::info!(id, method, route, status, ms, "the client left"),
            _ => tracing::info!(id, method, route, status, ms, key, "answered"),
        }
    }
}
