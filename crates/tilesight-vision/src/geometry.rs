//! Plane geometry of quadrilaterals: the part of the pipeline that is independent of mahjong.
//!
//! Input and output are points and quads in pixels of the upright photo, x to the right and y down,
//! corners clockwise on screen. [`rows`] fits rows through quads. Invariant: nothing here depends
//! on tiles, hands or models, and turning the input turns the output by the same angle.

pub(crate) mod homography;
mod least_squares;
pub(crate) mod plane;
pub mod polygon;
pub mod projection;
pub(crate) mod rows;

use std::ops::{Add, Mul, Sub};

use serde::Serialize;

/// A point or a vector in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
#[serde(into = "[f32; 2]")]
pub struct Point {
    /// Distance to the right.
    pub x: f32,
    /// Distance downwards.
    pub y: f32,
}

impl Point {
    /// Creates a point at the given coordinates.
    #[must_use]
    pub const fn new(x: f32, y: f32) -> Point {
        Point { x, y }
    }

    /// Returns the scalar product.
    #[must_use]
    pub fn dot(self, other: Point) -> f32 {
        self.x * other.x + self.y * other.y
    }

    /// Returns the z component of the vector product: positive when `other` lies clockwise of
    /// `self`.
    #[must_use]
    pub fn cross(self, other: Point) -> f32 {
        self.x * other.y - self.y * other.x
    }

    /// Returns the length of the vector.
    #[must_use]
    pub fn length(self) -> f32 {
        self.x.hypot(self.y)
    }

    /// Returns the vector of length one in the same direction; the zero vector stays zero.
    #[must_use]
    pub fn unit(self) -> Point {
        let length = self.length();
        if length > 0.0 { self * (1.0 / length) } else { self }
    }

    /// Returns the vector turned clockwise on screen by a quarter.
    #[must_use]
    pub(crate) fn quarter_turn(self) -> Point {
        Point::new(-self.y, self.x)
    }
}

impl Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Point::new(self.x + other.x, self.y + other.y)
    }
}

impl Sub for Point {
    type Output = Point;
    fn sub(self, other: Point) -> Point {
        Point::new(self.x - other.x, self.y - other.y)
    }
}

impl Mul<f32> for Point {
    type Output = Point;
    fn mul(self, factor: f32) -> Point {
        Point::new(self.x * factor, self.y * factor)
    }
}

impl From<Point> for [f32; 2] {
    fn from(point: Point) -> [f32; 2] {
        [point.x, point.y]
    }
}

/// Four corners, clockwise on screen.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Quad(pub [Point; 4]);

impl Quad {
    /// Creates the axis-aligned rectangle with this top left corner and size.
    #[must_use]
    pub fn rectangle(x: f32, y: f32, width: f32, height: f32) -> Quad {
        Quad([
            Point::new(x, y),
            Point::new(x + width, y),
            Point::new(x + width, y + height),
            Point::new(x, y + height),
        ])
    }

    /// Returns the mean of the corners.
    #[must_use]
    pub fn centre(&self) -> Point {
        self.0.iter().fold(Point::default(), |sum, &corner| sum + corner) * 0.25
    }

    /// Returns the signed area: positive when the corners run clockwise on screen.
    #[must_use]
    pub fn area(&self) -> f32 {
        polygon_area(&self.0)
    }

    /// Returns the scale of the quad: the side length of a square of the same area.
    #[must_use]
    pub fn scale(&self) -> f32 {
        self.area().abs().sqrt()
    }

    /// Returns the shorter of the mean sides: the width of a tile.
    #[must_use]
    pub fn short_side(&self) -> f32 {
        self.across().length().min(self.down().length())
    }

    /// Returns whether the outline turns clockwise at every corner, by more than rounding errors.
    #[must_use]
    pub(crate) fn is_convex(&self) -> bool {
        (0..4).all(|i| {
            let before = self.0[(i + 1) % 4] - self.0[i];
            let after = self.0[(i + 2) % 4] - self.0[(i + 1) % 4];
            before.cross(after) > 1e-3 * before.length() * after.length()
        })
    }

    /// Returns the mean vector along the first side (corner 0 to 1 and 3 to 2).
    #[must_use]
    pub fn across(&self) -> Point {
        (self.0[1] - self.0[0] + self.0[2] - self.0[3]) * 0.5
    }

    /// Returns the mean vector along the second side (corner 1 to 2 and 0 to 3).
    #[must_use]
    pub fn down(&self) -> Point {
        (self.0[2] - self.0[1] + self.0[3] - self.0[0]) * 0.5
    }

    /// Returns this outline with corner `by` as corner 0.
    #[must_use]
    pub fn rotated(&self, by: usize) -> Quad {
        Quad(std::array::from_fn(|i| self.0[(i + by) % 4]))
    }

    /// Returns this outline with its longer pair of sides running from the top to the bottom, that
    /// is, with [`Quad::down`] at least as long as [`Quad::across`].
    #[must_use]
    pub fn upright(&self) -> Quad {
        if self.across().length() > self.down().length() { self.rotated(1) } else { *self }
    }

    /// Returns the quad scaled about its centre.
    #[must_use]
    pub fn grown(&self, factor: f32) -> Quad {
        let centre = self.centre();
        self.map(|corner| centre + (corner - centre) * factor)
    }

    /// Returns the quad in a picture that is `factor` times larger.
    #[must_use]
    pub fn scaled(&self, factor: f32) -> Quad {
        self.map(|corner| corner * factor)
    }

    /// Applies `f` to every corner.
    #[must_use]
    pub fn map(&self, f: impl Fn(Point) -> Point) -> Quad {
        Quad(self.0.map(f))
    }

    /// Returns the area that two convex quads share.
    #[must_use]
    pub fn intersection(&self, other: &Quad) -> f32 {
        // Most quads of a table are far apart.
        let is_beside = self.is_apart(other, Point::new(1.0, 0.0));
        if is_beside || self.is_apart(other, Point::new(0.0, 1.0)) {
            return 0.0;
        }
        polygon_area(&clip(&self.0, &other.0))
    }

    /// Returns whether a line across `axis` separates two quads.
    fn is_apart(&self, other: &Quad, axis: Point) -> bool {
        let (low, high) = self.span(axis);
        let (other_low, other_high) = other.span(axis);
        high <= other_low || other_high <= low
    }

    /// Returns the shared area as a share of the smaller quad: 1 when one lies within the other.
    #[must_use]
    pub fn overlap(&self, other: &Quad) -> f32 {
        let smaller = self.area().min(other.area());
        if smaller > 0.0 { self.intersection(other) / smaller } else { 0.0 }
    }

    /// Returns the shortest distance between two quads; 0 when they touch or overlap.
    #[must_use]
    pub fn distance(&self, other: &Quad) -> f32 {
        if self.intersection(other) > 0.0 {
            return 0.0;
        }
        self.corners_to_sides(other).min(other.corners_to_sides(self))
    }

    /// Returns the shortest distance from a corner to a side of the other quad.
    fn corners_to_sides(&self, other: &Quad) -> f32 {
        let Quad(corners) = other;
        self.0
            .iter()
            .flat_map(|&p| (0..4).map(move |i| to_segment(p, corners[i], corners[(i + 1) % 4])))
            .fold(f32::INFINITY, f32::min)
    }

    /// Returns the distance of each corner from the corner of the same number of another quad.
    pub(crate) fn corner_distances(&self, other: &Quad) -> [f32; 4] {
        std::array::from_fn(|i| (self.0[i] - other.0[i]).length())
    }

    /// Returns the shortest distance between two quads in widths of the narrower one. Up to `exact`
    /// widths the value is exact; beyond, it is a lower bound that follows from the centres alone.
    #[must_use]
    pub fn gap(&self, other: &Quad, exact: f32) -> f32 {
        let unit = self.short_side().min(other.short_side()).max(1.0);
        let rough = (other.centre() - self.centre()).length() - self.scale() - other.scale();
        if rough <= exact * unit { self.distance(other) / unit } else { rough / unit }
    }

    /// Returns the least and greatest coordinate of the corners along a direction of unit length.
    #[must_use]
    pub fn span(&self, direction: Point) -> (f32, f32) {
        self.0
            .iter()
            .map(|c| c.dot(direction))
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)))
    }
}

/// Returns the distance of a point to the segment from `a` to `b`.
fn to_segment(p: Point, a: Point, b: Point) -> f32 {
    let along = b - a;
    let length = along.dot(along);
    let at = if length > 0.0 { ((p - a).dot(along) / length).clamp(0.0, 1.0) } else { 0.0 };
    (p - (a + along * at)).length()
}

/// Returns the signed area of a polygon (shoelace formula); positive when clockwise on screen.
fn polygon_area(corners: &[Point]) -> f32 {
    let next = corners.iter().cycle().skip(1);
    corners.iter().zip(next).map(|(a, b)| a.cross(*b)).sum::<f32>() * 0.5
}

/// Returns the part of a convex polygon inside a convex clockwise one (Sutherland and Hodgman,
/// 1974).
fn clip(subject: &[Point], window: &[Point]) -> Vec<Point> {
    let mut inside: Vec<Point> = subject.to_vec();
    for (i, &a) in window.iter().enumerate() {
        let edge = window[(i + 1) % window.len()] - a;
        let polygon = std::mem::take(&mut inside);
        for (j, &p) in polygon.iter().enumerate() {
            let q = polygon[(j + 1) % polygon.len()];
            let depth = edge.cross(p - a);
            let next_depth = edge.cross(q - a);
            if depth >= 0.0 {
                inside.push(p);
            }
            if (depth >= 0.0) != (next_depth >= 0.0) {
                inside.push(p + (q - p) * (depth / (depth - next_depth)));
            }
        }
    }
    inside
}

/// Returns the angle between the edges of two quads, in radians: 0 to π/4.
///
/// A tile lies upright or across the others, so either pair of sides may correspond to either. Both
/// pairs count, because in perspective the sides of one tile are not at right angles.
#[must_use]
pub(crate) fn edge_angle_between(a: &Quad, b: &Quad) -> f32 {
    let alike = line_angle(a.across(), b.across()) + line_angle(a.down(), b.down());
    let crossed = line_angle(a.across(), b.down()) + line_angle(a.down(), b.across());
    alike.min(crossed) / 2.0
}

/// Returns the angle between two lines, at most π/2.
fn line_angle(u: Point, v: Point) -> f32 {
    u.cross(v).abs().atan2(u.dot(v).abs())
}

/// Returns the middle value of a list, or `None` if the list is empty.
#[must_use]
pub fn median(values: impl IntoIterator<Item = f32>) -> Option<f32> {
    let mut values: Vec<f32> = values.into_iter().collect();
    values.sort_by(f32::total_cmp);
    values.get(values.len() / 2).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn area_is_positive_clockwise_on_screen() {
        let quad = Quad::rectangle(10.0, 20.0, 3.0, 4.0);
        assert_eq!(quad.area(), 12.0);
        assert!(quad.is_convex());
        let mut backwards = quad.0;
        backwards.reverse();
        assert_eq!(Quad(backwards).area(), -12.0);
        assert!(!Quad(backwards).is_convex());
    }

    #[test]
    fn overlap_is_a_share_of_the_smaller() {
        let big = Quad::rectangle(0.0, 0.0, 10.0, 10.0);
        let inside = Quad::rectangle(2.0, 2.0, 2.0, 2.0);
        let half = Quad::rectangle(9.0, 0.0, 2.0, 2.0);
        let apart = Quad::rectangle(20.0, 0.0, 2.0, 2.0);
        assert!((big.overlap(&inside) - 1.0).abs() < 1e-5);
        assert!((big.overlap(&half) - 0.5).abs() < 1e-5);
        assert_eq!(big.overlap(&apart), 0.0);
        assert!((big.distance(&apart) - 10.0).abs() < 1e-5);
        assert_eq!(big.distance(&half), 0.0);
    }

    #[test]
    fn upright_puts_the_long_side_down() {
        let lying = Quad::rectangle(0.0, 0.0, 40.0, 30.0);
        let upright = lying.upright();
        assert!(upright.down().length() > upright.across().length());
        assert_eq!(upright.0[0], lying.0[1]);
        assert_eq!(upright.area(), lying.area());
    }

    #[test]
    fn edge_angles_have_four_way_symmetry() {
        let tile = Quad::rectangle(0.0, 0.0, 30.0, 40.0);
        for (degrees, expected) in
            [(0.0, 0.0), (90.0, 0.0), (180.0, 0.0), (44.0, 44.0), (100.0, 10.0)]
        {
            let (sin, cos) = f32::to_radians(degrees).sin_cos();
            let turned = tile.map(|p| Point::new(p.x * cos - p.y * sin, p.x * sin + p.y * cos));
            assert!((edge_angle_between(&tile, &turned).to_degrees() - expected).abs() < 1e-3);
        }
    }

    #[test]
    fn slanted_tiles_across_each_other_are_aligned() {
        // Two tiles at the far end of a row in perspective, the second one lying sideways.
        let shear = |p: Point| Point::new(p.x + 0.4 * p.y, p.y);
        let upright = Quad::rectangle(0.0, 0.0, 30.0, 40.0).map(shear);
        let sideways = Quad::rectangle(31.0, 10.0, 40.0, 30.0).map(shear);
        assert!(edge_angle_between(&upright, &sideways) < 1e-3);
    }
}
