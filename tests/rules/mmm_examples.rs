//! The worked examples of Mahjong Masters Million: points, every line, extra score, value and
//! payments of each, and the table of values.

use std::collections::BTreeMap;
use std::fmt::Debug;

use serde::Deserialize;
use tilesight::context::{Context, Feeder, WinSource};
use tilesight::hand::{Flowers, Hand, HandSetup};
use tilesight::meld::{Chow, KongKind, Meld, Relation};
use tilesight::rules::{Book, Halves, RulesetId, Score, Worth};
use tilesight::tile::{Tile, Wind};

#[derive(Debug, Deserialize)]
struct Examples {
    value_table: Values,
    examples: Vec<Example>,
}

#[derive(Debug, Deserialize)]
struct Values {
    non_east: Vec<u32>,
    east: Vec<u32>,
}

#[derive(Debug, Deserialize)]
struct Example {
    id: String,
    title: String,
    seat: Wind,
    round: Wind,
    concealed: String,
    win_tile: String,
    win: Win,
    melds: Vec<Set>,
    liable: Option<Wind>,
    expect: Expected,
}

#[derive(Debug, Deserialize)]
struct Win {
    by: String,
    from: Option<Wind>,
    #[serde(default)]
    last_tile: bool,
}

#[derive(Debug, Deserialize)]
struct Set {
    kind: String,
    tiles: String,
    open: bool,
    from: Option<Relation>,
}

#[derive(Debug, Deserialize)]
struct Expected {
    valid: bool,
    points: u32,
    lines: Vec<(String, u32)>,
    doublings: u32,
    extra: f64,
    total: f64,
    value: u32,
    payments: BTreeMap<Wind, i32>,
}

fn examples() -> Examples {
    serde_json::from_str(include_str!("../data/mmm/examples.json")).expect("the examples")
}

/// Tiles such as `234567m 55z`; `z` numbers winds and dragons: white, green, red are 5, 6, 7.
fn tiles(text: &str) -> Vec<Tile> {
    let honours = ["E", "S", "W", "N", "P", "F", "C"];
    let mut all = Vec::new();
    for group in text.split_whitespace() {
        let (numbers, suit) = group.split_at(group.len() - 1);
        all.extend(numbers.chars().map(|number| {
            let code = match suit {
                "z" => honours[number.to_digit(10).expect("a number") as usize - 1].to_owned(),
                suit => format!("{number}{suit}"),
            };
            code.parse::<Tile>().expect(group)
        }));
    }
    all
}

impl Set {
    fn meld(&self) -> Meld {
        let tile = tiles(&self.tiles)[0];
        match (self.kind.as_str(), self.open) {
            ("chow", true) => Meld::Chow(Chow::new(tile).expect("a chow")),
            ("pung", true) => Meld::Pung { tile, from: self.from },
            ("kong", true) => Meld::Kong { tile, kind: KongKind::Exposed { from: self.from } },
            ("kong", false) => Meld::Kong { tile, kind: KongKind::Concealed },
            _ => panic!("an unknown set: {self:?}"),
        }
    }
}

impl Example {
    fn hand(&self) -> Hand {
        let setup = HandSetup {
            concealed: tiles(&self.concealed),
            winning: tiles(&self.win_tile).first().copied(),
            melds: self.melds.iter().map(Set::meld).collect(),
            flowers: Flowers::NONE,
        };
        setup.into_hand().unwrap_or_else(|error| panic!("{}: {error}", self.id))
    }

    fn relation(&self, seat: Wind) -> Relation {
        let sits = |relation: &Relation| self.seat.seat_of(*relation) == seat;
        Relation::ALL.into_iter().find(sits).expect("another player")
    }

    fn context(&self) -> Context {
        let from = self.win.from.map(|seat| self.relation(seat));
        let win = match (self.win.by.as_str(), from) {
            ("self_draw", None) => WinSource::SelfDrawn,
            ("kong_replacement", None) => WinSource::KongReplacement,
            ("discard", Some(from)) => WinSource::Discard { from },
            ("rob_kong", Some(from)) => WinSource::RobbedKong { from },
            _ => panic!("{}: an unknown win", self.id),
        };
        Context {
            seat: self.seat,
            prevalent: self.round,
            win,
            last_wall_tile: self.win.last_tile,
            feeder: self.liable.map(|seat| Feeder::from(self.relation(seat))),
            ..Context::PLAIN
        }
    }
}

/// What the examples call a line of the rules.
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

/// The doublings as the examples list them: one entry for each time that a line counts.
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

/// What an example has wrong, one line for each difference.
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
    // Every worked value stands in the column of its total.
    for example in examples().examples {
        let column = (2.0 * example.expect.total) as usize - 2;
        let row = if example.seat == Wind::East { &table.east } else { &table.non_east };
        assert_eq!(example.expect.value, row[column], "{}", example.id);
    }
}
