//! Tests of tables of several photos: parts by seat, typed hands beside them, payments, and
//! refusals.

use axum::http::header::CONTENT_LENGTH;

use super::*;

/// East's hand, self-drawn, with a pung of its own wind.
const EAST: &str = "E E E 1m 2m 3m 4p 5p 6p 7s 8s 9s 5s - 5s";
/// A concealed pung of dragons.
const SOUTH: &str = "C C C 1m 1m 9p 9p 1s 2s 8s 9s 4p 7p";
/// A concealed pung of nines.
const WEST: &str = "9m 9m 9m 1p 2p 3p W W 4s 6s 8s S N";
/// Hand that scores nothing.
const NORTH: &str = "1m 4m 7m 2p 5p 8p 3s 6s 9s F P S W";

/// Returns a form of parts with their names and contents.
fn form(parts: &[(&str, &[u8])]) -> Request {
    let mut body = Vec::new();
    for (name, content) in parts {
        body.extend(b"--edge\r\nContent-Disposition: form-data; name=\"");
        body.extend([name.as_bytes(), b"\"\r\n\r\n", content, b"\r\n"].concat());
    }
    body.extend(b"--edge--\r\n");
    let form = Request::post("/v1/hands");
    let form = form.header(CONTENT_TYPE, "multipart/form-data; boundary=edge");
    form.body(body.into()).expect("a request")
}

const CLASSICAL: &[u8] =
    br#"{ "ruleset": "classical-dmjl", "seat": "E", "prevalent": "E", "win": "self_drawn" }"#;

fn painted() -> Service {
    ready(limits(), PaintedModel::default())
}

/// Returns the answer for the same table with all hands typed: the tiles of the rows in the
/// notation.
async fn typed(others: &[(&str, &str)]) -> Value {
    let concealed = |row: &str| row.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let winner = concealed(EAST);
    let others = others.iter();
    let others =
        others.map(|(seat, row)| json!({ "seat": seat, "hand": { "concealed": concealed(row) } }));
    let body = json!({
        "hand": { "concealed": winner[..13], "winning_tile": winner[14] },
        "context": serde_json::from_slice::<Value>(CLASSICAL).expect("JSON"),
        "others": others.collect::<Vec<_>>(),
    });
    post_json(&service(), "/v1/score", &body.to_string()).await.json
}

#[tokio::test]
async fn a_table_has_a_compact_answer_too() {
    let [east, south, west, north] = [EAST, SOUTH, WEST, NORTH].map(photo);
    let parts: [(&str, &[u8]); 6] = [
        ("photo_N", &north),
        ("photo_S", &south),
        ("context", CLASSICAL),
        ("photo", &east),
        ("photo_W", &west),
        ("detail", b"compact"),
    ];
    let compact = send(&painted(), form(&parts)).await.json;
    let full = send(&painted(), form(&parts[..5])).await.json;
    let score = &full["reading"]["score"];
    assert_eq!(compact["score"]["payments"], score["payments"], "{compact}");
    assert_eq!(compact["table_status"], full["table_status"]);
    for (place, other) in compact["others"].as_array().expect("three").iter().enumerate() {
        assert_eq!(other["hand"], full["others"][place]["reading"]["hand"]);
        let total = &compact["score"]["others"][place]["total"];
        assert_eq!((total, &other["score"]["total"]), (&score["others"][place]["total"], total));
    }
    assert_eq!(compact["others"].as_array().map(Vec::len), Some(3));
}

#[tokio::test]
async fn four_photos_are_one_table() {
    let [east, south, west, north] = [EAST, SOUTH, WEST, NORTH].map(photo);
    // The order of the parts makes no difference.
    let request = form(&[
        ("photo_N", &north),
        ("photo_S", &south),
        ("context", CLASSICAL),
        ("photo", &east),
        ("photo_W", &west),
    ]);
    let answer = send(&painted(), request).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let score = &answer.json["reading"]["score"];
    let expected = typed(&[("S", SOUTH), ("W", WEST), ("N", NORTH)]).await;
    for field in ["total", "payments", "others", "unsettled"] {
        assert_eq!(score[field], expected[field], "{field}");
    }
    assert_eq!(score["others"][0]["total"], 16, "a concealed pung of dragons, doubled");
    let others = answer.json["others"].as_array().expect("a list");
    let seats: Vec<_> = others.iter().map(|other| other["seat"].clone()).collect();
    assert_eq!(seats, ["S", "W", "N"]);
    for (other, scored) in others.iter().zip(score["others"].as_array().expect("a list")) {
        assert_eq!(other["reading"]["status"], "ok", "{other}");
        assert_eq!(other["reading"]["score"]["total"], scored["total"]);
        assert_eq!(other["image"], json!({ "width": 640, "height": 480 }));
        assert!(other["timings_ms"]["total"].is_number());
    }
    assert_eq!(answer.json["table_status"], "ok");
    assert!(answer.json["timings_ms"]["others"].is_number(), "{}", answer.json["timings_ms"]);
}

#[tokio::test]
async fn some_are_photographed_some_typed_and_some_missing() {
    let (east, west) = (photo(EAST), photo(WEST));
    let south: Vec<&str> = SOUTH.split_whitespace().collect();
    let others = json!([{ "seat": "S", "hand": { "concealed": south } }]).to_string();
    let parts: [(&str, &[u8]); 4] = [
        ("photo", &east),
        ("photo_W", &west),
        ("others", others.as_bytes()),
        ("context", CLASSICAL),
    ];
    let answer = send(&painted(), form(&parts)).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let score = &answer.json["reading"]["score"];
    let expected = typed(&[("S", SOUTH), ("W", WEST)]).await;
    assert_eq!(
        (&score["payments"], &score["others"]),
        (&expected["payments"], &expected["others"])
    );
    assert_eq!(score["unsettled"], json!(["N"]));
    assert_eq!(answer.json["others"].as_array().map(Vec::len), Some(1), "those that were read");
    // The same table in JSON.
    let body = json!({
        "photo": BASE64.encode(&east),
        "others": [
            { "seat": "S", "hand": { "concealed": south } },
            { "seat": "W", "photo": BASE64.encode(&west) },
        ],
        "context": serde_json::from_slice::<Value>(CLASSICAL).expect("JSON"),
        "rulesets": ["classical-dmjl", "mcr-wmo"],
    });
    let json = post_json(&painted(), "/v1/hands", &body.to_string()).await;
    assert_eq!(json.json["reading"], answer.json["reading"], "{json:?}");
    let scores = &json.json["scores"];
    assert_eq!(scores[0]["score"], json.json["reading"]["score"]);
    assert!(scores[1]["score"]["total"].is_u64() && scores[1]["score"].get("others").is_none());
}

#[tokio::test]
async fn rules_that_score_the_winner_alone_read_no_other_photo() {
    let (east, south) = (photo(EAST), photo(SOUTH));
    let answer = send(&painted(), form(&[("photo", &east), ("photo_S", &south)])).await;
    answer.is_problem(422, "invalid-context");
    assert_eq!(answer.json["errors"][0]["field"], "photo_S");
    let detail = answer.json["detail"].as_str().expect("text");
    assert!(detail.contains("mcr-wmo") && detail.contains("classical-001"), "{detail}");
    // Typed hands are ignored, as in a request with typed hands only.
    let typed = br#"[{ "seat": "S", "hand": "[CCC,1]11m" }]"#;
    let answer = send(&painted(), form(&[("photo", &east), ("others", typed)])).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    assert!(answer.json["reading"]["score"].get("others").is_none());
}

#[tokio::test]
async fn a_fault_is_named_by_its_part() {
    let (east, south) = (photo(EAST), photo(SOUTH));
    let text = b"a letter".as_slice();
    let cut = &south[..south.len() / 2];
    let nothing = photo("");
    let hand = |seat: &str| format!(r#"[{{ "seat": "{seat}", "hand": "[CCC,1]11m" }}]"#);
    let [of_south, of_east, two_seats, no_tile] = [
        hand("S"),
        hand("E"),
        hand("S").replace('}', r#"}, { "seat": "S", "hand": "" }"#),
        hand("W").replace("11m", "11x"),
    ];
    let no_hand = br#"[{ "seat": "S" }]"#.as_slice();
    let both = br#"[{ "seat": "S", "hand": "11m", "photo": "" }]"#.as_slice();
    let four = hand("S").replace(['[', ']'], "").replace("CCC,1", "");
    let four = format!("[{four},{four},{four},{four}]");
    type Parts<'a> = &'a [(&'a str, &'a [u8])];
    let cases: &[(Parts<'_>, u16, &str, &[&str])] = &[
        (&[("photo_S", text)], 415, "unsupported-media", &["photo_S"]),
        (&[("photo_S", cut)], 400, "unreadable-image", &["photo_S"]),
        (&[("photo_S", &nothing)], 422, "no-hand", &["photo_S"]),
        (
            &[("photo_S", cut), ("photo_N", &nothing)],
            400,
            "unreadable-image",
            &["photo_S", "photo_N"],
        ),
        (&[("photo_S", b"")], 400, "malformed-request", &["photo_S"]),
        (&[("photo_S", &south), ("photo_S", &south)], 400, "malformed-request", &["photo_S"]),
        (&[("photo_E", &south)], 422, "invalid-hand", &["photo_E"]),
        (&[("photo_X", &south)], 400, "malformed-request", &["photo_X"]),
        (
            &[("photo_S", &south), ("others", of_south.as_bytes())],
            422,
            "invalid-hand",
            &["others[0].seat"],
        ),
        (&[("others", of_east.as_bytes())], 422, "invalid-hand", &["others[0].seat"]),
        (&[("others", two_seats.as_bytes())], 422, "invalid-hand", &["others[1].seat"]),
        (&[("others", no_tile.as_bytes())], 422, "unreadable-notation", &["others[0].hand"]),
        (&[("others", no_hand)], 400, "malformed-request", &["others[0]"]),
        (&[("others", both)], 400, "malformed-request", &["others[0].photo"]),
        (&[("others", four.as_bytes())], 422, "invalid-hand", &["others"]),
        (&[("others", b"{}")], 400, "malformed-request", &["others"]),
    ];
    let service = painted();
    for &(parts, status, kind, fields) in cases {
        let parts = [&[("photo", east.as_slice()), ("context", CLASSICAL)], parts].concat();
        let answer = send(&service, form(&parts)).await;
        answer.is_problem(status, kind);
        let named = answer.json["errors"].as_array().expect("fields").iter();
        let named: Vec<_> = named.map(|error| error["field"].as_str().expect("text")).collect();
        assert_eq!(named, fields, "{answer:?}");
    }
    assert_eq!(service.admission().free(), service.admission().total());
}

#[tokio::test]
async fn the_winners_photo_is_named_beside_others() {
    let south = photo(SOUTH);
    let parts: [(&str, &[u8]); 3] =
        [("photo", b"a letter"), ("photo_S", &south), ("context", CLASSICAL)];
    let answer = send(&painted(), form(&parts)).await;
    answer.is_problem(415, "unsupported-media");
    assert_eq!(answer.json["errors"][0]["field"], "photo");
    let lost = br#"{ "ruleset": "classical-dmjl", "won": false }"#;
    let parts: [(&str, &[u8]); 3] = [("photo", &south), ("photo_W", &south), ("context", lost)];
    let answer = send(&painted(), form(&parts)).await;
    answer.is_problem(422, "invalid-context");
    assert_eq!(answer.json["errors"][0]["field"], "context.won");
}

/// A body may have as many bytes as one photo. A body that declares its length may bring four times
/// as many, and has places for all of them.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_may_have_four_times_the_bytes_where_it_says_so() {
    let max = limits().body_bytes;
    // Bytes after the end of a PNG are ignored, but they count.
    let padded = |row: &str| {
        let mut photo = photo(row);
        photo.resize(max * 9 / 10, 0);
        photo
    };
    let [east, south, west, north] = [EAST, SOUTH, WEST, NORTH].map(padded);
    let all: [(&str, &[u8]); 5] = [
        ("context", CLASSICAL),
        ("photo", &east),
        ("photo_S", &south),
        ("photo_W", &west),
        ("photo_N", &north),
    ];
    let with_length = |parts: &[(&str, &[u8])], length: Option<usize>| {
        let mut request = form(parts);
        let length = length.unwrap_or_else(|| {
            let size = axum::body::HttpBody::size_hint(request.body()).exact();
            size.and_then(|size| size.try_into().ok()).expect("a body in memory")
        });
        request.headers_mut().insert(CONTENT_LENGTH, length.into());
        request
    };
    let service = painted();
    send(&service, form(&all)).await.is_problem(413, "too-large");
    let answer = send(&service, with_length(&all, None)).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    send(&service, with_length(&all, Some(4 * max + 1))).await.is_problem(413, "too-large");
    assert_eq!(service.admission().free(), service.admission().total());

    // The request takes four upload places; if the service has only three, it takes as many as one
    // client may have.
    for (uploads, taken) in [(16, 4), (3, 2)] {
        let (service, starts, go) = waiting(Limits { uploads, workers: 1, waiting: 3, ..limits() });
        let single = tokio::spawn({
            let service = service.clone();
            async move { send(&service, request("", photo(HAND))).await }
        });
        tokio::task::block_in_place(|| starts.recv()).expect("a photo is being read");
        let (head, body) = with_length(&all, None).into_parts();
        let (sender, rest) = channel::<()>();
        let body = axum::body::to_bytes(body, usize::MAX).await.expect("in memory");
        let slow = futures_util::stream::once(async move {
            tokio::task::block_in_place(|| rest.recv()).expect_err("the test lets go");
            Ok::<_, std::convert::Infallible>(body)
        });
        let table = tokio::spawn({
            let service = service.clone();
            async move { send(&service, Request::from_parts(head, Body::from_stream(slow))).await }
        });
        while service.admission().free().uploads == uploads {
            tokio::task::yield_now().await;
        }
        assert_eq!(uploads - service.admission().free().uploads, taken);
        drop((sender, go));
        assert_eq!(single.await.expect("no panic").status, 200);
        assert_eq!(table.await.expect("no panic").status, 200);
        assert_eq!(service.admission().free(), service.admission().total());
    }
}

/// Five red dragons lie on the table. It is unknown which photo was misread, so each has a doubt.
#[tokio::test]
async fn hands_that_cannot_lie_on_one_table_are_doubts_of_each() {
    let east = photo("C C C 1m 2m 3m 4p 5p 6p 7s 8s 9s 5s - 5s");
    let south = photo(&SOUTH.replace("C C C", "C C 3s"));
    let north = photo(NORTH);
    let parts: [(&str, &[u8]); 4] =
        [("photo", &east), ("photo_S", &south), ("photo_N", &north), ("context", CLASSICAL)];
    let answer = send(&painted(), form(&parts)).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let doubts = |reading: &Value| -> Vec<Value> {
        let doubts = reading["doubts"].as_array().expect("doubts").iter();
        doubts.filter(|doubt| doubt["kind"] == "too_many_copies").cloned().collect()
    };
    for reading in [&answer.json["reading"], &answer.json["others"][0]["reading"]] {
        assert_eq!(reading["status"], "needs_review", "{reading}");
        let [doubt] = &doubts(reading)[..] else { panic!("{reading}") };
        let of_dragons =
            |tile: &Value| reading["tiles"][tile.as_u64().unwrap() as usize]["tile"] == "C";
        assert!(doubt["tiles"].as_array().expect("tiles").iter().all(of_dragons), "{doubt}");
        assert!(doubt["question"].as_str().expect("text").contains("5 of C"), "{doubt}");
        assert_eq!(doubt["affects_score"], true);
    }
    let north = &answer.json["others"][1]["reading"];
    assert_eq!((north["status"].clone(), doubts(north).len()), (json!("ok"), 0));
    assert_eq!(answer.json["table_status"], "needs_review");
    assert_eq!(answer.json["reading"]["score"]["unsettled"], json!(["W"]));
}

/// Two players show the first flower. The name of the flower makes no difference to North, since it
/// can't be the flower of North's own seat.
#[tokio::test]
async fn a_flower_that_exists_once_is_asked_about_where_it_lies_twice() {
    let east = photo(&format!("f1 {EAST}"));
    let north = photo(&format!("{NORTH} - f1"));
    let parts: [(&str, &[u8]); 3] = [("photo", &east), ("photo_N", &north), ("context", CLASSICAL)];
    let answer = send(&painted(), form(&parts)).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    for reading in [&answer.json["reading"], &answer.json["others"][0]["reading"]] {
        let doubts = reading["doubts"].as_array().expect("doubts");
        let doubt = doubts.iter().find(|doubt| doubt["kind"] == "too_many_copies");
        let doubt = doubt.unwrap_or_else(|| panic!("{reading}"));
        assert_eq!(doubt["alternatives"][0]["answer"], "f1");
        assert_eq!(doubt["alternatives"][0]["total"], reading["score"]["total"]);
        assert!(doubt["alternatives"][0]["payments"]["E"].is_i64(), "{doubt}");
    }
    assert!(answer.json["reading"]["score"]["payments"]["N"].is_i64());
}

/// Returns a service whose model reports when it reads a photo, and waits to be released.
fn waiting(limits: Limits) -> (Service, Receiver<()>, Sender<()>) {
    let (model, starts, go) = Made::waiting();
    (ready(limits, model), starts, go)
}

fn table_of_four() -> Request {
    let [east, south, west, north] = [EAST, SOUTH, WEST, NORTH].map(photo);
    form(&[
        ("photo", &east),
        ("photo_S", &south),
        ("photo_W", &west),
        ("photo_N", &north),
        ("context", CLASSICAL),
    ])
}

/// Four photos take four places if four are free; one place is enough if others hold the rest.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_table_takes_a_place_for_each_photo_and_makes_do_with_one() {
    for (waiting_places, taken) in [(4, 4), (3, 4), (1, 2), (0, 1)] {
        let limits = Limits { workers: 1, waiting: waiting_places, ..limits() };
        let (service, starts, go) = waiting(limits);
        let sent = tokio::spawn({
            let service = service.clone();
            async move { send(&service, table_of_four()).await }
        });
        tokio::task::block_in_place(|| starts.recv()).expect("the first is being read");
        let free = service.admission().free();
        let total = service.admission().total();
        assert_eq!(total.places - free.places, taken, "{waiting_places} may wait");
        assert_eq!(free.workers, 0);
        drop(go);
        let answer = sent.await.expect("no panic");
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(service.admission().free(), service.admission().total());
    }
}

/// A client that leaves gives everything back, except the photo that is being read.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_table_that_nobody_waits_for_keeps_what_is_being_read() {
    let (service, starts, go) = waiting(Limits { workers: 1, waiting: 3, ..limits() });
    let left = tokio::spawn({
        let service = service.clone();
        async move { send(&service, table_of_four()).await }
    });
    tokio::task::block_in_place(|| starts.recv()).expect("the first is being read");
    left.abort();
    assert!(left.await.is_err_and(|error| error.is_cancelled()), "the client has left");
    let free = service.admission().free();
    let total = service.admission().total();
    assert_eq!((free.workers, total.places - free.places), (0, 1));
    drop(go);
    while service.admission().free() != total {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_model_that_fails_on_any_photo_is_not_disclosed() {
    for deed in [Misbehaviour::Panic, Misbehaviour::Fail] {
        let service = ready(limits(), Made::new(deed));
        let answer = send(&service, table_of_four()).await;
        answer.is_problem(500, "internal");
        assert!(!answer.json.to_string().contains("secret"), "{answer:?}");
    }
}
