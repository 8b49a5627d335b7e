//! Answers to the doubts of real readings: an answer results in the total that it announced, and no
//! question is outdated or empty after an answer, another win context or a change of the hand.
//!
//! Photos need ONNX Runtime and the models; without them the tests fail and print the command to
//! run.

use std::path::{Path, PathBuf};

use crate::service::Service;
use serde_json::{Value, json};

/// Samples with doubts of several kinds: sets apart, flowers, an added kong, faces.
const SAMPLES: [&str; 5] = ["900002", "900003", "900012", "900015", "900083"];

/// Win contexts that a person may give after the photo.
const CONTEXTS: [&str; 3] = [
    "{}",
    r#"{ "win": "self_drawn", "seat": "S" }"#,
    r#"{ "win": "discard", "from": "right", "seat": "W", "prevalent": "S", "ruleset": "mmm" }"#,
];

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().expect(name)
}

fn photo_path(sample: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("datasets/samples/{sample}.jpg"))
}

fn answer(service: &Service, sample: &str, query: &str) -> Value {
    let photo = std::fs::read(photo_path(sample)).expect("the samples are committed");
    let answer = service.client().post(&format!("/v1/hands{query}"), "image/jpeg", &photo);
    assert_eq!(answer.status, 200, "{sample}: {answer:?}");
    answer.json()
}

fn read(service: &Service, sample: &str) -> Value {
    answer(service, sample, "")["reading"].clone()
}

fn send(service: &Service, body: &Value) -> Value {
    let body = body.to_string();
    let answer = service.client().post("/v1/readings/answers", "application/json", body.as_bytes());
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

/// Returns every answer of a reading that makes a hand, with its doubt.
fn answers(reading: &Value) -> impl Iterator<Item = (&Value, &Value)> {
    list(reading, "doubts").iter().flat_map(|doubt| {
        let each = list(doubt, "alternatives").iter();
        each.filter(|one| one["hand"].is_string()).map(move |one| (doubt, one))
    })
}

#[test]
fn every_answer_leads_to_the_total_that_it_announced() {
    let service = Service::start();
    let mut tried = 0;
    for sample in SAMPLES {
        let reading = read(&service, sample);
        let unchanged = send(&service, &json!({ "reading": reading }));
        assert_eq!(unchanged["hand"], reading["hand"], "{sample}");
        assert_eq!(unchanged["score"]["total"], reading["score"]["total"], "{sample}");
        for (doubt, one) in answers(&reading) {
            let given = json!([{ "doubt": doubt["id"], "answer": one["answer"] }]);
            let after = send(&service, &json!({ "reading": reading, "answers": given }));
            assert_eq!(after["hand"]["notation"], one["hand"], "{sample} {doubt}");
            assert_eq!(after["score"]["total"], one["total"], "{sample} {doubt}");
            let left = list(&after, "doubts");
            assert!(left.iter().all(|other| other["id"] != doubt["id"]), "{sample} {doubt}");
            tried += 1;
        }
    }
    assert!(tried >= 15, "only {tried} answers were tried");
}

/// Returns the values that a compact doubt and its answers share with the full one.
fn essence(doubt: &Value, list_name: &str) -> Value {
    let answers = list(doubt, list_name).iter();
    // A compact answer that is the winning tile contains no hand.
    let is_named = doubt["kind"] == "winning_tile";
    let hand = |one: &Value| if is_named { Value::Null } else { one["hand"].clone() };
    let answers = answers.map(|one| json!([one["answer"], one["total"], hand(one)]));
    json!([doubt["id"], doubt["affects_score"], answers.collect::<Vec<_>>()])
}

#[test]
fn a_compact_reading_takes_the_same_answers() {
    let service = Service::start();
    for sample in ["900002", "900015"] {
        let (reading, compact) =
            (read(&service, sample), answer(&service, sample, "?detail=compact"));
        let outlines: Vec<&Value> =
            list(&compact, "doubts").iter().flat_map(|doubt| list(doubt, "tiles")).collect();
        for doubt in list(&compact, "doubts") {
            let Some(choice) = doubt["answers"].get(0) else { continue };
            let given = json!([{ "doubt": doubt["id"], "answer": choice["send"] }]);
            let after_full = send(&service, &json!({ "reading": reading, "answers": given }));
            let body = json!({ "reading": compact, "answers": given, "detail": "compact" });
            let after = send(&service, &body);
            assert_eq!(after["hand"], after_full["hand"], "{sample} {doubt}");
            assert_eq!(after["score"]["total"], after_full["score"]["total"], "{sample} {doubt}");
            assert_eq!(after["status"], after_full["status"], "{sample} {doubt}");
            let left: Vec<Value> =
                list(&after, "doubts").iter().map(|one| essence(one, "answers")).collect();
            let left_of_full: Vec<Value> = list(&after_full, "doubts")
                .iter()
                .map(|one| essence(one, "alternatives"))
                .collect();
            assert_eq!(left, left_of_full, "{sample} {doubt}");
            for outline in list(&after, "doubts").iter().flat_map(|doubt| list(doubt, "tiles")) {
                assert!(outlines.contains(&outline), "{sample}: {outline} was in the reading");
            }
        }
    }
}

/// The app of docs/http.md, against this service and on a photo with doubts.
#[test]
fn an_app_corrects_a_reading_in_twenty_lines_of_python() {
    let service = Service::start();
    let sample = photo_path("900002");
    let compact = answer(&service, "900002", "?detail=compact&seat=S&win=self_drawn");
    let doubt = &list(&compact, "doubts")[0];
    let choice = &doubt["answers"][0];

    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/http.md");
    let page = std::fs::read_to_string(page).expect("the docs are committed");
    let blocks = page.split("<!-- run: python -->\n```python\n").skip(1);
    let mut blocks = blocks.filter_map(|block| block.split("```").next());
    let program = blocks.find(|block| block.contains("/v1/readings/answers")).expect("the app");
    assert!(program.lines().filter(|line| !line.trim().is_empty()).count() <= 20, "{program}");
    let folder = crate::service::folder("app");
    std::fs::copy(&sample, folder.join("photo.jpg")).expect("a copy");
    let program = program.replace("http://localhost:8080", &format!("http://{}", service.address));
    let output = std::process::Command::new("python3")
        .args(["-c", &program])
        .current_dir(&*folder)
        .output()
        .expect("Python 3");
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{output:?}");
    let mut lines = printed.lines();
    let asked = lines.next().expect("a question");
    assert!(asked.starts_with(doubt["question"].as_str().expect("text")), "{asked}");
    let scored: Vec<&str> = lines.next().expect("a score").split(' ').collect();
    assert_eq!(scored[0], choice["hand"].as_str().expect("a hand"), "{printed}");
    assert_eq!(scored[2], choice["total"].to_string(), "{printed}");
}

#[test]
fn after_all_answers_nothing_is_asked() {
    let service = Service::start();
    let reading = read(&service, "900002");
    let context = json!({ "win": "discard", "seat": "E", "prevalent": "E" });
    let mut answers: Vec<Value> = Vec::new();
    let mut doubts = list(&reading, "doubts").to_vec();
    while let Some(first) = doubts.first() {
        assert!(answers.len() < 10, "the questions do not end: {answers:?}");
        let reply = first["alternatives"].get(0).map(|one| one["answer"].clone());
        answers.push(json!({ "doubt": first["id"], "answer": reply }));
        let body = json!({ "reading": reading, "answers": answers, "context": context });
        let after = send(&service, &body);
        doubts = list(&after, "doubts").to_vec();
        if doubts.is_empty() {
            assert_eq!(after["status"], "ok", "{after}");
        }
    }
    assert!(answers.len() > 1);
}

/// Returns the lowest and the highest total that are possible after an answer, or for a reading.
fn ends(left: &Value, total: &Value) -> (Value, Value) {
    let or_total = |end: &Value| if end.is_null() { total.clone() } else { end.clone() };
    (or_total(&left["min"]), or_total(&left["max"]))
}

/// Gives every answer of every doubt after the earlier answers, up to a depth: each results in the
/// total that it announced, and leaves the range that it announced.
fn give_every_answer(service: &Service, reading: &Value, answers: &[Value], depth: usize) -> usize {
    let before = send(service, &json!({ "reading": reading, "answers": answers }));
    let all = ends(&before["possible"], &before["score"]["total"]);
    let mut tried = 0;
    for doubt in list(&before, "doubts") {
        for one in list(doubt, "alternatives").iter().filter(|one| one["hand"].is_string()) {
            let given = json!({ "doubt": doubt["id"], "answer": one["answer"] });
            let answers = [answers, &[given]].concat();
            let after = send(service, &json!({ "reading": reading, "answers": answers }));
            let what = format!("{answers:?}: {one}, then {}", after["possible"]);
            assert_eq!(after["hand"]["notation"], one["hand"], "{what}");
            assert_eq!(after["score"]["total"], one["total"], "{what}");
            let left = ends(&after["possible"], &after["score"]["total"]);
            assert_eq!(left, ends(one, &one["total"]), "{what}");
            let number = |end: &Value| end.as_u64();
            if let (Some(low), Some(high)) = (number(&all.0), number(&all.1)) {
                let within = |end: &Value| number(end).is_none_or(|end| low <= end && end <= high);
                assert!(within(&left.0) && within(&left.1), "not in {low} to {high}: {what}");
            }
            tried += 1;
            if depth > 1 {
                tried += give_every_answer(service, reading, &answers, depth - 1);
            }
        }
    }
    tried
}

/// Every sample photo, every doubt, every order of answering.
#[test]
fn in_any_order_an_answer_leads_to_what_it_announced() {
    let service = Service::start();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/samples");
    let files = std::fs::read_dir(folder).expect("the samples are committed");
    let names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
    let mut samples: Vec<String> =
        names.filter_map(|name| Some(name.strip_suffix(".jpg")?.to_owned())).collect();
    samples.sort_unstable();
    let tried: usize = samples
        .iter()
        .map(|sample| {
            let reading = read(&service, sample);
            let doubts = list(&reading, "doubts").len();
            // Two doubts with a dozen answers each have hundreds of orders.
            give_every_answer(&service, &reading, &[], if doubts > 3 { 2 } else { 3 })
        })
        .sum();
    assert!(tried > 100, "only {tried} answers were tried");
}

/// A hand in which one tile was named wrongly wins with one of its repairs, each of which results
/// in the total that it announced.
#[test]
fn a_repair_leads_to_the_total_that_it_announced() {
    let service = Service::start();
    let mut tried = 0;
    for sample in ["900001", "900003", "900012", "demo"] {
        let reading = read(&service, sample);
        for hand in changed_hands(&reading["hand"]) {
            let body = json!({ "reading": reading, "hand": hand });
            let after = send(&service, &body);
            if !after["score"].is_null() {
                assert!(after["repairs"].is_null(), "{sample}: {after}");
                continue;
            }
            for repair in after["repairs"].as_array().into_iter().flatten() {
                let body = json!({ "reading": reading, "hand": repair["hand"] });
                let repaired = send(&service, &body);
                assert_eq!(repaired["score"]["total"], repair["total"], "{sample}: {repair}");
                assert!(repaired["repairs"].is_null(), "{sample}: {repair}");
                tried += 1;
            }
        }
    }
    assert!(tried > 8, "only {tried} repairs were tried");
}

/// A person who added the flower in question gets no further question about it.
#[test]
fn flowers_that_a_person_counted_are_not_asked_about() {
    let service = Service::start();
    for sample in ["900001", "900003", "900012"] {
        let mut reading = read(&service, sample);
        let with_flower = |flower: &str| {
            let mut hand = reading["hand"].clone();
            hand["notation"] = json!("");
            hand["flowers"].as_array_mut().expect("flowers").push(json!(flower));
            hand
        };
        // A flower beside the hand, for which a question asks the name.
        let has = |flower: &&str| list(&reading["hand"], "flowers").contains(&json!(flower));
        let free = ["f1", "f2", "f3", "f4"].into_iter().find(|flower| !has(flower));
        let hand = with_flower(free.expect("a flower that the hand does not have"));
        let yes = send(&service, &json!({ "reading": reading, "hand": hand }));
        let (no, counted) = (reading["hand"]["notation"].clone(), with_flower("?"));
        let doubt = json!({
            "id": "flower-0", "kind": "flower", "tiles": [0], "question": "?", "affects_score": true,
            "alternatives": [
                { "answer": "no", "p": 0.75, "total": null, "hand": no },
                { "answer": "yes", "p": 0.25, "total": null, "hand": yes["hand"]["notation"] },
            ],
        });
        reading["doubts"].as_array_mut().expect("doubts").push(doubt);
        let flowers = |after: &Value| {
            list(after, "doubts").iter().filter(|doubt| doubt["kind"] == "flower").count()
        };
        assert_eq!(flowers(&send(&service, &json!({ "reading": reading }))), 1, "{sample}");
        let after = send(&service, &json!({ "reading": reading, "hand": counted }));
        assert_eq!(flowers(&after), 0, "{sample}: {after}");
        give_every_answer(&service, &reading, &[], 2);
    }
}

/// Every answer, other win contexts, and hands that a person changed: the questions after it have
/// answers that apply, matter if they say so, and appear once.
#[test]
fn no_question_is_stale_after_a_change() {
    let service = Service::start();
    let mut seen = 0;
    for sample in SAMPLES {
        let reading = read(&service, sample);
        let mut bodies = vec![json!({ "reading": reading })];
        bodies.extend(answers(&reading).map(|(doubt, one)| {
            let given = json!([{ "doubt": doubt["id"], "answer": one["answer"] }]);
            json!({ "reading": reading, "answers": given })
        }));
        let changed = changed_hands(&reading["hand"]).into_iter();
        bodies.extend(changed.map(|hand| json!({ "reading": reading, "hand": hand })));
        for body in &mut bodies {
            for context in CONTEXTS {
                body["context"] = serde_json::from_str(context).expect("JSON");
                let after = send(&service, body);
                check(&after, &format!("{sample} {} {} {context}", body["answers"], body["hand"]));
                seen += list(&after, "doubts").len();
            }
        }
    }
    assert!(seen > 50, "only {seen} questions were asked");
}

/// Returns a hand with one tile more, one less, a different one, and with another winning tile.
fn changed_hands(hand: &Value) -> Vec<Value> {
    let tiles = list(hand, "concealed").to_vec();
    let winning = &hand["winning_tile"];
    let with = |concealed: Vec<Value>, winning: &Value| {
        let mut hand = hand.clone();
        hand["concealed"] = json!(concealed);
        hand["winning_tile"] = winning.clone();
        hand["notation"] = json!("");
        hand
    };
    let mut swapped = tiles.clone();
    let first = std::mem::replace(&mut swapped[0], winning.clone());
    swapped.retain(|tile| !tile.is_null());
    vec![
        with([tiles.clone(), vec![json!("1m")]].concat(), winning),
        with(tiles[1..].to_vec(), winning),
        with([tiles[1..].to_vec(), vec![json!("9p")]].concat(), winning),
        with(swapped, &first),
    ]
}

/// Asserts that every question can be answered, and states correctly whether it matters.
fn check(after: &Value, what: &str) {
    let doubts = list(after, "doubts");
    let wins = !after["score"].is_null();
    for (at, doubt) in doubts.iter().enumerate() {
        let answers = list(doubt, "alternatives");
        let asked = format!("{what}: {doubt}");
        let before = &doubts[..at];
        assert!(before.iter().all(|other| other["id"] != doubt["id"]), "twice: {asked}");
        let same = |other: &Value| {
            other["question"] == doubt["question"] && other["alternatives"] == doubt["alternatives"]
        };
        assert!(answers.is_empty() || !before.iter().any(same), "equal: {asked}");
        assert!(answers.len() != 1, "nothing to choose: {asked}");
        let is_about_the_whole =
            matches!(doubt["kind"].as_str(), Some("tile_count" | "not_a_win" | "not_a_set"));
        assert!(!wins || !is_about_the_whole, "void: {asked}");
        let outcome = |one: &Value| (one["total"].clone(), one["payments"].clone());
        let differ = answers.windows(2).any(|pair| outcome(&pair[0]) != outcome(&pair[1]));
        let is_harmless = doubt["affects_score"] == json!(false);
        assert!(!wins || !is_harmless || !differ, "it matters: {asked}");
    }
}
