//! `POST /v1/hands`: a photo and its circumstances in, the reading with its score out.
//!
//! A photo is anything that [`Upload`] takes. A doubtful reading is an answer like any other, with
//! the status `needs_review`; only a photo that shows no hand at all is refused. Each photo is read
//! on a thread of its own, which keeps its slot until it is done, whoever still waits for it. Where the
//! rules score every player, photos of the others' hands come in the same request and the answer
//! settles the table.

mod turns;

use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Json;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use tokio::time::timeout;

use super::Service;
use super::admission::Slot;
use super::body::refuse;
use super::client::Client;
use super::failure::Failure;
use super::language;
use super::openapi::{BodyRefusals, ContextInQuery, FocusInQuery, Language, Unavailable};
use super::request_id::RequestId;
use super::upload::{Photo, PhotoForm, PhotoJson, Upload};
use crate::context::ContextSetup;
use crate::contract::{AnswerDto, Asked, Problem, milliseconds};
use crate::explain::Lang;
use crate::pipeline::model::Manifest;
use crate::pipeline::{ReadError, ReadOptions, Reader, Reading, Status, TableReading};
use crate::rules::{OtherHand, RulesetId};

use turns::{Done, read_all};

#[cfg(test)]
mod tests;

const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// How long each step of a request took, in order.
#[derive(Debug)]
struct Laps {
    laps: Vec<(&'static str, Duration)>,
    last: Instant,
}

/// Reads a photo of a hand and scores it; with photos of the others' hands, settles the table.
#[utoipa::path(post, path = "/v1/hands", tag = "hands", operation_id = "read_hand",
    params(ContextInQuery, FocusInQuery, Language),
    request_body(description = "A JPEG, PNG or WebP.", content(
        (PhotoForm = "multipart/form-data"), (PhotoJson = "application/json"),
        (Photo = "image/jpeg"), (Photo = "image/png"), (Photo = "image/webp"), (Photo = "application/octet-stream"))),
    responses((status = 200, body = AnswerDto, description = "The reading; a doubtful one has the status `needs_review`.",
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
    let bodies = Upload::bodies(&request, service.limits());
    let client = Client::of(request.extensions());
    let enter = |reader| Ok((reader, service.admission().enter_with(&client, bodies)?));
    let entered = service.reader().and_then(enter);
    let (reader, place) = match entered {
        Ok(entered) => entered,
        Err(failure) => {
            refuse(request, &Upload::limits(bodies, service.limits()));
            return Err(failure);
        }
    };
    let mut laps = Laps::start();
    let Upload { photo, others, told, focus } = Upload::receive(request, service.limits()).await?;
    laps.lap("receive");
    service.metrics().steps(&laps.laps);
    let (ruleset, rulesets) = (told.ruleset(), told.rulesets);
    let Asked { photos, told } =
        Asked::of(photo, others, told.context.setup, ruleset)?.looking_at(focus);
    let turns = place.turns(photos.len())?;
    let (done, slots) = read_all(service, &reader, turns, (photos, ruleset)).await?;
    laps.of_photos(&done);
    let table = Table { readings: readings(done)?, told, ruleset, rulesets };
    let answer = table.answer(reader.model().manifest(), &laps, lang);
    let answer = AnswerDto { request_id: Some(id.as_str().to_owned()), ..answer };
    let response = ([(SERVER_TIMING, laps.to_header())], Json(answer)).into_response();
    drop(slots);
    Ok(response)
}

/// The readings of all photos, the winner's first; or what is wrong with every photo that can't be used.
fn readings(done: Vec<Done>) -> Result<Vec<Reading>, Failure> {
    let (mut readings, mut problems) = (Vec::new(), Vec::new());
    for Done { place, reading, .. } in done {
        let problem = match reading {
            Ok(reading) if reading.status == Status::NoHand => Problem::no_hand(&reading),
            Ok(reading) => {
                readings.push(reading);
                continue;
            }
            Err(error @ ReadError::Model(_)) => return Err(error.into()),
            Err(error) => Problem::from(&error),
        };
        problems.push(match place {
            Some(place) => problem.about(&place),
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

/// What was read and told of a table.
struct Table {
    /// The winner's reading, then those of others.
    readings: Vec<Reading>,
    told: Vec<OtherHand>,
    ruleset: RulesetId,
    rulesets: Option<Vec<RulesetId>>,
}

impl Table {
    fn answer(self, manifest: &Manifest, laps: &Laps, lang: Lang) -> AnswerDto {
        let Table { readings, told, ruleset, rulesets } = self;
        let mut readings = readings.into_iter();
        let winner = readings.next().expect("the winner's photo is always asked for");
        let others: Vec<_> = readings.map(|reading| (reading.context.seat, reading)).collect();
        if others.is_empty() && told.is_empty() {
            let answer = AnswerDto::new(&winner, manifest, &laps.laps, lang);
            return match rulesets {
                Some(rulesets) => answer.side_by_side(&winner, &rulesets, lang),
                None => answer,
            };
        }
        let table = TableReading::settle(ruleset, winner, others, told);
        let answer = AnswerDto::of_table(&table, manifest, &laps.laps, lang);
        match rulesets {
            Some(rulesets) => answer.tables_side_by_side(&table, &rulesets, lang),
            None => answer,
        }
    }
}

/// Reads a photo on a thread of its own, which keeps its slot until it is done.
pub(super) async fn read_in(
    service: &Service,
    slot: Slot,
    reader: Arc<Reader>,
    photo: Bytes,
    asked: (ContextSetup, ReadOptions),
) -> Result<(Reading, Slot), Failure> {
    let (reading, slot) = read_with(service, slot, reader, photo, asked).await?;
    Ok((reading?, slot))
}

/// The same where what is wrong with one photo does not end the request.
async fn read_with(
    service: &Service,
    slot: Slot,
    reader: Arc<Reader>,
    photo: Bytes,
    asked: (ContextSetup, ReadOptions),
) -> Result<(Result<Reading, ReadError>, Slot), Failure> {
    let counted = service.clone();
    let work = move || {
        let reading = reader.read(&photo, &asked.0, asked.1);
        // Counted here, where it is done, whether or not somebody still waits for it.
        if let Ok(reading) = &reading {
            counted.metrics().steps(&reading.timings);
        }
        reading
    };
    slot.run(work).await
}

impl Laps {
    fn start() -> Laps {
        Laps { laps: Vec::new(), last: Instant::now() }
    }

    fn lap(&mut self, step: &'static str) {
        let now = Instant::now();
        self.laps.push((step, now - self.last));
        self.last = now;
    }

    /// The steps of the winner's photo, and how much longer those of the others took.
    fn of_photos(&mut self, done: &[Done]) {
        let Some((winner, others)) = done.split_first() else { return };
        self.laps.push(("wait", winner.waited));
        self.laps.extend(winner.reading.iter().flat_map(|reading| &reading.timings));
        if !others.is_empty() {
            self.laps.push(("others", winner.ended.elapsed()));
        }
    }

    /// The same times as in the body, in the order of the steps.
    fn to_header(&self) -> HeaderValue {
        let entries: Vec<_> =
            milliseconds(&self.laps).map(|(step, took)| format!("{step};dur={took:.1}")).collect();
        HeaderValue::try_from(entries.join(", ")).expect("steps are named by plain words")
    }
}
