//! `GET /docs`: a page that shows the OpenAPI document and sends requests, without any other
//! network access.
//!
//! The page is our own and has three small files: the usual pages come from a CDN, are downloaded
//! by a build script or have megabytes. It may load only its own files and connect only to this
//! service; the Content-Security-Policy enforces that, and a test checks it.

use axum::Router;
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY};
use axum::response::IntoResponse;
use axum::routing::get;
use utoipa_axum::router::OpenApiRouter;

use crate::Service;

const PAGE: &str = include_str!("docs/page.html");
const SCRIPT: &str = include_str!("docs/page.js");
const STYLE: &str = include_str!("docs/page.css");

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    img-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Returns the routes of the page and its files. The page is for people, so it is not part of the
/// document.
pub(crate) fn routes() -> OpenApiRouter<Service> {
    let files = [
        ("/docs", "text/html; charset=utf-8", PAGE),
        ("/docs/page.js", "text/javascript; charset=utf-8", SCRIPT),
        ("/docs/page.css", "text/css; charset=utf-8", STYLE),
    ];
    files
        .into_iter()
        .fold(Router::new(), |router, (path, kind, text)| {
            router.route(path, get(async move || file(kind, text)))
        })
        .into()
}

fn file(kind: &'static str, text: &'static str) -> impl IntoResponse {
    let headers = [
        (CONTENT_TYPE, kind),
        (CONTENT_SECURITY_POLICY, POLICY),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-cache"),
    ];
    (headers.map(|(name, value)| (name, HeaderValue::from_static(value))), text)
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
    use axum::extract::Request;
    use axum::http::header::CONTENT_SECURITY_POLICY;
    use tower::ServiceExt as _;

    use super::*;
    use crate::app;
    use crate::testing::service;

    /// Checks that the page loads nothing from elsewhere, and contains nothing that the policy
    /// would block.
    #[tokio::test]
    async fn the_page_needs_nothing_but_this_service() {
        for (path, text) in [("/docs", PAGE), ("/docs/page.js", SCRIPT), ("/docs/page.css", STYLE)]
        {
            let request =
                Request::get(path).header("host", "localhost").body(Body::empty()).unwrap();
            let response = app(service()).oneshot(request).await.unwrap();
            assert_eq!(response.status(), 200, "{path}");
            assert!(
                response.headers()[CONTENT_SECURITY_POLICY].to_str().unwrap().contains("'none'")
            );
            let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
            assert_eq!(body, text);
            for foreign in
                ["http://", "https://", "//cdn", "eval(", "innerHTML", "style=", "onclick"]
            {
                assert!(!text.contains(foreign), "{path} has {foreign}");
            }
        }
        assert!(!PAGE.contains("<style") && PAGE.matches("<script").count() == 1);
        assert!(
            PAGE.contains(r#"src="/docs/page.js""#) && PAGE.contains(r#"href="/docs/page.css""#)
        );
    }
}
