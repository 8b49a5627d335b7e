//! Headers of every answer for browsers and caches, in addition to those of its handler; and the
//! encodings that a client accepts.
//!
//! Output: `X-Content-Type-Options: nosniff` and a `Cache-Control` on every answer, including
//! refusals. Invariant: a handler's own header is kept, and an answer without `Cache-Control` is
//! not cached.

use axum::extract::Request;
use axum::http::header::{ACCEPT_ENCODING, CACHE_CONTROL, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

/// Adds the headers that the handler did not set.
pub(crate) async fn complete(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Returns whether the client accepts an encoding: it names the encoding, with a weight above zero.
pub(crate) fn takes(headers: &HeaderMap, encoding: &str) -> bool {
    let values = headers.get_all(ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|range| {
        let mut parts = range.split(';').map(str::trim);
        let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(encoding));
        let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse::<f32>().ok());
        named && weight.is_none_or(|weight| weight > 0.0)
    })
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;
    use crate::testing::{send, service};

    #[tokio::test]
    async fn every_answer_is_complete() {
        for (method, path, host, status, cached) in [
            ("GET", "/livez", "localhost", 200, "no-store"),
            ("GET", "/v1/rulesets", "localhost", 200, "private, max-age=3600"),
            ("GET", "/openapi.json", "localhost", 200, "no-cache"),
            ("GET", "/docs/page.js", "localhost", 200, "no-cache"),
            ("GET", "/nowhere", "localhost", 404, "no-store"),
            ("PUT", "/v1/score", "localhost", 405, "no-store"),
            ("POST", "/v1/score", "localhost", 415, "no-store"),
            ("GET", "/v1/rulesets", "evil.test", 421, "no-store"),
        ] {
            let request = Request::builder().method(method).uri(path).header("host", host);
            let answer = send(&service(), request.body(Body::empty()).unwrap()).await;
            assert_eq!(answer.status, status, "{method} {path}");
            assert_eq!(answer.headers[X_CONTENT_TYPE_OPTIONS], "nosniff", "{path}");
            assert_eq!(answer.headers[CACHE_CONTROL], cached, "{path}");
        }
    }
}
