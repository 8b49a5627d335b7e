//! A job as clients see it.

use serde::Serialize;
use utoipa::ToSchema;

use super::counts::Counts;
use super::webhook::{Delivery, Secret};
use crate::http::rfc3339::rfc3339;
use crate::jobs::{Job, JobState};

/// A job as it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Job)]
pub(super) struct JobView {
    /// Its name.
    pub(super) id: String,
    /// Where it is in its life.
    pub(super) status: JobState,
    /// How far it is.
    pub(super) photos: Counts,
    /// When it was created.
    #[schema(format = DateTime)]
    created: String,
    /// When its last photo was done, or when it was cancelled.
    #[schema(format = DateTime)]
    ended: Option<String>,
    /// When it is removed with its results. Its photos are removed as soon as it has ended, unless
    /// `keep_photos` says otherwise.
    #[schema(format = DateTime)]
    expires: String,
    /// Whether its photos stay until it is removed, to be reviewed.
    keep_photos: bool,
    /// Who is notified of its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    webhook: Option<WebhookView>,
    /// Where more is to be had.
    links: Links,
}

/// Addresses of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = JobLinks)]
struct Links {
    /// The job.
    job: String,
    /// Its progress as server-sent events.
    events: String,
    /// Its results so far.
    results: String,
    /// Those of them that are problems.
    errors: String,
    /// The photos that a person should look at.
    review: String,
    /// What people said of its photos.
    corrections: String,
    /// Where a person reviews it in a browser; absent from a program without the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<String>,
}

/// A job's webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = JobWebhook)]
struct WebhookView {
    /// Where it goes.
    url: String,
    /// What it is signed with; shown only to the creator of the job.
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
    /// Whether it was taken.
    status: WebhookStatus,
    /// How often it was sent.
    attempts: u32,
    /// Why it was not taken the last time.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// What became of a webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum WebhookStatus {
    /// It waits for the end of the job, or for its next attempt.
    Pending,
    /// It was taken.
    Delivered,
    /// Nobody took it.
    GivenUp,
}

impl JobView {
    /// A job with its webhook.
    pub(super) fn new(job: &Job, webhook: Option<&Delivery>) -> JobView {
        let id = job.new.id.to_string();
        let at = |part: &str| format!("/v1/jobs/{id}{part}");
        JobView {
            status: job.state(),
            photos: Counts::of(&job.progress),
            created: rfc3339(job.new.created),
            ended: job.cancelled.or(job.finished).map(rfc3339),
            expires: rfc3339(job.new.expires),
            keep_photos: job.keeps_photos(),
            webhook: webhook.map(WebhookView::new),
            links: Links {
                job: at(""),
                events: at("/events"),
                results: at("/results"),
                errors: at("/errors"),
                review: at("/review"),
                corrections: at("/corrections"),
                page: cfg!(feature = "web").then(|| format!("/#job={id}")),
            },
            id,
        }
    }

    /// The same with what only the creator may know.
    pub(super) fn with_secret(mut self, secret: Option<&Secret>) -> JobView {
        if let Some(view) = &mut self.webhook {
            view.secret = secret.map(Secret::text);
        }
        self
    }

    /// Whether nothing will change any more.
    pub(super) fn ended(&self) -> bool {
        matches!(self.status, JobState::Finished | JobState::Cancelled)
    }
}

impl WebhookView {
    fn new(delivery: &Delivery) -> WebhookView {
        WebhookView {
            url: delivery.url.clone(),
            secret: None,
            status: match delivery.taken {
                None => WebhookStatus::Pending,
                Some(true) => WebhookStatus::Delivered,
                Some(false) => WebhookStatus::GivenUp,
            },
            attempts: delivery.attempts,
            error: delivery.error.clone(),
        }
    }
}
