//! `GET /v1/jobs/{id}/events`: the progress of a job as server-sent events.
//!
//! Output: `progress` whenever another photo is done, and `ended` as the last event; both carry the
//! current job, so that a client that missed events has missed nothing. The id of an event is the
//! number of photos done, or `end`: a client that reconnects with `Last-Event-ID` gets only new
//! events, and a client that has seen the end gets a 204, which stops a browser from reconnecting.
//! Invariants: a stream ends with its job and with the service; it holds one of a bounded number of
//! permits.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use tilesight_jobs::JobId;
use tokio::time::sleep;

use super::{JobInPath, Jobs};
use crate::Service;
use crate::answer::events::{EventSource, RETRY, event, last_event_id, stream_events};
use crate::answer::failure::{Failure, SharedResource};
use crate::guard::client::Client;
use crate::guard::shares::Share;
use crate::openapi::JobRefusals;

const END: &str = "end";
/// Interval between looks at a job. Reading a photo takes longer, and a person would notice no
/// difference.
const TICK: Duration = Duration::from_millis(400);

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
    let known = last_event_id(&headers).map(str::to_owned);
    let view = jobs.view(&job).await?;
    if view.ended() && known.as_deref() == Some(END) {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let permit =
        jobs.streams.take(&client).map_err(|full| full.failure(SharedResource::EventStreams))?;
    let job = job.new.id;
    let source = JobEvents { jobs, job, known, ended: false, started: false, _permit: permit };
    Ok(stream_events(source, service.stop_signal()))
}

/// Events of a job for one client that watches it.
struct JobEvents {
    jobs: Arc<Jobs>,
    job: JobId,
    /// Id of the last event that the client has.
    known: Option<String>,
    ended: bool,
    started: bool,
    _permit: Share<Client>,
}

impl EventSource for JobEvents {
    async fn next(&mut self) -> Option<Bytes> {
        while !self.ended {
            if self.started {
                sleep(TICK).await;
            }
            let event = self.poll().await?;
            if event.is_some() {
                return event;
            }
        }
        None
    }
}

impl JobEvents {
    /// Loads the job and returns an event if it has progressed; `None` if the job is gone or can't
    /// be loaded.
    async fn poll(&mut self) -> Option<Option<Bytes>> {
        let job = match self.jobs.backend.store.job(&self.job).await {
            Ok(job) => job?,
            Err(error) => {
                tracing::warn!(%error, "the events of a job ended early");
                return None;
            }
        };
        let view = self.jobs.view(&job).await.ok()?;
        self.ended = view.ended();
        let is_first = !std::mem::replace(&mut self.started, true);
        let id = if self.ended { END.to_owned() } else { view.photos.count_done().to_string() };
        if self.known.as_ref() == Some(&id) {
            return Some(None);
        }
        let data = serde_json::to_string(&view).expect("its keys are texts");
        let event = event(if self.ended { "ended" } else { "progress" }, &id, &data);
        self.known = Some(id);
        let retry = if is_first { RETRY } else { "" };
        Some(Some(Bytes::from(format!("{event}{retry}\n"))))
    }
}
