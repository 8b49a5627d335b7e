//! Page: the files that Vite built from `web/`, embedded and served unchanged.
//!
//! Output: `/`, the files under `/assets/`, the manifest, icons and the service worker, each with
//! its type, an `ETag` and the smallest encoding that the client accepts (`web/` has `.br` and
//! `.gz` beside each text; modules and networks exist only as `.gz`, a third of their size); and
//! `/page.json`, which says where the operator wants photos to be read. Invariants: only embedded
//! files are served, looked up by name, so that no path of a request becomes a path on disk; files
//! with a hash in their name are cached and never expire, all others are revalidated; the page may
//! load nothing from elsewhere and run no inline script.

use std::borrow::Cow;

use axum::Json;
use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, IF_NONE_MATCH,
    REFERRER_POLICY, VARY,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rust_embed::{EmbeddedFile, RustEmbed};
use serde::Serialize;
use tilesight_core::hex;

use crate::PageReads;
use crate::Service;
use crate::answer::failure::Failure;
use crate::answer::headers::takes;
use crate::input::query::NameInPath;

/// Files that `make web` built. A debug build embeds them too, so that the tests see what is
/// shipped.
#[derive(RustEmbed)]
#[folder = "../../web/dist/"]
struct Dist;

/// Content security policy of the page: only our own files, no inline script or style, our own
/// WebAssembly, no embedding in another site's frame. The page shows photos from its own `blob:`
/// addresses, and draws the picture for sharing from them.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' blob:; \
    connect-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; \
    frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types tilesight";

/// Permissions that the page needs on the device: only the camera.
const PERMISSIONS: &str = "camera=(self), geolocation=(), microphone=(), payment=(), usb=()";

/// Caching of files with a hash in their name, which never change.
const IMMUTABLE: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
/// Caching of all other files: a client revalidates them by their `ETag`.
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");

/// Returns the page's routes: one for each file at the root, and one for all assets, so that the
/// metrics, which count by route, stay short.
pub(crate) fn routes() -> Router<Service> {
    let at_root = Dist::iter().filter(|name| !name.contains('/') && encoding_of(name).is_none());
    let files = at_root.fold(Router::new(), |router, name| {
        let path = format!("/{name}");
        router.route(&path, get(async move |headers: HeaderMap| serve(&name, &headers)))
    });
    files
        .route("/", get(async |headers: HeaderMap| serve("index.html", &headers)))
        .route("/assets/{*name}", get(asset))
        .route("/page.json", get(settings))
}

/// Settings of the page by the operator.
#[derive(Serialize)]
struct PageSettings {
    reads: PageReads,
}

async fn settings(State(service): State<Service>) -> impl IntoResponse {
    let reads = service.page_reads();
    ([(CACHE_CONTROL, HeaderValue::from_static("no-store"))], Json(PageSettings { reads }))
}

/// Serves an asset. Only embedded names are found, whatever the path is; a compressed version is
/// not a file of its own.
async fn asset(NameInPath(name): NameInPath, headers: HeaderMap) -> Result<Response, Failure> {
    if encoding_of(&name).is_some() {
        return Err(Failure::NoSuchPath);
    }
    serve(&format!("{ASSETS}{name}"), &headers)
}

/// Encodings of the files in `web/`, the smallest first, with the suffix of their files.
const ENCODINGS: [(&str, &str); 2] = [("br", ".br"), ("gzip", ".gz")];

/// Returns the encoding of a file that is the compressed version of another.
fn encoding_of(name: &str) -> Option<&'static str> {
    ENCODINGS.iter().find(|(_, ending)| name.ends_with(ending)).map(|(encoding, _)| *encoding)
}

fn serve(name: &str, headers: &HeaderMap) -> Result<Response, Failure> {
    let (file, encoding) = smallest(name, headers).ok_or(Failure::NoSuchPath)?;
    let tag = tag(&file, encoding);
    let known = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let unchanged = known.flat_map(|value| value.split(',')).any(|value| {
        let value = value.trim();
        value == "*" || value.strip_prefix("W/").unwrap_or(value) == tag
    });
    let mut response = if unchanged {
        StatusCode::NOT_MODIFIED.into_response()
    } else {
        Response::new(Body::from(bytes_of(file.data)))
    };
    let same_origin = HeaderValue::from_static("same-origin");
    let sent = response.headers_mut();
    sent.insert(CONTENT_TYPE, HeaderValue::from_static(media_type(name)));
    sent.insert(CACHE_CONTROL, if is_hashed(name) { IMMUTABLE } else { ASK_AGAIN });
    sent.insert(VARY, HeaderValue::from_static("accept-encoding"));
    sent.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    sent.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    sent.insert("permissions-policy", HeaderValue::from_static(PERMISSIONS));
    sent.insert("cross-origin-opener-policy", same_origin.clone());
    sent.insert("cross-origin-resource-policy", same_origin);
    if let Ok(tag) = HeaderValue::try_from(tag) {
        sent.insert(ETAG, tag);
    }
    if let Some(encoding) = encoding {
        sent.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    Ok(response)
}

/// Returns the bytes of a file; embedded bytes are not copied for a response.
fn bytes_of(data: Cow<'static, [u8]>) -> Bytes {
    match data {
        Cow::Borrowed(data) => Bytes::from_static(data),
        Cow::Owned(data) => Bytes::from(data),
    }
}

/// Returns the file in the smallest encoding that the client accepts. A file that is embedded only
/// in compressed form is sent compressed to every client, since every browser accepts that.
fn smallest(name: &str, headers: &HeaderMap) -> Option<(EmbeddedFile, Option<&'static str>)> {
    let mut encoded = ENCODINGS.iter().filter(|(encoding, _)| takes(headers, encoding));
    let twin = encoded.find_map(|&(encoding, ending)| {
        Some((Dist::get(&format!("{name}{ending}"))?, Some(encoding)))
    });
    twin.or_else(|| Some((Dist::get(name)?, None)))
        .or_else(|| Some((Dist::get(&format!("{name}.gz"))?, Some("gzip"))))
}

/// Returns the entity tag of the sent bytes: each encoding has its own.
fn tag(file: &EmbeddedFile, encoding: Option<&str>) -> String {
    let hash = file.metadata.sha256_hash();
    let hex = hex::encode(&hash[..12]);
    format!("\"{hex}{}\"", encoding.map_or(String::new(), |encoding| format!("-{encoding}")))
}

/// Folder in which Vite puts the files that it names by their content.
const ASSETS: &str = "assets/";

fn is_hashed(name: &str) -> bool {
    name.starts_with(ASSETS)
}

fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("jpg") => "image/jpeg",
        Some("webmanifest") => "application/manifest+json",
        // License files have no suffix.
        _ if name.contains("/LICENSE-") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;
    use axum::extract::Request;
    use axum::http::HeaderName;
    use axum::http::header::ACCEPT_ENCODING;
    use tower::ServiceExt as _;

    use super::*;
    use crate::Limits;
    use crate::app;

    async fn get_with(path: &str, name: HeaderName, value: &str) -> Response {
        let request = Request::get(path).header("host", "localhost").header(name, value);
        let request = request.body(Body::empty()).unwrap();
        app(Service::builder(Limits::default()).build()).oneshot(request).await.unwrap()
    }

    fn hashed(ending: &str) -> String {
        Dist::iter()
            .find(|name| name.starts_with("assets/") && name.ends_with(ending))
            .map(|name| format!("/{name}"))
            .unwrap()
    }

    #[tokio::test]
    async fn the_page_is_asked_for_again_and_its_files_are_kept() {
        let page = get_with("/", ACCEPT_ENCODING, "identity").await;
        assert_eq!(page.status(), 200);
        assert_eq!(page.headers()[CACHE_CONTROL], ASK_AGAIN);
        assert_eq!(page.headers()[CONTENT_TYPE], "text/html; charset=utf-8");
        let script = get_with(&hashed(".js"), ACCEPT_ENCODING, "identity").await;
        assert_eq!(script.headers()[CACHE_CONTROL], IMMUTABLE);
        let tag = page.headers()[ETAG].to_str().unwrap().to_owned();
        let again = get_with("/", IF_NONE_MATCH, &format!("\"x\", W/{tag}")).await;
        assert_eq!(again.status(), 304);
        assert_eq!(again.headers()[ETAG], tag);
    }

    #[tokio::test]
    async fn the_smallest_encoding_is_sent_that_the_client_takes() {
        let path = hashed(".js");
        for (takes, sent) in [
            ("gzip, deflate, br", Some("br")),
            ("gzip", Some("gzip")),
            ("br;q=0, gzip;q=0.5", Some("gzip")),
            ("identity", None),
        ] {
            let response = get_with(&path, ACCEPT_ENCODING, takes).await;
            let encoding =
                response.headers().get(CONTENT_ENCODING).map(|value| value.to_str().unwrap());
            assert_eq!(encoding, sent, "{takes}");
            assert_eq!(response.headers()[VARY], "accept-encoding");
        }
    }

    /// A script or style in the markup would be blocked, which would first show in the browser.
    #[tokio::test]
    async fn the_markup_has_no_script_or_style_of_its_own() {
        let page = get_with("/", ACCEPT_ENCODING, "identity").await;
        let policy = page.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap().to_owned();
        assert!(!policy.replace("'wasm-unsafe-eval'", "").contains("unsafe"), "{policy}");
        let html = to_bytes(page.into_body(), 100_000).await.unwrap();
        let html = String::from_utf8(html.to_vec()).unwrap();
        for inline in ["<style", " style=", " onload=", "<script>", "http://", "https://"] {
            assert!(!html.contains(inline), "{inline}");
        }
    }

    #[tokio::test]
    async fn the_reader_is_embedded_once_and_sent_compressed() {
        let compressed = Dist::iter().find(|name| name.ends_with("/reader.wasm.gz")).unwrap();
        let path = format!("/{}", compressed.trim_end_matches(".gz"));
        assert!(Dist::get(&path[1..]).is_none());
        for takes in ["gzip, br", "identity"] {
            let response = get_with(&path, ACCEPT_ENCODING, takes).await;
            assert_eq!(response.headers()[CONTENT_ENCODING], "gzip");
            assert_eq!(response.headers()[CONTENT_TYPE], "application/wasm");
            assert_eq!(response.headers()[CACHE_CONTROL], IMMUTABLE);
            let module = to_bytes(response.into_body(), 10_000_000).await.unwrap();
            assert!(module.starts_with(&[0x1f, 0x8b]), "what gzip files begin with");
        }
    }

    #[tokio::test]
    async fn licences_are_shown_as_text() {
        let response = get_with(&hashed("/LICENSE-MIT"), ACCEPT_ENCODING, "identity").await;
        assert_eq!(response.headers()[CONTENT_TYPE], "text/plain; charset=utf-8");
    }

    #[tokio::test]
    async fn the_page_learns_where_the_operator_wants_photos_to_be_read() {
        for (reads, said) in [(PageReads::Device, "device"), (PageReads::Server, "server")] {
            let service = Service::builder(Limits::default()).page_reads(reads).build();
            let request = Request::get("/page.json").header("host", "localhost");
            let request = request.body(Body::empty()).unwrap();
            let response = app(service).oneshot(request).await.unwrap();
            assert_eq!(response.headers()[CACHE_CONTROL], "no-store");
            let body = to_bytes(response.into_body(), 1000).await.unwrap();
            assert_eq!(body, format!(r#"{{"reads":"{said}"}}"#));
        }
    }

    #[tokio::test]
    async fn only_embedded_files_are_served() {
        for path in [
            "/index.html.br",
            "/../Cargo.toml",
            "/assets/",
            "/%2e%2e/Cargo.toml",
            "/assets/..%2findex.html",
            "/assets/%2e%2e%2f%2e%2e%2fCargo.toml",
            &format!("{}.br", hashed(".js")),
        ] {
            let response = get_with(path, ACCEPT_ENCODING, "identity").await;
            assert_eq!(response.status(), 404, "{path}");
            assert_eq!(response.headers()[CONTENT_TYPE], "application/problem+json", "{path}");
        }
    }
}
