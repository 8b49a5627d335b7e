//! Single hands: edge cases that other engines got wrong, every context that is rejected, and the
//! form of an explanation. One case per line: hand, context, expected result.
//!
//! Hands are written as `tiles +winning [chow or pung] [kong] (concealed kong)`.

use tilesight_core::context::{Context, ContextField, WinSource};
use tilesight_core::hand::{Hand, HandSetup};
use tilesight_core::meld::{Chow, KongKind, Meld, Relation};
use tilesight_core::rules::{
    Book, Exclusion, ExclusionReason, Fan, Rule, RulesError, RulesetId, Score,
};
use tilesight_core::tile::{Tile, Wind};

/// Parses tiles such as `123m55pEE`.
fn tiles(text: &str) -> Vec<Tile> {
    let mut digits = Vec::new();
    let mut tiles = Vec::new();
    for letter in text.chars() {
        if letter.is_ascii_digit() {
            digits.push(letter);
        } else if "mps".contains(letter) {
            let codes = digits.drain(..).map(|digit| format!("{digit}{letter}"));
            tiles.extend(codes.map(|code| code.parse::<Tile>().expect("a tile")));
        } else {
            tiles.push(letter.to_string().parse().expect("an honor"));
        }
    }
    tiles
}

fn meld(text: &str, concealed: bool) -> Meld {
    let tiles = tiles(text);
    let from = Some(Relation::Left);
    match (tiles.len(), tiles[0] == tiles[1]) {
        (3, false) => Meld::Chow(Chow::new(tiles[0]).expect("a chow")),
        (3, true) => Meld::Pung { tile: tiles[0], from },
        _ if concealed => Meld::Kong { tile: tiles[0], kind: KongKind::Concealed },
        _ => Meld::Kong { tile: tiles[0], kind: KongKind::Exposed { from } },
    }
}

fn hand(text: &str) -> Hand {
    let mut setup = HandSetup::default();
    for word in text.split_whitespace() {
        let inner = word.trim_matches(['[', ']', '(', ')', '+']);
        match word.chars().next() {
            Some('+') => setup.winning = tiles(inner).first().copied(),
            Some(bracket @ ('[' | '(')) => setup.melds.push(meld(inner, bracket == '(')),
            _ => setup.concealed.extend(tiles(word)),
        }
    }
    setup.into_hand().expect(text)
}

/// Parses a context: `drawn`, `replaced`, `robbed`, `wall`, `last`, and winds as `seatW roundS`.
fn context(text: &str) -> Context {
    let from = Relation::Left;
    let mut context = Context { win: WinSource::Discard { from }, ..Context::PLAIN };
    let wind = |word: &str| Wind::ALL.into_iter().find(|wind| word.ends_with(&wind.to_string()));
    for word in text.split_whitespace() {
        match word {
            "drawn" => context.win = WinSource::SelfDrawn,
            "replaced" => context.win = WinSource::KongReplacement,
            "robbed" => context.win = WinSource::RobbedKong { from },
            "wall" => context.last_wall_tile = true,
            "last" => context.last_of_kind = true,
            _ if word.starts_with("seat") => context.seat = wind(word).expect(word),
            _ => context.prevalent = wind(word).expect(word),
        }
    }
    context
}

fn scored(hand_text: &str, context_text: &str) -> Score {
    Book::shipped().usual().score(&hand(hand_text), &context(context_text)).expect(hand_text)
}

/// Returns `fan number` or `number*count`, separated by spaces.
fn fan_list(score: &Score) -> String {
    let lines = score.awards.iter().map(|award| match award.count {
        1 => award.rule.paragraph.to_string(),
        count => format!("{}*{count}", award.rule.paragraph),
    });
    lines.collect::<Vec<_>>().join(" ")
}

#[test]
fn edge_cases() {
    let cases = [
        ("a knitted straight is no chicken", "147m258s369pE +E [333s]", "", "35 79"),
        ("a hog beside a kong", "56777m88s +7m [123p] (9999p)", "", "64 66 67 73 76"),
        ("three-suited, a chow melded", "789m12p789p55s +3p [123m]", "", "29 77"),
        ("an exposed chow closes the gates", "1112345999m +5m [678m]", "", "22 66 73*2"),
        ("2-3-4-6 is not four shifted pungs", "222333444666mE +E", "", "12 24 50 79"),
        ("no Self-Drawn at Last Tile Draw", "19m19p19sESWNCFP +1m", "drawn wall", "7 44 56"),
        ("no wait in an exposed set", "55m88s234p567s +5m [567m]", "", "64 68 70"),
        ("it waits for its own four too", "1234444678m456p +1m", "", "62 64 75 76"),
        ("1233 waits for 3 only", "1233m456p567789s +3m", "", "39 62 63 77"),
        ("4556 waits for 5 only", "4556m456567p789s +5m", "", "62 63 70 78"),
        ("seat and prevalent wind alike", "EE234m567p88s +E [789s]", "", "60 61"),
        ("a guest wind", "EE234m567p88s +E [789s]", "seatS roundW", "73"),
        ("both 46 and 44", "234m567p8s +8s (1111m) [789s]", "replaced wall", "44 46 67 73 76 79"),
        ("robbing drops Last Tile", "23m567789p55s +4m [789s]", "robbed last", "47 63 70"),
        ("no Single Wait", "5m +5m [123m] [456p] [789s] [EEE]", "seatS roundS", "39 53 73"),
        ("the own pung shows the last tile", "56m99p345s +7m [777m] [234p]", "", "58 64 76"),
        ("nothing at all", "345m567p78sPP +6s [789s]", "", "43"),
        ("nine gates", "1112345678999m +9m", "drawn", "4 28 56 64"),
        ("four pairs of a kind", "EEEESSWW1m1m99p9p +9p", "drawn", "18 19 56 64*2 75"),
        (
            "the most a regular hand is worth",
            RICHEST_HAND,
            "replaced wall",
            "2 5 11 12 44 46 56 60 61",
        ),
    ];
    let found = cases.map(|(what, hand, context, _)| (what, fan_list(&scored(hand, context))));
    let expected = cases.map(|(what, _, _, fans)| (what, fans.to_owned()));
    assert_eq!(found, expected);
}

/// East, three dragons, all concealed kongs: a published figure says 328 points.
const RICHEST_HAND: &str = "S +S (EEEE) (CCCC) (FFFF) (PPPP)";

#[test]
fn the_highest_regular_hand_is_worth_328() {
    assert_eq!(scored(RICHEST_HAND, "replaced wall").total, 328);
}

#[test]
fn contexts_that_contradict_the_hand_are_rejected_by_field() {
    use ContextField::{LastOfKind, LastWallTile, Win};
    let cases: [(&str, &str, &[ContextField]); 8] = [
        ("123m456p789s55sEE +E", "replaced", &[Win]),
        ("123m456p789s5sEEE +5s", "robbed", &[Win]),
        ("23m456p55s +1m [123m] [789s]", "robbed", &[Win]),
        ("123m456p78s55sEEE +9s", "robbed wall", &[LastWallTile]),
        ("123m456p789s55sEE +E", "last", &[LastOfKind]),
        ("123m456p789s55sEE +E", "robbed wall last", &[Win, LastWallTile, LastOfKind]),
        ("123m456p789s55sEE +E", "replaced last", &[Win, LastOfKind]),
        ("123m456p78s55sEEE +9s", "robbed last", &[]),
    ];
    let book = Book::shipped();
    for (hand_text, context_text, expected) in cases {
        for id in [RulesetId::MCR_WMO, RulesetId::MCR_MIL] {
            let ruleset = book.get(id).expect("shipped");
            let (hand, context) = (hand(hand_text), context(context_text));
            let explained = ruleset.score(&hand, &context).map(|score| score.total);
            assert_eq!(explained, ruleset.rules().points(&hand, &context));
            let error = explained.err();
            let found = error.as_ref().map_or(&[][..], RulesError::contradictions);
            let fields: Vec<_> = found.iter().map(|reason| reason.field()).collect();
            assert_eq!(fields, expected, "{hand_text} {context_text}");
            let text = error.as_ref().map_or(String::new(), ToString::to_string);
            for reason in found {
                assert!(text.contains(&format!("{}: {reason}", reason.field())), "{text}");
            }
        }
    }
}

#[test]
fn tiles_that_do_not_win_are_refused() {
    for text in [
        "123m456p789s55sEE +S",
        "19m19p19sESWNCFP +2m",
        "1122334455667m +8m",
        "E +S [111m] [222m] [333m] [444m]",
    ] {
        let refused = Book::shipped().usual().score(&hand(text), &context(""));
        assert_eq!(refused, Err(RulesError::NotAWin), "{text}");
    }
}

#[test]
fn an_award_shows_its_sets() {
    let score = scored("12m123456p55s +3m [123m]", "seatS");
    assert_eq!(fan_list(&score), "63 69 70 71 77");
    let sets = |fan: Fan| -> Vec<String> {
        let award = score.awards.iter().find(|award| award.rule == fan.rule()).expect("it counts");
        award
            .sets
            .iter()
            .map(|sets| {
                sets.iter()
                    .map(|set| set.tiles.iter().map(Tile::to_string).collect::<String>())
                    .collect::<Vec<_>>()
                    .join(" ")
            })
            .collect()
    };
    assert_eq!(sets(Fan::PureDoubleChow), ["1m2m3m 1m2m3m"]);
    assert_eq!(sets(Fan::ShortStraight), ["1p2p3p 4p5p6p"]);
    assert_eq!(sets(Fan::EdgeWait), ["1m2m3m"]);
    assert!(sets(Fan::AllChows).is_empty());
    let winning: Vec<_> = score.sets.iter().map(|set| (set.concealed, set.winning)).collect();
    let own = (true, false);
    assert_eq!(winning, [(false, false), (true, true), own, own, own]);
}

#[test]
fn an_exclusion_names_its_reason() {
    let excluded = |hand, context| -> Vec<(u8, u8, u32, ExclusionReason)> {
        let lines = scored(hand, context).excluded;
        lines
            .into_iter()
            .map(|line| (number(line.rule), number(line.by), line.count, line.reason))
            .collect()
    };
    fn number(rule: &Rule) -> u8 {
        rule.number().expect("a fan has a number")
    }
    let (implied, twice) = (ExclusionReason::Implied, ExclusionReason::SameFanTwice);
    let account_once = ExclusionReason::AccountOnce;
    // The second 1-2-3 of dots could pair with the first in characters, but that one is used up.
    assert_eq!(
        excluded("12m123456p55s +3m [123m]", "seatS"),
        [(70, 70, 1, twice), (76, 63, 1, implied)]
    );
    // A straight includes its short straights and its terminal chows.
    assert_eq!(
        excluded("12345678m33p +9m [333s]", ""),
        [(71, 28, 2, implied), (72, 28, 1, implied)]
    );
    // A fourth chow is bound to a triple once only: here to its twin.
    assert_eq!(
        excluded("123m123p123s12m55s +3m", "drawn"),
        [
            (41, 41, 1, twice),
            (70, 41, 3, implied),
            (70, 41, 2, account_once),
            (76, 63, 1, implied),
            (80, 56, 1, implied)
        ]
    );
}

/// A hand with knitted tiles: by the rules of 1998 a wait counts even if the winning tile is one of
/// the nine, by those of 2006 it does not, and the score says so.
#[test]
fn a_wait_on_a_knitted_tile_is_explained_where_it_does_not_count() {
    let book = Book::shipped();
    let score_by = |id: RulesetId, text: &str| {
        book.get(id).expect("shipped").score(&hand(text), &context("")).expect(text)
    };
    for (text, wait, ignored) in [
        ("147m258s369p24p33m +3p", Fan::ClosedWait, true),
        ("147m258s369p789p1m +1m", Fan::SingleWait, true),
        // The 7 of dots is not one of the nine: its wait counts by both.
        ("147m258s369p89p33m +7p", Fan::EdgeWait, false),
    ] {
        let wmo = score_by(RulesetId::MCR_WMO, text);
        let mil = score_by(RulesetId::MCR_MIL, text);
        let counts = |score: &Score| score.awards.iter().any(|award| award.rule == wait.rule());
        let explained = |score: &Score| -> Vec<(&str, &str)> {
            let because = |line: &&Exclusion| line.reason == ExclusionReason::KnittedTile;
            score
                .excluded
                .iter()
                .filter(because)
                .map(|line| (line.rule.code, line.by.code))
                .collect()
        };
        assert!(counts(&mil) && explained(&mil).is_empty(), "{text}: {mil:?}");
        assert_eq!(counts(&wmo), !ignored, "{text}");
        let reason = (wait.rule().code, Fan::KnittedStraight.rule().code);
        assert_eq!(explained(&wmo), if ignored { vec![reason] } else { Vec::new() }, "{text}");
        assert_eq!(mil.total - wmo.total, u32::from(ignored), "{text}");
    }
}

#[test]
fn other_decompositions_are_listed() {
    let score = scored("111222333m78pEE +9p", "drawn");
    assert_eq!(fan_list(&score), "24 33 56 73 75");
    let rivals: Vec<u32> = score.runners_up.iter().map(|rival| rival.total).collect();
    assert_eq!(rivals, [33]); // Three identical chows instead of three pungs: 23 55 56 75.
}
