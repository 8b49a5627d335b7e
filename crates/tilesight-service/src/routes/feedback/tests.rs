//! Tests of feedback through the whole service, each with a folder of its own.

use std::fs;
use std::path::PathBuf;

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::CONTENT_TYPE;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use image::{ExtendedColorType, ImageEncoder as _};
use serde_json::json;
use tilesight_vision::geometry::Quad;
use tilesight_vision::networks::fake::{PaintedModel, PaintedTile, paint};

use super::*;
use crate::guard::client::Peer;
use crate::testing::{Answer, limits, post_json, send};

/// Folder that is removed when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let folder = std::env::temp_dir().join(format!("tilesight-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        Folder(folder)
    }

    fn service(&self, lifetime: Duration, max_records: usize) -> (Service, Arc<Store>) {
        let store = Arc::new(Store::open(&self.0, lifetime, max_records).unwrap());
        let service = Service::builder(limits()).feedback(Arc::clone(&store)).build();
        service.ready(Arc::new(Reader::with_model(PaintedModel::default())));
        (service, store)
    }

    fn records(&self) -> Vec<PathBuf> {
        let all = fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().path());
        all.filter(|path| path.is_dir()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const YEAR: Duration = Duration::from_secs(365 * 86_400);
const HALF_HOUR: Duration = Duration::from_secs(1800);
const SECRET: &[u8] = b"GPS 52.5200 N SERIAL 4711";

/// Returns a photo with a secret in its Exif block and in a comment after that.
fn photo() -> Vec<u8> {
    let tile = |at: f32, face: &str| PaintedTile {
        quad: Quad::rectangle(20.0 + 36.0 * at, 100.0, 36.0, 48.0),
        face: face.parse().unwrap(),
    };
    let faces = "1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 1p F F".split(' ').chain(["F"]).enumerate();
    let image = paint(640, 240, &faces.map(|(at, face)| tile(at as f32, face)).collect::<Vec<_>>());
    let mut exif = b"II*\0\x08\0\0\0\0\0".to_vec();
    exif.extend(SECRET);
    let mut jpeg = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut jpeg, 90);
    encoder.set_exif_metadata(exif).unwrap();
    encoder.write_image(image.as_raw(), 640, 240, ExtendedColorType::Rgb8).unwrap();
    jpeg
}

async fn correction(service: &Service) -> Value {
    let request = Request::post("/v1/hands").header(CONTENT_TYPE, "image/jpeg");
    let read = send(service, request.body(photo().into()).unwrap()).await;
    assert_eq!(read.status, 200, "{read:?}");
    let mut reading = read.json["reading"].clone();
    reading["camera"] = json!("GPS 52.5200 N");
    json!({ "reading": reading, "hand": "123456789m11pFFF", "comment": "the last one is green" })
}

async fn post(service: &Service, body: &Value) -> Answer {
    post_json(service, "/v1/feedback", &body.to_string()).await
}

async fn delete(service: &Service, path: &str) -> Answer {
    send(service, Request::delete(path).body(Body::empty()).unwrap()).await
}

async fn delete_with(service: &Service, path: &str, token: &str) -> Answer {
    let request = Request::delete(path).header("feedback-token", token);
    send(service, request.body(Body::empty()).unwrap()).await
}

/// Returns the address and the token for the deletion of stored feedback.
fn taken_back(kept: &Answer) -> (String, String) {
    let text = |name: &str| kept.json[name].as_str().expect("a text").to_owned();
    (text("delete"), text("token"))
}

/// An app has compact readings alone; its users' corrections are kept like others.
#[tokio::test]
async fn a_correction_of_a_compact_reading_is_kept() {
    let folder = Folder::new("compact");
    let (service, _) = folder.service(YEAR, 10);
    let request = Request::post("/v1/hands?detail=compact").header(CONTENT_TYPE, "image/jpeg");
    let mut compact = send(&service, request.body(photo().into()).unwrap()).await.json;
    compact["camera"] = json!("GPS 52.5200 N");
    let kept = post(&service, &json!({ "reading": compact, "hand": "123456789m11pFFF" })).await;
    assert_eq!(kept.status, 202, "{kept:?}");
    let record = folder.0.join(kept.json["id"].as_str().unwrap());
    let written = fs::read_to_string(record.join("feedback.json")).unwrap();
    let stored: Value = serde_json::from_str(&written).unwrap();
    assert_eq!(stored["reading"]["hand"], compact["hand"]);
    assert!(!written.contains("GPS"), "only what the contract knows: {written}");
    compact["doubts"] = json!([{ "id": 5 }]);
    let refused = post(&service, &json!({ "reading": compact, "hand": "123456789m11pFFF" })).await;
    assert_eq!(refused.json["errors"][0]["field"], "reading.doubts[0].id", "{refused:?}");
}

#[tokio::test]
async fn a_correction_is_kept_and_taken_back() {
    let folder = Folder::new("kept");
    let (service, _) = folder.service(YEAR, 10);
    let mut body = correction(&service).await;
    body["photo"] = BASE64.encode(photo()).into();
    let kept = post(&service, &body).await;
    assert_eq!(kept.status, 202, "{kept:?}");
    assert_eq!(kept.json["stored"], json!({ "reading": true, "photo": false }), "no consent");
    let record = folder.0.join(kept.json["id"].as_str().unwrap());
    assert!(!record.join("photo.jpg").exists());
    let written = fs::read_to_string(record.join("feedback.json")).unwrap();
    assert!(!written.contains("GPS"), "only what the contract knows: {written}");
    assert!(written.contains("the last one is green"));
    let (at, token) = taken_back(&kept);
    assert!(!written.contains(&token), "the token is not kept");
    assert!(!at.contains(&token), "an address is written into logs: {at}");
    for wrong in ["", "0", &format!("0{token}")] {
        delete_with(&service, &at, wrong).await.is_problem(403, "forbidden");
    }
    for without in [at.clone(), format!("{at}?token={token}")] {
        delete(&service, &without).await.is_problem(400, "malformed-request");
    }
    assert_eq!(delete_with(&service, &at, &token).await.status, 204);
    assert!(folder.records().is_empty());
    delete_with(&service, &at, &token).await.is_problem(404, "not-found");
}

#[tokio::test]
async fn one_client_does_not_fill_the_folder() {
    let folder = Folder::new("share");
    let (service, _) = folder.service(YEAR, 8);
    let body = correction(&service).await.to_string();
    let send_as = async |address: [u8; 4]| {
        let request = Request::post("/v1/feedback").header(CONTENT_TYPE, "application/json");
        let request = request.extension(Peer(address.into())).body(body.clone().into()).unwrap();
        send(&service, request).await
    };
    let mut last = send_as([10, 0, 0, 1]).await;
    for _ in 0..5 {
        assert_eq!(last.status, 202, "{last:?}");
        last = send_as([10, 0, 0, 1]).await;
    }
    assert_eq!(last.status, 202, "six of eight: {last:?}");
    let more = send_as([10, 0, 0, 1]).await;
    more.is_problem(429, "too-many-requests");
    assert!(more.headers.contains_key("retry-after"));
    assert_eq!(send_as([10, 0, 0, 2]).await.status, 202, "there is room for the next");
    // Deleted records no longer count.
    let (at, token) = taken_back(&last);
    assert_eq!(delete_with(&service, &at, &token).await.status, 204);
    assert_eq!(send_as([10, 0, 0, 2]).await.status, 202);
}

#[tokio::test]
async fn a_photo_is_kept_with_consent_and_without_its_metadata() {
    let folder = Folder::new("consent");
    let (service, _) = folder.service(YEAR, 10);
    let body = correction(&service).await;
    let mut form = Vec::new();
    let mut add = |name: &str, content: &[u8]| {
        form.extend(format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"../../x\"\r\n\r\n").bytes());
        form.extend(content);
        form.extend(b"\r\n");
    };
    add("reading", body["reading"].to_string().as_bytes());
    add("hand", b"[FFF,2]123456789m1p1p");
    add("consent", br#"{ "photo": true }"#);
    add("photo", &photo());
    form.extend(b"--edge--\r\n");
    let request =
        Request::post("/v1/feedback").header(CONTENT_TYPE, "multipart/form-data; boundary=edge");
    let kept = send(&service, request.body(form.into()).unwrap()).await;
    assert_eq!(kept.status, 202, "{kept:?}");
    assert_eq!(kept.json["stored"]["photo"], true);
    let record = folder.0.join(kept.json["id"].as_str().unwrap());
    let stored = fs::read(record.join("photo.jpg")).unwrap();
    assert!(photo().windows(SECRET.len()).any(|part| part == SECRET), "the secret was sent");
    assert!(!stored.windows(4).any(|part| part == b"Exif" || part == b"GPS "));
    let reader = Reader::with_model(PaintedModel::default());
    assert_eq!(reader.decode(&stored).unwrap().size(), (640, 240));
}

#[tokio::test]
async fn a_part_that_is_no_json_is_named_in_words_for_people() {
    let folder = Folder::new("broken-parts");
    let (service, _) = folder.service(YEAR, 10);
    let cases: [(&str, &[u8], &str, &str); 6] = [
        ("consent", b"{ \"photo\": true", "consent", "this is not valid JSON: see line 1"),
        ("consent", b"{} {}", "consent", "this is not valid JSON: see line 1"),
        ("consent", b"{ \"photo\": 1 }", "consent.photo", "expected true or false, found a number"),
        ("context", b"{ \"seat\": 7 }", "context.seat", "expected one of `E`, `S`, `W`, `N`"),
        ("reading", b"[", "reading", "this is not valid JSON: see line 1"),
        ("comment", b"Bj\xf8rn", "comment", "the part is not in UTF-8"),
    ];
    for (name, content, field, words) in cases {
        let mut form = format!("--edge\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n")
            .into_bytes();
        form.extend(content);
        form.extend(b"\r\n--edge\r\nContent-Disposition: form-data; name=\"hand\"\r\n\r\n11m");
        if name != "reading" {
            let reading = correction(&service).await["reading"].to_string();
            form.extend(b"\r\n--edge\r\nContent-Disposition: form-data; name=\"reading\"\r\n\r\n");
            form.extend(reading.bytes());
        }
        form.extend(b"\r\n--edge--\r\n");
        let request = Request::post("/v1/feedback")
            .header(CONTENT_TYPE, "multipart/form-data; boundary=edge");
        let answer = send(&service, request.body(form.into()).unwrap()).await;
        answer.is_problem(400, "malformed-request");
        let error = &answer.json["errors"][0];
        let detail = error["detail"].as_str().expect("a text");
        assert!(detail.contains(words), "{name}: {detail}");
        let named = error["field"].as_str().expect("a text");
        assert!(named.starts_with(field), "{name}: {named}");
    }
}

#[tokio::test]
async fn expired_feedback_is_deleted() {
    let folder = Folder::new("expired");
    let (service, store) = folder.service(Duration::from_secs(3600), 1);
    let body = correction(&service).await;
    assert_eq!(post(&service, &body).await.status, 202);
    let full = post(&service, &body).await;
    full.is_problem(503, "unavailable");
    assert_eq!(full.headers["retry-after"], "3600");
    let now = SystemTime::now();
    assert_eq!(store.sweep(now + Duration::from_secs(3590)).unwrap(), 0);
    fs::create_dir(folder.0.join(".unfinished-x")).unwrap();
    assert_eq!(store.sweep(now + Duration::from_secs(3700)).unwrap(), 1);
    assert!(folder.records().is_empty(), "{:?}", folder.records());
    assert_eq!(post(&service, &body).await.status, 202);
}

/// Starts a service with a clock that is 400 days ahead: nothing is removed in the first moments,
/// and not after a restart.
#[tokio::test]
async fn a_clock_that_jumped_removes_nothing_at_once() {
    let folder = Folder::new("jumped");
    let (service, store) = folder.service(YEAR, 10);
    let body = correction(&service).await;
    assert_eq!(post(&service, &body).await.status, 202);
    let now = SystemTime::now();
    let days = |days: u32| Duration::from_secs(86_400) * days;
    for ahead in [0, 400, 400] {
        assert_eq!(store.sweep_by_clock(now + days(ahead)).unwrap(), 0, "{ahead} days ahead");
    }
    let (_, store) = folder.service(YEAR, 10);
    assert_eq!(store.sweep_by_clock(now + days(400)).unwrap(), 0);
    assert_eq!(folder.records().len(), 1);
    // Without notes, what was stored last says when the store was in use.
    fs::remove_file(folder.0.join("clock.json")).unwrap();
    assert_eq!(store.sweep_by_clock(now + days(400)).unwrap(), 0);
    // A clock that goes on from there is right, and the record goes when its time comes.
    let mut removed = 0;
    for half_hours in 0..1000 {
        removed += store.sweep_by_clock(now + days(400) + HALF_HOUR * half_hours).unwrap();
    }
    assert_eq!((removed, folder.records().len()), (1, 0));
    assert!(Store::keeps("clock.json".as_ref()), "nobody takes it for a foreign file");
}

/// On a full disk the notes about the clock can't be written; what is expired goes nevertheless,
/// and makes room.
#[tokio::test]
async fn feedback_expires_where_the_notes_about_the_clock_cannot_be_written() {
    let folder = Folder::new("no-room");
    let (service, store) = folder.service(HALF_HOUR, 10);
    let body = correction(&service).await;
    assert_eq!(post(&service, &body).await.status, 202);
    // A folder in place of the notes.
    fs::create_dir(folder.0.join("clock.json")).unwrap();
    fs::write(folder.0.join("clock.json/file"), "").unwrap();
    assert!(store.sweep_by_clock(SystemTime::now() + 2 * HALF_HOUR).is_err());
    let left = folder.records();
    assert!(left.iter().all(|path| path.ends_with("clock.json")), "{left:?}");
}

/// Numbers beyond the range of the contract's types become `null` when they are written.
#[tokio::test]
async fn feedback_with_extreme_values_can_be_removed() {
    let folder = Folder::new("removable");
    let (service, store) = folder.service(YEAR, 10);
    let mut body = correction(&service).await;
    body["reading"]["probability"] = json!(1.8e289);
    body["comment"] = json!("\u{0}\u{85}\"}],\u{202e}");
    let kept = post(&service, &body).await;
    assert_eq!(kept.status, 202, "{kept:?}");
    let (at, token) = taken_back(&kept);
    let removed = delete_with(&service, &at, &token).await;
    assert_eq!(removed.status, 204, "{removed:?}");
    // A damaged record expires too.
    assert_eq!(post(&service, &body).await.status, 202);
    fs::write(folder.records()[0].join("feedback.json"), "{").unwrap();
    assert_eq!(store.sweep(SystemTime::now() + YEAR - Duration::from_secs(60)).unwrap(), 0);
    assert_eq!(store.sweep(SystemTime::now() + YEAR).unwrap(), 1);
}

#[tokio::test]
async fn unusable_feedback_is_refused() {
    let folder = Folder::new("refused");
    let (service, _) = folder.service(YEAR, 10);
    let good = correction(&service).await;
    for (field, value, status, kind) in [
        ("reading", json!({ "hand": {} }), 400, "malformed-request"),
        ("hand", json!("12x"), 422, "unreadable-notation"),
        ("consent", json!({ "photos": true }), 400, "malformed-request"),
        ("comment", json!("x".repeat(2001)), 400, "malformed-request"),
        ("photo", json!("***"), 400, "malformed-request"),
        ("name", json!("me"), 400, "malformed-request"),
    ] {
        let mut body = good.clone();
        body[field] = value;
        post(&service, &body).await.is_problem(status, kind);
    }
    let mut misread = good.clone();
    misread["reading"]["hand"]["winning_tile"] = json!("my name");
    post(&service, &misread).await.is_problem(422, "invalid-hand");
    let mut broken = good.clone();
    broken["photo"] = BASE64.encode(&photo()[..1000]).into();
    broken["consent"] = json!({ "photo": true });
    post(&service, &broken).await.is_problem(400, "unreadable-image");
    assert!(folder.records().is_empty());
    for kind in ["image/jpeg", "text/plain"] {
        let raw = Request::post("/v1/feedback").header(CONTENT_TYPE, kind);
        let refused = send(&service, raw.body(photo().into()).unwrap()).await;
        refused.is_problem(415, "unsupported-media");
        let detail = refused.json["detail"].as_str().expect("a text");
        assert!(detail.ends_with("expected multipart/form-data or application/json"), "{detail}");
    }
    for path in ["/v1/feedback/..%2f..%2fetc", "/v1/feedback/%2e%2e", "/v1/feedback/.unfinished-x"]
    {
        delete_with(&service, path, "a").await.is_problem(404, "not-found");
    }
}

#[tokio::test]
async fn without_a_folder_nothing_is_kept() {
    let service = Service::builder(limits()).build();
    service.ready(Arc::new(Reader::with_model(PaintedModel::default())));
    let body = correction(&service).await;
    post(&service, &body).await.is_problem(404, "feedback-disabled");
    let path = format!("/v1/feedback/{}", "0a".repeat(16));
    delete_with(&service, &path, "a").await.is_problem(404, "feedback-disabled");
}
