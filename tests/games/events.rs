//! Streams of events, read one by one.

use std::net::SocketAddr;

use crate::client::{Client, header};
use serde_json::Value;

/// Lines of a stream of events.
pub(crate) struct Events(Client);

impl Events {
    /// Opens the stream at a path; `known` is the last event that the client has.
    pub(crate) fn open(address: SocketAddr, path: &str, known: Option<&str>) -> Events {
        let mut client = Client::connect(address);
        let known = known.map(|id| format!("Last-Event-ID: {id}\r\n")).unwrap_or_default();
        client.send(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n{known}\r\n"));
        let head = client.head();
        assert_eq!(head.status, 200, "{head:?}");
        assert_eq!(header(&head.head, "content-type"), Some("text/event-stream"));
        Events(client)
    }

    /// Returns the next event: its name and its data.
    pub(crate) fn next(&mut self) -> (String, Value) {
        let (mut name, mut data) = (String::new(), None);
        loop {
            let line = self.0.line();
            if let Some(text) = line.strip_prefix("event:") {
                name = text.trim().to_owned();
            } else if let Some(text) = line.strip_prefix("data:") {
                data = serde_json::from_str(text).ok();
            } else if line.trim().is_empty()
                && let Some(data) = data.take()
            {
                return (name, data);
            }
        }
    }
}
