//! `GET /livez` and `GET /readyz`, for monitoring of the process.
//!
//! Alive: the process answers. Ready: the models are loaded and warmed up, the folders for jobs and
//! feedback are still usable, and the process is not stopping. Neither touches a photo, a queue or
//! a lock.

use std::io;
use std::path::Path;

use axum::Json;
use axum::extract::State;
use serde::Serialize;
use tilesight_files::private::{self, DiskSpace};
use tokio::task::spawn_blocking;
use utoipa::ToSchema;

use crate::Service;
use crate::answer::failure::Failure;
use crate::openapi::Unavailable;

/// Health of the process.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Health {
    /// Status: `alive` or `ready`.
    status: &'static str,
}

/// Reports that the process is alive: always 200.
#[utoipa::path(get, path = "/livez", tag = "operation", operation_id = "alive",
    responses((status = 200, body = Health, description = "It does.")))]
pub(crate) async fn livez() -> Json<Health> {
    Json(Health { status: "alive" })
}

/// Reports whether photos can be read and jobs be stored: 200 once the models are loaded; 503
/// before that, while stopping, and while the folder of jobs or of feedback can't be used or its
/// disk has less room than `--min-free`.
#[utoipa::path(get, path = "/readyz", tag = "operation", operation_id = "ready",
    responses((status = 200, body = Health, description = "They can."), Unavailable))]
pub(crate) async fn readyz(State(service): State<Service>) -> Result<Json<Health>, Failure> {
    if service.stopping() {
        return Err(Failure::Stopping);
    }
    service.reader()?;
    check_folders(&service).await?;
    Ok(Json(Health { status: "ready" }))
}

/// Checks the folders that the service writes to. The log has the reason of a failure.
async fn check_folders(service: &Service) -> Result<(), Failure> {
    if let Ok(jobs) = service.jobs() {
        let checked = jobs.backend().store.check().await;
        checked.map_err(|error| Failure::Storage { cause: error.to_string() })?;
        check("the folder for what is being received", move || {
            private::check_folder(jobs.scratch())
        })
        .await?;
    }
    if let Ok(feedback) = service.feedback() {
        check("the folder for feedback", move || feedback.check()).await?;
    }
    // What is stored must fit at least one photo of the largest size.
    let limits = service.limits();
    let needed = limits.min_free.unwrap_or(limits.body_bytes as u64);
    for StoreDisk { store, space } in disks(service).await {
        if space.free < needed {
            let cause = format!("{} bytes are left on the disk for {store}", space.free);
            return Err(Failure::DiskFull { cause });
        }
    }
    Ok(())
}

/// Disk on which a service stores something.
#[derive(Debug, Clone, Copy)]
pub(super) struct StoreDisk {
    /// Name of the store.
    pub(super) store: &'static str,
    pub(super) space: DiskSpace,
}

/// Returns the disks that the service writes to, as far as the system says how full they are.
pub(super) async fn disks(service: &Service) -> Vec<StoreDisk> {
    let jobs = service.jobs().map(|jobs| ("jobs", jobs.scratch().to_owned()));
    let feedback = service.feedback().map(|feedback| ("feedback", feedback.folder().to_owned()));
    let folders: Vec<_> = jobs.into_iter().chain(feedback).collect();
    let found = spawn_blocking(move || {
        let disks = folders.into_iter().filter_map(|(store, folder)| {
            let space = private::disk_space(&folder).ok()??;
            Some(StoreDisk { store, space })
        });
        disks.collect()
    });
    found.await.unwrap_or_default()
}

/// Bytes that a store holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct StoreBytes {
    /// Name of the store.
    pub(super) store: &'static str,
    pub(super) bytes: u64,
}

/// Returns the bytes of the files that the service stores in folders of its own.
pub(super) async fn stored_bytes(service: &Service) -> Vec<StoreBytes> {
    let jobs = service.jobs().ok().and_then(|jobs| Some(("jobs", jobs.folder()?.to_owned())));
    let feedback = service.feedback().map(|feedback| ("feedback", feedback.folder().to_owned()));
    let folders: Vec<_> = jobs.into_iter().chain(feedback).collect();
    let found = spawn_blocking(move || {
        let stores = folders.into_iter();
        stores.map(|(store, folder)| StoreBytes { store, bytes: bytes_of(&folder) }).collect()
    });
    found.await.unwrap_or_default()
}

/// Returns the bytes of the files in a folder and in those below it. Files that vanish meanwhile
/// and links do not count.
fn bytes_of(folder: &Path) -> u64 {
    let Ok(entries) = std::fs::read_dir(folder) else { return 0 };
    let sizes = entries.flatten().map(|entry| match entry.metadata() {
        Ok(found) if found.is_dir() => bytes_of(&entry.path()),
        Ok(found) if found.is_file() => found.len(),
        _ => 0,
    });
    sizes.sum()
}

/// Runs a check of the disk on a thread that may block.
async fn check(
    what: &'static str,
    question: impl FnOnce() -> io::Result<()> + Send + 'static,
) -> Result<(), Failure> {
    spawn_blocking(question)
        .await
        .unwrap_or_else(|error| Err(io::Error::other(error)))
        .map_err(|error| Failure::Storage { cause: format!("{what}: {error}") })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::body::Body;
    use axum::extract::Request;
    use tilesight_vision::Reader;
    use tilesight_vision::networks::fake::PaintedModel;

    use super::*;
    use crate::testing::{Answer, limits, send};
    use crate::{Limits, Store};

    async fn ask_with(min_free: Option<u64>) -> Answer {
        let folder = tempfile::tempdir().expect("a folder");
        let store = Store::open(folder.path(), std::time::Duration::from_secs(60), 10);
        let service = Service::builder(Limits { min_free, ..limits() });
        let service = service.feedback(Arc::new(store.expect("a store"))).build();
        service.ready(Arc::new(Reader::with_model(PaintedModel::default())));
        send(&service, Request::get("/readyz").body(Body::empty()).expect("a request")).await
    }

    #[tokio::test]
    async fn a_service_is_ready_while_its_disk_has_the_room_that_is_set() {
        assert_eq!(ask_with(None).await.status, 200);
        assert_eq!(ask_with(Some(0)).await.status, 200);
        ask_with(Some(u64::MAX)).await.is_problem(503, "unavailable");
    }

    #[test]
    fn files_of_a_folder_count_with_those_below() {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::create_dir(folder.path().join("below")).expect("a folder");
        std::fs::write(folder.path().join("below/three"), "abc").expect("a file");
        std::fs::write(folder.path().join("two"), "ab").expect("a file");
        assert_eq!(bytes_of(folder.path()), 5);
        assert_eq!(bytes_of(&folder.path().join("missing")), 0);
    }
}
