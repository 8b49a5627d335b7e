//! Names bonus tiles by the rule that a set has each of them once.
//!
//! Input: looks at the tiles of one photo, and the classifier's embeddings. Output: the looks.
//! Where one may be a bonus tile and another face of the photo looks the same, all bonus tiles are
//! less probable; bonus tiles that look different have different names. Invariant: the order of a
//! tile's playing faces stays, and what cannot be a bonus tile stays as it is.

use tilesight_core::tile::Bonus;

use super::faces::Sort;
use super::look::Look;
use crate::networks::cosine;
use crate::params::BonusTileParams;

const PARAMS: BonusTileParams = BonusTileParams::DEFAULT;

/// Number of different bonus tiles, and of the sets of them.
const KINDS: usize = Bonus::ALL.len();
const SUBSETS: usize = 1 << KINDS;

/// Names the bonus tiles among looks at different objects of one photo, of which those at the
/// places `tiles` are tiles. `embeddings` are those of the same crops; there are none if the
/// network has none.
pub(super) fn name_bonus_tiles(looks: &mut [Look], embeddings: &[Vec<f32>], tiles: &[usize]) {
    let alike = look_alikes(looks, embeddings, tiles);
    doubt_look_alikes(looks, &alike);
    name_each_once(looks, &alike, tiles);
}

/// Returns for every look whether another face of the photo looks the same.
fn look_alikes(looks: &[Look], embeddings: &[Vec<f32>], tiles: &[usize]) -> Vec<bool> {
    let seen = tiles.iter().copied().filter(|&i| i < embeddings.len());
    let faces: Vec<usize> = seen.filter(|&i| is_face(&looks[i])).collect();
    let mut alike = vec![false; looks.len()];
    for &i in &faces {
        alike[i] = looks[i].faces.any_bonus() >= PARAMS.min_bonus
            && faces.iter().any(|&other| {
                i != other && cosine(&embeddings[i], &embeddings[other]) >= PARAMS.same_face
            });
    }
    alike
}

fn is_face(look: &Look) -> bool {
    matches!(look.faces.sort().0, Sort::Playing | Sort::Bonus)
}

/// Lowers the probability of a bonus tile in looks that have a look-alike.
fn doubt_look_alikes(looks: &mut [Look], alike: &[bool]) {
    for (look, _) in looks.iter_mut().zip(alike).filter(|(_, alike)| **alike) {
        look.faces = look.faces.with_bonus_odds(PARAMS.odds);
    }
}

/// Weighs the names of a photo's bonus tiles together: two of them never have the same one. More
/// tiles than there are bonus tiles stay as they are, and so do surely equal ones, which are of two
/// sets.
fn name_each_once(looks: &mut [Look], alike: &[bool], tiles: &[usize]) {
    let others = tiles.iter().copied().filter(|&i| !alike[i]);
    let bonus: Vec<usize> = others.filter(|&i| looks[i].faces.sort().0 == Sort::Bonus).collect();
    if !(2..=KINDS).contains(&bonus.len()) {
        return;
    }
    let names: Vec<[f32; KINDS]> = bonus.iter().map(|&i| shares(&looks[i])).collect();
    for (&i, names) in bonus.iter().zip(each_once(&names)) {
        looks[i].faces = looks[i].faces.with_bonus(names);
    }
}

/// Returns how probable each name is if the tile is a bonus tile; none is impossible.
fn shares(look: &Look) -> [f32; KINDS] {
    let any = look.faces.any_bonus();
    look.faces.bonus().map(|p| (p / any).max(PARAMS.min_name))
}

/// Returns for every tile the probabilities of its names, given that no two tiles have the same one
/// (sums over all assignments, by the sets of names that the other tiles take).
fn each_once(names: &[[f32; KINDS]]) -> Vec<[f32; KINDS]> {
    (0..names.len()).map(|i| name_beside_others(names, i)).collect()
}

/// Returns the probabilities of the names of one tile, given that the others have other names.
fn name_beside_others(names: &[[f32; KINDS]], i: usize) -> [f32; KINDS] {
    let mut sums = [0.0; SUBSETS];
    sums[0] = 1.0;
    for other in names[..i].iter().chain(&names[i + 1..]) {
        sums = add_tile(&sums, other);
    }
    let weights: [f32; KINDS] = std::array::from_fn(|kind| {
        let free = sums.iter().enumerate().filter(|(taken, _)| taken >> kind & 1 == 0);
        names[i][kind] * free.map(|(_, sum)| sum).sum::<f32>()
    });
    let sum: f32 = weights.iter().sum();
    weights.map(|weight| weight / sum)
}

/// Adds a tile with its names to the tiles so far: of each set of names, the sum of all ways in
/// which the tiles take these.
fn add_tile(sums: &[f32; SUBSETS], names: &[f32; KINDS]) -> [f32; SUBSETS] {
    let mut next = [0.0; SUBSETS];
    for (taken, sum) in sums.iter().enumerate() {
        for (kind, p) in names.iter().enumerate().filter(|(kind, _)| taken >> kind & 1 == 0) {
            next[taken | 1 << kind] += sum * p;
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use tilesight_core::tile::Face;

    use super::*;

    /// Returns the best names after the rule; each look has the embedding of its angle in degrees.
    fn names(looks: &[(&[(&str, f32)], f32)]) -> Vec<String> {
        let mut found: Vec<Look> = looks.iter().map(|(faces, _)| Look::from_faces(faces)).collect();
        let embedding = |angle: f32| vec![angle.to_radians().cos(), angle.to_radians().sin()];
        let embeddings: Vec<Vec<f32>> = looks.iter().map(|&(_, at)| embedding(at)).collect();
        let all: Vec<usize> = (0..found.len()).collect();
        name_bonus_tiles(&mut found, &embeddings, &all);
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
    fn a_bird_that_looks_different_may_be_a_bonus_tile() {
        assert_eq!(names(&[(BIRD, 0.0), (PLUM, 60.0), (BIRD, 180.0)]), ["s1", "f1", "s1"]);
        assert_eq!(names(&[(BIRD, 0.0)]), ["s1"]);
    }

    #[test]
    fn a_back_is_no_look_alike() {
        assert_eq!(names(&[(PLUM, 0.0), (BACK, 0.0)]), ["f1", "back"]);
    }

    #[test]
    fn surely_equal_bonus_tiles_keep_their_name() {
        let sure: &[(&str, f32)] = &[("f1", 0.9995), ("f2", 0.0001), ("1s", 0.0004)];
        assert_eq!(names(&[(sure, 0.0), (sure, 5.0), (PLUM, 90.0)]), ["f1", "f1", "f1"]);
    }

    fn named_once(looks: &[&[(&str, f32)]]) -> Vec<(String, f32)> {
        let mut found: Vec<Look> = looks.iter().map(|faces| Look::from_faces(faces)).collect();
        let all: Vec<usize> = (0..found.len()).collect();
        name_bonus_tiles(&mut found, &[], &all);
        let name = |look: &Look| match look.faces.top() {
            (Some(face), p) => (face.to_string(), p),
            (None, p) => ("none".to_owned(), p),
        };
        found.iter().map(name).collect()
    }

    #[test]
    fn two_bonus_tiles_have_different_names() {
        let surer: &[(&str, f32)] = &[("s4", 0.91), ("f4", 0.01), ("1s", 0.08)];
        let other: &[(&str, f32)] = &[("s4", 0.8), ("f4", 0.18), ("8p", 0.02)];
        let named = named_once(&[surer, other, PLUM]);
        assert_eq!(named.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["s4", "f4", "f1"]);
        // By hand: (s4, f4) weighs 0.989 * 0.184, (f4, s4) 0.011 * 0.816, s4 with another name
        // 0.989 * 0.006 and 0.816 * 0.006.
        assert!((named[0].1 / 0.92 - 0.93).abs() < 0.01, "{named:?}");
        assert!((named[1].1 / 0.98 - 0.91).abs() < 0.01, "{named:?}");
        assert!((named[2].1 - 0.97).abs() < 0.01, "{named:?}");
    }

    #[test]
    fn other_tiles_and_single_bonus_tiles_keep_their_names() {
        let simple: &[(&str, f32)] = &[("1s", 0.6), ("s1", 0.4)];
        assert_eq!(named_once(&[simple, PLUM]), [("1s".into(), 0.6), ("f1".into(), 0.97)]);
        assert_eq!(named_once(&[BIRD]), [("s1".into(), 0.6)]);
    }

    /// Returns the best name of a flower beside print, where these places are tiles.
    fn best_of_flower(tiles: &[usize]) -> Option<Face> {
        let flower: &[(&str, f32)] = &[("s4", 0.5), ("s1", 0.45), ("1s", 0.05)];
        let print: &[(&str, f32)] = &[("s4", 0.7), ("1s", 0.3)];
        let mut looks = [flower, print].map(Look::from_faces);
        name_bonus_tiles(&mut looks, &[], tiles);
        looks[0].faces.best()
    }

    #[test]
    fn a_stranger_takes_no_name_from_a_bonus_tile() {
        assert_eq!(best_of_flower(&[0, 1]), "s1".parse().ok());
        assert_eq!(best_of_flower(&[0]), "s4".parse().ok());
    }

    #[test]
    fn more_than_eight_keep_their_names() {
        let nine = [PLUM; 9];
        assert!(named_once(&nine).iter().all(|(name, p)| name == "f1" && *p == 0.97));
    }

    #[test]
    fn eight_that_are_open_stay_open() {
        let open = Bonus::ALL.map(|bonus| (bonus.to_string(), 0.125));
        let open: Vec<(&str, f32)> = open.iter().map(|(name, p)| (name.as_str(), *p)).collect();
        let named = named_once(&[&open[..]; 8]);
        assert!(named.iter().all(|(_, p)| (p - 0.125).abs() < 1e-4), "{named:?}");
    }
}
