//! `POST /v1/preview`: a photo as an upright JPEG, for browsers that can't show the file itself.
//!
//! Few browsers show HEIC. The page sends such a file here first and then uses the answer like any
//! other photo. The photo is not read and not stored. A preview takes a place, its pixels and a
//! worker, like a photo to be read.

use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::HeaderValue;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use tilesight_stills::jpeg_preview;
use tilesight_vision::{DecodeLimits, ReadError};

use crate::Service;
use crate::answer::failure::Failure;
use crate::answer::language::Language;
use crate::guard::admission::UploadPermit;
use crate::input::body::Form;
use crate::input::upload::Photo;
use crate::openapi::{BodyRefusals, Unavailable};

/// Turns a photo upright and shrinks it to 2000 pixels, as a JPEG without metadata.
///
/// For apps that can't show a HEIC or AVIF themselves. The photo is not read and not stored.
#[utoipa::path(post, path = "/v1/preview", tag = "hands", operation_id = "preview_photo",
    params(Language),
    request_body(description = "A JPEG, PNG, WebP, HEIC or AVIF.", content(
        (Photo = "image/jpeg"), (Photo = "image/png"), (Photo = "image/webp"), (Photo = "image/heic"),
        (Photo = "image/heif"), (Photo = "image/avif"), (Photo = "application/octet-stream"))),
    responses((status = 200, body = Photo, content_type = "image/jpeg", description = "The photo as a JPEG."),
        BodyRefusals, Unavailable))]
pub(crate) async fn preview(
    State(service): State<Service>,
    request: Request,
) -> Result<Response, Failure> {
    service.in_time(answer(&service, request)).await
}

async fn answer(service: &Service, request: Request) -> Result<Response, Failure> {
    let limits = service.limits();
    let (reader, permit, request) = service.admit(request, 1, limits)?;
    if Form::from_headers(request.headers())? != Form::Raw {
        return Err(Failure::UnsupportedBody { expected: "image/* or application/octet-stream" });
    }
    let Photo(photo) = Photo::receive(request, limits).await?;
    let jpeg = draw_preview(permit, photo, *reader.limits()).await?;
    Ok(([(CONTENT_TYPE, HeaderValue::from_static("image/jpeg"))], jpeg).into_response())
}

/// Runs [`jpeg_preview`] once it is this client's turn, and a worker and enough pixels are free.
pub(crate) async fn draw_preview(
    permit: UploadPermit,
    photo: Bytes,
    limits: DecodeLimits,
) -> Result<Vec<u8>, Failure> {
    let worker = permit.worker(&photo).await?;
    let (jpeg, _) = worker.run(move || jpeg_preview(&photo, &limits)).await?;
    jpeg.map_err(|error| ReadError::Decode(error).into())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::body::Body;
    use axum::http::header::HOST;
    use image::ImageFormat;
    use tilesight_vision::Reader;
    use tilesight_vision::networks::fake::PaintedModel;

    use super::*;
    use crate::Limits;
    use crate::testing::{limits, send};

    const HEIC: &[u8] = include_bytes!("../../../../tests/data/stills/turned.heic");

    fn service(limits: Limits) -> Service {
        let service = Service::builder(limits).build();
        service.ready(Arc::new(Reader::with_model(PaintedModel::default())));
        service
    }

    fn request(kind: &str, body: impl Into<Body>) -> Request {
        let request = Request::post("/v1/preview").header(HOST, "localhost");
        let request = request.header(CONTENT_TYPE, kind);
        request.body(body.into()).expect("a request")
    }

    #[tokio::test]
    async fn a_heic_becomes_an_upright_jpeg_without_metadata() {
        use tower::ServiceExt as _;
        let app = crate::app(service(limits()));
        let response = app.oneshot(request("image/heic", HEIC)).await.expect("it answers");
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()[CONTENT_TYPE], "image/jpeg");
        let bytes = axum::body::to_bytes(response.into_body(), 1 << 20).await.expect("a body");
        let jpeg = image::load_from_memory_with_format(&bytes, ImageFormat::Jpeg).expect("a JPEG");
        assert_eq!((jpeg.width(), jpeg.height()), (96, 128));
        assert!(!bytes.windows(4).any(|part| part == b"Exif" || part == b"GPS "));
    }

    #[tokio::test]
    async fn a_body_that_is_not_a_photo_is_refused() {
        let service = service(limits());
        let half = &HEIC[..HEIC.len() / 2];
        send(&service, request("image/heic", half)).await.is_problem(400, "unreadable-image");
        send(&service, request("image/gif", "GIF89a")).await.is_problem(415, "unsupported-media");
        for kind in ["application/json", "multipart/form-data", "text/plain"] {
            let refused = send(&service, request(kind, "{}")).await;
            refused.is_problem(415, "unsupported-media");
            let detail = refused.json["detail"].as_str().expect("a text");
            assert!(detail.ends_with("expected image/* or application/octet-stream"), "{detail}");
        }
        let large = vec![0; limits().body_bytes + 1];
        send(&service, request("image/heic", large)).await.is_problem(413, "too-large");
        assert_eq!(service.admission().free(), service.admission().total(), "all is given back");
    }
}
