//! Photos of MMM, the classical game and the game of sixteen tiles, from the picture to the
//! payments.
//!
//! `datasets/games/NAME.jpg` are renders of `scripts/vision/cycles_scenes.py --hands`; NAME.json is
//! what was rendered. Mahjong Masters Million turns two tiles of a claimed kong; in the classical
//! game every player's hand counts, so a table is four photos. Flowers differ most between tile
//! sets and their names raise questions: a bonus tile may be read as another.

use std::path::{Path, PathBuf};

use serde_json::Value;
use tilesight_core::contract::{ContextDto, HandDto};
use tilesight_core::hand::HandSetup;
use tilesight_core::rules::{Book, OtherHand, RulesetId, Score, score_table};
use tilesight_core::tile::{Tile, Wind};
use tilesight_vision::{Doubt, DoubtKind, Reader, Reading, Status};

use crate::common::reader;

/// A scene: the hand as it was rendered, and as it is read.
struct Read {
    truth: HandSetup,
    reading: Reading,
    seat: Wind,
}

fn scene(name: &str) -> (PathBuf, Value) {
    let photo = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .join("datasets/games")
        .join(name)
        .with_extension("jpg");
    let text = std::fs::read_to_string(photo.with_extension("json")).expect(name);
    (photo, serde_json::from_str(&text).expect("JSON"))
}

fn read(reader: &Reader, name: &str) -> Read {
    let (photo, scene) = scene(name);
    let context: ContextDto = serde_json::from_value(scene["context"].clone()).expect("a context");
    let book = Book::shipped();
    let ruleset = book.get(context.ruleset.expect("a rule set")).expect("shipped");
    let mut context = context.setup;
    if scene["hand"]["winning_tile"].is_null() {
        context.won = Some(false);
    }
    let hand: HandDto = serde_json::from_value(scene["hand"].clone()).expect("a hand");
    let reading = reader.read(&std::fs::read(photo).expect("readable"), &context, ruleset);
    Read {
        truth: hand.to_setup().expect("a legal hand"),
        reading: reading.expect("a photo"),
        seat: context.seat.unwrap_or_default(),
    }
}

/// Returns tiles and sets in a fixed order, without bonus tiles.
fn sorted(setup: &HandSetup) -> HandSetup {
    let mut sorted = HandSetup { flowers: Default::default(), ..setup.clone() };
    sorted.melds.sort();
    sorted.concealed.sort();
    sorted
}

impl Read {
    /// Fails unless the tiles, the sets, their sources and the winning tile are those of the scene,
    /// and all questions are about bonus tiles.
    fn assert_right(&self, name: &str) {
        let reading = &self.reading;
        assert_eq!(sorted(&reading.hand), sorted(&self.truth), "{name}: {:?}", reading.doubts);
        self.assert_asks_nothing_else(name, |_| false);
    }

    /// Like [`Read::assert_right`], but a question may be about a tile, and a concealed tile with a
    /// question may be named wrongly if the right name is offered: networks round differently from
    /// processor to processor.
    fn assert_right_or_asked(&self, name: &str) {
        let (mut read, truth) = (sorted(&self.reading.hand), sorted(&self.truth));
        let asked = self.reading.doubts.iter().filter(|doubt| doubt.kind == DoubtKind::Tile);
        for doubt in asked {
            let face = self.reading.tiles[doubt.tiles[0]].face.and_then(|face| face.tile());
            let meant = doubt.alternatives.iter().filter_map(|one| one.answer.parse().ok());
            let lacks = |tile: &Tile| count(&read, *tile) < count(&truth, *tile);
            let (Some(face), Some(meant)) = (face, meant.into_iter().find(lacks)) else { continue };
            if count(&read, face) > count(&truth, face) {
                let at = read.concealed.iter().position(|&tile| tile == face);
                read.concealed[at.expect("a concealed tile")] = meant;
            }
        }
        assert_eq!(sorted(&read), truth, "{name}: {:?}", self.reading.doubts);
        self.assert_asks_nothing_else(name, |doubt| doubt.kind == DoubtKind::Tile);
    }

    /// Fails if a doubt that changes the score is about anything but a bonus tile or the permitted
    /// kinds.
    fn assert_asks_nothing_else(&self, name: &str, may_ask: impl Fn(&Doubt) -> bool) {
        let reading = &self.reading;
        assert_eq!(reading.hand.flowers.count(), self.truth.flowers.count(), "{name}");
        let is_bonus =
            |tile: usize| reading.tiles[tile].face.is_some_and(|face| face.tile().is_none());
        for doubt in reading.doubts.iter().filter(|doubt| doubt.affects_score) {
            let about_bonus =
                doubt.kind == DoubtKind::Tile && doubt.tiles.iter().all(|&tile| is_bonus(tile));
            // In the classical game every concealed pung counts double, so even a small doubt
            // justifies a question.
            let about_set = doubt.kind == DoubtKind::ExposedSet && doubt.alternatives[0].p > 0.9;
            assert!(about_bonus || about_set || may_ask(doubt), "{name}: {doubt:?}");
        }
    }
}

fn count(setup: &HandSetup, tile: Tile) -> usize {
    setup.concealed.iter().filter(|&&other| other == tile).count()
}

fn payments(score: &Score) -> [i32; 4] {
    Wind::ALL.map(|seat| score.payments.for_seat(seat))
}

#[test]
fn two_turned_tiles_make_a_claimed_kong_of_mmm() {
    let read = read(&reader(), "mmm-kongs");
    read.assert_right("mmm-kongs");
    let score = read.reading.score.as_ref().expect("a win");
    assert_eq!(score.ruleset, Some(RulesetId::MMM));
    // Two open kongs of officers 32, an open pung 2, a pair of dragons 2: half a doubling beside
    // the round wind's, 28. The left player of South is East, who fed the last tile.
    assert_eq!((score.total, payments(score)), (28, [-28, 28, 0, 0]));
}

/// A kong claimed from the left, in a self-drawn hand: 22 points and one and a half doublings,
/// double for East.
#[test]
fn two_turned_tiles_on_the_left_are_claimed_from_the_left() {
    let read = read(&reader(), "mmm-kong-left");
    read.assert_right_or_asked("mmm-kong-left");
    let score = read.reading.score.as_ref().expect("a win");
    assert_eq!((score.total, payments(score)), (28, [-14, 28, -7, -7]));
}

/// Three pungs of dragons from two players: the only question is which player completed the third,
/// and so pays.
#[test]
fn the_feeder_of_three_dragons_is_the_only_question() {
    let reading = read(&reader(), "mmm-two-feeders");
    assert_eq!(sorted(&reading.reading.hand), sorted(&reading.truth));
    let reading = reading.reading;
    assert_eq!(reading.status, Status::NeedsReview);
    let asked: Vec<_> = reading.doubts.iter().filter(|doubt| doubt.affects_score).collect();
    let [doubt] = asked[..] else { panic!("{:?}", reading.doubts) };
    assert_eq!(doubt.kind, DoubtKind::Feeder);
    let answers = doubt.alternatives.iter().map(|answer| {
        let paid = answer.payments.expect("given with each answer");
        (answer.answer.as_str(), Wind::ALL.map(|seat| paid.for_seat(seat)))
    });
    let mut answers: Vec<_> = answers.collect();
    answers.sort_unstable();
    // South won: East sits to its left, North across.
    assert_eq!(answers, [("across", [0, 600, 0, -600]), ("left", [-600, 600, 0, 0])]);
}

#[test]
fn the_player_left_of_four_claimed_chows_pays() {
    let read = read(&reader(), "mmm-four-chows");
    read.assert_right("mmm-four-chows");
    let score = read.reading.score.as_ref().expect("a win");
    // An entirely claimed hand is one doubling, 30 for East. The right player discarded the last
    // tile, and the left one pays (1.4.1).
    assert_eq!((score.total, payments(score)), (30, [30, 0, 0, -30]));
}

/// Five sets and a pair: claimed ones with a kong and flowers above, and a drawn hand with a
/// concealed kong. `tests/service/taiwan.rs` follows them to the payments.
#[test]
fn hands_of_sixteen_tiles_are_read_whole() {
    let reader = reader();
    for name in ["taiwan-claimed", "taiwan-drawn"] {
        let read = read(&reader, name);
        read.assert_right(name);
        let score = read.reading.score.as_ref().expect("a win");
        assert_eq!(score.ruleset, Some(RulesetId::TW_COMMON), "{name}");
    }
}

#[test]
fn four_photos_settle_a_classical_table() {
    let reader = reader();
    let [winner, others @ ..] =
        ["classical-east", "classical-south", "classical-west", "classical-north"].map(|name| {
            let read = read(&reader, name);
            read.assert_right(name);
            read
        });
    for other in &others {
        assert!(other.reading.score.is_some() && other.reading.hand.winning.is_none());
        assert!(matches!(other.reading.status, Status::Ok | Status::NeedsReview));
    }
    let hand = winner.truth.clone().into_hand().expect("a whole hand");
    let holding = |read: &Read| OtherHand {
        seat: read.seat,
        hand: read.truth.clone().into_holding().expect("legal"),
    };
    let context = winner.reading.context;
    let book = Book::shipped();
    let ruleset = book.get(RulesetId::CLASSICAL_DMJL).expect("shipped");
    let table = score_table(ruleset, &hand, &context, &others.each_ref().map(holding));
    let table = table.expect("a table");
    // East: 20 for going out, 8 + 4 for the pungs, 4 for the flower, 2 each for the draw, the pair
    // and the only tile: 42, doubled by the dragons.
    assert_eq!(table.winner.total, 84);
    // South: 2 for the pung, 2 for the pair of the round wind, 8 for flower and season, doubled as
    // both are its own. West: two concealed pungs. North: a concealed kong, a concealed pung, a
    // season.
    let others: Vec<u32> = table.others.iter().map(|(_, score)| score.total).collect();
    assert_eq!(others, [24, 8, 24]);
    // Each pays East twice 84; West pays South and North the difference.
    assert_eq!(payments(&table.winner), [504, -152, -200, -152]);
}
