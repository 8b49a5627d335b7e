//! Refusals before any endpoint sees a request: by the guards, and by the HTTP parser. The faults
//! that endpoints find are `ServiceProblemKind` (`answer/problem.rs`) and `ProblemKind` of
//! `tilesight-core`.
//!
//! Output: the answers that every operation can return in addition to its own. Invariant: an
//! operation's own description of a status is kept.

use std::collections::BTreeMap;

use utoipa::openapi::path::Operation;
use utoipa::openapi::{RefOr, Response, ResponseBuilder};

use super::{all, later, problem};

/// Adds the refusals by the guards to an operation. Health answers every client; an `open`
/// operation needs no key.
pub(super) fn add(operation: &mut Operation, health: bool, open: bool) {
    if !health {
        add_missing(operation, origin_refusals());
    }
    if open {
        let rate = "Where keys are required: too many requests without one came from this network.";
        add_missing(operation, all([(429, later(rate))]));
    }
}

/// Adds the refusals that have no body and no headers of the service.
pub(super) fn add_bare(operation: &mut Operation) {
    add_missing(operation, head_refusals());
}

fn add_missing(operation: &mut Operation, more: BTreeMap<String, RefOr<Response>>) {
    for (status, response) in more {
        operation.responses.responses.entry(status).or_insert(response);
    }
}

/// Returns the refusals by the guard against wrong hosts and other sites.
fn origin_refusals() -> BTreeMap<String, RefOr<Response>> {
    all([
        (400, problem("The `Host` header is missing, or names no host.")),
        (403, problem("Without API keys: a page of another site sent the request.")),
        (
            421,
            problem("Without API keys: the `Host` header names a host that is not this service."),
        ),
    ])
}

/// Returns the refusals of a request's head by the HTTP parser.
fn head_refusals() -> BTreeMap<String, RefOr<Response>> {
    all([
        (414, bare("The address has more than 65,534 characters. The answer has no body.")),
        (431, bare("The head has more than 131,072 bytes or 100 headers. The answer has no body.")),
    ])
}

/// Returns a response without a body.
fn bare(description: &str) -> ResponseBuilder {
    ResponseBuilder::new().description(description)
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::extract::Request;
    use serde_json::Value;
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio::net::{TcpListener, TcpStream};
    use tokio::sync::oneshot;

    use crate::testing::{DOCUMENT, limits, send, service};
    use crate::{Service, app, serve};

    /// Returns every operation: its method, its path with values in place of names, and its
    /// answers.
    fn operations() -> Vec<(String, String, Value)> {
        let paths = DOCUMENT["paths"].as_object().expect("paths");
        let mut operations = Vec::new();
        for (path, item) in paths {
            for (method, operation) in item.as_object().expect("operations") {
                let path = path.replace(['{', '}'], "");
                operations.push((
                    method.to_ascii_uppercase(),
                    path,
                    operation["responses"].clone(),
                ));
            }
        }
        assert!(operations.len() > 30, "{operations:?}");
        operations
    }

    async fn refused(
        service: &Service,
        (method, path): (&str, &str),
        (header, value): (&str, &str),
    ) -> (u16, Value) {
        let request = Request::builder().method(method).uri(path).header(header, value);
        let answer = send(service, request.body(Body::empty()).expect("a request")).await;
        (answer.status.as_u16(), answer.json)
    }

    #[tokio::test]
    async fn refusals_of_the_guards_are_described() {
        let service = service();
        for (method, path, described) in operations() {
            let health = matches!(path.as_str(), "/livez" | "/readyz");
            for (header, value, status) in [
                ("origin", "https://elsewhere.example", 403),
                ("host", "elsewhere.example", 421),
                ("host", "a@b", 400),
            ] {
                let (answered, problem) =
                    refused(&service, (&method, &path), (header, value)).await;
                assert_eq!(answered == status, !health, "{method} {path} {header}: {problem}");
                if !health {
                    assert_eq!(problem["status"], status, "{method} {path}");
                }
                let description = &described[status.to_string()];
                assert_eq!(description.is_object(), !health, "{method} {path} {status}");
            }
        }
    }

    #[tokio::test]
    async fn other_methods_get_405_as_the_description_says() {
        let words = DOCUMENT["info"]["description"].as_str().expect("a text");
        assert!(words.contains("405") && words.contains("`Allow`"), "{words}");
        let service = service();
        let operations = operations();
        for (_, path, _) in &operations {
            let known = |method: &str| {
                operations.iter().any(|(one, other, _)| one == method && other == path)
            };
            for method in ["GET", "POST", "PUT", "DELETE", "PATCH"] {
                if known(method) {
                    continue;
                }
                let request = Request::builder().method(method).uri(path.as_str());
                let answer = send(&service, request.body(Body::empty()).expect("a request")).await;
                answer.is_problem(405, "method-not-allowed");
                let allowed = answer.headers["allow"].to_str().expect("methods");
                let methods = operations.iter().filter(|(_, other, _)| other == path);
                for (known, ..) in methods {
                    assert!(allowed.contains(known.as_str()), "{method} {path}: {allowed}");
                }
            }
        }
    }

    /// Sends an oversized head to a server on a socket, and returns the answer.
    async fn answer_of(head: String) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let (stop, stopped) = oneshot::channel::<()>();
        let app = app(Service::builder(limits()).build());
        let server = tokio::spawn(async move {
            serve(listener, app, &limits(), async {
                let _ = stopped.await;
            })
            .await;
        });
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        stream.write_all(head.as_bytes()).await.expect("it is read");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("text");
        stop.send(()).expect("the server runs");
        server.await.expect("it ends well");
        answer
    }

    #[tokio::test]
    async fn heads_that_are_too_long_get_answers_without_a_body() {
        let long_address =
            format!("GET /{} HTTP/1.1\r\nhost: localhost\r\n\r\n", "a".repeat(65_535));
        let many = "x: y\r\n".repeat(101);
        let many_headers = format!("GET /livez HTTP/1.1\r\nhost: localhost\r\n{many}\r\n");
        for (head, status) in [(long_address, 414), (many_headers, 431)] {
            let answer = answer_of(head).await;
            assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
            let (_, body) = answer.split_once("\r\n\r\n").expect("a head");
            assert_eq!(body, "", "{answer}");
            for (method, path, described) in operations() {
                let response = &described[status.to_string()];
                assert!(response["description"].is_string(), "{method} {path} {status}");
                for absent in ["content", "headers"] {
                    assert!(response.get(absent).is_none(), "{method} {path}: {response}");
                }
            }
        }
    }
}
