//! `models/manifest.json`: the networks, their hashes, and the format of their input.

use serde::{Deserialize, Serialize};
use tilesight_core::tile::Face;

use super::ModelError;
use super::hash::sha256_of;
use super::typical::TypicalFaces;

/// Manifest that this program was built with: its hashes of the networks are trusted, unless a
/// setting gives the hash of another manifest.
pub(super) const BUILT_IN: &[u8] = include_bytes!("../../../../models/manifest.json");

/// Content of the manifest, without the fields that only people read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// Network that finds tiles.
    pub detector: DetectorSpec,
    /// Network that refines the corners of tiles; without it they remain as the detector found
    /// them.
    pub refiner: Option<RefinerSpec>,
    /// Network that names tiles.
    pub classifier: ClassifierSpec,
    /// Larger network that names again the tiles that the classifier leaves in doubt; without it
    /// the classifier's names remain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub large_classifier: Option<LargeClassifierSpec>,
}

/// File and settings of the detector.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct DetectorSpec {
    /// Name of the file in the models folder.
    pub file: String,
    /// SHA-256 of the file in hexadecimal digits.
    pub sha256: String,
    /// Long sides of the pyramid, largest first.
    pub sizes: Vec<u32>,
    /// Minimum width of the faces that are searched at each size, in pixels of that size: narrower
    /// faces are seen better at the next larger size.
    pub min_width: Vec<f32>,
    /// Distance between cells in pixels.
    pub stride: u32,
    /// Minimum heat of a peak.
    pub threshold: f32,
}

/// Format of a network's crops.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct CropSpec {
    /// Height and width of a crop.
    pub input: [usize; 2],
    /// Size of the crop relative to the quad.
    pub margin: f32,
}

/// File and settings of the refiner.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RefinerSpec {
    /// Name of the file in the models folder.
    pub file: String,
    /// SHA-256 of the file in hexadecimal digits.
    pub sha256: String,
    /// Format of the crops: a tile with its surroundings.
    #[serde(flatten)]
    pub crop: CropSpec,
}

/// File and settings of the classifier.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ClassifierSpec {
    /// Name of the file in the models folder.
    pub file: String,
    /// SHA-256 of the file in hexadecimal digits.
    pub sha256: String,
    /// Format of the crops: a face.
    #[serde(flatten)]
    pub crop: CropSpec,
    /// Classes in the order of the outputs.
    pub classes: Vec<String>,
    /// Divisor of the logits, which calibrates the probabilities.
    #[serde(default = "one")]
    pub temperature: f32,
    /// Whether the networks were trained only on dark ink on light bodies, so that dark sets are
    /// inverted for them; true by default.
    #[serde(default = "yes")]
    pub to_light: bool,
    /// Length of the embedding that the network gives beside its answers; without one, no tile set
    /// can be learned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedding: Option<usize>,
    /// Typical embeddings of the faces; without them, no tiles count as unfamiliar.
    #[serde(default, skip_serializing_if = "TypicalFaces::is_empty")]
    pub typical: TypicalFaces,
}

/// File and settings of the large classifier. It gets the classifier's crops and has its classes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LargeClassifierSpec {
    /// Name of the file in the models folder.
    pub file: String,
    /// SHA-256 of the file in hexadecimal digits.
    pub sha256: String,
    /// Format of the crops: that of the classifier.
    #[serde(flatten)]
    pub crop: CropSpec,
    /// Classes in the order of the outputs: those of the classifier, in which case they may be left
    /// out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classes: Option<Vec<String>>,
    /// Divisor of the logits, which calibrates the probabilities.
    #[serde(default = "one")]
    pub temperature: f32,
}

fn yes() -> bool {
    true
}

fn one() -> f32 {
    1.0
}

impl Manifest {
    /// Returns the manifest that this program was built with.
    ///
    /// # Errors
    /// Never in a program whose tests passed, because a test reads the manifest.
    pub fn built_in() -> Result<Manifest, ModelError> {
        Manifest::read(BUILT_IN, "build the program again")
    }

    /// Parses and checks a manifest; `advice` is added to errors.
    pub(super) fn read(json: &[u8], advice: &'static str) -> Result<Manifest, ModelError> {
        let parsed: Result<Manifest, String> =
            serde_json::from_slice(json).map_err(|error| error.to_string());
        let checked = parsed.and_then(|manifest| manifest.check().map(|()| manifest));
        checked.map_err(|reason| ModelError::BadManifest { reason, advice })
    }

    /// Returns whether the bytes are those of a network, by its hash.
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
        if self.classifier.embedding == Some(0) {
            return Err("`embedding` must be positive where it is given".to_owned());
        }
        let ClassifierSpec { embedding, classes, typical, .. } = &self.classifier;
        typical.check(embedding.unwrap_or_default(), classes)?;
        let large = self.large_classifier.as_ref();
        // A zero or negative temperature would reverse the order of the candidates.
        let mut temperatures =
            std::iter::once(self.classifier.temperature).chain(large.map(|it| it.temperature));
        if temperatures.any(|temperature| temperature <= 0.0) {
            return Err("`temperature` must be positive".to_owned());
        }
        if let Some(large) = large {
            self.check_large(large)?;
        }
        let mut faces = self.classifier.classes.iter().filter(|name| *name != NOT_A_FACE);
        match faces.find(|name| name.parse::<Face>().is_err()) {
            Some(name) => Err(format!("`{name}` in `classes` is not a face")),
            None => Ok(()),
        }
    }

    /// Checks that the large classifier can take the classifier's crops and give its classes.
    fn check_large(&self, large: &LargeClassifierSpec) -> Result<(), String> {
        if large.crop != self.classifier.crop {
            return Err(
                "`input` and `margin` of `large_classifier` differ from those of `classifier`"
                    .to_owned(),
            );
        }
        if large.classes.as_ref().is_some_and(|classes| *classes != self.classifier.classes) {
            return Err(
                "`classes` of `large_classifier` differ from those of `classifier`".to_owned()
            );
        }
        Ok(())
    }

    /// Returns the face of each class; `None` is "not a face".
    pub fn faces(&self) -> impl Iterator<Item = Option<Face>> + '_ {
        self.classifier.classes.iter().map(|name| name.parse().ok())
    }

    /// Returns how much a crop with these logits and this embedding looks like the typical face of
    /// its name, if one is known: a cosine.
    pub(crate) fn likeness(&self, logits: &[f32], embedding: &[f32]) -> Option<f32> {
        let ClassifierSpec { typical, classes, .. } = &self.classifier;
        typical.likeness(classes, logits, embedding)
    }

    /// Returns every network's kind, file and SHA-256, in the order of the stages; the large
    /// classifier is the last one.
    pub fn networks(&self) -> impl Iterator<Item = (&'static str, &str, &str)> {
        let detector = ("detector", self.detector.file.as_str(), self.detector.sha256.as_str());
        let refiner = self.refiner.iter().map(|r| ("refiner", r.file.as_str(), r.sha256.as_str()));
        let classifier =
            ("classifier", self.classifier.file.as_str(), self.classifier.sha256.as_str());
        let large = self
            .large_classifier
            .iter()
            .map(|it| (LARGE_CLASSIFIER, it.file.as_str(), it.sha256.as_str()));
        std::iter::once(detector).chain(refiner).chain(std::iter::once(classifier)).chain(large)
    }
}

/// Kind of the large classifier, as the manifest names it.
pub(super) const LARGE_CLASSIFIER: &str = "large_classifier";

/// The class that stands for tile sides, blur and other objects.
const NOT_A_FACE: &str = "none";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::networks::Model as _;
    use crate::networks::fake::PaintedModel;

    /// Returns a manifest whose large classifier was changed, read from its JSON.
    fn read(change: impl FnOnce(&mut LargeClassifierSpec)) -> Result<Manifest, ModelError> {
        let mut manifest = PaintedModel::with_large_classifier().manifest().clone();
        change(manifest.large_classifier.as_mut().expect("there is one"));
        Manifest::read(&serde_json::to_vec(&manifest).expect("plain values"), "")
    }

    #[test]
    fn the_large_classifier_is_the_last_network() {
        let manifest = read(|_| ()).expect("a manifest");
        let kinds: Vec<&str> = manifest.networks().map(|(kind, ..)| kind).collect();
        assert_eq!(kinds, ["detector", "refiner", "classifier", "large_classifier"]);
        let painted = PaintedModel::default();
        assert!(painted.manifest().networks().all(|(kind, ..)| kind != LARGE_CLASSIFIER));
        let json = serde_json::to_string(painted.manifest()).expect("plain values");
        assert!(!json.contains(LARGE_CLASSIFIER), "keys of tasks stay without one: {json}");
    }

    #[test]
    fn the_large_classifier_takes_the_classifiers_crops_and_has_its_classes() {
        let classes = PaintedModel::default().manifest().classifier.classes.clone();
        assert!(read(|large| large.classes = Some(classes.clone())).is_ok());
        let turned = classes.iter().rev().cloned().collect();
        let error = read(|large| large.classes = Some(turned)).expect_err("other classes");
        assert!(error.to_string().contains("`classes` of `large_classifier`"), "{error}");
        let error = read(|large| large.crop.margin += 0.1).expect_err("other crops");
        assert!(error.to_string().contains("`margin` of `large_classifier`"), "{error}");
        assert!(read(|large| large.temperature = 0.0).is_err());
    }
}
