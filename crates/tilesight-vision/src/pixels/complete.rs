//! Looks again at tiles whose outline covers only a part of the tile, or two tiles.
//!
//! Half of a 4 of bamboos looks like a 2, and the classifier is sure of it. Input: the seen tiles.
//! Output: the seen tiles; one that is narrower than its row is named from its whole outline, if
//! that gives it a name with confidence, and otherwise its name is in doubt, as are those of tiles
//! that are lower than their row or as wide as two of its tiles. Invariant: tiles with the
//! proportions of their row stay unchanged, and so do tiles without a row.

use tilesight_stills::Photo;

use super::classify::{SeenTile, Sort, classify};
use super::detect::Detection;
use crate::geometry::{Point, Quad, median};
use crate::networks::{Model, ModelError};
use crate::params::{CompleteParams, VisibilityParams};

const PARAMS: CompleteParams = CompleteParams::DEFAULT;

/// Completes narrow outlines, and limits the certainty of tiles whose proportions are wrong. The
/// classifier looks once more at all narrow tiles together.
///
/// # Errors
/// [`ModelError`] if the network cannot run.
pub(crate) fn complete(
    photo: &Photo,
    mut tiles: Vec<SeenTile>,
    model: &dyn Model,
) -> Result<Vec<SeenTile>, ModelError> {
    let frames: Vec<TileFrame> = tiles.iter().map(TileFrame::new).collect();
    let mut wholes: Vec<(usize, Detection)> = Vec::new();
    let mut partial = Vec::new();
    for i in 0..tiles.len() {
        let Some(misfit) = misfit(&frames, i) else { continue };
        partial.push(i);
        if let Misfit::Narrow { missing } = misfit {
            let outlines = frames[i].widened(&tiles[i].quad, missing);
            let free = outlines.into_iter().filter(|outline| is_free(outline, &tiles, i));
            let whole = |quad| Detection { quad, score: tiles[i].score, face_up: 1.0 };
            wholes.extend(free.map(|outline| (i, whole(outline))));
        }
    }
    let outlines: Vec<Detection> = wholes.iter().map(|(_, whole)| *whole).collect();
    let looks = if outlines.is_empty() { Vec::new() } else { classify(photo, &outlines, model)? };
    for i in partial {
        let of_tile = wholes.iter().zip(&looks).filter(|((tile, _), _)| *tile == i);
        let best = of_tile.map(|(_, look)| look).max_by(|a, b| sureness(a).total_cmp(&sureness(b)));
        match best {
            Some(whole) if sureness(whole) >= PARAMS.named_whole => {
                tiles[i] = SeenTile { inside: tiles[i].inside, ..whole.clone() };
            }
            _ => tiles[i].faces = tiles[i].faces.at_most(PARAMS.max_certainty),
        }
    }
    Ok(tiles)
}

/// Returns the probability of a tile's name, 0 for what is not a face.
fn sureness(tile: &SeenTile) -> f32 {
    match tile.faces.sort().0 {
        Sort::Playing | Sort::Bonus => tile.faces.top().1,
        Sort::Back | Sort::Nothing => 0.0,
    }
}

/// Returns whether no other tile lies on an outline.
fn is_free(outline: &Quad, tiles: &[SeenTile], except: usize) -> bool {
    let mut others = tiles.iter().enumerate().filter(|(i, _)| *i != except);
    others.all(|(_, other)| other.quad.overlap(outline) <= PARAMS.max_overlap)
}

/// A tile's sides as its print lies.
struct TileFrame {
    centre: Point,
    /// Directions of the print's line and of its top or bottom, of length one.
    across: Point,
    down: Point,
    width: f32,
    height: f32,
    /// Whether the tile shows a face with confidence enough to be compared with.
    is_clear: bool,
}

impl TileFrame {
    fn new(tile: &SeenTile) -> TileFrame {
        let (across, down) = (tile.quad.across(), tile.quad.down());
        let is_upright = tile.turns[0] + tile.turns[2] >= 0.5;
        let (across, down) = if is_upright { (across, down) } else { (down, across) };
        TileFrame {
            centre: tile.quad.centre(),
            across: across.unit(),
            down: down.unit(),
            width: across.length(),
            height: down.length(),
            is_clear: tile.score >= VisibilityParams::DEFAULT.dim
                && matches!(tile.faces.sort().0, Sort::Playing | Sort::Bonus),
        }
    }

    /// Returns this frame with the directions of another one.
    fn turned_like(&self, other: &TileFrame) -> TileFrame {
        let is_turned = self.down.dot(other.down).abs() < self.across.dot(other.down).abs();
        match is_turned {
            false => TileFrame { ..*self },
            true => TileFrame {
                across: self.down,
                down: self.across,
                width: self.height,
                height: self.width,
                ..*self
            },
        }
    }

    /// Returns a tile's outline wider by `missing` at one side, and at the other.
    fn widened(&self, quad: &Quad, missing: f32) -> [Quad; 2] {
        let centre = self.centre;
        [1.0, -1.0].map(|side| {
            let way = self.across * side;
            quad.map(|corner| {
                let is_there = (corner - centre).dot(way) > 0.0;
                if is_there { corner + way * missing } else { corner }
            })
        })
    }
}

/// Wrong proportions of an outline in its row.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Misfit {
    /// Narrower than the others by `missing` pixels.
    Narrow { missing: f32 },
    /// Lower than the others, or as wide as two of them.
    Other,
}

/// Returns what is wrong with the proportions of a tile's outline, compared with the nearest tiles
/// of its row that lie the same way.
fn misfit(frames: &[TileFrame], i: usize) -> Option<Misfit> {
    let own = &frames[i];
    if let Some(RowSize { width, height, count }) = row_size(frames, i, own) {
        let (wide, high) = (own.width / width, own.height / height);
        if wide < PARAMS.narrow && PARAMS.same_height.contains(&high) {
            return Some(Misfit::Narrow { missing: width - own.width });
        }
        if high < PARAMS.low && PARAMS.same_width.contains(&wide) && count > 2 {
            return Some(Misfit::Other);
        }
    }
    // The print of an outline around two tiles may seem to lie sideways.
    let away = |frame: &TileFrame| (frame.centre - own.centre).length();
    let others = (0..frames.len()).filter(|&j| j != i && frames[j].is_clear);
    let nearest = others.min_by(|&a, &b| away(&frames[a]).total_cmp(&away(&frames[b])))?;
    let turned = own.turned_like(&frames[nearest]);
    let RowSize { width, height, count } = row_size(frames, i, &turned)?;
    let is_double = count > 2
        && turned.width > PARAMS.double * width
        && PARAMS.same_height.contains(&(turned.height / height));
    is_double.then_some(Misfit::Other)
}

/// Median size of the nearest tiles of a row, and their number.
struct RowSize {
    width: f32,
    height: f32,
    count: usize,
}

/// Returns the size of the nearest tiles of a tile's row that lie as `own`; `None` if there are
/// less than two.
fn row_size(frames: &[TileFrame], i: usize, own: &TileFrame) -> Option<RowSize> {
    let is_beside = |&j: &usize| {
        let other = &frames[j];
        let between = other.centre - own.centre;
        j != i
            && other.is_clear
            && other.down.dot(own.down).abs() >= PARAMS.aligned
            && between.dot(own.across).abs() <= PARAMS.reach * other.width
            && between.dot(own.down).abs() <= PARAMS.aside * other.height
    };
    let away = |j: usize| (frames[j].centre - own.centre).length();
    let mut row: Vec<usize> = (0..frames.len()).filter(is_beside).collect();
    row.sort_by(|&a, &b| away(a).total_cmp(&away(b)));
    row.truncate(PARAMS.compared);
    if row.len() < 2 {
        return None;
    }
    let width = median(row.iter().map(|&j| frames[j].width))?;
    let height = median(row.iter().map(|&j| frames[j].height))?;
    Some(RowSize { width, height, count: row.len() })
}

#[cfg(test)]
mod tests {
    use tilesight_core::tile::Face;

    use super::*;
    use crate::Faces;
    use crate::networks::fake::{PaintedTile, WatchedModel, paint};

    fn seen(quad: Quad, turn: usize) -> SeenTile {
        let face = |code: &str| code.parse().ok();
        let faces = Faces::from_weights([(face("2s"), 0.99), (face("4s"), 0.01)]);
        let turns = std::array::from_fn(|at| if at == turn { 1.0 } else { 0.0 });
        SeenTile { quad: quad.upright(), score: 0.9, inside: 1.0, faces, turns, red: 0.0 }
    }

    /// Returns a row with room for two tiles in its middle, from 62 on.
    fn row() -> Vec<SeenTile> {
        [0.0, 31.0, 124.0, 155.0].map(|x| seen(Quad::rectangle(x, 50.0, 30.0, 36.0), 0)).to_vec()
    }

    fn misfit_of(last: &SeenTile) -> Option<Misfit> {
        let frames: Vec<TileFrame> = row().iter().chain([last]).map(TileFrame::new).collect();
        misfit(&frames, 4)
    }

    #[test]
    fn proportions_are_compared_with_the_row() {
        let at = |x: f32, y: f32, width: f32, height: f32, turn: usize| {
            misfit_of(&seen(Quad::rectangle(x, y, width, height), turn))
        };
        assert_eq!(at(62.0, 50.0, 30.0, 36.0, 0), None);
        assert_eq!(at(62.0, 50.0, 16.0, 36.0, 0), Some(Misfit::Narrow { missing: 14.0 }));
        assert_eq!(at(62.0, 62.0, 30.0, 24.0, 1), Some(Misfit::Other), "half as high");
        assert_eq!(at(62.0, 50.0, 61.0, 36.0, 1), Some(Misfit::Other), "two tiles");
        assert_eq!(at(62.0, 59.0, 40.0, 27.0, 0), None, "a claimed tile lies sideways");
        assert_eq!(at(62.0, 300.0, 16.0, 36.0, 0), None, "alone");
    }

    #[test]
    fn a_narrow_tile_is_named_from_its_whole_outline() {
        let mut tiles = row();
        tiles.push(seen(Quad::rectangle(62.0, 50.0, 16.0, 36.0), 0));
        let face: Face = "4s".parse().expect("a code");
        let whole = PaintedTile { quad: Quad::rectangle(62.0, 50.0, 30.0, 36.0), face };
        let named = |painted: &[PaintedTile]| {
            let photo = Photo::from_rgb(paint(200, 100, painted)).expect("large enough");
            let model = WatchedModel::default();
            let seen = complete(&photo, tiles.clone(), &model).expect("it runs").remove(4);
            (seen, model.crops())
        };
        let (tile, crops) = named(&[whole]);
        assert_eq!(
            (tile.faces.best(), crops),
            (Some(Face::Tile("4s".parse().expect("a code"))), 1)
        );
        assert_eq!(tile.quad.short_side(), 30.0);
    }

    #[test]
    fn a_low_tile_is_in_doubt() {
        let mut tiles = row();
        tiles.push(seen(Quad::rectangle(62.0, 62.0, 30.0, 24.0), 1));
        let photo = Photo::from_rgb(paint(200, 100, &[])).expect("large enough");
        let model = WatchedModel::default();
        let after = complete(&photo, tiles.clone(), &model).expect("it runs");
        assert_eq!(after[..4], tiles[..4]);
        let (face, p) = after[4].faces.top();
        assert_eq!(face, tiles[4].faces.best());
        assert!((p - PARAMS.max_certainty).abs() < 0.01, "{p}");
        assert_eq!(model.crops(), 0);
    }
}
