//! `GET /livez` and `GET /readyz`, for whoever watches the process.
//!
//! Alive: the process answers. Ready: the models are loaded and warmed, and the process was not
//! told to stop. Neither touches a photo, a queue or a lock.

use axum::Json;
use axum::extract::State;
use serde_json::{Value, json};

use super::Service;
use super::failure::Failure;

/// Always 200.
pub(super) async fn livez() -> Json<Value> {
    Json(json!({ "status": "alive" }))
}

/// 200 once photos can be read, 503 before.
pub(super) async fn readyz(State(service): State<Service>) -> Result<Json<Value>, Failure> {
    if service.stopping() {
        return Err(Failure::Stopping);
    }
    service.reader()?;
    Ok(Json(json!({ "status": "ready" })))
}
