//! Throttle of a service with keys: requests without a known key are answered at a limited rate.
//!
//! Input: a request without a known key, or one that exceeds its key's rate, and its address.
//! Output: the same request, later. A refusal costs little, but a client that sends a thousand
//! requests at once causes a thousand of them; if it has to wait for each, they cost nothing. The
//! page and the links of games are behind the throttle too. Invariants: an address below the rate
//! never waits, and no address waits for another; one point in time is stored per address, until it
//! has passed.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::client::Network;
use super::rate::RateState;

/// Interval between two answers: fifty a second cost a hundredth of a core.
const EACH: Duration = Duration::from_millis(20);
/// Number of answers per second.
const EACH_SECOND: u32 = (1_000 / EACH.as_millis()) as u32;
/// Number of answers without waiting. Five phones behind one address that open the page at the same
/// time send 40 requests each; the twenty more each for the files that read photos follow within
/// two seconds.
const AT_ONCE: u32 = 200;
/// Maximum wait; a request that would wait longer is refused.
const LONGEST: Duration = Duration::from_secs(10);
/// Number of stored addresses at which those whose time has passed are removed.
const REMEMBERED: usize = 4_096;

/// Time at which each address will have used up the intervals of all its answers.
#[derive(Debug, Default)]
pub(super) struct Throttle(Mutex<HashMap<Network, Instant>>);

impl Throttle {
    /// Waits until an address may have its next answer.
    ///
    /// # Errors
    /// The state of the rate if the wait would be too long.
    pub(super) async fn pass(&self, network: Network) -> Result<(), RateState> {
        let at = self.turn(network, Instant::now())?;
        sleep_until(at).await;
        Ok(())
    }

    /// Returns the time at which an address may have its next answer (the generic cell rate
    /// algorithm of ITU-T I.371).
    fn turn(&self, network: Network, now: Instant) -> Result<Instant, RateState> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= REMEMBERED {
            known.retain(|_, until| *until > now);
        }
        let until = known.entry(network).or_insert(now);
        let next = (*until).max(now) + EACH;
        let turn = next.checked_sub(EACH * AT_ONCE).unwrap_or(now).max(now);
        if turn > now + LONGEST {
            return Err(RateState {
                policy: "address",
                quota: EACH_SECOND,
                window: 1,
                remaining: 0,
                reset: LONGEST.as_secs(),
            });
        }
        *until = next;
        Ok(turn)
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn network(text: &str) -> Network {
        text.parse::<IpAddr>().expect("an address").into()
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_beyond_the_rate_waits_and_no_other_does() {
        let throttle = Throttle::default();
        let (one, other) = (network("192.0.2.1"), network("192.0.2.2"));
        let start = Instant::now();
        for _ in 0..AT_ONCE {
            throttle.pass(one).await.expect("its turn");
        }
        assert_eq!(start.elapsed(), Duration::ZERO, "these wait for nothing");
        for _ in 0..50 {
            throttle.pass(one).await.expect("its turn");
        }
        assert_eq!(start.elapsed(), 50 * EACH);
        let now = Instant::now();
        throttle.pass(other).await.expect("its turn");
        assert_eq!(Instant::now(), now);
        tokio::time::sleep(EACH * AT_ONCE * 2).await;
        let now = Instant::now();
        throttle.pass(one).await.expect("its turn");
        assert_eq!(Instant::now(), now, "what is over is forgotten");
    }

    #[test]
    fn a_thousand_at_once_are_refused_and_lock_nobody_out_for_long() {
        let throttle = Throttle::default();
        let (one, now) = (network("2001:db8::1"), Instant::now());
        let turns: Vec<_> = (0..10_000).map(|_| throttle.turn(one, now)).collect();
        let waiting = turns.iter().filter(|turn| turn.is_ok()).count();
        assert_eq!(waiting, (LONGEST.as_millis() / EACH.as_millis()) as usize + AT_ONCE as usize);
        assert!(throttle.turn(one, now + EACH).is_ok(), "the next may wait again");
    }

    #[test]
    fn addresses_are_removed() {
        let (throttle, now) = (Throttle::default(), Instant::now());
        for number in 0..3 * REMEMBERED as u32 {
            let address = IpAddr::from(std::net::Ipv4Addr::from_bits(number));
            throttle.turn(address.into(), now + EACH * number).expect("its turn");
        }
        assert!(throttle.0.lock().expect("no panic").len() <= REMEMBERED);
    }
}
