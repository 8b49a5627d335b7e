//! Usage of a key: how many requests, photos and bytes, in all, on a day and in a month.
//!
//! Input: amounts, each with its day. Output: their sums. Days and months are those of UTC.

use std::time::SystemTime;

use serde::{Deserialize, Serialize};

/// Amounts that a key used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Amounts {
    /// Number of answered requests.
    pub requests: u64,
    /// Number of photos that were read, or taken for a job.
    pub photos: u64,
    /// Bytes of bodies that were received.
    pub bytes: u64,
}

impl Amounts {
    pub(super) fn add(&mut self, more: Amounts) {
        self.requests = self.requests.saturating_add(more.requests);
        self.photos = self.photos.saturating_add(more.photos);
        self.bytes = self.bytes.saturating_add(more.bytes);
    }
}

/// Amounts of one day or month.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PeriodUsage {
    /// Day such as `2026-11-30`, or month such as `2026-11`, in UTC; empty before the first use.
    pub of: String,
    /// The amounts.
    #[serde(flatten)]
    pub amounts: Amounts,
}

impl PeriodUsage {
    /// Returns the amounts of a day or month.
    pub(super) fn amounts_of(&self, of: &str) -> Amounts {
        if self.of == of { self.amounts } else { Amounts::default() }
    }

    /// Adds an amount of a day or month. One that is neither the latest nor the present one is
    /// over, and counts no more; a later one than the present was written by a wrong clock.
    fn add(&mut self, of: &str, more: Amounts, present: &str) {
        if self.of == of {
            self.amounts.add(more);
        } else if self.of.as_str() < of || of == present {
            *self = PeriodUsage { of: of.to_owned(), amounts: more };
        }
    }
}

/// Usage of one key.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct KeyUsage {
    /// Name of the key.
    pub name: String,
    /// Amounts since the key's first use.
    pub total: Amounts,
    /// Amounts of the last day with any.
    pub day: PeriodUsage,
    /// Amounts of the last month with any.
    pub month: PeriodUsage,
    /// Time of the last use, in RFC 3339; `None` before the first.
    pub last_used: Option<String>,
}

impl KeyUsage {
    /// Adds an amount of a day.
    pub(super) fn add(&mut self, date: &Date, more: Amounts, now: SystemTime) {
        let present = Date::new(now);
        self.total.add(more);
        self.day.add(&date.day, more, &present.day);
        self.month.add(month_of(&date.day), more, present.month());
    }

    /// Returns the time of the last use in seconds since 1970; 0 before the first.
    pub(crate) fn last_used_seconds(&self) -> i64 {
        let time = self.last_used.as_deref().and_then(|time| humantime::parse_rfc3339(time).ok());
        let since = time.and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        since.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
    }

    pub(super) fn note_use(&mut self, time: SystemTime) {
        let time = Some(humantime::format_rfc3339_seconds(time).to_string());
        if self.last_used < time {
            self.last_used = time;
        }
    }
}

/// Day in UTC, such as `2026-11-30`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Date {
    pub(crate) day: String,
}

impl Date {
    pub(crate) fn new(time: SystemTime) -> Date {
        let mut day = humantime::format_rfc3339_seconds(time).to_string();
        day.truncate("2026-11-30".len());
        Date { day }
    }

    /// Returns the month, such as `2026-11`.
    pub(crate) fn month(&self) -> &str {
        month_of(&self.day)
    }
}

/// Returns the month of a day.
pub(crate) fn month_of(day: &str) -> &str {
    day.get(.."2026-11".len()).unwrap_or(day)
}
