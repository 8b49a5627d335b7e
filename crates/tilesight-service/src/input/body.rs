//! Request bodies: their form, their maximum size, and the rate at which they must arrive.
//!
//! Input: a request and the limits. Output: its bytes, or the reason for the refusal. The whole
//! body has a timeout, and a part of it must arrive every few seconds. Invariant: no more bytes
//! than the limit are held.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::task::{Context, Poll, ready};

use axum::body::{Body, BodyDataStream, Bytes};
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, FromRequest, Request};
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use futures_util::{Stream, StreamExt as _};
use http_body_util::BodyExt as _;
use tokio::runtime::Handle;
use tokio::time::{sleep, timeout};

use crate::Limits;
use crate::answer::failure::Failure;
use crate::answer::fault::ServiceFault;
use crate::guard::admission::{Turns, WorkSize};
use crate::guard::discard::{DiscardLimits, limit_pace, min_bytes, refuse};

/// Forms that a body can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Multipart,
    Json,
    Raw,
    /// Any other type, which no endpoint takes.
    Other,
}

impl Form {
    /// Returns the form that the content type declares. The caller refuses what it does not take,
    /// and names what it does.
    pub(crate) fn from_headers(headers: &HeaderMap) -> Result<Form, Failure> {
        if is_encoded(headers) {
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
            _ => Ok(Form::Other),
        }
    }
}

/// Returns whether the body is compressed or otherwise encoded.
pub(crate) fn is_encoded(headers: &HeaderMap) -> bool {
    let mut codings = headers.get_all(CONTENT_ENCODING).iter().map(HeaderValue::as_bytes);
    codings.any(|coding| !coding.eq_ignore_ascii_case(b"identity"))
}

/// Maximum size of the body of a request, in bytes; in its extensions.
#[derive(Debug, Clone, Copy)]
struct MaxBytes(usize);

/// Sets the maximum size of the body of a request: for this module, and for the extractors of axum.
pub(crate) fn limit_body(request: &mut Request, max_bytes: usize) {
    DefaultBodyLimit::max(max_bytes).apply(request);
    request.extensions_mut().insert(MaxBytes(max_bytes));
}

fn max_bytes(request: &Request, limits: &Limits) -> usize {
    request.extensions().get().map_or(limits.body_bytes, |&MaxBytes(max_bytes)| max_bytes)
}

pub(crate) async fn receive_json(request: Request, limits: &Limits) -> Result<Bytes, Failure> {
    if Form::from_headers(request.headers())? != Form::Json {
        return Err(Failure::UnsupportedBody { expected: "application/json" });
    }
    receive_bytes(request, limits).await
}

pub(crate) async fn receive_bytes(request: Request, limits: &Limits) -> Result<Bytes, Failure> {
    let max_bytes = max_bytes(&request, limits);
    receive(request, limits, async |request| read_whole(request, max_bytes).await).await
}

/// Reads a body with photos in base64, which takes some tens of milliseconds, on a worker, once it
/// is the client's turn.
pub(crate) async fn read_on_worker<T: Send + 'static>(
    turns: &Turns,
    body: Bytes,
    read: impl FnOnce(&[u8]) -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    turns.compute(WorkSize::Large, move || read(&body)).await?
}

/// Receives a body with `receiving`, as long as it keeps arriving.
pub(crate) async fn receive<T>(
    request: Request,
    limits: &Limits,
    receiving: impl AsyncFnOnce(Request) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let request = refuse_oversize(request, limits)?;
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
        () = wait_for_starvation(&seen, limits) => Err(Failure::SlowBody),
    }
}

/// Receives a body whose parts are processed as they arrive, such as the photos of a job.
///
/// Only the time spent waiting for the client counts against the minimum rate: storing the received
/// parts may take any time up to the timeout of the whole body. If a body is refused half-way, the
/// rest is discarded, so that the sender reads the answer.
pub(crate) async fn receive_in_parts<T>(
    request: Request,
    limits: &Limits,
    receiving: impl AsyncFnOnce(Request) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let slow = Arc::new(AtomicBool::new(false));
    let request =
        request.map(|body| Remainder::body(limit_pace(body, limits, Arc::clone(&slow)), limits));
    match timeout(limits.body, receiving(request)).await {
        Err(_) => Err(Failure::SlowBody),
        Ok(Err(_)) if slow.load(Ordering::Relaxed) => Err(Failure::SlowBody),
        Ok(received) => received,
    }
}

/// Body whose remainder is discarded in the background when its reader is dropped.
struct Remainder {
    /// `None` once the body has ended or failed.
    body: Option<BodyDataStream>,
    limits: DiscardLimits,
}

impl Remainder {
    fn body(body: Body, limits: &Limits) -> Body {
        let body = Some(body.into_data_stream());
        let limits = DiscardLimits::new(limits);
        Body::from_stream(Remainder { body, limits })
    }
}

impl Stream for Remainder {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let Some(body) = &mut self.body else { return Poll::Ready(None) };
        let next = ready!(body.poll_next_unpin(context));
        if !matches!(next, Some(Ok(_))) {
            self.body = None;
        }
        Poll::Ready(next)
    }
}

impl Drop for Remainder {
    fn drop(&mut self) {
        let (Some(body), Ok(runtime)) = (self.body.take(), Handle::try_current()) else { return };
        self.limits.discard(&runtime, Body::from_stream(body));
    }
}

/// Resolves when fewer bytes than the minimum rate requires have arrived in one window.
async fn wait_for_starvation(seen: &AtomicU64, limits: &Limits) {
    let min_bytes = min_bytes(limits);
    let mut before = 0;
    loop {
        sleep(limits.body_window).await;
        let now = seen.load(Ordering::Relaxed);
        if now - before < min_bytes {
            return;
        }
        before = now;
    }
}

/// Returns the refusal of a body whose declared length is too large.
fn check_declared_length(headers: &HeaderMap, max_bytes: usize) -> Option<Failure> {
    declared_length(headers)
        .is_some_and(|length| length > max_bytes)
        .then_some(Failure::TooLarge { limit: max_bytes })
}

pub(crate) fn declared_length(headers: &HeaderMap) -> Option<usize> {
    headers.get(CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok())
}

/// Returns the request, or refuses it and discards its body if the declared length is too large.
pub(crate) fn refuse_oversize(request: Request, limits: &Limits) -> Result<Request, Failure> {
    match check_declared_length(request.headers(), max_bytes(&request, limits)) {
        Some(failure) => {
            refuse(request, limits);
            Err(failure)
        }
        None => Ok(request),
    }
}

async fn read_whole(request: Request, max_bytes: usize) -> Result<Bytes, Failure> {
    let bytes = Bytes::from_request(request, &()).await;
    bytes.map_err(|rejection| incomplete_body(&rejection, max_bytes))
}

/// Converts the error of a body that can't be read as a whole.
pub(crate) fn incomplete_body(rejection: &BytesRejection, max_bytes: usize) -> Failure {
    if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
        Failure::TooLarge { limit: max_bytes }
    } else {
        Failure::invalid("body", &ServiceFault::EarlyEnd)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use futures_util::stream;

    use super::*;
    use crate::testing::limits;

    /// Returns a request whose body has `count` frames of `bytes` bytes, each sent after `pause`.
    fn frames(count: usize, bytes: usize, pause: Duration) -> Request {
        let frames = stream::iter(0..count).then(move |_| async move {
            sleep(pause).await;
            Ok::<_, std::convert::Infallible>(vec![0; bytes])
        });
        Request::new(Body::from_stream(frames))
    }

    /// Takes a body frame by frame, works on each for `work`, and returns the number of bytes
    /// received.
    async fn taken(request: Request, work: Duration) -> Result<usize, Failure> {
        receive_in_parts(request, &limits(), async |request: Request| {
            let (mut body, mut seen) = (request.into_body(), 0);
            while let Some(frame) = body.frame().await {
                let frame = frame.map_err(|_| Failure::invalid("body", &ServiceFault::EarlyEnd))?;
                seen += frame.data_ref().map_or(0, Bytes::len);
                sleep(work).await;
            }
            Ok(seen)
        })
        .await
    }

    #[tokio::test(start_paused = true)]
    async fn only_the_clients_own_time_counts() {
        let (second, none) = (Duration::from_secs(1), Duration::ZERO);
        // Two kilobytes a second are enough, even if processing them takes longer.
        assert_eq!(taken(frames(9, 2_000, second), none).await, Ok(18_000));
        assert_eq!(taken(frames(9, 2_000, second), second).await, Ok(18_000));
        let never =
            Request::new(Body::from_stream(stream::pending::<Result<Bytes, axum::Error>>()));
        assert_eq!(taken(never, none).await, Err(Failure::SlowBody));
        let trickle = frames(100, 1, 4 * second);
        assert_eq!(taken(trickle, none).await, Err(Failure::SlowBody));
        // The whole body has a timeout, however fast it arrives.
        assert_eq!(taken(frames(1_000, 9_000, second), none).await, Err(Failure::SlowBody));
    }
}
