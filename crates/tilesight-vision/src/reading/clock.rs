//! The durations of stages, by a clock that a host may provide.

use std::sync::{LazyLock, OnceLock};
use std::time::{Duration, Instant};

use tilesight_core::stop::checkpoint;

/// Function that is called when a stage begins and again when it ends. It returns the time since
/// the program started.
pub type StageClock = fn(stage: &'static str) -> Duration;

static STAGE_CLOCK: OnceLock<StageClock> = OnceLock::new();

/// Takes the time of stages from a host, which thereby learns the stage of a reading. In a browser
/// the program has no clock of its own. The first clock stays for the whole process.
pub fn set_stage_clock(clock: StageClock) {
    STAGE_CLOCK.get_or_init(|| clock);
}

/// Returns the time since the program started, at the beginning or end of a stage.
fn time_at(stage: &'static str) -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    STAGE_CLOCK.get().map_or_else(|| START.elapsed(), |clock| clock(stage))
}

/// Measures the stages.
#[derive(Debug)]
pub(crate) struct Clock {
    timings: Vec<(&'static str, Duration)>,
}

impl Clock {
    /// Starts with no durations.
    pub(crate) fn start() -> Clock {
        Clock { timings: Vec::new() }
    }

    /// Runs the work of a stage and records its duration. The durations of a stage that runs twice
    /// add up. A reading that nobody waits for ends between two stages.
    pub(crate) fn time<T>(&mut self, stage: &'static str, work: impl FnOnce() -> T) -> T {
        checkpoint();
        let start = time_at(stage);
        let result = work();
        self.add(stage, time_at(stage).saturating_sub(start));
        result
    }

    /// Adds the duration of a stage, for one of several photos.
    pub(crate) fn add(&mut self, stage: &'static str, took: Duration) {
        match self.timings.iter_mut().find(|(name, _)| *name == stage) {
            Some((_, all)) => *all += took,
            None => self.timings.push((stage, took)),
        }
    }

    /// Returns the durations so far.
    pub(crate) fn into_timings(self) -> Vec<(&'static str, Duration)> {
        self.timings
    }
}
