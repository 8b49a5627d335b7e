//! The whole service without a socket and without networks: a model reads painted tiles.

#![allow(dead_code, reason = "each target uses some of it")]

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, Response};
use tempfile::TempDir;
use tilesight_service::{JobLimits, Limits};
use tilesight_jobs::evenings::EveningStore;
use tilesight_service::{Games, Jobs, Service, app};
use tilesight_jobs::EmbeddedStore;
use tilesight_vision::Reader;
use tilesight_vision::networks::fake::PaintedModel;
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt as _;

/// A service with its runtime and folder.
pub struct House {
    pub runtime: Runtime,
    pub app: Router,
    _folder: TempDir,
}

impl House {
    /// Creates a service that accepts jobs and games; their photos are never read.
    pub fn new() -> House {
        let folder = tempfile::tempdir().expect("a folder");
        let backend = Arc::new(EmbeddedStore::open(folder.path()).expect("a store")).backend();
        let games = Games::new(EveningStore::new(backend.store.clone()));
        let limits = JobLimits { photos: 20, bytes: 1 << 20, ..JobLimits::default() };
        let jobs = Jobs::new(backend, limits, folder.path());
        let service = Service::builder(Limits { body_bytes: 1 << 20, ..Limits::default() })
            .jobs(Arc::new(jobs))
            .games(Arc::new(games))
            .build();
        service.ready(Arc::new(Reader::with_model(PaintedModel::default())));
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        House { runtime, app: app(service), _folder: folder }
    }

    /// Returns the answer to a request, and its body.
    pub fn send(&self, request: Request<Body>) -> (Response<()>, Vec<u8>) {
        self.runtime.block_on(async {
            let answer = self.app.clone().oneshot(request).await.expect("infallible");
            let (head, body) = answer.into_parts();
            let body = to_bytes(body, 1 << 24).await.expect("a short answer");
            (Response::from_parts(head, ()), body.to_vec())
        })
    }
}
