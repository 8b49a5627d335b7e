//! From a photo to a scored hand: a [`Reader`] whose methods are the stages.
//!
//! Input: the bytes of a photo, the circumstances of the win, a rule set. Output: a [`Reading`].
//! [`Reader::read`] composes the stages, and every stage can be run and looked at alone.
//! Invariant: a stage never calls the next one; a photo that shows no hand, or half of one, is a
//! reading with doubts and no error.

pub mod classify;
pub mod crop;
pub mod decode;
pub mod detect;
pub mod doubts;
pub mod geometry;
pub mod joint;
mod lacking;
pub mod layout;
pub mod mirror;
pub mod model;
mod reading;
pub mod refine;
pub mod rejoin;
pub mod resample;
mod table;
mod wins;

use std::time::{Duration, Instant};

pub use classify::{Faces, SeenTile};
pub use decode::{DecodeError, DecodeLimits, Photo};
pub use detect::Detection;
pub use joint::Decision;
pub use layout::Layout;
pub use model::{Model, ModelError, ModelPaths};
pub use reading::{Alternative, Doubt, DoubtKind, Ignored, ReadTile, Reading, Role, Status};
pub use table::TableReading;

use reading::Findings;

use crate::context::{ContextError, ContextSetup};
use crate::rules::{RulesError, RulesetId};

/// Why a photo cannot be read at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// The file is no usable photo: the sender can mend it.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// The circumstances contradict themselves: the sender can mend them.
    #[error(transparent)]
    Context(#[from] ContextError),
    /// The circumstances contradict the hand in the photo: the sender can mend them.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// The networks do not run: whoever runs the program can mend it.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// Reads photos. It is `Sync`: share one between threads.
#[derive(Debug)]
pub struct Reader {
    model: Box<dyn Model>,
    limits: DecodeLimits,
}

impl Reader {
    /// Loads ONNX Runtime and the networks.
    ///
    /// # Errors
    /// [`ModelError`] when something is missing or wrong; the message says what to run.
    pub fn load(paths: &ModelPaths) -> Result<Reader, ModelError> {
        Ok(Reader::with_model(model::Onnx::load(paths)?))
    }

    /// The same for so many photos at once, where that is not the number of cores.
    ///
    /// # Errors
    /// As [`Reader::load`].
    pub fn load_for(paths: &ModelPaths, at_once: usize) -> Result<Reader, ModelError> {
        Ok(Reader::with_model(model::Onnx::load_sessions(paths, at_once)?))
    }

    /// A reader with any model, for tests without weights.
    #[must_use]
    pub fn with_model(model: impl Model + 'static) -> Reader {
        Reader { model: Box::new(model), limits: DecodeLimits::default() }
    }

    /// The same reader with other limits on what it decodes.
    #[must_use]
    pub fn with_limits(self, limits: DecodeLimits) -> Reader {
        Reader { limits, ..self }
    }

    /// What it decodes.
    #[must_use]
    pub fn limits(&self) -> &DecodeLimits {
        &self.limits
    }

    /// The networks in use.
    #[must_use]
    pub fn model(&self) -> &dyn Model {
        self.model.as_ref()
    }

    /// Stage 1: bytes to an upright photo.
    ///
    /// # Errors
    /// [`DecodeError`] when the bytes are no usable photo.
    pub fn decode(&self, bytes: &[u8]) -> Result<Photo, DecodeError> {
        Photo::decode(bytes, &self.limits)
    }

    /// Stage 2: where the tiles are.
    ///
    /// # Errors
    /// [`ModelError`] when the network does not run.
    pub fn detect(&self, photo: &Photo) -> Result<Vec<Detection>, ModelError> {
        detect::detect(photo, self.model.as_ref())
    }

    /// Stage 3: where exactly their corners are.
    ///
    /// # Errors
    /// [`ModelError`] when the network does not run.
    pub fn refine(
        &self,
        photo: &Photo,
        tiles: Vec<Detection>,
    ) -> Result<Vec<Detection>, ModelError> {
        refine::refine(photo, tiles, self.model.as_ref())
    }

    /// Stage 4: what they show; tiles that were found in two halves are put together.
    ///
    /// # Errors
    /// [`ModelError`] when the network does not run.
    pub fn classify(
        &self,
        photo: &Photo,
        tiles: &[Detection],
    ) -> Result<Vec<SeenTile>, ModelError> {
        let seen = classify::classify(photo, tiles, self.model.as_ref())?;
        rejoin::rejoin(photo, seen, self.model.as_ref())
    }

    /// Stage 5: which of them are the hand, and as what parts.
    #[must_use]
    pub fn lay_out(&self, tiles: &[SeenTile], ruleset: RulesetId) -> Layout {
        layout::lay_out(tiles, ruleset)
    }

    /// Stage 6: the most probable hand that the tiles and their places explain.
    #[must_use]
    pub fn decide(&self, tiles: &[SeenTile], layout: &Layout) -> Decision {
        joint::decide(tiles, layout)
    }

    /// All stages: reads one photo and scores its hand.
    ///
    /// # Errors
    /// [`ReadError`] when the photo or the circumstances cannot be used. A photo without a hand
    /// is no error: it is a reading with the status [`Status::NoHand`].
    pub fn read(
        &self,
        bytes: &[u8],
        context: &ContextSetup,
        ruleset: RulesetId,
    ) -> Result<Reading, ReadError> {
        let judge = doubts::Judge::new(context, ruleset)?;
        let mut clock = Clock::start();
        let photo = clock.time("decode", || self.decode(bytes))?;
        let detections = clock.time("detect", || self.detect(&photo))?;
        let detections = clock.time("refine", || self.refine(&photo, detections))?;
        let tiles = clock.time("classify", || self.classify(&photo, &detections))?;
        let model = self.model.as_ref();
        let turned_back =
            clock.time("mirror", || mirror::turned_back(&photo, &detections, &tiles, model))?;
        let mirrored = turned_back.is_some();
        let tiles = turned_back.unwrap_or(tiles);
        let layout = clock.time("layout", || self.lay_out(&tiles, ruleset));
        let decision = clock.time("joint", || self.decide(&tiles, &layout));
        let decision = if context.has_not_won() { decision.not_won() } else { decision };
        let verdict = clock.time("score", || judge.judge(&tiles, &decision))?;
        let size = photo.size();
        let findings = Findings { size, mirrored, tiles, layout, decision, verdict };
        Ok(Reading::compose(findings, clock.laps))
    }
}

/// Measures the stages.
struct Clock {
    laps: Vec<(&'static str, Duration)>,
}

impl Clock {
    fn start() -> Clock {
        Clock { laps: Vec::new() }
    }

    fn time<T>(&mut self, stage: &'static str, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.laps.push((stage, start.elapsed()));
        result
    }
}
