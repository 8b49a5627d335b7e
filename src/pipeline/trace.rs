//! The results of every stage for one photo.
//!
//! Input: a [`Sight`], which is what the pixel stages found, a judge for the win context, and where
//! the hand was said to be. Output: a [`Trace`], from which a reading is composed, single stages
//! are printed and the evaluation replays photos. Invariant: this is the only place that composes
//! layout, choice and verdict, so that all front ends read alike.

use std::sync::{LazyLock, OnceLock};
use std::time::{Duration, Instant};

use tilesight_core::context::{ContextError, ContextSetup};
use tilesight_core::rules::RulesError;

use super::classify::SeenTile;
use super::detect::Detection;
use super::doubts::{Judge, Verdict};
use super::geometry::Point;
use super::joint::{self, Decision};
use super::layout::{self, Layout};
use super::mirror;
use super::options::ReadOptions;
use super::together::Together;

/// What the pixel stages found.
#[derive(Debug, Clone, Default)]
pub struct Sight {
    /// Width and height of the upright photo.
    pub size: (u32, u32),
    /// Where tiles were found.
    pub detections: Vec<Detection>,
    /// The same after a closer look at their corners.
    pub refined: Vec<Detection>,
    /// What they show in the photo as it was sent, with halves of a tile joined.
    pub classified: Vec<SeenTile>,
    /// If the photo is mirrored: the tiles as they really lie, in the pixels of the photo mirrored
    /// back.
    pub turned_back: Option<Vec<SeenTile>>,
    /// Where several photos of the hand were put together: which of them shows which tile.
    pub together: Option<Together>,
}

impl Sight {
    /// The sight of tiles that are known already, such as those of a replay in which some are
    /// corrected.
    #[must_use]
    pub fn of_tiles(size: (u32, u32), tiles: Vec<SeenTile>) -> Sight {
        Sight { size, classified: tiles, ..Sight::default() }
    }

    /// Whether the photo is mirrored.
    #[must_use]
    pub fn is_mirrored(&self) -> bool {
        self.turned_back.is_some()
    }

    /// The tiles that the hand is read from: all later stages' indices point into them.
    #[must_use]
    pub fn tiles(&self) -> &[SeenTile] {
        self.turned_back.as_deref().unwrap_or(&self.classified)
    }

    /// The same with their outlines where the photo shows them.
    #[must_use]
    pub fn shown_tiles(&self) -> Vec<SeenTile> {
        let tiles = self.tiles().iter().cloned();
        match self.turned_back {
            Some(_) => tiles.map(|tile| mirror::into_mirror(tile, self.size.0)).collect(),
            None => tiles.collect(),
        }
    }

    /// Maps a point of the photo as it was sent to the pixels of the tiles.
    fn to_tiles(&self, shown: Point) -> Point {
        match self.turned_back {
            Some(_) => Point::new(self.size.0 as f32 - shown.x, shown.y),
            None => shown,
        }
    }

    /// The options with their points in the pixels of the tiles.
    pub(super) fn options_in_tiles(&self, options: ReadOptions) -> ReadOptions {
        ReadOptions {
            focus: options.focus.map(|shown| self.to_tiles(shown)),
            region: options.region.map(|shown| shown.map(|corner| self.to_tiles(corner))),
            ..options
        }
    }

    /// The same in the photo's own pixels, of tiles in pixels that are so many times larger.
    pub(super) fn enlarged(self, factor: f32) -> Sight {
        let found = |tile: Detection| tile.scaled(factor);
        let seen = |tile: SeenTile| SeenTile { quad: tile.quad.scaled(factor), ..tile };
        Sight {
            detections: self.detections.into_iter().map(found).collect(),
            refined: self.refined.into_iter().map(found).collect(),
            classified: self.classified.into_iter().map(seen).collect(),
            turned_back: self.turned_back.map(|tiles| tiles.into_iter().map(seen).collect()),
            ..self
        }
    }

    /// The same photo with the tiles that several photos show.
    pub(super) fn with_tiles(self, tiles: Vec<SeenTile>, together: Together) -> Sight {
        let together = Some(together);
        match self.turned_back {
            Some(_) => Sight { turned_back: Some(tiles), together, ..self },
            None => Sight { classified: tiles, together, ..self },
        }
    }

    /// The same without what several photos show, which comes apart.
    pub(super) fn without_looks(self) -> (Sight, Option<Together>) {
        let Sight { together, .. } = self;
        (Sight { together: None, ..self }, together)
    }

    /// The same as [`Sight::tiles`], by value.
    pub(super) fn into_tiles(self) -> Vec<SeenTile> {
        self.turned_back.unwrap_or(self.classified)
    }
}

/// The results of every stage for one photo.
#[derive(Debug)]
pub struct Trace {
    /// What the pixel stages found.
    pub sight: Sight,
    /// Which of the tiles are the hand, and as what parts.
    pub layout: Layout,
    /// The hands that were weighed.
    pub decision: Decision,
    /// The score and the doubts, or why the win context cannot be true of this hand.
    pub verdict: Result<Verdict, RulesError>,
    /// How many of the tiles lie in the region, where one was given.
    pub in_region: Option<usize>,
    /// How long each stage took, in the order of the stages.
    pub timings: Vec<(&'static str, Duration)>,
}

impl Trace {
    /// Runs the stages after the pixels on a sight.
    ///
    /// # Errors
    /// [`ContextError`] when the win context contradicts itself.
    pub fn of(
        sight: Sight,
        context: &ContextSetup,
        options: impl Into<ReadOptions>,
    ) -> Result<Trace, ContextError> {
        let options = options.into();
        let judge = Judge::new(context, &options.ruleset)?;
        Ok(Trace::with_judge(&judge, options, sight, Clock::start()))
    }

    /// The same with a judge, and with the timings of the stages before.
    pub(super) fn with_judge(
        judge: &Judge,
        options: ReadOptions,
        sight: Sight,
        mut clock: Clock,
    ) -> Trace {
        let (tiles, options) = (sight.tiles(), sight.options_in_tiles(options));
        let params = judge.params();
        let layout = clock.time("layout", || layout::lay_out_with(tiles, &options, params));
        let decision = clock.time("joint", || joint::decide_with(tiles, &layout, &params.joint));
        let decision = if judge.expects_a_win() { decision } else { decision.not_won() };
        let verdict = clock.time("score", || judge.judge(tiles, &decision));
        let in_region = options
            .region
            .map(|region| tiles.iter().filter(|tile| region.contains(tile.quad.centre())).count());
        Trace { sight, layout, decision, verdict, in_region, timings: clock.timings }
    }
}

/// What is asked for the time when a stage begins, and again when it ends: how long the program
/// runs by then.
pub type StageClock = fn(stage: &'static str) -> Duration;

static STAGE_CLOCK: OnceLock<StageClock> = OnceLock::new();

/// Takes the time of stages from a host, which learns at which stage a reading is: in a browser the
/// program has no clock of its own. The first one stays for the whole process.
pub fn set_stage_clock(clock: StageClock) {
    STAGE_CLOCK.get_or_init(|| clock);
}

/// How long the program runs, when it has come to this point of a stage.
fn time_at(stage: &'static str) -> Duration {
    static START: LazyLock<Instant> = LazyLock::new(Instant::now);
    STAGE_CLOCK.get().map_or_else(|| START.elapsed(), |clock| clock(stage))
}

/// Measures the stages.
#[derive(Debug)]
pub(super) struct Clock {
    timings: Vec<(&'static str, Duration)>,
}

impl Clock {
    pub(super) fn start() -> Clock {
        Clock { timings: Vec::new() }
    }

    /// The time of work for a stage; of a stage that works twice, both times together.
    pub(super) fn time<T>(&mut self, stage: &'static str, work: impl FnOnce() -> T) -> T {
        let start = time_at(stage);
        let result = work();
        self.add(stage, time_at(stage).saturating_sub(start));
        result
    }

    /// Adds the time that a stage took, for one of several photos.
    pub(super) fn add(&mut self, stage: &'static str, took: Duration) {
        match self.timings.iter_mut().find(|(name, _)| *name == stage) {
            Some((_, all)) => *all += took,
            None => self.timings.push((stage, took)),
        }
    }

    /// The times so far.
    pub(super) fn into_timings(self) -> Vec<(&'static str, Duration)> {
        self.timings
    }
}
