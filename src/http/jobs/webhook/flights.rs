//! Which webhooks are on their way, and which goes next.
//!
//! Input: who a message is for and whose it is. Output: the one to send next, and a [`Flight`] for
//! as long as it is on its way. The client with the fewest on their way goes next, so clients take
//! turns, and so do the receivers of each. Invariant: no client and no receiver ever has more than
//! its number, so that a receiver that lets everybody wait keeps nobody but those who asked for it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Messages on their way at the same time: each is a socket, and there are a thousand.
const AT_ONCE: usize = 64;
/// Those of one client: as many jobs may end in a second without one of them waiting for the next.
const EACH: usize = 8;
/// Those to one host, from all clients: more than one client may have.
const TO_ONE: usize = 16;

/// Whose a message is and who it is for.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Way {
    /// Whom its job is counted for.
    pub(super) client: String,
    pub(super) host: String,
}

/// What is on its way.
#[derive(Debug, Default)]
pub(super) struct Flights(Mutex<HashMap<Way, usize>>);

/// A message on its way; it has arrived when this is dropped.
#[derive(Debug)]
pub(super) struct Flight {
    flights: Arc<Flights>,
    way: Way,
}

impl Flights {
    /// Whether anything may be sent now.
    pub(super) fn has_room(&self) -> bool {
        self.under_way().values().sum::<usize>() < AT_ONCE
    }

    /// Which of these goes next, if one may.
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

    /// The order in which messages leave, as long as none arrives.
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
