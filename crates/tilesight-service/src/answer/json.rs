//! JSON that was written on a worker: the threads that answer only send it.

use axum::body::Bytes;
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::Serialize;

/// Body of an answer in JSON.
#[derive(Debug, Clone)]
pub(crate) struct WrittenJson(Bytes);

impl WrittenJson {
    pub(crate) fn new(answer: &impl Serialize) -> WrittenJson {
        WrittenJson(serde_json::to_vec(answer).expect("its keys are texts").into())
    }
}

impl IntoResponse for WrittenJson {
    fn into_response(self) -> Response {
        let json = [(CONTENT_TYPE, HeaderValue::from_static("application/json"))];
        (json, self.0).into_response()
    }
}
