//! Detection of tiles that lie on another one: the fourth tile of an added kong on the middle one
//! of its pung.
//!
//! Input: the hand's tiles as seen from straight above the table. Output: every tile that may lie
//! on a hidden one, with the two beside it. A tile that lies higher is nearer to the camera. It
//! appears larger than its neighbours and displaced from its place between them, the more so the
//! flatter the camera's angle. Invariant: a raised tile may be of the same kind as both its
//! neighbours, and its place between them is empty.

use serde::Serialize;

use super::super::geometry::{Point, Quad};
use super::super::params::RaisedParams;
use super::likelihood::may_be_one_kind;
use super::top_view::TopView;

/// A tile that may lie on another.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct RaisedTile {
    /// Index of the tile.
    pub tile: usize,
    /// Indices of the tile before and the tile after it in its set.
    pub between: (usize, usize),
    /// Probability that a tile lies beneath it.
    pub p: f32,
}

impl RaisedTile {
    fn parts(&self) -> [usize; 3] {
        [self.tile, self.between.0, self.between.1]
    }
}

/// Finds the raised tiles among those of a hand.
pub(super) fn raised_tiles(view: &TopView, hand: &[usize], sideways: &[bool]) -> Vec<RaisedTile> {
    let params = &view.params.raised;
    let mut found: Vec<RaisedTile> = Vec::new();
    for &tile in hand {
        let best = pairs(&find_near(view, hand, tile))
            .map(|pair| SpotBetween { view, hand, tile, pair })
            .filter_map(|place| Some((place.pair, place.probability(sideways)?)))
            .filter(|&((a, b), _)| may_be_one_kind(view, &[a, tile, b]))
            .max_by(|x, y| x.1.total_cmp(&y.1));
        if let Some((between, p)) = best.filter(|&(_, p)| p >= params.min_p) {
            found.push(RaisedTile { tile, between, p });
        }
    }
    // A tile beside a raised one is not raised itself.
    found.sort_by(|a, b| b.p.total_cmp(&a.p));
    let mut separate: Vec<RaisedTile> = Vec::new();
    for raised in found {
        let parts = raised.parts();
        if !separate.iter().any(|other| parts.iter().any(|i| other.parts().contains(i))) {
            separate.push(raised);
        }
    }
    separate
}

/// Returns the other tiles that are near enough to be beside a tile: a cheap test that leaves few
/// pairs to measure.
fn find_near(view: &TopView, hand: &[usize], tile: usize) -> Vec<usize> {
    let quad = &view.items[tile].quad;
    let reach = view.params.raised.reach * quad.short_side();
    let others = hand.iter().copied().filter(|&other| other != tile);
    others
        .filter(|&other| (view.items[other].quad.centre() - quad.centre()).length() <= reach)
        .collect()
}

fn pairs(others: &[usize]) -> impl Iterator<Item = (usize, usize)> + '_ {
    others.iter().flat_map(move |&a| others.iter().filter(move |&&b| b > a).map(move |&b| (a, b)))
}

/// Place between two tiles of a hand, and the tile that may belong there.
struct SpotBetween<'a> {
    view: &'a TopView<'a>,
    hand: &'a [usize],
    tile: usize,
    pair: (usize, usize),
}

impl SpotBetween<'_> {
    fn quad(&self, i: usize) -> &Quad {
        &self.view.items[i].quad
    }

    fn params(&self) -> &RaisedParams {
        &self.view.params.raised
    }

    /// Returns the probability that the tile lies raised between the two others; `None` if it does
    /// not fit there.
    fn probability(&self, sideways: &[bool]) -> Option<f32> {
        let params = self.params();
        let (a, b) = self.pair;
        let tile = self.quad(self.tile);
        let way = self.quad(b).centre() - self.quad(a).centre();
        let distance = way.length();
        let along = way.unit();
        let unit = (self.quad(a).short_side() + self.quad(b).short_side()) / 2.0;
        let half_a = half(self.quad(a), along);
        let half_b = half(self.quad(b), along);
        let free = distance - half_a - half_b;
        if (free - 2.0 * half(tile, along)).abs() > params.slack * unit {
            return None;
        }
        let middle = self.quad(a).centre() + along * (half_a + free / 2.0);
        if !self.is_in_line(along) || self.is_taken(middle, unit) {
            return None;
        }
        let off = self.off_place((tile.centre() - middle) * (1.0 / unit), along, sideways);
        if off > params.farthest {
            return None;
        }
        let larger = tile.scale() / ((self.quad(a).scale() + self.quad(b).scale()) / 2.0);
        let evidence = (off - params.off) / params.off_spread
            + (larger - params.larger) / params.larger_spread;
        Some(1.0 / (1.0 + (-evidence).exp()))
    }

    /// Returns whether the two tiles lie in one line, that is, along the edges of each other.
    fn is_in_line(&self, along: Point) -> bool {
        [self.pair.0, self.pair.1].into_iter().all(|i| {
            let edges = [self.quad(i).across().unit(), self.quad(i).down().unit()];
            edges.iter().any(|edge| edge.cross(along).abs() < self.params().aligned)
        })
    }

    /// Returns whether another tile already lies at the place.
    fn is_taken(&self, middle: Point, unit: f32) -> bool {
        let mut others = self.hand.iter().filter(|other| **other != self.tile);
        others.any(|&other| {
            (self.quad(other).centre() - middle).length() < self.params().taken * unit
        })
    }

    /// Returns the tile's distance from its place; a sideways tile in the set may lower the middle
    /// of the tile or of its neighbours.
    fn off_place(&self, off: Point, along: Point, sideways: &[bool]) -> f32 {
        let aside = off.cross(along).abs();
        let has_sideways = [self.pair.0, self.pair.1, self.tile].iter().any(|&i| sideways[i]);
        let lowered = if has_sideways { self.params().lower } else { 0.0 };
        off.dot(along).hypot((aside - lowered).max(0.0))
    }
}

/// Returns half of a quad's extent along a direction.
fn half(quad: &Quad, along: Point) -> f32 {
    let (low, high) = quad.span(along);
    (high - low) / 2.0
}
