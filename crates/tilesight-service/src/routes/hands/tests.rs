//! Tests of photos through the whole service, with painted tiles and a model that reads the paint.

mod samples;
mod table;

use std::io::Cursor;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{ACCEPT_LANGUAGE, ALLOW, CONTENT_TYPE, RETRY_AFTER};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use image::ImageFormat;
use serde_json::{Value, json};
use tilesight_vision::geometry::Quad;
use tilesight_vision::networks::fake::{PaintedModel, PaintedTile, PanickingModel, paint};
use tilesight_vision::networks::{Cells, ClassifierRows, Corners, DetectorMaps, Manifest, Planes};
use tilesight_vision::{Model, ModelError, Reader};
use tokio::time::timeout;

use crate::Limits;
use crate::Service;
use crate::testing::{Answer, learn_set, limits, nobody, photo, post_json, send, service};

/// All simples with a pair of 5 bamboo; the gap sets the winning tile apart.
const HAND: &str = "2m 3m 4m 5m 6m 7m 2p 3p 4p 6s 7s 5s 5s - 8s";

fn ready(limits: Limits, model: impl Model + 'static) -> Service {
    let service = Service::builder(limits).build();
    service.ready(Arc::new(Reader::with_model(model)));
    service
}

fn request(query: &str, photo: impl Into<Body>) -> Request {
    let request = Request::post(format!("/v1/hands{query}")).header(CONTENT_TYPE, "image/png");
    request.body(photo.into()).expect("a request")
}

async fn read(query: &str, photo: impl Into<Body>) -> Answer {
    send(&ready(limits(), PaintedModel::with_large_classifier()), request(query, photo)).await
}

/// Like [`read`], with the answer in a given language.
async fn read_in(lang: &str, query: &str, photo: impl Into<Body>) -> Answer {
    let mut request = request(query, photo);
    request.headers_mut().insert(ACCEPT_LANGUAGE, lang.parse().expect("a language"));
    send(&ready(limits(), PaintedModel::default()), request).await
}

impl Answer {
    /// Returns the kinds of the doubts.
    fn doubts(&self) -> Vec<&str> {
        let doubts = self.json["reading"]["doubts"].as_array().expect("doubts");
        doubts.iter().filter_map(|doubt| doubt["kind"].as_str()).collect()
    }
}

#[tokio::test]
async fn a_photo_becomes_a_hand_and_a_score() {
    let answer = read("?seat=S&prevalent=E&win=self_drawn", photo(HAND)).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let hand = &answer.json["reading"]["hand"];
    let concealed: Vec<_> = HAND.split_whitespace().take(13).collect();
    let mut found: Vec<_> = hand["concealed"]
        .as_array()
        .expect("tiles")
        .iter()
        .filter_map(|tile| tile.as_str())
        .collect();
    let mut expected = concealed.clone();
    found.sort_unstable();
    expected.sort_unstable();
    assert_eq!(found, expected);
    assert_eq!(hand["winning_tile"], "8s");
    let typed = json!({
        "hand": { "concealed": concealed, "winning_tile": "8s" },
        "context": { "seat": "S", "prevalent": "E", "win": "self_drawn" },
    });
    let scored = post_json(&service(), "/v1/score", &typed.to_string()).await;
    assert!(scored.json["total"].is_u64(), "{scored:?}");
    assert_eq!(answer.json["reading"]["score"]["total"], scored.json["total"]);
    assert_eq!(answer.json["image"], json!({ "width": 640, "height": 480 }));
    assert_eq!(answer.json["engine"]["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(answer.headers["x-request-id"], answer.json["request_id"].as_str().expect("an id"));
    let timing = answer.headers["server-timing"].to_str().expect("text");
    for step in ["receive", "wait", "decode", "detect", "total"] {
        assert!(timing.contains(&format!("{step};dur=")), "{timing}");
        assert!(answer.json["timings_ms"][step].is_number(), "{answer:?}");
    }
}

/// Returns a photo of two hands, one at the upper edge and one at the lower.
fn two_hands() -> Vec<u8> {
    let row = |codes: &'static str, y: f32| {
        codes.split_whitespace().enumerate().map(move |(place, code)| PaintedTile {
            quad: Quad::rectangle(20.0 + 40.0 * place as f32, y, 40.0, 54.0),
            face: code.parse().expect("a face"),
        })
    };
    let upper = row("1m 2m 3m 4p 5p 6p 7s 8s 9s C C E E E", 20.0);
    let lower = row("2m 3m 4m 2p 3p 4p 6s 7s 8s 5s 5s 7m 8m 9m", 500.0);
    let mut png = Cursor::new(Vec::new());
    let image = paint(640, 600, &upper.chain(lower).collect::<Vec<_>>());
    image.write_to(&mut png, ImageFormat::Png).expect("PNG holds RGB");
    png.into_inner()
}

#[tokio::test]
async fn a_hand_in_view_is_read_by_its_focus() {
    let answer = read("", two_hands()).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let hands = answer.json["reading"]["hands_in_view"].as_array().expect("two hands").clone();
    assert_eq!(hands.len(), 2, "{hands:?}");
    assert_eq!(hands[0]["notation"], answer.json["reading"]["hand"]["notation"]);
    let focus = |hand: &Value| format!("?focus={},{}", hand["focus"]["x"], hand["focus"]["y"]);
    let other = read(&focus(&hands[1]), two_hands()).await;
    assert_eq!(other.json["reading"]["hand"]["notation"], hands[1]["notation"], "{other:?}");
    let first = read(&focus(&hands[0]), two_hands()).await;
    for field in ["hand", "hands_in_view", "tiles", "score"] {
        assert_eq!(first.json["reading"][field], answer.json["reading"][field], "{field}");
    }
    // Without a focus nothing tells which of the two is meant.
    let p = |answer: &Answer| answer.json["reading"]["probability"].as_f64().expect("a number");
    assert!(p(&first) > 0.9 && p(&answer) <= 0.5, "{} {}", p(&first), p(&answer));
    assert_eq!(answer.json["reading"]["status"], "needs_review");
    assert!(read("", photo(HAND)).await.json["reading"].get("hands_in_view").is_none());
}

#[tokio::test]
async fn a_hand_in_view_is_read_by_its_box() {
    let answer = read("", two_hands()).await;
    for hand in answer.json["reading"]["hands_in_view"].as_array().expect("two hands") {
        let edges: Vec<u64> =
            hand["box"].as_array().expect("a box").iter().filter_map(Value::as_u64).collect();
        let [left, top, right, bottom] = edges[..] else { panic!("{hand}") };
        let query = format!("?region={left},{top}+{right},{bottom}");
        let again = read(&query, two_hands()).await;
        assert_eq!(again.json["reading"]["hand"]["notation"], hand["notation"], "{again:?}");
        let polygon = json!([[left, top], [right, top], [right, bottom], [left, bottom]]);
        let body = json!({ "photo": BASE64.encode(two_hands()), "region": polygon }).to_string();
        let typed = post_json(&ready(limits(), PaintedModel::default()), "/v1/hands", &body).await;
        assert_eq!(typed.json["reading"], again.json["reading"]);
    }
}

#[tokio::test]
async fn a_compact_answer_says_the_same_in_less() {
    // No winning tile lies apart and the win context has defaults, so there is a doubt with
    // answers, and a range.
    let row = photo("2m 3m 4m 5m 6m 7m 2p 3p 4p 6s 7s 8s 5s 5s");
    let full = read("?rulesets=mcr-wmo,mmm", row.clone()).await.json;
    let compact = read("?rulesets=mcr-wmo,mmm&detail=compact", row).await.json;
    let reading = &full["reading"];
    for field in ["status", "hand", "supposed_winning_tile", "score_probability"] {
        assert_eq!(compact[field], reading[field], "{field}");
    }
    let (score, whole) = (&compact["score"], &reading["score"]);
    for field in ["ruleset", "total", "legal", "verdict", "payments"] {
        assert_eq!(score[field], whole[field], "{field}");
    }
    assert_eq!((&compact["detail"], full.get("detail")), (&json!("compact"), None));
    assert_eq!(compact["context"], reading["context"]);
    assert_eq!(score["assumed"], whole["assumed_values"]);
    assert_eq!(score["assumed"]["win"], "discard");
    assert_eq!(score["range"]["max"], whole["range"]["max"]);
    let names = |awards: &Value| -> Vec<Value> {
        awards.as_array().expect("lines").iter().map(|award| award["name"].clone()).collect()
    };
    assert_eq!(names(&score["awards"]), names(&whole["awards"]));
    assert_eq!(compact["scores"][1]["score"]["total"], full["scores"][1]["score"]["total"]);
    assert_eq!((&compact["image"], &compact["models"]), (&full["image"], &full["models"]));
    assert!(compact.get("tiles").is_none() && compact.get("timings_ms").is_none());
    let doubts = compact["doubts"].as_array().expect("doubts").iter();
    for (doubt, whole) in doubts.zip(reading["doubts"].as_array().expect("doubts")) {
        assert_eq!((&doubt["id"], &doubt["question"]), (&whole["id"], &whole["question"]));
        let answers = doubt["answers"].as_array().expect("answers");
        assert_eq!(answers.len(), whole["alternatives"].as_array().expect("answers").len());
        assert!(answers.iter().all(|answer| answer["send"] == answer["answer"]), "{answers:?}");
        let [left, top, right, bottom] =
            [0, 1, 2, 3].map(|edge| doubt["box"][edge].as_u64().expect("pixels"));
        for corner in doubt["tiles"]
            .as_array()
            .expect("tiles")
            .iter()
            .flat_map(|tile| tile.as_array().expect("corners").iter())
        {
            let [x, y] = [0, 1].map(|axis| corner[axis].as_u64().expect("pixels"));
            assert!((left..=right).contains(&x) && (top..=bottom).contains(&y), "{doubt}");
        }
    }
    let winning = &compact["doubts"][0];
    assert_eq!(winning["id"], "winning_tile", "{winning}");
    assert_eq!(winning["tiles"].as_array().expect("tiles").len(), 14, "{winning}");
}

#[tokio::test]
async fn a_compact_answer_without_a_score_says_why() {
    let short = photo("2m 3m 4m 5m 6m 7m 2p 3p 4p 5s 5s - 8s");
    let answer = read_in("sv", "?detail=compact", short).await.json;
    assert!(answer["score"].is_null(), "{answer}");
    assert_eq!(answer["no_score"]["kind"], "invalid_hand", "{answer}");
    let counted = &answer["doubts"][0];
    assert_eq!((&counted["id"], &counted["tiles"]), (&json!("tile_count"), &json!([])));
    assert!(counted["box"].is_array(), "the hand: {counted}");
    let hands = read("?detail=compact", two_hands()).await.json;
    assert_eq!(hands["hands_in_view"].as_array().expect("two").len(), 2, "{hands}");
    assert!(
        hands["hands_in_view"][1]["box"].is_array()
            && hands["hands_in_view"][1]["focus"]["x"].is_u64()
    );
}

#[tokio::test]
async fn an_unknown_name_is_named_beside_those_that_exist() {
    let query = read_in("de", "?fokus=1,1", two_hands()).await;
    query.is_problem(400, "malformed-request");
    assert_eq!(query.json["errors"][0]["field"], "context.fokus");
    let detail = query.json["errors"][0]["detail"].as_str().expect("text");
    assert!(
        detail.starts_with("unbekannter Parameter `fokus`; es gibt `ruleset`, `seat`"),
        "{detail}"
    );
    for known in ["`rulesets`", "`focus`", "`region`", "`set`", "`detail`"] {
        assert!(detail.contains(known), "{detail}");
    }
    let body = json!({ "photo": BASE64.encode(two_hands()), "foto": "x" }).to_string();
    let typed = Request::post("/v1/hands").header(CONTENT_TYPE, "application/json");
    let typed = typed.header(ACCEPT_LANGUAGE, "zh").body(body.into()).expect("a request");
    let typed = send(&ready(limits(), PaintedModel::default()), typed).await;
    typed.is_problem(400, "malformed-request");
    assert_eq!(typed.json["errors"][0]["field"], "foto");
    let detail = typed.json["errors"][0]["detail"].as_str().expect("text");
    assert!(detail.starts_with("未知的字段 `foto`") && detail.contains("`region`"), "{detail}");
    let part = b"--edge\r\nContent-Disposition: form-data; name=\"foto\"\r\n\r\nx\r\n--edge--\r\n";
    let form = Request::post("/v1/hands");
    let form = form.header(CONTENT_TYPE, "multipart/form-data; boundary=edge");
    let form = form.body(Body::from(part.as_slice())).expect("a request");
    let form = send(&ready(limits(), PaintedModel::default()), form).await;
    form.is_problem(400, "malformed-request");
    let error = &form.json["errors"][0];
    assert_eq!(error["field"], "foto");
    let detail = error["detail"].as_str().expect("text");
    assert!(detail.starts_with("unknown part `foto`, expected one of `photo`, "), "{detail}");
}

#[tokio::test]
async fn an_invalid_region_is_named_in_the_language_of_the_request() {
    for (query, status, kind, expected) in [
        ("?region=left", 400, "malformed-request", "`left` ist kein Bereich"),
        ("?region=1,2", 400, "malformed-request", "1 Ecken"),
        ("?region=1,2+1,90", 400, "malformed-request", "auf einer Linie"),
        ("?region=1,2+641,90", 422, "invalid-context", "liegt außerhalb des Fotos"),
    ] {
        let answer = read_in("de", query, two_hands()).await;
        answer.is_problem(status, kind);
        let error = &answer.json["errors"][0];
        assert_eq!(error["field"], "region", "{answer:?}");
        assert!(error["detail"].as_str().expect("text").contains(expected), "{answer:?}");
    }
    let body = json!({ "photo": BASE64.encode(two_hands()), "region": [[1, 2]] }).to_string();
    let typed = post_json(&ready(limits(), PaintedModel::default()), "/v1/hands", &body).await;
    typed.is_problem(400, "malformed-request");
    assert_eq!(typed.json["errors"][0]["field"], "region");
    let empty = read_in("de", "?region=0,300+640,310", two_hands()).await;
    empty.is_problem(422, "no-hand");
    assert!(empty.json["detail"].as_str().expect("text").starts_with("im Bereich liegt kein"));
    let seen = &empty.json["seen"];
    assert_eq!((&seen["count"], &seen["width"]), (&json!(28), &json!(640)), "{seen}");
    let tiles = seen["tiles"].as_array().expect("tiles");
    assert!(tiles.iter().any(|tile| tile["tile"] == "2m"), "{seen}");
    assert!(tiles.iter().all(|tile| tile["box"][2].as_u64() > tile["box"][0].as_u64()), "{seen}");
}

/// Returns a service with a set that was learned from the tiles of [`HAND`].
fn service_with_a_set() -> Service {
    let set = learn_set("Home", &photo(HAND));
    let reader = Reader::with_model(PaintedModel::default()).with_sets(vec![set]);
    let service = Service::builder(limits()).build();
    service.ready(Arc::new(reader.expect("a shelf")));
    service
}

#[tokio::test]
async fn a_photo_is_read_with_the_set_that_is_named_or_explains_it() {
    let service = service_with_a_set();
    let plain = send(&service, request("", photo(HAND))).await;
    assert_eq!(plain.json["reading"].get("set"), None);
    for choice in ["Home", "auto"] {
        let answer = send(&service, request(&format!("?set={choice}"), photo(HAND))).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let used = &answer.json["reading"]["set"];
        assert_eq!((&used["asked"], &used["used"]), (&json!(choice), &json!("Home")), "{used}");
        assert_eq!(answer.json["reading"]["hand"], plain.json["reading"]["hand"]);
        let compact = format!("?set={choice}&detail=compact");
        let compact = send(&service, request(&compact, photo(HAND))).await;
        assert_eq!(compact.json["set"], *used);
    }
    let body = json!({ "photo": BASE64.encode(photo(HAND)), "set": "Home" }).to_string();
    let answer = post_json(&service, "/v1/hands?set=Home", &body).await;
    assert_eq!(answer.json["reading"]["set"]["used"], "Home", "{answer:?}");
    let differs = post_json(&service, "/v1/hands?set=auto", &body).await;
    assert_eq!(differs.status, 422);
    assert_eq!(differs.json["errors"][0]["field"], "set");
}

#[tokio::test]
async fn a_set_that_does_not_exist_is_named() {
    let service = service_with_a_set();
    let unknown = send(&service, request("?set=Club", photo(HAND))).await;
    assert_eq!(unknown.status, 422, "{unknown:?}");
    assert_eq!(unknown.json["errors"][0]["field"], "set");
    let detail = unknown.json["errors"][0]["detail"].as_str().expect("text");
    assert!(detail.contains("`Home`"), "{detail}");
    let without = read("?set=Club", photo(HAND)).await;
    assert_eq!(without.status, 422, "{without:?}");
    assert_eq!(read("?set=auto", photo(HAND)).await.json["reading"]["set"]["used"], json!(null));
    for wrong in ["", "%20Home", "none", "a%0Ab"] {
        let answer = send(&service, request(&format!("?set={wrong}"), photo(HAND))).await;
        assert_eq!(answer.json["errors"][0]["field"], "set", "{wrong}: {answer:?}");
        assert_eq!(answer.status, 400, "{wrong}");
    }
}

#[tokio::test]
async fn a_focus_that_is_none_is_named() {
    let outside = read("?focus=641,10", two_hands()).await;
    outside.is_problem(422, "invalid-context");
    assert_eq!(outside.json["errors"][0]["field"], "focus");
    let text = read("?focus=left", two_hands()).await;
    text.is_problem(400, "malformed-request");
    assert_eq!(text.json["errors"][0]["field"], "focus");
    let body = json!({ "hand": "123456789m11pFFF" }).to_string();
    let typed = post_json(&service(), "/v1/score?focus=1,1", &body).await;
    typed.is_problem(400, "malformed-request");
}

#[tokio::test]
async fn every_form_of_upload_is_read_alike() {
    let service = ready(limits(), PaintedModel::default());
    let raw = send(&service, request("?win=self_drawn", photo(HAND))).await;
    let body = json!({ "photo": BASE64.encode(photo(HAND)), "context": { "win": "self_drawn" } });
    let typed = post_json(&service, "/v1/hands", &body.to_string()).await;
    let mut form = b"--edge\r\nContent-Disposition: form-data; name=\"photo\"\r\n\r\n".to_vec();
    form.extend(photo(HAND));
    form.extend(b"\r\n--edge\r\nContent-Disposition: form-data; name=\"context\"\r\n\r\n");
    form.extend(b"{ \"win\": \"self_drawn\" }\r\n--edge--\r\n");
    let multipart =
        Request::post("/v1/hands").header(CONTENT_TYPE, "multipart/form-data; boundary=edge");
    let multipart = send(&service, multipart.body(form.into()).expect("a request")).await;
    assert_eq!(raw.status, 200);
    for answer in [typed, multipart] {
        assert_eq!(answer.json["reading"], raw.json["reading"]);
    }
}

#[tokio::test]
async fn fans_are_named_in_the_language_asked_for() {
    let service = ready(limits(), PaintedModel::default());
    let name = async |lang: &str| {
        let mut request = request("", photo(HAND));
        request.headers_mut().insert("accept-language", lang.parse().expect("a header"));
        send(&service, request).await.json["reading"]["score"]["awards"][0]["name"].to_string()
    };
    assert_ne!(name("zh-CN").await, name("en").await);
}

#[tokio::test]
async fn a_photo_is_scored_by_several_rule_sets() {
    let answer = read("?rulesets=mcr-mil,mcr-wmo", photo(HAND)).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let scores = answer.json["scores"].as_array().expect("a list");
    let named: Vec<_> = scores.iter().map(|one| one["ruleset"].clone()).collect();
    assert_eq!(named, ["mcr-mil", "mcr-wmo"]);
    assert_eq!(scores[0]["score"], answer.json["reading"]["score"], "the first is the reading's");
    let alone = read("?ruleset=mcr-wmo", photo(HAND)).await;
    assert_eq!(scores[1]["score"], alone.json["reading"]["score"]);
    assert!(alone.json.get("scores").is_none());
    // No tile lies apart: the score supposes a winning tile, and so do the scores side by side.
    let supposed =
        read("?rulesets=mcr-wmo", photo("2m 3m 4m 5m 6m 7m 2p 3p 4p 6s 7s 8s 5s 5s")).await;
    assert!(supposed.json["reading"]["hand"]["winning_tile"].is_null(), "{supposed:?}");
    assert_eq!(supposed.json["scores"][0]["score"], supposed.json["reading"]["score"]);
    let short = read("?rulesets=mcr-wmo", photo("2m 3m 4m 5m 6m 7m 2p 3p 4p 5s 5s - 8s")).await;
    let problem = &short.json["scores"][0]["problem"];
    assert_eq!(problem["type"], "urn:tilesight:problem:invalid-hand", "{short:?}");
}

#[tokio::test]
async fn a_photo_without_tiles_is_no_hand() {
    let empty = read("", photo("")).await;
    empty.is_problem(422, "no-hand");
    assert_eq!(empty.json["seen"]["tiles"], json!([]), "{:?}", empty.json);
}

/// Returns the values of some fields of each entry of a list.
fn columns(list: &Value, fields: &[&str]) -> Vec<Vec<Value>> {
    let entries = list.as_array().expect("a list").iter();
    entries.map(|entry| fields.iter().map(|&field| entry[field].clone()).collect()).collect()
}

/// Riichi and Hong Kong can be itemised from a compact answer, and what was assumed can be sent
/// back.
#[tokio::test]
async fn a_compact_score_says_what_every_award_is_worth() {
    let fields = [
        "han",
        "fu",
        "limit",
        "yakuman",
        "counted_yakuman",
        "sticks",
        "faan",
        "raw_faan",
        "limit_hand",
        "total",
    ];
    let of_award = ["code", "points", "doublings", "limits", "faan", "han", "count"];
    let row = "2m 3m 4m 0m 6m 7m 2p 3p 4p 6s 7s 0s 5s - 8s";
    for ruleset in ["riichi-tenhou", "hk-old", "classical-dmjl"] {
        let query = format!("?ruleset={ruleset}&dora_indicators=4s&riichi=riichi&win=self_drawn");
        let full = read(&query, photo(row)).await.json;
        let compact = read(&format!("{query}&detail=compact"), photo(row)).await.json;
        let (whole, score) = (&full["reading"]["score"], &compact["score"]);
        for field in fields {
            assert_eq!(score.get(field), whole.get(field), "{ruleset} {field}: {compact}");
        }
        let worth = columns(&score["awards"], &of_award);
        assert_eq!(worth, columns(&whole["awards"], &of_award), "{ruleset}");
        let assumed = &score["assumed"];
        let hand = compact["hand"]["notation"].clone();
        let body = json!({ "hand": hand, "context": assumed }).to_string();
        let sent = post_json(&service(), "/v1/score", &body).await;
        assert_eq!(sent.status, 200, "{assumed}: {sent:?}");
    }
    let open = read("?ruleset=riichi-tenhou&detail=compact", photo(HAND)).await.json;
    let assumed = &open["score"]["assumed"];
    assert_eq!((&assumed["ippatsu"], &assumed["dora_indicators"]), (&json!(false), &json!([])));
    let body = json!({ "reading": open, "context": assumed }).to_string();
    let sent = post_json(&service(), "/v1/readings/answers", &body).await;
    assert_eq!(sent.status, 200, "{sent:?}");
    assert_eq!(sent.json["score"]["ruleset"], "riichi-tenhou");
}

/// The promise of a compact answer: 4 kB for 14 tiles, and 6 kB with what else a hand can have.
#[tokio::test]
async fn a_compact_answer_with_flowers_is_small() {
    let concealed = "2m 3m 4m 5m 6m 7m 2p 3p 4p 6s 7s 8s 5s 5s";
    for (flowers, max) in [("", 4096), (" f1 f2 f3 f4 s1 s2 s3 s4", 6144)] {
        for query in ["?detail=compact", "?detail=compact&ruleset=riichi-tenhou"] {
            let answer = read_in("de", query, photo(&format!("{concealed}{flowers}"))).await;
            assert_eq!(answer.status, 200, "{answer:?}");
            let bytes = answer.json.to_string().len();
            assert!(bytes <= max, "{bytes} bytes for {query}{flowers}");
        }
    }
}

#[tokio::test]
async fn twelve_tiles_need_review() {
    let answer = read("", photo("2m 3m 4m 5m 6m 7m 2p 3p 4p 5s 5s - 8s")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.json["reading"]["status"], "needs_review");
    assert!(answer.doubts().contains(&"tile_count"), "{answer:?}");
    assert!(answer.json["reading"]["score"].is_null());
}

#[tokio::test]
async fn a_reading_without_a_score_says_why_in_the_language_of_the_request() {
    const FIVE: &str = "2m 3m 4m 5m 6m 7m 5s 5s 5s 6s 7s 5s 5s";
    for (row, query, kind, expected) in [
        ("2m 3m 4m 5m 6m 7m 2p 3p 4p 5s 5s - 8s", "", "invalid_hand", "verdeckte Ziegel"),
        ("2m 3m 4m 5m 6m 7m 2p 3p 4p 6s E 5s 5s - 8s", "", "not_a_win", "keine Siegerhand"),
        ("2m 2m 3m 3m 5m 5m 6p 6p 8p 8p 7s 7s E E", "?win=robbed_kong", "invalid_context", "`win`"),
        (HAND, "?won=false", "not_won", "die Regeln werten nur"),
        (FIVE, "?ruleset=classical-dmjl&won=false", "invalid_hand", "Exemplare von 5s"),
    ] {
        let answer = read_in("de", query, photo(row)).await;
        let reading = &answer.json["reading"];
        assert!(reading["score"].is_null(), "{answer:?}");
        assert_eq!(reading["no_score"]["kind"], kind, "{answer:?}");
        let detail = reading["no_score"]["detail"].as_str().expect("text");
        assert!(detail.contains(expected), "{row}: {detail}");
    }
    let scored = read("", photo(HAND)).await;
    assert!(scored.json["reading"].get("no_score").is_none(), "{scored:?}");
}

#[tokio::test]
async fn five_of_a_kind_need_review() {
    let answer = read("", photo("2m 3m 4m 5m 6m 7m 5s 5s 5s 6s 7s 5s 5s - 8s")).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.json["reading"]["status"], "needs_review");
    assert!(answer.doubts().contains(&"too_many_copies"), "{answer:?}");
}

#[tokio::test]
async fn files_that_are_no_photos_are_refused() {
    let whole = photo(HAND);
    let heic = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic".to_vec();
    let film = b"\0\0\0\x18ftypisom\0\0\0\0mp41isom".to_vec();
    read("", whole[..whole.len() / 2].to_vec()).await.is_problem(400, "unreadable-image");
    read("", whole[..20].to_vec()).await.is_problem(400, "unreadable-image");
    read("", "GIF89a not read here").await.is_problem(415, "unsupported-media");
    read("", film).await.is_problem(415, "unsupported-media");
    read("", heic).await.is_problem(400, "unreadable-image");
    read("", "a letter, declared as a picture").await.is_problem(415, "unsupported-media");
    read("", "").await.is_problem(400, "malformed-request");
    read("", vec![0; limits().body_bytes + 1]).await.is_problem(413, "too-large");
}

#[tokio::test]
async fn a_context_that_cannot_be_is_named() {
    let cases = [
        ("?sheat=E", 400, "malformed-request", "context.sheat"),
        ("?win=self_drawn&from=left", 422, "invalid-context", "context.from"),
        ("?win=kong_replacement", 422, "invalid-context", "context.win"),
        ("?win=robbed_kong&last_wall_tile=true", 422, "invalid-context", "context.last_wall_tile"),
    ];
    for (query, status, kind, field) in cases {
        let answer = read(query, photo(HAND)).await;
        answer.is_problem(status, kind);
        assert_eq!(answer.json["errors"][0]["field"], field, "{query}");
    }
}

#[tokio::test]
async fn a_context_that_contradicts_a_guess_needs_review() {
    let pairs = photo("2m 2m 3m 3m 5m 5m 6p 6p 8p 8p 7s 7s E E");
    for (query, field) in
        [("?last_of_kind=true", "context.last_of_kind"), ("?win=robbed_kong", "context.win")]
    {
        let answer = read(query, pairs.clone()).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let reading = &answer.json["reading"];
        assert_eq!(reading["status"], "needs_review", "{query}");
        assert!(reading["score"].is_null(), "{query}");
        let doubts = reading["doubts"].as_array().expect("doubts");
        let named = |doubt: &Value| doubt["kind"] == "contradiction" && doubt["field"] == field;
        assert!(doubts.iter().any(named), "{query}: {doubts:?}");
    }
}

#[tokio::test]
async fn other_paths_and_methods_are_problems() {
    let service = service();
    let ask = async |method: &str, path: &str| {
        let request = Request::builder().method(method).uri(path).body(Body::empty());
        send(&service, request.expect("a request")).await
    };
    ask("GET", "/v1").await.is_problem(404, "not-found");
    ask("POST", "/v1/hand").await.is_problem(404, "not-found");
    for (method, path, allowed) in
        [("GET", "/v1/hands", "POST"), ("PUT", "/v1/score", "POST"), ("POST", "/livez", "GET")]
    {
        let answer = ask(method, path).await;
        answer.is_problem(405, "method-not-allowed");
        assert!(answer.headers[ALLOW].to_str().expect("text").contains(allowed), "{answer:?}");
    }
}

#[tokio::test]
async fn health_follows_the_life_of_the_service() {
    let service = service();
    let ask = async |path: &str| {
        send(&service, Request::get(path).body(Body::empty()).expect("a request")).await
    };
    assert_eq!(ask("/livez").await.status, 200);
    ask("/readyz").await.is_problem(503, "unavailable");
    send(&service, request("", photo(HAND))).await.is_problem(503, "unavailable");
    service.ready(Arc::new(Reader::with_model(PaintedModel::default())));
    assert_eq!(ask("/readyz").await.status, 200);
    service.stop();
    ask("/readyz").await.is_problem(503, "unavailable");
    assert_eq!(ask("/livez").await.status, 200);
    let accepted = send(&service, request("", photo(HAND))).await;
    assert_eq!(accepted.status, 200, "what is accepted is answered");
}

/// Misbehaviour of a [`Made`] model.
#[derive(Debug)]
enum Misbehaviour {
    Panic,
    Fail,
    /// Reports that it has started, then waits to be released.
    Wait(Mutex<(Sender<()>, Receiver<()>)>),
}

/// Model that misbehaves.
#[derive(Debug)]
struct Made {
    deed: Misbehaviour,
    painted: PaintedModel,
    /// Number of times that tiles were refined.
    refined: Arc<AtomicUsize>,
}

impl Made {
    fn new(deed: Misbehaviour) -> Made {
        Made { deed, painted: PaintedModel::default(), refined: Arc::default() }
    }

    /// Returns a model that waits, with the channel ends that receive its start and release it.
    fn waiting() -> (Made, Receiver<()>, Sender<()>) {
        let (started, starts) = channel();
        let (go, going) = channel();
        (Made::new(Misbehaviour::Wait(Mutex::new((started, going)))), starts, go)
    }
}

impl Model for Made {
    fn manifest(&self) -> &Manifest {
        self.painted.manifest()
    }

    fn detect(&self, image: &Cells) -> Result<DetectorMaps, ModelError> {
        match &self.deed {
            Misbehaviour::Panic => panic!("a secret of this machine"),
            Misbehaviour::Fail => {
                Err(ModelError::NoModel { file: "/a/secret".to_owned(), advice: "" })
            }
            Misbehaviour::Wait(ends) => {
                let ends = ends.lock().expect("no panic here");
                // The test may have dropped its ends.
                let _ = ends.0.send(());
                let _ = ends.1.recv();
                self.painted.detect(image)
            }
        }
    }

    fn refine(&self, crops: &Planes) -> Result<Vec<Corners>, ModelError> {
        self.refined.fetch_add(1, Ordering::Relaxed);
        self.painted.refine(crops)
    }

    fn classify(&self, crops: &Planes) -> Result<ClassifierRows, ModelError> {
        self.painted.classify(crops)
    }
}

#[tokio::test]
async fn internal_errors_are_not_disclosed() {
    for deed in [Misbehaviour::Panic, Misbehaviour::Fail] {
        let service = ready(limits(), Made::new(deed));
        let answer = send(&service, request("", photo(HAND))).await;
        answer.is_problem(500, "internal");
        assert!(!answer.json.to_string().contains("secret"), "{answer:?}");
        let again = Request::get("/livez").body(Body::empty()).expect("a request");
        assert_eq!(send(&service, again).await.status, 200);
    }
}

#[tokio::test]
async fn a_panic_in_a_network_costs_one_request() {
    // The large classifier looks at bonus tiles.
    let with_flower = format!("{HAND} - f1");
    for network in ["detector", "refiner", "classifier", "large_classifier"] {
        let service = ready(narrow(), PanickingModel::once_in(network));
        let first = send(&service, request("", photo(&with_flower))).await;
        first.is_problem(500, "internal");
        let next = timeout(Duration::from_secs(60), send(&service, request("", photo(HAND)))).await;
        let next = next.unwrap_or_else(|_| panic!("no session of the {network} came back"));
        assert_eq!(next.status, 200, "after a panic in the {network}: {next:?}");
        assert_eq!(next.json["reading"]["hand"]["winning_tile"], "8s", "{next:?}");
    }
}

/// Limits with one worker and no room to wait.
fn narrow() -> Limits {
    Limits { workers: 1, waiting: 0, ..limits() }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_without_a_place_is_told_to_come_back() {
    let (model, starts, go) = Made::waiting();
    let service = ready(narrow(), model);
    let first = tokio::spawn({
        let service = service.clone();
        async move { send(&service, request("", photo(HAND))).await }
    });
    tokio::task::block_in_place(|| starts.recv()).expect("the first is being read");
    let second = send(&service, request("", photo(HAND))).await;
    second.is_problem(503, "unavailable");
    assert_eq!(second.headers[RETRY_AFTER], "1");
    drop(go);
    assert_eq!(first.await.expect("no panic").status, 200);
}

/// A client that leaves gives its worker back once the stage that it is in has ended.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_slot_is_held_until_the_work_ends() {
    let (model, starts, go) = Made::waiting();
    let refined = Arc::clone(&model.refined);
    let service = ready(narrow(), model);
    let left = tokio::spawn({
        let service = service.clone();
        async move { send(&service, request("", photo(HAND))).await }
    });
    tokio::task::block_in_place(|| starts.recv()).expect("it is being read");
    left.abort();
    assert!(left.await.is_err_and(|error| error.is_cancelled()), "the client has left");
    let next = send(&service, request("", photo(HAND))).await;
    assert!(
        next.json["detail"].as_str().is_some_and(|detail| detail.contains("too many")),
        "{next:?}"
    );
    drop(go);
    service.admission().place_free().await;
    assert!(service.admission().enter(&nobody()).is_ok());
    assert_eq!(refined.load(Ordering::Relaxed), 0, "no further stage was begun");
}
