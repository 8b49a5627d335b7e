//! `GET /` of a build without the page: what this service is, and where its API is described.
//!
//! Output: HTML for a client that accepts it, as browsers do, and plain text for all others.
//! Invariant: the answer needs no key and reveals only what every build of the program has.

use axum::Router;
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, VARY};
use axum::response::IntoResponse;
use axum::routing::get;

use crate::Service;

const HTML: &str = include_str!("root/page.html");
const TEXT: &str = "Tilesight reads a photo of a mahjong hand and scores it.\n\n\
    /docs          the API, to read and to try\n\
    /openapi.json  its OpenAPI document\n\n\
    This build has no page for people. `make serve` builds one that has it.\n";

pub(crate) fn routes() -> Router<Service> {
    Router::new().route("/", get(describe))
}

async fn describe(headers: HeaderMap) -> impl IntoResponse {
    let accepted = headers.get_all(ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let html = accepted.flat_map(|value| value.split(',')).any(|range| {
        range.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("text/html"))
    });
    let (kind, body) =
        if html { ("text/html; charset=utf-8", HTML) } else { ("text/plain; charset=utf-8", TEXT) };
    let headers = [
        (CONTENT_TYPE, kind),
        (CONTENT_SECURITY_POLICY, "default-src 'none'; frame-ancestors 'none'"),
        (CACHE_CONTROL, "no-cache"),
        (VARY, "accept"),
    ];
    (headers, body)
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
    use axum::extract::Request;
    use tower::ServiceExt as _;

    use super::*;
    use crate::testing::service;

    async fn root(accept: Option<&str>) -> (String, String) {
        let request =
            accept.iter().fold(Request::get("/"), |request, &kind| request.header(ACCEPT, kind));
        let request = request.body(Body::empty()).unwrap();
        let response = routes().with_state(service()).oneshot(request).await.unwrap();
        assert_eq!(response.status(), 200);
        let kind = response.headers()[CONTENT_TYPE].to_str().unwrap().to_owned();
        let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        (kind, String::from_utf8(body.to_vec()).unwrap())
    }

    #[tokio::test]
    async fn a_browser_gets_html_with_a_link_to_the_docs() {
        let (kind, body) = root(Some("text/html,application/xhtml+xml;q=0.9,*/*;q=0.8")).await;
        assert_eq!(kind, "text/html; charset=utf-8");
        assert!(body.contains(r#"<a href="/docs">"#), "{body}");
        assert!(body.contains(r#"<a href="/openapi.json">"#), "{body}");
    }

    #[tokio::test]
    async fn other_clients_get_text_that_names_the_docs() {
        for accept in [None, Some("*/*"), Some("application/json")] {
            let (kind, body) = root(accept).await;
            assert_eq!(kind, "text/plain; charset=utf-8", "{accept:?}");
            assert!(body.contains("/docs ") && body.contains("/openapi.json "), "{body}");
        }
    }
}
