//! `GET /v1/jobs/{id}/events`: the progress of a job as server-sent events.
//!
//! Output: `progress` whenever another photo is done, and `ended` as the last event; both carry the
//! current job, so that a client that missed events has missed nothing. The id of an event is the
//! number of photos done, or `end`: a client that reconnects with `Last-Event-ID` gets only new
//! events, and a client that has seen the end gets a 204, which stops a browser from reconnecting.
//! Invariants: a stream ends with its job and with the service; it holds one of a bounded number of
//! places.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::header::CACHE_CONTROL;
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tilesight_jobs::JobId;
use tokio::sync::watch;
use tokio::time::sleep;

use super::view::JobView;
use super::{JobInPath, Jobs};
use crate::http::Service;
use crate::http::client::Client;
use crate::http::failure::{Failure, SharedResource};
use crate::http::openapi::JobRefusals;
use crate::http::shares::Share;

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");
const END: &str = "end";
/// Interval between looks at a job. Reading a photo takes longer, and a person would notice no
/// difference.
const TICK: Duration = Duration::from_millis(400);
/// Maximum time without data, before proxies consider the connection dead.
const SILENCE: Duration = Duration::from_secs(15);
/// Delay before a browser reconnects after its connection broke.
const RETRY: Duration = Duration::from_secs(2);

/// Streams the progress of a job.
///
/// `progress` and `ended` carry the job as `GET /v1/jobs/{id}` returns it. The stream ends with the
/// job.
#[utoipa::path(get, path = "/v1/jobs/{id}/events", tag = "jobs", operation_id = "job_events",
    params(("id" = String, Path, description = "The job."),
        ("Last-Event-ID" = Option<String>, Header, description = "The id of the last event that the client has.")),
    responses((status = 200, description = "Events, until the job has ended.", body = String, content_type = "text/event-stream"),
        (status = 204, description = "The job has ended, and the client knows."),
        JobRefusals))]
pub(super) async fn events(
    State(service): State<Service>,
    JobInPath(jobs, job): JobInPath,
    client: Client,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let known = headers.get(LAST_EVENT_ID).and_then(|id| id.to_str().ok()).map(str::to_owned);
    let view = jobs.view(&job).await?;
    if view.ended() && known.as_deref() == Some(END) {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let place = jobs
        .streams
        .take(&client)
        .map_err(|full| Failure::no_place(full, SharedResource::EventStreams))?;
    let watched = JobStream {
        jobs,
        job: job.new.id,
        known,
        waiting: VecDeque::new(),
        ended: false,
        started: false,
        stop: service.stopped(),
        _place: place,
    };
    let events = stream::unfold(watched, async |mut watched| {
        let event = watched.next().await?;
        Some((Ok::<_, Infallible>(event), watched))
    });
    let alive = KeepAlive::new().interval(SILENCE);
    // Proxies such as nginx buffer answers by default; this header disables that.
    let headers = [
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no")),
    ];
    Ok((headers, Sse::new(events).keep_alive(alive)).into_response())
}

/// Stream of one client that watches a job.
struct JobStream {
    jobs: Arc<Jobs>,
    job: JobId,
    /// Id of the last event that the client has.
    known: Option<String>,
    waiting: VecDeque<Event>,
    ended: bool,
    started: bool,
    stop: watch::Receiver<bool>,
    _place: Share<Client>,
}

impl JobStream {
    /// Returns the next event; `None` once the stream has ended.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Some(event);
            }
            if self.ended {
                return None;
            }
            if self.started {
                let mut stop = self.stop.clone();
                tokio::select! {
                    () = sleep(TICK) => {}
                    // The client reconnects to another process of the service.
                    _ = stop.wait_for(|stop| *stop) => return None,
                }
            }
            self.look().await?;
        }
    }

    /// Looks at the job and queues an event if it has progressed; `None` if the job is gone or
    /// can't be loaded.
    async fn look(&mut self) -> Option<()> {
        let job = self.jobs.backend.store.job(&self.job).await;
        let job =
            job.inspect_err(|error| tracing::warn!(%error, "the events of a job ended early"));
        let view = self.jobs.view(&job.ok()??).await.ok()?;
        self.ended = view.ended();
        let id = if self.ended { END.to_owned() } else { view.photos.done().to_string() };
        if self.known.as_ref() != Some(&id) {
            let name = if self.ended { "ended" } else { "progress" };
            let event = event(name, &id, &view);
            self.waiting.push_back(if self.started { event } else { event.retry(RETRY) });
            self.known = Some(id);
        }
        self.started = true;
        Some(())
    }
}

fn event(name: &str, id: &str, view: &JobView) -> Event {
    let data = serde_json::to_string(view).expect("its keys are texts");
    Event::default().event(name).id(id).data(data)
}
