//! An evening through a real service, for tests of games: phones at the table, and their photos.

#![allow(dead_code, reason = "each test binary uses some of it")]

use std::fs;
use std::net::SocketAddr;
use std::path::Path;

use serde_json::{Value, json};
use tilesight_core::contract::ScoreRequest;
use tilesight_core::rules::Book;

use crate::client::{Answer, Client, FORM, form, header};
use crate::service::Service;

/// Seats in order.
pub(crate) const WINDS: [&str; 4] = ["E", "S", "W", "N"];

/// Starts a service that keeps games in a folder, and that disconnects no test that a busy machine
/// lets read late.
pub(crate) fn serve(folder: &Path) -> Service {
    let data = folder.to_str().expect("a plain path");
    Service::start_with(&["--data", data, "--write-timeout", "3600"])
}

/// A phone at the table: its last known revision of the game, and its key.
pub(crate) struct Phone {
    pub(crate) address: SocketAddr,
    pub(crate) game: String,
    pub(crate) etag: String,
    pub(crate) key: Option<&'static str>,
}

impl Phone {
    /// Sends a request with the headers that every request of a phone has.
    pub(crate) fn send(
        &self,
        (method, path): (&str, &str),
        kind: &str,
        more: &str,
        body: &[u8],
    ) -> Answer {
        let mut client = Client::connect(self.address);
        let key = self.key.map(|key| format!("Authorization: Bearer {key}\r\n"));
        client.send(format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\nIf-Match: {}\r\n{}{more}\
             Content-Length: {}\r\n\r\n",
            self.etag,
            key.unwrap_or_default(),
            body.len()
        ));
        client.send(body);
        client.answer()
    }

    pub(crate) fn json(&self, method: &str, path: &str, more: &str, body: &Value) -> Answer {
        self.send((method, path), "application/json", more, body.to_string().as_bytes())
    }

    /// Starts a game, by default with the default rules.
    pub(crate) fn begin(
        address: SocketAddr,
        key: Option<&'static str>,
        ruleset: Option<&str>,
    ) -> Phone {
        let mut phone = Phone { address, game: String::new(), etag: "*".to_owned(), key };
        let players = json!({ "title": "Thursday", "players": ["Anna", "Bo", "Clara", "Dorte"], "ruleset": ruleset });
        let answer = phone.json("POST", "/v1/games", "", &players);
        assert_eq!(answer.status, 201, "{answer:?}");
        phone.game = header(&answer.head, "location").expect("a place").to_owned();
        phone.saw(&answer);
        phone
    }

    /// Returns another phone at the same table, with the same known revision.
    pub(crate) fn beside(&self, address: SocketAddr) -> Phone {
        Phone { address, game: self.game.clone(), etag: self.etag.clone(), key: self.key }
    }

    pub(crate) fn saw(&mut self, answer: &Answer) {
        self.etag = header(&answer.head, "etag").expect("a revision").to_owned();
    }

    pub(crate) fn look(&mut self) -> Value {
        let answer = self.json("GET", &self.game, "", &Value::Null);
        assert_eq!(answer.status, 200, "{answer:?}");
        self.saw(&answer);
        answer.json()
    }

    /// Sends a change; the answer may be anything.
    pub(crate) fn say(&self, action: &Value, key: Option<&str>) -> Answer {
        let key = key.map(|key| format!("Idempotency-Key: {key}\r\n")).unwrap_or_default();
        let body = json!({ "action": action, "by": "a test" });
        self.json("POST", &format!("{}/changes", self.game), &key, &body)
    }

    /// Makes a change that must succeed.
    pub(crate) fn change(&mut self, action: &Value) -> Value {
        let answer = self.say(action, None);
        assert_eq!(answer.status, 201, "{action}: {}", String::from_utf8_lossy(&answer.body));
        self.saw(&answer);
        answer.json()
    }

    /// Enters the next deal by a photo.
    pub(crate) fn photo(&mut self, photo: &[u8], win: &Value) -> Answer {
        self.photos(&[("photo", photo)], win)
    }

    /// Enters the next deal by photos of several hands.
    pub(crate) fn photos(&mut self, photos: &[(&str, &[u8])], win: &Value) -> Answer {
        let win = win.to_string();
        let parts = [photos, &[("win", win.as_bytes())]].concat();
        let path = format!("{}/hands", self.game);
        let answer = self.send(("POST", &path), FORM, "", &form(&parts));
        if matches!(answer.status, 200 | 201) {
            self.saw(&answer);
        }
        answer
    }
}

/// A photo with the hand that it shows, and how the hand was won.
pub(crate) struct Sample {
    pub(crate) photo: Vec<u8>,
    pub(crate) hand: Value,
    pub(crate) self_drawn: bool,
}

impl Sample {
    /// Loads the photo at a path, with the truth from the file beside it.
    pub(crate) fn at(path: &Path) -> Sample {
        let truth = fs::read_to_string(path.with_extension("json")).expect("its truth");
        let truth: Value = serde_json::from_str(&truth).expect("JSON");
        let photo = fs::read(path).expect("a photo");
        let self_drawn = truth["context"]["win"] == "self_drawn";
        Sample { photo, hand: truth["hand"].clone(), self_drawn }
    }

    /// Loads a hand that was rendered for a game.
    pub(crate) fn of_game(name: &str) -> Sample {
        Sample::at(&Path::new("datasets/games").join(name).with_extension("jpg"))
    }

    /// Returns the score of the true hand in a seat, round and with a discarder; `None` if it is
    /// not a legal win.
    pub(crate) fn total(
        &self,
        ruleset: &str,
        (seat, round): (&str, &str),
        from: Option<&str>,
    ) -> Option<i32> {
        let win = if self.self_drawn { "self_drawn" } else { "discard" };
        let from = from.filter(|_| !self.self_drawn);
        let context = json!({ "ruleset": ruleset, "seat": seat, "prevalent": round, "win": win, "from": from });
        let request = json!({ "hand": self.hand, "context": context }).to_string();
        let request = ScoreRequest::from_json(request.as_bytes()).expect("a request");
        let scored = request.prepare(&Book::shipped()).expect("a hand").score().ok()?;
        scored.score().is_legal().then_some(scored.score().total as i32)
    }
}

/// Returns all sample photos, in the order of their names.
pub(crate) fn samples() -> Vec<Sample> {
    let folder = fs::read_dir("datasets/samples").expect("the sample photos");
    let mut names: Vec<_> = folder.filter_map(|entry| Some(entry.ok()?.path())).collect();
    names.retain(|path| path.extension().is_some_and(|kind| kind == "jpg"));
    names.sort();
    names.iter().map(|path| Sample::at(path)).collect()
}

/// Photos in a cycle.
pub(crate) struct Samples {
    all: Vec<Sample>,
    next: usize,
}

impl Samples {
    pub(crate) fn new(all: Vec<Sample>) -> Samples {
        Samples { all, next: 0 }
    }

    /// Returns the next photo that is a legal win, with its total.
    pub(crate) fn find_win(&mut self, total: impl Fn(&Sample) -> Option<i32>) -> (&Sample, i32) {
        for _ in 0..self.all.len() {
            let at = self.next % self.all.len();
            self.next += 1;
            if let Some(total) = total(&self.all[at]) {
                return (&self.all[at], total);
            }
        }
        panic!("no photo wins");
    }
}
