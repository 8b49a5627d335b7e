//! The HTTP service on a real socket: behavior that only shows there, such as slow clients and the
//! way it stops.
//!
//! The endpoints themselves are tested beside their code. These tests use typed hands, because they
//! need no models; `serve.rs` runs the whole program with them.

use std::io::Write as _;
use std::net::{SocketAddr, TcpStream};
use std::thread::JoinHandle;
use std::time::Duration;

use crate::client::{Client, header};
use crate::waiting::until;
use tilesight_service::Limits;
use tilesight_service::{Service, app, serve};
use tokio::net::TcpListener;
use tokio::sync::oneshot;

const JSON: &str = "application/json";
const HAND: &str = r#"{ "hand": "234567m234p6755s8s" }"#;

/// A server on a free port of this machine, on a thread of its own.
pub(crate) struct Server {
    pub(crate) address: SocketAddr,
    stop: oneshot::Sender<()>,
    thread: JoinHandle<()>,
}

impl Server {
    pub(crate) fn start(limits: Limits) -> Server {
        let (stop, stopped) = oneshot::channel();
        let (bound, address) = std::sync::mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime =
                tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
            runtime.expect("a runtime").block_on(async {
                let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
                bound.send(listener.local_addr().expect("an address")).expect("the test waits");
                let stop = async { stopped.await.expect("the test stops the server") };
                serve(listener, app(Service::builder(limits.clone()).build()), &limits, stop).await;
            });
        });
        Server { address: address.recv().expect("the server starts"), stop, thread }
    }

    fn client(&self) -> Client {
        Client::connect(self.address)
    }

    /// Stops the server and waits for its end.
    pub(crate) fn stop(self) {
        self.stop.send(()).expect("the server runs");
        self.thread.join().expect("the server ends well");
    }
}

#[test]
fn it_answers_one_request_after_another() {
    let server = Server::start(Limits::default());
    let mut client = server.client();
    assert_eq!(client.get("/livez").status, 200);
    let ready = client.get("/readyz");
    assert_eq!(ready.status, 503, "without models it is not ready");
    assert!(header(&ready.head, "retry-after").is_some());
    let scored = client.post("/v1/score", JSON, HAND.as_bytes());
    assert_eq!(scored.status, 200);
    assert_eq!(scored.json()["ruleset"], "mcr-wmo");
    assert!(header(&scored.head, "x-request-id").is_some());
    server.stop();
}

#[test]
fn a_client_that_never_finishes_its_head_is_cut_off() {
    let server = Server::start(Limits { header: Duration::from_secs(3), ..Limits::default() });
    let mut client = server.client();
    client.send("GET /livez HTTP/1.1\r\nHost:");
    let said = client.rest();
    assert!(
        said.is_empty() || said.starts_with(b"HTTP/1.1 408"),
        "{:?}",
        String::from_utf8_lossy(&said)
    );
    server.stop();
}

#[test]
fn a_client_that_never_finishes_its_body_gets_a_timeout() {
    let server = Server::start(Limits { body: Duration::from_secs(3), ..Limits::default() });
    let mut client = server.client();
    client.announce("/v1/score", JSON, HAND.len());
    assert_eq!(client.answer().status, 100);
    client.send(&HAND[..5]);
    let answer = client.answer();
    assert_eq!(answer.status, 408);
    assert_eq!(answer.json()["type"], "urn:tilesight:problem:request-timeout");
    assert_eq!(client.rest(), b"", "the connection is of no more use");
    server.stop();
}

#[test]
fn a_trickling_body_is_closed_early() {
    let window = Duration::from_millis(50);
    // The whole body has an hour: only its rate closes the connection.
    let body = Duration::from_secs(3600);
    let limits = Limits { body, body_rate: 1000, body_window: window, ..Limits::default() };
    let server = Server::start(limits);
    let mut client = server.client();
    client.announce("/v1/score", JSON, 30_000);
    assert_eq!(client.answer().status, 100);
    // The limit is fifty bytes per window; the client sends one byte at a time until the server
    // closes.
    let mut sender = client.sender();
    let answer = std::thread::spawn(move || client.answer());
    let mut open = sender.write_all(&[b' '; 60]).is_ok();
    until("it is answered", || {
        open = open && sender.write_all(b" ").is_ok();
        !open || answer.is_finished()
    });
    let answer = answer.join().expect("it answers");
    assert_eq!(answer.status, 408);
    server.stop();
}

#[test]
fn a_body_that_is_too_large_is_rejected_before_it_is_sent() {
    let server = Server::start(Limits { body_bytes: 1000, ..Limits::default() });
    let mut client = server.client();
    client.announce("/v1/score", JSON, 5_000_000);
    let answer = client.answer();
    assert_eq!(answer.status, 413);
    assert_eq!(answer.json()["type"], "urn:tilesight:problem:too-large");
    server.stop();
}

#[test]
fn a_client_that_is_already_sending_too_much_still_reads_the_answer() {
    let server = Server::start(Limits { body_bytes: 1_000_000, ..Limits::default() });
    let answer = server.client().post("/v1/score", JSON, &vec![b' '; 1_900_000]);
    assert_eq!(answer.status, 413);
    server.stop();
}

#[test]
fn a_body_of_unknown_length_is_limited_too() {
    let server = Server::start(Limits { body_bytes: 1000, ..Limits::default() });
    let mut client = server.client();
    client.send("POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n");
    client.send("Transfer-Encoding: chunked\r\n\r\n");
    client.send(format!("{:x}\r\n{}\r\n0\r\n\r\n", 2000, " ".repeat(2000)));
    assert_eq!(client.answer().status, 413);
    server.stop();
}

#[test]
fn requests_accepted_before_the_stop_are_answered() {
    let server = Server::start(Limits::default());
    let address = server.address;
    let mut asking = server.client();
    asking.announce("/v1/score", JSON, HAND.len());
    assert_eq!(asking.answer().status, 100, "the request is in hand");
    // A connected client; the server may or may not have accepted it.
    let mut connected = server.client();
    connected
        .send(format!("POST /v1/score HTTP/1.1\r\nHost: localhost\r\nContent-Type: {JSON}\r\n"));
    connected.send(format!("Content-Length: {}\r\n\r\n{HAND}", HAND.len()));
    server.stop.send(()).expect("the server runs");
    assert_eq!(connected.answer().status, 200);
    asking.send(HAND);
    let answer = asking.answer();
    assert_eq!(answer.status, 200);
    assert!(answer.json()["total"].is_u64());
    assert_eq!(asking.rest(), b"");
    server.thread.join().expect("the server ends well");
    assert!(TcpStream::connect(address).is_err(), "nobody listens any more");
}
