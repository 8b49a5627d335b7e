//! Forms with photos, and other bodies that `POST /v1/hands` accepts: every answer must be one for
//! the client.

#![no_main]

mod service;

use std::sync::LazyLock;

use axum::body::Body;
use axum::http::Request;
use libfuzzer_sys::fuzz_target;
use service::House;

static HOUSE: LazyLock<House> = LazyLock::new(House::new);

fuzz_target!(|input: &[u8]| {
    let Some((&kind, body)) = input.split_first() else { return };
    let kind = match kind % 4 {
        0 => "application/json",
        1 => "image/jpeg",
        _ => "multipart/form-data; boundary=edge",
    };
    let request = Request::post("/v1/hands").header("host", "localhost");
    let request = request.header("content-type", kind).body(Body::from(body.to_vec()));
    let (answer, body) = HOUSE.send(request.expect("a request"));
    let status = answer.status().as_u16();
    assert!((200..500).contains(&status), "{status}");
    serde_json::from_slice::<serde_json::Value>(&body).expect("JSON");
});
