//! `POST /v1/score`: a typed hand and its circumstances in, the itemised score out.
//!
//! The body is the contract's `{ "hand": ..., "context": ... }`; the answer its `score` with the
//! request's id. Scoring takes microseconds, so it needs no place in the queue of photos.

use axum::Json;
use axum::extract::{Request, State};
use serde::Serialize;

use super::Service;
use super::failure::Failure;
use super::language;
use super::request_id::RequestId;
use super::upload::receive_json;
use crate::contract::{HandDto, ScoreDto, ScoreRequest};
use crate::rules;

/// The answer.
#[derive(Debug, Serialize)]
pub(super) struct Scored {
    request_id: String,
    hand: HandDto,
    score: ScoreDto,
}
