//! Answers of a classifier about one crop, each called a look.
//!
//! Input: the rows of a network's output, or two looks at one tile. Output: probabilities of the
//! face, of its direction and of a red print. Invariant: the probabilities of faces sum to one, and
//! so do those of directions.

use tilesight_core::tile::Face;

use super::faces::Faces;
use crate::networks::{ClassifierRows, Manifest};
use crate::params::ClassifyParams;

const PARAMS: ClassifyParams = ClassifyParams::DEFAULT;

/// Output of the classifiers for one crop.
#[derive(Debug, Clone)]
pub(super) struct Look {
    pub(super) faces: Faces,
    pub(super) turns: [f32; 4],
    pub(super) red: f32,
    /// Likeness of the crop to the typical face of its name, if one is known: a cosine.
    pub(super) likeness: Option<f32>,
}

impl Look {
    /// Creates the look at an upright tile with these faces, by their codes.
    #[cfg(test)]
    pub(super) fn from_faces(faces: &[(&str, f32)]) -> Look {
        let faces = faces.iter().map(|&(code, p)| (code.parse().ok(), p));
        Look {
            faces: Faces::from_weights(faces),
            turns: [1.0, 0.0, 0.0, 0.0],
            red: 0.0,
            likeness: None,
        }
    }

    /// Returns the look of a back that the detector is sure of. Its longer sides lie upright.
    pub(super) fn for_back() -> Look {
        Look {
            faces: Faces::certain(Face::Back),
            turns: [0.5, 0.0, 0.5, 0.0],
            red: 0.0,
            likeness: None,
        }
    }

    /// Returns the weight of this look against a second one: the probability that the crop shows
    /// the face upright or upside down. A face that lies across its crop is also stretched.
    pub(super) fn trust(&self) -> f32 {
        self.turns[0] + self.turns[2] + PARAMS.min_trust
    }

    /// Merges this look with the one across, whose crop starts at the quad's next corner.
    pub(super) fn with(&self, second: &Look) -> Look {
        let sum = self.trust() + second.trust();
        let a = self.trust() / sum;
        let b = second.trust() / sum;
        Look {
            faces: Faces::from_weights(self.faces.weighted(a).chain(second.faces.weighted(b))),
            // The second look's top is the quad's right side, a quarter clockwise of the first's.
            turns: std::array::from_fn(|turn| {
                a * self.turns[turn] + b * second.turns[(turn + 3) % 4]
            }),
            red: a * self.red + b * second.red,
            likeness: if a < b { second.likeness } else { self.likeness },
        }
    }
}

/// Returns the look in each row of a classifier with this temperature; the logit of a back is
/// raised by `back_gain`.
pub(super) fn looks_in(
    rows: &ClassifierRows,
    manifest: &Manifest,
    temperature: f32,
    back_gain: f32,
) -> impl Iterator<Item = Look> {
    let embeddings = rows.embeddings.iter().map(Some).chain(std::iter::repeat(None));
    let rows = rows.classes.iter().zip(&rows.turns).zip(&rows.red).zip(embeddings);
    rows.map(move |(((classes, turns), &red), embedding)| Look {
        faces: probabilities(classes, manifest, temperature, back_gain),
        turns: softmax(turns, 1.0).try_into().expect("four logits give four"),
        red: sigmoid(red),
        likeness: embedding.and_then(|embedding| manifest.likeness(classes, embedding)),
    })
}

/// Returns the probabilities in one row of logits, that of a back raised by `back_gain`.
fn probabilities(logits: &[f32], manifest: &Manifest, temperature: f32, back_gain: f32) -> Faces {
    let mut raised = Vec::with_capacity(logits.len());
    for (face, &logit) in manifest.faces().zip(logits) {
        raised.push(if face == Some(Face::Back) { logit + back_gain } else { logit });
    }
    Faces::from_weights(manifest.faces().zip(softmax(&raised, temperature)))
}

/// Returns the probability of a logit.
pub(super) fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

fn softmax(logits: &[f32], temperature: f32) -> Vec<f32> {
    let highest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let powers: Vec<f32> = logits.iter().map(|l| ((l - highest) / temperature).exp()).collect();
    let sum: f32 = powers.iter().sum();
    powers.into_iter().map(|power| power / sum).collect()
}
