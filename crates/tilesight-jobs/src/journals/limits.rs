//! Limits on the number and lifetime of journals.

use std::time::Duration;

/// Limits on the journals of a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalLimits {
    /// Time after its last change from which a journal may be removed.
    pub lifetime: Duration,
    /// Maximum number of journals.
    pub max_journals: usize,
    /// Maximum number of journals of one client.
    pub max_per_client: usize,
}

impl Default for JournalLimits {
    fn default() -> JournalLimits {
        JournalLimits {
            lifetime: Duration::from_secs(365 * 86_400),
            max_journals: 10_000,
            max_per_client: 2_500,
        }
    }
}
