//! Request ids: one for every request, in the header of the answer, in problems and some other
//! bodies, and in the log.
//!
//! A client's own `x-request-id` is kept if it is short and plain; anything else could forge log
//! lines. Otherwise the id has a random part for the process and a counter, so that ids never
//! repeat.

use std::collections::hash_map::RandomState;
use std::convert::Infallible;
use std::hash::{BuildHasher, Hasher};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::extract::{FromRequestParts, Request};
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

const HEADER: HeaderName = HeaderName::from_static("x-request-id");
/// Maximum length of a client's id: room for a UUID or a trace id with a prefix.
const MAX_LENGTH: usize = 64;

/// Id of the current request.
#[derive(Debug, Clone)]
pub(crate) struct RequestId(HeaderValue);

impl RequestId {
    /// Returns the id as text.
    pub(crate) fn as_str(&self) -> &str {
        self.0.to_str().expect("ids are plain ASCII")
    }

    fn from_request(request: &Request) -> RequestId {
        let given = request.headers().get(HEADER).filter(|id| is_plain(id.as_bytes()));
        RequestId(given.cloned().unwrap_or_else(next))
    }
}

/// Returns whether an id that a client chose may be written to the log.
fn is_plain(id: &[u8]) -> bool {
    (1..=MAX_LENGTH).contains(&id.len())
        && id.iter().all(|byte| byte.is_ascii_alphanumeric() || b"-_.:".contains(byte))
}

impl<S: Sync> FromRequestParts<S> for RequestId {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<RequestId, Infallible> {
        Ok(parts.extensions.get().cloned().unwrap_or_else(|| RequestId(next())))
    }
}

/// Returns a new id: 16 random digits of the process, then a counter.
fn next() -> HeaderValue {
    static PROCESS: LazyLock<u64> = LazyLock::new(|| RandomState::new().build_hasher().finish());
    static COUNT: AtomicU64 = AtomicU64::new(1);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    HeaderValue::try_from(format!("{:016x}-{count:06x}", *PROCESS)).expect("hex is a header value")
}

/// Gives every request its id, and its answer the header with it.
pub(crate) async fn mark(mut request: Request, next: Next) -> Response {
    let id = RequestId::from_request(&request);
    request.extensions_mut().insert(id.clone());
    let mut response = next.run(request).await;
    response.headers_mut().insert(HEADER, id.0);
    response
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn id_for(given: &str) -> String {
        let request = Request::builder().header(HEADER, given).body(Body::empty()).unwrap();
        RequestId::from_request(&request).as_str().to_owned()
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
