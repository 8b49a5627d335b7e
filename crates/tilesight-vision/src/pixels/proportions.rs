//! Limits the certainty of names of tiles whose outline does not have the proportions of their row.
//!
//! Half of a 4 of bamboos looks like a 2, and the classifier is sure of it. Input: the seen tiles.
//! Output: the seen tiles; the name of one that is narrower or lower than its row, or as wide as
//! two of its tiles, is in doubt. Invariant: tiles with the proportions of their row stay
//! unchanged, and so do tiles without a row.

use super::faces::Sort;
use super::seen_tile::SeenTile;
use crate::geometry::{Point, median};
use crate::params::{ProportionParams, VisibilityParams};

const PARAMS: ProportionParams = ProportionParams::DEFAULT;

/// Limits the certainty of tiles whose proportions are wrong.
pub(crate) fn doubt_misfits(tiles: &mut [SeenTile]) {
    let frames: Vec<TileFrame> = tiles.iter().map(TileFrame::new).collect();
    for (i, tile) in tiles.iter_mut().enumerate() {
        if is_part(&frames, i) || is_double(&frames, i) {
            tile.faces = tile.faces.limited(PARAMS.max_certainty);
        }
    }
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
        let quad = tile.printed_quad();
        let across = quad.across();
        let down = quad.down();
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

    fn distance(&self, other: &TileFrame) -> f32 {
        (other.centre - self.centre).length()
    }

    /// Returns whether another tile that can be compared lies in the same row, the same way.
    fn is_beside(&self, other: &TileFrame) -> bool {
        let between = other.centre - self.centre;
        other.is_clear
            && other.down.dot(self.down).abs() >= PARAMS.aligned
            && between.dot(self.across).abs() <= PARAMS.reach * other.width
            && between.dot(self.down).abs() <= PARAMS.aside * other.height
    }

    /// Returns this frame with the directions of another one.
    fn turned_like(&self, other: &TileFrame) -> TileFrame {
        let is_turned = self.down.dot(other.down).abs() < self.across.dot(other.down).abs();
        if !is_turned {
            return TileFrame { ..*self };
        }
        TileFrame {
            across: self.down,
            down: self.across,
            width: self.height,
            height: self.width,
            ..*self
        }
    }
}

/// Returns whether a tile's outline is narrower or lower than the nearest tiles of its row that lie
/// the same way.
fn is_part(frames: &[TileFrame], i: usize) -> bool {
    let own = &frames[i];
    let Some(RowSize { width, height, count }) = row_size(frames, i, own) else { return false };
    let wide = own.width / width;
    let high = own.height / height;
    let is_narrow = wide < PARAMS.narrow && PARAMS.same_height.contains(&high);
    let is_low = high < PARAMS.low && PARAMS.same_width.contains(&wide) && count > 2;
    is_narrow || is_low
}

/// Returns whether a tile's outline is as wide as two tiles of its row. Its print may seem to lie
/// sideways.
fn is_double(frames: &[TileFrame], i: usize) -> bool {
    let own = &frames[i];
    let others = (0..frames.len()).filter(|&j| j != i && frames[j].is_clear);
    let nearest =
        others.min_by(|&a, &b| own.distance(&frames[a]).total_cmp(&own.distance(&frames[b])));
    let Some(nearest) = nearest else { return false };
    let turned = own.turned_like(&frames[nearest]);
    let Some(row) = row_size(frames, i, &turned) else { return false };
    row.count > 2
        && turned.width > PARAMS.double * row.width
        && PARAMS.same_height.contains(&(turned.height / row.height))
}

/// Usual size of the nearest tiles of a row, and their number.
struct RowSize {
    width: f32,
    height: f32,
    count: usize,
}

/// Returns the size of the nearest tiles of a tile's row that lie as `own`; `None` if there are
/// less than two.
fn row_size(frames: &[TileFrame], i: usize, own: &TileFrame) -> Option<RowSize> {
    let mut row: Vec<&TileFrame> = (0..frames.len())
        .filter(|&j| j != i && own.is_beside(&frames[j]))
        .map(|j| &frames[j])
        .collect();
    row.sort_by(|a, b| own.distance(a).total_cmp(&own.distance(b)));
    row.truncate(PARAMS.compared);
    if row.len() < 2 {
        return None;
    }
    let width = low_median(row.iter().map(|tile| tile.width))?;
    let height = low_median(row.iter().map(|tile| tile.height))?;
    Some(RowSize { width, height, count: row.len() })
}

/// Returns the middle value of a list, the lower one of two: an outline around two tiles must not
/// make its neighbours at the end of a row seem narrow.
fn low_median(values: impl Iterator<Item = f32>) -> Option<f32> {
    median(values.map(|value| -value)).map(|value| -value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Faces;
    use crate::geometry::Quad;

    fn seen(quad: Quad, turn: usize) -> SeenTile {
        let face = |code: &str| code.parse().ok();
        let faces = Faces::from_weights([(face("2s"), 0.99), (face("4s"), 0.01)]);
        let turns = std::array::from_fn(|at| if at == turn { 1.0 } else { 0.0 });
        SeenTile {
            quad: quad.upright(),
            score: 0.9,
            inside: 1.0,
            faces,
            turns,
            red: 0.0,
            likeness: None,
        }
    }

    /// Returns a row with room for two tiles in its middle, from 62 on.
    fn row() -> Vec<SeenTile> {
        [0.0, 31.0, 124.0, 155.0].map(|x| seen(Quad::rectangle(x, 50.0, 30.0, 36.0), 0)).to_vec()
    }

    #[test]
    fn a_tile_without_the_proportions_of_its_row_is_in_doubt() {
        let cases = [
            ("as the others", Quad::rectangle(62.0, 50.0, 30.0, 36.0), 0, false),
            ("half as wide", Quad::rectangle(62.0, 50.0, 16.0, 36.0), 0, true),
            ("two thirds as high", Quad::rectangle(62.0, 62.0, 30.0, 24.0), 1, true),
            ("two tiles", Quad::rectangle(62.0, 50.0, 61.0, 36.0), 1, true),
            ("a claimed tile, sideways", Quad::rectangle(62.0, 59.0, 40.0, 27.0), 0, false),
            ("alone", Quad::rectangle(62.0, 300.0, 16.0, 36.0), 0, false),
        ];
        for (case, quad, turn, is_doubted) in cases {
            let mut tiles = row();
            tiles.push(seen(quad, turn));
            let before = tiles.clone();
            doubt_misfits(&mut tiles);
            assert_eq!(tiles[..4], before[..4], "{case}");
            let (face, p) = tiles[4].faces.top();
            assert_eq!(face, before[4].faces.best(), "{case}");
            let expected = if is_doubted { PARAMS.max_certainty } else { 0.99 };
            assert!((p - expected).abs() < 0.01, "{case}: {p}");
        }
    }
}
