//! A classical table of four photos through the real program: one request over HTTP, one command.
//!
//! The photos are those of `datasets/games`. South's flower is read as f2, South's own, which
//! doubles, with some doubt: it could be f3. Photos need ONNX Runtime and the models; without them
//! the tests fail and print the command to run.

use std::path::Path;
use std::process::Output;

use crate::client::Answer;
use crate::service::{Service, tilesight};
use serde_json::{Value, json};

const CONTEXT: &str =
    r#"{ "ruleset": "classical-dmjl", "seat": "E", "prevalent": "E", "win": "self_drawn" }"#;

/// Payments for the values of the four hands, worked out from the tiles: East wins 84, South holds
/// 24, West 8, North 24.
const SETTLED: [i64; 4] = [504, -152, -200, -152];
/// Payments if South has another flower, which does not double South's 12 points.
const UNDOUBLED: [i64; 4] = [504, -176, -188, -140];

fn path(seat: &str) -> String {
    format!("datasets/games/classical-{seat}.jpg")
}

fn photo(seat: &str) -> Vec<u8> {
    let photo = Path::new(env!("CARGO_MANIFEST_DIR")).join(path(seat));
    std::fs::read(photo).expect("the photos are committed")
}

fn post(service: &Service, parts: &[(&str, &[u8])]) -> Answer {
    service.client().post_form("/v1/hands", parts)
}

fn paid(payments: &Value) -> [i64; 4] {
    ["E", "S", "W", "N"].map(|seat| payments[seat].as_i64().expect("points"))
}

/// Returns the answer f3 to the doubt about South's flower.
fn third_flower(south: &Value) -> &Value {
    let doubts = south["reading"]["doubts"].as_array().expect("doubts").iter();
    let mut answers = doubts.flat_map(|doubt| doubt["alternatives"].as_array().expect("answers"));
    answers.find(|answer| answer["answer"] == "f3").expect("f3 is offered")
}

#[test]
fn four_photos_in_one_request_settle_the_table() {
    let service = Service::start();
    let [east, south, west, north] = ["east", "south", "west", "north"].map(photo);
    let others: [(&str, &[u8]); 3] = [("photo_S", &south), ("photo_W", &west), ("photo_N", &north)];
    let context: (&str, &[u8]) = ("context", CONTEXT.as_bytes());
    let table = post(&service, &[&[("photo", east.as_slice()), context], &others[..]].concat());
    assert_eq!(table.status, 200, "{table:?}");
    let table = table.json();
    let score = &table["reading"]["score"];
    assert_eq!((&score["total"], paid(&score["payments"])), (&json!(84), SETTLED));
    assert!(score.get("unsettled").is_none(), "{score}");
    let south = &table["others"][0];
    assert_eq!(
        (&south["seat"], &south["reading"]["status"]),
        (&json!("S"), &json!("needs_review"))
    );
    assert_eq!(table["table_status"], "needs_review", "South's flower decides who pays whom");
    // The doubt has the totals of its answers.
    let answer = third_flower(south);
    assert_eq!((&answer["total"], paid(&answer["payments"])), (&json!(12), UNDOUBLED));

    // To answer it, a client sends the typed hand together with the other photos, ...
    let corrected = json!([{ "seat": "S", "hand": answer["hand"] }]).to_string();
    let parts: [(&str, &[u8]); 5] =
        [("photo", &east), ("others", corrected.as_bytes()), others[1], others[2], context];
    let again = post(&service, &parts).json();
    assert_eq!(paid(&again["reading"]["score"]["payments"]), UNDOUBLED, "{again}");
    // ... or all hands typed, without any photo.
    let read = |at: usize| {
        let other = &table["others"][at];
        json!({ "seat": other["seat"], "hand": other["reading"]["hand"] })
    };
    let body = json!({
        "reading": table["reading"],
        "hand": table["reading"]["hand"],
        "context": serde_json::from_str::<Value>(CONTEXT).expect("JSON"),
        "others": [read(0), read(1), without_flowers(read(2))],
    });
    let scored = service.client().post(
        "/v1/readings/answers",
        "application/json",
        body.to_string().as_bytes(),
    );
    assert_eq!(scored.status, 200, "{scored:?}");
    let payments = scored.json()["score"]["payments"].clone();
    // North's season adds four points.
    assert_eq!(paid(&payments), [504, -148, -196, -160]);
    let metrics = service.metric("tilesight_queue_places_free");
    assert!(metrics >= 1.0, "every place was given back");
}

/// Returns a hand without flowers, because North's season is read as East's flower, which a table
/// has once.
fn without_flowers(mut other: Value) -> Value {
    let hand = other["hand"].as_object_mut().expect("a hand");
    hand.insert("flowers".to_owned(), json!([]));
    hand.remove("notation");
    other
}

fn read(args: &[&str]) -> Output {
    let context =
        ["--ruleset", "classical-dmjl", "--seat", "E", "--prevalent", "E", "--win", "self_drawn"];
    let mut command = tilesight();
    command.arg("read").arg(path("east")).args(context).args(args).output().expect("it runs")
}

#[test]
fn one_command_reads_photos_and_typed_hands() {
    let (south, north) = (format!("S={}", path("south")), format!("N={}", path("north")));
    let west = "W=222p333sNN5679mP";
    let output = read(&["--other", &south, "--other", west, "--other", &north, "--json"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(paid(&answer["reading"]["score"]["payments"]), SETTLED);
    assert_eq!(
        (&answer["file"], &answer["others"][0]["file"]),
        (&json!(path("east")), &json!(path("south")))
    );
    assert_eq!(paid(&third_flower(&answer["others"][0])["payments"]), UNDOUBLED);

    let output = read(&["--other", &south, "--other", west]);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    for part in [
        "classical-east.jpg (E): ",
        "West, not won",
        "classical-south.jpg (S): ",
        "    f2 ",
        "E +504",
    ] {
        assert!(text.contains(part), "{part:?} is not in\n{text}");
    }
}

#[test]
fn errors_of_a_table_name_the_seat() {
    let south = format!("S={}", path("south"));
    for (args, said) in [
        (&["--other", "S=no-such-file.jpg"][..], "is neither a file nor a hand"),
        (&["--other", "X=11m"], "`X` is not accepted; expected one of `E`, `S`, `W`, `N`"),
        (&["--other", "E=11m"], "--other E: E is the winner's seat"),
        (&["--other", "S=11m", "--other", &south], "--other S: S has another hand already"),
        (&["--other", "W=11111m"], "--other W.hand"),
        (&["--other", "S=Cargo.toml"], "Cargo.toml: "),
        (&["datasets/games/classical-west.jpg", "--other", &south], "one hand that won, 2 given"),
    ] {
        let output = read(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
        let printed = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(printed.contains(said), "{said:?} is not in {printed}");
    }
}
