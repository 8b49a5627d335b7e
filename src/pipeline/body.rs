//! Brings dark tiles to light: gold on black becomes gold on ivory, which is what nearly all tiles look like that the
//! networks have seen.
//!
//! Input: a photo with its detections, or all crops of one photo as the classifier will get them. Output: the
//! [`negative`] of a photo of a dark set, in which its tiles are found again; the same crops, those of a dark set with
//! their lightness turned about. Invariant: the crops of a light set stay as they are; of 214 held-out photos of light
//! sets none is taken for dark, and of their 3,031 tiles none. Names come from the photo itself, not from its negative:
//! there dark backs would be white dragons. `to_light` of `scripts/vision/frontend.py` does the same.

use image::RgbImage;

use super::crop::{CropSpec, crops_of};
use super::decode::Photo;
use super::detect::Detection;
use super::geometry::Quad;
use super::model::ClassifierSpec;

/// The darkest body of a tile that is left as it is, of 255. Even a bright print on a lighter body
/// is read as it is: jade in the light is no dark tile.
const BODY_DARK: i32 = 120;
/// How far from the body's lightness the ink must be, to be ink and no shade or noise.
const INK_APART: i32 = 40;
/// The same in a photo that is known to be of a dark set, for tiles of the bodies' colour. In 16
/// scenes of dark sets 395 of 438 faces are named by it, as many as if all such tiles were turned,
/// and 119 of 263 backs instead of 68.
const INK_FAINT: i32 = 16;
/// How far apart bodies of one set may be in each colour.
const ALIKE: i32 = 40;

/// So many of the surest tiles, each at half the size that is named, tell whether a set is dark, in a hundredth of the time
/// that a photo takes.
const ENOUGH: usize = 8;
const GLANCE: CropSpec = CropSpec { input: [40, 32], margin: 1.15 };

/// What a crop shows of body and ink.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lean {
    /// Light ink on a dark body.
    Dark,
    /// Dark ink on a lighter body.
    Light,
    /// No ink, or none that tells.
    Open,
}

/// Turns the crops of a dark set about.
///
/// The photo decides, not the crop: only where more tiles show light ink on a dark body than dark
/// ink on a lighter one is it a dark set. Faint light ink is enough then where a tile has the
/// bodies' colour. What shows no ink stays as it is: most of it are backs.
pub fn to_light(crops: &mut [RgbImage]) {
    let leans: Vec<Lean> = crops.iter().map(lean).collect();
    if !are_dark(&leans) {
        return;
    }
    let dark = crops.iter().zip(&leans).filter(|&(_, &lean)| lean == Lean::Dark);
    let bodies: Vec<[i32; 3]> = dark.map(|(crop, _)| colour(crop)).collect();
    let usual = [0, 1, 2].map(|c| middle(bodies.iter().map(|body| body[c]).collect()));
    for (crop, lean) in crops.iter_mut().zip(leans) {
        let near =
            |crop: &RgbImage| colour(crop).iter().zip(usual).all(|(a, b)| (a - b).abs() < ALIKE);
        if lean == Lean::Dark || (lean == Lean::Open && near(crop) && is_faintly_printed(crop)) {
            turn(crop);
        }
    }
}

/// The photo of a dark set in the light in which the detector knows tiles: a [negative](turn).
///
/// On 17 scenes of dark sets this found 86 instead of 79.5 % of 493 faces that lie open, and 77.5 instead of 62 % were
/// named right: on a dark body outlines had followed the ink. Turning the luminance instead found and named as many.
#[must_use]
pub fn negative(photo: &Photo, found: &[Detection], spec: &ClassifierSpec) -> Option<Photo> {
    let mut surest: Vec<&Detection> = found.iter().collect();
    surest.sort_by(|a, b| b.score.total_cmp(&a.score));
    let quads: Vec<Quad> = surest.iter().take(ENOUGH).map(|tile| tile.quad.upright()).collect();
    let is_dark = || {
        let crops = crops_of(photo, quads.iter(), &GLANCE);
        are_dark(&crops.iter().map(lean).collect::<Vec<_>>())
    };
    if !(spec.to_light && is_dark()) {
        return None;
    }
    let mut image = photo.image().clone();
    turn(&mut image);
    Photo::from_rgb(image).ok()
}

/// Whether most tiles that tell show light ink on a dark body.
fn are_dark(leans: &[Lean]) -> bool {
    let count = |wanted: Lean| leans.iter().filter(|&&lean| lean == wanted).count();
    count(Lean::Dark) > count(Lean::Light)
}

/// Lightness turned about, hue and colourfulness kept.
fn turn(crop: &mut RgbImage) {
    for pixel in crop.pixels_mut() {
        let (low, high) =
            pixel.0.iter().fold((255, 0), |(low, high), &c| (c.min(low), c.max(high)));
        // Between 255 less the highest and 255 less the lowest.
        pixel.0 = pixel.0.map(|c| (i32::from(c) + 255 - i32::from(low) - i32::from(high)) as u8);
    }
}

fn lean(crop: &RgbImage) -> Lean {
    let (body, below, above) = apart(crop);
    if body < BODY_DARK && above > INK_APART && 2 * above > 3 * below {
        Lean::Dark
    } else if below > INK_APART && below >= above {
        Lean::Light
    } else {
        Lean::Open
    }
}

fn is_faintly_printed(crop: &RgbImage) -> bool {
    let (_, below, above) = apart(crop);
    above > INK_FAINT && above > below
}

/// A body's lightness, and how far the darkest and the lightest twentieth of the face are below
/// and above it.
fn apart(crop: &RgbImage) -> (i32, i32, i32) {
    let body = middle(around(crop).map(grey).collect());
    let mut face: Vec<i32> = on_face(crop).map(|(pixel, _)| grey(pixel)).collect();
    let twentieth = face.len() / 20;
    let last = face.len() - 1;
    let darkest = *face.select_nth_unstable(twentieth).1;
    let lightest = *face.select_nth_unstable(last - twentieth).1;
    (body, body - darkest, lightest - body)
}

/// A body's colour: the median of each channel around the print.
fn colour(crop: &RgbImage) -> [i32; 3] {
    [0, 1, 2].map(|c| middle(around(crop).map(|pixel| i32::from(pixel[c])).collect()))
}

/// The pixels between the print and the face's edge: mostly body.
fn around(crop: &RgbImage) -> impl Iterator<Item = [u8; 3]> + '_ {
    on_face(crop).filter(|&(_, printed)| !printed).map(|(pixel, _)| pixel)
}

/// The pixels that are surely the tile's, and whether each lies where the print does: of a crop of
/// 80 x 64, in which a face is 70 x 56, all but its edge.
fn on_face(crop: &RgbImage) -> impl Iterator<Item = ([u8; 3], bool)> + '_ {
    let (width, height) = crop.dimensions();
    let inset = move |x: u32, y: u32, from: (u32, u32)| {
        let (left, top) = (width * from.0 / 64, height * from.1 / 80);
        (left..width - left).contains(&x) && (top..height - top).contains(&y)
    };
    crop.enumerate_pixels()
        .filter(move |&(x, y, _)| inset(x, y, (7, 9)))
        .map(move |(x, y, pixel)| (pixel.0, inset(x, y, (13, 17))))
}

/// Lightness to the eye.
fn grey([red, green, blue]: [u8; 3]) -> i32 {
    (77 * i32::from(red) + 150 * i32::from(green) + 29 * i32::from(blue)) >> 8
}

/// The median, of an even count the upper one.
fn middle(mut numbers: Vec<i32>) -> i32 {
    let at = numbers.len() / 2;
    *numbers.select_nth_unstable(at).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::Model as _;
    use crate::pipeline::model::fake::Painted;
    use image::{Rgb, imageops};

    const IVORY: [u8; 3] = [240, 232, 214];
    const BLACK: [u8; 3] = [30, 30, 34];
    const INK: [u8; 3] = [20, 20, 24];
    const GOLD: [u8; 3] = [212, 175, 55];
    const CLOTH: [u8; 3] = [20, 110, 60];

    /// A tile on green cloth, with a print that covers `share` of its middle.
    fn tile(body: [u8; 3], ink: [u8; 3], share: u32) -> RgbImage {
        RgbImage::from_fn(64, 80, |x, y| {
            let face = (4..60).contains(&x) && (5..75).contains(&y);
            let print = (14..50).contains(&x) && (18..62).contains(&y) && (x + 3 * y) % 10 < share;
            Rgb(if print {
                ink
            } else if face {
                body
            } else {
                CLOTH
            })
        })
    }

    fn brought(crops: &[RgbImage]) -> Vec<bool> {
        let mut after = crops.to_vec();
        to_light(&mut after);
        after.iter().zip(crops).map(|(after, before)| after != before).collect()
    }

    #[test]
    fn light_tiles_stay_however_dim_the_light_is() {
        for light in [1.0, 0.6, 0.3, 0.2] {
            let dim = |colour: [u8; 3]| colour.map(|c| (f32::from(c) * light) as u8);
            let hand = [4, 2, 6, 0].map(|share| tile(dim(IVORY), dim(INK), share));
            assert_eq!(brought(&hand), [false; 4], "in {light} of the light");
        }
    }

    #[test]
    fn a_dark_set_is_turned_with_its_faint_prints_and_without_its_backs() {
        let faint = tile(BLACK, [60, 56, 40], 4);
        let backs = [BLACK, [150, 30, 40]].map(|colour| tile(colour, colour, 0));
        let faces = [tile(BLACK, GOLD, 4), tile(BLACK, IVORY, 3), faint.clone()];
        assert_eq!(
            brought(&[faces.to_vec(), backs.to_vec()].concat()),
            [true, true, true, false, false]
        );
        assert_eq!(brought(&[faint]), [false], "alone it does not tell");
    }

    #[test]
    fn dark_things_beside_a_light_set_do_not_turn_it() {
        let back = tile([20, 30, 70], BLACK, 0);
        let key = tile(BLACK, IVORY, 3);
        let scene = [tile(IVORY, INK, 4), tile(IVORY, INK, 3), back.clone(), back, key];
        assert_eq!(brought(&scene), [false; 5]);
    }

    #[test]
    fn only_the_photo_of_a_dark_set_has_a_negative() {
        let spec = Painted::default().manifest().classifier.clone();
        let row = |body: [u8; 3], ink: [u8; 3]| {
            let mut photo = RgbImage::from_pixel(320, 80, Rgb(CLOTH));
            let tiles: Vec<Detection> = (0..5u8)
                .map(|n| {
                    let left = 64.0 * f32::from(n);
                    imageops::replace(&mut photo, &tile(body, ink, 4), left as i64, 0);
                    let quad = Quad::rectangle(left + 4.0, 5.0, 56.0, 70.0);
                    Detection { quad, score: 0.9, face_up: 1.0 }
                })
                .collect();
            (Photo::from_rgb(photo).expect("large enough"), tiles)
        };
        let negative = |body, ink, to_light| {
            let (photo, tiles) = row(body, ink);
            negative(&photo, &tiles, &ClassifierSpec { to_light, ..spec.clone() })
        };
        assert!(negative(IVORY, INK, true).is_none());
        assert!(negative(BLACK, GOLD, false).is_none(), "networks that know dark sets");
        let seen = negative(BLACK, GOLD, true).expect("a dark set");
        assert_eq!(seen.image().get_pixel(8, 8).0, [221, 221, 225]);
    }

    #[test]
    fn backs_alone_are_left_as_they_are() {
        let backs = [[20, 30, 70], [250, 250, 248], [30, 30, 34]].map(|c| tile(c, c, 0));
        assert_eq!(brought(&backs), [false; 3]);
    }

    #[test]
    fn turning_keeps_the_hue_and_turned_twice_is_as_before() {
        let colours = [BLACK, IVORY, GOLD, CLOTH, [0, 0, 0], [255, 0, 0], [0, 255, 255]];
        for colour in colours {
            let before = RgbImage::from_pixel(1, 1, Rgb(colour));
            let mut crop = before.clone();
            turn(&mut crop);
            let after = crop.get_pixel(0, 0).0;
            let spread = |c: [u8; 3]| c.iter().max().unwrap() - c.iter().min().unwrap();
            assert_eq!(spread(after), spread(colour), "{colour:?} becomes {after:?}");
            turn(&mut crop);
            assert_eq!(crop, before);
        }
        let mut crop = RgbImage::from_pixel(1, 1, Rgb(BLACK));
        turn(&mut crop);
        assert_eq!(crop.get_pixel(0, 0).0, [221, 221, 225]);
    }

    #[test]
    fn no_crops_are_no_trouble() {
        to_light(&mut []);
    }
}
