//! Evenings through a real service: photos, two phones at once, a kill in the middle, links and
//! keys.
//!
//! Photos need ONNX Runtime and the models; without them the tests fail and print the command to
//! run.

use std::net::SocketAddr;
use std::thread;

use crate::client::{Answer, Client, header};
use crate::evening::{Phone, Samples, WINDS, samples, serve};
use crate::events::Events;
use crate::service::{Service, folder, keys_file};
use serde_json::{Value, json};

/// Returns the action that enters an event.
fn add(play: Value) -> Value {
    let mut action = json!({ "kind": "add" });
    action["play"] = play;
    action
}

fn draw() -> Value {
    add(json!({ "kind": "draw" }))
}

/// Players at East, South, West and North at the beginning of each round, derived from the German
/// rules.
const SEATS: [[usize; 4]; 4] = [[0, 1, 2, 3], [1, 0, 3, 2], [2, 3, 1, 0], [3, 2, 0, 1]];

#[test]
fn an_evening_of_sixteen_photos_with_the_service_killed_in_the_middle() {
    let folder = folder("evening");
    let mut service = serve(&folder);
    let mut phone = Phone::begin(service.address, None, None);
    let (mut totals, mut by_photo) = ([0_i32; 4], 0);
    let mut photos = Samples::new(samples());
    for deal in 0..16 {
        let (round, turn) = (deal / 4, deal % 4);
        let seen = phone.look();
        assert_eq!(seen["next"]["number"], deal + 1);
        assert_eq!(seen["next"]["round"], WINDS[round]);
        let seats: Vec<usize> = (0..4).map(|seat| SEATS[round][(seat + turn) % 4]).collect();
        assert_eq!(seen["next"]["seats"], json!(seats), "deal {}", deal + 1);
        let winner = (deal * 5 + 1) % 4;
        let seat = seats.iter().position(|&player| player == winner).expect("a seat");
        let (sample, total) =
            photos.find_win(|sample| sample.total("mcr-wmo", (WINDS[seat], WINDS[round]), None));
        let discarder = (!sample.self_drawn).then_some((winner + 1 + deal % 3) % 4);
        let mut win = json!({ "winner": winner, "discarder": discarder });
        let answer = phone.photo(&sample.photo, &win);
        assert!(matches!(answer.status, 200 | 201), "{}", String::from_utf8_lossy(&answer.body));
        let game = if answer.status == 201 {
            by_photo += 1;
            answer.json()["game"].clone()
        } else {
            // A person corrected the doubtful reading.
            assert_eq!(answer.json()["added"], false);
            win["kind"] = json!("win");
            win["hand"] = sample.hand.clone();
            phone.change(&json!({ "kind": "add", "play": win }))
        };
        assert_eq!(game["rows"][deal]["score"]["total"], total, "deal {}", deal + 1);
        for (player, sum) in totals.iter_mut().enumerate() {
            *sum += match player {
                player if player == winner => {
                    24 + if sample.self_drawn { 3 * total } else { total }
                }
                player if sample.self_drawn || Some(player) == discarder => -8 - total,
                _ => -8,
            };
        }
        assert_eq!(game["totals"], json!(totals), "after deal {}", deal + 1);
        if deal == 7 {
            let before = phone.look();
            service.process.kill().expect("it runs");
            drop(service);
            service = serve(&folder);
            phone.address = service.address;
            assert_eq!(phone.look(), before, "a kill loses nothing");
        }
    }
    let end = phone.look();
    assert_eq!((&end["state"], &end["next"]), (&json!("complete"), &Value::Null));
    let points: f64 = end["standings"]
        .as_array()
        .expect("four places")
        .iter()
        .filter_map(|place| place["table_points"].as_f64())
        .sum();
    assert!((points - 7.0).abs() < 0.02, "{points}");
    assert_eq!(phone.say(&draw(), None).status, 409);
    assert!(by_photo >= 8, "most photos are read without a doubt: {by_photo} of 16");
    let table = phone.json("GET", &format!("{}/export", phone.game), "", &Value::Null);
    let table = String::from_utf8(table.body).expect("text");
    assert_eq!(table.lines().count(), 1 + 16 + 4, "a head, deals and places: {table}");
    let sums: Vec<_> = totals.iter().map(ToString::to_string).collect();
    assert!(table.contains(&format!("{},,,,\r\n,,,place,", sums.join(","))), "{table}");
    let workbook = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    for (query, accept) in [("?format=xlsx", "*/*"), ("", workbook)] {
        let path = format!("{}/export{query}", phone.game);
        let file = phone.json("GET", &path, &format!("accept: {accept}\r\n"), &Value::Null);
        assert_eq!(header(&file.head, "content-type"), Some(workbook), "{file:?}");
        assert!(file.body.starts_with(b"PK\x03\x04"));
    }
}

#[test]
fn two_phones_that_write_at_the_same_time_lose_nothing() {
    const EACH: usize = 8;
    let folder = folder("two-phones");
    let service = serve(&folder);
    let mut phone = Phone::begin(service.address, None, None);
    let writers: Vec<_> = (0..2_usize)
        .map(|writer| {
            let mut phone = phone.beside(service.address);
            thread::spawn(move || {
                let mut refused = 0;
                for number in 0..EACH {
                    let payments = if writer == 0 { [3, -1, -1, -1] } else { [-1, -1, -1, 3] };
                    let play = json!({ "kind": "manual", "reason": "adjustment", "player": 0,
                        "payments": payments, "note": format!("{writer}-{number}") });
                    let action = json!({ "kind": "add", "play": play });
                    loop {
                        let answer = phone.say(&action, Some(&format!("{writer}-{number}")));
                        match answer.status {
                            201 => break phone.saw(&answer),
                            412 => {
                                refused += 1;
                                phone.look();
                            }
                            other => panic!("{other}: {answer:?}"),
                        }
                    }
                }
                refused
            })
        })
        .collect();
    let refused: usize = writers.into_iter().map(|one| one.join().expect("no panic")).sum();
    let game = phone.look();
    let rows = game["rows"].as_array().expect("rows");
    let mut notes: Vec<_> = rows.iter().map(|row| row["play"]["note"].to_string()).collect();
    assert_eq!(notes.len(), 2 * EACH, "after {refused} refusals");
    notes.sort();
    notes.dedup();
    assert_eq!(notes.len(), 2 * EACH, "each once");
    let each = EACH as i64;
    assert_eq!(game["totals"], json!([2 * each, -2 * each, -2 * each, 2 * each]));
    // A change on an old revision is rejected, and so is one without a revision.
    phone.change(&draw());
    let mut late = phone.beside(service.address);
    phone.change(&draw());
    let answer = late.say(&draw(), None);
    assert_eq!(
        (answer.status, answer.json()["type"].as_str()),
        (412, Some("urn:tilesight:problem:game-changed"))
    );
    late.etag = "W/\"1\"".to_owned();
    assert_eq!(late.say(&draw(), None).status, 412, "weak tags never match");
    let bare = Client::connect(service.address).post(
        &format!("{}/changes", phone.game),
        "application/json",
        json!({ "action": draw() }).to_string().as_bytes(),
    );
    assert_eq!(bare.status, 428);
    // After a lost answer, the same change with the same key is made once.
    let answer = phone.say(&draw(), Some("lost"));
    let again = phone.say(&draw(), Some("lost"));
    assert_eq!((answer.status, again.status), (201, 200));
    assert_eq!(answer.json()["rows"], again.json()["rows"]);
    let other = phone.say(&json!({ "kind": "finish" }), Some("lost"));
    assert_eq!(other.json()["type"], "urn:tilesight:problem:idempotency-key-reused");
}

/// Eight phones send one change with one key at once: it is made once, and all are answered.
#[test]
fn a_change_with_one_key_is_made_once_however_often_it_is_sent_at_once() {
    const PHONES: usize = 8;
    const ROUNDS: usize = 4;
    let folder = folder("one-key");
    let service = serve(&folder);
    let mut phone = Phone::begin(service.address, None, None);
    for round in 0..ROUNDS {
        let key = format!("round {round}");
        let sending: Vec<_> = (0..PHONES)
            .map(|_| {
                let (phone, key) = (phone.beside(service.address), key.clone());
                thread::spawn(move || phone.say(&draw(), Some(&key)).status)
            })
            .collect();
        let mut answers: Vec<u16> =
            sending.into_iter().map(|one| one.join().expect("no panic")).collect();
        answers.sort_unstable();
        let mut expected = [200; PHONES];
        expected[PHONES - 1] = 201;
        assert_eq!(answers, expected, "round {round}");
        let rows = phone.look()["rows"].as_array().map(Vec::len);
        assert_eq!(rows, Some(round + 1));
    }
}

/// Creates a game, with an idempotency key unless that is empty.
fn create(address: SocketAddr, title: &str, key: &str) -> Answer {
    let body = json!({ "players": ["Anna", "Bo", "Clara", "Dorte"], "title": title });
    let mut headers = "Content-Type: application/json\r\n".to_owned();
    if !key.is_empty() {
        headers += &format!("Idempotency-Key: {key}\r\n");
    }
    Client::connect(address).request("POST", "/v1/games", &headers, body.to_string().as_bytes())
}

#[test]
fn a_game_is_created_once_for_each_key() {
    let folder = folder("creation-key");
    let service = serve(&folder);
    let address = service.address;
    let first = create(address, "Thursday", "\"k1\"");
    let again = create(address, "Thursday", "k1");
    assert_eq!((first.status, again.status), (201, 200), "{again:?}");
    assert_eq!(first.json(), again.json());
    let place = header(&first.head, "location").map(str::to_owned);
    assert_eq!(header(&again.head, "location").map(str::to_owned), place);
    let other = create(address, "Friday", "k1");
    assert_eq!(other.status, 422, "{other:?}");
    assert_eq!(other.json()["type"], "urn:tilesight:problem:idempotency-key-reused");
    for (key, status) in [("k2", 201), ("", 201), ("\"\"", 400)] {
        assert_eq!(create(address, "Thursday", key).status, status, "{key:?}");
    }
}

/// Asks for the list of a phone's games.
fn list(phone: &Phone, query: &str) -> Answer {
    phone.json("GET", &format!("/v1/games{query}"), "", &Value::Null)
}

#[test]
fn games_are_listed_for_their_key_alone() {
    const ANNA: &str = "tilesight_anna";
    const BO: &str = "tilesight_bo";
    let folder = folder("game-list-keys");
    let keys = keys_file(&folder, &[("anna", ANNA), ("bo", BO)]);
    let data = folder.join("data");
    let data = data.to_str().expect("a path");
    let service = Service::start_with(&["--keys", &keys, "--data", data]);
    let ruleset = Some("riichi-wrc");
    let mut mine: Vec<Phone> =
        (0..5).map(|_| Phone::begin(service.address, Some(ANNA), ruleset)).collect();
    let bo = Phone::begin(service.address, Some(BO), ruleset);
    let played =
        mine[0].change(&json!({ "kind": "add", "play": { "kind": "riichi", "player": 0 } }));
    let anna = &mine[1];
    let all = list(anna, "").json();
    assert_eq!(all["next"], Value::Null);
    let all = all["games"].as_array().expect("games").clone();
    assert_eq!(all.len(), 5);
    for one in &all {
        let place = format!("/v1/games/{}", one["id"].as_str().expect("an id"));
        let whole = anna.json("GET", &place, "", &Value::Null).json();
        for (field, value) in one.as_object().expect("an object") {
            assert_eq!(*value, whole[field], "{field}");
        }
    }
    assert!(all.iter().any(|one| one["revision"] == played["revision"]), "as it stands now");
    let (mut seen, mut query) = (Vec::new(), "?limit=2".to_owned());
    loop {
        let page = list(anna, &query).json();
        seen.extend(page["games"].as_array().expect("games").clone());
        let Some(next) = page["next"].as_str() else { break };
        query = format!("?limit=2&before={next}");
    }
    assert_eq!(seen, all);
    assert_eq!(list(&bo, "").json()["games"].as_array().map(Vec::len), Some(1));
    let nobody = Phone { key: None, ..bo.beside(service.address) };
    assert_eq!(list(&nobody, "").status, 401);
    for wrong in ["?limit=0", "?limit=101", "?before=1", "?after=1"] {
        assert_eq!(list(anna, wrong).status, 400, "{wrong}");
    }
    // Without keys the id of a game is all that protects it: no list shows ids to others.
    let folder = self::folder("game-list-open");
    let service = serve(&folder);
    let phone = Phone::begin(service.address, None, None);
    let refused = list(&phone, "");
    assert_eq!(refused.status, 403, "{refused:?}");
    assert!(
        !String::from_utf8_lossy(&refused.body)
            .contains(phone.game.trim_start_matches("/v1/games/"))
    );
}

#[test]
fn phones_and_spectators_see_every_change() {
    let folder = folder("events");
    let service = serve(&folder);
    let mut phone = Phone::begin(service.address, None, None);
    let shared = phone.json("POST", &format!("{}/share", phone.game), "", &Value::Null);
    assert_eq!(shared.status, 200, "{shared:?}");
    phone.saw(&shared);
    let link = shared.json()["game"].as_str().expect("a place").to_owned();
    let mut other = Events::open(service.address, &format!("{}/events", phone.game), None);
    let mut onlooker = Events::open(service.address, &format!("{link}/events"), None);
    assert_eq!(other.next().1["rows"], json!([]));
    assert_eq!(onlooker.next().1["rows"], json!([]));
    let game = phone.change(&draw());
    let (name, seen) = other.next();
    assert_eq!((name.as_str(), &seen), ("game", &game), "the whole game, as it was answered");
    let (_, seen) = onlooker.next();
    assert_eq!(
        (&seen["rows"], &seen["id"], &seen["share"]),
        (&game["rows"], &Value::Null, &Value::Null)
    );
    // A client that reconnects gets only new events.
    let known = game["revision"].to_string();
    let mut back = Events::open(service.address, &format!("{}/events", phone.game), Some(&known));
    let game = phone.change(&json!({ "kind": "undo", "change": 1 }));
    assert_eq!(back.next().1, game);
    assert_eq!(game["history"][0]["undone"], true);
    // The token permits reading but no changes.
    let changes = format!("{link}/changes");
    assert_eq!(phone.json("POST", &changes, "", &json!({ "action": draw() })).status, 404);
    assert_eq!(phone.json("POST", &link, "", &json!({ "action": draw() })).status, 405);
    assert_eq!(phone.json("DELETE", &link, "", &Value::Null).status, 405);
    let token = link.rsplit('/').next().expect("a token");
    assert_eq!(phone.json("GET", &format!("/v1/games/{token}"), "", &Value::Null).status, 404);
    assert!(!shared.json().to_string().contains(phone.game.rsplit('/').next().expect("an id")));
    // Without changes there is no body; a revoked link shows nothing.
    let known = format!("If-None-Match: {}\r\n", phone.etag);
    assert_eq!(phone.send(("GET", &phone.game), "text/plain", &known, b"").status, 304);
    assert_eq!(
        phone.json("DELETE", &format!("{}/share", phone.game), "", &Value::Null).status,
        204
    );
    let gone = phone.json("GET", &link, "", &Value::Null);
    let detail = gone.json()["detail"].to_string();
    assert!(gone.status == 404 && detail.contains("no such link: it was revoked"), "{detail}");
    loop {
        // The last event before the link was revoked.
        if onlooker.next().0 == "gone" {
            break;
        }
    }
    assert_eq!(phone.json("DELETE", &phone.game, "", &Value::Null).status, 204);
    assert_eq!(phone.json("GET", &phone.game, "", &Value::Null).status, 404);
}

/// Returns the status of the answer to a request for a path.
fn status_of(phone: &Phone, path: &str) -> u16 {
    phone.json("GET", path, "", &Value::Null).status
}

#[test]
fn a_game_is_hidden_from_other_keys_but_its_link_is_public() {
    const ANNA: &str = "tilesight_anna";
    const BO: &str = "tilesight_bo";
    let folder = folder("game-keys");
    let keys = keys_file(&folder, &[("anna", ANNA), ("bo", BO)]);
    let data = folder.join("data");
    let data = data.to_str().expect("a path");
    let service = Service::start_with(&["--keys", &keys, "--data", data]);
    let anna = Phone::begin(service.address, Some(ANNA), None);
    let bo = Phone { key: Some(BO), ..anna.beside(service.address) };
    let nobody = Phone { key: None, ..anna.beside(service.address) };
    assert_eq!(status_of(&anna, &anna.game), 200);
    assert_eq!(status_of(&bo, &anna.game), 404);
    assert_eq!(status_of(&nobody, &anna.game), 401);
    assert_eq!(bo.say(&draw(), None).status, 404);
    let shared = anna.json("POST", &format!("{}/share", anna.game), "", &Value::Null).json();
    let link = shared["game"].as_str().expect("a place");
    assert_eq!(status_of(&nobody, link), 200);
    assert_eq!(status_of(&bo, link), 200);
}

/// Returns the action that enters a hand of the second player.
fn win(hand: &str, discarder: Value) -> Value {
    let mut play = json!({ "kind": "win", "winner": 1, "hand": hand });
    play["discarder"] = discarder;
    add(play)
}

/// Returns the action that enters points of the second player.
fn points(discarder: Value, points: u32) -> Value {
    let mut play = json!({ "kind": "points", "winner": 1, "points": points });
    play["discarder"] = discarder;
    add(play)
}

#[test]
fn invalid_entries_are_reported_by_field() {
    let folder = folder("game-mistakes");
    let service = serve(&folder);
    let mut phone = Phone::begin(service.address, None, None);
    for (action, status, kind, field) in [
        (win("123456789m11pFFF", json!(1)), 422, "invalid-entry", "discarder"),
        (win("123456789m11pFF2s", json!(0)), 422, "not-a-win", ""),
        (win("[123m,1][567m,1]789p22p34s5s", json!(0)), 422, "invalid-entry", "hand"),
        (win("12x", json!(0)), 422, "unreadable-notation", "hand"),
        (win("123456789m11pFFF", json!(4)), 400, "malformed-request", "action"),
        (json!({ "kind": "remove", "entry": 7 }), 404, "not-found", ""),
        (json!({ "kind": "undo", "change": 1 }), 404, "not-found", ""),
        (json!({ "kind": "dance" }), 400, "malformed-request", "action"),
        (
            json!({ "kind": "add", "play": { "kind": "manual", "reason": "false_mahjong", "player": 0,
            "payments": [-30, 10, 10, 11] } }),
            422,
            "invalid-entry",
            "payments",
        ),
        (points(json!(1), 30), 422, "invalid-entry", "discarder"),
        (points(json!(0), 7), 422, "invalid-entry", "points"),
        (points(json!(0), 100_001), 422, "invalid-entry", "points"),
    ] {
        let answer = phone.say(&action, None);
        let reply = answer.json();
        assert_eq!(answer.status, status, "{action}: {reply}");
        assert_eq!(reply["type"], format!("urn:tilesight:problem:{kind}"), "{action}: {reply}");
        let named = reply["errors"][0]["field"].as_str().unwrap_or_default();
        assert!(
            named.starts_with(field) && field.is_empty() == named.is_empty(),
            "{action}: {reply}"
        );
    }
    assert_eq!(phone.look()["history"], json!([]), "nothing of it was kept");
    let settled = phone.change(&points(Value::Null, 20));
    assert_eq!(settled["rows"][0]["payments"], json!([-28, 84, -28, -28]));
    assert_eq!(settled["rows"][0]["play"]["points"], 20);
    let names = json!({ "players": ["Anna", "Anna", "Clara", "Dorte"] });
    assert_eq!(phone.json("POST", "/v1/games", "", &names).json()["errors"][0]["field"], "players");
    let without = Service::start();
    let games =
        without.client().post("/v1/games", "application/json", names.to_string().as_bytes());
    assert_eq!(games.json()["type"], "urn:tilesight:problem:games-disabled");
}

/// Returns the action that enters points of the third player by the same discard.
fn second(discarder: usize) -> Value {
    let mut play = json!({ "kind": "points", "winner": 2, "discarder": discarder, "points": 5 });
    play["same_discard"] = json!(true);
    add(play)
}

/// Base 100, 20 for each tai, and 2n + 1 with a dealer who stayed on n times.
#[test]
fn an_evening_of_sixteen_tiles_knows_streak_winds_and_several_winners() {
    let folder = folder("game-sixteen");
    let service = serve(&folder);
    let mut phone = Phone::begin(service.address, None, Some("tw-common"));
    let drawn = phone.change(&draw());
    assert_eq!((&drawn["next"]["dealer"], &drawn["next"]["repeats"]), (&json!(0), &json!(1)));
    // A concealed hand, a pung of the seat wind and the flower of the seat, by the opened wall.
    let hand = "WWW123m456m789p55s67p+5p||f3";
    let win = json!({ "kind": "win", "winner": 1, "discarder": 0, "east": 3, "hand": hand });
    let won = phone.change(&add(win));
    let row = &won["rows"][1];
    assert_eq!((&row["score"]["tai"], &row["score"]["dealer_tai"]), (&json!(3), &json!(3)));
    assert_eq!(row["payments"], json!([-220, 220, 0, 0]));
    assert_eq!(row["deal"]["seats"], json!([3, 0, 1, 2]));
    let answer = phone.say(&second(3), None);
    let reply = answer.json();
    let field = reply["errors"][0]["field"].as_str().unwrap_or_default().to_owned();
    assert_eq!((answer.status, field.as_str()), (422, "same_discard"), "{reply}");
    let both = phone.change(&second(0));
    assert_eq!(both["totals"], json!([-480, 220, 260, 0]));
    assert_eq!((&both["next"]["number"], &both["next"]["dealer"]), (&json!(3), &json!(1)));
    let export = phone.json("GET", &format!("{}/export", phone.game), "", &Value::Null);
    let table = String::from_utf8_lossy(&export.body).into_owned();
    assert!(table.contains("score,note,dealer,streak,tai,dealer_tai,Anna"), "{table}");
    assert!(table.contains("3,,Anna,1,3,3,-220,220,0,0"), "{table}");
    // What the page settles by while nobody can ask the service.
    let client = service.client().get("/v1/rulesets").json();
    let rulesets = client["rulesets"].as_array().expect("rule sets");
    let common = rulesets.iter().find(|one| one["id"] == "tw-common").expect("it is shipped");
    let share = &common["payments"][0]["shares"][0];
    assert_eq!((&share["basic"], &share["for_streak"]), (&json!(20), &json!(40)));
}

#[test]
fn an_evening_of_riichi_has_aborted_deals_two_winners_and_a_bankruptcy() {
    let folder = folder("riichi-evening");
    let service = serve(&folder);
    let mut phone = Phone::begin(service.address, None, Some("riichi-majsoul"));
    let add = |play: Value| json!({ "kind": "add", "play": play });
    let game = phone.change(&add(json!({ "kind": "draw", "abort": "four_kongs" })));
    assert_eq!((&game["start_points"], &game["next"]["honba"]), (&json!(25_000), &json!(1)));
    let kinds = json!(["nine_terminals", "four_winds", "four_kongs"]);
    assert_eq!(game["next"]["may_abort"], kinds, "nobody declared riichi");
    phone.change(&add(json!({ "kind": "draw", "abort": "nine_terminals" })));
    let won = |winner: u8, points: u32, further: bool| {
        add(json!({ "kind": "points", "winner": winner, "discarder": 1, "points": points,
            "same_discard": further }))
    };
    let first = phone.change(&won(3, 12_000, false));
    assert_eq!(first["further_win"], json!({ "discarder": 1, "winners": [0, 2] }));
    assert_eq!(first["totals"], json!([0, -12_600, 0, 12_600]));
    // Clara is next in turn after Bo: the counters are hers, although she is entered later.
    let both = phone.change(&won(2, 8000, true));
    assert_eq!(both["totals"], json!([0, -20_600, 8600, 12_000]));
    let over = phone.change(&won(3, 8000, false));
    assert_eq!((&over["state"], &over["end"]), (&json!("complete"), &json!("bankruptcy")));
    let first = &over["standings"][0];
    assert_eq!((&first["uma"], &first["result"]), (&json!(15_000), &json!(35_000)));
    assert_eq!(over["standings"][1]["to_next"], 11_400);
    assert_eq!(phone.say(&won(0, 1500, false), None).status, 409);
    let export = phone.json("GET", &format!("{}/export", phone.game), "", &Value::Null);
    let table = String::from_utf8_lossy(&export.body).into_owned();
    assert!(table.contains("note,honba,sticks,han,fu,ready,nagashi,liable,Anna"), "{table}");
    let first = format!(",place,Dorte{}1,45000,0,15000,0,0,0,35000", ",".repeat(21));
    assert!(table.contains(&first), "{table}");
    // Three players begin a game with three names.
    let body = json!({ "players": ["Anna", "Bo", "Clara"], "ruleset": "riichi-three" });
    let three = phone.json("POST", "/v1/games", "", &body);
    assert_eq!(three.status, 201, "{three:?}");
    assert_eq!(three.json()["totals"], json!([0, 0, 0]));
    let body = json!({ "players": ["Anna", "Bo", "Clara"], "ruleset": "riichi-wrc" });
    let reply = phone.json("POST", "/v1/games", "", &body);
    let field = reply.json()["errors"][0]["field"].clone();
    assert_eq!((reply.status, field), (422, json!("players")));
}

/// Names that people can't tell apart are refused when a game is created and when players are
/// renamed.
#[test]
fn names_that_look_alike_are_refused_by_field() {
    let folder = folder("alike-names");
    let service = serve(&folder);
    let phone = Phone::begin(service.address, None, None);
    let changes = format!("{}/changes", phone.game);
    for (names, german) in [
        (["a", "A", "C", "D"], "a und A unterscheiden sich nur"),
        (["Åse", "Bo", "A\u{30a}se", "D"], "unterscheiden sich nur"),
        (["Anna", "Bo", "Anna\u{200d}", "D"], "unterscheiden sich nur"),
        (["Anna", "\u{3164}", "C", "D"], "Spieler 2 hat kein sichtbares Zeichen"),
    ] {
        let rename = json!({ "kind": "rename", "title": "", "players": names });
        for (path, body) in
            [("/v1/games", json!({ "players": names })), (&changes, json!({ "action": rename }))]
        {
            let answer = phone.json("POST", path, "Accept-Language: de\r\n", &body);
            assert_eq!(answer.status, 422, "{body}: {answer:?}");
            let error = &answer.json()["errors"][0];
            assert_eq!(error["field"], "players", "{body}");
            assert!(error["detail"].to_string().contains(german), "{error}");
        }
    }
    let game = service.client().get(&phone.game);
    assert_eq!(game.json()["history"], json!([]), "nothing was entered");
}

fn classical(seat: &str) -> Vec<u8> {
    let path = format!("{}/datasets/games/classical-{seat}.jpg", env!("CARGO_MANIFEST_DIR"));
    std::fs::read(path).expect("the photos are committed")
}

/// Payments for East's 84, South's 12 and West's 8 points; see `service::table`. North's hand is
/// not known.
const PAID: [i64; 4] = [504, -164, -172, -168];

#[test]
fn a_deal_is_entered_by_photos_of_every_hand() {
    let folder = folder("evening-table");
    let service = serve(&folder);
    let mut phone = Phone::begin(service.address, None, Some("classical-dmjl"));
    let [east, south, west, north] = ["east", "south", "west", "north"].map(classical);
    let win = json!({ "winner": 0 });
    let others: [(&str, &[u8]); 3] = [("photo_1", &south), ("photo_2", &west), ("photo_3", &north)];
    let photos = [&[("photo", east.as_slice())], &others[..]].concat();
    let doubtful = phone.photos(&photos, &win);
    assert_eq!(doubtful.status, 200, "{}", String::from_utf8_lossy(&doubtful.body));
    let doubtful = doubtful.json();
    assert_eq!(
        (&doubtful["added"], &doubtful["table_status"]),
        (&json!(false), &json!("needs_review"))
    );
    let seats: Vec<_> =
        doubtful["others"].as_array().expect("three").iter().map(|one| &one["seat"]).collect();
    assert_eq!(seats, ["S", "W", "N"]);
    assert!(doubtful["game"]["rows"].as_array().expect("rows").is_empty());

    // To answer the doubt about South's flower, a client sends that hand typed, together with the
    // other photos.
    let doubts = doubtful["others"][0]["reading"]["doubts"].as_array().expect("doubts").iter();
    let mut answers = doubts.flat_map(|doubt| doubt["alternatives"].as_array().expect("answers"));
    let answer = answers.find(|answer| answer["answer"] == "f3").expect("f3 is offered");
    let win = json!({ "winner": 0, "others": [{ "player": 1, "hand": answer["hand"] }] });
    let twice = phone.photos(&photos, &win);
    assert_eq!(twice.status, 422, "{twice:?}");
    assert_eq!(twice.json()["errors"][0]["field"], "win.others[0].player");
    // East's photo in North's place has the same flower as East: one of the two is wrong, and
    // nothing is entered.
    let mistaken = [("photo", east.as_slice()), others[1], ("photo_3", &east)];
    let contradiction = phone.photos(&mistaken, &win);
    assert_eq!(contradiction.status, 200, "{contradiction:?}");
    assert_eq!(contradiction.json()["added"], false);
    let entered = phone.photos(&[("photo", &east), others[1]], &win);
    assert_eq!(entered.status, 201, "{}", String::from_utf8_lossy(&entered.body));
    let row = entered.json()["game"]["rows"][0].clone();
    assert_eq!(row["payments"], json!(PAID), "{row}");
    let players: Vec<_> =
        row["play"]["others"].as_array().expect("two").iter().map(|one| &one["player"]).collect();
    assert_eq!(players, [1, 2]);

    // Rules that score only the winner read no other photo.
    let mut phone = Phone::begin(service.address, None, None);
    let refused = phone.photos(&[("photo", &east), others[1]], &json!({ "winner": 0 }));
    assert_eq!(refused.status, 422, "{refused:?}");
    assert_eq!(refused.json()["errors"][0]["field"], "photo_2");
}
