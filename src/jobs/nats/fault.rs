//! What went wrong between a process and NATS, as errors of the store.
//!
//! Input: any error. Output: a [`StoreError`] that says whether a later try may succeed.

use std::fmt::Display;

use crate::jobs::StoreError;

/// Whatever a server did not do may work later: there is a leader again, or room, or a network.
pub(super) fn unavailable(error: impl Display) -> StoreError {
    StoreError::unavailable(&error)
}

/// Settings that no later try makes better.
pub(super) fn settings(error: &impl Display) -> StoreError {
    StoreError::Settings { reason: error.to_string() }
}
