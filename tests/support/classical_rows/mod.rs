//! The rows of the classical test data: `cases.jsonl.gz` (1,000 generated hands that won) and
//! `hand_picked.jsonl` (24 hands, of which two did not win), each with points, doubles, limits,
//! both totals and every line of an independent, widely used scorer.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test binary uses a part")]

mod compact;

use std::io::Read;

use serde::Deserialize;
use tilesight_core::context::{Context, Declaration, WinSource};
use tilesight_core::hand::{Flowers, Hand, HandSetup};
use tilesight_core::meld::{Chow, KongKind, Meld, Relation};
use tilesight_core::notation::Notation;
use tilesight_core::rules::{Award, Halves, Score, Worth};
use tilesight_core::tile::{Bonus, Tile, Wind};

pub use compact::HandPicked;

/// Expected score of a hand.
#[derive(Debug, Deserialize)]
pub struct Expected {
    pub points: u32,
    pub doubles: u32,
    pub limits: f64,
    pub total: u32,
    pub total_roof_off: u32,
    lines: Vec<(String, u32, u32, f64)>,
}

/// A line with its worth, in the scorer's order.
pub type ScorerLine = (&'static str, Worth);

impl Expected {
    /// Returns every line by our code, in our order.
    pub fn lines(&self) -> Vec<ScorerLine> {
        sorted(
            self.lines.iter().map(|(name, points, doubles, limits)| {
                scorer_line(name, *points, *doubles, *limits)
            }),
        )
    }
}

/// Returns a line of the scorer by our code.
pub fn scorer_line(name: &str, points: u32, doubles: u32, limits: f64) -> ScorerLine {
    let found = NAMES.iter().find(|(theirs, _)| *theirs == name);
    let code = found.unwrap_or_else(|| panic!("no line of ours is called {name}")).1;
    let worth = match (points, doubles, limits) {
        (points, 0, 0.0) => Worth::Points(points),
        (0, doubles, 0.0) => Worth::Doublings(Halves::whole(doubles)),
        (0, 0, limits) => Worth::Limits(Halves((limits * 2.0) as u32)),
        other => panic!("{name} is worth {other:?}"),
    };
    (code, worth)
}

/// Sorts lines into an order that both sides share.
pub fn sorted(lines: impl Iterator<Item = ScorerLine>) -> Vec<ScorerLine> {
    let mut lines: Vec<ScorerLine> = lines.collect();
    lines.sort_by_key(|(code, worth)| (*code, format!("{worth:?}")));
    lines
}

/// Returns the lines of a score; a line that counts twice is listed twice.
pub fn lines_of(awards: &[Award]) -> Vec<ScorerLine> {
    let each = |award: &Award| {
        std::iter::repeat_n((award.rule.code, award.worth), award.count as usize)
            .collect::<Vec<_>>()
    };
    sorted(awards.iter().flat_map(each))
}

/// Returns the sums of a score, for comparison with the expected ones.
pub fn sums(score: &Score) -> (u32, u32, f64, u32) {
    let doubling = score.doubling.expect("the classical game doubles");
    let halves = |halves: Halves| f64::from(halves.0) / 2.0;
    (doubling.points, doubling.doublings.0 / 2, halves(doubling.limits), score.total)
}

/// A generated hand that won.
#[derive(Debug, Deserialize)]
pub struct Row {
    melds: Vec<MeldRow>,
    /// The set that the winning discard completed.
    claimed_set: Option<SetRow>,
    /// Concealed tiles, including the winning tile if it was drawn.
    concealed: String,
    win_tile: String,
    by: String,
    bonus: Vec<String>,
    seat: Wind,
    round: Wind,
    pub expect: Expected,
}

#[derive(Debug, Deserialize)]
struct MeldRow {
    kind: String,
    tiles: String,
    open: bool,
}

#[derive(Debug, Deserialize)]
struct SetRow {
    tiles: String,
}

/// Returns the tiles of a text such as `11122m999s`.
fn tiles(text: &str) -> Vec<Tile> {
    let hand = text.parse::<Notation>().expect(text).hand;
    hand.concealed.into_iter().chain(hand.winning).collect()
}

impl MeldRow {
    fn meld(&self) -> Meld {
        let tile = tiles(&self.tiles)[0];
        match (self.kind.as_str(), self.open) {
            ("chow", true) => Meld::Chow(Chow::new(tile).expect("a chow")),
            ("pung", true) => Meld::Pung { tile, from: None },
            ("kong", false) => Meld::Kong { tile, kind: KongKind::Concealed },
            // The rows do not say how it was made: it counts as open.
            ("kong", true) => Meld::Kong { tile, kind: KongKind::Exposed { from: None } },
            other => panic!("unknown meld {other:?}"),
        }
    }
}

impl Row {
    /// Returns the hand.
    pub fn hand(&self) -> Hand {
        let mut concealed = tiles(&self.concealed);
        concealed.extend(self.claimed_set.iter().flat_map(|set| tiles(&set.tiles)));
        let win = tiles(&self.win_tile)[0];
        let at = concealed.iter().position(|&tile| tile == win);
        concealed.remove(at.expect("the winning tile is in the hand"));
        let setup = HandSetup {
            concealed,
            winning: Some(win),
            melds: self.melds.iter().map(MeldRow::meld).collect(),
            flowers: flowers(self.bonus.iter().map(String::as_str)),
            ..HandSetup::default()
        };
        setup.into_hand().expect("a legal hand")
    }

    /// Returns the win context.
    pub fn context(&self) -> Context {
        let from = Relation::Left;
        let (win, last_wall_tile) = match self.by.as_str() {
            "wall" => (WinSource::SelfDrawn, false),
            "wall_end" => (WinSource::SelfDrawn, true),
            "discard" => (WinSource::Discard { from }, false),
            "wall_end_discard" => (WinSource::Discard { from }, true),
            "dead_wall" => (WinSource::KongReplacement, false),
            "rob_kong" => (WinSource::RobbedKong { from }, false),
            other => panic!("won by {other}"),
        };
        let completes = self.claimed_set.as_ref().map(|set| set.tiles.parse().expect("a set"));
        let (seat, prevalent) = (self.seat, self.round);
        Context { seat, prevalent, win, last_wall_tile, completes, ..Context::PLAIN }
    }
}

/// Returns the bonus tiles: `f` or `y` for flower or season, and the wind they belong to.
fn flowers<'a>(codes: impl Iterator<Item = &'a str>) -> Flowers {
    let bonus = |code: &str| {
        let place = "eswn".find(&code[1..]).expect("a wind");
        let first = if code.starts_with('f') { 0 } else { 4 };
        Bonus::ALL[first + place]
    };
    Flowers::from_named(codes.map(bonus)).expect("each bonus tile exists once")
}

/// Returns the 1,000 generated hands.
pub fn cases() -> Vec<Row> {
    let packed = include_bytes!("../../data/classical/cases.jsonl.gz");
    let mut text = String::new();
    flate2::read::GzDecoder::new(packed.as_slice()).read_to_string(&mut text).expect("gzip");
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// Returns the hand-picked hands.
pub fn hand_picked() -> Vec<HandPicked> {
    let text = include_str!("../../data/classical/hand_picked.jsonl");
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// Returns the declaration for a letter of a compact hand.
fn declared(letter: char) -> Option<Declaration> {
    match letter {
        'a' => Some(Declaration::OriginalCall),
        't' => Some(Declaration::TwofoldFortune),
        _ => None,
    }
}

/// Names of the scorer, with our codes.
const NAMES: [(&str, &str); 62] = [
    ("Exposed Pung", "exposed_pung"),
    ("Exposed Pung of Terminals", "exposed_pung_of_terminals"),
    ("Exposed Pung of Honors", "exposed_pung_of_honors"),
    ("Concealed Pung", "concealed_pung"),
    ("Concealed Pung of Terminals", "concealed_pung_of_terminals"),
    ("Concealed Pung of Honors", "concealed_pung_of_honors"),
    ("Exposed Kong", "exposed_kong"),
    ("Exposed Kong of Terminals", "exposed_kong_of_terminals"),
    ("Exposed Kong of Honors", "exposed_kong_of_honors"),
    ("Concealed Kong", "concealed_kong"),
    ("Concealed Kong of Terminals", "concealed_kong_of_terminals"),
    ("Concealed Kong of Honors", "concealed_kong_of_honors"),
    ("Pair of Dragons", "pair_of_dragons"),
    ("Pair of Own Wind", "pair_of_own_wind"),
    ("Pair of Round Wind", "pair_of_round_wind"),
    ("Flower", "flower"),
    ("Season", "season"),
    ("Standard Mah Jongg", "mah_jongg"),
    ("Won with Last Tile Taken from Wall", "last_tile_from_wall"),
    ("Last Tile Completes Pair of 2..8", "completes_pair"),
    ("Last Tile Completes Pair of Terminals or Honors", "completes_pair_of_terminals_or_honors"),
    ("Last Tile is Only Possible Tile", "only_possible_tile"),
    ("Pung/Kong of Dragons", "dragon_pung"),
    ("Pung/Kong of Own Wind", "own_wind_pung"),
    ("Pung/Kong of Round Wind", "round_wind_pung"),
    ("Own Flower and Own Season", "own_flower_and_season"),
    ("All Flowers", "all_flowers"),
    ("All Seasons", "all_seasons"),
    ("Three Concealed Pongs", "three_concealed_pungs"),
    ("Little Three Dragons", "little_three_dragons"),
    ("Big Three Dragons", "big_three_dragons"),
    ("Little Four Joys", "little_four_winds"),
    ("Big Four Joys", "big_four_winds"),
    ("Zero Point Hand", "zero_point_hand"),
    ("No Chow", "no_chow"),
    ("Only Concealed Melds", "concealed_hand"),
    ("False Color Game", "one_suit_and_honors"),
    ("True Color Game", "one_suit"),
    ("Only Terminals and Honors", "terminals_and_honors"),
    ("Last Tile is Last Tile of Wall", "last_tile_of_wall"),
    ("Last Tile is Last Tile of Wall Discarded", "last_discard"),
    ("Last Tile Taken from Dead Wall", "dead_wall"),
    ("Robbing the Kong", "robbing_the_kong"),
    ("Mah Jongg with Original Call", "original_call"),
    ("Thirteen Orphans", "thirteen_orphans"),
    ("Nine Gates", "nine_gates"),
    ("Squirming Snake", "squirming_snake"),
    ("Concealed True Color Game", "concealed_one_suit"),
    ("Only Honors", "only_honors"),
    ("Heads and Tails", "only_terminals"),
    ("Fourfold Plenty", "four_kongs"),
    ("Three Great Scholars", "three_dragon_pungs"),
    ("Four Blessings Hovering over the Door", "four_wind_pungs"),
    ("Imperial Jade", "imperial_jade"),
    ("Hidden Treasure", "four_concealed_pungs"),
    ("Twofold Fortune", "twofold_fortune"),
    ("Blessing of Heaven", "blessing_of_heaven"),
    ("Blessing of Earth", "blessing_of_earth"),
    ("East won nine times in a row", "ninth_east_win"),
    ("Gathering the Plum Blossom from the Roof", "plum_blossom_from_the_roof"),
    ("Plucking the Moon from the Bottom of the Sea", "moon_from_the_bottom_of_the_sea"),
    ("Scratching a Carrying Pole", "scratching_a_carrying_pole"),
];
