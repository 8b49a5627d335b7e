//! Close-up: a second, closer view of small tiles.
//!
//! Input: the photo and the detections of the first pass over it. Output: if the tiles are small,
//! the parts of the photo that contain them, enlarged; then the tiles of this close-up, which
//! replace those that they cover. Walls and closed rows need no close-up: backs have no names.
//! Invariant: the parts together have at most [`CloseUpParams::max_pixels`].

use tilesight_stills::{Area, Photo};

use super::{Detection, PARAMS, View, is_same, merge};
use crate::geometry::{Point, Quad, median};
use crate::params::CloseUpParams;

/// Result of the detector before the close-up.
pub(super) struct FirstPass {
    pub(super) found: Vec<Detection>,
    /// Number of pixels of the last view along a pixel of the photo.
    pub(super) scale: f32,
    /// Parameters of the close-up.
    pub(super) params: CloseUpParams,
}

/// Parts of the photo that are looked at closely.
pub(super) struct CloseUp {
    /// Area that contains all tiles.
    pub(super) area: Area,
    /// Parts of the area in which tiles lie.
    pub(super) parts: Vec<Area>,
    /// Number of pixels of the close-up along a pixel of the photo.
    pub(super) scale: f32,
    /// Usual width of the tiles, in the photo's pixels.
    width: f32,
}

impl FirstPass {
    /// Returns whether a tile was found in the place of another one.
    pub(super) fn has(&self, tile: &Detection) -> bool {
        has_in_place(&self.found, tile)
    }
}

/// Returns whether one of the tiles found is in the place of another one.
fn has_in_place(found: &[Detection], tile: &Detection) -> bool {
    found.iter().any(|other| is_same(other, tile))
}

impl CloseUp {
    /// Returns the area that must be examined after the close-up `shown`: the end beyond which
    /// there may be more tiles, including those that the edge of `shown` cut; `None` if there is no
    /// room for a tile beyond it.
    pub(super) fn beyond(&self, shown: &CloseUp, params: &CloseUpParams) -> Option<Area> {
        let new = self.area;
        let old = shown.area;
        let overlap = (params.overlap * self.width) as u32;
        let sides = [
            (new.left, old.left),
            (new.top, old.top),
            (old.right, new.right),
            (old.bottom, new.bottom),
        ];
        let room = params.room * self.width;
        match sides.map(|(from, to)| to.saturating_sub(from) as f32 > room) {
            [false, false, false, false] => None,
            [true, false, false, false] => {
                Some(Area { right: new.right.min(old.left + overlap), ..new })
            }
            [false, true, false, false] => {
                Some(Area { bottom: new.bottom.min(old.top + overlap), ..new })
            }
            [false, false, true, false] => {
                Some(Area { left: new.left.max(old.right.saturating_sub(overlap)), ..new })
            }
            [false, false, false, true] => {
                Some(Area { top: new.top.max(old.bottom.saturating_sub(overlap)), ..new })
            }
            _ => Some(new),
        }
    }

    /// Returns whether a tile lies far enough inside that the edge does not cut it.
    pub(super) fn shows(&self, tile: &Detection, params: &CloseUpParams) -> bool {
        let edge = params.overlap / 2.0 * self.width;
        let at = tile.quad.centre();
        at.x > self.area.left as f32 + edge
            && at.x < self.area.right as f32 - edge
            && at.y > self.area.top as f32 + edge
            && at.y < self.area.bottom as f32 - edge
    }

    /// Returns whether one of the parts ends where a tile lies that was seen in it, so that its
    /// outline is wrong: a back at the end of a concealed kong lies as far from the last face as
    /// the part reaches. The first look shows such a tile whole. A close-up of everything is
    /// continued at its edges.
    pub(super) fn cuts(
        tile: &Detection,
        part: &Area,
        photo: &Photo,
        params: &CloseUpParams,
    ) -> bool {
        if params.part_margin.is_none() {
            return false;
        }
        let (width, height) = photo.size();
        let reach = params.cut * tile.quad.short_side();
        tile.quad.0.iter().any(|corner| {
            part.left > 0 && corner.x < part.left as f32 + reach
                || part.top > 0 && corner.y < part.top as f32 + reach
                || part.right < width && corner.x > part.right as f32 - reach
                || part.bottom < height && corner.y > part.bottom as f32 - reach
        })
    }
}

/// Returns the parts of the photo that contain the tiles, enlarged, if these are small where they
/// were found.
pub(super) fn close_up(photo: &Photo, first: &FirstPass) -> Option<CloseUp> {
    let params = &first.params;
    let shown = first.found.iter().filter(|tile| tile.score >= params.shown && !tile.is_back());
    let tiles: Vec<Quad> = shown.map(|tile| tile.quad).collect();
    let width = median(tiles.iter().map(Quad::short_side))?;
    if width * first.scale >= params.small_width {
        return None;
    }
    let area = surround(&tiles, params.margin * width, photo);
    let parts = match params.part_margin {
        None => vec![area],
        Some(margin) => {
            join(tiles.iter().map(|&tile| surround(&[tile], margin * width, photo)), area)
        }
    };
    let scale = scale_of(&parts, width, params);
    (scale > params.min_gain * first.scale).then_some(CloseUp { area, parts, scale, width })
}

/// Returns a view of a hand by itself, as close as [`CloseUpParams::OF_CLEAR`] asks for, if its
/// tiles are small in a view of the scale `seen` and larger in this one.
pub(super) fn view_of_hand(photo: &Photo, hand: &[Quad], seen: f32) -> Option<View> {
    let params = CloseUpParams::OF_CLEAR;
    let width = median(hand.iter().map(Quad::short_side))?;
    if width * seen >= PARAMS.seen_width {
        return None;
    }
    let area = surround(hand, params.margin * width, photo);
    let scale = scale_of(&[area], width, &params);
    (scale > params.min_gain * seen).then(|| View::part(photo, area, scale))
}

/// Returns the scale of a close-up of these parts, in which tiles are `width` pixels of the photo
/// wide.
fn scale_of(parts: &[Area], width: f32, params: &CloseUpParams) -> f32 {
    let affordable = (params.max_pixels / parts.iter().map(pixels).sum::<u64>() as f32).sqrt();
    (params.target_width / width).min(params.max_scale).min(affordable)
}

/// Joins areas to fewer and larger ones: two wherever they have as many pixels as the area around
/// both. Returns `whole` alone if that has no more pixels than all of them.
fn join(areas: impl Iterator<Item = Area>, whole: Area) -> Vec<Area> {
    let mut parts: Vec<Area> = Vec::new();
    for mut area in areas {
        // A part that has grown may reach others.
        while let Some(at) = parts.iter().position(|part| saves_pixels(part, &area)) {
            area = enclose(&parts.swap_remove(at), &area);
        }
        parts.push(area);
    }
    // Tiles then come in the order of the photo, as from a single view.
    parts.sort_by_key(|part| (part.top, part.left));
    if parts.iter().map(pixels).sum::<u64>() < pixels(&whole) { parts } else { vec![whole] }
}

/// Returns whether the area around both has no more pixels than both.
fn saves_pixels(a: &Area, b: &Area) -> bool {
    pixels(&enclose(a, b)) <= pixels(a) + pixels(b)
}

/// Returns the smallest area that contains both.
fn enclose(a: &Area, b: &Area) -> Area {
    Area {
        left: a.left.min(b.left),
        top: a.top.min(b.top),
        right: a.right.max(b.right),
        bottom: a.bottom.max(b.bottom),
    }
}

fn pixels(area: &Area) -> u64 {
    u64::from(area.right - area.left) * u64::from(area.bottom - area.top)
}

/// Returns the area of the photo that contains the tiles, with a margin around them.
fn surround(tiles: &[Quad], margin: f32, photo: &Photo) -> Area {
    let (width, height) = photo.size();
    let (left, right) = span(tiles, Point::new(1.0, 0.0), width as f32, margin);
    let (top, bottom) = span(tiles, Point::new(0.0, 1.0), height as f32, margin);
    Area { left, top, right, bottom }
}

/// Returns the range of the tiles along an axis of the photo, `side` pixels long, with a margin
/// around them.
fn span(tiles: &[Quad], axis: Point, side: f32, margin: f32) -> (u32, u32) {
    let (low, high) = tiles
        .iter()
        .map(|tile| tile.span(axis))
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), (a, b)| (low.min(a), high.max(b)));
    let from = (low - margin).clamp(0.0, side - 1.0);
    let to = (high + margin).clamp(from + 1.0, side);
    (from as u32, (to.ceil() as u32).max(from as u32 + 1))
}

/// Replaces the tiles that the tiles of the close-up cover, and drops those that are too dim to
/// count without it.
pub(super) fn replace(
    first: Vec<Detection>,
    close_up: Vec<Detection>,
    params: &CloseUpParams,
) -> Vec<Detection> {
    let mut tiles = merge(close_up);
    tiles.retain(|tile| tile.score >= params.new_tile || has_in_place(&first, tile));
    let seen = tiles.len();
    for tile in first.into_iter().filter(|tile| tile.score >= params.kept || tile.is_back()) {
        if tiles.len() == PARAMS.max_tiles {
            break;
        }
        if !has_in_place(&tiles[..seen], &tile) {
            tiles.push(tile);
        }
    }
    tiles
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(left: u32, top: u32, width: u32, height: u32) -> Area {
        Area { left, top, right: left + width, bottom: top + height }
    }

    /// Surroundings of the tiles of a row, each three widths of 30 pixels wide.
    fn row(left: u32, top: u32, count: u32) -> impl Iterator<Item = Area> {
        (0..count).map(move |n| area(left + 30 * n, top, 90, 100))
    }

    #[test]
    fn rows_become_parts_and_what_lies_between_is_left_out() {
        let whole = area(0, 0, 900, 800);
        let parts = join(row(0, 0, 14).chain(row(400, 700, 10)), whole);
        assert_eq!(parts, [area(0, 0, 480, 100), area(400, 700, 360, 100)]);
    }

    #[test]
    fn a_part_that_has_grown_joins_what_it_reaches() {
        // The third closes the gap between the first two.
        let areas = [area(0, 0, 90, 100), area(120, 0, 90, 100), area(60, 0, 90, 100)];
        assert_eq!(join(areas.into_iter(), area(0, 0, 900, 800)), [area(0, 0, 210, 100)]);
    }

    #[test]
    fn parts_as_large_as_the_whole_are_not_worth_it() {
        let whole = area(0, 0, 100, 120);
        assert_eq!(join([area(0, 0, 60, 120), area(30, 0, 70, 40)].into_iter(), whole).len(), 2);
        assert_eq!(join([area(0, 0, 80, 120), area(20, 0, 80, 60)].into_iter(), whole), [whole]);
    }
}
