//! The results of every stage for one photo.
//!
//! Input: an [`Observation`], which holds the results of the pixel stages, its [`Interpretation`],
//! a scorer for the win context, and the location given for the hand. Output: a [`Trace`], from
//! which a reading is composed, single stages are printed and the evaluation replays photos.
//! Invariant: this is the only place that composes decision and verdict, so that all front ends
//! read alike.

use std::time::Duration;

use tilesight_core::context::{ContextError, ContextSetup};
use tilesight_core::rules::RulesError;

use super::clock::Clock;
use super::interpretation::{Interpretation, InterpretedPhoto};
use super::observation::Observation;
use crate::decide::doubts::{HandScorer, Verdict};
use crate::decide::joint::Decision;
use crate::layout::Layout;
use crate::options::ReadOptions;

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
        let photo = InterpretedPhoto::new(&scorer, &options, observation);
        Ok(Trace::with_scorer(&scorer, options, photo, Clock::start()))
    }

    /// Scores a photo with a given scorer and the options that it was interpreted with, after the
    /// timings of the earlier stages.
    pub(crate) fn with_scorer(
        scorer: &HandScorer,
        options: ReadOptions,
        photo: InterpretedPhoto,
        mut clock: Clock,
    ) -> Trace {
        let InterpretedPhoto { observation, interpretation } = photo;
        let Interpretation { layout, decision, timings } = interpretation;
        timings.into_iter().for_each(|(stage, took)| clock.add(stage, took));
        let tiles = observation.tiles();
        let options = observation.options_in_tiles(options);
        let decision = if scorer.expects_a_win() { decision } else { decision.not_won() };
        let verdict = clock.time("score", || scorer.assess(tiles, &decision));
        let in_region = options
            .region
            .map(|region| tiles.iter().filter(|tile| region.contains(tile.quad.centre())).count());
        Trace { observation, layout, decision, verdict, in_region, timings: clock.into_timings() }
    }
}
