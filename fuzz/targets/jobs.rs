//! Bodies that become jobs: forms, archives, lines of JSON. Every answer must be one for the
//! client, and a created job can be queried and removed.

#![no_main]

mod service;

use std::sync::LazyLock;

use axum::body::Body;
use axum::http::Request;
use axum::http::header::LOCATION;
use libfuzzer_sys::fuzz_target;
use service::House;

static HOUSE: LazyLock<House> = LazyLock::new(House::new);

fuzz_target!(|input: &[u8]| {
    let Some((&kind, body)) = input.split_first() else { return };
    let kind = match kind % 4 {
        0 => "application/zip",
        1 => "application/jsonl",
        _ => "multipart/form-data; boundary=edge",
    };
    let request = Request::post("/v1/jobs").header("host", "localhost");
    let request = request.header("content-type", kind).body(Body::from(body.to_vec()));
    let (answer, body) = HOUSE.send(request.expect("a request"));
    let status = answer.status().as_u16();
    assert!((200..500).contains(&status), "{status} {}", String::from_utf8_lossy(&body));
    serde_json::from_slice::<serde_json::Value>(&body).expect("JSON");
    if status != 202 {
        return;
    }
    let job = answer.headers()[LOCATION].to_str().expect("a path");
    for (method, path, expected) in
        [("GET", format!("{job}/results"), 200), ("DELETE", job.to_owned(), 204)]
    {
        let request = Request::builder().method(method).uri(path).header("host", "localhost");
        let (answer, body) = HOUSE.send(request.body(Body::empty()).expect("a request"));
        assert_eq!(answer.status().as_u16(), expected, "{}", String::from_utf8_lossy(&body));
    }
});
