//! Raw bytes on a connection: HTTP/1.1 by the same library and settings as the real server.
//!
//! Laws: the connection ends once the client has closed it; the output is a sequence of complete
//! answers, none of them a 500; and there are no more answers than the input can contain heads of
//! requests.

#![no_main]

mod service;

use std::sync::LazyLock;
use std::time::Duration;

use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use libfuzzer_sys::fuzz_target;
use service::House;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

static HOUSE: LazyLock<House> = LazyLock::new(House::new);

fuzz_target!(|input: &[u8]| {
    let answers = HOUSE.runtime.block_on(talk(input));
    let mut rest = answers.as_slice();
    let mut count = 0;
    while !rest.is_empty() {
        rest = after_answer(rest, input);
        count += 1;
    }
    // Every answer except the last, which may be to an incomplete head, requires the end of a head.
    let heads = input
        .windows(2)
        .filter(|pair| pair[0] == b'\n' && matches!(pair[1], b'\n' | b'\r'))
        .count();
    assert!(count <= 2 * heads + 1, "{count} answers to {heads} heads");
});

/// Sends everything, and reads until the server closes the connection.
async fn talk(input: &[u8]) -> Vec<u8> {
    let (client, server) = tokio::io::duplex(1 << 16);
    let service = TowerToHyperService::new(HOUSE.app.clone());
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(Duration::from_secs(10));
    let serving = tokio::spawn(http.serve_connection(TokioIo::new(server), service));
    let (mut from, mut to) = tokio::io::split(client);
    let mut answers = Vec::new();
    let sending = async {
        // The server may close the connection in the middle.
        let _ = to.write_all(input).await;
        let _ = to.shutdown().await;
    };
    let (_, read) = tokio::join!(sending, from.read_to_end(&mut answers));
    read.expect("a pipe in memory");
    let _ = serving.await.expect("no panic");
    answers
}

/// Returns the bytes after the first answer.
fn after_answer<'a>(bytes: &'a [u8], input: &[u8]) -> &'a [u8] {
    let shown = || String::from_utf8_lossy(bytes).chars().take(400).collect::<String>();
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n");
    let end = end.unwrap_or_else(|| panic!("no whole head: {}", shown())) + 4;
    let head = std::str::from_utf8(&bytes[..end]).expect("a head is text").to_ascii_lowercase();
    let status = head.strip_prefix("http/1.1 ").or(head.strip_prefix("http/1.0 "));
    let status: u16 = status.and_then(|rest| rest.get(..3)?.parse().ok()).expect("a status");
    assert!(status != 500, "{}", shown());
    let body = &bytes[end..];
    let value = |name: &str| head.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
    if status == 100 || status == 204 || status == 304 {
        return body;
    }
    if value("transfer-encoding:") == Some("chunked") {
        return after_chunks(body);
    }
    let length: usize =
        value("content-length:").map_or(0, |length| length.parse().expect("digits"));
    // The answer to a HEAD request states the length of the body that it leaves out.
    let left_out = input.windows(5).any(|word| word.eq_ignore_ascii_case(b"HEAD "));
    if left_out
        && !body.get(length..).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"HTTP/1"))
    {
        return body;
    }
    body.get(length..).unwrap_or_else(|| panic!("it breaks off: {}", shown()))
}

fn after_chunks(mut body: &[u8]) -> &[u8] {
    loop {
        let line = body.windows(2).position(|pair| pair == b"\r\n").expect("the size of a chunk");
        let size = std::str::from_utf8(&body[..line]).expect("digits");
        let size = usize::from_str_radix(size, 16).expect("hex digits");
        body = body.get(line + 2 + size + 2..).expect("a whole chunk");
        if size == 0 {
            return body;
        }
    }
}
