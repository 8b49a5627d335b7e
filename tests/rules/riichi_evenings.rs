//! Evenings of riichi: counters, sticks, repeats, exhaustive draws, what may follow what, and the
//! result with uma and oka.

use proptest::prelude::*;
use serde_json::{Value, json};
use tilesight_core::context::{Context, ContextSetup, RiichiCall, WinSource};
use tilesight_core::contract::Problem;
use tilesight_core::evening::{
    Action, ChangeDto, Draw, EntryId, ExhaustiveDraw, Game, GameError, GameRecord, GameView,
    HandPoints, HandText, Meta, OrderFault, Play, Player, Points, Rank, RiichiStick, State, Win,
};
use tilesight_core::explain::Lang;
use tilesight_core::meld::Relation;
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
fn a_context_that_contradicts_the_table_is_refused() {
    let mut game = game("riichi-wrc");
    apply(&mut game, &json!({ "kind": "exhaustive_draw", "tenpai": [0] })).expect("a draw");
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
    let mut game = game("riichi-wrc");
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

/// Applies an event that is refused, and returns the field and the reason. The game stays as it
/// was.
fn refused(game: &mut Game, play: &Value) -> (String, String) {
    let before = game.clone();
    let error = apply(game, play).expect_err(&play.to_string());
    assert_eq!(*game, before, "{play}");
    (error.field().to_owned(), error.to_string())
}

fn riichi(player: usize) -> Value {
    json!({ "kind": "riichi", "player": player })
}

#[test]
fn rules_without_riichi_refuse_sticks_and_ready_players() {
    for rules in ["hk-old", "mcr-wmo", "classical-dmjl", "mmm"] {
        let mut game = game(rules);
        for play in [riichi(1), json!({ "kind": "exhaustive_draw", "tenpai": [1] })] {
            let (field, reason) = refused(&mut game, &play);
            assert_eq!(field, "kind", "{rules}");
            assert!(reason.contains("these rules have no riichi"), "{reason}");
        }
        apply(&mut game, &json!({ "kind": "exhaustive_draw", "tenpai": [] })).expect("a draw");
    }
}

#[test]
fn a_winner_who_laid_a_stick_has_riichi_without_stating_it() {
    let mut game = game("riichi-tenhou");
    apply(&mut game, &riichi(1)).expect("a stick");
    // Pinfu alone is 1000 on a discard, with riichi 2000.
    let win = json!({ "kind": "win", "winner": 1, "discarder": 0, "hand": HAND });
    apply(&mut game, &win).expect("a win");
    let sheet = game.sheet().expect("a sheet");
    assert!(sheet.rows[1].has_riichi_by_stick());
    assert_eq!(sheet.totals, [-2000, 2000, 0, 0]);
    let view = GameView::for_onlookers(&game, 1, Lang::En).expect("a view");
    let row = serde_json::to_value(&view.rows[1]).expect("JSON");
    assert_eq!((&row["riichi_by_stick"], &row["score"]["sticks"]), (&json!(true), &json!(1000)));
    assert_eq!(row["deal"]["declared"], json!([1]));
    assert_eq!(row["play"]["context"]["riichi"], Value::Null, "as it was entered");
    // The context by which a photo is read has it too, and a stick that is laid later counts.
    let mut game = self::game("riichi-tenhou");
    apply(&mut game, &win).expect("a win without riichi");
    let totals = game.sheet().expect("a sheet").totals;
    assert_eq!(totals, [-1000, 1000, 0, 0]);
    let stick = Play::Riichi(RiichiStick { player: Player::ALL[1] });
    let before = Action::Add { play: stick, before: Some(EntryId(1)) };
    game.apply(Meta::default(), before).expect("a stick that was forgotten");
    assert_eq!(game.sheet().expect("a sheet").totals, [-2000, 2000, 0, 0]);
    // Double riichi and ippatsu are stated as ever.
    let mut game = self::game("riichi-tenhou");
    apply(&mut game, &riichi(1)).expect("a stick");
    let mut double = win.clone();
    double["context"] = json!({ "riichi": "double", "ippatsu": true });
    apply(&mut game, &double).expect("a win");
    let sheet = game.sheet().expect("a sheet");
    assert!(!sheet.rows[1].has_riichi_by_stick());
    assert_eq!(sheet.totals[1], 7700, "four han and 30 fu");
}

#[test]
fn a_stick_binds_its_player() {
    let mut game = game("riichi-tenhou");
    apply(&mut game, &riichi(1)).expect("a stick");
    let open = "[234m,1]456p789s55m34s+5s";
    let win = |hand: &str, context: Value| json!({ "kind": "win", "winner": 1, "discarder": 0, "hand": hand, "context": context });
    for (play, field, reason) in [
        (riichi(1), "player", "Bo laid a stick in this deal already"),
        (win("[222s,1]456p777s55m34s+5s", json!({})), "hand", "called sets"),
        (win(open, json!({ "last_wall_tile": true })), "hand", "called sets"),
        (win(HAND, json!({ "riichi": "no" })), "context.riichi", "leave riichi out"),
        (json!({ "kind": "exhaustive_draw", "tenpai": [] }), "tenpai", "has to be ready"),
        (json!({ "kind": "exhaustive_draw", "tenpai": [0, 3] }), "tenpai", "has to be ready"),
    ] {
        let (named, said) = refused(&mut game, &play);
        assert!(said.contains(reason), "{play}: {said}");
        assert_eq!(named, field, "{play}: {said}");
    }
    let before = game.clone();
    apply(&mut game, &json!({ "kind": "exhaustive_draw", "tenpai": [1] })).expect("ready");
    // In the next deal the player is free again; an aborted deal needs nobody who is ready.
    apply(&mut game, &riichi(1)).expect("a stick of the next deal");
    apply(&mut game, &json!({ "kind": "draw" })).expect("an aborted deal");
    let mut won = before;
    apply(&mut won, &win(HAND, json!({}))).expect("a closed hand");
}

/// A change of an earlier entry is refused too, if a later entry could not follow any more.
#[test]
fn a_change_that_makes_a_later_entry_impossible_is_refused() {
    let mut game = game("riichi-tenhou");
    for play in [riichi(1), json!({ "kind": "draw" }), riichi(1), json!({ "kind": "draw" })] {
        apply(&mut game, &play).expect("in order");
    }
    let remove = |entry| Action::Remove { entry: EntryId(entry) };
    let before = game.clone();
    let error = game.apply(Meta::default(), remove(2)).expect_err("two sticks in one deal");
    assert!(error.to_string().starts_with("entry 3: Bo laid a stick"), "{error}");
    assert_eq!(game, before);
    let tenpai = vec![Player::ALL[0]];
    let ready = Play::ExhaustiveDraw(ExhaustiveDraw { tenpai, nagashi: Vec::new() });
    let correct = Action::Correct { entry: EntryId(2), play: ready };
    assert!(matches!(
        game.apply(Meta::default(), correct),
        Err(GameError::OutOfOrder { entry: EntryId(2), fault: OrderFault::NotReady(_), .. })
    ));
    game.apply(Meta::default(), remove(1)).expect("the stick is taken back");
    game.apply(Meta::default(), remove(2)).expect("and now the deal");
}

#[test]
fn riichi_takes_a_stick_that_the_player_has() {
    let poor = json!({ "kind": "manual", "reason": "adjustment", "player": 2,
        "payments": [24_100, 0, -24_100, 0] });
    let may_declare = |game: &Game| {
        let view = GameView::for_onlookers(game, 1, Lang::En).expect("a view");
        view.next.and_then(|deal| deal.may_declare).expect("riichi").len()
    };
    for rules in ["riichi-tenhou", "riichi-majsoul"] {
        let mut game = game(rules);
        assert_eq!(may_declare(&game), 4);
        apply(&mut game, &poor).expect("an adjustment");
        assert_eq!(may_declare(&game), 3);
        let (field, reason) = refused(&mut game, &riichi(2));
        assert_eq!(field, "player");
        assert!(reason.contains("Clara has 900 points"), "{reason}");
        let stated = json!({ "kind": "win", "winner": 2, "discarder": 0, "hand": HAND,
            "context": { "riichi": "riichi" } });
        assert!(refused(&mut game, &stated).1.contains("Clara has 900 points"));
        apply(&mut game, &riichi(0)).expect("another has the points");
        assert_eq!(may_declare(&game), 2);
    }
    // The M-League plays on below zero.
    let mut game = game("riichi-mleague");
    apply(&mut game, &poor).expect("an adjustment");
    assert_eq!(may_declare(&game), 4);
    apply(&mut game, &riichi(2)).expect("a stick that is owed");
}

#[test]
fn a_finished_game_takes_nothing_but_agreed_points() {
    let mut game = game("riichi-tenhou");
    apply(&mut game, &json!({ "kind": "draw" })).expect("a draw");
    game.apply(Meta::default(), Action::Finish).expect("an end");
    for play in [
        riichi(0),
        json!({ "kind": "draw" }),
        json!({ "kind": "points", "winner": 0, "points": 1500 }),
    ] {
        let before = game.clone();
        assert_eq!(apply(&mut game, &play), Err(GameError::Over), "{play}");
        assert_eq!(game, before);
    }
    assert_eq!(game.apply(Meta::default(), Action::Finish), Err(GameError::Over));
    let fine = |reason: &str| json!({ "kind": "manual", "reason": reason, "player": 0, "payments": [-300, 100, 100, 100] });
    apply(&mut game, &fine("adjustment")).expect("agreed points");
    // They can't become a stick, or get one before them.
    let stick = || Play::Riichi(RiichiStick { player: Player::ALL[0] });
    for action in [
        Action::Correct { entry: EntryId(3), play: stick() },
        Action::Add { play: stick(), before: Some(EntryId(3)) },
    ] {
        assert_eq!(game.apply(Meta::default(), action), Err(GameError::Over));
    }
    // What was forgotten in an earlier deal is put there, and an end that is taken back ends
    // nothing.
    let forgotten = Action::Add { play: stick(), before: Some(EntryId(1)) };
    game.apply(Meta::default(), forgotten).expect("a stick of the first deal");
    game.apply(Meta::default(), Action::Undo { change: 2 }).expect("the end is taken back");
    apply(&mut game, &riichi(0)).expect("the game goes on");
}

#[test]
fn points_are_those_that_a_hand_can_have() {
    let points = |winner: usize, discarder: Value, points: u32| json!({ "kind": "points", "winner": winner, "discarder": discarder, "points": points });
    let mut game = game("riichi-tenhou");
    for (play, reason) in [
        (points(1, json!(0), 8001), "8001 points here: the nearest values are 8000, 12000"),
        (points(1, json!(0), 12345), "the nearest values are 12000, 16000"),
        (points(1, json!(0), 7), "the nearest values are 1000"),
        (points(1, json!(0), 0), "the nearest values are 1000"),
        (points(1, json!(0), 99_999), "the nearest values are 96000"),
        // Thirds and halves that are no hundreds.
        (points(0, Value::Null, 1000), "the nearest values are 1500"),
        (points(1, Value::Null, 1000), "the nearest values are 1100"),
        (points(0, json!(1), 1000), "the nearest values are 1500"),
    ] {
        let (field, said) = refused(&mut game, &play);
        assert_eq!(field, "points", "{play}");
        assert!(said.contains(reason), "{play}: {said}");
    }
    for (play, paid) in [
        (points(0, Value::Null, 1500), [1500, -500, -500, -500]),
        (points(0, json!(1), 1500), [1500 + 300, -1800, 0, 0]),
    ] {
        apply(&mut game, &play).expect("a value of the table");
        let sheet = game.sheet().expect("a sheet");
        assert_eq!(sheet.rows.last().map(|row| row.payments), Some(paid), "{play}");
    }
    // Two counters lie on the table: 4500 is a value, 4200 and 9700 contain them.
    for (play, reason) in [
        (points(1, json!(0), 8600), "8600 points contain the 600 of the counters"),
        (points(1, json!(0), 1900), "enter 1300"),
        (points(1, Value::Null, 1700), "enter 1100"),
    ] {
        let (field, said) = refused(&mut game, &play);
        assert_eq!(field, "points", "{play}");
        assert!(said.contains(reason), "{play}: {said}");
    }
    apply(&mut game, &points(1, json!(0), 8000)).expect("without the counters");
    assert_eq!(game.sheet().expect("a sheet").rows[2].payments, [-8600, 8600, 0, 0]);
}

#[test]
fn hands_and_penalties_are_paid_in_hundreds() {
    let paid = |reason: &str| json!({ "kind": "manual", "reason": reason, "player": 0, "payments": [50, -50, 0, 0] });
    let mut game = game("riichi-wrc");
    for reason in ["hand", "false_mahjong"] {
        let (field, said) = refused(&mut game, &paid(reason));
        assert_eq!(field, "payments");
        assert!(said.contains("in hundreds"), "{said}");
    }
    apply(&mut game, &paid("adjustment")).expect("players may agree on anything");
    apply(&mut self::game("mcr-wmo"), &paid("false_mahjong")).expect("points of other games");
}

/// A game with entries that the rules no longer allow, as after a change of its rule set: it opens,
/// is played on, and gets no new fault.
#[test]
fn a_game_with_faults_is_played_on() {
    let won = json!({ "kind": "win", "winner": 1, "discarder": 0, "hand": HAND, "context": { "riichi": "no" } });
    let plays = [riichi(1), riichi(1), won, json!({ "kind": "points", "winner": 2, "points": 7 })];
    let change = |(at, play): (usize, &Value)| json!({ "number": at + 1, "at": 0, "action": { "kind": "add", "play": play } });
    let changes: Vec<Value> = plays.iter().enumerate().map(change).collect();
    let record = json!({ "version": 1, "title": "", "players": ["Anna", "Bo", "Clara", "Dorte"],
        "ruleset": "riichi-tenhou", "changes": changes });
    let record: GameRecord = serde_json::from_value(record).expect("a record");
    let mut game = record.open(&Book::shipped()).expect("shipped rules");
    let sheet = game.sheet().expect("a sheet");
    // Without riichi, as it was stated; both sticks go to the winner.
    assert_eq!(sheet.rows[2].payments, [-1000, 3000, 0, 0]);
    apply(&mut game, &riichi(1)).expect("the game goes on");
    assert!(refused(&mut game, &riichi(1)).1.contains("already"));
    let stored = serde_json::to_value(&game).expect("JSON");
    let again: GameRecord = serde_json::from_value(stored).expect("a record");
    assert_eq!(again.open(&Book::shipped()).as_ref(), Ok(&game));
    game.apply(Meta::default(), Action::Remove { entry: EntryId(2) }).expect("a fault less");
}

#[test]
fn a_row_itemizes_its_hand() {
    let view = |game: &Game| {
        let view = GameView::for_onlookers(game, 1, Lang::En).expect("a view");
        serde_json::to_value(&view.rows).expect("JSON")
    };
    let mut game = game("riichi-tenhou");
    let hand = "123m406p789s55m34s5s";
    let context = json!({ "riichi": "riichi", "dora_indicators": ["4m"] });
    let win = json!({ "kind": "win", "winner": 0, "hand": hand, "context": context });
    apply(&mut game, &win).expect("a win");
    let score = view(&game)[0]["score"].take();
    let figures = ["han", "fu", "limit", "yakuman", "counted_yakuman", "sticks"];
    let figures = figures.map(|name| score[name].clone());
    assert_eq!(json!(figures), json!([6, 20, "haneman", 0, false, 0]), "{score}");
    let awards = score["awards"].as_array().expect("lines").iter();
    let han: Vec<_> = awards.map(|one| (one["code"].as_str(), one["han"].as_u64())).collect();
    assert!(han.contains(&(Some("dora"), Some(2))), "two dora of one indicator: {han:?}");
    assert_eq!(han.iter().filter_map(|(_, han)| *han).sum::<u64>(), 6);
    assert!(score.get("assumed_red_fives").is_none(), "{score}");
    let mut game = self::game("riichi-tenhou");
    let fives = "[5555p]234m678m22s34s5s";
    apply(&mut game, &json!({ "kind": "win", "winner": 0, "hand": fives })).expect("a win");
    assert_eq!(view(&game)[0]["score"]["assumed_red_fives"], json!(["0p"]));
    let mut game = self::game("hk-old");
    let hand = "CCCFFFPPP123m55s";
    apply(&mut game, &json!({ "kind": "win", "winner": 0, "hand": hand })).expect("a win");
    let score = view(&game)[0]["score"].take();
    assert_eq!((&score["faan"], &score["limit_hand"]), (&json!(11), &json!(false)), "{score}");
    assert!(score.get("han").is_none() && score["awards"][0]["faan"] == 8, "{score}");
    let mut game = self::game("classical-dmjl");
    apply(&mut game, &json!({ "kind": "win", "winner": 0, "hand": hand })).expect("a win");
    let score = view(&game)[0]["score"].take();
    assert!(score["doubling"]["limits"].is_number(), "{score}");
}

#[test]
fn a_club_sets_uma_and_rounds() {
    let text = "id = \"club\"\ngame = \"riichi\"\nextends = \"riichi-wrc\"\n[options]\nrounds = 1\numa_first = 30\n";
    let law = Profile::parse(text).expect("a profile").rules().law();
    let riichi = law.riichi.expect("riichi");
    assert_eq!(
        (law.rounds, riichi.uma, riichi.oka(law.seats)),
        (1, [30_000, 5_000, -5_000, -30_000], 0)
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

/// Event as it is generated: points are a place among the totals that the winner's hand can have.
#[derive(Debug, Clone)]
enum Event {
    Play(Play),
    Points { winner: Player, discarder: Option<Player>, place: usize },
}

impl Event {
    fn play(self, game: &Game) -> Play {
        let (winner, discarder, place) = match self {
            Event::Play(play) => return play,
            Event::Points { winner, discarder, place } => (winner, discarder, place),
        };
        let seat = game.next_deal().map_or(Wind::East, |deal| deal.seat_of(winner));
        let from = Relation::Left;
        let win = discarder.map_or(WinSource::SelfDrawn, |_| WinSource::Discard { from });
        let totals = game.ruleset().rules().totals(&Context { seat, win, ..Context::PLAIN });
        let points = totals[place % totals.len()];
        Play::Points(HandPoints { winner, discarder, same_discard: false, liable: None, points })
    }
}

/// Generates what can happen in a deal, in order or not.
fn event() -> impl Strategy<Value = Event> {
    let player = || (0..4_usize).prop_map(|at| Player::ALL[at]);
    let other =
        |winner: Player, on: usize| (on > 0).then(|| Player::ALL[(winner.index() + on) % 4]);
    prop_oneof![
        1 => Just(Event::Play(Play::Draw(Draw::default()))),
        3 => player().prop_map(|player| Event::Play(Play::Riichi(RiichiStick { player }))),
        2 => proptest::sample::subsequence(Player::ALL.to_vec(), 0..=4)
            .prop_map(|tenpai| {
                Event::Play(Play::ExhaustiveDraw(ExhaustiveDraw { tenpai, nagashi: Vec::new() }))
            }),
        2 => (player(), 0..4_usize, 0..60_usize).prop_map(move |(winner, on, place)| {
            Event::Points { winner, discarder: other(winner, on), place }
        }),
        1 => (player(), 0..4_usize, 0..480_u32).prop_map(move |(winner, on, hundreds)| {
            let (discarder, points) = (other(winner, on), 100 * hundreds);
            Event::Play(Play::Points(HandPoints { winner, discarder, same_discard: false, liable: None, points }))
        }),
        1 => (player(), 1..4_usize, 0..4_usize).prop_map(move |(winner, on, riichi)| {
            let context = ContextSetup {
                riichi: [None, Some(RiichiCall::No), Some(RiichiCall::Riichi), None][riichi],
                ..ContextSetup::default()
            };
            Event::Play(Play::Win(Win {
                winner,
                discarder: other(winner, on),
                same_discard: false,
                east: None,
                liable: None,
                hand: HandText::new(HAND).expect("short"),
                winning_tile_supposed: false,
                ruleset: None,
                context,
                others: Vec::new(),
            }))
        }),
    ]
}

/// Fails unless a sheet is one that the rules allow, computed from its rows alone.
fn check_order(game: &Game, start: i32) {
    let sheet = game.sheet().expect("a sheet");
    let mut declared: Vec<Player> = Vec::new();
    let mut before = Points::default();
    for row in &sheet.rows {
        match &row.play {
            Play::Riichi(riichi) => {
                assert!(!declared.contains(&riichi.player), "a stick each");
                assert!(start + before[riichi.player.index()] >= 1000, "a stick that is there");
                declared.push(riichi.player);
            }
            Play::ExhaustiveDraw(draw) => {
                assert!(declared.iter().all(|player| draw.tenpai.contains(player)));
            }
            Play::Win(win) => {
                let score = row.scored.as_ref().expect("a score").score();
                let has_riichi = score.awards.iter().any(|one| one.rule.code == "riichi");
                assert_eq!(
                    has_riichi,
                    declared.contains(&win.winner)
                        || win.context.riichi == Some(RiichiCall::Riichi)
                );
            }
            _ => {}
        }
        assert!(row.payments.iter().all(|points| points % 100 == 0), "{:?}", row.payments);
        before = row.totals;
        if row.play.ends_deal() {
            declared.clear();
        }
    }
}

/// State of a table of riichi as its players see it, beside the program.
#[derive(Debug, Clone)]
struct Seen {
    points: Vec<i64>,
    declared: Vec<usize>,
    dead: Vec<usize>,
    /// Deal that the last entry won by a discard.
    won: Option<WonDeal>,
    dealer: usize,
    over: bool,
}

/// A deal that was won by a discard: by whose, by whom so far, and whose hands were dead.
#[derive(Debug, Clone)]
struct WonDeal {
    discarder: usize,
    winners: Vec<usize>,
    dead: Vec<usize>,
}

/// Differences between the rules, as their summaries have it.
struct Allowed {
    players: usize,
    winners: usize,
    aborts: &'static [&'static str],
    nagashi: bool,
    may_owe: bool,
}

fn list_allowed(rules: &str) -> Allowed {
    let all: &[&str] =
        &["nine_terminals", "four_winds", "four_riichi", "four_kongs", "three_winners"];
    match rules {
        "riichi-tenhou" => {
            Allowed { players: 4, winners: 2, aborts: all, nagashi: true, may_owe: false }
        }
        "riichi-majsoul" => {
            Allowed { players: 4, winners: 3, aborts: &all[..4], nagashi: true, may_owe: false }
        }
        "riichi-three" => Allowed {
            players: 3,
            winners: 3,
            aborts: &["nine_terminals", "four_kongs"],
            nagashi: true,
            may_owe: false,
        },
        "riichi-wrc" => {
            Allowed { players: 4, winners: 1, aborts: &[], nagashi: false, may_owe: false }
        }
        _ => Allowed { players: 4, winners: 1, aborts: &[], nagashi: false, may_owe: true },
    }
}

impl Seen {
    /// Returns whether people at the table can see this event now.
    fn can_be(&self, allowed: &Allowed, play: &Value) -> bool {
        let number = |field: &str| play[field].as_u64().map(|one| one as usize);
        let list = |field: &str| -> Vec<usize> {
            let list = play[field].as_array().into_iter().flatten();
            list.filter_map(|one| Some(one.as_u64()? as usize)).collect()
        };
        let kind = play["kind"].as_str().expect("a kind");
        let further = play["same_discard"] == true;
        let player = number("player").or(number("winner"));
        let there = player.into_iter().chain(number("discarder")).chain(list("tenpai"));
        if there.chain(list("nagashi")).any(|one| one >= allowed.players) {
            return false;
        }
        if further {
            let Some(won) = &self.won else { return false };
            let winner = player.expect("a winner");
            return number("discarder") == Some(won.discarder)
                && !won.winners.contains(&winner)
                && won.winners.len() < allowed.winners
                && !won.dead.contains(&winner);
        }
        if self.over {
            return false;
        }
        let four = allowed.aborts.contains(&"four_riichi") && self.declared.len() == 4;
        if four && kind != "chombo" {
            return kind == "draw" && matches!(play["abort"].as_str(), None | Some("four_riichi"));
        }
        let dead = player.is_some_and(|player| self.dead.contains(&player));
        match kind {
            "riichi" => {
                let player = player.expect("a player");
                !dead
                    && !self.declared.contains(&player)
                    && (allowed.may_owe || self.points[player] >= 1000)
            }
            "dead_hand" | "points" => !dead,
            "exhaustive_draw" => {
                let (ready, paid) = (list("tenpai"), list("nagashi"));
                let is_dead = |player: &usize| self.dead.contains(player);
                self.declared.iter().all(|one| ready.contains(one) || is_dead(one))
                    && !ready.iter().chain(&paid).any(is_dead)
                    && (paid.is_empty() || allowed.nagashi)
            }
            "draw" => match play["abort"].as_str() {
                None => !allowed.aborts.is_empty(),
                Some("four_riichi") => false,
                Some("nine_terminals") => {
                    let last = (self.dealer + allowed.players - 1) % allowed.players;
                    allowed.aborts.contains(&"nine_terminals") && !self.declared.contains(&last)
                }
                Some(kind) => allowed.aborts.contains(&kind),
            },
            _ => true,
        }
    }

    /// Returns what is seen after an accepted event, with the points and the dealer of the sheet.
    fn after(mut self, play: &Value, game: &Game, start: i64) -> Seen {
        let number = |field: &str| play[field].as_u64().map(|one| one as usize);
        let sheet = game.sheet().expect("a sheet");
        self.points = sheet.totals.iter().map(|&total| start + i64::from(total)).collect();
        self.over = sheet.state != State::Running;
        let before = self.won.take();
        match (play["kind"].as_str(), number("discarder"), number("winner")) {
            (Some("riichi"), ..) => self.declared.extend(number("player")),
            (Some("dead_hand"), ..) => self.dead.extend(number("player")),
            (_, Some(_), Some(winner)) if play["same_discard"] == true => {
                self.won = before.map(|won| WonDeal {
                    winners: [won.winners.as_slice(), &[winner]].concat(),
                    ..won
                });
            }
            (_, discarder, winner) => {
                let dead = std::mem::take(&mut self.dead);
                self.declared.clear();
                self.won = discarder.zip(winner).map(|(discarder, winner)| WonDeal {
                    discarder,
                    winners: vec![winner],
                    dead,
                });
            }
        }
        if let Some(deal) = sheet.next {
            self.dealer = deal.player_at(Wind::East).index();
        }
        self
    }
}

/// Generates an event of an evening as JSON, possible or not.
fn any_play() -> impl Strategy<Value = Value> {
    let lists = || proptest::sample::subsequence(vec![0, 1, 2, 3], 0..=4);
    let kinds =
        vec!["nine_terminals", "four_winds", "four_riichi", "four_kongs", "three_winners", ""];
    prop_oneof![
        6 => (0..4_u8).prop_map(|one| json!({ "kind": "riichi", "player": one })),
        1 => (0..4_u8).prop_map(|one| json!({ "kind": "dead_hand", "player": one })),
        1 => (0..4_u8).prop_map(|one| json!({ "kind": "chombo", "player": one })),
        3 => proptest::sample::select(kinds).prop_map(|kind| match kind {
            "" => json!({ "kind": "draw" }),
            kind => json!({ "kind": "draw", "abort": kind }),
        }),
        2 => (lists(), lists(), 0..4_u8).prop_map(|(ready, paid, few)| {
            let paid = if few == 0 { paid } else { Vec::new() };
            json!({ "kind": "exhaustive_draw", "tenpai": ready, "nagashi": paid })
        }),
        // Values that East and the others can have.
        6 => (0..4_u8, 1..4_u8, proptest::bool::ANY, proptest::bool::ANY).prop_map(
            |(winner, on, further, much)| {
                let points = if much { 24_000 } else { 12_000 };
                json!({ "kind": "points", "winner": winner, "discarder": (winner + on) % 4,
                    "same_discard": further, "points": points })
            }
        ),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn totals_and_the_sticks_on_the_table_sum_to_zero(events in prop::collection::vec(event(), 0..40)) {
        let mut game = game("riichi-tenhou");
        for event in events {
            let play = event.play(&game);
            let before = game.clone();
            let view = GameView::for_onlookers(&game, 1, Lang::En).expect("a view");
            let offered = view.next.and_then(|deal| deal.may_declare).unwrap_or_default();
            let done = game.apply(Meta::default(), Action::Add { play: play.clone(), before: None });
            if let Play::Riichi(riichi) = &play {
                prop_assert_eq!(done.is_ok(), offered.contains(&riichi.player), "offered is accepted");
            }
            if done.is_err() {
                prop_assert_eq!(&game, &before);
                continue;
            }
            check_order(&game, 25_000);
            let sheet = game.sheet().expect("a sheet");
            if let Some(deal) = sheet.next {
                let sum: i32 = sheet.totals.iter().sum();
                prop_assert_eq!(sum + 1000 * i32::from(deal.sticks), 0);
            }
            let results: i32 = sheet.standings.iter().filter_map(Rank::result).sum();
            prop_assert_eq!(results, 0);
        }
    }

    #[test]
    fn every_change_of_an_entry_leaves_the_game_in_order(
        events in prop::collection::vec(event(), 1..20),
        changes in prop::collection::vec((event(), 1..20_u32, 0..4_u8), 0..8),
    ) {
        let mut game = game("riichi-tenhou");
        for event in events {
            let play = event.play(&game);
            let _ = game.apply(Meta::default(), Action::Add { play, before: None });
        }
        for (event, entry, kind) in changes {
            let (play, entry) = (event.play(&game), EntryId(entry));
            let action = match kind {
                0 => Action::Correct { entry, play },
                1 => Action::Add { play, before: Some(entry) },
                2 => Action::Remove { entry },
                _ => Action::Finish,
            };
            let _ = game.apply(Meta::default(), action);
            check_order(&game, 25_000);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 80, failure_persistence: None, ..ProptestConfig::default() })]

    /// No order of plays that a table can see is refused, and none that it can't see is accepted;
    /// points are conserved but for the sticks on the table.
    #[test]
    fn a_play_is_accepted_if_and_only_if_a_table_can_see_it(
        rules in proptest::sample::select(vec![
            "riichi-tenhou", "riichi-wrc", "riichi-mleague", "riichi-majsoul", "riichi-three",
        ]),
        plays in prop::collection::vec(any_play(), 1..30),
    ) {
        let allowed = list_allowed(rules);
        let names = ["Anna", "Bo", "Clara", "Dorte"].map(str::to_owned)[..allowed.players].to_vec();
        let book = Book::shipped();
        let profile = book.get(rules.parse().expect(rules)).expect("shipped").clone();
        let start = i64::from(profile.rules().law().riichi.expect("riichi").start);
        let mut game = Game::new(String::new(), names, profile).expect("a game");
        let mut seen = Seen {
            points: vec![start; 4],
            declared: Vec::new(),
            dead: Vec::new(),
            won: None,
            dealer: 0,
            over: false,
        };
        for play in plays {
            let before = game.clone();
            let done = apply(&mut game, &play);
            prop_assert_eq!(done.is_ok(), seen.can_be(&allowed, &play), "{} {:?} {:?}", play, done, seen);
            if done.is_err() {
                prop_assert_eq!(&game, &before);
                continue;
            }
            seen = seen.after(&play, &game, start);
            let sheet = game.sheet().expect("a sheet");
            let sum: i32 = sheet.totals.iter().sum();
            prop_assert!(sum <= 0 && sum % 1000 == 0);
            if let Some(deal) = sheet.next {
                prop_assert_eq!(sum + 1000 * i32::from(deal.sticks), 0);
            }
        }
    }
}
