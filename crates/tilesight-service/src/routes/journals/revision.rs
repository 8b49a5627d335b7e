//! Revisions of journals as entity tags.

use axum::http::header::{CACHE_CONTROL, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use tilesight_jobs::Revision;
use tilesight_jobs::journals::Precondition;

use crate::answer::failure::Failure;
use crate::answer::fault::ServiceFault;

/// Returns the headers of every answer with a journal: its revision, and a ban on caching it
/// between here and the client without revalidation.
pub(in crate::routes) fn revision_headers(revision: Revision) -> [(HeaderName, HeaderValue); 2] {
    [(ETAG, etag(revision)), (CACHE_CONTROL, HeaderValue::from_static("no-cache"))]
}

fn etag(revision: Revision) -> HeaderValue {
    HeaderValue::try_from(format!("\"{}\"", revision.0)).expect("digits in quotes")
}

/// Returns whether the client has this revision already.
pub(in crate::routes) fn has_revision(headers: &HeaderMap, revision: Revision) -> bool {
    let known = headers.get(IF_NONE_MATCH).and_then(|tags| parse_revisions(tags).ok());
    known
        .is_some_and(|known| matches!(known, Precondition::OneOf(tags) if tags.contains(&revision)))
}

/// Returns the answer to a client that has this revision already.
pub(in crate::routes) fn answer_unchanged(revision: Revision) -> Response {
    (StatusCode::NOT_MODIFIED, revision_headers(revision)).into_response()
}

/// Parses the revisions in a list of entity tags. Weak tags never match, as RFC 9110 requires for
/// `If-Match`.
pub(super) fn parse_revisions(tags: &HeaderValue) -> Result<Precondition, Failure> {
    let text = tags.to_str().map_err(|_| not_a_revision())?.trim();
    if text == "*" {
        return Ok(Precondition::Any);
    }
    let mut revisions = Vec::new();
    for tag in text.split(',').map(str::trim) {
        let digits = tag.strip_prefix('"').and_then(|tag| tag.strip_suffix('"'));
        match digits.map(str::parse) {
            Some(Ok(revision)) => revisions.push(Revision(revision)),
            _ if tag.starts_with("W/\"") || digits.is_some() => {}
            _ => return Err(not_a_revision()),
        }
    }
    Ok(Precondition::OneOf(revisions))
}

fn not_a_revision() -> Failure {
    Failure::invalid("If-Match", &ServiceFault::NotARevision)
}
