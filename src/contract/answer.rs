//! What every door answers to a photo: the reading, and beside it what was read and by what.
//!
//! The doors differ in one field: HTTP tells the id of the request, the command the file. Invariant:
//! `timings_ms` has an entry for each step and `total`, their sum.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::reading::ReadingDto;
use super::scores::{RulesetScoreDto, side_by_side_read};
use crate::explain::Lang;
use crate::hand::HandSetup;
use crate::pipeline::Reading;
use crate::pipeline::model::Manifest;
use crate::rules::RulesetId;

/// A reading and what belongs to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = Answer))]
pub struct AnswerDto {
    /// The id of the request, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The file that was read, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// What the photo was read as.
    pub reading: ReadingDto,
    /// What the hand scores by each rule set that was asked for, where several were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<Vec<RulesetScoreDto>>,
    /// The upright photo, in whose pixels polygons are given.
    pub image: ImageDto,
    /// The program.
    pub engine: EngineDto,
    /// The networks.
    pub models: ModelsDto,
    /// How long each step took, in milliseconds.
    pub timings_ms: BTreeMap<String, f64>,
}

/// The size of the upright photo in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = Image))]
pub struct ImageDto {
    /// From left to right.
    pub width: u32,
    /// From top to bottom.
    pub height: u32,
}

/// The program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = Engine))]
pub struct EngineDto {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// The networks, by the SHA-256 of their files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = Models))]
pub struct ModelsDto {
    /// What finds tiles.
    pub detector: String,
    /// What mends their corners, where there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub refiner: Option<String>,
    /// What names them.
    pub classifier: String,
}

impl AnswerDto {
    /// The answer with the time that each step took; neither file nor request is named yet.
    #[must_use]
    pub fn new(
        reading: &Reading,
        manifest: &Manifest,
        steps: &[(&'static str, Duration)],
        lang: Lang,
    ) -> AnswerDto {
        let (width, height) = reading.size;
        AnswerDto {
            request_id: None,
            file: None,
            reading: ReadingDto::new(reading, lang),
            scores: None,
            image: ImageDto { width, height },
            engine: EngineDto {
                name: env!("CARGO_PKG_NAME").to_owned(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
            },
            models: ModelsDto {
                detector: manifest.detector.sha256.clone(),
                refiner: manifest.refiner.as_ref().map(|refiner| refiner.sha256.clone()),
                classifier: manifest.classifier.sha256.clone(),
            },
            timings_ms: milliseconds(steps).map(|(step, took)| (step.to_owned(), took)).collect(),
        }
    }
}

impl AnswerDto {
    /// The same with the hand scored by several rule sets side by side.
    ///
    /// One reading is scored: where rule sets lay tiles differently, it was laid out by the one that
    /// the reading's own score is by.
    #[must_use]
    pub fn side_by_side(self, reading: &Reading, rulesets: &[RulesetId], lang: Lang) -> AnswerDto {
        let circumstances = (&reading.context, reading.assumed.as_slice());
        let scores = side_by_side_read(&with_winning_tile(reading), circumstances, rulesets, lang);
        AnswerDto { scores: Some(scores), ..self }
    }
}

/// The hand that the reading's own score is of: the supposed winning tile is one of the concealed.
fn with_winning_tile(reading: &Reading) -> HandSetup {
    let mut setup = reading.hand.clone();
    if setup.winning.is_none()
        && let Some(at) =
            setup.concealed.iter().rposition(|&tile| Some(tile) == reading.supposed_winning)
    {
        setup.winning = Some(setup.concealed.remove(at));
    }
    setup
}

/// The steps in their order, then `total`, in milliseconds with one digit: more would only be noise.
pub(crate) fn milliseconds<'a>(
    steps: &'a [(&'static str, Duration)],
) -> impl Iterator<Item = (&'static str, f64)> + 'a {
    let total = ("total", steps.iter().map(|(_, took)| *took).sum());
    let tenths = |took: Duration| (took.as_secs_f64() * 1e4).round() / 10.0;
    steps.iter().copied().chain([total]).map(move |(step, took)| (step, tenths(took)))
}
