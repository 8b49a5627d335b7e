//! `POST /v1/hands` takes a photo and its win context, and returns the reading with its score.
//!
//! A doubtful reading is an answer like any other, with the status `needs_review`; only a photo
//! that shows no hand at all is refused. Where the rules score every player, the same request has
//! photos of the other players' hands, and the answer settles the table; a single photo is treated
//! as a table without others. If several photos show one hand, the pixel stages process each of
//! them separately, and then they are read as one.
//!
//! A request goes through these stages, which only [`answer`] composes:
//!
//! 1. [`UploadHead`] reads the head: the form of the body and its limits.
//! 2. [`Service::admit`](crate::Service) takes an upload permit, or refuses the request before its
//!    body is read.
//! 3. [`UploadHead::receive`] receives the body as a
//!    [`TableRequest`](tilesight_vision::contract::TableRequest).
//! 4. [`TableRequest::plan`](tilesight_vision::contract::TableRequest::plan) checks which photos to
//!    read.
//! 5. [`read_table`] waits for workers and reads each photo on a thread of its own, which keeps its
//!    worker until its work ends: after the stage that it is in, if the client has disconnected.
//! 6. The last of these workers writes the answer.

mod reading;

use std::time::{Duration, Instant};

use axum::extract::Request;
use axum::http::{HeaderName, HeaderValue};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tilesight_core::contract::Problem;
use tilesight_vision::contract::{AnswerDto, CompactAnswerDto, Detail, milliseconds};
use utoipa::ToSchema;

pub(crate) use self::reading::{ReadTable, read_table};
use crate::answer::failure::Failure;
use crate::answer::json::WrittenJson;
use crate::answer::language::Language;
use crate::input::query::DetailInQuery;
use crate::input::upload::{Photo, PhotoForm, PhotoJson, UploadHead};
use crate::openapi::{BodyRefusals, PhotoInQuery, Unavailable};
use crate::routes::caller::Caller;
use crate::routes::sets;

#[cfg(test)]
mod tests;

const SERVER_TIMING: HeaderName = HeaderName::from_static("server-timing");

/// Full answer, or with `detail=compact` the part that an app shows.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
#[allow(clippy::large_enum_variant, reason = "it is written at once")]
enum PhotoAnswer {
    Compact(CompactAnswerDto),
    Full(AnswerDto),
}

/// Reads a photo of a hand, or several photos of it as one, and scores the hand; with photos of the
/// other players' hands, settles the table.
#[utoipa::path(post, path = "/v1/hands", tag = "hands", operation_id = "read_hand",
    params(PhotoInQuery, DetailInQuery, Language),
    request_body(description = "A JPEG, PNG, WebP, HEIC or AVIF.", content(
        (PhotoForm = "multipart/form-data"), (PhotoJson = "application/json"),
        (Photo = "image/jpeg"), (Photo = "image/png"), (Photo = "image/webp"), (Photo = "image/heic"), (Photo = "image/heif"), (Photo = "image/avif"), (Photo = "application/octet-stream"))),
    responses((status = 200, body = inline(PhotoAnswer), description = "The reading; a doubtful one has the status `needs_review`.",
            headers(("Server-Timing" = String, description = "How long each step took."))),
        BodyRefusals, Unavailable))]
pub(crate) async fn read(caller: Caller, request: Request) -> Result<Response, Failure> {
    caller.service.in_time(answer(&caller, request)).await
}

/// Takes a request through all stages, from its head to the answer.
async fn answer(caller: &Caller, request: Request) -> Result<Response, Failure> {
    let service = &caller.service;
    let head = UploadHead::from_request(&request, service.limits());
    let (reader, permit, request) = service.admit(request, head.bodies, &head.limits)?;
    let arrival = Instant::now();
    let (table, detail) = head.receive(request, &caller.turns).await?;
    let mut steps = vec![("receive", arrival.elapsed())];
    service.metrics().steps(&steps);
    let reader =
        sets::reader_for(service, reader, &caller.turns, table.fields.set.as_ref()).await?;
    reader.sets().check(table.fields.set.as_ref()).map_err(|error| Problem::from(&error))?;
    let plan = table.plan(service.book())?;
    let read = read_table(service, &reader, permit, plan).await?;
    steps.extend_from_slice(&read.steps);
    let timing = server_timing(&steps);
    let ReadTable { table, rulesets, worker, .. } = read;
    let id = caller.request_id();
    let lang = caller.lang;
    let written = worker.run(move || {
        let manifest = reader.model().manifest();
        let mut answer = AnswerDto::from_table(&table, rulesets.as_deref(), manifest, &steps, lang);
        answer.request_id = Some(id);
        WrittenJson::new(&match detail {
            Detail::Full => PhotoAnswer::Full(answer),
            Detail::Compact => PhotoAnswer::Compact(answer.into()),
        })
    });
    let (body, _worker) = written.await?;
    Ok(([(SERVER_TIMING, timing)], body).into_response())
}

/// Returns the same durations as in the body, in the order of the steps, as the value of
/// `Server-Timing`.
fn server_timing(steps: &[(&'static str, Duration)]) -> HeaderValue {
    let entries: Vec<_> =
        milliseconds(steps).map(|(step, took)| format!("{step};dur={took:.1}")).collect();
    HeaderValue::try_from(entries.join(", ")).expect("steps are named by plain words")
}
