//! Review of a batch's readings by a person: the queue of photos, and the step from a reviewer's
//! answers to a [`Correction`].
//!
//! Input: outcomes as they are stored, and answers. Output: photos as a front end shows them, and
//! rows for the table of corrections. A folder of `tilesight batch` is a [`ReviewSource`]; a job of
//! the service loads what it needs before, and uses the rest. Invariants: this module stores
//! nothing, and no photo is read; an answer that can't be scored is refused with the reason.

mod answer;

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tilesight_core::contract::{ContextDto, Problem};
use tilesight_vision::contract::GivenAnswer;
use utoipa::ToSchema;

pub use self::answer::ReviewedPhoto;
use crate::StoreError;
use crate::batch::{ReviewGroup, ReviewItem};
use crate::corrections::{Correction, CorrectionRow};

/// Source of photos to review.
pub trait ReviewSource: Send + Sync + fmt::Debug {
    /// Returns a part of the queue, in the order in which to look at the photos.
    ///
    /// # Errors
    /// [`ReviewError`]
    fn list(&self, part: QueuePart) -> Result<ReviewQueue, ReviewError>;

    /// Returns one photo with its reading.
    ///
    /// # Errors
    /// [`ReviewError`]
    fn photo(&self, index: u64) -> Result<ReviewPhoto, ReviewError>;

    /// Returns the bytes of a photo.
    ///
    /// # Errors
    /// [`ReviewError`]
    fn picture(&self, index: u64) -> Result<Vec<u8>, ReviewError>;

    /// Returns the photo with answers that are not stored: the questions that remain, and the score
    /// so far.
    ///
    /// # Errors
    /// [`ReviewError`]
    fn try_answer(&self, index: u64, answer: ReviewAnswer) -> Result<ReviewPhoto, ReviewError>;

    /// Stores an answer, and returns the photo as it is afterwards.
    ///
    /// # Errors
    /// [`ReviewError`]; nothing is stored then.
    fn answer(&self, index: u64, answer: ReviewAnswer) -> Result<ReviewPhoto, ReviewError>;

    /// Revokes the reviewer's answer.
    ///
    /// # Errors
    /// [`ReviewError`]
    fn take_back(&self, index: u64) -> Result<ReviewPhoto, ReviewError>;
}

/// Reason why a source fails.
#[derive(Debug, thiserror::Error)]
pub enum ReviewError {
    /// No photo has this index, or it has no outcome yet.
    #[error("there is no photo with this index, or it has not been read yet")]
    Unknown,
    /// The photo after which a part of the queue should begin is not in the queue.
    #[error("no photo of the queue has this index")]
    NotQueued,
    /// The answer can't be stored; the reviewer can correct it.
    #[error("{}", .0.detail)]
    Answer(Box<Problem>),
    /// Files can't be read or written; the log names them.
    #[error("{0}")]
    Files(String),
    /// The photo is not stored any more.
    #[error(
        "the photo is not stored any more: it stays with its job if the job is created with \
         `keep_photos=true`"
    )]
    NoPicture,
    /// The store of jobs failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Review queue.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ReviewQueue {
    /// Name of the reviewed folder or job.
    pub name: String,
    /// Command that writes the answers into the results of a folder. The results of a job have them
    /// at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// Name of the reviewer.
    pub reviewer: String,
    /// Whether the photos can still be shown.
    pub keep_photos: bool,
    /// Photos to review, on this page.
    pub photos: Vec<QueuedPhoto>,
    /// Number of photos in the whole queue.
    pub total: usize,
    /// Value of `after` for the next page; `null` on the last page.
    pub next: Option<u64>,
}

/// Part of a queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueuePart {
    /// Index of the photo after which the part begins; `None` for the beginning of the queue.
    pub after: Option<u64>,
    /// Maximum number of photos.
    pub limit: usize,
}

impl QueuePart {
    /// Returns this part of a ranking, and the index of its last photo if others follow.
    ///
    /// # Errors
    /// [`ReviewError::NotQueued`] if the photo after which the part begins is not in the ranking.
    pub fn cut(self, ranking: &[ReviewItem]) -> Result<(&[ReviewItem], Option<u64>), ReviewError> {
        let start = match self.after {
            None => 0,
            Some(index) => {
                let place = ranking.iter().position(|item| item.index == index);
                place.ok_or(ReviewError::NotQueued)? + 1
            }
        };
        let part = &ranking[start..(start + self.limit).min(ranking.len())];
        let last = part.last().filter(|_| start + part.len() < ranking.len());
        Ok((part, last.map(|item| item.index)))
    }
}

/// Photo in the queue.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct QueuedPhoto {
    /// Index among all photos.
    pub index: u64,
    /// Id of the photo's row.
    pub id: String,
    /// Reason why the photo is in the queue.
    pub group: ReviewGroup,
    /// Points that a look is expected to change.
    pub expected_change: f32,
    /// Whether the photo has a correction that leaves nothing open that changes the score.
    pub done: bool,
}

/// Photo with its reading.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ReviewPhoto {
    /// Entry of the photo in the queue.
    #[serde(flatten)]
    pub queued: QueuedPhoto,
    /// Stored outcome: `reading` and `image`, or `error`; with `detail=compact`, the fields of the
    /// compact answer in place of `reading`.
    #[schema(value_type = Object)]
    pub original: Value,
    /// Reading with the answers so far: `hand`, `score`, and the remaining `doubts` with the
    /// current totals; `null` if the photo has no reading.
    #[schema(value_type = Option<Object>)]
    pub now: Value,
    /// Reading with the stored correction; `null` without a correction.
    #[schema(value_type = Option<Object>)]
    pub corrected: Value,
    /// Win context that was given when the photo was read.
    pub given: ContextDto,
    /// Stored correction.
    pub correction: Option<Correction>,
    /// Name of the reviewer who made the correction.
    pub reviewer: String,
    /// Note about the reason.
    pub note: String,
}

/// Answer of a reviewer about a photo.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields, expecting = "an object with an answer")]
pub struct ReviewAnswer {
    /// Answers to doubts of the reading.
    #[schema(max_items = 64)]
    pub answers: Vec<GivenAnswer>,
    /// Correction in addition to the answers.
    pub correction: Correction,
    /// Note about the reason.
    pub note: String,
}

impl QueuedPhoto {
    /// Returns the entry of a photo in the queue.
    #[must_use]
    pub fn new(item: &ReviewItem, done: bool) -> QueuedPhoto {
        let ReviewItem { index, id, group, expected_change, .. } = item;
        QueuedPhoto {
            index: *index,
            id: id.clone(),
            group: *group,
            expected_change: *expected_change,
            done,
        }
    }
}

impl ReviewPhoto {
    /// Returns a photo without a correction.
    #[must_use]
    pub fn new(queued: QueuedPhoto, given: ContextDto, original: Value, now: Value) -> ReviewPhoto {
        ReviewPhoto {
            queued,
            original,
            now,
            corrected: Value::Null,
            given,
            correction: None,
            reviewer: String::new(),
            note: String::new(),
        }
    }

    /// Returns this photo with the correction of a row, and the reading that results from it.
    #[must_use]
    pub(crate) fn with_correction(self, row: &CorrectionRow, corrected: Value) -> ReviewPhoto {
        ReviewPhoto {
            corrected,
            correction: Some(row.correction.clone()),
            reviewer: row.reviewer.clone(),
            note: row.note.clone(),
            ..self
        }
    }
}
