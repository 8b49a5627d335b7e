//! Headers that tell a client how much of its rate is left.
//!
//! Input: the state of a rate limit when a request was counted. Output: `RateLimit-Policy` and
//! `RateLimit` (draft-ietf-httpapi-ratelimit-headers), on answers and on refusals alike. Invariant:
//! the remaining number is never higher than what the client may really send.

use axum::http::{HeaderMap, HeaderName, HeaderValue};

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const STATE: HeaderName = HeaderName::from_static("ratelimit");

/// State of a rate limit after a request was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RateState {
    /// Name of the policy: requests of a key, or of an address.
    pub(crate) policy: &'static str,
    /// Maximum number of requests in a window.
    pub(crate) quota: u32,
    /// Length of the window in seconds.
    pub(crate) window: u64,
    /// Number of requests that may be sent at once.
    pub(crate) remaining: u32,
    /// Seconds until the whole quota is available again; after a refusal, until one request is.
    pub(crate) reset: u64,
}

impl RateState {
    /// Adds the headers to those of an answer.
    pub(crate) fn write(&self, headers: &mut HeaderMap) {
        let RateState { policy, quota, window, remaining, reset } = self;
        let policy_text = format!("\"{policy}\";q={quota};w={window}");
        let state = format!("\"{policy}\";r={remaining};t={reset}");
        for (name, text) in [(POLICY, policy_text), (STATE, state)] {
            if let Ok(value) = HeaderValue::try_from(text) {
                headers.insert(name, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_headers_are_structured_fields() {
        let state = RateState { policy: "key", quota: 600, window: 60, remaining: 599, reset: 1 };
        let mut headers = HeaderMap::new();
        state.write(&mut headers);
        assert_eq!(headers[POLICY], "\"key\";q=600;w=60");
        assert_eq!(headers[STATE], "\"key\";r=599;t=1");
    }
}
