//! Helpers that the tests of the endpoints share: a service with a made-up model, requests,
//! answers.

use std::io::Cursor;
use std::sync::LazyLock;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::{CONTENT_TYPE, HOST};
use axum::http::{Extensions, HeaderMap, HeaderValue, StatusCode};
use image::ImageFormat;
use serde_json::Value;
use tilesight_vision::geometry::Quad;
use tilesight_vision::networks::fake::{PaintedModel, PaintedTile, paint};
use tilesight_vision::sets::{LabelledPhoto, LabelledTile, OwnSet, learn};
use tilesight_vision::{DecodeLimits, Photo, Reader};
use tower::ServiceExt as _;

use crate::Limits;
use crate::Service;
use crate::app;
use crate::guard::client::Client;

/// Document of the API, which takes longer to make than a test.
pub(crate) static DOCUMENT: LazyLock<Value> = LazyLock::new(crate::document);

/// Answer whose body is parsed as JSON.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) json: Value,
}

impl Answer {
    /// Asserts that the answer is a problem of this status and kind, in the form of the RFC.
    #[track_caller]
    pub(crate) fn is_problem(&self, status: u16, kind: &str) {
        assert_eq!(self.status, status, "{self:?}");
        assert_eq!(self.headers[CONTENT_TYPE], "application/problem+json", "{self:?}");
        assert_eq!(self.json["type"], format!("urn:tilesight:problem:{kind}"), "{self:?}");
        assert_eq!(self.json["status"], status, "{self:?}");
        assert!(self.json["title"].is_string() && self.json["detail"].is_string(), "{self:?}");
        let id = self.headers["x-request-id"].to_str().expect("plain ASCII");
        assert_eq!(self.json["request_id"], id, "{self:?}");
    }
}

/// Returns a service without a reader, with limits that tests reach quickly.
pub(crate) fn service() -> Service {
    Service::builder(limits()).build()
}

/// Returns limits with two workers, two places to wait, and bodies of 100,000 bytes.
pub(crate) fn limits() -> Limits {
    Limits { body_bytes: 100_000, workers: 2, waiting: 2, ..Limits::default() }
}

/// Returns a set that was learned from the tiles of a painted photo.
pub(crate) fn learn_set(name: &str, photo: &[u8]) -> OwnSet {
    let model = PaintedModel::default();
    let photo = Photo::decode(photo, &DecodeLimits::default()).expect("a photo");
    let seen = Reader::with_model(model.clone()).see_tiles(&photo).expect("tiles");
    let tiles = seen.into_iter().filter_map(|tile| {
        let label = tile.faces.best()?.into();
        Some(LabelledTile { quad: tile.quad, label })
    });
    let lessons = [LabelledPhoto { photo: &photo, tiles: tiles.collect() }];
    learn(name.parse().expect("a name"), &lessons, &model).expect("a set")
}

/// Returns a photo of a row of tiles, `-` for a gap, as PNG.
pub(crate) fn photo(row: &str) -> Vec<u8> {
    let places = row.split_whitespace().enumerate();
    let tiles = places.filter(|&(_, code)| code != "-").map(|(place, code)| PaintedTile {
        quad: Quad::rectangle(20.0 + 36.0 * place as f32, 200.0, 36.0, 48.0),
        face: code.parse().expect("a face"),
    });
    let mut png = Cursor::new(Vec::new());
    let image = paint(640, 480, &tiles.collect::<Vec<_>>());
    image.write_to(&mut png, ImageFormat::Png).expect("PNG holds RGB");
    png.into_inner()
}

/// Returns the client of a request without a connection.
pub(crate) fn nobody() -> Client {
    Client::from_extensions(&Extensions::new())
}

/// Sends one request through the whole service; its `Host` is `localhost` unless it has one.
pub(crate) async fn send(service: &Service, mut request: Request) -> Answer {
    request.headers_mut().entry(HOST).or_insert(HeaderValue::from_static("localhost"));
    let response = app(service.clone()).oneshot(request).await.expect("the service is infallible");
    let (parts, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await.expect("a body in memory");
    let json = serde_json::from_slice(&body).unwrap_or(Value::Null);
    Answer { status: parts.status, headers: parts.headers, json }
}

pub(crate) async fn post_json(service: &Service, path: &str, json: &str) -> Answer {
    let request = Request::post(path).header(CONTENT_TYPE, "application/json");
    send(service, request.body(Body::from(json.to_owned())).expect("a request")).await
}
