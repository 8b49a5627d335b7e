//! Evenings that were written by hand, each with its final sheet: `tests/data/evenings`.
//!
//! A line `evening RULES | TITLE` begins one; the rules may be followed by options of a table,
//! `riichi-tenhou, rounds = 1`. The other lines:
//!
//! | line | meaning |
//! | --- | --- |
//! | `won P drawn N`, `won P from Q N` | a hand of N points |
//! | `won P drawn N liable R`, `won P from Q N liable R` | the same with a liable player |
//! | `too P from Q N` | a further winner by the discard |
//! | `hand P drawn liable R HAND`, `hand P from Q liable R HAND` | a hand with a liable player |
//! | `exhausted P… nagashi Q…` | an exhaustive draw with the players who were ready |
//! | `draw REASON`, `draw xN` | an aborted deal, or N draws |
//! | `riichi P`, `dead P`, `chombo P`, `pay REASON P N…`, `undo`, `finish` | as they are called |
//! | `refused LINE` | the event is refused, and the game stays as it was |
//! | `points N…` | the points of the players; N may be a sum, `25000-4200` |
//! | `next P ROUND HONBA STICKS`, `over REASON` | the next deal, or why there is none |
//! | `results N…`, `places N…`, `table N…` | the standings, in the order of the players |

use std::sync::Arc;

use serde_json::{Value, json};
use tilesight_core::evening::{Action, ChangeDto, Game, GameError, GameView, Meta, table};
use tilesight_core::explain::Lang;
use tilesight_core::rules::{Book, Profile};

const RIICHI: &str = include_str!("../data/evenings/riichi.txt");
const OTHERS: &str = include_str!("../data/evenings/others.txt");

#[test]
fn evenings_of_riichi_end_with_the_sheets_that_were_written_by_hand() {
    assert!(play_all(RIICHI) >= 30);
}

#[test]
fn evenings_of_other_games_end_with_the_sheets_that_were_written_by_hand() {
    assert!(play_all(OTHERS) >= 10);
}

/// Plays all evenings of a file, prints each line that is wrong, and returns how many there are.
fn play_all(text: &str) -> usize {
    let mut wrong = Vec::new();
    let mut evenings = 0;
    let mut game = None;
    for (at, line) in text.lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let done = match line.strip_prefix("evening ") {
            Some(head) => {
                evenings += 1;
                game = Some(begin(head));
                Ok(())
            }
            None => run(game.as_mut().expect("an evening begins"), line),
        };
        if let Err(reason) = done {
            wrong.push(format!("line {}: {line}: {reason}", at + 1));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    evenings
}

/// Begins an evening by its first line.
fn begin(head: &str) -> Game {
    let (rules, title) = head.split_once(" | ").expect("rules and a title");
    let (id, options) = rules.split_once(", ").unwrap_or((rules, ""));
    let profile = if options.is_empty() {
        let book = Book::shipped();
        Arc::clone(book.get(id.parse().expect(id)).expect(id))
    } else {
        let options = options.replace(", ", "\n");
        let text = format!("id = \"own\"\nextends = \"{id}\"\n[options]\n{options}\n");
        Arc::new(Profile::parse(&text).expect("a profile"))
    };
    let count = profile.rules().seats().winds().len();
    let names = ["Anna", "Bo", "Clara", "Dorte"].map(str::to_owned)[..count].to_vec();
    Game::new(title.to_owned(), names, profile).expect("a game")
}

fn run(game: &mut Game, line: &str) -> Result<(), String> {
    let words: Vec<&str> = line.split(' ').collect();
    let (word, rest) = (words[0], &words[1..]);
    match word {
        "refused" => {
            let before = game.clone();
            let done = enter(game, rest);
            let is_refused = done.is_err() && *game == before;
            is_refused.then_some(()).ok_or_else(|| "it was accepted".to_owned())
        }
        "undo" => game.undo(Meta::default()).map(drop).map_err(|error| error.to_string()),
        "points" | "results" | "places" | "table" | "next" | "over" => compare(game, word, rest),
        _ => enter(game, &words).map_err(|error| error.to_string()),
    }
}

/// Enters an event.
fn enter(game: &mut Game, words: &[&str]) -> Result<(), GameError> {
    if words == ["finish"] {
        return game.apply(Meta::default(), Action::Finish).map(drop);
    }
    let times = words.get(1).and_then(|word| word.strip_prefix('x')?.parse().ok()).unwrap_or(1);
    for _ in 0..times {
        let change = json!({ "action": { "kind": "add", "play": event(words) } }).to_string();
        let change = ChangeDto::from_json(change.as_bytes()).expect(&change);
        game.apply(Meta::default(), Action::try_from(change.action)?)?;
    }
    Ok(())
}

fn event(words: &[&str]) -> Value {
    let player = |at: usize| sum(words[at]);
    match words {
        ["won", _, "drawn", points] => {
            json!({ "kind": "points", "winner": player(1), "points": sum(points) })
        }
        ["won" | "too", _, "from", _, points] => json!({ "kind": "points", "winner": player(1),
            "discarder": player(3), "same_discard": words[0] == "too", "points": sum(points) }),
        ["won", _, "drawn", points, "liable", _] => {
            json!({ "kind": "points", "winner": player(1), "points": sum(points), "liable": player(5) })
        }
        ["won", _, "from", _, points, "liable", _] => json!({ "kind": "points",
            "winner": player(1), "discarder": player(3), "points": sum(points), "liable": player(6) }),
        ["hand", _, "drawn", "liable", _, hand] => {
            json!({ "kind": "win", "winner": player(1), "liable": player(4), "hand": hand })
        }
        ["hand", _, "from", _, "liable", _, hand] => json!({ "kind": "win", "winner": player(1),
            "discarder": player(3), "liable": player(5), "hand": hand }),
        ["exhausted", rest @ ..] => {
            let mut lists = rest.split(|&word| word == "nagashi");
            let mut next = || -> Vec<i64> {
                lists.next().unwrap_or_default().iter().map(|word| sum(word)).collect()
            };
            json!({ "kind": "exhaustive_draw", "tenpai": next(), "nagashi": next() })
        }
        ["draw", reason] if !reason.starts_with('x') => json!({ "kind": "draw", "abort": reason }),
        ["draw", ..] => json!({ "kind": "draw" }),
        ["riichi", _] => json!({ "kind": "riichi", "player": player(1) }),
        ["dead", _] => json!({ "kind": "dead_hand", "player": player(1) }),
        ["chombo", _] => json!({ "kind": "chombo", "player": player(1) }),
        ["pay", reason, _, payments @ ..] => {
            let payments: Vec<i64> = payments.iter().map(|word| sum(word)).collect();
            json!({ "kind": "manual", "reason": reason, "player": player(2), "payments": payments })
        }
        _ => panic!("no such line: {words:?}"),
    }
}

/// Returns the value of a sum such as `25000-4200+300`.
fn sum(text: &str) -> i64 {
    let signed = text.replace('-', "+-");
    signed
        .split('+')
        .filter(|part| !part.is_empty())
        .map(|one| one.parse::<i64>().expect(text))
        .sum()
}

/// Compares what a line says with the sheet, and the sheet with its table.
fn compare(game: &Game, word: &str, expected: &[&str]) -> Result<(), String> {
    let view = GameView::for_onlookers(game, 1, Lang::En).map_err(|error| error.to_string())?;
    let view = serde_json::to_value(view).expect("JSON");
    let start = view["start_points"].as_i64().unwrap_or_default();
    let mut standings = view["standings"].as_array().expect("a list").clone();
    standings.sort_by_key(|one| one["player"].as_u64());
    let of_places = |field: &str| standings.iter().map(|one| one[field].clone()).collect();
    let numbers = || expected.iter().map(|word| json!(sum(word))).collect::<Vec<_>>();
    let (found, expected): (Vec<Value>, Vec<Value>) = match word {
        "points" => {
            let totals = view["totals"].as_array().expect("a list").iter();
            let points = totals.map(|total| json!(start + total.as_i64().expect("a number")));
            (points.collect(), numbers())
        }
        "results" => (of_places("result"), numbers()),
        "places" => (of_places("place"), numbers()),
        "table" => {
            let points = expected.iter().map(|one| json!(one.parse::<f64>().expect("a number")));
            (of_places("table_points"), points.collect())
        }
        "over" => (vec![view["end"].clone()], vec![json!(expected[0])]),
        _ => (next_deal(&view["next"], expected.len()), words_of_deal(expected)),
    };
    if word == "places" {
        check_table(game, &standings)?;
    }
    (found == expected).then_some(()).ok_or_else(|| format!("{}", json!(found)))
}

fn next_deal(deal: &Value, fields: usize) -> Vec<Value> {
    let dealer = deal["seats"][0].clone();
    let found =
        [dealer, deal["round"].clone(), deal["honba"].clone(), deal["riichi_sticks"].clone()];
    found[..fields].to_vec()
}

fn words_of_deal(words: &[&str]) -> Vec<Value> {
    let word = |(at, word): (usize, &&str)| if at == 1 { json!(word) } else { json!(sum(word)) };
    words.iter().enumerate().map(word).collect()
}

/// Checks that the table for spreadsheets is a rectangle that ends with the places.
fn check_table(game: &Game, standings: &[Value]) -> Result<(), String> {
    let table = table(game).map_err(|error| error.to_string())?;
    let is_whole = table.rows.iter().all(|row| row.len() == table.head.len());
    let entries = game.sheet().map_err(|error| error.to_string())?.rows.len();
    let is_long = table.rows.len() == entries + standings.len();
    (is_whole && is_long).then_some(()).ok_or_else(|| format!("{table:?}"))
}
