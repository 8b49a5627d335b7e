//! Each line of the game of sixteen tiles with a case of its own and near misses, and each ruling
//! with a hand that it changes. Worked out by hand.

use std::sync::Arc;

use tilesight_core::contract::{HandInput, Problem, ScoreDto, ScoreRequest, read_json};
use tilesight_core::explain::Lang;
use tilesight_core::rules::taiwan::Line;
use tilesight_core::rules::{Book, Profile};

/// Subject of the case, options and values beside those of `tw-common`, hand, declarations, and
/// lines with their tai in the order of the rules.
type Row = (&'static str, &'static str, &'static str, &'static str, &'static str);

#[rustfmt::skip]
const ROWS: &[Row] = &[
    ("1.1 a self-draw of an open hand", "", "[777p,1]123m456m345s67s9p9p+8s|SW1000", "", "self_draw 1"),
    ("1.2 on a discard", "", "123m456m345s678sNN77p+7p|SW0000", "", "concealed_hand 1"),
    ("1.3 instead of both", "", "123m456m345s678sNN77p+7p|SW1000", "", "fully_concealed_hand 3"),
    ("1.3 not played: both count", "fully_concealed_hand = 0", "123m456m345s678sNN77p+7p|SW1000", "", "self_draw 1, concealed_hand 1"),
    ("1.2 a concealed kong spoils it", "concealed_kongs_keep = false", "[2222m]456m345s678sNN77p+7p|SW0000", "", ""),
    ("1.4 without the single wait", "", "[111m,1][456m,1][345s,1][678s,1][777p,1]9p+9p|SW0000", "", "all_melded 2"),
    ("1.4 beside the single wait", "melded_wait = \"added\"", "[111m,1][456m,1][345s,1][678s,1][777p,1]9p+9p|SW0000", "", "all_melded 2, single_wait 1"),
    ("1.5 beside a self-draw", "", "[111m,1][456m,1][345s,1][678s,1][777p,1]9p+9p|SW1000", "", "self_draw 1, half_melded 1"),
    ("1.6 a gap", "", "[777p,1]123m46m345s678s9p9p+5m|SW0000", "", "single_wait 1"),
    ("1.6 the pair of two: two kinds", "", "[777p,1]123m456m345s1234s+4s|SW0000", "", ""),
    ("1.6 the pair of two, by the shape", "single_wait_by = \"shape\"", "[777p,1]123m456m345s1234s+4s|SW0000", "", "single_wait 1"),
    ("1.7 a robbed kong", "", "[777p,1]123m46m345s678s9p9p+5m|SW0001", "", "single_wait 1, robbing_kong 1"),
    ("1.8 a kong's replacement", "", "[7777p,1]123m456m345s67s9p9p+8s|SW1001", "", "self_draw 1, kong_replacement 1"),
    ("1.8 a bonus tile's replacement", "", "[777p,1]123m456m345s67s9p9p+8s|SW1000|f1", "flower_replacement", "self_draw 1, kong_replacement 1"),
    ("1.8 a bonus tile's replacement does not count", "flower_replacement = false", "[777p,1]123m456m345s67s9p9p+8s|SW1000|f1", "flower_replacement", "self_draw 1"),
    ("1.9 the last tile", "", "[777p,1]123m456m345s67s9p9p+8s|SW1010", "", "self_draw 1, last_tile_draw 1"),
    ("1.10 the discard after it", "", "[777p,1]123m456m345s67s9p9p+8s|SW0010", "", "last_tile_claim 1"),
    ("2.1 declared", "ready = 1", "[777p,1]123m456m345s67s9p9p+8s|SW0000", "ready", "ready 1"),
    ("2.1 not played", "", "[777p,1]123m456m345s67s9p9p+8s|SW0000", "ready", ""),
    ("2.2 with a self-draw only", "", "777p123m456m345s67s9p9p+8s|SW1000", "earth_ready", "self_draw 1, earthly_ready 4"),
    ("2.2 with all ways of winning", "ready_extra = \"all\"", "777p123m456m345s67s9p9p+8s|SW1000", "earth_ready", "fully_concealed_hand 3, earthly_ready 4"),
    ("2.3 on a discard", "", "777p123m456m345s67s9p9p+8s|SW0000", "heaven_ready", "heavenly_ready 8"),
    ("2.4 nothing else of winning", "", "777p123m456m345s68s9p9p+7s|EE1000", "heaven", "heavenly_hand 24"),
    ("2.5 another player's first draw", "", "777p123m456m345s68s9p9p+7s|ES1000", "earth", "single_wait 1, earthly_hand 16"),
    ("2.6 a discard of the first round", "heaven_extra = \"all\"", "777p123m456m345s67s9p9p+8s|ES0000", "human", "concealed_hand 1, human_hand 8"),
    ("3.1 two-sided", "", "[123m,1]456m345s678s9p9p45m+6m|SW0000", "", "all_chows 2"),
    ("3.1 edge", "", "[123m,1]456m345s678s9p9p12m+3m|SW0000", "", "single_wait 1"),
    ("3.1 a pair of honors", "", "[123m,1]456m345s678sNN45m+6m|SW0000", "", ""),
    ("3.1 a pair of honors is allowed", "all_chows_honors = true", "[123m,1]456m345s678sNN45m+6m|SW0000", "", "all_chows 2"),
    ("3.1 drawn", "", "[123m,1]456m345s678s9p9p45m+6m|SW1000", "", "self_draw 1"),
    ("3.1 drawn is allowed", "all_chows_self_draw = true", "[123m,1]456m345s678s9p9p45m+6m|SW1000", "", "self_draw 1, all_chows 2"),
    ("3.1 a bonus tile", "", "[123m,1]456m345s678s9p9p45m+6m|SW0000|f1", "", ""),
    ("3.1 concealed is not allowed", "all_chows_concealed = false", "123m456m345s678s9p9p45m+6m|SW0000", "", "concealed_hand 1"),
    ("3.1 a pair wait of two kinds", "", "[123m,1][456m,1]345s678s1p234p+4p|SW0000", "", ""),
    ("3.1 a pair wait of two kinds, not single", "all_chows_wait = \"not_single\"", "[123m,1][456m,1]345s678s1p234p+4p|SW0000", "", "all_chows 2"),
    ("3.1 two-sided in one reading", "", "[123m,1][456m,1]345s9p9p2s1234s+3s|SW0000", "", "all_chows 2"),
    ("3.1 not two-sided in every reading", "all_chows_wait = \"only_two_sided\"", "[123m,1][456m,1]789s9p9p1245s3s+3s|SW0000", "", ""),
    ("3.2 3.3 the claimed one is not concealed", "", "[111m,1]222p888p777s55s99s+9s|SW0000", "", "all_pungs 4, three_concealed_pungs 2"),
    ("3.4 drawn", "", "[111m,1]222p888p777s55s99s+9s|SW1000", "", "self_draw 1, all_pungs 4, four_concealed_pungs 5"),
    ("3.5 five", "", "[1111m]222p888p777s55s99s+9s|SW1000", "", "fully_concealed_hand 3, all_pungs 4, five_concealed_pungs 8"),
    ("3.6 one suit and honors", "", "[123m,1][456m,1]789m111m55mNN+N|SE0000", "", "half_flush 4"),
    ("3.7 one suit", "", "[123m,1][456m,1]789m1145678m+9m|SE0000", "", "all_chows 2, full_flush 8"),
    ("3.8 with all pungs", "", "[EEE,1][SSS,2][CCC,1][FFF,1]NNPP+P|WW0000", "", "all_pungs 4, all_honors 16, big_three_dragons 8"),
    ("3.8 without all pungs", "honors_pungs = \"included\"", "[EEE,1][SSS,2][CCC,1][FFF,1]NNPP+P|WW0000", "", "all_honors 16, big_three_dragons 8"),
    ("4.1 each dragon", "", "[CCC,1][FFF,1]123m456p67s9p9p+8s|SW0000", "", "dragon 2"),
    ("4.2 without its pungs", "", "[CCC,1][FFF,1]123m456p67sPP+8s|SW0000", "", "small_three_dragons 4"),
    ("4.2 with its pungs", "dragon_pungs = \"added\"", "[CCC,1][FFF,1]123m456p67sPP+8s|SW0000", "", "dragon 2, small_three_dragons 4"),
    ("4.3 without its pungs", "", "[CCC,1][FFF,1][PPP,1]123m67s9p9p+8s|SW0000", "", "big_three_dragons 8"),
    ("4.4 4.5 a wind that is both", "", "[WWW,1]123m456p789s67s9p9p+8s|WW0000", "", "seat_wind 1, prevalent_wind 1"),
    ("4.6 every wind counts", "wind = 1", "[NNN,1]123m456p789s67s9p9p+8s|WW0000", "", "wind 1"),
    ("4.7 without its winds", "", "[EEE,1][SSS,1][WWW,1]123m67sNN+8s|WW0000", "", "small_four_winds 8"),
    ("4.7 with its winds", "small_winds_pungs = \"added\"", "[EEE,1][SSS,1][WWW,1]123m67sNN+8s|WW0000", "", "seat_wind 1, prevalent_wind 1, small_four_winds 8"),
    ("4.8 without its winds", "", "[EEE,1][SSS,1][WWW,1][NNN,1]67s9p9p+8s|WW0000", "", "big_four_winds 16"),
    ("4.9 4.10 kongs", "exposed_kong = 1\nconcealed_kong = 2", "[1111m,1][2222p][8888m]456p67s9p9p+8s|SW0000", "", "exposed_kong 1, concealed_kong 4"),
    ("4.11 four kongs", "four_kongs = 8", "[1111m,1][2222p][8888m][3333p]67s9p9p+8s|SW0000", "", "three_concealed_pungs 2, four_kongs 8"),
    ("4.12 instead of four", "four_kongs = 8\nfive_kongs = 16", "[1111m,1][2222p][7777s][3333p][9999s]9p+9p|SW0000", "", "single_wait 1, all_pungs 4, four_concealed_pungs 5, five_kongs 16"),
    ("5.1 both of the seat", "", "[777p,1]123m456m345s67s9p9p+8s|SW0000|f3s3", "", "own_flower 2"),
    ("5.2 each", "flower = 1", "[777p,1]123m456m345s67s9p9p+8s|SW0000|f1s2", "", "flower 2"),
    ("5.2 without names", "flower = 1", "[777p,1]123m456m345s67s9p9p+8s|SW0000|2", "", "flower 2"),
    ("5.3 with the own one", "", "[777p,1]123m456m345s67s9p9p+8s|SW0000|f1f2f3f4", "", "own_flower 1, flower_set 2"),
    ("5.3 the own one within", "flower_set_own = \"included\"", "[777p,1]123m456m345s67s9p9p+8s|SW0000|f1f2f3f4", "", "flower_set 2"),
    ("5.4 none", "no_flowers = 1", "[777p,1]123m456mNNN67s9p9p+8s|SW0000", "", "no_flowers 1"),
    ("5.5 instead of none", "no_flowers = 1\nno_flowers_no_honors = 2", "[777p,1]123m456m345s67s9p9p+8s|SW0000", "", "no_flowers_no_honors 2"),
    ("5.6 in a hand that wins", "", "[777p,1]123m456m345s67s9p9p+8s|SW0000|8", "", "eight_flowers 8"),
    ("5.6 as two sets", "eight_flowers_in_win = \"sets\"", "[777p,1]123m456m345s67s9p9p+8s|SW0000|8", "", "own_flower 2, flower_set 4"),
    ("5.6 alone", "", "1479m258p369sESWNCF+?|SW1000|8", "eight_flowers", "eight_flowers 8"),
    ("5.6 alone and drawn", "eight_flowers_extra = \"self_draw\"", "1479m258p369sESWNCF+?|SW1000|8", "eight_flowers", "self_draw 1, eight_flowers 8"),
    ("5.7 alone", "", "1479m258p369sESWNCF+?|SW0000|7", "seven_flowers", "seven_flowers 8"),
    ("6.1 not played", "", "1133m5577p2299sSSWWW|SE0000", "", "refused: "),
    ("6.1 beside a single wait", "seven_pairs = 8", "1133m5577p2299sSSWW+W|SE0000", "", "seven_pairs 8"),
    ("6.1 its pung counts", "seven_pairs = 8\nspecial_sets = true", "1133m5577p2299sSSWW+W|WE0000", "", "prevalent_wind 1, seven_pairs 8"),
    ("6.1 four alike are two pairs", "seven_pairs = 8\nspecial_extra = \"all\"", "1133m5555p2299sSSWW+W|SE0000", "", "concealed_hand 1, seven_pairs 8"),
    ("6.2 with a chow", "thirteen_orphans = 8", "19m19p19sESWNCFP1p23p+P|SE1000", "", "self_draw 1, thirteen_orphans 8"),
];

/// Returns `tw-common` with other options and values.
fn profile(changes: &str) -> Arc<Profile> {
    let usual = Book::shipped().get("tw-common".parse().expect("an id")).expect("shipped").clone();
    let options = usual.rules().options();
    let is_option =
        |line: &&str| line.split(' ').next().is_some_and(|name| options.contains_key(name));
    let (of_options, of_values): (Vec<&str>, Vec<&str>) = changes.lines().partition(is_option);
    let text = format!(
        "id = \"club\"\nextends = \"tw-common\"\n[options]\n{}\n[values]\n{}\n",
        of_options.join("\n"),
        of_values.join("\n"),
    );
    Arc::new(Profile::parse(&text).expect(&text))
}

/// Scores a hand in notation with declarations.
fn score(changes: &str, hand: &str, declared: &str) -> Result<ScoreDto, Problem> {
    let mut request = ScoreRequest::from(HandInput::Notation(hand.to_owned()));
    let context = format!("{{\"declared\":\"{declared}\"}}");
    request.context = read_json(context.as_bytes(), "context")?;
    Ok(request.prepare_by(profile(changes))?.score()?.to_dto(Lang::En))
}

/// Returns the lines of a score with their tai, or the fields that a refusal names.
fn lines(result: &Result<ScoreDto, Problem>) -> String {
    match result {
        Ok(score) => {
            let lines = score.awards.iter();
            let lines = lines.map(|one| format!("{} {}", one.code, one.tai.unwrap_or_default()));
            lines.collect::<Vec<_>>().join(", ")
        }
        Err(problem) => {
            let fields = problem.errors.iter().map(|error| error.field.as_str());
            format!("refused: {}", fields.collect::<Vec<_>>().join(" "))
        }
    }
}

#[test]
fn every_line_counts_where_it_should() {
    let mut failures = Vec::new();
    for &(subject, changes, hand, declared, expected) in ROWS {
        let found = lines(&score(changes, hand, declared));
        if found != expected {
            failures.push(format!("{subject}: {found}, expected {expected}"));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Lines that do not count are listed with the line that includes them.
#[test]
fn a_score_says_what_another_line_includes() {
    for (changes, hand, declared, expected) in [
        (
            "",
            "123m456m345s678sNN77p+7p|SW1000",
            "",
            "self_draw by fully_concealed_hand, concealed_hand by fully_concealed_hand",
        ),
        (
            "",
            "777p123m456m345s68s9p9p+7s|EE1000",
            "heaven",
            "self_draw by heavenly_hand, concealed_hand by heavenly_hand, fully_concealed_hand by heavenly_hand, single_wait by heavenly_hand",
        ),
        ("", "[CCC,1][FFF,1]123m456p67sPP+8s|SW0000", "", "dragon by small_three_dragons"),
        (
            "flower_set_own = \"included\"",
            "[777p,1]123m456m345s67s9p9p+8s|SW0000|f1f2f3f4",
            "",
            "own_flower by flower_set",
        ),
    ] {
        let score = score(changes, hand, declared).expect(hand);
        let excluded = score.excluded.iter().map(|one| format!("{} by {}", one.code, one.by));
        assert_eq!(excluded.collect::<Vec<_>>().join(", "), expected, "{hand}");
    }
}

#[test]
fn sets_that_form_a_line_are_kept() {
    let hand = "[CCC,1][FFF,1]123m456p67sPP+8s|SW0000";
    let score = score("", hand, "").expect(hand);
    let sets = &score.awards[0].sets;
    assert_eq!((sets.len(), sets[0].len()), (1, 3), "two pungs and the pair");
    let winning: Vec<_> = score.sets.iter().filter(|set| set.winning).collect();
    assert_eq!(winning.len(), 1);
}

/// A hand of another size is refused in the words of the rules that were asked.
#[test]
fn a_hand_of_another_size_is_refused() {
    let book = Book::shipped();
    for (ruleset, hand) in
        [("tw-common", "123m456m789m11p22p2p"), ("mcr-wmo", "123m456m789m123p11p22p2p")]
    {
        let profile = book.get(ruleset.parse().expect(ruleset)).expect("shipped");
        let request = ScoreRequest::from(HandInput::Notation(hand.to_owned()));
        let problem = request.prepare_by(Arc::clone(profile)).expect_err(hand);
        assert_eq!(problem.errors[0].field, "hand.concealed", "{ruleset}");
    }
}

/// Compares the names that the API tells with those that the docs list beside the codes.
#[test]
fn every_line_has_its_name_in_traditional_characters_and_in_pinyin() {
    let docs = include_str!("../../docs/taiwan.md");
    for line in Line::ALL {
        let code = line.rule().code;
        let traditional = line.rule().name(Lang::ZhHant);
        let pinyin = line.pinyin();
        let row = docs.lines().find(|row| row.contains(&format!("| `{code}` | {traditional}")));
        assert!(row.is_some(), "{code}: {traditional}");
        let characters = traditional.chars().count();
        assert!(pinyin.is_ascii() || pinyin.chars().count() >= characters, "{code}: {pinyin}");
    }
}
