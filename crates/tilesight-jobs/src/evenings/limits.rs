//! Limits on the number and lifetime of evenings.

use std::time::Duration;

/// Limits on the evenings of a service.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EveningLimits {
    /// Time after its last change from which an evening may be removed.
    pub lifetime: Duration,
    /// Maximum number of evenings.
    pub max_evenings: usize,
    /// Maximum number of evenings of one client.
    pub max_per_client: usize,
}

impl Default for EveningLimits {
    fn default() -> EveningLimits {
        EveningLimits {
            lifetime: Duration::from_secs(365 * 86_400),
            max_evenings: 10_000,
            max_per_client: 2_500,
        }
    }
}
