//! Photos of riichi: red fives that reach the score, kongs by the game's conventions, the dora
//! indicator on a wall, which counts only once a person confirms it, and the order of what is
//! asked.

use std::io::Cursor;
use std::sync::Arc;

use image::{DynamicImage, ImageFormat};
use serde_json::{Value, json};
use tilesight_core::context::{ContextField, ContextSetup};
use tilesight_core::contract::{ContextDto, ScoringRulesets};
use tilesight_core::explain::Lang;
use tilesight_core::notation::Notation;
use tilesight_core::rules::{Book, OpenSubject, Profile, RulesetId, Score};
use tilesight_vision::contract::{AnswersRequest, ReadingDto};
use tilesight_vision::decide::doubts::{HandScorer, Verdict};
use tilesight_vision::decide::joint;
use tilesight_vision::networks::fake::{PaintedModel, paint};
use tilesight_vision::{Decision, DoubtKind, Reader, Reading, SeenTile, Status, layout};

use crate::common::{describe, placed, seen};

fn tenhou() -> Arc<Profile> {
    Book::shipped().get(RulesetId::RIICHI_TENHOU).expect("shipped").clone()
}

/// Returns the tiles of a scene; those at these places are red with this probability.
fn with_reds(scene: &str, reds: &[usize], p: f32) -> Vec<SeenTile> {
    let mut tiles = seen(scene);
    reds.iter().for_each(|&at| tiles[at].red = p);
    tiles
}

/// Returns the hand of a scene and its verdict, in a win context.
fn assess(tiles: &[SeenTile], context: &Value) -> (Decision, Verdict) {
    let context: ContextSetup = serde_json::from_value(context.clone()).expect("a context");
    let scorer = HandScorer::new(&context, &tenhou()).expect("a context");
    let decision = joint::decide(tiles, &layout::lay_out(tiles, &tenhou(), None));
    let verdict = scorer.assess(tiles, &decision).expect("a hand that may be so");
    (decision, verdict)
}

/// Returns han, and the number of red fives among the lines.
fn han_and_reds(score: &Score) -> (u32, u32) {
    let reds = score.awards.iter().filter(|award| award.rule.code == "red_dora");
    let reds = reds.map(|award| award.worth.han().unwrap_or(0) * award.count).sum();
    (score.riichi.as_ref().expect("riichi").han, reds)
}

/// Each red five is one han more, wherever it lies.
#[test]
fn a_red_five_that_is_seen_counts() {
    let given = json!({ "seat": "S", "prevalent": "E", "win": "discard", "from": "left" });
    for (scene, reds, notation, expected) in [
        ("2m 3m 4m 5m 6m 7m 5p 6p 7p 3s 4s 2s 2s | 5s", vec![], "234567m567p3422s+5s", (2, 0)),
        ("2m 3m 4m 5m 6m 7m 5p 6p 7p 3s 4s 2s 2s | 5s", vec![3], "234067m567p3422s+5s", (3, 1)),
        // The winning tile, and one in a called set.
        ("2m 3m 4m 5m 6m 7m 5p 6p 7p 3s 4s 2s 2s | 5s", vec![3, 13], "234067m567p3422s+0s", (4, 2)),
        (
            "2m 3m 4m 5m 6m 7m 3s 4s 2s 2s | 5s | 4p_ 5p 6p",
            vec![12],
            "[406p,1]234567m3422s+5s",
            (2, 1),
        ),
        // A concealed kong whose outer tiles lie face down, with a red five between them.
        (
            "2m 3m 4m 5m 6m 7m 3s 4s 2s 2s | 5s | back 5p 5p back",
            vec![12],
            "[0555p]234567m3422s+5s",
            (2, 1),
        ),
        // Four fives hold the red one, whether it was seen or not.
        (
            "2m 3m 4m 5m 6m 7m 3s 4s 2s 2s | 5s | back 5p 5p back",
            vec![],
            "[5555p]234567m3422s+5s",
            (2, 1),
        ),
        // A set has one red five of bamboo, so the second that looks like one is a plain five.
        (
            "2m 3m 4m 5m 6m 7m 5p 6p 7p 3s 4s 5s 5s | 2s",
            vec![11, 12],
            "234567m567p3405s+2s",
            (3, 1),
        ),
        // Other faces are never red: a kong of white dragons, a six.
        (
            "2m 3m 4m 5m 6m 7m 3s 4s 2s 2s | 5s | back P P back",
            vec![12, 13],
            "[PPPP]234567m3422s+5s",
            (1, 0),
        ),
        ("2m 3m 4m 5m 6m 7m 5p 6p 7p 3s 4s 2s 2s | 5s", vec![4], "234567m567p3422s+5s", (2, 0)),
    ] {
        let (decision, verdict) = assess(&with_reds(scene, &reds, 0.98), &given);
        let best = decision.best.expect("a hand");
        let expected_hand = notation.parse::<Notation>().expect(notation).hand;
        let mut found = best.setup.clone();
        found.concealed.sort_unstable();
        let mut wanted = expected_hand;
        wanted.concealed.sort_unstable();
        assert_eq!(describe(&found), describe(&wanted), "{scene}");
        assert_eq!(found.reds, wanted.reds, "{scene} {reds:?}");
        let score = verdict.score.expect("a winning hand");
        assert_eq!(han_and_reds(&score), expected, "{scene} {reds:?}");
    }
}

#[test]
fn a_five_that_may_be_red_is_asked_about_where_it_counts() {
    let scene = "2m 3m 4m 5m 6m 7m 5p 6p 7p 3s 4s 2s 2s | 5s";
    let given = json!({ "seat": "S", "win": "discard", "from": "left" });
    // A little less likely red than not.
    let tiles = with_reds(scene, &[3, 6], 0.25);
    let (_, verdict) = assess(&tiles, &given);
    let asked: Vec<_> = verdict.doubts.iter().filter(|one| one.kind == DoubtKind::Tile).collect();
    assert_eq!(asked.iter().map(|one| one.tiles.as_slice()).collect::<Vec<_>>(), [[3], [6]]);
    assert_eq!(asked[0].question.to_string(), "is this 5m red?");
    let answers: Vec<_> =
        asked[0].alternatives.iter().map(|one| (one.answer.as_str(), one.total)).collect();
    assert_eq!(answers, [("5m", Some(2000)), ("0m", Some(3900))]);
    // Where red fives do not count, nothing is asked.
    let usual = Book::shipped().usual().clone();
    let scorer = HandScorer::new(&ContextSetup::default(), &usual).expect("plain");
    let decision = joint::decide(&tiles, &layout::lay_out(&tiles, &usual, None));
    let verdict = scorer.assess(&tiles, &decision).expect("a plain context");
    assert!(verdict.doubts.iter().all(|one| one.kind != DoubtKind::Tile), "{:?}", verdict.doubts);
}

/// In rules with one red five of a suit no answer about another takes that away or makes a second.
#[test]
fn a_five_beside_the_red_one_of_its_suit_is_not_asked_about() {
    let scene = "2m 3m 4m 5m 6m 7m 5p 6p 7p 3s 4s 5s 5s | 2s";
    let given = json!({ "seat": "S", "win": "discard", "from": "left" });
    // More and less likely red than not.
    for p in [0.35, 0.25] {
        let mut tiles = with_reds(scene, &[11], 0.98);
        tiles[12].red = p;
        let (_, verdict) = assess(&tiles, &given);
        assert_eq!(han_and_reds(&verdict.score.expect("a winning hand")).1, 1, "{p}");
        let mut asked = verdict.doubts.iter().filter(|one| one.kind == DoubtKind::Tile);
        assert!(asked.next().is_none(), "{p}: {:?}", verdict.doubts);
    }
}

/// Kongs as riichi lays them.
#[test]
fn kongs_are_read_by_the_conventions_of_riichi() {
    for (kong, expected) in [
        ("back 5p 5p back", "(5p5p5p5p)"),
        ("back P P back", "(PPPP)"),
        ("8m 8m_ ^8m_ 8m", "[8m8m8m8m added across]"),
        ("8m_ ^8m_ 8m 8m", "[8m8m8m8m added left]"),
        ("8m 8m 8m_ ^8m_", "[8m8m8m8m added right]"),
        ("8m 8m 8m 8m_", "[8m8m8m8m right]"),
    ] {
        let scene = format!("2m 3m 4m 5s 6s 7s 3s 4s 2s 2s | 5s | {kong}");
        let decision = {
            let tiles = seen(&scene);
            joint::decide(&tiles, &layout::lay_out(&tiles, &tenhou(), None))
        };
        let best = decision.best.expect("a hand");
        assert!(describe(&best.setup).ends_with(expected), "{}", describe(&best.setup));
    }
}

/// Returns the reading of a painted table, in a win context.
fn read(scene: &str, context: &str) -> Reading {
    read_by(&tenhou(), scene, context)
}

fn read_by(ruleset: &Arc<Profile>, scene: &str, context: &str) -> Reading {
    let image = DynamicImage::ImageRgb8(paint(900, 560, &placed(scene)));
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, ImageFormat::Png).expect("encodes");
    let context = serde_json::from_str::<ContextDto>(context).expect(context).setup;
    let reader = Reader::with_model(PaintedModel::default());
    reader.read(bytes.get_ref(), &context, ruleset).expect("a usable photo")
}

const HAND: &str = "2m 3m 4m 5m 6m 7m 5p 6p 7p 3s 4s 2s 2s | 5s";
const GIVEN: &str =
    r#"{ "seat": "S", "prevalent": "E", "win": "discard", "from": "left", "riichi": "no" }"#;

#[test]
fn the_indicator_on_a_wall_is_offered_and_never_used_unasked() {
    let alone = read(HAND, GIVEN);
    assert_eq!((alone.status, alone.indicators.as_slice()), (Status::Ok, [].as_slice()));
    for (wall, indicators, answers) in [
        ("back back back back 4p back back", vec!["4p"], [("4p", 3900), ("none", 2000)]),
        ("back back 1s back back back back", vec!["1s"], [("1s", 7700), ("none", 2000)]),
        ("back back back 4p E back back", vec!["4p", "E"], [("4p,E", 3900), ("none", 2000)]),
    ] {
        let scene = format!("{HAND} / / / / {wall}");
        let reading = read(&scene, GIVEN);
        assert_eq!(describe(&reading.hand), describe(&alone.hand), "{wall}");
        let shown = reading.indicators.iter().filter_map(|&i| reading.tiles[i].face);
        assert_eq!(shown.map(|face| face.to_string()).collect::<Vec<_>>(), indicators, "{wall}");
        // The score is that of the hand alone.
        let total = |reading: &Reading| reading.score.as_ref().map(|score| score.total);
        assert_eq!(total(&reading), total(&alone), "{wall}");
        assert_eq!(reading.status, Status::NeedsReview, "{wall}");
        let doubt = reading.doubts.iter().find(|doubt| doubt.kind == DoubtKind::Indicator);
        let doubt = doubt.expect("the wall is asked about");
        assert_eq!(doubt.tiles, reading.indicators);
        assert_eq!(doubt.field, Some(ContextField::DoraIndicators));
        let offered: Vec<(&str, u32)> = doubt
            .alternatives
            .iter()
            .filter_map(|one| Some((one.answer.as_str(), one.total?)))
            .collect();
        assert_eq!(offered, answers, "{wall}");
        for (answer, total) in answers {
            let after = answered(&reading, answer);
            assert_eq!(after["score"]["total"], total, "{wall} {answer}");
            assert_eq!((&after["status"], &after["doubts"]), (&json!("ok"), &json!([])), "{wall}");
        }
    }
    // Given indicators are not asked about, and other games have none.
    let given = GIVEN.replace('}', r#", "dora_indicators": ["9s"] }"#);
    let scene = format!("{HAND} / / / / back back back 4p back back");
    let reading = read(&scene, &given);
    assert!(reading.doubts.is_empty(), "{:?}", reading.doubts);
    assert_eq!(reading.indicators.len(), 1);
}

#[test]
fn a_face_up_tile_that_is_on_no_wall_is_no_indicator() {
    for others in
        ["back 4p back", "4p 1s 9p 9s", "back 4p 4p back", "4p / / back back back back back"]
    {
        let reading = read(&format!("{HAND} / / / / {others}"), GIVEN);
        assert!(reading.indicators.is_empty(), "{others}");
    }
}

/// Returns the reading after an answer about the indicators.
fn answered(reading: &Reading, answer: &str) -> Value {
    let dto = ReadingDto::new(reading, Lang::En);
    let doubt = dto.doubts.iter().find(|doubt| doubt.kind == DoubtKind::Indicator);
    let id = doubt.expect("a doubt").id.clone();
    let body = json!({ "reading": dto, "answers": [{ "doubt": id, "answer": answer }] });
    let request = AnswersRequest::from_json(body.to_string().as_bytes()).expect("a request");
    let context = serde_json::from_str(GIVEN).expect("a context");
    let rulesets = ScoringRulesets { one: tenhou(), all: None };
    let after = request.answer(&context, &rulesets, Lang::En).expect("an answer");
    serde_json::to_value(after).expect("JSON")
}

/// Checks that fields that no photo shows are listed in the order in which they change the score; a
/// called set rules riichi out.
#[test]
fn riichi_ippatsu_and_indicators_are_asked_in_this_order() {
    let seated = r#"{ "seat": "S", "prevalent": "E", "win": "discard", "from": "left" }"#;
    let reading = read(HAND, seated);
    use ContextField::{DoraIndicators, Ippatsu, Norths, Riichi};
    assert_eq!(reading.assumed, [Riichi, Ippatsu, DoraIndicators]);
    let range = reading.range.as_ref().expect("several totals");
    assert_eq!((range.min, range.max), (2000, 7700));
    let open: Vec<OpenSubject> = range.open.iter().map(|open| open.subject).collect();
    assert_eq!(open, [Riichi, Ippatsu].map(OpenSubject::Field));
    let called = read("2m 3m 4m 5m 6m 7m 3s 4s 2s 2s | 5s | 4p_ 5p 6p", seated);
    assert_eq!(called.assumed, [DoraIndicators]);
    assert_eq!(called.range, None);
    let dto = serde_json::to_value(ReadingDto::new(&reading, Lang::En)).expect("JSON");
    assert_eq!(dto["score"]["assumed"], json!(["riichi", "ippatsu", "dora_indicators"]));
    // Where three play, norths that were set aside are no part of the photo either.
    let book = Book::shipped();
    let three = book.profiles().find(|ruleset| ruleset.id().as_str() == "riichi-three");
    let read_by_three = |scene| read_by(three.expect("shipped"), scene, seated).assumed;
    let suits = "1m 1m 1m 4p 5p 6p 7p 8p 9p 3s 4s 2s 2s | 5s";
    assert_eq!(read_by_three(suits), [Riichi, Ippatsu, DoraIndicators, Norths]);
    let norths = "1m 1m 1m 4p 5p 6p 3s 4s 2s 2s | 5s | N_ N N N";
    assert_eq!(read_by_three(norths), [DoraIndicators]);
    // A closed hand without a yaku is a win only with riichi.
    let bare = read("1m 2m 3m 4p 5p 6p 7s 8s 9s 9p 9p 9p 2s | 2s", seated);
    assert_eq!(bare.range.expect("riichi is open").legal, None);
}
