//! A series: results, standings, substitutes, records, and tables of results.

use std::sync::Arc;

use proptest::prelude::*;
use tilesight_core::contract::{Problem, ProblemKind};
use tilesight_core::evening::{Action, Game, GameError, HandPoints, Meta, Play, Player};
use tilesight_core::explain::Lang;
use tilesight_core::rules::Book;
use tilesight_core::series::{
    Chair, FixedScore, NewSeriesDto, Order, Presence, RankingDto, ResultRow, ResultTable, Series,
    SeriesAction, SeriesChangeDto, SeriesError, SeriesPlayer, SeriesRecord, SeriesView, Standing,
    collect, read_results, results_table, standings, standings_table,
};

const NAMES: [&str; 8] = ["Anna", "Bo", "Clara", "Dorte", "Eva", "Finn", "Gerd", "Hal"];

fn series(ruleset: &str, players: usize, ranking: RankingDto) -> Series {
    let book = Book::shipped();
    let new = NewSeriesDto {
        title: "League".to_owned(),
        ruleset: Some(ruleset.parse().expect("a name")),
        players: NAMES[..players].iter().map(|name| (*name).to_owned()).collect(),
        rounds: 0,
        ranking,
    };
    new.begin(&book).expect("a series")
}

#[test]
fn a_name_that_is_too_long_is_a_fault_of_the_series() {
    let mut players = NAMES.map(str::to_owned).to_vec();
    players[2] = "Clara".repeat(20);
    let new = NewSeriesDto {
        title: "League".to_owned(),
        ruleset: None,
        players,
        rounds: 0,
        ranking: RankingDto::default(),
    };
    let problem = new.begin(&Book::shipped()).expect_err("a name of 100 letters");
    assert_eq!(problem.kind, ProblemKind::InvalidSeries, "{problem:?}");
    assert_eq!(problem.errors[0].field, "players");
}

#[test]
fn an_evening_of_other_rules_or_of_moved_players_is_no_table_of_the_series() {
    let mut series = series("mcr-wmo", 4, RankingDto::default());
    seat(&mut series, &[[1, 2, 3, 4]]);
    for (ruleset, players, accepted) in [
        ("mcr-wmo", ["Anna", "Bo", "Clara", "Dorte"], true),
        ("mcr-wmo", ["anna", "Bo B.", "Clara", "Dorte"], true),
        ("mcr-wmo", ["Bo", "Anna", "Clara", "Dorte"], false),
        ("mcr-wmo", ["Anna", "Bo", "Dorte", "Eva"], false),
        ("hk-old", ["Anna", "Bo", "Clara", "Dorte"], false),
    ] {
        let rules = Book::shipped().get(ruleset.parse().expect("a name")).expect("shipped").clone();
        let players = players.map(str::to_owned).to_vec();
        let game = Game::new(String::new(), players.clone(), rules).expect("a game");
        let checked = series.check_evening(1, 1, &game);
        assert_eq!(checked.is_ok(), accepted, "{ruleset} {players:?}: {checked:?}");
        assert!(checked.err().is_none_or(|error| error.field() == "game"));
    }
}

fn player(number: usize) -> SeriesPlayer {
    SeriesPlayer::from_index(number - 1)
}

fn act(series: &mut Series, json: &str) -> Result<bool, String> {
    let change = SeriesChangeDto::from_json(format!(r#"{{"action":{json}}}"#).as_bytes());
    let action = change.map_err(|problem| problem.to_string())?.action;
    series.apply(Meta::default(), action).map_err(|error| error.to_string())
}

fn enter(series: &mut Series, round: u32, table: u32, points: &[i32]) {
    let action = SeriesAction::Result { round, table, points: points.to_vec() };
    series.apply(Meta::default(), action).expect("a result");
}

/// Seats tables by hand: the numbers of the players, table by table.
fn seat(series: &mut Series, tables: &[[usize; 4]]) {
    let tables = tables.iter().map(|table| table.map(player).map(Chair::for_player).to_vec());
    let action = SeriesAction::Seat {
        round: None,
        seed: None,
        absent: Vec::new(),
        guests: Vec::new(),
        tables: tables.collect(),
    };
    series.apply(Meta::default(), action).expect("a seating");
}

fn places(series: &Series) -> Vec<(u32, String, f64, i64)> {
    let progress = series.progress().expect("progress");
    let all = standings(&progress, progress.rounds.len());
    let row = |one: &Standing| {
        let name = progress.name_of(one.player).to_owned();
        (one.place, name, one.score.table_points.as_f64(), one.score.points)
    };
    all.iter().map(row).collect()
}

#[test]
fn table_points_decide_and_then_points() {
    let mut league = series("mcr-wmo", 8, RankingDto::default());
    seat(&mut league, &[[1, 2, 3, 4], [5, 6, 7, 8]]);
    enter(&mut league, 1, 1, &[50, 10, -20, -40]);
    enter(&mut league, 1, 2, &[80, -20, -20, -40]);
    let row = |place, name: &str, earned, points| (place, name.to_owned(), earned, points);
    assert_eq!(
        places(&league),
        [
            row(1, "Eva", 4.0, 80),
            row(2, "Anna", 4.0, 50),
            row(3, "Bo", 2.0, 10),
            row(4, "Finn", 1.5, -20),
            row(4, "Gerd", 1.5, -20),
            row(6, "Clara", 1.0, -20),
            row(7, "Dorte", 0.0, -40),
            row(7, "Hal", 0.0, -40),
        ]
    );
    // Late: two table points are taken, in the first round.
    act(
        &mut league,
        r#"{"kind":"penalty","player":5,"round":1,"value":{"table_points":-2},"note":"late"}"#,
    )
    .expect("a penalty");
    assert_eq!(places(&league)[1], row(2, "Eva", 2.0, 80));
    act(&mut league, r#"{"kind":"undo","change":4}"#).expect("an undo");
    assert_eq!(places(&league)[0], row(1, "Eva", 4.0, 80));
}

#[test]
fn riichi_is_ranked_by_uma_whether_the_start_is_entered_or_not() {
    let mut one = series("riichi-wrc", 4, RankingDto::default());
    seat(&mut one, &[[1, 2, 3, 4]]);
    let mut other = one.clone();
    enter(&mut one, 1, 1, &[12_000, 3_000, -5_000, -10_000]);
    enter(&mut other, 1, 1, &[42_000, 33_000, 25_000, 20_000]);
    for series in [&one, &other] {
        let progress = series.progress().expect("progress");
        assert_eq!(progress.ranking.order, Order::Uma);
        let results: Vec<i64> =
            standings(&progress, 1).iter().map(|one| one.score.result).collect();
        assert_eq!(results, [27_000, 8_000, -10_000, -25_000]);
    }
    let odd = act(&mut one, r#"{"kind":"result","round":1,"table":1,"points":[1,2,3,4]}"#);
    assert!(odd.expect_err("a fault").contains("120000"), "it names the sum that is expected");
}

#[test]
fn the_best_rounds_count_and_penalties_always() {
    let ranking = RankingDto { best: Some(2), ..RankingDto::default() };
    let mut league = series("mcr-wmo", 4, ranking);
    for points in [[9, 1, 0, -10], [-10, 9, 1, 0], [5, 0, -1, -4]] {
        seat(&mut league, &[[1, 2, 3, 4]]);
        let round = league.progress().expect("progress").rounds.len() as u32;
        enter(&mut league, round, 1, &points);
    }
    act(&mut league, r#"{"kind":"penalty","player":1,"value":{"table_points":-1,"points":-5}}"#)
        .expect("a penalty");
    let progress = league.progress().expect("progress");
    let anna =
        standings(&progress, 3).into_iter().find(|one| one.player == player(1)).expect("her");
    assert_eq!(
        anna.rounds.iter().map(|round| round.counts).collect::<Vec<_>>(),
        [true, false, true]
    );
    assert_eq!((anna.score.table_points.as_f64(), anna.score.points), (7.0, 9));
    assert_eq!(standings(&progress, 1)[0].score.points, 9 - 5);
}

#[test]
fn a_substitute_counts_for_nobody_unless_the_rules_say_so() {
    let mut league = series("mcr-wmo", 6, RankingDto::default());
    act(&mut league, r#"{"kind":"seat","absent":[6],"tables":[[{"player":1},{"player":2},{"player":3},{"player":4}]]}"#)
        .expect("a seating");
    let replace = r#"{"kind":"replace","round":1,"player":2,"guest":"Ulla"}"#;
    act(&mut league, replace).expect("a substitute");
    enter(&mut league, 1, 1, &[-10, 30, -10, -10]);
    let presence = |league: &Series, number| {
        let progress = league.progress().expect("progress");
        let all = standings(&progress, 1);
        let one = all.iter().find(|one| one.player == player(number)).expect("a player");
        (one.rounds[0].presence, one.score.points)
    };
    assert_eq!(presence(&league, 2), (Presence::Substituted, 0));
    assert_eq!(presence(&league, 5), (Presence::Rested, 0));
    assert_eq!(presence(&league, 6), (Presence::Absent, 0));
    act(
        &mut league,
        r#"{"kind":"settings","ranking":{"substitutes_count":true,"rest":{"table_points":1}}}"#,
    )
    .expect("settings");
    assert_eq!(presence(&league, 2), (Presence::Substituted, 30));
    // A player who rests may sit down instead; then the result is their own.
    act(&mut league, r#"{"kind":"replace","round":1,"player":2,"by":5}"#).expect("a substitute");
    assert_eq!(presence(&league, 5), (Presence::Played, 30));
    assert_eq!(presence(&league, 2), (Presence::Absent, 0));
}

#[test]
fn the_program_seats_and_seats_anew_until_something_was_played() {
    let mut league = series("mcr-wmo", 8, RankingDto::default());
    act(&mut league, r#"{"kind":"seat","seed":1}"#).expect("a seating");
    let first = league.progress().expect("progress").rounds;
    act(&mut league, r#"{"kind":"seat","round":1,"seed":2}"#).expect("another seating");
    let second = league.progress().expect("progress").rounds;
    assert_eq!(second.len(), 1);
    assert_ne!(first, second);
    enter(&mut league, 1, 1, &[3, -1, -1, -1]);
    let late = act(&mut league, r#"{"kind":"seat","round":1}"#).expect_err("a fault");
    assert!(late.contains("next round is 2"), "{late}");
    act(&mut league, r#"{"kind":"leave","player":8}"#).expect("a change");
    act(&mut league, r#"{"kind":"seat","guests":["Ulla","Viggo"]}"#).expect("a seating");
    let progress = league.progress().expect("progress");
    let names: Vec<&str> = progress.rounds[1]
        .tables
        .iter()
        .flat_map(|table| &table.chairs)
        .map(|chair| progress.name_on(chair))
        .collect();
    assert_eq!(names.len(), 8);
    assert!(names.contains(&"Ulla") && !names.contains(&"Viggo") && !names.contains(&"Hal"));
}

#[test]
fn a_key_makes_a_change_once_even_if_the_program_completed_it() {
    let mut league = series("mcr-wmo", 8, RankingDto::default());
    let meta = Meta { key: Some("k".to_owned()), ..Meta::default() };
    let seat = || SeriesAction::Seat {
        round: None,
        seed: None,
        absent: Vec::new(),
        guests: Vec::new(),
        tables: Vec::new(),
    };
    assert_eq!(league.apply(meta.clone(), seat()), Ok(true));
    assert_eq!(league.apply(meta.clone(), seat()), Ok(false));
    assert!(matches!(league.apply(meta, SeriesAction::Finish), Err(SeriesError::Game(_))));
}

#[test]
fn impossible_changes_are_refused_with_their_field() {
    let mut league = series("mcr-wmo", 8, RankingDto::default());
    act(&mut league, r#"{"kind":"seat"}"#).expect("a seating");
    let before = league.clone();
    for (action, field) in [
        (r#"{"kind":"add_players","names":["anna"]}"#, "names"),
        (r#"{"kind":"add_players","names":[" "]}"#, "names"),
        (r#"{"kind":"rename_player","player":1,"name":"BO"}"#, "name"),
        (r#"{"kind":"leave","player":9}"#, "player"),
        (r#"{"kind":"result","round":2,"table":1,"points":[0,0,0,0]}"#, "round"),
        (r#"{"kind":"result","round":1,"table":3,"points":[0,0,0,0]}"#, "table"),
        (r#"{"kind":"result","round":1,"table":1,"points":[0,0,0]}"#, "points"),
        (r#"{"kind":"result","round":1,"table":1,"points":[1,0,0,0]}"#, "points"),
        (r#"{"kind":"result","round":1,"table":1,"points":[2000000,-2000000,0,0]}"#, "points"),
        (r#"{"kind":"clear","round":1,"table":1}"#, "table"),
        (r#"{"kind":"replace","round":1,"player":1,"by":2}"#, "by"),
        (r#"{"kind":"replace","round":1,"player":1,"by":99}"#, "by"),
        (r#"{"kind":"replace","round":1,"player":1,"guest":"Hal"}"#, "guest"),
        (r#"{"kind":"seat","round":3}"#, "round"),
        (r#"{"kind":"seat","absent":[1,2,3,4,5]}"#, "absent"),
        (r#"{"kind":"seat","absent":[99]}"#, "absent"),
        (r#"{"kind":"seat","guests":["Hal"]}"#, "guests"),
        (
            r#"{"kind":"seat","tables":[[{"player":99},{"player":2},{"player":3},{"player":4}]]}"#,
            "tables",
        ),
        (
            r#"{"kind":"seat","tables":[[{"guest":"Hal"},{"player":2},{"player":3},{"player":4}]]}"#,
            "tables",
        ),
        (
            r#"{"kind":"import","results":[{"round":2,"table":1,"chairs":[{"player":1}]}]}"#,
            "results",
        ),
        (r#"{"kind":"settings","ranking":{"uma":[1,2,3]}}"#, "ranking"),
        (r#"{"kind":"settings","rounds":105}"#, "rounds"),
        (r#"{"kind":"settings","title":" "}"#, "title"),
        (r#"{"kind":"collect","round":1}"#, ""),
        (r#"{"kind":"undo","change":7}"#, ""),
    ] {
        let change = SeriesChangeDto::from_json(format!(r#"{{"action":{action}}}"#).as_bytes());
        let error = league.apply(Meta::default(), change.expect(action).action).expect_err(action);
        let problem = Problem::from(&error);
        assert_eq!(problem.errors.first().map_or("", |one| one.field.as_str()), field, "{action}");
        for lang in Lang::ALL {
            assert!(!problem.clone().translate(lang).detail.text(lang).is_empty(), "{action}");
        }
        assert_eq!(league, before, "{action}");
    }
    for (action, field) in [
        (r#"{"kind":"undo"}"#, "action.change"),
        (r#"{"kind":"seat","change":1}"#, "action.change"),
        (r#"{"kind":"result","round":1,"table":1,"points":["a"]}"#, "action.points[0]"),
        (r#"{"kind":"leave","player":0}"#, "action.player"),
    ] {
        let change = SeriesChangeDto::from_json(format!(r#"{{"action":{action}}}"#).as_bytes());
        assert_eq!(change.expect_err(action).errors[0].field, field, "{action}");
    }
}

#[test]
fn a_change_that_a_later_one_needs_can_not_be_undone() {
    let mut league = series("mcr-wmo", 4, RankingDto::default());
    seat(&mut league, &[[1, 2, 3, 4]]);
    enter(&mut league, 1, 1, &[50, 10, -20, -40]);
    let undo = SeriesAction::Undo { change: 1 };
    let refused = league.apply(Meta::default(), undo).expect_err("it is needed");
    assert_eq!(refused, GameError::StillNeeded(1).into());
    assert_eq!(Problem::from(&refused).kind, ProblemKind::InvalidSeries);
    act(&mut league, r#"{"kind":"undo","change":2}"#).expect("an undo");
    act(&mut league, r#"{"kind":"undo","change":1}"#).expect("an undo");
}

#[test]
fn an_evening_gives_points_and_the_record_of_its_hands() {
    let mut league = series("mcr-wmo", 4, RankingDto::default());
    seat(&mut league, &[[1, 2, 3, 4]]);
    let (title, players) = league.evening_of(1, 1).expect("a table");
    let mut game = Game::new(title, players, Arc::clone(league.ruleset())).expect("a game");
    assert_eq!(collect(1, &game), Ok(None));
    let hand = |winner: usize, discarder: Option<usize>, points| Action::Add {
        play: Play::Points(HandPoints {
            winner: Player::ALL[winner],
            discarder: discarder.map(|one| Player::ALL[one]),
            same_discard: false,
            liable: None,
            points,
        }),
        before: None,
    };
    for play in [hand(0, Some(1), 24), hand(0, None, 88), hand(2, Some(1), 8)] {
        game.apply(Meta::default(), play).expect("a play");
    }
    game.apply(Meta::default(), Action::Finish).expect("the end");
    let collected = collect(1, &game).expect("a sheet").expect("the end");
    let action = SeriesAction::Collect { round: 1, table: None, collected: vec![collected] };
    league.apply(Meta::default(), action).expect("results");
    let progress = league.progress().expect("progress");
    let careers = progress.careers();
    let anna = &careers[0];
    assert_eq!((anna.deals, anna.won, anna.self_drawn, anna.fed, anna.total), (3, 2, 1, 0, 112));
    assert_eq!(
        anna.largest.as_ref().map(|best| (best.total, best.round, best.entry)),
        Some((88, 1, 2))
    );
    assert_eq!((careers[1].fed, careers[1].won), (2, 0));
    assert_eq!(anna.places, [1, 0, 0, 0]);
    // Those who have the link see no id of an evening.
    let open = SeriesAction::Open { round: 1, table: 1, game: Some("f00".to_owned()) };
    league.apply(Meta::default(), open).expect("a game");
    let own = SeriesView::for_organisers(&league, "1d", 3, None, None).expect("a view");
    let shared = SeriesView::for_onlookers(&league, 3, None).expect("a view");
    let json = |view: &SeriesView| serde_json::to_string(view).expect("JSON");
    assert!(json(&own).contains("f00") && !json(&shared).contains("f00"));
}

fn table(csv: &str) -> ResultTable {
    let mut lines = csv.lines().enumerate();
    let cells = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
    let columns = lines.next().map(|(_, line)| cells(line)).unwrap_or_default();
    let rows = lines.map(|(at, line)| ResultRow { line: at as u64 + 1, cells: cells(line) });
    ResultTable { columns, rows: rows.collect() }
}

const HEAD: &str =
    "round,table,player_1,points_1,player_2,points_2,player_3,points_3,player_4,points_4\n";

#[test]
fn exported_results_are_read_into_an_empty_series() {
    let mut league = series("mcr-wmo", 8, RankingDto::default());
    for round in 1..=2 {
        act(&mut league, r#"{"kind":"seat"}"#).expect("a seating");
        enter(&mut league, round, 1, &[50, 10, -20, -40]);
        enter(&mut league, round, 2, &[8, 8, -8, -8]);
    }
    let csv = results_table(&league.progress().expect("progress")).to_csv();
    let mut other = series("mcr-wmo", 0, RankingDto::default());
    let progress = other.progress().expect("progress");
    let unknown = read_results(&progress, &table(&csv), false);
    assert!(matches!(unknown, Err(SeriesError::Rows(faults)) if faults.len() == 16));
    let action = read_results(&progress, &table(&csv), true).expect("an action");
    other.apply(Meta::default(), action).expect("results");
    let sorted = |series: &Series| {
        let mut rows = places(series);
        rows.sort_by(|one, other| one.1.cmp(&other.1));
        rows
    };
    assert_eq!(sorted(&other), sorted(&league));
    // The same rows again, in another order of the seats, change nothing.
    let again = csv.replace("\r\n", "\n");
    let progress = other.progress().expect("progress");
    let action = read_results(&progress, &table(&again), false).expect("an action");
    other.apply(Meta::default(), action).expect("results");
    assert_eq!(sorted(&other), sorted(&league));
}

fn apply(series: &mut Series, action: SeriesAction) -> Result<(), SeriesError> {
    series.apply(Meta::default(), action).map(|_| ())
}

/// Names that a table could take for something else, and those of guests.
const HARD_NAMES: [&str; 9] =
    ["=1+1", "Bo", "Bo (club)", "(Al)", "-5", "\u{5e9}\u{5dc}\u{5d5}\u{5dd}", "🀄", "Q :)", "'x"];
const GUESTS: [&str; 4] = ["Ulla", "V (x)", ":)", "@SUM(A1)"];

/// Returns a series with some of these names, and a round for each choice, which decides who is
/// absent, replaced or fined, and which tables were played.
fn played_series(players: usize, choices: &[usize]) -> Series {
    let rest = FixedScore { table_points: 2, points: 0 };
    let mut league = series("mcr-wmo", 0, RankingDto { rest: Some(rest), ..RankingDto::default() });
    let names = HARD_NAMES[..players].iter().map(|name| (*name).to_owned()).collect();
    apply(&mut league, SeriesAction::AddPlayers { names }).expect("names");
    for (round, &choice) in (1..).zip(choices) {
        let one = player(1 + choice % players);
        let absent = if players > 4 { vec![one] } else { Vec::new() };
        let guests = GUESTS[..choice % 3].iter().map(|name| (*name).to_owned()).collect();
        let seat = SeriesAction::Seat { round: None, seed: None, absent, guests, tables: vec![] };
        apply(&mut league, seat).expect("a seating");
        let guest = Some(GUESTS[2 + choice % 2].to_owned());
        let sits = player(1 + (choice + 1) % players);
        // Who rests has no chair to give away.
        let _ = apply(&mut league, SeriesAction::Replace { round, player: sits, by: None, guest });
        for table in (1..=2).filter(|table| choice & *table as usize != 0) {
            let points = vec![choice as i32, -3, 3, -(choice as i32)];
            // There may be one table alone.
            let _ = apply(&mut league, SeriesAction::Result { round, table, points });
        }
        let fine = FixedScore { table_points: -1, points: 0 };
        let fined =
            SeriesAction::Penalty { player: sits, round: Some(round), value: fine, note: None };
        apply(&mut league, fined).expect("a penalty");
    }
    league
}

/// Returns who sits and rests in each round, with the points, by names.
fn named_rounds(series: &Series) -> Vec<String> {
    let progress = series.progress().expect("progress");
    let rounds = progress.rounds.iter().map(|round| {
        let tables = round.tables.iter().map(|table| {
            let chairs = table.chairs.iter().map(|chair| {
                (chair.player.map(|one| progress.name_of(one).to_owned()), chair.guest.clone())
            });
            let points = table.result.as_ref().map(|result| result.points.clone());
            (chairs.collect::<Vec<_>>(), points)
        });
        let mut resting: Vec<_> = round.resting.iter().map(|one| progress.name_of(*one)).collect();
        resting.sort_unstable();
        format!("{:?} {resting:?}", tables.collect::<Vec<_>>())
    });
    rounds.collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn results_come_in_as_they_went_out(
        players in 4..=9_usize,
        choices in proptest::collection::vec(0..16_usize, 1..4),
    ) {
        let league = played_series(players, &choices);
        let progress = league.progress().expect("progress");
        let results = table(&results_table(&progress).to_csv());
        // Into the same series: nothing changes.
        let mut same = league.clone();
        let again = read_results(&progress, &results, false).expect("an action");
        same.apply(Meta::default(), again).expect("results");
        prop_assert_eq!(same.progress().expect("progress"), progress);
        // Into an empty one: the same rounds.
        let mut copy = series("mcr-wmo", 0, RankingDto::default());
        let action = read_results(&copy.progress().expect("progress"), &results, true);
        copy.apply(Meta::default(), action.expect("an action")).expect("results");
        prop_assert_eq!(named_rounds(&copy), named_rounds(&league));
    }
}

#[test]
fn a_table_without_points_keeps_its_result_and_half_of_them_are_refused() {
    let mut league = series("mcr-wmo", 4, RankingDto::default());
    seat(&mut league, &[[1, 2, 3, 4]]);
    act(&mut league, r#"{"kind":"result","round":1,"table":1,"points":[1,-1,0,0]}"#)
        .expect("points");
    let csv = format!("{HEAD}1,1,Anna,,Bo,,Clara,,Dorte,\n1,rest,,,,,,,,\n");
    let progress = league.progress().expect("progress");
    let action = read_results(&progress, &table(&csv), false).expect("an action");
    league.apply(Meta::default(), action).expect("a table without points keeps its result");
    assert_eq!(league.progress().expect("progress"), progress);
    let half = format!("{HEAD}1,1,Anna,1,Bo,,Clara,0,Dorte,0\n2,rest,Anna,,,,,,,\n");
    let faults = read_results(&progress, &table(&half), false);
    let Err(SeriesError::Rows(faults)) = faults else { panic!("{faults:?}") };
    let found: Vec<_> = faults.iter().map(|one| (one.line, one.column.as_str())).collect();
    assert_eq!(found, [(2, "points_2"), (3, "round")]);
}

#[test]
fn every_cell_that_is_wrong_is_named() {
    let league = series("mcr-wmo", 8, RankingDto::default());
    let progress = league.progress().expect("progress");
    let rows = "1,1,Anna,30,Bo,-10,Clara,-10,Dorte,-10\n\
                1,2,Eva,1.5,Finn,0,Gerd,0,Nobody,\n\
                1,1,Eva,1,Finn,0,Finn,0,Hal,0\n\
                3,1,Eva,0,Finn,0,Gerd,0,Hal,0\n";
    let faults = read_results(&progress, &table(&format!("{HEAD}{rows}")), false);
    let Err(SeriesError::Rows(faults)) = faults else { panic!("{faults:?}") };
    let found: Vec<(u64, &str)> =
        faults.iter().map(|one| (one.line, one.column.as_str())).collect();
    assert_eq!(
        found,
        [
            (3, "player_4"),
            (3, "points_1"),
            (3, "points_4"),
            (4, "player_3"),
            (4, "points_1"),
            (4, "table"),
            (5, "round"),
        ]
    );
    let text = SeriesError::Rows(faults).to_string();
    assert!(text.starts_with("row 3, column player_4: no player is called"), "{text}");
    let missing = read_results(&progress, &table("round,table\n1,1\n"), false);
    assert!(matches!(missing, Err(SeriesError::Rows(faults)) if faults.len() == 8));
}

#[test]
fn names_are_never_formulas_in_tables() {
    let mut league = series("mcr-wmo", 3, RankingDto::default());
    act(&mut league, r#"{"kind":"add_players","names":["=1+1"]}"#).expect("a name");
    seat(&mut league, &[[1, 2, 3, 4]]);
    let progress = league.progress().expect("progress");
    for table in [results_table(&progress), standings_table(&progress, 1)] {
        let csv = table.to_csv();
        assert!(csv.contains("'=1+1") && !csv.contains(",=1+1"), "{csv}");
    }
}

#[test]
fn a_series_is_read_as_it_was_written() {
    let rest = FixedScore { table_points: 1, points: 0 };
    let ranking = RankingDto { best: Some(3), rest: Some(rest), ..RankingDto::default() };
    let mut league = series("riichi-three", 7, ranking);
    act(&mut league, r#"{"kind":"seat","absent":[7]}"#).expect("a seating");
    act(&mut league, r#"{"kind":"result","round":1,"table":2,"points":[10000,0,-10000]}"#)
        .expect("a result");
    act(&mut league, r#"{"kind":"finish"}"#).expect("the end");
    let json = serde_json::to_vec(&league).expect("JSON");
    let record: SeriesRecord = serde_json::from_slice(&json).expect("a record");
    assert_eq!(record.open(&Book::shipped()).as_ref(), Ok(&league));
    assert!(league.progress().expect("progress").rounds[0].tables.len() == 2);
    let over = act(&mut league, r#"{"kind":"seat"}"#).expect_err("a fault");
    assert!(over.contains("finished"), "{over}");
}
