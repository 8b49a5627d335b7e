//! Mapping from failures between a process and NATS to errors of the store.
//!
//! Input: any error. Output: a [`StoreError`] that says whether a retry may succeed.

use std::fmt::Display;

use tilesight_jobs::StoreError;

/// Returns an error that permits a retry: there may be a leader, space or a network again later.
pub(super) fn unavailable(error: impl Display) -> StoreError {
    StoreError::unavailable(&error)
}

/// Returns an error for settings that no retry can fix.
pub(super) fn settings(error: &impl Display) -> StoreError {
    StoreError::Settings { reason: error.to_string() }
}
