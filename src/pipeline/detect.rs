//! Finds the tiles of a photo: where each face lies, as a quad, and whether it looks up.
//!
//! Input: an upright [`Photo`] and a [`Model`]. Output: [`Detection`]s in the photo's pixels. The
//! photo goes through the network at several sizes, because tiles that fill the picture are found
//! at 160 pixels and small ones at 640; what several sizes found is merged. Invariant: every quad
//! is convex, clockwise, and no two of them cover each other.

use image::{RgbImage, imageops};
use serde::Serialize;

use super::decode::Photo;
use super::geometry::{Point, Quad, median};
use super::model::{DetectorMaps, Model, ModelError, Planes};
use super::resample::{Window, resize, shrink};

/// A tile that the detector saw.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Detection {
    /// The outline of the tile's printed face or of its back, corners clockwise.
    pub quad: Quad,
    /// The detector's heat, 0 to 1.
    pub score: f32,
    /// The probability that the face looks up.
    pub face_up: f32,
}

/// What padding is filled with: the grey that the network was trained with.
const PADDING: f32 = 114.0 / 255.0;

/// The network wants sides that its five halvings divide.
const SIDE_STEP: usize = 32;

/// Two quads that share more than this much of the smaller one are the same tile. Neighbours
/// touch and may overlap by a tenth where corners are loose; one tile seen twice shares nine tenths.
const SAME_TILE: f32 = 0.55;

/// No face is narrower than this, in pixels of the photo: there would be nothing to read.
const NARROWEST: f32 = 4.0;

/// A face longer than this share of the photo is no tile of a hand: even two tiles would not fit.
/// On our renders whole tables were seen as one dim tile.
const LONGEST: f32 = 0.6;

/// A tile that is wide enough for a size of the pyramid is seen at the smallest size too, by this much narrower at most.
const GLANCE: f32 = 0.75;

/// Finds the tiles of a photo.
///
/// The sizes between the largest and the smallest are for tiles that fill much of the picture. Whether there are such,
/// a glance at the smallest tells for a quarter of the work: of a hand in a row they would show nothing.
///
/// # Errors
/// [`ModelError::Failed`] when the network does not run.
pub fn detect(photo: &Photo, model: &dyn Model) -> Result<Vec<Detection>, ModelError> {
    let spec = &model.manifest().detector;
    let mut levels: Vec<Level> = pyramid(photo, &spec.sizes)
        .into_iter()
        .zip(&spec.min_width)
        .map(|((planes, step), &least)| Level {
            narrowest: NARROWEST.max(least * step.x.max(step.y)),
            view: View { planes, origin: Point::default(), step },
        })
        .collect();
    let Some(smallest) = levels.pop() else { return Ok(Vec::new()) };
    let mut found = look(photo, &smallest.view, NARROWEST, model)?;
    let widest = found.iter().map(|tile| tile.quad.short_side()).fold(0.0, f32::max);
    found.retain(|tile| tile.quad.short_side() >= smallest.narrowest);
    for (n, level) in levels.iter().enumerate() {
        if n == 0 || widest >= GLANCE * level.narrowest {
            found.extend(look(photo, &level.view, level.narrowest, model)?);
        }
    }
    let found = merge(found);
    match close_up(photo, &found, spec.sizes[0]) {
        Some(view) => Ok(replace(found, look(photo, &view, NARROWEST, model)?)),
        None => Ok(found),
    }
}

/// The whole photo at one size of the pyramid.
struct Level {
    view: View,
    /// Tiles narrower than this, in the photo's pixels, are seen better at a larger size.
    narrowest: f32,
}

/// What the network finds in one view, in the photo's pixels.
fn look(
    photo: &Photo,
    view: &View,
    narrowest: f32,
    model: &dyn Model,
) -> Result<Vec<Detection>, ModelError> {
    let spec = &model.manifest().detector;
    let maps = model.detect(&view.planes)?;
    let cells = peaks(&maps.heat, spec.threshold);
    let tiles = cells.into_iter().filter_map(|(x, y)| tile_at(&maps, x, y, spec.stride));
    let tiles = tiles.map(|tile| Detection { quad: tile.quad.map(|p| view.to_photo(p)), ..tile });
    Ok(tiles.filter(|tile| is_plausible(tile, photo, narrowest)).collect())
}

/// A part of the photo as the network sees it.
struct View {
    planes: Planes,
    /// Its top left corner in the photo.
    origin: Point,
    /// How many pixels of the photo one of its pixels is.
    step: Point,
}

impl View {
    /// A part of the photo (left, top, width, height) at a scale.
    fn part(photo: &Photo, [left, top, width, height]: [u32; 4], scale: f32) -> View {
        let scaled = |side: u32| ((side as f32 * scale).round() as u32).max(1);
        let small = if scale <= 1.0 {
            let window = Window {
                left: f64::from(left),
                top: f64::from(top),
                width: f64::from(width),
                height: f64::from(height),
            };
            shrink(photo.image(), window, scaled(width), scaled(height))
        } else {
            let part = imageops::crop_imm(photo.image(), left, top, width, height).to_image();
            resize(&part, scaled(width), scaled(height))
        };
        View {
            origin: Point::new(left as f32, top as f32),
            step: Point::new(
                width as f32 / small.width() as f32,
                height as f32 / small.height() as f32,
            ),
            planes: padded(&small),
        }
    }

    fn to_photo(&self, p: Point) -> Point {
        Point::new(self.origin.x + p.x * self.step.x, self.origin.y + p.y * self.step.y)
    }
}

/// Tiles narrower than this at the largest size of the pyramid are looked at again, closer, so that
/// they become `WISHED` wide. Corners are found to a fixed part of a cell of eight pixels, so that
/// they are twice as good, in tile widths, on tiles that are twice as large. Since the refiner mends
/// corners this no longer pays above 30 pixels: from 36 on it took a fifth of the time of a photo of
/// 12 megapixels, and neither found nor named more of the held-out photos' tiles.
const SMALL: f32 = 30.0;
const WISHED: f32 = 48.0;

/// Enlarging beyond the photo's own pixels shows nothing new; a little of it helps the network.
const MOST_ENLARGED: f32 = 1.5;

/// The most pixels of a closer look: four times those of the first. Twice as many lost hands of whole-table photos: of 35
/// tables as players leave them 20 instead of 22 had the right tiles, of 123 held-out hands 112 instead of 113, and of
/// faces beyond the hand 79 instead of 85 % were found. Eight times as many bring nothing more.
const MOST_PIXELS: f32 = 640.0 * 480.0 * 4.0;

/// Tiles dimmer than this do not say where to look.
const SURE: f32 = 0.4;

/// The part of the photo where the tiles are, larger, if they are small.
fn close_up(photo: &Photo, found: &[Detection], long_side: u32) -> Option<View> {
    let sure: Vec<&Detection> = found.iter().filter(|tile| tile.score >= SURE).collect();
    let width = median(sure.iter().map(|tile| tile.quad.short_side()))?;
    let (photo_width, photo_height) = photo.size();
    let first_scale = long_side as f32 / photo_width.max(photo_height) as f32;
    if width * first_scale >= SMALL {
        return None;
    }
    let span = |direction: Point, end: f32| {
        let (low, high) = sure
            .iter()
            .map(|tile| tile.quad.span(direction))
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), (a, b)| {
                (low.min(a), high.max(b))
            });
        // A tile and a half around them: one that was missed lies beside those that were found.
        let from = (low - 1.5 * width).clamp(0.0, end - 1.0);
        let to = (high + 1.5 * width).clamp(from + 1.0, end);
        (from as u32, (to.ceil() as u32 - from as u32).max(1))
    };
    let (left, wide) = span(Point::new(1.0, 0.0), photo_width as f32);
    let (top, high) = span(Point::new(0.0, 1.0), photo_height as f32);
    let affordable = (MOST_PIXELS / (wide as f32 * high as f32)).sqrt();
    let scale = (WISHED / width).min(MOST_ENLARGED).min(affordable);
    // A look that is hardly closer than the first one shows nothing new.
    (scale > 1.2 * first_scale).then(|| View::part(photo, [left, top, wide, high], scale))
}

/// What only the closer look sees must be at least this hot: near the tiles, where it looks, there
/// are their sides, shadows and pips, which look the more like tiles the larger they are.
const NEW: f32 = 0.5;

/// The tiles of a closer look instead of those that they cover.
fn replace(first: Vec<Detection>, closer: Vec<Detection>) -> Vec<Detection> {
    let mut tiles = merge(closer);
    let was_seen =
        |tile: &Detection| first.iter().any(|other| other.quad.overlap(&tile.quad) > SAME_TILE);
    tiles.retain(|tile| tile.score >= NEW || was_seen(tile));
    let seen = tiles.len();
    for tile in first {
        if tiles[..seen].iter().all(|other| other.quad.overlap(&tile.quad) <= SAME_TILE) {
            tiles.push(tile);
        }
    }
    tiles
}

/// The photo scaled to each of these long sides and padded, as planes of 0 to 1, and the factor from
/// their pixels to the photo's. Each size is made of the one before: of a large photo every pixel is
/// read once, not once for every size.
#[must_use]
pub fn pyramid(photo: &Photo, long_sides: &[u32]) -> Vec<(Planes, Point)> {
    let (width, height) = photo.size();
    let longest = u64::from(width.max(height));
    let mut last: Option<RgbImage> = None;
    let level = |&long_side: &u32| {
        // To the nearest whole pixel, halves upwards, in whole numbers: the Python twin agrees exactly.
        let scaled = |side: u32| {
            let doubled = 2 * u64::from(side) * u64::from(long_side) + longest;
            ((doubled / (2 * longest)) as u32).max(1)
        };
        let (new_width, new_height) = (scaled(width), scaled(height));
        let small = resize(last.as_ref().unwrap_or(photo.image()), new_width, new_height);
        let back = Point::new(width as f32 / new_width as f32, height as f32 / new_height as f32);
        (padded(last.insert(small)), back)
    };
    long_sides.iter().map(level).collect()
}

/// A picture as planes of 0 to 1, with grey at its right and bottom.
fn padded(image: &RgbImage) -> Planes {
    let padded = |side: u32| (side as usize).next_multiple_of(SIDE_STEP);
    let (rows, columns) = (padded(image.height()), padded(image.width()));
    let mut planes = Planes::filled(1, 3, rows, columns, PADDING);
    planes.put(0, image);
    planes
}

/// The cells that are at least as hot as the threshold and as their eight neighbours.
fn peaks(heat: &Planes, threshold: f32) -> Vec<(usize, usize)> {
    let mut peaks = Vec::new();
    for y in 0..heat.height {
        for x in 0..heat.width {
            let here = heat.at(0, 0, y, x);
            if here >= threshold && is_peak(heat, x, y, here) {
                peaks.push((x, y));
            }
        }
    }
    peaks
}

/// Whether no neighbour is hotter; of equal neighbours the first in reading order wins.
fn is_peak(heat: &Planes, x: usize, y: usize, here: f32) -> bool {
    let rows = y.saturating_sub(1)..(y + 2).min(heat.height);
    rows.flat_map(|row| (x.saturating_sub(1)..(x + 2).min(heat.width)).map(move |col| (row, col)))
        .all(|(row, col)| {
            let there = heat.at(0, 0, row, col);
            if (row, col) < (y, x) { there < here } else { there <= here }
        })
}

/// The tile whose centre a cell claims to be, in the view's pixels.
fn tile_at(maps: &DetectorMaps, x: usize, y: usize, stride: u32) -> Option<Detection> {
    let stride = stride as f32;
    let centre = Point::new((x as f32 + 0.5) * stride, (y as f32 + 0.5) * stride);
    // One ordering of corners breaks where its first corner changes; the axis tells which holds.
    let first = if maps.axis.at(0, 0, y, x) >= 0.0 { 0 } else { 8 };
    let corner = |i: usize| {
        let offset = |plane: usize| maps.quad.at(0, first + plane, y, x) * stride;
        centre + Point::new(offset(2 * i), offset(2 * i + 1))
    };
    let quad = Quad(std::array::from_fn(corner));
    let numbers = quad.0.iter().all(|corner| corner.x.is_finite() && corner.y.is_finite());
    (numbers && quad.is_convex()).then(|| Detection {
        quad,
        score: maps.heat.at(0, 0, y, x).min(1.0),
        face_up: maps.face.at(0, 0, y, x).clamp(0.0, 1.0),
    })
}

/// Whether a quad can be a tile: its sides in proportion and most of it inside the photo.
///
/// Faces are about 0.74 as wide as long; seen from 30 degrees above the table the long side
/// shrinks to half, so proportions of 1:3 are the most that a tile shows.
fn is_plausible(tile: &Detection, photo: &Photo, narrowest: f32) -> bool {
    let (across, down) = (tile.quad.across().length(), tile.quad.down().length());
    let (short, long) = (across.min(down), across.max(down));
    let (width, height) = photo.size();
    short >= narrowest
        && long <= 3.0 * short
        && long <= LONGEST * width.max(height) as f32
        && inside(&tile.quad, photo.size()) > 0.4
}

/// How much of a quad lies inside a picture of the given size, 0 to 1.
#[must_use]
pub fn inside(quad: &Quad, (width, height): (u32, u32)) -> f32 {
    let frame = Quad::rectangle(0.0, 0.0, width as f32, height as f32);
    quad.intersection(&frame) / quad.area().max(1.0)
}

/// Keeps the best of what several sizes found of the same tile.
///
/// At 640 pixels the dots of a close-up look like tiles, and each such dot may be surer than the
/// tile. So the tile's size counts too: candidates are ranked by their score times how well they
/// agree with the usual size. Half an octave costs half the score, because two tiles side by side
/// are seen as one that lies sideways, and hotter than either.
#[must_use]
pub fn merge(mut found: Vec<Detection>) -> Vec<Detection> {
    drop_giants(&mut found);
    let usual = usual_scale(&found);
    let rank = |tile: &Detection| {
        let octaves = (tile.quad.scale() / usual).log2();
        tile.score * (-3.0 * octaves * octaves).exp()
    };
    found.sort_by(|a, b| rank(b).total_cmp(&rank(a)));
    let mut kept: Vec<Detection> = Vec::new();
    for tile in found {
        if kept.iter().all(|other| other.quad.overlap(&tile.quad) <= SAME_TILE) {
            kept.push(tile);
        }
    }
    kept
}

/// What holds this many others, each smaller than this share of its own scale, is a table of tiles and no tile. The
/// most that one tile shows are the nine pips of a 9 of dots, a fifth as large as the tile.
const TABLE_HOLDS: usize = 10;
const TABLE_SHARE: f32 = 1.0 / 7.0;

/// Takes out whole tables that were seen as one tile: a giant that covers half the photo would set the usual size, and
/// every tile on it would give way.
fn drop_giants(found: &mut Vec<Detection>) {
    let is_giant = |giant: &Detection| {
        let scale = giant.quad.scale();
        let is_held = |other: &&Detection| {
            other.score >= SURE
                && other.quad.scale() < TABLE_SHARE * scale
                && other.quad.overlap(&giant.quad) > SAME_TILE
        };
        found.iter().filter(is_held).take(TABLE_HOLDS).count() == TABLE_HOLDS
    };
    let giants: Vec<bool> = found.iter().map(is_giant).collect();
    let mut at = giants.iter();
    found.retain(|_| at.next() == Some(&false));
}

/// The scale in the middle of all scales, each weighted by itself and, squared, by its score. By
/// the area they cover, one dim alarm over half the table would outweigh a row of sure tiles.
fn usual_scale(found: &[Detection]) -> f32 {
    let weight = |tile: &Detection| tile.score * tile.score * tile.quad.scale();
    let mut scales: Vec<(f32, f32)> =
        found.iter().map(|tile| (tile.quad.scale(), weight(tile))).collect();
    scales.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = scales.iter().map(|(_, weight)| weight).sum::<f32>() / 2.0;
    let mut sum = 0.0;
    scales
        .iter()
        .find(|(_, weight)| {
            sum += weight;
            sum >= half
        })
        .map_or(1.0, |&(scale, _)| scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_seen_as_one_tile_does_not_hide_the_tiles_on_it() {
        let seen = |x: f32, y: f32, width: f32, score: f32| Detection {
            quad: Quad::rectangle(x, y, width, 1.3 * width),
            score,
            face_up: 1.0,
        };
        let row = (0..14).map(|n| seen(100.0 + 32.0 * n as f32, 300.0, 30.0, 0.6));
        let found: Vec<Detection> = row.chain([seen(50.0, 50.0, 600.0, 0.9)]).collect();
        assert_eq!(merge(found).len(), 14);
        // A tile with its pips is one tile.
        let pips = (0..9)
            .map(|n| seen(60.0 + 25.0 * (n % 3) as f32, 60.0 + 40.0 * (n / 3) as f32, 20.0, 0.6));
        let found: Vec<Detection> = pips.chain([seen(50.0, 50.0, 100.0, 0.9)]).collect();
        assert_eq!(merge(found).len(), 1);
    }

    fn tile(x: f32, y: f32, side: f32, score: f32) -> Detection {
        Detection { quad: Quad::rectangle(x, y, side, side * 1.3), score, face_up: 1.0 }
    }

    #[test]
    fn planes_are_padded_with_grey() {
        let photo = Photo::from_rgb(RgbImage::from_pixel(100, 60, image::Rgb([255, 0, 51])))
            .expect("large enough");
        let (planes, back) = pyramid(&photo, &[50]).remove(0);
        assert_eq!((planes.height, planes.width), (32, 64));
        assert_eq!(back, Point::new(2.0, 2.0));
        let pixel = |y, x| [0, 1, 2].map(|channel| planes.at(0, channel, y, x));
        assert_eq!(pixel(29, 49), [1.0, 0.0, 0.2]);
        assert_eq!(pixel(30, 0), [PADDING; 3]);
        assert_eq!(pixel(0, 50), [PADDING; 3]);
    }

    #[test]
    fn half_a_pixel_rounds_upwards() {
        let photo = Photo::from_rgb(RgbImage::new(1280, 721)).expect("large enough");
        let back: Vec<Point> =
            pyramid(&photo, &[640, 320]).into_iter().map(|(_, back)| back).collect();
        assert_eq!(back, [Point::new(2.0, 721.0 / 361.0), Point::new(4.0, 721.0 / 180.0)]);
    }

    #[test]
    fn of_equal_neighbours_one_is_a_peak() {
        let mut heat = Planes::filled(1, 1, 4, 4, 0.0);
        for (y, x) in [(1, 1), (1, 2), (2, 1), (2, 2)] {
            *heat.at_mut(0, 0, y, x) = 0.7;
        }
        assert_eq!(peaks(&heat, 0.2), [(1, 1)]);
        assert_eq!(peaks(&heat, 0.8), []);
    }

    #[test]
    fn neighbours_stay_and_doubles_go() {
        let found =
            vec![tile(0.0, 0.0, 30.0, 0.8), tile(1.0, 1.0, 30.0, 0.9), tile(29.0, 0.0, 30.0, 0.5)];
        let kept = merge(found);
        assert_eq!(kept.len(), 2);
        assert_eq!(kept[0].score, 0.9);
    }

    #[test]
    fn a_dim_alarm_over_the_whole_table_does_not_hide_the_row() {
        let mut found = vec![tile(0.0, 0.0, 700.0, 0.3)];
        found.extend((0..14u8).map(|i| tile(50.0 * f32::from(i), 100.0, 48.0, 0.9)));
        let kept = merge(found);
        assert_eq!(kept.iter().filter(|tile| tile.quad.scale() < 100.0).count(), 14);
    }

    #[test]
    fn the_dots_of_a_close_up_are_no_tiles() {
        let mut found = vec![tile(0.0, 0.0, 300.0, 0.6), tile(310.0, 0.0, 300.0, 0.6)];
        found.extend((0..4u8).map(|i| tile(40.0, 60.0 * f32::from(i), 50.0, 0.95)));
        let kept = merge(found);
        assert_eq!(kept.len(), 2);
        assert!(kept.iter().all(|tile| tile.quad.scale() > 300.0));
    }
}
