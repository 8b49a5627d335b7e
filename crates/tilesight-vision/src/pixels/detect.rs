//! Finds the tiles of a photo: where each face lies, as a quad, and whether it is face up.
//!
//! Input: an upright [`Photo`] and a [`Model`]. Output: [`Detection`]s in the photo's pixels. The
//! photo goes through the network at several sizes ([`pyramid`]), because tiles that fill the
//! picture are found at 160 pixels and small ones at 640. Small tiles are looked at again in a
//! [`close_up()`], and the detections of all sizes are merged ([`merge()`]). Invariant: every quad
//! is convex and clockwise, and no two quads cover each other.

mod close_up;
mod merge;
mod peaks;
mod view;

use serde::Serialize;

use crate::geometry::{Point, Quad, median};
use crate::networks::{Cells, Model, ModelError};
use crate::params::{CloseUpParams, DetectParams, VisibilityParams};
use tilesight_stills::{Area, Photo, ReduceParams};

use close_up::{CloseUp, FirstPass, close_up, replace};
pub use merge::merge;
pub use peaks::share_inside;
use peaks::{is_plausible, peaks, tile_at};
use view::View;
pub use view::pyramid;

const PARAMS: DetectParams = DetectParams::DEFAULT;

/// A tile that the detector saw.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Detection {
    /// Outline of the tile's printed face or of its back, corners clockwise.
    pub quad: Quad,
    /// The detector's heat, 0 to 1.
    pub score: f32,
    /// Probability that the tile is face up.
    pub face_up: f32,
}

impl Detection {
    /// Returns whether the tile is surely a back, so that no other network has to look at it.
    #[must_use]
    pub fn is_back(&self) -> bool {
        self.face_up <= PARAMS.sure_back
    }

    /// Returns this detection in a photo that is `factor` times larger.
    #[must_use]
    pub fn scaled(self, factor: f32) -> Detection {
        Detection { quad: self.quad.scaled(factor), ..self }
    }
}

/// Returns whether the tiles are too narrow, which means that the photo was reduced too far.
pub(crate) fn is_narrow(found: &[Detection]) -> bool {
    let confident = found.iter().filter(|tile| tile.score >= PARAMS.confident);
    let width = median(confident.map(|tile| tile.quad.short_side()));
    width.is_some_and(|width| width < ReduceParams::DEFAULT.min_tile)
}

/// Views of a photo in which tiles were looked for.
#[derive(Debug, Default)]
pub(crate) struct SeenViews {
    /// Detections in the whole photo by size of the pyramid, the smallest first; sizes that were
    /// not needed are missing.
    sizes: Vec<Vec<Detection>>,
    /// Number of pixels of the closest view along a pixel of the photo.
    scale: f32,
}

/// Finds the tiles of a photo.
///
/// The smaller sizes of the pyramid come first. If they show the tiles well enough to tell where
/// all of them are, the close-up follows at once: the largest size would take as long and show
/// less.
///
/// # Errors
/// [`ModelError::Failed`] if the network cannot run.
pub fn detect(photo: &Photo, model: &dyn Model) -> Result<Vec<Detection>, ModelError> {
    detect_keeping(photo, model, &mut SeenViews::default())
}

/// Like [`detect`]; keeps what [`detect_everywhere`] and [`detect_beside`] need of the views.
///
/// # Errors
/// [`ModelError::Failed`] if the network cannot run.
pub(crate) fn detect_keeping(
    photo: &Photo,
    model: &dyn Model,
    seen: &mut SeenViews,
) -> Result<Vec<Detection>, ModelError> {
    detect_with(photo, model, CloseUpParams::OF_ALL, seen)
}

/// Finds the tiles of a photo without letting any detection decide where the photo is looked at, or
/// how closely: things that look like large tiles can hide small ones from [`detect`]. The photo is
/// looked at as a whole in as many pixels as a close-up has at most, and in the sizes of the
/// pyramid that were not seen before; not in the largest, if the close view shows more.
///
/// # Errors
/// [`ModelError::Failed`] if the network cannot run.
pub(crate) fn detect_everywhere(
    photo: &Photo,
    model: &dyn Model,
    seen: &SeenViews,
) -> Result<Vec<Detection>, ModelError> {
    let mut levels = levels(photo, model);
    let largest = levels.first().map_or(0.0, |level| level.view.scale());
    let closely = whole_closely(photo, largest);
    let seen_before = levels.split_off(levels.len().saturating_sub(seen.sizes.len()));
    if closely.is_some() && !levels.is_empty() {
        levels.remove(0);
    }
    levels.extend(closely);
    let mut tiles = Vec::new();
    for level in levels {
        let found = search(photo, &level.view, model)?;
        tiles.extend(found.into_iter().filter(|tile| level.serves(tile)));
    }
    for (level, found) in seen_before.iter().zip(seen.sizes.iter().rev()) {
        tiles.extend(found.iter().filter(|tile| level.serves(tile)));
    }
    Ok(merge(tiles))
}

/// Looks at a hand by itself, as closely as if nothing lay around it, if its tiles were seen small:
/// a close-up is as close as the usual tile needs, and things that look like larger tiles hide
/// those of the hand. Returns the tiles that were `found` and the new ones, which take the place of
/// dim ones; `None` if no tile is new.
///
/// # Errors
/// [`ModelError::Failed`] if the network cannot run.
pub(crate) fn detect_beside(
    photo: &Photo,
    model: &dyn Model,
    seen: &SeenViews,
    hand: &[Quad],
    mut found: Vec<Detection>,
) -> Result<Option<Vec<Detection>>, ModelError> {
    let Some(view) = close_up::view_of_hand(photo, hand, seen.scale) else { return Ok(None) };
    let mut new = merge(search(photo, &view, model)?);
    let dim = VisibilityParams::DEFAULT.dim;
    new.retain(|tile| {
        let mut there = found.iter().filter(|other| is_same(other, tile));
        let is_seen = there.any(|other| other.is_back() || other.score >= dim || tile.score < dim);
        tile.score >= CloseUpParams::OF_CLEAR.new_tile && !tile.is_back() && !is_seen
    });
    if new.is_empty() {
        return Ok(None);
    }
    found.retain(|tile| !new.iter().any(|other| is_same(other, tile)));
    found.extend(new);
    Ok(Some(found))
}

/// Returns whether the tiles of a hand were seen so small that [`detect_beside`] looks at it.
pub(crate) fn was_seen_small(photo: &Photo, seen: &SeenViews, hand: &[Quad]) -> bool {
    close_up::view_of_hand(photo, hand, seen.scale).is_some()
}

/// Returns whether two detections are of the same tile.
fn is_same(a: &Detection, b: &Detection) -> bool {
    a.quad.overlap(&b.quad) > PARAMS.same_tile
}

/// Returns a view of the whole photo as close as the limits of a close-up allow, if it shows more
/// than the pyramid's largest view, which has the scale `largest`.
fn whole_closely(photo: &Photo, largest: f32) -> Option<Level> {
    let params = CloseUpParams::OF_CLEAR;
    let (right, bottom) = photo.size();
    let area = Area { left: 0, top: 0, right, bottom };
    let scale = (params.max_pixels / (right as f32 * bottom as f32)).sqrt().min(params.max_scale);
    let shows_more = scale > params.min_gain * largest;
    shows_more.then(|| Level { view: View::part(photo, area, scale), min_width: 0.0 })
}

/// Finds the tiles of a dark set in the negative of a photo, like [`detect`]. The first look misses
/// more of them than of light tiles, so the close-up leaves out no place between them.
///
/// # Errors
/// [`ModelError::Failed`] if the network cannot run.
pub fn detect_in_negative(
    negative: &Photo,
    model: &dyn Model,
) -> Result<Vec<Detection>, ModelError> {
    detect_with(negative, model, CloseUpParams::OF_NEGATIVE, &mut SeenViews::default())
}

/// Finds the tiles, with these parameters for the close-up after the largest size of the pyramid.
fn detect_with(
    photo: &Photo,
    model: &dyn Model,
    of_all: CloseUpParams,
    seen: &mut SeenViews,
) -> Result<Vec<Detection>, ModelError> {
    let Some(mut first) = run_first_pass(photo, model, of_all, seen)? else {
        return Ok(Vec::new());
    };
    let mut shown: Option<CloseUp> = None;
    for _ in 0..first.params.max_close_ups {
        let Some(part) = close_up(photo, &first) else { break };
        let areas = match &shown {
            None => part.parts.clone(),
            // A tile lies at the edge of the last close-up, so its row may go on beyond.
            Some(shown) => part.beyond(shown, &first.params).into_iter().collect(),
        };
        if areas.is_empty() {
            break;
        }
        let mut tiles = Vec::new();
        for area in areas {
            let found = search(photo, &View::part(photo, area, part.scale), model)?;
            tiles.extend(found.into_iter().filter(|tile| {
                !CloseUp::cuts(tile, &area, photo, &first.params) || !first.has(tile)
            }));
        }
        if let Some(shown) = &shown {
            tiles.retain(|tile| !shown.shows(tile, &first.params));
        }
        first.found = replace(first.found, tiles, &first.params);
        seen.scale = seen.scale.max(part.scale);
        shown = Some(part);
    }
    Ok(first.found)
}

/// Looks at the photo at the sizes of the pyramid, starting with the smallest, until one shows the
/// tiles clearly. What each shows is kept in `seen`. Returns `None` if the pyramid has no sizes.
///
/// Sizes other than the largest serve tiles that fill much of the picture. Narrower tiles found
/// there count only if no larger size follows.
fn run_first_pass(
    photo: &Photo,
    model: &dyn Model,
    of_all: CloseUpParams,
    seen: &mut SeenViews,
) -> Result<Option<FirstPass>, ModelError> {
    let mut levels = levels(photo, model);
    let mut kept: Vec<Detection> = Vec::new();
    while let Some(level) = levels.pop() {
        let scale = level.view.scale();
        let tiles = search(photo, &level.view, model)?;
        seen.sizes.push(tiles.clone());
        seen.scale = scale;
        let (wide, narrow): (Vec<Detection>, Vec<Detection>) =
            tiles.into_iter().partition(|tile| level.serves(tile));
        kept.extend(wide);
        let found = merge(kept.iter().copied().chain(narrow).collect());
        if levels.is_empty() {
            return Ok(Some(FirstPass { found, scale, params: of_all }));
        } else if is_clear(&found, scale) {
            return Ok(Some(FirstPass { found, scale, params: CloseUpParams::OF_CLEAR }));
        }
    }
    Ok(None)
}

/// Returns whether the tiles are few enough, and in a view of this scale large enough, to tell
/// where all of them are.
fn is_clear(found: &[Detection], scale: f32) -> bool {
    let confident = found.iter().filter(|tile| tile.score >= PARAMS.confident);
    let widths: Vec<f32> = confident.map(|tile| tile.quad.short_side() * scale).collect();
    PARAMS.clear_tiles.contains(&widths.len())
        && found.len() <= PARAMS.clear_tiles.end
        && median(widths).is_some_and(|width| width >= PARAMS.clear_width)
}

/// The whole photo at one size of the pyramid.
struct Level {
    view: View,
    /// Minimum width of a tile, in the photo's pixels. Narrower tiles are seen better at a larger
    /// size.
    min_width: f32,
}

impl Level {
    /// Returns whether a tile is wide enough for this size.
    fn serves(&self, tile: &Detection) -> bool {
        tile.quad.short_side() >= self.min_width
    }
}

/// Returns the pyramid's levels, the largest first.
fn levels(photo: &Photo, model: &dyn Model) -> Vec<Level> {
    let spec = &model.manifest().detector;
    let pictures = pyramid(photo, &spec.sizes).into_iter();
    let levels = pictures.zip(&spec.min_width).map(|((picture, step), min_width)| Level {
        min_width: PARAMS.min_width.max(min_width * step.x.max(step.y)),
        view: View { picture, origin: Point::default(), step },
    });
    levels.collect()
}

/// Runs the detector on one view and returns its detections in the photo's pixels.
fn search(photo: &Photo, view: &View, model: &dyn Model) -> Result<Vec<Detection>, ModelError> {
    let spec = &model.manifest().detector;
    let maps = model.detect(&Cells::from_image(&view.picture))?;
    let cells = peaks(&maps.heat, spec.threshold);
    let tiles = cells
        .into_iter()
        .filter_map(|(x, y)| tile_at(&maps, x, y, spec.stride))
        .map(|tile| Detection { quad: tile.quad.map(|p| view.to_photo(p)), ..tile })
        .filter(|tile| is_plausible(tile, photo));
    Ok(tiles.collect())
}

#[cfg(test)]
mod tests {
    use tilesight_core::tile::{Face, Tile};

    use super::*;
    use crate::networks::fake::{PaintedTile, WatchedModel, paint};

    /// Detects tiles in a picture of 1,280 by 960 pixels. Returns the number of tiles found and the
    /// sizes of the views.
    fn found(tiles: &[Quad]) -> (usize, Vec<(usize, usize)>) {
        found_by(&WatchedModel::default(), tiles)
    }

    fn found_by(model: &WatchedModel, tiles: &[Quad]) -> (usize, Vec<(usize, usize)>) {
        let found = detect(&photo_of(tiles), model).expect("it runs").len();
        (found, model.views())
    }

    /// Returns a picture of 1,280 by 960 pixels with these tiles.
    fn photo_of(tiles: &[Quad]) -> Photo {
        let tile = |(n, &quad): (usize, &Quad)| PaintedTile {
            quad,
            face: Face::Tile(Tile::ALL[n % Tile::ALL.len()]),
        };
        let tiles: Vec<PaintedTile> = tiles.iter().enumerate().map(tile).collect();
        Photo::from_rgb(paint(1280, 960, &tiles)).expect("large enough")
    }

    /// Lays rows of tiles of this width with gaps between them.
    fn rows(count: usize, columns: usize, width: f32) -> Vec<Quad> {
        let place = |n: usize| ((n % columns) as f32, (n / columns) as f32);
        let quad = |(x, y)| {
            let (x, y) = (40.0 + 1.3 * width * x, 60.0 + 1.8 * width * y);
            Quad::rectangle(x, y, width, 1.35 * width)
        };
        (0..count).map(place).map(quad).collect()
    }

    #[test]
    fn where_a_small_look_shows_the_tiles_the_large_one_is_left_out() {
        let (found, views) = found(&rows(14, 14, 60.0));
        assert_eq!(found, 14);
        assert_eq!(views[0], (320, 256), "the smallest size comes first");
        assert_eq!(views.len(), 2, "then the close-up: {views:?}");
        assert!(views[1].1 < 200, "which shows the row alone: {views:?}");
    }

    #[test]
    fn where_a_row_goes_on_only_its_end_is_looked_at() {
        let row = rows(15, 15, 58.0);
        // At 320 pixels the first 13 tiles end at 250.
        let (found, views) = found_by(&WatchedModel::blind_beyond(252), &row);
        assert_eq!(found, 15, "two more in the close-ups");
        assert_eq!((views.len(), views[0]), (4, (320, 256)), "{views:?}");
        assert!(views[1].0 > 700, "first all tiles: {views:?}");
        assert!(views[2].0 <= 160 && views[3].0 <= 160, "then what lies beyond: {views:?}");
    }

    #[test]
    fn only_the_close_up_of_a_negative_shows_what_lies_between_rows() {
        let tiles = rows(28, 14, 32.0);
        // The second row lies far below the first.
        let down = |(n, tile): (usize, &Quad)| {
            Quad(tile.0.map(|corner| corner + Point::new(0.0, if n < 14 { 0.0 } else { 600.0 })))
        };
        let tiles: Vec<Quad> = tiles.iter().enumerate().map(down).collect();
        let photo = photo_of(&tiles);
        let views = |find: fn(&Photo, &dyn Model) -> Result<Vec<Detection>, ModelError>| {
            let model = WatchedModel::default();
            assert_eq!(find(&photo, &model).expect("it runs").len(), 28);
            model.views().split_off(2)
        };
        let parts = views(detect);
        assert_eq!(parts.len(), 2, "a part for each row: {parts:?}");
        let whole = views(detect_in_negative);
        assert_eq!(whole.len(), 1, "{whole:?}");
        assert!(whole[0].1 > 3 * parts[0].1, "{whole:?} is more than {parts:?}");
    }

    /// Looks at a row of 14 tiles, 32 pixels wide, of which all but the last were found with this
    /// score in a view of this scale. Returns the number of tiles that are known then, if any is
    /// new, and the number of views.
    fn beside(scale: f32, score: f32) -> (Option<usize>, usize) {
        let hand = rows(14, 14, 32.0);
        let found = hand[..13].iter().map(|&quad| Detection { quad, score, face_up: 1.0 });
        let model = WatchedModel::default();
        let seen = SeenViews { sizes: Vec::new(), scale };
        let all = detect_beside(&photo_of(&hand), &model, &seen, &hand[..13], found.collect());
        (all.expect("it runs").map(|tiles| tiles.len()), model.views().len())
    }

    #[test]
    fn a_hand_that_was_seen_small_is_looked_at_by_itself() {
        assert_eq!(beside(0.7, 0.9), (Some(14), 1));
        assert_eq!(beside(0.8, 0.9), (None, 0), "its tiles were seen 25 pixels wide");
        assert_eq!(beside(0.7, 0.2), (Some(14), 1), "all of them in the place of dim ones");
    }

    #[test]
    fn small_tiles_and_crowded_tables_are_looked_at_in_large() {
        for (tiles, why) in [
            (rows(14, 14, 32.0), "tiles are small"),
            (rows(36, 12, 60.0), "the table is crowded"),
            (rows(5, 5, 60.0), "it is less than half a hand"),
        ] {
            let (found, views) = found(&tiles);
            assert_eq!(found, tiles.len(), "{why}");
            assert_eq!(views[..2], [(320, 256), (640, 480)], "{why}");
        }
    }
}
