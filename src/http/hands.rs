//! `POST /v1/hands`: a photo and its circumstances in, the reading with its score out.
//!
//! A photo is anything that [`Upload`] takes. A doubtful reading is an answer like any other, with
//! the status `needs_review`; only a photo that shows no hand at all is refused. The photo is read
//! on a thread of its own, which keeps its slot until it is done, whoever still waits for it.

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
use super::failure::Failure;
use super::language;
use super::openapi::{BodyRefusals, Language, ToldInQuery, Unavailable};
use super::request_id::RequestId;
use super::upload::{Photo, PhotoForm, PhotoJson, Upload};
use crate::context::ContextSetup;
use crate::contract::{AnswerDto, Problem, ProblemKind, milliseconds};
use crate::pipeline::{Reader, Reading, Status};
use crate::rules::RulesetId;

#[cfg(test)]
mod tests;

const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// How long each step of a request took, in order.
#[derive(Debug)]
struct Laps {
    laps: Vec<(&'static str, Duration)>,
    last: Instant,
}

/// Reads a photo of a hand and scores it.
#[utoipa::path(post, path = "/v1/hands", tag = "hands", operation_id = "read_hand",
    params(ToldInQuery, Language),
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
    let entered = service.reader().and_then(|reader| Ok((reader, service.admission().enter()?)));
    let (reader, place) = match entered {
        Ok(entered) => entered,
        Err(failure) => {
            refuse(request, service.limits());
            return Err(failure);
        }
    };
    let mut laps = Laps::start();
    let upload = Upload::receive(request, service.limits()).await?;
    laps.lap("receive");
    let slot = place.slot(&upload.photo).await?;
    laps.lap("wait");
    let Upload { photo, told } = upload;
    let (context, ruleset) = (told.context.setup(), told.ruleset());
    service.metrics().steps(&laps.laps);
    let model = Arc::clone(&reader);
    let (reading, slot) = read_in(service, slot, reader, photo, (context, ruleset)).await?;
    laps.laps.extend(&reading.timings);
    if reading.status == Status::NoHand {
        return Err(no_hand(&reading).into());
    }
    let answer = AnswerDto::new(&reading, model.model().manifest(), &laps.laps, lang);
    let answer = match &told.rulesets {
        Some(rulesets) => answer.side_by_side(&reading, rulesets, lang),
        None => answer,
    };
    let answer = AnswerDto { request_id: Some(id.as_str().to_owned()), ..answer };
    let response = ([(SERVER_TIMING, laps.to_header())], Json(answer)).into_response();
    drop(slot);
    Ok(response)
}

/// Reads a photo on a thread of its own, which keeps its slot until it is done.
pub(super) async fn read_in(
    service: &Service,
    slot: Slot,
    reader: Arc<Reader>,
    photo: Bytes,
    asked: (ContextSetup, RulesetId),
) -> Result<(Reading, Slot), Failure> {
    let counted = service.clone();
    let (reading, slot) = slot
        .run(move || {
            let reading = reader.read(&photo, &asked.0, asked.1);
            // Counted here, where it is done, whether or not somebody still waits for it.
            if let Ok(reading) = &reading {
                counted.metrics().steps(&reading.timings);
            }
            reading
        })
        .await?;
    Ok((reading?, slot))
}

pub(super) fn no_hand(reading: &Reading) -> Problem {
    let detail = match reading.tiles.len() {
        0 => "no tiles were found in the photo".to_owned(),
        tiles => format!("{tiles} tiles were found in the photo, but no hand"),
    };
    Problem::new(ProblemKind::NoHand, detail)
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

    /// The same times as in the body, in the order of the steps.
    fn to_header(&self) -> HeaderValue {
        let entries: Vec<_> =
            milliseconds(&self.laps).map(|(step, took)| format!("{step};dur={took:.1}")).collect();
        HeaderValue::try_from(entries.join(", ")).expect("steps are named by plain words")
    }
}
