//! A second, closer view of small tiles.
//!
//! Input: the photo and the first look at it. Output: the part of the photo where the tiles are,
//! enlarged, where they are small; then its tiles instead of those that they cover. Invariant: the
//! close-up has at most [`CloseUpParams::max_pixels`].

use image::math::Rect;

use super::super::decode::Photo;
use super::super::geometry::{Point, median};
use super::super::params::{CloseUpParams, DetectParams};
use super::{Detection, PARAMS, merge};

/// What was seen before the close-up.
pub(super) struct FirstLook {
    pub(super) found: Vec<Detection>,
    /// Pixels of the last view along a pixel of the photo.
    pub(super) scale: f32,
    /// What the close-up of it goes by.
    pub(super) params: CloseUpParams,
}

/// The part of the photo that a close-up shows.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) window: Rect,
    /// Pixels of the close-up along a pixel of the photo.
    pub(super) scale: f32,
    /// The usual width of the tiles in it, in the photo's pixels.
    width: f32,
}

impl Part {
    /// Whether there is no room for a tile in the other part that is not in this one.
    pub(super) fn holds(&self, other: &Part) -> bool {
        let beyond = |from: u32, to: u32| to.saturating_sub(from) as f32 > PARAMS.room * self.width;
        let (a, b) = (self.window, other.window);
        !(beyond(b.x, a.x)
            || beyond(b.y, a.y)
            || beyond(a.x + a.width, b.x + b.width)
            || beyond(a.y + a.height, b.y + b.height))
    }
}

/// The part of the photo where the tiles are, larger, if they are small where they were found.
pub(super) fn close_up(photo: &Photo, first: &FirstLook) -> Option<Part> {
    let params = &first.params;
    let is_shown = |tile: &&Detection| tile.score >= params.shown;
    let tiles: Vec<&Detection> = first.found.iter().filter(is_shown).collect();
    let width = median(tiles.iter().map(|tile| tile.quad.short_side()))?;
    let (photo_width, photo_height) = photo.size();
    if width * first.scale >= params.small_width {
        return None;
    }
    let margin = params.margin * width;
    let (x, wide) = span(&tiles, Point::new(1.0, 0.0), photo_width as f32, margin);
    let (y, high) = span(&tiles, Point::new(0.0, 1.0), photo_height as f32, margin);
    let affordable = (params.max_pixels / (wide as f32 * high as f32)).sqrt();
    let scale = (params.target_width / width).min(params.max_scale).min(affordable);
    let window = Rect { x, y, width: wide, height: high };
    (scale > params.min_gain * first.scale).then_some(Part { window, scale, width })
}

/// Where tiles begin along an axis of the photo, `side` pixels long, and how far they reach, with a
/// margin around them.
fn span(tiles: &[&Detection], axis: Point, side: f32, margin: f32) -> (u32, u32) {
    let (low, high) = tiles
        .iter()
        .map(|tile| tile.quad.span(axis))
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), (a, b)| (low.min(a), high.max(b)));
    let from = (low - margin).clamp(0.0, side - 1.0);
    let to = (high + margin).clamp(from + 1.0, side);
    (from as u32, (to.ceil() as u32 - from as u32).max(1))
}

/// The tiles of the close-up instead of those that they cover.
pub(super) fn replace(
    first: Vec<Detection>,
    close_up: Vec<Detection>,
    params: &CloseUpParams,
) -> Vec<Detection> {
    let same_tile = DetectParams::DEFAULT.same_tile;
    let mut tiles = merge(close_up);
    let was_seen =
        |tile: &Detection| first.iter().any(|other| other.quad.overlap(&tile.quad) > same_tile);
    tiles.retain(|tile| tile.score >= params.new_tile || was_seen(tile));
    let seen = tiles.len();
    for tile in first {
        if tiles[..seen].iter().all(|other| other.quad.overlap(&tile.quad) <= same_tile) {
            tiles.push(tile);
        }
    }
    tiles
}
