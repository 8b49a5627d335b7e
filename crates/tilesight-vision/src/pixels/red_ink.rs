//! Colour of the ink of fives: a red five is printed in red alone.
//!
//! Input: the photo and its named tiles. Output: the same tiles; a five that the network surely
//! takes for a red one keeps that only if its ink is red. The fives of common sets have red ink
//! too, the 萬 of 5m and a part of 5p and 5s, which the network may take for the whole. Invariant:
//! ink never makes a five red, and without enough ink nothing changes.

use std::ops::Range;

use image::RgbImage;
use tilesight_core::tile::Face;
use tilesight_stills::Photo;

use super::crop::crops_of;
use super::seen_tile::SeenTile;
use crate::geometry::Quad;
use crate::networks::CropSpec;
use crate::params::RedInkParams;

const PARAMS: RedInkParams = RedInkParams::DEFAULT;

/// Lowers the probability of being red of fives whose ink is not red alone.
pub(super) fn doubt_reds(photo: &Photo, tiles: &mut [SeenTile], crop: &CropSpec) {
    let fives: Vec<usize> = (0..tiles.len()).filter(|&i| is_named_red(&tiles[i])).collect();
    let quads: Vec<Quad> = fives.iter().map(|&i| tiles[i].quad).collect();
    let crops = crops_of(photo, quads.iter(), crop);
    for (i, crop) in fives.into_iter().zip(crops) {
        if red_share(&crop).is_some_and(|share| share < PARAMS.min_red) {
            tiles[i].limit_red(PARAMS.disputed);
        }
    }
}

/// Returns whether the network takes the tile for a red five.
fn is_named_red(tile: &SeenTile) -> bool {
    let named = tile.faces.best().and_then(Face::tile);
    named.is_some_and(|named| tile.red_probability(named) > PARAMS.disputed)
}

/// Returns the share of red in the ink of a face; `None` if it shows hardly any ink. Colours are
/// relative to the body's, so that the light does not matter.
#[must_use]
pub fn red_share(crop: &RgbImage) -> Option<f32> {
    let face = inner_pixels(crop);
    let body = body_of(&face)?;
    let mut red = 0_usize;
    let mut ink = 0_usize;
    for pixel in &face {
        let [r, g, b]: [f32; 3] =
            std::array::from_fn(|channel| f32::from(pixel[channel]) / body[channel]);
        if r.min(g).min(b) < PARAMS.ink {
            ink += 1;
            red += usize::from(r - g.max(b) > PARAMS.redness);
        }
    }
    (ink as f32 >= PARAMS.min_ink * face.len() as f32).then(|| red as f32 / ink as f32)
}

/// Returns the pixels inside the rim, which shows the tile's edge and what lies around it.
fn inner_pixels(crop: &RgbImage) -> Vec<[u8; 3]> {
    let mut pixels = Vec::new();
    for y in inside_rim(crop.height()) {
        for x in inside_rim(crop.width()) {
            pixels.push(crop.get_pixel(x, y).0);
        }
    }
    pixels
}

/// Returns the places inside the rim along a side of this length.
fn inside_rim(length: u32) -> Range<u32> {
    let rim = (PARAMS.rim * length as f32).round() as u32;
    rim..length - rim
}

/// Returns the colour of a tile's body: the median of the lighter half of its pixels.
fn body_of(face: &[[u8; 3]]) -> Option<[f32; 3]> {
    let mut pixels = face.to_vec();
    pixels.sort_by_key(|pixel| pixel.iter().map(|&channel| u32::from(channel)).sum::<u32>());
    let body = pixels.get(pixels.len() * 3 / 4)?;
    Some(body.map(|channel| f32::from(channel).max(1.0)))
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    /// Draws strokes of these colours side by side onto an ivory body, in light of a colour.
    fn face(strokes: &[[u8; 3]], light: [f32; 3]) -> RgbImage {
        RgbImage::from_fn(64, 80, |x, y| {
            let is_ink = x % 8 < 3 && (8..72).contains(&y);
            let stroke = strokes.get(y as usize * strokes.len() / 80);
            let colour = stroke.filter(|_| is_ink).copied().unwrap_or([245, 240, 225]);
            Rgb(std::array::from_fn(|channel| (f32::from(colour[channel]) * light[channel]) as u8))
        })
    }

    const RED: [u8; 3] = [190, 30, 35];
    const BLACK: [u8; 3] = [30, 30, 35];
    const GREEN: [u8; 3] = [20, 110, 60];

    #[test]
    fn red_differs_from_other_ink_in_any_light() {
        for light in [[1.0, 1.0, 1.0], [1.0, 0.8, 0.55], [0.5, 0.55, 0.6]] {
            let share = |strokes: &[[u8; 3]]| red_share(&face(strokes, light)).expect("ink");
            assert!(share(&[RED]) > 0.95, "{light:?}");
            assert!(share(&[BLACK, RED]) < PARAMS.min_red, "a common 5m, {light:?}");
            assert!(share(&[GREEN, RED, GREEN]) < PARAMS.min_red, "a common 5s, {light:?}");
            assert!(share(&[BLACK]) < 0.05, "{light:?}");
        }
    }

    #[test]
    fn a_face_without_ink_says_nothing() {
        assert_eq!(red_share(&face(&[], [1.0; 3])), None);
        assert_eq!(red_share(&RgbImage::new(0, 0)), None);
    }
}
