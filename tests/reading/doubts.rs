//! Doubts: ambiguities of a photo become questions, and a photo without a hand is a reading too.
//! Pictures are painted, so that every stage runs.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat};
use tilesight_core::context::{ContextField, ContextSetup};
use tilesight_core::contract::ContextDto;
use tilesight_core::hand::HandDelta;
use tilesight_core::notation::Notation;
use tilesight_core::rules::{Book, RulesError};
use tilesight_core::tile::Face;
use tilesight_vision::decide::{doubts, joint};
use tilesight_vision::geometry::Point;
use tilesight_vision::layout;
use tilesight_vision::networks::fake::{PaintedModel, paint};
use tilesight_vision::{
    Doubt, DoubtKind, Faces, IgnoreReason, Question, ReadError, Reader, Reading, Role, SeenTile,
    Status,
};

use crate::common;
use crate::common::{describe, placed, see, seen};

fn read(scene: &str) -> Reading {
    read_in(scene, "{}").expect("a usable photo")
}

/// Returns the reading in a win context.
fn read_in(scene: &str, context: &str) -> Result<Reading, ReadError> {
    let image = DynamicImage::ImageRgb8(paint(700, 360, &placed(scene)));
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, ImageFormat::Png).expect("encodes");
    let context = serde_json::from_str::<ContextDto>(context).expect(context).setup;
    Reader::with_model(PaintedModel::default()).read(
        bytes.get_ref(),
        &context,
        Book::shipped().usual(),
    )
}

fn doubt(reading: &Reading, kind: DoubtKind) -> &Doubt {
    let found = reading.doubts.iter().find(|doubt| doubt.kind == kind);
    found.unwrap_or_else(|| panic!("no doubt {kind:?} among {:?}", reading.doubts))
}

#[test]
fn a_clear_hand_is_scored_without_doubts() {
    let reading = read("1m 2m 3m 4p 5p 6p 7s 8s 9s C | C | E_ E E");
    assert_eq!(describe(&reading.hand), "1m 2m 3m 4p 5p 6p 7s 8s 9s C +C [EEE left]");
    assert_eq!(reading.doubts, []);
    assert_eq!(reading.status, Status::Ok);
    assert!(reading.score.is_some());
    assert!(reading.probability > 0.9);
    let roles = reading.tiles.iter().filter(|tile| tile.role == Role::Meld).count();
    assert_eq!(roles, 3);
    assert!(reading.tiles.iter().filter(|tile| tile.sideways).count() == 1);
}

#[test]
fn a_photo_without_tiles_is_no_hand() {
    let reading = read("");
    assert_eq!(reading.status, Status::NoHand);
    assert!(reading.tiles.is_empty() && reading.score.is_none() && reading.doubts.is_empty());
}

#[test]
fn a_wall_is_not_a_hand() {
    let reading = read("back back back back back back back");
    assert_eq!(reading.status, Status::NoHand);
    assert!(reading.tiles.iter().all(|tile| tile.ignored == Some(IgnoreReason::FaceDown)));
}

#[test]
fn twelve_tiles_ask_for_the_missing_ones() {
    let reading = read("1m 2m 3m 4p 5p 6p 7s 8s 9s E E E");
    assert_eq!(reading.status, Status::NeedsReview);
    assert!(reading.score.is_none());
    let doubt = doubt(&reading, DoubtKind::TileCount);
    assert!(
        doubt.question.to_string().starts_with("12 tiles seen, 14 needed"),
        "{}",
        doubt.question
    );
    assert!(doubt.affects_score);
}

/// Returns the doubts of a hand with other tiles beside it.
fn beside(hand: &str, others: &str) -> Vec<Doubt> {
    let (hand, others) = (placed(hand), placed(others));
    let certain = |tile| see(tile, Faces::certain(tile.face));
    let mut tiles: Vec<SeenTile> = hand.iter().map(certain).collect();
    let decision = joint::decide(&tiles, &layout::lay_out(&tiles, Book::shipped().usual(), None));
    tiles.extend(others.iter().map(|tile| {
        let lower = |corner| corner + Point::new(0.0, 400.0);
        SeenTile { quad: tile.quad.upright().map(lower), ..certain(tile) }
    }));
    let scorer =
        doubts::HandScorer::new(&ContextSetup::default(), Book::shipped().usual()).expect("plain");
    scorer.assess(&tiles, &decision).expect("a plain context").doubts
}

/// Returns the tiles that are asked about because they lie beside the hand without a print, if the
/// networks take each for a white dragon with this probability, and for a back otherwise.
fn blank_set(p: f32) -> Option<Vec<usize>> {
    let placed = placed("1m 2m 3m 4p 5p 6p 7s 8s 9s C C | E E E | P P P");
    let [white, back] = ["P", "back"].map(|code| code.parse().ok());
    let blank = Faces::from_weights([(white, p), (back, 1.0 - p)]);
    let tiles: Vec<SeenTile> = placed
        .iter()
        .map(|tile| {
            let is_blank = Some(tile.face) == white;
            see(tile, if is_blank { blank.clone() } else { Faces::certain(tile.face) })
        })
        .collect();
    let decision = joint::decide(&tiles, &layout::lay_out(&tiles, Book::shipped().usual(), None));
    let scorer =
        doubts::HandScorer::new(&ContextSetup::default(), Book::shipped().usual()).expect("plain");
    let doubts = scorer.assess(&tiles, &decision).expect("a plain context").doubts;
    let asked = doubts.into_iter().find(|doubt| doubt.question == Question::BlankSet);
    asked.map(|doubt| doubt.tiles)
}

#[test]
fn a_blank_set_beside_the_hand_is_left_out_only_with_a_question_or_as_sure_backs() {
    assert_eq!(blank_set(0.4), Some(vec![14, 15, 16]), "called backs, and the hand wins without");
    assert_eq!(blank_set(0.01), None, "sure backs");
}

#[test]
fn a_tile_that_would_complete_the_hand_is_offered_before_one_is_missing() {
    let doubts = beside("1m 2m 3m 4p 5p 6p 7s 8s 9s C C E E", "9m E 2s E C");
    let kinds: Vec<_> = doubts.iter().map(|doubt| (doubt.kind, doubt.tiles.len())).collect();
    // The question is about the nearer of two discards of a kind, and there is one for each kind.
    assert_eq!(kinds[..2], [(DoubtKind::TileCount, 1); 2], "{doubts:?}");
    assert_eq!(kinds[2], (DoubtKind::TileCount, 13), "that a tile is missing comes after");
    let mut offered: Vec<_> = doubts[..2].iter().map(|doubt| doubt.question.to_string()).collect();
    offered.sort_unstable();
    assert_eq!(
        offered,
        [
            "with this C the hand wins: is it the winner's?",
            "with this E the hand wins: is it the winner's?"
        ]
    );
    for doubt in &doubts[..2] {
        let [yes, no] = doubt.alternatives.as_slice() else { panic!("{doubt:?}") };
        assert_eq!((yes.answer.as_str(), no.answer.as_str()), ("yes", "no"));
        assert!(yes.total.is_some() && no.total.is_none(), "{doubt:?}");
        let won = yes.hand.as_ref().and_then(|hand| hand.winning);
        assert!(
            doubt.question.to_string().contains(&won.expect("nothing else lay apart").to_string())
        );
    }
}

#[test]
fn winning_and_incomplete_hands_get_no_offers() {
    for hand in ["1m 2m 3m 4p 5p 6p 7s 8s 9s C C E E | E", "1m 2m 3m 4p 5p 6p 7s 8s 9s C C E"] {
        let doubts = beside(hand, "9m E 2s");
        let offered =
            doubts.iter().filter(|doubt| doubt.question.to_string().starts_with("with this"));
        assert_eq!(offered.count(), 0, "{hand}: {doubts:?}");
    }
}

#[test]
fn a_flower_far_away_is_asked_about() {
    let far = "/ ".repeat(4);
    let reading = read(&format!("1m 2m 3m 4p 5p 6p 7s 8s 9s C | C | E_ E E {far} f1"));
    // The flower lies as straight as the hand, so it probably belongs to it.
    assert_eq!(reading.hand.flowers.count(), 1);
    let doubt = doubt(&reading, DoubtKind::Flower);
    let totals: Vec<_> = doubt.alternatives.iter().map(|answer| answer.total).collect();
    let [Some(with), Some(without)] = totals[..] else { panic!("{totals:?}") };
    assert_eq!(with, without + 1);
    assert!(doubt.affects_score);
}

/// A hand that wins.
const WON: &str = "1m 2m 3m 4p 5p 6p 7s 8s 9s C C E E | E";

/// Lays out that hand with a flower below it, at a distance in pixels and with a size as a share of
/// a tile's, and perhaps other tiles further down.
fn with_flower(down: f32, size: f32, others: &str) -> layout::Layout {
    let mut tiles = seen(WON);
    let mut put = |tile: SeenTile, down: f32, size: f32| {
        let lower = |corner| corner + Point::new(0.0, down);
        tiles.push(SeenTile { quad: tile.quad.grown(size).map(lower), ..tile });
    };
    seen(others).into_iter().for_each(|tile| put(tile, 2.0 * down, 1.0));
    seen("f1").into_iter().for_each(|tile| put(tile, down, size));
    layout::lay_out(&tiles, Book::shipped().usual(), None)
}

#[test]
fn dice_and_flowers_before_others_are_not_asked_about() {
    let asked = |down, size, others| !with_flower(down, size, others).doubtful_flowers.is_empty();
    assert!(asked(500.0, 1.0, ""), "a flower that lies far off, with nothing else near it");
    assert!(!asked(500.0, 0.4, ""), "a die");
    assert!(!asked(500.0, 1.0, "2s 9p N 4m"), "a flower before another player");
}

#[test]
fn a_tile_that_lies_across_in_a_concealed_set_is_asked_about() {
    let tiles = seen(WON);
    let mut decision =
        joint::decide(&tiles, &layout::lay_out(&tiles, Book::shipped().usual(), None));
    let scorer =
        doubts::HandScorer::new(&ContextSetup::default(), Book::shipped().usual()).expect("plain");
    let mut exposed = |across: &[usize]| {
        decision.sideways = across.to_vec();
        let doubts = scorer.assess(&tiles, &decision).expect("a plain context").doubts;
        doubts.into_iter().find(|doubt| doubt.kind == DoubtKind::ExposedSet)
    };
    assert_eq!(exposed(&[]), None);
    let doubt = exposed(&[4]).expect("5p lies across");
    let mut about = doubt.tiles.clone();
    about.sort_unstable();
    assert_eq!(about, [3, 4, 5], "4p 5p 6p");
    let [concealed, claimed] = doubt.alternatives.as_slice() else { panic!("{doubt:?}") };
    assert_eq!((concealed.answer.as_str(), claimed.answer.as_str()), ("concealed", "claimed"));
    assert!(concealed.total > claimed.total, "the hand is concealed no more: {doubt:?}");
    let melds = claimed.hand.as_ref().map(|hand| hand.melds.len());
    assert_eq!(melds, Some(1));
}

#[test]
fn five_of_a_kind_names_the_tiles() {
    let reading = read("E E E E E 4p 5p 6p 7s 8s 9s 1m 2m | 3m");
    assert_eq!(reading.status, Status::NeedsReview);
    let doubt = doubt(&reading, DoubtKind::TooManyCopies);
    assert_eq!(doubt.tiles, [0, 1, 2, 3, 4]);
    assert!(doubt.question.to_string().contains('E') && doubt.affects_score);
}

#[test]
fn a_flower_that_is_there_twice_is_asked_about() {
    let reading = read("1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C | C / f1 f1");
    assert_eq!(reading.hand.flowers.count(), 2);
    assert!(!doubt(&reading, DoubtKind::TooManyCopies).affects_score);
}

#[test]
fn an_unknown_winning_tile_lists_the_totals() {
    // Waiting for 3 or 6 characters or for the pair gives different fans.
    let reading = read("1m 2m 3m 4m 5m 6m 7m 8m 9m 2p 2p 2p 5s 5s");
    let doubt = doubt(&reading, DoubtKind::WinningTile);
    assert!(doubt.affects_score && doubt.alternatives.len() == 11);
    assert!(doubt.alternatives.iter().all(|answer| answer.total.is_some()));
    assert!(reading.hand.winning.is_none() && reading.supposed_winning.is_some());
    let totals: Vec<_> = doubt.alternatives.iter().map(|answer| answer.total).collect();
    let total = reading.score.as_ref().map(|score| score.total);
    assert!(totals.contains(&total));
}

/// A player who wins by a discard may show the completed set with the discard turned.
#[test]
fn an_unknown_winning_tile_may_lie_in_an_open_set() {
    let reading = read("1m 2m 3m 4m 5m 6m 7m 8m 9m 5s 5s | 2p_ 2p 2p");
    let doubt = doubt(&reading, DoubtKind::WinningTile);
    let (last, others) = doubt.alternatives.split_last().expect("answers");
    assert_eq!(last.answer, "2p of 2p2p2p");
    let hand = last.hand.as_ref().expect("the answer makes a hand");
    assert!(hand.melds.is_empty() && hand.winning == Some("2p".parse().expect("a tile")));
    assert!(last.total > others[0].total, "a concealed hand: {:?}", doubt.alternatives);
    assert!(
        others.iter().all(|other| other.hand.as_ref().is_some_and(|hand| hand.melds.len() == 1))
    );
    let sum: f32 = doubt.alternatives.iter().map(|answer| answer.p).sum();
    assert!((sum - 1.0).abs() < 1e-4, "{sum}");
}

#[test]
fn a_set_apart_with_nothing_turned_may_be_concealed() {
    let reading = read("1m 2m 3m 4m 5m 6m 2p 3p 4p C | C | E E E");
    let doubt = doubt(&reading, DoubtKind::ExposedSet);
    assert_eq!(doubt.tiles.len(), 3);
    assert_eq!(doubt.alternatives.len(), 2);
}

#[test]
fn four_backs_ask_which_tile_they_hide() {
    let reading = read("1m 2m 3m 4m 5m 6m 2p 3p 4p C | C | back back back back");
    let doubt = doubt(&reading, DoubtKind::HiddenKong);
    assert_eq!(doubt.tiles.len(), 4);
    assert!(doubt.alternatives.iter().all(|answer| answer.answer != "C"));
    assert!(doubt.alternatives.iter().all(|answer| answer.total.is_some()));
    assert_eq!(reading.status, Status::NeedsReview);
    assert!(reading.doubts.iter().all(|doubt| doubt.kind != DoubtKind::TileCount));
}

#[test]
fn clear_tiles_that_do_not_win_stay_as_they_are() {
    let reading = read("1m 4m 7m 2p 5p 8p 3s 6s 8s 9s E S C | C");
    assert_eq!(describe(&reading.hand), "1m 4m 7m 2p 5p 8p 3s 6s 8s 9s E S C +C");
    assert_eq!(reading.status, Status::NeedsReview);
    doubt(&reading, DoubtKind::NotAWin);
}

#[test]
fn discards_are_ignored_by_name() {
    let reading = read("/ 1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C | C / / / 9p | | | | | S");
    let ignored: Vec<_> = reading.tiles.iter().filter(|tile| tile.ignored.is_some()).collect();
    assert_eq!(ignored.len(), 2);
    assert_eq!(describe(&reading.hand), "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C +C");
}

/// Returns seen tiles of a scene with the probabilities of one of them replaced.
fn unsure(scene: &str, at: usize, faces: &[(&str, f32)]) -> Vec<SeenTile> {
    let placed = placed(scene);
    let parse = |code: &str| -> Option<Face> { code.parse().ok() };
    let faces = Faces::from_weights(faces.iter().map(|&(code, p)| (parse(code), p)));
    let see_one = |(i, tile)| {
        let tile: &tilesight_vision::networks::fake::PaintedTile = tile;
        see(tile, if i == at { faces.clone() } else { Faces::certain(tile.face) })
    };
    placed.iter().enumerate().map(see_one).collect()
}

#[test]
fn an_illegible_flower_between_two_others_does_not_part_them_from_the_hand() {
    let scene = "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C | C / / f3 f2 s1";
    let tiles = unsure(scene, 15, &[("1s", 0.45), ("f2", 0.25), ("s3", 0.2), ("f4", 0.1)]);
    let layout = layout::lay_out(&tiles, Book::shipped().usual(), None);
    let decision = joint::decide(&tiles, &layout);
    let best = decision.best.as_ref().expect("a hand");
    assert_eq!(describe(&best.setup), "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C +C f2 f3 s1");
    assert!(layout.doubtful_flowers.is_empty(), "{:?}", layout.doubtful_flower_p);
}

/// Of a white dragon alone it is not clear that it is a tile: only a hand that wins with it has it.
#[test]
fn a_misread_tile_leaves_the_winning_tile_with_the_hand() {
    let scene = "4m 4m 4m 5p 5p 5p 6s 6s 6s N N N P | | P";
    let winning = "4m 4m 4m 5p 5p 5p 6s 6s 6s N N N P +P";
    for (p, expected) in [(0.4, winning), (0.002, "4m 4m 5m 5p 5p 5p 6s 6s 6s N N N P +?")] {
        let tiles = unsure(scene, 2, &[("5m", 1.0 - p), ("4m", p)]);
        let decision =
            joint::decide(&tiles, &layout::lay_out(&tiles, Book::shipped().usual(), None));
        assert_eq!(describe(&decision.best.expect("a hand").setup), expected, "{p}");
    }
}

/// A thing beside a waiting hand completes it if it looks a little like the tile that wins.
#[test]
fn a_winning_tile_that_lies_alone_needs_a_sure_name_of_its_own() {
    let row = "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C";
    let alone = format!("{row} | | C");
    let faint: &[(&str, f32)] = &[("C", 0.4), ("F", 0.3), ("1p", 0.05), ("none", 0.25)];
    let sure: &[(&str, f32)] = &[("C", 0.95), ("F", 0.05)];
    for (scene, faces, expected) in [
        (alone.clone(), faint, Some(["C", "F", "none"].as_slice())),
        (alone, sure, None),
        (format!("{row} C"), faint, None),
    ] {
        let tiles = unsure(&scene, 13, faces);
        let layout = layout::lay_out(&tiles, Book::shipped().usual(), None);
        let decision = joint::decide(&tiles, &layout);
        let scorer = doubts::HandScorer::new(&ContextSetup::default(), Book::shipped().usual());
        let verdict = scorer.expect("plain").assess(&tiles, &decision).expect("a plain context");
        assert!(verdict.score.is_some(), "{scene}: the hand wins");
        let asked = verdict.doubts.iter().find(|doubt| doubt.tiles == [13]);
        let answers = asked.map(|doubt| {
            doubt.alternatives.iter().map(|answer| answer.answer.as_str()).collect::<Vec<_>>()
        });
        assert_eq!(answers.as_deref(), expected, "{scene} {faces:?}");
        let none = asked.and_then(|doubt| doubt.alternatives.last());
        assert_eq!(none.and_then(|answer| answer.total), None, "13 tiles have no score");
    }
}

#[test]
fn the_limits_of_a_hand_correct_a_doubtful_tile() {
    let scene = "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C | C";
    let tiles = unsure(scene, 7, &[("6s", 0.55), ("8s", 0.4), ("9s", 0.05)]);
    let decision = joint::decide(&tiles, &layout::lay_out(&tiles, Book::shipped().usual(), None));
    let best = decision.best.as_ref().expect("a hand");
    assert_eq!(describe(&best.setup), "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C +C");
    let scorer =
        doubts::HandScorer::new(&ContextSetup::default(), Book::shipped().usual()).expect("plain");
    let verdict = scorer.assess(&tiles, &decision).expect("no contradiction");
    let doubt = verdict.doubts.iter().find(|doubt| doubt.kind == DoubtKind::Tile).expect("a doubt");
    assert_eq!(doubt.tiles, [7]);
    assert!(doubt.question.to_string().contains("looks like 6s"), "{}", doubt.question);
}

/// Rule sets in which thirteen orphans win: all but MMM.
const WITH_ORPHANS: [&str; 13] = [
    "mcr-wmo",
    "mcr-mil",
    "classical-dmjl",
    "classical-001",
    "hk-old",
    "hk-npm",
    "hk-tiers",
    "hk-pairs",
    "riichi-tenhou",
    "riichi-wrc",
    "riichi-mleague",
    "riichi-majsoul",
    "riichi-three",
];

/// Rule sets in which these seven pairs win.
const WITH_PAIRS: [&str; 9] = [
    "mcr-wmo",
    "mcr-mil",
    "mmm",
    "classical-001",
    "hk-pairs",
    "riichi-tenhou",
    "riichi-wrc",
    "riichi-mleague",
    "riichi-majsoul",
];

/// A name that wins in one game only is accepted in that game only: knitted tiles and orphans win
/// in MCR, orphans in the classical game, in riichi and in Hong Kong, neither in MMM; seven pairs
/// are half a limit only by the house rules, and win in Hong Kong only where they are played.
#[test]
fn a_win_in_another_game_changes_no_name() {
    let knitted = "1m 4m 7m 2p 5p 8p 3s 6s 9s E S W N | N";
    let orphans = "1m 9m 1p 9p 1s 9s E S W N C F P | 8s";
    let pairs = "1m 1m 3m 3m 9p 9p 2s 2s W W N N C | F";
    for (scene, seen, winning, by) in [
        (knitted, "N", "C", ["mcr-wmo", "mcr-mil"].as_slice()),
        (orphans, "8s", "9s", &WITH_ORPHANS),
        (pairs, "F", "C", &WITH_PAIRS),
    ] {
        let tiles = unsure(scene, 13, &[(seen, 0.7), (winning, 0.3)]);
        for ruleset in Book::shipped().profiles() {
            let decision = joint::decide(&tiles, &layout::lay_out(&tiles, ruleset, None));
            let read = describe(&decision.best.expect("a hand").setup);
            let expected = if by.contains(&ruleset.id().as_str()) { winning } else { seen };
            assert!(read.ends_with(&format!("+{expected}")), "{ruleset:?} {scene}: {read}");
        }
    }
}

#[test]
fn a_confident_tile_is_never_renamed() {
    let scene = "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C | C";
    let tiles = unsure(scene, 7, &[("6s", 0.99), ("8s", 0.01)]);
    let decision = joint::decide(&tiles, &layout::lay_out(&tiles, Book::shipped().usual(), None));
    assert!(describe(&decision.best.expect("a hand").setup).contains("6s 7s 9s"));
}

#[test]
fn a_fifth_tile_becomes_its_second_candidate() {
    let scene = "E E E E 4p 5p 6p 7s 8s 9s 1m 2m 3m | E";
    let tiles = unsure(scene, 4, &[("4p", 1.0)]);
    let tiles_with_rival =
        unsure("E E E E E 5p 6p 7s 8s 9s 1m 2m 3m | 4p", 4, &[("E", 0.7), ("4p", 0.3)]);
    let read = |tiles: &[SeenTile]| {
        let decision = joint::decide(tiles, &layout::lay_out(tiles, Book::shipped().usual(), None));
        decision.best.map(|best| best.setup.all()).expect("a hand")
    };
    assert_eq!(read(&tiles).count("E".parse().expect("east")), 5);
    assert_eq!(read(&tiles_with_rival).count("E".parse().expect("east")), 4);
}

const LAST_OF_KIND: &str = r#"{ "last_of_kind": true }"#;
const ROBBED: &str = r#"{ "win": "robbed_kong" }"#;

#[test]
fn a_context_that_contradicts_a_guess_is_a_doubt() {
    let pairs = "1m 1m 2m 2m 4p 4p 6p 6p 7s 7s 9s 9s E E";
    let no_kong = r#"{ "win": "kong_replacement" }"#;
    for (context, field) in [
        (LAST_OF_KIND, ContextField::LastOfKind),
        (ROBBED, ContextField::Win),
        (no_kong, ContextField::Win),
    ] {
        let reading = read_in(pairs, context).expect("a doubt and no error");
        assert_eq!(reading.status, Status::NeedsReview, "{context}");
        assert!(reading.score.is_none(), "{context}");
        let doubt = doubt(&reading, DoubtKind::Contradiction);
        assert_eq!((doubt.field, doubt.affects_score), (Some(field), true), "{context}");
        assert!(doubt.question.to_string().contains(field.name()), "{}", doubt.question);
    }
}

#[test]
fn a_winning_tile_is_guessed_to_fit_the_context() {
    let reading = read_in("1m 2m 3m 4m 5m 6m 7m 8m 9m 2p 2p 2p 5s 5s", ROBBED).expect("a reading");
    let supposed = reading.supposed_winning.expect("a single tile").to_string();
    assert!(supposed.ends_with('m'), "{supposed}");
    assert!(reading.score.is_some());
}

#[test]
fn a_context_that_contradicts_a_certain_reading_is_rejected() {
    let scene = "1m 2m 3m 4p 5p 6p 7s 8s 9s C | C | E_ E E";
    for context in [LAST_OF_KIND, ROBBED] {
        let error = read_in(scene, context).expect_err(context);
        assert!(matches!(error, ReadError::Rules(RulesError::Contradictions(_))), "{error}");
    }
    let neither = r#"{ "win": "robbed_kong", "last_wall_tile": true }"#;
    let error = read_in("1m 2m 3m 4m 5m 6m 7m 8m 9m 2p 2p 2p 5s 5s", neither).expect_err("never");
    assert!(error.to_string().contains("last_wall_tile: no kong can be robbed"), "{error}");
}

#[test]
fn a_context_that_contradicts_a_doubtful_reading_is_a_doubt() {
    // Both names of the first tile make a chow.
    let tiles = unsure("1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C | C", 0, &[("1m", 0.6), ("4m", 0.4)]);
    let decision = joint::decide(&tiles, &layout::lay_out(&tiles, Book::shipped().usual(), None));
    let context = serde_json::from_str::<ContextDto>(ROBBED).expect("a context").setup;
    let scorer = doubts::HandScorer::new(&context, Book::shipped().usual()).expect("plain");
    let verdict = scorer.assess(&tiles, &decision).expect("a doubt and no error");
    assert!(verdict.score.is_none());
    let doubt = verdict.doubts.iter().find(|doubt| doubt.kind == DoubtKind::Contradiction);
    assert_eq!(doubt.expect("a doubt").tiles, [12, 13]);
}

#[test]
fn a_tile_that_the_edge_cuts_may_change_the_score() {
    let mut tiles = common::seen("1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C | C");
    tiles[0].inside = 0.8;
    let decision = joint::decide(&tiles, &layout::lay_out(&tiles, Book::shipped().usual(), None));
    let scorer =
        doubts::HandScorer::new(&ContextSetup::default(), Book::shipped().usual()).expect("plain");
    let verdict = scorer.assess(&tiles, &decision).expect("no contradiction");
    let cut = verdict.doubts.iter().find(|doubt| doubt.kind == DoubtKind::CutTile);
    assert!(cut.expect("a doubt").affects_score);
}

/// A person sees such a flower beside the hand: it counts, or a question is about it.
#[test]
fn no_legible_flower_beside_the_hand_is_passed_over() {
    let hand = seen(WON);
    let flower = seen("f1").remove(0);
    for (down, right, degrees) in (1..=6).flat_map(|n| {
        let down = 50.0 + 30.0 * n as f32;
        [0.0, 8.0, 20.0, 45.0].map(move |degrees: f32| (down, 60.0 * n as f32, degrees))
    }) {
        for size in [0.8, 0.9, 1.0, 1.15] {
            let centre = flower.quad.centre();
            let (sin, cos) = degrees.to_radians().sin_cos();
            let turn = |corner: Point| {
                let from = corner - centre;
                let turned = Point::new(from.x * cos - from.y * sin, from.x * sin + from.y * cos);
                centre + turned + Point::new(right, down)
            };
            let quad = flower.quad.grown(size).map(turn);
            let mut tiles = hand.clone();
            tiles.push(SeenTile { quad, ..flower.clone() });
            let layout = layout::lay_out(&tiles, Book::shipped().usual(), None);
            let at = tiles.len() - 1;
            let counts = layout.groups.iter().any(|group| group.tiles.contains(&at));
            let asked = layout.doubtful_flowers.contains(&at);
            assert!(counts || asked, "{down} below, {right} to the right, {degrees}°, size {size}");
        }
    }
}

/// Sets that are left out do not take the flowers at their head along, and the owner of flowers
/// that lie beside the hand is not open.
#[test]
fn flowers_at_the_head_of_other_sets_are_taken() {
    let tiles = seen("f1 s2 1s 1s 1s / 1m 2m 3m 4p 5p 6p 7s 8s 9s C C E E E");
    let layout = layout::lay_out(&tiles, Book::shipped().usual(), None);
    let is_taken = |i: usize| layout.groups.iter().any(|group| group.tiles.contains(&i));
    assert!(is_taken(0) && is_taken(1), "{:?}", layout.ignored);
    assert!(!is_taken(2), "the hand is complete without the set");
    assert!(layout.doubtful_flowers.is_empty(), "{:?}", layout.doubtful_flowers);
}

/// Flowers among discards that lie before another player are not asked about.
#[test]
fn a_flower_among_discards_is_not_taken() {
    let far = "/ ".repeat(4);
    let tiles = seen(&format!("{WON} {far} 2s f1 4m 9p"));
    let layout = layout::lay_out(&tiles, Book::shipped().usual(), None);
    let flower = 15;
    assert!(layout.ignored.iter().any(|&(i, _)| i == flower), "{:?}", layout.groups);
}

/// Four face-up tiles in a row, none of them sideways, may have been claimed.
#[test]
fn open_kongs_in_a_row_are_asked_about() {
    for scene in [
        "1m 2m 3m 4p 5p 6p C | C | E E E E S S S S",
        "E E E E S S S S 1m 2m 3m 4p 5p 6p C | C",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s C | C | E E E E",
    ] {
        let reading = read(scene);
        let kongs = reading.hand.melds.len();
        assert!(kongs > 0, "{scene}: {}", describe(&reading.hand));
        let asked: Vec<&Doubt> =
            reading.doubts.iter().filter(|doubt| doubt.kind == DoubtKind::ConcealedKong).collect();
        assert_eq!(asked.len(), kongs, "{scene}: {:?}", reading.doubts);
        for doubt in asked {
            let mut answers: Vec<&str> =
                doubt.alternatives.iter().map(|one| one.answer.as_str()).collect();
            answers.sort_unstable();
            assert_eq!(
                (answers.as_slice(), doubt.tiles.len()),
                (["claimed", "concealed"].as_slice(), 4)
            );
            assert!(
                doubt.affects_score && doubt.alternatives.iter().all(|one| one.total.is_some())
            );
        }
        assert_eq!(reading.status, Status::NeedsReview);
    }
}

/// A pung that lies among kongs, as called sets do, may have been called; one among the tiles of
/// the hand, or apart from a kong, was not.
#[test]
fn a_pung_among_kongs_is_asked_about() {
    for (scene, is_asked) in [
        ("1m 2m 3m C | C | E E E E S S S W W W W", true),
        ("1m 2m 3m C | C | S S S E E E E W W W W", true),
        ("1m 2m 3m 4p 5p 6p C | C | E E E E S S S", true),
        ("1m 2m 3m 4p 5p 6p S S S C | C | E E E E", false),
    ] {
        let reading = read(scene);
        let pung = reading.doubts.iter().find(|doubt| doubt.kind == DoubtKind::ExposedSet);
        assert_eq!(pung.is_some(), is_asked, "{scene}: {:?}", reading.doubts);
        let Some(doubt) = pung else { continue };
        let [concealed, claimed] = doubt.alternatives.as_slice() else {
            panic!("{scene}: {doubt:?}")
        };
        assert_eq!((concealed.answer.as_str(), claimed.answer.as_str()), ("concealed", "claimed"));
        assert!(doubt.affects_score && doubt.tiles.len() == 3, "{scene}: {doubt:?}");
        let called = claimed.hand.as_ref().expect("a hand");
        assert_eq!(called.melds.len(), reading.hand.melds.len() + 1, "{scene}");
    }
}

/// An answer about a flower does not settle which tile won.
#[test]
fn a_flower_leaves_the_winning_tile_open() {
    let reading = read(&format!("1m 2m 3m 4m 5m 6m 7m 8m 9m 2p 2p 2p 5s 5s {} f1", "/ ".repeat(4)));
    let flower = doubt(&reading, DoubtKind::Flower);
    for answer in &flower.alternatives {
        assert_eq!(answer.hand.as_ref().map(|hand| hand.winning), Some(None), "{answer:?}");
    }
}

/// The totals of all combinations of answers, in every win context, lie within the range.
#[test]
fn the_range_holds_the_total_of_every_combination_of_answers() {
    let far = "/ ".repeat(4);
    for scene in [
        format!("1m 2m 3m 4m 5m 6m 2p 3p 4p C | C | E E E {far} f1"),
        format!("1m 2m 3m 4p 5p 6p C | C | E E E E S S S S {far} f1"),
        format!("1m 2m 3m 4m 5m 6m 7m 8m 9m 2p 2p 2p 5s 5s {far} f1"),
    ] {
        let reading = read(&scene);
        let range = reading.possible_totals().expect("something is open");
        let ends = reading.totals_by_answer();
        let mut hands = vec![reading.hand.clone()];
        for (doubt, ends) in reading.doubts.iter().zip(&ends) {
            for (answer, ends) in doubt.alternatives.iter().zip(ends) {
                if let (Some(total), Some((min, max))) = (answer.total, ends) {
                    assert!((*min..=*max).contains(&total), "{scene}: {answer:?}");
                    assert!(range.min <= *min && *max <= range.max, "{scene}: {answer:?}");
                }
            }
            let answered = doubt.alternatives.iter().filter_map(|one| one.hand.as_ref());
            let deltas: Vec<HandDelta> =
                answered.map(|made| HandDelta::new(&reading.hand, made)).collect();
            let more: Vec<_> = hands
                .iter()
                .flat_map(|hand| deltas.iter().filter_map(|delta| delta.apply(hand)))
                .collect();
            hands.extend(more);
        }
        assert!(hands.len() > 8, "{scene}");
        for hand in &hands {
            for context in [
                "{}",
                r#"{ "win": "self_drawn", "seat": "E", "prevalent": "E" }"#,
                r#"{ "win": "discard", "seat": "S", "prevalent": "E" }"#,
                r#"{ "win": "self_drawn", "seat": "W", "prevalent": "N" }"#,
            ] {
                let setup = serde_json::from_str::<ContextDto>(context).expect(context).setup;
                let scorer =
                    doubts::HandScorer::new(&setup, Book::shipped().usual()).expect(context);
                if let Some(total) = scorer.total(hand) {
                    let hand = Notation::from_hand(hand.clone());
                    assert!(
                        (range.min..=range.max).contains(&total),
                        "{scene}: {hand} in {context} scores {total}, not {range:?}"
                    );
                }
            }
        }
    }
}

/// Each repair scores what it promises.
#[test]
fn a_hand_that_does_not_win_lists_its_repairs() {
    for scene in [
        "1m 2m 3m 4p 5p 6p 7s 8s 8s E E E C | C",
        "1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C",
        "1m 2m 4m 4p 5p 6p 7s 8s 9s C | C | E_ E E",
    ] {
        let reading = read_in(scene, r#"{ "win": "discard", "seat": "E", "prevalent": "E" }"#)
            .expect("a usable photo");
        assert!(reading.score.is_none(), "{scene}: {}", describe(&reading.hand));
        let repairs = reading.repairs();
        assert!(!repairs.is_empty() && repairs.len() <= 6, "{scene}: {repairs:?}");
        assert!(repairs.windows(2).all(|pair| pair[0].p >= pair[1].p), "{scene}");
        for repair in repairs {
            let hand = repair.hand.clone();
            let scorer = doubts::HandScorer::new(
                &serde_json::from_str::<ContextDto>(
                    r#"{ "win": "discard", "seat": "E", "prevalent": "E" }"#,
                )
                .expect("a context")
                .setup,
                Book::shipped().usual(),
            )
            .expect("a context");
            assert_eq!(scorer.total(&hand), Some(repair.total), "{scene}: {}", repair.change);
        }
    }
    assert_eq!(read(&format!("{WON} ")).repairs(), []);
}
