//! Addresses to listen on.
//!
//! Input: `ADDRESS:PORT`, where the address is an IP address or a host name such as `localhost`.
//! Output: the socket address. A host name is resolved when it is parsed; of several addresses the
//! first IPv4 address is used, as other programs on the machine expect of `localhost`. Invariant:
//! whether other machines can reach an address is decided by the address that the name resolves to,
//! not by the name.

use std::fmt;
use std::io;
use std::net::{SocketAddr, ToSocketAddrs as _};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// An address to listen on, as it was written and as it was resolved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ListenAddress {
    text: String,
    address: SocketAddr,
}

/// Error when a text is not an address to listen on; its author can correct it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ListenAddressError {
    /// Error when the port is missing, or the name before it.
    #[error(
        "`{0}` is not an address with a port: expected one such as 127.0.0.1:8080, [::1]:8080 or \
         localhost:8080"
    )]
    Form(String),
    /// Error when the name can't be resolved.
    #[error("the host name of `{text}` can't be resolved ({source}): name an IP address")]
    Unresolved {
        /// The address as it was written.
        text: String,
        /// Error of the resolver.
        source: io::Error,
    },
}

impl ListenAddress {
    /// Returns the address that the text was resolved to.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }
}

impl From<SocketAddr> for ListenAddress {
    fn from(address: SocketAddr) -> ListenAddress {
        ListenAddress { text: address.to_string(), address }
    }
}

impl FromStr for ListenAddress {
    type Err = ListenAddressError;

    fn from_str(text: &str) -> Result<ListenAddress, ListenAddressError> {
        if let Ok(address) = text.parse::<SocketAddr>() {
            return Ok(address.into());
        }
        let host_and_port = text.rsplit_once(':').filter(|(host, _)| is_host_name(host));
        let parsed = host_and_port.and_then(|(host, port)| Some((host, port.parse::<u16>().ok()?)));
        let (host, port) = parsed.ok_or_else(|| ListenAddressError::Form(text.to_owned()))?;
        let address = resolve(host, port)
            .map_err(|source| ListenAddressError::Unresolved { text: text.to_owned(), source })?;
        Ok(ListenAddress { text: text.to_owned(), address })
    }
}

/// Returns the first IPv4 address of a host, or else its first address.
fn resolve(host: &str, port: u16) -> io::Result<SocketAddr> {
    let found: Vec<SocketAddr> = (host, port).to_socket_addrs()?.collect();
    let first = found.iter().find(|address| address.is_ipv4()).or(found.first());
    first.copied().ok_or_else(|| io::ErrorKind::NotFound.into())
}

fn is_host_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "-._".contains(c))
}

impl fmt::Display for ListenAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl TryFrom<String> for ListenAddress {
    type Error = ListenAddressError;

    fn try_from(text: String) -> Result<ListenAddress, ListenAddressError> {
        text.parse()
    }
}

impl From<ListenAddress> for String {
    fn from(address: ListenAddress) -> String {
        address.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_resolved_and_addresses_taken_as_they_are() {
        for (text, address) in [
            ("127.0.0.1:8080", "127.0.0.1:8080"),
            ("[::1]:80", "[::1]:80"),
            ("0.0.0.0:0", "0.0.0.0:0"),
            ("localhost:8080", "127.0.0.1:8080"),
        ] {
            let parsed: ListenAddress = text.parse().expect(text);
            assert_eq!(
                (parsed.address().to_string(), parsed.to_string()),
                (address.into(), text.into())
            );
        }
    }

    #[test]
    fn an_invalid_address_names_the_expected_form() {
        for text in [
            "",
            "8080",
            ":8080",
            "localhost",
            "localhost:",
            "localhost:99999",
            "a b:80",
            "::1:80",
            "http://a:80",
        ] {
            let error = text.parse::<ListenAddress>().expect_err(text).to_string();
            assert!(error.contains("localhost:8080"), "{text}: {error}");
        }
        let error = "no-such-host.invalid:80".parse::<ListenAddress>().expect_err("unknown");
        assert!(matches!(error, ListenAddressError::Unresolved { .. }), "{error}");
    }
}
