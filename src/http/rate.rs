//! The headers that tell a client how much of its rate is left.
//!
//! Input: the state of a rate limit when a request was counted. Output: `RateLimit-Policy` and
//! `RateLimit` (draft-ietf-httpapi-ratelimit-headers), on answers and on refusals alike. Invariant:
//! what is left is never more than the client may really send.

use axum::http::{HeaderMap, HeaderName, HeaderValue};

const POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");
const STATE: HeaderName = HeaderName::from_static("ratelimit");

/// A rate limit after a request was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RateState {
    /// What is counted: requests of a key, or of an address.
    pub(super) policy: &'static str,
    /// Requests in a window.
    pub(super) quota: u32,
    /// The window in seconds.
    pub(super) window: u64,
    /// Requests that may be sent at once.
    pub(super) remaining: u32,
    /// Seconds until all of the quota is there again; after a refusal until one request is.
    pub(super) reset: u64,
}

impl RateState {
    /// Adds the headers to those of an answer.
    pub(super) fn write(&self, headers: &mut HeaderMap) {
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
