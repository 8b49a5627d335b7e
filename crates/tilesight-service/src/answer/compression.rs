//! Compression of large answers with gzip, for clients that accept it.
//!
//! Input: the routes whose answers are compressed. Output: the same routes with the layer around
//! them. Invariant: only routes passed to this module are compressed. Excluded are answers with
//! secrets, because the length of a compressed text reveals repetitions, and an attacker who can
//! inject text can guess the secrets from it (BREACH): receipts of feedback; jobs, with the address
//! and the secret of a webhook; games, whose id is all that writing to them requires; and links to
//! games. Event streams must not be buffered, and pictures are compressed already.

use axum::extract::Request;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, ETAG};
use axum::http::{Extensions, HeaderMap, HeaderValue, StatusCode, Version};
use axum::middleware::{Next, from_fn};
use axum::response::Response;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{Predicate as _, SizeAbove};
use utoipa_axum::router::OpenApiRouter;

use crate::answer::headers::takes;

/// Minimum size of a compressed answer, in bytes. A compact answer fits in three packets
/// uncompressed.
const MIN_SIZE: u64 = 4096;
/// Media types that are compressed, whatever other types their route returns.
const KINDS: [&str; 4] =
    ["application/json", "application/problem+json", "application/jsonl", "text/csv"];

/// Returns the routes with compression of their large answers.
///
/// The fastest level reduces the full answer to a photo to a fifth; the default level saves two
/// hundredths more and takes three times as long.
pub(crate) fn compress<S: Clone + Send + Sync + 'static>(
    routes: OpenApiRouter<S>,
) -> OpenApiRouter<S> {
    let large = SizeAbove::new(MIN_SIZE).and(is_text);
    let layer = CompressionLayer::new().quality(CompressionLevel::Fastest).compress_when(large);
    routes.layer(layer).layer(from_fn(negotiate))
}

fn is_text(_: StatusCode, _: Version, headers: &HeaderMap, _: &Extensions) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    KINDS.contains(&kind.split(';').next().unwrap_or_default().trim())
}

/// Negotiates the encoding and corrects the entity tag.
///
/// Removes `Accept-Encoding` unless it includes gzip, so that no client is refused an answer after
/// the work is done. Gives a compressed answer a weak tag, because its bytes differ.
async fn negotiate(mut request: Request, next: Next) -> Response {
    if !takes(request.headers(), "gzip") {
        request.headers_mut().remove(ACCEPT_ENCODING);
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    if headers.contains_key(CONTENT_ENCODING)
        && let Some(tag) = headers.get(ETAG).and_then(|tag| tag.to_str().ok())
        && !tag.starts_with("W/")
        && let Ok(weak) = HeaderValue::try_from(format!("W/{tag}"))
    {
        headers.insert(ETAG, weak);
    }
    response
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::sync::Arc;

    use axum::body::{Body, to_bytes};
    use axum::http::header::{CONTENT_LENGTH, IF_NONE_MATCH, VARY};
    use serde_json::{Value, json};
    use tilesight_jobs::EmbeddedStore;
    use tilesight_jobs::evenings::EveningStore;
    use tilesight_vision::Reader;
    use tilesight_vision::networks::fake::PaintedModel;
    use tower::ServiceExt as _;

    use super::*;
    use crate::routes::games::Games;
    use crate::testing::{photo, post_json, service};
    use crate::{Service, app, testing};

    /// Sends a request with an `Accept-Encoding`, and returns the raw bytes of its answer.
    async fn asked(
        service: &Service,
        mut request: Request,
        encodings: &str,
    ) -> (StatusCode, HeaderMap, Vec<u8>) {
        request.headers_mut().insert("host", HeaderValue::from_static("localhost"));
        request.headers_mut().insert(ACCEPT_ENCODING, encodings.parse().expect("a header"));
        let response = app(service.clone()).oneshot(request).await.expect("it answers");
        let (parts, body) = response.into_parts();
        let body = to_bytes(body, usize::MAX).await.expect("a body");
        (parts.status, parts.headers, body.to_vec())
    }

    fn get(path: &str) -> Request {
        Request::get(path).body(Body::empty()).expect("a request")
    }

    fn unpacked(bytes: &[u8]) -> Vec<u8> {
        let mut plain = Vec::new();
        flate2::read::GzDecoder::new(bytes).read_to_end(&mut plain).expect("gzip");
        plain
    }

    #[tokio::test]
    async fn a_large_answer_is_compressed_for_clients_that_ask() {
        let service = service();
        let (_, headers, plain) = asked(&service, get("/v1/rulesets"), "identity").await;
        assert_eq!(headers[CONTENT_LENGTH], plain.len().to_string());
        for path in ["/v1/rulesets", "/v1/rulesets/mcr-wmo", "/openapi.json"] {
            let (_, _, plain) = asked(&service, get(path), "br").await;
            for encodings in ["gzip", "br, gzip;q=0.5, *;q=0", "GZIP, identity;q=0"] {
                let (status, headers, packed) = asked(&service, get(path), encodings).await;
                assert_eq!(status, 200, "{path}");
                assert_eq!(headers[CONTENT_ENCODING], "gzip", "{path}");
                assert!(packed.len() * 2 < plain.len(), "{path}: {}", packed.len());
                assert!(unpacked(&packed) == plain, "{path}");
            }
        }
        let varies = |headers: &HeaderMap| {
            let vary = headers.get_all(VARY).iter().filter_map(|value| value.to_str().ok());
            vary.map(str::to_ascii_lowercase).collect::<Vec<_>>().join(",")
        };
        for encodings in ["gzip", "identity", "", "gzip;q=0", "br, identity;q=0"] {
            let (status, headers, body) = asked(&service, get("/v1/rulesets"), encodings).await;
            assert_eq!(status, 200, "{encodings}");
            assert!(varies(&headers).contains("accept-encoding"), "{headers:?}");
            assert!(varies(&headers).contains("accept-language"), "{headers:?}");
            let packed = headers.contains_key(CONTENT_ENCODING);
            assert_eq!((packed, body != plain), (encodings == "gzip", packed), "{encodings}");
        }
    }

    #[tokio::test]
    async fn a_compressed_answer_is_known_by_its_weak_tag() {
        let (_, plain, _) = asked(&service(), get("/v1/rulesets"), "identity").await;
        let (_, packed, _) = asked(&service(), get("/v1/rulesets"), "gzip").await;
        let weak = packed[ETAG].to_str().expect("a tag").to_owned();
        assert_eq!(weak, format!("W/{}", plain[ETAG].to_str().expect("a tag")));
        let mut again = get("/v1/rulesets");
        again.headers_mut().insert(IF_NONE_MATCH, weak.parse().expect("a header"));
        assert_eq!(asked(&service(), again, "gzip").await.0, StatusCode::NOT_MODIFIED);
    }

    #[tokio::test]
    async fn a_reading_is_compressed_and_a_compact_one_is_small() {
        let service = service();
        service.ready(Arc::new(Reader::with_model(PaintedModel::default())));
        let row = "2m 3m 4m 5m 6m 7m 2p 3p 4p 6s 7s 8s 5s 5s";
        let read = async |query: &str| {
            let request = Request::post(format!("/v1/hands{query}"));
            let request = request.header(CONTENT_TYPE, "image/png").body(photo(row).into());
            asked(&service, request.expect("a request"), "gzip").await
        };
        let (_, headers, packed) = read("").await;
        assert_eq!(headers[CONTENT_ENCODING], "gzip");
        assert!(headers.contains_key("server-timing"));
        let full: Value = serde_json::from_slice(&unpacked(&packed)).expect("JSON");
        assert!(full["reading"]["tiles"].is_array(), "{full}");
        let (_, headers, plain) = read("?detail=compact").await;
        assert!(!headers.contains_key(CONTENT_ENCODING), "{headers:?}");
        assert!(serde_json::from_slice::<Value>(&plain).is_ok());
    }

    /// The id of a game permits writing to it, so the length of an answer must not reveal it.
    #[tokio::test]
    async fn private_answers_are_not_compressed() {
        let folder = tempfile::tempdir().unwrap();
        let store = EveningStore::new(Arc::new(EmbeddedStore::open(folder.path()).unwrap()));
        let games = Arc::new(Games::new(store));
        let service = Service::builder(testing::limits()).games(games).build();
        let named =
            json!({ "title": "x".repeat(200), "players": ["Anna", "Bo", "Clara", "Dorte"] });
        let game = post_json(&service, "/v1/games", &named.to_string()).await;
        let place = format!("/v1/games/{}", game.json["id"].as_str().expect("an id"));
        for _ in 0..40 {
            let draw = r#"{ "action": { "kind": "add", "play": { "kind": "manual", "reason": "adjustment", "player": 0, "payments": [3, -1, -1, -1] } } }"#;
            let request = Request::post(format!("{place}/changes")).header("if-match", "*");
            let request = request.header(CONTENT_TYPE, "application/json").body(draw.into());
            let (status, headers, body) = asked(&service, request.unwrap(), "gzip").await;
            assert_eq!(status, 201, "{}", String::from_utf8_lossy(&body));
            assert!(!headers.contains_key(CONTENT_ENCODING));
        }
        let (_, headers, body) = asked(&service, get(&place), "gzip").await;
        assert!(body.len() as u64 > MIN_SIZE && !headers.contains_key(CONTENT_ENCODING));
    }
}
