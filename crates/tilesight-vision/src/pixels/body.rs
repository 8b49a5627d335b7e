//! Recognises dark sets and inverts their lightness: gold on black becomes gold on ivory, as on
//! nearly all tiles that the networks were trained with.
//!
//! Input: a photo with its detections, or all crops of one photo as the classifier gets them.
//! Output: whether the photo shows a dark set, and its [`negative`], in which the detector then
//! runs again; or a [`DarkSet`], which inverts the crops. Invariant: crops of a light set stay
//! unchanged; of 214 held-out photos of light sets with 3,031 tiles, no photo and no tile is taken
//! for dark. Tiles are named from the photo itself, not from its negative, in which dark backs
//! would look like white dragons. `to_light` of `scripts/vision/frontend.py` does the same.

use image::math::Rect;
use image::{GrayImage, Pixel, Rgb, RgbImage};
use imageproc::compose;
use imageproc::definitions::Image;
use imageproc::map::map_pixels_mut;
use imageproc::stats::histogram;
use tilesight_stills::Photo;

use super::crop::crops_of;
use super::detect::Detection;
use crate::geometry::Quad;
use crate::networks::CropSpec;
use crate::params::{DarkSetParams, DetectParams};

const PARAMS: DarkSetParams = DarkSetParams::DEFAULT;

/// Size and margin of the crops that tell whether a set is dark: half the size of the crops that
/// the classifier names.
const SAMPLE_CROP: CropSpec = CropSpec { input: [40, 32], margin: 1.15 };

/// Lightness of the ink relative to the body, as seen in one crop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Tone {
    /// Light ink on a dark body.
    LightOnDark,
    /// Dark ink on a lighter body.
    DarkOnLight,
    /// No ink, or too little to tell.
    Unclear,
}

/// A set whose tiles are dark and their prints light.
#[derive(Debug, Clone, Copy)]
pub struct DarkSet {
    /// Median colour of the bodies.
    body: [i32; 3],
}

impl DarkSet {
    /// Returns the dark set that the crops of a photo show. Returns `None` unless more tiles show
    /// light ink on a dark body than dark ink on a lighter one.
    #[must_use]
    pub fn from_crops(crops: &[RgbImage]) -> Option<DarkSet> {
        let tones: Vec<Tone> = crops.iter().map(tone).collect();
        if !are_dark(&tones) {
            return None;
        }
        let dark = crops.iter().zip(&tones).filter(|&(_, &tone)| tone == Tone::LightOnDark);
        let bodies: Vec<[i32; 3]> = dark.map(|(crop, _)| body_colour(crop)).collect();
        Some(DarkSet { body: median_colour(&bodies) })
    }

    /// Inverts crops of the photo.
    ///
    /// Faint light ink suffices if the tile's body has the set's colour. Tiles without ink stay
    /// unchanged: most of them are backs.
    pub(crate) fn lighten(&self, crops: &mut [RgbImage]) {
        for crop in crops {
            let tone = tone(crop);
            if tone == Tone::LightOnDark || tone == Tone::Unclear && self.is_faintly_printed(crop) {
                invert(crop);
            }
        }
    }

    fn is_faintly_printed(&self, crop: &RgbImage) -> bool {
        let body = body_colour(crop);
        let is_near =
            body.iter().zip(self.body).all(|(a, b)| (a - b).abs() < PARAMS.body_tolerance);
        is_near && is_faintly_printed(crop)
    }
}

/// Lightness of the set in a photo, as far as its faces tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SetTone {
    /// Dark ink on lighter bodies.
    Light,
    /// Dark faces among light ones: the [`negative`] tells, if it [shows more](shows_more).
    Doubtful,
    /// Light ink on dark bodies.
    Dark,
}

/// Returns the lightness of the set that a photo shows, from the faces that were found in it. Where
/// most of the best ones are light, no others are looked at.
pub(crate) fn tone_of_set(photo: &Photo, found: &[Detection]) -> SetTone {
    let faces = best_faces(found, DetectParams::DEFAULT.judged_tiles);
    let (best, others) = faces.split_at(faces.len().min(PARAMS.sample_tiles));
    let mut tones = tones_of(photo, best);
    let [dark, light] = count(&tones);
    if dark > light {
        return SetTone::Dark;
    }
    if 2 * light > tones.len() {
        return SetTone::Light;
    }
    tones.extend(tones_of(photo, others));
    let [dark, light] = count(&tones);
    if dark > 0 && dark as f32 >= PARAMS.doubt_share * (dark + light) as f32 {
        SetTone::Doubtful
    } else {
        SetTone::Light
    }
}

fn tones_of(photo: &Photo, tiles: &[&Detection]) -> Vec<Tone> {
    let quads: Vec<Quad> = tiles.iter().map(|tile| tile.quad.upright()).collect();
    crops_of(photo, quads.iter(), &SAMPLE_CROP).iter().map(tone).collect()
}

/// Returns whether the detector sees faces better in the negative than in the photo itself: their
/// scores have a higher sum. In the negatives of 31 tables of light sets the sum is at most 0.91
/// times the photo's, in those of three dark tables that are doubtful at least 1.75 times.
pub(crate) fn shows_more(in_negative: &[Detection], in_photo: &[Detection]) -> bool {
    sum_of_scores(in_negative) > sum_of_scores(in_photo)
}

/// Returns the sum of the scores of the faces that are seen best.
fn sum_of_scores(found: &[Detection]) -> f32 {
    best_faces(found, DetectParams::DEFAULT.judged_tiles).iter().map(|tile| tile.score).sum()
}

/// Returns at most `number` of the tiles that may show a face, those with the highest scores.
fn best_faces(found: &[Detection], number: usize) -> Vec<&Detection> {
    let mut faces: Vec<&Detection> = found.iter().filter(|tile| !tile.is_back()).collect();
    faces.sort_by(|a, b| b.score.total_cmp(&a.score));
    faces.truncate(number);
    faces
}

/// Returns the inverted photo, in which the detector finds the tiles of a dark set.
///
/// On 17 scenes of dark sets with 493 open faces, this raised the share of faces found from 79.5 to
/// 86 % and the share named correctly from 62 to 77.5 %: on a dark body, outlines had followed the
/// ink. Inverting the luminance instead gave the same numbers.
#[must_use]
pub fn negative(photo: &Photo) -> Option<Photo> {
    let mut image = photo.image().clone();
    invert(&mut image);
    Photo::from_rgb(image).ok()
}

/// Returns whether more tiles show light ink on a dark body than dark ink on a lighter one.
fn are_dark(tones: &[Tone]) -> bool {
    let [dark, light] = count(tones);
    dark > light
}

/// Returns the numbers of tiles with light ink on a dark body, and with dark ink on a lighter one.
fn count(tones: &[Tone]) -> [usize; 2] {
    [Tone::LightOnDark, Tone::DarkOnLight]
        .map(|wanted| tones.iter().filter(|&&tone| tone == wanted).count())
}

/// Inverts the lightness and keeps hue and colourfulness.
pub(crate) fn invert(image: &mut RgbImage) {
    map_pixels_mut(image, |Rgb(pixel)| {
        let (low, high) = pixel.iter().fold((255, 0), |(low, high), &c| (c.min(low), c.max(high)));
        // Maps the range from `low` to `high` onto the one from 255 - `high` to 255 - `low`.
        Rgb(pixel.map(|c| (i32::from(c) + 255 - i32::from(low) - i32::from(high)) as u8))
    });
}

fn tone(crop: &RgbImage) -> Tone {
    let Contrast { body, below, above } = Contrast::from_crop(crop);
    if body < PARAMS.max_body && above > PARAMS.ink_contrast && 2 * above > 3 * below {
        Tone::LightOnDark
    } else if below > PARAMS.ink_contrast && below >= above {
        Tone::DarkOnLight
    } else {
        Tone::Unclear
    }
}

fn is_faintly_printed(crop: &RgbImage) -> bool {
    let Contrast { below, above, .. } = Contrast::from_crop(crop);
    above > PARAMS.faint_contrast && above > below
}

/// Lightness of a tile's body and its distance to the darkest and lightest pixels.
struct Contrast {
    /// Median lightness of the body.
    body: i32,
    /// Lightness of the body minus that of the face's darkest twentieth.
    below: i32,
    /// Lightness of the face's lightest twentieth minus that of the body.
    above: i32,
}

impl Contrast {
    fn from_crop(crop: &RgbImage) -> Contrast {
        let pixels = crop.pixels().map(|pixel| lightness(pixel.0)).collect();
        let grey = GrayImage::from_raw(crop.width(), crop.height(), pixels);
        let face = FaceHistograms::new(&grey.expect("one number for every pixel"));
        let body = face.body[0].median();
        let whole = &face.whole[0];
        let twentieth = whole.count() / 20;
        let darkest = whole.nth(twentieth);
        let lightest = whole.nth(whole.count() - 1 - twentieth);
        Contrast { body, below: body - darkest, above: lightest - body }
    }
}

/// Returns the colours of the bodies of these tiles.
pub(super) fn body_colours(photo: &Photo, quads: &[Quad]) -> Vec<[i32; 3]> {
    crops_of(photo, quads.iter(), &SAMPLE_CROP).iter().map(body_colour).collect()
}

/// Returns a body's colour: the median of each channel around the print.
fn body_colour(crop: &RgbImage) -> [i32; 3] {
    let face = FaceHistograms::new(crop);
    [0, 1, 2].map(|channel| face.body[channel].median())
}

/// Returns the colours of the bodies and of the ink that crops of one set show: each the median
/// over the crops. `None` without crops.
pub(crate) fn colours_of(crops: &[&RgbImage]) -> Option<([u8; 3], [u8; 3])> {
    if crops.is_empty() {
        return None;
    }
    let bodies: Vec<[i32; 3]> = crops.iter().map(|crop| body_colour(crop)).collect();
    let inks: Vec<[i32; 3]> = crops.iter().map(|crop| ink_colour(crop)).collect();
    let [body, ink] = [bodies, inks].map(|colours| median_colour(&colours).map(as_byte));
    Some((body, ink))
}

/// Returns the median of each channel.
fn median_colour(colours: &[[i32; 3]]) -> [i32; 3] {
    [0, 1, 2].map(|channel| middle(colours.iter().map(|colour| colour[channel]).collect()))
}

fn as_byte(channel: i32) -> u8 {
    channel.clamp(0, 255) as u8
}

/// Returns the colour of a print: that of the pixel which differs most in lightness from the body,
/// but for the last twentieth.
fn ink_colour(crop: &RgbImage) -> [i32; 3] {
    let body = Contrast::from_crop(crop).body;
    let area = inset(crop, [9, 7]);
    let face = compose::crop(crop, area);
    let mut pixels: Vec<Rgb<u8>> = face.pixels().copied().collect();
    pixels.sort_by_key(|pixel| (i32::from(lightness(pixel.0)) - body).abs());
    pixels.get(pixels.len() * 19 / 20).map_or([0; 3], |pixel| pixel.0.map(i32::from))
}

/// Histograms of the pixels that certainly belong to a tile, one for each channel of a crop.
struct FaceHistograms {
    /// All pixels of the face except its edge.
    whole: Vec<Histogram>,
    /// Pixels of the face around the print: mostly body.
    body: Vec<Histogram>,
}

impl FaceHistograms {
    /// Counts the pixels of a crop. In a crop of 80 x 64 a face covers 70 x 56, and its print lies
    /// further inside.
    fn new<P: Pixel<Subpixel = u8>>(crop: &Image<P>) -> FaceHistograms {
        let whole = histogram(&compose::crop(crop, inset(crop, [9, 7]))).channels;
        let print = histogram(&compose::crop(crop, inset(crop, [17, 13]))).channels;
        let body =
            whole.iter().zip(&print).map(|(whole, print)| subtract_part(whole, print)).collect();
        FaceHistograms { whole: whole.into_iter().map(Histogram).collect(), body }
    }
}

/// Returns the histogram of the pixels of an area that are not in a part of it.
fn subtract_part(whole: &[u32; 256], part: &[u32; 256]) -> Histogram {
    Histogram(std::array::from_fn(|value| whole[value] - part[value]))
}

/// Returns the rectangle that remains of a crop without this many rows at the top and at the bottom
/// and columns at each side. The numbers are in pixels of a crop of 80 x 64.
fn inset<P: Pixel<Subpixel = u8>>(crop: &Image<P>, [rows, columns]: [u32; 2]) -> Rect {
    let (width, height) = crop.dimensions();
    let x = width * columns / 64;
    let y = height * rows / 80;
    Rect { x, y, width: width - 2 * x, height: height - 2 * y }
}

/// Number of occurrences of each byte value.
struct Histogram([u32; 256]);

impl Histogram {
    fn count(&self) -> u32 {
        self.0.iter().sum()
    }

    /// Returns the value at a position in ascending order, counted from 0.
    fn nth(&self, place: u32) -> i32 {
        let mut seen = 0;
        for (value, count) in self.0.iter().enumerate() {
            seen += count;
            if seen > place {
                return value as i32;
            }
        }
        255
    }

    /// Returns the median; the upper of the two middle values if the count is even.
    fn median(&self) -> i32 {
        self.nth(self.count() / 2)
    }
}

/// Returns the perceived lightness, 0 to 255.
fn lightness([red, green, blue]: [u8; 3]) -> u8 {
    ((77 * u32::from(red) + 150 * u32::from(green) + 29 * u32::from(blue)) >> 8) as u8
}

/// Returns the median; the upper of the two middle values if the count is even.
fn middle(mut numbers: Vec<i32>) -> i32 {
    let at = numbers.len() / 2;
    *numbers.select_nth_unstable(at).1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reader;
    use crate::networks::fake::WatchedModel;
    use image::imageops;

    const IVORY: [u8; 3] = [240, 232, 214];
    const BLACK: [u8; 3] = [30, 30, 34];
    const INK: [u8; 3] = [20, 20, 24];
    const GOLD: [u8; 3] = [212, 175, 55];
    const CLOTH: [u8; 3] = [20, 110, 60];

    /// Draws a tile on green cloth, with a print that covers `share` tenths of its middle.
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

    fn inverted(crops: &[RgbImage]) -> Vec<bool> {
        let mut after = crops.to_vec();
        if let Some(set) = DarkSet::from_crops(crops) {
            set.lighten(&mut after);
        }
        after.iter().zip(crops).map(|(after, before)| after != before).collect()
    }

    #[test]
    fn light_tiles_stay_however_dim_the_light_is() {
        for light in [1.0, 0.6, 0.3, 0.2] {
            let dim = |colour: [u8; 3]| colour.map(|c| (f32::from(c) * light) as u8);
            let hand = [4, 2, 6, 0].map(|share| tile(dim(IVORY), dim(INK), share));
            assert_eq!(inverted(&hand), [false; 4], "in {light} of the light");
        }
    }

    #[test]
    fn a_dark_set_is_inverted_with_its_faint_prints_and_without_its_backs() {
        let faint = tile(BLACK, [60, 56, 40], 4);
        let backs = [BLACK, [150, 30, 40]].map(|colour| tile(colour, colour, 0));
        let faces = [tile(BLACK, GOLD, 4), tile(BLACK, IVORY, 3), faint.clone()];
        assert_eq!(
            inverted(&[faces.to_vec(), backs.to_vec()].concat()),
            [true, true, true, false, false]
        );
        assert_eq!(inverted(&[faint]), [false], "alone it does not tell");
    }

    #[test]
    fn dark_things_beside_a_light_set_do_not_invert_it() {
        let back = tile([20, 30, 70], BLACK, 0);
        let key = tile(BLACK, IVORY, 3);
        let scene = [tile(IVORY, INK, 4), tile(IVORY, INK, 3), back.clone(), back, key];
        assert_eq!(inverted(&scene), [false; 5]);
    }

    /// Lays out tiles of these bodies and inks, best first, each with a probability of face up.
    fn laid(tiles: &[([u8; 3], [u8; 3], f32)]) -> (Photo, Vec<Detection>) {
        let mut photo = RgbImage::from_pixel(64 * tiles.len() as u32, 80, Rgb(CLOTH));
        let mut found = Vec::new();
        for (n, &(body, ink, face_up)) in tiles.iter().enumerate() {
            let left = 64.0 * n as f32;
            imageops::replace(&mut photo, &tile(body, ink, 4), left as i64, 0);
            let quad = Quad::rectangle(left + 4.0, 5.0, 56.0, 70.0);
            found.push(Detection { quad, score: 0.9 - 0.01 * n as f32, face_up });
        }
        (Photo::from_rgb(photo).expect("large enough"), found)
    }

    #[test]
    fn the_best_faces_tell_whether_a_set_is_dark() {
        let (ivory, black) = ((IVORY, INK, 1.0), (BLACK, GOLD, 1.0));
        let (blank, back) = ((BLACK, BLACK, 1.0), (IVORY, INK, 0.0));
        for (tiles, tone) in [
            (vec![ivory; 5], SetTone::Light),
            (vec![black; 5], SetTone::Dark),
            (vec![blank; 5], SetTone::Light),
            ([[ivory; 3], [black; 3]].concat(), SetTone::Doubtful),
            ([vec![blank; 5], vec![ivory; 3], vec![black; 2]].concat(), SetTone::Doubtful),
            ([vec![blank; 5], vec![ivory; 3], vec![black; 1]].concat(), SetTone::Light),
            ([[ivory; 8], [black; 8]].concat(), SetTone::Light),
            ([vec![ivory; 8], vec![black; 5]].concat(), SetTone::Light),
            // Backs tell nothing, however clear they are.
            ([vec![back; 8], vec![black; 2]].concat(), SetTone::Dark),
        ] {
            let (photo, found) = laid(&tiles);
            assert_eq!(tone_of_set(&photo, &found), tone, "{tiles:?}");
        }
    }

    #[test]
    fn a_negative_inverts_the_photo() {
        let (photo, _) = laid(&[(BLACK, GOLD, 1.0); 5]);
        let negative = negative(&photo).expect("large enough");
        assert_eq!(negative.image().get_pixel(8, 8).0, [221, 221, 225]);
    }

    #[test]
    fn only_the_photo_of_a_dark_set_has_a_negative() {
        let (ivory, black) = ((IVORY, INK, 1.0), (BLACK, GOLD, 1.0));
        for (tiles, to_light, is_dark, why) in [
            (vec![ivory; 5], true, false, "a light set"),
            (vec![black; 5], true, true, "a dark set"),
            (vec![black; 5], false, false, "networks that know dark sets"),
            ([[ivory; 3], [black; 3]].concat(), true, false, "in doubt, and no clearer there"),
        ] {
            let (photo, found) = laid(&tiles);
            let reader = Reader::with_model(WatchedModel::to_light(to_light));
            let seen = reader.find_in_negative(&photo, &found).expect("it runs");
            assert_eq!(seen.is_some(), is_dark, "{why}");
        }
    }

    #[test]
    fn a_negative_that_shows_faces_better_shows_more() {
        let seen = |number: usize, score: f32, face_up: f32| {
            let quad = Quad::rectangle(0.0, 0.0, 30.0, 40.0);
            vec![Detection { quad, score, face_up }; number]
        };
        let photo = seen(14, 0.5, 1.0);
        assert!(shows_more(&seen(14, 0.8, 1.0), &photo), "clearer");
        assert!(shows_more(&seen(18, 0.5, 1.0), &photo), "more of them");
        assert!(!shows_more(&seen(40, 0.9, 0.0), &photo), "backs");
        assert!(!shows_more(&photo, &photo));
    }

    #[test]
    fn backs_alone_are_left_as_they_are() {
        let backs = [[20, 30, 70], [250, 250, 248], [30, 30, 34]].map(|c| tile(c, c, 0));
        assert_eq!(inverted(&backs), [false; 3]);
    }

    #[test]
    fn inverting_keeps_the_hue_and_twice_restores_the_picture() {
        let colours = [BLACK, IVORY, GOLD, CLOTH, [0, 0, 0], [255, 0, 0], [0, 255, 255]];
        for colour in colours {
            let before = RgbImage::from_pixel(1, 1, Rgb(colour));
            let mut crop = before.clone();
            invert(&mut crop);
            let after = crop.get_pixel(0, 0).0;
            let spread = |c: [u8; 3]| c.iter().max().unwrap() - c.iter().min().unwrap();
            assert_eq!(spread(after), spread(colour), "{colour:?} becomes {after:?}");
            invert(&mut crop);
            assert_eq!(crop, before);
        }
        let mut crop = RgbImage::from_pixel(1, 1, Rgb(BLACK));
        invert(&mut crop);
        assert_eq!(crop.get_pixel(0, 0).0, [221, 221, 225]);
    }

    #[test]
    fn without_crops_there_is_no_dark_set() {
        assert!(DarkSet::from_crops(&[]).is_none());
    }
}
