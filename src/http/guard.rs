//! Guards: the layers that may refuse a request before an endpoint sees it.
//!
//! Input: a request's head and the service's state. Output: the request, passed on, or a refusal.
//! In the order in which a request meets them: [`origin`] (is it for this service, and from its own
//! page), then [`turn`] (requests without a known key take turns), then [`key`] (at the endpoints
//! that need one). What they decide by is in `origin.rs`, `throttle.rs` and `keys.rs`. Invariant:
//! a refused client has its body thrown away within the limits of the service.

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use futures_util::StreamExt as _;

use super::body::refuse;
use super::client::Client;
use super::failure::Failure;
use super::keys::{Credential, Key};
use super::origin::{Hosts, check};
use super::rate::RateState;
use super::state::Service;

/// Passes a request on that asks the service by its name and does not come from another site's
/// page, or that has to bring a key.
pub(super) async fn origin(
    State(service): State<Service>,
    request: Request,
    next: Next,
) -> Result<Response, Failure> {
    let open = is_health(&request) || !service.keys().is_empty();
    checked(open, service.hosts(), &service, request, next).await
}

/// The same whether there are keys or not, for the address of the process's health: its figures are
/// for programs, which ask by any address, such as a pod's, or by a name of the service.
pub(super) async fn origin_of_health(
    State(service): State<Service>,
    request: Request,
    next: Next,
) -> Result<Response, Failure> {
    let hosts = service.hosts().clone().with_addresses();
    checked(is_health(&request), &hosts, &service, request, next).await
}

/// Whether a request asks for health alone, which says nothing that a stranger could use.
fn is_health(request: &Request) -> bool {
    matches!(request.uri().path(), "/livez" | "/readyz")
}

async fn checked(
    open: bool,
    hosts: &Hosts,
    service: &Service,
    request: Request,
    next: Next,
) -> Result<Response, Failure> {
    if !open && let Err(failure) = check(hosts, &request) {
        refuse(request, service.limits());
        return Err(failure);
    }
    Ok(next.run(request).await)
}

/// Passes requests with a known key on, and all others in their turn.
pub(super) async fn turn(
    State(service): State<Service>,
    mut request: Request,
    next: Next,
) -> Result<Response, Failure> {
    let credential = Credential::new(service.keys(), request.headers());
    if credential.lacks_key()
        && let Err(state) = service.throttle().pass(Client::network(request.extensions())).await
    {
        refuse(request, service.limits());
        return Ok(over_rate(state));
    }
    request.extensions_mut().insert(credential);
    Ok(next.run(request).await)
}

/// Passes a request on when its key may send it, or when no keys are required. A stream of events
/// ends as soon as its key is removed.
pub(super) async fn key(
    State(service): State<Service>,
    mut request: Request,
    next: Next,
) -> Result<Response, Failure> {
    let credential = request.extensions_mut().remove::<Credential>();
    let credential =
        credential.unwrap_or_else(|| Credential::new(service.keys(), request.headers()));
    if !credential.is_required() {
        return Ok(next.run(request).await);
    }
    // A person opens this page in a browser, which sends a key only when asked.
    let ask = request.uri().path().starts_with("/docs");
    let key = match credential.key(ask) {
        Ok(key) => key,
        Err(failure) => {
            refuse(request, service.limits());
            return Err(failure);
        }
    };
    match key.admit() {
        Ok(state) => {
            request.extensions_mut().insert(key.name());
            let mut response = while_known(next.run(request).await, &service, key);
            response.extensions_mut().insert(key.name());
            state.write(response.headers_mut());
            Ok(response)
        }
        Err(state) => {
            // A client that ignores refusals waits for the next ones.
            let _ = service.throttle().pass(Client::network(request.extensions())).await;
            refuse(request, service.limits());
            Ok(over_rate(state))
        }
    }
}

/// The refusal of a client that is beyond its rate.
fn over_rate(state: RateState) -> Response {
    let mut response = Failure::OverRate { wait: state.reset }.into_response();
    state.write(response.headers_mut());
    response
}

/// An answer that may go on for hours ends when its key is removed.
fn while_known(response: Response, service: &Service, key: &Key) -> Response {
    let kind = response.headers().get(CONTENT_TYPE);
    if !kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream")) {
        return response;
    }
    let (mut keys, id) = (service.keys_as_they_change(), key.id().clone());
    let removed = async move {
        // There are always keys while somebody is answered.
        let _ = keys.wait_for(|keys| !keys.has(&id)).await;
    };
    response.map(|body| Body::from_stream(body.into_data_stream().take_until(Box::pin(removed))))
}
