//! `POST /v1/hands` takes a photo and its win context, and returns the reading with its score.
//!
//! A doubtful reading is an answer like any other, with the status `needs_review`; only a photo
//! that shows no hand at all is refused. Where the rules score every player, the same request has
//! photos of the other players' hands, and the answer settles the table; a single photo is treated
//! as a table without others. If several photos show one hand, the pixel stages process each of
//! them separately, and then they are read as one. Each photo is read on a thread of its own, which
//! keeps its slot until it is done, even if the client has disconnected.

mod turns;

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use tilesight_core::contract::Problem;
use tilesight_core::explain::Lang;
use tilesight_vision::contract::{
    AnswerDto, CompactAnswerDto, Detail, SeatPhoto, TablePlan, milliseconds,
};
use tilesight_vision::{ReadError, Reader, Reading, SeenPhoto, Status, TableReading};
use tokio::time::timeout;
use turns::{OnePhoto, PhotoResult, SeenHand, read_all};

use super::Service;
use super::admission::{Place, Slot};
use super::body::refuse;
use super::client::Client;
use super::failure::Failure;
use super::language;
use super::openapi::{
    BodyRefusals, ContextInQuery, DetailInQuery, Language, PlaceInQuery, Unavailable,
};
use super::request_id::RequestId;
use super::upload::{Photo, PhotoForm, PhotoJson, Upload, UploadHead};

#[cfg(test)]
mod tests;

const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// Duration of each step of a request, in order.
#[derive(Debug)]
struct Timings {
    steps: Vec<(&'static str, Duration)>,
    last: Instant,
}

/// Full answer, or with `detail=compact` the part that an app shows.
#[derive(utoipa::ToSchema)]
#[serde(untagged)]
#[allow(
    dead_code,
    clippy::large_enum_variant,
    reason = "describes the answer, which is written as either alone"
)]
enum PhotoAnswer {
    Full(AnswerDto),
    Compact(CompactAnswerDto),
}

/// Reads a photo of a hand, or several photos of it as one, and scores the hand; with photos of the
/// other players' hands, settles the table.
#[utoipa::path(post, path = "/v1/hands", tag = "hands", operation_id = "read_hand",
    params(ContextInQuery, PlaceInQuery, DetailInQuery, Language),
    request_body(description = "A JPEG, PNG, WebP, HEIC or AVIF.", content(
        (PhotoForm = "multipart/form-data"), (PhotoJson = "application/json"),
        (Photo = "image/jpeg"), (Photo = "image/png"), (Photo = "image/webp"), (Photo = "image/heic"), (Photo = "image/heif"), (Photo = "image/avif"), (Photo = "application/octet-stream"))),
    responses((status = 200, body = inline(PhotoAnswer), description = "The reading; a doubtful one has the status `needs_review`.",
            headers(("Server-Timing" = String, description = "How long each step took."))),
        BodyRefusals, Unavailable))]
pub(super) async fn read(
    State(service): State<Service>,
    id: RequestId,
    request: Request,
) -> Result<Response, Failure> {
    let limit = service.limits().request;
    timeout(limit, answer(&service, &id, request)).await.unwrap_or(Err(Failure::Overdue))
}

async fn answer(service: &Service, id: &RequestId, request: Request) -> Result<Response, Failure> {
    let lang = language::preferred(request.headers());
    let head = UploadHead::from_request(&request, service.limits());
    let client = Client::from_extensions(request.extensions());
    let enter = |reader| Ok((reader, service.admission().enter_with(&client, head.bodies)?));
    let entered = service.reader().and_then(enter);
    let (reader, place) = match entered {
        Ok(entered) => entered,
        Err(failure) => {
            refuse(request, &head.limits);
            return Err(failure);
        }
    };
    let mut timings = Timings::start();
    let Upload { table, detail } = head.receive(request).await?;
    timings.step("receive");
    service.metrics().steps(&timings.steps);
    let TablePlan { ruleset, rulesets, photos, typed } = table.plan(service.book())?;
    let turns = place.turns(number_of(&photos))?;
    let (results, slots) = read_all(service, &reader, turns, photos).await?;
    timings.add_photos(&results);
    let mut others = readings(results)?;
    let winner = others.remove(0);
    let table = TableReading::settle(ruleset, winner, others, typed);
    let manifest = reader.model().manifest();
    let mut answer =
        AnswerDto::from_table(&table, rulesets.as_deref(), manifest, &timings.steps, lang);
    answer.request_id = Some(id.as_str().to_owned());
    let body = match detail {
        Detail::Full => Json(answer).into_response(),
        Detail::Compact => Json(CompactAnswerDto::from(answer)).into_response(),
    };
    let response = ([(SERVER_TIMING, timings.to_header())], body).into_response();
    drop(slots);
    Ok(response)
}

/// Returns the readings of all photos, the winner's first, or the problems of all photos that can't
/// be used.
fn readings(results: Vec<PhotoResult>) -> Result<Vec<Reading>, Failure> {
    let (mut readings, mut problems) = (Vec::new(), Vec::new());
    for PhotoResult { place, reading, .. } in results {
        let problem = match reading {
            Ok(reading) if reading.status == Status::NoHand => {
                tilesight_vision::contract::no_hand_problem(&reading)
            }
            Ok(reading) => {
                readings.push(reading);
                continue;
            }
            Err(error @ ReadError::Model(_)) => return Err(error.into()),
            Err(error) => Problem::from(&error),
        };
        problems.push(match place {
            Some(place) => problem.about(&place.photo()),
            None => problem,
        });
    }
    if problems.len() > 1 {
        let kind = problems[0].kind;
        let errors = problems.into_iter().flat_map(|problem| problem.errors).collect();
        return Err(Problem::with_errors(kind, errors).into());
    }
    problems.pop().map_or(Ok(readings), |problem| Err(problem.into()))
}

/// Reads the photos of a table in the place of a request, and returns the answer without the
/// durations of the steps.
pub(super) async fn read_table(
    service: &Service,
    reader: &Arc<Reader>,
    place: Place,
    table: TablePlan<Bytes>,
    lang: Lang,
) -> Result<AnswerDto, Failure> {
    let TablePlan { ruleset, rulesets, photos, typed } = table;
    let turns = place.turns(number_of(&photos))?;
    let (results, _slots) = read_all(service, reader, turns, photos).await?;
    let mut others = readings(results)?;
    let winner = others.remove(0);
    let table = TableReading::settle(ruleset, winner, others, typed);
    Ok(AnswerDto::from_table(&table, rulesets.as_deref(), reader.model().manifest(), &[], lang))
}

/// Returns the number of photos of all hands.
fn number_of(photos: &[SeatPhoto<Bytes>]) -> usize {
    photos.iter().map(|photo| 1 + photo.more.len()).sum()
}

/// Reads a photo on a thread of its own, which keeps its slot until it is done. A photo that can't
/// be read does not end the request.
async fn read_with(
    service: &Service,
    slot: Slot,
    reader: Arc<Reader>,
    photo: SeatPhoto<Bytes>,
) -> Result<(Result<Reading, ReadError>, Slot), Failure> {
    let counted = service.clone();
    let work = move || {
        let reading = reader.read(&photo.photo, &photo.context, photo.options);
        // Counted here, where the reading is complete, even if the client has disconnected.
        if let Ok(reading) = &reading {
            counted.metrics().steps(&reading.timings);
        }
        reading
    };
    slot.run(work).await
}

/// Runs the pixel stages on one of several photos of a hand, also on a thread of its own.
async fn see_with(
    service: &Service,
    slot: Slot,
    reader: Arc<Reader>,
    photo: OnePhoto,
) -> Result<(Result<SeenPhoto, ReadError>, Slot), Failure> {
    let counted = service.clone();
    let work = move || {
        let seen = reader.see_one_of(&photo.photo, photo.at, &photo.options);
        if let Ok(seen) = &seen {
            counted.metrics().steps(&seen.timings);
        }
        seen
    };
    slot.run(work).await
}

/// Joins the photos of a hand and reads it, in the slot of the last photo.
async fn read_seen_with(
    service: &Service,
    slot: Slot,
    reader: Arc<Reader>,
    hand: SeenHand,
) -> Result<(Result<Reading, ReadError>, Slot), Failure> {
    let counted = service.clone();
    let work = move || {
        let SeenHand { photos, context, options } = hand;
        let steps: Vec<&str> = photos.iter().flat_map(|seen| &seen.timings).map(|s| s.0).collect();
        let reading = reader.read_seen(photos, &context, options);
        if let Ok(reading) = &reading {
            // The steps of the pixel stages are counted already, photo by photo.
            let mut rest = reading.timings.clone();
            rest.retain(|(step, _)| !steps.contains(step));
            counted.metrics().steps(&rest);
        }
        reading
    };
    slot.run(work).await
}

impl Timings {
    fn start() -> Timings {
        Timings { steps: Vec::new(), last: Instant::now() }
    }

    fn step(&mut self, name: &'static str) {
        let now = Instant::now();
        self.steps.push((name, now - self.last));
        self.last = now;
    }

    /// Adds the steps of the winner's photo, and the additional time that the other photos took.
    fn add_photos(&mut self, results: &[PhotoResult]) {
        let Some((winner, others)) = results.split_first() else { return };
        self.steps.push(("wait", winner.waited));
        self.steps.extend(winner.reading.iter().flat_map(|reading| &reading.timings));
        if !others.is_empty() {
            self.steps.push(("others", winner.ended.elapsed()));
        }
    }

    /// Returns the same durations as in the body, in the order of the steps, as the value of
    /// `Server-Timing`.
    fn to_header(&self) -> HeaderValue {
        let entries: Vec<_> =
            milliseconds(&self.steps).map(|(step, took)| format!("{step};dur={took:.1}")).collect();
        HeaderValue::try_from(entries.join(", ")).expect("steps are named by plain words")
    }
}
