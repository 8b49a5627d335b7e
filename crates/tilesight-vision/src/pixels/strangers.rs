//! Tells other objects from tiles by the names of all that was found in a photo.
//!
//! The detector takes print, keys and motifs for tiles, and the classifier names each as some tile,
//! but less surely than the tiles of a set that it reads well, or all motifs of a cloth as the same
//! tile. Input: all that was found in a photo, named. Output: which of it are strangers. Invariant:
//! a photo that shows few tiles with a sure name has no strangers, since its set may be an unknown
//! one; and neither a back is a stranger, nor what has a sure name that a set has often enough.

use super::faces::{Faces, Sort};
use super::seen_tile::SeenTile;
use crate::geometry::Quad;
use crate::geometry::rows::linked;
use crate::params::{ClassifyParams, StrangerParams, VisibilityParams};

const PARAMS: StrangerParams = StrangerParams::DEFAULT;

/// Number of tiles of one kind in two sets, which may lie on neighbouring tables.
const MAX_OF_A_KIND: usize = 8;

/// Returns for each tile whether it is a stranger: its name is doubtful, or one that more things of
/// a crowd have than two sets have tiles, and it has another size than all tiles with a sure name,
/// or lies apart from their rows, in a crowd of such things or with a body of another colour, of
/// which `bodies_of` tells the median. So is a white dragon that lies apart in a crowd of
/// strangers. A stranger of `before` stays one.
pub(super) fn strangers(
    tiles: &[SeenTile],
    before: &[bool],
    bodies_of: impl Fn(&[Quad]) -> Vec<[i32; 3]>,
) -> Vec<bool> {
    let mut is_stranger = before.to_vec();
    let is_motif = motifs(tiles);
    let known = known_tiles(tiles, &is_motif);
    if known.len() >= PARAMS.min_known {
        let things = Things::new(tiles, is_motif, known);
        things.mark_doubtful(&mut is_stranger);
        things.mark_other_bodies(&mut is_stranger, bodies_of);
        things.mark_plates(&mut is_stranger);
    }
    is_stranger
}

/// All that was found in a photo.
struct Things<'a> {
    tiles: &'a [SeenTile],
    is_motif: Vec<bool>,
    /// Tiles that surely show a print of the set.
    known: Vec<usize>,
    /// Tiles of rows: these, and what touches one of them or goes on from there, each with a print
    /// whose name is not in doubt: a row with a few sure names is a row of tiles.
    in_rows: Vec<usize>,
}

impl<'a> Things<'a> {
    fn new(tiles: &'a [SeenTile], is_motif: Vec<bool>, known: Vec<usize>) -> Things<'a> {
        let mut in_rows = known.clone();
        let mut at = 0;
        while let Some(&from) = in_rows.get(at) {
            let beside = (0..tiles.len()).filter(|i| {
                let tile = &tiles[*i];
                !in_rows.contains(i)
                    && is_printed(tile)
                    && !is_doubtful(tile)
                    && touch(&tiles[from].quad, &tile.quad)
            });
            in_rows.extend(beside.collect::<Vec<_>>());
            at += 1;
        }
        Things { tiles, is_motif, known, in_rows }
    }

    /// Marks what has a doubtful name and no tile's size, or lies in a crowd of such things.
    fn mark_doubtful(&self, is_stranger: &mut [bool]) {
        let doubtful = self
            .unknown()
            .filter(|&i| is_stranger[i] || is_doubtful(&self.tiles[i]) || self.is_motif[i]);
        let (odd, fitting): (Vec<usize>, Vec<usize>) = doubtful.partition(|&i| self.is_odd(i));
        let mut apart = odd.clone();
        apart.extend(fitting.into_iter().filter(|&i| self.is_apart(i)));
        let crowds = self.crowds(&apart).into_iter();
        let crowded = crowds.filter(|crowd| crowd.len() >= PARAMS.crowd).flatten();
        odd.into_iter().chain(crowded).for_each(|i| is_stranger[i] = true);
    }

    /// Marks what has no sure name, lies apart from the rows of tiles, and has a body of another
    /// colour than all tiles: the tiles of a set are made of one material.
    fn mark_other_bodies(
        &self,
        is_stranger: &mut [bool],
        bodies_of: impl Fn(&[Quad]) -> Vec<[i32; 3]>,
    ) {
        let doubtful: Vec<usize> = self
            .unknown()
            .filter(|&i| !is_stranger[i] && is_open(&self.tiles[i]) && self.is_apart(i))
            .collect();
        if doubtful.is_empty() {
            return;
        }
        let known = bodies_of(&self.quads(&self.known));
        let bodies = bodies_of(&self.quads(&doubtful));
        for (i, body) in doubtful.into_iter().zip(bodies) {
            is_stranger[i] = known.iter().all(|other| differ_in_colour(&body, other));
        }
    }

    fn quads(&self, chosen: &[usize]) -> Vec<Quad> {
        chosen.iter().map(|&i| self.tiles[i].quad).collect()
    }

    /// Marks white dragons apart from the tiles in a crowd that consists mostly of strangers.
    fn mark_plates(&self, is_stranger: &mut [bool]) {
        let apart: Vec<usize> = self
            .unknown()
            .filter(|&i| is_stranger[i] || is_plate(&self.tiles[i]) && self.is_apart(i))
            .collect();
        for crowd in self.crowds(&apart) {
            let strangers = crowd.iter().filter(|&&i| is_stranger[i]).count();
            if strangers >= PARAMS.crowd && 2 * strangers > crowd.len() {
                crowd.into_iter().for_each(|i| is_stranger[i] = true);
            }
        }
    }

    /// Returns what may be no tile of the set.
    fn unknown(&self) -> impl Iterator<Item = usize> {
        (0..self.tiles.len()).filter(|i| !self.in_rows.contains(i))
    }

    /// Returns whether something has another size than all tiles.
    fn is_odd(&self, i: usize) -> bool {
        let quad = &self.tiles[i].quad;
        self.known.iter().all(|&other| differ_in_size(&self.tiles[other].quad, quad))
    }

    /// Returns whether something touches no row of tiles.
    fn is_apart(&self, i: usize) -> bool {
        !self.in_rows.iter().any(|&other| touch(&self.tiles[other].quad, &self.tiles[i].quad))
    }

    /// Splits things into those that lie near each other.
    fn crowds(&self, chosen: &[usize]) -> Vec<Vec<usize>> {
        linked(chosen, |a, b| are_near(&self.tiles[a].quad, &self.tiles[b].quad))
    }
}

/// Returns the probabilities of a stranger with these names.
pub(super) fn without_face(faces: &Faces) -> Faces {
    faces.or_nothing(PARAMS.no_face)
}

/// Returns the tiles that surely show a print of the set. A white dragon may be any pale plate, and
/// what more things in a crowd show than two sets have tiles may be a motif.
fn known_tiles(tiles: &[SeenTile], is_motif: &[bool]) -> Vec<usize> {
    let known = (0..tiles.len()).filter(|&i| {
        let tile = &tiles[i];
        is_printed(tile)
            && tile.faces.top().1 >= ClassifyParams::DEFAULT.sure_look
            && tile.score >= VisibilityParams::DEFAULT.dim
            && !is_motif[i]
    });
    known.collect()
}

/// Returns for each thing whether it lies in a crowd of more things of its name than two sets have
/// tiles, and touches nothing with another one.
fn motifs(tiles: &[SeenTile]) -> Vec<bool> {
    let printed: Vec<usize> = (0..tiles.len()).filter(|&i| is_printed(&tiles[i])).collect();
    let crowds = linked(&printed, |a, b| {
        are_alike(&tiles[a], &tiles[b]) && are_near(&tiles[a].quad, &tiles[b].quad)
    });
    let mut is_motif = vec![false; tiles.len()];
    for i in crowds.into_iter().filter(|crowd| crowd.len() > MAX_OF_A_KIND).flatten() {
        let mut others = printed.iter().filter(|&&other| !are_alike(&tiles[i], &tiles[other]));
        is_motif[i] = !others.any(|&other| touch(&tiles[other].quad, &tiles[i].quad));
    }
    is_motif
}

fn are_alike(a: &SeenTile, b: &SeenTile) -> bool {
    a.faces.best() == b.faces.best()
}

/// Returns whether something is named as a playing tile with a print.
fn is_printed(tile: &SeenTile) -> bool {
    tile.faces.sort().0 == Sort::Playing && !tile.faces.is_blank()
}

/// Returns whether something is named as a white dragon, which may be any pale plate.
fn is_plate(tile: &SeenTile) -> bool {
    tile.faces.sort().0 == Sort::Playing && tile.faces.is_blank()
}

/// Returns whether something has a doubtful name; which bonus tile it is does not matter.
fn is_doubtful(tile: &SeenTile) -> bool {
    match tile.faces.sort() {
        (Sort::Playing, _) => tile.faces.top().1 < PARAMS.doubtful,
        (Sort::Bonus, p) => p < PARAMS.doubtful,
        (Sort::Back | Sort::Nothing, _) => false,
    }
}

/// Returns whether something is named as a face, and no name of it is probable. Which bonus tile it
/// is matters here: things that are no tiles are mostly named as several of them.
fn is_open(tile: &SeenTile) -> bool {
    matches!(tile.faces.sort().0, Sort::Playing | Sort::Bonus)
        && tile.faces.top().1 < PARAMS.doubtful
}

fn differ_in_size(a: &Quad, b: &Quad) -> bool {
    let ratio = a.scale() / b.scale();
    ratio.max(1.0 / ratio) > PARAMS.other_size
}

fn differ_in_colour(a: &[i32; 3], b: &[i32; 3]) -> bool {
    a.iter().zip(b).any(|(a, b)| (a - b).abs() > PARAMS.other_body)
}

fn touch(a: &Quad, b: &Quad) -> bool {
    a.gap(b, PARAMS.touching) <= PARAMS.touching
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
            likeness: None,
        }
    }

    const SURE: &[(&str, f32)] = &[("4p", 0.99), ("6p", 0.01)];
    const ALSO_SURE: &[(&str, f32)] = &[("7s", 0.99), ("9s", 0.01)];
    const DOUBTFUL: &[(&str, f32)] = &[("1s", 0.7), ("8s", 0.3)];
    const FLOWER: &[(&str, f32)] = &[("f1", 0.5), ("s3", 0.45), ("1s", 0.05)];
    const DRAGON: &[(&str, f32)] = &[("P", 0.99), ("back", 0.01)];
    const MOTIF: &[(&str, f32)] = &[("1p", 0.99), ("P", 0.01)];

    /// Returns white bodies for the row and green ones for what lies in the grass, far below.
    fn bodies_of(quads: &[Quad]) -> Vec<[i32; 3]> {
        quads.iter().map(body_of).collect()
    }

    fn body_of(quad: &Quad) -> [i32; 3] {
        let is_in_grass = quad.0[0].y > 30.0 * 50.0;
        if is_in_grass { [120, 170, 160] } else { [200, 220, 230] }
    }

    #[test]
    fn a_doubtful_thing_with_another_body_is_a_stranger() {
        for (names, is_stranger) in [(DOUBTFUL, true), (FLOWER, true), (SURE, false)] {
            assert_eq!(beside(8, vec![tile(2.0, 60.0, 1.0, names)]), [is_stranger], "{names:?}");
            assert_eq!(beside(8, vec![tile(2.0, 5.0, 1.0, names)]), [false], "{names:?}");
        }
        let touching = [tile(0.0, 60.0, 1.0, SURE), tile(1.0, 60.0, 1.0, DOUBTFUL)];
        assert_eq!(beside(8, touching.into()), [false; 2], "a row of green tiles");
    }

    /// Returns which of some things beside a row of `known` sure tiles are strangers.
    fn beside(known: u8, things: Vec<SeenTile>) -> Vec<bool> {
        let names = [SURE, ALSO_SURE].into_iter().cycle();
        let row = (0..known).zip(names).map(|(n, names)| tile(f32::from(n), 0.0, 1.0, names));
        let all: Vec<SeenTile> = row.chain(things).collect();
        let found = strangers(&all, &vec![false; all.len()], bodies_of);
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

    /// Returns a crowd of doubtful things with another one at its end.
    fn crowd_with(names: &[(&str, f32)]) -> Vec<SeenTile> {
        [crowd(5, 1.0, DOUBTFUL), vec![tile(7.5, 5.0, 1.0, names)]].concat()
    }

    #[test]
    fn a_white_dragon_in_a_crowd_of_strangers_is_one() {
        assert_eq!(beside(8, crowd_with(DRAGON)), [true; 6]);
        assert!(!beside(8, crowd_with(SURE))[5]);
        assert!(!beside(8, crowd_with(FLOWER))[5], "a flower's kind is always open");
        let dragons = (4..12_u8).map(|n| tile(1.5 * f32::from(n), 5.0, 1.0, DRAGON));
        let found = beside(8, [crowd(4, 1.0, DOUBTFUL), dragons.collect()].concat());
        assert!(!found[4..].contains(&true), "the strangers are fewer: {found:?}");
    }

    #[test]
    fn more_of_one_name_than_two_sets_have_are_strangers() {
        assert_eq!(beside(8, crowd(9, 1.0, MOTIF)), [true; 9]);
        assert_eq!(beside(8, crowd(8, 1.0, MOTIF)), [false; 8], "two sets have these");
        let kong = (0..4_u8).map(|n| tile(1.5 * f32::from(n), 20.0, 1.0, MOTIF));
        let found = beside(8, [crowd(9, 1.0, MOTIF), kong.collect()].concat());
        assert_eq!(found, [vec![true; 9], vec![false; 4]].concat());
        let row = (8..17_u8).map(|n| tile(f32::from(n), 0.0, 1.0, MOTIF));
        assert!(!beside(8, row.collect())[0], "it touches another tile of the row");
    }

    #[test]
    fn the_end_of_a_row_beside_a_crowd_is_no_stranger() {
        let end = [&[("4s", 0.91), ("6s", 0.09)][..], &[("4s", 0.9), ("6s", 0.1)], DOUBTFUL];
        let row = end.iter().zip(8_u8..).map(|(names, n)| tile(f32::from(n), 0.0, 1.0, names));
        let print = (0..6_u8).map(|n| tile(12.5, 1.5 * f32::from(n), 1.0, DOUBTFUL));
        let found = beside(8, row.chain(print).collect());
        assert_eq!(found, [vec![false; 3], vec![true; 6]].concat());
    }

    #[test]
    fn a_stranger_stays_one() {
        let tiles: Vec<SeenTile> = crowd(6, 1.0, SURE);
        let before = [true, false, false, false, false, false];
        assert_eq!(strangers(&tiles, &before, bodies_of), before);
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
