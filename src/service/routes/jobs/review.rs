//! `/v1/jobs/{id}/review`: the photos of a job that a person should check, and the corrections of
//! these and all other photos.
//!
//! Input: a job, and the name of the reviewer. Output: the same kind of queue as for a folder
//! (`src/service/routes/review.rs`), and the corrections as a table. Invariants: only those who may
//! see the job may review it; the queue is computed once, from the original readings, so that
//! revoking a correction restores the previous state; a correction is stored before the request is
//! answered, and no photo is read again for it.

use std::sync::Arc;

use axum::Extension;
use axum::extract::{FromRequestParts, Request, State};
use axum::http::Uri;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use tilesight_core::contract::{Problem, ProblemKind};
use tilesight_core::explain::Lang;
use tilesight_core::printable::unprintable;
use tilesight_core::rules::Book;
use tilesight_jobs::batch::{BatchRow, ReviewItem};
use tilesight_jobs::corrections::{CorrectionRow, Corrections, JobCorrections, PhotoQuestion};
use tilesight_jobs::review::{
    QueuePart, QueuedPhoto, ReviewAnswer, ReviewError, ReviewPhoto, ReviewQueue, ReviewSource,
    ReviewedPhoto,
};
use tilesight_jobs::sheet::CsvStyle;
use tilesight_jobs::{Item, Job, JobState, Outcome, StoreError};
use tilesight_stills::is_heic_or_avif;
use tilesight_vision::contract::Detail;
use tokio::runtime::Handle;
use utoipa::IntoParams;

use super::digest::Digest;
use super::{JobInPath, Jobs};
use crate::service::Service;
use crate::service::answer::failure::Failure;
use crate::service::answer::json::WrittenJson;
use crate::service::guard::admission::{Turns, WorkSize};
use crate::service::guard::client::{Client, Owner};
use crate::service::input::fault::ServiceFault;
use crate::service::input::query::{
    DETAIL, MAX_INDEX, Page, check_parameters, parse_pairs, take_name, take_text, take_value,
};
use crate::service::openapi::{
    BodyRefusals, JobPhotoRefusals, JobRefusals, NoRoom, PictureRefusals, QueryRefusals,
};
use crate::service::routes::preview;
use crate::service::routes::review::{self, PhotoIndexInPath, QueueSource, Reviewer};

/// Maximum length of a reviewer's name, in characters.
const MAX_NAME_LENGTH: usize = 64;
/// Name of the parameter with the reviewer's name.
const REVIEWER: &str = "reviewer";

/// Query with the name of the reviewer.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "describes the query; `QueueInPath` reads it")]
struct ReviewerQuery {
    /// Name of the reviewer, which is stored with each correction. Default: the name of the key.
    #[param(required = false, value_type = String, max_length = 64, pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069]*$")]
    reviewer: Option<String>,
}

/// Query of a page of the queue.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "describes the query; `QueuePartInQuery` reads it")]
struct QueueQuery {
    /// Index of the photo after which to begin: `next` of the previous page.
    #[param(required = false, value_type = u64, maximum = 9_007_199_254_740_991_u64)]
    after: Option<u64>,
    /// Maximum number of photos to return; 100 when absent.
    #[param(required = false, value_type = u64, minimum = 1, maximum = 1_000)]
    limit: Option<usize>,
}

/// Query with the level of detail of a photo's readings.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "describes the query; `PhotoQueue` reads it")]
struct PhotoQuery {
    /// Level of detail of `as_read`, `now` and `corrected`; `full` when absent. `compact` has only
    /// the hand, the score and the doubts, as in the compact answer to a photo.
    #[param(required = false, inline)]
    detail: Detail,
}

/// Review queue of a job. Its methods block, so they run on threads that may wait.
#[derive(Debug)]
struct JobQueue {
    jobs: Arc<Jobs>,
    job: Job,
    book: Arc<Book>,
    reviewer: String,
    runtime: Handle,
    /// Digest of the outcomes, where the queue is asked for.
    digest: Option<Arc<Digest>>,
}

/// Photo that has an outcome, whether doubtful or not.
struct ReadItem {
    item: Item,
    outcome: Outcome,
    listed: ReviewItem,
}

impl ReadItem {
    /// Returns `None` for a photo without an outcome.
    fn new(mut item: Item) -> Option<ReadItem> {
        let outcome = item.outcome.take()?;
        let row = BatchRow::from_stored(outcome.json().as_bytes());
        let listed = ReviewItem::from_row(&item.id, item.index, &row);
        Some(ReadItem { item, outcome, listed })
    }
}

impl JobQueue {
    /// Blocks until the store has answered.
    fn wait<T>(&self, work: impl Future<Output = Result<T, StoreError>>) -> Result<T, ReviewError> {
        Ok(self.runtime.block_on(work)?)
    }

    fn corrections(&self) -> JobCorrections<'_> {
        JobCorrections::new(self.jobs.backend.store.as_ref(), self.job.new.id)
    }

    fn items(&self, from: u64, max: usize) -> Result<Vec<Item>, ReviewError> {
        self.wait(self.jobs.backend.store.items(&self.job.new.id, from, max))
    }

    fn read_item(&self, index: u64) -> Result<ReadItem, ReviewError> {
        if index > MAX_INDEX {
            return Err(ReviewError::Unknown);
        }
        let item = self.items(index, 1)?.pop().filter(|item| item.index == index);
        item.and_then(ReadItem::new).ok_or(ReviewError::Unknown)
    }

    /// Returns a photo with its stored correction and with answers that are not stored.
    fn show(&self, queued: &ReadItem, answer: &ReviewAnswer) -> Result<ReviewPhoto, ReviewError> {
        let rows = self.wait(self.corrections().get(queued.item.index))?;
        let row = rows.rows().last();
        self.with_photo(queued, |photo| photo.view(&queued.listed, answer, row))
    }

    fn with_photo<T>(
        &self,
        queued: &ReadItem,
        work: impl FnOnce(ReviewedPhoto) -> Result<T, ReviewError>,
    ) -> Result<T, ReviewError> {
        let lang = queued.item.task.as_ref().map_or(Lang::default(), |task| task.lang);
        let asked = PhotoQuestion::from_item(&queued.item, lang, &self.book);
        work(ReviewedPhoto { outcome: &queued.outcome, asked: &asked })
    }

    /// Returns whether nothing that changes the score of a photo is open after a row.
    fn is_done(&self, index: u64, row: Option<&CorrectionRow>) -> Result<bool, ReviewError> {
        if row.is_none() {
            return Ok(false);
        }
        self.with_photo(&self.read_item(index)?, |photo| Ok(photo.is_done(row)))
    }

    /// Returns whether the photos are still stored.
    fn has_photos(&self) -> bool {
        self.job.keeps_photos() || matches!(self.job.state(), JobState::Open | JobState::Running)
    }

    fn store_row(&self, index: u64, row: &CorrectionRow) -> Result<(), ReviewError> {
        if !self.wait(self.corrections().put(index, row))? {
            let problem =
                Problem::from_message(ProblemKind::TooLarge, &ServiceFault::ManyReviewers);
            return Err(ReviewError::Answer(Box::new(problem)));
        }
        // The job may have been deleted meanwhile, and its corrections before this one was stored.
        if self.wait(self.jobs.backend.store.job(&self.job.new.id))?.is_none() {
            self.wait(self.corrections().delete())?;
            return Err(ReviewError::Unknown);
        }
        Ok(())
    }
}

impl ReviewSource for JobQueue {
    fn list(&self, part: QueuePart) -> Result<ReviewQueue, ReviewError> {
        let digest = self.digest.as_ref().ok_or(ReviewError::Unknown)?;
        let (listed, next, total) = digest.queue(part)?;
        let corrected = self.wait(self.corrections().indices())?;
        let indices = listed.iter().map(|one| one.index).filter(|index| corrected.contains(index));
        let said = self.wait(self.corrections().some(indices))?;
        let queued = |one: &ReviewItem| {
            let row = said.get(&one.index).and_then(|rows| rows.rows().last());
            Ok(QueuedPhoto::new(one, self.is_done(one.index, row)?))
        };
        let photos: Result<Vec<_>, ReviewError> = listed.iter().map(queued).collect();
        Ok(ReviewQueue {
            name: self.job.new.id.to_string(),
            command: None,
            reviewer: self.reviewer.clone(),
            keep_photos: self.has_photos(),
            photos: photos?,
            total,
            next,
        })
    }

    fn photo(&self, index: u64) -> Result<ReviewPhoto, ReviewError> {
        self.show(&self.read_item(index)?, &ReviewAnswer::default())
    }

    fn picture(&self, index: u64) -> Result<Vec<u8>, ReviewError> {
        let task = self.read_item(index)?.item.task.filter(|_| self.has_photos());
        let photo = task.ok_or(ReviewError::NoPicture)?.table.photo;
        self.wait(self.jobs.backend.store.photo(&photo))?.ok_or(ReviewError::NoPicture)
    }

    fn try_answer(&self, index: u64, answer: ReviewAnswer) -> Result<ReviewPhoto, ReviewError> {
        self.show(&self.read_item(index)?, &answer)
    }

    fn answer(&self, index: u64, answer: ReviewAnswer) -> Result<ReviewPhoto, ReviewError> {
        let queued = self.read_item(index)?;
        let id = &queued.item.id;
        let row = self.with_photo(&queued, |photo| photo.row(id, &answer, &self.reviewer))?;
        self.store_row(index, &row)?;
        self.show(&queued, &ReviewAnswer::default())
    }

    fn take_back(&self, index: u64) -> Result<ReviewPhoto, ReviewError> {
        let queued = self.read_item(index)?;
        self.wait(self.corrections().remove(index, &self.reviewer))?;
        self.show(&queued, &ReviewAnswer::default())
    }
}

/// Review queue of the job in the path.
pub(super) struct QueueInPath(JobQueue);

impl QueueInPath {
    fn into_source(self) -> QueueSource {
        Extension(Arc::new(self.0))
    }
}

impl FromRequestParts<Service> for QueueInPath {
    type Rejection = Failure;

    async fn from_request_parts(
        parts: &mut Parts,
        service: &Service,
    ) -> Result<QueueInPath, Failure> {
        let pairs = parse_pairs(&parts.uri)?;
        Ok(QueueInPath(find_queue(parts, service, pairs, &[REVIEWER]).await?))
    }
}

/// Review queue of the job in the path, and the requested part of it.
pub(super) struct QueuePartInQuery(JobQueue, QueuePart);

impl FromRequestParts<Service> for QueuePartInQuery {
    type Rejection = Failure;

    async fn from_request_parts(
        parts: &mut Parts,
        service: &Service,
    ) -> Result<QueuePartInQuery, Failure> {
        let mut pairs = parse_pairs(&parts.uri)?;
        let part = review::queue_part(Page::take(&mut pairs)?);
        let known = [REVIEWER, Page::NAMES[0], Page::NAMES[1]];
        Ok(QueuePartInQuery(find_queue(parts, service, pairs, &known).await?, part))
    }
}

/// Review queue, with the requested level of detail of a photo's readings.
pub(super) struct PhotoQueue(QueueSource, Detail);

impl FromRequestParts<Service> for PhotoQueue {
    type Rejection = Failure;

    async fn from_request_parts(
        parts: &mut Parts,
        service: &Service,
    ) -> Result<PhotoQueue, Failure> {
        let mut pairs = parse_pairs(&parts.uri)?;
        let detail = take_value(&mut pairs, DETAIL)?.unwrap_or_default();
        let queue = find_queue(parts, service, pairs, &[REVIEWER, DETAIL]).await?;
        Ok(PhotoQueue(Extension(Arc::new(queue)), detail))
    }
}

/// Returns the queue of the job in the path, for the reviewer in the remaining parameters of a
/// query.
async fn find_queue(
    parts: &mut Parts,
    service: &Service,
    mut pairs: Vec<(String, String)>,
    known: &[&'static str],
) -> Result<JobQueue, Failure> {
    let JobInPath(jobs, job) = JobInPath::from_request_parts(parts, service).await?;
    let Ok(Owner(owner)) = Owner::from_request_parts(parts, service).await;
    check_parameters(&pairs, known)?;
    let reviewer = take_text(&mut pairs, REVIEWER)?.or(owner).unwrap_or_default();
    if unprintable(&reviewer).is_some() || reviewer.chars().count() > MAX_NAME_LENGTH {
        return Err(Failure::invalid(
            REVIEWER,
            &ServiceFault::PrintableText { max: MAX_NAME_LENGTH },
        ));
    }
    let (book, runtime) = (Arc::clone(service.book()), Handle::current());
    Ok(JobQueue { jobs, job, book, reviewer, runtime, digest: None })
}

/// Lists the photos of a job that a person should check, those first where a look changes most, in
/// pages.
///
/// While the job runs, the list has the photos that were read so far.
#[utoipa::path(get, path = "/v1/jobs/{id}/review", tag = "jobs", operation_id = "job_review",
    params(("id" = String, Path, description = "The job."), QueueQuery, ReviewerQuery),
    responses((status = 200, body = ReviewQueue, description = "A page of the queue."),
        QueryRefusals, JobRefusals))]
pub(super) async fn list(
    State(service): State<Service>,
    turns: Turns,
    reviewer: Reviewer,
    QueuePartInQuery(queue, part): QueuePartInQuery,
) -> Result<WrittenJson, Failure> {
    let place = turns.enter()?;
    let digest = queue.jobs.digests.get(&queue.jobs, &queue.job, &turns);
    let digest = Some(service.in_time(digest).await?);
    drop(place);
    reviewer.list(QueueInPath(JobQueue { digest, ..queue }).into_source(), part).await
}

/// Returns a photo of the job, in the queue or not: its reading, its open questions and its
/// corrections.
#[utoipa::path(get, path = "/v1/jobs/{id}/review/{index}", tag = "jobs", operation_id = "job_review_photo",
    params(("id" = String, Path, description = "The job."),
        ("index" = u64, Path, description = "The photo's place in the job.", maximum = 9_007_199_254_740_991_u64), ReviewerQuery, PhotoQuery),
    responses((status = 200, body = ReviewPhoto, description = "The photo."),
        QueryRefusals, JobPhotoRefusals))]
pub(super) async fn photo(
    reviewer: Reviewer,
    PhotoQueue(source, detail): PhotoQueue,
    PhotoIndexInPath(index): PhotoIndexInPath,
) -> Result<WrittenJson, Failure> {
    reviewer.photo(source, detail, move |source| source.photo(index)).await
}

/// Stores a reviewer's correction of a photo, in the queue or not, in place of the same reviewer's
/// previous one.
///
/// From then on the results of the job have the correction. No photo is read again.
#[utoipa::path(put, path = "/v1/jobs/{id}/review/{index}", tag = "jobs", operation_id = "answer_job_photo",
    params(("id" = String, Path, description = "The job."),
        ("index" = u64, Path, description = "The photo's place in the job.", maximum = 9_007_199_254_740_991_u64), ReviewerQuery, PhotoQuery),
    request_body = ReviewAnswer,
    responses((status = 200, body = ReviewPhoto, description = "The photo as it is now."),
        BodyRefusals, JobPhotoRefusals, NoRoom))]
pub(super) async fn answer(
    reviewer: Reviewer,
    PhotoQueue(source, detail): PhotoQueue,
    PhotoIndexInPath(index): PhotoIndexInPath,
    request: Request,
) -> Result<WrittenJson, Failure> {
    let answer = reviewer.receive(request).await?;
    reviewer.photo(source, detail, move |source| source.answer(index, answer)).await
}

/// Revokes a reviewer's correction of a photo.
#[utoipa::path(delete, path = "/v1/jobs/{id}/review/{index}", tag = "jobs", operation_id = "take_back_job_answer",
    params(("id" = String, Path, description = "The job."),
        ("index" = u64, Path, description = "The photo's place in the job.", maximum = 9_007_199_254_740_991_u64), ReviewerQuery, PhotoQuery),
    responses((status = 200, body = ReviewPhoto, description = "The photo as it is now."),
        QueryRefusals, JobPhotoRefusals, NoRoom))]
pub(super) async fn take_back(
    reviewer: Reviewer,
    PhotoQueue(source, detail): PhotoQueue,
    PhotoIndexInPath(index): PhotoIndexInPath,
) -> Result<WrittenJson, Failure> {
    reviewer.photo(source, detail, move |source| source.take_back(index)).await
}

/// Returns the photo with answers that are not stored: the questions that remain, and the resulting
/// totals.
#[utoipa::path(post, path = "/v1/jobs/{id}/review/{index}/answers", tag = "jobs", operation_id = "try_job_answer",
    params(("id" = String, Path, description = "The job."),
        ("index" = u64, Path, description = "The photo's place in the job.", maximum = 9_007_199_254_740_991_u64), ReviewerQuery, PhotoQuery),
    request_body = ReviewAnswer,
    responses((status = 200, body = ReviewPhoto, description = "The photo with the answers."),
        BodyRefusals, JobPhotoRefusals))]
pub(super) async fn try_answer(
    reviewer: Reviewer,
    PhotoQueue(source, detail): PhotoQueue,
    PhotoIndexInPath(index): PhotoIndexInPath,
    request: Request,
) -> Result<WrittenJson, Failure> {
    let answer = reviewer.receive(request).await?;
    reviewer.photo(source, detail, move |source| source.try_answer(index, answer)).await
}

/// Returns the picture of a photo, without its metadata.
///
/// The picture is available until the job has ended, or until the job is removed if it was created
/// with `keep_photos=true`. A HEIC or AVIF is returned as a JPEG.
#[utoipa::path(get, path = "/v1/jobs/{id}/review/{index}/photo", tag = "jobs", operation_id = "job_review_picture",
    params(("id" = String, Path, description = "The job."),
        ("index" = u64, Path, description = "The photo's place in the job.", maximum = 9_007_199_254_740_991_u64), ReviewerQuery),
    responses((status = 200, description = "The picture.",
            content((Vec<u8> = "image/jpeg"), (Vec<u8> = "image/png"), (Vec<u8> = "image/webp"))),
        QueryRefusals, PictureRefusals))]
pub(super) async fn picture(
    State(service): State<Service>,
    client: Client,
    reviewer: Reviewer,
    queue: QueueInPath,
    PhotoIndexInPath(index): PhotoIndexInPath,
) -> Result<Response, Failure> {
    let stored = reviewer.ask(queue.into_source(), move |source| source.picture(index)).await?;
    // Few browsers show HEIC or AVIF. The decoding queues like a photo to be read.
    let shown = if is_heic_or_avif(&stored) {
        let limits = *service.reader()?.limits();
        let permit = service.admission().enter(&client)?;
        preview::draw_preview(permit, stored.into(), limits).await?
    } else {
        stored
    };
    // Nothing of a deleted job must remain in a browser.
    Ok(review::picture_response(shown, "private, no-store"))
}

/// Query of a table.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "describes the query")]
pub(super) struct TableQuery {
    /// Style of the CSV; `excel` is UTF-8 with a byte order mark and semicolons.
    #[param(required = false, inline)]
    csv: CsvStyle,
}

/// Returns the corrections of the photos of a job as a table: `corrections.csv` of
/// `tilesight batch`.
#[utoipa::path(get, path = "/v1/jobs/{id}/corrections", tag = "jobs", operation_id = "job_corrections",
    params(("id" = String, Path, description = "The job."), TableQuery),
    responses((status = 200, description = "One row for each reviewer of a photo, in the order of the photos; of several about one photo the last counts.",
            content((String = "text/csv"))),
        QueryRefusals, JobRefusals))]
pub(super) async fn corrections(
    State(service): State<Service>,
    JobInPath(jobs, job): JobInPath,
    turns: Turns,
    uri: Uri,
) -> Result<Response, Failure> {
    let mut pairs = parse_pairs(&uri)?;
    check_parameters(&pairs, &["csv"])?;
    let csv: CsvStyle = take_name(&mut pairs, "csv")?.unwrap_or_default();
    let _place = turns.enter()?;
    let table = async {
        let said = JobCorrections::new(jobs.backend.store.as_ref(), job.new.id).all().await?;
        let write = move || {
            let rows = said.into_values().flat_map(|rows| rows.rows().to_vec()).collect();
            let table = Corrections::from_rows(rows).to_csv();
            table.and_then(|table| csv.convert(table, true))
        };
        turns.compute(WorkSize::Large, write).await
    };
    let table = service.in_time(table).await?;
    let table = table.map_err(|error| Failure::Internal { cause: error.to_string() })?;
    let headers = [
        (CONTENT_TYPE, "text/csv; charset=utf-8; header=present"),
        (CONTENT_DISPOSITION, "attachment; filename=\"corrections.csv\""),
        (CACHE_CONTROL, "private, no-cache"),
    ];
    Ok((headers, table).into_response())
}
