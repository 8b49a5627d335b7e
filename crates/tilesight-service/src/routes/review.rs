//! `/v1/review`: photos that a person should check, and that person's answers.
//!
//! Input: a [`ReviewSource`], which is a folder of `tilesight batch`. Output: the queue,
//! one photo with its reading, and the photo itself; each answer goes to the source at once.
//! [`tilesight_jobs::review`] has the steps from an answer to a correction. `tilesight review`
//! serves the routes of a folder on this machine only, and they are not part of the public API;
//! those of a job are in `jobs/review.rs`. Invariant: this module stores nothing, so that a killed
//! process loses nothing.

use std::sync::Arc;

use axum::extract::{FromRequestParts, Path, Request};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use serde::Deserialize;
use tilesight_core::contract::{Problem, ProblemKind, read_json};
use tilesight_jobs::review::{
    QueuePart, ReviewAnswer, ReviewError, ReviewPhoto, ReviewQueue, ReviewSource,
};
use tilesight_stills::is_heic_or_avif;
use tilesight_stills::jpeg_preview;
use tilesight_vision::DecodeLimits;

use crate::Limits;
use crate::Service;
use crate::answer::failure::Failure;
use crate::answer::fault::ServiceFault;
use crate::answer::json::WrittenJson;
use crate::guard::admission::WorkSize;
use crate::input::body::receive_json;
use crate::input::query::{Query, QueuePage, USUAL_ROWS};
use crate::routes::caller::Caller;

/// Number of photos of a queue that are listed in one pass: each that has a correction is
/// scored anew, which takes some milliseconds.
pub(crate) const PHOTOS_PER_PASS: usize = 20;
/// Maximum size of an answer in bytes: a hand, a context and a note.
pub(crate) const MAX_ANSWER_BYTES: usize = 16 * 1024;

/// Returns the routes of a source's review queue.
pub(crate) fn routes(source: Arc<dyn ReviewSource>) -> Router<Service> {
    Router::new()
        .route("/v1/review", get(list))
        .route("/v1/review/{index}", get(photo).put(answer).delete(take_back))
        .route("/v1/review/{index}/answers", post(try_answer))
        .route("/v1/review/{index}/photo", get(picture))
        .layer(Extension(source))
}

/// Index of a photo in its source.
pub(crate) struct PhotoIndexInPath(pub(crate) u64);

/// Segment of a path that has the index.
#[derive(Deserialize)]
struct PhotoIndexPath {
    index: String,
}

impl<S: Send + Sync> FromRequestParts<S> for PhotoIndexInPath {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<PhotoIndexInPath, Failure> {
        let named = Path::<PhotoIndexPath>::from_request_parts(parts, state).await;
        let index = named.ok().and_then(|Path(PhotoIndexPath { index })| index.parse().ok());
        index.map(PhotoIndexInPath).ok_or(ReviewError::Unknown.into())
    }
}

fn not_found(fault: &ServiceFault) -> Failure {
    Problem::from_message(ProblemKind::NotFound, fault).into()
}

impl From<ReviewError> for Failure {
    fn from(error: ReviewError) -> Failure {
        match error {
            ReviewError::Unknown => not_found(&ServiceFault::NoReviewedPhoto),
            ReviewError::NoPicture => not_found(&ServiceFault::NoStoredPhoto),
            ReviewError::NotQueued => Failure::invalid("after", &ServiceFault::NoReviewedPhoto),
            ReviewError::Store(error) => error.into(),
            ReviewError::Answer(problem) => Failure::from(*problem),
            ReviewError::Files(cause) => Failure::Internal { cause },
        }
    }
}

/// Person who reviews the photos of a source.
struct Reviewer {
    caller: Caller,
    source: Arc<dyn ReviewSource>,
}

impl FromRequestParts<Service> for Reviewer {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, service: &Service) -> Result<Reviewer, Failure> {
        let Ok(caller) = Caller::from_request_parts(parts, service).await;
        // The routes exist only with a source.
        let source = parts.extensions.get().cloned().ok_or(Failure::NoSuchPath)?;
        Ok(Reviewer { caller, source })
    }
}

impl Reviewer {
    /// Asks the source on a worker, once it is the client's turn: a photo of the review is scored
    /// anew, with all answers to its doubts. The work also reads and writes the files of the
    /// folder, which are on this machine.
    async fn ask<T: Send + 'static>(
        &self,
        question: impl FnOnce(&dyn ReviewSource) -> Result<T, ReviewError> + Send + 'static,
    ) -> Result<T, Failure> {
        let source = Arc::clone(&self.source);
        let work = self.caller.turns.compute(WorkSize::Large, move || question(source.as_ref()));
        self.caller.answer_in_place(async { Ok(work.await??) }).await
    }

    /// Asks the source for a part of its queue, in pieces between which clients take turns.
    async fn list(&self, part: QueuePart) -> Result<WrittenJson, Failure> {
        let mut page = self.list_piece(part).await?;
        while let Some(last) = page.next
            && page.photos.len() < part.limit
        {
            let limit = part.limit - page.photos.len();
            let more = self.list_piece(QueuePart { after: Some(last), limit }).await?;
            page.photos.extend(more.photos);
            page.total = more.total;
            page.next = more.next;
        }
        self.caller.turns.compute(WorkSize::Small, move || WrittenJson::new(&page)).await
    }

    async fn list_piece(&self, part: QueuePart) -> Result<ReviewQueue, Failure> {
        let source = Arc::clone(&self.source);
        let piece = QueuePart { limit: part.limit.min(PHOTOS_PER_PASS), ..part };
        Ok(self.caller.turns.compute(WorkSize::Large, move || source.list(piece)).await??)
    }

    /// Asks the source for a photo, and writes the answer.
    async fn photo(
        &self,
        question: impl FnOnce(&dyn ReviewSource) -> Result<ReviewPhoto, ReviewError> + Send + 'static,
    ) -> Result<WrittenJson, Failure> {
        self.ask(move |source| Ok(WrittenJson::new(&question(source)?))).await
    }
}

pub(crate) async fn receive_answer(
    request: Request,
    limits: &Limits,
) -> Result<ReviewAnswer, Failure> {
    let body = receive_json(request, limits).await?;
    Ok(read_json(&body, "")?)
}

/// Returns the part of a queue that a query asks for.
pub(crate) fn queue_part(page: QueuePage) -> QueuePart {
    QueuePart { after: page.after, limit: page.limit.unwrap_or(USUAL_ROWS) }
}

async fn list(reviewer: Reviewer, Query(page): Query<QueuePage>) -> Result<WrittenJson, Failure> {
    reviewer.caller.answer_in_place(reviewer.list(queue_part(page))).await
}

async fn photo(
    reviewer: Reviewer,
    PhotoIndexInPath(index): PhotoIndexInPath,
) -> Result<WrittenJson, Failure> {
    reviewer.photo(move |source| source.photo(index)).await
}

async fn try_answer(
    reviewer: Reviewer,
    PhotoIndexInPath(index): PhotoIndexInPath,
    request: Request,
) -> Result<WrittenJson, Failure> {
    let answer = receive_answer(request, reviewer.caller.service.limits()).await?;
    reviewer.photo(move |source| source.try_answer(index, answer)).await
}

async fn answer(
    reviewer: Reviewer,
    PhotoIndexInPath(index): PhotoIndexInPath,
    request: Request,
) -> Result<WrittenJson, Failure> {
    let answer = receive_answer(request, reviewer.caller.service.limits()).await?;
    reviewer.photo(move |source| source.answer(index, answer)).await
}

async fn take_back(
    reviewer: Reviewer,
    PhotoIndexInPath(index): PhotoIndexInPath,
) -> Result<WrittenJson, Failure> {
    reviewer.photo(move |source| source.take_back(index)).await
}

/// Returns the photo unchanged: browsers turn it upright by its metadata, as the pipeline does. For
/// a HEIC or AVIF, which few browsers show, returns a preview.
async fn picture(
    reviewer: Reviewer,
    PhotoIndexInPath(index): PhotoIndexInPath,
) -> Result<Response, Failure> {
    let shown = reviewer.ask(move |source| {
        let bytes = source.picture(index)?;
        if !is_heic_or_avif(&bytes) {
            return Ok(bytes);
        }
        Ok(jpeg_preview(&bytes, &DecodeLimits::default()).unwrap_or(bytes))
    });
    Ok(picture_response(shown.await?, "private, max-age=3600"))
}

/// Returns a picture that browsers show, with the given cache control.
pub(crate) fn picture_response(bytes: Vec<u8>, kept: &'static str) -> Response {
    let kind = image::guess_format(&bytes)
        .map_or("application/octet-stream", |format| format.to_mime_type());
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static(kind)),
        (CACHE_CONTROL, HeaderValue::from_static(kept)),
    ];
    (StatusCode::OK, headers, bytes).into_response()
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use serde_json::{Value, json};
    use tilesight_core::contract::ContextDto;
    use tilesight_jobs::batch::ReviewGroup;
    use tilesight_jobs::review::QueuedPhoto;
    use tower::ServiceExt as _;

    use super::*;

    /// Source of which one photo can be shown, and which refuses every hand. Its queue has more
    /// photos than are listed at once.
    #[derive(Debug)]
    struct One;

    /// Number of photos in the queue.
    const QUEUED: usize = 2 * PHOTOS_PER_PASS + 1;

    fn one() -> ReviewPhoto {
        let (id, group) = ("a.jpg".to_owned(), ReviewGroup::Tile);
        let queued = QueuedPhoto { index: 7, id, group, expected_change: 2.0, done: false };
        ReviewPhoto::new(queued, ContextDto::default(), json!({ "reading": {} }), Value::Null)
    }

    impl ReviewSource for One {
        fn list(&self, part: QueuePart) -> Result<ReviewQueue, ReviewError> {
            assert!(part.limit <= PHOTOS_PER_PASS, "in pieces: {part:?}");
            let start = part.after.map_or(0, |index| index as usize - 6);
            let end = QUEUED.min(start + part.limit);
            let queued = |place: usize| QueuedPhoto { index: 7 + place as u64, ..one().queued };
            Ok(ReviewQueue {
                name: "out".into(),
                command: Some("tilesight batch".into()),
                reviewer: "Kim".into(),
                keep_photos: true,
                photos: (start..end).map(queued).collect(),
                total: QUEUED,
                next: (end < QUEUED).then(|| 6 + end as u64),
            })
        }

        fn photo(&self, index: u64) -> Result<ReviewPhoto, ReviewError> {
            if index == 7 { Ok(one()) } else { Err(ReviewError::Unknown) }
        }

        fn picture(&self, index: u64) -> Result<Vec<u8>, ReviewError> {
            Ok(match index {
                8 => include_bytes!("../../../../tests/data/stills/turned.heic").to_vec(),
                _ => b"\x89PNG\r\n\x1a\n".to_vec(),
            })
        }

        fn try_answer(&self, index: u64, _: ReviewAnswer) -> Result<ReviewPhoto, ReviewError> {
            self.photo(index)
        }

        fn answer(&self, index: u64, answer: ReviewAnswer) -> Result<ReviewPhoto, ReviewError> {
            let refused = || Problem::new(ProblemKind::NotAWin, "it does not win");
            match answer.correction.hand {
                Some(_) => Err(ReviewError::Answer(Box::new(refused()))),
                None => self.photo(index),
            }
        }

        fn take_back(&self, _: u64) -> Result<ReviewPhoto, ReviewError> {
            Err(ReviewError::Files("/secret/corrections.csv".to_owned()))
        }
    }

    async fn send(method: &str, path: &str, host: &str, body: &str) -> (u16, String, Value) {
        let app = crate::review_app(Service::builder(Limits::default()).build(), Arc::new(One));
        let request = Request::builder().method(method).uri(path).header("host", host);
        let request = request.header("content-type", "application/json");
        let request = request.body(Body::from(body.to_owned())).expect("a request");
        let response = app.oneshot(request).await.expect("it answers");
        let status = response.status().as_u16();
        let kind = response.headers()[CONTENT_TYPE].to_str().expect("a text").to_owned();
        let bytes = axum::body::to_bytes(response.into_body(), 100_000).await.expect("a body");
        (status, kind, serde_json::from_slice(&bytes).unwrap_or_default())
    }

    #[tokio::test]
    async fn the_queue_is_answered_from_its_source() {
        let (status, _, list) = send("GET", "/v1/review", "localhost", "").await;
        assert_eq!((status, &list["photos"][0]["group"]), (200, &json!("tile")));
        let indices = |list: &Value| -> Vec<u64> {
            let photos = list["photos"].as_array().expect("photos").iter();
            photos.map(|photo| photo["index"].as_u64().expect("an index")).collect()
        };
        let all: Vec<u64> = (7..).take(QUEUED).collect();
        assert_eq!((indices(&list), &list["next"]), (all.clone(), &Value::Null));
        let limit = PHOTOS_PER_PASS + 2;
        let path = format!("/v1/review?after={}&limit={limit}", all[2]);
        let (_, _, page) = send("GET", &path, "localhost", "").await;
        assert_eq!(indices(&page), all[3..3 + limit]);
        assert_eq!(page["next"], all[2 + limit]);
        let (status, _, photo) = send("GET", "/v1/review/7", "localhost", "").await;
        assert_eq!(
            (status, &photo["id"], &photo["corrected"]),
            (200, &json!("a.jpg"), &Value::Null)
        );
        let (status, kind, _) = send("GET", "/v1/review/7/photo", "localhost", "").await;
        assert_eq!((status, kind.as_str()), (200, "image/png"));
        let (status, kind, _) = send("GET", "/v1/review/8/photo", "localhost", "").await;
        assert_eq!((status, kind.as_str()), (200, "image/jpeg"), "browsers show few HEIC files");
        assert_eq!(send("GET", "/v1/review/8", "localhost", "").await.0, 404);
    }

    #[tokio::test]
    async fn an_answer_that_cannot_be_kept_says_why_and_no_path() {
        let hand = r#"{"correction":{"hand":"123m"}}"#;
        let (status, _, problem) = send("PUT", "/v1/review/7", "localhost", hand).await;
        assert_eq!((status, &problem["detail"]), (422, &json!("it does not win")));
        let accepted =
            r#"{"answers":[{"doubt":"tile-1","answer":"1m"}],"correction":{"accepted":true}}"#;
        assert_eq!(send("POST", "/v1/review/7/answers", "localhost", accepted).await.0, 200);
        assert_eq!(send("PUT", "/v1/review/7", "localhost", accepted).await.0, 200);
        assert_eq!(send("PUT", "/v1/review/7", "localhost", r#"{"hand":"1m"}"#).await.0, 400);
        let (status, _, problem) = send("DELETE", "/v1/review/7", "localhost", "").await;
        assert!(status == 500 && !problem.to_string().contains("secret"), "{problem}");
    }

    #[tokio::test]
    async fn other_sites_are_refused() {
        for path in ["/v1/review", "/v1/review/7/photo"] {
            let (status, _, problem) = send("GET", path, "evil.example", "").await;
            assert!(status >= 400, "{path}: {problem}");
        }
    }
}
