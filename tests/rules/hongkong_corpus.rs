//! Hong Kong old style: every row of the test data, through the contract, under the row's own rule
//! set: lines, faan, legality, value and payments; and that the quick path agrees.

use std::collections::BTreeMap;
use std::sync::Arc;

use tilesight_core::contract::ScoreDto;
use tilesight_core::explain::Lang;
use tilesight_core::rules::{Book, Profile};
use tilesight_core::tile::Wind;

use crate::hongkong_rows::{Row, cases};

/// Prints every failing line, then fails.
fn report(failures: &[String]) {
    for failure in failures {
        eprintln!("{failure}");
    }
    assert!(failures.is_empty(), "{} rows differ", failures.len());
}

/// Lines with their faan and counts.
type Lines<'a> = BTreeMap<&'a str, (u32, u32)>;

/// Returns the differences of a score from what a row expects.
fn differences(row: &Row, score: &ScoreDto, quick: u32) -> Vec<String> {
    let expect = &row.expect;
    let mut all = Vec::new();
    let mut check = |what: &str, found: String, expected: String| {
        if found != expected {
            all.push(format!("row {} {what}: {found}, expected {expected}", row.id));
        }
    };
    let lines = |lines: Lines<'_>| format!("{lines:?}");
    let found = score.awards.iter().map(|award| {
        let faan = award.faan.expect("a game of faan");
        (award.code.as_ref(), (faan, award.count))
    });
    let expected = expect.lines.iter().map(|line| (line.name.as_str(), (line.faan, line.count)));
    check("lines", lines(found.collect()), lines(expected.collect()));
    let numbers = [score.faan, score.raw_faan, Some(score.total), Some(quick)];
    let expected = [expect.faan, expect.raw, expect.faan, expect.faan].map(Some);
    check("faan", format!("{numbers:?}"), format!("{expected:?}"));
    let flags = (score.legal, score.limit_hand);
    check("legal", format!("{flags:?}"), format!("{:?}", (expect.legal, Some(expect.limit_hand))));
    check("value", score.value.to_string(), expect.unit.unwrap_or(0).to_string());
    let paid = [score.payments.e, score.payments.s, score.payments.w, score.payments.n];
    let expected = Wind::ALL
        .map(|seat| expect.payments.as_ref().and_then(|all| all.get(&seat)).copied().unwrap_or(0));
    check("payments", format!("{paid:?}"), format!("{expected:?}"));
    all
}

/// Scores a row by a rule set, in both ways.
fn scored(row: &Row, ruleset: &Arc<Profile>) -> Vec<String> {
    let prepared = row.prepare(Arc::clone(ruleset));
    let quick = ruleset.rules().points(&prepared.hand, &prepared.context).expect("a win");
    let score = prepared.score().expect("a win").to_dto(Lang::En);
    differences(row, &score, quick)
}

#[test]
fn every_row_is_right_under_its_own_rules() {
    let rows = cases();
    assert_eq!(rows.len(), 2000);
    let failures: Vec<String> =
        rows.iter().flat_map(|row| scored(row, &row.rules.profile("hk-old"))).collect();
    report(&failures);
}

/// The four rule sets that the data names are the shipped ones.
#[test]
fn rows_of_shipped_rule_sets_are_right_under_them() {
    let book = Book::shipped();
    let mut failures = Vec::new();
    let mut counts = BTreeMap::new();
    for row in cases() {
        let Some(id) = row.shipped() else { continue };
        *counts.entry(id.to_string()).or_insert(0) += 1;
        let ruleset = book.get(id).expect("shipped");
        failures.extend(scored(&row, ruleset));
        for (name, value) in &row.rules.options {
            let own = &ruleset.rules().options()[name];
            if own != value {
                failures.push(format!("{id} {name}: {own}, expected {value}"));
            }
        }
    }
    let expected = [("hk-npm", 773), ("hk-old", 371), ("hk-pairs", 239), ("hk-tiers", 187)];
    assert_eq!(counts, BTreeMap::from(expected.map(|(id, rows)| (id.to_owned(), rows))));
    report(&failures);
}
