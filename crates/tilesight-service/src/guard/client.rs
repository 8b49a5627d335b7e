//! Client of a request: the key that it came with, or its address where no key is required.
//!
//! Input: the extensions of a request, and the addresses that trusted proxies report. Output: a
//! [`Client`], by which places and requests are counted. Invariant: an address is trusted only if
//! it is that of the connection itself or reported by a proxy that the settings name.

use std::convert::Infallible;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap};

/// Name of the key that a request came with. Stored in the extensions of the request, and in those
/// of its answer for the log.
#[derive(Debug, Clone)]
pub(crate) struct KeyName(pub(crate) Arc<str>);

/// Key that a request came with; `None` where no keys are required, and everybody may see
/// everything.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Owner(pub(crate) Option<String>);

impl Owner {
    /// Returns whether this sender may see what belongs to `owner`. Once keys are required, nobody
    /// may see anything older without an owner: the holder of a key may be a stranger to it.
    pub(crate) fn may_see(&self, owner: Option<&str>) -> bool {
        self.0.is_none() || self.0.as_deref() == owner
    }
}

impl<S: Sync> FromRequestParts<S> for Owner {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Owner, Infallible> {
        let key = parts.extensions.get::<KeyName>();
        Ok(Owner(key.map(|key| key.0.to_string())))
    }
}

/// Party to which a request, a photo or a connection is attributed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Client {
    /// Holder of a key, by the key's name.
    Key(Arc<str>),
    /// Address, where no key is required.
    Address(ClientPrefix),
}

/// Address reduced to what identifies one party: of IPv6 the first 64 bits, because a household has
/// the rest for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ClientPrefix(IpAddr);

impl From<IpAddr> for ClientPrefix {
    fn from(address: IpAddr) -> ClientPrefix {
        ClientPrefix(match address.to_canonical() {
            IpAddr::V6(address) => {
                IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)))
            }
            v4 @ IpAddr::V4(_) => v4,
        })
    }
}

impl fmt::Display for ClientPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Address of the other end of a connection; in the extensions of its requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Peer(pub(crate) IpAddr);

impl Peer {
    /// Returns the origin of a request: the peer itself, or the address that the proxies in front
    /// of it report. Only entries written by a trusted proxy count, so the list is read from its
    /// end, as long as the last address is that of a proxy.
    pub(crate) fn resolve_proxies(self, proxies: &[IpAddr], headers: &HeaderMap) -> Peer {
        let mut at = self.0.to_canonical();
        let lists: Vec<&str> = headers
            .get_all("x-forwarded-for")
            .iter()
            .filter_map(|list| list.to_str().ok())
            .collect();
        let mut addresses = lists.iter().rev().flat_map(|list| list.rsplit(','));
        while proxies.contains(&at) {
            match addresses.next().and_then(|address| address.trim().parse::<IpAddr>().ok()) {
                Some(address) => at = address.to_canonical(),
                None => break,
            }
        }
        Peer(at)
    }
}

impl Client {
    /// Returns the network that a request comes from, regardless of its key.
    pub(crate) fn network(extensions: &Extensions) -> ClientPrefix {
        let peer = extensions.get::<Peer>();
        peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |Peer(address)| *address).into()
    }

    /// Returns the client of a request. Without a connection, as in tests, this is the unspecified
    /// address.
    pub(crate) fn from_extensions(extensions: &Extensions) -> Client {
        match extensions.get::<KeyName>() {
            Some(KeyName(name)) => Client::Key(Arc::clone(name)),
            None => Client::Address(Client::network(extensions)),
        }
    }
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Client::Key(name) => f.write_str(name),
            Client::Address(network) => network.fmt(f),
        }
    }
}

impl<S: Sync> FromRequestParts<S> for Client {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Client, Infallible> {
        Ok(Client::from_extensions(&parts.extensions))
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn an_address_is_believed_only_of_a_proxy() {
        let [proxy, inner, client, liar] =
            ["10.0.0.1", "10.0.0.2", "203.0.113.7", "198.51.100.1"].map(|at| at.parse().unwrap());
        for (peer, addresses, expected) in [
            (client, "198.51.100.1", client),
            (proxy, "", proxy),
            (proxy, "203.0.113.7", client),
            (proxy, "198.51.100.1, 203.0.113.7", client),
            (proxy, "198.51.100.1, 203.0.113.7, 10.0.0.2", client),
            (proxy, "nonsense", proxy),
            (proxy, "::ffff:198.51.100.1", liar),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert("x-forwarded-for", HeaderValue::from_static(addresses));
            assert_eq!(
                Peer(peer).resolve_proxies(&[proxy, inner], &headers),
                Peer(expected),
                "{addresses}"
            );
        }
    }

    #[test]
    fn a_household_is_one_client() {
        let network = |text: &str| ClientPrefix::from(text.parse::<IpAddr>().unwrap());
        assert_eq!(network("2001:db8::1"), network("2001:db8::ffff:1:2:3"));
        assert_ne!(network("2001:db8::1"), network("2001:db8:0:1::1"));
        assert_eq!(network("::ffff:192.0.2.1"), network("192.0.2.1"));
        assert_ne!(network("192.0.2.1"), network("192.0.2.2"));
    }
}
