//! Hands that public reports say other programs get wrong, each with what is right; contradictions;
//! options; and what the contract shows of a score.

use serde_json::{Value, json};
use tilesight_core::context::{Context, ContextSetup};
use tilesight_core::contract::{Problem, ScoreRequest};
use tilesight_core::explain::{Lang, Message};
use tilesight_core::hand::Hand;
use tilesight_core::notation::{Notation, print_tiles};
use tilesight_core::rules::riichi::{FuPart, Riichi};
use tilesight_core::rules::{Book, HandRules, Profile, RulesError, Score};

/// Returns a hand in notation with fields of the context as JSON.
pub(crate) fn read(text: &str, context: &Value) -> (Hand, Context) {
    let Notation { hand, context: own } = text.parse().expect(text);
    let given: ContextSetup = serde_json::from_value(context.clone()).expect("a context");
    let (context, _) = given.or(&own).resolve().expect(text);
    (hand.into_hand().expect(text), context)
}

pub(crate) fn profile(id: &str, options: &str) -> Profile {
    let text =
        format!("id = \"club\"\ngame = \"riichi\"\nextends = \"{id}\"\n[options]\n{options}\n");
    Profile::parse(&text).expect(&text)
}

fn score(profile: &Profile, text: &str, context: &Value) -> Score {
    let (hand, context) = read(text, context);
    profile.score(&hand, &context).expect(text)
}

/// Returns han, fu and total, and the codes of the lines.
pub(crate) fn summary(score: &Score) -> String {
    let figures = score.riichi.as_ref().expect("riichi");
    let fu = figures.fu.map_or("-".to_owned(), |fu| fu.to_string());
    let codes: Vec<&str> = score.awards.iter().map(|award| award.rule.code).collect();
    format!("{} han {fu} fu {}: {}", figures.han, score.total, codes.join(" "))
}

/// Returns the parts of the fu, such as `8 concealed_pung 111m`.
pub(crate) fn fu_parts(score: &Score) -> Vec<String> {
    let figures = score.riichi.as_ref().expect("riichi");
    let part = |part: &FuPart| {
        let sets = part.sets.iter().map(|set| print_tiles(&set.tiles));
        let words = [part.fu.to_string(), part.kind.code().to_owned()];
        words.into_iter().chain(sets).collect::<Vec<_>>().join(" ")
    };
    figures.fu_parts.iter().map(part).collect()
}

#[test]
fn the_reading_that_pays_most_counts() {
    let tenhou = profile("riichi-tenhou", "");
    for (text, context, expected) in [
        // Two equal chows and 30 fu; a pung of ones would give 40 fu and one han less.
        ("11112233444m555p|EW1000", json!({}), "2 han 30 fu 2000: menzen_tsumo iipeikou"),
        ("1122233344s222z1s|EW1000", json!({}), "13 han - fu 32000: suuankou"),
        // Claimed, the pung of ones is open: three concealed pungs beat three equal chows.
        ("1122233344s222z1s|EW0000", json!({}), "7 han 50 fu 12000: toitoi sanankou honitsu"),
        // Three pungs or three chows: drawn, four concealed pungs.
        ("111222333m99p555s|EW1000", json!({}), "13 han - fu 32000: suuankou"),
        // Seven pairs and two pairs of equal chows: the chows.
        (
            "22334455667788m|EW0000",
            json!({}),
            "11 han 30 fu 24000: pinfu tanyao ryanpeikou chinitsu",
        ),
        // A won 3 completes 123 from the edge, or 345 from an open end.
        (
            "12345m678p234s99s+3m|EW0000",
            json!({ "riichi": "riichi" }),
            "2 han 30 fu 2000: riichi pinfu",
        ),
        // The same tile completes the pair (2 fu, no pinfu) or the chow.
        (
            "4566m123p678s234s+6m|EW0000",
            json!({ "riichi": "riichi" }),
            "2 han 30 fu 2000: riichi pinfu",
        ),
    ] {
        let score = score(&tenhou, text, &context);
        let found = summary(&score);
        assert!(found.starts_with(expected), "{text}: {found}, expected {expected}");
        let fu: u32 =
            score.riichi.iter().flat_map(|figures| &figures.fu_parts).map(|part| part.fu).sum();
        assert_eq!(score.riichi.as_ref().and_then(|figures| figures.fu).unwrap_or(0), fu, "{text}");
    }
}

#[test]
fn kongs_have_their_fu() {
    let tenhou = profile("riichi-tenhou", "");
    for (text, expected) in [
        ("[2222m,1][CCC,1]345p678s5s5s|EW0000", "8 open_kong 2222m"),
        ("[2222m,5][CCC,1]345p678s5s5s|EW0000", "8 open_kong 2222m"),
        ("[9999m,1][CCC,1]345p678s5s5s|EW0000", "16 open_kong 9999m"),
        ("[2222m][CCC,1]345p678s5s5s|EW0000", "16 concealed_kong 2222m"),
        ("[9999m][CCC,1]345p678s5s5s|EW0000", "32 concealed_kong 9999m"),
        ("[PPPP][CCC,1]345p678s5s5s|EW0000", "32 concealed_kong PPPP"),
        ("[CCC,1]999m345p678s5s5s|EW0000", "8 concealed_pung 999m"),
        ("[CCC,1]99m345p678s55s9m|EW0000", "4 open_pung 999m"),
    ] {
        let found = fu_parts(&score(&tenhou, text, &json!({}))).join(", ");
        assert!(found.split(", ").any(|part| part == expected), "{text}: {found}");
    }
}

#[test]
fn options_decide_where_rule_books_differ() {
    let double_wind = "[789m,1]123m456p789sE+E|EE0000";
    let kazoe = "22334466778888m|EW1000";
    for (options, text, context, expected) in [
        // A pair of the wind that is both seat and prevalent wind.
        ("double_wind_pair_fu = 4", "123m456p789s34sEE5s|EE1000", json!({}), "1 han 30 fu 1500"),
        ("double_wind_pair_fu = 2", "123m456p789s34sEE5s|EE1000", json!({}), "1 han 30 fu 1500"),
        ("double_wind_pair_fu = 4", "222m456p789s34sEE5s|EE1000", json!({}), "1 han 30 fu 1500"),
        ("double_wind_pair_fu = 4", "999m456p789s34sEE5s|EE1000", json!({}), "1 han 40 fu 2100"),
        ("double_wind_pair_fu = 2", "999m456p789s35sEE4s|EE1000", json!({}), "1 han 40 fu 2100"),
        (
            "double_wind_pair_fu = 4",
            "222m456p789s34sEE5s|EE0000",
            json!({ "riichi": "riichi" }),
            "1 han 40 fu 2000",
        ),
        (
            "kiriage = true",
            "234m456p678s34s55p5s|EW0000",
            json!({ "riichi": "riichi", "ippatsu": true }),
            "4 han 30 fu 8000",
        ),
        (
            "kiriage = false",
            "234m456p678s34s55p5s|EW0000",
            json!({ "riichi": "riichi", "ippatsu": true }),
            "4 han 30 fu 7700",
        ),
        (
            "open_tanyao = true",
            "[234m,1]456p678s34s55p5s|EW0000",
            json!({}),
            "1 han 30 fu 1000: tanyao",
        ),
        ("open_tanyao = false", "[234m,1]456p678s34s55p5s|EW0000", json!({}), "0 han - fu 0: "),
        (
            "open_pinfu_shape_fu = 20",
            "[234m,1]456p678s34s55p5s|EW0000",
            json!({}),
            "1 han 20 fu 700: tanyao",
        ),
        // Thirteen han and more: one counted yakuman, or three times a mangan.
        (
            "kazoe = \"yakuman\"",
            kazoe,
            json!({ "riichi": "double", "ippatsu": true }),
            "15 han 20 fu 32000",
        ),
        (
            "kazoe = \"sanbaiman\"",
            kazoe,
            json!({ "riichi": "double", "ippatsu": true }),
            "15 han 20 fu 24000",
        ),
        (
            "red_fives = true",
            "23467m05p678s234s+8m|EW0000",
            json!({ "riichi": "riichi" }),
            "4 han 30 fu 7700",
        ),
        (
            "red_fives = false",
            "23467m05p678s234s+8m|EW0000",
            json!({ "riichi": "riichi" }),
            "3 han 30 fu 3900",
        ),
    ] {
        let found = summary(&score(&profile("riichi-tenhou", options), text, &context));
        assert!(found.starts_with(expected), "{options} {text}: {found}, expected {expected}");
    }
    let no_yaku = score(&profile("riichi-tenhou", ""), double_wind, &json!({}));
    assert!(!no_yaku.is_legal());
}

#[test]
fn rare_hands_are_what_they_are() {
    let soul = profile("riichi-majsoul", "");
    for (text, context, expected) in [
        // Nine gates on its nine-sided wait, and with another tile last.
        ("1112345678999m5m|EW1000", json!({}), "26 han - fu 64000: junsei_chuuren"),
        ("1112345567899m9m|EW1000", json!({}), "13 han - fu 32000: chuuren"),
        // A concealed kong with red fives keeps them: tanyao, self-draw and two red fives.
        (
            "[0555p]234m678m22s34s5s|EW1000",
            json!({}),
            "3 han 40 fu 5200: menzen_tsumo tanyao red_dora",
        ),
        // A kong of white dragons has no red fives.
        ("[PPPP]234m678m22s34s5s|EW1000", json!({}), "2 han 60 fu 4000: menzen_tsumo white_dragon"),
        // All green without the dragon.
        ("[234s,1]223344s888s6s6s|EW1000", json!({}), "13 han - fu 32000: ryuuiisou"),
        ("SSWWNNCCFFPPEE|EW1000", json!({}), "13 han - fu 32000: tsuuiisou"),
        ("19m19p19sESWNCFP+E|ES0000", json!({}), "26 han - fu 64000: kokushi_13"),
        ("19m19p19sEESWNCF+P|ES0000", json!({}), "13 han - fu 32000: kokushi"),
        // A discard opens the pung that it completes; on the pair it does not.
        ("111m222p333s44s55p4s|EW0000", json!({}), "4 han 50 fu 8000: toitoi sanankou"),
        ("111m222p333s444s5p5p|EW0000", json!({}), "26 han - fu 64000: suuankou_tanki"),
    ] {
        let found = summary(&score(&soul, text, &context));
        assert_eq!(found, expected, "{text}");
    }
}

/// Amounts that are shown and that are booked come from one computation; a liable player pays the
/// counters.
#[test]
fn a_liable_player_pays() {
    let tenhou = profile("riichi-tenhou", "");
    let dragons = "[CCC,1][FFF,2][PPP,3]234m5p5p";
    let cases = [
        (json!({ "win": "self_drawn", "feeder": "right" }), [0, 32000, -32000, 0]),
        (json!({ "win": "self_drawn", "feeder": "right", "honba": 2 }), [0, 32600, -32600, 0]),
        (
            json!({ "win": "discard", "from": "left", "feeder": "right", "honba": 1 }),
            [-16000, 32300, -16300, 0],
        ),
        (json!({ "win": "discard", "from": "right", "feeder": "right" }), [0, 32000, -32000, 0]),
        (json!({ "win": "self_drawn", "feeder": "nobody" }), [-16000, 32000, -8000, -8000]),
        (json!({ "win": "self_drawn" }), [-16000, 32000, -8000, -8000]),
    ];
    for (mut context, expected) in cases {
        context["seat"] = json!("S");
        let score = score(&tenhou, dragons, &context);
        let paid: Vec<i32> = score.payments.iter().map(|(_, points)| points).collect();
        assert_eq!(paid, expected, "{context}");
        assert_eq!(score.assumed_feeder.is_some(), context.get("feeder").is_none(), "{context}");
    }
}

/// Four fives of a suit hold the red one of the set: it counts, and the score says that it was
/// assumed.
#[test]
fn four_fives_hold_the_red_one() {
    let three_hundred = "[5555p]234m678m22s34s+5s|EW1000";
    for (options, hand, right, assumed) in [
        ("", three_hundred, "3 han 40 fu 5200: menzen_tsumo tanyao red_dora", "0p"),
        (
            "",
            "[0555p]234m678m22s34s+5s|EW1000",
            "3 han 40 fu 5200: menzen_tsumo tanyao red_dora",
            "",
        ),
        ("", "[555p,1]345p678m22s34s+5s|EW0000", "2 han 30 fu 2000: tanyao red_dora", "0p"),
        ("", "[555p,1]345s678m22s34s+5s|EW0000", "1 han 30 fu 1000: tanyao", ""),
        ("red_fives = false", three_hundred, "2 han 40 fu 2700: menzen_tsumo tanyao", ""),
        (
            "red_fives_dots = 2",
            three_hundred,
            "4 han 40 fu 8000: menzen_tsumo tanyao red_dora",
            "0p 0p",
        ),
        (
            "red_fives_dots = 2",
            "[0555p]234m678m22s34s+5s|EW1000",
            "4 han 40 fu 8000: menzen_tsumo tanyao red_dora",
            "0p",
        ),
        // A yakuman counts no dora.
        (
            "",
            "[5555p][5555s][2222p][2222s]8s+8s|EW1000",
            "26 han - fu 64000: suuankou_tanki suukantsu",
            "",
        ),
    ] {
        let score = score(&profile("riichi-tenhou", options), hand, &json!({}));
        assert_eq!(summary(&score), right, "{options} {hand}");
        let reds = &score.riichi.as_ref().expect("riichi").assumed_reds;
        let reds: Vec<String> = reds.iter().map(ToString::to_string).collect();
        assert_eq!(reds.join(" "), assumed, "{options} {hand}");
    }
    let request = json!({ "hand": three_hundred, "context": { "ruleset": "riichi-tenhou" } });
    assert_eq!(answer(&request).expect("a score")["assumed_red_fives"], json!(["0p"]));
}

#[test]
fn more_red_fives_than_the_set_has_are_refused() {
    let request = |hand: &str, ruleset: &str| {
        answer(&json!({ "hand": hand, "context": { "ruleset": ruleset } }))
    };
    for (hand, ruleset, refused) in [
        ("000p234m678m22s34s+5s|EW1000", "riichi-tenhou", true),
        ("00p5p234m678m22s34s+5s|EW1000", "riichi-majsoul", true),
        ("[340p,1]123456m0p5p78s+9s|EW0000", "riichi-tenhou", true),
        ("05p5p234m678m22s34s+0s|EW1000", "riichi-tenhou", false),
        ("000p234m678m22s34s+5s|EW1000", "riichi-wrc", false),
    ] {
        let answer = request(hand, ruleset);
        let fields: Vec<String> = match &answer {
            Ok(_) => Vec::new(),
            Err(problem) => problem.errors.iter().map(|one| one.field.clone()).collect(),
        };
        let expected: &[&str] = if refused { &["hand"] } else { &[] };
        assert_eq!(fields, expected, "{hand} {ruleset}");
    }
    let (hand, context) = read("00p5p234m678m22s34s+5s|EW1000", &json!({}));
    let four = profile("riichi-tenhou", "red_fives_dots = 2");
    assert!(four.score(&hand, &context).is_ok());
}

#[test]
fn impossible_contexts_are_refused_with_their_field() {
    let tenhou = profile("riichi-tenhou", "");
    for (text, context, fields) in [
        ("[CCC,1]123m456p789s5s5s|EW0000", json!({ "riichi": "riichi" }), vec!["riichi"]),
        ("123m456p789s11p5s5s5s|EW0000", json!({ "ippatsu": true }), vec!["ippatsu"]),
        ("[CCC,1]123m456p789s5s5s|EW1001", json!({}), vec!["win"]),
        ("[CCCC,1]123m456p789s5s5s|EW1011", json!({}), vec!["last_wall_tile"]),
        ("123m456p789s11p55s5s|EW0001", json!({}), vec!["win"]),
        ("123m456p789s11p46s5s|EW0011", json!({}), vec!["last_wall_tile"]),
        ("123m456p789s11p55s5s|EW1000", json!({ "declared": "heaven" }), vec!["declared"]),
        ("123m456p789s11p55s5s|EW0000", json!({ "declared": "earth" }), vec!["declared"]),
        ("[CCCC]123m456p789s5s5s|EW1000", json!({ "declared": "earth" }), vec!["declared"]),
        (
            "123m456p789s11p55s5s|EE1000",
            json!({ "declared": "heaven", "riichi": "double" }),
            vec!["declared"],
        ),
        (
            "[CCCC]123m456p789s5s5s|EW1000",
            json!({ "dora_indicators": "1m" }),
            vec!["dora_indicators"],
        ),
        ("[CCC,1][FFF,2][PPP,3]234m5p5p|EW1000", json!({ "feeder": "right" }), vec![]),
        ("[CCC,1][FFF,2][PPP,2]234m5p5p|EW1000", json!({ "feeder": "right" }), vec!["feeder"]),
        // A late flip: the indicator of an open kong comes after its replacement tile.
        ("[CCCC,1]123m456p789s5s5s|EW1001", json!({ "dora_indicators": "1m" }), vec![]),
        // A kong, or a north set aside, ends the go-around of ippatsu.
        (
            "[CCCC]123m456p789s5s5s|EW1001",
            json!({ "riichi": "riichi", "ippatsu": true }),
            vec!["ippatsu"],
        ),
        (
            "123m456p789s11p55s5s|EW1000",
            json!({ "riichi": "riichi", "dora_indicators": "1m", "ura_indicators": "2m,3m" }),
            vec!["ura_indicators"],
        ),
        // Face-up ones that are not known are not none.
        (
            "123m456p789s11p55s5s|EW1000",
            json!({ "riichi": "riichi", "ura_indicators": "2m,3m" }),
            vec![],
        ),
        // A fifth copy, in the hand and among the indicators.
        (
            "[CCCC]123m456p789s5s5s|EW1000",
            json!({ "dora_indicators": "C,1m" }),
            vec!["dora_indicators"],
        ),
        (
            "123m456p789s11p55s5s|EW1000",
            json!({ "dora_indicators": "5s,5s" }),
            vec!["dora_indicators"],
        ),
        ("123m456p789s11p55s5s|EW1000", json!({ "dora_indicators": "0s" }), vec![]),
        (
            "123m456p789s11p55s5s|EW1000",
            json!({ "riichi": "riichi", "dora_indicators": "0s", "ura_indicators": "5s" }),
            vec!["ura_indicators"],
        ),
        // The winning tile completed another set than the one that is named.
        ("123m456p789s11p46s+5s|EW1000", json!({ "completes": "456p" }), vec!["completes"]),
        ("123m456p789s11p46s+5s|EW1000", json!({ "completes": "567s" }), vec!["completes"]),
        ("123m456p789s11p46s+5s|EW1000", json!({ "completes": "456s" }), vec![]),
        ("1199m1155p1199sE+E|EW1000", json!({ "completes": "EEE" }), vec!["completes"]),
        ("1199m1155p1199sE+E|EW1000", json!({ "completes": "EE" }), vec![]),
        // No use for it in riichi, so passed over.
        ("123m456p789s11p55s5s|EW1100", json!({ "ura_indicators": "1m" }), vec![]),
        (
            "123m456p789s11p55s5s|EW1000",
            json!({ "feeder": "left", "declared": "original_call" }),
            vec![],
        ),
    ] {
        let (hand, context) = read(text, &context);
        let error = tenhou.rules().points(&hand, &context).err();
        let found: Vec<&str> = error
            .iter()
            .flat_map(RulesError::contradictions)
            .map(|one| one.field().name())
            .collect();
        assert_eq!(found, fields, "{text}");
    }
    let (hand, context) = read("123m456p789s11p55s5s|EW1000|2", &json!({}));
    assert_eq!(
        Riichi::default().score(&hand, &context).map(|score| score.total),
        Err(RulesError::FlowersNotPlayed { count: 2 })
    );
}

/// The numbers of a refusal stand where its words have them, in every language.
#[test]
fn a_refusal_of_indicators_names_the_numbers_in_their_places() {
    let (hand, context) =
        read("[CCCC][1111s]123m456p5s+5s|EW1000", &json!({ "dora_indicators": "9m" }));
    let error = profile("riichi-tenhou", "").rules().points(&hand, &context).expect_err("too few");
    for lang in Lang::ALL {
        let text = error.text(lang);
        let numbers: String = text.chars().filter(char::is_ascii_digit).collect();
        assert_eq!(numbers, "13", "{text}");
    }
}

fn answer(request: &Value) -> Result<Value, Problem> {
    let request = ScoreRequest::from_json(request.to_string().as_bytes()).expect("a request");
    let scored = request.prepare(&Book::shipped())?.score()?;
    Ok(serde_json::to_value(scored.to_dto(Lang::En)).expect("JSON"))
}

#[test]
fn the_contract_tells_han_fu_and_payments() {
    let request = json!({
        "hand": { "concealed": ["2m","3m","4m","0p","5p","6p","7p","8p","3s","4s","8s","8s","8s"], "winning_tile": "5s" },
        "context": { "ruleset": "riichi-tenhou", "seat": "W", "prevalent": "E", "win": "discard",
            "from": "across", "riichi": "riichi", "ippatsu": true, "dora_indicators": ["4p"],
            "ura_indicators": ["7s"], "honba": 1, "riichi_sticks": 2 } });
    let score = answer(&request).expect("a score");
    let awards: Vec<(String, u64)> = score["awards"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|award| {
            (
                award["code"].as_str().unwrap_or_default().to_owned(),
                award["han"].as_u64().unwrap_or(0),
            )
        })
        .collect();
    let expected = [
        ("riichi", 1),
        ("ippatsu", 1),
        ("tanyao", 1),
        ("dora", 2),
        ("ura_dora", 3),
        ("red_dora", 1),
    ];
    let expected: Vec<(String, u64)> =
        expected.iter().map(|(code, han)| ((*code).to_owned(), *han)).collect();
    assert_eq!(awards, expected);
    assert_eq!(score["han"], 9);
    assert_eq!(score["fu"], 40);
    assert_eq!(score["limit"], "baiman");
    assert_eq!((&score["yakuman"], &score["counted_yakuman"]), (&json!(0), &json!(false)));
    assert_eq!(score["total"], 16300);
    assert_eq!(score["sticks"], 2000);
    assert_eq!(score["payments"], json!({ "E": -16300, "S": 0, "W": 16300, "N": 0 }));
    let parts: u64 = score["fu_parts"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|part| part["fu"].as_u64())
        .sum();
    assert_eq!(parts, 40);
    assert_eq!(score["verdict"], "9 han 40 fu; baiman; and 2000 in riichi sticks from the table");
}

#[test]
fn a_hand_without_a_yaku_is_a_score_that_says_so() {
    let request = json!({ "hand": "[234m,1]567p123s99m99p+9p|EW0000", "context": {
        "ruleset": "riichi-wrc", "dora_indicators": "8p", "riichi_sticks": 1 } });
    let score = answer(&request).expect("a score");
    assert_eq!(
        (&score["legal"], &score["total"], &score["han"]),
        (&json!(false), &json!(0), &json!(0))
    );
    assert_eq!((&score["fu"], &score["limit"]), (&Value::Null, &Value::Null));
    assert_eq!(score["awards"], json!([]));
    assert_eq!(score["payments"], json!({ "E": 0, "S": 0, "W": 0, "N": 0 }));
    assert_eq!(score["verdict"], "no legal win: the minimum is 1 yaku, 1 yaku missing");
    let reach = &score["within_reach"][0];
    assert_eq!(
        (&reach["change"], &reach["lines"]),
        (&json!("nothing_called_and_self_draw"), &json!(["menzen_tsumo", "dora"]))
    );
}

/// Red fives come back where they were, and a score of another game has no fields of riichi.
#[test]
fn other_games_pass_over_what_they_have_no_use_for() {
    let context = json!({ "seat": "E", "prevalent": "E", "win": "self_drawn" });
    let with = json!({ "seat": "E", "prevalent": "E", "win": "self_drawn", "riichi": "double", "ippatsu": true,
        "dora_indicators": ["1m"], "ura_indicators": ["E"], "honba": 3, "riichi_sticks": "2" });
    for ruleset in ["mcr-wmo", "mmm", "classical-dmjl"] {
        let score = |context: &Value, hand: &str| {
            let mut context = context.clone();
            context["ruleset"] = json!(ruleset);
            answer(&json!({ "hand": hand, "context": context })).expect(ruleset)
        };
        let plain = score(&context, "123m456p789s555m9m9m");
        assert_eq!(plain, score(&with, "123m406p789s505m9m9m"), "{ruleset}");
        assert!(plain.get("han").is_none() && plain.get("limit").is_none(), "{ruleset}");
    }
}
