//! Times in the form of the JSON: RFC 3339, in UTC, to the second.

use std::time::SystemTime;

/// Returns a time as text.
pub(crate) fn rfc3339(time: impl Into<SystemTime>) -> String {
    humantime::format_rfc3339_seconds(time.into()).to_string()
}
