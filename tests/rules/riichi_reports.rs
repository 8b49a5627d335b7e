//! Hands that public reports say other programs score wrongly, each with its source: the repository
//! and the number of the report. What is right follows from the specification, not from the report.

use serde_json::{Value, json};
use tilesight_core::rules::RulesError;

use crate::riichi_cases::{fu_parts, profile, read, summary};

/// Sources, options, the hand, its context, and what is right.
struct Report {
    sources: &'static str,
    options: &'static str,
    hand: &'static str,
    context: Value,
    /// Han, fu, total, and the codes of the lines.
    right: &'static str,
    /// A part of the fu.
    fu: &'static str,
}

fn report(
    sources: &'static str,
    hand: &'static str,
    context: Value,
    right: &'static str,
    fu: &'static str,
) -> Report {
    Report { sources, options: "", hand, context, right, fu }
}

fn under(options: &'static str, report: Report) -> Report {
    Report { options, ..report }
}

/// Hands with several readings: the one that pays most, whose fu are itemised.
fn several_readings() -> Vec<Report> {
    vec![
        report(
            "MahjongRepository/mahjong#41",
            "[123m]1123444m555p1m|EW0010",
            json!({}),
            "1 han 30 fu 1000: houtei",
            "",
        ),
        report(
            "MahjongRepository/mahjong#40",
            "234m1112356777s4s|EW1000",
            json!({}),
            "1 han 30 fu 1100: menzen_tsumo",
            // A pung of ones, or of sevens and a rounding: both are paid the same.
            "",
        ),
        report(
            "klen/mahjong.horneds.com#28",
            "88m66777889sNNN8s|EW1000",
            json!({}),
            "2 han 40 fu 2700: menzen_tsumo iipeikou",
            "2 closed_wait 789s",
        ),
        report(
            "klen/mahjong.horneds.com#11 klen/mahjong.horneds.com#13",
            "1122233344s222z1s|ES0000",
            json!({ "riichi": "riichi" }),
            "9 han 50 fu 16000: riichi seat_wind toitoi sanankou honitsu",
            "",
        ),
    ]
}

/// The fu of kongs and pungs.
fn kongs_and_pungs() -> Vec<Report> {
    vec![
        report(
            "klen/mahjong.horneds.com#4",
            "[NNNN]234m567p34s55s5s|EW0000",
            json!({ "riichi": "riichi", "dora_indicators": ["1m", "4m"] }),
            "2 han 70 fu 4500: riichi dora",
            "32 concealed_kong NNNN",
        ),
        report(
            "klen/mahjong.horneds.com#14 FluffyStuff/OpenRiichi#5",
            "[FFFF,1]234m567p34s55s5s|EW0000",
            json!({}),
            "1 han 40 fu 1300: green_dragon",
            "16 open_kong FFFF",
        ),
        report(
            "Varantha/Mahjong-ScoringTrainer#19",
            "[5555m]234m567p34s88s5s|EW1000",
            json!({}),
            "3 han 40 fu 5200: menzen_tsumo tanyao red_dora",
            "16 concealed_kong 5555m",
        ),
        report(
            "Varantha/Mahjong-ScoringTrainer#49 Varantha/Mahjong-ScoringTrainer#60",
            "[555s,1][777p,1]34567m55p8m|EW0000",
            json!({}),
            "1 han 30 fu 1000: tanyao",
            "2 open_pung 777p",
        ),
        report(
            "klen/mahjong.horneds.com#16",
            "234m567p678sWWWE+E|ES1000",
            json!({}),
            "1 han 40 fu 1500: menzen_tsumo",
            "2 pair_wait EE",
        ),
    ]
}

/// Limits: a counted yakuman is one, whatever the han, or a sanbaiman by option.
fn limits() -> Vec<Report> {
    let many = || json!({ "riichi": "riichi", "dora_indicators": ["1m", "1m"], "ura_indicators": ["1m", "1m"] });
    let counted = "28 han 60 fu 32000: riichi tanyao toitoi sanankou chinitsu dora ura_dora";
    let capped = "28 han 60 fu 24000: riichi tanyao toitoi sanankou chinitsu dora ura_dora";
    let hand = "[2222m]4446667788m7m|EW0000";
    vec![
        under(
            "kazoe = \"yakuman\"",
            report(
                "MahjongRepository/mahjong#3 klen/mahjong.horneds.com#27",
                hand,
                many(),
                counted,
                "",
            ),
        ),
        under(
            "kazoe = \"sanbaiman\"",
            report("klen/mahjong.horneds.com#12", hand, many(), capped, ""),
        ),
    ]
}

/// Yakuman: nine gates on its nine-sided wait, seven pairs of honors, thirteen orphans at once.
fn yakuman() -> Vec<Report> {
    vec![
        under(
            "double_yakuman = true",
            report(
                "MahjongRepository/mahjong#13",
                "1112345678999m9m|EW0000",
                json!({}),
                "26 han - fu 64000: junsei_chuuren",
                "",
            ),
        ),
        report(
            "smly/RiichiEnv#238",
            "EESSWWNNCCFFPP|EW0000",
            json!({ "riichi": "riichi", "dora_indicators": ["E"] }),
            "13 han - fu 32000: tsuuiisou",
            "",
        ),
        report(
            "smly/RiichiEnv#238",
            "19m19p19sEESWNCF+P|EE1000",
            json!({ "declared": "heaven" }),
            "26 han - fu 96000: kokushi tenhou",
            "",
        ),
    ]
}

/// Red fives in kongs: each counts once, and only where the rules have them.
fn red_fives() -> Vec<Report> {
    let hand = "[0555p]234m678m22s34s5s|EW1000";
    vec![
        report(
            "1Computer1/riichi-tracker#10",
            hand,
            json!({}),
            "3 han 40 fu 5200: menzen_tsumo tanyao red_dora",
            "",
        ),
        under(
            "red_fives = false",
            report(
                "nissymori/mahjax#80",
                hand,
                json!({}),
                "2 han 40 fu 2700: menzen_tsumo tanyao",
                "",
            ),
        ),
    ]
}

/// A pair of the wind that is both: 4 or 2 fu.
fn double_winds() -> Vec<Report> {
    let hand = "222m456p789s34sEE5s|EE0000";
    let riichi = || json!({ "riichi": "riichi" });
    let sources = "WaSuper/Mahjong#10 kobalab/majiang-core#6";
    vec![
        under(
            "double_wind_pair_fu = 4",
            report(sources, hand, riichi(), "1 han 40 fu 2000: riichi", "4 double_wind_pair EE"),
        ),
        under(
            "double_wind_pair_fu = 2",
            report(sources, hand, riichi(), "1 han 40 fu 2000: riichi", "2 double_wind_pair EE"),
        ),
    ]
}

#[test]
fn reported_bugs_of_other_programs_are_absent() {
    let all =
        [several_readings(), kongs_and_pungs(), limits(), yakuman(), red_fives(), double_winds()];
    let mut wrong = Vec::new();
    for one in all.iter().flatten() {
        let Report { sources, options, hand, context, right, fu } = one;
        let (tiles, context) = read(hand, context);
        let score = profile("riichi-tenhou", options).score(&tiles, &context).expect(hand);
        let (found, parts) = (summary(&score), fu_parts(&score));
        let sum: u32 =
            score.riichi.iter().flat_map(|figures| &figures.fu_parts).map(|part| part.fu).sum();
        let adds_up = score.riichi.as_ref().and_then(|figures| figures.fu).unwrap_or(0) == sum;
        if found != *right || !(fu.is_empty() || parts.iter().any(|part| part == fu)) || !adds_up {
            wrong.push(format!("{sources} {hand}: {found} ({})", parts.join(", ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// kobalab/Majiang#31: 123456789 and more of one suit with a tile of another is no nine gates.
#[test]
fn nearly_nine_gates_are_no_win() {
    let (hand, context) = read("111234567899m1s9m|EW1000", &json!({}));
    let error = profile("riichi-tenhou", "").score(&hand, &context).map(|score| score.total);
    assert_eq!(error, Err(RulesError::NotAWin));
}

/// By Tenhou's rules a liable player answers for the whole hand and pays the counters; elsewhere
/// for the one yakuman alone, and the discarder pays the counters. They are paid once.
#[test]
fn liability_follows_the_rule_set() {
    let daisangen = "[FFF,3][CCC,2][PPP,2]123m5m5m|?S0000";
    let two = "[PPP,1][FFF,3][CCC,2]EEES+S|?E";
    let others = ["riichi-majsoul", "riichi-wrc", "riichi-mleague"];
    for (sources, hand, context, tenhou, elsewhere) in [
        (
            "nissymori/mahjax#94 arcturus.su/mjw Tenhou.net_rules",
            daisangen.to_owned(),
            json!({ "from": "right", "feeder": "across", "honba": 2 }),
            [0, 32600, -16000, -16600],
            [0, 32600, -16600, -16000],
        ),
        (
            "smly/RiichiEnv docs/RULES.md, kobalab gist Majiang-rule",
            format!("{two}1000"),
            json!({ "feeder": "across" }),
            [96000, 0, -96000, 0],
            [96000, -16000, -64000, -16000],
        ),
        (
            "smly/RiichiEnv docs/RULES.md, maj-soul.com introduce",
            format!("{two}0000"),
            json!({ "from": "right", "feeder": "across" }),
            [96000, -48000, -48000, 0],
            [96000, -72000, -24000, 0],
        ),
        (
            "MahjongPantheon/pantheon#744",
            "[CCC,1][FFF,2][PPP,3][EEE,1]N+N|ES1000".to_owned(),
            json!({ "feeder": "left" }),
            [-64000, 64000, 0, 0],
            [-48000, 64000, -8000, -8000],
        ),
        (
            "mjx-project/mjx#1156",
            "[CCC,1][FFF,2][PPP,3]234m5p5p|ES0000".to_owned(),
            json!({ "from": "left", "feeder": "right", "honba": 6 }),
            [-16000, 33800, -17800, 0],
            [-17800, 33800, -16000, 0],
        ),
    ] {
        let paid = |id: &str| {
            let (tiles, context) = read(&hand, &context);
            let score = profile(id, "").score(&tiles, &context).expect(&hand);
            score.payments.iter().map(|(_, points)| points).collect::<Vec<i32>>()
        };
        assert_eq!(paid("riichi-tenhou"), tenhou, "{sources} {hand}");
        for id in others {
            assert_eq!(paid(id), elsewhere, "{sources} {id} {hand}");
        }
    }
}

/// The rules of ranked play of Mahjong Soul: each of East's fourteen tiles may be the last one, so
/// these three hands by heaven are three yakuman (maj-soul.com introduce, quoted by
/// Fat-pig-Cui/majsoul-replay-editor; Longhorn-Riichi/InjusticeJudge#19).
#[test]
fn the_tiles_of_heaven_have_no_order_in_mahjong_soul() {
    let heaven = json!({ "declared": "heaven" });
    for (hand, soul, elsewhere) in [
        ("19m19p19sEESWNCF+P|EE1000", "kokushi_13 tenhou", "kokushi tenhou"),
        ("111m222p333s44s55p+4s|EE1000", "suuankou_tanki tenhou", "suuankou tenhou"),
        ("1112345567899m+9m|EE1000", "junsei_chuuren tenhou", "chuuren tenhou"),
    ] {
        let (tiles, context) = read(hand, &heaven);
        let found = |id: &str, options: &str| {
            let score = profile(id, options).score(&tiles, &context).expect(hand);
            summary(&score)
        };
        let soul = format!("39 han - fu 144000: {soul}");
        assert_eq!(found("riichi-majsoul", ""), soul, "{hand}");
        let by_option = "double_yakuman = true\nheaven_any_last_tile = true";
        assert_eq!(found("riichi-tenhou", by_option), soul, "{hand}");
        let elsewhere = format!("26 han - fu 96000: {elsewhere}");
        assert_eq!(found("riichi-tenhou", ""), elsewhere, "{hand}");
        let (tiles, context) = read(hand, &json!({}));
        let score = profile("riichi-majsoul", "").score(&tiles, &context).expect(hand);
        assert_eq!(summary(&score).split(' ').next(), Some("13"), "without heaven: {hand}");
    }
}
