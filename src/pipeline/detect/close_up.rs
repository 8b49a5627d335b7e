//! A second, closer view of small tiles.
//!
//! Input: the photo and what the pyramid found. Output: the part of the photo where the tiles are,
//! enlarged, where they are small; then its tiles instead of those that they cover. Invariant: the
//! close-up has at most [`CloseUpParams::max_pixels`].

use image::math::Rect;

use super::super::decode::Photo;
use super::super::geometry::{Point, median};
use super::super::params::{CloseUpParams, DetectParams};
use super::view::View;
use super::{Detection, merge};

const PARAMS: CloseUpParams = CloseUpParams::DEFAULT;

/// The part of the photo where the tiles are, larger, if they are small. `long_side` is that of the
/// pyramid's largest size.
pub(super) fn close_up(photo: &Photo, found: &[Detection], long_side: u32) -> Option<View> {
    let is_confident = |tile: &&Detection| tile.score >= DetectParams::DEFAULT.confident;
    let tiles: Vec<&Detection> = found.iter().filter(is_confident).collect();
    let width = median(tiles.iter().map(|tile| tile.quad.short_side()))?;
    let (photo_width, photo_height) = photo.size();
    let first_scale = long_side as f32 / photo_width.max(photo_height) as f32;
    if width * first_scale >= PARAMS.small_width {
        return None;
    }
    let (x, wide) = span(&tiles, Point::new(1.0, 0.0), photo_width as f32, width);
    let (y, high) = span(&tiles, Point::new(0.0, 1.0), photo_height as f32, width);
    let affordable = (PARAMS.max_pixels / (wide as f32 * high as f32)).sqrt();
    let scale = (PARAMS.target_width / width).min(PARAMS.max_scale).min(affordable);
    let part = Rect { x, y, width: wide, height: high };
    (scale > PARAMS.min_gain * first_scale).then(|| View::part(photo, part, scale))
}

/// Where tiles begin along an axis of the photo, `side` pixels long, and how far they reach, with a
/// margin in tile widths around them.
fn span(tiles: &[&Detection], axis: Point, side: f32, width: f32) -> (u32, u32) {
    let (low, high) = tiles
        .iter()
        .map(|tile| tile.quad.span(axis))
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), (a, b)| (low.min(a), high.max(b)));
    let from = (low - PARAMS.margin * width).clamp(0.0, side - 1.0);
    let to = (high + PARAMS.margin * width).clamp(from + 1.0, side);
    (from as u32, (to.ceil() as u32 - from as u32).max(1))
}

/// The tiles of the close-up instead of those that they cover.
pub(super) fn replace(first: Vec<Detection>, close_up: Vec<Detection>) -> Vec<Detection> {
    let same_tile = DetectParams::DEFAULT.same_tile;
    let mut tiles = merge(close_up);
    let was_seen =
        |tile: &Detection| first.iter().any(|other| other.quad.overlap(&tile.quad) > same_tile);
    tiles.retain(|tile| tile.score >= PARAMS.new_tile || was_seen(tile));
    let seen = tiles.len();
    for tile in first {
        if tiles[..seen].iter().all(|other| other.quad.overlap(&tile.quad) <= same_tile) {
            tiles.push(tile);
        }
    }
    tiles
}
