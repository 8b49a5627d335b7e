//! Bodies that nothing reads: those of refused requests, and what is left of a body whose reader
//! has given up.
//!
//! Discarding goes on while the answer is already being sent. Invariant: a discarded body takes no
//! more bytes and time than the limits allow, and must keep arriving.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::Request;
use axum::http::header::EXPECT;
use futures_util::{StreamExt as _, stream};
use http_body_util::BodyExt as _;
use tokio::runtime::Handle;
use tokio::time::{Instant, timeout};

use crate::Limits;
use crate::answer::failure::Failure;

/// Discards the body of a refused request while its answer is sent.
///
/// A client that is still sending would take a closed connection for a network error and never read
/// the answer. So up to twice the limit is received, as long as it arrives at the minimum rate. A
/// client that waits for `100 Continue` gets the answer first.
pub(crate) fn refuse(request: Request, limits: &Limits) {
    if request.headers().contains_key(EXPECT) || request.body().is_end_stream() {
        return;
    }
    let body = limit_pace(request.into_body(), limits, Arc::default());
    DiscardLimits::new(limits).discard(&Handle::current(), body);
}

/// Passes the request on if its head was accepted; otherwise refuses it.
pub(crate) fn refuse_unless<T>(
    accepted: Result<T, Failure>,
    request: Request,
    limits: &Limits,
) -> Result<(T, Request), Failure> {
    match accepted {
        Ok(accepted) => Ok((accepted, request)),
        Err(failure) => {
            refuse(request, limits);
            Err(failure)
        }
    }
}

/// Limits on a body that is discarded in the background.
#[derive(Clone, Copy)]
pub(crate) struct DiscardLimits {
    /// Maximum number of bytes.
    bytes: usize,
    /// Maximum time.
    patience: Duration,
}

impl DiscardLimits {
    pub(crate) fn new(limits: &Limits) -> DiscardLimits {
        DiscardLimits { bytes: limits.body_bytes.saturating_mul(2), patience: limits.body }
    }

    /// Discards a body in the background.
    pub(crate) fn discard(self, runtime: &Handle, body: Body) {
        runtime.spawn(async move {
            // It no longer matters whether the whole body arrived.
            let _ = timeout(self.patience, discard(body, self.bytes)).await;
        });
    }
}

async fn discard(mut body: Body, max_bytes: usize) {
    let mut seen = 0;
    while let Some(Ok(frame)) = body.frame().await {
        seen += frame.data_ref().map_or(0, Bytes::len);
        if seen > max_bytes {
            return;
        }
    }
}

/// Returns a body that fails if fewer bytes than the minimum rate requires arrive in one window of
/// waiting for the client.
pub(crate) fn limit_pace(body: Body, limits: &Limits, slow: Arc<AtomicBool>) -> Body {
    let window = limits.body_window;
    let min_bytes = min_bytes(limits);
    let start = (body.into_data_stream(), Duration::ZERO, 0_u64);
    Body::from_stream(stream::try_unfold(start, move |(mut body, waited, seen)| {
        let slow = Arc::clone(&slow);
        async move {
            let start = Instant::now();
            let next = timeout(window, body.next()).await;
            let (waited, seen) = match &next {
                Ok(Some(Ok(bytes))) => (waited + start.elapsed(), seen + bytes.len() as u64),
                Ok(_) => (Duration::ZERO, min_bytes),
                Err(_) => (window, 0),
            };
            if waited >= window && seen < min_bytes.max(1) {
                slow.store(true, Ordering::Relaxed);
                return Err(axum::Error::new("the client stopped sending"));
            }
            let start = if waited >= window { (Duration::ZERO, 0) } else { (waited, seen) };
            let next = next.ok().flatten().transpose()?;
            Ok(next.map(|bytes| (bytes, (body, start.0, start.1))))
        }
    }))
}

/// Returns the number of bytes that must arrive in a window.
pub(crate) fn min_bytes(limits: &Limits) -> u64 {
    limits.body_rate.saturating_mul(limits.body_window.as_millis() as u64) / 1000
}

#[cfg(test)]
mod tests {
    use tokio::time::sleep;

    use super::*;
    use crate::testing::limits;

    /// A discarded body must keep arriving too.
    #[tokio::test(start_paused = true)]
    async fn a_refused_body_that_trickles_is_let_go() {
        let held = Arc::new(());
        let kept = Arc::clone(&held);
        let trickle = stream::unfold(kept, |kept| async {
            sleep(Duration::from_secs(1)).await;
            Some((Ok::<_, std::convert::Infallible>("x"), kept))
        });
        refuse(Request::new(Body::from_stream(trickle)), &limits());
        sleep(limits().body_window).await;
        assert_eq!(Arc::strong_count(&held), 2, "it is looked at for one window");
        sleep(limits().body_window).await;
        assert_eq!(Arc::strong_count(&held), 1, "the whole would have {:?}", limits().body);
    }
}
