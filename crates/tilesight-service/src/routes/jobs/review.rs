//! `/v1/jobs/{id}/review`: the photos of a job that a person should check, and the corrections of
//! these and all other photos.
//!
//! Input: a job, and the name of the reviewer. Output: the same kind of queue as for a folder
//! (`crates/tilesight-service/src/routes/review.rs`), and the corrections as a table. Invariants:
//! only those who may see the job may review it; the queue is computed once, from the original
//! readings, so that revoking a correction restores the previous state; a correction is stored
//! before the request is answered, and no photo is read again for it; no worker that computes waits
//! for the store.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::extract::{FromRequestParts, Request};
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
    QueuePart, QueuedPhoto, ReviewAnswer, ReviewError, ReviewPhoto, ReviewQueue, ReviewedPhoto,
};
use tilesight_jobs::{Item, Job, JobState, Outcome, StoreError};
use tilesight_stills::is_heic_or_avif;
use tilesight_vision::contract::Detail;
use utoipa::IntoParams;

use super::compact::compact_photo;
use super::digest::Digest;
use super::{JobInPath, Jobs};
use crate::Service;
use crate::answer::failure::Failure;
use crate::answer::fault::ServiceFault;
use crate::answer::json::WrittenJson;
use crate::guard::admission::WorkSize;
use crate::guard::client::Owner;
use crate::input::query::{
    DETAIL, MAX_INDEX, Pairs, Parameters, Query, QueryContent, QueuePage, StyleInQuery, take_text,
    take_value,
};
use crate::openapi::{
    BodyRefusals, JobPhotoRefusals, JobRefusals, NoRoom, PictureRefusals, QueryRefusals,
};
use crate::routes::caller::Caller;
use crate::routes::preview;
use crate::routes::review::{self, PHOTOS_PER_PASS, PhotoIndexInPath};

/// Maximum length of a reviewer's name, in characters.
const MAX_NAME_LENGTH: usize = 64;
/// Name of the parameter with the reviewer's name.
const REVIEWER: &str = "reviewer";

/// Query with the name of the reviewer.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct ReviewerInQuery {
    /// Name of the reviewer, which is stored with each correction. Default: the name of the key.
    #[param(required = false, value_type = String, max_length = 64, pattern = "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028-\\u202e\\u2066-\\u2069]*$")]
    reviewer: Option<String>,
}

impl Parameters for ReviewerInQuery {
    fn take(pairs: &mut Pairs) -> Result<ReviewerInQuery, Failure> {
        let reviewer = take_text(pairs, REVIEWER)?;
        let is_usable = reviewer.as_ref().is_none_or(|name| {
            unprintable(name).is_none() && name.chars().count() <= MAX_NAME_LENGTH
        });
        if !is_usable {
            let fault = ServiceFault::PrintableText { max: MAX_NAME_LENGTH };
            return Err(Failure::invalid(REVIEWER, &fault));
        }
        Ok(ReviewerInQuery { reviewer })
    }
}

/// Query with the level of detail of a photo's readings.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct PhotoDetail {
    /// Level of detail of `original`, `now` and `corrected`; `full` when absent. `compact` has only
    /// the hand, the score and the doubts, as in the compact answer to a photo.
    #[param(required = false, inline)]
    detail: Detail,
}

impl Parameters for PhotoDetail {
    fn take(pairs: &mut Pairs) -> Result<PhotoDetail, Failure> {
        Ok(PhotoDetail { detail: take_value(pairs, DETAIL)?.unwrap_or_default() })
    }
}

/// Review queue of a job, for one reviewer.
#[derive(Debug)]
struct JobQueue {
    caller: Caller,
    jobs: Arc<Jobs>,
    job: Job,
    reviewer: String,
}

/// Photo that has an outcome, whether doubtful or not.
struct ReadPhoto {
    item: Item,
    outcome: Outcome,
    book: Arc<Book>,
}

impl ReadPhoto {
    /// Works on the photo with the question that was asked about it.
    fn with<T>(&self, work: impl FnOnce(ReviewedPhoto<'_>) -> T) -> T {
        let lang = self.item.task.as_ref().map_or(Lang::default(), |task| task.lang);
        let asked = PhotoQuestion::from_item(&self.item, lang, &self.book);
        work(ReviewedPhoto { outcome: &self.outcome, asked: &asked })
    }

    fn row(&self, answer: &ReviewAnswer, reviewer: &str) -> Result<CorrectionRow, ReviewError> {
        self.with(|photo| photo.row(&self.item.id, answer, reviewer))
    }

    /// Writes the photo with its stored row and with answers that are not stored.
    fn view(
        &self,
        answer: &ReviewAnswer,
        row: Option<&CorrectionRow>,
        detail: Detail,
    ) -> Result<WrittenJson, ReviewError> {
        let read = BatchRow::from_stored(self.outcome.json().as_bytes());
        let listed = ReviewItem::from_row(&self.item.id, self.item.index, &read);
        let photo = self.with(|photo| photo.view(&listed, answer, row))?;
        Ok(match detail {
            Detail::Full => WrittenJson::new(&photo),
            Detail::Compact => WrittenJson::new(&compact_photo(photo)),
        })
    }
}

impl JobQueue {
    /// Uses the store once it is the client's turn.
    async fn use_store<T>(
        &self,
        using: impl Future<Output = Result<T, StoreError>>,
    ) -> Result<T, Failure> {
        Ok(self.caller.turns.use_store(using).await?)
    }

    fn corrections(&self) -> JobCorrections<'_> {
        JobCorrections::new(self.jobs.backend.store.as_ref(), self.job.new.id)
    }

    async fn load(&self, index: u64) -> Result<ReadPhoto, Failure> {
        if index > MAX_INDEX {
            return Err(ReviewError::Unknown.into());
        }
        let mut items = self.use_store(self.jobs.items(&self.job.new.id, &[index])).await?;
        let read = items.pop().and_then(|item| self.with_outcome(item));
        read.ok_or(ReviewError::Unknown.into())
    }

    /// Returns `None` for a photo without an outcome.
    fn with_outcome(&self, mut item: Item) -> Option<ReadPhoto> {
        let outcome = item.outcome.take()?;
        Some(ReadPhoto { item, outcome, book: Arc::clone(self.caller.service.book()) })
    }

    /// Returns whether the photos are still stored.
    fn has_photos(&self) -> bool {
        self.job.keeps_photos() || matches!(self.job.state(), JobState::Open | JobState::Running)
    }

    /// Writes a photo with its stored correction and with answers that are not stored.
    async fn show(
        &self,
        photo: Arc<ReadPhoto>,
        answer: ReviewAnswer,
        detail: Detail,
    ) -> Result<WrittenJson, Failure> {
        let rows = self.use_store(self.corrections().get(photo.item.index)).await?;
        let written = self
            .caller
            .turns
            .compute(WorkSize::Large, move || photo.view(&answer, rows.rows().last(), detail));
        Ok(written.await??)
    }

    async fn store_answer(&self, index: u64, row: &CorrectionRow) -> Result<(), Failure> {
        if !self.use_store(self.corrections().put(index, row)).await? {
            let fault = ServiceFault::ManyReviewers;
            return Err(Problem::from_message(ProblemKind::TooLarge, &fault).into());
        }
        // The job may have been deleted meanwhile, and its corrections before this one was stored.
        if self.use_store(self.jobs.backend.store.job(&self.job.new.id)).await?.is_none() {
            self.use_store(self.corrections().delete()).await?;
            return Err(ReviewError::Unknown.into());
        }
        Ok(())
    }

    async fn list(&self, part: QueuePart) -> Result<WrittenJson, Failure> {
        let digest = self.jobs.digests.get(&self.jobs, &self.job, &self.caller.turns).await?;
        let (listed, next, total) = digest.queue(part)?;
        let done = self.done_photos(&digest, &listed).await?;
        let photos = listed.iter().map(|one| QueuedPhoto::new(one, done.contains(&one.index)));
        let queue = ReviewQueue {
            name: self.job.new.id.to_string(),
            command: None,
            reviewer: self.reviewer.clone(),
            keep_photos: self.has_photos(),
            photos: photos.collect(),
            total,
            next,
        };
        self.caller.turns.compute(WorkSize::Small, move || WrittenJson::new(&queue)).await
    }

    /// Returns the indices of those of some photos that have a correction which leaves nothing open
    /// that changes the score. The digest keeps the verdicts.
    async fn done_photos(
        &self,
        digest: &Digest,
        listed: &[ReviewItem],
    ) -> Result<BTreeSet<u64>, Failure> {
        let corrected = self.use_store(self.corrections().indices()).await?;
        let indices = listed.iter().map(|one| one.index).filter(|index| corrected.contains(index));
        let stored = self.use_store(self.corrections().some(indices)).await?;
        let rows: BTreeMap<u64, &CorrectionRow> =
            stored.iter().filter_map(|(index, rows)| Some((*index, rows.rows().last()?))).collect();
        let mut done = BTreeSet::new();
        let mut new = Vec::new();
        for (&index, row) in &rows {
            match digest.is_done(index, row) {
                Some(true) => {
                    done.insert(index);
                }
                Some(false) => {}
                None => new.push(index),
            }
        }
        for piece in new.chunks(PHOTOS_PER_PASS) {
            let items = self.use_store(self.jobs.items(&self.job.new.id, piece)).await?;
            let photos: Vec<(ReadPhoto, CorrectionRow)> = items
                .into_iter()
                .filter_map(|item| self.with_outcome(item))
                .map(|photo| {
                    let row = rows[&photo.item.index].clone();
                    (photo, row)
                })
                .collect();
            let verdicts =
                self.caller.turns.compute(WorkSize::Large, move || find_verdicts(&photos));
            for (index, is_done) in verdicts.await? {
                digest.keep_verdict(index, rows[&index], is_done);
                if is_done {
                    done.insert(index);
                }
            }
        }
        Ok(done)
    }

    async fn photo(&self, index: u64, detail: Detail) -> Result<WrittenJson, Failure> {
        self.try_answer(index, ReviewAnswer::default(), detail).await
    }

    async fn picture(&self, index: u64) -> Result<Vec<u8>, Failure> {
        let task = self.load(index).await?.item.task.filter(|_| self.has_photos());
        let photo = task.ok_or(ReviewError::NoPicture)?.table.photo;
        let bytes = self.use_store(self.jobs.backend.store.photo(&photo)).await?;
        bytes.ok_or(ReviewError::NoPicture.into())
    }

    async fn try_answer(
        &self,
        index: u64,
        answer: ReviewAnswer,
        detail: Detail,
    ) -> Result<WrittenJson, Failure> {
        self.show(Arc::new(self.load(index).await?), answer, detail).await
    }

    async fn keep_answer(
        &self,
        index: u64,
        answer: ReviewAnswer,
        detail: Detail,
    ) -> Result<WrittenJson, Failure> {
        let photo = Arc::new(self.load(index).await?);
        let answered = Arc::clone(&photo);
        let reviewer = self.reviewer.clone();
        let row = self
            .caller
            .turns
            .compute(WorkSize::Large, move || answered.row(&answer, &reviewer))
            .await??;
        self.store_answer(index, &row).await?;
        self.show(photo, ReviewAnswer::default(), detail).await
    }

    async fn take_back(&self, index: u64, detail: Detail) -> Result<WrittenJson, Failure> {
        let photo = Arc::new(self.load(index).await?);
        self.use_store(self.corrections().remove(index, &self.reviewer)).await?;
        self.show(photo, ReviewAnswer::default(), detail).await
    }
}

/// Returns whether the correction of each photo leaves nothing open that changes the score, by the
/// photos' indices.
fn find_verdicts(photos: &[(ReadPhoto, CorrectionRow)]) -> Vec<(u64, bool)> {
    photos
        .iter()
        .map(|(photo, row)| (photo.item.index, photo.with(|photo| photo.is_done(Some(row)))))
        .collect()
}

/// Review queue of the job in the path, for the reviewer in the query, and the other parameters of
/// the query.
pub(super) struct QueueInPath<T>(JobQueue, T);

impl<T: QueryContent> FromRequestParts<Service> for QueueInPath<T> {
    type Rejection = Failure;

    async fn from_request_parts(
        parts: &mut Parts,
        service: &Service,
    ) -> Result<QueueInPath<T>, Failure> {
        let JobInPath(jobs, job) = JobInPath::from_request_parts(parts, service).await?;
        let Query((ReviewerInQuery { reviewer }, more)) = Query::from_uri(&parts.uri)?;
        let Ok(Owner(owner)) = Owner::from_request_parts(parts, service).await;
        let Ok(caller) = Caller::from_request_parts(parts, service).await;
        let reviewer = reviewer.or(owner).unwrap_or_default();
        Ok(QueueInPath(JobQueue { caller, jobs, job, reviewer }, more))
    }
}

/// Lists the photos of a job that a person should check, those first where a look changes most, in
/// pages.
///
/// While the job runs, the list has the photos that were read so far.
#[utoipa::path(get, path = "/v1/jobs/{id}/review", tag = "jobs", operation_id = "job_review",
    params(("id" = String, Path, description = "The job."), QueuePage, ReviewerInQuery),
    responses((status = 200, body = ReviewQueue, description = "A page of the queue."),
        QueryRefusals, JobRefusals))]
pub(super) async fn list(
    QueueInPath(queue, page): QueueInPath<QueuePage>,
) -> Result<WrittenJson, Failure> {
    queue.caller.answer_in_place(queue.list(review::queue_part(page))).await
}

/// Returns a photo of the job, in the queue or not: its reading, its open questions and its
/// corrections.
#[utoipa::path(get, path = "/v1/jobs/{id}/review/{index}", tag = "jobs", operation_id = "job_review_photo",
    params(("id" = String, Path, description = "The job."),
        ("index" = u64, Path, description = "The photo's place in the job.", maximum = 9_007_199_254_740_991_u64), ReviewerInQuery, PhotoDetail),
    responses((status = 200, body = ReviewPhoto, description = "The photo."),
        QueryRefusals, JobPhotoRefusals))]
pub(super) async fn photo(
    QueueInPath(queue, PhotoDetail { detail }): QueueInPath<PhotoDetail>,
    PhotoIndexInPath(index): PhotoIndexInPath,
) -> Result<WrittenJson, Failure> {
    queue.caller.answer_in_place(queue.photo(index, detail)).await
}

/// Stores a reviewer's correction of a photo, in the queue or not, in place of the same reviewer's
/// previous one.
///
/// From then on the results of the job have the correction. No photo is read again.
#[utoipa::path(put, path = "/v1/jobs/{id}/review/{index}", tag = "jobs", operation_id = "answer_job_photo",
    params(("id" = String, Path, description = "The job."),
        ("index" = u64, Path, description = "The photo's place in the job.", maximum = 9_007_199_254_740_991_u64), ReviewerInQuery, PhotoDetail),
    request_body = ReviewAnswer,
    responses((status = 200, body = ReviewPhoto, description = "The photo as it is now."),
        BodyRefusals, JobPhotoRefusals, NoRoom))]
pub(super) async fn answer(
    QueueInPath(queue, PhotoDetail { detail }): QueueInPath<PhotoDetail>,
    PhotoIndexInPath(index): PhotoIndexInPath,
    request: Request,
) -> Result<WrittenJson, Failure> {
    let answer = review::receive_answer(request, queue.caller.service.limits()).await?;
    queue.caller.answer_in_place(queue.keep_answer(index, answer, detail)).await
}

/// Revokes a reviewer's correction of a photo.
#[utoipa::path(delete, path = "/v1/jobs/{id}/review/{index}", tag = "jobs", operation_id = "take_back_job_answer",
    params(("id" = String, Path, description = "The job."),
        ("index" = u64, Path, description = "The photo's place in the job.", maximum = 9_007_199_254_740_991_u64), ReviewerInQuery, PhotoDetail),
    responses((status = 200, body = ReviewPhoto, description = "The photo as it is now."),
        QueryRefusals, JobPhotoRefusals, NoRoom))]
pub(super) async fn take_back(
    QueueInPath(queue, PhotoDetail { detail }): QueueInPath<PhotoDetail>,
    PhotoIndexInPath(index): PhotoIndexInPath,
) -> Result<WrittenJson, Failure> {
    queue.caller.answer_in_place(queue.take_back(index, detail)).await
}

/// Returns the photo with answers that are not stored: the questions that remain, and the resulting
/// totals.
#[utoipa::path(post, path = "/v1/jobs/{id}/review/{index}/answers", tag = "jobs", operation_id = "try_job_answer",
    params(("id" = String, Path, description = "The job."),
        ("index" = u64, Path, description = "The photo's place in the job.", maximum = 9_007_199_254_740_991_u64), ReviewerInQuery, PhotoDetail),
    request_body = ReviewAnswer,
    responses((status = 200, body = ReviewPhoto, description = "The photo with the answers."),
        BodyRefusals, JobPhotoRefusals))]
pub(super) async fn try_answer(
    QueueInPath(queue, PhotoDetail { detail }): QueueInPath<PhotoDetail>,
    PhotoIndexInPath(index): PhotoIndexInPath,
    request: Request,
) -> Result<WrittenJson, Failure> {
    let answer = review::receive_answer(request, queue.caller.service.limits()).await?;
    queue.caller.answer_in_place(queue.try_answer(index, answer, detail)).await
}

/// Returns the picture of a photo, without its metadata.
///
/// The picture is available until the job has ended, or until the job is removed if it was created
/// with `keep_photos=true`. A HEIC or AVIF is returned as a JPEG.
#[utoipa::path(get, path = "/v1/jobs/{id}/review/{index}/photo", tag = "jobs", operation_id = "job_review_picture",
    params(("id" = String, Path, description = "The job."),
        ("index" = u64, Path, description = "The photo's place in the job.", maximum = 9_007_199_254_740_991_u64), ReviewerInQuery),
    responses((status = 200, description = "The picture.",
            content((Vec<u8> = "image/jpeg"), (Vec<u8> = "image/png"), (Vec<u8> = "image/webp"))),
        QueryRefusals, PictureRefusals))]
pub(super) async fn picture(
    QueueInPath(queue, ()): QueueInPath<()>,
    PhotoIndexInPath(index): PhotoIndexInPath,
) -> Result<Response, Failure> {
    let stored = queue.caller.answer_in_place(queue.picture(index)).await?;
    // Few browsers show HEIC or AVIF. The decoding queues like a photo to be read.
    let shown = if is_heic_or_avif(&stored) {
        let Caller { service, turns, .. } = &queue.caller;
        let limits = *service.reader()?.limits();
        let permit = service.admission().enter(turns.client())?;
        preview::draw_preview(permit, stored.into(), limits).await?
    } else {
        stored
    };
    // Nothing of a deleted job must remain in a browser.
    Ok(review::picture_response(shown, "private, no-store"))
}

/// Returns the corrections of the photos of a job as a table: `corrections.csv` of
/// `tilesight batch`.
#[utoipa::path(get, path = "/v1/jobs/{id}/corrections", tag = "jobs", operation_id = "job_corrections",
    params(("id" = String, Path, description = "The job."), StyleInQuery),
    responses((status = 200, description = "One row for each reviewer of a photo, in the order of the photos; of several about one photo the last counts.",
            content((String = "text/csv"))),
        QueryRefusals, JobRefusals))]
pub(super) async fn corrections(
    JobInPath(jobs, job): JobInPath,
    caller: Caller,
    Query(StyleInQuery { csv }): Query<StyleInQuery>,
) -> Result<Response, Failure> {
    let writing = async {
        let corrections = JobCorrections::new(jobs.backend.store.as_ref(), job.new.id);
        let stored = caller.turns.use_store(corrections.all()).await?;
        let written = caller.turns.compute(WorkSize::Large, move || {
            let rows = stored.into_values().flat_map(|rows| rows.rows().to_vec()).collect();
            csv.convert(Corrections::from_rows(rows).to_csv()?, true)
        });
        written.await?.map_err(|error| Failure::Internal { cause: error.to_string() })
    };
    let table = caller.answer_in_place(writing).await?;
    let headers = [
        (CONTENT_TYPE, "text/csv; charset=utf-8; header=present"),
        (CONTENT_DISPOSITION, "attachment; filename=\"corrections.csv\""),
        (CACHE_CONTROL, "private, no-cache"),
    ];
    Ok((headers, table).into_response())
}
