//! Tests that the sample answers of the API document and of `docs/contract.md` are what the service
//! returns.
//!
//! `UPDATE=1 cargo test --lib samples` rewrites them; `git diff` shows the changes.

use std::fs;

use tilesight_vision::contract::AnswerDto;

use super::*;
use crate::openapi::samples::SAMPLES;
use crate::testing::DOCUMENT;

/// All simples; no gap sets a winning tile apart.
const ROW: &str = "2m 3m 4m 5m 6m 7m 2p 3p 4p 6s 7s 8s 5s 5s";
/// Placeholder for the hash of a network: painted tiles need no network.
const HASH: &str = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";
/// Columns of a page.
const WIDTH: usize = 100;

/// Formats JSON, with every value on one line if it fits.
fn laid_out(value: &Value, indent: usize, before: usize) -> String {
    let line = value.to_string();
    if indent + before + line.len() < WIDTH {
        return spaced(value);
    }
    let pad = " ".repeat(indent + 2);
    let within: Vec<String> = match value {
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| {
                let name = json!(name).to_string();
                format!("{pad}{name}: {}", laid_out(value, indent + 2, name.len() + 2))
            })
            .collect(),
        Value::Array(items) => {
            items.iter().map(|item| format!("{pad}{}", laid_out(item, indent + 2, 0))).collect()
        }
        _ => return line,
    };
    let (open, close) = if value.is_object() { ('{', '}') } else { ('[', ']') };
    format!("{open}\n{}\n{}{close}", within.join(",\n"), " ".repeat(indent))
}

/// Formats a value on one line, with spaces where people put them.
fn spaced(value: &Value) -> String {
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            let fields =
                fields.iter().map(|(name, value)| format!("{}: {}", json!(name), spaced(value)));
            format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
        }
        Value::Array(items) => {
            format!("[{}]", items.iter().map(spaced).collect::<Vec<_>>().join(", "))
        }
        plain => plain.to_string(),
    }
}

/// Returns an answer with fixed values in place of those that differ each time.
fn settled(mut answer: Value) -> Value {
    if answer.get("request_id").is_some() {
        answer["request_id"] = json!("5f0c2e9a41d7b386-00002a");
    }
    if let Some(models) = answer.get_mut("models").and_then(Value::as_object_mut) {
        models.values_mut().for_each(|hash| *hash = json!(HASH));
    }
    if let Some(engine) = answer.get_mut("engine") {
        engine["version"] = json!("1.0.0");
    }
    if let Some(timings) = answer.get_mut("timings_ms").and_then(Value::as_object_mut) {
        timings.values_mut().zip(1..).for_each(|(took, at)| *took = json!(f64::from(at) + 0.5));
    }
    answer
}

/// Returns the current answer of the service.
async fn asked(name: &str) -> Value {
    let compact = async || read("?seat=S&detail=compact", photo(ROW)).await.json;
    let answer = match name {
        "full" => read("?seat=S", photo(ROW)).await.json,
        "compact" => compact().await,
        "answered" => {
            let reading = compact().await;
            let given = json!([{ "doubt": "winning_tile", "answer": "2m" }]);
            let body = json!({ "reading": reading, "answers": given, "detail": "compact",
                "context": { "seat": "S", "win": "self_drawn", "prevalent": "E" } });
            post_json(&service(), "/v1/readings/answers", &body.to_string()).await.json
        }
        _ => {
            let melds = json!([{ "kind": "chow", "tiles": ["1m", "2m", "4m"] }]);
            let body = json!({ "hand": { "concealed": ["1m", "9x"], "melds": melds } });
            post_json(&service(), "/v1/score", &body.to_string()).await.json
        }
    };
    settled(answer)
}

fn package(path: &str) -> String {
    format!("{}/../../{path}", env!("CARGO_MANIFEST_DIR"))
}

/// Returns a page with its samples replaced; each follows a comment that names it.
fn with_sample(page: &str, name: &str, text: &str) -> String {
    let head = format!("<!-- sample: {name} -->\n```json\n");
    let (before, rest) = page.split_once(&head).unwrap_or_else(|| panic!("no {head} in the docs"));
    let (_, after) = rest.split_once("```").expect("its end");
    format!("{before}{head}{text}```{after}")
}

#[tokio::test]
async fn the_samples_are_what_the_service_answers() {
    let update = std::env::var_os("UPDATE").is_some();
    let page = package("docs/contract.md");
    let shown = fs::read_to_string(&page).expect("the docs are committed");
    let mut now = shown.clone();
    for sample in SAMPLES {
        let text = laid_out(&asked(sample.name).await, 0, 0) + "\n";
        now = with_sample(&now, sample.name, &text);
        let file =
            package(&format!("crates/tilesight-service/src/openapi/samples/{}.json", sample.name));
        if update {
            fs::write(&file, &text).expect("it can be written");
        } else {
            assert_eq!(sample.text, text, "{file} is not what the service answers: UPDATE=1");
        }
    }
    if update {
        fs::write(&page, &now).expect("it can be written");
    } else {
        assert!(shown == now, "docs/contract.md has other samples: UPDATE=1");
    }
}

/// Returns a value without some fields, at any depth.
fn without(value: &Value, names: &[&str]) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(name, _)| !names.contains(&name.as_str()));
            fields.map(|(name, value)| (name.clone(), without(value, names))).collect()
        }
        Value::Array(items) => items.iter().map(|item| without(item, names)).collect(),
        plain => plain.clone(),
    }
}

#[tokio::test]
async fn an_answer_of_an_older_version_can_be_sent_back() {
    let full = SAMPLES.iter().find(|sample| sample.name == "full").expect("one");
    let full: Value = serde_json::from_str(full.text).expect("JSON");
    let added = ["no_score", "box", "range", "assumed_values", "verdict", "why_not"];
    let older = without(&full, &added);
    assert_ne!(older, full);
    serde_json::from_value::<AnswerDto>(older.clone()).expect("a stored answer");
    let corrected = json!({ "reading": older["reading"], "hand": "34567m234p55678s2m" });
    for body in [corrected, json!({ "reading": older["reading"] })] {
        let answer = post_json(&service(), "/v1/readings/answers", &body.to_string()).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }
}

#[test]
fn the_document_has_every_sample() {
    let document = DOCUMENT.to_string();
    for sample in SAMPLES {
        let value: Value = serde_json::from_str(sample.text).expect("JSON");
        assert!(document.contains(&value.to_string()), "{} is missing", sample.name);
    }
    let compact = SAMPLES.iter().find(|sample| sample.name == "compact").expect("one");
    let compact: Value = serde_json::from_str(compact.text).expect("JSON");
    assert!(compact.to_string().len() <= 4096, "{} bytes", compact.to_string().len());
}
