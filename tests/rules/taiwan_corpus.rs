//! The game of sixteen tiles: every row of the test data, through the contract, under the row's own
//! rule set: lines, tai, legality, what is owed and payments; that the quick path agrees; and that
//! what cannot have happened is refused with the field to change.

use std::collections::BTreeMap;

use tilesight_core::contract::ScoreDto;
use tilesight_core::explain::Lang;
use tilesight_core::rules::Book;
use tilesight_core::tile::Wind;

use crate::taiwan_rows::{Expected, Row, cases, examples, refused};

/// Prints every failing line, then fails.
fn report(failures: &[String]) {
    for failure in failures.iter().take(100) {
        eprintln!("{failure}");
    }
    assert!(failures.is_empty(), "{} differences", failures.len());
}

/// Returns the differences of a score from what a row expects, as far as it does.
fn differences(expect: &Expected, score: &ScoreDto, quick: u32) -> Vec<String> {
    let mut all = Vec::new();
    let mut check = |what: &str, found: String, expected: Option<String>| {
        if expected.as_ref().is_some_and(|expected| *expected != found) {
            all.push(format!("{what}: {found}, expected {}", expected.unwrap_or_default()));
        }
    };
    let found: BTreeMap<&str, (u32, u32)> = score
        .awards
        .iter()
        .map(|award| (award.code.as_ref(), (award.tai.expect("a game of tai"), award.count)))
        .collect();
    let expected = expect.lines.as_ref().map(|lines| {
        let lines = lines.iter().map(|line| {
            // The sources of examples do not state how often a line counts.
            let shown = found.get(line.name.as_str()).map(|&(_, count)| count);
            let unstated = shown.filter(|_| expect.raw.is_none()).unwrap_or(1);
            (line.name.as_str(), (line.tai, line.count.unwrap_or(unstated)))
        });
        format!("{:?}", lines.collect::<BTreeMap<_, _>>())
    });
    check("lines", format!("{found:?}"), expected);
    let number = |value: Option<u32>| value.map(|value| value.to_string());
    check("raw", format!("{}", score.raw_tai.unwrap_or_default()), number(expect.raw));
    check("tai", format!("{}", score.tai.unwrap_or_default()), number(expect.tai));
    check("total", score.total.to_string(), number(expect.tai));
    check("quick total", quick.to_string(), number(expect.tai));
    check("dealer", format!("{}", score.dealer_tai.unwrap_or_default()), number(expect.dealer_tai));
    check("legal", score.legal.to_string(), expect.legal.map(|legal| legal.to_string()));
    let owed = expect.legal.map(|_| expect.unit.unwrap_or(0));
    check("owed", score.value.to_string(), number(owed));
    let paid = [score.payments.e, score.payments.s, score.payments.w, score.payments.n];
    let no_payments = expect.legal == Some(false);
    let expected = expect.payments.as_ref().map(|all| Wind::ALL.map(|seat| all[&seat]));
    let expected = expected.or(no_payments.then_some([0; 4]));
    check("payments", format!("{paid:?}"), expected.map(|paid| format!("{paid:?}")));
    all
}

/// Scores a row in both ways, and returns the differences.
fn check_row(row: &Row) -> Vec<String> {
    let ruleset = row.rules.profile();
    let scored = row.prepare(ruleset.clone()).and_then(|prepared| {
        let quick = ruleset.rules().points(&prepared.hand, &prepared.context);
        prepared.score().map(|scored| (scored.to_dto(Lang::En), quick))
    });
    let all = match scored {
        Ok((score, Ok(quick))) => differences(&row.expect, &score, quick),
        Ok((_, Err(error))) => vec![format!("quick: {error}")],
        Err(problem) => vec![problem.to_string()],
    };
    all.into_iter().map(|one| format!("row {} ({}) {one}", row.id, row.rules.profile)).collect()
}

#[test]
fn every_row_is_right_under_its_own_rules() {
    let rows = cases();
    assert_eq!(rows.len(), 3000);
    report(&rows.iter().flat_map(check_row).collect::<Vec<_>>());
}

#[test]
fn every_worked_example_is_right() {
    let rows = examples();
    assert_eq!(rows.len(), 53);
    report(&rows.iter().flat_map(check_row).collect::<Vec<_>>());
}

#[test]
fn every_impossible_input_is_refused_with_its_field() {
    let rows = refused();
    assert_eq!(rows.len(), 68);
    let mut failures = Vec::new();
    let mut fields: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for row in &rows {
        match row.score() {
            Ok(_) => failures.push(format!("row {} is not refused: {}", row.id, row.refused)),
            Err(problem) => {
                let named = problem.errors.iter().map(|error| error.field.clone());
                let named = named.collect::<Vec<_>>().join(" ");
                let of_reason = fields.entry(row.refused.as_str()).or_default();
                if !of_reason.contains(&named) {
                    of_reason.push(named);
                }
            }
        }
    }
    report(&failures);
    let found: Vec<String> =
        fields.iter().map(|(reason, named)| format!("{reason}: {}", named.join(" | "))).collect();
    assert_eq!(found, EXPECTED_FIELDS, "{found:#?}");
}

/// Reasons of the refused rows, with the fields that the refusals name.
const EXPECTED_FIELDS: [&str; 46] = [
    "a chow is claimed from the left: hand.melds[0].from",
    "a concealed kong has no giver: hand.melds[0].from",
    "a concealed kong is not added to: hand.melds[0].added",
    "a discard of the first round: context.declared",
    "a first draw of another than the dealer: context.declared",
    "a first hand declared nothing before: context.declared",
    "a first hand has no sets on the table: context.declared",
    "a pung on the table was claimed: hand.melds[0].concealed",
    "a replacement for a kong and for a bonus tile: context.declared",
    "a replacement tile is self-drawn: context.declared",
    "a win by bonus tiles has no winning tile: context.declared",
    "a win by bonus tiles stands alone: context.declared",
    "bonus tiles are not played: hand.flowers",
    "declared ready twice: context.declared context.declared",
    "eight bonus tiles are a self-draw: context.declared",
    "eight bonus tiles are needed: context.declared",
    "five of a kind: hand.concealed",
    "more than five sets: hand.melds",
    "no bonus tile to replace: context.declared",
    "no kong to replace a tile for: context.win",
    "no such bonus tile: hand.flowers[0]",
    "no such dealer: context.dealer",
    "no such player: context.from",
    "no such streak: context.dealer_streak",
    "no such tile: hand.concealed[15]",
    "no such wind: context.seat",
    "no winning tile: hand.winning_tile",
    "nobody gave the tile of a self-draw: context.from",
    "not a chow: hand.melds[0].tiles",
    "not a kong: hand.melds[0].tiles",
    "not a pung: hand.melds[0].tiles",
    "not a winning hand: ",
    "not sixteen tiles: hand.concealed",
    "nothing was claimed before or after this declaration: context.declared",
    "only a kong is added to: hand.melds[0].added",
    "seven bonus tiles are needed: context.declared",
    "the claimed tile is not in the set: hand.melds[0].claimed",
    "the dealer is East under these rules: context.dealer",
    "the dealer wins with the dealt tiles: context.declared",
    "the eighth bonus tile is another player's: context.declared",
    "the first and the last tile at once: context.declared",
    "the robbed player has the other three: context.win",
    "there is one of each bonus tile: hand.flowers[1]",
    "this win by bonus tiles is not played: context.declared",
    "two first hands at once: context.declared context.declared context.declared",
    "unknown declaration: context.declared",
];

/// The rule sets that the data names are the shipped ones, apart from stakes, minimum and cap.
#[test]
fn shipped_rule_sets_are_those_of_the_data() {
    let book = Book::shipped();
    let mut failures = Vec::new();
    let mut counts = BTreeMap::new();
    for row in cases() {
        let Some(id) = row.shipped() else { continue };
        *counts.entry(id.to_string()).or_insert(0) += 1;
        let rules = book.get(id).expect("shipped").rules();
        for (name, value) in row.rules.options() {
            let own = &rules.options()[name];
            if *own != value && !["base", "unit", "minimum", "cap"].contains(&name) {
                failures.push(format!("{id} {name}: {own}, expected {value}"));
            }
        }
        for (rule, worth) in rules.lines() {
            let expected = row.rules.values[rule.code].as_u64().map(|tai| tai as u32);
            if worth.tai() != expected {
                failures.push(format!("{id} {}: {worth}, expected {expected:?}", rule.code));
            }
        }
    }
    let expected = [
        ("tw-common", 594),
        ("tw-gamesofa", 209),
        ("tw-pocket", 168),
        ("tw-shifu", 154),
        ("tw-sml", 199),
        ("tw-star31", 204),
    ];
    assert_eq!(counts, BTreeMap::from(expected.map(|(id, rows)| (id.to_owned(), rows))));
    report(&failures);
}
