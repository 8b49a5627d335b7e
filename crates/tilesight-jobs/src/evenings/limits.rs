//! Limits on how many games are kept, and for how long.

use std::time::Duration;

/// Counts and times of games, where the service keeps any.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameLimits {
    /// How long a game is kept after its last change.
    pub lifetime: Duration,
    /// Games at the same time.
    pub most: usize,
    /// The same of one client.
    pub each: usize,
}

impl Default for GameLimits {
    fn default() -> GameLimits {
        GameLimits { lifetime: Duration::from_secs(365 * 86_400), most: 10_000, each: 2_500 }
    }
}
