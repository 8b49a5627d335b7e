//! Server-sent events: the part that the streams of jobs and of games share.
//!
//! Input: an [`EventSource`]. Output: an answer that lasts until the source or the service ends.
//! Invariant: a stream is never silent for longer than [`SILENCE`], so that no proxy considers its
//! connection dead.

use std::convert::Infallible;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderName};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::sync::watch;
use tokio::time::timeout;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
/// Maximum time without data, before proxies consider the connection dead.
const SILENCE: Duration = Duration::from_secs(15);
/// Comment that is sent after that time.
const COMMENT: &[u8] = b":\n\n";
/// Field with the delay before a browser reconnects after its connection broke, in milliseconds.
pub(crate) const RETRY: &str = "retry: 2000\n";

/// Events for one client.
pub(crate) trait EventSource: Send + 'static {
    /// Returns the next bytes to send; `None` once the stream has ended. A call may be dropped
    /// before it returns; the next one then returns the same event.
    fn next(&mut self) -> impl Future<Output = Option<Bytes>> + Send;
}

/// Returns the id of the last event that a client has, if it reconnects.
pub(crate) fn last_event_id(headers: &HeaderMap) -> Option<&str> {
    headers.get(LAST_EVENT_ID)?.to_str().ok()
}

/// Returns an event without the empty line at its end. `data` is JSON in one line.
pub(crate) fn event(name: &str, id: &str, data: &str) -> String {
    format!("event: {name}\nid: {id}\ndata: {data}\n")
}

/// Returns the answer with the events of a source. It ends when the service stops, and the client
/// then reconnects to another process of the service.
pub(crate) fn stream_events(source: impl EventSource, stop: watch::Receiver<bool>) -> Response {
    let events = stream::unfold((source, stop), async |(mut source, mut stop)| {
        let bytes = tokio::select! {
            biased;
            next = timeout(SILENCE, source.next()) => {
                next.unwrap_or(Some(Bytes::from_static(COMMENT)))?
            }
            _ = stop.wait_for(|stop| *stop) => return None,
        };
        Some((Ok::<_, Infallible>(bytes), (source, stop)))
    });
    let headers = [
        (CONTENT_TYPE, "text/event-stream"),
        (CACHE_CONTROL, "no-store"),
        // Proxies such as nginx buffer answers by default; this header disables that.
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    (headers, Body::from_stream(events)).into_response()
}
