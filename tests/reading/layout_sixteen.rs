//! Hands of sixteen tiles and the winning one: found whole by a rule set of that game, and by any
//! other, which says that they are of another game.

use std::io::Cursor;
use std::sync::Arc;

use image::{DynamicImage, ImageFormat};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::Value;
use tilesight_core::context::ContextSetup;
use tilesight_core::explain::Lang;
use tilesight_core::hand::HandSize;
use tilesight_core::rules::{Book, Profile};
use tilesight_vision::contract::ReadingDto;
use tilesight_vision::decide::doubts::HandScorer;
use tilesight_vision::decide::joint;
use tilesight_vision::networks::fake::{PaintedModel, paint};
use tilesight_vision::{
    Doubt, NoScoreKind, Params, Question, ReadOptions, Reader, Reading, SeenTile, Status, layout,
};

use crate::common::{describe, line, moved, placed, seen};
use crate::tables::{Noise, Table, life_of, table_of};

/// Scenes with the hand that they show; `+?` is a winning tile that nothing sets apart.
const CASES: &[(&str, &str, &str)] = &[
    (
        "seventeen tiles in a row",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s C C N N N 2p 3p 4p",
        "1m 2m 3m 2p 3p 4p 4p 5p 6p 7s 8s 9s N N N C C +?",
    ),
    (
        "the winning tile after a gap",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s C C N N N 2p 3p | 4p",
        "1m 2m 3m 2p 3p 4p 5p 6p 7s 8s 9s N N N C C +4p",
    ),
    (
        "two rows",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s / C C N N N 2p 3p | 4p",
        "1m 2m 3m 2p 3p 4p 5p 6p 7s 8s 9s N N N C C +4p",
    ),
    (
        "two claimed sets",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s C | C | N_ N N | 2p 3p_ 4p",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s C +C [2p3p4p 3p] [NNN left]",
    ),
    (
        "five claimed sets",
        "C | C | N_ N N | 2p_ 3p 4p | 7p_ 8p 9p | 5s_ 5s 5s | 1m 1m_ 1m",
        "C +C [2p3p4p 2p] [7p8p9p 7p] [1m1m1m across] [5s5s5s left] [NNN left]",
    ),
    (
        "kongs",
        "1m 2m 3m 7s 8s 9s C | C | E_ E E E | 5s 5s 5s 5s_ | back 2p 2p back",
        "1m 2m 3m 7s 8s 9s C +C (2p2p2p2p) [5s5s5s5s right] [EEEE left]",
    ),
    (
        "flowers above",
        "f1 s2 f4 / 1m 2m 3m 4p 5p 6p 7s 8s 9s C | C | N_ N N | 2p 3p_ 4p",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s C +C [2p3p4p 3p] [NNN left] f1 f4 s2",
    ),
    (
        "flowers beside",
        "f1 s2 f4 | 1m 2m 3m 4p 5p 6p 7s 8s 9s C | C | N_ N N | 2p 3p_ 4p",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s C +C [2p3p4p 3p] [NNN left] f1 f4 s2",
    ),
];

fn sixteen() -> Arc<Profile> {
    let id = "tw-common".parse().expect("a name");
    Arc::clone(Book::shipped().get(id).expect("shipped"))
}

fn usual() -> Arc<Profile> {
    Arc::clone(Book::shipped().usual())
}

/// Returns the hand that tiles form, and the doubts about it.
fn decide(tiles: &[SeenTile], ruleset: &Arc<Profile>) -> (String, Vec<Doubt>) {
    let decision = joint::decide(tiles, &layout::lay_out(tiles, ruleset, None));
    let scorer = HandScorer::new(&ContextSetup::default(), ruleset).expect("a plain context");
    let doubts = scorer.assess(tiles, &decision).expect("a plain context").doubts;
    let hand = decision.best.map_or("nothing".to_owned(), |best| line(&best.setup));
    (hand, doubts)
}

/// Like [`decide`], for a player of the game of sixteen tiles who has not won.
fn decide_waiting(scene: &str) -> (String, Vec<Doubt>) {
    let tiles = seen(scene);
    let options = ReadOptions::from(&sixteen());
    let layout = layout::lay_out_with(&tiles, &options, false, &Params::DEFAULT);
    let decision = joint::decide(&tiles, &layout).not_won();
    let context = ContextSetup { won: Some(false), ..ContextSetup::default() };
    let scorer = HandScorer::new(&context, &sixteen()).expect("a plain context");
    let doubts = scorer.assess(&tiles, &decision).expect("a plain context").doubts;
    (decision.best.map_or("nothing".to_owned(), |best| line(&best.setup)), doubts)
}

fn asks_for_game(doubts: &[Doubt], seen: usize) -> bool {
    let mut questions = doubts.iter().map(|doubt| &doubt.question);
    questions.any(|question| matches!(question, Question::LargeHand { seen: n, .. } if *n == seen))
}

#[test]
fn every_form_is_read_whole_at_every_rotation_by_any_rule_set() {
    let mut failures = Vec::new();
    for (what, scene, expected) in CASES {
        let flat = seen(scene);
        let tiles =
            flat.iter().filter(|tile| tile.faces.best().is_some_and(|face| face.bonus().is_none()));
        let count = tiles.count();
        for (degrees, scale) in [(0.0, 1.0), (90.0, 1.0), (180.0, 2.0), (33.0, 0.7), (251.0, 1.3)] {
            let tiles = moved(&flat, degrees, scale);
            let (by_sixteen, doubts) = decide(&tiles, &sixteen());
            if by_sixteen != *expected || asks_for_game(&doubts, count) {
                failures.push(format!("{what} at {degrees}: {by_sixteen}"));
            }
            let (by_usual, doubts) = decide(&tiles, &usual());
            if by_usual != *expected || !asks_for_game(&doubts, count) {
                failures.push(format!("{what} by the usual rules at {degrees}: {by_usual}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn sixteen_tiles_that_wait_are_named_whole_and_said_to_be_of_another_game() {
    for (scene, hand) in [
        (
            "1m 2m 3m 4p 5p 6p 7s 8s 9s C C N N N 2p 3p",
            "1m 2m 3m 2p 3p 4p 5p 6p 7s 8s 9s N N N C C +?",
        ),
        (
            "1m 2m 3m 7s 8s 9s C C 2p 3p | N_ N N | 5s 5s_ 5s",
            "1m 2m 3m 2p 3p 7s 8s 9s C C +? [5s5s5s across] [NNN left]",
        ),
    ] {
        let (named, doubts) = decide(&seen(scene), &usual());
        assert_eq!(named, hand, "{scene}");
        assert!(asks_for_game(&doubts, 16), "{scene}: {doubts:?}");
    }
}

/// Print on the rail before a player's tiles has a name as sure as a tile's.
#[test]
fn a_tile_for_which_a_waiting_hand_has_no_room_is_left_out_and_asked_about() {
    let row = "W W 4p 5p 6p 7p 7p 9p 1s 2s 4s 4s 5s 7s 1p 2p";
    let (hand, doubts) = decide_waiting(row);
    assert!(doubts.is_empty(), "{doubts:?}");
    let (with, doubts) = decide_waiting(&format!("{row} / C"));
    assert_eq!(with, hand);
    let questions: Vec<&Question> = doubts.iter().map(|doubt| &doubt.question).collect();
    assert!(matches!(questions[..], [Question::Touching { .. }]), "{questions:?}");
}

#[test]
fn four_alike_in_a_hand_that_has_not_won_are_asked_about() {
    let sets = "1m 1m 1m 9s 9s 9s C C C C 5s 6s 7s";
    let (_, doubts) = decide_waiting(&format!("{sets} | 7m 7m 4p"));
    let questions: Vec<&Question> = doubts.iter().map(|doubt| &doubt.question).collect();
    assert!(
        matches!(questions[..], [Question::TileCount { seen: 16, needed: 17 }]),
        "{questions:?}"
    );
}

/// A row of fourteen tiles that wins is the hand by the usual rules, even with a set beside it, and
/// somebody is asked: it may be the winner's who plays with sixteen tiles.
#[test]
fn a_whole_row_with_a_set_beside_it_is_asked_about() {
    let row = "1m 2m 3m 4p 5p 6p 7s 8s 9s C C E E E";
    let (hand, doubts) = decide(&seen(&format!("{row} | N_ N N")), &usual());
    assert_eq!(hand, "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C C +?");
    assert!(asks_for_game(&doubts, 17), "{doubts:?}");
    let far = "| ".repeat(8);
    let (hand, doubts) = decide(&seen(&format!("{row} {far} N_ N N")), &usual());
    assert_eq!(hand, "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C C +?");
    assert!(!asks_for_game(&doubts, 17), "{doubts:?}");
}

#[test]
fn a_set_far_from_a_whole_hand_makes_no_hand_of_sixteen_tiles() {
    let hand = "1m 2m 3m 4p 5p 6p 7s 8s 9s C C | N_ N N";
    let far = "| ".repeat(8);
    let (plain, doubts) = decide(&seen(hand), &usual());
    let (with, others) = decide(&seen(&format!("{hand} {far} 2p 3p 4p")), &usual());
    assert_eq!((with, others), (plain, doubts));
}

fn read(scene: &str, ruleset: &Arc<Profile>) -> Reading {
    let image = DynamicImage::ImageRgb8(paint(1000, 360, &placed(scene)));
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, ImageFormat::Png).expect("encodes");
    let reader = Reader::with_model(PaintedModel::default());
    reader.read(bytes.get_ref(), &ContextSetup::default(), ruleset).expect("a usable photo")
}

#[test]
fn a_photo_of_seventeen_tiles_is_scored_by_its_rules_and_offers_the_game_by_others() {
    let scene = "1m 2m 3m 4p 5p 6p 7s 8s 9s C | C | N_ N N | 2p 3p_ 4p / f1 s2";
    let hand = "1m 2m 3m 4p 5p 6p 7s 8s 9s C +C [NNN left] [2p3p4p 3p] f1 s2";
    let scored = read(scene, &sixteen());
    assert_eq!(describe(&scored.hand), hand);
    assert!(scored.score.is_some(), "{:?}", scored.doubts);
    let other = read(scene, &usual());
    assert_eq!(describe(&other.hand), hand);
    assert_eq!(other.status, Status::NeedsReview);
    let why = tilesight_vision::NoScore::from_reading(&other).map(|why| why.kind());
    assert_eq!(why, Some(NoScoreKind::InvalidHand));
    let json = serde_json::to_value(ReadingDto::new(&other, Lang::En)).expect("JSON");
    let doubts = json["doubts"].as_array().expect("a list");
    let game = doubts.iter().find_map(|doubt| doubt.get("game")).and_then(Value::as_str);
    assert_eq!(game, Some("taiwan"), "{doubts:?}");
}

/// Returns whether a rule set reads a table exactly.
fn is_exact(table: &Table, ruleset: &Arc<Profile>) -> bool {
    decide(&table.tiles, ruleset).0 == line(&table.shown)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20, rng_seed: RngSeed::Fixed(1), ..ProptestConfig::default() })]

    #[test]
    fn turning_and_scaling_the_photo_changes_nothing(
        seed in 0u64..1_000_000, degrees in 0.0f32..360.0, scale in 0.4f32..3.0,
    ) {
        let table = table_of(HandSize::Sixteen, seed, Noise::NONE);
        prop_assume!(!table.forms.iter().any(|form| ["added kong, on top", "standing"].contains(form)));
        let tiles = moved(&table.tiles, degrees, scale);
        prop_assert_eq!(decide(&tiles, &sixteen()).0, decide(&table.tiles, &sixteen()).0);
    }

    #[test]
    fn the_order_of_the_tiles_changes_nothing(seed in 0u64..1_000_000, order in any::<u64>()) {
        let table = table_of(HandSize::Sixteen, seed, Noise::MEASURED);
        let mut mixed = table.tiles.clone();
        fastrand::Rng::with_seed(order).shuffle(&mut mixed);
        for ruleset in [sixteen(), usual()] {
            prop_assert_eq!(decide(&mixed, &ruleset).0, decide(&table.tiles, &ruleset).0);
        }
    }
}

#[test]
fn most_hands_of_sixteen_tiles_are_exact() {
    let tidy =
        (5_000_000..5_000_100).map(|seed| table_of(HandSize::Sixteen, seed, Noise::MEASURED));
    let exact = tidy.filter(|table| is_exact(table, &sixteen())).count();
    assert!(exact >= 60, "{exact} of 100 exact");
    let clean = Noise { wrong: 0.0, missing: 0.0, ..Noise::MEASURED };
    let loose = (7_000_000..7_000_050).map(|seed| life_of(HandSize::Sixteen, seed, clean));
    let exact = loose.filter(|table| is_exact(table, &sixteen())).count();
    assert!(exact >= 35, "{exact} of 50 exact");
}
