//! `GET /metrics`: the counters of the service, and its free resources.
//!
//! Input: a request without content. Output: the OpenMetrics text. If the queue does not answer in
//! time, its figures are not updated.

use std::time::Duration;

use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use tokio::time::timeout;

use super::health::{StoreBytes, StoreDisk, disks, stored_bytes};
use crate::guard::usage::KeyUsage;
use crate::state::Service;

/// Maximum time that a scrape waits for the queue, and then for the store, so that it is answered
/// within a second.
const PATIENCE: Duration = Duration::from_millis(400);

const OPENMETRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Returns counters, durations and free resources.
#[utoipa::path(get, path = "/metrics", tag = "operation", operation_id = "metrics",
    responses((status = 200, content_type = "application/openmetrics-text", body = String, description = "OpenMetrics text.")))]
pub(crate) async fn metrics(State(service): State<Service>) -> impl IntoResponse {
    scrape(&service, &[]).await
}

/// Like [`metrics`], with the usage of each key. Only the health's own address shows it: the holder
/// of one key need not know the others.
pub(crate) async fn metrics_with_keys(State(service): State<Service>) -> impl IntoResponse {
    scrape(&service, &service.gate().usage.list()).await
}

async fn scrape(service: &Service, keys: &[KeyUsage]) -> impl IntoResponse + use<> {
    let ready = service.reader().is_ok() && !service.stopping();
    if let Ok(jobs) = service.jobs() {
        // An unreachable queue must not hold back the other figures.
        match timeout(PATIENCE, jobs.backend().queue.backlog()).await {
            Ok(Ok(backlog)) => service.metrics().backlog(backlog),
            Ok(Err(error)) => tracing::warn!(%error, "the queue does not answer"),
            Err(_) => tracing::warn!("the queue did not answer in time"),
        }
        service.metrics().data_limit(jobs.limits().kept);
        match timeout(PATIENCE, jobs.backend().store.usage("")).await {
            Ok(Ok(usage)) => service.metrics().data(usage.all),
            Ok(Err(error)) => tracing::warn!(%error, "the store does not answer"),
            Err(_) => tracing::warn!("the store did not answer in time"),
        }
    }
    for StoreDisk { store, space } in disks(service).await {
        service.metrics().disk(store, space);
    }
    if service.metrics().is_size_due() {
        for StoreBytes { store, bytes } in stored_bytes(service).await {
            service.metrics().set_stored(store, bytes);
        }
    }
    ([(CONTENT_TYPE, OPENMETRICS)], service.metrics().text(ready, service.admission(), keys))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::body::{Body, to_bytes};
    use axum::extract::Request;
    use tilesight_vision::Reader;
    use tilesight_vision::networks::fake::PaintedModel;
    use tower::ServiceExt as _;

    use super::*;
    use crate::app;
    use crate::testing::{limits, nobody, post_json, send, service};

    async fn scrape(service: &Service) -> String {
        let request =
            Request::get("/metrics").header("host", "localhost").body(Body::empty()).unwrap();
        let response = app(service.clone()).oneshot(request).await.unwrap();
        assert_eq!(response.headers()[CONTENT_TYPE], OPENMETRICS);
        String::from_utf8(to_bytes(response.into_body(), usize::MAX).await.unwrap().into()).unwrap()
    }

    #[tokio::test]
    async fn requests_are_counted_by_route_and_status() {
        let service = service();
        post_json(&service, "/v1/score", "{}").await;
        post_json(&service, "/v1/score", r#"{ "hand": "123456789m11pFFF" }"#).await;
        for path in ["/a", "/b", "/v1/score/x?seat=S"] {
            send(&service, Request::get(path).body(Body::empty()).unwrap()).await;
        }
        let text = scrape(&service).await;
        for line in [
            r#"tilesight_requests_total{route="/v1/score",method="POST",status="400"} 1"#,
            r#"tilesight_requests_total{route="/v1/score",method="POST",status="200"} 1"#,
            r#"tilesight_requests_total{route="other",method="GET",status="404"} 3"#,
            r#"tilesight_request_duration_seconds_count{route="/v1/score"} 2"#,
            "tilesight_ready 0",
            "tilesight_photos_in_flight 0",
        ] {
            assert!(text.contains(line), "{line} in {text}");
        }
        assert!(!text.contains("seat"), "nothing that a client sent");
        assert!(text.ends_with("# EOF\n"));
    }

    #[tokio::test]
    async fn the_device_shows_once_the_networks_are_loaded() {
        let service = service();
        let line = "tilesight_device{device=\"cpu\"} 1\n";
        assert!(!scrape(&service).await.contains(line));
        service.ready(Arc::new(Reader::with_model(PaintedModel::default())));
        let text = scrape(&service).await;
        assert!(text.contains(line) && text.contains("tilesight_ready 1\n"), "{text}");
    }

    async fn shows_one_photo(service: &Service, free: usize) {
        let text = scrape(service).await;
        assert!(text.contains("tilesight_photos_in_flight 1\n"), "{text}");
        assert!(text.contains(&format!("tilesight_queue_places_free {free}\n")), "{text}");
    }

    #[tokio::test]
    async fn taken_places_are_shown() {
        let service = service();
        let upload = service.admission().enter(&nobody()).unwrap();
        let places = limits().workers + limits().waiting;
        shows_one_photo(&service, places).await;
        let worker = upload.worker(b"").await.unwrap();
        shows_one_photo(&service, places - 1).await;
        drop(worker);
        assert!(scrape(&service).await.contains("tilesight_photos_in_flight 0\n"));
    }
}
