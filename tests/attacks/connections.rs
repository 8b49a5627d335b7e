//! Hostile connections: clients that never read, that send byte by byte, that stay silent, and
//! pages of other sites. The tests use real sockets and the real program; the attacker uses
//! 127.0.0.1, all other clients 127.0.0.2.

use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use crate::client::{Client, connection, header, unless_refused};
use crate::service::{Service, certificate, folder, new_key, tilesight, tls_flags};
use crate::waiting::{PATIENCE, until};

const ATTACKER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 1);
const OTHER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
/// A connection from an address, with a small receive buffer.
fn from(address: Ipv4Addr, to: SocketAddr) -> TcpStream {
    let stream = connection(address, to, Some(4096));
    stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    stream
}

/// Connections from an address, of which the service closes those beyond the address's share.
fn connections(address: Ipv4Addr, to: SocketAddr, count: usize) -> Vec<TcpStream> {
    (0..count)
        .filter_map(|_| unless_refused(address, to, Some(4096)))
        .inspect(|stream| stream.set_read_timeout(Some(PATIENCE)).expect("a timeout"))
        .collect()
}

/// Tells whether the service answers on a connection, and has not closed it.
fn answers(mut stream: &TcpStream) -> bool {
    stream.write_all(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n").is_ok()
        && stream.read(&mut [0; 12]).is_ok_and(|read| read > 0)
}

/// A client from another address.
fn other(to: SocketAddr) -> Client {
    Client::over(from(OTHER, to))
}

/// Returns pipelined requests, each with an answer of more than 100 KB.
fn pipelined(count: usize) -> Vec<u8> {
    b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(count)
}

fn health(service: &Service) -> SocketAddr {
    service.health.expect("it was given one")
}

/// Connections of clients that never read, until the service has no more for them.
fn stuck(service: &Service) -> Vec<TcpStream> {
    let mut stuck = connections(ATTACKER, service.address, 20);
    for stream in &mut stuck {
        // The kernel reports the reset of a rejected connection.
        let _ = stream.write_all(&pipelined(50));
    }
    stuck
}

#[test]
fn clients_that_never_read_block_nobody() {
    // They are stuck for an hour, so that everybody else is answered while they are.
    let flags =
        ["--connections", "20", "--write-timeout", "3600", "--health-listen", "127.0.0.1:0"];
    let service = Service::start_with(&flags);
    let before = service.count("fd");
    let stuck = stuck(&service);
    assert_eq!(other(service.address).get("/livez").status, 200, "the front end itself");
    assert_eq!(
        other(service.address)
            .post("/v1/score", "application/json", br#"{"hand":"123456789m11pFFF"}"#)
            .status,
        200
    );
    for path in ["/livez", "/readyz", "/metrics"] {
        assert_eq!(other(health(&service)).get(path).status, 200, "{path}");
    }
    assert!(service.count("fd") >= before + 15, "they are still there");
    drop(stuck);
}

#[test]
fn clients_that_never_read_are_closed() {
    let service = Service::start_with(&["--connections", "20", "--write-timeout", "1"]);
    let before = service.count("fd");
    let stuck = stuck(&service);
    // Answered after all of those have been accepted or refused.
    assert_eq!(other(service.address).get("/livez").status, 200);
    until("nobody holds a connection who does not read", || service.count("fd") <= before);
    drop(stuck);
    until("the address has its share again", || {
        connections(ATTACKER, service.address, 1).iter().any(answers)
    });
}

#[test]
fn each_address_has_a_share_of_connections_but_not_a_proxy() {
    let service = Service::start_with(&["--connections", "20"]);
    let answered = |streams: &[TcpStream]| streams.iter().filter(|one| answers(one)).count();
    let first = connections(ATTACKER, service.address, 18);
    assert_eq!(answered(&first), 15, "three quarters of 20");
    let second = connections(OTHER, service.address, 5);
    assert_eq!(answered(&second), 3, "three quarters of what is left");
    let proxied = Service::start_with(&["--connections", "20", "--proxy", "127.0.0.1"]);
    let all = connections(ATTACKER, proxied.address, 20);
    assert_eq!(answered(&all), 20, "its clients are many");
}

#[test]
fn a_trickling_reader_is_closed() {
    let service = Service::start_with(&["--write-timeout", "1"]);
    let mut stream = from(ATTACKER, service.address);
    stream.write_all(&pipelined(4)).expect("it listens");
    // The client keeps reading, but too slowly: at this rate the answers would take half an hour.
    let mut end = None;
    until("it is closed", || {
        match stream.read(&mut [0; 50]) {
            Ok(0) => return true,
            Ok(_) => std::thread::sleep(Duration::from_millis(200)),
            Err(error) => end = Some(error.kind()),
        }
        end.is_some()
    });
    assert!(matches!(end, None | Some(ErrorKind::ConnectionReset)), "{end:?}");
}

#[test]
fn a_slow_reader_gets_all_of_its_answer() {
    let service = Service::start_with(&["--write-timeout", "5"]);
    let whole = service.client().get("/openapi.json").body;
    let mut stream = from(ATTACKER, service.address);
    let last = b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(last).expect("it listens");
    let (mut received, mut part) = (Vec::new(), [0; 8192]);
    loop {
        match stream.read(&mut part).expect("it goes on") {
            0 => break,
            read => received.extend(&part[..read]),
        }
        std::thread::sleep(Duration::from_millis(120));
    }
    assert!(received.ends_with(&whole), "{} of {} bytes", received.len(), whole.len());
}

#[test]
fn unread_answers_stop_further_ones() {
    let flags = ["--write-timeout", "2", "--health-listen", "127.0.0.1:0"];
    let service = Service::start_with(&flags);
    let before = service.count("fd");
    let mut stream = from(ATTACKER, service.address);
    // Longer than the service may be kept from reading by other processes.
    stream.set_write_timeout(Some(Duration::from_secs(5))).expect("a timeout");
    // An answer without a body costs the attacker least.
    let asked = b"HEAD /livez HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(1000);
    let taken = (0..400).take_while(|_| stream.write_all(&asked).is_ok()).count();
    until("the connection has ended", || service.count("fd") <= before);
    let figures = String::from_utf8(other(health(&service)).get("/metrics").body).expect("text");
    let line = r#"tilesight_requests_total{route="/livez",method="HEAD",status="200"} "#;
    let answered = figures.lines().find_map(|found| found.strip_prefix(line)).expect("some");
    let answered: usize = answered.parse().expect("a number");
    assert!(answered < 10_000, "{answered} answers, of {taken},000 requests");
}

#[test]
fn idle_connections_are_closed() {
    let service = Service::start_with(&["--header-seconds", "3"]);
    let mut idle = service.client();
    assert_eq!(idle.get("/livez").status, 200);
    assert_eq!(idle.rest(), b"");
    let mut half = service.client();
    half.send("GET /livez HTTP/1.1\r\nHost:");
    half.rest();
}

#[test]
fn incomplete_handshakes_block_nobody() {
    let folder = folder("siege-tls");
    let tls = tls_flags(&folder, &certificate());
    let flags = ["--connections", "20", "--header-seconds", "3", "--health-listen", "127.0.0.1:0"];
    let tls = tls.each_ref().map(String::as_str);
    let service = Service::start_with(&[&flags[..], &tls].concat());
    let before = service.count("fd");
    let mut stuck = connections(ATTACKER, service.address, 20);
    for stream in &mut stuck {
        // The beginning of a handshake of 256 bytes.
        let _ = stream.write_all(&[0x16, 3, 1, 1, 0, 1]);
    }
    // Bytes that are not a handshake are answered with an alert as soon as they are read.
    let mut plain = from(OTHER, service.address);
    plain.write_all(b"GET /livez HTTP/1.1\r\n\r\n").expect("it is there");
    let mut alert = [0; 1];
    plain.read_exact(&mut alert).expect("it is looked at");
    assert_eq!(alert, [0x15]);
    assert_eq!(other(health(&service)).get("/livez").status, 200);
    drop(plain);
    until("no handshake is left", || service.count("fd") <= before);
}

#[test]
fn requests_without_a_key_are_slowed_and_no_others() {
    let folder = folder("turnstile");
    let file = folder.join("keys.txt");
    let secret = new_key(&file, "app");
    let service = Service::start_with(&["--keys", file.to_str().expect("a plain path")]);
    // A burst of two hundred is answered at once, then fifty a second: all of these take a minute
    // and a half. The clock of the rate is tested beside its code.
    let attacker = from(ATTACKER, service.address);
    let mut sender = attacker.try_clone().expect("a descriptor");
    std::thread::spawn(move || {
        let requests = b"GET /v1/rulesets HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(5000);
        // The test ends before the service has taken them all.
        let _ = sender.write_all(&requests);
    });
    let (logged, answered) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        // A body has no end of line, so that the next answer begins behind it.
        for line in BufReader::new(attacker).lines().map_while(Result::ok) {
            if line.contains("HTTP/1.1 401") && logged.send(()).is_err() {
                return;
            }
        }
    });
    assert_eq!(answered.iter().take(200).count(), 200);
    // A client with a key, from another address.
    let mut honest = other(service.address);
    let hand = br#"{"hand":"123456789m11pFFF"}"#;
    let headers = format!("Authorization: Bearer {secret}\r\nContent-Type: application/json\r\n");
    for _ in 0..5 {
        assert_eq!(honest.request("POST", "/v1/score", &headers, hand).status, 200);
        assert_eq!(honest.get("/livez").status, 200);
    }
    assert!(answered.try_iter().count() < 4800, "the client without a key was answered first");
}

#[test]
fn health_has_an_address_of_its_own() {
    let folder = folder("siege-health");
    let keys = folder.join("keys.txt");
    new_key(&keys, "app");
    let keys = keys.to_str().expect("a plain path");
    let service = Service::start_with(&["--keys", keys, "--health-listen", "127.0.0.1:0"]);
    assert_eq!(service.client().get("/metrics").status, 401, "the first address asks for a key");
    let at = health(&service);
    for (path, host, status) in [
        ("/livez", "localhost", 200),
        ("/readyz", "pod.example", 200),
        ("/metrics", "localhost", 200),
        ("/metrics", "127.0.0.1:9090", 200),
        ("/metrics", "10.1.2.3:9090", 200),
        ("/metrics", "evil.test", 421),
        ("/v1/rulesets", "localhost", 404),
        ("/", "localhost", 404),
    ] {
        let mut client = Client::connect(at);
        client.send(format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n"));
        let answer = client.answer();
        assert_eq!(answer.status, status, "{path} of {host}");
        assert_eq!(header(&answer.head, "cache-control"), Some("no-store"), "{path}");
        assert_eq!(header(&answer.head, "x-content-type-options"), Some("nosniff"), "{path}");
    }
    let ask = |variable: &str, address: &str| {
        let asked = tilesight()
            .args(["health", "--timeout-seconds", "300"])
            .env(variable, address)
            .output()
            .expect("it starts");
        asked.status.code()
    };
    assert_eq!(ask("TILESIGHT_HEALTH_LISTEN", &at.to_string()), Some(0));
    service.terminate();
    service.ends_well();
    assert_eq!(ask("TILESIGHT_HEALTH_LISTEN", &at.to_string()), Some(3));
}

#[test]
fn health_answers_until_the_last_request() {
    // The body comes after the signal, however long that takes.
    let patient = ["--body-rate", "0", "--body-seconds", "600"];
    let service =
        Service::start_with(&[&["--health-listen", "127.0.0.1:0"], &patient[..]].concat());
    let hand = br#"{"hand":"123456789m11pFFF"}"#;
    let mut accepted = service.client();
    accepted.announce("/v1/score", "application/json", hand.len());
    assert_eq!(accepted.head().status, 100);
    service.terminate();
    service.wait_for("stopping");
    assert_eq!(other(health(&service)).get("/livez").status, 200);
    assert_eq!(other(health(&service)).get("/readyz").status, 503);
    accepted.send(hand);
    assert_eq!(accepted.answer().status, 200);
    service.ends_well();
}

/// Sends a request unchanged, and returns the status of the answer.
fn status(service: &Service, request: &str) -> u16 {
    let mut client = service.client();
    client.send(request);
    client.head().status
}

#[test]
fn no_website_uses_a_service_without_keys() {
    let folder = folder("siege-names");
    let data = folder.to_str().expect("plain");
    let service = Service::start_with(&["--data", data, "--host", "club.example"]);
    let (own, form) = ("Host: localhost", "Content-Type: text/plain");
    for (line, headers, expected) in [
        ("GET /v1/jobs HTTP/1.1", "Host: localhost", 200),
        ("GET /v1/jobs HTTP/1.1", "Host: 127.0.0.1", 200),
        ("GET /v1/jobs HTTP/1.1", "Host: Club.Example:8080", 200),
        // A foreign name that resolves to this service.
        ("GET /v1/jobs HTTP/1.1", "Host: evil.test", 421),
        ("GET /v1/jobs HTTP/1.1", "Host: evil.test\r\nSec-Fetch-Site: same-origin", 421),
        ("POST /v1/jobs/x/cancel HTTP/1.1", "Host: evil.test", 421),
        ("GET / HTTP/1.1", "Host: evil.test", 421),
        ("GET /metrics HTTP/1.1", "Host: evil.test", 421),
        ("GET http://evil.test/v1/jobs HTTP/1.1", own, 421),
        ("GET http://localhost/v1/jobs HTTP/1.1", "Host: evil.test", 200),
        ("GET /v1/jobs HTTP/1.1", "Host: localhost\r\nHost: evil.test", 400),
        ("GET /v1/jobs HTTP/1.1", "Accept: */*", 400),
        ("GET /v1/jobs HTTP/1.0", "Accept: */*", 400),
        ("GET /livez HTTP/1.0", "Accept: */*", 200),
        ("GET /livez HTTP/1.1", "Host: 10.1.2.3", 200),
        // A page of another site, under its own name.
        ("GET /v1/jobs HTTP/1.1", "Host: localhost\r\nOrigin: http://evil.test", 403),
        ("GET /v1/jobs HTTP/1.1", "Host: localhost\r\nOrigin: null", 403),
        ("GET /v1/jobs HTTP/1.1", "Host: localhost\r\nSec-Fetch-Site: cross-site", 403),
        ("GET /v1/jobs HTTP/1.1", "Host: localhost\r\nSec-Fetch-Site: same-site", 403),
        ("POST /v1/jobs/x/cancel HTTP/1.1", "Host: localhost\r\nOrigin: https://evil.test", 403),
        ("DELETE /v1/jobs/x HTTP/1.1", "Host: localhost\r\nOrigin: https://evil.test", 403),
        ("OPTIONS /v1/jobs HTTP/1.1", "Host: localhost\r\nOrigin: https://evil.test", 403),
        // The service's own page, and programs, which send neither header.
        ("POST /v1/jobs/x/cancel HTTP/1.1", "Host: localhost\r\nOrigin: http://localhost", 404),
        ("POST /v1/jobs/x/cancel HTTP/1.1", "Host: localhost\r\nSec-Fetch-Mode: cors", 404),
        ("POST /v1/jobs/x/cancel HTTP/1.1", "Host: localhost\r\nOrigin: https://club.example", 404),
    ] {
        let request = format!("{line}\r\n{headers}\r\n{form}\r\nContent-Length: 0\r\n\r\n");
        assert_eq!(status(&service, &request), expected, "{line} {headers}");
    }
}

#[test]
fn the_log_has_no_secrets() {
    let folder = folder("siege-log");
    let service = Service::start_with(&["--data", folder.to_str().expect("plain")]);
    for path in ["/v1/shared-games/SECRET", "/v1/shared-games/SECRET/events?key=SECRET", "/SECRET"]
    {
        assert_eq!(service.client().get(path).status, 404, "{path}");
    }
    assert_eq!(service.client().request("SECRET", "/livez", "", b"").status, 405);
    assert_eq!(service.client().get("/livez").status, 200);
    let log = service.log_until("route=\"/livez\" status=200").join("\n");
    assert!(log.contains("/v1/shared-games/{token}/events") && log.contains("other"), "{log}");
    assert!(!log.contains("SECRET"), "{log}");
}
