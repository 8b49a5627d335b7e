//! Errors of the store.

use std::fmt;

/// Error of a call to a store.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The store can't be reached, or its disk fails: a retry may succeed.
    #[error("the store can't be reached: {reason}")]
    Unavailable {
        /// Message of the system.
        reason: String,
    },
    /// The settings of the store can't be used: the operator can fix them.
    #[error("{reason}")]
    Settings {
        /// Fault and remedy.
        reason: String,
    },
    /// The store has no space left: the operator can free some.
    #[error("the disk is full, or a limit on its use is reached")]
    Full,
    /// The stored data differs from what was written: the operator must restore it.
    #[error(
        "the store is corrupt: {reason}; stop the program and restore the folder from a backup, or \
         name another folder"
    )]
    Corrupt {
        /// Fault of the data.
        reason: String,
    },
    /// The store or the document was created by another version of the program: the operator can
    /// use that version.
    #[error(
        "another version of the program wrote this (its layout is {found}; this program knows \
         {known}): use that version, or start with an empty store"
    )]
    UnknownLayout {
        /// Layout of the store or the document.
        found: u32,
        /// Layout that this program knows.
        known: u32,
    },
    /// The job does not exist: it was deleted, it expired, or it was never created.
    #[error("there is no such job")]
    NoJob,
    /// The job accepts no more items: it was sealed or cancelled.
    #[error("the job takes no more items")]
    Sealed,
    /// The index is beyond the end of the job; the caller skipped items.
    #[error("the job has {total} items: the next one must follow them")]
    Gap {
        /// Number of items of the job.
        total: u64,
    },
    /// The document was changed by another caller in the meantime: load it again.
    #[error("modified concurrently; reload and retry")]
    Conflict,
}

impl StoreError {
    /// Returns an error that permits a retry, with the message of the system.
    pub fn unavailable(reason: &impl fmt::Display) -> StoreError {
        StoreError::Unavailable { reason: reason.to_string() }
    }

    /// Returns an error for data that can't be parsed.
    pub fn corrupt(reason: &impl fmt::Display) -> StoreError {
        StoreError::Corrupt { reason: reason.to_string() }
    }
}
