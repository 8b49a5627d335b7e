//! Time up to which expired data may be removed, so that a wrong clock removes nothing that people
//! keep.
//!
//! Input: what the clock says at each sweep, and the notes of the sweeps before. Output: the time
//! to remove up to. Invariants: a clock that went on by more than a day since the last sweep is not
//! believed: it may be wrong, or the service was off. It is believed once it has gone on from there
//! for a day, or is later still by more than a day, as in a club that starts its service once a
//! week. Then the time to remove up to catches up by at most a day per [`INTERVAL`], so that no
//! sweep removes more than usually expires within a day.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tilesight_core::evening::Game;
use tilesight_core::series::Series;

use crate::journals::Journal as _;
use crate::{Name, Selection, Store, StoreError};
use crate::{Timestamp, journals};

/// Interval between two sweeps.
pub const INTERVAL: Duration = Duration::from_secs(1800);
/// Difference between two sweeps from which the clock may have jumped, time for which it is then
/// watched, and most that a sweep catches up by.
const DAY: Duration = Duration::from_secs(86_400);

/// Notes of the sweeps of a store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetentionClock {
    /// Time up to which expired data was removed.
    reached: Timestamp,
    /// Time up to which the clock is believed.
    believed: Timestamp,
    /// Time from which the clock went on without a jump.
    since: Timestamp,
    /// Time of the last sweep.
    seen: Timestamp,
    /// Time of the last sweep that caught up.
    stepped: Timestamp,
}

impl RetentionClock {
    /// Returns the notes of a store without any, which was in use at a time that is believed.
    #[must_use]
    pub fn new(seen: Timestamp) -> RetentionClock {
        let stepped = Timestamp(0);
        RetentionClock { reached: seen, believed: seen, since: stepped, seen, stepped }
    }

    /// Notes what the clock says at a sweep, and returns the time to remove up to.
    pub fn advance(&mut self, now: Timestamp) -> Timestamp {
        let later = now.0 > self.seen.0;
        if Duration::from_millis(now.0.abs_diff(self.seen.0)) > DAY {
            if later {
                // Nobody set it back within a day.
                self.believed = self.believed.max(self.seen);
            }
            self.since = now;
        }
        self.seen = now;
        if now >= self.since.saturating_add(DAY) {
            self.believed = now;
        }
        let step = self.reached.saturating_add(DAY);
        let rested = now >= self.stepped.saturating_add(INTERVAL) || now < self.stepped;
        if self.believed <= step {
            self.reached = self.believed;
        } else if rested {
            self.reached = step;
            self.stepped = now;
        }
        self.reached.min(now)
    }

    /// Logs that data stays longer than it should, and until when.
    pub fn report(&self, what: &str) {
        if self.seen > self.reached.saturating_add(DAY) {
            let [reached, now] = [self.reached, self.seen]
                .map(|time| humantime::format_rfc3339_seconds(time.into()).to_string());
            tracing::warn!(
                %reached,
                %now,
                "{what}: the clock is more than a day ahead of the last removal, so expired data \
                 stays for now: it is removed a day's share at a time once the clock has gone on for \
                 a day; if the clock is wrong, set it"
            );
        }
    }
}

/// Returns the time up to which expired jobs and evenings of a store may be removed, and notes it
/// in the store.
///
/// # Errors
/// [`StoreError`].
pub async fn time_to_clear(store: &dyn Store, now: Timestamp) -> Result<Timestamp, StoreError> {
    let kind: Name = "sweep".parse().expect("it has letters only");
    let id: Name = "clock".parse().expect("it has letters only");
    let found = store.load(&kind, &id).await?;
    let noted = found.as_ref().and_then(|(_, bytes)| serde_json::from_slice(bytes).ok());
    let mut clock: RetentionClock = match noted {
        Some(clock) => clock,
        None => RetentionClock::new(newest(store).await?.unwrap_or(now).min(now)),
    };
    let until = clock.advance(now);
    let bytes = serde_json::to_vec(&clock).expect("numbers");
    match store.save(&kind, &id, found.map(|(revision, _)| revision), &bytes).await {
        // Another process sweeps at the same time.
        Ok(_) | Err(StoreError::Conflict) => {}
        // The sweep makes room. Without its notes the next one removes up to the same time.
        Err(StoreError::Full) => tracing::warn!("the disk has no room for the notes of the sweep"),
        Err(error) => return Err(error),
    }
    clock.report("jobs, games and series");
    Ok(until)
}

/// Returns the time of the last job or change of an evening in a store, which was in use then.
async fn newest(store: &dyn Store) -> Result<Option<Timestamp>, StoreError> {
    let page = Selection { max_jobs: 1, ..Selection::default() };
    let job = store.jobs(&page).await?.first().map(|job| job.new.created);
    let game = journals::last_change(store, Game::NAMES).await?;
    let series = journals::last_change(store, Series::NAMES).await?;
    Ok(job.max(game).max(series))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a time of a number of days and minutes.
    fn at(days: u64, minutes: u64) -> Timestamp {
        Timestamp((days * 1440 + minutes) * 60_000)
    }

    #[test]
    fn a_clock_that_goes_on_is_followed() {
        let mut clock = RetentionClock::new(at(100, 0));
        for half_hours in 0..480 {
            let now = at(100, 30 * half_hours);
            assert_eq!(clock.advance(now), now);
        }
        // A night without the service, and a clock that is set back by a second.
        assert_eq!(clock.advance(at(110, 700)), at(110, 700));
        assert_eq!(clock.advance(Timestamp(at(110, 700).0 - 1000)).0, at(110, 700).0 - 1000);
        assert_eq!(clock.advance(at(110, 730)), at(110, 730));
    }

    #[test]
    fn a_clock_that_jumped_and_is_set_again_removes_nothing() {
        let mut clock = RetentionClock::new(at(98, 0));
        for half_hours in 0..96 {
            clock.advance(at(98, 30 * half_hours));
        }
        let before = clock.advance(at(100, 0));
        assert_eq!(before, at(100, 0));
        // Services that start again and again, with a clock that is 400 days ahead.
        for minutes in 0..600 {
            assert_eq!(clock.advance(at(500, minutes)), before);
        }
        assert!(clock.advance(at(100, 610)) <= at(100, 610));
        for half_hours in 0..100 {
            let until = clock.advance(at(100, 620 + 30 * half_hours));
            assert!(until <= at(100, 620 + 30 * half_hours), "{until:?}");
        }
        assert_eq!(clock.advance(at(102, 800)), at(102, 800), "followed again");
    }

    #[test]
    fn after_a_jump_it_waits_for_a_day_and_then_takes_a_day_at_a_time() {
        let mut clock = RetentionClock::new(at(100, 0));
        let mut reached = vec![clock.advance(at(100, 1))];
        // Each minute, as by many processes, for twelve days.
        for minutes in 0..12 * 1440 {
            let now = at(500, minutes);
            let until = clock.advance(now);
            assert!(minutes >= 1440 || until <= at(100, 1), "minute {minutes}: {until:?}");
            if until != reached[reached.len() - 1] {
                reached.push(until);
            }
        }
        let steps = reached.windows(2).map(|pair| pair[1].0 - pair[0].0);
        assert!(steps.max() <= Some(at(1, 0).0), "more than a day at once");
        assert_eq!(reached.last(), Some(&at(511, 1439)), "it has caught up");
        assert!(reached.len() >= 400, "{}", reached.len());
    }

    #[test]
    fn a_service_that_runs_once_a_week_removes_too() {
        let mut clock = RetentionClock::new(at(100, 0));
        let mut until = at(100, 0);
        for week in 0..10 {
            for half_hours in 0..8 {
                until = clock.advance(at(100 + 7 * week, 30 * half_hours));
            }
        }
        assert!(until >= at(100 + 7 * 8, 0), "a week late: {until:?}");
        assert!(until <= at(100 + 7 * 9, 0), "{until:?}");
    }
}
