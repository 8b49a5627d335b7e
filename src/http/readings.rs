//! `POST /v1/readings/score`: a corrected reading in, its score and what changed out.
//!
//! The reading comes back as `POST /v1/hands` answered it, because nothing of it was kept here. The
//! corrected hand is scored like a typed one, and refused like one.

use axum::Json;
use axum::extract::{Request, State};

use super::Service;
use super::body::receive_json;
use super::failure::Failure;
use super::input::scoring_in_query;
use super::language;
use super::openapi::{BodyRefusals, ContextInQuery, Language};
use super::request_id::RequestId;

use crate::config::Limits;
use crate::contract::{
    ChangesDto, ContextDto, CorrectionDto, CorrectionRequest, Scoring, side_by_side,
};

/// Scores a corrected reading and says what changed.
#[utoipa::path(post, path = "/v1/readings/score", tag = "hands", operation_id = "score_mended_reading",
    params(ContextInQuery, Language), request_body(content = CorrectionRequest),
    responses((status = 200, body = CorrectionDto, description = "The score, and what the correction changed."),
        BodyRefusals))]
pub(super) async fn score(
    State(service): State<Service>,
    id: RequestId,
    request: Request,
) -> Result<Json<CorrectionDto>, Failure> {
    let lang = language::preferred(request.headers());
    let in_query = scoring_in_query(request.uri())?;
    let most = most_bytes(service.limits());
    let body = receive_json(request, service.limits(), most).await?;
    let correction = CorrectionRequest::from_json(&body)?;
    let was = correction.previous_hand()?;
    let mut request = correction.corrected();
    let in_body = Scoring { context: request.context, rulesets: correction.rulesets };
    let scoring = in_body.merge(in_query)?;
    let rulesets = scoring.find(service.book())?;
    request.context = ContextDto { ruleset: Some(rulesets.one.id()), ..scoring.context };
    let prepared = request.prepare_by(rulesets.one)?;
    let scores = rulesets.all.map(|rulesets| side_by_side(&prepared, &rulesets, lang));
    let scored = prepared.score()?;
    let changes = ChangesDto::between(&was, correction.reading.score.as_ref(), &scored);
    let score = scored.to_dto(lang);
    Ok(Json(CorrectionDto { request_id: id.as_str().to_owned(), score, scores, changes }))
}

/// Bytes of a body: a reading with its candidates, doubts and runners-up.
pub(super) fn most_bytes(limits: &Limits) -> usize {
    limits.body_bytes.min(CorrectionRequest::MAX_BYTES)
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::http::testing::{Answer, post_json, service};

    async fn send(body: &Value) -> Answer {
        post_json(&service(), "/v1/readings/score", &body.to_string()).await
    }

    async fn score(hand: &str) -> Value {
        let body = json!({ "hand": hand, "context": { "seat": "S" } });
        post_json(&service(), "/v1/score", &body.to_string()).await.json
    }

    /// A pung of green dragons, read as a pair with a 6 of bamboo.
    fn correction() -> Value {
        json!({
            "reading": { "status": "needs_review", "hand": { "notation": "123456789m11pFF6s" }, "score": null },
            "hand": "123456789m11pFFF",
            "context": { "seat": "S" },
        })
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
    }

    #[tokio::test]
    async fn fans_are_gained_and_lost() {
        let mut body = correction();
        body["reading"] = json!({
            "hand": { "notation": "123456789m1pFFF1p" },
            "score": score("123456789m1pFFF1p").await,
        });
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
        assert_eq!(answer.json["scores"][0]["score"], answer.json["score"]);
        assert_eq!(answer.json["scores"].as_array().unwrap().len(), 2);
    }

    #[tokio::test]
    async fn what_cannot_be_scored_is_refused_as_elsewhere() {
        let mut body = correction();
        body["hand"] = json!("123456789m11pFFE");
        send(&body).await.is_problem(422, "not-a-win");
        body["hand"] = json!("123456789m11pFF");
        send(&body).await.is_problem(422, "invalid-hand");
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
}
