//! Answers to the doubts of real readings: an answer leads to the total that it announced, and
//! nothing is asked that is settled.
//!
//! Photos need ONNX Runtime and the models; without them the tests fail and say what to run.

use std::path::Path;

use crate::service::Service;
use serde_json::{Value, json};

/// Samples with doubts of several kinds: sets apart, flowers, an added kong, faces.
const SAMPLES: [&str; 5] = ["900002", "900003", "900012", "900015", "900083"];

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().expect(name)
}

fn answered(service: &Service, reading: &Value, answers: &[Value]) -> Value {
    let body = json!({ "reading": reading, "answers": answers });
    let answer = service.client().post(
        "/v1/readings/answers",
        "application/json",
        body.to_string().as_bytes(),
    );
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

#[test]
fn every_answer_leads_to_the_total_that_it_announced() {
    let service = Service::start();
    let mut tried = 0;
    for sample in SAMPLES {
        let photo =
            Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("datasets/samples/{sample}.jpg"));
        let photo = std::fs::read(photo).expect("the samples are committed");
        let answer = service.client().post("/v1/hands", "image/jpeg", &photo).json();
        let reading = &answer["reading"];
        let unchanged = answered(&service, reading, &[]);
        assert_eq!(unchanged["hand"], reading["hand"], "{sample}");
        assert_eq!(unchanged["score"]["total"], reading["score"]["total"], "{sample}");
        for doubt in list(reading, "doubts") {
            for one in list(doubt, "alternatives").iter().filter(|one| one["hand"].is_string()) {
                let given = json!({ "doubt": doubt["id"], "answer": one["answer"] });
                let after = answered(&service, reading, &[given]);
                assert_eq!(after["hand"]["notation"], one["hand"], "{sample} {doubt}");
                assert_eq!(after["score"]["total"], one["total"], "{sample} {doubt}");
                let left = list(&after, "doubts");
                assert!(left.iter().all(|other| other["id"] != doubt["id"]), "{sample} {doubt}");
                tried += 1;
            }
        }
    }
    assert!(tried >= 15, "only {tried} answers were tried");
}

#[test]
fn after_all_answers_nothing_is_asked() {
    let service = Service::start();
    let photo = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/samples/900002.jpg");
    let photo = std::fs::read(photo).expect("the samples are committed");
    let answer =
        service.client().post("/v1/hands?win=discard&seat=E&prevalent=E", "image/jpeg", &photo);
    let reading = &answer.json()["reading"];
    let mut answers: Vec<Value> = Vec::new();
    let mut doubts = list(reading, "doubts").to_vec();
    while let Some(first) = doubts.first() {
        assert!(answers.len() < 10, "the questions do not end: {answers:?}");
        let reply = first["alternatives"].get(0).map(|one| one["answer"].clone());
        answers.push(json!({ "doubt": first["id"], "answer": reply }));
        let after = answered(&service, reading, &answers);
        doubts = list(&after, "doubts").to_vec();
        if doubts.is_empty() {
            assert_eq!(after["status"], "ok", "{after}");
        }
    }
    assert!(answers.len() > 1);
}
