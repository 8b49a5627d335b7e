//! Evenings of riichi: counters, sticks, repeats, exhaustive draws, and the result with uma and
//! oka.

use proptest::prelude::*;
use serde_json::{Value, json};
use tilesight_core::contract::Problem;
use tilesight_core::evening::{
    Action, ChangeDto, ExhaustiveDraw, Game, GameError, GameView, HandPoints, Meta, Play, Player,
    Points, RiichiStick, State,
};
use tilesight_core::explain::Lang;
use tilesight_core::rules::{Book, Profile};
use tilesight_core::tile::Wind;

fn game(ruleset: &str) -> Game {
    let names = ["Anna", "Bo", "Clara", "Dorte"].map(str::to_owned);
    let book = Book::shipped();
    let rules = book.get(ruleset.parse().expect(ruleset)).expect("shipped").clone();
    Game::new("Thursday".to_owned(), names, rules).expect("good names")
}

fn apply(game: &mut Game, play: &Value) -> Result<bool, GameError> {
    let change = json!({ "action": { "kind": "add", "play": play } });
    let change: Result<ChangeDto, Problem> = ChangeDto::from_json(change.to_string().as_bytes());
    game.apply(Meta::default(), change.expect("a change").action.try_into()?)
}

/// Returns dealer, round, counters and sticks of the next deal, and all totals.
fn state(game: &Game) -> (usize, Wind, u8, u8, Points) {
    let sheet = game.sheet().expect("a sheet");
    let deal = sheet.next.expect("it goes on");
    let dealer = deal.player_at(Wind::East).index();
    (dealer, deal.round, deal.honba, deal.sticks, sheet.totals)
}

const HAND: &str = "234m456p789s55m34s+5s";

#[test]
fn counters_and_sticks_go_to_the_winner() {
    let mut game = game("riichi-tenhou");
    let mut play = |play: Value| {
        apply(&mut game, &play).unwrap_or_else(|error| panic!("{play}: {error}"));
        state(&game)
    };
    // Two declare riichi, the wall ends, East and one of them are ready.
    assert_eq!(play(json!({ "kind": "riichi", "player": 0 })).4, [-1000, 0, 0, 0]);
    assert_eq!(play(json!({ "kind": "riichi", "player": 2 })).3, 2);
    let drawn = play(json!({ "kind": "exhaustive_draw", "tenpai": [0, 2] }));
    assert_eq!(drawn, (0, Wind::East, 1, 2, [500, -1500, 500, -1500]));
    // East wins with riichi, self-drawn: 1 + 1 + 1 han, 20 fu, one counter, three sticks.
    play(json!({ "kind": "riichi", "player": 0 }));
    let win =
        json!({ "kind": "win", "winner": 0, "hand": HAND, "context": { "riichi": "riichi" } });
    // 3 han 20 fu: 1300 from each and 100 for the counter; three sticks.
    let won = play(win);
    assert_eq!(won, (0, Wind::East, 2, 0, [-500 + 4200 + 3000, -2900, -900, -2900]));
    // East is not ready: the deal passes with one more counter.
    let passed = play(json!({ "kind": "exhaustive_draw", "tenpai": [1] }));
    assert_eq!((passed.0, passed.2, passed.3), (1, 3, 0));
    // An aborted deal: East stays, nobody pays.
    let aborted = play(json!({ "kind": "draw" }));
    assert_eq!((aborted.0, aborted.2, aborted.4), (1, 4, passed.4));
    // Another player wins on a discard: four counters from the discarder, and none are left.
    let other = json!({ "kind": "points", "winner": 3, "discarder": 0, "points": 3900 });
    let after = play(other);
    assert_eq!((after.0, after.2), (2, 0));
    assert_eq!(after.4[3] - aborted.4[3], 3900 + 1200);
    assert_eq!(after.4[0] - aborted.4[0], -3900 - 1200);
    // A self-draw by its sum alone: 300 and 500.
    let drawn = play(json!({ "kind": "points", "winner": 3, "points": 1100 }));
    assert_eq!([0, 1, 2].map(|at| drawn.4[at] - after.4[at]), [-300, -300, -500]);
}

#[test]
fn what_the_table_shows_is_not_stated_otherwise() {
    let mut game = game("riichi-wrc");
    apply(&mut game, &json!({ "kind": "draw" })).expect("a draw");
    let win = |honba: Value| {
        json!({ "kind": "win", "winner": 1, "discarder": 0, "hand": HAND,
            "context": { "riichi": "riichi", "honba": honba } })
    };
    assert!(apply(&mut game, &win(json!(3))).is_err(), "one counter lies on the table");
    apply(&mut game, &win(json!(1))).expect("as the table shows");
    let sheet = game.sheet().expect("a sheet");
    let scored = sheet.rows[1].scored.as_ref().expect("a score").score();
    assert_eq!(sheet.rows[1].payments[1], i32::try_from(scored.total).expect("few points"));
    // A hand without a yaku is no win.
    let none =
        json!({ "kind": "win", "winner": 1, "discarder": 0, "hand": "[234m,1]567p123s99m99p+9p" });
    assert!(matches!(apply(&mut game, &none), Err(GameError::BelowMinimum { .. })));
}

#[test]
fn an_evening_has_two_rounds_and_a_result() {
    let mut game = game("riichi-tenhou");
    for deal in 0..8 {
        let winner = (deal + 1) % 4;
        let play = json!({ "kind": "points", "winner": winner, "discarder": (winner + 3) % 4, "points": 1000 });
        apply(&mut game, &play).expect("a win");
    }
    let sheet = game.sheet().expect("a sheet");
    assert_eq!(sheet.state, State::Complete);
    assert_eq!(sheet.rows.len(), 8);
    let view = GameView::for_onlookers(&game, 1, Lang::En).expect("a view");
    let view = serde_json::to_value(view).expect("JSON");
    let results: Vec<i64> = view["standings"]
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|one| one["result"].as_i64())
        .collect();
    assert_eq!(results.iter().sum::<i64>(), 0);
    assert_eq!(results.len(), 4);
    assert_eq!(view["rows"][0]["deal"]["honba"], 0);
    let other = serde_json::to_value(
        GameView::for_onlookers(&self::game("mcr-wmo"), 1, Lang::En).expect("a view"),
    );
    let other = other.expect("JSON");
    assert!(other["next"].get("honba").is_none() && other["standings"][0].get("result").is_none());
}

#[test]
fn other_rules_have_no_sticks() {
    let mut game = game("classical-dmjl");
    apply(&mut game, &json!({ "kind": "riichi", "player": 1 })).expect("passed over");
    apply(&mut game, &json!({ "kind": "exhaustive_draw", "tenpai": [1] })).expect("a draw");
    let (dealer, _, honba, sticks, totals) = state(&game);
    assert_eq!((dealer, honba, sticks, totals), (0, 0, 0, [0; 4]));
}

#[test]
fn a_club_sets_uma_and_rounds() {
    let text = "id = \"club\"\ngame = \"riichi\"\nextends = \"riichi-wrc\"\n[options]\nrounds = 1\numa_first = 30\n";
    let law = Profile::parse(text).expect("a profile").rules().law();
    let riichi = law.riichi.expect("riichi");
    assert_eq!(
        (law.rounds, riichi.uma, riichi.bonus(0)),
        (1, [30_000, 5_000, -5_000, -30_000], 30_000)
    );
    for (option, part) in [("rounds = 5", "line 5"), ("target_points = 20000", "line 5")] {
        let text = format!(
            "id = \"club\"\ngame = \"riichi\"\nextends = \"riichi-wrc\"\n[options]\n{option}\n"
        );
        let error =
            Profile::parse(&text).map(|profile| profile.id()).expect_err(option).to_string();
        assert!(error.starts_with(part), "{error}");
    }
}

/// Generates what can happen in a deal.
fn play() -> impl Strategy<Value = Play> {
    let player = || (0..4_usize).prop_map(|at| Player::ALL[at]);
    prop_oneof![
        Just(Play::Draw),
        player().prop_map(|player| Play::Riichi(RiichiStick { player })),
        proptest::sample::subsequence(Player::ALL.to_vec(), 0..=4)
            .prop_map(|tenpai| Play::ExhaustiveDraw(ExhaustiveDraw { tenpai })),
        (player(), 0..4_usize, 10..480_u32).prop_map(|(winner, on, hundreds)| {
            let discarder = (on > 0).then(|| Player::ALL[(winner.index() + on) % 4]);
            Play::Points(HandPoints { winner, discarder, points: 100 * hundreds })
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn totals_and_the_sticks_on_the_table_sum_to_zero(plays in prop::collection::vec(play(), 0..40)) {
        let mut game = game("riichi-mleague");
        for play in plays {
            let action = Action::Add { play, before: None };
            if game.apply(Meta::default(), action) == Err(GameError::Over) {
                break;
            }
            let sheet = game.sheet().expect("a sheet");
            if let Some(deal) = sheet.next {
                let sum: i32 = sheet.totals.iter().sum();
                prop_assert_eq!(sum + 1000 * i32::from(deal.sticks), 0);
            }
            let results: i32 = sheet.standings.iter().filter_map(|one| one.result).sum();
            prop_assert_eq!(results, 0);
        }
    }
}
