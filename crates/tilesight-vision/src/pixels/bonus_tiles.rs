//! Takes tiles that look alike for playing tiles, since a set has each bonus tile once.
//!
//! Input: looks at the crops of one photo, and the classifier's embeddings. Output: the looks;
//! where one may be a bonus tile and another face of the photo looks the same, all bonus tiles are
//! less probable. Invariant: a look without a look-alike stays as it is, and so does the order of a
//! tile's playing faces.

use super::classify::{Look, Sort};
use crate::networks::cosine;
use crate::params::LookAlikeParams;

const PARAMS: LookAlikeParams = LookAlikeParams::DEFAULT;

/// Lowers the probability of a bonus tile in looks that have a look-alike. `embeddings` are those
/// of the same crops; there are none if the network has none.
pub(super) fn doubt_bonus_tiles(looks: &mut [Look], embeddings: &[Vec<f32>]) {
    let is_face = |look: &Look| matches!(look.faces.sort().0, Sort::Playing | Sort::Bonus);
    let faces: Vec<usize> =
        (0..looks.len().min(embeddings.len())).filter(|&i| is_face(&looks[i])).collect();
    let looks_alike = |i: usize, other: usize| {
        i != other && cosine(&embeddings[i], &embeddings[other]) >= PARAMS.same_face
    };
    for &i in &faces {
        let may_be_bonus = looks[i].faces.bonus_probability() >= PARAMS.min_bonus;
        if may_be_bonus && faces.iter().any(|&other| looks_alike(i, other)) {
            looks[i].faces = looks[i].faces.with_bonus_odds(PARAMS.odds);
        }
    }
}

#[cfg(test)]
mod tests {
    use tilesight_core::tile::Face;

    use super::*;
    use crate::pixels::classify::Faces;

    fn look(faces: &[(&str, f32)]) -> Look {
        let faces = faces.iter().map(|&(code, p)| (code.parse().ok(), p));
        Look { faces: Faces::from_weights(faces), turns: [1.0, 0.0, 0.0, 0.0], red: 0.0 }
    }

    /// Returns the best names after the rule; each look has the embedding of its angle in degrees.
    fn names(looks: &[(&[(&str, f32)], f32)]) -> Vec<String> {
        let mut found: Vec<Look> = looks.iter().map(|(faces, _)| look(faces)).collect();
        let embedding = |angle: f32| vec![angle.to_radians().cos(), angle.to_radians().sin()];
        let embeddings: Vec<Vec<f32>> = looks.iter().map(|&(_, at)| embedding(at)).collect();
        doubt_bonus_tiles(&mut found, &embeddings);
        let name = |look: &Look| look.faces.best().as_ref().map_or("none".into(), Face::to_string);
        found.iter().map(name).collect()
    }

    const BIRD: &[(&str, f32)] = &[("s1", 0.6), ("f3", 0.25), ("1s", 0.1), ("1p", 0.05)];
    const PLUM: &[(&str, f32)] = &[("f1", 0.97), ("1s", 0.02), ("s1", 0.01)];
    const BACK: &[(&str, f32)] = &[("back", 0.9), ("f1", 0.1)];

    #[test]
    fn two_that_look_alike_are_no_bonus_tiles() {
        assert_eq!(names(&[(BIRD, 0.0), (BIRD, 10.0), (PLUM, 90.0)]), ["1s", "1s", "f1"]);
        assert_eq!(names(&[(PLUM, 0.0), (BIRD, 10.0)]), ["1s", "1s"]);
    }

    #[test]
    fn what_looks_otherwise_may_be_a_bonus_tile() {
        assert_eq!(names(&[(BIRD, 0.0), (PLUM, 60.0), (BIRD, 180.0)]), ["s1", "f1", "s1"]);
        assert_eq!(names(&[(BIRD, 0.0)]), ["s1"]);
    }

    #[test]
    fn a_back_is_no_look_alike() {
        assert_eq!(names(&[(PLUM, 0.0), (BACK, 0.0)]), ["f1", "back"]);
    }

    #[test]
    fn without_embeddings_nothing_changes() {
        let mut looks = [look(BIRD), look(BIRD)];
        let before = looks.clone().map(|look| look.faces);
        doubt_bonus_tiles(&mut looks, &[]);
        assert_eq!(looks.map(|look| look.faces), before);
    }
}
