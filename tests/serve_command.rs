//! `tilesight serve` and `tilesight doctor` as processes: how they start, refuse to, and stop.
//!
//! The tests with photos need ONNX Runtime and the models; without them they fail and say what to run.

#![cfg(all(feature = "cli", feature = "http", unix))]

mod client;

use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use client::{Client, header};
use serde_json::Value;

/// Far longer than any step takes: only a process that hangs meets it.
const PATIENCE: Duration = Duration::from_secs(60);

fn tilesight() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tilesight"));
    command.current_dir(env!("CARGO_MANIFEST_DIR"));
    command
}

/// A running service; it is killed should a test end without stopping it.
struct Service {
    process: Child,
    address: SocketAddr,
    log: Receiver<String>,
}

impl Service {
    /// Starts it on a free port and waits until it reads photos.
    fn start() -> Service {
        let serve = ["serve", "--listen", "127.0.0.1:0"];
        let process = tilesight().args(serve).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut process = process.expect("the program starts");
        let log = lines(process.stderr.take().expect("a pipe"));
        let out = lines(process.stdout.take().expect("a pipe"));
        let first = out.recv_timeout(PATIENCE).unwrap_or_default();
        let address = first.rsplit('/').next().and_then(|address| address.parse().ok());
        let address = address.unwrap_or_else(|| panic!("no address in {first:?}"));
        let service = Service { process, address, log };
        service.wait_for("ready");
        service
    }

    /// Waits for a word in the log. A service without models ends here, and its log says what to run.
    fn wait_for(&self, word: &str) {
        let mut seen = Vec::new();
        while let Ok(line) = self.log.recv_timeout(PATIENCE) {
            let found = line.contains(word);
            seen.push(line);
            if found {
                return;
            }
        }
        panic!(
            "the log never said {word:?}; without the library or the models run `make setup`: {seen:#?}"
        );
    }

    fn client(&self) -> Client {
        Client::connect(self.address)
    }

    /// Sends the signal that process managers send.
    fn terminate(&self) {
        let kill = Command::new("kill").args(["-TERM", &self.process.id().to_string()]).status();
        assert!(kill.expect("kill is there").success());
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        // It has ended already when the test went well.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The lines of a stream, read on a thread of their own so that the pipe never fills.
fn lines(stream: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (send, lines) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            // The test may have stopped listening; the pipe is emptied all the same.
            let _ = send.send(line);
        }
    });
    lines
}

/// A plain grey picture.
fn grey() -> Vec<u8> {
    let mut png = std::io::Cursor::new(Vec::new());
    let image = image::RgbImage::from_pixel(320, 240, image::Rgb([90, 90, 90]));
    image.write_to(&mut png, image::ImageFormat::Png).expect("PNG holds RGB");
    png.into_inner()
}

#[test]
fn a_photo_is_read_and_broken_ones_are_refused() {
    let service = Service::start();
    let mut client = service.client();
    assert_eq!(client.get("/livez").status, 200);
    assert_eq!(client.get("/readyz").status, 200);
    let photo = std::fs::read("datasets/samples/demo.jpg").expect("the sample photo");
    let read = client.post("/v1/hands?win=self_drawn", "image/jpeg", &photo);
    assert_eq!(read.status, 200, "{:?}", String::from_utf8_lossy(&read.body));
    let reading = &read.json()["reading"];
    assert!(reading["tiles"].as_array().is_some_and(|tiles| tiles.len() >= 14), "{reading}");
    assert!(
        header(&read.head, "server-timing").is_some_and(|timing| timing.contains("detect;dur="))
    );
    let empty = client.post("/v1/hands", "image/png", &grey());
    assert_eq!(empty.status, 422);
    assert_eq!(empty.json()["type"], "urn:tilesight:problem:no-hand");
    let broken = client.post("/v1/hands", "image/jpeg", &photo[..photo.len() / 10]);
    assert_eq!(broken.status, 400);
    assert_eq!(header(&broken.head, "content-type"), Some("application/problem+json"));
}

#[test]
fn sigterm_answers_the_request_in_flight() {
    let mut service = Service::start();
    let photo = grey();
    let mut client = service.client();
    client.announce("/v1/hands", "image/png", photo.len());
    assert_eq!(client.answer().status, 100, "the request is in hand");
    service.terminate();
    service.wait_for("stopping");
    client.send(&photo);
    let answer = client.answer();
    assert_eq!(answer.status, 422, "{:?}", String::from_utf8_lossy(&answer.body));
    assert_eq!(answer.json()["type"], "urn:tilesight:problem:no-hand");
    let status = service.process.wait().expect("the process ends");
    assert!(status.success(), "{status}");
}

/// Runs a command with nothing installed where it looks.
fn without(command: &[&str], models: &str, library: &str) -> Output {
    let environment = [("TILESIGHT_MODELS", models), ("TILESIGHT_ONNXRUNTIME", library)];
    tilesight().args(command).envs(environment).output().expect("the program starts")
}

#[test]
fn what_is_missing_ends_the_service_with_one_line() {
    let serve = ["serve", "--listen", "127.0.0.1:0"];
    for (models, library, named, advice) in [
        ("nowhere", "nowhere", "manifest.json", "TILESIGHT_MODELS names"),
        ("models", "nowhere", "ONNX Runtime", "make setup"),
    ] {
        let output = without(&serve, models, library);
        assert_eq!(output.status.code(), Some(3), "{output:?}");
        let log = String::from_utf8_lossy(&output.stderr);
        let errors: Vec<_> = log.lines().filter(|line| line.starts_with("error:")).collect();
        assert!(
            errors.len() == 1 && errors[0].contains(named) && errors[0].contains(advice),
            "{log}"
        );
    }
}

#[test]
fn an_address_that_is_taken_is_named() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
    let address = taken.local_addr().expect("an address").to_string();
    let output =
        tilesight().args(["serve", "--listen", &address]).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&output.stderr).contains(&address), "{output:?}");
}

#[test]
fn the_doctor_finds_everything_in_place() {
    let output = tilesight().args(["doctor", "--json"]).output().expect("the program starts");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["problems"], serde_json::json!([]), "run `make setup`");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(report["onnxruntime"]["sha256"].as_str().map(str::len), Some(64));
    let providers = report["onnxruntime"]["providers"].as_array().expect("providers");
    assert!(
        providers.iter().any(|name| name.as_str().is_some_and(|name| name.starts_with("CPU"))),
        "{providers:?}"
    );
    for model in report["models"].as_array().expect("models") {
        assert_eq!(model["matches"], true, "{model}");
    }
    let text = tilesight().arg("doctor").output().expect("the program starts");
    assert!(String::from_utf8_lossy(&text.stdout).ends_with("Photos can be read.\n"));
}

#[test]
fn the_doctor_tells_all_that_is_missing_at_once() {
    let output = without(&["doctor"], "nowhere", "nowhere");
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let text = String::from_utf8_lossy(&output.stdout);
    let problems: Vec<_> = text.lines().filter(|line| line.starts_with("PROBLEM")).collect();
    assert_eq!(problems.len(), 2, "{text}");
    assert!(
        problems.iter().any(|line| line.contains("ONNX Runtime") && line.contains("make setup")),
        "{text}"
    );
    assert!(problems.iter().any(|line| line.contains("manifest.json")), "{text}");
}
