//! `Idempotency-Key`: the text by which a client marks a request that it may send again.
//!
//! Input: the headers of a request. Output: the key without quotes. Invariant: a key has 1 to
//! [`MAX_LENGTH`] characters, and a request has at most one.

use axum::http::{HeaderMap, HeaderName};

use crate::service::answer::failure::Failure;
use crate::service::input::fault::ServiceFault;

pub(crate) const HEADER: HeaderName = HeaderName::from_static("idempotency-key");
/// Maximum length of a key, in characters.
const MAX_LENGTH: usize = 255;

/// Returns the key of a request, if it has one.
pub(crate) fn parse_key(headers: &HeaderMap) -> Result<Option<String>, Failure> {
    let Some(value) = headers.get(HEADER) else { return Ok(None) };
    let text = value.to_str().unwrap_or_default().trim();
    // The IETF draft puts the key in quotes; most clients don't.
    let key = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let single = headers.get_all(HEADER).iter().count() == 1;
    if !single || key.is_empty() || key.len() > MAX_LENGTH {
        let fault = ServiceFault::KeyLength { max: MAX_LENGTH };
        return Err(Failure::invalid("Idempotency-Key", &fault));
    }
    Ok(Some(key.to_owned()))
}
