//! Each line of the Mahjong Masters Million rules with a case of its own and a near miss, and each
//! ruling with a hand that it changes.

use std::collections::BTreeSet;

use tilesight_core::context::{Context, ContextField, ContextSetup, Feeder};
use tilesight_core::hand::Hand;
use tilesight_core::notation::Notation;
use tilesight_core::rules::mmm::{HalfSteps, Line, Mmm, Options};
use tilesight_core::rules::{
    Contradiction, ExclusionReason, Halves, HandRules, Profile, RulesError, Ruleset, Score, Worth,
};
use tilesight_core::tile::Wind;

use crate::mmm_hands::mmm;

/// Paragraph and subject of the case, the hand, its points, the lines of its doublings, these in
/// halves, and the value. Worked out by hand.
type Row = (&'static str, &'static str, u32, &'static str, u32, u32);

#[rustfmt::skip]
const ROWS: &[Row] = &[
    ("1.1 a called pung of 2 to 8", "[222m,2][345p,1]678s234s5m5m|EW0000", 2, "no_officers", 2, 20),
    ("1.1 a concealed one", "[345p,1]222m678s234s5m5m|EW0000", 4, "no_officers", 2, 20),
    ("1.1 a pung that a discard completes is open (R3)", "[345p,1]22m678s234s55m2m|EW0000", 2, "no_officers", 2, 20),
    ("1.1 a self-draw leaves it concealed", "[345p,1]22m678s234s55m2m|EW1000", 14, "no_officers", 2, 20),
    ("1.1 a discard that fits a chow leaves it concealed", "[345p,1]222m678s3455m2m|EW0000", 4, "no_officers", 2, 20),
    ("1.1 a called pung of officers", "[999m,2][345p,1]678s234s5m5m|EW0000", 4, "", 0, 0),
    ("1.1 a concealed one", "[345p,1]111m678s234s5m5m|EW0000", 6, "", 0, 0),
    ("1.1 a called kong of 2 to 8", "[2222m,2][345p,1]678s234s5m5m|EW0000", 8, "no_officers", 2, 20),
    ("1.1 an added kong is open too", "[2222m,6][345p,1]678s234s5m5m|EW0000", 8, "no_officers", 2, 20),
    ("1.1 a concealed one", "[2222m][345p,1]678s234s5m5m|EW0000", 16, "no_officers", 2, 20),
    ("1.1 a called kong of officers", "[9999m,2][345p,1]678s234s5m5m|EW0000", 16, "", 0, 0),
    ("1.1 a concealed one", "[9999m][345p,1]678s234s5m5m|EW0000", 24, "extra_half", 1, 0),
    ("1.1 a pair of dragons", "[333m,2][345p,1]678s234sCC|EW0000", 4, "", 0, 0),
    ("1.1 a pair of the own wind", "[333m,2][345p,1]678s234sWW|EW0000", 4, "", 0, 0),
    ("1.1 a pair of the round wind", "[333m,2][345p,1]678s234sEE|EW0000", 4, "", 0, 0),
    ("1.1 a pair of the wind that is both (R4)", "[333m,2][345p,1]678s234sEE|EE0000", 6, "", 0, 0),
    ("1.1 any other pair", "[333m,2][345p,1]678s234sSS|EW0000", 2, "", 0, 0),
    ("1.1 a self-draw", "[333m,2][345p,1]678s234sSS|EW1000", 12, "", 0, 0),
    ("1.2.1 everything concealed and self-drawn", "345p333m678s234sSS|EW1000", 14, "fully_concealed", 2, 20),
    ("1.2.1 with a concealed kong", "[3333m]345p678s234sSS|EW1000", 26, "fully_concealed extra_half", 3, 28),
    ("1.2.1 a discard", "345p333m678s234sSS|EW0000", 4, "", 0, 0),
    ("1.2.1 one set called", "[345p,1]333m678s234sSS|EW1000", 14, "", 0, 0),
    ("1.2.2 only chows, with a dragon pair", "345p123m678s234sCC|EW0000", 2, "only_chows", 2, 20),
    ("1.2.2 called", "[345p,1]123m678s234sCC|EW0000", 2, "", 0, 0),
    ("1.2.2 with a pung", "345p111m678s234sCC|EW0000", 8, "", 0, 0),
    ("1.2.3 the last tile, self-drawn", "[345p,1]123m678s234sCC|EW1010", 12, "under_the_sea", 2, 20),
    ("1.2.3 as a replacement tile, beside 1.2.5 (R9)", "[9999m,1]123m678s234sSS|EW1011", 26, "under_the_sea after_a_kong extra_half", 5, 60),
    ("1.2.4 the discard after it", "[345p,1]123m678s234sCC|EW0010", 2, "under_the_river", 2, 20),
    ("1.2.5 on a replacement tile", "[9999m,1]123m678s234sSS|EW1001", 26, "after_a_kong extra_half", 3, 28),
    ("1.2.6 on a robbed kong: no points of a self-draw (R10)", "[345p,1]123m678s34sCC5s|EW0001", 2, "robbing_a_kong", 2, 20),
    ("1.2.7 everything called", "[345p,1][123m,1][678s,1][222s,2]CC|EW0000", 4, "fully_open", 2, 20),
    ("1.2.7 won on a self-draw", "[345p,1][123m,1][678s,1][222s,2]CC|EW1000", 14, "", 0, 0),
    ("1.2.7 with a concealed kong", "[345p,1][123m,1][678s,1][2222s]CC|EW0000", 18, "", 0, 0),
    ("1.2.8 a pung of dragons", "[CCC,1]123m678s234s99p|EW0000", 4, "dragons", 2, 20),
    ("1.2.8 a pung and a kong of dragons", "[CCC,1][FFFF,2]678s234s99p|EW0000", 20, "dragons*2 extra_half", 5, 60),
    ("1.2.9 the own wind", "[WWW,1]123m678s234s99p|EW0000", 4, "own_wind", 2, 20),
    ("1.2.9 the round wind, a kong", "[EEEE,1]123m678s234s99p|EW0000", 16, "round_wind", 2, 20),
    ("1.2.9 the wind that is both", "[EEE,1]123m678s234s99p|EE0000", 4, "own_wind round_wind", 4, 60),
    ("1.2.9 a wind of nobody", "[SSS,1]123m678s234s99p|EW0000", 4, "", 0, 0),
    ("1.2.10 no officers", "[333m,1]456m678s234s88p|EW0000", 2, "no_officers", 2, 20),
    ("1.2.10 a single nine", "[333m,1]456m789s234s88p|EW0000", 2, "", 0, 0),
    ("1.2.11 two identical chows", "345p345p678s111mSS|EW0000", 6, "identical_chows", 2, 20),
    ("1.2.11 in a called hand", "345p345p[678s,1]111mSS|EW0000", 6, "", 0, 0),
    ("1.2.11 with a concealed kong", "[1111m]345p345p678sSS|EW0000", 24, "identical_chows extra_half", 3, 28),
    ("1.2.11 three identical chows", "345p345p345p678sSS|EW0000", 0, "only_chows identical_chows three_identical_chows", 6, 80),
    ("1.2.11 two sets of two", "112233m778899mNN|EW0000", 0, "only_chows identical_chows two_sets_of_identical_chows only_officers only_officers_concealed one_suit one_suit_concealed", 16, 440),
    ("1.2.11 four identical chows (R2)", "33334444555mSS5m|EW0000", 0, "only_chows identical_chows three_identical_chows two_sets_of_identical_chows one_suit one_suit_concealed", 14, 400),
    ("1.2.12 the same chow in three suits, called", "[345p,1]345m345s111mSS|EW0000", 6, "same_chow_in_three_suits", 2, 20),
    ("1.2.12 concealed", "345p345m345s111mSS|EW0000", 6, "same_chow_in_three_suits same_chow_concealed", 4, 40),
    ("1.2.12 in two suits", "[345p,1]345m456s555sSS|EW0000", 4, "", 0, 0),
    ("1.2.13 a straight, called", "[123p,1]456p789p111mSS|EW0000", 6, "straight", 2, 20),
    ("1.2.13 concealed", "123p456p789p111mSS|EW0000", 6, "straight straight_concealed", 4, 40),
    ("1.2.13 of two suits", "[123p,1]456m789p111mSS|EW0000", 6, "", 0, 0),
    ("1.2.14 an officer in every set, called", "[123p,1]789m111sEESSS|EW0000", 12, "only_officers", 2, 20),
    ("1.2.14 an officer in every set, called", "[123p,1]789m111sSSSNN|EW0000", 12, "only_officers", 2, 20),
    ("1.2.14 concealed", "123p789m111sSSSNN|EW0000", 12, "only_officers only_officers_concealed", 4, 40),
    ("1.2.14 without chows", "[111p,2]999m111sSSSNN|EW0000", 22, "only_officers only_officers_without_chows only_pungs three_concealed_pungs extra_half", 13, 360),
    ("1.2.14 without honours", "[123p,1]789m111s789s99p|EW0000", 6, "only_officers only_officers_without_honours", 4, 40),
    ("1.2.14 a pair that is no officer (R13)", "[123p,1]789m111sSSS55p|EW0000", 12, "", 0, 0),
    ("1.2.15 only pungs", "[222p,1][888m,2]444sSSS55p|EW0000", 14, "only_pungs", 4, 40),
    ("1.2.16 the same pung in three suits", "[222p,1][222m,2]222s345m99s|EW0000", 8, "same_pung_in_three_suits", 4, 40),
    ("1.2.16 with a kong", "[2222p,1][222m,2]222s345m99s|EW0000", 14, "same_pung_in_three_suits", 4, 40),
    ("1.2.17 three kongs", "[2222p,1][8888m,2][3333s]345m99s|EW0000", 32, "three_kongs extra_half", 5, 60),
    ("1.2.18 three concealed pungs", "[345m,1]222p888m333s9s9s|EW0000", 12, "three_concealed_pungs", 4, 40),
    ("1.2.18 one of them a kong", "[345m,1][2222p]888m333s9s9s|EW0000", 24, "three_concealed_pungs extra_half", 5, 60),
    ("1.2.18 one of them won on a discard (R3)", "[345m,1]222p88m333s9s9s8m|EW0000", 10, "", 0, 0),
    ("1.2.18 one of them self-drawn", "[345m,1]222p88m333s9s9s8m|EW1000", 22, "three_concealed_pungs extra_half", 5, 60),
    ("1.2.19 two pungs of dragons and the third as a pair", "[CCC,1][FFF,2]123m678sPP|EW0000", 10, "dragons*2 small_dragons", 8, 160),
    ("1.2.20 one suit with honours, called", "[123m,1]456m678m111mSS|EW0000", 6, "one_suit", 4, 40),
    ("1.2.20 without honours", "[123m,1]456m678m111m99m|EW0000", 6, "one_suit one_suit_without_honours", 10, 240),
    ("1.2.20 concealed", "123m345m678m111mSS|EW0000", 6, "one_suit one_suit_concealed", 6, 80),
    ("1.2.20 only honours are no suit", "[SSS,1][NNN,2][CCC,3]EEEPP|SW0000", 20, "dragons round_wind only_officers only_officers_without_chows only_pungs only_honours extra_half", 37, 600),
    ("1.2.21 seven pairs", "1133m5577p2299sSS|EW0000", 0, "seven_pairs", 6, 80),
    ("1.2.21 four alike are two pairs (R7)", "1133m5555p2299sSS|EW0000", 0, "seven_pairs", 6, 80),
    ("1.2.21 self-drawn (R8), with pairs that score", "1133m55pCCFF22sWW|EW1000", 16, "fully_concealed seven_pairs", 8, 160),
    ("1.2.21 beside 1.2.10 (R7)", "2233m5577p22s88s66m|EW0000", 0, "no_officers seven_pairs", 8, 160),
    ("1.2.22 all three dragons", "[CCC,1][FFF,1][PPP,1]123m22s|EW0000", 12, "dragons*3 big_dragons", 30, 600),
    ("1.2.23 three winds and a pair of the fourth", "[SSS,1][NNN,1][WWW,1]123mEE|SW0000", 12, "own_wind round_wind only_officers one_suit small_winds", 34, 600),
    ("1.2.24 four winds", "[SSS,1][NNN,1][WWW,1][EEE,1]2m2m|SW0000", 16, "fully_open own_wind round_wind only_pungs one_suit big_winds", 38, 600),
    ("1.2.25 only ones and nines", "[111m,1][999m,2]111p999p9s9s|EW0000", 20, "only_officers only_officers_without_chows only_officers_without_honours only_pungs only_ones_and_nines extra_half", 35, 600),
    ("1.2.25 as seven pairs", "1199m1199p1199s99s|EW0000", 0, "only_officers only_officers_concealed only_officers_without_chows only_officers_without_honours seven_pairs only_ones_and_nines", 38, 600),
    ("1.2.26 only honours", "[SSS,1][NNN,2]CCCFFFEE|EW0000", 22, "dragons*2 only_officers only_officers_without_chows only_pungs only_honours extra_half", 37, 600),
    ("1.2.27 four kongs", "[2222p,1][8888m,2][3333s][9999s]5m5m|EW0000", 56, "only_pungs three_kongs four_kongs extra_whole", 34, 600),
    ("1.2.28 four concealed pungs, single wait on a discard", "222p888m333s999s5m5m|EW0000", 18, "only_pungs three_concealed_pungs four_concealed_pungs", 32, 600),
    ("1.2.28 the fourth completed by a discard (R3)", "222p888m333s99s5m5m9s|EW0000", 16, "only_pungs three_concealed_pungs", 8, 160),
    ("1.2.29 nine lanterns", "1112345678999m5m|EW0000", 12, "one_suit one_suit_without_honours one_suit_concealed nine_lanterns", 36, 600),
    ("1.2.29 whichever tile came last", "1123455678999m1m|EW0000", 10, "one_suit one_suit_without_honours one_suit_concealed nine_lanterns", 36, 600),
    ("1.2.29 called", "[123m,1]11456789999m|EW0000", 6, "straight one_suit one_suit_without_honours", 12, 320),
    ("1.2.30 jade without the dragon", "[222s,1][444s,2]666s888s33s|EW0000", 12, "no_officers only_pungs one_suit one_suit_without_honours jade", 40, 600),
    ("1.2.30 jade with the dragon", "[234s,1][FFF,2]666s888s33s|EW0000", 12, "dragons one_suit jade", 30, 600),
    ("1.2.30 a 5 of bamboo", "[345s,1][FFF,2]666s888s33s|EW0000", 12, "dragons one_suit", 6, 80),
    ("1.2.31 20 points", "[999m,2][CCCC,1]234p678s5s5s|EW0000", 20, "dragons extra_half", 3, 28),
    ("1.2.31 18 points", "[9999m,2]234p678s345sCC|EW0010", 18, "under_the_river", 2, 20),
    ("1.2.31 38 points", "[9999m,2][CCCC,1]999p678s5s5s|EW0000", 38, "dragons extra_half", 3, 28),
    ("1.2.31 40 points", "[9999m,2][CCCC,1][3333p,3]678s5s5s|EW0000", 40, "dragons three_kongs extra_whole", 8, 160),
    ("1.2.31 alone is no legal win (R15)", "[9999m][2222p]123s678s5s5s|EW0000", 40, "extra_whole", 2, 0),
    ("1.2.31 alone is no legal win (R15)", "[9999m][2222p,1]123s678s5s5s|EW0000", 32, "extra_half", 1, 0),
];

/// Returns a hand in one line with its context.
fn case(text: &str) -> (Hand, Context) {
    let notation: Notation = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
    let hand = notation.hand.into_hand().unwrap_or_else(|error| panic!("{text}: {error}"));
    (hand, notation.context.resolve().expect(text).0)
}

/// Returns the doublings of a score, including extra score: `dragons*2 extra_half`.
fn listed(score: &Score) -> String {
    let doublings = score.awards.iter().filter(|award| matches!(award.worth, Worth::Doublings(_)));
    let named = doublings.map(|award| match award.count {
        1 => award.rule.code.to_owned(),
        count => format!("{}*{count}", award.rule.code),
    });
    named.collect::<Vec<_>>().join(" ")
}

#[test]
fn every_line_counts_where_it_should_and_nowhere_else() {
    let mut wrong = Vec::new();
    for &(name, text, points, lines, halves, value) in ROWS {
        let (hand, context) = case(text);
        let score = mmm().score(&hand, &context).unwrap_or_else(|error| panic!("{text}: {error}"));
        let doubling = score.doubling.expect("doublings");
        let found = (doubling.points, listed(&score), doubling.doublings, score.value);
        let expected = (points, lines.to_owned(), Halves(halves), value);
        if found != expected || mmm().rules().points(&hand, &context) != Ok(value) {
            wrong.push(format!("{name}: {text}\n   found {found:?}\nexpected {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Every line of the rules has a hand that shows it.
#[test]
fn every_line_has_a_case() {
    let mut shown = BTreeSet::new();
    for (_, text, ..) in ROWS {
        let (hand, context) = case(text);
        let score = mmm().score(&hand, &context).expect(text);
        shown.extend(score.awards.iter().map(|award| award.rule.code));
    }
    let without: Vec<_> =
        Line::ALL.iter().filter(|line| !shown.contains(line.rule().code)).collect();
    assert!(without.is_empty(), "{without:?}");
}

/// A ruling: its line in a profile, the hand that it changes, the default value and the other one.
#[rustfmt::skip]
const RULINGS: &[(&str, &str, u32, u32)] = &[
    ("parts_add_up = false", "123p456p789p34p22p5p|WN1000", 520, 320),
    ("four_identical_chows_are_two_sets = false", "33334444555m77p5m|EN0000", 240, 160),
    ("won_pung_is_open = false", "[345m,1]222p88m333s9s9s8m|EW0000", 0, 40),
    ("double_wind_pair_counts_twice = false", "[CCCC,1][345p,1]678s234sEE|EE0000", 42, 30),
    ("self_draw_points_when_fully_concealed = false", "345p333m678s111mSS|EW1000", 28, 20),
    ("only_chows_must_be_concealed = false", "[345p,1]234m678s234sSS|EW0000", 0, 20),
    ("seven_pairs_combine = false", "2233m5577p22s88s66m|EW0000", 160, 80),
    ("four_alike_are_two_pairs = false", "223344m77p77p88s99s|EW0000", 80, 0),
    ("seven_pairs_have_points = false", "2288mEESSCCFFPP|ES1000", 420, 400),
    ("seven_pairs_are_fully_concealed = false", "1133m5577p2299sSS|EW1000", 160, 80),
    ("replacement_tile_can_be_the_last = false", "[9999m,1]123m678s234sSS|EW1011", 60, 28),
    ("robbing_is_self_draw = true", "[222m,2][999m,1][CCC,1]34s55p5s|EW0001", 40, 60),
    ("officers_in_pair = false", "[123p,1]789m111sSSS55p|EW0000", 0, 20),
    ("lanterns_before_the_winning_tile = true", "1123455678999m1m|EW0000", 600, 320),
    ("half_steps = \"down\"", "[CCCC,1][FFF,2]678s234s99p|EW0000", 60, 40),
    ("half_steps = \"up\"", "[CCCC,1][FFF,2]678s234s99p|EW0000", 60, 80),
    ("extra_score_reaches_minimum = true", "[9999m][2222p]123s678s5s5s|EW0000", 0, 20),
    ("flowers_are_passed_over = true", "[333m,1]456m678s234s88p|EW0000|2a", 0, 20),
];

fn profile(options: &str) -> Result<Profile, String> {
    let text = format!("id = \"club\"\ngame = \"mmm\"\nextends = \"mmm\"\n[options]\n{options}\n");
    Profile::parse(&text).map_err(|error| error.to_string())
}

/// Returns the value of a hand; 0 if these rules do not let it win.
fn value(rules: &dyn Ruleset, text: &str) -> u32 {
    let (hand, context) = case(text);
    let quick = rules.points(&hand, &context);
    let explained = rules.score(&hand, &context).map(|score| score.value);
    assert_eq!(quick, explained, "{text}");
    quick.unwrap_or(0)
}

#[test]
fn every_ruling_changes_what_it_says() {
    let mut wrong = Vec::new();
    for &(option, text, usual, other) in RULINGS {
        let club = profile(option).unwrap_or_else(|error| panic!("{option}: {error}"));
        let found = (value(mmm().rules(), text), value(club.rules(), text));
        if found != (usual, other) {
            wrong.push(format!("{option}: {text}: found {found:?}, expected {:?}", (usual, other)));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Every option has its ruling here or among the payments below.
#[test]
fn no_option_is_without_a_case() {
    let tried: BTreeSet<&str> = RULINGS
        .iter()
        .map(|(option, ..)| *option)
        .chain(PAYMENTS.iter().map(|(option, ..)| *option))
        .filter_map(|option| option.split(' ').next())
        .collect();
    let options = serde_json::to_value(Options::DEFAULT).expect("JSON");
    for option in options.as_object().expect("a struct").keys() {
        assert!(tried.contains(option.as_str()), "{option}");
    }
}

/// A ruling that payments depend on, or none; the hand, the feeder of its last set, and the
/// payments of East, South, West and North.
type PaymentRow = (&'static str, &'static str, Option<Feeder>, [i32; 4]);

#[rustfmt::skip]
const PAYMENTS: &[PaymentRow] = &[
    // 1.4: the example of the rules, East, no matter who discards.
    ("", "234567m345p67s55p8s|EW1000", None, [-40, -20, 80, -20]),
    ("", "234567m345p67s55p8s|EE1000", None, [120, -40, -40, -40]),
    ("", "[333m,1]456m678s234s88p|EW0000,1", None, [0, -20, 20, 0]),
    ("", "[333m,1]456m678s234s88p|EW0000,2", None, [-20, 0, 20, 0]),
    ("", "[333m,1]456m678s234s88p|EW0000,3", None, [0, 0, 20, -20]),
    // R10: the robbed player feeds.
    ("", "[345p,1]123m678s34sCC5s|EW0001,3", None, [0, 0, 20, -20]),
    ("robbing_is_self_draw = true", "[345p,1]123m678s34sCC5s|EW0001,3", None, [-10, -5, 20, -5]),
    // Below the minimum nobody pays.
    ("", "[345p,1]123m678s234sCC|EW1000", None, [0, 0, 0, 0]),
    // 1.4.1: four claimed chows, no matter who discards, and on a self-draw (R12).
    ("", "[345p,1][123m,1][678s,1][234s,1]5s5s|EW0010,2", None, [0, -40, 40, 0]),
    ("", "[345p][234m][678s][234s]5s5s|EW1000", None, [0, -20, 20, 0]),
    ("four_chows_liability_on_self_draw = false", "[345p][234m][678s][234s]5s5s|EW1000", None, [-10, -5, 20, -5]),
    // R12: the fourth chow was claimed before the winning tile, unless a club says otherwise.
    ("", "[345p][123m][678s]55s34s2s|EW0010,3", None, [0, 0, 20, -20]),
    ("winning_tile_can_be_the_fourth_chow = true", "[345p][123m][678s]55s34s2s|EW0010,3", None, [0, -20, 20, 0]),
    ("winning_tile_can_be_the_fourth_chow = true", "[345p][123m][678s]555s3s3s|EW0010,3", None, [0, 0, 20, -20]),
    ("winning_tile_can_be_the_fourth_chow = true", "[345p][123m][678s]55s34s2s|EW1010", None, [-10, -5, 20, -5]),
    // 1.4.2: all three fed by one player, so there is no question; also on a self-draw (R11).
    ("", "[CCC,2][FFF,2][PPP,2]123m22s|EW0000,1", None, [-600, 0, 600, 0]),
    ("", "[CCC,2][FFF,2][PPP,2]123m22s|EW1000", None, [-600, 0, 600, 0]),
    ("liability_on_self_draw = false", "[CCC,2][FFF,2][PPP,2]123m22s|EW1000", None, [-300, -150, 600, -150]),
    // Different players: the named one pays; if none is named, the last of the sets is supposed to
    // be the third.
    ("", "[CCC,2][FFF,1][PPP,3]123m22s|EW0000,1", Some(Feeder::Across), [-600, 0, 600, 0]),
    ("", "[CCC,2][FFF,1][PPP,3]123m22s|EW0000,1", Some(Feeder::Right), [0, 0, 600, -600]),
    ("", "[CCC,2][FFF,1][PPP,3]123m22s|EW0000,1", None, [0, 0, 600, -600]),
    // One set was drawn: then perhaps nobody fed the third.
    ("", "[CCC,2][FFF,2]PPP123m2s2s|EW0000,3", Some(Feeder::Nobody), [0, 0, 600, -600]),
    ("", "[CCC,2][FFF,2]PPP123m2s2s|EW0000,3", Some(Feeder::Across), [-600, 0, 600, 0]),
    ("", "[CCC,2][FFFF][PPP,2]123m2s2s|EW1000", Some(Feeder::Nobody), [-300, -150, 600, -150]),
    ("liability_beside_concealed_sets = false", "[CCC,2][FFF,2]PPP123m2s2s|EW0000,3", None, [0, 0, 600, -600]),
    // The winning tile completes the third: its discarder feeds, or nobody.
    ("", "[CCC,2][FFF,2]PP123m2s2sP|EW0000,3", None, [0, 0, 600, -600]),
    ("", "[CCC,2][FFF,2]PP123m2s2sP|EW1000", None, [-300, -150, 600, -150]),
    // If it is given, no default is used.
    ("", "[CCC,2][FFF,2]PP123m2s2sP|EW0000,3", Some(Feeder::Right), [0, 0, 600, -600]),
    ("", "[CCC,2][FFF,2]PP123m2s2sP|EW1000", Some(Feeder::Nobody), [-300, -150, 600, -150]),
    ("", "CCCFFFPPP123m2s2s|EW0000,3", Some(Feeder::Nobody), [0, 0, 600, -600]),
    // An added kong counts as fed if its pung was.
    ("", "[CCC,2][FFF,2][PPPP,6]123m22s|EW0000,1", None, [-600, 0, 600, 0]),
    // 1.4.3: the fourth of winds; three make nobody liable.
    ("", "[SSS,3][NNN,3][WWW,3][EEE,3]2m2m|SW0000,1", None, [0, 0, 600, -600]),
    ("", "[SSS,3][NNN,3][WWW,3]123mE+E|SW0000,1", None, [0, -600, 600, 0]),
    ("", "[SSS,1][NNN,3][WWW,3][EEE,2]2m2m|SE1000", Some(Feeder::Left), [900, 0, 0, -900]),
];

#[test]
fn everybody_pays_what_the_rules_say() {
    let mut wrong = Vec::new();
    for &(option, text, feeder, expected) in PAYMENTS {
        let club = profile(option).unwrap_or_else(|error| panic!("{option}: {error}"));
        let (hand, context) = case(text);
        let score = club.rules().score(&hand, &Context { feeder, ..context });
        let score = score.unwrap_or_else(|error| panic!("{text}: {error}"));
        let found = Wind::ALL.map(|seat| score.payments.for_seat(seat));
        if found != expected {
            wrong.push(format!("{option} {text} {feeder:?}: {found:?}, expected {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// A default feeder is used only if none is given, the possible players differ and payments depend
/// on it.
#[test]
fn a_feeder_is_assumed_only_where_it_matters() {
    for (option, text, supposed) in [
        ("", "[CCC,2][FFF,1][PPP,3]123m22s|EW0000,1", Some(Feeder::Right)),
        ("", "[CCC,2][FFF,2][PPP,2]123m22s|EW0000,1", None),
        ("", "[CCC,2][FFF,2]PPP123m2s2s|EW0000,3", Some(Feeder::Across)),
        // The discarder is the only player who fed any of them.
        ("", "[CCC,2][FFF,2]PPP123m2s2s|EW0000,2", None),
        ("", "[CCC,2][FFF][PPP,2]123m2s2s|EW0000,2", Some(Feeder::Across)),
        ("liability_on_self_draw = false", "[CCC,2][FFF,1][PPP,3]123m22s|EW1000", None),
        ("", "[CCC,2][FFF,1]123m567pPP|EW0000,1", None),
    ] {
        let club = profile(option).expect(option);
        let (hand, context) = case(text);
        let score = club.rules().score(&hand, &context).expect(text);
        assert_eq!(score.assumed_feeder, supposed, "{option} {text}");
    }
}

#[test]
fn an_impossible_feeder_is_rejected_with_all_other_errors() {
    let refused = |text: &str, feeder| {
        let (hand, context) = case(text);
        let given = Context { feeder: Some(feeder), ..context };
        let error = Mmm::default().score(&hand, &given).expect_err(text);
        assert_eq!(Mmm::default().points(&hand, &given), Err(error.clone()), "{text}");
        error.contradictions().to_vec()
    };
    let by_another = Contradiction::FedByAnother { feeder: Feeder::Left };
    assert_eq!(refused("[CCC,2][FFF,2][PPP,3]123m22s|EW0000", Feeder::Left), [by_another]);
    let nobody = Contradiction::FedByAnother { feeder: Feeder::Nobody };
    assert_eq!(refused("[CCC,2][FFF,2][PPP,3]123m22s|EW0000", Feeder::Nobody), [nobody]);
    let none = Contradiction::NoSetToFeed;
    assert_eq!(refused("[CCC,2][FFF,2]123m22s567p|EW0000", Feeder::Left), [none]);
    let two = refused("[CCC,2][FFF,2]123m22s567p|EW1001", Feeder::Left);
    assert_eq!(two, [Contradiction::ReplacementWithoutKong, none]);
    assert!(two.iter().any(|one| one.field() == ContextField::Feeder));
    // The winning tile completed the third: its discarder, and nobody else, fed it.
    let across = Contradiction::FedByAnother { feeder: Feeder::Across };
    assert_eq!(refused("[CCC,2][FFF,2]PP123m2s2sP|EW0000,3", Feeder::Across), [across]);
    // Four claimed chows have only one feeder, who may be named.
    let text = "[345p][234m][678s][234s]5s5s|EW1000";
    assert_eq!(
        refused(text, Feeder::Across),
        [Contradiction::FedByAnother { feeder: Feeder::Across }]
    );
}

/// Flowers are not played: another game was meant, so such a hand is refused, unless a club permits
/// it.
#[test]
fn flowers_are_refused() {
    let (hand, context) = case("[333m,1]456m678s234s88p|EW0000|2a");
    let refused = mmm().score(&hand, &context);
    assert_eq!(refused, Err(RulesError::FlowersNotPlayed { count: 3 }));
}

#[test]
fn hands_of_other_games_do_not_win() {
    for text in ["19m19p19sESWNCFP1m", "147m258p369sESWNC", "147m258p369s234mEE"] {
        let (hand, context) = case(text);
        assert_eq!(mmm().score(&hand, &context), Err(RulesError::NotAWin), "{text}");
        assert_eq!(mmm().rules().points(&hand, &context), Err(RulesError::NotAWin), "{text}");
    }
}

/// Excluded parts are listed, with the part that excludes them.
#[test]
fn parts_that_do_not_count_are_excluded_by_the_best() {
    let (hand, context) = case("123p456p789p34p22p5p|WN1000");
    let club = Mmm::new(Options { parts_add_up: false, ..Options::DEFAULT });
    let score = club.score(&hand, &context).expect("a win");
    let excluded: Vec<_> =
        score.excluded.iter().map(|line| (line.rule.code, line.by.code, line.reason)).collect();
    let implied = ExclusionReason::Implied;
    assert_eq!(
        excluded,
        [
            ("straight_concealed", "straight", implied),
            ("one_suit", "one_suit_without_honours", implied),
            ("one_suit_concealed", "one_suit_without_honours", implied),
        ]
    );
    let usual = Mmm::default().score(&hand, &context).expect("a win");
    assert!(usual.excluded.is_empty(), "all lines add up");
}

#[test]
fn conflicting_options_are_rejected_with_their_line() {
    for (options, line, part) in [
        ("parts_add_up = false\nfour_identical_chows_are_two_sets = false", 6, "second part"),
        ("half_steps = \"up\"\nextra_score_reaches_minimum = true", 5, "rounded up"),
        ("half_steps = \"sideways\"", 5, "unknown variant"),
        ("half_step = \"up\"", 5, "unknown field"),
        ("officers_in_pair = 1", 5, "invalid type"),
    ] {
        let given = profile(options).expect_err(options);
        assert!(given.starts_with(&format!("line {line}: ")) && given.contains(part), "{given}");
    }
    assert!(profile("half_steps = \"up\"").is_ok_and(|club| club.game() == "mmm"));
    assert_eq!(Options::default().half_steps, HalfSteps::Column);
}

/// Missing fields get the usual defaults; the feeder of the last set stays open.
#[test]
fn no_feeder_is_assumed_by_default() {
    let (context, assumed) = ContextSetup::default().resolve().expect("plain");
    assert_eq!(context.feeder, None);
    assert!(!assumed.contains(&ContextField::Feeder));
}
