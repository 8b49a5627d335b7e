//! Prototype of a face: the mean direction of its embeddings, in steps of a byte.
//!
//! Input: embeddings of one face of one tile set at one quarter turn. Output: their mean, their
//! spread and their number. Invariant: the mean has length one and is always on the grid that a
//! file stores, so that a set that is written and read again names tiles alike.

use crate::networks::cosine;

/// Maximum number of tiles that a prototype counts: more would hide what is learned later.
pub(super) const MAX_COUNT: u32 = 10_000;

/// Number of steps from zero to the largest component.
const STEPS: f32 = 127.0;

/// Prototype of a face at one quarter turn.
#[derive(Debug, Clone, PartialEq)]
pub struct Prototype {
    turn: u8,
    codes: Vec<i8>,
    mean: Vec<f32>,
    spread: f32,
    count: u32,
}

impl Prototype {
    /// Returns the prototype of embeddings, each with a weight; `None` if they cancel out, are not
    /// finite or differ in length.
    pub(super) fn from_weighted(turn: u8, samples: &[(&[f32], u32)]) -> Option<Prototype> {
        let length = samples.first()?.0.len();
        let mut sum = vec![0.0; length];
        for (sample, weight) in samples {
            if sample.len() != length || sample.iter().any(|value| !value.is_finite()) {
                return None;
            }
            sum.iter_mut().zip(*sample).for_each(|(sum, value)| *sum += value * *weight as f32);
        }
        let largest = sum.iter().fold(0.0_f32, |largest, value| largest.max(value.abs()));
        let codes: Vec<i8> =
            sum.iter().map(|value| (value / largest * STEPS).round() as i8).collect();
        let mean = direction(&codes)?;
        let count = samples.iter().fold(0_u32, |count, (_, weight)| count.saturating_add(*weight));
        let off = samples.iter().map(|(sample, weight)| {
            (1.0 - cosine(&mean, sample) / norm(sample).max(f32::MIN_POSITIVE)) * *weight as f32
        });
        let spread = (off.sum::<f32>() / count.max(1) as f32).clamp(0.0, 2.0);
        Some(Prototype { turn, codes, mean, spread, count: count.min(MAX_COUNT) })
    }

    /// Returns the prototype that a file describes; `None` for values that no prototype has.
    pub(super) fn from_file(
        turn: u8,
        codes: Vec<i8>,
        spread: f32,
        count: u32,
    ) -> Option<Prototype> {
        let fits = turn < 4 && (0.0..=2.0).contains(&spread) && (1..=MAX_COUNT).contains(&count);
        let mean = direction(&codes).filter(|_| fits)?;
        Some(Prototype { turn, codes, mean, spread, count })
    }

    /// Returns the mean of two prototypes of the same face and turn, weighted by their counts.
    pub(super) fn merge(&self, other: &Prototype) -> Option<Prototype> {
        let both = [(self.mean.as_slice(), self.count), (other.mean.as_slice(), other.count)];
        let merged = Prototype::from_weighted(self.turn, &both)?;
        let [own, others] = [self, other].map(|one| one.spread * one.count as f32);
        let within = (own + others) / (self.count + other.count).max(1) as f32;
        Some(Prototype { spread: (merged.spread + within).clamp(0.0, 2.0), ..merged })
    }

    /// Returns the quarter turns by which the face is turned clockwise in its crop.
    #[must_use]
    pub fn turn(&self) -> u8 {
        self.turn
    }

    /// Returns the mean embedding, of length one.
    #[must_use]
    pub fn mean(&self) -> &[f32] {
        &self.mean
    }

    /// Returns the mean distance of the embeddings from their mean: one minus the cosine.
    #[must_use]
    pub fn spread(&self) -> f32 {
        self.spread
    }

    /// Returns the number of tiles.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// Returns the mean in steps, as a file stores it.
    pub(super) fn codes(&self) -> &[i8] {
        &self.codes
    }
}

/// Returns the length of a vector.
pub(super) fn norm(vector: &[f32]) -> f32 {
    cosine(vector, vector).sqrt()
}

/// Returns the vector of length one in the direction of codes.
fn direction(codes: &[i8]) -> Option<Vec<f32>> {
    let values: Vec<f32> = codes.iter().map(|&code| f32::from(code)).collect();
    let length = norm(&values);
    (length > 0.0).then(|| values.iter().map(|value| value / length).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prototype_is_the_mean_and_survives_its_file() {
        let (a, b) = ([0.6, 0.8, 0.0], [0.6, 0.0, 0.8]);
        let mean = Prototype::from_weighted(1, &[(&a, 1), (&b, 1)]).expect("they point alike");
        assert!((mean.mean()[1] - mean.mean()[2]).abs() < 1e-6);
        assert!((0.1..0.4).contains(&mean.spread()), "{}", mean.spread());
        let again = Prototype::from_file(1, mean.codes().to_vec(), mean.spread(), mean.count());
        assert_eq!(again, Some(mean));
    }

    #[test]
    fn an_embedding_without_direction_is_no_prototype() {
        assert_eq!(Prototype::from_weighted(0, &[]), None);
        assert_eq!(Prototype::from_weighted(0, &[(&[1.0, 0.0], 1), (&[-1.0, 0.0], 1)]), None);
        assert_eq!(Prototype::from_weighted(0, &[(&[f32::NAN, 1.0], 1)]), None);
        assert_eq!(Prototype::from_weighted(0, &[(&[1.0], 1), (&[1.0, 0.0], 1)]), None);
        assert_eq!(Prototype::from_file(0, vec![0, 0], 0.0, 1), None);
        assert_eq!(Prototype::from_file(4, vec![1, 0], 0.0, 1), None);
        assert_eq!(Prototype::from_file(0, vec![1, 0], f32::NAN, 1), None);
        assert_eq!(Prototype::from_file(0, vec![1, 0], 0.0, 0), None);
    }
}
