//! Times as the stores hold them.

use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

/// Time in milliseconds since 1970, by the wall clock of its writer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Timestamp(pub u64);

impl Timestamp {
    /// Latest time; an integer that every store can hold.
    pub const NEVER: Timestamp = Timestamp(i64::MAX as u64);

    /// Returns the current time.
    #[must_use]
    pub fn now() -> Timestamp {
        Timestamp::from(SystemTime::now())
    }

    /// Returns the time that is later by a duration.
    #[must_use]
    pub fn saturating_add(self, time: Duration) -> Timestamp {
        let time = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Timestamp(self.0.saturating_add(time)).min(Timestamp::NEVER)
    }
}

impl From<SystemTime> for Timestamp {
    /// Converts a system time. A time before 1970 becomes 1970.
    fn from(time: SystemTime) -> Timestamp {
        let since = time.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Timestamp(0).saturating_add(since)
    }
}

impl From<Timestamp> for SystemTime {
    fn from(time: Timestamp) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_millis(time.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_does_not_run_over() {
        assert_eq!(Timestamp(5).saturating_add(Duration::from_millis(7)), Timestamp(12));
        assert_eq!(Timestamp(5).saturating_add(Duration::MAX), Timestamp::NEVER);
        assert_eq!(Timestamp::from(SystemTime::UNIX_EPOCH - Duration::from_secs(1)), Timestamp(0));
        assert_eq!(Timestamp::from(SystemTime::from(Timestamp(1500))), Timestamp(1500));
    }
}
