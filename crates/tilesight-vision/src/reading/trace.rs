//! The results of every stage for one photo.
//!
//! Input: an [`Observation`], which holds the results of the pixel stages, a scorer for the win
//! context, and the location given for the hand. Output: a [`Trace`], from which a reading is
//! composed, single stages are printed and the evaluation replays photos. Invariant: this is the
//! only place that composes layout, choice and verdict, so that all front ends read alike.

use std::sync::{LazyLock, OnceLock};
use std::time::{Duration, Instant};

use tilesight_core::context::{ContextError, ContextSetup};
use tilesight_core::hand::HandSetup;
use tilesight_core::meld::{KongKind, Meld};
use tilesight_core::rules::RulesError;
use tilesight_core::stop::checkpoint;
use tilesight_core::tile::Tile;

use super::observation::Observation;
use crate::decide::doubts::{HandScorer, Verdict, count_hidden_kongs};
use crate::decide::joint::{self, Candidate, Decision};
use crate::layout::{self, Layout};
use crate::options::ReadOptions;
use crate::wins::wins;

/// The results of every stage for one photo.
#[derive(Debug)]
pub struct Trace {
    /// Results of the pixel stages.
    pub observation: Observation,
    /// The hand's tiles and their possible parts.
    pub layout: Layout,
    /// Hands that were weighed.
    pub decision: Decision,
    /// Score and doubts, or the error that the win context contradicts this hand.
    pub verdict: Result<Verdict, RulesError>,
    /// Number of tiles in the region, if one was given.
    pub in_region: Option<usize>,
    /// Duration of each stage, in the order of the stages.
    pub timings: Vec<(&'static str, Duration)>,
}

impl Trace {
    /// Runs the stages after the pixels on an observation.
    ///
    /// # Errors
    /// [`ContextError`] if the win context contradicts itself.
    pub fn new(
        observation: Observation,
        context: &ContextSetup,
        options: impl Into<ReadOptions>,
    ) -> Result<Trace, ContextError> {
        let options = options.into();
        let scorer = HandScorer::new(context, &options.ruleset)?;
        Ok(Trace::with_scorer(&scorer, options, observation, Clock::start()))
    }

    /// Like [`Trace::new`], with a given scorer, and with the timings of the earlier stages.
    pub(crate) fn with_scorer(
        scorer: &HandScorer,
        options: ReadOptions,
        observation: Observation,
        mut clock: Clock,
    ) -> Trace {
        let tiles = observation.tiles();
        let options = observation.options_in_tiles(options);
        let params = scorer.params();
        let won = scorer.expects_a_win();
        let layout = clock.time("layout", || layout::lay_out_with(tiles, &options, won, params));
        let decided = clock.time("joint", || joint::decide_with(tiles, &layout, &params.joint));
        let decision = if won { decided } else { decided.not_won() };
        let verdict = clock.time("score", || scorer.assess(tiles, &decision));
        let in_region = options
            .region
            .map(|region| tiles.iter().filter(|tile| region.contains(tile.quad.centre())).count());
        Trace { observation, layout, decision, verdict, in_region, timings: clock.timings }
    }
}

/// The tiles that a hand explains; those of a whole hand count more than any others.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd)]
pub(crate) struct ExplainedTiles {
    /// Whether no tile of the hand is missing: it wins, or waits for its last tile if its player
    /// did not win.
    pub(crate) is_whole_hand: bool,
    /// Number of the hand's tiles that are expected to be named right.
    named: f32,
}

impl ExplainedTiles {
    /// Finds the most probable hand among the tiles that were observed.
    pub(crate) fn new(
        scorer: &HandScorer,
        options: &ReadOptions,
        observation: &Observation,
    ) -> ExplainedTiles {
        let tiles = observation.tiles();
        let options = observation.options_in_tiles(options.clone());
        let params = scorer.params();
        let layout = layout::lay_out_with(tiles, &options, scorer.expects_a_win(), params);
        let Some(best) = joint::decide_with(tiles, &layout, &params.joint).best else {
            return ExplainedTiles { is_whole_hand: false, named: 0.0 };
        };
        let hand = with_hidden_kongs(&best);
        let is_whole_hand = if scorer.expects_a_win() {
            wins(&hand, &options.ruleset)
        } else {
            count(&hand) >= WAITING_TILES
        };
        let named =
            best.faces.iter().map(|&(i, face)| tiles[i].faces.probability(Some(face))).sum();
        ExplainedTiles { is_whole_hand, named }
    }
}

/// Returns the hand, in which each kong that shows only backs is of some kind that it does not have
/// yet: its kind is asked about, and no tile of it is missing.
fn with_hidden_kongs(best: &Candidate) -> HandSetup {
    let seen = best.setup.all();
    let unseen = Tile::ALL.into_iter().filter(|&tile| seen.count(tile) == 0);
    let kongs = unseen.map(|tile| Meld::Kong { tile, kind: KongKind::Concealed });
    let mut hand = best.setup.clone();
    hand.melds.extend(kongs.take(count_hidden_kongs(best)));
    hand
}

/// Returns the number of tiles of a hand, a kong counted as three.
fn count(hand: &HandSetup) -> usize {
    hand.concealed.len() + hand.winning.iter().len() + 3 * hand.melds.len()
}

/// Number of tiles of a hand that waits for its last one, a kong counted as three.
const WAITING_TILES: usize = 13;

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
