//! A series through a real service: two organisers at once, evenings of its tables, links, keys,
//! and tables of results.

use std::collections::HashSet;
use std::net::SocketAddr;
use std::thread;

use crate::client::{Answer, Client, header};
use crate::evening::serve;
use crate::events::Events;
use crate::service::{Service, folder, keys_file};
use serde_json::{Value, json};

const ANNA: &str = "anna-0123456789abcdef0123456789abcdef";
const BO: &str = "bo-0123456789abcdef0123456789abcdef00";

/// An organiser: the last known revision of the series, and the key.
#[derive(Clone)]
struct Organiser {
    address: SocketAddr,
    path: String,
    etag: String,
    key: Option<&'static str>,
}

impl Organiser {
    fn begin(address: SocketAddr, key: Option<&'static str>, new: &Value) -> Organiser {
        let mut one = Organiser { address, path: String::new(), etag: "*".to_owned(), key };
        let answer = one.ask("POST", "/v1/series", "", new);
        assert_eq!(answer.status, 201, "{answer:?}");
        one.path = header(&answer.head, "location").expect("a place").to_owned();
        one.saw(&answer);
        one
    }

    fn ask(&self, method: &str, path: &str, more: &str, body: &Value) -> Answer {
        let body = body.to_string();
        let key = self.key.map(|key| format!("Authorization: Bearer {key}\r\n"));
        let mut client = Client::connect(self.address);
        client.send(format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
             If-Match: {}\r\n{}{more}Content-Length: {}\r\n\r\n{body}",
            self.etag,
            key.unwrap_or_default(),
            body.len()
        ));
        client.answer()
    }

    fn saw(&mut self, answer: &Answer) {
        self.etag = header(&answer.head, "etag").expect("a revision").to_owned();
    }

    fn reload(&mut self) -> Value {
        let answer = self.ask("GET", &self.path, "", &Value::Null);
        assert_eq!(answer.status, 200, "{answer:?}");
        self.saw(&answer);
        answer.json()
    }

    fn say(&self, action: &Value, key: Option<&str>) -> Answer {
        let key = key.map(|key| format!("Idempotency-Key: {key}\r\n")).unwrap_or_default();
        let body = json!({ "action": action });
        self.ask("POST", &format!("{}/changes", self.path), &key, &body)
    }

    fn change(&mut self, action: &Value) -> Value {
        let answer = self.say(action, None);
        assert_eq!(answer.status, 201, "{action}: {}", String::from_utf8_lossy(&answer.body));
        self.saw(&answer);
        answer.json()
    }

    /// Makes a change, however often another organiser is faster; returns how often that was.
    fn insist(&mut self, action: &Value, key: &str) -> usize {
        let mut refused = 0;
        loop {
            let answer = self.say(action, Some(key));
            match answer.status {
                201 => {
                    self.saw(&answer);
                    return refused;
                }
                412 => {
                    assert_eq!(answer.json()["type"], "urn:tilesight:problem:series-changed");
                    refused += 1;
                    self.reload();
                }
                other => panic!("{other}: {}", String::from_utf8_lossy(&answer.body)),
            }
        }
    }
}

fn names(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("Player {number}")).collect()
}

/// Returns the points of a table in a round; they sum to zero.
fn points(round: u64, table: u64) -> [i64; 4] {
    let one = (round * 7 + table * 3) as i64;
    let other = (round * 5 + table) as i64;
    [one, other - one, 4, -other - 4]
}

#[test]
fn two_organisers_run_a_series_of_24_players_over_five_rounds() {
    let folder = folder("series");
    let service = serve(&folder);
    let new = json!({ "title": "Club year", "players": names(24), "rounds": 5 });
    let mut first = Organiser::begin(service.address, None, &new);
    let second = first.clone();
    for round in 1..=5_u64 {
        let seated = first.change(&json!({ "kind": "seat", "round": round }));
        assert_eq!(
            seated["rounds"][round as usize - 1]["tables"].as_array().map(Vec::len),
            Some(6)
        );
        let organisers = [(first.clone(), [1, 3, 5]), (second.clone(), [2, 4, 6])];
        let entering = organisers.map(|(mut one, tables)| {
            thread::spawn(move || {
                for table in tables {
                    let points = points(round, table);
                    let result =
                        json!({ "kind": "result", "round": round, "table": table, "points": points });
                    one.insist(&result, &format!("{round}-{table}"));
                    // The answer was lost: the same request again changes nothing.
                    assert_eq!(one.say(&result, Some(&format!("{round}-{table}"))).status, 200);
                }
            })
        });
        entering.into_iter().for_each(|one| one.join().expect("no panic"));
        first.reload();
    }
    let end = first.reload();
    let mut pairs = HashSet::new();
    let mut total = [0_i64; 24];
    for (round, seated) in end["rounds"].as_array().expect("rounds").iter().enumerate() {
        assert_eq!(seated["repeated"], 0, "nobody meets twice in round {}", round + 1);
        let mut sitting = HashSet::new();
        for (table, tables) in seated["tables"].as_array().expect("tables").iter().enumerate() {
            let expected = points(round as u64 + 1, table as u64 + 1);
            let players: Vec<u64> = tables["seats"]
                .as_array()
                .expect("seats")
                .iter()
                .map(|seat| seat["player"].as_u64().expect("a player"))
                .collect();
            for (at, player) in players.iter().enumerate() {
                assert_eq!(tables["seats"][at]["points"], expected[at]);
                total[*player as usize - 1] += expected[at];
                assert!(sitting.insert(*player));
                for other in &players[..at] {
                    assert!(pairs.insert((*player.min(other), *player.max(other))));
                }
            }
        }
        assert_eq!(sitting.len(), 24);
    }
    assert_eq!(end["history"].as_array().map(Vec::len), Some(5 + 30), "nothing is lost or twice");
    let standings = end["standings"].as_array().expect("standings");
    let sum: f64 = standings.iter().filter_map(|one| one["table_points"].as_f64()).sum();
    assert!((sum - 5.0 * 6.0 * 7.0).abs() < 0.2, "{sum}");
    for one in standings {
        let player = one["player"].as_u64().expect("a player") as usize;
        assert_eq!(one["points"], total[player - 1]);
        assert_eq!(one["played"], 5);
    }
    let decided: Vec<_> = standings.iter().map(|one| one["table_points"].as_f64()).collect();
    assert!(decided.is_sorted_by(|one, next| one >= next));
    // The standings after an earlier round.
    let earlier = first.ask("GET", &format!("{}?round=2", first.path), "", &Value::Null).json();
    assert_eq!((&earlier["after"], &earlier["standings"][0]["played"]), (&json!(2), &json!(2)));
    for path in ["?round=6", "/export?round=6", "/export?round=6&table=results"] {
        let none = first.ask("GET", &format!("{}{path}", first.path), "", &Value::Null);
        assert_eq!((none.status, &none.json()["errors"][0]["field"]), (422, &json!("round")));
    }
}

#[test]
fn a_table_opens_its_evening_and_its_result_is_collected() {
    let folder = folder("series-evening");
    let keys = keys_file(&folder, &[("anna", ANNA), ("bo", BO)]);
    let data = folder.to_str().expect("a plain path");
    let service = Service::start_with(&["--keys", &keys, "--data", data]);
    let new = json!({ "title": "League", "players": names(8) });
    let mut anna = Organiser::begin(service.address, Some(ANNA), &new);
    anna.change(&json!({ "kind": "seat" }));
    let none = anna.say(&json!({ "kind": "collect", "round": 1 }), None);
    assert_eq!(none.status, 422, "{none:?}");
    let open = json!({ "kind": "open", "round": 1, "table": 2 });
    let answer = anna.say(&open, Some("open"));
    assert_eq!(answer.status, 201, "{answer:?}");
    let again = anna.say(&open, Some("open"));
    assert_eq!((again.status, &again.json()["rounds"]), (200, &answer.json()["rounds"]));
    anna.saw(&answer);
    let table = &answer.json()["rounds"][0]["tables"][1];
    let game = format!("/v1/games/{}", table["game"].as_str().expect("a game"));
    let reopened = anna.say(&open, Some("once more"));
    assert_eq!((reopened.status, &reopened.json()["rounds"]), (201, &answer.json()["rounds"]));
    anna.saw(&reopened);
    let riichi = json!({ "players": names(4), "ruleset": "riichi-wrc" });
    let riichi = anna.ask("POST", "/v1/games", "", &riichi);
    let path = header(&riichi.head, "location").expect("a place");
    let by_others = json!({ "kind": "open", "round": 1, "table": 1, "game": &path[10..] });
    let refused = anna.say(&by_others, None);
    assert_eq!((refused.status, &refused.json()["errors"][0]["field"]), (422, &json!("game")));
    let removed = Organiser { etag: "*".to_owned(), ..anna.clone() };
    assert_eq!(removed.ask("DELETE", path, "", &Value::Null).status, 204);
    // A change on an old revision leaves no game behind.
    let mut late = anna.clone();
    late.etag = "\"1\"".to_owned();
    assert_eq!(late.say(&json!({ "kind": "open", "round": 1, "table": 1 }), None).status, 412);
    let listed = anna.ask("GET", "/v1/games", "", &Value::Null).json();
    assert_eq!(listed["games"].as_array().map(Vec::len), Some(1));
    let seats: Vec<_> =
        table["seats"].as_array().expect("seats").iter().map(|seat| seat["name"].clone()).collect();
    assert_eq!(listed["games"][0]["players"], json!(seats));
    let player = Organiser { path: game.clone(), etag: "*".to_owned(), ..anna.clone() };
    for action in [
        json!({ "kind": "add", "play": { "kind": "points", "winner": 2, "discarder": 0, "points": 88 } }),
        json!({ "kind": "finish" }),
    ] {
        assert_eq!(player.say(&action, None).status, 201);
    }
    let collected = anna.change(&json!({ "kind": "collect", "round": 1 }));
    let table = &collected["rounds"][0]["tables"][1];
    let won: Vec<_> = (0..4).map(|seat| table["seats"][seat]["points"].as_i64()).collect();
    assert_eq!(won, [Some(-96), Some(-8), Some(112), Some(-8)]);
    let winner = table["seats"][2]["player"].as_u64().expect("a player") as usize;
    let record = &collected["records"][winner - 1];
    assert_eq!((&record["won"], &record["largest"]["total"]), (&json!(1), &json!(88)));
    // The link shows the series without ids, and needs no key; another key sees nothing.
    let link = anna.ask("POST", &format!("{}/share", anna.path), "", &Value::Null).json();
    let shared = service.client().get(link["series"].as_str().expect("an address"));
    assert_eq!(shared.status, 200);
    let text = String::from_utf8(shared.body.clone()).expect("text");
    assert!(!text.contains(&game[10..]) && !text.contains(&anna.path[11..]), "{text}");
    assert_eq!(shared.json()["standings"], collected["standings"]);
    let bo = Organiser { key: Some(BO), ..anna.clone() };
    assert_eq!(bo.ask("GET", &anna.path, "", &Value::Null).status, 404);
    assert_eq!(bo.say(&json!({ "kind": "finish" }), None).status, 404);
    let mut of_bo = Organiser::begin(service.address, Some(BO), &new);
    of_bo.change(&json!({ "kind": "seat" }));
    let foreign =
        of_bo.say(&json!({ "kind": "open", "round": 1, "table": 1, "game": &game[10..] }), None);
    assert_eq!(foreign.status, 404, "the game of another key can't be linked");
    let mine = bo.ask("GET", "/v1/series", "", &Value::Null).json();
    assert_eq!(mine["series"].as_array().map(Vec::len), Some(1));
    assert_eq!(anna.ask("DELETE", &format!("{}/share", anna.path), "", &Value::Null).status, 204);
    let gone = service.client().get(link["series"].as_str().expect("an address"));
    let detail = gone.json()["detail"].to_string();
    assert!(gone.status == 404 && detail.contains("no such link: it was revoked"), "{detail}");
}

#[test]
fn organisers_and_those_who_look_on_see_every_result() {
    let folder = folder("series-events");
    let service = serve(&folder);
    let new = json!({ "title": "League", "players": names(4) });
    let mut one = Organiser::begin(service.address, None, &new);
    let shared = one.ask("POST", &format!("{}/share", one.path), "", &Value::Null);
    one.saw(&shared);
    let link = shared.json()["series"].as_str().expect("an address").to_owned();
    let mut other = Events::open(service.address, &format!("{}/events", one.path), None);
    let mut onlooker = Events::open(service.address, &format!("{link}/events"), None);
    assert_eq!((other.next().1["rounds"].clone(), onlooker.next().0), (json!([]), "series".into()));
    let seated = one.change(&json!({ "kind": "seat" }));
    assert_eq!(other.next(), ("series".to_owned(), seated.clone()), "as it was answered");
    assert_eq!(onlooker.next().1["rounds"].as_array().map(Vec::len), Some(1));
    // A client that reconnects gets only new events.
    let known = seated["revision"].to_string();
    let mut back = Events::open(service.address, &format!("{}/events", one.path), Some(&known));
    let points = [30, 10, -10, -30];
    let result = json!({ "kind": "result", "round": 1, "table": 1, "points": points });
    let changed = one.change(&result);
    assert_eq!(back.next().1, changed);
    let (_, seen) = onlooker.next();
    assert_eq!(
        (&seen["standings"], &seen["id"], &seen["share"]),
        (&changed["standings"], &Value::Null, &Value::Null)
    );
    assert_eq!(one.ask("DELETE", &format!("{}/share", one.path), "", &Value::Null).status, 204);
    assert_eq!(onlooker.next().0, "gone");
    assert_eq!(one.ask("DELETE", &one.path, "", &Value::Null).status, 204);
    while back.next().0 != "gone" {}
}

#[test]
fn results_go_out_as_a_table_and_come_in_again() {
    let folder = folder("series-table");
    let service = serve(&folder);
    let new = json!({ "title": "League", "players": names(8) });
    let mut one = Organiser::begin(service.address, None, &new);
    one.change(&json!({ "kind": "seat" }));
    for table in [1, 2] {
        one.change(
            &json!({ "kind": "result", "round": 1, "table": table, "points": points(1, table) }),
        );
    }
    let table =
        one.ask("GET", &format!("{}/export?table=results&csv=excel", one.path), "", &Value::Null);
    let csv = String::from_utf8(table.body).expect("text");
    let mut other = Organiser::begin(service.address, None, &json!({ "title": "Copy" }));
    let import = |other: &Organiser, csv: &str, adds: bool| {
        let body = json!({ "csv": csv, "add_players": adds });
        other.ask("POST", &format!("{}/import", other.path), "", &body)
    };
    let unknown = import(&other, &csv, false);
    assert_eq!(unknown.status, 422);
    assert_eq!(unknown.json()["errors"][0]["field"], "rows[2].player_1");
    let entered = import(&other, &csv, true);
    assert_eq!(entered.status, 201, "{}", String::from_utf8_lossy(&entered.body));
    other.saw(&entered);
    // A workbook of the same columns, by its name or by what the client accepts.
    let accept = "Accept: application/vnd.openxmlformats-officedocument.spreadsheetml.sheet\r\n";
    for (query, more) in [("table=results&format=xlsx", ""), ("table=results", accept)] {
        let path = format!("{}/export?{query}", one.path);
        let book = one.ask("GET", &path, more, &Value::Null);
        assert_eq!((book.status, &book.body[..2]), (200, &b"PK"[..]), "{query}");
        let name = header(&book.head, "content-disposition");
        assert_eq!(name, Some("attachment; filename=\"series.xlsx\""));
    }
    let broken = csv.replace(";4;", ";5;");
    let refused = import(&other, &broken, false).json();
    assert_eq!(refused["errors"][0]["field"], "rows[2].points_1");
    let standings = |organiser: &mut Organiser| {
        let seen = organiser.reload();
        let all = seen["standings"].as_array().expect("standings").iter();
        let mut all: Vec<_> = all
            .map(|one| (one["name"].to_string(), one["place"].clone(), one["points"].clone()))
            .collect();
        all.sort_by(|one, other| one.0.cmp(&other.0));
        all
    };
    assert_eq!(standings(&mut other), standings(&mut one));
}

#[test]
fn an_idempotency_key_creates_one_series() {
    let folder = folder("series-key");
    let service = serve(&folder);
    let new = json!({ "title": "League", "players": names(4) });
    let one = Organiser::begin(service.address, None, &new);
    let create = |new: &Value| one.ask("POST", "/v1/series", "Idempotency-Key: k\r\n", new);
    let first = create(&new);
    let again = create(&new);
    assert_eq!((first.status, again.status), (201, 200));
    assert_eq!(first.json()["id"], again.json()["id"]);
    assert_eq!(create(&json!({ "title": "Other" })).status, 422);
    assert_eq!(service.client().get("/v1/series").status, 403, "no list without keys");
    let unconditional = Client::connect(service.address).post(
        &format!("{}/changes", one.path),
        "application/json",
        br#"{"action":{"kind":"seat"}}"#,
    );
    assert_eq!(unconditional.status, 428);
}
