//! Riichi for three: worked hands by public summaries of the game, each with its source; what is
//! refused; and the laws that hold for every hand.

use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Value, json};
use tilesight_core::context::{Context, Count, Indicators, RiichiCall};
use tilesight_core::contract::{Problem, RulesetsDto, ScoreRequest};
use tilesight_core::evening::{
    Action, Game, GameError, GameRecord, GameView, Meta, Play, Player, RiichiStick,
};
use tilesight_core::explain::Lang;
use tilesight_core::hand::Hand;
use tilesight_core::meld::{Meld, Relation};
use tilesight_core::rules::riichi::{MissingShare, Options, Riichi};
use tilesight_core::rules::{Book, HandRules, RulesError, Score};
use tilesight_core::tile::{Suit, Tile, Wind};

use crate::riichi_cases::{profile, read, summary};
use crate::riichi_laws::paid_with;
use crate::riichi_oracle::{judge, read_worth};
use crate::riichi_rows::rows;

/// A worked hand: its source, options, tiles, context, and what is right.
type Worked = (&'static str, &'static str, &'static str, Value, &'static str, [i32; 4]);

/// Hands and payments by public summaries of the rules.
///
/// - `mjstars.net`: "Rules for 3-player Ranking Match".
/// - `riichi.wiki`: "Sanma".
/// - `mcgillmahjong.blogspot.com`: "Three player Riichi", 2015-11.
/// - `tenhou.club`: "sanma-tumo-tensuu", payments without the missing share.
/// - `irilyuu.com`: "sannma-tennsuu-itirann", payments with the missing share divided.
fn worked() -> Vec<Worked> {
    [payments(), norths(), tiles()].concat()
}

/// Payments of three players.
fn payments() -> Vec<Worked> {
    const SPLIT: &str = "missing_share = \"split\"";
    vec![
        (
            "tenhou.club: 40 fu and 1 han of another player are 700 and 400",
            "",
            "[999p,1]111m456p456s9s9s|ES1000",
            json!({ "last_wall_tile": true }),
            "1 han 40 fu 1100: haitei",
            [-700, 1100, -400, 0],
        ),
        (
            "tenhou.club: a mangan of another player is 4000 and 2000",
            "",
            "19m19p19sESWNCFP+E|ES1000",
            json!({}),
            "13 han - fu 24000: kokushi_13",
            [-16000, 24000, -8000, 0],
        ),
        (
            "irilyuu.com: a yakuman of another player is 20000 and 12000",
            SPLIT,
            "19m19p19sESWNCFP+E|EW1000",
            json!({}),
            "13 han - fu 32000: kokushi_13",
            [-20000, -12000, 32000, 0],
        ),
        (
            "a counter is 100 from each on a self-draw, 200 or 300 from a discarder",
            "honba_discard = 300",
            "[CCC,1]456p789p111s9s9s|EW0000",
            json!({ "honba": 2, "from": "right" }),
            "1 han 40 fu 1900: red_dragon",
            [-1900, 0, 1900, 0],
        ),
        (
            "shinkuan/Akagi#115: 3 han 40 fu and one counter are 7900 in a log of Mahjong Soul",
            "",
            "111m456p678p22s34s+5s|EE0000",
            json!({ "riichi": "riichi", "ippatsu": true, "dora_indicators": ["4p"], "honba": 1 }),
            "3 han 40 fu 7900: riichi ippatsu dora",
            [7900, 0, -7900, 0],
        ),
        (
            "a counter is 100 from each on a self-draw, 200 or 300 from a discarder",
            "honba_discard = 200",
            "[CCC,1]456p789p111s9s9s|EW1000",
            json!({ "honba": 2 }),
            "1 han 40 fu 1500: red_dragon",
            [-900, -600, 1500, 0],
        ),
    ]
}

/// Norths that were set aside.
fn norths() -> Vec<Worked> {
    vec![
        (
            "mjstars.net, riichi.wiki: each north that was set aside is a dora and no part of the hand",
            "",
            "234567p234678s5p5p|ES0000",
            json!({ "norths": 2, "riichi": "riichi" }),
            "5 han 30 fu 8000: riichi pinfu tanyao north_dora",
            [-8000, 8000, 0, 0],
        ),
        (
            "riichi.wiki, mcgillmahjong: with West as the indicator each of them is two dora",
            "",
            "234567p234678s5p5p|ES0000",
            json!({ "norths": 2, "riichi": "riichi", "dora_indicators": ["W"] }),
            "7 han 30 fu 12000: riichi pinfu tanyao dora north_dora",
            [-12000, 12000, 0, 0],
        ),
        (
            "mcgillmahjong: setting norths aside does not open a hand",
            "",
            "234567p23467s55p+5s|EE1000",
            json!({ "norths": 3 }),
            "6 han 20 fu 12000: menzen_tsumo pinfu tanyao north_dora",
            [12000, -6000, -6000, 0],
        ),
        (
            "mcgillmahjong, riichi.wiki: winning on the tile that replaces a north is rinshan",
            "",
            "[CCC,1]456p789p111s9s9s|ES1001",
            json!({ "norths": 1 }),
            "3 han 40 fu 3900: red_dragon rinshan north_dora",
            [-2600, 3900, -1300, 0],
        ),
        (
            "mjstars.net: a win on a north that another player sets aside is a win on a discard",
            "",
            "111m456p789pCCCN+N|EW0000",
            json!({ "riichi": "riichi", "from": "left" }),
            "2 han 50 fu 3200: riichi red_dragon",
            [0, -3200, 3200, 0],
        ),
    ]
}

/// Tiles that mean something else than among four, or the same.
fn tiles() -> Vec<Worked> {
    vec![
        (
            "mjstars.net: 1 and 9 of characters name each other",
            "",
            "999m456p678p22s34s+5s|ES0000",
            json!({ "riichi": "riichi", "dora_indicators": ["1m"] }),
            "4 han 40 fu 8000: riichi dora",
            [-8000, 8000, 0, 0],
        ),
        (
            "mjstars.net: 1 and 9 of characters name each other",
            "",
            "111m456p678p22s34s+5s|EE0000",
            json!({ "riichi": "riichi", "dora_indicators": ["9m"], "from": "right" }),
            "4 han 40 fu 12000: riichi dora",
            [12000, -12000, 0, 0],
        ),
        (
            "mjstars.net: a north in the hand is a guest wind",
            "",
            "[NNN,1]456p678p22s34s+5s|ES0000",
            json!({}),
            "0 han - fu 0: ",
            [0; 4],
        ),
        (
            "riichi.wiki: all terminals stay possible",
            "",
            "[111m,1][999m,1]111p999p9s+9s|ES0000",
            json!({}),
            "13 han - fu 32000: chinroutou",
            [-32000, 32000, 0, 0],
        ),
    ]
}

#[test]
fn worked_hands_are_right() {
    let mut wrong = Vec::new();
    for (source, options, hand, context, right, payments) in worked() {
        let (tiles, context) = read(hand, &context);
        let score = profile("riichi-three", options).score(&tiles, &context).expect(hand);
        let (found, paid) = (summary(&score), paid(&score));
        if found != right || paid != payments {
            wrong.push(format!("{source}\n  {hand}: {found} {paid:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn paid(score: &Score) -> [i32; 4] {
    Wind::ALL.map(|seat| score.payments.for_seat(seat))
}

/// The liable player pays all that the two would have paid, or half beside the discarder.
#[test]
fn a_liable_player_pays_among_three() {
    let dragons = "[CCC,1][FFF,3][PPP,2]234p5p5p";
    for (options, context, expected) in [
        ("", json!({ "win": "self_drawn", "feeder": "left" }), [-24000, 24000, 0, 0]),
        ("", json!({ "win": "self_drawn", "feeder": "right", "honba": 2 }), [0, 24400, -24400, 0]),
        (
            "honba_discard = 300\nliability_counters = false",
            json!({ "win": "discard", "from": "left", "feeder": "right", "honba": 1 }),
            [-16300, 32300, -16000, 0],
        ),
        (
            "missing_share = \"split\"",
            json!({ "win": "self_drawn", "feeder": "right" }),
            [0, 32000, -32000, 0],
        ),
        (
            "",
            json!({ "win": "discard", "from": "left", "feeder": "right", "honba": 1 }),
            [-16000, 32200, -16200, 0],
        ),
        (
            "",
            json!({ "win": "discard", "from": "right", "feeder": "right" }),
            [0, 32000, -32000, 0],
        ),
        ("", json!({ "win": "self_drawn", "feeder": "nobody" }), [-16000, 24000, -8000, 0]),
    ] {
        let (hand, mut context) = read(dragons, &context);
        context.seat = Wind::South;
        let score = profile("riichi-three", options).score(&hand, &context).expect(dragons);
        assert_eq!(paid(&score), expected, "{context:?}");
    }
}

#[test]
fn tiles_and_chows_outside_three_player_rules_are_refused() {
    let three = profile("riichi-three", "");
    let points = |text: &str, context: &Value| {
        let (hand, context) = read(text, context);
        three.rules().points(&hand, &context)
    };
    let tile: Tile = "4m".parse().expect("a tile");
    assert_eq!(
        points("456m456p678p22s34s+5s|ES1000", &json!({})),
        Err(RulesError::TileNotPlayed { tile })
    );
    assert_eq!(
        points("[345p,1][CCC,1]678p22s34s+5s|ES1000", &json!({})),
        Err(RulesError::ChowNotCallable)
    );
    let hand = "111m456p678p22s34s+5s|ES1000";
    for (text, context, fields) in [
        (hand, json!({}), vec![]),
        (hand, json!({ "seat": "N" }), vec!["seat"]),
        (hand, json!({ "win": "discard", "from": "across" }), vec!["from"]),
        (hand, json!({ "feeder": "across" }), vec!["feeder"]),
        (
            hand,
            json!({ "dora_indicators": ["2m"], "ura_indicators": ["8m"] }),
            vec!["dora_indicators", "ura_indicators"],
        ),
        (hand, json!({ "dora_indicators": ["9m", "1m"] }), vec![]),
        (hand, json!({ "norths": 4 }), vec![]),
        (hand, json!({ "norths": 5 }), vec!["norths"]),
        ("111m456p678pNNN2s+2s|ES1000", json!({ "norths": 2 }), vec!["norths"]),
        // A north that was set aside is replaced too, but not before the first draw.
        (hand, json!({ "win": "kong_replacement" }), vec!["win"]),
        (hand, json!({ "win": "kong_replacement", "norths": 1 }), vec![]),
        (hand, json!({ "declared": "earth" }), vec![]),
        (hand, json!({ "declared": "earth", "norths": 1 }), vec!["declared"]),
    ] {
        let (hand, context) = read(text, &context);
        let error = three.rules().points(&hand, &context).err();
        let found: Vec<&str> = error
            .iter()
            .flat_map(RulesError::contradictions)
            .map(|one| one.field().name())
            .collect();
        assert_eq!(found, fields, "{context:?}");
    }
    // Four players pass over norths, and so do three who do not set them aside.
    let (hand, context) = read(hand, &json!({ "norths": 9, "riichi": "riichi" }));
    for rules in [profile("riichi-tenhou", ""), profile("riichi-three", "north_dora = false")] {
        let score = rules.score(&hand, &context).expect("a score");
        assert!(score.awards.iter().all(|award| award.rule.code != "north_dora"));
    }
}

fn answer(request: &Value) -> Result<Value, Problem> {
    let request = ScoreRequest::from_json(request.to_string().as_bytes()).expect("a request");
    let scored = request.prepare(&Book::shipped())?.score()?;
    Ok(serde_json::to_value(scored.to_dto(Lang::En)).expect("JSON"))
}

#[test]
fn the_contract_takes_norths_and_names_what_is_wrong() {
    let context = json!({ "ruleset": "riichi-three", "seat": "S", "win": "self_drawn",
        "riichi": "riichi", "norths": 2 });
    let score = answer(&json!({ "hand": "111m456p678p22s34s+5s", "context": context }));
    let score = score.expect("a score");
    let north = score["awards"].as_array().and_then(|awards| awards.last()).expect("a line");
    assert_eq!((&north["code"], &north["han"]), (&json!("north_dora"), &json!(2)));
    assert_eq!(score["payments"], json!({ "E": -3900, "S": 5900, "W": -2000, "N": 0 }));
    for (hand, field) in
        [("444m456p678p22s34s+5s", "hand"), ("[345p]111m678p22s34s+5s", "hand.melds")]
    {
        let problem = answer(&json!({ "hand": hand, "context": { "ruleset": "riichi-three" } }));
        let problem = problem.expect_err(hand);
        let fields: Vec<&str> = problem.errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, [field], "{problem:?}");
    }
}

#[test]
fn a_list_of_rule_sets_tells_who_plays() {
    let all = RulesetsDto::new(&Book::shipped(), Lang::En).rulesets;
    for ruleset in &all {
        let three = ruleset.id.as_str() == "riichi-three";
        assert_eq!(ruleset.seats.len(), if three { 3 } else { 4 }, "{}", ruleset.id);
        assert_eq!(ruleset.payments.len(), if three { 9 } else { 16 }, "{}", ruleset.id);
        assert_eq!(ruleset.lines.iter().any(|line| line.code == "north_dora"), three);
        let values = |name: &str| {
            let field = ruleset.context.iter().find(|one| one.field == name);
            field.map(|one| one.values.iter().filter_map(Value::as_str).collect::<Vec<_>>())
        };
        assert_eq!(values("norths").is_some(), three, "{}", ruleset.id);
        if three {
            assert_eq!(values("seat"), Some(vec!["E", "S", "W"]));
            assert_eq!(values("from"), Some(vec!["left", "right"]));
            assert_eq!(values("feeder"), Some(vec!["left", "right", "nobody"]));
        }
        let north = ruleset.payments.iter().flat_map(|one| &one.shares);
        assert!(!three || north.into_iter().all(|share| share.seat != Wind::North));
    }
}

#[test]
fn an_evening_has_three_names_and_no_fourth_player() {
    let book = Book::shipped();
    let three = book.get("riichi-three".parse().expect("an id")).expect("shipped");
    let names = ["Anna", "Bo", "Clara", "Dorte"].map(str::to_owned);
    let error = Game::new(String::new(), names.clone(), three.clone()).expect_err("three play");
    assert_eq!((error.clone(), error.field()), (GameError::PlayerCount(3), "players"));
    let mut game = Game::new(String::new(), names[..3].to_vec(), three.clone()).expect("three");
    let stick = |player: usize| {
        let play = Play::Riichi(RiichiStick { player: Player::ALL[player] });
        Action::Add { play, before: None }
    };
    let fourth = game.apply(Meta::default(), stick(3));
    assert_eq!(fourth, Err(GameError::NoSuchPlayer(Player::ALL[3])));
    game.apply(Meta::default(), stick(2)).expect("the third player");
    let names = names.to_vec();
    let renamed =
        game.apply(Meta::default(), Action::Rename { title: String::new(), players: names });
    assert_eq!(renamed, Err(GameError::PlayerCount(3)));
    let view = GameView::for_onlookers(&game, 1, Lang::En).expect("a view");
    let view = serde_json::to_value(view).expect("JSON");
    assert_eq!(view["totals"], serde_json::json!([0, 0, -1000]));
    assert_eq!(view["next"]["seats"], serde_json::json!([0, 1, 2]));
    assert_eq!(view["next"]["may_abort"], serde_json::json!(["four_kongs"]));
    let stored = serde_json::to_value(&game).expect("JSON");
    let again: GameRecord = serde_json::from_value(stored).expect("a record");
    assert_eq!(again.open(&book).as_ref(), Ok(&game));
}

/// A hand that three players can have, and how it was won.
type Case = (Hand, Context);

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig { cases, failure_persistence: None, ..ProptestConfig::default() }
}

/// Returns the hands of the test data that three players can have.
fn hands() -> Vec<Case> {
    let plays = |tile: Tile| tile.suit() != Some(Suit::Characters) || tile.is_terminal();
    let cases = rows().into_iter().map(|row| (row.hand(), row.context()));
    let cases = cases.filter(|(hand, context)| {
        hand.all().iter().all(plays)
            && hand.melds().all(|meld| !matches!(meld, Meld::Chow(_)))
            && context.dora_indicators.iter().chain(context.ura_indicators.iter()).all(plays)
            && context.declared.is_empty()
            && context.win.from() != Some(Relation::Across)
    });
    cases.collect()
}

/// Generates these hands with norths set aside, on each of the three seats.
fn cases() -> impl Strategy<Value = Case> {
    let seats = select(&[Wind::East, Wind::South, Wind::West][..]);
    (select(hands()), seats, 0..=4_u8).prop_map(|((hand, context), seat, norths)| {
        let north = Wind::North.tile();
        let indicators = context.dora_indicators.iter().chain(context.ura_indicators.iter());
        let shown = indicators.filter(|&tile| tile == north).count() as u8;
        let held = hand.all().count(north) + shown;
        let norths = Count::new(norths.min(4_u8.saturating_sub(held))).expect("at most four");
        (hand, Context { seat, norths, feeder: None, ..context })
    })
}

/// Generates options that three players could play by.
fn options() -> impl Strategy<Value = Options> {
    let flags = proptest::collection::vec(any::<bool>(), 7);
    flags.prop_map(|on| Options {
        players: 3,
        north_dora: on[0],
        missing_share: if on[1] { MissingShare::Loss } else { MissingShare::Split },
        honba_discard: if on[2] { 200 } else { 300 },
        red_fives: on[3],
        kiriage: on[4],
        double_yakuman: on[5],
        double_wind_pair_fu: if on[6] { 2 } else { 4 },
        ..Options::TENHOU
    })
}

fn explained(options: Options, (hand, context): &Case) -> Score {
    Riichi::new(options).score(hand, context).expect("a winning hand")
}

#[test]
fn the_test_data_has_hands_of_three_players() {
    assert!(hands().len() >= 200, "{}", hands().len());
}

proptest! {
    #![proptest_config(config(500))]

    #[test]
    fn the_engine_agrees_with_the_oracle(case in cases(), options in options()) {
        let verdict = judge(&case.0, &case.1, &options).expect("a winning hand");
        prop_assert_eq!(Riichi::new(options).points(&case.0, &case.1), Ok(verdict.total));
        let score = explained(options, &case);
        prop_assert_eq!(score.total, verdict.total);
        if score.is_legal() {
            let found = read_worth(&score);
            prop_assert!(verdict.best.contains(&found), "{:?} is not one of {:?}", found, verdict.best);
        }
    }

    #[test]
    fn payments_balance_over_three_seats(case in cases(), options in options()) {
        let score = explained(options, &case);
        let paid = paid(&score);
        prop_assert_eq!(paid.iter().sum::<i32>(), 0);
        prop_assert_eq!(paid[Wind::North as usize], 0);
        prop_assert!(paid.iter().all(|points| points % 100 == 0), "{:?}", paid);
        prop_assert_eq!(i64::from(paid[case.1.seat as usize]), i64::from(score.total));
    }

    /// A hand without winds is paid alike on the seats South and West, and by the same neighbors.
    #[test]
    fn seats_pay_by_their_place(case in cases(), options in options()) {
        let (hand, context) = &case;
        prop_assume!(hand.all().iter().all(|tile| !tile.is_wind()));
        let at = |seat: Wind| explained(options, &(*hand, Context { seat, ..*context }));
        let (east, south, west) = (at(Wind::East), at(Wind::South), at(Wind::West));
        prop_assert_eq!(south.total, west.total);
        prop_assert!(east.total >= south.total);
        let ([e, s, w, _], [we, ws, ww, _]) = (paid(&south), paid(&west));
        prop_assert_eq!(s, ww);
        if context.win.is_self_drawn() {
            prop_assert_eq!((e, w), (we, ws));
            let [_, s, w, _] = paid(&east);
            prop_assert_eq!(s, w);
        } else {
            // The player before South is East, and the one before West is South.
            prop_assert_eq!((e, w), (ws, we));
        }
    }

    #[test]
    fn a_dora_never_lowers(case in cases(), options in options(), indicator in select(&Tile::ALL[..])) {
        let (hand, context) = &case;
        let plays = indicator.suit() != Some(Suit::Characters) || indicator.is_terminal();
        prop_assume!(plays);
        let before = explained(options, &case).total;
        if let Ok(dora_indicators) = context.dora_indicators.with(indicator) {
            let more = paid_with(options, hand, Context { dora_indicators, ..*context });
            prop_assert!(more.is_none_or(|more| more >= before));
        }
        if let (RiichiCall::Riichi | RiichiCall::Double, Ok(ura_indicators)) =
            (context.riichi, context.ura_indicators.with(indicator))
        {
            let more = paid_with(options, hand, Context { ura_indicators, ..*context });
            prop_assert!(more.is_none_or(|more| more >= before));
        }
        let none = Context { norths: Count::ZERO, ..*context };
        prop_assert!(explained(options, &(*hand, none)).total <= before);
    }

    /// Norths are no yaku.
    #[test]
    fn norths_make_no_hand_legal(case in cases(), options in options()) {
        let (hand, context) = &case;
        let none = Indicators::NONE;
        let bare = Context { norths: Count::ZERO, dora_indicators: none, ..*context };
        let legal = |context| explained(options, &(*hand, context)).is_legal();
        prop_assert_eq!(legal(*context), legal(bare));
    }
}
