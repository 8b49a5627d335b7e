//! Queries a running service: `cargo run --example client -- localhost:8080 HAND-OR-PHOTO [KEY]`.
//!
//! The client sends a typed hand to `/v1/score`, or a photo to `/v1/hands`, and prints the total.
//! The HTTP is written by hand here, to show exactly what is sent; `docs/http.md` describes every
//! endpoint, and clients in other languages can be generated from `/openapi.json`.

use std::error::Error;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::{env, fs};

use serde_json::{Value, json};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let address = arguments.next().unwrap_or_else(|| "localhost:8080".to_owned());
    let hand = arguments.next().unwrap_or_else(|| "123m456m789m222s11m|SE1000".to_owned());
    let service = Service { address, key: arguments.next() };
    let score = match fs::read(&hand) {
        Ok(photo) => service.read(&photo)?["reading"]["score"].take(),
        Err(_) => service.score(&hand)?,
    };
    println!("{} points", score["total"]);
    Ok(())
}

/// Address of the service, and its key if it requires one.
pub(crate) struct Service {
    pub(crate) address: String,
    pub(crate) key: Option<String>,
}

impl Service {
    /// Returns the score of a hand in notation.
    pub(crate) fn score(&self, hand: &str) -> Result<Value, Box<dyn Error>> {
        let body = json!({ "hand": hand }).to_string();
        self.post("/v1/score", "application/json", body.as_bytes())
    }

    /// Returns the reading of a photo.
    pub(crate) fn read(&self, photo: &[u8]) -> Result<Value, Box<dyn Error>> {
        self.post("/v1/hands", "application/octet-stream", photo)
    }

    /// Sends a body and returns the JSON of the answer.
    fn post(&self, path: &str, kind: &str, body: &[u8]) -> Result<Value, Box<dyn Error>> {
        let Service { address, key } = self;
        let key = key.as_ref().map(|key| format!("authorization: Bearer {key}\r\n"));
        let head = format!(
            "POST {path} HTTP/1.1\r\nhost: {address}\r\ncontent-type: {kind}\r\n\
             content-length: {}\r\n{}connection: close\r\n\r\n",
            body.len(),
            key.unwrap_or_default(),
        );
        let mut stream = TcpStream::connect(address)?;
        stream.write_all(head.as_bytes())?;
        stream.write_all(body)?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        let (head, body) = answer.split_once("\r\n\r\n").ok_or("the answer is incomplete")?;
        let json: Value = serde_json::from_str(body)?;
        match head.split(' ').nth(1) {
            Some("200") => Ok(json),
            _ => Err(format!("{}: {}", json["title"], json["detail"]).into()),
        }
    }
}
