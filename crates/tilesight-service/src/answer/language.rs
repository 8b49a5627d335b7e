//! `Accept-Language`: the program's language that a client prefers, and problems in that language.
//!
//! Input: the headers of a request. Output: a [`Lang`], English if the header is absent, can't be
//! parsed, or names none of the program's languages; problems in that language, with the id of the
//! request. An invalid header is never an error, because the language is a courtesy.

use std::convert::Infallible;

use axum::body::Body;
use axum::extract::{FromRequestParts, Request};
use axum::http::header::{ACCEPT_LANGUAGE, CONTENT_LANGUAGE, VARY};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;
use serde::Serialize;
use tilesight_core::contract::Problem;
use tilesight_core::explain::Lang;
use utoipa::IntoParams;

use crate::answer::failure::EnglishProblem;
use crate::answer::problem::ServiceProblemKind;
use crate::answer::request_id::RequestId;

/// Problem as it is sent to the client.
#[derive(Serialize)]
struct AnsweredProblem<'a> {
    #[serde(flatten)]
    problem: Problem<ServiceProblemKind>,
    request_id: &'a str,
}

/// Translates problems into the language that the client prefers, adds the id of the request, and
/// logs their causes. The code that fails a request has neither its headers nor its id.
pub(crate) async fn answer(id: RequestId, request: Request, next: Next) -> Response {
    let lang = preferred(request.headers());
    let mut response = next.run(request).await;
    let Some(EnglishProblem { problem, cause }) = response.extensions_mut().remove() else {
        return response;
    };
    let request_id = id.as_str();
    if let Some(cause) = cause {
        tracing::error!(id = request_id, cause, "a request failed");
    }
    let headers = response.headers_mut();
    headers.insert(CONTENT_LANGUAGE, HeaderValue::from_static(lang.code()));
    headers.append(VARY, HeaderValue::from(ACCEPT_LANGUAGE));
    let problem = AnsweredProblem { problem: problem.translate(lang), request_id };
    let json = serde_json::to_vec(&problem).expect("no map keys but texts");
    *response.body_mut() = Body::from(json);
    response
}

/// Language of names and explanations.
#[derive(Debug, Clone, Copy, IntoParams)]
#[into_params(parameter_in = Header, names("Accept-Language"))]
pub(crate) struct Language(
    /// Preferred languages with weights: `en`, `de`, `da`, `sv`, `zh`,
    /// `zh-Hant` (also `zh-TW`, `zh-HK`, `zh-MO`) or `ja`. English when absent.
    #[param(required = false, example = "de", value_type = String)]
    pub(crate) Lang,
);

impl<S: Sync> FromRequestParts<S> for Language {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Language, Infallible> {
        Ok(Language(preferred(&parts.headers)))
    }
}

/// Returns the language with the highest weight that the program speaks; among equal weights, the
/// first.
fn preferred(headers: &HeaderMap) -> Lang {
    let values = headers.get_all(ACCEPT_LANGUAGE).iter().filter_map(|value| value.to_str().ok());
    let mut best = (0, Lang::default());
    for (weight, lang) in values.flat_map(|value| value.split(',')).filter_map(range) {
        if weight > best.0 {
            best = (weight, lang);
        }
    }
    best.1
}

/// Parses one language range and its weight in thousandths: `de-AT;q=0.8` is 800 for German.
fn range(text: &str) -> Option<(u32, Lang)> {
    let mut parts = text.split(';').map(str::trim);
    let lang = match parts.next()? {
        "*" => Lang::default(),
        tag => tag.parse().ok()?,
    };
    let weight = parts
        .find_map(|part| part.strip_prefix("q="))
        .map_or(Some(1.0), |q| q.parse::<f32>().ok())?;
    // Weights have at most three decimals (RFC 9110, 12.4.2).
    (0.0..=1.0).contains(&weight).then(|| ((weight * 1000.0).round() as u32, lang))
}

#[cfg(test)]
mod tests {
    use std::io::{self, Write};
    use std::sync::{Arc, Mutex};

    use axum::Router;
    use axum::body::to_bytes;
    use axum::routing::get;
    use serde_json::Value;
    use tower::ServiceExt as _;

    use super::*;
    use crate::answer::failure::Failure;
    use crate::router::app_with;
    use crate::testing::{Answer, limits, send};
    use crate::{Keys, NewKey, Service, app, health};

    async fn score(service: &Service, lang: &str, json: &'static str) -> Answer {
        let request = Request::post("/v1/score").header("content-type", "application/json");
        let request = request.header(ACCEPT_LANGUAGE, lang).body(Body::from(json));
        send(service, request.expect("a request")).await
    }

    #[tokio::test]
    async fn problems_come_in_the_language_asked_for() {
        let service = Service::builder(limits()).build();
        let wrong = r#"{ "hand": "123456789m11pFF2s" }"#;
        let details = [
            ("en", "en", "the tiles do not form a winning hand"),
            ("de-AT, en;q=0.5", "de", "die Ziegel bilden keine Siegerhand"),
            ("da", "da", "brikkerne danner ikke en vinderhånd"),
            ("sv", "sv", "brickorna bildar ingen vinsthand"),
            ("zh-CN", "zh", "这些牌没有和"),
            ("zh-HK", "zh-Hant", "這些牌沒有胡"),
            ("ja-JP", "ja", "この牌は和了形になっていません"),
            ("fr", "en", "the tiles do not form a winning hand"),
        ];
        for (lang, said, detail) in details {
            let answer = score(&service, lang, wrong).await;
            answer.is_problem(422, "not-a-win");
            assert_eq!(answer.json["detail"], detail, "{lang}");
            assert_eq!(answer.headers[CONTENT_LANGUAGE], said, "{lang}");
            assert_eq!(answer.headers[VARY], "accept-language", "{lang}");
        }
        let answer = score(&service, "de", r#"{ "hand": "123x" }"#).await;
        answer.is_problem(422, "unreadable-notation");
        assert_eq!(answer.json["title"], "Der Text der Hand ist nicht lesbar");
        let error = &answer.json["errors"][0];
        assert_eq!((&error["field"], &error["character"]), (&"hand".into(), &4.into()));
        let detail = error["detail"].as_str().expect("a text");
        assert!(detail.starts_with("Zeichen 4: gefunden `x`, erwartet"), "{detail}");
        let service = service_with_keys();
        let answer = score(&service, "sv", "{}").await;
        answer.is_problem(401, "unauthorized");
        assert_eq!(answer.json["title"], "Nyckel krävs", "also what a layer refuses");
        assert!(answer.headers.contains_key("www-authenticate"));
    }

    #[tokio::test]
    async fn faults_of_heads_and_paths_are_said_in_the_language_too() {
        let service = Service::builder(limits()).build();
        for (path, header, value, status, words) in [
            (
                "/v1/rulesets/riichi",
                "x",
                "y",
                404,
                "es gibt kein Regelwerk mit dieser Id; es gibt mcr-wmo",
            ),
            ("/v1/rulesets/%ff", "x", "y", 404, "gibt es nichts"),
            ("/v1/shared-games/%ff", "x", "y", 404, "gibt es nichts"),
            ("/v1/rulesets", "host", "a@b", 400, "erwartet wird ein Hostname oder eine Adresse"),
        ] {
            let request = Request::get(path).header(ACCEPT_LANGUAGE, "de").header(header, value);
            let answer = send(&service, request.body(Body::empty()).expect("a request")).await;
            let detail = answer.json["detail"].as_str().unwrap_or_default();
            assert_eq!(answer.status, status, "{path}: {answer:?}");
            assert!(detail.contains(words), "{path}: {answer:?}");
        }
        let unknown = r#"{ "hand": "123456789m11pFFF", "context": { "ruleset": "riichi" } }"#;
        let answer = score(&service, "sv", unknown).await;
        answer.is_problem(400, "malformed-request");
        let detail = answer.json["errors"][0]["detail"].as_str().expect("a text");
        assert!(detail.starts_with("`riichi` är ingen regeluppsättning"), "{detail}");
    }

    /// Handler of a route that fails.
    async fn broken() -> Result<(), Failure> {
        Err(Failure::Internal { cause: "the disk is gone".to_owned() })
    }

    #[tokio::test]
    async fn problems_have_the_id_of_their_request_at_both_addresses() {
        let service = service_with_keys();
        let more = Router::new()
            .route("/broken", get(broken))
            .route("/panic", get(async || -> () { panic!("a bug") }));
        for (router, path, status) in [
            (app_with(service.clone(), more.clone()), "/broken", 500),
            (app_with(service.clone(), more), "/panic", 500),
            (app(service.clone()), "/v1/jobs", 401),
            (app(service.clone()), "/nowhere", 404),
            (health(service.clone()), "/readyz", 503),
            (health(service.clone()), "/nowhere", 404),
        ] {
            for lang in ["en", "de"] {
                let id = format!("mine-{lang}");
                let request = Request::get(path).header("host", "localhost");
                let request = request.header("x-request-id", &id).header(ACCEPT_LANGUAGE, lang);
                let request = request.body(Body::empty()).expect("a request");
                let answer = router.clone().oneshot(request).await.expect("an answer");
                assert_eq!(answer.status(), status, "{path}");
                assert_eq!(answer.headers()["x-request-id"], id, "{path}");
                assert_eq!(answer.headers()[CONTENT_LANGUAGE], lang, "{path}");
                let body = to_bytes(answer.into_body(), 10_000).await.expect("a body");
                let problem: Value = serde_json::from_slice(&body).expect("JSON");
                assert_eq!(problem["request_id"], id, "{path}: {problem}");
                assert!(!problem.to_string().contains("disk"), "{problem}");
            }
        }
    }

    /// Lines of a log.
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl Write for Log {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no panic").write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[tokio::test]
    async fn a_cause_is_in_the_log_once_under_the_id_of_its_request() {
        let (log, service) = (Log::default(), Service::builder(limits()).build());
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt().with_ansi(false);
        let subscriber = subscriber.with_writer(move || writer.clone()).finish();
        let _guard = tracing::subscriber::set_default(subscriber);
        let app = app_with(service, Router::new().route("/broken", get(broken)));
        let request = Request::get("/broken").header("host", "localhost");
        let request = request.header("x-request-id", "mine").body(Body::empty());
        let answer = app.oneshot(request.expect("a request")).await.expect("an answer");
        assert_eq!(answer.status(), 500);
        let log = String::from_utf8(log.0.lock().expect("no panic").clone()).expect("text");
        let causes: Vec<_> = log.lines().filter(|line| line.contains("the disk is gone")).collect();
        assert_eq!(causes.len(), 1, "{log}");
        assert!(causes[0].contains("id=\"mine\""), "{log}");
    }

    fn service_with_keys() -> Service {
        let key =
            NewKey::generate(&"app".parse().expect("a name"), None, None).expect("random numbers");
        let keys = Keys::read(&key.line, limits().key_rate).expect("a key");
        Service::builder(limits()).keys(keys).build()
    }

    #[test]
    fn the_best_language_that_we_speak() {
        let cases = [
            ("", Lang::En),
            ("de", Lang::De),
            ("de-AT,en;q=0.5", Lang::De),
            ("en;q=0.5, sv;q=0.9", Lang::Sv),
            ("fr, da;q=0.3", Lang::Da),
            ("zh-Hant-TW;q=0.8, *;q=0.1", Lang::ZhHant),
            ("zh-TW,zh;q=0.9,en-US;q=0.8,en;q=0.7", Lang::ZhHant),
            ("zh-HK", Lang::ZhHant),
            ("zh-MO;q=0.5, fr", Lang::ZhHant),
            ("zh-CN,zh;q=0.9,zh-TW;q=0.8", Lang::Zh),
            ("zh-SG", Lang::Zh),
            ("zh-Hans-TW", Lang::Zh),
            ("ja-JP,ja;q=0.9,en;q=0.8", Lang::Ja),
            ("zh-TW;q=0.6, ja;q=0.7", Lang::Ja),
            ("ko-KR,ko;q=0.9", Lang::En),
            ("da, sv", Lang::Da),
            ("de;q=0", Lang::En),
            ("de;q=7, sv;q=0.1", Lang::Sv),
            ("de;q=x", Lang::En),
            (";;;,,,q=1", Lang::En),
        ];
        for (header, expected) in cases {
            let mut headers = HeaderMap::new();
            headers.insert(ACCEPT_LANGUAGE, header.parse().unwrap());
            assert_eq!(preferred(&headers), expected, "{header}");
        }
        assert_eq!(preferred(&HeaderMap::new()), Lang::En);
    }
}
