//! Evenings of the game of sixteen tiles: the dealer's streak, the winds of the opened wall, and
//! several winners by one discard. Tai and payments are computed by hand from `docs/taiwan.md`.

use std::sync::Arc;

use proptest::prelude::*;
use serde_json::{Value, json};
use tilesight_core::contract::Problem;
use tilesight_core::evening::{
    ChangeDto, Game, GameError, GameView, Meta, OrderFault, Player, Points, Row, State, csv,
};
use tilesight_core::explain::Lang;
use tilesight_core::rules::{Book, Profile};
use tilesight_core::tile::Wind;

fn game(ruleset: &str) -> Game {
    let book = Book::shipped();
    let rules = book.get(ruleset.parse().expect(ruleset)).expect("shipped");
    game_of(Arc::clone(rules))
}

fn game_of(rules: Arc<Profile>) -> Game {
    let names = ["Anna", "Bo", "Clara", "Dorte"].map(str::to_owned);
    Game::new("Thursday".to_owned(), names, rules).expect("good names")
}

/// Returns the game of a table that differs from `tw-common` in one option.
fn game_with(option: &str) -> Game {
    let text = format!("id = \"own\"\nextends = \"tw-common\"\n[options]\n{option}\n");
    game_of(Arc::new(Profile::parse(&text).expect("a profile")))
}

fn act(game: &mut Game, action: &Value) -> Result<bool, GameError> {
    let change: Result<ChangeDto, Problem> =
        ChangeDto::from_json(json!({ "action": action }).to_string().as_bytes());
    game.apply(Meta::default(), change.expect("a change").action.try_into()?)
}

fn add(game: &mut Game, play: &Value) -> Result<bool, GameError> {
    act(game, &json!({ "kind": "add", "play": play }))
}

/// Enters an event and returns what each player gains or loses by it.
fn play(game: &mut Game, play: &Value) -> Points {
    add(game, play).unwrap_or_else(|error| panic!("{play}: {error}"));
    last(game).payments
}

fn last(game: &Game) -> Row {
    game.sheet().expect("a sheet").rows.pop().expect("a row")
}

/// Returns dealer, round and streak of the next deal.
fn next(game: &Game) -> (usize, Wind, u32) {
    let deal = game.next_deal().expect("it goes on");
    (deal.dealer().index(), deal.round, deal.repeats)
}

fn totals(game: &Game) -> Points {
    game.sheet().expect("a sheet").totals
}

fn drawn(winner: usize, hand: &str) -> Value {
    json!({ "kind": "win", "winner": winner, "hand": hand })
}

fn from(winner: usize, discarder: usize, hand: &str) -> Value {
    json!({ "kind": "win", "winner": winner, "discarder": discarder, "hand": hand })
}

/// All chows 2 and a concealed hand 1 on a discard; 3 for a concealed hand that draws.
const CHOWS: &str = "123m456m789p234s55s67p+5p";
/// Beside a concealed hand 1: seat wind 1 and own flower 1, both for West alone.
const WEST: &str = "WWW123m456m789p55s67p+5p||f3";

/// Base 100, 20 for each tai, 2n + 1 with the dealer.
#[test]
fn an_evening_of_tw_common() {
    let mut game = game("tw-common");
    // Anna deals and draws 3 tai: each of the three owes one more.
    assert_eq!(play(&mut game, &drawn(0, CHOWS)), [540, -180, -180, -180]);
    assert_eq!(next(&game), (0, Wind::East, 1));
    assert_eq!(play(&mut game, &json!({ "kind": "draw" })), [0; 4]);
    assert_eq!(next(&game), (0, Wind::East, 2));
    // She stayed on twice, so that Bo's 3 tai on her discard are 8.
    assert_eq!(play(&mut game, &from(1, 0, CHOWS)), [-260, 260, 0, 0]);
    assert_eq!(next(&game), (1, Wind::East, 0));
    // Clara draws 3 tai: only Bo, who deals, owes one more.
    assert_eq!(play(&mut game, &drawn(2, CHOWS)), [-160, -180, 500, -160]);
    // Clara deals, and the opened wall makes Dorte East: Bo sits West.
    let mut west = from(1, 3, WEST);
    west["east"] = json!(3);
    assert_eq!(play(&mut game, &west), [0, 160, 0, -160]);
    let deal = last(&game).deal.expect("a deal");
    let seats = Wind::ALL.map(|seat| deal.player_at(seat).index());
    assert_eq!((seats, deal.dealer().index()), ([3, 0, 1, 2], 2));
    assert_eq!(totals(&game), [120, 60, 320, -500]);
    // Dorte deals: with Anna's discard Bo wins 3 tai, and Dorte 5 and one more.
    assert_eq!(play(&mut game, &from(1, 0, CHOWS)), [-160, 160, 0, 0]);
    assert_eq!(next(&game), (0, Wind::South, 0), "Bo's win alone would pass the deal");
    let second =
        json!({ "kind": "points", "winner": 3, "discarder": 0, "same_discard": true, "points": 5 });
    assert_eq!(play(&mut game, &second), [-220, 0, 0, 220]);
    assert_eq!(next(&game), (3, Wind::East, 1), "but the dealer won too");
    // Only the tai of Clara's self-draw were written down.
    let points = json!({ "kind": "points", "winner": 2, "points": 4 });
    assert_eq!(play(&mut game, &points), [-180, -180, 600, -240]);
    assert_eq!(totals(&game), [-440, 40, 920, -520]);
    assert_eq!(next(&game), (0, Wind::South, 0));
    let sheet = game.sheet().expect("a sheet");
    let numbers: Vec<_> =
        sheet.rows.iter().map(|row| row.deal.map_or(0, |one| one.number)).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 6, 7]);
    assert!(sheet.standings.iter().all(|one| one.table_points.is_none() && one.result().is_none()));
}

/// Base 50, 20 for each tai; every bonus tile counts, and neither bonus tiles nor honors count 2.
#[test]
fn an_evening_of_tw_star31() {
    let mut game = game("tw-star31");
    let flowers = format!("{CHOWS}||f1s4");
    // Five tai, and one for the dealer who discarded.
    assert_eq!(play(&mut game, &from(1, 0, CHOWS)), [-170, 170, 0, 0]);
    // Three tai of a concealed hand that draws and two of bonus tiles, won by the dealer.
    assert_eq!(play(&mut game, &drawn(1, &flowers)), [-170, 510, -170, -170]);
    play(&mut game, &json!({ "kind": "draw" }));
    assert_eq!(next(&game), (1, Wind::East, 2));
    // Neither the winner nor the payer deals.
    assert_eq!(play(&mut game, &from(3, 2, &flowers)), [0, 0, -110, 110]);
    assert_eq!(totals(&game), [-340, 680, -280, -60]);
    assert_eq!(next(&game), (2, Wind::East, 0));
    // The deal passes thirteen times more, and the evening is over.
    for _ in 0..13 {
        let winner = (next(&game).0 + 1) % 4;
        assert_eq!(game.sheet().expect("a sheet").state, State::Running);
        let points = json!({ "kind": "points", "winner": winner, "points": 0 });
        play(&mut game, &points);
    }
    // A deal that passed is one of sixteen; the dealer stayed on for two.
    let sheet = game.sheet().expect("a sheet");
    assert_eq!((sheet.state, sheet.rows.len()), (State::Running, 17));
    let dealer = next(&game).0;
    let winner = (dealer + 1) % 4;
    let points = json!({ "kind": "points", "winner": winner, "discarder": dealer, "points": 0 });
    play(&mut game, &points);
    assert_eq!(game.sheet().expect("a sheet").state, State::Complete);
    assert_eq!(totals(&game).iter().sum::<i32>(), 0);
}

#[test]
fn the_last_deal_goes_on_if_the_dealer_wins_by_the_same_discard() {
    let mut game = game("tw-common");
    for dealer in (0..15).map(|deal| deal % 4) {
        play(&mut game, &json!({ "kind": "points", "winner": (dealer + 1) % 4, "points": 1 }));
    }
    assert_eq!(next(&game), (3, Wind::North, 0));
    play(&mut game, &from(1, 0, CHOWS));
    assert_eq!(game.sheet().expect("a sheet").state, State::Complete);
    let mut dealer = from(3, 0, CHOWS);
    dealer["same_discard"] = json!(true);
    play(&mut game, &dealer);
    assert_eq!(next(&game), (3, Wind::North, 1));
}

#[test]
fn the_deal_passes_after_a_draw_where_a_table_says_so() {
    let mut game = game_with("dealer_stays_after_draw = false");
    play(&mut game, &json!({ "kind": "draw" }));
    assert_eq!(next(&game), (1, Wind::East, 0));
}

/// Returns the field and the fault of an entry that is refused.
fn refused(game: &mut Game, play: &Value) -> (String, OrderFault) {
    match add(game, play) {
        Err(GameError::OutOfOrder { fault, .. }) => (fault.field().to_owned(), fault),
        other => panic!("{play}: {other:?}"),
    }
}

/// Returns the points of another winner by the same discard.
fn second(winner: usize, discarder: impl Into<Value>) -> Value {
    let mut play = json!({ "kind": "points", "winner": winner, "discarder": discarder.into() });
    play["same_discard"] = json!(true);
    play["points"] = json!(3);
    play
}

/// Returns the field and the fault of another winner by another discard.
fn other_discard(winner: u8) -> (String, OrderFault) {
    let winner = Player::try_from(winner).expect("a player");
    ("same_discard".to_owned(), OrderFault::OtherDiscard(winner))
}

#[test]
fn a_second_winner_needs_the_same_discard_of_another_player() {
    let mut game = game("tw-common");
    assert_eq!(refused(&mut game, &second(1, 0)), other_discard(1), "the first entry");
    play(&mut game, &from(1, 0, CHOWS));
    assert_eq!(refused(&mut game, &second(2, 3)), other_discard(2), "another discard");
    assert_eq!(refused(&mut game, &second(2, Value::Null)), other_discard(2), "a self-draw");
    assert_eq!(refused(&mut game, &second(1, 0)), other_discard(1), "the same winner");
    play(&mut game, &second(2, 0));
    play(&mut game, &second(3, 0));
    assert_eq!(next(&game), (1, Wind::East, 0), "three winners, one deal");
    assert_eq!(refused(&mut game, &second(2, 0)), other_discard(2), "twice");
    let removed = act(&mut game, &json!({ "kind": "remove", "entry": 1 }));
    assert!(matches!(removed, Err(GameError::OutOfOrder { .. })), "{removed:?}");
    act(&mut game, &json!({ "kind": "remove", "entry": 3 })).expect("the last of the winners");
    for mut alone in [game_with("several_winners = false"), self::game("mcr-wmo")] {
        let first = json!({ "kind": "points", "winner": 1, "discarder": 0, "points": 8 });
        play(&mut alone, &first);
        let mut more = second(2, 0);
        more["points"] = json!(8);
        let fault = refused(&mut alone, &more);
        assert_eq!(fault, ("same_discard".to_owned(), OrderFault::OneWinner));
    }
}

#[test]
fn the_opened_wall_gives_winds_where_the_rules_have_it() {
    let none = ("east".to_owned(), OrderFault::NoOpenedWall);
    let mut east = from(1, 0, CHOWS);
    east["east"] = json!(2);
    assert_eq!(refused(&mut game_with("dealer_is_east = true"), &east), none);
    let mut mcr = from(1, 0, "123456789m11pFFF");
    mcr["east"] = json!(2);
    assert_eq!(refused(&mut game("mcr-wmo"), &mcr), none);
    // A further winner sits by the winds of the first one, also behind tai without a hand.
    let mut game = game("tw-common");
    play(&mut game, &east);
    play(&mut game, &self::second(2, 0));
    let mut second = from(3, 0, CHOWS);
    second["same_discard"] = json!(true);
    second["east"] = json!(1);
    assert_eq!(refused(&mut game, &second), ("east".to_owned(), OrderFault::OtherWinds));
    second.as_object_mut().expect("an object").remove("east");
    play(&mut game, &second);
    assert_eq!(last(&game).deal.map(|deal| deal.player_at(Wind::East).index()), Some(2));
}

#[test]
fn a_context_that_contradicts_the_streak_is_refused() {
    let mut game = game("tw-common");
    play(&mut game, &json!({ "kind": "draw" }));
    let mut win = drawn(0, CHOWS);
    win["context"] = json!({ "dealer_streak": 2 });
    let refused = add(&mut game, &win);
    assert!(matches!(refused, Err(GameError::Hand { .. })), "{refused:?}");
    win["context"] = json!({ "dealer_streak": 1, "dealer": "E", "declared": ["earth_ready"] });
    // An earthly ready hand counts 4, beside which a draw counts 1 and not 3; the dealer 3.
    assert_eq!(play(&mut game, &win), [780, -260, -260, -260]);
}

#[test]
fn the_sheet_shows_dealer_streak_and_tai() {
    let mut game = game("tw-common");
    play(&mut game, &json!({ "kind": "draw" }));
    let mut west = from(1, 3, WEST);
    west["east"] = json!(3);
    play(&mut game, &west);
    let view = GameView::for_onlookers(&game, 1, Lang::En).expect("a view");
    let row = serde_json::to_value(&view.rows[1]).expect("JSON");
    assert_eq!(row["deal"]["dealer"], 0);
    assert_eq!(row["deal"]["seats"], json!([3, 0, 1, 2]));
    assert_eq!((&row["deal"]["repeats"], &row["play"]["east"]), (&json!(1), &json!(3)));
    assert_eq!((&row["score"]["tai"], &row["score"]["dealer_tai"]), (&json!(3), &json!(3)));
    assert_eq!(view.next.and_then(|deal| deal.dealer).map(Player::index), Some(1));
    let table = csv(&game).expect("a table");
    let lines: Vec<&str> = table.lines().collect();
    let columns = "score,note,dealer,streak,tai,dealer_tai,Anna,";
    assert!(lines[0].contains(columns), "{table}");
    assert!(lines[2].contains(",3,,Anna,1,3,3,0,160,0,-160,"), "{table}");
}

/// An entry of the law below: who won, on whose discard, and whether beside the winner before.
#[derive(Debug, Clone, Copy)]
enum Event {
    Draw,
    Won { winner: usize, discarder: usize, tai: u32, beside: bool, east: usize },
}

fn event() -> impl Strategy<Value = Event> {
    let won = (0..4_usize, 0..4_usize, 0..30_u32, any::<bool>(), 0..4_usize);
    let won = won.prop_map(|(winner, discarder, tai, beside, east)| Event::Won {
        winner,
        discarder,
        tai,
        beside,
        east,
    });
    prop_oneof![1 => Just(Event::Draw), 4 => won]
}

impl Event {
    /// Returns the entry; a winner who is the discarder draws the tile.
    fn play(self) -> Value {
        let Event::Won { winner, discarder, tai, beside, east } = self else {
            return json!({ "kind": "draw" });
        };
        let from = if winner == discarder { Value::Null } else { json!(discarder) };
        let mut play = if tai == 0 {
            json!({ "kind": "win", "winner": winner, "discarder": from, "hand": CHOWS })
        } else {
            json!({ "kind": "points", "winner": winner, "discarder": from, "points": tai })
        };
        if beside {
            play["same_discard"] = json!(true);
        } else if tai == 0 {
            play["east"] = json!(east);
        }
        play
    }
}

/// The dealer, how often he stayed on, and how often the deal has passed, kept apart from the
/// engine.
#[derive(Debug, Clone, Copy, Default)]
struct Table {
    dealer: usize,
    streak: u32,
    passed: usize,
}

impl Table {
    fn after(self, dealer_stays: bool) -> Table {
        if dealer_stays {
            return Table { streak: self.streak + 1, ..self };
        }
        Table { dealer: (self.dealer + 1) % 4, streak: 0, passed: self.passed + 1 }
    }

    /// Returns what a player owes for tai of a hand, by the stakes of `tw-common`.
    fn owes(self, payer: usize, winner: usize, tai: u32) -> i32 {
        let of_dealer =
            if [payer, winner].contains(&self.dealer) { 2 * self.streak + 1 } else { 0 };
        (100 + 20 * (tai + of_dealer)) as i32
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Compares every entry with a small model: who deals, the streak, and what each player pays.
    #[test]
    fn dealers_streaks_and_payments_follow_the_winners(events in prop::collection::vec(event(), 0..40)) {
        let mut game = game("tw-common");
        let mut before = Table::default();
        let mut table = Table::default();
        let mut winners: Vec<usize> = Vec::new();
        let mut discard = None;
        for event in events {
            let entered = add(&mut game, &event.play());
            let Event::Won { winner, discarder, tai, beside, .. } = event else {
                prop_assert_eq!(entered.is_ok(), table.passed < 16);
                if table.passed < 16 {
                    before = table;
                    table = table.after(true);
                    winners.clear();
                    discard = None;
                }
                continue;
            };
            let fits = if beside {
                discard == Some(discarder) && winner != discarder && !winners.contains(&winner)
            } else {
                table.passed < 16
            };
            prop_assert_eq!(entered.is_ok(), fits, "{:?}: {:?}", event, entered);
            if !fits {
                continue;
            }
            if !beside {
                before = table;
                winners.clear();
            }
            winners.push(winner);
            discard = (winner != discarder).then_some(discarder);
            table = before.after(winners.contains(&before.dealer));
            // The hand has three tai, drawn or not.
            let tai = if tai == 0 { 3 } else { tai };
            let payments = last(&game).payments;
            for payer in (0..4).filter(|&payer| payer != winner) {
                let pays = winner == discarder || payer == discarder;
                let owed = if pays { before.owes(payer, winner, tai) } else { 0 };
                prop_assert_eq!(payments[payer], -owed);
            }
            let sheet = game.sheet().expect("a sheet");
            prop_assert_eq!(sheet.totals.iter().sum::<i32>(), 0);
            let next = sheet.next.map(|deal| (deal.dealer().index(), deal.repeats));
            prop_assert_eq!(next, (table.passed < 16).then_some((table.dealer, table.streak)));
        }
    }
}
