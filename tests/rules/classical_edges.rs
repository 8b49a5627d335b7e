//! Every line of the classical rules with a case of its own, every option, contradictions, and the
//! parts of a score besides its lines.

use tilesight_core::context::{CompletedSet, Context, ContextField, Declaration, DeclaredSet};
use tilesight_core::hand::Hand;
use tilesight_core::notation::Notation;
use tilesight_core::rules::classical::{Classical, Line, Options};
use tilesight_core::rules::{
    Book, Description, ExclusionReason, Halves, HandRules, Profile, RulesError, RulesetId, Score,
    SetKind, TableRules, Worth, score_table,
};
use tilesight_core::tile::Wind;

static DMJL: Classical = Classical::new(Options::DMJL);
static WITH_PAIRS: Classical =
    Classical::new(Options { seven_pairs_limits: Halves(1), ..Options::DMJL });

fn hand(text: &str) -> Hand {
    text.parse::<Notation>().expect(text).hand.into_hand().expect(text)
}

fn context(text: &str, declared: &str) -> Context {
    let given = text.parse::<Notation>().expect(text).context;
    let (context, _) = given.resolve().expect(text);
    Context { declared: declared.parse().expect(declared), ..context }
}

/// Returns the codes of the lines that count, each as often as it counts.
fn codes(score: &Score) -> Vec<&'static str> {
    let each = score.awards.iter();
    each.flat_map(|award| vec![award.rule.code; award.count as usize]).collect()
}

/// Hand, declarations, total, lines. South sits in the East round unless the text says more.
const WON: [(&str, &str, u32, &str); 52] = [
    (
        "[222m,1][999p,2][NNN,3]345s6p+6p|ES0000",
        "",
        34,
        "exposed_pung exposed_pung_of_terminals exposed_pung_of_honors mah_jongg completes_pair only_possible_tile",
    ),
    (
        "[234s]222m999pNN55s+N|ES1000",
        "",
        84,
        "concealed_pung concealed_pung_of_terminals concealed_pung_of_honors mah_jongg last_tile_from_wall three_concealed_pungs",
    ),
    (
        "[2222m,5][9999p,?][NNNN,6]34s66p+5s|ES0000",
        "",
        60,
        "exposed_kong exposed_kong_of_terminals exposed_kong_of_honors mah_jongg",
    ),
    (
        "[2222m][9999p][NNNN]34s66p+5s|ES0000",
        "",
        200,
        "concealed_kong concealed_kong_of_terminals concealed_kong_of_honors mah_jongg three_concealed_pungs",
    ),
    ("[234m][567p][222s,1]67sCC+8s|ES0000", "", 24, "exposed_pung pair_of_dragons mah_jongg"),
    (
        "[234m][567p][222s,1]67sEE+8s|EE0000",
        "",
        26,
        "exposed_pung pair_of_own_wind pair_of_round_wind mah_jongg",
    ),
    ("[234m][567p][222s,1]67s55p+8s|ES0000|f1s3", "", 30, "exposed_pung flower season mah_jongg"),
    ("[234m][567p][222s,1]67s55p+8s|ES0000|2", "", 30, "exposed_pung flower flower mah_jongg"),
    (
        "[234m][567p][222s,1]67s55p+8s|ES0000|f2s2",
        "",
        60,
        "exposed_pung flower season mah_jongg own_flower_and_season",
    ),
    (
        "[234m][567p][222s,1]67s55p+8s|ES0000|f1f2f3f4",
        "",
        76,
        "exposed_pung flower flower flower flower mah_jongg all_flowers",
    ),
    (
        "[234m][567p][222s,1]67s55p+8s|ES0000|s1s2s3s4",
        "",
        76,
        "exposed_pung season season season season mah_jongg all_seasons",
    ),
    (
        "[234m][567p][222s,1]678s9p+9p|ES1000",
        "",
        30,
        "exposed_pung mah_jongg last_tile_from_wall completes_pair_of_terminals_or_honors only_possible_tile",
    ),
    ("[CCC,1][234m][567p]67s99p+8s|ES0000", "", 48, "exposed_pung_of_honors mah_jongg dragon_pung"),
    (
        "[SSS,1][234m][567p]67s99p+8s|ES0000",
        "",
        48,
        "exposed_pung_of_honors mah_jongg own_wind_pung",
    ),
    (
        "[EEE,1][234m][567p]67s99p+8s|ES0000",
        "",
        48,
        "exposed_pung_of_honors mah_jongg round_wind_pung",
    ),
    (
        "[EEE,1][234m][567p]67s99p+8s|EE0000",
        "",
        96,
        "exposed_pung_of_honors mah_jongg own_wind_pung round_wind_pung",
    ),
    (
        "[CCC,1][FFF,1][234m]67sPP+8s|ES0000",
        "",
        240,
        "exposed_pung_of_honors exposed_pung_of_honors pair_of_dragons mah_jongg dragon_pung dragon_pung little_three_dragons",
    ),
    (
        "[WWW,1][NNN,1][SSS,1]67sEE+8s|WE0000",
        "",
        272,
        "exposed_pung_of_honors exposed_pung_of_honors exposed_pung_of_honors pair_of_own_wind mah_jongg round_wind_pung little_four_winds one_suit_and_honors",
    ),
    ("[234m][567p][345s]67s99p+8s|ES0000", "", 40, "mah_jongg zero_point_hand"),
    (
        "[222m,1][444p,1][666s,1]77s99p+7s|ES0000",
        "",
        56,
        "exposed_pung exposed_pung exposed_pung exposed_pung mah_jongg no_chow",
    ),
    (
        "234m567p345s67s99p+8s|ES1000",
        "",
        88,
        "mah_jongg last_tile_from_wall zero_point_hand concealed_hand",
    ),
    (
        "[5555p,1]234m345s67s99p+8s|ES1000",
        "",
        60,
        "exposed_kong mah_jongg last_tile_from_wall concealed_hand",
    ),
    (
        "[234m][567m][111m,1]67mNN+8m|ES0000",
        "",
        48,
        "exposed_pung_of_terminals mah_jongg one_suit_and_honors",
    ),
    (
        "[234m][567m][111m,1]67m99m+8m|ES0000",
        "",
        192,
        "exposed_pung_of_terminals mah_jongg one_suit",
    ),
    (
        "[111m,1][999p,1][NNN,1]99sWW+9s|ES0000",
        "",
        144,
        "exposed_pung_of_terminals exposed_pung_of_terminals exposed_pung_of_terminals exposed_pung_of_honors mah_jongg no_chow terminals_and_honors",
    ),
    (
        "[222m,1][567p][345s]67s99p+8s|ES1010",
        "",
        48,
        "exposed_pung mah_jongg last_tile_from_wall last_tile_of_wall",
    ),
    ("[222m,1][567p][345s]67s99p+8s|ES0010", "", 44, "exposed_pung mah_jongg last_discard"),
    (
        "[2222m,5][567p][345s]67s99p+8s|ES1001",
        "",
        60,
        "exposed_kong mah_jongg last_tile_from_wall dead_wall",
    ),
    (
        "[222m,1][567p][345s]67s99p+8s|ES1000|f1",
        "flower_replacement",
        56,
        "exposed_pung flower mah_jongg last_tile_from_wall dead_wall",
    ),
    ("[222m,1][567p]34567s99p+8s|ES0001", "", 44, "exposed_pung mah_jongg robbing_the_kong"),
    (
        "[222m,1]567p34567s99p+8s|ES0000",
        "original_call",
        44,
        "exposed_pung mah_jongg original_call",
    ),
    ("19m19p19sESWNCFP+P|ES0000", "", 500, "thirteen_orphans"),
    ("1112345678999p+4p|ES0000", "", 500, "nine_gates"),
    // Also concealed hands of one suit with the same value: the rarer line is named.
    ("1112345678999p+4p|ES1000", "", 500, "nine_gates"),
    ("1112245678999s+3s|ES1000", "", 500, "squirming_snake"),
    ("1113335557779p+9p|ES1000", "", 500, "four_concealed_pungs"),
    ("[999s,1]111345678s2s+2s|ES0000", "", 500, "squirming_snake"),
    ("11123345678p99p+9p|ES1000", "", 500, "concealed_one_suit"),
    ("[EEE,1][SSS,1][CCC,1]FFNN+F|ES0000", "", 500, "only_honors"),
    ("[111m,1][999p,1][111s,1]999m9s+9s|ES0000", "", 500, "only_terminals"),
    ("[2222m][9999p,?][NNNN][4444s,5]5s+5s|ES0000", "", 500, "four_kongs"),
    ("[CCC,1][FFF,1][PPP,1]67s99p+8s|ES0000", "", 500, "three_dragon_pungs"),
    ("[EEE,1][SSS,1][WWW,1]NN99p+N|ES0000", "", 500, "four_wind_pungs"),
    ("[234s][FFF,1][666s,1]88s34s+2s|ES0000", "", 500, "imperial_jade"),
    ("222m444p666s77s99p+7s|ES1000", "", 500, "four_concealed_pungs"),
    ("[2222m][5555s][345p]67s99p+8s|ES1001", "twofold_fortune", 500, "twofold_fortune"),
    ("234m567p345s67s99p+8s|EE1000", "heaven", 500, "blessing_of_heaven"),
    ("234m567p345s67s99p+8s|ES0000", "earth", 500, "blessing_of_earth"),
    ("[222m,1][567p][345s]67s99p+8s|EE0000", "ninth_east_win", 500, "ninth_east_win"),
    ("[2222m,5][67p5p][345s]46p99s+5p|ES1001", "", 500, "plum_blossom_from_the_roof"),
    ("[222m,1][567p][345s]23p99s+1p|ES1010", "", 500, "moon_from_the_bottom_of_the_sea"),
    ("[222m,1][567p][345p]34s99p+2s|ES0001", "", 500, "scratching_a_carrying_pole"),
];

/// Lines that only other players' hands or other options show.
const ELSEWHERE: [&str; 4] = ["big_three_dragons", "big_four_winds", "seven_pairs", "long_hand"];

#[test]
fn every_line_has_a_case_of_its_own() {
    let mut missing: Vec<&str> = Line::ALL.iter().map(|line| line.rule().code).collect();
    missing.retain(|code| !ELSEWHERE.contains(code));
    let mut failures = Vec::new();
    for (text, declared, total, lines) in WON {
        let (hand, context) = (hand(text), context(text, declared));
        let score = DMJL.score(&hand, &context);
        let Ok(score) = score else {
            failures.push(format!("{text}: {score:?}"));
            continue;
        };
        let wanted: Vec<&str> = lines.split(' ').collect();
        if (score.total, codes(&score)) != (total, wanted) {
            failures.push(format!("{text}: {} {:?}", score.total, codes(&score)));
        }
        assert_eq!(DMJL.points(&hand, &context), Ok(score.total), "{text}");
        missing.retain(|code| !codes(&score).contains(code));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(missing.is_empty(), "no case shows {missing:?}");
}

/// `docs/classical.md` has a row for every line, with its paragraph and its worth.
#[test]
fn every_line_is_documented() {
    let text = include_str!("../../docs/classical.md");
    for (rule, worth) in DMJL.lines() {
        let worth = match rule.worth {
            Worth::Limits(Halves(1)) => "half a limit".to_owned(),
            Worth::Limits(_) => "1 limit".to_owned(),
            Worth::Doublings(Halves(2)) => "x2".to_owned(),
            Worth::Doublings(halves) => format!("x2^{halves}"),
            _ => worth.points().to_string(),
        };
        let row = format!("| {} | `{}` | {worth} | ", rule.paragraph, rule.code);
        assert!(text.contains(&row), "{row}");
    }
}

fn other(rules: &Classical, text: &str, seat: Wind) -> Score {
    let holding = text.parse::<Notation>().expect(text).hand.into_holding().expect(text);
    rules.score_other(&holding, seat, Wind::East)
}

/// Hands that have not won: total and lines, South's in the East round.
#[test]
fn other_hands_count_their_tiles() {
    for (text, total, lines) in [
        ("", 0, ""),
        ("147m258p369sFPWN", 0, ""),
        (
            "[CCC,1][FFF,2][PPP,3]23m58p",
            384,
            "exposed_pung_of_honors exposed_pung_of_honors exposed_pung_of_honors dragon_pung dragon_pung dragon_pung big_three_dragons",
        ),
        (
            "[EEE,1][SSS,2][WWW,3]NNN1m",
            320,
            "exposed_pung_of_honors exposed_pung_of_honors exposed_pung_of_honors concealed_pung_of_honors own_wind_pung round_wind_pung big_four_winds",
        ),
        ("EESSCC123m45p69s", 6, "pair_of_dragons pair_of_own_wind pair_of_round_wind"),
        ("CCFF1122334m56p", 4, "pair_of_dragons pair_of_dragons"),
        // Four of a kind in the hand were never declared a kong.
        (
            "1111m333p555s23s7s",
            32,
            "concealed_pung concealed_pung concealed_pung_of_terminals three_concealed_pungs",
        ),
        (
            "[1111m]258p369s||f2s2",
            80,
            "concealed_kong_of_terminals flower season own_flower_and_season",
        ),
        ("12m|ES0000|f1f2f3f4", 32, "flower flower flower flower all_flowers"),
    ] {
        let score = other(&DMJL, text, Wind::South);
        assert_eq!(score.total, total, "{text}: {:?}", codes(&score));
        assert_eq!(codes(&score).join(" "), lines, "{text}");
        assert_eq!((score.runners_up.len(), score.minimum.missing()), (0, 0), "{text}");
    }
}

#[test]
fn a_hand_of_too_many_tiles_counts_nothing() {
    let text = "[CCC,1]11m99p12892s7s2s+2m";
    let score = other(&DMJL, text, Wind::South);
    assert_eq!((score.total, codes(&score)), (0, vec!["long_hand"]));
    let kept_out: Vec<_> = score.excluded.iter().map(|one| (one.rule.code, one.by.code)).collect();
    assert_eq!(kept_out[0], ("exposed_pung_of_honors", "long_hand"));
    assert!(score.excluded.iter().all(|one| one.reason == ExclusionReason::CountsAlone));
    let lenient = Classical::new(Options { long_hand_counts_nothing: false, ..Options::DMJL });
    assert!(other(&lenient, text, Wind::South).total > 0);
}

/// Each option has its effect on a hand that shows it: total without and with it.
#[test]
fn every_option_does_what_it_says() {
    let base = Options::DMJL;
    let no = Halves(0);
    for (text, declared, options, without, with) in [
        ("[234m][567m][345m]67m99m+8m|ES1010", "", Options { limit: 1000, ..base }, 500, 704),
        ("[234m][567m][345m]67m99m+8m|ES1010", "", Options { roof_off: true, ..base }, 500, 704),
        (
            "[5555p,1]234m345s67s99p+8s|ES1000",
            "",
            Options { claimed_kong_stays_concealed: false, ..base },
            60,
            30,
        ),
        (
            "[234m][567p][345s]67s99p+8s|ES0000|f1",
            "",
            Options { zero_point_hand_with_bonus_tiles: false, ..base },
            48,
            24,
        ),
        // 4 of dots would also win, but all four are used.
        ("[234m][4444p]567s99s23p+1p|ES1000", "", Options { formal_waits: true, ..base }, 40, 38),
        // A half limit counts only if the points of the same tiles are less.
        (
            "1122334455667m+7m|ES0000",
            "",
            Options { seven_pairs_limits: Halves(1), ..base },
            352,
            352,
        ),
        (
            "112233m445566pE+E|ES0000",
            "",
            Options { seven_pairs_limits: Halves(2), ..base },
            28,
            500,
        ),
        (
            "[CCC,1][FFF,1][PPP,1]67s99p+8s|ES0000",
            "",
            Options { three_dragon_pungs_limits: no, limit: 5000, ..base },
            500,
            1024,
        ),
        (
            "234m567p345s67s99p+8s|EE1000",
            "heaven",
            Options { blessing_of_heaven_limits: no, ..base },
            500,
            88,
        ),
        (
            "234m567p345s67s99p+8s|EE1000",
            "heaven",
            Options { blessing_of_heaven_limits: Halves(4), ..base },
            500,
            1000,
        ),
    ] {
        let (hand, context) = (hand(text), context(text, declared));
        let total = |options| Classical::new(options).points(&hand, &context).unwrap_or(0);
        assert_eq!((total(base), total(options)), (without, with), "{text}");
    }
}

#[test]
fn seven_pairs_win_where_they_are_played() {
    let text = "1133557799m22p5s+5s|ES1000";
    assert_eq!(DMJL.score(&hand(text), &context(text, "")).err(), Some(RulesError::NotAWin));
    let score = WITH_PAIRS.score(&hand(text), &context(text, "")).expect("seven pairs");
    assert_eq!((score.total, codes(&score)), (250, vec!["seven_pairs"]));
    assert!(score.sets.iter().all(|set| set.kind == SetKind::Pair));
    // Four of a kind are two pairs, unless the options forbid it.
    let text = "1111335577m22p5s+5s|ES1000";
    let strict = Options { same_pair_twice: false, ..*WITH_PAIRS.options() };
    assert_eq!(WITH_PAIRS.points(&hand(text), &context(text, "")), Ok(250));
    assert_eq!(
        Classical::new(strict).points(&hand(text), &context(text, "")),
        Err(RulesError::NotAWin)
    );
}

/// A player who holds three of a kind and five pairs, two of them the same, does not wait for an
/// eighth pair that can't win.
#[test]
fn a_pair_that_occurs_twice_is_a_wait_where_it_wins() {
    let hand = hand("6666778899m888p+9m|EE1000");
    let context = context("6666778899m888p+9m|EE1000", "");
    for (same_pair_twice, only) in [(true, false), (false, true)] {
        let rules = Classical::new(Options { same_pair_twice, ..*WITH_PAIRS.options() });
        let score = rules.score(&hand, &context).expect("it wins");
        assert_eq!(codes(&score).contains(&"only_possible_tile"), only, "{same_pair_twice}");
        assert_eq!(score.total, if only { 72 } else { 68 }, "{same_pair_twice}");
    }
}

/// A special hand excludes all other lines, and says so.
#[test]
fn a_special_hand_counts_alone() {
    let text = "[CCCC,5][FFF,1][PPP,1]77s99p+7s|ES0000|f1";
    let score = DMJL.score(&hand(text), &context(text, "")).expect("a win");
    assert_eq!(codes(&score), ["three_dragon_pungs"]);
    let kept_out: Vec<_> = score.excluded.iter().map(|one| one.rule.code).collect();
    for code in ["flower", "mah_jongg", "dragon_pung", "big_three_dragons", "no_chow"] {
        assert!(kept_out.contains(&code), "{code}: {kept_out:?}");
    }
    assert!(score.excluded.iter().all(|one| one.reason == ExclusionReason::CountsAlone));
    let dragons = &score.awards[0].sets[0];
    assert_eq!(dragons.iter().map(|set| set.tiles.len()).collect::<Vec<_>>(), [4, 3, 3]);
    let doubling = score.doubling.expect("points are doubled");
    assert_eq!((doubling.points, doubling.limits, doubling.capped), (0, Halves::whole(1), false));
}

/// The winner may choose the set that the winning tile completed, unless it was shown.
#[test]
fn the_set_that_was_completed_can_be_named() {
    let text = "66m123p11444567p+1p|ES0000";
    let text = text.replace("11444567p", "11p444567s");
    let (hand, context) = (hand(&text), context(&text, ""));
    let named = |set: &str| {
        let completes: Option<CompletedSet> = Some(set.parse().expect(set));
        DMJL.points(&hand, &Context { completes, ..context })
    };
    // Into the chow the pung of ones stays concealed.
    assert_eq!(DMJL.points(&hand, &context), Ok(32));
    assert_eq!(named("123p"), Ok(32));
    assert_eq!(named("111p"), Ok(28));
    for wrong in ["11p", "234p", "66m", "345p"] {
        let error = named(wrong).expect_err(wrong);
        let fields: Vec<_> = error.contradictions().iter().map(|one| one.field()).collect();
        assert_eq!(fields, [ContextField::Completes], "{wrong}");
    }
    let given = named("234p").expect_err("no such set").to_string();
    assert_eq!(given, "completes: in no reading of the hand does 1p complete 234p");
}

#[test]
fn runners_up_show_other_decompositions() {
    let text = "[CCC,1]111222333m9p+9p|ES1000";
    let score = DMJL.score(&hand(text), &context(text, "")).expect("a win");
    // Three concealed pungs, or three equal chows.
    assert_eq!(score.sets.iter().filter(|set| set.kind == SetKind::Pung).count(), 4);
    let rival = &score.runners_up[0];
    assert!(rival.total < score.total);
    assert_eq!(rival.sets.iter().filter(|set| set.kind == SetKind::Chow).count(), 3);
    let last = score.sets.iter().find(|set| set.winning).expect("the pair");
    assert_eq!(last.kind, SetKind::Pair);
}

/// Contradictions: the field and the message.
#[test]
fn contradictions_are_rejected() {
    use ContextField::{Declared as Said, LastWallTile, Win};
    for (text, declared, fields) in [
        ("[222m,1][567p][345s]67s99p+8s|ES1000", "heaven", &[Said, Said][..]),
        ("234m567p345s67s99p+8s|EE0000", "heaven", &[Said]),
        ("234m567p345s67s99p+8s|EE0000", "earth", &[Said]),
        ("234m567p345s67s99p+8s|ES1000", "earth,heaven", &[Said, Said]),
        ("234m567p345s67s99p+8s|ES1000", "ninth_east_win", &[Said]),
        ("234m567p345s67s99p+8s|ES1000", "flower_replacement", &[Said]),
        ("234m567p345s67s99p+8s|ES0000|f1", "flower_replacement", &[Said]),
        ("[2222m][567p][345s]67s99p+8s|ES1001", "twofold_fortune", &[Said]),
        ("[2222m][5555p][345s]67s99p+8s|ES1000", "twofold_fortune", &[Said]),
        ("[222m,1][567p][345s]67s99p+8s|ES0000", "original_call", &[Said]),
        ("234m567p345s67s99p+8s|ES1000", "dangerous_game", &[Said]),
        ("[2222m][567p][345s]67s99p+8s|ES1011", "", &[LastWallTile]),
        ("234m567p345s67s99p+8s|ES1010|f1", "flower_replacement", &[LastWallTile]),
        ("234m567p345s67s99p+8s|ES1001", "", &[Win]),
        ("234m567p345s88s99p+8s|ES0011", "earth", &[Win, LastWallTile, Said]),
    ] {
        let context = context(text, declared);
        let error = DMJL.points(&hand(text), &context).expect_err(text);
        let found: Vec<_> = error.contradictions().iter().map(|one| one.field()).collect();
        assert_eq!(found, fields, "{text} {declared}: {error}");
        assert_eq!(DMJL.score(&hand(text), &context).err(), Some(error), "{text}");
    }
}

/// Declarations without a line in a rule set are ignored.
#[test]
fn unknown_declarations_are_ignored() {
    let text = "[222m,1][567p][345s]67s99p+8s|ES1000";
    let everything: DeclaredSet = Declaration::ALL.into_iter().collect();
    let context = Context { declared: everything, ..context(text, "") };
    let book = Book::shipped();
    for ruleset in ["mcr-wmo", "mcr-mil"] {
        let rules = book.get(ruleset.parse().expect(ruleset)).expect(ruleset).rules();
        assert!(rules.points(&hand(text), &context).is_ok(), "{ruleset}");
        assert!(rules.declared().is_empty(), "{ruleset}");
    }
    let off = Options { dangerous_game: false, ninth_east_win_limits: Halves(0), ..Options::DMJL };
    let declared = "dangerous_game,ninth_east_win".parse().expect("codes");
    let context = Context { declared, ..context };
    assert_eq!(Classical::new(off).points(&hand(text), &context), Ok(24));
}

/// The example of the German rules, through the settlement of a table.
#[test]
fn east_wins_two_hundred_and_receives_twelve_hundred() {
    let text = "[2222m][9999p][NNNN]34s66p+5s|EE0000";
    let book = Book::shipped();
    let ruleset = book.get(RulesetId::CLASSICAL_DMJL).expect("shipped");
    let table = score_table(ruleset, &hand(text), &context(text, ""), &[]).expect("a win");
    assert_eq!(table.winner.total, 200);
    assert_eq!(table.winner.payments.for_seat(Wind::East), 1200);
    assert_eq!(table.unknown, [Wind::South, Wind::West, Wind::North]);
}

#[test]
fn options_that_contradict_are_refused_with_their_line() {
    let head = "id = \"club\"\ngame = \"classical\"\nextends = \"classical-001\"\n[options]\n";
    for (option, given) in [
        ("limit = 0", "line 5: the limit must be 1 to 100000"),
        ("four_kongs_limits = 9", "line 5: a special hand is worth 4 limits at the most"),
        ("four_kongs_limits = 0.3", "line 5: expected a number of whole or half ones"),
        ("\nlimits = 3", "line 6: unknown field `limits`"),
        (
            "dangerous_game = false\nlosers_settle_in_dangerous_game = true",
            "line 6: says how a dangerous game",
        ),
    ] {
        let error = Profile::parse(&format!("{head}{option}\n")).map(|_| ()).expect_err(option);
        assert!(error.to_string().starts_with(given), "{option}: {error}");
    }
    let club = Profile::parse(&format!("{head}limit = 1000\n")).expect("a profile");
    assert_eq!(
        (club.game(), club.rules().options()["seven_pairs_limits"].as_f64()),
        ("classical", Some(0.5))
    );
}
