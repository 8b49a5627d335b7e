//! Request ids: one for every request, in the answer's header, its body and the log.
//!
//! A client's own `x-request-id` is kept when it is short and plain; anything else could forge log
//! lines. Otherwise the id is random for the process and counts up, so ids never repeat.

use std::collections::hash_map::RandomState;
use std::convert::Infallible;
use std::hash::{BuildHasher, Hasher};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

const HEADER: HeaderName = HeaderName::from_static("x-request-id");
/// Room for a UUID or a trace id with a prefix.
const LONGEST: usize = 64;

/// The id of the request in hand.
#[derive(Debug, Clone)]
pub(super) struct RequestId(HeaderValue);

impl RequestId {
    /// The id as text.
    pub(super) fn as_str(&self) -> &str {
        self.0.to_str().expect("ids are plain ASCII")
    }

    fn of(request: &Request) -> RequestId {
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(byte);
        let given = request
            .headers()
            .get(HEADER)
            .filter(|id| (1..=LONGEST).contains(&id.len()) && id.as_bytes().iter().all(plain));
        RequestId(given.cloned().unwrap_or_else(next))
    }
}

impl<S: Sync> FromRequestParts<S> for RequestId {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<RequestId, Infallible> {
        Ok(parts.extensions.get().cloned().unwrap_or_else(|| RequestId(next())))
    }
}

/// A new id: 16 random digits of the process, then a count.
fn next() -> HeaderValue {
    static PROCESS: LazyLock<u64> = LazyLock::new(|| RandomState::new().build_hasher().finish());
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    HeaderValue::try_from(format!("{:016x}-{count:06x}", *PROCESS)).expect("hex is a header value")
}

/// Gives every request its id, and logs one line when it is answered: no query, no body, no address.
pub(super) async fn identify(mut request: Request, next: Next) -> Response {
    let start = Instant::now();
    let id = RequestId::of(&request);
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    request.extensions_mut().insert(id.clone());
    let mut response = next.run(request).await;
    response.headers_mut().insert(HEADER, id.0.clone());
    let status = response.status().as_u16();
    let ms = start.elapsed().as_millis();
    tracing::info!(id = id.as_str(), %method, path, status, ms, "answered");
    response
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn id_for(given: &str) -> String {
        let request = Request::builder().header(HEADER, given).body(Body::empty()).unwrap();
        RequestId::of(&request).as_str().to_owned()
    }

    #[test]
    fn plain_ids_are_kept_and_others_replaced() {
        assert_eq!(id_for("4bf92f35-77b3.a_1:2"), "4bf92f35-77b3.a_1:2");
        for bad in ["", "two words", "a\"b", &"x".repeat(65)] {
            assert_ne!(id_for(bad), bad);
        }
        assert_ne!(id_for(""), id_for(""));
    }
}
