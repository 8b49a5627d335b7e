//! Allowed addresses of webhooks: those of the public Internet only, unless configured otherwise.
//!
//! Input: the address that a client gave. Output: a [`Target`], and from it the socket addresses to
//! connect to. A service that posts to any given address would reach services that only its own
//! network reaches: cloud metadata, databases, printers. Invariants: a name is resolved here, all
//! of its addresses are checked, and the connection goes to one of the checked addresses, so that a
//! name that resolves differently the second time gains nothing; redirects are not followed.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::str::FromStr;

use axum::http::Uri;
use axum::http::uri::Scheme;
use tokio::net::lookup_host;

/// Maximum length of an address, in characters: browsers and servers truncate not far beyond.
const MAX_LENGTH: usize = 2000;

/// Address of a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::routes::jobs) struct Target {
    uri: Uri,
    /// Whether the connection is encrypted.
    pub(super) https: bool,
    /// Name or IP address of the host, without brackets.
    pub(super) host: String,
    port: u16,
}

/// Receivers to which webhooks may be sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::routes::jobs) enum Reach {
    /// Public addresses, over HTTPS.
    Public,
    /// All addresses, also without encryption: for private networks.
    Anywhere,
}

/// Reason why nothing is sent to an address; the sender can fix it.
#[derive(Debug, thiserror::Error)]
pub(in crate::routes::jobs) enum AddressError {
    /// The text is not an address.
    #[error("invalid address: expected https://HOST/PATH of at most {MAX_LENGTH} characters")]
    Malformed,
    /// The address contains a name or password.
    #[error("the address must not contain a name or a password: messages are signed")]
    Credentials,
    /// The connection would not be encrypted.
    #[error("it is not https")]
    Plain,
    /// The address is not on the public Internet.
    #[error("it is not an address of the public Internet")]
    Private,
    /// The name has no address.
    #[error("its name can't be resolved: {0}")]
    Unresolved(io::Error),
}

impl FromStr for Target {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Target, AddressError> {
        let printed = text.len() <= MAX_LENGTH && text.bytes().all(|byte| byte.is_ascii_graphic());
        let uri: Uri = text.parse().map_err(|_| AddressError::Malformed)?;
        let (Some(scheme), Some(authority), true) = (uri.scheme(), uri.authority(), printed) else {
            return Err(AddressError::Malformed);
        };
        let https = *scheme == Scheme::HTTPS;
        if !https && *scheme != Scheme::HTTP || text.contains('#') {
            return Err(AddressError::Malformed);
        }
        if authority.as_str().contains('@') {
            return Err(AddressError::Credentials);
        }
        let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_owned();
        // `http` ignores a suffix of the host that is not a port.
        let port = match &authority.as_str()[authority.host().len()..] {
            "" if https => 443,
            "" => 80,
            rest => rest[1..].parse().map_err(|_| AddressError::Malformed)?,
        };
        if host.is_empty() {
            return Err(AddressError::Malformed);
        }
        Ok(Target { uri, https, host, port })
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.uri.fmt(f)
    }
}

impl Target {
    /// Refuses addresses that need no name resolution to be refused.
    pub(in crate::routes::jobs) fn check(&self, reach: Reach) -> Result<(), AddressError> {
        if reach == Reach::Anywhere {
            return Ok(());
        }
        if !self.https {
            return Err(AddressError::Plain);
        }
        match self.host.parse::<IpAddr>() {
            Ok(ip) if !is_public(ip) => Err(AddressError::Private),
            _ => Ok(()),
        }
    }

    /// Returns the addresses to connect to, in the order in which to try them. Fails if any of them
    /// is not public: an honest name has no such address.
    pub(super) async fn resolve(&self, reach: Reach) -> Result<Vec<SocketAddr>, AddressError> {
        self.check(reach)?;
        let found: Vec<_> = lookup_host((self.host.as_str(), self.port))
            .await
            .map_err(AddressError::Unresolved)?
            .collect();
        if found.is_empty() {
            return Err(AddressError::Unresolved(io::ErrorKind::NotFound.into()));
        }
        let public = found.iter().all(|address| is_public(address.ip()));
        if public || reach == Reach::Anywhere { Ok(found) } else { Err(AddressError::Private) }
    }

    /// Returns the value of the `Host` header.
    pub(super) fn authority(&self) -> &str {
        self.uri.authority().map_or("", |authority| authority.as_str())
    }

    pub(super) fn path(&self) -> &str {
        self.uri.path_and_query().map_or("/", |path| path.as_str())
    }
}

/// Returns whether an address is on the public Internet: in none of the IANA special-purpose
/// registries.
fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => match ip.to_ipv4_mapped() {
            Some(mapped) => is_public_v4(mapped),
            None => is_public_v6(ip),
        },
    }
}

/// Returns whether an IPv4 address is public, by RFC 6890 and the registry that keeps it up to
/// date.
fn is_public_v4(ip: Ipv4Addr) -> bool {
    !matches!(
        ip.octets(),
        // This network, this host, multicast, and everything above it up to broadcast.
        [0 | 127 | 224..=255, ..]
            // Private networks (RFC 1918), and those of carriers.
            | [10, ..] | [172, 16..=31, ..] | [192, 168, ..] | [100, 64..=127, ..]
            // Link-local: cloud metadata.
            | [169, 254, ..]
            // Protocol assignments, 6to4 relays, benchmarks.
            | [192, 0, 0, _] | [192, 88, 99, _] | [198, 18..=19, ..]
            // Examples in documentation.
            | [192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _]
    )
}

/// Returns whether an IPv6 address is public. Only 2000::/3 is assigned as global unicast; some
/// blocks inside it are not.
fn is_public_v6(ip: Ipv6Addr) -> bool {
    let special = matches!(
        ip.segments(),
        // Protocol assignments with Teredo, and 6to4, which holds IPv4 inside.
        [0x2001, 0..=0x1ff, ..] | [0x2002, ..]
            // Examples in documentation.
            | [0x2001, 0xdb8, ..] | [0x3fff, 0..=0xfff, ..]
    );
    !special && ip.segments()[0] & 0xe000 == 0x2000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_public_addresses_are_public() {
        for public in ["8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8"]
        {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        for special in [
            "0.0.0.0",
            "10.1.2.3",
            "127.0.0.1",
            "127.255.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "100.64.0.1",
            "100.127.255.255",
            "192.0.0.8",
            "192.0.2.1",
            "198.18.0.1",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "fe80::1",
            "fc00::1",
            "fd12:3456::1",
            "ff02::1",
            "64:ff9b::a00:1",
            "2001:db8::1",
            "2001::1",
            "2002:7f00:1::",
            "::ffff:127.0.0.1",
            "::ffff:10.0.0.1",
            "::127.0.0.1",
            "3fff::1",
            "100::1",
        ] {
            assert!(!is_public(special.parse().unwrap()), "{special}");
        }
    }

    #[test]
    fn addresses_are_taken_apart() {
        let target: Target = "https://hooks.example.org:8443/a/b?c=d".parse().unwrap();
        assert_eq!(
            (target.host.as_str(), target.port, target.https),
            ("hooks.example.org", 8443, true)
        );
        assert_eq!((target.authority(), target.path()), ("hooks.example.org:8443", "/a/b?c=d"));
        let plain: Target = "http://[2606:4700::1111]/".parse().unwrap();
        assert_eq!((plain.host.as_str(), plain.port), ("2606:4700::1111", 80));
        assert_eq!("https://example.org".parse::<Target>().unwrap().path(), "/");
        let long = format!("https://example.org/{}", "x".repeat(MAX_LENGTH));
        for bad in [
            "",
            "example.org",
            "/hook",
            "ftp://example.org/",
            "https://",
            "https://example.org/#part",
            "https://example.org:99999/",
            "https://example.org/a b",
            "https://exämple.org/",
            &long,
        ] {
            assert!(matches!(bad.parse::<Target>(), Err(AddressError::Malformed)), "{bad}");
        }
        for secret in ["https://user:word@example.org/", "https://example.org@10.0.0.1/"] {
            assert!(matches!(secret.parse::<Target>(), Err(AddressError::Credentials)), "{secret}");
        }
    }

    #[tokio::test]
    async fn addresses_inside_this_network_are_refused() {
        for inner in [
            "https://127.0.0.1/",
            "https://[::1]/",
            "https://[::ffff:10.0.0.1]:9200/",
            "https://10.0.0.1/",
            "https://169.254.169.254/latest/meta-data",
            "https://localhost/",
            "https://2130706433/",
            "https://0x7f.1/",
            "https://127.1/",
        ] {
            let target: Target = inner.parse().unwrap();
            let refused = target.resolve(Reach::Public).await;
            assert!(
                matches!(refused, Err(AddressError::Private | AddressError::Unresolved(_))),
                "{inner}: {refused:?}"
            );
        }
        let plain: Target = "http://example.org/".parse().unwrap();
        assert!(matches!(plain.check(Reach::Public), Err(AddressError::Plain)));
        let here: Target = "http://127.0.0.1:7/".parse().unwrap();
        assert_eq!(here.resolve(Reach::Anywhere).await.unwrap(), ["127.0.0.1:7".parse().unwrap()]);
    }
}
