//! Readings that a client sends back; a photo becomes a reading in `hands.rs`.
//!
//! `POST /v1/readings/answers` takes a reading with answers to its doubts, with a corrected hand,
//! or with both. It returns the hand that results, its score, the doubts that remain, and what a
//! corrected hand changed.
//!
//! The client sends the reading as `POST /v1/hands` returned it, because the service stored nothing
//! of it. The hand need not score yet. The request takes turns with the photos: a reading is large,
//! and its doubts make many hands.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::Request;
use tilesight_core::contract::merge_values;
use tilesight_vision::contract::{AnswersRequest, AnswersResponse};

use crate::answer::failure::Failure;
use crate::answer::json::WrittenJson;
use crate::answer::language::Language;
use crate::guard::admission::WorkSize;
use crate::guard::discard::refuse_unless;
use crate::input::body::receive_json;
use crate::input::query::{DETAIL, DetailInQuery, Parameters, parse_pairs, parse_scoring};
use crate::openapi::{BodyRefusals, ContextInQuery, Unavailable};
use crate::routes::caller::Caller;

/// Applies answers to the doubts of a reading, or a corrected hand.
///
/// Every request has the whole reading and all answers so far: nothing is stored between requests.
#[utoipa::path(post, path = "/v1/readings/answers", tag = "hands", operation_id = "answer_reading",
    params(ContextInQuery, DetailInQuery, Language), request_body(content = AnswersRequest),
    responses((status = 200, body = inline(AnswersResponse), description = "The hand with the answers, its score, the doubts that are left, and what a corrected hand changed."),
        BodyRefusals, Unavailable))]
pub(crate) async fn answer(caller: Caller, request: Request) -> Result<WrittenJson, Failure> {
    caller.service.in_time(answer_from(&caller, request)).await
}

async fn answer_from(caller: &Caller, request: Request) -> Result<WrittenJson, Failure> {
    let mut pairs = parse_pairs(request.uri())?;
    let DetailInQuery { detail } = Parameters::take(&mut pairs)?;
    let in_query = parse_scoring(pairs, &[DETAIL])?;
    let book = Arc::clone(caller.service.book());
    let request_id = caller.request_id();
    let lang = caller.lang;
    compute_from(caller, request, move |body| {
        let request = AnswersRequest::from_json(&body)?;
        let scoring = request.scoring(in_query)?;
        let rulesets = scoring.find(&book)?;
        let detail = merge_values(DETAIL, request.detail, detail)?.unwrap_or_default();
        let mut answered = request.answer(&scoring.context, &rulesets, lang)?;
        answered.request_id = request_id;
        Ok(WrittenJson::new(&request.cut(answered, detail)))
    })
    .await
}

/// Receives a reading, and computes the answer from it.
async fn compute_from(
    caller: &Caller,
    request: Request,
    work: impl FnOnce(Bytes) -> Result<WrittenJson, Failure> + Send + 'static,
) -> Result<WrittenJson, Failure> {
    let Caller { service, turns, .. } = caller;
    let limits = service.limits();
    let (_place, request) = refuse_unless(turns.enter(), request, limits)?;
    let body = receive_json(request, limits).await?;
    turns.compute(WorkSize::Large, move || work(body)).await?
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use serde_json::{Value, json};

    use crate::Limits;
    use crate::Service;
    use crate::guard::admission::WorkerPermit;
    use crate::testing::{Answer, limits, nobody, post_json, service};

    async fn send(body: &Value) -> Answer {
        post_json(&service(), "/v1/readings/answers", &body.to_string()).await
    }

    async fn score(hand: &str) -> Value {
        let body = json!({ "hand": hand, "context": { "seat": "S" } });
        post_json(&service(), "/v1/score", &body.to_string()).await.json
    }

    /// Returns a reading in which a pung of green dragons was read as a pair with a 6 of bamboo.
    fn correction() -> Value {
        json!({
            "reading": { "status": "needs_review", "hand": { "notation": "123456789m11pFF6s" }, "score": null },
            "hand": "123456789m11pFFF",
            "context": { "seat": "S" },
        })
    }

    /// Returns a request with another value of a field.
    fn merged(mut body: Value, field: &str, value: Value) -> Value {
        body[field] = value;
        body
    }

    #[tokio::test]
    async fn a_corrected_hand_is_scored_and_says_what_changed() {
        let answer = send(&correction()).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(answer.json["score"], score("123456789m11pFFF").await);
        assert_eq!(answer.json["changes"]["tiles"], json!([{ "was": "6s", "is": "F" }]));
        assert_eq!(answer.json["changes"]["total"]["was"], Value::Null);
        assert_eq!(answer.json["request_id"], answer.headers["x-request-id"].to_str().unwrap());
        assert!(answer.json.get("scores").is_none());
        let compact = send(&merged(correction(), "detail", json!("compact"))).await;
        assert_eq!(compact.json["changes"], answer.json["changes"]);
    }

    #[tokio::test]
    async fn fans_are_gained_and_lost() {
        let mut body = correction();
        body["reading"] = json!({ "hand": { "notation": "123456789m1pFFF1p" } });
        body["hand"] = json!("[FFF,2]123456789m1p1p");
        body["rulesets"] = json!(["mcr-wmo", "mcr-mil"]);
        let answer = send(&body).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let changes = &answer.json["changes"];
        assert_eq!((&changes["structure"], &changes["tiles"]), (&json!(true), &json!([])));
        assert!(
            changes["lost"].as_array().unwrap().contains(&json!("concealed_hand")),
            "{changes}"
        );
        assert_eq!(changes["total"]["was"], score("123456789m1pFFF1p").await["total"]);
        assert_eq!(answer.json["scores"][0]["score"]["total"], answer.json["score"]["total"]);
        assert_eq!(answer.json["scores"].as_array().unwrap().len(), 2);
    }

    #[tokio::test]
    async fn a_corrected_hand_without_a_score_has_the_reason() {
        for (hand, kind) in [("123456789m11pFFE", "not-a-win"), ("123456789m11pFF", "invalid-hand")]
        {
            let answer = send(&merged(correction(), "hand", json!(hand))).await;
            assert_eq!(answer.status, 200, "{answer:?}");
            let kind = json!(format!("urn:tilesight:problem:{kind}"));
            assert_eq!(
                (&answer.json["problem"]["type"], &answer.json["score"]),
                (&kind, &Value::Null)
            );
            assert_eq!(answer.json["changes"]["total"]["is"], Value::Null);
        }
    }

    #[tokio::test]
    async fn an_invalid_reading_is_refused_with_its_field() {
        let mut body = correction();
        body["reading"]["hand"] = json!({ "concealed": ["0z"] });
        let answer = send(&body).await;
        answer.is_problem(422, "invalid-hand");
        assert_eq!(answer.json["errors"][0]["field"], "reading.hand.concealed[0]");
        body["reading"] = json!(null);
        let answer = send(&body).await;
        answer.is_problem(400, "malformed-request");
        assert_eq!(answer.json["errors"][0]["field"], "reading");
        body["readings"] = json!({});
        send(&body).await.is_problem(400, "malformed-request");
    }

    /// Returns a reading with two doubts: which tile won, and whether the third tile is 3m or 6m.
    fn doubtful() -> Value {
        let hands = [("1m", "23m456p789s222p5s5s+1m"), ("2m", "13m456p789s222p5s5s+2m")];
        let won =
            hands.map(|(tile, hand)| json!({ "answer": tile, "p": 0.5, "total": 0, "hand": hand }));
        let faces = [("3m", "123m456p789s222p5s5s+?"), ("6m", "126m456p789s222p5s5s+?")];
        let faces =
            faces.map(|(tile, hand)| json!({ "answer": tile, "p": 0.5, "total": 0, "hand": hand }));
        json!({
            "hand": { "notation": "123m456p789s222p5s5s+?" },
            "doubts": [
                { "id": "winning_tile", "kind": "winning_tile", "tiles": [0, 1, 2], "question": "which?",
                  "alternatives": won, "affects_score": false },
                { "id": "tile-2", "kind": "tile", "tiles": [2], "question": "3m?",
                  "alternatives": faces, "affects_score": false },
            ],
        })
    }

    async fn answers(body: Value) -> Value {
        let answer = post_json(&service(), "/v1/readings/answers", &body.to_string()).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json
    }

    fn ids(answer: &Value) -> Vec<&str> {
        let doubts = answer["doubts"].as_array().unwrap().iter();
        doubts.map(|doubt| doubt["id"].as_str().unwrap()).collect()
    }

    #[tokio::test]
    async fn without_answers_all_is_asked_with_the_totals_of_now() {
        let answer =
            answers(json!({ "reading": doubtful(), "context": { "win": "self_drawn" } })).await;
        // 6m does not win, which is a larger difference than between any two totals.
        assert_eq!(ids(&answer), ["tile-2", "winning_tile"]);
        for doubt in answer["doubts"].as_array().unwrap() {
            for one in doubt["alternatives"].as_array().unwrap() {
                let hand = one["hand"].as_str().unwrap();
                if hand.ends_with('?') {
                    continue;
                }
                let body = json!({ "hand": hand, "context": { "win": "self_drawn" } });
                let score = post_json(&service(), "/v1/score", &body.to_string()).await.json;
                assert_eq!(one["total"], score["total"], "{hand}");
            }
        }
        assert_eq!(answer["score"]["range"]["open"][0]["field"], "winning_tile");
        assert_eq!(answer["status"], "needs_review");
    }

    #[tokio::test]
    async fn an_answer_changes_the_hand_and_what_the_others_come_to() {
        let answered = json!([{ "doubt": "winning_tile", "answer": "2m" }]);
        let answer = answers(json!({ "reading": doubtful(), "answers": answered })).await;
        assert_eq!(answer["hand"]["winning_tile"], "2m");
        assert_eq!(ids(&answer), ["tile-2"]);
        let faces = answer["doubts"][0]["alternatives"].as_array().unwrap();
        assert_eq!(faces[0]["total"], answer["score"]["total"]);
        assert_eq!(
            (&faces[1]["hand"], &faces[1]["total"]),
            (&json!("16m222456p55789s2m"), &Value::Null)
        );
        let both = json!([{ "doubt": "winning_tile", "answer": "2m" }, { "doubt": "tile-2", "answer": "6m" }]);
        let answer = answers(json!({ "reading": doubtful(), "answers": both })).await;
        assert_eq!(ids(&answer), Vec::<&str>::new());
        assert_eq!(
            (&answer["score"], &answer["problem"]["type"]),
            (&Value::Null, &json!("urn:tilesight:problem:not-a-win"))
        );
    }

    #[tokio::test]
    async fn a_hand_that_was_changed_by_hand_voids_what_it_settles() {
        // 3m is gone, and the winning tile is known: no question remains.
        let body = json!({ "reading": doubtful(), "hand": "456p789s222p555s5s+4p" });
        assert_eq!(ids(&answers(body).await), Vec::<&str>::new());
        // The hand contains the answer, so the question is not repeated.
        let body = json!({ "reading": doubtful(), "hand": "123m456p789s222p5s5s+?",
            "answers": [{ "doubt": "tile-2" }], "context": { "win": "self_drawn" } });
        assert_eq!(ids(&answers(body).await), ["winning_tile"]);
    }

    #[tokio::test]
    async fn equal_questions_are_one_about_all_their_tiles() {
        let mut reading = doubtful();
        let mut twin = reading["doubts"][1].clone();
        twin["id"] = json!("tile-7");
        twin["tiles"] = json!([7]);
        reading["doubts"].as_array_mut().unwrap().push(twin);
        let answer = answers(json!({ "reading": reading })).await;
        assert_eq!(ids(&answer), ["tile-2", "winning_tile"]);
        assert_eq!(answer["doubts"][0]["tiles"], json!([2, 7]));
        let one = json!([{ "doubt": "tile-7", "answer": "3m" }]);
        assert_eq!(
            ids(&answers(json!({ "reading": reading, "answers": one })).await),
            ["winning_tile"]
        );
    }

    /// Takes all workers of a service.
    async fn take_workers(service: &Service) -> Vec<WorkerPermit> {
        let mut busy = Vec::new();
        for _ in 0..service.admission().total().workers {
            let permit = service.admission().enter(&nobody()).expect("a place");
            busy.push(permit.worker(b"").await.expect("a worker"));
        }
        busy
    }

    #[tokio::test]
    async fn answers_wait_for_a_worker_no_longer_than_a_request_may() {
        let hasty = Limits { request: Duration::from_millis(20), ..limits() };
        let service = Service::builder(hasty).build();
        let _busy = take_workers(&service).await;
        for body in [json!({ "reading": doubtful() }), correction()] {
            let late = post_json(&service, "/v1/readings/answers", &body.to_string()).await;
            late.is_problem(503, "unavailable");
        }
        assert_eq!(service.admission().count_computing(), 0, "their places are free again");
    }

    #[tokio::test]
    async fn a_typed_hand_waits_for_no_photo() {
        let service = service();
        let _busy = take_workers(&service).await;
        let typed = json!({ "hand": "123456789m11pFFF" }).to_string();
        assert_eq!(post_json(&service, "/v1/score", &typed).await.status, 200);
    }

    /// A reading that was made by riichi, self-drawn, is not scored by MCR's default.
    #[tokio::test]
    async fn a_reading_keeps_its_rule_set_and_context_until_the_request_says_otherwise() {
        let mut reading = doubtful();
        reading["context"] =
            json!({ "ruleset": "riichi-tenhou", "win": "self_drawn", "seat": "S" });
        let hand = "123m456p789s222p5s+5s";
        let totals = async |extra: Value| {
            let body = merged(merged(extra, "reading", reading.clone()), "hand", json!(hand));
            answers(body).await["score"].take()
        };
        let typed = async |context: Value| {
            let body = json!({ "hand": hand, "context": context });
            post_json(&service(), "/v1/score", &body.to_string()).await.json
        };
        let own = totals(json!({})).await;
        assert_eq!(own["ruleset"], "riichi-tenhou");
        assert_eq!(own["payments"], typed(reading["context"].clone()).await["payments"]);
        let other = totals(json!({ "context": { "ruleset": "mcr-wmo" } })).await;
        let mcr = json!({ "ruleset": "mcr-wmo", "win": "self_drawn", "seat": "S" });
        assert_eq!(other["total"], typed(mcr).await["total"]);
        let claimed = totals(json!({ "context": { "from": "across" } })).await;
        let context = json!({ "ruleset": "riichi-tenhou", "from": "across", "seat": "S" });
        assert_eq!(claimed["payments"], typed(context).await["payments"]);
        let several = totals(json!({ "rulesets": ["hk-old", "mmm"] })).await;
        assert_eq!(several["ruleset"], "hk-old", "the first of several, as everywhere");
    }

    #[tokio::test]
    async fn a_reading_that_no_photo_has_is_refused() {
        let one = json!({ "answer": "3m", "p": 0.5, "total": null });
        let doubts = |doubts: usize, answers: usize| {
            let mut reading = doubtful();
            let mut doubt = reading["doubts"][1].clone();
            doubt["alternatives"] = json!(vec![one.clone(); answers]);
            reading["doubts"] = json!(vec![doubt; doubts]);
            reading
        };
        let mut tiles = doubtful();
        tiles["tiles"] = json!(vec![json!({}); 401]);
        for (reading, field) in [
            (doubts(65, 2), "reading.doubts"),
            (doubts(1, 44), "reading.doubts[0].alternatives"),
            (doubts(12, 43), "reading.doubts[11].alternatives"),
            (tiles, "reading.tiles"),
        ] {
            let body = json!({ "reading": reading }).to_string();
            let answer = post_json(&service(), "/v1/readings/answers", &body).await;
            assert_eq!(answer.json["errors"][0]["field"], field, "{:?}", answer.json);
            answer.is_problem(400, "malformed-request");
        }
        let mut large = doubtful();
        large["note"] = json!("x".repeat(256 * 1024));
        let body = json!({ "reading": large }).to_string();
        post_json(&service(), "/v1/readings/answers", &body).await.is_problem(413, "too-large");
    }

    #[tokio::test]
    async fn wrong_answers_name_their_place() {
        for (answers, field) in [
            (json!([{ "doubt": "tile-9", "answer": "3m" }]), "answers[0].doubt"),
            (
                json!([{ "doubt": "tile-2", "answer": "3m" }, { "doubt": "tile-2", "answer": "5m" }]),
                "answers[1].answer",
            ),
        ] {
            let body = json!({ "reading": doubtful(), "answers": answers });
            let answer = post_json(&service(), "/v1/readings/answers", &body.to_string()).await;
            assert_eq!(answer.json["errors"][0]["field"], field, "{:?}", answer.json);
            answer.is_problem(400, "malformed-request");
        }
        let mut reading = doubtful();
        reading["doubts"][1]["alternatives"][1]["hand"] = json!("12x");
        let answer = post_json(
            &service(),
            "/v1/readings/answers",
            &json!({ "reading": reading }).to_string(),
        )
        .await;
        assert_eq!(answer.json["errors"][0]["field"], "reading.doubts[1].alternatives[1].hand");
        answer.is_problem(422, "invalid-hand");
    }
}
