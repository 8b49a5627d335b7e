//! Jobs of the real service: photos, webhooks, and a process that is killed in the middle.
//!
//! The service is `tilesight serve --data` with the committed models; without them or ONNX Runtime
//! the tests fail and print the command to run. Photos are our own samples, webhooks go to a socket
//! of this process, and the specification's own library verifies their signatures; a fleet is a
//! real nats-server.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};

use crate::client::{Client, header, when_stored};
use crate::nats;
use crate::service;
use crate::service::{Service, certificate, folder};
use crate::waiting::{self, Hold, PATIENCE, aborted};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::{Value, json};

/// The header that makes a request for a job the same request again.
const AGAIN: &str = "Idempotency-Key: k\r\n";
const FORM: &str = "Content-Type: multipart/form-data; boundary=edge\r\n";

/// Returns the first `count` of our samples.
fn samples(count: usize) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/samples");
    let mut names: Vec<_> = fs::read_dir(folder)
        .expect("our samples")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|kind| kind == "jpg"))
        .collect();
    names.sort();
    let named = |path: &std::path::PathBuf| {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        (name, fs::read(path).expect("a photo"))
    };
    names.iter().take(count).map(named).collect()
}

fn part(form: &mut Vec<u8>, name: &str, file: &str, content: &[u8]) {
    let head = format!(
        "--edge\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"{file}\"\r\n\r\n"
    );
    form.extend(head.bytes());
    form.extend(content);
    form.extend(b"\r\n");
}

/// Returns a job with each photo once for each seat, and a damaged photo.
fn many(photos: &[(String, Vec<u8>)]) -> Vec<u8> {
    let (mut form, mut manifest) = (Vec::new(), String::new());
    for (name, photo) in photos {
        part(&mut form, "photo", name, photo);
        for seat in ["E", "S", "W", "N"] {
            let line = json!({ "custom_id": format!("{name} {seat}"), "file": name, "context": { "seat": seat } });
            manifest += &(line.to_string() + "\n");
        }
    }
    part(&mut form, "photo", "broken.jpg", &photos[0].1[..photos[0].1.len() / 3]);
    manifest += "{\"file\":\"broken.jpg\"}\n";
    part(&mut form, "manifest", "", manifest.as_bytes());
    form.extend(b"--edge--\r\n");
    form
}

fn create(client: &mut Client, more: &str, form: &[u8]) -> String {
    let created = client.request("POST", "/v1/jobs", &format!("{FORM}{more}"), form);
    assert_eq!(created.status, 202, "{}", String::from_utf8_lossy(&created.body));
    header(&created.head, "location").expect("an address").to_owned()
}

/// Waits for the event that ends a job; the events are those that a browser would get.
fn ended(service: &Service, job: &str) -> String {
    let events = service.client().get(&format!("{job}/events"));
    let text = String::from_utf8(events.body).expect("text");
    assert!(text.contains("event: ended"), "{text}");
    text
}

fn rows(service: &Service, job: &str) -> String {
    let answer = service.client().get(&format!("{job}/results"));
    assert_eq!(answer.status, 200);
    String::from_utf8(answer.body).expect("text")
}

fn status(service: &Service, job: &str) -> Value {
    service.client().get(job).json()
}

/// A webhook receiver: it answers with each of its statuses once, then with 204.
struct Hook {
    url: String,
    taken: Receiver<(String, Vec<u8>)>,
}

impl Hook {
    fn listen(statuses: &'static [u16]) -> Hook {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}/hook?a=b", listener.local_addr().expect("an address"));
        let (send, taken) = channel();
        std::thread::spawn(move || {
            let answers = statuses.iter().copied().chain(std::iter::repeat(204));
            for (stream, status) in listener.incoming().zip(answers) {
                let message = receive(stream.expect("a connection"), status);
                if send.send(message).is_err() {
                    return;
                }
            }
        });
        Hook { url, taken }
    }

    fn message(&self) -> (String, Vec<u8>) {
        self.taken.recv_timeout(PATIENCE).expect("a webhook")
    }
}

fn receive(stream: impl Read + Write, status: u16) -> (String, Vec<u8>) {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert_ne!(reader.read_line(&mut head).expect("a head"), 0, "{head}");
    }
    let length = header(&head, "content-length").expect("a length").parse().expect("a number");
    let mut body = vec![0; length];
    reader.read_exact(&mut body).expect("a body");
    let answer = format!("HTTP/1.1 {status} X\r\nContent-Length: 0\r\n\r\n");
    reader.get_mut().write_all(answer.as_bytes()).expect("the service reads the answer");
    (head, body)
}

/// Verifies a message with the specification's library.
fn verified(secret: &str, (head, body): &(String, Vec<u8>)) -> bool {
    let mut headers = axum::http::HeaderMap::new();
    for name in ["webhook-id", "webhook-timestamp", "webhook-signature"] {
        headers.insert(name, header(head, name).expect(name).parse().expect("a value"));
    }
    standardwebhooks::Webhook::new(secret).expect("a secret").verify(body, &headers).is_ok()
}

#[test]
fn a_webhook_is_retried_until_it_is_accepted() {
    let data = folder("jobs-webhook");
    let service =
        Service::start_with(&["--data", data.to_str().expect("text"), "--webhooks-anywhere"]);
    let hook = Hook::listen(&[500]);
    let mut form = Vec::new();
    for (name, photo) in samples(2) {
        part(&mut form, "photo", &name, &photo);
    }
    part(&mut form, "webhook", "", json!({ "url": hook.url }).to_string().as_bytes());
    form.extend(b"--edge--\r\n");
    let created = service.client().request("POST", "/v1/jobs", FORM, &form);
    let created = created.json();
    let (job, webhook) = (created["links"]["job"].as_str().expect("a link"), &created["webhook"]);
    let secret = webhook["secret"].as_str().expect("a secret");
    let (first, second) = (hook.message(), hook.message());
    assert!(first.0.starts_with("POST /hook?a=b HTTP/1.1\r\n"), "{}", first.0);
    assert!(verified(secret, &first) && verified(secret, &second));
    assert_eq!(first.1, second.1, "the same message");
    assert_eq!(header(&first.0, "webhook-id"), header(&second.0, "webhook-id"));
    let payload: Value = serde_json::from_slice(&first.1).expect("JSON");
    assert_eq!(payload["type"], "job.finished");
    assert_eq!(
        payload["data"]["photos"],
        json!({ "total": 2, "read": 2, "failed": 0, "pending": 0 })
    );
    assert_eq!(rows(&service, job).lines().count(), 2);
    let seen = status(&service, job);
    assert!(!seen.to_string().contains("whsec_"), "the secret is shown once: {seen}");
    assert_eq!(service.metric("tilesight_webhooks_total{result=\"refused\"}"), 1.0);
    service.terminate();
    service.ends_well();
}

/// Starts a receiver over TLS, with a self-signed certificate.
fn listen_secretly() -> (Hook, String) {
    use std::sync::Arc;

    use tokio_rustls::rustls::crypto::ring;
    use tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer;
    use tokio_rustls::rustls::{ServerConfig, ServerConnection, StreamOwned};

    let made = certificate();
    let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key.into());
    let config = Arc::new(config.expect("a certificate and its key"));
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    let (send, taken) = channel();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let mut secret = ServerConnection::new(Arc::clone(&config)).expect("a connection");
            // A client that does not trust the certificate closes before it sends a request.
            if secret.complete_io(&mut stream).is_ok()
                && send.send(receive(StreamOwned::new(secret, stream), 204)).is_err()
            {
                return;
            }
        }
    });
    (Hook { url: format!("https://localhost:{port}/hook"), taken }, made.cert.pem())
}

/// Over TLS a webhook only goes to receivers that the machine's certificate authorities vouch for.
#[test]
fn a_webhook_over_tls_needs_a_trusted_certificate() {
    let (data, trusted) = (folder("jobs-webhook-tls"), folder("jobs-webhook-trusted"));
    let ((hook, certificate), (stranger, _)) = (listen_secretly(), listen_secretly());
    let file = trusted.join("roots.pem");
    fs::write(&file, certificate).expect("a file");
    let mut program = service::tilesight();
    program.env("SSL_CERT_FILE", file).env_remove("SSL_CERT_DIR");
    let data = data.to_str().expect("text");
    let service = Service::start_as(program, &["--data", data, "--webhooks-anywhere"]);
    let payload = |hook: &Hook| {
        let mut form = Vec::new();
        part(&mut form, "photo", "a", &samples(1)[0].1);
        part(&mut form, "webhook", "", json!({ "url": hook.url }).to_string().as_bytes());
        form.extend(b"--edge--\r\n");
        service.client().request("POST", "/v1/jobs", FORM, &form).json()
    };
    let secret = payload(&hook)["webhook"]["secret"].as_str().expect("a secret").to_owned();
    assert!(verified(&secret, &hook.message()));
    payload(&stranger);
    let refused = service.log_until("a webhook was not delivered");
    let refused = refused.last().expect("that line");
    assert!(refused.contains("the connection is not secure"), "{refused}");
    assert!(stranger.taken.try_recv().is_err(), "nothing is said to a stranger");
    service.terminate();
    service.ends_well();
}

/// By default a service sends no webhooks into its own network.
#[test]
fn webhooks_do_not_reach_into_this_network() {
    let data = folder("jobs-ssrf");
    let service = Service::start_with(&["--data", data.to_str().expect("text")]);
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("an address").port();
    let mut client = service.client();
    let with = |url: &str| {
        let mut form = Vec::new();
        part(&mut form, "photo", "a", &samples(1)[0].1);
        part(&mut form, "webhook", "", json!({ "url": url }).to_string().as_bytes());
        form.extend(b"--edge--\r\n");
        form
    };
    for url in [
        format!("http://127.0.0.1:{port}/"),
        format!("https://127.0.0.1:{port}/"),
        format!("https://[::1]:{port}/"),
        "https://169.254.169.254/latest/meta-data".to_owned(),
    ] {
        let refused = client.request("POST", "/v1/jobs", FORM, &with(&url));
        assert_eq!(refused.status, 400, "{url}");
        assert_eq!(refused.json()["errors"][0]["field"], "webhook.url", "{url}");
    }
    // A name is checked after it is resolved, and then nothing is sent.
    let job = create(&mut client, "", &with(&format!("https://localhost:{port}/")));
    ended(&service, &job);
    service.wait_for("a webhook was not delivered");
    let webhook = &status(&service, &job)["webhook"];
    assert_eq!(webhook["attempts"], 1, "{webhook}");
    listener.set_nonblocking(true).expect("a socket");
    assert!(listener.accept().is_err(), "a webhook was sent");
}

/// Place where a service keeps its jobs.
enum Place {
    Folder(service::Folder),
    Nats(nats::Server),
}

impl Place {
    fn flags(&self) -> [String; 2] {
        match self {
            Place::Folder(folder) => {
                ["--data".to_owned(), folder.to_str().expect("text").to_owned()]
            }
            Place::Nats(server) => ["--nats".to_owned(), server.url()],
        }
    }

    /// Starts a service, or the next one after it was killed.
    fn start(&self) -> Service {
        self.start_at("")
    }

    /// Like [`Place::start`], with something that happens at points of the service.
    fn start_at(&self, points: &str) -> Service {
        let (program, [flag, value]) = self.program(points);
        Service::start_as(program, &[&flag, &value, "--job-workers", "2"])
    }

    fn program(&self, points: &str) -> (Command, [String; 2]) {
        let mut program = service::tilesight();
        nats::make_patient(&mut program);
        waiting::at(&mut program, points);
        (program, self.flags())
    }

    /// Starts a service that dies at a point, and asks it for a job until then. Returns the job if
    /// it came to answer.
    fn start_to_die(&self, point: &str, form: &[u8]) -> Option<String> {
        let (program, [flag, value]) = self.program(&format!("{point}=abort"));
        let mut service = Service::spawn(program, &[&flag, &value, "--job-workers", "2"])?;
        let mut answer = None;
        // Before its models are loaded it takes no job.
        waiting::until("it takes a job or dies", || {
            answer = try_create(service.address, form);
            !matches!(answer, Some((503, _)))
        });
        aborted(&mut service.process);
        let (status, job) = answer?;
        assert_eq!(status, 202);
        Some(job)
    }

    /// Asserts that no data of a deleted job is left in the storage.
    fn is_empty(&self) {
        if let Place::Folder(folder) = self {
            assert_eq!(files(&folder.join("photos")), 0);
        }
    }
}

/// A service that is killed repeatedly resumes where it was: the same bytes as without kills, every
/// photo read once, both with a folder and with a fleet's servers.
#[test]
fn a_killed_service_continues_its_jobs() {
    let photos = samples(4);
    let form = many(&photos);
    let calm = Place::Folder(folder("jobs-calm"));
    let service = calm.start();
    let job = create(&mut service.client(), "", &form);
    ended(&service, &job);
    let expected = rows(&service, &job);
    drop(service);
    // At the first two points the other photo of the service may be any. At the others only photos
    // are read that nobody tried before: after three deaths over a photo it would be given up.
    let points = [
        "worker.leased@3",
        "worker.written@3",
        "worker.reading[attempt=1]@3",
        "worker.read[attempt=1]@3",
    ];
    killed_again_and_again(&Place::Folder(folder("jobs-killed")), &points, &form, &expected);
    // The fleet's servers can't know that the worker died, so its leases have to expire.
    killed_again_and_again(&Place::Nats(nats::Server::start()), &points[2..3], &form, &expected);
}

/// Asks for a job, and returns the status and the address in the answer; `None` if the service dies
/// before its answer is here.
fn try_create(address: SocketAddr, form: &[u8]) -> Option<(u16, String)> {
    let mut stream = TcpStream::connect(address).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    let length = form.len();
    let head = format!(
        "POST /v1/jobs HTTP/1.1\r\nHost: localhost\r\n{FORM}{AGAIN}Connection: close\r\n\
         Content-Length: {length}\r\n\r\n"
    );
    stream.write_all(&[head.as_bytes(), form].concat()).ok()?;
    let mut answer = Vec::new();
    // What came before the death counts.
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer);
    let (head, _) = answer.split_once("\r\n\r\n")?;
    let status = head.split(' ').nth(1)?.parse().ok()?;
    Some((status, header(head, "location").unwrap_or_default().to_owned()))
}

fn killed_again_and_again(place: &Place, points: &[&str], form: &[u8], expected: &str) {
    let answered: Vec<_> =
        points.iter().filter_map(|point| place.start_to_die(point, form)).collect();
    let service = place.start();
    let job = create(&mut service.client(), AGAIN, form);
    let same = answered.iter().all(|other| *other == job);
    assert!(same, "the same request is the same job: {answered:?}");
    ended(&service, &job);
    let found = rows(&service, &job);
    assert_eq!(found, expected, "the same bytes");
    let ids: Vec<Value> = found
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["id"].clone())
        .collect();
    assert_eq!(ids.len(), 17);
    assert_eq!(ids.iter().map(Value::to_string).collect::<BTreeSet<_>>().len(), 17, "each once");
    let left = ["waiting", "held", "dead"]
        .map(|state| service.metric(&format!("tilesight_tasks{{state=\"{state}\"}}")));
    assert_eq!(left, [0.0; 3], "nothing is left over");
    service.delete_job(&job);
    place.is_empty();
    service.terminate();
    service.ends_well();
}

/// Corrections of reviewers survive a kill and are deleted with their job, both in a folder and in
/// a fleet.
#[test]
fn a_review_is_kept_with_its_job() {
    reviewed_and_killed(&Place::Folder(folder("jobs-reviewed")));
    reviewed_and_killed(&Place::Nats(nats::Server::start()));
}

fn reviewed_and_killed(place: &Place) {
    let mut service = place.start();
    let sample = |name: &str| {
        let path = format!("{}/datasets/samples/{name}", env!("CARGO_MANIFEST_DIR"));
        fs::read(path).expect("the photos are committed")
    };
    let photo = sample("900002.jpg");
    let mut form = Vec::new();
    part(&mut form, "photo", "a.jpg", &photo);
    part(&mut form, "photo", "broken.jpg", &photo[..photo.len() / 3]);
    part(&mut form, "photo", "sure.jpg", &sample("900005.jpg"));
    form.extend(b"--edge--\r\n");
    let created = service.client().request("POST", "/v1/jobs?keep_photos=true", FORM, &form);
    assert_eq!(created.status, 202, "{}", String::from_utf8_lossy(&created.body));
    let job = header(&created.head, "location").expect("an address").to_owned();
    ended(&service, &job);
    let before = rows(&service, &job);
    let say = |service: &Service, index: u64, said: &Value| {
        let (path, json) =
            (format!("{job}/review/{index}?reviewer=Kim"), "Content-Type: application/json\r\n");
        let said = service.client().request("PUT", &path, json, said.to_string().as_bytes());
        assert_eq!(said.status, 200, "{}", String::from_utf8_lossy(&said.body));
    };
    let queue: Value = service.client().get(&format!("{job}/review")).json();
    assert_eq!(queue["photos"].as_array().map(Vec::len), Some(2), "{queue}");
    let drawn = json!({ "accepted": true, "context": { "win": "self_drawn" } });
    say(&service, 0, &json!({ "correction": drawn }));
    say(&service, 1, &json!({ "correction": { "hand": "123456789m11pFFF" } }));
    // The photo is in no queue, but can be corrected like the others.
    let sure: Value = service.client().get(&format!("{job}/review/2")).json();
    assert_eq!(
        (&sure["group"], &sure["original"]["reading"]["status"]),
        (&json!("sure"), &json!("ok"))
    );
    say(&service, 2, &json!({ "correction": { "hand": "111222333m444p55s" } }));
    assert_eq!(service.client().get(&format!("{job}/review/3")).status, 404);
    service.process.kill().expect("it runs");
    service.process.wait().expect("it ends");
    service = place.start();

    let found = rows(&service, &job);
    let found: Vec<Value> =
        found.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(found[0]["correction"]["context"]["win"], "self_drawn");
    assert_eq!(found[1]["reading"]["hand"]["notation"], "123456789m11pFFF");
    assert_eq!(found[2]["reading"]["hand"]["notation"], "111222333m444p5s5s");
    let table = service.client().get(&format!("{job}/corrections")).body;
    let table = String::from_utf8(table).expect("text");
    assert!(table.contains("a.jpg,true,") && table.contains(",Kim,"), "{table}");
    for index in [0, 2] {
        let picture = service.client().get(&format!("{job}/review/{index}/photo"));
        assert_eq!((picture.status, &picture.body[..3]), (200, &b"\xff\xd8\xff"[..]));
    }
    for index in [0, 1, 2] {
        let path = format!("{job}/review/{index}?reviewer=Kim");
        assert_eq!(when_stored(|| service.client().request("DELETE", &path, "", b"")).status, 200);
    }
    assert_eq!(rows(&service, &job), before, "taken back, it is what was read");
    say(&service, 1, &json!({ "correction": { "no_hand": true } }));
    service.delete_job(&job);
    assert_eq!(service.client().get(&format!("{job}/corrections")).status, 404);
    place.is_empty();
}

fn files(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("it").path());
    entries.map(|path| if path.is_dir() { files(&path) } else { 1 }).sum()
}

/// A service that is stopped returns the tasks it has not started, so the next one need not wait
/// for leases.
#[test]
fn a_stopping_service_returns_its_tasks() {
    let (place, holds) = (Place::Folder(folder("jobs-stopped")), folder("jobs-stopped-holds"));
    // Both workers stand still over a photo until the service has been asked to stop.
    let holds = [Hold::new(&holds, "one"), Hold::new(&holds, "two")];
    let [one, two] = [holds[0].at("worker.reading@3"), holds[1].at("worker.reading@4")];
    let service = place.start_at(&format!("{one},{two}"));
    let form = many(&samples(3));
    let job = create(&mut service.client(), "", &form);
    let watching = std::thread::spawn({
        let mut client = service.client();
        let path = format!("{job}/events");
        move || client.get(&path)
    });
    holds.iter().for_each(Hold::reached);
    service.terminate();
    service.wait_for("stopping");
    holds.iter().for_each(Hold::release);
    let events = watching.join().expect("no panic").body;
    assert!(
        !String::from_utf8_lossy(&events).contains("event: ended"),
        "it stopped before the end"
    );
    service.ends_well();
    let service = place.start();
    let last = ended(&service, &job);
    assert!(last.contains("\"failed\":1"), "{last}");
    assert_eq!(rows(&service, &job).lines().count(), 13);
}

#[test]
fn a_job_takes_photos_of_every_hand() {
    let data = folder("jobs-tables");
    let service = Service::start_with(&["--data", data.to_str().expect("text")]);
    let (mut form, mut base64) = (Vec::new(), Vec::new());
    for seat in ["east", "south", "west", "north"] {
        let path = format!("{}/datasets/games/classical-{seat}.jpg", env!("CARGO_MANIFEST_DIR"));
        let photo = fs::read(path).expect("the photos are committed");
        part(&mut form, "photo", &format!("{seat}.jpg"), &photo);
        base64.push(BASE64.encode(photo));
    }
    let context =
        json!({ "ruleset": "classical-dmjl", "seat": "E", "prevalent": "E", "win": "self_drawn" });
    let line = json!({ "custom_id": "table", "file": "east.jpg", "context": context,
        "photo_S": "south.jpg", "photo_W": "west.jpg", "photo_N": "north.jpg" });
    part(&mut form, "manifest", "", line.to_string().as_bytes());
    form.extend(b"--edge--\r\n");
    let job = create(&mut service.client(), "", &form);
    ended(&service, &job);
    let text = rows(&service, &job);
    let table: Value = serde_json::from_str(&text).expect("one row");
    let payments = &table["reading"]["score"]["payments"];
    assert_eq!(payments, &json!({ "E": 504, "S": -152, "W": -200, "N": -152 }), "{table}");

    // The same photos in base64 are the same task: its outcome exists already.
    let other = |seat: &str, at: usize| json!({ "seat": seat, "photo": base64[at] });
    let line = json!({ "custom_id": "table", "photo": base64[0], "context": context,
        "others": [other("S", 1), other("W", 2), other("N", 3)] });
    let body = line.to_string();
    let created = service.client().request(
        "POST",
        "/v1/jobs",
        "Content-Type: application/jsonl\r\n",
        body.as_bytes(),
    );
    assert_eq!(created.status, 202, "{}", String::from_utf8_lossy(&created.body));
    let again = header(&created.head, "location").expect("an address").to_owned();
    assert_eq!(status(&service, &again)["status"], "finished");
    assert_eq!(rows(&service, &again), text);
}
