//! Tests the table with made-up scores, so that they do not depend on the rules.

use tilesight_core::context::WinSource;
use tilesight_core::meld::Relation;
use tilesight_core::rules::{Exclusion, Fan, Minimum, RunnerUp, SetKind, Unit};
use tilesight_core::settle::Payments;
use tilesight_core::tile::Wind;
use unicode_width::UnicodeWidthStr;

use super::*;

fn set(kind: SetKind, codes: &str, concealed: bool) -> ScoredSet {
    let tiles = codes.split(' ').map(|code| code.parse().expect(code)).collect();
    ScoredSet { kind, tiles, concealed, winning: codes.starts_with("N N") }
}

fn award(fan: Fan, count: u32, sets: Vec<Vec<ScoredSet>>) -> Award {
    let needs: &[ContextField] =
        if fan == Fan::PungOfTerminalsOrHonors { &[ContextField::Seat] } else { &[] };
    Award { rule: fan.rule(), worth: fan.rule().worth, count, sets, needs }
}

/// Returns the table of a made-up score, which need not agree with any rules.
fn sheet_text(lang: Lang, explain: bool) -> String {
    let text = "[EEE,2][SSSS,1]55pWWWNNN||2";
    let setup = text.parse::<Notation>().expect(text).hand;
    let context = Context {
        seat: Wind::East,
        prevalent: Wind::South,
        win: WinSource::Discard { from: Relation::Left },
        last_of_kind: true,
        ..Context::PLAIN
    };
    let east = set(SetKind::Pung, "E E E", false);
    let south = set(SetKind::Kong, "S S S S", false);
    let north = set(SetKind::Pung, "N N N", false);
    let pair = set(SetKind::Pair, "5p 5p", true);
    let winds = vec![east.clone(), south.clone(), north.clone()];
    let awards = vec![
        award(Fan::HalfFlush, 1, vec![]),
        award(Fan::BigThreeWinds, 1, vec![winds]),
        award(Fan::PungOfTerminalsOrHonors, 2, vec![vec![east.clone()], vec![north.clone()]]),
        award(Fan::LastTile, 1, vec![]),
        award(Fan::FlowerTiles, 2, vec![]),
    ];
    let total = awards.iter().map(Award::points).sum();
    let excluded = Exclusion {
        rule: Fan::AllPungs.rule(),
        by: Fan::HalfFlush.rule(),
        count: 1,
        reason: ExclusionReason::Implied,
    };
    let sets = vec![east, south, north, pair];
    let mut payments = Payments::default();
    for (seat, points) in [(Wind::South, 8), (Wind::West, 8), (Wind::North, 8 + total as i32)] {
        payments.pay(seat, Wind::East, points);
    }
    let runner_up = RunnerUp { total: 9, sets: sets.clone(), awards: awards[..1].to_vec() };
    let score = Score {
        ruleset: Some(tilesight_core::rules::RulesetId::MCR_WMO),
        total,
        doubling: None,
        riichi: None,
        dealer_tai: None,
        minimum: Minimum { needed: 8, reached: total - 2, unit: Unit::Points },
        value: total,
        awards,
        excluded: vec![excluded],
        sets,
        runners_up: vec![runner_up],
        payments,
        within_reach: Vec::new(),
        assumed_feeder: None,
    };
    let assumed = [ContextField::Seat, ContextField::From];
    let setup = &setup;
    let (context, assumed, score) = (&context, &assumed, &score);
    HandSheet {
        setup,
        context,
        assumed,
        score,
        lang,
        range: None,
        questions: &[],
        explain,
        won: true,
    }
    .to_string()
}

#[test]
fn a_table_says_everything_about_a_score() {
    let expected = "\
Hand            [EEE,2][SSSS,1]55pWWWNNN||2
Read as         [EEE] [SSSS] NNN* 55p
Flowers         2
Seat wind       East
Prevalent wind  South
Won by          discard, from the left, last of its kind
Rules           mcr-wmo

     Fan                          Points  Formed by
 50  Half Flush                        6  the whole hand
 38  Big Three Winds                  12  EEE SSSS NNN
 73  Pung of Terminals or Honors       1  EEE
 73  Pung of Terminals or Honors       1  NNN
 58  Last Tile                         4
 81  Flower Tiles × 2                  2
     ───────────────────────────────────
     Total                            26  24 without flowers; the minimum of 8 is met

Not counted
 49  All Pungs  implied by Half Flush

Other readings
  9  [EEE] [SSSS] NNN* 55p
     17 less: without Big Three Winds 12, Pung of Terminals or Honors 2, Last Tile 4, Flower Tiles 2

Payments  East +50   South -8   West -8   North -34
Assumed   Seat wind East (73), from the left
";
    assert_eq!(sheet_text(Lang::En, false), expected);
}

#[test]
fn columns_line_up_in_every_language() {
    for lang in Lang::ALL {
        let text = sheet_text(lang, false);
        let rows = text.lines().skip_while(|line| !line.is_empty()).skip(1).take(6);
        // The points end in the same cell of every row.
        let ends: Vec<usize> = rows
            .map(|row| {
                let head = row.rsplit_once("  ").map_or(row, |(head, _)| head);
                let head = if row.ends_with(char::is_numeric) { row } else { head };
                head.trim_end().width()
            })
            .collect();
        assert!(ends.windows(2).all(|pair| pair[0] == pair[1]), "{lang}: {ends:?}\n{text}");
    }
}

#[test]
fn explanations_stand_below_their_rows() {
    let text = sheet_text(Lang::De, true);
    assert!(text.contains("       Ziegel einer Farbe und Honors.\n"), "{text}");
}

/// Returns the table of a hand under a shipped rule set.
fn scored_text(ruleset: &str, text: &str, lang: Lang) -> (String, Score) {
    let Notation { hand: setup, context } = text.parse().expect(text);
    let (context, assumed) = context.resolve().expect(text);
    let book = tilesight_core::rules::Book::shipped();
    let profile = book.get(ruleset.parse().expect(ruleset)).expect("shipped");
    let hand = setup.clone().into_hand().expect(text);
    let score = profile.score(&hand, &context).expect(text);
    let sheet = HandSheet {
        setup: &setup,
        context: &context,
        assumed: &assumed,
        score: &score,
        lang,
        range: None,
        questions: &[],
        explain: false,
        won: true,
    };
    (sheet.to_string(), score)
}

#[test]
fn possible_totals_say_what_is_in_doubt() {
    let range = TotalRange { min: 5, max: 6, legal: None, open: Vec::new(), partial: false };
    for (lang, question, expected) in [
        (
            Lang::En,
            Some("is this flower (f3) the winner's?"),
            "5–6: is this flower (f3) the winner's?",
        ),
        (Lang::ZhHant, Some("這張花牌（f3）是胡牌者的嗎？"), "5–6：這張花牌（f3）是胡牌者的嗎？"),
        (Lang::En, None, "5–6"),
        (Lang::Ja, None, "5–6"),
    ] {
        let questions: Vec<String> = question.into_iter().map(str::to_owned).collect();
        assert_eq!(lang.labels().range(&range, &questions), expected, "{lang:?}");
    }
}

/// Paragraphs are of several widths, and names have Chinese characters in every language.
#[test]
fn lines_that_do_not_count_line_up_in_every_language() {
    for lang in Lang::ALL {
        let (text, score) =
            scored_text("riichi-tenhou", "[FFF,3][CCC,2][PPP,2]123m1m1m|ES1000", lang);
        let labels = lang.labels();
        let rows = text.lines().skip_while(|line| *line != labels.excluded).skip(1);
        let rows: Vec<&str> = rows.take(score.excluded.len()).collect();
        assert!(rows.len() >= 4, "{text}");
        let reason = fill(labels.counts_alone, "line", score.excluded[0].by.name(lang));
        let places = rows.iter().zip(&score.excluded).map(|(row, one)| {
            let cell = |part: &str| row.find(part).map(|at| row[..at].width());
            (cell(&one.name(lang)), cell(&reason))
        });
        let places: Vec<_> = places.collect();
        assert!(places[0].0.is_some() && places[0].1.is_some(), "{lang}\n{text}");
        assert!(places.windows(2).all(|pair| pair[0] == pair[1]), "{lang}: {places:?}\n{text}");
    }
}

/// Totals of other readings have as many digits as payments have.
#[test]
fn other_readings_line_up() {
    let (text, score) = scored_text("riichi-tenhou", "1122233344s222z1s|ES0000", Lang::En);
    let rows = text.lines().skip_while(|line| *line != "Other readings").skip(1);
    let rows: Vec<&str> = rows.take(2 * score.runners_up.len().min(RUNNERS_UP)).collect();
    assert!(rows.len() >= 4, "{text}");
    for pair in rows.chunks(2) {
        let sets = pair[0].trim_start().find("  ").map(|at| at + 2 + indent_of(pair[0]));
        assert_eq!(sets, Some(indent_of(pair[1])), "{text}");
    }
}

fn indent_of(row: &str) -> usize {
    row.len() - row.trim_start().len()
}

#[test]
fn a_red_five_that_nobody_named_is_printed() {
    let (text, _) = scored_text("riichi-tenhou", "[5555p]234m678m22s34s5s|EW1000", Lang::En);
    assert!(text.contains("Assumed   red 0p among four fives (4.3)\n"), "{text}");
    let (text, _) = scored_text("riichi-tenhou", "[0555p]234m678m22s34s5s|EW1000", Lang::En);
    assert!(!text.contains("Assumed"), "{text}");
}
