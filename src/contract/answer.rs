//! What every door answers to a photo: the reading, and beside it what was read and by what.
//!
//! The doors differ in one field: HTTP tells the id of the request, the command the file. Invariant:
//! `timings_ms` has an entry for each step and `total`, their sum.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::reading::ReadingDto;
use crate::explain::Lang;
use crate::pipeline::Reading;
use crate::pipeline::model::Manifest;

/// A reading and what belongs to it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnswerDto {
    /// The id of the request, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// The file that was read, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// What the photo was read as.
    pub reading: ReadingDto,
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
pub struct ImageDto {
    /// From left to right.
    pub width: u32,
    /// From top to bottom.
    pub height: u32,
}

/// The program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineDto {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// The networks, by the SHA-256 of their files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
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

/// The steps in their order, then `total`, in milliseconds with one digit: more would only be noise.
pub(crate) fn milliseconds<'a>(
    steps: &'a [(&'static str, Duration)],
) -> impl Iterator<Item = (&'static str, f64)> + 'a {
    let total = ("total", steps.iter().map(|(_, took)| *took).sum());
    let tenths = |took: Duration| (took.as_secs_f64() * 1e4).round() / 10.0;
    steps.iter().copied().chain([total]).map(move |(step, took)| (step, tenths(took)))
}
