//! Requests that create or change a journal, before their bodies are parsed.
//!
//! Every change names the revision that its author saw (`If-Match`). If two phones write at once,
//! the second gets 412, reloads, and may retry. An `Idempotency-Key` ensures that what is sent
//! again after a lost answer is done only once.

use std::time::{SystemTime, UNIX_EPOCH};

use axum::body::Bytes;
use axum::extract::Request;
use axum::http::header::IF_MATCH;
use axum::http::{HeaderMap, StatusCode};
use tilesight_jobs::Name;
use tilesight_jobs::journals::Precondition;

use super::revision::parse_revisions;
use super::views::Viewer;
use crate::answer::failure::Failure;
use crate::input::body::receive_json;
use crate::input::idempotency_key::{parse_key, parse_stored_name};
use crate::limits::Limits;

/// A new journal as it was sent.
#[derive(Debug)]
pub(in crate::routes) struct SentJournal {
    /// Key under which it is created once.
    pub(in crate::routes) key: Option<Name>,
    /// JSON.
    pub(in crate::routes) body: Bytes,
}

impl SentJournal {
    /// Receives a new journal.
    ///
    /// # Errors
    /// When the key is invalid, or the body is no JSON within the limits.
    pub(in crate::routes) async fn receive(
        request: Request,
        viewer: &Viewer,
        limits: &Limits,
    ) -> Result<SentJournal, Failure> {
        let key = parse_stored_name(request.headers(), viewer.client())?;
        let body = receive_json(request, limits).await?;
        Ok(SentJournal { key, body })
    }
}

/// A change as it was sent.
#[derive(Debug)]
pub(in crate::routes) struct SentChange {
    /// Revision that its author saw.
    pub(in crate::routes) seen: Precondition,
    /// Key under which it is made once.
    pub(in crate::routes) key: Option<String>,
    /// JSON.
    pub(in crate::routes) body: Bytes,
}

impl SentChange {
    /// Receives a change.
    ///
    /// # Errors
    /// When a header is missing or wrong, or the body is no JSON within the limits.
    pub(in crate::routes) async fn receive(
        request: Request,
        limits: &Limits,
    ) -> Result<SentChange, Failure> {
        let seen = precondition(request.headers())?;
        let key = parse_key(request.headers())?;
        let body = receive_json(request, limits).await?;
        Ok(SentChange { seen, key, body })
    }
}

/// Returns the status of an answer to something that is done once.
pub(in crate::routes) const fn status(new: bool) -> StatusCode {
    if new { StatusCode::CREATED } else { StatusCode::OK }
}

/// Returns the revision that the author of a change saw.
pub(in crate::routes) fn precondition(headers: &HeaderMap) -> Result<Precondition, Failure> {
    parse_revisions(headers.get(IF_MATCH).ok_or(Failure::Unconditional)?)
}

/// Returns the milliseconds since 1970.
pub(in crate::routes) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}
