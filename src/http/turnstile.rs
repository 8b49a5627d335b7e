//! The turnstile: at a service with keys, whoever shows none is answered so many times a second and no more.
//!
//! Input: a request without a known key, or one beyond its key's rate, and where it comes from. Output: the same, later.
//! Refusing costs little, but a client that sends a thousand requests at once has a thousand refusals made: who
//! has to wait for each costs nothing meanwhile. The page and the links of games stand open behind it too. Invariants: an
//! address that asks for less never waits, and nobody waits for another's; what is remembered of an address is a
//! point in time, as long as it is to come.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

use super::client::Network;
use super::failure::Failure;

/// The time of one answer: fifty a second cost a hundredth of a core.
const EACH: Duration = Duration::from_millis(20);
/// Answers that wait for nothing: five phones behind one address that open the page at the same time ask for 40 each.
const AT_ONCE: u32 = 200;
/// Who would wait for longer is refused.
const LONGEST: Duration = Duration::from_secs(10);
/// So many addresses are remembered before those whose time has passed are forgotten.
const REMEMBERED: usize = 4_096;

/// When each address will have had the time of all its answers.
#[derive(Debug, Default)]
pub(super) struct Turnstile(Mutex<HashMap<Network, Instant>>);

impl Turnstile {
    /// Waits until it is an address's turn.
    ///
    /// # Errors
    /// [`Failure::OverRate`] where that would take too long.
    pub(super) async fn pass(&self, network: Network) -> Result<(), Failure> {
        let at = self.turn(network, Instant::now())?;
        sleep_until(at).await;
        Ok(())
    }

    /// When it is an address's turn (the generic cell rate algorithm of ITU-T I.371).
    fn turn(&self, network: Network, now: Instant) -> Result<Instant, Failure> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= REMEMBERED {
            known.retain(|_, until| *until > now);
        }
        let until = known.entry(network).or_insert(now);
        let next = (*until).max(now) + EACH;
        let turn = next.checked_sub(EACH * AT_ONCE).unwrap_or(now).max(now);
        if turn > now + LONGEST {
            return Err(Failure::OverRate { wait: LONGEST.as_secs() });
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
    async fn who_asks_for_more_waits_and_nobody_for_another() {
        let turnstile = Turnstile::default();
        let (one, other) = (network("192.0.2.1"), network("192.0.2.2"));
        let start = Instant::now();
        for _ in 0..AT_ONCE {
            turnstile.pass(one).await.expect("its turn");
        }
        assert_eq!(start.elapsed(), Duration::ZERO, "these wait for nothing");
        for _ in 0..50 {
            turnstile.pass(one).await.expect("its turn");
        }
        assert_eq!(start.elapsed(), 50 * EACH);
        let now = Instant::now();
        turnstile.pass(other).await.expect("its turn");
        assert_eq!(Instant::now(), now);
        tokio::time::sleep(EACH * AT_ONCE * 2).await;
        let now = Instant::now();
        turnstile.pass(one).await.expect("its turn");
        assert_eq!(Instant::now(), now, "what is over is forgotten");
    }

    #[test]
    fn a_thousand_at_once_are_refused_and_lock_nobody_out_for_long() {
        let turnstile = Turnstile::default();
        let (one, now) = (network("2001:db8::1"), Instant::now());
        let turns: Vec<_> = (0..10_000).map(|_| turnstile.turn(one, now)).collect();
        let waiting = turns.iter().filter(|turn| turn.is_ok()).count();
        assert_eq!(waiting, (LONGEST.as_millis() / EACH.as_millis()) as usize + AT_ONCE as usize);
        assert!(turnstile.turn(one, now + EACH).is_ok(), "the next may wait again");
    }

    #[test]
    fn addresses_are_forgotten() {
        let (turnstile, now) = (Turnstile::default(), Instant::now());
        for number in 0..3 * REMEMBERED as u32 {
            let address = IpAddr::from(std::net::Ipv4Addr::from_bits(number));
            turnstile.turn(address.into(), now + EACH * number).expect("its turn");
        }
        assert!(turnstile.0.lock().expect("no panic").len() <= REMEMBERED);
    }
}
