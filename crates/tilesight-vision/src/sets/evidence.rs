//! The classifier's answer together with a set's prototypes.
//!
//! Input: a [`Model`] and an [`OwnSet`] that was learned with its classifier. Output: a [`Model`]
//! whose classifiers count both: for each class the logarithm of the network's probability plus a
//! weight times the best cosine of the class's prototypes. The evidence counts in full in a
//! weighted mean of both classifiers, since it is added to each; the large one weighs more in it
//! than without a set. Invariant: only the classes and that weight change, so that every stage uses
//! the networks as it does without a set.

use tilesight_core::tile::Face;

use super::error::SetError;
use super::own_set::OwnSet;
use crate::networks::{
    Cells, ClassifierRows, Corners, DetectorMaps, Device, Manifest, Model, ModelError, Planes,
    cosine,
};
use crate::params::SetParams;

const PARAMS: SetParams = SetParams::DEFAULT;

/// Networks with a set.
#[derive(Debug)]
pub struct SetModel<'a> {
    model: &'a dyn Model,
    set: &'a OwnSet,
    /// For each face of the set, the class that it is evidence for.
    classes: Vec<Option<usize>>,
}

impl<'a> SetModel<'a> {
    /// Creates a model whose classifier counts a set too.
    ///
    /// # Errors
    /// [`SetError`] if the set was learned with another classifier.
    pub fn new(model: &'a dyn Model, set: &'a OwnSet) -> Result<SetModel<'a>, SetError> {
        let spec = &model.manifest().classifier;
        let is_same = set.classifier().eq_ignore_ascii_case(&spec.sha256);
        if spec.embedding != Some(set.length()) || !is_same {
            return Err(SetError::OtherClassifier { name: set.name().clone() });
        }
        let faces: Vec<Option<Face>> = model.manifest().faces().collect();
        // A further face is not a face that rule sets know.
        let labels = set.faces().iter().map(|face| face.label().face());
        let classes = labels.map(|label| faces.iter().position(|face| *face == label)).collect();
        Ok(SetModel { model, set, classes })
    }

    /// Adds the evidence of the set to the rows of a network with this temperature.
    fn weigh(&self, rows: &mut ClassifierRows, embeddings: &[Vec<f32>], temperature: f32) {
        for (logits, embedding) in rows.classes.iter_mut().zip(embeddings) {
            *logits = self.logits(logits, embedding, temperature);
        }
    }

    /// Returns a crop's logits, of a network with this temperature, with the evidence of the set.
    fn logits(&self, logits: &[f32], embedding: &[f32], temperature: f32) -> Vec<f32> {
        let mut evidence: Vec<Option<f32>> = vec![None; logits.len()];
        for (face, class) in self.set.faces().iter().zip(&self.classes) {
            let known = class.and_then(|class| evidence.get_mut(class));
            let best = best_cosine(face.prototypes(), embedding);
            if let Some(known) = known {
                *known = Some(known.map_or(best, |other| other.max(best)));
            }
        }
        // A blurred tile looks like no prototype; a face without one must not win by that.
        let nearest = evidence.iter().flatten().fold(-1.0_f32, |nearest, &one| nearest.max(one));
        let unknown = PARAMS.unknown.min(nearest);
        let sum = log_sum(logits.iter().map(|logit| logit / temperature));
        let both = logits.iter().zip(&evidence).map(|(logit, evidence)| {
            let name = logit / temperature - sum;
            let look = PARAMS.weight * evidence.unwrap_or(unknown);
            // Later stages divide by the network's temperature.
            (name + look) / PARAMS.temperature * temperature
        });
        both.collect()
    }
}

/// Returns the highest cosine of an embedding with prototypes.
pub(super) fn best_cosine(prototypes: &[super::Prototype], embedding: &[f32]) -> f32 {
    let cosines = prototypes.iter().map(|prototype| cosine(prototype.mean(), embedding));
    cosines.fold(-1.0, f32::max)
}

/// Returns the logarithm of the sum of the exponentials.
fn log_sum(values: impl Iterator<Item = f32> + Clone) -> f32 {
    let highest = values.clone().fold(f32::NEG_INFINITY, f32::max);
    highest + values.map(|value| (value - highest).exp()).sum::<f32>().ln()
}

impl Model for SetModel<'_> {
    fn manifest(&self) -> &Manifest {
        self.model.manifest()
    }

    fn device(&self) -> Device {
        self.model.device()
    }

    fn max_pictures(&self) -> usize {
        self.model.max_pictures()
    }

    fn max_crops(&self) -> usize {
        self.model.max_crops()
    }

    fn detect(&self, images: &Cells) -> Result<DetectorMaps, ModelError> {
        self.model.detect(images)
    }

    fn refine(&self, crops: &Planes) -> Result<Vec<Corners>, ModelError> {
        self.model.refine(crops)
    }

    fn classify(&self, crops: &Planes) -> Result<ClassifierRows, ModelError> {
        let mut rows = self.model.classify(crops)?;
        let embeddings = std::mem::take(&mut rows.embeddings);
        self.weigh(&mut rows, &embeddings, self.manifest().classifier.temperature);
        Ok(ClassifierRows { embeddings, ..rows })
    }

    fn classify_large(
        &self,
        crops: &Planes,
        embeddings: &[Vec<f32>],
    ) -> Result<Option<ClassifierRows>, ModelError> {
        let Some(large) = &self.manifest().large_classifier else { return Ok(None) };
        let mut rows = self.model.classify_large(crops, embeddings)?;
        if let Some(rows) = &mut rows {
            self.weigh(rows, embeddings, large.temperature);
        }
        Ok(rows)
    }

    fn large_share(&self) -> Option<f32> {
        Some(PARAMS.large_share)
    }

    fn knows(&self, face: Face) -> bool {
        self.set.faces().iter().any(|learned| learned.label().face() == Some(face))
    }
}
