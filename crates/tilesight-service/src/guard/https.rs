//! `Strict-Transport-Security`: over HTTPS every answer, including refusals, tells browsers to use
//! HTTPS from then on. Invariant: it is never sent for this machine itself.

use axum::extract::Request;
use axum::http::HeaderValue;
use axum::http::header::STRICT_TRANSPORT_SECURITY;
use axum::middleware::Next;
use axum::response::Response;

use crate::guard::origin::asks_this_machine;

/// 180 days from each answer, the minimum that security checkers accept. A longer time would only
/// lock people out of a service that gave up HTTPS.
const HTTPS_ONLY: HeaderValue = HeaderValue::from_static("max-age=15552000");

/// Whether a request arrived over an encrypted connection; in its extensions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Encryption(pub(crate) bool);

/// Adds the header to the answer to a request over HTTPS.
pub(crate) async fn require(request: Request, next: Next) -> Response {
    let is_encrypted = matches!(request.extensions().get(), Some(Encryption(true)));
    // A browser would use HTTPS for every port of `localhost` from then on.
    let is_required = is_encrypted && !asks_this_machine(&request);
    let mut response = next.run(request).await;
    if is_required {
        response.headers_mut().insert(STRICT_TRANSPORT_SECURITY, HTTPS_ONLY);
    }
    response
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;
    use crate::testing::{send, service};

    #[tokio::test]
    async fn only_https_asks_for_https() {
        for (host, encrypted, expected) in [
            ("club.example", true, true),
            ("club.example", false, false),
            ("localhost:8443", true, false),
            ("localhost", false, false),
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
