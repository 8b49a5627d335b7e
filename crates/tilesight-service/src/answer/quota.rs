//! Quota of a key that a request would exceed.
//!
//! Invariant: a new kind does not compile without its texts.

/// Kind of a quota.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QuotaKind {
    /// Photos a day.
    PhotosADay,
    /// Photos a month.
    PhotosAMonth,
    /// Requests a day.
    RequestsADay,
    /// Requests a month.
    RequestsAMonth,
}

/// Quota that would be exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct QuotaReached {
    /// Kind of the quota.
    pub(crate) kind: QuotaKind,
    /// Maximum number.
    pub(crate) max: u64,
    /// Seconds until the next day or month.
    pub(crate) wait: u64,
}
