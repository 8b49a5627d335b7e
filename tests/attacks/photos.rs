//! Hostile photos against the real program: it never crashes, takes long or grows, and it reveals
//! no data of a photo except its pixels.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::client::Client;
use crate::files;
use crate::held;
use crate::service::Service;

/// Maximum processor time of a hostile file, in sample photos. Both are measured in one process, so
/// that neither the machine nor its load matters.
const PHOTOS: u32 = 20;
const CONCURRENCY: usize = 8;
/// Maximum growth of the process while eight clients send such files, in kilobytes.
const GROWTH_KB: u64 = 300_000;

#[test]
fn no_file_crashes_the_service() {
    let service = Service::start_with(&["--waiting", &CONCURRENCY.to_string()]);
    let files = files::hostile();
    assert!(files.len() > 120, "{}", files.len());
    // The first photo fills the memory pools, the second is what the files are compared with.
    let photo = std::fs::read("datasets/samples/demo.jpg").expect("the sample photo");
    let mut usual = Duration::ZERO;
    for _ in 0..2 {
        let before = service.processor();
        assert_eq!(service.client().post("/v1/hands", "image/jpeg", &photo).status, 200);
        usual = service.processor() - before;
    }
    // First one by one, with the time of each; then all at once.
    let mut slowest = Duration::ZERO;
    for (name, bytes) in &files {
        let before = service.processor();
        send(&service, name, bytes);
        let took = service.processor() - before;
        assert!(took < PHOTOS * usual, "{name} took {took:?}, a photo {usual:?}");
        slowest = slowest.max(took);
    }
    let before = service.kilobytes("VmRSS");
    let next = Mutex::new(files.iter());
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let senders: Vec<_> = (0..CONCURRENCY)
            .map(|_| {
                scope.spawn(|| {
                    loop {
                        let Some((name, bytes)) = next.lock().expect("no panic").next() else {
                            break;
                        };
                        send(&service, name, bytes);
                    }
                })
            })
            .collect();
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                assert_eq!(service.client().get("/livez").status, 200);
            }
        });
        let failed: Vec<_> = senders.into_iter().filter_map(|sender| sender.join().err()).collect();
        done.store(true, Ordering::Relaxed);
        assert!(failed.is_empty(), "{} senders failed", failed.len());
    });
    let grown = service.kilobytes("VmHWM").saturating_sub(before);
    assert!(grown < GROWTH_KB, "{grown} kB more at its peak");
    println!("{} files, the slowest {slowest:?}, a photo {usual:?}; {grown} kB more", files.len());
    assert!((service.metric("tilesight_photos_in_flight")).abs() < 0.5);
}

/// Sends one file until it is accepted; the result is an answer or a problem.
fn send(service: &Service, name: &str, bytes: &[u8]) {
    let mut answer = service.client().post("/v1/hands", "image/jpeg", bytes);
    while answer.status == 503 {
        answer = service.client().post("/v1/hands", "image/jpeg", bytes);
    }
    let usual = [200, 400, 413, 415, 422];
    assert!(usual.contains(&answer.status), "{name}: {answer:?}");
    let reply = String::from_utf8_lossy(&answer.body);
    for internal in ["/root", ".rs:", "panicked", "onnx", env!("CARGO_MANIFEST_DIR")] {
        assert!(!reply.contains(internal) || answer.status == 200, "{name} answers {reply}");
    }
}

#[test]
fn a_photo_gives_the_same_hand_in_every_orientation() {
    let service = Service::start();
    let upright = image::open("datasets/samples/demo.jpg").expect("the sample photo").to_rgb8();
    let mut hands = Vec::new();
    for value in 1..=8 {
        let png = held::png(&upright, value);
        let answer = service.client().post("/v1/hands", "image/png", &png);
        assert_eq!(answer.status, 200, "{value}: {answer:?}");
        hands.push(answer.json()["reading"].clone());
    }
    assert!(
        hands[0]["hand"]["notation"].as_str().is_some_and(|text| text.len() > 10),
        "{}",
        hands[0]
    );
    for (at, hand) in hands.iter().enumerate() {
        assert_eq!(hand, &hands[0], "orientation {}", at + 1);
    }
}

/// Returns all metadata that a camera writes, with words that are easy to find.
fn telling_exif() -> Vec<u8> {
    let mut exif = b"II*\0\x08\0\0\0\x03\0".to_vec();
    let texts = ["CAMERASERIAL4711\0", "GPS52N13EPLACE\0", "OWNERNAMESECRET\0"];
    let mut data = Vec::new();
    // Entries of texts, 12 bytes each, followed by the texts.
    for (tag, text) in [0xa431_u16, 0x001d, 0xa430].into_iter().zip(texts) {
        exif.extend(tag.to_le_bytes());
        exif.extend(2_u16.to_le_bytes());
        exif.extend(u32::try_from(text.len()).expect("short").to_le_bytes());
        exif.extend(u32::try_from(8 + 2 + 36 + 4 + data.len()).expect("short").to_le_bytes());
        data.extend(text.bytes());
    }
    exif.extend([0; 4]);
    exif.extend(data);
    exif.extend(b"\xff\xd8\xff\xdbTHUMBNAILPIXELS\xff\xd9");
    exif
}

#[test]
fn metadata_is_neither_returned_nor_logged() {
    let service = Service::start_with(&["--log-json"]);
    let image = image::open("datasets/samples/demo.jpg").expect("the sample photo").to_rgb8();
    let photo = files::jpeg_with_exif(&image, telling_exif());
    let secrets = ["SERIAL4711", "GPS52N", "OWNERNAME", "THUMBNAIL"];
    for secret in secrets {
        assert!(
            photo.windows(secret.len()).any(|part| part == secret.as_bytes()),
            "{secret} is sent"
        );
    }
    let mut client = service.client();
    let answer = client.post("/v1/hands?seat=S&from=left", "image/jpeg", &photo);
    assert_eq!(answer.status, 200, "{answer:?}");
    let refused = client.post("/v1/hands", "image/jpeg", &photo[..photo.len() / 2]);
    assert_eq!(refused.status, 400);
    client.get("/SECRETPATH?name=SECRETQUERY");
    client.get("/livez");
    let log = service.log_until("livez");
    assert!(log.iter().any(|line| line.contains("/v1/hands")), "{log:?}");
    for reply in [&answer, &refused] {
        let reply = format!("{}{}", reply.head, String::from_utf8_lossy(&reply.body));
        secrets.iter().for_each(|secret| assert!(!reply.contains(secret), "{reply}"));
    }
    for line in &log {
        secrets.iter().for_each(|secret| assert!(!line.contains(secret), "{line}"));
        assert!(!line.contains("seat=") && !line.contains("SECRETQUERY"), "no query: {line}");
        assert!(!line.contains("127.0.0.1") || line.contains("listens"), "no address: {line}");
    }
}

#[test]
fn no_path_of_a_request_is_a_path_on_disk() {
    let service = Service::start();
    for path in [
        "/../../../../etc/passwd",
        "/docs/../../etc/passwd",
        "/docs/%2e%2e/%2e%2e/etc/passwd",
        "/docs/..%2f..%2fCargo.toml",
        "//etc/passwd",
        "/docs/page.js/../../Cargo.toml",
        "/docs/page.js%00",
        "/v1/feedback/..%2f..%2fetc%2fpasswd",
        "/models/detector.onnx",
        "/.git/config",
        "/Cargo.toml",
    ] {
        let mut client = Client::connect(service.address);
        let answer = client.get(path);
        assert!(matches!(answer.status, 404 | 405), "{path}: {answer:?}");
        assert!(!String::from_utf8_lossy(&answer.body).contains("root:"), "{path}");
    }
}
