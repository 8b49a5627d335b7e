//! Throttle of a service with keys: requests without a known key are answered at a limited rate.
//!
//! Input: a request without a known key, or one that exceeds its key's rate, and its address.
//! Output: the same request, later. A refusal costs little, but a client that sends a thousand
//! requests at once causes a thousand of them; if it has to wait for each, they cost nothing. The
//! page and the links of games are behind the throttle too. Invariants: an address below the rate
//! never waits, and no address waits for another; one point in time is stored per address, until it
//! has passed.

use std::num::NonZeroU32;
use std::time::Duration;

use governor::clock::Clock;
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};
use tokio::time::{Instant, sleep_until};

use crate::guard::client::ClientPrefix;
use crate::guard::rate::RateState;

/// Interval between two answers: fifty a second cost a hundredth of a core.
const INTERVAL: Duration = Duration::from_millis(20);
/// Number of answers per second.
const PER_SECOND: u32 = (1_000 / INTERVAL.as_millis()) as u32;
/// Number of answers without waiting. Five phones behind one address that open the page at the same
/// time send 40 requests each; the twenty more each for the files that read photos follow within
/// two seconds.
const BURST: u32 = 200;
/// Maximum wait; a request that would wait longer is refused.
const MAX_WAIT: Duration = Duration::from_secs(10);
/// Maximum number of requests of one address that wait.
const MAX_WAITING: u32 = (MAX_WAIT.as_millis() / INTERVAL.as_millis()) as u32;
/// Number of answers that an address may have at once, including those that it waits for.
const CAPACITY: NonZeroU32 = NonZeroU32::new(BURST + MAX_WAITING).expect("more than none");
/// Number of stored addresses at which those whose time has passed are removed.
const MAX_STORED: usize = 4_096;

/// Rate limiter of all addresses. It lets through the requests that may wait too; how long a
/// request waits follows from the number of answers that its address has left.
#[derive(Debug)]
pub(crate) struct Throttle(Limiter);

type Limiter = RateLimiter<
    ClientPrefix,
    HashMapStateStore<ClientPrefix>,
    RuntimeClock,
    StateInformationMiddleware,
>;

/// Clock of the runtime, which tests can pause.
#[derive(Debug, Clone, Copy)]
struct RuntimeClock;

impl Clock for RuntimeClock {
    type Instant = std::time::Instant;

    fn now(&self) -> std::time::Instant {
        Instant::now().into_std()
    }
}

impl Default for Throttle {
    fn default() -> Throttle {
        let quota = Quota::with_period(INTERVAL).expect("an interval").allow_burst(CAPACITY);
        Throttle(RateLimiter::new(quota, HashMapStateStore::default(), RuntimeClock))
    }
}

impl Throttle {
    /// Waits until an address may have its next answer.
    ///
    /// # Errors
    /// The state of the rate if the wait would be too long.
    pub(crate) async fn pass(&self, network: ClientPrefix) -> Result<(), RateState> {
        let start = Instant::now();
        sleep_until(start + self.wait(network)?).await;
        Ok(())
    }

    /// Counts an answer of an address, and returns the time until the address may have it.
    fn wait(&self, network: ClientPrefix) -> Result<Duration, RateState> {
        if self.0.len() >= MAX_STORED {
            self.0.retain_recent();
        }
        let left = self.0.check_key(&network).map_err(|_| RateState {
            policy: "address",
            quota: PER_SECOND,
            window: 1,
            remaining: 0,
            reset: MAX_WAIT.as_secs(),
        })?;
        Ok(INTERVAL * MAX_WAITING.saturating_sub(left.remaining_burst_capacity()))
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;

    fn network(text: &str) -> ClientPrefix {
        text.parse::<IpAddr>().expect("an address").into()
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_beyond_the_rate_waits_and_no_other_does() {
        let throttle = Throttle::default();
        let (one, other) = (network("192.0.2.1"), network("192.0.2.2"));
        let start = Instant::now();
        for _ in 0..BURST {
            throttle.pass(one).await.expect("its turn");
        }
        assert_eq!(start.elapsed(), Duration::ZERO, "these wait for nothing");
        for _ in 0..50 {
            throttle.pass(one).await.expect("its turn");
        }
        assert_eq!(start.elapsed(), 50 * INTERVAL);
        let now = Instant::now();
        throttle.pass(other).await.expect("its turn");
        assert_eq!(Instant::now(), now);
        tokio::time::sleep(INTERVAL * BURST * 2).await;
        let now = Instant::now();
        throttle.pass(one).await.expect("its turn");
        assert_eq!(Instant::now(), now, "what is over is forgotten");
    }

    #[tokio::test(start_paused = true)]
    async fn a_thousand_at_once_are_refused_and_lock_nobody_out_for_long() {
        let throttle = Throttle::default();
        let one = network("2001:db8::1");
        let waits: Vec<_> = (0..10_000).map(|_| throttle.wait(one)).collect();
        let waiting = waits.iter().filter(|wait| wait.is_ok()).count();
        assert_eq!(waiting, (MAX_WAITING + BURST) as usize);
        assert_eq!(waits.iter().flatten().max(), Some(&MAX_WAIT));
        tokio::time::advance(INTERVAL).await;
        assert!(throttle.wait(one).is_ok(), "the next may wait again");
    }

    #[tokio::test(start_paused = true)]
    async fn addresses_are_removed() {
        let throttle = Throttle::default();
        for number in 0..3 * MAX_STORED as u32 {
            let address = IpAddr::from(std::net::Ipv4Addr::from_bits(number));
            throttle.wait(address.into()).expect("its turn");
            tokio::time::advance(INTERVAL).await;
        }
        assert!(throttle.0.len() <= MAX_STORED);
    }
}
