//! Fair shares: no client can use up a resource, and no client waits because of another.
//!
//! The real service, attacked by one client from an address of this machine (127.0.0.2) or with a
//! key, while another one (127.0.0.3) works normally. The tests count events, such as which client
//! was answered first and how many requests arrived, and never measure time. They need the models
//! (`make setup`).

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};

use crate::client::{Answer, Client, header};
use crate::service::{Service, folder, new_key, tilesight};
use crate::waiting::PATIENCE;
use serde_json::{Value, json};

const FLOOD: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
const OTHER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 3);
const FORM: &str = "multipart/form-data; boundary=edge";

fn sample(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/samples");
    fs::read(folder.join(name)).expect("one of our samples")
}

fn photo() -> Vec<u8> {
    sample("demo.jpg")
}

/// Returns a job of photos, with an optional webhook.
fn job(photos: &[Vec<u8>], webhook: Option<&str>) -> Vec<u8> {
    let mut form = Vec::new();
    let mut part = |name: &str, content: &[u8]| {
        let head = format!(
            "--edge\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"x\"\r\n\r\n"
        );
        form.extend(head.bytes());
        form.extend(content);
        form.extend(b"\r\n");
    };
    photos.iter().for_each(|photo| part("photo", photo));
    if let Some(url) = webhook {
        part("webhook", json!({ "url": url }).to_string().as_bytes());
    }
    form.extend(b"--edge--\r\n");
    form
}

/// Returns a picture of noise, different for each seed, which no format compresses.
fn drawn(seed: u8, side: u32) -> Vec<u8> {
    let noise = |x: u32, y: u32| {
        (x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(40_503) ^ u32::from(seed)) as u8
    };
    let picture =
        image::RgbImage::from_fn(side, side, |x, y| image::Rgb([noise(x, y), noise(y, x), seed]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut bytes, image::ImageFormat::Png).expect("memory takes it");
    bytes.into_inner()
}

/// Opens uploads, which then send nothing, until one is rejected; returns them and the answer to
/// the rejected one.
fn held_open(service: &Service, path: &str, kind: &str) -> (Vec<Client>, Answer) {
    let mut held = Vec::new();
    loop {
        let mut client = Client::connect_from(FLOOD, service.address);
        client.announce(path, kind, 1_000_000);
        match client.answer() {
            answer if answer.status == 100 => held.push(client),
            answer => return (held, answer),
        }
    }
}

#[track_caller]
fn is_problem(answer: &Answer, status: u16, kind: &str) {
    assert_eq!(answer.status, status, "{}", String::from_utf8_lossy(&answer.body));
    assert_eq!(answer.json()["type"], format!("urn:tilesight:problem:{kind}"));
}

#[test]
fn slow_uploads_of_one_client_leave_places_to_others() {
    let service = Service::start_with(&["--workers", "1", "--uploads", "8"]);
    let (held, refused) = held_open(&service, "/v1/hands", "image/jpeg");
    assert_eq!(held.len(), 6, "three quarters");
    is_problem(&refused, 429, "too-many-requests");
    assert!(header(&refused.head, "retry-after").is_some(), "{}", refused.head);
    let read =
        Client::connect_from(OTHER, service.address).post("/v1/hands", "image/jpeg", &photo());
    assert_eq!(read.status, 200, "{read:?}");
    drop(held);
    service.terminate();
    service.ends_well();
}

#[test]
fn slow_jobs_of_one_client_leave_places_to_others() {
    let data = folder("siege-job-uploads");
    let service = Service::start_with(&["--data", data.to_str().expect("text")]);
    let (held, refused) = held_open(&service, "/v1/jobs", FORM);
    assert_eq!(held.len(), 3, "three of four");
    is_problem(&refused, 429, "too-many-requests");
    let mut other = Client::connect_from(OTHER, service.address);
    let created = other.post("/v1/jobs", FORM, &job(&[photo()], None));
    assert_eq!(created.status, 202, "{created:?}");
    drop(held);
    service.terminate();
    service.ends_well();
}

/// A client sends photos on twelve connections, another one photo after the other: none of the
/// latter's photos is rejected, and each waits only for the photo that is being read and one more.
#[test]
fn a_flood_of_photos_delays_no_other_client() {
    let service = Service::start_with(&["--workers", "1", "--waiting", "6"]);
    let (stop, read) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicUsize::new(0)));
    let flood: Vec<_> = (0..12)
        .map(|_| {
            let (address, stop, read) = (service.address, Arc::clone(&stop), Arc::clone(&read));
            std::thread::spawn(move || {
                let photo = photo();
                while !stop.load(Ordering::Relaxed) {
                    let answer = Client::connect_from(FLOOD, address).post(
                        "/v1/hands",
                        "image/jpeg",
                        &photo,
                    );
                    read.fetch_add(usize::from(answer.status == 200), Ordering::Relaxed);
                }
            })
        })
        .collect();
    let mine = photo();
    while read.load(Ordering::Relaxed) < 3 {
        std::thread::yield_now();
    }
    for turn in 0..6 {
        let before = read.load(Ordering::Relaxed);
        let answer =
            Client::connect_from(OTHER, service.address).post("/v1/hands", "image/jpeg", &mine);
        let between = read.load(Ordering::Relaxed) - before;
        assert_eq!(answer.status, 200, "turn {turn}: {}", String::from_utf8_lossy(&answer.body));
        // One photo is being read; one more begins while this one is still being uploaded, or was
        // answered and not counted yet.
        assert!(between <= 3, "turn {turn}: {between} of the others' photos were read before");
    }
    stop.store(true, Ordering::Relaxed);
    flood.into_iter().for_each(|thread| thread.join().expect("no panic"));
    service.terminate();
    service.ends_well();
}

/// A receiver that accepts every connection and never answers.
struct Tarpit {
    url: String,
    caught: Arc<Mutex<Vec<TcpStream>>>,
}

impl Tarpit {
    fn dig() -> Tarpit {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}/", listener.local_addr().expect("an address"));
        let caught = Arc::new(Mutex::new(Vec::new()));
        let catching = Arc::clone(&caught);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                catching.lock().expect("no panic").push(stream);
            }
        });
        Tarpit { url, caught }
    }
}

/// Returns a receiver that accepts messages at once.
fn hook() -> (String, Receiver<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}/", listener.local_addr().expect("an address"));
    let (send, taken) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let mut reader = BufReader::new(stream);
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                reader.read_line(&mut head).expect("a head");
            }
            let length =
                header(&head, "content-length").expect("a length").parse().expect("a number");
            let mut body = vec![0; length];
            reader.read_exact(&mut body).expect("a body");
            let _ = reader.get_mut().write_all(b"HTTP/1.1 204 X\r\nContent-Length: 0\r\n\r\n");
            let _ = send.send(body);
        }
    });
    (url, taken)
}

#[test]
fn webhooks_to_a_tarpit_delay_no_others() {
    let data = folder("siege-webhooks");
    let flags = ["--data", data.to_str().expect("text"), "--webhooks-anywhere"];
    let service = Service::start_with(&flags);
    let (tarpit, (url, taken)) = (Tarpit::dig(), hook());
    let mut flood = Client::connect_from(FLOOD, service.address);
    let form = job(&[photo()], Some(&tarpit.url));
    for _ in 0..48 {
        assert_eq!(flood.post("/v1/jobs", FORM, &form).status, 202);
    }
    let caught = || tarpit.caught.lock().expect("no panic").len();
    let before = caught();
    let mut other = Client::connect_from(OTHER, service.address);
    assert_eq!(other.post("/v1/jobs", FORM, &job(&[photo()], Some(&url))).status, 202);
    let reported: Value =
        serde_json::from_slice(&taken.recv_timeout(PATIENCE).expect("a webhook")).expect("JSON");
    assert_eq!(reported["type"], "job.finished");
    // Eight at a time, each for twenty seconds: the other client did not wait for all of them.
    let during = caught() - before;
    assert!(during <= 16, "{during} messages to the tarpit went before, after {before} others");
}

/// The client gets the same error for every failing receiver, and no secret is in the folder.
#[test]
fn webhooks_reveal_nothing_of_this_network_and_store_no_secret() {
    let data = folder("siege-secrets");
    let service = Service::start_with(&["--data", data.to_str().expect("text")]);
    let mut client = service.client();
    let mut reported = Vec::new();
    for host in ["localhost", "no-such-name.invalid"] {
        let form = job(&[photo()], Some(&format!("https://{host}:9/")));
        let created = client.post("/v1/jobs", FORM, &form).json();
        let secret = created["webhook"]["secret"].as_str().expect("a secret").to_owned();
        service.wait_for("a webhook was not delivered");
        let place = created["links"]["job"].as_str().expect("an address");
        let error = loop {
            let seen = client.get(place).json();
            if let Some(error) = seen["webhook"]["error"].as_str() {
                break error.to_owned();
            }
        };
        reported.push(error);
        assert!(!holds(&data, secret.as_bytes()), "the secret is in the folder");
    }
    assert_eq!(reported[0], reported[1]);
    let refused =
        client.post("/v1/jobs", FORM, &job(&[photo()], Some("https://127.0.0.1/"))).json();
    assert_eq!(refused["errors"][0]["detail"], reported[0]);
    assert!(!holds(&data, b"whsec_"), "a secret is in the folder");
    let key = data.with_extension("key");
    let mode = fs::metadata(&key).expect("the key beside the folder").permissions().mode();
    assert_eq!(mode & 0o777, 0o600, "{key:?}");
    service.terminate();
    service.ends_well();
}

/// Returns whether a file below a folder contains these bytes.
fn holds(folder: &Path, bytes: &[u8]) -> bool {
    fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("it").path()).any(|path| {
        if path.is_dir() {
            return holds(&path, bytes);
        }
        let found = fs::read(path).unwrap_or_default();
        found.windows(bytes.len()).any(|part| part == bytes)
    })
}

#[test]
fn a_missing_seal_key_stops_the_service() {
    let data = folder("siege-seal");
    // The program ends in either case, because the port is taken.
    let taken = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("an address").to_string();
    let program = tilesight()
        .args(["serve", "--listen", &address, "--data", data.to_str().expect("text")])
        .args(["--seal-key", "/nowhere/seal.key"])
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&program.stderr);
    assert!(!program.status.success() && said.contains("/nowhere/seal.key"), "{said}");
    assert!(said.contains("openssl rand -hex 32"), "it says what to do: {said}");
}

#[test]
fn one_client_can_only_use_its_own_storage() {
    let data = folder("siege-room");
    let photos = [drawn(1, 200), drawn(2, 200), drawn(3, 200)];
    let each = (photos[0].len() * 2).to_string();
    let all = (photos[0].len() * 3).to_string();
    let flags = ["--data", data.to_str().expect("text"), "--job-workers", "0"];
    let room = ["--data-bytes-per-client", &each, "--data-bytes", &all];
    let service = Service::start_with(&[&flags[..], &room].concat());
    let photos_kept = || fs::read_dir(data.join("photos")).expect("a folder").count();
    let mut flood = Client::connect_from(FLOOD, service.address);
    // More than one client's share in a single job: it is rejected and leaves no data.
    let refused = flood.post("/v1/jobs", FORM, &job(&photos, None));
    is_problem(&refused, 429, "too-many-requests");
    assert_eq!((photos_kept(), flood.get("/v1/jobs").json()["jobs"].clone()), (0, json!([])));
    let mut flood = Client::connect_from(FLOOD, service.address);
    let first = flood.post("/v1/jobs", FORM, &job(&photos[..1], None));
    assert_eq!(first.status, 202, "{first:?}");
    assert_eq!(flood.post("/v1/jobs", FORM, &job(&photos[1..2], None)).status, 202);
    is_problem(&flood.post("/v1/jobs", FORM, &job(&photos[2..], None)), 429, "too-many-requests");
    // There is room for one more job, but not for another.
    let mut other = Client::connect_from(OTHER, service.address);
    assert_eq!(other.post("/v1/jobs", FORM, &job(&photos[2..], None)).status, 202);
    let last = other.post("/v1/jobs", FORM, &job(&photos[..1], None));
    is_problem(&last, 507, "insufficient-storage");
    // Deleting makes room.
    let place = header(&first.head, "location").expect("an address").to_owned();
    let mut flood = Client::connect_from(FLOOD, service.address);
    assert_eq!(flood.request("DELETE", &place, "", b"").status, 204);
    assert_eq!(flood.post("/v1/jobs", FORM, &job(&photos[..1], None)).status, 202);
    service.terminate();
    service.ends_well();
}

/// Returns the line for a key in a file of keys.
fn line_of(file: &Path, name: &str) -> String {
    let lines = fs::read_to_string(file).expect("the file");
    lines.lines().find(|line| line.starts_with(name)).expect("its line").to_owned()
}

fn hang_up(service: &Service) {
    let kill = Command::new("kill").args(["-HUP", &service.process.id().to_string()]).status();
    assert!(kill.expect("kill is there").success());
}

#[test]
fn keys_change_while_the_service_runs() {
    let data = folder("siege-keys");
    let file = data.join("keys.txt");
    let (one, two) = (new_key(&file, "one"), new_key(&file, "two"));
    let second = line_of(&file, "two");
    let place = data.join("jobs");
    let flags = ["--data", place.to_str().expect("text"), "--keys", file.to_str().expect("text")];
    let service = Service::start_with(&[&flags[..], &["--job-workers", "0"]].concat());
    let with = |key: &str| format!("Authorization: Bearer {key}\r\nContent-Type: {FORM}\r\n");
    let status =
        |key: &str| service.client().request("GET", "/v1/rulesets", &with(key), b"").status;
    let form = job(&[photo()], None);
    let created = service.client().request("POST", "/v1/jobs", &with(&one), &form);
    assert_eq!(created.status, 202, "{created:?}");
    let job = header(&created.head, "location").expect("an address").to_owned();
    let mut watching = service.client();
    watching.send(format!("GET {job}/events HTTP/1.1\r\nHost: test\r\n{}\r\n", with(&one)));
    assert_eq!(watching.head().status, 200);
    while !watching.line().contains("event: progress") {}
    // Its key is removed: the stream ends at once, although the job does not.
    fs::write(&file, format!("{second}\n")).expect("written");
    hang_up(&service);
    while watching.line().trim() != "0" {}
    assert_eq!((status(&one), status(&two)), (401, 200));
    // A file that can't be read changes nothing.
    fs::write(&file, "nonsense").expect("written");
    hang_up(&service);
    service.wait_for("keeping the previous version");
    assert_eq!((status(&one), status(&two)), (401, 200));
    // A change is also noticed without a signal.
    fs::write(&file, format!("{second}\n")).expect("written");
    let three = new_key(&file, "three");
    while status(&three) != 200 {
        service.wait_for("reloaded");
    }
    service.terminate();
    service.ends_well();
}

/// Jobs from before keys were required belong to no key; the service without keys still shows them.
#[test]
fn jobs_from_before_the_keys_belong_to_no_key() {
    let data = folder("siege-ownerless");
    let file = data.join("keys.txt");
    let key = new_key(&file, "new");
    let place = data.join("jobs");
    let flags = ["--data", place.to_str().expect("text"), "--job-workers", "0"];
    let service = Service::start_with(&flags);
    let created = service.client().post("/v1/jobs", FORM, &job(&[photo()], None));
    let job = header(&created.head, "location").expect("an address").to_owned();
    service.terminate();
    service.ends_well();
    let keyed = [&flags[..], &["--keys", file.to_str().expect("text")]].concat();
    let service = Service::start_with(&keyed);
    let bearer = format!("Authorization: Bearer {key}\r\n");
    for path in ["", "/results", "/events"] {
        let asked = service.client().request("GET", &format!("{job}{path}"), &bearer, b"");
        is_problem(&asked, 404, "not-found");
    }
    is_problem(&service.client().request("DELETE", &job, &bearer, b""), 404, "not-found");
    let listed = service.client().request("GET", "/v1/jobs", &bearer, b"").json();
    assert_eq!(listed["jobs"], json!([]));
    service.terminate();
    service.ends_well();
    let service = Service::start_with(&flags);
    assert_eq!(service.client().get(&job).status, 200);
    service.terminate();
    service.ends_well();
}
