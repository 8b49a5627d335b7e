//! Quotas of a key: maximum numbers of photos and requests in a day and in a month.
//!
//! Input: words of a key's line in the file, such as `photos/day=500`. Output: the quotas, and
//! whether an amount is within them. Days and months are those of UTC. Invariant: an amount that
//! would exceed a quota is refused as a whole.

use std::num::NonZeroU64;
use std::time::{Duration, SystemTime};

use serde::Serialize;

use super::usage::{Amounts, Date, KeyUsage};
use crate::answer::quota::{QuotaKind, QuotaReached};

/// Length of a day in seconds.
const DAY: u64 = 86_400;

/// Maximum numbers of photos and requests of a key; without a number there is no maximum.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Quotas {
    /// Maximum number of photos a day.
    pub photos_a_day: Option<NonZeroU64>,
    /// Maximum number of photos a month.
    pub photos_a_month: Option<NonZeroU64>,
    /// Maximum number of requests a day.
    pub requests_a_day: Option<NonZeroU64>,
    /// Maximum number of requests a month.
    pub requests_a_month: Option<NonZeroU64>,
}

impl QuotaKind {
    const ALL: [QuotaKind; 4] = [
        QuotaKind::PhotosADay,
        QuotaKind::PhotosAMonth,
        QuotaKind::RequestsADay,
        QuotaKind::RequestsAMonth,
    ];

    /// Returns the beginning of its word in a key's line.
    const fn word(self) -> &'static str {
        match self {
            QuotaKind::PhotosADay => "photos/day=",
            QuotaKind::PhotosAMonth => "photos/month=",
            QuotaKind::RequestsADay => "requests/day=",
            QuotaKind::RequestsAMonth => "requests/month=",
        }
    }

    /// Returns what a key would have used with a further amount, if the amount counts here.
    fn used(self, usage: &KeyUsage, more: Amounts, now: &Date) -> Option<u64> {
        let before = match self {
            QuotaKind::PhotosADay | QuotaKind::RequestsADay => usage.day.amounts_of(&now.day),
            QuotaKind::PhotosAMonth | QuotaKind::RequestsAMonth => {
                usage.month.amounts_of(now.month())
            }
        };
        let [used, more] = match self {
            QuotaKind::PhotosADay | QuotaKind::PhotosAMonth => [before.photos, more.photos],
            QuotaKind::RequestsADay | QuotaKind::RequestsAMonth => [before.requests, more.requests],
        };
        (more > 0).then(|| used.saturating_add(more))
    }

    fn wait(self, now: SystemTime) -> u64 {
        match self {
            QuotaKind::PhotosADay | QuotaKind::RequestsADay => seconds_to_next_day(now),
            QuotaKind::PhotosAMonth | QuotaKind::RequestsAMonth => seconds_to_next_month(now),
        }
    }
}

impl Quotas {
    fn get(&self, kind: QuotaKind) -> Option<NonZeroU64> {
        match kind {
            QuotaKind::PhotosADay => self.photos_a_day,
            QuotaKind::PhotosAMonth => self.photos_a_month,
            QuotaKind::RequestsADay => self.requests_a_day,
            QuotaKind::RequestsAMonth => self.requests_a_month,
        }
    }

    fn get_mut(&mut self, kind: QuotaKind) -> &mut Option<NonZeroU64> {
        match kind {
            QuotaKind::PhotosADay => &mut self.photos_a_day,
            QuotaKind::PhotosAMonth => &mut self.photos_a_month,
            QuotaKind::RequestsADay => &mut self.requests_a_day,
            QuotaKind::RequestsAMonth => &mut self.requests_a_month,
        }
    }

    /// Returns the quotas as words of a key's line, each after a space.
    pub(crate) fn words(&self) -> String {
        let given = QuotaKind::ALL.into_iter().filter_map(|kind| Some((kind, self.get(kind)?)));
        given.map(|(kind, max)| format!(" {}{max}", kind.word())).collect()
    }

    /// Reads a word of a key's line. Returns whether it is that of a quota.
    ///
    /// # Errors
    /// The reason why its number can't be used.
    pub(crate) fn read_word(&mut self, word: &str) -> Result<bool, &'static str> {
        let found = QuotaKind::ALL
            .into_iter()
            .find_map(|kind| Some((kind, word.strip_prefix(kind.word())?)));
        let Some((kind, number)) = found else { return Ok(false) };
        let number = number
            .parse()
            .map_err(|_| "invalid quota: expected a number such as photos/day=500")?;
        match self.get_mut(kind).replace(number) {
            None => Ok(true),
            Some(_) => Err("duplicate quota: expected each at most once"),
        }
    }

    /// Returns the first quota that a key would exceed with a further amount.
    pub(crate) fn find_exceeded(
        &self,
        usage: &KeyUsage,
        more: Amounts,
        now: SystemTime,
    ) -> Option<QuotaReached> {
        let date = Date::new(now);
        QuotaKind::ALL.into_iter().find_map(|kind| {
            let max = self.get(kind)?.get();
            let used = kind.used(usage, more, &date)?;
            (used > max).then(|| QuotaReached { kind, max, wait: kind.wait(now) })
        })
    }
}

fn seconds_to_next_day(now: SystemTime) -> u64 {
    let since = now.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default().as_secs();
    DAY - since % DAY
}

fn seconds_to_next_month(now: SystemTime) -> u64 {
    let this = Date::new(now).month().to_owned();
    // From the next day on, until the first day of another month.
    let mut wait = seconds_to_next_day(now);
    while Date::new(now + Duration::from_secs(wait)).month() == this {
        wait += DAY;
    }
    wait
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(time: &str) -> SystemTime {
        humantime::parse_rfc3339(time).expect("a time")
    }

    #[test]
    fn words_are_read_as_they_are_written() {
        let mut quotas = Quotas::default();
        for word in ["photos/day=500", "requests/month=9"] {
            assert_eq!(quotas.read_word(word), Ok(true));
        }
        assert_eq!(quotas.words(), " photos/day=500 requests/month=9");
        assert_eq!(quotas.read_word("until=2027-01-31"), Ok(false));
        for wrong in ["photos/day=500", "photos/month=0", "photos/month=", "photos/month=x"] {
            quotas.read_word(wrong).expect_err(wrong);
        }
    }

    fn photos(photos: u64) -> Amounts {
        Amounts { photos, ..Amounts::default() }
    }

    #[test]
    fn an_amount_is_refused_as_a_whole_until_the_next_day_or_month() {
        let mut quotas = Quotas::default();
        quotas.read_word("photos/day=5").expect("a quota");
        quotas.read_word("photos/month=8").expect("a quota");
        let mut usage = KeyUsage::default();
        let evening = at("2026-11-29T23:00:00Z");
        assert_eq!(quotas.find_exceeded(&usage, photos(5), evening), None);
        usage.add(&Date::new(evening), photos(5), evening);
        let refused = quotas.find_exceeded(&usage, photos(1), evening);
        let expected = QuotaReached { kind: QuotaKind::PhotosADay, max: 5, wait: 3600 };
        assert_eq!(refused, Some(expected));
        let requests = Amounts { requests: 1, ..Amounts::default() };
        assert_eq!(quotas.find_exceeded(&usage, requests, evening), None, "no photo");
        let noon = at("2026-11-30T12:00:00Z");
        assert_eq!(quotas.find_exceeded(&usage, photos(3), noon), None);
        let refused = quotas.find_exceeded(&usage, photos(4), noon);
        let expected = QuotaReached { kind: QuotaKind::PhotosAMonth, max: 8, wait: 43_200 };
        assert_eq!(refused, Some(expected));
        assert_eq!(quotas.find_exceeded(&usage, photos(4), at("2026-12-01T00:00:00Z")), None);
    }

    #[test]
    fn the_next_month_begins_on_its_first_day() {
        for (now, days) in [
            ("2026-11-01T00:00:00Z", 30),
            ("2028-02-01T00:00:00Z", 29),
            ("2026-12-31T00:00:00Z", 1),
        ] {
            assert_eq!(seconds_to_next_month(at(now)), days * DAY, "{now}");
        }
    }
}
