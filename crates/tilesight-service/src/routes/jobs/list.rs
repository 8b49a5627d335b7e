//! `GET /v1/jobs`, and one job by its id: show, cancel, delete.

use axum::Json;
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use serde::Serialize;
use tilesight_jobs::corrections::JobCorrections;
use tilesight_jobs::{JobId, Name, Selection};
use utoipa::{IntoParams, ToSchema};

use super::view::JobView;
use super::webhook::Delivery;
use super::{JobInPath, idempotency};
use crate::Service;
use crate::answer::failure::Failure;
use crate::guard::client::Owner;
use crate::input::query::{Pairs, Parameters, Query, take_limit, take_value};
use crate::openapi::{JobListRefusals, JobRefusals, NoRoom, QueryRefusals};

/// Default number of jobs on a page.
const USUAL: usize = 50;
const MAX_JOBS: usize = 500;

/// Selection of the jobs to list.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct JobSelection {
    /// Maximum number of jobs to return.
    #[param(minimum = 1, maximum = 500)]
    limit: Option<usize>,
    /// Return only jobs older than this job: the `next` of the previous page.
    #[param(value_type = Option<String>, min_length = 32, max_length = 32, pattern = "^[0-9a-f]{32}$")]
    before: Option<JobId>,
}

impl Parameters for JobSelection {
    fn take(pairs: &mut Pairs) -> Result<JobSelection, Failure> {
        let limit = take_limit(pairs, MAX_JOBS)?;
        let before = take_value(pairs, "before")?;
        Ok(JobSelection { limit, before })
    }
}

/// Page of jobs, newest first.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = JobList)]
pub(super) struct JobList {
    /// Jobs on this page.
    jobs: Vec<JobView>,
    /// Value of `before` for the next page; `null` on the last page.
    next: Option<String>,
}

/// Lists the jobs of the requesting key, newest first.
#[utoipa::path(get, path = "/v1/jobs", tag = "jobs", operation_id = "list_jobs", params(JobSelection),
    responses((status = 200, body = JobList, description = "One page of jobs."),
        QueryRefusals, JobListRefusals))]
pub(super) async fn list(
    State(service): State<Service>,
    owner: Owner,
    uri: Uri,
) -> Result<Json<JobList>, Failure> {
    let jobs = service.jobs()?;
    let Query(JobSelection { limit, before }) = Query::from_uri(&uri)?;
    let max = limit.unwrap_or(USUAL);
    let which = Selection { owner: owner.0, before, max_jobs: max + 1, ..Selection::default() };
    let mut found = jobs.backend.store.jobs(&which).await?;
    let more = found.len() > max;
    found.truncate(max);
    let next = found.last().filter(|_| more).map(|job| job.new.id.to_string());
    let mut views = Vec::with_capacity(found.len());
    for job in &found {
        views.push(jobs.view(job).await?);
    }
    Ok(Json(JobList { jobs: views, next }))
}

/// Returns the current state of a job.
#[utoipa::path(get, path = "/v1/jobs/{id}", tag = "jobs", operation_id = "look_at_job",
    params(("id" = String, Path, description = "The job.")),
    responses((status = 200, body = JobView, description = "How far it is."),
        JobRefusals))]
pub(super) async fn get(JobInPath(jobs, job): JobInPath) -> Result<Json<JobView>, Failure> {
    Ok(Json(jobs.view(&job).await?))
}

/// Cancels a job. Results so far are kept, and the remaining photos are not read. A job that has
/// ended is not changed.
#[utoipa::path(post, path = "/v1/jobs/{id}/cancel", tag = "jobs", operation_id = "cancel_job",
    params(("id" = String, Path, description = "The job.")),
    responses((status = 200, body = JobView, description = "The job as it stands now."),
        JobRefusals, NoRoom))]
pub(super) async fn cancel(JobInPath(jobs, job): JobInPath) -> Result<Json<JobView>, Failure> {
    let id = job.new.id;
    jobs.backend.store.cancel(&id).await?;
    if !job.keeps_photos() {
        jobs.backend.store.drop_photos(&id).await?;
    }
    let job = jobs.backend.store.job(&id).await?.ok_or(Failure::NoSuchJob)?;
    Ok(Json(jobs.view(&job).await?))
}

/// Deletes a job with its photos, results and corrections, whether or not it has ended. No webhook
/// is called.
#[utoipa::path(delete, path = "/v1/jobs/{id}", tag = "jobs", operation_id = "delete_job",
    params(("id" = String, Path, description = "The job.")),
    responses((status = 204, description = "It was deleted."),
        JobRefusals, NoRoom))]
pub(super) async fn delete(JobInPath(jobs, job): JobInPath) -> Result<StatusCode, Failure> {
    let store = jobs.backend.store.as_ref();
    let id = job.new.id;
    // The job is deleted last: if the deletion is interrupted, it can be repeated.
    Delivery::delete(store, &id).await?;
    JobCorrections::new(store, id).delete().await?;
    let key = job.new.extra.get("idempotency").and_then(|key| key.as_str());
    if let Some(name) = key.and_then(|key| key.parse::<Name>().ok()) {
        idempotency::delete(store, &name).await?;
    }
    store.delete(&id).await?;
    jobs.remove_gone(|job| *job == id);
    Ok(StatusCode::NO_CONTENT)
}
