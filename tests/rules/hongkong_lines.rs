//! Each line of Hong Kong old style with a case of its own and a near miss, each ruling with a hand
//! that it changes, and cases from public reports. Worked out by hand.

use tilesight_core::context::{Context, Feeder};
use tilesight_core::hand::Hand;
use tilesight_core::notation::Notation;
use tilesight_core::rules::{
    Book, Contradiction, ExclusionReason, Profile, RulesError, Score, Worth,
};
use tilesight_core::tile::Wind;

/// Subject of the case, rule set, hand, lines in the order of the rules, and faan.
type Row = (&'static str, &'static str, &'static str, &'static str, u32);

#[rustfmt::skip]
const ROWS: &[Row] = &[
    ("1.1 four chows", "hk-old", "[123m,1]456p789s234s5m5m|SW0000|1", "all_chows", 1),
    ("1.1 with a pair of honors (all_chows_pair suited)", "hk-old", "[123m,1]456p789s234sCC|SW0000|1", "", 0),
    ("1.1 with a pair of honors (all_chows_pair any)", "hk-npm", "[123m,1]456p789s234sCC|SW0000|1", "all_chows", 1),
    ("1.2 four pungs", "hk-old", "[222m,1]444p777s888s5m5m|SW0000|1", "all_pungs", 3),
    ("1.2 a kong is a pung", "hk-old", "[2222m,1]444p777s888s5m5m|SW0000|1", "all_pungs", 3),
    ("1.3 not played", "hk-old", "[111m,1]999p111sNNN9m9m|SW0000|1", "all_pungs", 3),
    ("1.3 beside all pungs", "hk-npm", "[111m,1]999p111sNNN9m9m|SW0000|1", "all_pungs mixed_terminals", 4),
    ("1.3 a chow", "hk-npm", "[111m,1]789p111sNNN9m9m|SW0000|1", "", 0),
    ("1.4 one suit and honors", "hk-old", "[123m,1]456m789mNNN5m5m|SW0000|1", "half_flush", 3),
    ("1.5 one suit", "hk-old", "[123m,1]456m789m111m5m5m|SW0000|1", "full_flush", 7),
    ("1.6 not played, and no win", "hk-old", "1133m5577p2299sSS|WE0000|1", "-", 0),
    ("1.6 seven pairs beside a concealed hand", "hk-pairs", "1133m5577p2299sSS|WE0000|1", "seven_pairs concealed_hand", 5),
    ("1.6 of one suit", "hk-pairs", "11335577992244m|WE1000|1", "full_flush seven_pairs self_draw concealed_hand", 13),
    ("1.6 four alike are no two pairs", "hk-pairs", "1133m5555p2299sSS|WE0000|1", "-", 0),
    ("2.1 two dragons", "hk-old", "[CCC,1]FFF123m456s7s7s|SW0000|1", "dragon*2", 2),
    ("2.2 the seat wind", "hk-old", "[WWW,1]567m123m456s7s7s|SW0000|1", "seat_wind", 1),
    ("2.3 the wind of the round", "hk-old", "[SSS,1]567m123m456s7s7s|SW0000|1", "prevalent_wind", 1),
    ("2.2 2.3 a wind that is both", "hk-old", "[WWW,1]567m123m456s7s7s|WW0000|1", "seat_wind prevalent_wind", 2),
    ("2.4 includes its pungs", "hk-old", "[CCC,1]FFFPP123m45s6s|SW0000|1", "small_three_dragons", 5),
    ("2.4 adds its pungs", "hk-pairs", "[CCC,1]FFFPP123m45s6s|SW0000|1", "dragon*2 small_three_dragons", 7),
    ("2.5 replaces its pungs and adds up: 8 + 3", "hk-old", "[CCC,1]FFFPPP123m5m5m|SW0000|1", "half_flush big_three_dragons", 11),
    ("2.5 at the limit", "hk-npm", "[CCC,1]FFFPPP123m5m5m|SW0000|1", "big_three_dragons", 13),
    ("2.6 includes its winds", "hk-old", "[EEE,1]SSSWWWNN45m6m|SW0000|1", "half_flush small_four_winds", 9),
    ("2.6 adds its winds", "hk-pairs", "[EEE,1]SSSWWWNN45m6m|SW0000|1", "half_flush seat_wind prevalent_wind small_four_winds", 11),
    ("2.7 alone", "hk-old", "[EEE,1]SSSWWWNNN5m5m|SW0000|1", "big_four_winds", 13),
    ("3.1 without all pungs", "hk-old", "[EEE,1]SSSCCCFFFW+W|NN0000|1", "dragon*2 all_honors", 12),
    ("3.2 without all pungs", "hk-old", "[111m,1]999m111s999s9p+9p|NN0000|1", "all_terminals", 10),
    ("3.3 on its nine-sided wait", "hk-old", "1112345678999m5m|NN0000|1", "nine_gates concealed_hand", 11),
    ("3.3 on another wait", "hk-old", "1123455678999m1m|NN0000|1", "full_flush concealed_hand", 8),
    ("3.3 on any wait", "hk-npm", "1123455678999m1m|NN0000|1", "nine_gates", 13),
    ("3.3 called", "hk-npm", "[123m,1]11456789999m|NN0000|1", "full_flush", 7),
    ("3.4 self-drawn", "hk-old", "222p888m333s999s5m5m|NN1000|1", "four_concealed_pungs self_draw concealed_hand", 10),
    ("3.4 on a discard", "hk-old", "222p888m333s999s5m5m|NN0000|1", "all_pungs concealed_hand", 4),
    ("3.4 a concealed kong spoils it", "hk-old", "[2222p]888m333s999s5m5m|NN1000|1", "all_pungs self_draw concealed_hand", 5),
    ("3.4 a concealed kong is one of them", "hk-pairs", "[2222p]888m333s999s5m5m|NN1000|1", "four_concealed_pungs self_draw concealed_hand", 10),
    ("3.5 four kongs", "hk-old", "[2222p,1][8888m,2][3333s][9999s]5m5m|NN0000|1", "all_kongs", 13),
    ("3.6 nothing else of the tiles counts", "hk-old", "19m19p19sESWNCFP9s|NN1000|1", "thirteen_orphans", 13),
    ("4.1 a self-draw", "hk-old", "[222m,1]345p777s888s5m5m|SW1000|1", "self_draw", 1),
    ("4.2 on a discard", "hk-old", "222m345p777s888s5m5m|SW0000|1", "concealed_hand", 1),
    ("4.2 with a concealed kong", "hk-old", "[2222m]345p777s888s5m5m|SW0000|1", "concealed_hand", 1),
    ("4.3 a robbed kong", "hk-old", "[222m,1]345p777s67s88s5s|SW0001|1", "robbing_kong", 1),
    ("4.4 the last tile", "hk-old", "[222m,1]345p777s888s5m5m|SW0010|1", "last_tile", 1),
    ("4.5 a kong's replacement: 2 in all", "hk-old", "[2222m,1]345p777s888s5m5m|SW1001|1", "self_draw kong_replacement", 2),
    ("5.1 no bonus tiles", "hk-old", "[222m,1]345p777s888s5m5m|SW0000", "no_flowers", 1),
    ("5.1 not played", "hk-tiers", "[222m,1]345p777s888s5m5m|SW0000", "", 0),
    ("5.2 5.3 own flower and season", "hk-old", "[222m,1]345p777s888s5m5m|SW0000|f3s3", "own_flower own_season", 2),
    ("5.2 those of another seat", "hk-old", "[222m,1]345p777s888s5m5m|SW0000|f2s2", "", 0),
    ("5.4 all flowers, the own one within", "hk-old", "[222m,1]345p777s888s5m5m|SW0000|f1f2f3f4", "all_flowers", 2),
    ("5.5 all seasons, the own one beside", "hk-pairs", "[222m,1]345p777s888s5m5m|SW0000|s1s2s3s4", "own_season all_seasons", 3),
    ("5 eight bonus tiles, only counted", "hk-old", "[222m,1]345p777s888s5m5m|SW0000|8", "all_flowers all_seasons", 4),
    // Hands of several decompositions that a public scorer counts too low.
    ("three chows or three pungs", "hk-npm", "345555666777p9p9p|SW0000|1", "all_chows full_flush concealed_hand", 9),
    ("three chows or three pungs", "hk-npm", "1234477788899m+9m|SW0000|1", "all_chows full_flush concealed_hand", 9),
    ("four sevens of chows", "hk-npm", "3345555666677m+7m|SW1000|1", "all_chows full_flush self_draw concealed_hand", 10),
    ("the pair apart", "hk-npm", "4555566667779p+9p|SW1000|1", "all_chows full_flush self_draw concealed_hand", 10),
    ("the pair apart", "hk-npm", "1222233334446p+6p|SW1000|1", "all_chows full_flush self_draw concealed_hand", 10),
];

fn profile(id: &str) -> std::sync::Arc<Profile> {
    Book::shipped().get(id.parse().expect(id)).expect("shipped").clone()
}

fn read(text: &str) -> (Hand, Context) {
    let notation: Notation = text.parse().expect(text);
    let (context, _) = notation.context.resolve().expect(text);
    (notation.hand.into_hand().expect(text), context)
}

/// Returns the lines of a score: `dragon*2 half_flush`.
fn lines(score: &Score) -> String {
    let text = score.awards.iter().map(|award| match award.count {
        1 => award.rule.code.to_owned(),
        count => format!("{}*{count}", award.rule.code),
    });
    text.collect::<Vec<_>>().join(" ")
}

#[test]
fn every_line_counts_where_it_should() {
    let mut failures = Vec::new();
    for &(subject, id, text, expected, faan) in ROWS {
        let (profile, (hand, context)) = (profile(id), read(text));
        let found = match profile.score(&hand, &context) {
            Ok(score) => (lines(&score), score.total),
            Err(RulesError::NotAWin) => ("-".to_owned(), 0),
            Err(error) => (error.to_string(), 0),
        };
        if found != (expected.to_owned(), faan) {
            failures.push(format!("{subject}: {found:?}, expected {expected} {faan}"));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

/// Returns the lines of a hand with declarations under `hk-old`, or the declarations that are
/// refused.
fn declared(text: &str, declared: &str) -> String {
    let (hand, context) = read(text);
    let context = Context { declared: declared.parse().expect(declared), ..context };
    match profile("hk-old").score(&hand, &context) {
        Ok(score) => format!("{} = {}", lines(&score), score.total),
        Err(error) => {
            let names = error.contradictions().iter().map(|one| match one {
                Contradiction::Declared { declared, .. } => declared.name(),
                other => other.field().name(),
            });
            format!("refused: {}", names.collect::<Vec<_>>().join(" "))
        }
    }
}

#[test]
fn declarations_count_where_they_can_be_true() {
    let (dealt, kongs) = ("222m345p777s888s5m5m", "[2222m,1][7777s]345p888s5m5m");
    for (text, named, expected) in [
        (format!("{dealt}|EE1000|1"), "heaven", "heavenly_hand = 13"),
        (format!("{dealt}|EE0000|1"), "heaven", "refused: heaven"),
        (format!("{dealt}|ES1000|1"), "heaven", "refused: heaven"),
        (format!("{dealt}|ES0000|1"), "earth", "earthly_hand = 13"),
        (format!("{dealt}|EE0000|1"), "earth", "refused: earth"),
        ("[222m,1]345p777s888s5m5m|ES0000|1".to_owned(), "earth", "refused: earth"),
        (format!("{kongs}|ES1001|1"), "twofold_fortune", "self_draw double_kong = 9"),
        (format!("{kongs}|ES1000|1"), "twofold_fortune", "refused: twofold_fortune"),
        // Of no use here, and ignored.
        (format!("{dealt}|ES0000|1"), "original_call", "concealed_hand = 1"),
    ] {
        assert_eq!(declared(&text, named), expected, "{text} {named}");
    }
}

/// Checks one hand under the tables and the ways to pay of the shipped rule sets. East pays and
/// gets no more than others.
/// The feeder of the last set pays for all, where the option says so; nobody without a feeder.
#[test]
fn the_feeder_of_the_last_set_is_liable() {
    let dragons = "[CCC,1][FFF,2][PPP,3]234m5p5p";
    let flush = "[123m,1][456m,1][999m,2][777m,3]5m5m";
    let winds = "[EEE,1][SSS,2][WWW,3][NNNN]5p5p";
    let paid = |option: &str, hand: &str, feeder: Option<Feeder>| {
        let text = format!(
            "id = \"club\"\ngame = \"hongkong\"\nextends = \"hk-old\"\n[options]\nliability = \"{option}\"\n"
        );
        let profile = Profile::parse(&text).expect(&text);
        let Notation { hand, context } = hand.parse().expect(hand);
        let (context, _) = context.resolve().expect("a context");
        let hand = hand.into_hand().expect("a hand");
        profile.score(&hand, &Context { feeder, ..context }).map(|score| {
            (Wind::ALL.map(|seat| score.payments.for_seat(seat)), score.assumed_feeder.is_some())
        })
    };
    let at = |hand: &str, how: &str| format!("{hand}|ES{how}000|1");
    let right = Some(Feeder::Right);
    // 8 and 3 faan of dragons: 192 on a self-draw from each twice, and here from one all six.
    let drawn = at(dragons, "1");
    let usual = paid("none", &drawn, right).expect("a score").0;
    let [east, south, west, north] = usual;
    assert_eq!((east, west, north), (-south / 3, -south / 3, -south / 3));
    assert_eq!(paid("self_draw", &drawn, right), Ok(([0, south, -south, 0], false)));
    assert_eq!(paid("self_draw", &drawn, None), Ok((usual, true)));
    assert_eq!(paid("self_draw", &drawn, Some(Feeder::Nobody)), Ok((usual, false)));
    // A discard of the player on the left: liable only with `always`.
    let claimed = at(dragons, "0");
    let usual = paid("none", &claimed, None).expect("a score").0;
    assert_eq!(paid("self_draw", &claimed, right), Ok((usual, false)));
    let [_, south, ..] = usual;
    assert_eq!(paid("always", &claimed, right), Ok(([0, south, -south, 0], false)));
    for hand in [flush, winds] {
        let [_, south, ..] = paid("none", &at(hand, "1"), None).expect("a score").0;
        assert_eq!(paid("self_draw", &at(hand, "1"), right), Ok(([0, south, -south, 0], false)));
    }
    // A feeder that the melds rule out, and sets that make nobody liable.
    let other = at("[CCC,1][FFF,2][PPP,2]234m5p5p", "1");
    assert!(paid("self_draw", &other, right).is_err());
    let two = at("[CCC,1][FFF,2]PPP234m5p5p", "1");
    let usual = paid("none", &two, None);
    assert_eq!(paid("self_draw", &two, right), usual);
}

#[test]
fn payments_follow_the_table_and_the_responsibility() {
    // Full flush, all chows and a concealed hand: 9 faan, and one without bonus tiles.
    let discard = "1122334567899m+9m|SE0000,1";
    for (id, text, faan, expected) in [
        ("hk-old", discard, 10, [512, -128, -128, -256]),
        ("hk-npm", discard, 10, [512, 0, 0, -512]),
        ("hk-pairs", discard, 10, [4096, 0, 0, -4096]),
        ("hk-tiers", discard, 9, [128, -32, -32, -64]),
        ("hk-old", "[222m,1]444p777s888s5m5m|SE1000|1", 4, [96, -32, -32, -32]),
        // Below the minimum nobody pays.
        ("hk-old", "[222m,1]345p777s888s5m5m|SE1000|1", 1, [0; 4]),
        ("hk-pairs", "[222m,1]345p777s888s5m5m|SE1000|1", 1, [12, -4, -4, -4]),
    ] {
        let (hand, context) = read(text);
        let score = profile(id).score(&hand, &context).expect(text);
        let paid = Wind::ALL.map(|seat| score.payments.for_seat(seat));
        assert_eq!((score.total, paid), (faan, expected), "{id} {text}");
    }
}

#[test]
fn lines_that_do_not_count_name_the_reason() {
    let excluded = |id: &str, text: &str| {
        let (hand, context) = read(text);
        let score = profile(id).score(&hand, &context).expect(text);
        let text = score.excluded.iter().map(|line| {
            let reason = match line.reason {
                ExclusionReason::Implied => "in",
                ExclusionReason::CountsAlone => "beside",
                _ => "?",
            };
            format!("{} {reason} {}", line.rule.code, line.by.code)
        });
        text.collect::<Vec<_>>().join(", ")
    };
    let dragons = "[CCC,1]FFFPPP123m5m5m|SW0000|1";
    assert_eq!(excluded("hk-old", dragons), "dragon in big_three_dragons");
    assert_eq!(
        excluded("hk-npm", dragons),
        "half_flush beside big_three_dragons, dragon in big_three_dragons"
    );
    assert_eq!(
        excluded("hk-old", "[EEE,1]SSSWWWNNN5m5m|SW0000|1"),
        "all_pungs beside big_four_winds, half_flush beside big_four_winds, \
         seat_wind in big_four_winds, prevalent_wind in big_four_winds"
    );
}

#[test]
fn bonus_tiles_are_refused_where_they_are_not_played() {
    let (hand, context) = read("[222m,1]345p777s888s5m5m|SE1000|2");
    let refused = profile("hk-tiers").score(&hand, &context);
    assert_eq!(refused, Err(RulesError::FlowersNotPlayed { count: 2 }));
}

/// `docs/hong-kong.md` has a row for every line, with its paragraph and its faan in `hk-old` and
/// `hk-npm`, and a row for every option.
#[test]
fn every_line_and_option_is_documented() {
    let text = include_str!("../../docs/hong-kong.md");
    let [old, npm] = ["hk-old", "hk-npm"].map(profile);
    let format_worth = |worth: Worth| match worth {
        Worth::FaanLimit(_) => "limit".to_owned(),
        Worth::Faan(0) => "–".to_owned(),
        other => other.to_string(),
    };
    for ((rule, one), (_, other)) in old.rules().lines().into_iter().zip(npm.rules().lines()) {
        let row = format!(
            "| {} | `{}` | {} | {} | ",
            rule.paragraph,
            rule.code,
            format_worth(one),
            format_worth(other)
        );
        assert!(text.contains(&row), "{row}");
    }
    for name in old.rules().options().keys() {
        assert!(text.contains(&format!("| `{name}` | ")), "{name}");
    }
}
