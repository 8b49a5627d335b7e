//! The rows of the riichi test data in `riichi/cases.jsonl.gz`: 5,000 generated winning hands on
//! which two independent scorers agree, 60 hands without a yaku, and 64 with a liable player.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test binary uses a part")]

use std::collections::BTreeMap;
use std::io::Read;

use serde::Deserialize;
use tilesight_core::context::{Context, ContextSetup};
use tilesight_core::hand::Hand;
use tilesight_core::notation::Notation;
use tilesight_core::rules::riichi::{Kazoe, Limit, Options, Riichi};
use tilesight_core::rules::{RulesetId, Score};
use tilesight_core::tile::{Tile, Wind};

/// A row.
#[derive(Debug, Deserialize)]
pub struct Row {
    pub id: String,
    rules: String,
    red: bool,
    pub hand: String,
    context: ContextSetup,
    #[serde(flatten)]
    pub expected: Option<Expected>,
}

/// Expected result of a hand with a yaku.
#[derive(Debug, Deserialize, PartialEq, Eq)]
pub struct Expected {
    pub yaku: BTreeMap<String, u32>,
    pub han: u32,
    pub fu: Option<u32>,
    pub yakuman: u32,
    pub counted: bool,
    pub limit: Option<Limit>,
    pub base: u32,
    /// Gain or loss of each seat, with the sticks on the table.
    pub payments: [i32; 4],
}

impl Row {
    /// Returns the rules of the row.
    pub fn riichi(&self) -> Riichi {
        // The data follows one rule for liability whatever the profile.
        let liability_counters = false;
        let liability_all_yakuman = false;
        let red_fives = self.red;
        let base =
            Options { red_fives, liability_counters, liability_all_yakuman, ..Options::TENHOU };
        Riichi::new(match self.rules.as_str() {
            "base" => base,
            "closed_tanyao" => Options { open_tanyao: false, ..base },
            "kiriage" => Options { kiriage: true, ..base },
            "double" => Options { double_yakuman: true, ..base },
            "one_yakuman" => Options { stacked_yakuman: false, kazoe: Kazoe::Sanbaiman, ..base },
            "wrc2025" => {
                Options { kiriage: true, double_wind_pair_fu: 2, liability_suukantsu: true, ..base }
            }
            "mleague" => {
                Options { kiriage: true, kazoe: Kazoe::Sanbaiman, double_wind_pair_fu: 2, ..base }
            }
            other => panic!("unknown rules {other}"),
        })
    }

    /// Returns the shipped rule set that scores the hand alike; `None` if there is none. Whether
    /// red fives count makes no difference to a hand that has none, named or among four fives.
    pub fn shipped(&self) -> Option<RulesetId> {
        let (id, red) = match self.rules.as_str() {
            "base" => ("riichi-tenhou", true),
            "wrc2025" => ("riichi-wrc", false),
            "mleague" => ("riichi-mleague", true),
            "double" => ("riichi-majsoul", true),
            _ => return None,
        };
        let is_alike = self.red == red || !(self.hand.contains('0') || self.has_four_fives());
        is_alike.then(|| id.parse().expect(id))
    }

    /// Returns whether the hand has all four fives of a suit, of which one is red.
    fn has_four_fives(&self) -> bool {
        let counts = self.hand().all();
        ["5m", "5p", "5s"]
            .into_iter()
            .any(|five| counts.count(five.parse::<Tile>().expect(five)) == 4)
    }

    /// Returns what the others pay the winner; 0 for a hand without a yaku.
    pub fn total(&self) -> u32 {
        let Some(expected) = &self.expected else { return 0 };
        let payers = expected.payments.iter().filter(|payment| **payment < 0);
        payers.map(|payment| payment.unsigned_abs()).sum()
    }

    /// Returns whether the rules of the row are the usual ones, with red fives.
    pub fn is_usual(&self) -> bool {
        self.rules == "base" && self.red
    }

    /// Returns the hand.
    pub fn hand(&self) -> Hand {
        let notation: Notation = self.hand.parse().expect(&self.hand);
        notation.hand.into_hand().expect(&self.hand)
    }

    /// Returns the win context.
    pub fn context(&self) -> Context {
        self.context.resolve().expect("no contradiction").0
    }
}

impl Expected {
    /// Returns the same figures of a score; the sticks on the table go to the winner.
    pub fn from_score(score: &Score, context: &Context) -> Expected {
        let figures = score.riichi.as_ref().expect("a score of riichi");
        let han = |award: &tilesight_core::rules::Award| {
            (award.rule.code.to_owned(), award.worth.han().expect("han") * award.count)
        };
        let payments = Wind::ALL.map(|seat| {
            let sticks = if seat == context.seat { figures.sticks } else { 0 };
            score.payments.for_seat(seat) + i32::try_from(sticks).expect("few sticks")
        });
        Expected {
            yaku: score.awards.iter().map(han).collect(),
            han: figures.han,
            fu: figures.fu,
            yakuman: figures.yakuman,
            counted: figures.counted_yakuman,
            limit: figures.limit,
            base: figures.base,
            payments,
        }
    }
}

/// Returns all rows.
pub fn rows() -> Vec<Row> {
    let packed: &[u8] = include_bytes!("../data/riichi/cases.jsonl.gz");
    let mut text = String::new();
    flate2::read::GzDecoder::new(packed).read_to_string(&mut text).expect("gzip");
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}
