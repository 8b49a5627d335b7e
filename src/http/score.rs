//! `POST /v1/score`: a typed hand and its circumstances in, the itemised score out.
//!
//! The body is the contract's `{ "hand": ..., "context": ... }`; the answer its `score`, the same
//! as a line of `tilesight score --jsonl`. Scoring takes microseconds, so it needs no place in the
//! queue of photos.

use axum::Json;
use axum::extract::{Request, State};

use super::Service;
use super::failure::Failure;
use super::language;
use super::upload::receive_json;
use crate::contract::{ScoreDto, ScoreRequest};

/// Scores one hand.
pub(super) async fn score(
    State(service): State<Service>,
    request: Request,
) -> Result<Json<ScoreDto>, Failure> {
    let lang = language::preferred(request.headers());
    let body = receive_json(request, service.limits()).await?;
    let scored = ScoreRequest::from_json(&body)?.prepare()?.score()?;
    Ok(Json(scored.to_dto(lang)))
}

#[cfg(test)]
mod tests {
    use axum::http::StatusCode;
    use serde_json::{Value, json};

    use crate::http::testing::{Answer, post_json, service};

    async fn score(body: &Value) -> Answer {
        post_json(&service(), "/v1/score", &body.to_string()).await
    }

    /// All simples, self-drawn; the rules' own tests check the points.
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
            let answer = crate::http::testing::send(&service(), request(lang)).await;
            answer.json["awards"][0]["name"].to_string()
        };
        assert_ne!(name("zh").await, name("en").await);
    }

    #[tokio::test]
    async fn what_cannot_be_scored_is_named_field_by_field() {
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
    async fn tiles_without_a_win_are_no_hand_to_score() {
        let mut body = typed();
        body["hand"]["winning_tile"] = json!("E");
        score(&body).await.is_problem(422, "not-a-win");
    }

    #[tokio::test]
    async fn what_is_no_json_is_refused() {
        let service = service();
        post_json(&service, "/v1/score", "{\"hand\":").await.is_problem(400, "malformed-request");
        post_json(&service, "/v1/score", "").await.is_problem(400, "malformed-request");
        let plain = axum::extract::Request::post("/v1/score").body("{}".into()).unwrap();
        crate::http::testing::send(&service, plain).await.is_problem(415, "unsupported-media");
    }
}
