//! `POST /v1/score` takes a typed hand and its win context, and returns the itemized score.
//!
//! The body is the contract's `{ "hand": ..., "context": ... }`, and the query may have fields of
//! the context too; the answer is the contract's `score`, the same as a line of
//! `tilesight score --jsonl`. With `rulesets` the answer is a list of scores side by side. One
//! score is small work, which waits for no photo; scores side by side are as many times as large,
//! and take turns with the photos. A smaller limit on bodies bounds their memory.

use std::sync::Arc;

use axum::extract::Request;
use serde::Serialize;
use tilesight_core::contract::{ScoreDto, ScoresDto, Scoring, SideBySideRequest, TypedScores};
use tilesight_core::explain::Lang;
use tilesight_core::rules::Book;
use utoipa::ToSchema;

use crate::answer::failure::Failure;
use crate::answer::json::WrittenJson;
use crate::answer::language::Language;
use crate::guard::admission::WorkSize;
use crate::input::body::receive_json;
use crate::input::query::parse_scoring_query;
use crate::openapi::{BodyRefusals, ContextInQuery, Unavailable};
use crate::routes::caller::Caller;

/// Maximum number of rule sets whose scores side by side are small work. One score with the totals
/// that an open win context allows takes at most some milliseconds.
const MAX_SMALL_RULESETS: usize = 3;

/// Answer: one score, or a score for each rule set in `rulesets`.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
enum ScoreAnswer {
    One(Box<ScoreDto>),
    SideBySide(ScoresDto),
}

/// Scores a typed hand.
#[utoipa::path(post, path = "/v1/score", tag = "hands", operation_id = "score_hand",
    params(ContextInQuery, Language), request_body(content = SideBySideRequest),
    responses((status = 200, body = inline(ScoreAnswer), description = "The score; a list of scores where `rulesets` were given."),
        BodyRefusals, Unavailable))]
pub(crate) async fn score(caller: Caller, request: Request) -> Result<WrittenJson, Failure> {
    caller.service.in_time(answer(&caller, request)).await
}

async fn answer(caller: &Caller, request: Request) -> Result<WrittenJson, Failure> {
    let Caller { service, turns, .. } = caller;
    let in_query = parse_scoring_query(request.uri())?;
    let body = receive_json(request, service.limits()).await?;
    let book = Arc::clone(service.book());
    let id = caller.request_id();
    let lang = caller.lang;
    let scored = turns.compute(WorkSize::Small, move || {
        let asked = ScoreQuestion { request: read(&body, in_query)?, book, lang, id };
        Ok::<_, Failure>(if asked.is_small() {
            Scored::Now(asked.answer()?)
        } else {
            Scored::Later(asked)
        })
    });
    match scored.await?? {
        Scored::Now(answer) => Ok(answer),
        Scored::Later(asked) => {
            let _place = turns.enter()?;
            turns.compute(WorkSize::Large, move || asked.answer()).await?
        }
    }
}

/// Result of the small work of a request.
#[allow(clippy::large_enum_variant, reason = "it is moved once")]
enum Scored {
    /// The answer.
    Now(WrittenJson),
    /// A question whose answer is large work.
    Later(ScoreQuestion),
}

/// Hand to be scored.
struct ScoreQuestion {
    request: SideBySideRequest,
    book: Arc<Book>,
    lang: Lang,
    /// Id of the request.
    id: String,
}

impl ScoreQuestion {
    fn is_small(&self) -> bool {
        self.request.rulesets.as_ref().is_none_or(|all| all.len() <= MAX_SMALL_RULESETS)
    }

    fn answer(self) -> Result<WrittenJson, Failure> {
        let answer = match self.request.score(&self.book, self.lang)? {
            TypedScores::One(score) => ScoreAnswer::One(score),
            TypedScores::SideBySide(scores) => {
                ScoreAnswer::SideBySide(ScoresDto { request_id: self.id, scores })
            }
        };
        Ok(WrittenJson::new(&answer))
    }
}

/// Reads a request from its body and its query.
fn read(body: &[u8], in_query: Scoring) -> Result<SideBySideRequest, Failure> {
    let SideBySideRequest { hand, context, others, rulesets } = SideBySideRequest::from_json(body)?;
    let Scoring { context, rulesets } = Scoring { context, rulesets }.merge(in_query)?;
    Ok(SideBySideRequest { hand, context, others, rulesets })
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;
    use serde_json::{Value, json};

    use crate::Limits;
    use crate::Service;
    use crate::testing::{Answer, post_json, service};

    async fn score(body: &Value) -> Answer {
        post_json(&service(), "/v1/score", &body.to_string()).await
    }

    /// Returns a hand of all simples, self-drawn; the rules' own tests check the points.
    fn typed() -> Value {
        json!({
            "hand": {
                "concealed": ["2m", "3m", "4m", "5m", "6m", "7m", "2p", "3p", "4p", "6s", "7s", "5s", "5s"],
                "winning_tile": "8s",
            },
            "context": { "seat": "S", "prevalent": "E", "win": "self_drawn" },
        })
    }

    #[tokio::test]
    async fn a_typed_hand_is_scored() {
        let answer = score(&typed()).await;
        assert_eq!(answer.status, StatusCode::OK);
        let codes: Vec<_> =
            answer.json["awards"].as_array().unwrap().iter().map(|award| &award["code"]).collect();
        assert!(
            codes.contains(&&json!("all_simples")) || codes.contains(&&json!("all_chows")),
            "{codes:?}"
        );
        assert_eq!(answer.json["ruleset"], "mcr-wmo");
        assert_eq!(answer.json["assumed"], json!([]));
    }

    #[tokio::test]
    async fn a_hand_in_notation_is_the_same_hand() {
        let mut text = typed();
        text["hand"] = json!("234567m234p6755s8s");
        assert_eq!(score(&text).await.json["total"], score(&typed()).await.json["total"]);
    }

    #[tokio::test]
    async fn names_come_in_the_language_asked_for() {
        let request = |lang| {
            let request = axum::extract::Request::post("/v1/score");
            let request = request.header("content-type", "application/json");
            request.header("accept-language", lang).body(typed().to_string().into()).unwrap()
        };
        let name = async |lang| {
            let answer = crate::testing::send(&service(), request(lang)).await;
            answer.json["awards"][0]["name"].to_string()
        };
        assert_ne!(name("zh").await, name("en").await);
    }

    #[tokio::test]
    async fn an_unscorable_request_names_each_field() {
        let change = |pointer: &str, value: Value| {
            let mut body = typed();
            *body.pointer_mut(pointer).unwrap() = value;
            body
        };
        let with = |field: &str, value: Value| {
            let mut body = typed();
            body["context"][field] = value;
            body
        };
        let cases = [
            (with("sheat", json!("S")), 400, "malformed-request", "context.sheat"),
            (with("seat", json!("Q")), 400, "malformed-request", "context.seat"),
            (change("/hand/winning_tile", json!("9x")), 422, "invalid-hand", "hand.winning_tile"),
            (change("/hand/concealed/0", json!("0z")), 422, "invalid-hand", "hand.concealed[0]"),
            (change("/hand/winning_tile", json!(null)), 422, "invalid-hand", "hand.winning_tile"),
            (
                change("/hand/concealed", json!(vec!["5s"; 13])),
                422,
                "invalid-hand",
                "hand.concealed",
            ),
            (with("from", json!("left")), 422, "invalid-context", "context.from"),
            (with("win", json!("kong_replacement")), 422, "invalid-context", "context.win"),
        ];
        for (body, status, kind, field) in cases {
            let answer = score(&body).await;
            answer.is_problem(status, kind);
            let fields: Vec<_> =
                answer.json["errors"].as_array().unwrap().iter().map(|one| &one["field"]).collect();
            assert!(fields.contains(&&json!(field)), "{field} in {fields:?}");
        }
    }

    #[tokio::test]
    async fn a_whole_table_is_scored_where_the_rules_score_everybody() {
        let body = json!({
            "hand": "[CCC,1][234m][567p]67s99p+8s",
            "context": { "declared": ["dangerous_game"], "from": "across" },
            "others": [{ "seat": "S", "hand": "[FFF,1]11m" }, { "seat": "W", "hand": { "concealed": ["9s", "9s", "9s"] } }],
        });
        let answer = score_at("?ruleset=classical-dmjl", &body).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        assert_eq!(answer.json["payments"], json!({ "E": 288, "S": 0, "W": -288, "N": 0 }));
        assert_eq!(answer.json["unsettled"], json!(["N"]));
        let mut quiet = body.clone();
        quiet["context"] = json!({});
        let answer = score_at("?rulesets=mcr-wmo,classical-dmjl&declared=heaven", &quiet).await;
        let scores = answer.json["scores"].as_array().expect("a list");
        assert_eq!(scores[0]["problem"], Value::Null, "MCR has no line for heaven");
        assert_eq!(scores[1]["problem"]["errors"][0]["field"], "context.declared");
        let mut twice = body;
        twice["others"][1]["seat"] = json!("S");
        let answer = score_at("?ruleset=classical-dmjl", &twice).await;
        answer.is_problem(422, "invalid-hand");
        assert_eq!(answer.json["errors"][0]["field"], "others[1].seat");
    }

    async fn score_at(query: &str, body: &Value) -> Answer {
        post_json(&service(), &format!("/v1/score{query}"), &body.to_string()).await
    }

    #[tokio::test]
    async fn a_flood_of_tiles_is_answered_in_few_words() {
        let mut body = typed();
        body["hand"]["concealed"] = json!(vec!["0z"; 10_000]);
        let answer = score(&body).await;
        answer.is_problem(422, "invalid-hand");
        assert!(answer.json.to_string().len() < 1000, "{answer:?}");
        body["hand"]["concealed"] = json!(vec!["0z"; 100_000]);
        let large = Service::builder(Limits::default()).build();
        let answer = post_json(&large, "/v1/score", &body.to_string()).await;
        answer.is_problem(413, "too-large");
        assert!(answer.json["detail"].as_str().unwrap().contains("65536"), "{answer:?}");
    }

    #[tokio::test]
    async fn the_context_in_the_query_counts_too() {
        let mut body = typed();
        body["context"] = json!({ "seat": "S" });
        let ask = async |query: &str| {
            post_json(&service(), &format!("/v1/score?{query}"), &body.to_string()).await
        };
        let answer = ask("prevalent=E&win=self_drawn&seat=S").await;
        assert_eq!(answer.json, score(&typed()).await.json);
        let refused = ask("seat=W").await;
        refused.is_problem(422, "invalid-context");
        assert_eq!(refused.json["errors"][0]["field"], "context.seat");
        let unknown = ask("lang=de").await;
        unknown.is_problem(400, "malformed-request");
        assert_eq!(unknown.json["errors"][0]["field"], "context.lang");
    }

    #[tokio::test]
    async fn rule_sets_are_scored_side_by_side() {
        let mut body = typed();
        body["rulesets"] = json!(["mcr-mil", "mcr-wmo"]);
        let answer = score(&body).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        assert_eq!(answer.json["request_id"], answer.headers["x-request-id"].to_str().unwrap());
        let scores = answer.json["scores"].as_array().unwrap();
        let named: Vec<_> = scores.iter().map(|one| one["ruleset"].clone()).collect();
        assert_eq!(named, ["mcr-mil", "mcr-wmo"]);
        assert_eq!(scores[1]["score"], score(&typed()).await.json);
        let path = "/v1/score?rulesets=mcr-mil,mcr-wmo";
        let query = post_json(&service(), path, &typed().to_string()).await;
        assert_eq!(query.json["scores"], answer.json["scores"]);
        body["hand"]["winning_tile"] = json!("E");
        let lost = score(&body).await;
        assert_eq!(lost.status, StatusCode::OK, "each rule set has its own problem");
        let problem = &lost.json["scores"][0]["problem"];
        assert_eq!(problem["type"], "urn:tilesight:problem:not-a-win", "{lost:?}");
    }

    /// Three players fed three pungs of dragons: the feeder of the third pays.
    #[tokio::test]
    async fn the_feeder_of_the_last_set_can_be_given_in_the_query() {
        let hand = "[CCC,2][FFF,1][PPP,3]123m2s2s|EW0000,1";
        let body = json!({ "hand": hand, "context": { "ruleset": "mmm" } });
        for (query, supposed, payer) in [
            ("", json!("right"), "N"),
            ("?feeder=left", Value::Null, "S"),
            ("?feeder=across", Value::Null, "E"),
        ] {
            let answer =
                post_json(&service(), &format!("/v1/score{query}"), &body.to_string()).await;
            assert_eq!(answer.json["payments"][payer], -600, "{query}: {}", answer.json);
            assert_eq!(answer.json["assumed_feeder"], supposed, "{query}");
        }
        let refused = post_json(&service(), "/v1/score?feeder=nobody", &body.to_string()).await;
        refused.is_problem(422, "invalid-context");
        assert_eq!(refused.json["errors"][0]["field"], "context.feeder");
    }

    #[tokio::test]
    async fn a_notation_alone_keeps_its_context() {
        let text = json!({ "hand": "123456789m11pFFF|SS1000" });
        let object = json!({ "hand": { "notation": "123456789m11pFFF|SS1000" } });
        let answer = score(&object).await;
        assert_eq!(answer.status, StatusCode::OK, "{answer:?}");
        assert_eq!(answer.json, score(&text).await.json);
    }

    #[tokio::test]
    async fn tiles_without_a_win_are_refused() {
        let mut body = typed();
        body["hand"]["winning_tile"] = json!("E");
        score(&body).await.is_problem(422, "not-a-win");
    }

    #[tokio::test]
    async fn a_body_that_is_not_json_is_refused() {
        let service = service();
        post_json(&service, "/v1/score", "{\"hand\":").await.is_problem(400, "malformed-request");
        post_json(&service, "/v1/score", "").await.is_problem(400, "malformed-request");
        let plain = axum::extract::Request::post("/v1/score").body("{}".into()).unwrap();
        crate::testing::send(&service, plain).await.is_problem(415, "unsupported-media");
    }
}
