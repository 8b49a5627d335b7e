//! `POST /v1/hands`: a photo and its circumstances in, the reading with its score out.
//!
//! A photo is anything that [`Upload`] takes. A doubtful reading is an answer like any other, with
//! the status `needs_review`; only a photo that shows no hand at all is refused. The photo is read
//! on a thread of its own, which keeps its slot until it is done, whoever still waits for it.

use std::time::{Duration, Instant};

use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Map, Value};
use tokio::time::timeout;

use super::Service;
use super::failure::Failure;
use super::language;
use super::request_id::RequestId;
use super::upload::Upload;
use crate::contract::{Problem, ProblemKind, ReadingDto};
use crate::explain::Lang;
use crate::pipeline::{Reader, Reading, Status};

#[cfg(test)]
mod tests;

const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// The answer.
#[derive(Debug, Serialize)]
struct Answer {
    request_id: String,
    reading: ReadingDto,
    image: Size,
    engine: Engine,
    models: Models,
    timings_ms: Map<String, Value>,
}

/// The upright photo that polygons are drawn on.
#[derive(Debug, Serialize)]
struct Size {
    width: u32,
    height: u32,
}

/// The program.
#[derive(Debug, Serialize)]
struct Engine {
    name: &'static str,
    version: &'static str,
}

/// The networks, by the SHA-256 of their files.
#[derive(Debug, Serialize)]
struct Models {
    detector: String,
    classifier: String,
}

/// How long each step of a request took, in order.
#[derive(Debug)]
struct Laps {
    laps: Vec<(&'static str, Duration)>,
    last: Instant,
}

/// Reads one photo.
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
    let reader = service.reader()?;
    let place = service.admission().enter()?;
    let mut laps = Laps::start();
    let upload = Upload::receive(request, service.limits()).await?;
    laps.lap("receive");
    let slot = place.worker().await;
    laps.lap("wait");
    let ruleset = upload.context.ruleset.unwrap_or_default();
    let (reader, reading) = slot
        .run(move || {
            let reading = reader.read(&upload.photo, &upload.context.setup(), ruleset);
            (reader, reading)
        })
        .await?;
    let reading = reading?;
    laps.laps.extend(&reading.timings);
    match reading.status {
        Status::NoHand => Err(no_hand(&reading).into()),
        _ => Ok(respond(id, &reader, &reading, &laps, lang)),
    }
}

fn no_hand(reading: &Reading) -> Problem {
    let detail = match reading.tiles.len() {
        0 => "no tiles were found in the photo".to_owned(),
        tiles => format!("{tiles} tiles were found in the photo, but no hand"),
    };
    Problem::new(ProblemKind::NoHand, detail)
}

fn respond(
    id: &RequestId,
    reader: &Reader,
    reading: &Reading,
    laps: &Laps,
    lang: Lang,
) -> Response {
    let manifest = reader.model().manifest();
    let (width, height) = reading.size;
    let answer = Answer {
        request_id: id.as_str().to_owned(),
        reading: ReadingDto::new(reading, lang),
        image: Size { width, height },
        engine: Engine { name: env!("CARGO_PKG_NAME"), version: env!("CARGO_PKG_VERSION") },
        models: Models {
            detector: manifest.detector.sha256.clone(),
            classifier: manifest.classifier.sha256.clone(),
        },
        timings_ms: laps.to_json(),
    };
    ([(SERVER_TIMING, laps.to_header())], Json(answer)).into_response()
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

    fn to_json(&self) -> Map<String, Value> {
        let tenths = |took: &Duration| (took.as_secs_f64() * 1e4).round() / 10.0;
        self.laps.iter().map(|(step, took)| ((*step).to_owned(), tenths(took).into())).collect()
    }

    fn to_header(&self) -> HeaderValue {
        let entry =
            |(step, took): &(&str, Duration)| format!("{step};dur={:.1}", took.as_secs_f64() * 1e3);
        let entries: Vec<_> = self.laps.iter().map(entry).collect();
        HeaderValue::try_from(entries.join(", ")).expect("steps are named by plain words")
    }
}
