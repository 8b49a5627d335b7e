//! Part of the photo that a line encloses.
//!
//! Input: corners in pixels, in either direction. Output: whether a point lies inside. Invariant:
//! an area that a hand-drawn line encloses twice lies inside as well (the non-zero winding rule).

use super::Point;

/// A closed line: the last corner is joined to the first.
#[derive(Debug, Clone, PartialEq)]
pub struct Polygon(pub Vec<Point>);

impl Polygon {
    /// Returns whether a point lies inside: the line winds around it (Sunday 2001, "winding
    /// number").
    #[must_use]
    pub fn contains(&self, point: Point) -> bool {
        let next = self.0.iter().cycle().skip(1);
        let turns: i32 = self.0.iter().zip(next).map(|(&a, &b)| crossing(a, b, point)).sum();
        turns != 0
    }

    /// Returns the polygon with `f` applied to every corner.
    #[must_use]
    pub fn map(&self, f: impl Fn(Point) -> Point) -> Polygon {
        Polygon(self.0.iter().copied().map(f).collect())
    }
}

/// Returns in which direction a side passes to the right of a point: 1 downwards, -1 upwards, 0 if
/// it does not.
fn crossing(a: Point, b: Point, point: Point) -> i32 {
    let side = (b - a).cross(point - a);
    match (a.y <= point.y, b.y <= point.y) {
        (true, false) if side > 0.0 => 1,
        (false, true) if side < 0.0 => -1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polygon(corners: &[(f32, f32)]) -> Polygon {
        Polygon(corners.iter().map(|&(x, y)| Point::new(x, y)).collect())
    }

    #[test]
    fn a_point_is_inside_in_either_direction() {
        // A room with a corner cut out of it.
        let mut corners =
            [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (5.0, 10.0), (5.0, 5.0), (0.0, 5.0)];
        for _ in 0..2 {
            let room = polygon(&corners);
            for (x, y, expected) in [
                (2.0, 2.0, true),
                (7.0, 8.0, true),
                (2.0, 7.0, false),
                (-1.0, 2.0, false),
                (11.0, 2.0, false),
                (2.0, -1.0, false),
            ] {
                assert_eq!(room.contains(Point::new(x, y)), expected, "{x},{y} in {room:?}");
            }
            corners.reverse();
        }
    }

    #[test]
    fn points_encircled_twice_are_inside() {
        let square = [(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0)];
        let twice: Vec<_> = square.iter().chain(&square).copied().collect();
        assert!(polygon(&twice).contains(Point::new(5.0, 5.0)));
        // A figure of eight: both halves, in opposite directions.
        let eight = polygon(&[(0.0, 0.0), (10.0, 10.0), (10.0, 0.0), (0.0, 10.0)]);
        assert!(eight.contains(Point::new(1.0, 5.0)) && eight.contains(Point::new(9.0, 5.0)));
        assert!(!eight.contains(Point::new(5.0, 1.0)));
    }

    #[test]
    fn a_line_has_nothing_inside() {
        assert!(!polygon(&[(0.0, 0.0), (10.0, 10.0)]).contains(Point::new(5.0, 4.0)));
        assert!(!polygon(&[]).contains(Point::new(0.0, 0.0)));
    }
}
