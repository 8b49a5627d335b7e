//! A small HTTP/1.1 client on a plain socket, for tests that need a client that misbehaves.
//!
//! Every wait is for an event and is bounded, so that a broken server fails a test and never hangs
//! it.

#![allow(dead_code, reason = "each test binary uses some of it")]

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;
use socket2::{Domain, Socket, Type};

use crate::waiting::until;

/// Timeout: much longer than any step and than the service's own timeouts, so that only a hang
/// exceeds it.
const PATIENCE: Duration = Duration::from_secs(180);

/// A client with one connection.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
}

/// An answer to a request.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }
}

impl Client {
    pub(crate) fn connect(address: SocketAddr) -> Client {
        Client::over(TcpStream::connect(address).expect("the server accepts connections"))
    }

    /// Creates a client on an existing connection.
    pub(crate) fn over(stream: TcpStream) -> Client {
        stream.set_read_timeout(Some(PATIENCE)).expect("a timeout");
        stream.set_write_timeout(Some(PATIENCE)).expect("a timeout");
        Client { stream: BufReader::new(stream) }
    }

    /// Connects from an address of this machine, such as 127.0.0.2.
    pub(crate) fn connect_from(from: Ipv4Addr, address: SocketAddr) -> Client {
        Client::over(connection(from, address, None))
    }

    /// Returns a second handle to the connection, to send while this client reads. Bytes that were
    /// read ahead stay with this client.
    pub(crate) fn sender(&self) -> TcpStream {
        self.stream.get_ref().try_clone().expect("a descriptor")
    }

    /// Sends bytes unchanged.
    pub(crate) fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.get_mut().write_all(bytes.as_ref()).expect("the server takes bytes");
    }

    /// Sends the head of a POST that waits for `100 Continue` before its body.
    pub(crate) fn announce(&mut self, path: &str, content_type: &str, length: usize) {
        self.send(format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {content_type}\r\n\
             Content-Length: {length}\r\nExpect: 100-continue\r\n\r\n"
        ));
    }

    /// Sends a whole POST and reads its answer.
    pub(crate) fn post(&mut self, path: &str, content_type: &str, body: &[u8]) -> Answer {
        self.start(path, content_type, body);
        self.answer()
    }

    /// Sends a form with these parts, each of them a file, and reads its answer.
    pub(crate) fn post_form(&mut self, path: &str, parts: &[(&str, &[u8])]) -> Answer {
        self.post(path, FORM, &form(parts))
    }

    /// Sends a whole POST.
    pub(crate) fn start(&mut self, path: &str, content_type: &str, body: &[u8]) {
        let length = body.len();
        self.send(format!(
            "POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {content_type}\r\n\
             Content-Length: {length}\r\n\r\n"
        ));
        self.send(body);
    }

    /// Sends any request and reads its answer.
    pub(crate) fn request(
        &mut self,
        method: &str,
        path: &str,
        headers: &str,
        body: &[u8],
    ) -> Answer {
        let length = body.len();
        self.send(format!(
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\n{headers}Content-Length: {length}\r\n\r\n"
        ));
        self.send(body);
        self.answer()
    }

    pub(crate) fn get(&mut self, path: &str) -> Answer {
        self.send(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n"));
        self.answer()
    }

    /// Waits for an answer; an interim one, such as `100 Continue`, has no body.
    pub(crate) fn answer(&mut self) -> Answer {
        let head = self.head();
        self.body_of(head)
    }

    /// Reads the rest of an answer whose head was read.
    pub(crate) fn body_of(&mut self, Answer { status, head, .. }: Answer) -> Answer {
        let body = match header(&head, "transfer-encoding") {
            Some("chunked") => self.chunks(),
            _ => {
                let length = header(&head, "content-length");
                self.exactly(length.map_or(0, |text| text.parse().expect("a number")))
            }
        };
        Answer { status, head, body }
    }

    /// Reads the head of an answer, for example of one whose body does not end.
    pub(crate) fn head(&mut self) -> Answer {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            let read = self.stream.read_line(&mut head).expect("the server answers");
            assert_ne!(read, 0, "the server closed the connection after {head:?}");
        }
        let status =
            head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        Answer { status, head, body: Vec::new() }
    }

    /// Reads the next line, for streams that do not end. Lines of the chunked encoding are
    /// included.
    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        let read = self.stream.read_line(&mut line).expect("the server goes on");
        assert_ne!(read, 0, "the server closed the connection");
        line
    }

    fn exactly(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes).expect("the whole body");
        bytes
    }

    /// Reads a chunked body.
    fn chunks(&mut self) -> Vec<u8> {
        let mut body = Vec::new();
        loop {
            let mut size = String::new();
            self.stream.read_line(&mut size).expect("a chunk");
            let size = usize::from_str_radix(size.trim(), 16).expect("the size of a chunk");
            body.extend(self.exactly(size));
            assert_eq!(self.exactly(2), b"\r\n");
            if size == 0 {
                return body;
            }
        }
    }

    /// Waits until the server closes the connection; returns the bytes that it still sent.
    pub(crate) fn rest(&mut self) -> Vec<u8> {
        let mut rest = Vec::new();
        self.stream.read_to_end(&mut rest).expect("the server closes the connection");
        rest
    }
}

/// Content type of [`form`].
pub(crate) const FORM: &str = "multipart/form-data; boundary=edge";

/// Returns the body of a form with these parts, each of them a file.
pub(crate) fn form(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut form = Vec::new();
    for (name, content) in parts {
        let head = format!(
            "--edge\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"x\"\r\n\r\n"
        );
        form.extend([head.as_bytes(), content, b"\r\n"].concat());
    }
    form.extend(b"--edge--\r\n");
    form
}

/// Opens a connection from an address of this machine. With a small receive buffer the kernel
/// accepts only that many bytes from the service before this client reads them.
pub(crate) fn connection(from: Ipv4Addr, to: SocketAddr, buffer: Option<usize>) -> TcpStream {
    open_connection(from, to, buffer).expect("the server accepts connections")
}

/// Returns the answer to a request. The store of a fleet may be too busy for some time; a client
/// then asks again.
pub(crate) fn when_stored(mut ask: impl FnMut() -> Answer) -> Answer {
    let mut answer = ask();
    until("the store answers", || {
        if answer.status == 503 {
            answer = ask();
        }
        answer.status != 503
    });
    answer
}

/// Like [`connection`], to a service that may have no more connections for this address. It closes
/// a surplus one at once: `None` if that came before this process learned from the kernel that the
/// connection was open, which happens on a busy machine.
pub(crate) fn unless_refused(
    from: Ipv4Addr,
    to: SocketAddr,
    buffer: Option<usize>,
) -> Option<TcpStream> {
    match open_connection(from, to, buffer) {
        Err(error) if error.kind() == ErrorKind::ConnectionReset => None,
        opened => Some(opened.expect("the server accepts connections")),
    }
}

fn open_connection(from: Ipv4Addr, to: SocketAddr, buffer: Option<usize>) -> io::Result<TcpStream> {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
    if let Some(bytes) = buffer {
        socket.set_recv_buffer_size(bytes).expect("a small buffer");
    }
    let from = SocketAddr::new(IpAddr::V4(from), 0);
    socket.bind(&from.into()).expect("an address of this machine");
    socket.connect(&to.into())?;
    Ok(TcpStream::from(socket))
}

/// Returns the value of a header in a head.
pub(crate) fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    head.lines().find_map(|line| {
        let (found, value) = line.split_once(':')?;
        found.eq_ignore_ascii_case(name).then(|| value.trim())
    })
}
