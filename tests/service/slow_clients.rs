//! Clients that are slow, leave early, come all at once, or are connected when the service is asked
//! to stop; and the same service over HTTPS.

use std::io::Write as _;
use std::net::{Shutdown, TcpStream};
use std::sync::mpsc::channel;
use std::thread;

use crate::client::{Client, header};
use crate::service::{Folder, Service, certificate, folder, tilesight, tls_flags};
use crate::waiting::{self, Hold, PATIENCE, until};

/// Number of aborted requests. The requirement is 10,000; a few hundred show a leak just as well.
/// `TILESIGHT_ABORTED` sets another number.
const ABORTED: usize = 600;

fn photo() -> Vec<u8> {
    std::fs::read("datasets/samples/demo.jpg").expect("the sample photo")
}

#[test]
fn slow_clients_are_cut_off() {
    let service = Service::start_with(&["--header-seconds", "3", "--body-seconds", "3"]);
    let mut head = service.client();
    head.send("POST /v1/hands HTTP/1.1\r\nHost:");
    let mut body = service.client();
    body.announce("/v1/hands", "image/jpeg", 1_000_000);
    assert_eq!(body.answer().status, 100);
    body.send([0xff; 1000]);
    let answer = body.answer();
    assert_eq!(answer.status, 408, "{answer:?}");
    head.rest();
    assert!(service.metric("tilesight_photos_in_flight").abs() < 0.5);
}

#[test]
fn aborted_uploads_leave_nothing_behind() {
    let service = Service::start();
    let photo = photo();
    assert_eq!(service.client().post("/v1/hands", "image/jpeg", &photo).status, 200);
    let (descriptors, threads) = (service.count("fd"), service.count("task"));
    let asked = std::env::var("TILESIGHT_ABORTED").ok().and_then(|count| count.parse().ok());
    for turn in 0..asked.unwrap_or(ABORTED) {
        let mut stream = TcpStream::connect(service.address).expect("it accepts");
        let head = format!(
            "POST /v1/hands HTTP/1.1\r\nHost: localhost\r\nContent-Type: image/jpeg\r\nContent-Length: {}\r\n\r\n",
            photo.len()
        );
        // The service may have closed the connection already.
        let _ = stream.write_all(head.as_bytes());
        let _ = stream.write_all(&photo[..photo.len() * (turn % 10) / 10]);
        let _ = stream.shutdown(Shutdown::Both);
    }
    // The scrape itself is a connection, and the previous one may not have been closed yet.
    until("all descriptors are back", || service.count("fd") <= descriptors + 2);
    until("no photo is in flight", || service.metric("tilesight_photos_in_flight").abs() < 0.5);
    // Idle threads end after ten seconds.
    until("no more threads are left", || service.count("task") <= threads + 2);
    assert_eq!(service.client().post("/v1/hands", "image/jpeg", &photo).status, 200);
}

#[test]
fn abandoned_requests_are_not_read() {
    let (service, first, _folder) = held(&["--workers", "1", "--waiting", "8"]);
    let photo = photo();
    let mut waiting: Vec<Client> = (0..6).map(|_| service.client()).collect();
    for client in &mut waiting {
        client.start("/v1/hands", "image/jpeg", &photo);
    }
    first.reached();
    until("all have come", || service.metric("tilesight_photos_in_flight") > 5.5);
    drop(waiting);
    until("only one is left", || service.metric("tilesight_photos_in_flight") < 1.5);
    first.release();
    until("none is left", || service.metric("tilesight_photos_in_flight").abs() < 0.5);
    let read = service.find_metric("tilesight_stage_duration_seconds_count{stage=\"detect\"}");
    assert!(read.unwrap_or_default() < 1.5, "{read:?} of six photos were read for nobody");
}

/// A service that is held when it is about to read its first photo.
fn held(flags: &[&str]) -> (Service, Hold, Folder) {
    let folder = folder("held");
    let first = Hold::new(&folder, "first");
    let mut program = tilesight();
    waiting::at(&mut program, &first.at("http.reading@1"));
    (Service::start_as(program, flags), first, folder)
}

#[test]
fn requests_beyond_the_queue_are_rejected_at_once() {
    let (service, first, _folder) = held(&["--workers", "1", "--waiting", "1"]);
    let (photo, (send, answers)) = (photo(), channel());
    thread::scope(|scope| {
        for _ in 0..10 {
            let (send, service, photo) = (send.clone(), &service, &photo);
            scope.spawn(move || {
                let answer = service.client().post("/v1/hands", "image/jpeg", photo);
                send.send(answer).expect("the test waits");
            });
        }
        // One is read and one waits, for as long as the test wants: the others are answered before
        // them.
        let next = || answers.recv_timeout(PATIENCE).expect("an answer");
        for _ in 0..8 {
            let answer = next();
            assert_eq!(answer.status, 503, "{answer:?}");
            assert!(header(&answer.head, "retry-after").is_some(), "{}", answer.head);
            assert_eq!(answer.json()["type"], "urn:tilesight:problem:unavailable");
        }
        first.reached();
        first.release();
        assert_eq!([next().status, next().status], [200, 200]);
    });
    let again = service.client().post("/v1/hands", "image/jpeg", &photo);
    assert_eq!(again.status, 200, "afterwards it is as before");
}

/// Photos don't keep anybody from health and typed hands, however many are read.
#[test]
fn photos_in_hand_block_nobody_else() {
    let (service, first, _folder) = held(&["--workers", "1", "--waiting", "8"]);
    let mut photos: Vec<Client> = (0..4).map(|_| service.client()).collect();
    for client in &mut photos {
        client.start("/v1/hands", "image/jpeg", &photo());
    }
    first.reached();
    for path in ["/livez", "/readyz", "/metrics", "/v1/rulesets"] {
        assert_eq!(service.client().get(path).status, 200, "{path}");
    }
    let hand = br#"{"hand":"123456789m11pFFF"}"#;
    assert_eq!(service.client().post("/v1/score", "application/json", hand).status, 200);
    first.release();
    for client in &mut photos {
        assert_eq!(client.answer().status, 200);
    }
}

#[test]
fn a_stop_under_load_answers_all_accepted_requests() {
    // The test delays photos as long as the machine needs, so no timeout may close their
    // connections.
    let patient = ["--body-rate", "0", "--body-seconds", "60", "--request-seconds", "120"];
    let service =
        Service::start_with(&[&["--workers", "1", "--waiting", "8"], &patient[..]].concat());
    let photo = photo();
    let mut clients: Vec<Client> = (0..8).map(|_| service.client()).collect();
    // Only accepted requests get `100 Continue`, so the test knows the service's progress.
    for client in &mut clients {
        client.announce("/v1/hands", "image/jpeg", photo.len());
        assert_eq!(client.answer().status, 100);
    }
    let (early, late) = clients.split_at_mut(4);
    early.iter_mut().for_each(|client| client.send(&photo));
    service.terminate();
    service.wait_for("stopping");
    late.iter_mut().for_each(|client| client.send(&photo));
    for client in &mut clients {
        let answer = client.answer();
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    service.ends_well();
}

#[test]
fn https_is_the_same_service() {
    use std::sync::Arc;

    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    use tokio_rustls::TlsConnector;
    use tokio_rustls::rustls::crypto::ring;
    use tokio_rustls::rustls::pki_types::ServerName;
    use tokio_rustls::rustls::{ClientConfig, RootCertStore};

    let folder = folder("tls");
    let made = certificate();
    let tls = tls_flags(&folder, &made);
    let service = Service::start_with(&tls.each_ref().map(String::as_str));

    let mut roots = RootCertStore::empty();
    roots.add(made.cert.der().clone()).expect("a root");
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let response = runtime.expect("a runtime").block_on(async {
        let stream = tokio::net::TcpStream::connect(service.address).await.expect("it accepts");
        let name = ServerName::try_from("localhost").expect("a name");
        let connector = TlsConnector::from(Arc::new(config));
        let mut stream = connector.connect(name, stream).await.expect("the certificate is taken");
        let request = b"GET /readyz HTTP/1.1\r\nHost: club.example\r\nConnection: close\r\n\r\n";
        stream.write_all(request).await.expect("it reads");
        let mut response = Vec::new();
        stream.read_to_end(&mut response).await.expect("it answers");
        String::from_utf8_lossy(&response).into_owned()
    });
    assert!(response.starts_with("HTTP/1.1 200") && response.contains("ready"), "{response}");
    assert!(response.contains("\r\nstrict-transport-security: max-age="), "{response}");
    // Plain HTTP gets no answer, and a silent client does no harm.
    let mut plain = service.client();
    plain.send("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let said = String::from_utf8_lossy(&plain.rest()).into_owned();
    assert!(!said.contains("alive"), "{said}");
    service.terminate();
    service.ends_well();
}
