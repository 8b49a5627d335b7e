//! Probabilities of the faces that a tile may show.
//!
//! Input: weights of faces. Output: probabilities, the best face and the sort of tile. Invariant:
//! the probabilities sum to one.

use serde::Serialize;
use tilesight_core::tile::{Bonus, Face, Tile};

use crate::params::ClassifyParams;

const PARAMS: ClassifyParams = ClassifyParams::DEFAULT;

/// Kind of object in a detection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// Playing tile: 34 kinds.
    Playing,
    /// Flower or season.
    Bonus,
    /// Back of a tile.
    Back,
    /// Not a face.
    Nothing,
}

/// Number of probabilities: 43 faces that a camera can see, and "not a face".
const SLOTS: usize = 44;
const BACK: usize = 42;
const NOTHING: usize = 43;

/// The last of the playing tiles, which may have no print.
const WHITE_DRAGON: usize = Tile::KINDS - 1;

/// Least probability of a face when probabilities are flattened, and number of steps in which the
/// power is found: to a millionth.
const TRACE: f32 = 1e-6;
const HALVINGS: usize = 20;

/// Probabilities of every face and of "not a face".
#[derive(Clone, PartialEq)]
pub struct Faces([f32; SLOTS]);

impl Faces {
    /// Creates the probabilities of a face that is certain.
    #[must_use]
    pub fn certain(face: Face) -> Faces {
        Faces::from_weights([(Some(face), 1.0)])
    }

    /// Creates probabilities in proportion to weights; `None` is "not a face".
    #[must_use]
    pub fn from_weights(weights: impl IntoIterator<Item = (Option<Face>, f32)>) -> Faces {
        let mut slots = [0.0; SLOTS];
        for (face, weight) in weights {
            slots[slot(face)] += weight;
        }
        let sum: f32 = slots.iter().sum();
        if sum > 0.0 {
            slots.iter_mut().for_each(|weight| *weight /= sum);
        } else {
            slots[NOTHING] = 1.0;
        }
        Faces(slots)
    }

    /// Returns the probability of one face; `None` is "not a face".
    #[must_use]
    pub fn probability(&self, face: Option<Face>) -> f32 {
        self.0[slot(face)]
    }

    /// Returns the most probable face; `None` is "not a face".
    #[must_use]
    pub fn best(&self) -> Option<Face> {
        self.top().0
    }

    /// Returns the most probable face with its probability; the first one of equally probable
    /// faces.
    #[must_use]
    pub fn top(&self) -> (Option<Face>, f32) {
        let mut best = 0;
        for slot in 1..SLOTS {
            if self.0[slot] > self.0[best] {
                best = slot;
            }
        }
        (face_in(best), self.0[best])
    }

    /// Returns the most probable sort of tile and its probability, summed over all faces of that
    /// sort. A flower of unknown art is clearly a flower long before it is clearly one of the
    /// eight.
    #[must_use]
    pub fn sort(&self) -> (Sort, f32) {
        [
            (Sort::Playing, self.0[..Tile::KINDS].iter().sum()),
            (Sort::Bonus, self.any_bonus()),
            (Sort::Back, self.0[BACK]),
            (Sort::Nothing, self.0[NOTHING]),
        ]
        .into_iter()
        .max_by(|a, b| a.1.total_cmp(&b.1))
        .expect("four sorts")
    }

    /// Returns every face whose probability is at least `min_p`, the most probable first.
    #[must_use]
    pub fn candidates(&self, min_p: f32) -> Vec<(Option<Face>, f32)> {
        let mut all: Vec<_> = (0..SLOTS)
            .map(|slot| (face_in(slot), self.0[slot]))
            .filter(|&(_, p)| p >= min_p)
            .collect();
        all.sort_by(|a, b| b.1.total_cmp(&a.1));
        all
    }

    /// Returns the probabilities flattened until none exceeds a maximum; their order stays.
    #[must_use]
    pub(crate) fn limited(&self, max_p: f32) -> Faces {
        if self.top().1 <= max_p {
            return self.clone();
        }
        let mut low = 0.0;
        let mut high = 1.0;
        for _ in 0..HALVINGS {
            let middle = f32::midpoint(low, high);
            if self.flattened(middle).top().1 > max_p { high = middle } else { low = middle }
        }
        self.flattened(low)
    }

    /// Returns the probabilities raised to a power below one. Those of zero get a trace, so that
    /// any limit can be reached.
    fn flattened(&self, power: f32) -> Faces {
        let weights = self.candidates(0.0).into_iter();
        Faces::from_weights(weights.map(|(face, p)| (face, p.max(TRACE).powf(power))))
    }

    /// Returns the probability of any bonus tile.
    #[must_use]
    pub(super) fn any_bonus(&self) -> f32 {
        self.bonus().iter().sum()
    }

    /// Returns the probability of a back.
    #[must_use]
    pub(super) fn back(&self) -> f32 {
        self.0[BACK]
    }

    /// Returns the probability of any face with a print.
    #[must_use]
    pub(super) fn printed(&self) -> f32 {
        1.0 - self.blank() - self.0[NOTHING]
    }

    /// Returns the probability of a white dragon or a back, which show no print.
    fn blank(&self) -> f32 {
        self.0[WHITE_DRAGON] + self.0[BACK]
    }

    /// Returns whether the tile more likely shows no print than one.
    #[must_use]
    pub(crate) fn is_blank(&self) -> bool {
        self.blank() >= 0.5
    }

    /// Returns how much less probable a white dragon is than the best name, in nats.
    #[must_use]
    pub(crate) fn cost_of_dragon(&self) -> f32 {
        (self.top().1 / self.0[WHITE_DRAGON].max(f32::MIN_POSITIVE)).ln()
    }

    /// Returns the probability of each bonus tile.
    #[must_use]
    pub(super) fn bonus(&self) -> [f32; Bonus::ALL.len()] {
        std::array::from_fn(|kind| self.0[Tile::KINDS + kind])
    }

    /// Divides the probability of any bonus tile anew, by shares that sum to one.
    #[must_use]
    pub(super) fn with_bonus(&self, shares: [f32; Bonus::ALL.len()]) -> Faces {
        let any = self.any_bonus();
        let mut slots = self.0;
        slots[Tile::KINDS..BACK].copy_from_slice(&shares.map(|share| share * any));
        Faces(slots)
    }

    /// Multiplies the odds of each bonus tile against every other face.
    #[must_use]
    pub(super) fn with_bonus_odds(&self, odds: f32) -> Faces {
        self.reweigh(|face| if matches!(face, Some(Face::Bonus(_))) { odds } else { 1.0 })
    }

    /// Returns the probabilities of a tile that is not a face with this probability, else as
    /// before.
    #[must_use]
    pub(super) fn or_nothing(&self, nothing: f32) -> Faces {
        Faces::from_weights(self.weighted(1.0 - nothing).chain([(None, nothing)]))
    }

    /// Multiplies the odds of a white dragon against every other face.
    #[must_use]
    pub(super) fn with_white_dragon_odds(&self, odds: f32) -> Faces {
        self.reweigh(|face| if slot(face) == WHITE_DRAGON { odds } else { 1.0 })
    }

    /// Returns the probability of every face times a weight.
    pub(super) fn weighted(&self, weight: f32) -> impl Iterator<Item = (Option<Face>, f32)> {
        self.candidates(0.0).into_iter().map(move |(face, p)| (face, p * weight))
    }

    /// Multiplies the probability of each face by a weight.
    fn reweigh(&self, weight: impl Fn(Option<Face>) -> f32) -> Faces {
        let all = self.candidates(0.0).into_iter();
        Faces::from_weights(all.map(|(face, p)| (face, p * weight(face))))
    }

    /// Combines the probabilities with another network's by a function of both.
    #[must_use]
    pub(super) fn combined(
        &self,
        other: &Faces,
        mean: impl FnOnce(&[f32; SLOTS], &[f32; SLOTS]) -> [f32; SLOTS],
    ) -> Faces {
        Faces(mean(&self.0, &other.0))
    }

    /// Combines the probabilities with the detector's independent estimate of whether the tile is
    /// face up.
    #[must_use]
    pub(super) fn with_face_up(&self, face_up: f32) -> Faces {
        let face_up = face_up.clamp(PARAMS.face_up.start, PARAMS.face_up.end);
        self.reweigh(|face| if face == Some(Face::Back) { 1.0 - face_up } else { face_up })
    }
}

impl std::fmt::Debug for Faces {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let candidates = self.candidates(0.01).into_iter();
        f.debug_map().entries(candidates.map(|(face, p)| (name(face), p))).finish()
    }
}

impl Serialize for Faces {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.candidates(0.001).into_iter().map(|(face, p)| (name(face), p)))
    }
}

/// Returns the code of a face, or `none` for "not a face".
#[must_use]
pub fn name(face: Option<Face>) -> String {
    face.map_or_else(|| "none".to_owned(), |face| face.to_string())
}

fn slot(face: Option<Face>) -> usize {
    match face {
        Some(Face::Tile(tile)) => tile.index(),
        Some(Face::Bonus(bonus)) => Tile::KINDS + bonus.index(),
        Some(Face::Back) => BACK,
        None => NOTHING,
    }
}

fn face_in(slot: usize) -> Option<Face> {
    match slot {
        BACK => Some(Face::Back),
        NOTHING => None,
        _ if slot < Tile::KINDS => Tile::from_index(slot as u8).map(Face::Tile),
        _ => Bonus::from_index((slot - Tile::KINDS) as u8).map(Face::Bonus),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_and_faces_are_one_to_one() {
        for index in 0..SLOTS {
            assert_eq!(slot(face_in(index)), index);
        }
    }

    #[test]
    fn the_detector_decides_a_doubtful_back() {
        let white = "P".parse().ok();
        let doubtful = Faces::from_weights([(white, 0.5), (Some(Face::Back), 0.5)]);
        assert_eq!(doubtful.with_face_up(0.9).best(), white);
        assert_eq!(doubtful.with_face_up(0.1).best(), Some(Face::Back));
        assert_eq!(doubtful.with_white_dragon_odds(2.0).best(), white);
        assert_eq!(doubtful.with_white_dragon_odds(0.5).best(), Some(Face::Back));
        assert!(doubtful.is_blank() && !Faces::certain(Face::Tile(Tile::ALL[32])).is_blank());
    }

    #[test]
    fn without_weights_there_is_not_a_face() {
        assert_eq!(Faces::from_weights([]).best(), None);
    }
}
