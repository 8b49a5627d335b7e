//! `GET /livez` and `GET /readyz`, for monitors of the process.
//!
//! Alive: the process answers. Ready: the models are loaded and warmed up, and the process is not
//! stopping. Neither touches a photo, a queue or a lock.

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use utoipa::ToSchema;

use super::Service;
use super::failure::Failure;
use super::openapi::Unavailable;

/// How the process is.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Health {
    /// `alive` or `ready`.
    status: &'static str,
}

/// Whether the process answers: always 200.
#[utoipa::path(get, path = "/livez", tag = "operation", operation_id = "alive",
    responses((status = 200, body = Health, description = "It does.")))]
pub(super) async fn livez() -> Json<Health> {
    Json(Health { status: "alive" })
}

/// Whether photos can be read: 200 once the models are loaded, 503 before and while stopping.
#[utoipa::path(get, path = "/readyz", tag = "operation", operation_id = "ready",
    responses((status = 200, body = Health, description = "They can."), Unavailable))]
pub(super) async fn readyz(State(service): State<Service>) -> Result<Json<Health>, Failure> {
    if service.stopping() {
        return Err(Failure::Stopping);
    }
    service.reader()?;
    Ok(Json(Health { status: "ready" }))
}
