//! `GET /v1/rulesets`: the rule sets, their options and fans, in the requested language; and one
//! rule set by its id.
//!
//! The list never changes while the program runs, so it is written only once per language. A client
//! that already has an answer gets `304` by its `ETag`.

use std::sync::{Arc, OnceLock};

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header::{
    ACCEPT_LANGUAGE, CACHE_CONTROL, CONTENT_LANGUAGE, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use sha2::{Digest, Sha256};
use tilesight_core::contract::{Problem, ProblemKind, RulesetDto, RulesetsDto};
use tilesight_core::explain::Lang;
use tilesight_core::hex;
use tilesight_core::rules::{Book, RulesetId};

use crate::Service;
use crate::answer::failure::Failure;
use crate::answer::fault::ServiceFault;
use crate::answer::language::Language;
use crate::input::query::NameInPath;
use crate::openapi::RulesetRefusals;

/// Answer that never changes.
#[derive(Debug)]
struct CachedAnswer {
    json: Bytes,
    etag: HeaderValue,
}

/// Lists of the rule sets in each language, written on the first request for any.
#[derive(Debug)]
pub(crate) struct RulesetLists {
    book: Arc<Book>,
    /// Answers in the order of [`Lang::ALL`].
    answers: OnceLock<[CachedAnswer; Lang::COUNT]>,
}

impl RulesetLists {
    pub(crate) fn new(book: Arc<Book>) -> RulesetLists {
        RulesetLists { book, answers: OnceLock::new() }
    }

    fn get(&self, lang: Lang) -> &CachedAnswer {
        let answers = self.answers.get_or_init(|| {
            Lang::ALL.map(|lang| CachedAnswer::new(&RulesetsDto::new(&self.book, lang)))
        });
        &answers[lang as usize]
    }
}

impl CachedAnswer {
    fn new(answer: &impl Serialize) -> CachedAnswer {
        let json = serde_json::to_vec(answer).expect("no map keys");
        let digest = Sha256::digest(&json);
        let hex = hex::encode(&digest[..8]);
        let etag = HeaderValue::try_from(format!("\"{hex}\"")).expect("hex is a header value");
        CachedAnswer { json: json.into(), etag }
    }
}

/// Returns all rule sets, with names and explanations of their options and fans.
#[utoipa::path(get, path = "/v1/rulesets", tag = "rules", operation_id = "list_rulesets",
    params(Language), responses(
        (status = 200, body = RulesetsDto, description = "Every rule set.",
            headers(("ETag" = String, description = "For If-None-Match."), ("Content-Language" = String, description = "The language of the texts."))),
        (status = 304, description = "The client has the answer already.")))]
pub(crate) async fn list(
    Extension(lists): Extension<Arc<RulesetLists>>,
    Language(lang): Language,
    headers: HeaderMap,
) -> Response {
    lists.get(lang).answer(lang, &headers)
}

/// Returns one rule set, with names and explanations of its options and fans.
#[utoipa::path(get, path = "/v1/rulesets/{id}", tag = "rules", operation_id = "get_ruleset",
    params(("id" = RulesetId, Path, description = "The rule set."), Language), responses(
        (status = 200, body = RulesetDto, description = "The rule set.",
            headers(("ETag" = String, description = "For If-None-Match."), ("Content-Language" = String, description = "The language of the texts."))),
        (status = 304, description = "The client has the answer already."),
        RulesetRefusals))]
pub(crate) async fn one(
    State(service): State<Service>,
    NameInPath(id): NameInPath,
    Language(lang): Language,
    headers: HeaderMap,
) -> Result<Response, Failure> {
    let found = service.book().profiles().find(|profile| profile.id().as_str() == id);
    let profile = found.ok_or_else(|| {
        let known = service.book().ids().map(|id| id.to_string()).collect::<Vec<_>>().join(", ");
        Problem::from_message(ProblemKind::NotFound, &ServiceFault::NoRuleset { known })
    })?;
    Ok(CachedAnswer::new(&RulesetDto::new(profile, lang)).answer(lang, &headers))
}

impl CachedAnswer {
    /// Returns the answer, or `304` if the client has it already.
    fn answer(&self, lang: Lang, headers: &HeaderMap) -> Response {
        let headers_of = [
            (CONTENT_LANGUAGE, HeaderValue::from_static(lang.code())),
            (ETAG, self.etag.clone()),
            (VARY, HeaderValue::from(ACCEPT_LANGUAGE)),
            (CACHE_CONTROL, HeaderValue::from_static("private, max-age=3600")),
        ];
        if has(headers, &self.etag) {
            return (StatusCode::NOT_MODIFIED, headers_of).into_response();
        }
        let json = [(CONTENT_TYPE, HeaderValue::from_static("application/json"))];
        (headers_of, json, Body::from(self.json.clone())).into_response()
    }
}

/// Returns whether the client has the answer with this tag (RFC 9110, 13.1.2).
fn has(headers: &HeaderMap, etag: &HeaderValue) -> bool {
    let etag = etag.to_str().unwrap_or_default();
    let given = headers.get_all(IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    given
        .flat_map(|value| value.split(','))
        .map(|tag| tag.trim().trim_start_matches("W/"))
        .any(|tag| tag == "*" || tag == etag)
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::extract::Request;
    use axum::http::header::{CONTENT_LANGUAGE, ETAG};

    use crate::testing::{Answer, send, service};

    async fn list(header: &str, value: &str) -> Answer {
        let request = Request::get("/v1/rulesets").header(header, value);
        send(&service(), request.body(Body::empty()).unwrap()).await
    }

    #[tokio::test]
    async fn rule_sets_are_explained_in_the_language_asked_for() {
        let german = list("accept-language", "de-AT, en;q=0.5").await;
        assert_eq!(german.status, 200);
        assert_eq!(german.headers[CONTENT_LANGUAGE], "de");
        let first = &german.json["rulesets"][0];
        assert_eq!((&first["id"], &first["minimum"]), (&"mcr-wmo".into(), &8.into()));
        assert_eq!(first["lines"].as_array().unwrap().len(), 82);
        let fan = &first["lines"][0];
        assert_eq!(
            (&fan["code"], &fan["name"]),
            (&"big_four_winds".into(), &"Vier große Winde".into())
        );
        assert_eq!(fan["names"]["en"], "Big Four Winds");
        let english = list("accept-language", "fr").await;
        assert_eq!(english.headers[CONTENT_LANGUAGE], "en");
        assert_ne!(english.headers[ETAG], german.headers[ETAG]);
    }

    #[tokio::test]
    async fn one_rule_set_has_an_address_of_its_own() {
        let get = async |path: &str| {
            let request = Request::get(path).header("accept-language", "de");
            send(&service(), request.body(Body::empty()).unwrap()).await
        };
        let all = get("/v1/rulesets").await;
        for ruleset in all.json["rulesets"].as_array().unwrap() {
            let id = ruleset["id"].as_str().unwrap();
            let one = get(&format!("/v1/rulesets/{id}")).await;
            assert_eq!(one.status, 200);
            assert_eq!(&one.json, ruleset);
            assert_eq!(one.headers[CONTENT_LANGUAGE], "de");
        }
        for unknown in ["mcr", "MCR-WMO", "%2e%2e"] {
            get(&format!("/v1/rulesets/{unknown}")).await.is_problem(404, "not-found");
        }
    }

    #[tokio::test]
    async fn a_client_that_has_the_list_gets_304() {
        let etag = list("accept", "*/*").await.headers[ETAG].to_str().unwrap().to_owned();
        for known in [etag.clone(), format!("\"x\", W/{etag}"), "*".to_owned()] {
            let answer = list("if-none-match", &known).await;
            assert_eq!(answer.status, 304, "{known}");
            assert_eq!(answer.headers[ETAG].to_str().unwrap(), etag);
        }
        assert_eq!(list("if-none-match", "\"x\"").await.status, 200);
    }
}
