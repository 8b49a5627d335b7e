//! Evenings from the first deal to the standings, by the public library: whole games and laws.
//!
//! The hands are rows of the corpus, whose totals other programs computed; the test computes the
//! payments from the text of the rules.

use std::sync::{Arc, LazyLock};

use proptest::prelude::*;
use tilesight_core::context::ContextSetup;
use tilesight_core::contract::{ContextDto, Problem, ProblemKind};
use tilesight_core::evening::{
    Action, Draw, EntryId, Game, GameError, GameRecord, HandPoints, HandText, Manual, Meta, Other,
    Play, PlayDto, Player, Points, Rank, Reason, State, Win, csv,
};
use tilesight_core::hand::HandSetup;
use tilesight_core::notation::Notation;
use tilesight_core::rules::{Book, Profile};
use tilesight_core::tile::Wind;

use crate::mcr_rows;

/// A hand, whether it was self-drawn, and its score in any seat and round.
type KnownHand = (String, bool, i32);

/// Rows of the corpus whose score does not depend on winds, so any player can win them in any deal.
static HANDS: LazyLock<Vec<KnownHand>> = LazyLock::new(|| {
    let usual = mcr_rows::corpus().into_iter().filter(|row| {
        let setup = HandSetup::from(&row.row.hand());
        let context = row.row.context();
        let plain = !context.last_wall_tile && !context.last_of_kind;
        let kong = matches!(
            context.win.kind(),
            tilesight_core::context::WinKind::KongReplacement
                | tilesight_core::context::WinKind::RobbedKong
        );
        let points = row.wmo.total - setup.flowers.count() as u32;
        let no_wind = Wind::ALL.iter().all(|wind| setup.all().count(wind.tile()) == 0);
        plain && !kong && no_wind && points >= 8
    });
    let hands = usual.take(64).map(|row| {
        let text = Notation::from_hand(HandSetup::from(&row.row.hand())).to_string();
        let self_drawn = row.row.context().win.is_self_drawn();
        (text, self_drawn, row.wmo.total as i32)
    });
    hands.collect()
});

fn player(index: usize) -> Player {
    Player::ALL[index % 4]
}

fn game() -> Game {
    let names = ["Anna", "Bo", "Clara", "Dorte"].map(str::to_owned);
    Game::new("Thursday".to_owned(), names, Book::shipped().usual().clone()).expect("good names")
}

fn meta() -> Meta {
    Meta::default()
}

fn keyed(key: &str) -> Meta {
    Meta { key: Some(key.to_owned()), ..Meta::default() }
}

fn add(play: Play) -> Action {
    Action::Add { play, before: None }
}

/// Returns a won hand and its payments: each other player pays a basic 8 points; the hand's points
/// are paid by all on a self-draw, else by the discarder.
fn won(hand: usize, winner: usize, discarder: usize) -> (Play, Points) {
    let (text, self_drawn, total) = &HANDS[hand % HANDS.len()];
    let (winner, discarder) = (player(winner), player(discarder));
    let discarder = (!self_drawn).then_some(discarder);
    let payments = Player::ALL.map(|one| match one {
        one if one == winner => 24 + if *self_drawn { 3 * total } else { *total },
        one if *self_drawn || Some(one) == discarder => -8 - total,
        _ => -8,
    });
    let hand = HandText::new(text).expect("short");
    (
        Play::Win(Win {
            winner,
            discarder,
            same_discard: false,
            east: None,
            liable: None,
            hand,
            winning_tile_supposed: false,
            ruleset: None,
            context: ContextSetup::default(),
            others: Vec::new(),
        }),
        payments,
    )
}

fn sum(one: Points, other: Points) -> Points {
    std::array::from_fn(|at| one[at] + other[at])
}

fn false_mahjong(player: Player) -> Play {
    let payments = Player::ALL.map(|one| if one == player { -30 } else { 10 });
    let reason = Reason::FalseMahjong;
    let payments = payments.into();
    Play::Manual(Manual { reason, player, payments, ends_deal: false, note: None })
}

#[test]
fn an_evening_of_sixteen_hands() {
    let mut game = game();
    let mut totals = Points::default();
    for deal in 0..16 {
        let before = game.sheet().expect("a sheet");
        let next = before.next.expect("a deal is left");
        assert_eq!((before.state, next.number), (State::Running, deal + 1));
        assert_eq!(next.round, Wind::ALL[deal as usize / 4]);
        let deal = deal as usize;
        let (play, payments) = match deal {
            5 => (Play::Draw(Draw::default()), Points::default()),
            _ => won(deal, deal * 7, deal * 7 + 1 + deal % 3),
        };
        assert_eq!(game.apply(meta(), add(play)), Ok(true));
        totals = sum(totals, payments);
        let after = game.sheet().expect("a sheet");
        assert_eq!(after.totals, totals, "after deal {}", deal + 1);
        assert_eq!(after.rows[deal].payments, payments);
    }
    let sheet = game.sheet().expect("a sheet");
    assert_eq!((sheet.state, sheet.next), (State::Complete, None));
    assert_eq!(game.apply(meta(), add(Play::Draw(Draw::default()))), Err(GameError::Over));
    let totals_by_place: Vec<_> = sheet.standings.iter().map(|place| place.total).collect();
    assert!(totals_by_place.is_sorted_by(|one, other| one >= other));
    let points: f64 = sheet
        .standings
        .iter()
        .filter_map(|place: &Rank| place.table_points)
        .map(|one| one.as_f64())
        .sum();
    assert!((points - 7.0).abs() < 1e-9, "{points}");
    // A penalty may come after the last hand.
    assert_eq!(game.apply(meta(), add(false_mahjong(player(2)))), Ok(true));
    assert_eq!(game.sheet().expect("a sheet").totals[2], totals[2] - 30);
}

#[test]
fn seats_follow_the_rules_and_change_scores() {
    let mut game = game();
    // All pungs with a pung of South: a pung of the seat wind to South alone.
    let hand = "[222m,2][888p,3]5777sSSS5s";
    let total = |game: &Game| {
        let rows = game.sheet().expect("a sheet").rows;
        rows.last().and_then(|row| row.scored.as_ref()).map(|one| one.score().total)
    };
    let win = |winner: usize, discarder: usize| {
        let hand = HandText::new(hand).expect("short");
        let (winner, discarder) = (player(winner), Some(player(discarder)));
        add(Play::Win(Win {
            winner,
            discarder,
            same_discard: false,
            east: None,
            liable: None,
            hand,
            winning_tile_supposed: false,
            ruleset: None,
            context: ContextSetup::default(),
            others: Vec::new(),
        }))
    };
    let mut seen = Vec::new();
    for _ in 0..4 {
        game.apply(meta(), win(0, 1)).expect("a win");
        seen.push(total(&game).expect("a score"));
    }
    // Anna is East, North, West, South in the East round: the seat wind counts in her fourth deal.
    assert!(seen[0] == seen[1] && seen[1] == seen[2], "{seen:?}");
    assert!(seen[3] > seen[0], "{seen:?}");
    // In the South round South is the prevalent wind, and Anna, who began as East, begins as South.
    game.apply(meta(), win(0, 1)).expect("a win");
    assert!(total(&game).expect("a score") > seen[3]);
}

#[test]
fn a_correction_can_be_undone() {
    let mut game = game();
    let (first, paid) = won(0, 0, 1);
    let (second, paid_next) = won(1, 2, 3);
    game.apply(meta(), add(first.clone())).expect("a win");
    game.apply(meta(), add(second)).expect("a win");
    let before = game.sheet().expect("a sheet");
    let (right, really) = won(0, 3, 1);
    game.apply(meta(), Action::Correct { entry: EntryId(1), play: right }).expect("a correction");
    let corrected = game.sheet().expect("a sheet");
    assert_eq!(corrected.totals, sum(really, paid_next));
    assert!(corrected.rows[0].corrected && !corrected.rows[1].corrected);
    assert!(matches!(&game.changes()[0].action, Action::Add { play, .. } if *play == first));
    assert_eq!(game.undo(meta()), Ok(true));
    assert_eq!(game.sheet().expect("a sheet"), before);
    assert!(game.is_undone(3) && game.changes().len() == 4, "nothing is forgotten");
    // Undoing again undoes the change before, back to the empty sheet.
    assert_eq!((game.undo(meta()), game.undo(meta())), (Ok(true), Ok(true)));
    assert_eq!(game.sheet().expect("a sheet").rows.len(), 0);
    assert_eq!(game.undo(meta()), Err(GameError::NothingToUndo));
    let _ = paid;
}

#[test]
fn a_forgotten_draw_moves_the_later_deals() {
    let mut game = game();
    for hand in 0..3 {
        game.apply(meta(), add(won(hand, hand, hand + 1).0)).expect("a win");
    }
    let before = Some(EntryId(2));
    game.apply(meta(), Action::Add { play: Play::Draw(Draw::default()), before }).expect("a draw");
    let rows = game.sheet().expect("a sheet").rows;
    let order: Vec<_> = rows.iter().map(|row| row.entry.0).collect();
    assert_eq!(order, [1, 4, 2, 3]);
    let deals: Vec<_> = rows.iter().filter_map(|row| row.deal).map(|deal| deal.number).collect();
    assert_eq!(deals, [1, 2, 3, 4]);
    game.apply(meta(), Action::Remove { entry: EntryId(4) }).expect("there is such an entry");
    assert_eq!(game.sheet().expect("a sheet").rows.len(), 3);
    let gone = Action::Correct { entry: EntryId(4), play: Play::Draw(Draw::default()) };
    assert_eq!(game.apply(meta(), gone), Err(GameError::NoEntry(EntryId(4))));
}

#[test]
fn a_change_that_a_later_one_needs_can_not_be_undone() {
    let mut game = game();
    game.apply(meta(), add(won(0, 0, 1).0)).expect("a win");
    let draw = Action::Correct { entry: EntryId(1), play: Play::Draw(Draw::default()) };
    game.apply(meta(), draw).expect("a correction");
    let refused = game.apply(meta(), Action::Undo { change: 1 }).expect_err("it is needed");
    assert_eq!(refused, GameError::StillNeeded(1));
    assert_eq!(Problem::from(&refused).kind, ProblemKind::InvalidEntry);
    assert_eq!(game.apply(meta(), Action::Undo { change: 2 }), Ok(true));
    assert_eq!(game.apply(meta(), Action::Undo { change: 1 }), Ok(true));
}

#[test]
fn an_action_with_the_same_key_is_done_once() {
    let mut game = game();
    let (play, _) = won(0, 0, 1);
    assert_eq!(game.apply(keyed("a"), add(play.clone())), Ok(true));
    assert_eq!(game.apply(keyed("a"), add(play.clone())), Ok(false));
    assert_eq!(game.apply(keyed("a"), add(Play::Draw(Draw::default()))), Err(GameError::KeyReused));
    assert_eq!(game.apply(keyed("b"), add(play)), Ok(true), "two hands may be alike");
    assert_eq!(game.undo(keyed("c")), Ok(true));
    assert_eq!(game.undo(keyed("c")), Ok(false), "one press of the button takes one hand back");
    assert_eq!(game.sheet().expect("a sheet").rows.len(), 1);
}

#[test]
fn a_finished_game_accepts_no_hand_until_its_end_is_undone() {
    let mut game = game();
    game.apply(meta(), add(Play::Draw(Draw::default()))).expect("a draw");
    game.apply(meta(), Action::Finish).expect("an end");
    assert_eq!(game.sheet().expect("a sheet").state, State::Finished);
    assert_eq!(game.apply(meta(), add(Play::Draw(Draw::default()))), Err(GameError::Over));
    game.undo(meta()).expect("an undo");
    assert_eq!(game.apply(meta(), add(Play::Draw(Draw::default()))), Ok(true));
}

#[test]
fn invalid_actions_are_rejected_and_change_nothing() {
    let mut game = game();
    let win = |hand: &str, winner, discarder: Option<usize>, context: &str| {
        let context: ContextDto = serde_json::from_str(context).expect(context);
        let (winner, discarder) = (player(winner), discarder.map(player));
        add(Play::Win(Win {
            winner,
            discarder,
            same_discard: false,
            east: None,
            liable: None,
            hand: HandText::new(hand).expect("short"),
            winning_tile_supposed: false,
            ruleset: context.ruleset,
            context: context.setup,
            others: Vec::new(),
        }))
    };
    let kind = |error: &GameError| match error {
        GameError::Hand { problem, .. } => Some(problem.kind),
        _ => None,
    };
    let good = "123456789m11pFFF";
    for (action, expected) in [
        (win("123456789m11pFF2s", 0, Some(1), "{}"), ProblemKind::NotAWin),
        (win("123456789m11pF", 0, Some(1), "{}"), ProblemKind::InvalidHand),
        (win("hello", 0, Some(1), "{}"), ProblemKind::UnreadableNotation),
        (win(good, 0, Some(1), r#"{ "seat": "N" }"#), ProblemKind::InvalidContext),
        (win(good, 0, Some(1), r#"{ "win": "self_drawn" }"#), ProblemKind::InvalidContext),
        (win(good, 0, Some(1), r#"{ "from": "across" }"#), ProblemKind::InvalidContext),
        (win(good, 0, None, r#"{ "win": "discard" }"#), ProblemKind::InvalidContext),
        (win(good, 0, Some(1), r#"{ "ruleset": "mcr-mil" }"#), ProblemKind::InvalidContext),
    ] {
        let error = game.apply(meta(), action.clone()).expect_err("it can't be");
        assert_eq!(kind(&error), Some(expected), "{action:?}: {error}");
    }
    assert_eq!(game.apply(meta(), win(good, 0, Some(0), "{}")), Err(GameError::OwnDiscard));
    let little = game.apply(meta(), win("[123m,1][567m,1]789p22p34s5s", 0, Some(1), "{}"));
    assert!(matches!(little, Err(GameError::BelowMinimum { needed: 8, .. })), "{little:?}");
    let Play::Manual(manual) = false_mahjong(player(1)) else { unreachable!() };
    let points = |discarder, points| {
        add(Play::Points(HandPoints {
            winner: player(0),
            discarder,
            same_discard: false,
            liable: None,
            points,
        }))
    };
    let own = game.apply(meta(), points(Some(player(0)), 30));
    assert_eq!(own, Err(GameError::OwnDiscard));
    let little = game.apply(meta(), points(None, 7));
    let (entry, field, needed, missing) = (EntryId(1), "points", 8, 1);
    assert_eq!(little, Err(GameError::BelowMinimum { entry, field, needed, missing }));
    let much = game.apply(meta(), points(None, 100_001));
    assert_eq!(much, Err(GameError::TooManyPoints { field: "points", max: 100_000 }));
    let unbalanced = Manual { payments: [10, -30, 10, 11].into(), ..manual };
    assert_eq!(game.apply(meta(), add(Play::Manual(unbalanced))), Err(GameError::Unbalanced(1)));
    let names = |names: [&str; 4]| {
        Game::new(String::new(), names.map(str::to_owned), Book::shipped().usual().clone())
            .map(|_| ())
    };
    assert!(names(["A", "B", "C", "D"]).is_ok());
    assert!(matches!(names(["A", "B", "C", " A "]), Err(GameError::Names { .. })));
    assert!(matches!(names(["A", "B", "C", ""]), Err(GameError::Names { .. })));
    assert!(game.changes().is_empty() && game.sheet().expect("a sheet").rows.is_empty());
    let _: Option<Problem> = None;
}

#[test]
fn a_hand_object_is_stored_as_its_notation() {
    let hand = r#"{ "concealed": ["1m","2m","3m","4p","5p","6p","7s","8s","9s","5s"],
        "winning_tile": "5s", "melds": [{ "kind": "pung", "tiles": ["C","C","C"], "from": "across" }],
        "flowers": ["f1", "s2", "f3", "f4"] }"#;
    let play = format!(r#"{{ "kind": "win", "winner": 2, "hand": {hand} }}"#);
    let mut game = game();
    let play: PlayDto = serde_json::from_str(&play).expect(&play);
    let play = Play::try_from(play).expect("a hand");
    let mut as_text = game.clone();
    game.apply(meta(), add(play)).expect("nine points with its flowers, eight without");
    let Action::Add { play: Play::Win(win), .. } = &game.changes()[0].action else { panic!() };
    assert_eq!(win.hand.as_str(), "[CCC,2]123m456p5789s5s||acdf");
    let play = Play::Win(win.clone());
    as_text.apply(meta(), add(play)).expect("the same");
    assert_eq!(game, as_text);
}

#[test]
fn a_winning_tile_that_was_supposed_stays_supposed() {
    let play = r#"{ "kind": "win", "winner": 1, "discarder": 0, "hand": "123456789m11pFFF",
        "winning_tile_supposed": true }"#;
    let shown: PlayDto = serde_json::from_str(play).expect(play);
    let mut game = game();
    game.apply(meta(), add(Play::try_from(shown).expect("a hand"))).expect("a win");
    let json = serde_json::to_string(&game).expect("no map keys");
    let record: GameRecord = serde_json::from_str(&json).expect(&json);
    assert_eq!(record.open(&Book::shipped()).as_ref(), Ok(&game));
    let sheet = game.sheet().expect("a sheet");
    assert_eq!(
        sheet.rows[0].supposed_winning_tile().map(|tile| tile.to_string()),
        Some("F".into())
    );
    let shown = serde_json::to_value(PlayDto::from(&sheet.rows[0].play)).expect("JSON");
    assert_eq!(shown["winning_tile_supposed"], true);
    let table = csv(&game).expect("a sheet");
    let mut lines = table.lines();
    assert!(lines.next().expect("a head").contains(",hand,supposed,score,"), "{table}");
    assert!(table.contains("123456789m11pFFF,F,21,"), "{table}");
    // It becomes known later which tile won.
    let stated = won(0, 1, 0).0;
    game.apply(meta(), Action::Correct { entry: EntryId(1), play: stated }).expect("a correction");
    assert_eq!(game.sheet().expect("a sheet").rows[0].supposed_winning_tile(), None);
}

#[test]
fn a_game_reads_back_and_exports_every_row() {
    let mut game = game();
    for hand in 0..5 {
        game.apply(meta(), add(won(hand, hand, hand + 1).0)).expect("a win");
    }
    game.apply(meta(), add(false_mahjong(player(3)))).expect("a penalty");
    let rename = Action::Rename {
        title: "Friday".to_owned(),
        players: ["Anna, the first", "Bo", "=Clara", "Dorte"].map(str::to_owned).to_vec(),
    };
    game.apply(meta(), rename).expect("other names");
    let json = serde_json::to_string(&game).expect("no map keys");
    let record: GameRecord = serde_json::from_str(&json).expect(&json);
    assert_eq!(record.open(&Book::shipped()).as_ref(), Ok(&game));
    let table = csv(&game).expect("a sheet");
    let lines: Vec<_> = table.lines().collect();
    assert_eq!(lines.len(), 1 + 6 + 4, "a head, entries and places");
    assert!(lines[0].contains("\"Anna, the first\",Bo,'=Clara,Dorte"), "{}", lines[0]);
    assert!(lines[6].starts_with("6,S,"), "{}", lines[6]);
    let totals = game.sheet().expect("a sheet").totals.map(|one| one.to_string()).join(",");
    assert!(lines[6].ends_with(&format!("{totals},,,,")), "{}", lines[6]);
    let totals = game.sheet().expect("a sheet").standings.into_iter().map(|one| one.total);
    for (line, total) in lines[7..].iter().zip(totals) {
        assert!(line.contains(",place,") && line.contains(&format!(",{total},")), "{line}");
    }
}

/// Generates any action of a player.
fn action() -> impl Strategy<Value = Option<Action>> {
    let entry = (1_u32..12).prop_map(EntryId);
    let play = prop_oneof![
        4 => (0..64_usize, 0..4_usize, 1..4_usize).prop_map(|(hand, winner, on)| won(hand, winner, winner + on).0),
        1 => Just(Play::Draw(Draw::default())),
        1 => (0..4_usize).prop_map(|one| false_mahjong(player(one))),
        1 => (0..4_usize, 0..4_usize, 0..200_u32).prop_map(|(winner, on, points)| {
            let discarder = (on > 0).then(|| player(winner + on));
            Play::Points(HandPoints { winner: player(winner), discarder, same_discard: false, liable: None, points })
        }),
    ];
    let action = prop_oneof![
        6 => play.clone().prop_map(add),
        2 => (entry.clone(), play.clone()).prop_map(|(entry, play)| Action::Correct { entry, play }),
        1 => (entry.clone(), play).prop_map(|(entry, play)| Action::Add { play, before: Some(entry) }),
        1 => entry.prop_map(|entry| Action::Remove { entry }),
        1 => Just(Action::Finish),
    ];
    // `None` is an undo.
    prop_oneof![5 => action.prop_map(Some), 1 => Just(None)]
}

fn act(game: &mut Game, action: Option<Action>) -> Result<bool, GameError> {
    match action {
        Some(action) => game.apply(meta(), action),
        None => game.undo(meta()),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn totals_always_sum_to_zero(actions in prop::collection::vec(action(), 0..30)) {
        let mut game = game();
        for action in actions {
            let before = game.clone();
            match act(&mut game, action) {
                Ok(_) => prop_assert!(game.changes().starts_with(before.changes()), "the journal only grows"),
                Err(_) => prop_assert_eq!(&game, &before),
            }
            let sheet = game.sheet().expect("every applied action leaves a sheet");
            prop_assert_eq!(sheet.totals.iter().sum::<i32>(), 0);
            let mut totals = Points::default();
            for row in &sheet.rows {
                prop_assert_eq!(row.payments.iter().sum::<i32>(), 0);
                totals = sum(totals, row.payments);
                prop_assert_eq!(row.totals, totals);
            }
            prop_assert_eq!(sheet.totals, totals);
            prop_assert!(sheet.rows.iter().filter_map(|row| row.deal).is_sorted_by_key(|deal| deal.number));
        }
    }

    #[test]
    fn an_undo_restores_the_sheet(actions in prop::collection::vec(action(), 0..20), last in action()) {
        let mut game = game();
        for action in actions {
            let _ = act(&mut game, action);
        }
        let before = game.sheet().expect("a sheet");
        if last.is_some() && act(&mut game, last).is_ok() {
            game.undo(meta()).expect("there is something to undo");
            prop_assert_eq!(game.sheet().expect("a sheet"), before);
        }
    }

    #[test]
    fn a_correction_equals_entering_it_right_at_once(
        hands in prop::collection::vec((0..64_usize, 0..4_usize, 1..4_usize), 1..16),
        at in 0..16_usize, right in (0..64_usize, 0..4_usize, 1..4_usize),
    ) {
        let at = at % hands.len();
        let play = |(hand, winner, on): (usize, usize, usize)| won(hand, winner, winner + on).0;
        let (mut corrected, mut plain) = (game(), game());
        for (place, &hand) in hands.iter().enumerate() {
            corrected.apply(meta(), add(play(hand))).expect("a win");
            plain.apply(meta(), add(play(if place == at { right } else { hand }))).expect("a win");
        }
        let entry = EntryId(at as u32 + 1);
        corrected.apply(meta(), Action::Correct { entry, play: play(right) }).expect("a correction");
        let rows = |game: &Game| {
            let rows = game.sheet().expect("a sheet").rows.into_iter();
            rows.map(|row| (row.play, row.payments, row.totals)).collect::<Vec<_>>()
        };
        prop_assert_eq!(rows(&corrected), rows(&plain));
    }
}

/// Returns a game by another profile.
fn game_by(profile: &str) -> Game {
    let (book, id) = (Book::shipped(), profile.parse().expect(profile));
    game_of(book.get(id).expect(profile).clone())
}

fn game_of(profile: Arc<Profile>) -> Game {
    let names = ["Anna", "Bo", "Clara", "Dorte"].map(str::to_owned);
    Game::new(String::new(), names, profile).expect("names")
}

/// Plays the second deal, in which Bo is East, Clara South, Dorte West and Anna North. It is won
/// with a hand of which only the points are known.
fn second_deal(mut game: Game, winner: usize, discarder: Option<usize>, points: u32) -> Points {
    let passed = Play::Points(HandPoints {
        winner: player(2),
        discarder: None,
        same_discard: false,
        liable: None,
        points: 8,
    });
    game.apply(meta(), add(passed)).expect("a deal that passes");
    let (winner, discarder) = (player(winner), discarder.map(player));
    let play =
        Play::Points(HandPoints { winner, discarder, same_discard: false, liable: None, points });
    game.apply(meta(), add(play)).expect("points");
    let sheet = game.sheet().expect("a sheet");
    let row = sheet.rows.last().expect("two rows");
    assert_eq!((row.total(), row.scored.is_none()), (Some(points), true));
    assert_eq!(sheet.next.map(|deal| deal.number), Some(3), "it ends the deal");
    row.payments
}

#[test]
fn a_hand_without_tiles_is_settled_by_the_rules() {
    // The payments by each game's own rules, computed by hand.
    for (rules, winner, discarder, points, expected) in [
        ("mcr-wmo", 0, None, 20, [84, -28, -28, -28]),
        ("mcr-wmo", 3, Some(1), 32, [-8, -40, -8, 56]),
        ("mmm", 1, None, 24, [-8, 24, -8, -8]),
        ("mmm", 2, None, 24, [-6, -12, 24, -6]),
        ("mmm", 2, Some(3), 24, [0, 0, 24, -24]),
        ("classical-dmjl", 1, Some(3), 50, [-100, 300, -100, -100]),
        ("classical-dmjl", 3, Some(1), 50, [-50, -100, -50, 200]),
        // Faan: the table makes 24 of 5, and 384 of 13 and more.
        ("hk-old", 1, None, 5, [-48, 144, -48, -48]),
        ("hk-old", 2, Some(3), 5, [-24, -24, 96, -48]),
        ("hk-npm", 2, Some(3), 15, [0, 0, 1536, -1536]),
        ("hk-tiers", 0, Some(3), 10, [256, -64, -64, -128]),
    ] {
        let paid = second_deal(game_by(rules), winner, discarder, points);
        assert_eq!(paid, expected, "{rules}, {winner} from {discarder:?}, {points}");
    }
    // An option of the table.
    let profile = "id = \"own\"\ngame = \"classical\"\nextends = \"classical-dmjl\"\n\
                   [title]\nen = \"Own\"\n[options]\neast_doubles = false\n";
    let profile = Arc::new(Profile::parse(profile).expect(profile));
    assert_eq!(second_deal(game_of(profile), 1, Some(3), 50), [-50, 150, -50, -50]);
}

#[test]
fn a_hand_without_tiles_is_kept_shown_and_exported_as_its_points() {
    let mut game = game();
    let play = r#"{ "kind": "points", "winner": 1, "discarder": 0, "points": 30 }"#;
    let shown: PlayDto = serde_json::from_str(play).expect(play);
    game.apply(meta(), add(Play::try_from(shown.clone()).expect("points"))).expect("a win");
    let json = serde_json::to_string(&game).expect("no map keys");
    let record: GameRecord = serde_json::from_str(&json).expect(&json);
    assert_eq!(record.open(&Book::shipped()).as_ref(), Ok(&game));
    let sheet = game.sheet().expect("a sheet");
    assert_eq!(PlayDto::from(&sheet.rows[0].play), shown);
    let table = csv(&game).expect("a sheet");
    let last = table.lines().nth(1);
    assert_eq!(last, Some("1,E,Anna,points,Bo,Anna,,,30,,-38,54,-8,-8,-38,54,-8,-8,,,,"));
}

fn win(winner: usize, discarder: Option<usize>, hand: &str, others: &[(usize, &str)]) -> Action {
    let others = others.iter().map(|&(one, hand)| Other {
        player: player(one),
        hand: HandText::new(hand).expect("short"),
    });
    add(Play::Win(Win {
        winner: player(winner),
        discarder: discarder.map(player),
        same_discard: false,
        east: None,
        liable: None,
        hand: HandText::new(hand).expect("short"),
        winning_tile_supposed: false,
        ruleset: None,
        context: ContextSetup::default(),
        others: others.collect(),
    }))
}

/// Three pungs of dragons, twelve doublings by 1.2.22: the highest value, 600, and 900 for East.
const DRAGONS: &str = "CCCFFFPPP123m55s";

#[test]
fn an_evening_of_mmm_has_sixteen_deals_and_east_pays_a_half() {
    let mut game = game_by("mmm");
    let mut totals = Points::default();
    for deal in 0..16_usize {
        // Winds always rotate and nobody changes seats: the dealers come in turn.
        let dealer = deal % 4;
        let winner = (deal / 4 + 1) % 4;
        let next = game.sheet().expect("a sheet").next.expect("a deal is left");
        assert_eq!((next.player_at(Wind::East).index(), next.repeats), (dealer, 0));
        game.apply(meta(), win(winner, None, DRAGONS, &[])).expect("a self-drawn win");
        let payments = Player::ALL.map(|one| match (one.index(), winner == dealer) {
            (one, true) if one == winner => 900,
            (one, false) if one == winner => 600,
            (_, true) => -300,
            (one, false) if one == dealer => -300,
            (_, false) => -150,
        });
        totals = sum(totals, payments);
        assert_eq!(game.sheet().expect("a sheet").totals, totals, "after deal {}", deal + 1);
    }
    let sheet = game.sheet().expect("a sheet");
    assert_eq!(sheet.state, State::Complete);
    assert!(
        sheet.standings.iter().all(|place| place.table_points.is_none()),
        "the source has none"
    );
}

/// Returns the next deal: its dealer, its round, and how often the dealer has dealt again.
fn next_deal(game: &Game) -> (usize, Wind, u32) {
    let next = game.sheet().expect("a sheet").next.expect("a deal is left");
    (next.player_at(Wind::East).index(), next.round, next.repeats)
}

#[test]
fn an_evening_of_hong_kong_keeps_a_winning_east_and_pays_by_the_table() {
    let mut game = game_by("hk-old");
    // Big three dragons 8, self-draw, concealed hand and no bonus tiles: 11 faan are worth 192.
    game.apply(meta(), win(0, None, DRAGONS, &[])).expect("a win");
    assert_eq!(game.sheet().expect("a sheet").totals, [1152, -384, -384, -384]);
    assert_eq!(next_deal(&game), (0, Wind::East, 1), "East deals again after winning");
    game.apply(meta(), add(Play::Draw(Draw::default()))).expect("a draw");
    assert_eq!(next_deal(&game), (0, Wind::East, 2), "and after a draw");
    // On a discard 10 faan are worth 128; East pays no more than the others.
    game.apply(meta(), win(1, Some(0), DRAGONS, &[])).expect("a win");
    let last = game.sheet().expect("a sheet").rows.last().map(|row| row.payments);
    assert_eq!(last, Some([-256, 512, -128, -128]));
    assert_eq!(next_deal(&game), (1, Wind::East, 0), "the deal has passed");
    // Two faan are below the minimum of three, as a hand and as a number.
    let short = win(0, Some(1), "[222m,1]345p777s888s5m5m", &[]);
    assert!(matches!(game.apply(meta(), short), Err(GameError::BelowMinimum { missing: 2, .. })));
    let points = HandPoints {
        winner: player(0),
        discarder: None,
        same_discard: false,
        liable: None,
        points: 2,
    };
    let short = game.apply(meta(), add(Play::Points(points)));
    assert!(matches!(short, Err(GameError::BelowMinimum { missing: 1, .. })), "{short:?}");
    // South wins the other deals of four rounds, and the evening is over.
    for _ in 1..16 {
        let next = game.sheet().expect("a sheet").next.expect("a deal is left");
        let south = next.player_at(Wind::South).index();
        game.apply(meta(), win(south, None, DRAGONS, &[])).expect("a win");
    }
    let sheet = game.sheet().expect("a sheet");
    assert_eq!((sheet.state, sheet.rows.len()), (State::Complete, 18));
    assert_eq!(sheet.totals.iter().sum::<i32>(), 0);
}

#[test]
fn the_deal_passes_after_a_draw_where_a_table_says_so() {
    let profile =
        "id = \"own\"\nextends = \"hk-old\"\n[options]\ndealer_stays_after_draw = false\n";
    let mut game = game_of(Arc::new(Profile::parse(profile).expect(profile)));
    game.apply(meta(), add(Play::Draw(Draw::default()))).expect("a draw");
    assert_eq!(next_deal(&game), (1, Wind::East, 0));
    game.apply(meta(), win(1, None, DRAGONS, &[])).expect("a win");
    assert_eq!(next_deal(&game), (1, Wind::East, 1));
}

#[test]
fn a_classical_evening_keeps_a_winning_east_and_settles_all_players() {
    let mut game = game_by("classical-dmjl");
    let east = |game: &Game| {
        let next = game.sheet().expect("a sheet").next.expect("a deal is left");
        (next.player_at(Wind::East).index(), next.round, next.repeats)
    };
    // Three pungs of dragons are a limit hand, 500: East gets double from everybody and stays.
    game.apply(meta(), win(0, None, DRAGONS, &[])).expect("a win");
    assert_eq!(game.sheet().expect("a sheet").totals, [3000, -1000, -1000, -1000]);
    assert_eq!(east(&game), (0, Wind::East, 1));
    game.apply(meta(), add(Play::Draw(Draw::default()))).expect("a draw");
    assert_eq!(east(&game), (0, Wind::East, 2), "East stays after a draw");
    // Bo wins the limit; the losers' hands: Clara has a concealed pung of twos, 4; Anna and Dorte
    // nothing.
    let nothing = "147m258p369sESWN";
    let losers = [(0, nothing), (2, "222m58p369sESWNC"), (3, nothing)];
    game.apply(meta(), win(1, Some(2), DRAGONS, &losers)).expect("a win");
    // Bo gets 1000 of East and 500 of the others; Clara gets 8 of East and 4 of Dorte.
    let last = game.sheet().expect("a sheet").rows.last().map(|row| row.payments);
    assert_eq!(last, Some([-1008, 2000, -488, -504]));
    assert_eq!(east(&game), (1, Wind::East, 0), "now the deal has passed");
    // The player at South wins fifteen more deals, and the game is over: seventeen in all and one.
    for _ in 0..15 {
        let next = game.sheet().expect("a sheet").next.expect("a deal is left");
        let south = next.player_at(Wind::South).index();
        game.apply(meta(), win(south, None, DRAGONS, &[])).expect("a win");
    }
    let sheet = game.sheet().expect("a sheet");
    assert_eq!((sheet.state, sheet.rows.len()), (State::Complete, 18));
    assert_eq!(sheet.totals.iter().sum::<i32>(), 0);
}
