//! The worked examples of Mahjong Masters Million: points, every line, extra score, value and
//! payments of each, and the table of values.

use std::collections::BTreeMap;
use std::fmt::Debug;

use tilesight_core::context::Feeder;
use tilesight_core::rules::{Book, Halves, RulesetId, Score, Worth};
use tilesight_core::tile::Wind;

use crate::mmm_rows::{Example, examples};

/// Returns the examples' name for a line of the rules.
fn named(code: &str, paragraph: &str) -> String {
    let part = match code {
        "own_wind" => "own",
        "round_wind" => "round",
        "three_identical_chows" => "three",
        "two_sets_of_identical_chows" => "two sets",
        "same_chow_concealed"
        | "straight_concealed"
        | "only_officers_concealed"
        | "one_suit_concealed" => "concealed",
        "only_officers_without_chows" => "no chows",
        "only_officers_without_honours" | "one_suit_without_honours" => "no honours",
        _ => return paragraph.to_owned(),
    };
    format!("{paragraph} {part}")
}

/// Returns the doublings as the examples list them: one entry for each time that a line counts.
fn lines(score: &Score) -> Vec<(String, u32)> {
    let mut lines = Vec::new();
    for award in &score.awards {
        let paragraph = award.rule.paragraph.to_string();
        if let Worth::Doublings(halves) = award.worth
            && paragraph != "1.2.31"
        {
            let line = (named(award.rule.code, &paragraph), halves.0 / 2);
            lines.extend(vec![line; award.count as usize]);
        }
    }
    lines.sort();
    lines
}

/// Returns the differences from an example, one line for each.
fn differences(example: &Example) -> Vec<String> {
    let (hand, context, expected) = (example.hand(), example.context(), &example.expect);
    let book = Book::shipped();
    let ruleset = book.get(RulesetId::MMM).expect("shipped");
    let found = match ruleset.score(&hand, &context) {
        Ok(score) => score,
        Err(error) => return vec![format!("{}: {error}", example.id)],
    };
    let mut wrong = Vec::new();
    let mut compare = |what: &str, found: &dyn Debug, expected: &dyn Debug| {
        let (found, expected) = (format!("{found:?}"), format!("{expected:?}"));
        if found != expected {
            let Example { id, title, .. } = example;
            wrong.push(format!("{id} ({title}): {what} is {found}, not {expected}"));
        }
    };
    let doubling = found.doubling.expect("doublings");
    let mut listed = expected.lines.clone();
    listed.sort();
    let all = Halves(2 * expected.doublings + (2.0 * expected.extra) as u32);
    compare("legal", &found.is_legal(), &expected.valid);
    compare("points", &doubling.points, &expected.points);
    compare("lines", &lines(&found), &listed);
    compare("doublings", &doubling.doublings, &all);
    compare("capped", &doubling.capped, &(all > Halves::whole(12)));
    let total = f64::from(doubling.doublings.0.min(24)) / 2.0;
    compare("total", &total, &expected.total);
    compare("value", &found.value, &expected.value);
    compare("quick value", &ruleset.rules().points(&hand, &context), &Ok::<_, ()>(expected.value));
    let payments: BTreeMap<Wind, i32> = found.payments.iter().collect();
    compare("payments", &payments, &expected.payments);
    compare("assumed feeder", &found.assumed_feeder, &None::<Feeder>);
    wrong
}

#[test]
fn every_worked_example_is_right() {
    let examples = examples().examples;
    assert_eq!(examples.len(), 24);
    let wrong: Vec<String> = examples.iter().flat_map(differences).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The table of values, through hands: from 1 to 12 doublings in the profile's own numbers.
#[test]
fn the_table_of_values_is_the_published_one() {
    let table = examples().value_table;
    assert_eq!((table.non_east.len(), table.east.len()), (23, 23));
    // Every worked value is in the column of its total.
    for example in examples().examples {
        let column = (2.0 * example.expect.total) as usize - 2;
        let row = if example.seat == Wind::East { &table.east } else { &table.non_east };
        assert_eq!(example.expect.value, row[column], "{}", example.id);
    }
}
