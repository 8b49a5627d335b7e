//! `models/manifest.json`: which networks there are, their hashes, and how they want their input.

use serde::{Deserialize, Serialize};
use tilesight_core::tile::Face;

use super::ModelError;
use super::hash::sha256_of;
use crate::pixels::crop::CropSpec;

/// The manifest that this program was built with: its hashes of the networks are trusted, unless a
/// setting gives the hash of another manifest.
pub(super) const BUILT_IN: &[u8] = include_bytes!("../../../../models/manifest.json");

/// The manifest's content; fields that only people read are left out.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The network that finds tiles.
    pub detector: DetectorSpec,
    /// The network that corrects their corners; without one they stay as they were found.
    pub refiner: Option<RefinerSpec>,
    /// The network that names them.
    pub classifier: ClassifierSpec,
}

/// The detector's file and settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DetectorSpec {
    /// The file's name in the models folder.
    pub file: String,
    /// Its SHA-256 in hexadecimal digits.
    pub sha256: String,
    /// The long sides of the pyramid, largest first.
    pub sizes: Vec<u32>,
    /// For each size the narrowest face that is searched at it, in its pixels: narrower ones are
    /// seen better at the next larger size.
    pub min_width: Vec<f32>,
    /// Pixels between cells.
    pub stride: u32,
    /// The least heat of a peak.
    pub threshold: f32,
}

/// The refiner's file and settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RefinerSpec {
    /// The file's name in the models folder.
    pub file: String,
    /// Its SHA-256 in hexadecimal digits.
    pub sha256: String,
    /// How it wants a tile with its surroundings.
    #[serde(flatten)]
    pub crop: CropSpec,
}

/// The classifier's file and settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClassifierSpec {
    /// The file's name in the models folder.
    pub file: String,
    /// Its SHA-256 in hexadecimal digits.
    pub sha256: String,
    /// How it wants a face.
    #[serde(flatten)]
    pub crop: CropSpec,
    /// The classes in the order of the outputs.
    pub classes: Vec<String>,
    /// What logits are divided by, so that probabilities are calibrated.
    #[serde(default = "one")]
    pub temperature: f32,
    /// Whether the networks know dark ink on light bodies alone, so that dark sets are inverted for
    /// them; true by default.
    #[serde(default = "yes")]
    pub to_light: bool,
}

fn yes() -> bool {
    true
}

fn one() -> f32 {
    1.0
}

impl Manifest {
    /// The manifest that this program was built with.
    ///
    /// # Errors
    /// None in a program whose tests passed: one of them reads it.
    pub fn built_in() -> Result<Manifest, ModelError> {
        Manifest::read(BUILT_IN, "build the program again")
    }

    pub fn read(json: &[u8], advice: &'static str) -> Result<Manifest, ModelError> {
        let bad = |reason| ModelError::BadManifest { reason, advice };
        let manifest: Manifest =
            serde_json::from_slice(json).map_err(|error| bad(error.to_string()))?;
        manifest.check().map_err(bad)?;
        Ok(manifest)
    }

    /// Whether these bytes are those of a network, by its hash.
    #[must_use]
    pub fn is_network(&self, network: &str, bytes: &[u8]) -> bool {
        let mut networks = self.networks();
        networks.any(|(name, _, sha256)| {
            name == network && sha256_of(bytes).eq_ignore_ascii_case(sha256)
        })
    }

    fn check(&self) -> Result<(), String> {
        if self.detector.stride != 8 {
            return Err(format!("`stride` is {}, expected 8", self.detector.stride));
        }
        if self.detector.sizes.is_empty() || self.detector.sizes.iter().any(|&size| size < 32) {
            return Err("`sizes` is empty or has one below 32".to_owned());
        }
        if self.detector.min_width.len() != self.detector.sizes.len() {
            return Err("`min_width` has not one number for each of `sizes`".to_owned());
        }
        let crops =
            std::iter::once(&self.classifier.crop).chain(self.refiner.iter().map(|r| &r.crop));
        for crop in crops {
            if crop.input.contains(&0) || crop.margin <= 0.0 {
                return Err("`input` and `margin` of a crop must be positive".to_owned());
            }
        }
        // A zero or negative temperature would reverse the order of the candidates.
        if self.classifier.temperature <= 0.0 {
            return Err("`temperature` must be positive".to_owned());
        }
        let unknown = |name: &&String| *name != NOT_A_FACE && name.parse::<Face>().is_err();
        match self.classifier.classes.iter().find(unknown) {
            Some(name) => Err(format!("`{name}` in `classes` is not a face")),
            None => Ok(()),
        }
    }

    /// What the classes mean; `None` is "not a face".
    pub fn faces(&self) -> impl Iterator<Item = Option<Face>> + '_ {
        self.classifier.classes.iter().map(|name| name.parse().ok())
    }

    /// Every network's kind, file and SHA-256, in the order of the stages.
    pub fn networks(&self) -> impl Iterator<Item = (&'static str, &str, &str)> {
        let detector = ("detector", self.detector.file.as_str(), self.detector.sha256.as_str());
        let refiner = self.refiner.iter().map(|r| ("refiner", r.file.as_str(), r.sha256.as_str()));
        let classifier =
            ("classifier", self.classifier.file.as_str(), self.classifier.sha256.as_str());
        std::iter::once(detector).chain(refiner).chain(std::iter::once(classifier))
    }
}

/// The class that stands for tile sides, blur and other objects.
const NOT_A_FACE: &str = "none";
