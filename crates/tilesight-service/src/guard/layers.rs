//! Guards: the layers that may refuse a request before an endpoint sees it.
//!
//! Input: the head of a request and the [`Gate`] of the service. Output: the request, passed on, or
//! a refusal. A request passes them in this order: [`origin`] (is the request for this service, and
//! from its own page), then [`throttle`] (requests without a known key wait), then [`key`] (at the
//! endpoints that need one). `origin.rs`, `throttle.rs` and `keys.rs` have the rules.
//! Invariant: the body of a refused request is discarded within the limits of the service.

use std::sync::Arc;
use std::time::SystemTime;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use futures_util::StreamExt as _;

use crate::answer::failure::Failure;
use crate::guard::client::Client;
use crate::guard::discard::{refuse, refuse_unless};
use crate::guard::gate::Gate;
use crate::guard::keys::{Credential, Key};
use crate::guard::ledger::count_body;
use crate::guard::origin::{Hosts, check};
use crate::guard::rate::RateState;
use crate::guard::usage::Amounts;

/// Amount of one request.
const REQUEST: Amounts = Amounts { requests: 1, photos: 0, bytes: 0 };

/// Passes a request on if it names the service as its host and does not come from another site's
/// page. Services that require keys, and requests for health, skip the check.
pub(crate) async fn origin(
    State(gate): State<Arc<Gate>>,
    request: Request,
    next: Next,
) -> Result<Response, Failure> {
    let open = is_health(&request) || !gate.keys().is_empty();
    check_origin(open, &gate.hosts, &gate, request, next).await
}

/// Like [`origin`], for the listener of the process's health, whether or not the service requires
/// keys. Its figures are for programs, which use any address, such as a pod's, or a name of the
/// service.
pub(crate) async fn origin_of_health(
    State(gate): State<Arc<Gate>>,
    request: Request,
    next: Next,
) -> Result<Response, Failure> {
    let hosts = gate.hosts.clone().with_addresses();
    check_origin(is_health(&request), &hosts, &gate, request, next).await
}

/// Returns whether a request asks only for health, which reveals nothing that a stranger could use.
fn is_health(request: &Request) -> bool {
    matches!(request.uri().path(), "/livez" | "/readyz")
}

async fn check_origin(
    open: bool,
    hosts: &Hosts,
    gate: &Gate,
    request: Request,
    next: Next,
) -> Result<Response, Failure> {
    let checked = if open { Ok(()) } else { check(hosts, &request) };
    let ((), request) = refuse_unless(checked, request, &gate.limits)?;
    Ok(next.run(request).await)
}

/// Passes requests with a known key on at once, and all others in turn.
pub(crate) async fn throttle(
    State(gate): State<Arc<Gate>>,
    mut request: Request,
    next: Next,
) -> Result<Response, Failure> {
    let credential = Credential::new(gate.keys(), request.headers());
    if credential.lacks_key()
        && let Err(state) = gate.throttle.pass(Client::network(request.extensions())).await
    {
        refuse(request, &gate.limits);
        return Ok(refuse_rate(state));
    }
    request.extensions_mut().insert(credential);
    Ok(next.run(request).await)
}

/// Passes a request on if its key may send it, or if no keys are required. An event stream ends as
/// soon as its key is removed.
pub(crate) async fn key(
    State(gate): State<Arc<Gate>>,
    mut request: Request,
    next: Next,
) -> Result<Response, Failure> {
    let credential = request
        .extensions_mut()
        .remove::<Credential>()
        .unwrap_or_else(|| Credential::new(gate.keys(), request.headers()));
    if !credential.is_required() {
        return Ok(next.run(request).await);
    }
    // A person opens this page in a browser, which sends a key only when asked.
    let ask = request.uri().path().starts_with("/docs");
    let (key, request) = refuse_unless(credential.key(ask), request, &gate.limits)?;
    match key.admit() {
        Ok(state) => {
            let taken = gate
                .usage
                .take(&key.name().0, REQUEST, key.quotas(), SystemTime::now())
                .map_err(Failure::OverQuota);
            let ((), request) = refuse_unless(taken, request, &gate.limits)?;
            let mut counted = count_bytes(request, &gate, key);
            counted.extensions_mut().insert(key.name());
            let mut response = end_with_key(next.run(counted).await, &gate, key);
            response.extensions_mut().insert(key.name());
            state.write(response.headers_mut());
            Ok(response)
        }
        Err(state) => {
            // A client that ignores refusals must wait for the next ones.
            let _ = gate.throttle.pass(Client::network(request.extensions())).await;
            refuse(request, &gate.limits);
            Ok(refuse_rate(state))
        }
    }
}

/// Returns a request whose body counts for its key.
fn count_bytes(request: Request, gate: &Gate, key: &Key) -> Request {
    request.map(|body| count_body(body, &gate.usage, &key.name().0))
}

/// Returns the refusal of a client that exceeds its rate.
fn refuse_rate(state: RateState) -> Response {
    let mut response = Failure::OverRate { wait: state.reset }.into_response();
    state.write(response.headers_mut());
    response
}

/// Returns an answer that may last for hours, such that it ends when its key is removed.
fn end_with_key(response: Response, gate: &Gate, key: &Key) -> Response {
    let kind = response.headers().get(CONTENT_TYPE);
    if !kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream")) {
        return response;
    }
    let mut keys = gate.watch_keys();
    let id = key.id().clone();
    let removed = async move {
        // The set of keys exists as long as anyone is being answered.
        let _ = keys.wait_for(|keys| !keys.has(&id)).await;
    };
    response.map(|body| Body::from_stream(body.into_data_stream().take_until(Box::pin(removed))))
}
