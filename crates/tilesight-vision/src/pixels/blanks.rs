//! Tells white dragons without a frame from backs by the colours of the photo's own tiles.
//!
//! Alone, a blank tile is either; in its photo it has the colour of the printed tiles' bodies or
//! that of the backs. Input: the photo and its named tiles. Output: tiles without print that the
//! networks leave in doubt are named anew: the odds of a white dragon are multiplied by the ratio
//! of how often its colour is seen on the faces and on the backs of this photo. Each tile counts by
//! the networks' probability that it shows a face or a back, and one tile of any colour is assumed
//! beside them, so that a photo without backs decides little. Invariant: tiles with a print, and
//! blank ones with a sure name, keep their names.

use tilesight_stills::Photo;

use super::body::body_colours;
use super::seen_tile::SeenTile;
use crate::geometry::Quad;
use crate::params::{BlankParams, ClassifyParams};

const PARAMS: BlankParams = BlankParams::DEFAULT;

/// Density of a colour that may be any.
const ANY: f32 = 1.0 / (256.0 * 256.0 * 256.0);

/// Names the tiles without print that are in doubt by their colours.
pub(super) fn name_blanks(photo: &Photo, tiles: &mut [SeenTile]) {
    let doubtful: Vec<usize> = (0..tiles.len()).filter(|&i| is_doubtful(&tiles[i])).collect();
    if doubtful.is_empty() {
        return;
    }
    let quads: Vec<Quad> = tiles.iter().map(|tile| tile.quad).collect();
    let colours = body_colours(photo, &quads);
    let sides: Vec<Sides> = tiles.iter().zip(colours).map(|(t, c)| Sides::new(t, c)).collect();
    for at in doubtful {
        let odds = odds_of_face(&sides, at);
        tiles[at].faces = tiles[at].faces.with_white_dragon_odds(odds);
    }
}

fn is_doubtful(tile: &SeenTile) -> bool {
    tile.faces.is_blank() && tile.faces.top().1 < ClassifyParams::DEFAULT.sure_look
}

/// The colour of a tile, and how surely it is that of a face or of a back.
#[derive(Debug, Clone, Copy)]
struct Sides {
    colour: [i32; 3],
    face: f32,
    back: f32,
}

impl Sides {
    fn new(tile: &SeenTile, colour: [i32; 3]) -> Sides {
        let faces = &tile.faces;
        Sides { colour, face: tile.score * faces.printed(), back: tile.score * faces.back() }
    }
}

/// Returns the odds of a face against a back by the colour of one tile and those of all others.
fn odds_of_face(sides: &[Sides], at: usize) -> f32 {
    let mut face = ANY;
    let mut faces = 1.0;
    let mut back = 0.0;
    let mut backs = 1.0;
    for other in sides.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, other)| other) {
        let likeness = density(sides[at].colour, other.colour);
        face += other.face * likeness;
        faces += other.face;
        back += other.back * likeness;
        backs += other.back;
    }
    let face = face / faces;
    // The assumed back is as often pale as the bodies as it has any other colour.
    let back = (back + f32::midpoint(face, ANY)) / backs;
    face / back
}

/// Returns the density of a colour around another one: a normal distribution in each channel.
fn density(colour: [i32; 3], around: [i32; 3]) -> f32 {
    let mut squares = 0.0;
    for (a, b) in colour.into_iter().zip(around) {
        squares += ((a - b) as f32 / PARAMS.spread).powi(2);
    }
    let unit = PARAMS.spread * (2.0 * std::f32::consts::PI).sqrt();
    (-squares / 2.0).exp() / unit.powi(3)
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};
    use tilesight_core::tile::Face;

    use super::*;
    use crate::Faces;

    const IVORY: [u8; 3] = [232, 226, 205];
    const CREAM: [u8; 3] = [228, 205, 160];
    const GREEN: [u8; 3] = [30, 130, 70];
    const BLACK: [u8; 3] = [28, 28, 30];

    fn face(code: &str) -> Face {
        code.parse().expect("a face")
    }

    /// Colour of a tile, and probabilities of its names.
    type Blank<'a> = ([u8; 3], &'a [(&'a str, f32)]);

    /// Returns the names of tiles in one photo, of which the networks say this.
    fn name_all(tiles: &[Blank<'_>]) -> Vec<Option<Face>> {
        let mut photo = RgbImage::from_pixel(60 * tiles.len() as u32, 80, Rgb([60, 60, 110]));
        let mut seen = Vec::new();
        for (n, (colour, said)) in tiles.iter().enumerate() {
            let left = 60 * n as u32 + 8;
            for (x, y) in (0..44).flat_map(|x| (0..60).map(move |y| (x, y))) {
                photo.put_pixel(left + x, 10 + y, Rgb(*colour));
            }
            seen.push(SeenTile {
                quad: Quad::rectangle(left as f32, 10.0, 44.0, 60.0),
                score: 0.9,
                inside: 1.0,
                faces: Faces::from_weights(said.iter().map(|&(code, p)| (Some(face(code)), p))),
                turns: [1.0, 0.0, 0.0, 0.0],
                red: 0.0,
                likeness: None,
            });
        }
        let photo = Photo::from_rgb(photo).expect("large enough");
        name_blanks(&photo, &mut seen);
        seen.iter().map(|tile| tile.faces.best()).collect()
    }

    const PRINTED: &[(&str, f32)] = &[("5m", 1.0)];
    const BACK: &[(&str, f32)] = &[("back", 1.0)];
    const LIKELY_BACK: &[(&str, f32)] = &[("back", 0.8), ("P", 0.2)];
    const EITHER: &[(&str, f32)] = &[("back", 0.4), ("P", 0.6)];
    const LIKELY_DRAGON: &[(&str, f32)] = &[("back", 0.2), ("P", 0.8)];

    #[test]
    fn a_blank_tile_is_judged_against_the_bodies_and_the_backs_of_its_photo() {
        let set = |body, back| [(body, PRINTED), (body, PRINTED), (back, BACK), (back, BACK)];
        for (body, back, why) in [
            (IVORY, GREEN, "green backs"),
            (IVORY, CREAM, "pale backs"),
            (BLACK, GREEN, "a black set, whose white dragon is black"),
            (BLACK, IVORY, "a black set with pale backs"),
        ] {
            let blanks = [(body, LIKELY_BACK), (back, LIKELY_DRAGON)];
            let names = name_all(&[&set(body, back)[..], &blanks].concat());
            assert_eq!(names[4..], [Some(face("P")), Some(Face::Back)], "{why}");
        }
    }

    #[test]
    fn without_backs_a_body_of_another_colour_is_a_back_and_one_of_the_same_decides_little() {
        let printed = [(IVORY, PRINTED); 13];
        let blanks = [(GREEN, EITHER), (IVORY, LIKELY_BACK), (IVORY, LIKELY_DRAGON)];
        let names = name_all(&[&printed[..], &blanks].concat());
        assert_eq!(names[13..], [Some(Face::Back), Some(Face::Back), Some(face("P"))]);
    }

    #[test]
    fn backs_of_the_bodies_colour_stay_what_the_networks_say() {
        let printed = [(IVORY, PRINTED); 5];
        let wall = [(IVORY, BACK); 5];
        let blanks = [(IVORY, LIKELY_BACK), (IVORY, LIKELY_DRAGON)];
        let names = name_all(&[&printed[..], &wall, &blanks].concat());
        assert_eq!(names[10..], [Some(Face::Back), Some(face("P"))]);
    }

    #[test]
    fn sure_names_stay() {
        let sure: &[(&str, f32)] = &[("P", 0.99), ("back", 0.01)];
        let names = name_all(&[(IVORY, PRINTED), (GREEN, sure), (GREEN, BACK), (BLACK, PRINTED)]);
        assert_eq!(names[1], Some(face("P")));
        assert_eq!(names[3], Some(face("5m")));
    }
}
