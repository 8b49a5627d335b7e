//! The worked examples of Mahjong Masters Million in `mmm/examples.json`: 24 hands with points,
//! lines, extra score, value and payments, and the table of values.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test binary uses a part")]

use std::collections::BTreeMap;

use serde::Deserialize;
use tilesight_core::context::{Context, Feeder, WinSource};
use tilesight_core::hand::{Hand, HandSetup};
use tilesight_core::meld::{Chow, KongKind, Meld, Relation};
use tilesight_core::tile::{Tile, Wind};

#[derive(Debug, Deserialize)]
pub struct Examples {
    pub value_table: Values,
    pub examples: Vec<Example>,
}

#[derive(Debug, Deserialize)]
pub struct Values {
    pub non_east: Vec<u32>,
    pub east: Vec<u32>,
}

#[derive(Debug, Deserialize)]
pub struct Example {
    pub id: String,
    pub title: String,
    pub seat: Wind,
    round: Wind,
    concealed: String,
    win_tile: String,
    win: Win,
    melds: Vec<Set>,
    liable: Option<Wind>,
    pub expect: Expected,
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
pub struct Expected {
    pub valid: bool,
    pub points: u32,
    pub lines: Vec<(String, u32)>,
    pub doublings: u32,
    pub extra: f64,
    pub total: f64,
    pub value: u32,
    pub payments: BTreeMap<Wind, i32>,
}

pub fn examples() -> Examples {
    serde_json::from_str(include_str!("../data/mmm/examples.json")).expect("the examples")
}

/// Returns the tiles of a text such as `234567m 55z`; `z` numbers winds and dragons: white, green,
/// red are 5, 6, 7.
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
    pub fn hand(&self) -> Hand {
        let setup = HandSetup {
            concealed: tiles(&self.concealed),
            winning: tiles(&self.win_tile).first().copied(),
            melds: self.melds.iter().map(Set::meld).collect(),
            ..HandSetup::default()
        };
        setup.into_hand().unwrap_or_else(|error| panic!("{}: {error}", self.id))
    }

    fn relation(&self, seat: Wind) -> Relation {
        let sits = |relation: &Relation| self.seat.seat_of(*relation) == seat;
        Relation::ALL.into_iter().find(sits).expect("another player")
    }

    pub fn context(&self) -> Context {
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
