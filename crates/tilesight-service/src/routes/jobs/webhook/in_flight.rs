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
const MAX_IN_FLIGHT: usize = 64;
/// Maximum number of messages in flight for one client: this many of its jobs may end in a second
/// without a wait.
const MAX_PER_CLIENT: usize = 8;
/// Maximum number of messages in flight to one host, from all clients; above the limit of one
/// client.
const MAX_PER_HOST: usize = 16;

/// Client and receiver of a message.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Way {
    /// Client that the job belongs to.
    pub(super) client: String,
    pub(super) host: String,
}

/// Number of messages in flight.
#[derive(Debug, Default)]
pub(super) struct InFlight(Mutex<HashMap<Way, usize>>);

/// Message in flight; on drop it counts as arrived.
#[derive(Debug)]
pub(super) struct Flight {
    in_flight: Arc<InFlight>,
    way: Way,
}

impl InFlight {
    /// Returns whether another message may be sent now.
    pub(super) fn has_room(&self) -> bool {
        self.under_way().values().sum::<usize>() < MAX_IN_FLIGHT
    }

    /// Chooses which message goes next, if any may.
    pub(super) fn next<'a>(
        self: &Arc<Self>,
        ways: impl Iterator<Item = &'a Way>,
    ) -> Option<(usize, Flight)> {
        let mut under_way = self.under_way();
        if under_way.values().sum::<usize>() >= MAX_IN_FLIGHT {
            return None;
        }
        let mut by_client: HashMap<&str, usize> = HashMap::new();
        let mut by_host: HashMap<&str, usize> = HashMap::new();
        for (way, count) in under_way.iter() {
            *by_client.entry(way.client.as_str()).or_default() += count;
            *by_host.entry(way.host.as_str()).or_default() += count;
        }
        let loads = ways.enumerate().filter_map(|(at, way)| {
            let client = by_client.get(way.client.as_str()).copied().unwrap_or(0);
            let host = by_host.get(way.host.as_str()).copied().unwrap_or(0);
            let there = under_way.get(way).copied().unwrap_or(0);
            let may_go = client < MAX_PER_CLIENT && host < MAX_PER_HOST;
            may_go.then_some(((client, there), at, way))
        });
        let (_, at, way) = loads.min_by_key(|(load, at, _)| (*load, *at))?;
        *under_way.entry(way.clone()).or_default() += 1;
        Some((at, Flight { in_flight: Arc::clone(self), way: way.clone() }))
    }

    fn under_way(&self) -> MutexGuard<'_, HashMap<Way, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        let mut under_way = self.in_flight.under_way();
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
    fn order(in_flight: &Arc<InFlight>, mut ways: Vec<Way>) -> (Vec<String>, Vec<Flight>) {
        let (mut order, mut flying) = (Vec::new(), Vec::new());
        while let Some((at, flight)) = in_flight.next(ways.iter()) {
            let Way { client, host } = ways.remove(at);
            order.push(format!("{client} to {host}"));
            flying.push(flight);
        }
        (order, flying)
    }

    #[test]
    fn clients_take_turns_and_so_do_their_receivers() {
        let in_flight = Arc::default();
        let ways = [("a", "x"), ("a", "x"), ("a", "y"), ("b", "x")];
        let ways = ways.map(|(client, host)| way(client, host)).to_vec();
        let (order, flying) = order(&in_flight, ways);
        assert_eq!(order, ["a to x", "b to x", "a to y", "a to x"]);
        drop(flying);
        assert!(in_flight.under_way().is_empty(), "nothing is remembered");
    }

    #[test]
    fn deliveries_in_flight_are_limited_per_client_and_host() {
        let in_flight = Arc::default();
        let many = |client: &str, host: &str| vec![way(client, host); 48];
        let (first, _flying) = order(&in_flight, many("flood", "tarpit"));
        assert_eq!(first.len(), MAX_PER_CLIENT);
        let (other, _also) =
            order(&in_flight, [many("flood", "elsewhere"), many("b", "well")].concat());
        assert_eq!(other, vec!["b to well"; MAX_PER_CLIENT], "another client's go at once");
        let mut more = Vec::new();
        for n in 0..20 {
            more.push(order(&in_flight, many(&format!("{n}"), "tarpit")).1);
        }
        assert_eq!(
            more.iter().map(Vec::len).sum::<usize>(),
            MAX_PER_HOST - MAX_PER_CLIENT,
            "one receiver"
        );
        for n in 0..20 {
            more.push(order(&in_flight, many(&format!("{n}"), &format!("host-{n}"))).1);
        }
        assert!(!in_flight.has_room());
    }
}
