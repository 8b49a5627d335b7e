//! Who a request comes from, and shares of what is bounded: nobody takes all of it.
//!
//! [`Client`] is the key that a request came with, or the address where no key is asked for. [`Shares`] are
//! places, such as those for uploads or for connections, of which each client may hold three times as many as
//! would still be free: alone three quarters of all, two clients three sevenths each, three three tenths. So
//! there is a place for whoever comes next, no number has to be set, and what one client may have shrinks as
//! others come. Invariant: a place is given back when its [`Share`] is dropped, however that happens.

use std::collections::HashMap;
use std::convert::Infallible;
use std::fmt;
use std::hash::Hash;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap};

use super::failure::Failure;
use super::keys::Sender;
use crate::sharing::{PARTS, may_have};

/// Whom a request, a photo or a connection is counted for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Client {
    /// The holder of a key, by its name.
    Key(Arc<str>),
    /// Whoever is at an address, where no key is asked for.
    Address(Network),
}

/// An address as far as it stands for one party: of IPv6 the first 64 bits, since a household has the rest for itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Network(IpAddr);

impl From<IpAddr> for Network {
    fn from(address: IpAddr) -> Network {
        Network(match address.to_canonical() {
            IpAddr::V6(address) => {
                IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX)))
            }
            v4 @ IpAddr::V4(_) => v4,
        })
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Where a connection comes from; in the extensions of its requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Peer(pub(super) IpAddr);

impl Peer {
    /// Where a request comes from: the peer itself, or what the proxies in front of it say. Only what a trusted
    /// proxy wrote is believed, so the list is read from its end, as far as there are proxies.
    pub(super) fn behind(self, proxies: &[IpAddr], headers: &HeaderMap) -> Peer {
        let mut at = self.0.to_canonical();
        let lists = headers.get_all("x-forwarded-for");
        let lists: Vec<&str> = lists.iter().filter_map(|list| list.to_str().ok()).collect();
        let mut told = lists.iter().rev().flat_map(|list| list.rsplit(','));
        while proxies.contains(&at) {
            match told.next().and_then(|address| address.trim().parse::<IpAddr>().ok()) {
                Some(address) => at = address.to_canonical(),
                None => break,
            }
        }
        Peer(at)
    }
}

impl Client {
    /// Where a request comes from, whatever key it has.
    pub(super) fn network(extensions: &Extensions) -> Network {
        let peer = extensions.get::<Peer>();
        peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |Peer(address)| *address).into()
    }

    /// Whom a request is counted for. Without a connection, as in tests, it is the unspecified address.
    pub(super) fn of(extensions: &Extensions) -> Client {
        match extensions.get::<Sender>() {
            Some(Sender(name)) => Client::Key(Arc::clone(name)),
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
        Ok(Client::of(&parts.extensions))
    }
}

/// Places that are shared by clients of a kind.
pub(super) struct Shares<C> {
    all: usize,
    held: Mutex<Held<C>>,
}

struct Held<C> {
    free: usize,
    by: HashMap<C, usize>,
}

/// Why there is no place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Full {
    /// This client holds its share: what is left is for others.
    Share,
    /// There is none left.
    All,
}

impl Full {
    /// What a client is told that finds no place for something, which is named in the plural.
    pub(super) fn of(self, what: &'static str) -> Failure {
        match self {
            Full::Share => Failure::Share { what },
            Full::All => Failure::Busy,
        }
    }
}

/// Some places of a client; dropped, they are free again.
pub(super) struct Share<C: Eq + Hash> {
    shares: Arc<Shares<C>>,
    client: C,
    places: usize,
}

impl<C: Clone + Eq + Hash> Shares<C> {
    /// So many places.
    pub(super) fn new(all: usize) -> Arc<Shares<C>> {
        Arc::new(Shares { all, held: Mutex::new(Held { free: all, by: HashMap::new() }) })
    }

    /// How many there are.
    pub(super) fn all(&self) -> usize {
        self.all
    }

    /// How many nobody holds.
    pub(super) fn free(&self) -> usize {
        self.held().free
    }

    /// A place for a client.
    ///
    /// # Errors
    /// [`Full`], when the client has its share or nothing is left.
    pub(super) fn take(self: &Arc<Self>, client: &C) -> Result<Share<C>, Full> {
        self.take_many(client, 1)
    }

    /// A place for a client that may hold so many at the most, whatever is free.
    ///
    /// # Errors
    /// [`Full`], when the client has its share or nothing is left.
    pub(super) fn take_one_of(self: &Arc<Self>, client: &C, most: usize) -> Result<Share<C>, Full> {
        let share = self.take(client)?;
        // Counted with this one, so that of two who come at once none is one too many.
        let has = self.held().by.get(client).copied().unwrap_or(0);
        if has > most { Err(Full::Share) } else { Ok(share) }
    }

    /// So many places at once; never more than a client alone may hold. A client that holds none gets them as long
    /// as they are there.
    ///
    /// # Errors
    /// [`Full`], when the client would have more than its share or too few are left.
    pub(super) fn take_many(self: &Arc<Self>, client: &C, places: usize) -> Result<Share<C>, Full> {
        let places = places.clamp(1, self.alone());
        let mut held = self.held();
        if held.free < places {
            return Err(Full::All);
        }
        let has = held.by.get(client).copied().unwrap_or(0);
        let left = held.free - places;
        if !may_have(has, places, left) {
            return Err(Full::Share);
        }
        held.free = left;
        *held.by.entry(client.clone()).or_default() += places;
        Ok(Share { shares: Arc::clone(self), client: client.clone(), places })
    }

    /// The most that a client holds when no other does.
    fn alone(&self) -> usize {
        (self.all * PARTS / (PARTS + 1)).max(1)
    }
}

impl<C> Shares<C> {
    fn held(&self) -> MutexGuard<'_, Held<C>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<C: Eq + Hash> Drop for Share<C> {
    fn drop(&mut self) {
        let mut held = self.shares.held();
        held.free += self.places;
        if let Some(has) = held.by.get_mut(&self.client) {
            *has -= self.places;
            if *has == 0 {
                held.by.remove(&self.client);
            }
        }
    }
}

impl<C> fmt::Debug for Shares<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shares").field("all", &self.all).finish_non_exhaustive()
    }
}

impl<C: Eq + Hash> fmt::Debug for Share<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Share").field("places", &self.places).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use proptest::prelude::*;

    use super::*;

    fn most(shares: &Arc<Shares<u8>>, client: u8) -> Vec<Share<u8>> {
        std::iter::from_fn(|| shares.take(&client).ok()).collect()
    }

    #[test]
    fn one_client_leaves_room_and_the_next_ones_share_it() {
        for (all, parts) in [
            (1, &[1][..]),
            (2, &[1, 1]),
            (4, &[3, 1]),
            (16, &[12, 3, 1]),
            (20, &[15, 3, 1, 1]),
            (1024, &[768, 192, 48, 12, 3, 1]),
        ] {
            let shares = Shares::new(all);
            let held: Vec<_> = (0..parts.len()).map(|client| most(&shares, client as u8)).collect();
            assert_eq!(held.iter().map(Vec::len).collect::<Vec<_>>(), parts, "{all}");
            assert_eq!(shares.take(&99).err(), Some(Full::All).filter(|_| shares.free() == 0));
            drop(held);
            assert_eq!(shares.free(), all);
        }
    }

    #[test]
    fn a_share_shrinks_as_others_come() {
        let shares = Shares::new(16);
        let (mut one, other) = (most(&shares, 1), most(&shares, 2));
        assert_eq!((one.len(), other.len()), (12, 3));
        one.truncate(9);
        assert_eq!(shares.take(&1).err(), Some(Full::Share), "9 and 1 are more than 3 times 3");
        assert!(shares.take(&2).is_ok(), "3 and 1 are not");
    }

    #[test]
    fn a_client_may_be_held_to_a_number() {
        let shares = Shares::new(16);
        let held: Vec<_> = std::iter::from_fn(|| shares.take_one_of(&1, 5).ok()).collect();
        assert_eq!((held.len(), shares.free()), (5, 11));
        assert_eq!(shares.take_one_of(&1, 5).err(), Some(Full::Share));
        assert!(shares.take_one_of(&2, 5).is_ok());
    }

    #[test]
    fn many_places_at_once_are_never_more_than_one_may_hold() {
        let shares = Shares::new(16);
        let table = shares.take_many(&1, 100).expect("nobody else is there");
        assert_eq!(table.places, 12);
        assert_eq!(shares.take_many(&2, 5).err(), Some(Full::All));
        assert!(shares.take_many(&2, 4).is_ok());
    }

    #[test]
    fn an_address_is_believed_only_of_a_proxy() {
        let [proxy, inner, client, liar] =
            ["10.0.0.1", "10.0.0.2", "203.0.113.7", "198.51.100.1"].map(|at| at.parse().unwrap());
        for (peer, told, expected) in [
            (client, "198.51.100.1", client),
            (proxy, "", proxy),
            (proxy, "203.0.113.7", client),
            (proxy, "198.51.100.1, 203.0.113.7", client),
            (proxy, "198.51.100.1, 203.0.113.7, 10.0.0.2", client),
            (proxy, "nonsense", proxy),
            (proxy, "::ffff:198.51.100.1", liar),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert("x-forwarded-for", HeaderValue::from_static(told));
            assert_eq!(Peer(peer).behind(&[proxy, inner], &headers), Peer(expected), "{told}");
        }
    }

    #[test]
    fn a_household_is_one_client() {
        let network = |text: &str| Network::from(text.parse::<IpAddr>().unwrap());
        assert_eq!(network("2001:db8::1"), network("2001:db8::ffff:1:2:3"));
        assert_ne!(network("2001:db8::1"), network("2001:db8:0:1::1"));
        assert_eq!(network("::ffff:192.0.2.1"), network("192.0.2.1"));
        assert_ne!(network("192.0.2.1"), network("192.0.2.2"));
    }

    proptest! {
        /// Whoever comes and goes: nobody holds more than there is, and a newcomer finds a place unless as many
        /// others as fill all shares are there.
        #[test]
        fn places_are_neither_lost_nor_made(
            all in 1_usize..40, steps in prop::collection::vec((0_u8..4, any::<bool>()), 0..200),
        ) {
            let shares = Shares::new(all);
            let mut held: Vec<Share<u8>> = Vec::new();
            for (client, comes) in steps {
                if comes {
                    held.extend(shares.take(&client).ok());
                } else if let Some(at) = held.iter().position(|share| share.client == client) {
                    held.remove(at);
                }
                prop_assert_eq!(shares.free() + held.len(), all);
                let mine = held.iter().filter(|share| share.client == client).count();
                prop_assert!(mine <= shares.alone());
            }
            drop(held);
            prop_assert_eq!(shares.free(), all);
        }
    }
}
