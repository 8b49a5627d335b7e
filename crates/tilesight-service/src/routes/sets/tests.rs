//! Tests of own sets: the list, and sets that keys upload.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE};
use serde_json::json;
use tilesight_jobs::EmbeddedStore;
use tilesight_vision::Reader;
use tilesight_vision::networks::fake::PaintedModel;
use tilesight_vision::sets::OwnSet;

use super::uploaded::MAX_SETS;
use crate::testing::{Answer, learn_set, limits, photo, send};
use crate::{JobLimits, Jobs, Keys, NewKey, Service};

async fn list(service: &Service) -> Answer {
    send(service, Request::get("/v1/sets").body(Body::empty()).unwrap()).await
}

async fn list_of(sets: Vec<OwnSet>) -> Answer {
    let reader = Reader::with_model(PaintedModel::default()).with_sets(sets).unwrap();
    let service = Service::builder(limits()).build();
    service.ready(Arc::new(reader));
    list(&service).await
}

#[tokio::test]
async fn own_sets_are_listed_by_name_with_the_identity_of_their_content() {
    let tiles = photo("1m 2m 3m E E");
    let [home, club] = ["Home", "Club"].map(|name| learn_set(name, &tiles));
    let expected = json!({ "sets": [
        { "name": "Club", "id": club.id().to_string() },
        { "name": "Home", "id": home.id().to_string() },
    ] });
    let answer = list_of(vec![home, club]).await;
    assert_eq!((answer.status.as_u16(), &answer.json), (200, &expected));
    assert_eq!(answer.headers["cache-control"], "no-store");
}

#[tokio::test]
async fn a_service_without_sets_lists_none_and_one_that_starts_refuses() {
    assert_eq!(list_of(Vec::new()).await.json, json!({ "sets": [] }));
    let starting = list(&Service::builder(limits()).build()).await;
    starting.is_problem(503, "unavailable");
    assert!(starting.headers.contains_key("retry-after"), "{starting:?}");
}

/// A service with a store, a set `Club` of its own, and two keys.
struct House {
    service: Service,
    keys: [String; 2],
    tiles: Vec<u8>,
    _folder: tempfile::TempDir,
}

impl House {
    fn new() -> House {
        let folder = tempfile::tempdir().unwrap();
        let store = Arc::new(EmbeddedStore::open(folder.path()).unwrap());
        let jobs = Jobs::new(store.backend(), JobLimits::default(), folder.path());
        let made = ["one", "two"]
            .map(|name| NewKey::generate(&name.parse().unwrap(), None, None).unwrap());
        let lines = made.each_ref().map(|key| key.line.as_str()).join("\n");
        let keys = Keys::read(&lines, limits().key_rate).unwrap();
        let service = Service::builder(limits()).keys(keys).jobs(Arc::new(jobs)).build();
        let tiles = photo("2m 3m 4m 5m 6m 7m 2p 3p 4p 6s 7s 5s 5s - 8s");
        let reader = Reader::with_model(PaintedModel::default());
        service.ready(Arc::new(reader.with_sets(vec![learn_set("Club", &tiles)]).unwrap()));
        House { service, keys: made.map(|key| key.secret), tiles, _folder: folder }
    }

    async fn ask(&self, key: usize, (method, path): (&str, &str), body: Vec<u8>) -> Answer {
        let request = Request::builder().method(method).uri(path);
        let request = request.header(AUTHORIZATION, format!("Bearer {}", self.keys[key]));
        let request = request.header(CONTENT_TYPE, "application/octet-stream");
        send(&self.service, request.body(body.into()).unwrap()).await
    }

    /// Returns the names of the sets that a key sees, with `*` after those that it uploaded.
    async fn names(&self, key: usize) -> Vec<String> {
        let listed = self.ask(key, ("GET", "/v1/sets"), Vec::new()).await;
        let sets = listed.json["sets"].as_array().unwrap().iter();
        sets.map(|set| {
            let mark = if set["uploaded"] == true { "*" } else { "" };
            format!("{}{mark}", set["name"].as_str().unwrap())
        })
        .collect()
    }

    async fn read(&self, key: usize, choice: &str) -> Answer {
        let path = format!("/v1/hands?seat=S&prevalent=E&win=self_drawn&set={choice}");
        self.ask(key, ("POST", &path), self.tiles.clone()).await
    }
}

#[tokio::test]
async fn an_uploaded_set_is_for_its_key_alone_until_it_is_deleted() {
    let house = House::new();
    let file = learn_set("Home", &house.tiles).to_bytes();
    let path = "/v1/sets/Oma%27s%20set";
    let put = house.ask(0, ("PUT", path), file.clone()).await;
    assert_eq!((put.status.as_u16(), &put.json["name"]), (201, &json!("Oma's set")), "{put:?}");
    assert_eq!(house.ask(0, ("PUT", path), file).await.status, 200, "it replaces itself");
    assert_eq!(house.names(0).await, ["Club", "Oma's set*"]);
    assert_eq!(house.names(1).await, ["Club"]);
    let read = house.read(0, "Oma%27s%20set").await;
    assert_eq!(read.json["reading"]["set"]["used"], "Oma's set", "{read:?}");
    assert_eq!(read.json["reading"]["set"]["id"], put.json["id"]);
    house.read(1, "Oma%27s%20set").await.is_problem(422, "invalid-context");
    assert_eq!(house.read(1, "Club").await.json["reading"]["set"]["used"], "Club");
    for (method, status) in [("GET", 404), ("DELETE", 404)] {
        assert_eq!(house.ask(1, (method, path), Vec::new()).await.status, status, "{method}");
    }
    for (method, status) in [("GET", 200), ("DELETE", 204), ("GET", 404), ("DELETE", 404)] {
        assert_eq!(house.ask(0, (method, path), Vec::new()).await.status, status, "{method}");
    }
    assert_eq!(house.names(0).await, ["Club"]);
}

#[tokio::test]
async fn an_uploaded_set_hides_a_set_of_the_service_with_its_name() {
    let house = House::new();
    let mine = learn_set("Home", &photo("1m 1m 1m E E"));
    let put = house.ask(0, ("PUT", "/v1/sets/Club"), mine.to_bytes()).await;
    assert_eq!(put.status, 201);
    assert_eq!(house.names(0).await, ["Club*"]);
    assert_eq!(house.names(1).await, ["Club"]);
    let listed = house.ask(0, ("GET", "/v1/sets"), Vec::new()).await;
    assert_eq!(listed.json["sets"][0]["id"], put.json["id"]);
}

#[tokio::test]
async fn an_invalid_set_or_one_too_many_is_refused_with_the_reason() {
    let house = House::new();
    let file = learn_set("Home", &house.tiles).to_bytes();
    for body in [Vec::new(), b"{}".to_vec(), file[..file.len() / 2].to_vec()] {
        let refused = house.ask(0, ("PUT", "/v1/sets/Home"), body).await;
        refused.is_problem(400, "malformed-request");
        assert_eq!(refused.json["errors"][0]["field"], "body");
    }
    for name in ["auto", "%20x", &"x".repeat(41)] {
        let path = format!("/v1/sets/{name}");
        house.ask(0, ("PUT", &path), file.clone()).await.is_problem(400, "malformed-request");
    }
    for number in 0..MAX_SETS {
        let path = format!("/v1/sets/{number}");
        assert_eq!(house.ask(0, ("PUT", &path), file.clone()).await.status, 201);
    }
    house.ask(0, ("PUT", "/v1/sets/more"), file.clone()).await.is_problem(429, "too-many-requests");
    assert_eq!(house.ask(0, ("PUT", "/v1/sets/0"), file.clone()).await.status, 200);
    assert_eq!(
        house.ask(1, ("PUT", "/v1/sets/more"), file).await.status,
        201,
        "others have theirs"
    );
}

#[tokio::test]
async fn sets_are_uploaded_with_a_key_to_a_service_that_stores_them() {
    let file = learn_set("Home", &photo("1m 2m 3m E E")).to_bytes();
    let open = Service::builder(limits()).build();
    let put = Request::put("/v1/sets/Home").body(Body::from(file.clone())).unwrap();
    send(&open, put).await.is_problem(403, "forbidden");
    let key = NewKey::generate(&"one".parse().unwrap(), None, None).unwrap();
    let keys = Keys::read(&key.line, limits().key_rate).unwrap();
    let storeless = Service::builder(limits()).keys(keys).build();
    let bearer = format!("Bearer {}", key.secret);
    let request = Request::put("/v1/sets/Home").header(AUTHORIZATION, bearer);
    send(&storeless, request.body(Body::from(file)).unwrap())
        .await
        .is_problem(404, "sets-disabled");
}

#[tokio::test]
async fn renewed_sets_are_known_at_once_and_faulty_ones_change_nothing() {
    let tiles = photo("1m 2m 3m E E");
    let service = Service::builder(limits()).build();
    assert!(!service.renew_sets(Vec::new()).unwrap(), "no reader has them yet");
    service.ready(Arc::new(Reader::with_model(PaintedModel::default())));
    assert!(service.renew_sets(vec![learn_set("Home", &tiles)]).unwrap());
    assert_eq!(list(&service).await.json["sets"][0]["name"], "Home");
    let twice = vec![learn_set("Club", &tiles), learn_set("Club", &tiles)];
    service.renew_sets(twice).expect_err("two sets have one name");
    assert_eq!(list(&service).await.json["sets"][0]["name"], "Home");
}
