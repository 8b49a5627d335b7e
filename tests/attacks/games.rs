//! Attacks on games: crowds with a link, large numbers of games, and readers of the folder that
//! games are stored in.
//!
//! Each test uses the real program, except if time has to pass: then the test sets the clock. No
//! photo is read here, but a service that is ready has loaded its models (`make setup`).

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use tilesight_core::evening::{Action, Draw, Game, Meta, Play};
use tilesight_core::rules::Book;
use tilesight_jobs::evenings::EveningLimits;
use tilesight_jobs::evenings::{EveningStore, EveningStoreError, LinkKey, Precondition};
use tilesight_jobs::{Documents, EmbeddedStore, Name, Timestamp};
use tokio::runtime::Runtime;

use crate::client::Client;
use crate::evening::{Phone, serve};
use crate::service::{Service, folder, keys_file, tilesight};
use crate::waiting::until;

/// Maximum number of concurrent spectators per link.
const OF_A_LINK: usize = 128;

fn draw() -> Value {
    json!({ "kind": "add", "play": { "kind": "draw" } })
}

fn sha_256(text: &str) -> String {
    Sha256::digest(text.as_bytes()).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns a link for spectators, as the address of its game.
fn link(phone: &Phone) -> String {
    let shared = phone.json("POST", &format!("{}/share", phone.game), "", &Value::Null);
    assert_eq!(shared.status, 200, "{shared:?}");
    shared.json()["game"].as_str().expect("a place").to_owned()
}

/// A stream of events.
struct Stream(Client);

impl Stream {
    /// Opens a stream, or returns the status and the type of the problem.
    fn open(service: &Service, path: &str) -> Result<Stream, (u16, String)> {
        let mut client = service.client();
        client.send(format!("GET {path}/events HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        let head = client.head();
        if head.status == 200 {
            return Ok(Stream(client));
        }
        let reply = client.body_of(head);
        Err((reply.status, reply.json()["type"].as_str().expect("a type").to_owned()))
    }

    /// Reads up to the event of this revision.
    fn until(&mut self, revision: u64) {
        let id = format!("id: {revision}");
        while self.0.line().trim_end() != id {}
    }
}

fn number(etag: &str) -> u64 {
    etag.trim_matches('"').parse().expect("a revision")
}

#[test]
fn a_crowd_of_spectators_blocks_neither_players_nor_other_games() {
    let folder = folder("siege-crowd");
    let service = serve(&folder);
    let mut phone = Phone::begin(service.address, None, None);
    let shared = link(&phone);
    phone.look();
    let mut refused = Vec::new();
    let mut crowd = Vec::new();
    for _ in 0..300 {
        match Stream::open(&service, &shared) {
            Ok(stream) => crowd.push(stream),
            Err(problem) => refused.push(problem),
        }
    }
    assert_eq!((crowd.len(), refused.len()), (OF_A_LINK, 300 - OF_A_LINK));
    let busy = (503, "urn:tilesight:problem:unavailable".to_owned());
    assert!(refused.iter().all(|problem| *problem == busy), "{refused:?}");
    // Four phones, each of which reconnects three times before its old connection is known to be
    // dead.
    let open = || Stream::open(&service, &phone.game).expect("a place for who plays");
    let mut table: Vec<_> = (0..16).map(|_| open()).collect();
    let other = Phone::begin(service.address, None, None);
    let elsewhere = link(&other);
    let mut others = [&other.game, &elsewhere]
        .map(|path| Stream::open(&service, path).expect("a place at another game"));
    let mut writer = phone.beside(service.address);
    writer.change(&draw());
    for stream in table.iter_mut().chain(&mut crowd) {
        stream.until(number(&writer.etag));
    }
    let mut writer = other.beside(service.address);
    writer.look();
    writer.change(&draw());
    for stream in &mut others {
        stream.until(number(&writer.etag));
    }
    // A spectator who leaves makes room for another.
    drop(crowd);
    until("the places of those who left are free", || Stream::open(&service, &shared).is_ok());
}

/// Every thread that reads the store would later hold the memory that a photo needs.
#[test]
fn many_spectators_need_few_threads() {
    let folder = folder("siege-threads");
    let service = serve(&folder);
    let phone = Phone::begin(service.address, None, None);
    let shared = link(&phone);
    let mut rush: Vec<Client> = (0..300).map(|_| service.client()).collect();
    for client in &mut rush {
        client.send(format!("GET {shared}/events HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    }
    for client in &mut rush {
        client.head();
    }
    let max_threads = service.count("task");
    assert!(max_threads < 150, "{max_threads} threads for {} spectators at once", rush.len());
    // The threads that looked up the game end after a period without work.
    until("a few threads watch for all", || service.count("task") < 60);
    assert!(service.count("fd") >= OF_A_LINK, "they still watch");
}

/// Returns the stored document of a game with these changes.
fn game_document(changes: &[Value], created: u64) -> Value {
    let names = ["Anna", "Bo", "Clara", "Dorte"].map(str::to_owned);
    let game = Game::new("Thursday".to_owned(), names, Book::shipped().usual().clone());
    let mut game = serde_json::to_value(game.expect("a game")).expect("JSON");
    game["ruleset"] = json!("classical-dmjl");
    game["changes"] = json!(changes);
    json!({ "version": 1, "owner": null, "created": created, "changed": created, "links": [], "taken_back": 0,
        "game": game })
}

/// Returns entries in which East wins with the same hand this number of times, and deals again each
/// time.
fn hands(count: u64) -> Vec<Value> {
    let win = json!({ "kind": "win", "winner": 0, "discarder": null, "hand": "123456789m11pFFF",
        "context": {} });
    (1..=count)
        .map(|number| {
            json!({ "number": number, "at": 1_700_000_000_000_u64 + number, "by": "Anna",
            "action": { "kind": "add", "play": win } })
        })
        .collect()
}

/// Stores a game with its row in the index, as [`EveningStore`] does.
fn put(folder: &Path, id: &str, document: &Value) {
    let store = EmbeddedStore::open(folder).expect("a store");
    let created = document["created"].as_u64().expect("a time");
    let row = format!("{id}-{created:012x}-0000000000000000");
    Runtime::new().expect("a runtime").block_on(async {
        for (kind, id, bytes) in
            [("game-entry", row.as_str(), "game".to_owned()), ("game", id, document.to_string())]
        {
            let kind: Name = kind.parse().expect("a name");
            let id: Name = id.parse().expect("a name");
            store.save(&kind, &id, None, bytes.as_bytes()).await.expect("it is new");
        }
    });
}

const STORED: &str = "0123456789abcdef0123456789abcdef";

fn now() -> u64 {
    Timestamp::now().0
}

#[test]
fn sixty_four_spectators_cost_little_more_than_one() {
    const CHANGES: usize = 3;
    let folder = folder("siege-views");
    put(&folder, STORED, &game_document(&hands(900), now()));
    let service = serve(&folder);
    let game = format!("/v1/games/{STORED}");
    let mut phone = Phone { address: service.address, game, etag: "*".to_owned(), key: None };
    let seen = phone.look();
    assert_eq!(seen["rows"].as_array().map(Vec::len), Some(900));
    let shared = link(&phone);
    let mut round = |onlookers: usize| {
        phone.look();
        let begun = number(&phone.etag);
        // Each is read at once: the server ends the stream of a client that does not read.
        let mut streams: Vec<_> = (0..onlookers)
            .map(|_| {
                let mut stream = Stream::open(&service, &shared).expect("a place");
                stream.until(begun);
                stream
            })
            .collect();
        let before = service.processor();
        for change in 0..CHANGES {
            let players = ["Anna", "Bo", "Clara", "Dorte"];
            let title = format!("{onlookers} look on, {change}");
            phone.change(&json!({ "kind": "rename", "title": title, "players": players }));
            let revision = number(&phone.etag);
            std::thread::scope(|scope| {
                for stream in &mut streams {
                    scope.spawn(move || stream.until(revision));
                }
            });
        }
        service.processor() - before
    };
    let (one, many) = (round(1), round(64));
    eprintln!("{CHANGES} changes: {one:?} with one onlooker, {many:?} with 64");
    assert!(many < one * 4, "{many:?} with 64 onlookers, {one:?} with one");
}

#[test]
fn the_number_of_games_is_limited() {
    const KEYS: [&str; 4] = ["tilesight_a", "tilesight_b", "tilesight_c", "tilesight_d"];
    const ANNA: &str = KEYS[0];
    let folder = folder("siege-heap");
    let keys = keys_file(
        &folder,
        &["anna", "bo", "clara", "dorte"].map(|name| {
            (name, KEYS.into_iter().find(|key| key.ends_with(&name[..1])).expect("a key"))
        }),
    );
    let data = folder.join("data");
    let data = data.to_str().expect("a plain path");
    let caps = ["--max-games", "4", "--max-games-per-client", "2"];
    let start = || Service::start_with(&[&["--keys", &keys, "--data", data], &caps[..]].concat());
    let service = start();
    let names = json!({ "players": ["Anna", "Bo", "Clara", "Dorte"] });
    let more = |service: &Service, key| {
        let (address, game, etag) = (service.address, String::new(), "*".to_owned());
        let phone = Phone { address, game, etag, key: Some(key) };
        let answer = phone.json("POST", "/v1/games", "", &names);
        (answer.status, answer.json()["type"].as_str().unwrap_or_default().to_owned())
    };
    let too_many = (429, "urn:tilesight:problem:too-many-requests".to_owned());
    let full = (507, "urn:tilesight:problem:insufficient-storage".to_owned());
    let first = Phone::begin(service.address, Some(ANNA), None);
    Phone::begin(service.address, Some(ANNA), None);
    assert_eq!(more(&service, ANNA), too_many, "two are what one may have");
    assert_eq!(more(&service, KEYS[1]).0, 201);
    assert_eq!(more(&service, KEYS[1]), too_many, "the last is for somebody who has none");
    assert_eq!(more(&service, KEYS[2]).0, 201);
    assert_eq!(more(&service, KEYS[3]), full);
    drop(service);
    let service = start();
    assert_eq!(more(&service, KEYS[3]), full, "a restart forgets no game");
    let first = Phone { address: service.address, ..first };
    assert_eq!(first.json("DELETE", &first.game, "", &Value::Null).status, 204);
    assert_eq!(more(&service, ANNA), too_many);
    assert_eq!(more(&service, KEYS[3]).0, 201);
    drop(service);
    // Without keys, clients are counted by address.
    let open = folder.join("open");
    let open = open.to_str().expect("a plain path");
    let service = Service::start_with(&[&["--data", open], &caps[..]].concat());
    let phone = Phone::begin(service.address, None, None);
    Phone::begin(service.address, None, None);
    let answer = phone.json("POST", "/v1/games", "", &names);
    assert_eq!((answer.status, answer.json()["type"].as_str()), (429, Some(&*too_many.1)));
    assert_eq!(phone.json("DELETE", &phone.game, "", &Value::Null).status, 204);
    Phone::begin(service.address, None, None);
}

#[test]
fn the_size_of_a_game_is_limited() {
    let note = "\u{9ebb}".repeat(200);
    let change = |number: u64| {
        json!({ "number": number, "at": number, "by": "Anna", "key": "k".repeat(240), "action": { "kind": "add",
            "play": { "kind": "manual", "reason": "adjustment", "player": 0, "payments": [3, -1, -1, -1],
                "note": note } } })
    };
    let folder = folder("siege-journal");
    let changes: Vec<Value> = (1..=780).map(change).collect();
    let game = game_document(&changes, now());
    let bytes = game.to_string().len();
    assert!((750_000..1_000_000).contains(&bytes), "{bytes}");
    put(&folder, STORED, &game);
    let service = serve(&folder);
    let game = format!("/v1/games/{STORED}");
    let phone = Phone { address: service.address, game, etag: "*".to_owned(), key: None };
    let answer = phone.say(&draw(), None);
    let reply = answer.json();
    assert_eq!(answer.status, 422, "{reply}");
    assert_eq!(reply["type"], "urn:tilesight:problem:invalid-entry");
    assert!(
        reply["detail"].as_str().is_some_and(|detail| detail.contains("another one")),
        "{reply}"
    );
}

#[tokio::test]
async fn a_game_expires_after_its_last_change() {
    let folder = folder("siege-lifetime");
    let lifetime = Duration::from_secs(86_400);
    let store = Arc::new(EmbeddedStore::open(&folder).expect("a store"));
    let limits = EveningLimits { lifetime, ..EveningLimits::default() };
    let desk =
        EveningStore::new(store.clone()).with_limits(limits).with_link_key(LinkKey::new(&[7; 32]));
    let game = || {
        let names = ["Anna", "Bo", "Clara", "Dorte"].map(str::to_owned);
        Game::new(String::new(), names, Book::shipped().usual().clone()).expect("a game")
    };
    let quiet = desk.create(game(), None, None).await.expect("room");
    let played = desk.create(game(), Some("anna".to_owned()), None).await.expect("room");
    let (quiet, token) = desk.share(quiet).await.expect("a link");
    let created = quiet.document.created;
    let half = created.saturating_add(lifetime / 2);
    let meta = Meta { at: half.0, ..Meta::default() };
    let draw = Action::Add { play: Play::Draw(Draw::default()), before: None };
    desk.change(played.clone(), Precondition::Any, meta, draw).await.expect("a change");
    assert_eq!(desk.sweep(created.saturating_add(lifetime)).await.expect("a sweep"), 0);
    assert!(desk.find_shared(&token).await.is_ok());
    let over = created.saturating_add(lifetime + Duration::from_secs(60));
    assert_eq!(desk.sweep(over).await.expect("a sweep"), 1);
    assert_eq!(
        desk.find(quiet.id.as_str(), None).await.err(),
        Some(EveningStoreError::Missing("game"))
    );
    assert_eq!(desk.find_shared(&token).await.err(), Some(EveningStoreError::Missing("game")));
    assert!(desk.find(played.id.as_str(), Some("anna")).await.is_ok(), "it was changed later");
    let over = half.saturating_add(lifetime + Duration::from_secs(1));
    assert_eq!(desk.sweep(over).await.expect("a sweep"), 1);
    assert_eq!(desk.list().await, Ok(Vec::new()));
    for kind in ["game", "game-link", "game-entry"] {
        let left = store.list(&kind.parse().expect("a name")).await;
        assert_eq!(left, Ok(Vec::new()), "nothing is left of {kind}");
    }
}

#[test]
fn a_service_deletes_expired_games() {
    let folder = folder("siege-old");
    let young = STORED.replace('0', "a");
    put(&folder, STORED, &game_document(&[], now() - 2 * 86_400_000));
    put(&folder, &young, &game_document(&[], now()));
    let data = folder.to_str().expect("a plain path");
    let service = Service::start_with(&["--data", data, "--game-days", "1"]);
    service.wait_for("games were swept");
    let status = |id: &str| service.client().get(&format!("/v1/games/{id}")).status;
    assert_eq!((status(STORED), status(&young)), (404, 200));
}

/// Returns the content of every file below a folder.
fn files(folder: &Path) -> Vec<Vec<u8>> {
    let entries =
        fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries
        .flat_map(
            |path| {
                if path.is_dir() { files(&path) } else { vec![fs::read(&path).expect("a file")] }
            },
        )
        .collect()
}

fn holds(folder: &Path, text: &str) -> bool {
    let text = text.as_bytes();
    files(folder).iter().any(|file| file.windows(text.len()).any(|part| part == text))
}

#[test]
fn the_folder_contains_no_usable_link() {
    let folder = folder("siege-tokens");
    let service = serve(&folder);
    let mut phone = Phone::begin(service.address, None, None);
    let shared = link(&phone);
    let token = shared.rsplit('/').next().expect("a token").to_owned();
    let look = |service: &Service, path: &str| service.client().get(path).status;
    assert_eq!(look(&service, &shared), 200);
    assert_eq!(link(&phone), shared, "it is shown again");
    assert_eq!(phone.look()["share"], token.as_str());
    assert!(holds(&folder, &sha_256(&token)), "the search finds what is there");
    assert!(!holds(&folder, &token), "the token lies in the folder");
    assert_eq!(look(&service, &format!("/v1/shared-games/{}", sha_256(&token))), 404);
    // Old links are valid after a restart, beside new ones.
    drop(service);
    let service = serve(&folder);
    phone.address = service.address;
    let again = link(&phone);
    assert_eq!((look(&service, &shared), look(&service, &again)), (200, 200));
    let path = format!("{}/share", phone.game);
    assert_eq!(phone.json("DELETE", &path, "", &Value::Null).status, 204);
    assert_eq!((look(&service, &shared), look(&service, &again)), (404, 404));
    let new = link(&phone);
    assert!(new != shared && new != again, "what was taken back does not come back");
    assert_eq!(look(&service, &new), 200);
}

#[test]
fn games_without_an_owner_are_hidden_once_keys_are_required() {
    const ANNA: &str = "tilesight_anna";
    const BO: &str = "tilesight_bo";
    let folder = folder("siege-ownerless");
    let keys = keys_file(&folder, &[("anna", ANNA), ("bo", BO)]);
    let data = folder.join("data");
    let service = serve(&data);
    let before = Phone::begin(service.address, None, None);
    let shared = link(&before);
    drop(service);
    let service =
        Service::start_with(&["--keys", &keys, "--data", data.to_str().expect("a plain path")]);
    let status = |key| {
        let (address, game, etag) = (service.address, before.game.clone(), before.etag.clone());
        let phone = Phone { address, game, etag, key: Some(key) };
        phone.json("GET", &phone.game, "", &Value::Null).status
    };
    assert_eq!((status(ANNA), status(BO)), (404, 404));
    assert_eq!(service.client().get(&shared).status, 200, "its link is as good as before");
    let game = |args: &[&str]| {
        let mut command = tilesight();
        let output = command.arg("game").args(args).arg("--data").arg(&data).output();
        String::from_utf8(output.expect("the program starts").stdout).expect("text")
    };
    let id = before.game.rsplit('/').next().expect("an id");
    assert!(game(&["list"]).contains(id), "anyone who has the folder sees it");
    assert!(game(&["give", "anna"]).contains(id));
    assert_eq!((status(ANNA), status(BO)), (200, 404));
    assert_eq!(game(&["give", "bo"]), "", "it is nobody's no longer");
}
