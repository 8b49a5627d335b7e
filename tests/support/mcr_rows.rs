//! The rows of the MCR test data: `corpus.jsonl.gz` (8,000 generated winning hands with total and
//! one best fan list under both profiles) and `worked_examples.jsonl` (508 hands from guides, unit
//! tests and quizzes).
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test binary uses a part")]

use std::collections::BTreeMap;
use std::io::Read;

use serde::Deserialize;
use tilesight_core::context::{Context, WinSource};
use tilesight_core::hand::{Flowers, Hand, HandSetup};
use tilesight_core::meld::{Chow, KongKind, Meld, Relation};
use tilesight_core::rules::{Fan, RulesetId, Score};
use tilesight_core::tile::{Tile, Wind};

/// A hand as it is stored.
#[derive(Debug, Deserialize)]
pub struct Row {
    concealed: Vec<Tile>,
    melds: Vec<MeldRow>,
    win: Tile,
    self_drawn: bool,
    last_tile: bool,
    kong: bool,
    wall_last: bool,
    flowers: u8,
    prevalent: Wind,
    seat: Wind,
}

#[derive(Debug, Deserialize)]
struct MeldRow {
    #[serde(rename = "type")]
    kind: String,
    /// The middle tile of a chow.
    tile: Tile,
    /// 1 claimed from the left, 2 across, 3 right; 0 a concealed kong.
    offer: u8,
}

impl MeldRow {
    fn meld(&self) -> Meld {
        let from = self.offer.checked_sub(1).map(|at| Relation::ALL[usize::from(at)]);
        let tile = self.tile;
        match (self.kind.as_str(), from) {
            ("chow", _) => {
                let low = Tile::from_index(tile.index() as u8 - 1);
                Meld::Chow(low.and_then(Chow::new).expect("a chow"))
            }
            ("pung", from) => Meld::Pung { tile, from },
            ("kong", None) => Meld::Kong { tile, kind: KongKind::Concealed },
            ("kong", from) => Meld::Kong { tile, kind: KongKind::Exposed { from } },
            (other, _) => panic!("unknown meld {other}"),
        }
    }
}

impl Row {
    /// Returns the hand.
    pub fn hand(&self) -> Hand {
        let setup = HandSetup {
            concealed: self.concealed.clone(),
            winning: Some(self.win),
            melds: self.melds.iter().map(MeldRow::meld).collect(),
            flowers: Flowers::from_unnamed_count(self.flowers).expect("eight flowers at the most"),
            ..HandSetup::default()
        };
        setup.into_hand().expect("a legal hand")
    }

    /// Returns the win context.
    pub fn context(&self) -> Context {
        let from = Relation::Left;
        let win = match (self.self_drawn, self.kong) {
            (true, false) => WinSource::SelfDrawn,
            (true, true) => WinSource::KongReplacement,
            (false, false) => WinSource::Discard { from },
            (false, true) => WinSource::RobbedKong { from },
        };
        Context {
            seat: self.seat,
            prevalent: self.prevalent,
            win,
            last_wall_tile: self.wall_last,
            last_of_kind: self.last_tile,
            ..Context::PLAIN
        }
    }
}

/// Expected result of a row of the corpus.
#[derive(Debug, Deserialize)]
pub struct Expected {
    pub total: u32,
    /// Fan number to count.
    pub fans: BTreeMap<u8, u32>,
}

/// A row of the corpus.
#[derive(Debug, Deserialize)]
pub struct CorpusRow {
    pub id: u32,
    pub family: String,
    #[serde(flatten)]
    pub row: Row,
    pub wmo: Expected,
    pub mil: Expected,
}

impl CorpusRow {
    pub fn expected(&self, ruleset: RulesetId) -> &Expected {
        if ruleset == RulesetId::MCR_MIL { &self.mil } else { &self.wmo }
    }
}

/// A published example.
#[derive(Debug, Deserialize)]
pub struct Example {
    pub source: String,
    pub note: Option<String>,
    #[serde(flatten)]
    pub row: Row,
    pub mil: u32,
    pub wmo: u32,
}

/// Returns all rows of the corpus.
pub fn corpus() -> Vec<CorpusRow> {
    let packed: &[u8] = include_bytes!("../data/mcr/corpus.jsonl.gz");
    let mut text = String::new();
    flate2::read::GzDecoder::new(packed).read_to_string(&mut text).expect("gzip");
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// Returns all published examples.
pub fn examples() -> Vec<Example> {
    let text = include_str!("../data/mcr/worked_examples.jsonl");
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// Returns the fans of a score by number, as the corpus lists them.
pub fn fan_list(score: &Score) -> BTreeMap<u8, u32> {
    score
        .awards
        .iter()
        .map(|award| (award.rule.number().expect("a fan has a number"), award.count))
        .collect()
}

/// Returns the fan with a number.
pub fn fan(number: u8) -> Fan {
    Fan::from_number(number).expect("a fan of 1 to 82")
}
