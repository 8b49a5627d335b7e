//! `/v1/jobs/{id}/review`: the photos of a job that a person should look at, and what people say of
//! these and of all others.
//!
//! Input: a job, and the name of who reviews. Output: the same queue as that of a folder
//! (`http/review.rs`), and the corrections as a table. Invariants: only who may see the job may
//! review it; the queue is made of what was read, so that a correction which is taken back leaves
//! everything as it was; what a reviewer says is stored before it is answered, and no photo is read
//! anew for it.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Request, State};
use axum::http::Uri;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use tilesight_core::contract::{Problem, ProblemKind};
use tilesight_core::printable::unprintable;
use tilesight_core::rules::Book;
use tilesight_stills::pixels_of_still;
use tokio::runtime::Handle;
use utoipa::IntoParams;

use super::compact::compact_photo;
use super::corrections::JobCorrections;
use super::results::FURTHEST;
use super::{JobInPath, Jobs, Owner};
use crate::batch::{CorrectionRow, Corrections, CsvStyle, PhotoQuestion, ReviewItem, Row};
use crate::contract::Detail;
use crate::http::Service;
use crate::http::client::Client;
use crate::http::failure::Failure;
use crate::http::fault::ServiceFault;
use crate::http::input::{DETAIL, check_parameters, pairs_in, take_name, take_text, take_value};
use crate::http::openapi::{BodyRefusals, NoRoom, Unavailable};
use crate::http::preview;
use crate::http::review::{
    self, PlaceInPath, QueuedPhoto, ReviewAnswer, ReviewError, ReviewPhoto, ReviewQueue,
    ReviewSource, ReviewedPhoto, Source,
};
use crate::jobs::{Item, Job, JobState, Outcome, StoreError};

/// Rows in memory at a time, as for results.
const PAGE: usize = 100;
/// Characters of a reviewer's name.
const LONGEST_NAME: usize = 64;
/// The name of the parameter with it.
const REVIEWER: &str = "reviewer";

/// Who reviews.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "describes the query; `QueueInPath` reads it")]
struct ReviewerQuery {
    /// Who reviews; it is stored with each correction. The name of the key where it is absent.
    #[param(required = false, value_type = String, max_length = 64, pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069]*$")]
    reviewer: Option<String>,
}

/// How much the answer has of a photo's readings.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "describes the query; `PhotoQueue` reads it")]
struct PhotoQuery {
    /// How much `as_read`, `now` and `corrected` have: `compact` for the hand, the score and the
    /// doubts alone, as in the compact answer to a photo; `full` when absent.
    #[param(required = false, inline)]
    detail: Detail,
}

/// The queue of a job. It is asked on threads that may wait.
#[derive(Debug)]
struct JobQueue {
    jobs: Arc<Jobs>,
    job: Job,
    book: Arc<Book>,
    reviewer: String,
    runtime: Handle,
}

/// A photo that has an outcome, in doubt or not.
struct ReadItem {
    item: Item,
    outcome: Outcome,
    listed: ReviewItem,
}

impl ReadItem {
    /// Returns `None` for a photo without an outcome.
    fn new(mut item: Item) -> Option<ReadItem> {
        let outcome = item.outcome.take()?;
        let row = Row::of(outcome.json().as_bytes());
        let listed = ReviewItem::from_row(&item.id, item.index, &row);
        Some(ReadItem { item, outcome, listed })
    }
}

impl JobQueue {
    /// Waits for the store.
    fn wait<T>(&self, work: impl Future<Output = Result<T, StoreError>>) -> Result<T, ReviewError> {
        Ok(self.runtime.block_on(work)?)
    }

    fn corrections(&self) -> JobCorrections<'_> {
        JobCorrections::new(self.jobs.backend.store.as_ref(), self.job.new.id)
    }

    fn items(&self, from: u64, most: usize) -> Result<Vec<Item>, ReviewError> {
        self.wait(self.jobs.backend.store.items(&self.job.new.id, from, most))
    }

    fn read_item(&self, index: u64) -> Result<ReadItem, ReviewError> {
        if index > FURTHEST {
            return Err(ReviewError::Unknown);
        }
        let item = self.items(index, 1)?.pop().filter(|item| item.index == index);
        item.and_then(ReadItem::new).ok_or(ReviewError::Unknown)
    }

    /// A photo with answers that are not kept yet, and with what is kept of it.
    fn shown(&self, queued: &ReadItem, answer: &ReviewAnswer) -> Result<ReviewPhoto, ReviewError> {
        let rows = self.wait(self.corrections().of(queued.item.index))?;
        let row = rows.rows().last();
        let listed = QueuedPhoto::new(&queued.listed, row.is_some());
        self.with_photo(queued, |photo| photo.shown(listed, answer, row))
    }

    fn with_photo<T>(
        &self,
        queued: &ReadItem,
        work: impl FnOnce(ReviewedPhoto) -> Result<T, ReviewError>,
    ) -> Result<T, ReviewError> {
        let ask = queued.item.task.as_ref().map(|task| task.ask.clone()).unwrap_or_default();
        let asked = PhotoQuestion::of(&ask, ask.lang, &self.book);
        work(ReviewedPhoto { outcome: &queued.outcome, asked: &asked })
    }

    /// Whether the photos are still stored.
    fn has_photos(&self) -> bool {
        self.job.keeps_photos() || matches!(self.job.state(), JobState::Open | JobState::Running)
    }

    fn keep(&self, index: u64, row: &CorrectionRow) -> Result<(), ReviewError> {
        if !self.wait(self.corrections().put(index, row))? {
            let problem = Problem::of(ProblemKind::TooLarge, &ServiceFault::ManyReviewers);
            return Err(ReviewError::Answer(Box::new(problem)));
        }
        // The job may have been deleted meanwhile, and its corrections before this one came.
        if self.wait(self.jobs.backend.store.job(&self.job.new.id))?.is_none() {
            self.wait(self.corrections().forget())?;
            return Err(ReviewError::Unknown);
        }
        Ok(())
    }
}

impl ReviewSource for JobQueue {
    fn list(&self) -> Result<ReviewQueue, ReviewError> {
        let said = self.wait(self.corrections().all())?;
        let (mut listed, mut from) = (Vec::new(), 0);
        loop {
            let items = self.items(from, PAGE)?;
            let count = items.len();
            from += count as u64;
            let read = items.into_iter().filter_map(ReadItem::new).map(|one| one.listed);
            listed.extend(read.filter(ReviewItem::needs_review));
            if count < PAGE {
                break;
            }
        }
        listed.sort_by(|a, b| a.rank(b));
        let photos = listed.iter().map(|one| QueuedPhoto::new(one, said.contains_key(&one.index)));
        Ok(ReviewQueue {
            name: self.job.new.id.to_string(),
            command: None,
            reviewer: self.reviewer.clone(),
            keep_photos: self.has_photos(),
            photos: photos.collect(),
        })
    }

    fn photo(&self, index: u64) -> Result<ReviewPhoto, ReviewError> {
        self.shown(&self.read_item(index)?, &ReviewAnswer::default())
    }

    fn picture(&self, index: u64) -> Result<Vec<u8>, ReviewError> {
        let task = self.read_item(index)?.item.task.filter(|_| self.has_photos());
        let photo = task.ok_or(ReviewError::NoPicture)?.photo;
        self.wait(self.jobs.backend.store.photo(&photo))?.ok_or(ReviewError::NoPicture)
    }

    fn try_answer(&self, index: u64, answer: ReviewAnswer) -> Result<ReviewPhoto, ReviewError> {
        self.shown(&self.read_item(index)?, &answer)
    }

    fn answer(&self, index: u64, answer: ReviewAnswer) -> Result<ReviewPhoto, ReviewError> {
        let queued = self.read_item(index)?;
        let id = &queued.item.id;
        let row = self.with_photo(&queued, |photo| photo.row(id, &answer, &self.reviewer))?;
        self.keep(index, &row)?;
        self.shown(&queued, &ReviewAnswer::default())
    }

    fn take_back(&self, index: u64) -> Result<ReviewPhoto, ReviewError> {
        let queued = self.read_item(index)?;
        self.wait(self.corrections().remove(index, &self.reviewer))?;
        self.shown(&queued, &ReviewAnswer::default())
    }
}

/// The queue of the job in the path.
pub(super) struct QueueInPath(Source);

impl FromRequestParts<Service> for QueueInPath {
    type Rejection = Failure;

    async fn from_request_parts(
        parts: &mut Parts,
        service: &Service,
    ) -> Result<QueueInPath, Failure> {
        let pairs = pairs_in(&parts.uri)?;
        Ok(QueueInPath(queue_in(parts, service, pairs, &[REVIEWER]).await?))
    }
}

/// The queue, and how much of a photo's readings is wanted.
pub(super) struct PhotoQueue(Source, Detail);

impl PhotoQueue {
    /// The photo with as much as is wanted.
    fn cut(detail: Detail, Json(photo): Json<ReviewPhoto>) -> Json<ReviewPhoto> {
        Json(match detail {
            Detail::Full => photo,
            Detail::Compact => compact_photo(photo),
        })
    }
}

impl FromRequestParts<Service> for PhotoQueue {
    type Rejection = Failure;

    async fn from_request_parts(
        parts: &mut Parts,
        service: &Service,
    ) -> Result<PhotoQueue, Failure> {
        let mut pairs = pairs_in(&parts.uri)?;
        let detail = take_value(&mut pairs, DETAIL)?.unwrap_or_default();
        Ok(PhotoQueue(queue_in(parts, service, pairs, &[REVIEWER, DETAIL]).await?, detail))
    }
}

/// The queue of the job in the path, for the reviewer in what is left of a query.
async fn queue_in(
    parts: &mut Parts,
    service: &Service,
    mut pairs: Vec<(String, String)>,
    known: &[&'static str],
) -> Result<Source, Failure> {
    let JobInPath(jobs, job) = JobInPath::from_request_parts(parts, service).await?;
    let Ok(Owner(owner)) = Owner::from_request_parts(parts, service).await;
    check_parameters(&pairs, known)?;
    let reviewer = take_text(&mut pairs, REVIEWER)?.or(owner).unwrap_or_default();
    if unprintable(&reviewer).is_some() || reviewer.chars().count() > LONGEST_NAME {
        return Err(Failure::invalid(
            REVIEWER,
            &ServiceFault::PrintableText { most: LONGEST_NAME },
        ));
    }
    let (book, runtime) = (Arc::clone(service.book()), Handle::current());
    Ok(Extension(Arc::new(JobQueue { jobs, job, book, reviewer, runtime })))
}

/// The photos of a job that a person should look at, the ones where a glance changes most first.
///
/// While the job runs, these are the ones that were read so far.
#[utoipa::path(get, path = "/v1/jobs/{id}/review", tag = "jobs", operation_id = "job_review",
    params(("id" = String, Path, description = "The job."), ReviewerQuery),
    responses((status = 200, body = ReviewQueue, description = "The queue."),
        (status = 400, description = "The query can't be read.", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "The job does not exist, or belongs to another key.", body = Problem, content_type = "application/problem+json"),
        (status = 500, description = "The service failed.", body = Problem, content_type = "application/problem+json"), Unavailable))]
pub(super) async fn list(QueueInPath(source): QueueInPath) -> Result<Json<ReviewQueue>, Failure> {
    review::list(source).await
}

/// A photo of the job, in the queue or not: what was read, what is asked, and what was said of it.
#[utoipa::path(get, path = "/v1/jobs/{id}/review/{index}", tag = "jobs", operation_id = "job_review_photo",
    params(("id" = String, Path, description = "The job."),
        ("index" = u64, Path, description = "The photo's place in the job.", maximum = 9_007_199_254_740_991_u64), ReviewerQuery, PhotoQuery),
    responses((status = 200, body = ReviewPhoto, description = "The photo."),
        (status = 400, description = "The query can't be read.", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "The job does not exist or belongs to another key, or it has no such photo, or the photo is not read yet.", body = Problem, content_type = "application/problem+json"),
        (status = 500, description = "The service failed.", body = Problem, content_type = "application/problem+json"), Unavailable))]
pub(super) async fn photo(
    PhotoQueue(source, detail): PhotoQueue,
    place: PlaceInPath,
) -> Result<Json<ReviewPhoto>, Failure> {
    Ok(PhotoQueue::cut(detail, review::photo(source, place).await?))
}

/// Keeps what a reviewer says of a photo, in the queue or not, in place of what the same one said
/// before.
///
/// The results of the job have the correction from then on. No photo is read for it.
#[utoipa::path(put, path = "/v1/jobs/{id}/review/{index}", tag = "jobs", operation_id = "answer_job_photo",
    params(("id" = String, Path, description = "The job."),
        ("index" = u64, Path, description = "The photo's place in the job.", maximum = 9_007_199_254_740_991_u64), ReviewerQuery, PhotoQuery),
    request_body = ReviewAnswer,
    responses((status = 200, body = ReviewPhoto, description = "The photo as it is now."),
        (status = 404, description = "The job does not exist or belongs to another key, or it has no such photo, or the photo is not read yet.", body = Problem, content_type = "application/problem+json"),
        BodyRefusals, NoRoom, Unavailable))]
pub(super) async fn answer(
    State(service): State<Service>,
    PhotoQueue(source, detail): PhotoQueue,
    place: PlaceInPath,
    request: Request,
) -> Result<Json<ReviewPhoto>, Failure> {
    Ok(PhotoQueue::cut(detail, review::answer(State(service), source, place, request).await?))
}

/// Takes back what a reviewer said of a photo.
#[utoipa::path(delete, path = "/v1/jobs/{id}/review/{index}", tag = "jobs", operation_id = "take_back_job_answer",
    params(("id" = String, Path, description = "The job."),
        ("index" = u64, Path, description = "The photo's place in the job.", maximum = 9_007_199_254_740_991_u64), ReviewerQuery, PhotoQuery),
    responses((status = 200, body = ReviewPhoto, description = "The photo as it is now."),
        (status = 400, description = "The query can't be read.", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "The job does not exist or belongs to another key, or it has no such photo, or the photo is not read yet.", body = Problem, content_type = "application/problem+json"),
        (status = 500, description = "The service failed.", body = Problem, content_type = "application/problem+json"), NoRoom, Unavailable))]
pub(super) async fn take_back(
    PhotoQueue(source, detail): PhotoQueue,
    place: PlaceInPath,
) -> Result<Json<ReviewPhoto>, Failure> {
    Ok(PhotoQueue::cut(detail, review::take_back(source, place).await?))
}

/// The photo with answers that are not kept: what is still asked, and the totals of now.
#[utoipa::path(post, path = "/v1/jobs/{id}/review/{index}/answers", tag = "jobs", operation_id = "try_job_answer",
    params(("id" = String, Path, description = "The job."),
        ("index" = u64, Path, description = "The photo's place in the job.", maximum = 9_007_199_254_740_991_u64), ReviewerQuery, PhotoQuery),
    request_body = ReviewAnswer,
    responses((status = 200, body = ReviewPhoto, description = "The photo with the answers."),
        (status = 404, description = "The job does not exist or belongs to another key, or it has no such photo, or the photo is not read yet.", body = Problem, content_type = "application/problem+json"),
        BodyRefusals, Unavailable))]
pub(super) async fn try_answer(
    State(service): State<Service>,
    PhotoQueue(source, detail): PhotoQueue,
    place: PlaceInPath,
    request: Request,
) -> Result<Json<ReviewPhoto>, Failure> {
    Ok(PhotoQueue::cut(detail, review::try_answer(State(service), source, place, request).await?))
}

/// The picture of a photo, without its metadata.
///
/// It is there until the job has ended, or is removed if it was created with `keep_photos=true`. A
/// HEIC or AVIF comes as a JPEG.
#[utoipa::path(get, path = "/v1/jobs/{id}/review/{index}/photo", tag = "jobs", operation_id = "job_review_picture",
    params(("id" = String, Path, description = "The job."),
        ("index" = u64, Path, description = "The photo's place in the job.", maximum = 9_007_199_254_740_991_u64), ReviewerQuery),
    responses((status = 200, description = "The picture.",
            content((Vec<u8> = "image/jpeg"), (Vec<u8> = "image/png"), (Vec<u8> = "image/webp"))),
        (status = 400, description = "The query can't be read.", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such photo, or it is not stored any more.", body = Problem, content_type = "application/problem+json"),
        (status = 500, description = "The service failed.", body = Problem, content_type = "application/problem+json"), Unavailable))]
pub(super) async fn picture(
    State(service): State<Service>,
    client: Client,
    QueueInPath(source): QueueInPath,
    PlaceInPath(index): PlaceInPath,
) -> Result<Response, Failure> {
    let stored = review::ask(source, move |source| source.picture(index)).await?;
    let shown = match pixels_of_still(&stored) {
        // Few browsers show a HEIC or AVIF: its pixels take their turn like a photo that is read.
        Some(_) => {
            let limits = *service.reader()?.limits();
            let place = service.admission().enter(&client)?;
            preview::in_turn(place, stored.into(), limits).await?
        }
        None => stored,
    };
    // A job that is deleted leaves nothing in a browser.
    Ok(review::shown_as(shown, "private, no-store"))
}

/// How a table is wanted.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
#[allow(dead_code, reason = "describes the query")]
pub(super) struct TableQuery {
    /// How the table is written: `excel` is UTF-8 with a byte order mark, and semicolons.
    #[param(required = false, inline)]
    csv: CsvStyle,
}

/// What people said of the photos of a job, as a table: `corrections.csv` of `tilesight batch`.
#[utoipa::path(get, path = "/v1/jobs/{id}/corrections", tag = "jobs", operation_id = "job_corrections",
    params(("id" = String, Path, description = "The job."), TableQuery),
    responses((status = 200, description = "One row for each reviewer of a photo, in the order of the photos; of several about one photo the last counts.",
            content((String = "text/csv"))),
        (status = 400, description = "The query can't be read.", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "The job does not exist, or belongs to another key.", body = Problem, content_type = "application/problem+json"),
        (status = 500, description = "The service failed.", body = Problem, content_type = "application/problem+json"), Unavailable))]
pub(super) async fn corrections(
    JobInPath(jobs, job): JobInPath,
    uri: Uri,
) -> Result<Response, Failure> {
    let mut pairs = pairs_in(&uri)?;
    check_parameters(&pairs, &["csv"])?;
    let csv: CsvStyle = take_name(&mut pairs, "csv")?.unwrap_or_default();
    let said = JobCorrections::new(jobs.backend.store.as_ref(), job.new.id).all().await?;
    let rows = said.into_values().flat_map(|rows| rows.rows().to_vec()).collect();
    let table = Corrections::of_rows(rows).to_csv();
    let table = table.and_then(|table| csv.converted(table, true));
    let table = table.map_err(|error| Failure::Internal { cause: error.to_string() })?;
    let headers = [
        (CONTENT_TYPE, "text/csv; charset=utf-8; header=present"),
        (CONTENT_DISPOSITION, "attachment; filename=\"corrections.csv\""),
        (CACHE_CONTROL, "private, no-cache"),
    ];
    Ok((headers, table).into_response())
}
