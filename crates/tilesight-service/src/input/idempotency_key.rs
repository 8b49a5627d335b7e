//! `Idempotency-Key`: the text by which a client marks a request that it may send again.
//!
//! Input: the headers of a request, and its client. Output: the key without quotes, or the name
//! under which the key of this client is stored. Invariants: a key has 1 to [`MAX_LENGTH`]
//! characters, and a request has at most one; equal keys of two clients have two names; a name is a
//! hash, which reveals neither the key nor the client.

use axum::http::{HeaderMap, HeaderName};
use sha2::{Digest as _, Sha256};
use tilesight_core::hex;
use tilesight_jobs::Name;

use crate::answer::failure::Failure;
use crate::answer::fault::ServiceFault;
use crate::guard::client::Client;

pub(crate) const HEADER: HeaderName = HeaderName::from_static("idempotency-key");
/// Maximum length of a key, in characters.
const MAX_LENGTH: usize = 255;

/// Returns the key of a request, if it has one.
pub(crate) fn parse_key(headers: &HeaderMap) -> Result<Option<String>, Failure> {
    let Some(value) = headers.get(HEADER) else { return Ok(None) };
    let text = value.to_str().unwrap_or_default().trim();
    // The IETF draft puts the key in quotes; most clients don't.
    let key = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text);
    let single = headers.get_all(HEADER).iter().count() == 1;
    if !single || key.is_empty() || key.len() > MAX_LENGTH {
        let fault = ServiceFault::KeyLength { max: MAX_LENGTH };
        return Err(Failure::invalid("Idempotency-Key", &fault));
    }
    Ok(Some(key.to_owned()))
}

/// Returns the name under which the key of a request is stored, if it has one.
pub(crate) fn parse_stored_name(
    headers: &HeaderMap,
    client: &Client,
) -> Result<Option<Name>, Failure> {
    Ok(parse_key(headers)?.map(|key| stored_name(client, &key)))
}

fn stored_name(client: &Client, key: &str) -> Name {
    let sender = match client {
        Client::Key(name) => name.to_string(),
        // No name of a key has an `@`.
        Client::Address(network) => format!("@{network}"),
    };
    // The length separates the sender from the key.
    let hash = Sha256::digest(format!("{} {sender} {key}", sender.len()));
    hex::encode(&hash).parse().expect("hex digits are a name")
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn key_holder(name: &str) -> Client {
        Client::Key(name.into())
    }

    fn neighbour(address: &str) -> Client {
        Client::Address(address.parse::<IpAddr>().expect("an address").into())
    }

    fn named(values: &[&str], client: &Client) -> Result<Option<Name>, Failure> {
        let mut headers = HeaderMap::new();
        for value in values {
            headers.append(HEADER, value.parse().expect("a header"));
        }
        parse_stored_name(&headers, client)
    }

    #[test]
    fn a_key_is_known_by_its_client_and_its_text() {
        let home = neighbour("2001:db8::1");
        let [one, other] = ["8e03978e-40d5", "8e03978e-40d6"];
        let known = named(&[one], &home).expect("a key");
        assert_eq!(named(&[&format!("\"{one}\"")], &home), Ok(known.clone()));
        assert_eq!(named(&[one], &neighbour("2001:db8::2")), Ok(known.clone()), "one household");
        assert_ne!(named(&[other], &home), Ok(known.clone()));
        for stranger in [neighbour("192.0.2.1"), neighbour("2001:db8:0:1::1"), key_holder("app")] {
            assert_ne!(named(&[one], &stranger), Ok(known.clone()), "{stranger}");
        }
        assert_ne!(named(&["b c"], &key_holder("a")), named(&["c"], &key_holder("a b")));
        assert_eq!(named(&[], &home), Ok(None));
        for bad in [&[""][..], &["\"\""], &["one", "two"], &[&"x".repeat(256)]] {
            assert!(named(bad, &home).is_err(), "{bad:?}");
        }
    }
}
