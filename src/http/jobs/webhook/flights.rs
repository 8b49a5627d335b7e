//! Webhooks in flight, and the choice of the next.
//!
//! Input: the clients and the receivers of the messages that are due. Output: the message to send
//! next, and a [`Flight`] for as long as it is in flight. The client with the fewest messages in
//! flight goes next, so that clients take turns, and so do the receivers of each client. Invariant:
//! no client and no receiver ever exceeds its limit, so that a slow receiver delays only the
//! clients that send to it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Maximum number of messages in flight: each takes a socket, and a process has about a thousand.
const AT_ONCE: usize = 64;
/// Maximum number of messages in flight for one client: this many of its jobs may end in a second
/// without a wait.
const EACH: usize = 8;
/// Maximum number of messages in flight to one host, from all clients; above the limit of one
/// client.
const TO_ONE: usize = 16;

/// Client and receiver of a message.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Way {
    /// Client that the job belongs to.
    pub(super) client: String,
    pub(super) host: String,
}

/// Number of messages in flight.
#[derive(Debug, Default)]
pub(super) struct Flights(Mutex<HashMap<Way, usize>>);

/// Message in flight; on drop it counts as arrived.
#[derive(Debug)]
pub(super) struct Flight {
    flights: Arc<Flights>,
    way: Way,
}

impl Flights {
    /// Returns whether another message may be sent now.
    pub(super) fn has_room(&self) -> bool {
        self.under_way().values().sum::<usize>() < AT_ONCE
    }

    /// Chooses which message goes next, if any may.
    pub(super) fn next<'a>(
        self: &Arc<Self>,
        ways: impl Iterator<Item = &'a Way>,
    ) -> Option<(usize, Flight)> {
        let mut under_way = self.under_way();
        if under_way.values().sum::<usize>() >= AT_ONCE {
            return None;
        }
        let (mut by_client, mut by_host) = (HashMap::new(), HashMap::new());
        for (way, count) in under_way.iter() {
            *by_client.entry(way.client.as_str()).or_default() += count;
            *by_host.entry(way.host.as_str()).or_default() += count;
        }
        let load = |way: &Way| -> Option<(usize, usize)> {
            let client = by_client.get(way.client.as_str()).copied().unwrap_or(0);
            let host = by_host.get(way.host.as_str()).copied().unwrap_or(0);
            let there = under_way.get(way).copied().unwrap_or(0);
            (client < EACH && host < TO_ONE).then_some((client, there))
        };
        let loads = ways.enumerate().filter_map(|(at, way)| Some((load(way)?, at, way)));
        let (_, at, way) = loads.min_by_key(|(load, at, _)| (*load, *at))?;
        *under_way.entry(way.clone()).or_default() += 1;
        Some((at, Flight { flights: Arc::clone(self), way: way.clone() }))
    }

    fn under_way(&self) -> MutexGuard<'_, HashMap<Way, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        let mut under_way = self.flights.under_way();
        if let Some(count) = under_way.get_mut(&self.way) {
            *count -= 1;
            if *count == 0 {
                under_way.remove(&self.way);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn way(client: &str, host: &str) -> Way {
        Way { client: client.to_owned(), host: host.to_owned() }
    }

    /// Returns the order in which messages leave while none arrives.
    fn order(flights: &Arc<Flights>, mut ways: Vec<Way>) -> (Vec<String>, Vec<Flight>) {
        let (mut order, mut flying) = (Vec::new(), Vec::new());
        while let Some((at, flight)) = flights.next(ways.iter()) {
            let Way { client, host } = ways.remove(at);
            order.push(format!("{client} to {host}"));
            flying.push(flight);
        }
        (order, flying)
    }

    #[test]
    fn clients_take_turns_and_so_do_their_receivers() {
        let flights = Arc::default();
        let ways = [("a", "x"), ("a", "x"), ("a", "y"), ("b", "x")];
        let ways = ways.map(|(client, host)| way(client, host)).to_vec();
        let (order, flying) = order(&flights, ways);
        assert_eq!(order, ["a to x", "b to x", "a to y", "a to x"]);
        drop(flying);
        assert!(flights.under_way().is_empty(), "nothing is remembered");
    }

    #[test]
    fn nobody_has_more_than_their_number_on_their_way() {
        let flights = Arc::default();
        let many = |client: &str, host: &str| vec![way(client, host); 48];
        let (first, _flying) = order(&flights, many("flood", "tarpit"));
        assert_eq!(first.len(), EACH);
        let (other, _also) =
            order(&flights, [many("flood", "elsewhere"), many("b", "well")].concat());
        assert_eq!(other, vec!["b to well"; EACH], "another client's go at once");
        let mut more = Vec::new();
        for n in 0..20 {
            more.push(order(&flights, many(&format!("{n}"), "tarpit")).1);
        }
        assert_eq!(more.iter().map(Vec::len).sum::<usize>(), TO_ONE - EACH, "one receiver");
        for n in 0..20 {
            more.push(order(&flights, many(&format!("{n}"), &format!("host-{n}"))).1);
        }
        assert!(!flights.has_room());
    }
}
