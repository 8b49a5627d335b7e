//! A table of every form with the hand that it must be read as, in the JSON of the contract.
//!
//! `tests/golden/forms.jsonl` has a line for each form: its name, the seed of a table of that form
//! (see `tables`), the hand, and the questions. `UPDATE=1 cargo test --test reading layout_golden`
//! rewrites it after a change of the tables; the hands in it are those that were laid, never those
//! that were read; each is the first of its form that is read exactly, so that any regression
//! shows. docs/layout.md has the rate of exact readings of each form.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde_json::{Value, json};
use tilesight_core::context::ContextSetup;
use tilesight_core::contract::HandDto;
use tilesight_core::hand::HandSetup;
use tilesight_core::rules::Book;
use tilesight_vision::decide::doubts::HandScorer;
use tilesight_vision::decide::joint;
use tilesight_vision::layout;

use crate::tables::{Noise, Table, table};

/// Every form of the tables; a form that is never laid any more would go unnoticed otherwise.
const FORMS: [&str; 21] = [
    "added kong, beside",
    "added kong, on top",
    "bent row",
    "concealed kong, all down",
    "concealed kong, all up",
    "concealed kong, inner down",
    "concealed kong, outer down",
    "discards",
    "flowers",
    "melds in front",
    "melds right",
    "melds scattered",
    "melds stacked",
    "nothing turned",
    "one row",
    "standing",
    "two rows",
    "wall",
    "winning above",
    "winning after a gap",
    "winning turned",
];

fn path() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("tests/golden/forms.jsonl")
}

/// Returns the hand as JSON, with its melds in a fixed order.
fn hand_json(setup: &HandSetup) -> Value {
    let mut sorted = setup.clone();
    sorted.melds.sort();
    sorted.concealed.sort();
    serde_json::to_value(HandDto::from(&sorted)).expect("a hand is JSON")
}

/// Returns the hand as it is read and the kinds of doubts that the score depends on.
fn read(table: &Table) -> (Value, Vec<String>) {
    let scorer = HandScorer::new(&ContextSetup::default(), Book::shipped().usual()).expect("plain");
    let layout = layout::lay_out(&table.tiles, Book::shipped().usual(), None);
    let decision = joint::decide(&table.tiles, &layout);
    let verdict = scorer.assess(&table.tiles, &decision).expect("a plain context");
    let mut asked: Vec<String> = verdict
        .doubts
        .iter()
        .filter(|doubt| doubt.affects_score)
        .filter_map(|doubt| Some(serde_json::to_value(doubt.kind).ok()?.as_str()?.to_owned()))
        .collect();
    asked.sort();
    asked.dedup();
    (decision.best.map_or(Value::Null, |best| hand_json(&best.setup)), asked)
}

/// Returns the hand that the table shows: nothing is known of a face-down kong.
fn visible(table: &Table, form: &str) -> Value {
    let mut setup = table.shown.clone();
    if form == "concealed kong, all down" {
        setup.melds.retain(|meld| !meld.is_concealed());
    }
    hand_json(&setup)
}

#[test]
fn every_form_is_read_as_it_was_laid() {
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(path(), golden()).expect("writable");
    }
    let text = std::fs::read_to_string(path()).expect("tests/golden/forms.jsonl is committed");
    let mut failures = Vec::new();
    let mut forms: Vec<String> = Vec::new();
    for line in text.lines() {
        let golden: Value = serde_json::from_str(line).expect(line);
        let table = table(golden["seed"].as_u64().expect("a seed"), Noise::NONE);
        let (hand, asked) = read(&table);
        let form = golden["form"].as_str().expect("a name").to_owned();
        if hand != golden["hand"] || json!(asked) != golden["asked"] {
            failures.push(format!("{form}: {hand} {asked:?}\n    expected {line}"));
        }
        forms.push(form);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(forms, FORMS);
}

/// Returns the first table of each form that is read exactly, with its hand and its questions.
fn golden() -> String {
    let mut lines: BTreeMap<&str, String> = BTreeMap::new();
    for seed in 0.. {
        let table = table(seed, Noise::NONE);
        let mut forms = table.forms.clone();
        if table.shown.flowers.count() > 0 {
            forms.push("flowers");
        }
        for form in FORMS {
            // A table with an additional hidden kong is a worse example of a form.
            let hidden = table.forms.contains(&"concealed kong, all down");
            let is_example =
                forms.contains(&form) && (!hidden || form == "concealed kong, all down");
            if is_example && !lines.contains_key(form) {
                let ((hand, asked), visible) = (read(&table), visible(&table, form));
                if hand == visible {
                    let line =
                        json!({ "form": form, "seed": seed, "hand": visible, "asked": asked });
                    lines.insert(form, line.to_string());
                }
            }
        }
        if lines.len() == FORMS.len() {
            break;
        }
    }
    lines.into_values().map(|line| line + "\n").collect()
}
