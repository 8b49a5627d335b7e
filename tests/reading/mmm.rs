//! Photos of Mahjong Masters Million: kongs with two turned tiles, four chows from the left player,
//! and the feeder, which no table shows and which raises a question only if payments depend on it.
//! Pictures are painted, so that every stage runs.

use std::io::Cursor;
use std::sync::Arc;

use image::{DynamicImage, ImageFormat};
use tilesight_core::context::ContextField;
use tilesight_core::contract::ContextDto;
use tilesight_core::explain::Lang;
use tilesight_core::rules::{Book, Halves, Profile, RulesetId, SidewaysTiles};
use tilesight_core::tile::Wind;
use tilesight_vision::contract::ReadingDto;
use tilesight_vision::networks::fake::{PaintedModel, paint};
use tilesight_vision::{Doubt, DoubtKind, ReadError, Reader, Reading, Status};

use crate::common::{describe, placed};

fn mmm() -> Arc<Profile> {
    Book::shipped().get(RulesetId::MMM).expect("shipped").clone()
}

/// Returns the reading by a rule set in a win context.
fn read_by(ruleset: &Arc<Profile>, scene: &str, context: &str) -> Result<Reading, ReadError> {
    let image = DynamicImage::ImageRgb8(paint(900, 360, &placed(scene)));
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, ImageFormat::Png).expect("encodes");
    let context = serde_json::from_str::<ContextDto>(context).expect(context).setup;
    Reader::with_model(PaintedModel::default()).read(bytes.get_ref(), &context, ruleset)
}

fn read(scene: &str, context: &str) -> Reading {
    read_by(&mmm(), scene, context).expect("a usable photo")
}

fn paid(reading: &Reading) -> [i32; 4] {
    let score = reading.score.as_ref().expect("a winning hand");
    Wind::ALL.map(|seat| score.payments.for_seat(seat))
}

fn feeder_doubt(reading: &Reading) -> Option<&Doubt> {
    reading.doubts.iter().find(|doubt| doubt.kind == DoubtKind::Feeder)
}

/// A claimed kong has two turned tiles, at the side of the player that it was claimed from.
#[test]
fn a_kong_with_two_turned_tiles_is_read_from_each_side() {
    for (kong, from) in
        [("2m_ 2m_ 2m 2m", "left"), ("2m 2m_ 2m_ 2m", "across"), ("2m 2m 2m_ 2m_", "right")]
    {
        let scene = format!("3p 4p 5p 1s 2s 7s 7s | 3s | {kong} | C_ C C");
        let reading = read(&scene, r#"{ "seat": "S", "prevalent": "E", "win": "self_drawn" }"#);
        let expected = format!("3p 4p 5p 1s 2s 7s 7s +3s [2m2m2m2m {from}] [CCC left]");
        assert_eq!(describe(&reading.hand), expected);
        assert_eq!(reading.conventions.turned_in_claimed_kong, SidewaysTiles::Two);
        let score = reading.score.as_ref().expect("a winning hand");
        // An open kong of twos 8, an open pung of dragons 4, the self-draw 10; a pung of dragons.
        assert_eq!(score.doubling.map(|d| (d.points, d.doublings)), Some((22, Halves(3))));
        assert_eq!(paid(&reading), [-14, 28, -7, -7]);
        assert_eq!((reading.status, reading.doubts.len()), (Status::Ok, 0), "{:?}", reading.doubts);
    }
}

/// Four chows are claimed: the player to the left pays, no matter who discarded, and there is no
/// question.
#[test]
fn four_called_chows_make_the_left_player_pay_without_asking() {
    let chows = "5p | 5p | 2m_ 3m 4m | 3p_ 4p 5p | 6s_ 7s 8s | 4s_ 5s 6s";
    for (context, expected) in [
        (
            r#"{ "seat": "S", "prevalent": "E", "win": "discard", "from": "right" }"#,
            [-40, 40, 0, 0],
        ),
        (r#"{ "seat": "S", "prevalent": "E", "win": "self_drawn" }"#, [-20, 20, 0, 0]),
    ] {
        let reading = read(chows, context);
        assert_eq!(paid(&reading), expected, "{context}");
        assert_eq!(reading.doubts, [], "{context}");
    }
}

const DRAGONS: &str = "2m 3m 4m 5p | 5p | C_ C C | F F_ F | P P_ P";

/// Two players fed the three pungs of dragons: the one who completed the third pays, which the
/// photo does not show.
#[test]
fn the_question_about_the_feeder_lists_the_payments() {
    let context = r#"{ "seat": "S", "prevalent": "E", "win": "discard", "from": "right" }"#;
    let reading = read(DRAGONS, context);
    let doubt = feeder_doubt(&reading).expect("a doubt");
    assert_eq!(reading.status, Status::NeedsReview);
    assert_eq!((doubt.field, doubt.affects_score), (Some(ContextField::Feeder), true));
    assert_eq!(doubt.tiles.len(), 9);
    let answers: Vec<_> = doubt.alternatives.iter().map(|one| one.answer.as_str()).collect();
    // The last of the sets as they lie is the default, so it comes first.
    assert_eq!(answers, ["across", "left"]);
    let paid_by = |at: usize| {
        let payments = doubt.alternatives[at].payments.as_ref().expect("payments");
        Wind::ALL.map(|seat| payments.for_seat(seat))
    };
    assert_eq!((paid_by(0), paid_by(1)), ([0, 600, 0, -600], [-600, 600, 0, 0]));
    assert_eq!(paid(&reading), paid_by(0));
    let json = serde_json::to_value(ReadingDto::new(&reading, Lang::En)).expect("JSON");
    assert_eq!(json["doubts"][0]["alternatives"][1]["payments"]["E"], -600);
    assert_eq!(json["score"]["assumed"], serde_json::json!(["feeder"]));
    assert_eq!(json["score"]["assumed_feeder"], "across");
}

#[test]
fn an_answer_settles_it() {
    let given =
        r#"{ "seat": "S", "prevalent": "E", "win": "discard", "from": "right", "feeder": "left" }"#;
    let reading = read(DRAGONS, given);
    assert_eq!((reading.status, reading.doubts.len()), (Status::Ok, 0), "{:?}", reading.doubts);
    assert_eq!(paid(&reading), [-600, 600, 0, 0]);
}

#[test]
fn no_question_is_asked_where_it_does_not_matter() {
    let win = r#"{ "seat": "S", "prevalent": "E", "win": "discard", "from": "across" }"#;
    for scene in [
        // All three fed by one player.
        "2m 3m 4m 5p | 5p | C C_ C | F F_ F | P P_ P",
        // Two pungs of dragons make nobody liable.
        "2m 3m 4m 6m 7m 8m 5p | 5p | C_ C C | F F_ F",
        // The winning tile completed the third.
        "2m 3m 4m 5p 5p P P | P | C_ C C | F F_ F",
    ] {
        let reading = read(scene, win);
        assert!(feeder_doubt(&reading).is_none(), "{scene}: {:?}", reading.doubts);
    }
    // Rules without liability raise no question.
    let reading = read_by(Book::shipped().usual(), DRAGONS, win).expect("a usable photo");
    assert!(feeder_doubt(&reading).is_none());
}

/// An impossible feeder is rejected if the photo is certain, and the error names the field.
#[test]
fn a_feeder_that_contradicts_the_table_is_rejected() {
    let given = r#"{ "seat": "S", "prevalent": "E", "win": "self_drawn", "feeder": "right" }"#;
    let error = read_by(&mmm(), DRAGONS, given).expect_err("nobody claimed from the right");
    assert!(error.to_string().starts_with("feeder: "), "{error}");
}

/// Flowers are not played: the hand is returned without a score, and each flower raises a question.
#[test]
fn flowers_are_asked_about_and_not_scored() {
    let scene = "1m 2m 3m 4p 5p 6p 7s 8s 9s C | C | E_ E E / f1";
    let reading = read(scene, r#"{ "seat": "S", "win": "self_drawn" }"#);
    assert_eq!(reading.hand.flowers.count(), 1);
    assert_eq!(reading.status, Status::NeedsReview);
    assert!(reading.score.is_none());
    let doubt = reading.doubts.iter().find(|doubt| doubt.kind == DoubtKind::Flower);
    let doubt = doubt.expect("a doubt");
    assert!(doubt.question.to_string().contains("without flowers"), "{}", doubt.question);
    let totals: Vec<_> =
        doubt.alternatives.iter().map(|one| (one.answer.as_str(), one.total)).collect();
    assert_eq!(totals, [("yes", None), ("no", Some(20))]);
}
