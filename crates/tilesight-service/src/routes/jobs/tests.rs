//! Tests of jobs through the whole service, with a real folder, painted tiles and a model that
//! reads the paint.

use std::io::{Cursor, Read as _, Write as _};
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::header::{ACCEPT, AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, LINK, LOCATION};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use image::{ExtendedColorType, ImageEncoder as _, ImageFormat};
use serde_json::{Value, json};
use tempfile::TempDir;
use tilesight_jobs::{
    EmbeddedStore, ForeignTasks, JobId, Name, NewJob, Settings, Store, Timestamp, sweep,
};
use tilesight_vision::Reader;
use tilesight_vision::geometry::Quad;
use tilesight_vision::networks::fake::{PaintedModel, PaintedTile, paint};
use tilesight_vision::sets::OwnSet;
use tower::ServiceExt as _;
use zip::write::SimpleFileOptions;

use super::idempotency::{self, ClaimResult};
use super::{JobMaintenance, Jobs, Seal};
use crate::guard::client::{Client, Peer};
use crate::testing::{Answer, learn_set, limits, nobody, send};
use crate::{JobLimits, Limits};
use crate::{Keys, NewKey, Service, app};

const DAY: Duration = Duration::from_secs(86_400);

/// Service with a folder of its own.
struct House {
    service: Service,
    folder: TempDir,
    embedded: Arc<EmbeddedStore>,
    maintenance: Option<tokio::task::JoinHandle<()>>,
}

impl House {
    fn new() -> House {
        House::with(job_limits(), Keys::default())
    }

    fn with(max: JobLimits, keys: Keys) -> House {
        House::with_sets(max, keys, Vec::new())
    }

    fn with_sets(max: JobLimits, keys: Keys, sets: Vec<OwnSet>) -> House {
        let folder = tempfile::tempdir().unwrap();
        let embedded = Arc::new(EmbeddedStore::open(folder.path()).unwrap());
        let jobs = Jobs::new(embedded.backend(), max, folder.path());
        let key = folder.path().join("seal.key");
        let jobs = jobs.with_seal(Seal::read_or_make(&key).unwrap());
        let service = Service::builder(limits()).keys(keys).jobs(Arc::new(jobs)).build();
        let reader = Reader::with_model(PaintedModel::default()).with_sets(sets);
        service.ready(Arc::new(reader.unwrap()));
        House { service, folder, embedded, maintenance: None }
    }

    /// Starts the maintenance, so that photos are read from now on.
    fn open(mut self) -> House {
        let maintenance = JobMaintenance::new(&self.service).unwrap();
        let reader = self.service.reader().unwrap();
        let settings = Settings::new("test".parse().unwrap(), ForeignTasks::Read);
        self.maintenance = Some(tokio::spawn(maintenance.run(reader, settings)));
        self
    }

    fn store(&self) -> Arc<dyn Store> {
        self.service.jobs().unwrap().store()
    }

    async fn send(&self, request: Request) -> Answer {
        send(&self.service, request).await
    }

    async fn get(&self, path: &str) -> Answer {
        self.send(Request::get(path).body(Body::empty()).unwrap()).await
    }

    async fn text(&self, path: &str, accept: &str) -> (u16, String, String) {
        let request = Request::get(path).header("host", "localhost").header(ACCEPT, accept);
        let request = request.body(Body::empty()).unwrap();
        let response = app(self.service.clone()).oneshot(request).await.unwrap();
        let status = response.status().as_u16();
        let kind =
            response.headers().get(CONTENT_TYPE).map(|kind| kind.to_str().unwrap().to_owned());
        let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        (status, kind.unwrap_or_default(), String::from_utf8(body.to_vec()).unwrap())
    }

    /// Returns the events of a job until it has ended.
    async fn events(&self, job: &str) -> String {
        self.text(&format!("{job}/events"), "text/event-stream").await.2
    }

    async fn create(&self, form: Form) -> Answer {
        self.send(form.request("/v1/jobs")).await
    }

    /// Returns the number of stored photo files.
    fn photos(&self) -> usize {
        fn count(folder: &std::path::Path) -> usize {
            let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
            entries.map(|path| if path.is_dir() { count(&path) } else { 1 }).sum()
        }
        count(&self.folder.path().join("photos"))
    }

    /// Waits until the maintenance has removed all photos.
    async fn photos_gone(&self) {
        for _ in 0..3600 {
            if self.photos() == 0 {
                return;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{} photos are still kept", self.photos());
    }
}

fn job_limits() -> JobLimits {
    let small = JobLimits { photos: 20, bytes: 3_000_000, workers: 2, ..JobLimits::default() };
    JobLimits { webhooks_anywhere: true, ..small }
}

/// Request with its parts.
#[derive(Clone, Default)]
struct Form {
    body: Vec<u8>,
    headers: Vec<(&'static str, String)>,
}

impl Form {
    fn new() -> Form {
        Form::default()
    }

    fn part(mut self, name: &str, file: &str, content: &[u8]) -> Form {
        let head = format!(
            "--edge\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"{file}\"\r\n\r\n"
        );
        self.body.extend(head.bytes());
        self.body.extend(content);
        self.body.extend(b"\r\n");
        self
    }

    fn photo(self, file: &str, content: &[u8]) -> Form {
        self.part("photo", file, content)
    }

    fn header(mut self, name: &'static str, value: &str) -> Form {
        self.headers.push((name, value.to_owned()));
        self
    }

    fn request(&self, path: &str) -> Request {
        let mut request =
            Request::post(path).header(CONTENT_TYPE, "multipart/form-data; boundary=edge");
        for (name, value) in &self.headers {
            request = request.header(*name, value);
        }
        request.body([&self.body[..], b"--edge--\r\n"].concat().into()).unwrap()
    }
}

fn posted(kind: &str, body: impl Into<Body>) -> Request {
    Request::post("/v1/jobs").header(CONTENT_TYPE, kind).body(body.into()).unwrap()
}

fn painted(row: &str) -> image::RgbImage {
    let tiles = row.split(' ').enumerate().map(|(at, face)| PaintedTile {
        quad: Quad::rectangle(20.0 + 36.0 * at as f32, 100.0, 36.0, 48.0),
        face: face.parse().unwrap(),
    });
    paint(640, 240, &tiles.collect::<Vec<_>>())
}

const HAND: &str = "1m 2m 3m 4m 5m 6m 7m 8m 9m 1p 1p F F F";
const OTHER: &str = "1s 2s 3s 4s 5s 6s 7s 8s 9s 2p 2p C C C";
const SECRET: &[u8] = b"GPS 52.5200 N SERIAL 4711";

fn png(row: &str) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    painted(row).write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}

/// Returns a photo with a secret in its Exif block, and another after its end.
fn jpeg() -> Vec<u8> {
    let (image, mut bytes) = (painted(HAND), Vec::new());
    let mut encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, 92);
    encoder.set_exif_metadata([b"II*\0\x08\0\0\0\0\0", SECRET].concat()).unwrap();
    encoder.write_image(image.as_raw(), 640, 240, ExtendedColorType::Rgb8).unwrap();
    bytes.extend(SECRET);
    bytes
}

fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn at(answer: &Answer) -> String {
    assert_eq!(answer.status, 202, "{answer:?}");
    let path = answer.headers[LOCATION].to_str().unwrap().to_owned();
    assert_eq!(path, format!("/v1/jobs/{}", answer.json["id"].as_str().unwrap()));
    path
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn photos_become_results_in_their_order() {
    let house = House::new().open();
    let form = Form::new().photo("a.png", &png(HAND)).photo("broken.jpg", &jpeg()[..200]);
    let form = form.photo("note.txt", b"no photo").photo("", &png(OTHER));
    let created = house.create(form.part("context", "", br#"{"win":"self_drawn"}"#)).await;
    let job = at(&created);
    assert_eq!(created.json["photos"]["total"], 4);
    let events = house.events(&job).await;
    assert!(events.contains("event: ended") && events.contains("id: end"), "{events}");
    let (status, kind, text) = house.text(&format!("{job}/results"), "*/*").await;
    assert_eq!((status, kind.as_str()), (200, "application/jsonl"));
    let rows = lines(&text);
    let ids: Vec<_> = rows.iter().map(|row| (&row["id"], row["index"].as_u64().unwrap())).collect();
    assert_eq!(
        ids,
        [
            (&json!("a.png"), 0),
            (&json!("broken.jpg"), 1),
            (&json!("note.txt"), 2),
            (&json!("photo-3"), 3)
        ]
    );
    assert_eq!(
        rows[0]["reading"]["hand"]["notation"].as_str().map(|text| text.contains('m')),
        Some(true)
    );
    assert_eq!(rows[1]["error"]["type"], "urn:tilesight:problem:unreadable-image");
    assert_eq!(rows[2]["error"]["type"], "urn:tilesight:problem:unsupported-media");
    assert_eq!(rows[0].get("timings_ms"), None, "an outcome shows no clock");
    // Rows that the client already has are skipped.
    let rest = house.text(&format!("{job}/results?from=3"), "*/*").await.2;
    assert_eq!(rest.as_str(), text.split_inclusive('\n').next_back().unwrap());
    let failures = house.text(&format!("{job}/errors"), "*/*").await.2;
    assert_eq!(lines(&failures), rows[1..3]);
    let (_, kind, table) = house.text(&format!("{job}/results"), "text/csv").await;
    assert!(kind.starts_with("text/csv"), "{kind}");
    assert_eq!(table.lines().count(), 5, "{table}");
    assert!(table.starts_with("id,index,status,"), "{table}");
    assert_eq!(house.text(&format!("{job}/results?format=csv"), "*/*").await.2, table);
    let (_, kind, spreadsheet) = house.text(&format!("{job}/results?csv=excel"), "*/*").await;
    assert!(kind.starts_with("text/csv"), "a style of the table asks for it: {kind}");
    assert!(spreadsheet.starts_with("\u{feff}id;index;status;"), "{spreadsheet}");
    let ended = house.get(&job).await;
    assert_eq!(ended.json["status"], "finished");
    assert_eq!(ended.json["photos"], json!({ "total": 4, "read": 2, "failed": 2, "pending": 0 }));
    house.photos_gone().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn photos_are_read_with_the_own_set_that_the_job_names() {
    let sets = vec![learn_set("Club", &png(OTHER)), learn_set("Home", &png(HAND))];
    let house = House::with_sets(job_limits(), Keys::default(), sets).open();
    let form = Form::new().photo("a.png", &png(HAND));
    let mut ids = Vec::new();
    for (query, asked, used) in [
        ("", json!(null), json!(null)),
        ("?set=Home", json!("Home"), json!("Home")),
        ("?set=auto", json!("auto"), json!("Home")),
        ("?set=Home", json!("Home"), json!("Home")),
    ] {
        let job = at(&house.send(form.request(&format!("/v1/jobs{query}"))).await);
        house.events(&job).await;
        let rows = lines(&house.text(&format!("{job}/results"), "*/*").await.2);
        let set = &rows[0]["reading"]["set"];
        assert_eq!((&set["asked"], &set["used"]), (&asked, &used), "{query}: {}", rows[0]);
        ids.push(set["id"].clone());
    }
    assert_eq!(ids[1], ids[3]);
    for (query, status) in [("?set=Away", 422), ("?set=none", 400), ("?set=", 400)] {
        let refused = house.send(form.request(&format!("/v1/jobs{query}"))).await;
        assert_eq!(refused.status, status, "{query}: {refused:?}");
        assert_eq!(refused.json["errors"][0]["field"], "set", "{query}: {refused:?}");
    }
}

/// Returns the kind of an answer, and the sheet of the workbook that it is.
async fn workbook(house: &House, path: &str, accept: &str) -> (String, String) {
    let request = Request::get(path).header("host", "localhost").header(ACCEPT, accept);
    let request = request.body(Body::empty()).unwrap();
    let response = app(house.service.clone()).oneshot(request).await.unwrap();
    let kind = response.headers()[CONTENT_TYPE].to_str().unwrap().to_owned();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    let mut archive = zip::ZipArchive::new(Cursor::new(body)).unwrap();
    let mut sheet = String::new();
    archive.by_name("xl/worksheets/sheet1.xml").unwrap().read_to_string(&mut sheet).unwrap();
    (kind, sheet)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn results_and_errors_are_workbooks_too() {
    let house = House::new().open();
    let form = Form::new().photo("=1+1.png", &png(HAND)).photo("note.txt", b"no photo");
    let job = at(&house.create(form).await);
    house.events(&job).await;
    let kind = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
    for (path, accept, rows) in [
        ("results?format=xlsx", "*/*", ["=1+1.png", "note.txt"].as_slice()),
        ("results", kind, &["=1+1.png", "note.txt"]),
        ("results?format=xlsx&from=1", "*/*", &["note.txt"]),
        ("results?format=xlsx&limit=1", "*/*", &["=1+1.png"]),
        ("errors?format=xlsx", "*/*", &["note.txt"]),
        ("errors?format=xlsx&from=2", "*/*", &[]),
    ] {
        let (sent, sheet) = workbook(&house, &format!("{job}/{path}"), accept).await;
        assert_eq!(sent, kind, "{path}");
        assert_eq!(sheet.matches("<row ").count(), 1 + rows.len(), "{path}: {sheet}");
        for id in rows {
            assert!(sheet.contains(&format!("<t>{id}</t>")), "{path}: {sheet}");
        }
        assert!(!sheet.contains("<f>"), "{path}: {sheet}");
    }
    // The index and the probability are numbers.
    let (_, sheet) = workbook(&house, &format!("{job}/results?format=xlsx"), "*/*").await;
    assert!(sheet.contains("<c r=\"B3\"><v>1</v></c>"), "{sheet}");
    assert!(sheet.contains("<c r=\"D2\"><v>"), "{sheet}");
}

/// Sends a request with a key, and returns its status and its text.
async fn ask(house: &House, key: &str, request: axum::http::request::Builder) -> (u16, String) {
    let request = request.header("host", "localhost").header(AUTHORIZATION, key);
    let request = request.body(Body::empty()).unwrap();
    let response = app(house.service.clone()).oneshot(request).await.unwrap();
    let status = response.status().as_u16();
    let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
    (status, String::from_utf8_lossy(&body).into_owned())
}

async fn upload(house: &House, key: &str, set: &OwnSet) -> Answer {
    let request = Request::put(format!("/v1/sets/{}", set.name())).header(AUTHORIZATION, key);
    house.send(request.body(set.to_bytes().into()).unwrap()).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_is_read_with_the_sets_that_its_key_had_uploaded_when_it_was_created() {
    let made =
        ["one", "two"].map(|name| NewKey::generate(&name.parse().unwrap(), None, None).unwrap());
    let lines_of_keys = made.each_ref().map(|key| key.line.as_str()).join("\n");
    let [one, two] = made.map(|key| format!("Bearer {}", key.secret));
    let keys = Keys::read(&lines_of_keys, limits().key_rate).unwrap();
    let club = learn_set("Club", &png(OTHER));
    let house = House::with_sets(job_limits(), keys, vec![club]);
    let first = upload(&house, &one, &learn_set("Home", &png(HAND))).await;
    assert_eq!(first.status, 201, "{first:?}");
    let form = Form::new().photo("a.png", &png(HAND));
    let [of_one, of_two] = [&one, &two].map(|key| form.clone().header("authorization", key));
    let named = at(&house.send(of_one.request("/v1/jobs?set=Home")).await);
    let chosen = at(&house.send(of_one.request("/v1/jobs?set=auto")).await);
    let foreign = house.send(of_two.request("/v1/jobs?set=Home")).await;
    foreign.is_problem(422, "invalid-context");
    let shared = at(&house.send(of_two.request("/v1/jobs?set=auto")).await);
    // What happens to the set from here on is nothing to the jobs.
    let second = upload(&house, &one, &learn_set("Home", &png("1m 1m 1m E E"))).await;
    assert_eq!(second.status, 200, "{second:?}");
    let deleted = ask(&house, &one, Request::delete("/v1/sets/Home")).await;
    assert_eq!(deleted.0, 204);
    let house = house.open();
    for (job, key, used) in
        [(named, &one, json!("Home")), (chosen, &one, json!("Home")), (shared, &two, json!(null))]
    {
        ask(&house, key, Request::get(format!("{job}/events"))).await;
        let rows = lines(&ask(&house, key, Request::get(format!("{job}/results"))).await.1);
        let set = &rows[0]["reading"]["set"];
        assert_eq!(set["used"], used, "{}", rows[0]);
        assert!(used.is_null() || set["id"] == first.json["id"], "{set}");
    }
    house.photos_gone().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_line_says_where_in_its_photo_the_hand_lies() {
    let house = House::new().open();
    let photo = BASE64.encode(png(HAND));
    let whole = json!({ "photo": photo });
    let corner = json!({ "photo": photo, "region": "0,0 3,3" });
    let body = format!("{whole}\n{corner}\n");
    let job = at(&house.send(posted("application/jsonl", body)).await);
    house.events(&job).await;
    let rows = lines(&house.text(&format!("{job}/results"), "*/*").await.2);
    assert!(rows[0]["reading"]["hand"]["notation"].is_string(), "{rows:?}");
    assert_eq!(rows[1]["reading"]["status"], "no_hand", "{rows:?}");
    assert_eq!(rows[1]["reading"]["no_score"]["kind"], "no_hand", "{rows:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_own_set_of_a_line_takes_precedence_over_that_of_the_job() {
    let sets = vec![learn_set("Club", &png(OTHER)), learn_set("Home", &png(HAND))];
    let house = House::with_sets(job_limits(), Keys::default(), sets).open();
    let photo = BASE64.encode(png(HAND));
    let lines_sent = [
        json!({ "photo": photo }),
        json!({ "photo": photo, "set": "Home" }),
        json!({ "photo": photo, "set": "Away" }),
    ];
    let body = lines_sent.map(|line| line.to_string()).join("\n");
    let request = Request::post("/v1/jobs?set=auto").header(CONTENT_TYPE, "application/jsonl");
    let request = request.body(Body::from(body)).expect("a request");
    let job = at(&house.send(request).await);
    house.events(&job).await;
    let rows = lines(&house.text(&format!("{job}/results"), "*/*").await.2);
    assert_eq!(rows[0]["reading"]["set"]["asked"], "auto", "{rows:?}");
    assert_eq!(rows[1]["reading"]["set"]["asked"], "Home", "{rows:?}");
    assert_eq!(rows[2]["error"]["errors"][0]["field"], "set", "{rows:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_form_of_body_makes_the_same_job() {
    let house = House::new().open();
    let manifest = b"{\"custom_id\":\"two\",\"file\":\"x/b.png\",\"context\":{\"seat\":\"S\"}}\n\n\
        {\"custom_id\":\"one\",\"file\":\"a.png\"}\n";
    let (a, b) = (png(HAND), png(OTHER));
    let form = Form::new().part("manifest", "", manifest).photo("a.png", &a);
    let form = form.photo("x/b.png", &b);
    let zip = zipped(&[("a.png", &a), ("manifest.jsonl", manifest), ("x/b.png", &b)]);
    let in_form = Form::new().part("archive", "photos.zip", &zip);
    let typed = |id: &str, photo: &[u8], context: Value| {
        json!({ "custom_id": id, "photo": BASE64.encode(photo), "context": context }).to_string()
    };
    let typed = typed("two", &b, json!({ "seat": "S" })) + "\r\n" + &typed("one", &a, Value::Null);
    let requests = [
        form.request("/v1/jobs?win=self_drawn"),
        in_form.request("/v1/jobs?win=self_drawn"),
        with_query(posted("application/zip", zip)),
        with_query(posted("application/x-ndjson", typed)),
    ];
    let mut all = Vec::new();
    for request in requests {
        let job = at(&house.send(request).await);
        house.events(&job).await;
        all.push(house.text(&format!("{job}/results"), "*/*").await.2);
    }
    let ids: Vec<_> = lines(&all[0]).iter().map(|row| row["id"].clone()).collect();
    assert_eq!(ids, ["two", "one"], "the order of the manifest");
    assert!(all[0].contains("\"reading\"") && !all[0].contains("\"error\""), "{}", all[0]);
    assert!(all.iter().all(|text| *text == all[0]), "{all:#?}");
    // Answers to earlier questions are not asked for again, and settings for all photos apply
    // beside those of one photo.
    let rows = lines(&all[0]);
    let assumed = |row: &Value| row["reading"]["score"]["assumed"].to_string();
    assert!(!assumed(&rows[0]).contains("seat") && assumed(&rows[1]).contains("seat"), "{rows:?}");
    assert!(rows.iter().all(|row| !assumed(row).contains("win")), "{rows:?}");
}

/// Windows shells write manifests in UTF-16, older programs in Windows-1252.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn manifests_of_other_programs_are_read() {
    let house = House::new().open();
    let text = "{\"file\":\"Jürgen.png\",\"custom_id\":\"Åse\"}\r\n";
    let utf16 = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let ansi: Vec<u8> = text.chars().map(|letter| letter as u8).collect();
    for manifest in [text.as_bytes().to_vec(), utf16, ansi] {
        let form = Form::new().photo("Jürgen.png", &png(HAND)).part("manifest", "", &manifest);
        let job = at(&house.create(form).await);
        house.events(&job).await;
        let rows = house.text(&format!("{job}/results"), "*/*").await.2;
        assert_eq!(lines(&rows)[0]["id"], "Åse", "{manifest:?}");
    }
    let bad = Form::new().photo("a.png", b"x").part("manifest", "", b"\xff\xfe\0\xd8a\0");
    let answer = house.create(bad).await;
    assert_eq!(answer.status, 400, "{answer:?}");
    assert_eq!(answer.json["errors"][0]["field"], "manifest", "{answer:?}");
}

fn with_query(mut request: Request) -> Request {
    *request.uri_mut() = "/v1/jobs?win=self_drawn".parse().unwrap();
    request
}

/// Returns the content of all files in a folder and its subfolders.
fn kept(folder: &std::path::Path) -> Vec<u8> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| if path.is_dir() { kept(&path) } else { std::fs::read(path).unwrap() })
        .collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn photos_are_stored_without_metadata() {
    let house = House::new();
    let has = |bytes: &[u8]| bytes.windows(SECRET.len()).any(|part| part == SECRET);
    assert_eq!(jpeg().windows(SECRET.len()).filter(|part| *part == SECRET).count(), 2);
    let zip = zipped(&[("in.jpg", &jpeg())]);
    let form = Form::new().photo("a.jpg", &jpeg()).part("archive", "z.zip", &zip);
    at(&house.create(form).await);
    assert_eq!(house.photos(), 1, "the same photo twice is one");
    assert!(!has(&kept(house.folder.path())));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_invalid_job_names_its_field_and_stores_nothing() {
    let house = House::new();
    let photo = png(HAND);
    let form = || Form::new().photo("a.png", &photo);
    let many = (0..21).fold(Form::new(), |form, _| form.photo("a.png", b"x"));
    let manifest = |text: &str| form().part("manifest", "", text.as_bytes());
    let webhook = |text: &str| form().part("webhook", "", text.as_bytes());
    let two = b"{\"file\":\"a.png\",\"custom_id\":\"x\"}\n{\"file\":\"a.png\",\"custom_id\":\"x\"}";
    let cases = [
        ("no photos", Form::new(), 400, "photo"),
        ("too many", many, 413, ""),
        ("an unknown part", form().part("file", "", b""), 400, "file"),
        ("a bad context", form().part("context", "", b"{\"seat\":\"Q\"}"), 400, "context.seat"),
        (
            "two contexts",
            form().part("context", "", b"{}").part("context", "", b"{}"),
            400,
            "context",
        ),
        ("no archive", form().part("archive", "", b"no ZIP"), 400, ""),
        ("a photo too few", manifest("{\"file\":\"b.png\"}"), 400, "lines[0].file"),
        ("a photo too many", manifest("\n"), 400, "photo"),
        ("a bad line", manifest("{\"file\":\"a.png\"}\n{\"fil\":1}"), 400, "lines[1].fil"),
        ("no region", manifest("{\"file\":\"a.png\",\"region\":[[1,2]]}"), 400, "lines[0].region"),
        ("an id twice", form().part("manifest", "", two), 400, "lines[1].custom_id"),
        (
            "a name twice",
            manifest("{\"file\":\"a.png\",\"focus\":\"1,2\"}\n{\"file\":\"a.png\"}"),
            400,
            "lines[1].custom_id",
        ),
        (
            "a name that is an id",
            manifest("{\"file\":\"a.png\"}\n{\"file\":\"a.png\",\"custom_id\":\"a.png\"}"),
            400,
            "lines[1].custom_id",
        ),
        ("a bad address", webhook("{\"url\":\"ftp://x\"}"), 400, "webhook.url"),
        (
            "a bad secret",
            webhook("{\"url\":\"http://x/\",\"secret\":\"y\"}"),
            400,
            "webhook.secret",
        ),
        ("a misspelt webhook", webhook("{\"uri\":\"http://x/\"}"), 400, "webhook.uri"),
    ];
    for (name, form, status, field) in cases {
        let mut german = form.clone().request("/v1/jobs");
        german.headers_mut().insert("accept-language", "de".parse().unwrap());
        let answer = house.create(form).await;
        assert_eq!(answer.status, status, "{name}: {answer:?}");
        let named = answer.json["errors"][0]["field"].as_str().unwrap_or_default();
        assert_eq!(named, field, "{name}: {answer:?}");
        let german = house.send(german).await;
        assert_eq!(german.json["type"], answer.json["type"], "{name}: {german:?}");
        assert_ne!(german.json["detail"], answer.json["detail"], "{name}: it is translated");
    }
    let cut = Request::post("/v1/jobs").header(CONTENT_TYPE, "multipart/form-data; boundary=edge");
    let cut = house.send(cut.body(form().body.into()).unwrap()).await;
    cut.is_problem(400, "malformed-request");
    house.send(posted("application/json", "{}")).await.is_problem(415, "unsupported-media");
    house
        .send(posted("application/jsonl", "{\"photo\":\"***\"}"))
        .await
        .is_problem(400, "malformed-request");
    let large = vec![0; 3_000_001];
    house.send(posted("application/zip", large.clone())).await.is_problem(413, "too-large");
    house.create(form().photo("b.png", &large)).await.is_problem(413, "too-large");
    let listed = house.get("/v1/jobs").await;
    assert_eq!(listed.json, json!({ "jobs": [], "next": null }));
    assert_eq!(house.photos(), 0);
}

/// A directory that declares a million entries costs nothing beyond its file.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn archives_are_bounded() {
    let house = House::new();
    let names: Vec<String> = (0..1200).map(|at| format!("{at}.txt")).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    house.send(posted("application/zip", zipped(&files))).await.is_problem(413, "too-large");
    // Zeros compress a thousand to one: two of these photos unpack to more than a job may have.
    let padded = |name: u8| [&png(HAND)[..], &[0; 1_600_000], &[name]].concat();
    let (one, two) = (padded(1), padded(2));
    let bomb = zipped(&[("1.png", &one), ("2.png", &two)]);
    assert!(bomb.len() < 100_000, "{}", bomb.len());
    house.send(posted("application/zip", bomb)).await.is_problem(413, "too-large");
    assert_eq!(house.photos(), 0);
}

/// Failed photos count like others: two archives of photos that turn out to be broken exceed the
/// limit together.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn broken_members_count_against_the_unpacked_limit() {
    let house = House::new();
    let broken = || {
        let mut zip = zipped(&[("a.png", &[7; 1_600_000])]);
        let sums = zip.windows(4).enumerate().filter(|(_, four)| four.starts_with(b"PK"));
        let places: Vec<usize> = sums
            .filter_map(|(at, four)| match four[2..] {
                [3, 4] => Some(at + 14),
                [1, 2] => Some(at + 16),
                _ => None,
            })
            .collect();
        for at in places {
            zip[at] ^= 1;
        }
        zip
    };
    let one = Form::new().part("archive", "1.zip", &broken());
    let created = house.create(one.clone()).await;
    at(&created);
    assert_eq!(created.json["photos"]["failed"], 1, "{created:?}");
    let two = one.part("archive", "2.zip", &broken());
    house.create(two).await.is_problem(413, "too-large");
}

/// Unpacking takes a worker, as reading does: an archive can't use more cores than there are
/// workers.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn archives_wait_for_a_worker() {
    let house = House::new();
    let admission = house.service.admission();
    let preparation = admission.permit_preparation(&Client::Key("other".into()));
    let workers = [preparation.worker_for_step().await, preparation.worker_for_step().await];
    let service = house.service.clone();
    let request = posted("application/zip", zipped(&[("a.png", &png(HAND))]));
    let mut waiting = tokio::spawn(async move { send(&service, request).await });
    // Outside the queue, unpacking would take some milliseconds; in the queue it waits without end.
    let early = tokio::time::timeout(Duration::from_millis(500), &mut waiting).await;
    assert!(early.is_err(), "it was unpacked beside the workers: {early:?}");
    drop(workers);
    at(&waiting.await.unwrap());
    assert_eq!(admission.free(), admission.total());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_sent_again_is_one_job() {
    let house = House::new();
    let form = |edge: &[u8]| {
        let form = Form::new().header("idempotency-key", "k1").photo("a.png", &png(HAND));
        form.part("rulesets", "", edge)
    };
    let first = house.create(form(b"mcr-wmo")).await;
    let job = at(&first);
    assert!(!first.headers.contains_key("idempotency-replayed"));
    let again = house.create(form(b"[\"mcr-wmo\"]")).await;
    assert_eq!(at(&again), job, "what is said is the same, however it is written");
    assert_eq!(again.headers["idempotency-replayed"], "true");
    house.create(form(b"mcr-mil")).await.is_problem(422, "idempotency-key-reused");
    assert_eq!(house.get("/v1/jobs").await.json["jobs"].as_array().unwrap().len(), 1);
    let other = form(b"mcr-wmo").header("x-other", "1");
    let other = Form { headers: vec![("idempotency-key", "k2".to_owned())], ..other };
    assert_ne!(at(&house.create(other).await), job);
    // A refused request releases its key, and so does the deletion of a job.
    let wrong = Form::new().header("idempotency-key", "k3").part("file", "", b"");
    house.create(wrong).await.is_problem(400, "malformed-request");
    at(&house.create(Form::new().header("idempotency-key", "k3").photo("b", &png(HAND))).await);
    let gone = Request::delete(&job).body(Body::empty()).unwrap();
    assert_eq!(house.send(gone).await.status, 204);
    assert_ne!(at(&house.create(form(b"mcr-mil")).await), job);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn equal_keys_of_two_addresses_are_two_jobs() {
    let house = House::new();
    let create = async |address: [u8; 4], row: &str| {
        let form = Form::new().header("idempotency-key", "1").photo("a.png", &png(row));
        let mut request = form.request("/v1/jobs");
        request.extensions_mut().insert(Peer(address.into()));
        house.send(request).await
    };
    let job = at(&create([192, 0, 2, 1], HAND).await);
    let same = create([192, 0, 2, 2], HAND).await;
    assert_ne!(at(&same), job, "neither returned");
    assert!(!same.headers.contains_key("idempotency-replayed"));
    assert_ne!(at(&create([192, 0, 2, 3], OTHER).await), job, "nor blocked");
    assert_eq!(at(&create([192, 0, 2, 1], HAND).await), job);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_open_job_and_its_key_outlast_a_clock_that_jumped() {
    let house = House::new();
    let store = house.store();
    let now = Timestamp::now();
    let id = JobId::random().unwrap();
    let extra = json!({});
    let owner = None;
    let expires = now.saturating_add(DAY * 7);
    let open = NewJob { id, owner, client: None, created: now, expires, extra };
    store.create(&open).await.unwrap();
    let name: Name = "k".parse().unwrap();
    assert!(matches!(idempotency::begin(&store, name.clone(), id).await, Ok(ClaimResult::New(_))));
    let kind: Name = "idempotency".parse().unwrap();
    let is_kept = async || {
        let job = store.job(&id).await.unwrap().is_some();
        let key = store.load(&kind, &name).await.unwrap().is_some();
        (job, key)
    };
    let maintenance = JobMaintenance::new(&house.service).unwrap();
    maintenance.sweep(now.saturating_add(DAY * 400)).await.unwrap();
    assert_eq!(is_kept().await, (true, true));
    // The clock is set again, and goes on.
    for half_days in 0..6 {
        maintenance.sweep(now.saturating_add(DAY / 2 * half_days)).await.unwrap();
    }
    assert_eq!(is_kept().await, (false, false));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_of_an_expired_job_are_not_kept_in_memory() {
    let house = House::new().open();
    let job = at(&house.create(Form::new().photo("broken.jpg", &jpeg()[..200])).await);
    house.events(&job).await;
    house.text(&format!("{job}/results?detail=compact"), "*/*").await;
    house.text(&format!("{job}/errors"), "*/*").await;
    let jobs = house.service.jobs().unwrap();
    let is_kept = || (!jobs.rows.0.is_empty(), !jobs.digests.0.is_empty());
    let maintenance = JobMaintenance::new(&house.service).unwrap();
    let now = Timestamp::now();
    maintenance.sweep(now).await.unwrap();
    assert_eq!(is_kept(), (true, true));
    for half_days in 0..16 {
        maintenance.sweep(now.saturating_add(DAY / 2 * half_days)).await.unwrap();
    }
    house.get(&job).await.is_problem(404, "not-found");
    assert_eq!(is_kept(), (false, false));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_key_is_taken_while_its_request_is_on_the_way() {
    let house = House::new();
    let (sender, receiver) = tokio::sync::oneshot::channel::<()>();
    let body = futures_util::stream::once(async move {
        let _ = receiver.await;
        Err::<Vec<u8>, _>(std::io::Error::other("the client left"))
    });
    let body = Body::from_stream(body);
    let form = Form::new().header("idempotency-key", "k").photo("a.png", &png(HAND));
    let mut slow = form.request("/v1/jobs");
    *slow.body_mut() = body;
    let service = house.service.clone();
    let waiting = tokio::spawn(async move { send(&service, slow).await });
    let begun =
        async || house.get("/v1/jobs").await.json["jobs"].as_array().map(Vec::len) == Some(1);
    while !begun().await {
        tokio::task::yield_now().await;
    }
    let other = house.create(form.clone()).await;
    other.is_problem(409, "request-in-flight");
    assert!(other.headers.contains_key("retry-after"));
    drop(sender);
    waiting.await.unwrap().is_problem(400, "malformed-request");
    at(&house.create(form).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_belongs_to_its_key() {
    let (one, two) = (
        NewKey::generate(&"one".parse().expect("a name"), None, None).unwrap(),
        NewKey::generate(&"two".parse().expect("a name"), None, None).unwrap(),
    );
    let usual = 600.try_into().unwrap();
    let keys = Keys::read(&format!("{}\n{}\n", one.line, two.line), usual).unwrap();
    let house = House::with(JobLimits { unfinished: 1, ..job_limits() }, keys);
    let ask = async |key: &NewKey, mut request: Request| {
        let bearer = format!("Bearer {}", key.secret);
        request.headers_mut().insert(AUTHORIZATION, bearer.parse().unwrap());
        house.send(request).await
    };
    let get = |path: &str| Request::get(path).body(Body::empty()).unwrap();
    let form = Form::new().photo("a.png", &png(HAND)).header("idempotency-key", "k");
    let job = at(&ask(&one, form.request("/v1/jobs")).await);
    assert_eq!(ask(&one, get(&job)).await.status, 200);
    let review = ["/review", "/review/0", "/review/0/photo", "/corrections"];
    for path in ["", "/results", "/errors", "/events"].into_iter().chain(review) {
        ask(&two, get(&format!("{job}{path}"))).await.is_problem(404, "not-found");
    }
    for request in [
        Request::delete(&job).body(Body::empty()).unwrap(),
        Request::post(format!("{job}/cancel")).body(Body::empty()).unwrap(),
        said("PUT", &format!("{job}/review/0"), r#"{"correction":{"no_hand":true}}"#),
        said("DELETE", &format!("{job}/review/0"), ""),
    ] {
        ask(&two, request).await.is_problem(404, "not-found");
    }
    assert_eq!(ask(&two, get("/v1/jobs")).await.json["jobs"], json!([]));
    assert_eq!(ask(&one, get("/v1/jobs")).await.json["jobs"][0]["id"], job[9..]);
    // The same idempotency key of another API key is a different one, and each API key has its own
    // limit of jobs.
    assert_ne!(at(&ask(&two, form.request("/v1/jobs")).await), job);
    let more = ask(&one, form.request("/v1/jobs")).await;
    more.is_problem(429, "too-many-requests");
    assert!(more.headers.contains_key("retry-after"));
    house.get(&job).await.is_problem(401, "unauthorized");
}

/// Returns a request of a reviewer.
fn said(method: &str, path: &str, body: &str) -> Request {
    let request = Request::builder().method(method).uri(path);
    let request = request.header(CONTENT_TYPE, "application/json");
    request.body(Body::from(body.to_owned())).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn photos_in_doubt_are_reviewed_and_the_results_follow() {
    let house = House::new().open();
    let form = Form::new().photo("a.png", &png(HAND)).photo("broken.jpg", &jpeg()[..200]);
    let created = house.send(form.request("/v1/jobs?keep_photos=true")).await;
    let job = at(&created);
    assert_eq!(created.json["keep_photos"], true);
    assert_eq!(created.json["links"]["review"], format!("{job}/review"));
    house.events(&job).await;
    let before = house.text(&format!("{job}/results"), "*/*").await.2;
    let queue = house.get(&format!("{job}/review?reviewer=Kim")).await.json;
    assert_eq!((&queue["reviewer"], &queue["keep_photos"]), (&json!("Kim"), &json!(true)));
    let listed: Vec<_> = queue["photos"].as_array().unwrap().iter().collect();
    assert_eq!(listed[0]["group"], "winning_tile", "{queue}");
    assert_eq!((&listed[1]["id"], &listed[1]["group"]), (&json!("broken.jpg"), &json!("failed")));

    // Questions are answered one by one, and nothing is stored until the final request.
    let first = house.get(&format!("{job}/review/0")).await.json;
    let doubt = &first["now"]["doubts"][0];
    let answer = json!({ "doubt": doubt["id"], "answer": doubt["alternatives"][1]["answer"] });
    let drawn =
        json!({ "answers": [answer], "correction": { "context": { "win": "self_drawn" } } });
    let tried = format!("{job}/review/0/answers");
    let now = house.send(said("POST", &tried, &drawn.to_string())).await.json;
    assert_eq!((&now["now"]["doubts"], &now["done"]), (&json!([]), &json!(false)));
    assert_eq!(house.text(&format!("{job}/results"), "*/*").await.2, before);

    let kim = |index: u64| format!("{job}/review/{index}?reviewer=Kim");
    let kept = house.send(said("PUT", &kim(0), &drawn.to_string())).await.json;
    assert_eq!((&kept["done"], &kept["reviewer"]), (&json!(true), &json!("Kim")));
    let typed = r#"{"correction":{"hand":"123456789m11pFFF"},"note":"seen"}"#;
    assert_eq!(house.send(said("PUT", &kim(1), typed)).await.status, 200);
    let ann = format!("{job}/review/1?reviewer=Ann");
    let other = r#"{"correction":{"no_hand":true}}"#;
    assert_eq!(house.send(said("PUT", &ann, other)).await.status, 200);
    let rows = lines(&house.text(&format!("{job}/results"), "*/*").await.2);
    assert_eq!(rows[0]["reading"]["status"], "ok", "{}", rows[0]["correction"]);
    assert_eq!(rows[0]["correction"]["context"]["win"], "self_drawn");
    assert_eq!(rows[1]["reading"]["status"], "no_hand", "the last one counts");
    assert!(rows[1]["original"]["error"].is_object(), "{}", rows[1]);
    let errors = house.text(&format!("{job}/errors"), "*/*").await.2;
    assert_eq!(errors, "", "a photo that somebody looked at is not an error");
    let table = house.text(&format!("{job}/results"), "text/csv").await.2;
    assert_eq!(table.matches(",yes,,,,,,\n").count(), 2, "{table}");
    let said_so = house.text(&format!("{job}/corrections"), "*/*").await;
    assert!(said_so.1.starts_with("text/csv") && said_so.2.lines().count() == 4, "{said_so:?}");

    // The same body has the same verdict as a try and as a correction: half of the answers leave
    // the rest open.
    let given = json!({ "answers": [{ "doubt": doubt["id"], "answer": null }] }).to_string();
    let tried = house.send(said("POST", &tried, &given)).await.json;
    let kept = house.send(said("PUT", &kim(0), &given)).await.json;
    for field in ["status", "doubts"] {
        assert_eq!(tried["now"][field], kept["corrected"][field], "{field}");
    }
    assert_eq!(kept["done"], kept["corrected"]["status"] == "ok", "{kept}");
    assert_eq!(kept["correction"]["answers"][0]["doubt"], doubt["id"]);
    let rows = lines(&house.text(&format!("{job}/results"), "*/*").await.2);
    assert_eq!(rows[0]["reading"]["status"], kept["corrected"]["status"]);

    // After the correction is revoked, the other reviewer's counts; after that one, the original
    // reading.
    house.send(said("DELETE", &ann, "")).await;
    let rows = lines(&house.text(&format!("{job}/results"), "*/*").await.2);
    assert_eq!(rows[1]["reading"]["hand"]["notation"], "123456789m11pFFF");
    for index in [0, 1] {
        assert_eq!(house.send(said("DELETE", &kim(index), "")).await.json["done"], false);
    }
    assert_eq!(house.text(&format!("{job}/results"), "*/*").await.2, before);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_refuses_a_review_and_keeps_what_was_said() {
    let house = House::new().open();
    let job = at(&house.create(Form::new().photo("a.png", &png(HAND))).await);
    house.events(&job).await;
    let review = |reviewer: usize| {
        let note = "x".repeat(12_000);
        let answer = json!({ "correction": { "accepted": true }, "note": note }).to_string();
        said("PUT", &format!("{job}/review/0?reviewer=r{reviewer}"), &answer)
    };
    house.embedded.limit_pages(Some(1)).await.unwrap();
    let (mut kept, mut last) = (0, house.send(review(0)).await);
    // The last pages of the file have room for some corrections.
    while last.status == 200 && kept < 15 {
        kept += 1;
        last = house.send(review(kept)).await;
    }
    last.is_problem(507, "insufficient-storage");
    let table = house.text(&format!("{job}/corrections"), "*/*").await.2;
    assert_eq!(table.lines().count(), 1 + kept, "each that was answered with 200");
    house.embedded.limit_pages(None).await.unwrap();
    assert_eq!(house.send(review(kept)).await.status, 200);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn readings_come_as_an_app_shows_them() {
    let house = House::new().open();
    let form = Form::new().photo("a.png", &png(HAND)).photo("broken.jpg", &jpeg()[..200]);
    let form = form.part("rulesets", "", b"mcr-wmo,mcr-mil");
    let job = at(&house.send(form.request("/v1/jobs?keep_photos=true")).await);
    house.events(&job).await;
    let request = Request::post("/v1/hands?detail=compact&rulesets=mcr-wmo,mcr-mil");
    let request = request.header(CONTENT_TYPE, "image/png").body(png(HAND).into()).unwrap();
    let mut alone = house.send(request).await.json;
    alone.as_object_mut().unwrap().remove("request_id");
    let rows =
        async |query: &str| lines(&house.text(&format!("{job}/results?{query}"), "*/*").await.2);

    let (full, compact) = (rows("").await, rows("detail=compact").await);
    assert_eq!(rows("detail=full").await, full);
    let mut first = compact[0].clone();
    let fields = first.as_object_mut().unwrap();
    assert_eq!(
        (fields.remove("id"), fields.remove("index")),
        (Some(json!("a.png")), Some(json!(0)))
    );
    assert_eq!(first, alone, "as the answer to the photo");
    assert_eq!(compact[1], full[1], "an error has no reading");
    let table = house.text(&format!("{job}/results"), "text/csv").await.2;
    let cut = house.text(&format!("{job}/results?detail=compact"), "text/csv").await.2;
    assert_eq!(cut, table);

    let photo = |index: u64| format!("{job}/review/{index}?detail=compact");
    let shown = house.get(&photo(0)).await.json;
    assert_eq!(shown["original"], alone);
    assert_eq!(shown["now"]["hand"], alone["hand"]);
    assert_eq!(shown["now"]["doubts"][0]["tiles"], alone["doubts"][0]["tiles"], "{shown}");
    let answer = json!({ "doubt": "winning_tile", "answer": "1p" });
    let answer = json!({ "answers": [answer] }).to_string();
    let tried = format!("{job}/review/0/answers?detail=compact");
    let tried = house.send(said("POST", &tried, &answer)).await.json;
    assert_eq!((&tried["now"]["doubts"], &tried["corrected"]), (&json!([]), &Value::Null));
    assert!(tried["now"]["score"]["awards"][0].get("sets").is_none(), "{tried}");
    let kept = house.send(said("PUT", &photo(0), &answer)).await.json;
    assert!(kept["corrected"].get("tiles").is_none(), "{kept}");
    assert_eq!(kept["corrected"]["hand"]["winning_tile"], "1p");
    let typed = r#"{"correction":{"hand":"123456789m11pFFF"}}"#;
    let kept = house.send(said("PUT", &photo(1), typed)).await.json;
    assert!(kept["original"]["error"].is_object() && kept["corrected"].get("tiles").is_none());
    let corrected = rows("detail=compact").await;
    assert_eq!(corrected[0]["hand"]["winning_tile"], "1p");
    assert_eq!(corrected[0]["original"], alone);
    assert_eq!(corrected[1]["hand"]["notation"], "123456789m11pFFF");
    assert!(corrected[1]["original"]["error"].is_object(), "{}", corrected[1]);
    let back = house.send(said("DELETE", &photo(0), "")).await.json;
    assert_eq!((&back["original"], &back["corrected"]), (&alone, &Value::Null));

    for (path, field) in [
        ("/review/0?detail=short", "detail"),
        ("/review/0?detail=full&detail=full", "detail"),
        ("/review/0?reviewer=a&reviewer=b", "reviewer"),
        ("/review?detail=compact", "detail"),
        ("/review/0/photo?detail=compact", "detail"),
        ("/results?detail=short", "detail"),
    ] {
        let refused = house.get(&format!("{job}{path}")).await;
        refused.is_problem(400, "malformed-request");
        assert_eq!(refused.json["errors"][0]["field"], field, "{path}");
    }
}

/// Returns the rows of all pages from one on, and the number of pages.
async fn rows_of_pages(house: &House, job: &str, first: &str) -> (String, usize) {
    let path = first.split('?').next().expect("a path");
    let (mut rows, mut pages, mut query) = (String::new(), 0, first[path.len()..].to_owned());
    loop {
        let request = Request::get(format!("{job}/{path}{query}")).header("host", "localhost");
        let request = request.body(Body::empty()).unwrap();
        let response = app(house.service.clone()).oneshot(request).await.unwrap();
        assert_eq!(response.status(), 200, "{path}{query}");
        let link = response.headers().get(LINK).map(|link| link.to_str().unwrap().to_owned());
        let body = to_bytes(response.into_body(), usize::MAX).await.unwrap();
        rows.push_str(std::str::from_utf8(&body).unwrap());
        pages += 1;
        let Some(link) = link else { return (rows, pages) };
        let (next, kind) = link.split_once(';').expect("a link");
        assert_eq!(kind, " rel=\"next\"");
        query = next.trim_matches(['<', '>']).to_owned();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn lists_of_a_job_come_in_pages() {
    let house = House::new().open();
    let mut form = Form::new();
    for at in 0..3 {
        form = form.photo(&format!("{at}.png"), &png(HAND));
        form = form.photo(&format!("broken{at}.jpg"), &jpeg()[..200 + at]);
    }
    let job = at(&house.create(form).await);
    house.events(&job).await;
    for (path, limit, pages) in [
        ("results?detail=compact", 6, 1),
        ("results?detail=compact", 2, 3),
        ("results?detail=full", 4, 2),
        ("results?format=csv&csv=excel", 5, 2),
        ("errors?detail=full", 1, 3),
        ("errors?format=csv", 2, 2),
        ("errors?detail=full", 3, 1),
    ] {
        let whole = house.text(&format!("{job}/{path}"), "*/*").await.2;
        let paged = rows_of_pages(&house, &job, &format!("{path}&limit={limit}")).await;
        assert_eq!(paged, (whole, pages), "{path}, {limit} at a time");
    }
    let from = house.text(&format!("{job}/results?from=2"), "*/*").await.2;
    assert_eq!(house.text(&format!("{job}/results?after=1"), "*/*").await.2, from);
    assert_eq!(lines(&from).len(), 4);

    let queue = async |query: &str| house.get(&format!("{job}/review{query}")).await.json;
    let whole = queue("").await;
    assert_eq!((&whole["total"], &whole["next"]), (&json!(6), &Value::Null));
    let (mut photos, mut query) = (Vec::new(), "?limit=4".to_owned());
    loop {
        let page = queue(&query).await;
        photos.extend(page["photos"].as_array().unwrap().clone());
        let Some(next) = page["next"].as_u64() else { break };
        query = format!("?limit=4&after={next}");
    }
    assert_eq!(json!(photos), whole["photos"]);
    let lost = house.get(&format!("{job}/review?after=77")).await;
    lost.is_problem(400, "malformed-request");
    assert_eq!(lost.json["errors"][0]["field"], "after");
}

/// The workers are all busy: what is answered nevertheless was not computed again.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn rows_that_were_computed_are_kept() {
    let house = House::new().open();
    let job = at(&house.create(Form::new().photo("a.png", &png(HAND))).await);
    house.events(&job).await;
    let rows = format!("{job}/results?detail=compact");
    let first = house.text(&rows, "*/*").await.2;
    let admission = house.service.admission();
    let mut busy = Vec::new();
    for _ in 0..admission.total().workers {
        busy.push(admission.enter(&nobody()).unwrap().worker(b"").await.unwrap());
    }
    assert_eq!(house.text(&rows, "*/*").await.2, first);
    drop(busy);
    let deleted = house.send(Request::delete(&job).body(Body::empty()).unwrap()).await;
    assert_eq!(deleted.status, 204);
    house.get(&rows).await.is_problem(404, "not-found");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_photo_that_browsers_cannot_show_is_reviewed_as_jpeg() {
    const HEIC: &[u8] = include_bytes!("../../../../../tests/data/stills/turned.heic");
    let house = House::new().open();
    let form = Form::new().photo("a.heic", HEIC);
    let job = at(&house.send(form.request("/v1/jobs?keep_photos=true")).await);
    house.events(&job).await;
    let queue = house.get(&format!("{job}/review")).await.json;
    assert_eq!(queue["photos"][0]["id"], "a.heic", "{queue}");
    let picture = house.get(&format!("{job}/review/0/photo")).await;
    assert_eq!(picture.headers[CONTENT_TYPE], "image/jpeg", "{picture:?}");
    let admission = house.service.admission();
    assert_eq!(admission.free(), admission.total(), "all is given back");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_review_names_what_is_wrong_and_leaves_nothing_behind() {
    let house = House::new().open();
    let form = Form::new().photo("a.png", &png(HAND));
    let odd = house.send(form.request("/v1/jobs?keep_photos=perhaps")).await;
    odd.is_problem(400, "malformed-request");
    let kept = at(&house.send(form.request("/v1/jobs?keep_photos=true")).await);
    let other = at(&house.create(Form::new().photo("b.png", &png(OTHER))).await);
    house.events(&kept).await;
    house.events(&other).await;
    // A request to keep the photos is a different request.
    let form = form.header("idempotency-key", "k");
    at(&house.create(form.clone()).await);
    let reused = house.send(form.request("/v1/jobs?keep_photos=true")).await;
    reused.is_problem(422, "idempotency-key-reused");
    let first = format!("{kept}/review/0");
    for path in ["/review/9", "/review/x", "/review/9007199254740992", "/review/x/photo"] {
        house.get(&format!("{kept}{path}")).await.is_problem(404, "not-found");
    }
    for (body, status, field) in [
        (r#"{"hand":"1m"}"#, 400, "hand"),
        (r#"{"correction":{"context":{"seet":"S"}}}"#, 400, "correction.context.seet"),
        (r#"{"note":"\u0007"}"#, 400, "note"),
        (r#"{"answers":[{"doubt":"tile-99","answer":"1m"}]}"#, 400, "answers[0].doubt"),
    ] {
        let refused = house.send(said("PUT", &first, body)).await;
        assert_eq!(
            (refused.status.as_u16(), &refused.json["errors"][0]["field"]),
            (status, &json!(field)),
            "{body}: {}",
            refused.json
        );
    }
    let nobody = format!("{first}?reviewer={}", "x".repeat(65));
    house.send(said("PUT", &nobody, "{}")).await.is_problem(400, "malformed-request");
    house.get(&format!("{first}?who=Kim")).await.is_problem(400, "malformed-request");

    // The photos of one job are kept as long as the job, those of the other until it has ended.
    for _ in 0..3600 {
        if house.photos() == 1 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(house.photos(), 1);
    assert_eq!(house.get(&other).await.json["keep_photos"], false);
    assert_eq!(house.get(&format!("{other}/review")).await.json["keep_photos"], false);
    house.get(&format!("{other}/review/0/photo")).await.is_problem(404, "not-found");
    sweep::clear(house.store().as_ref(), Timestamp::now()).await.unwrap();
    let picture = house.get(&format!("{first}/photo")).await;
    assert_eq!(picture.status, 200);
    assert_eq!(picture.headers[CONTENT_TYPE], "image/png");
    assert_eq!(picture.headers.get_all(CACHE_CONTROL).iter().count(), 1);
    house.send(said("PUT", &first, r#"{"correction":{"no_hand":true}}"#)).await;
    let documents = [format!("corrections-{}", &kept[9..]), "corrected".to_owned()];
    for kind in &documents {
        assert_eq!(house.store().list(&kind.parse().unwrap()).await.unwrap().len(), 1, "{kind}");
    }
    let gone = house.send(Request::delete(&kept).body(Body::empty()).unwrap()).await;
    assert_eq!((gone.status.as_u16(), house.photos()), (204, 0));
    for kind in &documents {
        assert_eq!(house.store().list(&kind.parse().unwrap()).await.unwrap(), [], "{kind}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn jobs_are_listed_cancelled_and_deleted() {
    let house = House::new();
    let mut made = Vec::new();
    for _ in 0..3 {
        made.push(at(&house.create(Form::new().photo("a.png", &png(HAND))).await));
    }
    let page = house.get("/v1/jobs?limit=2").await.json;
    let ids = |page: &Value| -> Vec<String> {
        let jobs = page["jobs"].as_array().unwrap().iter();
        jobs.map(|job| format!("/v1/jobs/{}", job["id"].as_str().unwrap())).collect()
    };
    let mut listed = ids(&page);
    let next = page["next"].as_str().unwrap();
    listed.extend(ids(&house.get(&format!("/v1/jobs?limit=2&before={next}")).await.json));
    listed.sort();
    made.sort();
    assert_eq!(listed, made);
    let cancel = || Request::post(format!("{}/cancel", made[0])).body(Body::empty()).unwrap();
    for _ in 0..2 {
        let cancelled = house.send(cancel()).await;
        assert_eq!(
            (cancelled.status.as_u16(), &cancelled.json["status"]),
            (200, &json!("cancelled"))
        );
    }
    assert_eq!(house.text(&format!("{}/results", made[0]), "*/*").await.2, "");
    assert!(house.events(&made[0]).await.contains("event: ended"));
    let known = Request::get(format!("{}/events", made[0])).header("last-event-id", "end");
    assert_eq!(house.send(known.body(Body::empty()).unwrap()).await.status, 204);
    for job in &made {
        let gone = || Request::delete(job).body(Body::empty()).unwrap();
        assert_eq!(house.send(gone()).await.status, 204);
        house.send(gone()).await.is_problem(404, "not-found");
    }
    assert_eq!(house.photos(), 0, "the last job takes its photo along");
    for (wrong, field, words) in [
        ("limit=0", "limit", "eine ganze Zahl von 1 bis 500"),
        ("limit=501", "limit", "eine ganze Zahl von 1 bis 500"),
        ("limit=x", "limit", "eine ganze Zahl von 1 bis 500"),
        ("limit=1&limit=2", "limit", "doppelt angegeben"),
        ("before=x", "before", "32 Ziffern"),
        ("after=x", "after", "unbekannter Parameter `after`; es gibt `limit`, `before`"),
    ] {
        refused_query(&house, &format!("/v1/jobs?{wrong}"), field, words).await;
    }
    for wrong in ["x", "..%2f..%2fetc", &"0".repeat(32), &"A".repeat(32)] {
        house.get(&format!("/v1/jobs/{wrong}")).await.is_problem(404, "not-found");
    }
}

/// Asserts that a query is refused because of a parameter, with a message in the client's language.
async fn refused_query(house: &House, path: &str, field: &str, words: &str) {
    let request = Request::get(path).header("accept-language", "de");
    let answer = house.send(request.body(Body::empty()).unwrap()).await;
    answer.is_problem(400, "malformed-request");
    let errors = answer.json["errors"].as_array().expect("a field");
    assert_eq!(errors[0]["field"], field, "{path}");
    let detail = errors[0]["detail"].as_str().expect("a text");
    assert!(detail.contains(words), "{path}: {detail}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parameters_of_results_are_refused_by_their_names() {
    let house = House::new();
    let created = house.send(Form::new().photo("a", b"x").request("/v1/jobs")).await;
    assert_eq!(created.status, 202, "{created:?}");
    let id = created.json["id"].as_str().expect("an id");
    for (query, field, words) in [
        ("results?from=-1", "from", "eine ganze Zahl von 0 bis 9007199254740991"),
        ("results?from=9007199254740992", "from", "eine ganze Zahl von 0 bis"),
        ("results?from=", "from", "eine ganze Zahl von 0 bis"),
        ("errors?format=xml", "format", "`xml` geht hier nicht; erwartet wird eines von `jsonl`"),
        ("results?csv=tabs", "csv", "erwartet wird eines von `plain`, `excel`"),
        (
            "results?fro=1",
            "fro",
            "unbekannter Parameter `fro`; es gibt `from`, `after`, `limit`, `format`",
        ),
        ("results?from=1&from=2", "from", "doppelt angegeben"),
        ("corrections?csv=tabs", "csv", "erwartet wird eines von `plain`, `excel`"),
        ("corrections?format=csv", "format", "unbekannter Parameter `format`; es gibt `csv`"),
        ("review?name=A", "name", "unbekannter Parameter `name`; es gibt `reviewer`"),
        ("results?from=1&after=0", "after", "nicht beides"),
        ("results?limit=0", "limit", "eine ganze Zahl von 1 bis 1000"),
        ("errors?limit=1001", "limit", "eine ganze Zahl von 1 bis 1000"),
        ("review?limit=1001", "limit", "eine ganze Zahl von 1 bis 1000"),
        ("review?after=-1", "after", "eine ganze Zahl von 0 bis"),
    ] {
        refused_query(&house, &format!("/v1/jobs/{id}/{query}"), field, words).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_a_folder_no_job_is_taken() {
    let service = Service::builder(limits()).build();
    service.ready(Arc::new(Reader::with_model(PaintedModel::default())));
    let created = send(&service, Form::new().photo("a", b"x").request("/v1/jobs")).await;
    created.is_problem(404, "jobs-disabled");
    for path in ["/v1/jobs", "/v1/jobs/0", "/v1/jobs/0/results"] {
        let get = Request::get(path).body(Body::empty()).unwrap();
        send(&service, get).await.is_problem(404, "jobs-disabled");
    }
}

/// Requests that someone is waiting for are read, even if many photos of a job wait.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_job_gives_way() {
    let narrow = Limits { workers: 1, waiting: 1, ..limits() };
    let service = Service::builder(narrow).build();
    let admission = service.admission();
    let spare = admission.spare_worker(b"").await;
    let permit = admission.enter(&nobody()).unwrap();
    let mut waiting = Box::pin(permit.worker(b""));
    assert!(!begun(&mut waiting).await, "the only worker reads a job's photo");
    let mut next = Box::pin(admission.spare_worker(b""));
    drop(spare);
    assert!(!begun(&mut next).await, "a request waits");
    let worker = waiting.await.unwrap();
    assert!(!begun(&mut next).await, "a request is being read");
    drop(worker);
    drop(next.await);
    assert_eq!(admission.free(), admission.total());
}

/// Polls a future once, and returns whether it is ready.
async fn begun<T>(future: &mut (impl Future<Output = T> + Unpin)) -> bool {
    let polled = std::future::poll_fn(|context| {
        std::task::Poll::Ready(std::pin::Pin::new(&mut *future).poll(context).is_ready())
    });
    polled.await
}
