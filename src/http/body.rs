//! Bodies: what form one has, that it is not too large, and that it keeps coming.
//!
//! Input: a request and the limits. Output: its bytes, or why they are not taken. Three clocks run: the
//! whole body has a time limit, every few seconds some of it has to come, and a body that nobody wants
//! is thrown away while its answer is already on the way. Invariant: at most the limit of bytes is held.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, Request};
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, EXPECT};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use http_body_util::BodyExt as _;
use tokio::time::{sleep, timeout};

use super::failure::Failure;
use crate::config::Limits;

/// The forms a body can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Multipart,
    Json,
    Raw,
}

impl Form {
    /// The form that the content type declares.
    pub(super) fn of(headers: &HeaderMap) -> Result<Form, Failure> {
        let as_it_is = |coding: &HeaderValue| coding.as_bytes().eq_ignore_ascii_case(b"identity");
        if !headers.get_all(CONTENT_ENCODING).iter().all(as_it_is) {
            return Err(Failure::EncodedBody);
        }
        let declared =
            headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let essence = declared.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        match essence.as_str() {
            "multipart/form-data" => Ok(Form::Multipart),
            "application/json" => Ok(Form::Json),
            "application/octet-stream" => Ok(Form::Raw),
            image if image.starts_with("image/") => Ok(Form::Raw),
            _ => Err(Failure::UnsupportedBody {
                expected: "multipart/form-data, image/* or application/json",
            }),
        }
    }
}

/// The whole body, at most `most` bytes of it; for the endpoints that take JSON.
pub(super) async fn receive_json(
    request: Request,
    limits: &Limits,
    most: usize,
) -> Result<Bytes, Failure> {
    match Form::of(request.headers()) {
        Ok(Form::Json) => {}
        Err(Failure::EncodedBody) => return Err(Failure::EncodedBody),
        _ => return Err(Failure::UnsupportedBody { expected: "application/json" }),
    }
    receive(request, limits, most, async |request| whole(request, most).await).await
}

/// Receives a body of at most `most` bytes by `receiving`, as long as it keeps coming.
pub(super) async fn receive<T>(
    request: Request,
    limits: &Limits,
    most: usize,
    receiving: impl AsyncFnOnce(Request) -> Result<T, Failure>,
) -> Result<T, Failure> {
    if let Some(failure) = oversize(request.headers(), most) {
        refuse(request, limits);
        return Err(failure);
    }
    let seen = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&seen);
    let request = request.map(|body| {
        Body::new(body.map_frame(move |frame| {
            let bytes = frame.data_ref().map_or(0, Bytes::len);
            counted.fetch_add(bytes as u64, Ordering::Relaxed);
            frame
        }))
    });
    tokio::select! {
        received = timeout(limits.body, receiving(request)) => received.unwrap_or(Err(Failure::SlowBody)),
        () = starved(&seen, limits) => Err(Failure::SlowBody),
    }
}

/// Ends when less than the least rate has come for one window.
async fn starved(seen: &AtomicU64, limits: &Limits) {
    let least = limits.body_rate.saturating_mul(limits.body_window.as_millis() as u64) / 1000;
    let mut before = 0;
    loop {
        sleep(limits.body_window).await;
        let now = seen.load(Ordering::Relaxed);
        if now - before < least {
            return;
        }
        before = now;
    }
}

/// A body that says itself that it is too large.
fn oversize(headers: &HeaderMap, most: usize) -> Option<Failure> {
    let length = headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok());
    length.is_some_and(|length: usize| length > most).then_some(Failure::TooLarge { limit: most })
}

/// Throws away the body of a request that is refused, beside its answer.
///
/// A client that is already sending would take a closed connection for an accident and never read
/// the answer, so twice what any body may have is let in. One that waits for `100 Continue` hears the
/// answer first.
pub(super) fn refuse(request: Request, limits: &Limits) {
    if request.headers().contains_key(EXPECT) || request.body().is_end_stream() {
        return;
    }
    let (most, patience) = (limits.body_bytes.saturating_mul(2), limits.body);
    tokio::spawn(async move {
        // Whether all of it came makes no difference any more.
        let _ = timeout(patience, discard(request.into_body(), most)).await;
    });
}

async fn discard(mut body: Body, most: usize) {
    let mut seen = 0;
    while let Some(Ok(frame)) = body.frame().await {
        seen += frame.data_ref().map_or(0, Bytes::len);
        if seen > most {
            return;
        }
    }
}

/// The whole body. What really ends it at `most` bytes is the limit that the router sets.
pub(super) async fn whole(request: Request, most: usize) -> Result<Bytes, Failure> {
    Bytes::from_request(request, &()).await.map_err(|rejection: BytesRejection| {
        if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
            Failure::TooLarge { limit: most }
        } else {
            Failure::bad_request("body", "the body ended early")
        }
    })
}
