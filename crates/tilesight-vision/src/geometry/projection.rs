//! Plane projection of a square onto a quad.
//!
//! Input: a quad, then places in the unit square. Output: the corresponding places in the quad, as
//! a camera shows them. The projection is solved in closed form (Heckbert, *Fundamentals of Texture
//! Mapping*, 1989, 2.2.3) and in double precision: a general solver was up to half a pixel off.
//! Invariant: the square's corners are mapped to the quad's, in order from (0, 0) over (1, 0)
//! clockwise.

use super::{Point, Quad};

/// A projection of the unit square.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Projection {
    /// Coefficients of (u, v, 1) for each of x and y.
    numerators: [[f64; 3]; 2],
    /// Coefficients of u and v in the common denominator, whose constant term is 1.
    denominator: [f64; 2],
}

impl Projection {
    /// Returns the projection onto a convex quad. A quad without area has no projection: its places
    /// are NaN.
    #[must_use]
    pub fn from_quad(quad: &Quad) -> Projection {
        let x = quad.0.map(|corner| f64::from(corner.x));
        let y = quad.0.map(|corner| f64::from(corner.y));
        let bend = [x, y].map(|[a, b, c, d]| a - b + c - d);
        let right = [x, y].map(|[_, b, c, _]| b - c);
        let lower = [x, y].map(|[_, _, c, d]| d - c);
        let area = cross(right, lower);
        let g = cross(bend, lower) / area;
        let h = cross(right, bend) / area;
        let numerators = [x, y].map(|[a, b, _, d]| [b - a + g * b, d - a + h * d, a]);
        Projection { numerators, denominator: [g, h] }
    }

    /// Maps a place of the unit square.
    #[must_use]
    #[inline]
    pub fn point_at(&self, u: f64, v: f64) -> Point {
        let [g, h] = self.denominator;
        let nearness = 1.0 / (g * u + h * v + 1.0);
        let [x, y] = self.numerators.map(|[a, b, c]| (a * u + b * v + c) * nearness);
        Point::new(x as f32, y as f32)
    }

    /// Maps evenly spaced places along a line of the unit square, from its left edge on, and writes
    /// their x to `right` and their y to `down`, as many as fit.
    pub fn line(&self, v: f64, right: &mut [f32], down: &mut [f32]) {
        let step = 1.0 / right.len() as f64;
        let [g, h] = self.denominator;
        let [[ax, bx, cx], [ay, by, cy]] = self.numerators;
        let from_x = bx * v + cx;
        let from_y = by * v + cy;
        let from = h * v + 1.0;
        for (n, (x, y)) in (0_u32..).zip(right.iter_mut().zip(down)) {
            let u = f64::from(n) * step;
            let nearness = 1.0 / (g * u + from);
            *x = ((ax * u + from_x) * nearness) as f32;
            *y = ((ay * u + from_y) * nearness) as f32;
        }
    }

    /// Returns whether the projection exists.
    #[must_use]
    pub(crate) fn is_finite(&self) -> bool {
        self.denominator.iter().chain(self.numerators.as_flattened()).all(|part| part.is_finite())
    }
}

fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corners() -> Quad {
        Quad(
            [(10.0, 20.0), (90.0, 30.0), (70.0, 80.0), (20.0, 70.0)].map(|(x, y)| Point::new(x, y)),
        )
    }

    #[test]
    fn a_line_has_the_places_of_its_points() {
        let projection = Projection::from_quad(&corners());
        let (mut right, mut down) = ([0.0; 8], [0.0; 8]);
        projection.line(0.375, &mut right, &mut down);
        for (n, (&x, &y)) in right.iter().zip(&down).enumerate() {
            let expected = projection.point_at(n as f64 / 8.0, 0.375);
            assert!((Point::new(x, y) - expected).length() < 1e-4, "at {n}");
        }
    }

    #[test]
    fn a_quad_without_area_has_none() {
        assert!(Projection::from_quad(&corners()).is_finite());
        let line = Quad([10.0, 20.0, 30.0, 40.0].map(|x| Point::new(x, 30.0)));
        assert!(!Projection::from_quad(&line).is_finite());
    }

    #[test]
    fn corners_come_to_lie_on_corners() {
        let projection = Projection::from_quad(&corners());
        for (i, (u, v)) in [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].into_iter().enumerate()
        {
            assert!((projection.point_at(u, v) - corners().0[i]).length() < 1e-4, "corner {i}");
        }
    }

    #[test]
    fn the_middle_comes_to_lie_where_the_diagonals_cross() {
        let Quad([a, b, c, d]) = corners();
        let middle = Projection::from_quad(&corners()).point_at(0.5, 0.5);
        assert!((c - a).unit().cross(middle - a).abs() < 1e-4);
        assert!((d - b).unit().cross(middle - b).abs() < 1e-4);
    }

    #[test]
    fn a_quad_without_area_has_no_places() {
        let line = Quad([0.0, 1.0, 2.0, 3.0].map(|x| Point::new(x, 0.0)));
        assert!(Projection::from_quad(&line).point_at(0.3, 0.7).x.is_nan());
    }
}
