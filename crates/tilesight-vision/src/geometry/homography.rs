//! Mapping between two pictures of one plane.
//!
//! Input: points of one picture with their positions in another. Output: a [`Homography`], fitted
//! to all of them by least squares (the direct linear transformation, Hartley and Zisserman,
//! *Multiple View Geometry*, 2004, 4.1, in normalised coordinates, with the equations reweighted by
//! the resulting depth). Invariant: with little evidence the mapping is nearly affine: no
//! perspective is assumed unless the points show one. Points beyond the horizon have no position.

use super::least_squares::Fit;
use super::{Point, Quad};

/// Noise of the points of a fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct FitNoise {
    /// Usual error of a point, in pixels of the second picture.
    pub place: f32,
    /// Usual perspective: the share by which sizes change, for each pixel of the first picture.
    pub recession: f32,
}

/// Mapping from the points of one picture to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Homography {
    from: Normalization,
    to: Normalization,
    /// Rows `[a, b, c]`, `[d, e, f]` and `[g, h]`, the last one completed by 1, in the frames'
    /// coordinates.
    rows: [f32; 8],
}

/// Number of rounds of reweighting. The depth hardly changes after the second round.
const ROUNDS: usize = 3;

/// Minimum depth relative to that of the middle: an area mapped closer to the horizon is enlarged
/// more than tenfold, and shows nothing.
const HORIZON: f32 = 0.1;

impl Homography {
    /// Fits the homography that maps the first point of each pair nearest to the second one; `None`
    /// for fewer than three pairs, or if all lie on a line.
    #[must_use]
    pub(crate) fn fit(pairs: &[(Point, Point)], noise: FitNoise) -> Option<Homography> {
        if pairs.len() < 3 {
            return None;
        }
        let from = Normalization::new(pairs.iter().map(|pair| pair.0));
        let to = Normalization::new(pairs.iter().map(|pair| pair.1));
        let place = (noise.place / to.unit).max(1e-4);
        let recession = (noise.recession * from.unit).max(1e-4);
        let mut rows = [0.0; 8];
        for _ in 0..ROUNDS {
            let mut fit = Fit::<8>::default();
            fit.add([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0], 0.0, recession);
            fit.add([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0], 0.0, recession);
            for &(first, second) in pairs {
                let Point { x, y } = from.inward(first);
                let Point { x: u, y: v } = to.inward(second);
                let depth = (1.0 + rows[6] * x + rows[7] * y).max(HORIZON);
                fit.add([x, y, 1.0, 0.0, 0.0, 0.0, -x * u, -y * u], u, place * depth);
                fit.add([0.0, 0.0, 0.0, x, y, 1.0, -x * v, -y * v], v, place * depth);
            }
            rows = fit.solve()?;
        }
        rows.iter().all(|row| row.is_finite()).then_some(Homography { from, to, rows })
    }

    /// Maps a point of the first picture to the second; `None` near the horizon and beyond.
    #[must_use]
    pub(crate) fn map_point(&self, point: Point) -> Option<Point> {
        let Point { x, y } = self.from.inward(point);
        let [a, b, c, d, e, f, g, h] = self.rows;
        let depth = g * x + h * y + 1.0;
        let place = Point::new(a * x + b * y + c, d * x + e * y + f) * (1.0 / depth);
        (depth >= HORIZON).then(|| self.to.outward(place))
    }

    /// Maps a quad to the second picture; `None` if it reaches the horizon.
    #[must_use]
    pub(crate) fn quad(&self, quad: &Quad) -> Option<Quad> {
        let [a, b, c, d] = quad.0.map(|corner| self.map_point(corner));
        Some(Quad([a?, b?, c?, d?]))
    }
}

/// Coordinates around the middle of points, in units of their usual distance from it.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Normalization {
    middle: Point,
    unit: f32,
}

impl Normalization {
    fn new(points: impl ExactSizeIterator<Item = Point> + Clone) -> Normalization {
        let share = 1.0 / points.len().max(1) as f32;
        let middle = points.clone().fold(Point::default(), |sum, point| sum + point) * share;
        let off = points.map(|point| (point - middle).dot(point - middle)).sum::<f32>() * share;
        Normalization { middle, unit: off.sqrt().max(1e-3) }
    }

    fn inward(&self, point: Point) -> Point {
        (point - self.middle) * (1.0 / self.unit)
    }

    fn outward(&self, place: Point) -> Point {
        self.middle + place * self.unit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOISE: FitNoise = FitNoise { place: 1.0, recession: 1e-3 };

    /// Maps a point for a camera that moved: turned by about 30 degrees, closer, and lower.
    fn moved(Point { x, y }: Point) -> Point {
        let depth = 1.0 + 4e-4 * x - 3e-4 * y;
        Point::new((0.8 * x - 0.5 * y + 300.0) / depth, (0.45 * x + 0.9 * y + 100.0) / depth)
    }

    fn grid(side: usize) -> Vec<(Point, Point)> {
        let place = |n: usize| Point::new((n % side) as f32 * 97.0, (n / side) as f32 * 83.0);
        (0..side * side).map(|n| (place(n), moved(place(n)))).collect()
    }

    #[test]
    fn it_maps_what_it_was_fitted_to_and_what_lies_between() {
        let fitted = Homography::fit(&grid(6), NOISE).expect("a plane");
        for (first, second) in grid(6) {
            let half = Point::new(first.x + 40.0, first.y + 40.0);
            assert!(
                (fitted.map_point(first).expect("in view") - second).length() < 0.5,
                "{first:?}"
            );
            assert!(
                (fitted.map_point(half).expect("in view") - moved(half)).length() < 0.5,
                "{half:?}"
            );
        }
    }

    #[test]
    fn noise_is_averaged() {
        let mut pairs = grid(8);
        for (n, (_, second)) in pairs.iter_mut().enumerate() {
            let off = [(1.5, 0.0), (-0.7, 1.2), (-0.8, -1.2)][n % 3];
            *second = *second + Point::new(off.0, off.1);
        }
        let fitted = Homography::fit(&pairs, NOISE).expect("a plane");
        for (first, second) in grid(8) {
            assert!(
                (fitted.map_point(first).expect("in view") - second).length() < 1.0,
                "{first:?}"
            );
        }
    }

    #[test]
    fn one_small_quad_says_nothing_of_the_perspective() {
        let quad = Quad::rectangle(0.0, 0.0, 30.0, 40.0);
        let loose = [(0.5, 0.0), (0.0, 0.0), (-0.5, 0.5), (0.0, -0.5)];
        let corners = quad.0.iter().zip(loose);
        let pairs: Vec<_> =
            corners.map(|(&at, (x, y))| (at, Point::new(at.x + x, at.y + y))).collect();
        let fitted = Homography::fit(&pairs, NOISE).expect("a plane");
        let far = Point::new(400.0, 20.0);
        assert!((fitted.map_point(far).expect("in view") - far).length() < 40.0);
    }

    #[test]
    fn a_line_is_not_a_plane() {
        let line: Vec<_> =
            (0..9).map(|n| Point::new(n as f32, n as f32)).map(|at| (at, at)).collect();
        assert_eq!(Homography::fit(&line, NOISE), None);
        assert_eq!(Homography::fit(&line[..2], NOISE), None);
    }

    #[test]
    fn beyond_the_horizon_there_is_nothing() {
        let fitted = Homography::fit(&grid(6), NOISE).expect("a plane");
        assert_eq!(fitted.map_point(Point::new(-3000.0, 0.0)), None);
    }
}
