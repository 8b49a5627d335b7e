//! Representation of a job for clients.

use serde::Serialize;
use tilesight_jobs::{Job, JobState};
use utoipa::ToSchema;

use super::counts::PhotoCounts;
use super::webhook::{Delivery, Secret};
use crate::answer::rfc3339::rfc3339;

/// Current state of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = Job)]
pub(super) struct JobView {
    /// Id of the job.
    pub(super) id: String,
    /// Status of the job.
    pub(super) status: JobState,
    /// Progress of the job.
    pub(super) photos: PhotoCounts,
    /// Time of creation.
    #[schema(format = DateTime)]
    created: String,
    /// Time when the last photo was done, or when the job was cancelled.
    #[schema(format = DateTime)]
    ended: Option<String>,
    /// Time when the job is removed with its results. Its photos are removed as soon as it has
    /// ended, unless `keep_photos` is true.
    #[schema(format = DateTime)]
    expires: String,
    /// Whether the photos are kept until the job is removed, so that they can be reviewed.
    keep_photos: bool,
    /// Webhook that is called at the end of the job.
    #[serde(skip_serializing_if = "Option::is_none")]
    webhook: Option<WebhookView>,
    /// Addresses of further information.
    links: Links,
}

/// Addresses of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = JobLinks)]
struct Links {
    /// Address of the job.
    job: String,
    /// Address of the progress as server-sent events.
    events: String,
    /// Address of the results so far.
    results: String,
    /// Address of the results that are problems.
    errors: String,
    /// Address of the photos that a person should check.
    review: String,
    /// Address of the corrections of the photos.
    corrections: String,
    /// Address of the page for reviewing the job in a browser; absent if the program was built
    /// without the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    page: Option<String>,
}

/// Webhook of a job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
#[schema(as = JobWebhook)]
struct WebhookView {
    /// Address of the receiver.
    url: String,
    /// Secret for the signature; shown only to the creator of the job.
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<String>,
    /// Status of the delivery.
    status: WebhookStatus,
    /// Number of attempts so far.
    attempts: u32,
    /// Reason why the last attempt failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Status of the delivery of a webhook.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
enum WebhookStatus {
    /// The webhook waits for the end of the job, or for its next attempt.
    Pending,
    /// The receiver accepted the webhook.
    Delivered,
    /// All attempts failed.
    GivenUp,
}

impl JobView {
    /// Returns the view of a job with its webhook.
    pub(super) fn new(job: &Job, webhook: Option<&Delivery>) -> JobView {
        let id = job.new.id.to_string();
        JobView {
            status: job.state(),
            photos: PhotoCounts::from_progress(&job.progress),
            created: rfc3339(job.new.created),
            ended: job.cancelled.or(job.finished).map(rfc3339),
            expires: rfc3339(job.new.expires),
            keep_photos: job.keeps_photos(),
            webhook: webhook.map(WebhookView::new),
            links: Links::new(&id),
            id,
        }
    }

    /// Returns this view with the secret that only the creator may see.
    pub(super) fn with_secret(mut self, secret: Option<&Secret>) -> JobView {
        if let Some(view) = &mut self.webhook {
            view.secret = secret.map(Secret::text);
        }
        self
    }

    /// Returns whether the job has ended and will not change any more.
    pub(super) fn ended(&self) -> bool {
        matches!(self.status, JobState::Finished | JobState::Cancelled)
    }
}

impl Links {
    fn new(id: &str) -> Links {
        let job = format!("/v1/jobs/{id}");
        Links {
            events: format!("{job}/events"),
            results: format!("{job}/results"),
            errors: format!("{job}/errors"),
            review: format!("{job}/review"),
            corrections: format!("{job}/corrections"),
            page: cfg!(feature = "web").then(|| format!("/#job={id}")),
            job,
        }
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
