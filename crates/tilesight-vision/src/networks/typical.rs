//! Typical looks of the faces that the classifier learned.
//!
//! Input: the entry `typical` of a manifest, which `vision.typical_faces` writes. Output: how much
//! a tile looks like the face that it is named as. Invariant: a face has two embeddings of one
//! length, of the face upright and upside down in its crop.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::cosine;

/// Typical embeddings of faces, by their codes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TypicalFaces(BTreeMap<String, [TypicalEmbedding; 2]>);

/// Mean embedding of a face, of any length, in whole numbers. As text it is the base64 of these.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct TypicalEmbedding(Vec<f32>);

impl TryFrom<String> for TypicalEmbedding {
    type Error = base64::DecodeError;

    fn try_from(text: String) -> Result<TypicalEmbedding, base64::DecodeError> {
        let bytes = STANDARD.decode(text)?;
        let numbers: Vec<f32> = bytes.iter().map(|byte| f32::from(byte.cast_signed())).collect();
        let length = numbers.iter().map(|number| number * number).sum::<f32>().sqrt().max(1.0);
        Ok(TypicalEmbedding(numbers.into_iter().map(|number| number / length).collect()))
    }
}

impl From<TypicalEmbedding> for String {
    fn from(TypicalEmbedding(numbers): TypicalEmbedding) -> String {
        let highest = numbers.iter().fold(f32::MIN_POSITIVE, |highest, it| highest.max(it.abs()));
        let scale = f32::from(i8::MAX) / highest;
        let bytes = numbers.iter().map(|number| (number * scale).round() as i8);
        STANDARD.encode(bytes.map(i8::cast_unsigned).collect::<Vec<u8>>())
    }
}

impl TypicalFaces {
    /// Returns whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Checks that all embeddings have the classifier's length, and belong to its classes.
    pub(super) fn check(&self, length: usize, classes: &[String]) -> Result<(), String> {
        for (code, both) in &self.0 {
            if !classes.contains(code) {
                return Err(format!("`{code}` in `typical` is not in `classes`"));
            }
            if both.iter().any(|TypicalEmbedding(numbers)| numbers.len() != length) {
                return Err(format!(
                    "`{code}` in `typical` has not {length} numbers (`embedding`)"
                ));
            }
        }
        Ok(())
    }

    /// Returns the cosine of a crop's embedding with the nearer of the two of the class that its
    /// logits make likeliest. `None` if that class has none, as backs have, which every maker
    /// colours in his own way.
    pub(crate) fn likeness(
        &self,
        classes: &[String],
        logits: &[f32],
        embedding: &[f32],
    ) -> Option<f32> {
        let (class, _) = classes.iter().zip(logits).max_by(|(_, a), (_, b)| a.total_cmp(b))?;
        let both = self.0.get(class)?;
        let cosines = both.iter().map(|TypicalEmbedding(typical)| cosine(typical, embedding));
        cosines.reduce(f32::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns numbers as the manifest has them.
    fn text(numbers: [i8; 4]) -> String {
        STANDARD.encode(numbers.map(i8::cast_unsigned))
    }

    /// Returns the typical embeddings of east and south, which point along two axes of four and
    /// upside down along the others.
    fn typical() -> TypicalFaces {
        let json = serde_json::json!({
            "E": [text([127, 0, 0, 0]), text([0, 64, 0, 0])],
            "S": [text([0, 0, -127, 0]), text([0, 0, 0, 127])],
        });
        serde_json::from_value(json).expect("two faces")
    }

    fn classes() -> Vec<String> {
        ["E", "S", "back"].map(str::to_owned).to_vec()
    }

    #[test]
    fn a_crop_is_compared_with_its_likeliest_class_in_either_direction() {
        let cases = [
            ([2.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0], Some(1.0)),
            ([2.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0], Some(1.0)),
            ([1.0, 2.0, 0.0], [0.6, 0.0, 0.8, 0.0], Some(0.0)),
            ([1.0, 2.0, 0.0], [0.6, 0.0, -0.8, 0.0], Some(0.8)),
            // Every maker has backs of his own.
            ([1.0, 2.0, 3.0], [1.0, 0.0, 0.0, 0.0], None),
        ];
        for (logits, embedding, expected) in cases {
            let likeness = typical().likeness(&classes(), &logits, &embedding);
            assert_eq!(likeness, expected, "{logits:?} {embedding:?}");
        }
    }

    #[test]
    fn embeddings_of_another_length_or_of_no_class_are_refused() {
        assert_eq!(typical().check(4, &classes()), Ok(()));
        let error = typical().check(5, &classes()).expect_err("four numbers");
        assert_eq!(error, "`E` in `typical` has not 5 numbers (`embedding`)");
        let error = typical().check(4, &classes()[..1]).expect_err("one class");
        assert_eq!(error, "`S` in `typical` is not in `classes`");
        assert!(serde_json::from_str::<TypicalFaces>(r#"{"E": ["!", "!"]}"#).is_err());
    }

    #[test]
    fn typical_faces_are_the_same_after_writing_and_reading() {
        let json = serde_json::to_string(&typical()).expect("texts");
        assert_eq!(serde_json::from_str::<TypicalFaces>(&json).expect("faces"), typical());
    }
}
