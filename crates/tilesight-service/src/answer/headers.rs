//! Headers of every answer for browsers and caches, in addition to those of its handler; and the
//! encodings that a client accepts.
//!
//! Output: `X-Content-Type-Options: nosniff` and a `Cache-Control` on every answer, including
//! refusals; over HTTPS also `Strict-Transport-Security`. Invariant: a handler's own header is
//! kept, and an answer without `Cache-Control` is not cached.

use axum::extract::Request;
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, STRICT_TRANSPORT_SECURITY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

use crate::guard::origin::asks_this_machine;

/// 180 days from each answer, the minimum that security checkers accept. A longer time would only
/// lock people out of a service that gave up HTTPS.
const HTTPS_ONLY: HeaderValue = HeaderValue::from_static("max-age=15552000");

/// Whether a request arrived over an encrypted connection; in its extensions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Encryption(pub(crate) bool);

/// Adds the headers that the handler did not set.
pub(crate) async fn complete(request: Request, next: Next) -> Response {
    // Otherwise a browser would use HTTPS for every port of `localhost` from then on.
    let https_only = matches!(request.extensions().get(), Some(Encryption(true)))
        && !asks_this_machine(&request);
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    if https_only {
        headers.insert(STRICT_TRANSPORT_SECURITY, HTTPS_ONLY);
    }
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
            assert!(!answer.headers.contains_key(STRICT_TRANSPORT_SECURITY), "{path}: plain HTTP");
        }
    }

    #[tokio::test]
    async fn only_https_asks_for_https() {
        for (host, encrypted, expected) in [
            ("club.example", true, true),
            ("club.example", false, false),
            ("localhost:8443", true, false),
            ("127.0.0.1", true, false),
        ] {
            let mut request =
                Request::get("/livez").header("host", host).body(Body::empty()).unwrap();
            request.extensions_mut().insert(Encryption(encrypted));
            let answer = send(&service(), request).await;
            assert_eq!(answer.status, 200);
            let has = answer.headers.contains_key(STRICT_TRANSPORT_SECURITY);
            assert_eq!(has, expected, "{host} {encrypted}");
        }
    }
}
