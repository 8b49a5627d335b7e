//! `tilesight read` through the real binary: the shape of its answers, what it says when something is
//! wrong, and that nothing it has found is lost.
//!
//! Photos need ONNX Runtime and the models; without them these tests fail, and the program says what
//! to run.
#![cfg(all(feature = "cli", feature = "vision"))]

use std::process::{Command, Output};

use serde_json::Value;
use tilesight::contract::AnswerDto;

const DEMO: &str = "datasets/samples/demo.jpg";

fn read(args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilesight"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).arg("read").args(args);
    command.output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn an_answer_has_the_envelope_of_the_contract() {
    let output = read(&[DEMO, "--json"]);
    let answer: AnswerDto = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {output:?}"));
    assert_eq!((answer.file.as_deref(), answer.request_id), (Some(DEMO), None));
    assert!(answer.reading.tiles.len() >= 14);
    let steps = answer.timings_ms.iter().filter(|(step, _)| *step != "total");
    let sum: f64 = steps.map(|(_, took)| took).sum();
    assert!((answer.timings_ms["total"] - sum).abs() < 1.0, "{:?}", answer.timings_ms);
}

#[test]
fn a_complaint_is_made_once() {
    let output = read(&[DEMO, "--win", "self_drawn", "--from", "left"]);
    assert_eq!(output.status.code(), Some(2));
    let expected = format!(
        "error: {DEMO}: The circumstances contradict\n  \
         context.from: the winning tile was self-drawn: nobody discarded it\n"
    );
    assert_eq!(text(&output.stderr), expected);
}

#[test]
fn circumstances_that_cannot_be_read_are_about_no_photo() {
    let context = "tests/no-such-file.json";
    let output = read(&[DEMO, "--context", context]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).starts_with(&format!("error: {context}: ")), "{output:?}");
    let output = read(&[DEMO, "--context", context, "--json"]);
    let answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(answer["error"]["detail"].is_string() && answer.get("file").is_none(), "{answer}");
}

#[test]
fn a_picture_that_cannot_be_written_does_not_cost_the_reading() {
    let output = read(&[DEMO, "--overlay", "no/such/folder/seen.png"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stdout).contains("Payments"), "{output:?}");
    assert!(text(&output.stderr).contains("no/such/folder/seen.png"), "{output:?}");
}
