//! Tells other objects from tiles by the names of all that was found in a photo.
//!
//! The detector takes print, keys and motifs for tiles, and the classifier names each as some tile,
//! but less surely than the tiles of a set that it reads well. Input: all that was found in a
//! photo, named. Output: which of it are strangers. Invariant: a photo that shows few tiles with a
//! sure name has no strangers, since its set may be an unknown one; and neither what has a sure
//! name nor a back is a stranger.

use super::faces::{Faces, Sort};
use super::seen_tile::SeenTile;
use crate::geometry::Quad;
use crate::geometry::rows::linked;
use crate::params::{ClassifyParams, StrangerParams, VisibilityParams};

const PARAMS: StrangerParams = StrangerParams::DEFAULT;

/// Returns for each tile whether it is a stranger: its name is doubtful, and it has another size
/// than all tiles with a sure name, or lies apart from these in a crowd of doubtful ones.
pub(super) fn strangers(tiles: &[SeenTile]) -> Vec<bool> {
    let mut is_stranger = vec![false; tiles.len()];
    let known = known_quads(tiles);
    if known.len() < PARAMS.min_known {
        return is_stranger;
    }
    let doubtful = (0..tiles.len()).filter(|&i| is_doubtful(&tiles[i]));
    let (odd, fitting): (Vec<usize>, Vec<usize>) =
        doubtful.partition(|&i| known.iter().all(|other| differ_in_size(other, &tiles[i].quad)));
    let mut apart = odd.clone();
    apart.extend(fitting.into_iter().filter(|&i| !touches_any(&tiles[i].quad, &known)));
    let crowds = linked(&apart, |a, b| are_near(&tiles[a].quad, &tiles[b].quad));
    let crowded = crowds.into_iter().filter(|crowd| crowd.len() >= PARAMS.crowd).flatten();
    odd.into_iter().chain(crowded).for_each(|i| is_stranger[i] = true);
    is_stranger
}

/// Returns the probabilities of a stranger with these names.
pub(super) fn without_face(faces: &Faces) -> Faces {
    faces.or_nothing(PARAMS.no_face)
}

/// Returns the outlines of the tiles that surely show a print of the set. A white dragon may be any
/// pale plate.
fn known_quads(tiles: &[SeenTile]) -> Vec<&Quad> {
    let known = tiles.iter().filter(|tile| {
        tile.faces.sort().0 == Sort::Playing
            && !tile.faces.is_blank()
            && tile.faces.top().1 >= ClassifyParams::DEFAULT.sure_look
            && tile.score >= VisibilityParams::DEFAULT.dim
    });
    known.map(|tile| &tile.quad).collect()
}

/// Returns whether something has a doubtful name; which bonus tile it is does not matter.
fn is_doubtful(tile: &SeenTile) -> bool {
    match tile.faces.sort() {
        (Sort::Playing, _) => tile.faces.top().1 < PARAMS.doubtful,
        (Sort::Bonus, p) => p < PARAMS.doubtful,
        (Sort::Back | Sort::Nothing, _) => false,
    }
}

fn differ_in_size(a: &Quad, b: &Quad) -> bool {
    let ratio = a.scale() / b.scale();
    ratio.max(1.0 / ratio) > PARAMS.other_size
}

fn touches_any(quad: &Quad, known: &[&Quad]) -> bool {
    known.iter().any(|other| other.gap(quad, PARAMS.touching) <= PARAMS.touching)
}

fn are_near(a: &Quad, b: &Quad) -> bool {
    a.gap(b, PARAMS.reach) <= PARAMS.reach
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a tile of this width at a place, in widths of a usual one, with these names.
    fn tile(x: f32, y: f32, width: f32, names: &[(&str, f32)]) -> SeenTile {
        let faces = names.iter().map(|&(code, p)| (code.parse().ok(), p));
        SeenTile {
            quad: Quad::rectangle(30.0 * x, 30.0 * y, 30.0 * width, 40.0 * width),
            score: 0.9,
            inside: 1.0,
            faces: Faces::from_weights(faces),
            turns: [1.0, 0.0, 0.0, 0.0],
            red: 0.0,
        }
    }

    const SURE: &[(&str, f32)] = &[("4p", 0.99), ("6p", 0.01)];
    const DOUBTFUL: &[(&str, f32)] = &[("1s", 0.7), ("8s", 0.3)];
    const FLOWER: &[(&str, f32)] = &[("f1", 0.5), ("s3", 0.45), ("1s", 0.05)];

    /// Returns which of some things beside a row of `known` sure tiles are strangers.
    fn beside(known: u8, things: Vec<SeenTile>) -> Vec<bool> {
        let row = (0..known).map(|n| tile(f32::from(n), 0.0, 1.0, SURE));
        let all: Vec<SeenTile> = row.chain(things).collect();
        let found = strangers(&all);
        assert!(!found[..usize::from(known)].contains(&true), "{found:?}");
        found[usize::from(known)..].to_vec()
    }

    /// Lays things of this width in a line, with gaps of half a width.
    fn crowd(count: u8, width: f32, names: &[(&str, f32)]) -> Vec<SeenTile> {
        (0..count).map(|n| tile(1.5 * width * f32::from(n), 5.0, width, names)).collect()
    }

    #[test]
    fn doubtful_things_in_a_crowd_are_strangers() {
        assert_eq!(beside(8, crowd(6, 1.0, DOUBTFUL)), [true; 6]);
        assert_eq!(beside(8, crowd(2, 1.0, DOUBTFUL)), [false; 2]);
        assert_eq!(beside(8, crowd(6, 1.0, SURE)), [false; 6]);
        assert_eq!(beside(7, crowd(6, 1.0, DOUBTFUL)), [false; 6], "the set may be unknown");
    }

    #[test]
    fn a_doubtful_thing_of_another_size_is_a_stranger() {
        assert_eq!(beside(8, crowd(1, 2.0, DOUBTFUL)), [true]);
        assert_eq!(beside(8, crowd(1, 1.2, DOUBTFUL)), [false]);
        assert_eq!(beside(8, crowd(1, 2.0, SURE)), [false]);
        let near_camera = [tile(0.0, 9.0, 2.0, SURE), tile(4.0, 9.0, 2.0, DOUBTFUL)];
        assert_eq!(beside(8, near_camera.into()), [false; 2]);
    }

    #[test]
    fn doubtful_tiles_in_a_row_with_sure_ones_are_no_strangers() {
        let end = (8..12_u8).map(|n| tile(f32::from(n), 0.0, 1.0, DOUBTFUL));
        assert!(!beside(8, end.collect())[0]);
    }

    #[test]
    fn a_stranger_is_no_face() {
        let faces = &tile(0.0, 0.0, 1.0, DOUBTFUL).faces;
        assert_eq!(without_face(faces).sort().0, Sort::Nothing);
    }

    #[test]
    fn flowers_whose_kind_is_open_are_no_strangers() {
        let row = (0..8_u8).map(|n| tile(f32::from(n), 3.0, 1.0, FLOWER));
        assert_eq!(beside(8, row.collect()), [false; 8]);
    }
}
