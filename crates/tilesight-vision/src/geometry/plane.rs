//! Plane of the table, found from the tiles that lie on it, and a view of it from straight above.
//!
//! Input: [`Mark`]s, outlines of things that are equal rectangles in reality. Output: a [`Plane`]
//! that maps the picture such that they are equal rectangles again, or nearly. There are two steps,
//! both linear (after Liebowitz and Zisserman, *Metric rectification for perspective images of
//! planes*, 1998): areas and opposite sides show where the plane vanishes, then right angles and
//! the common proportion show how it is stretched. Invariant: without evidence, the picture is left
//! as it is; a mark's corners keep their sense of rotation.

use super::super::params::PlaneParams;
use super::least_squares::Fit;
use super::{Point, Quad, median};

/// Outline of one of many equal rectangles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    /// Corners in the picture.
    pub quad: Quad,
    /// Whether the mark's length runs along [`Quad::down`] (else along [`Quad::across`]), if it is
    /// known.
    pub is_upright: Option<bool>,
}

/// A view of the plane from straight above, in units that keep the middle of the marks at their
/// size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Plane {
    middle: Point,
    /// Recession of the plane: the share by which sizes change for each pixel to the right and
    /// down.
    recession: Point,
    /// Stretch, a matrix `[a, b, c]` for `x' = a x + b y, y' = c y`.
    stretch: [f32; 3],
    /// Minimum size relative to the middle that is used for mapping.
    horizon: f32,
}

impl Plane {
    /// Plane of a picture from straight above: the mapping changes nothing.
    pub(crate) const STRAIGHT: Plane = Plane {
        middle: Point::new(0.0, 0.0),
        recession: Point::new(0.0, 0.0),
        stretch: [1.0, 0.0, 1.0],
        horizon: PlaneParams::DEFAULT.horizon,
    };

    /// Finds the plane of most marks.
    #[must_use]
    pub(crate) fn fit(marks: &[Mark], params: &PlaneParams) -> Plane {
        let Some(unit) = median(marks.iter().map(|mark| mark.quad.scale())) else {
            return Plane::STRAIGHT;
        };
        let x = median(marks.iter().map(|mark| mark.quad.centre().x)).unwrap_or(0.0);
        let y = median(marks.iter().map(|mark| mark.quad.centre().y)).unwrap_or(0.0);
        let middle = Point::new(x, y);
        let level = Plane { middle, horizon: params.horizon, ..Plane::STRAIGHT };
        let plane = Plane { recession: recession(marks, middle, unit, params), ..level };
        let stretch = stretch(marks, &plane, params);
        Plane { stretch, ..plane }
    }

    /// Maps a point of the picture to the view from straight above.
    #[must_use]
    pub(crate) fn flat(&self, point: Point) -> Point {
        let from = point - self.middle;
        let size = (1.0 + self.recession.dot(from)).max(self.horizon);
        let from = from * (1.0 / size);
        let [a, b, c] = self.stretch;
        self.middle + Point::new(a * from.x + b * from.y, c * from.y)
    }
}

/// Returns the change of size over the picture that areas and opposite sides agree on.
fn recession(marks: &[Mark], middle: Point, unit: f32, params: &PlaneParams) -> Point {
    // For marks of size one around the middle: size = level + slope . place.
    let sizes: Vec<(Point, f32)> = marks
        .iter()
        .map(|mark| {
            (
                (mark.quad.centre() - middle) * (1.0 / unit),
                (mark.quad.scale() / unit).powf(2.0 / 3.0),
            )
        })
        .collect();
    let mut slopes = [1.0, 0.0, 0.0];
    for _ in 0..params.rounds {
        let mut fit = Fit::<3>::default();
        fit.add([0.0, 1.0, 0.0], 0.0, params.usual_recession);
        fit.add([0.0, 0.0, 1.0], 0.0, params.usual_recession);
        for (mark, &(place, size)) in marks.iter().zip(&sizes) {
            let row = [1.0, place.x, place.y];
            let off = row.iter().zip(slopes).map(|(a, b)| a * b).sum::<f32>() - size;
            // Tukey's biweight: a mark that is off by a sixth lies elsewhere, or is not a tile.
            let trust = (1.0 - (off / (params.outlier * params.size_noise)).powi(2)).max(0.0);
            if trust <= 0.0 {
                continue;
            }
            fit.add(row, size, params.size_noise / trust);
            for (way, change) in changes(&mark.quad) {
                let way = way * (1.0 / unit);
                fit.add([0.0, way.x, way.y], change * size, params.sides_noise / trust);
            }
        }
        slopes = fit.solve().unwrap_or(slopes);
    }
    let [level, x, y] = slopes;
    Point::new(x, y) * (1.0 / (level.max(0.1) * unit))
}

/// Returns for both pairs of opposite sides the vector from one to the other, and the share by
/// which the latter is longer.
fn changes(quad: &Quad) -> [(Point, f32); 2] {
    let [a, b, c, d] = quad.0;
    let downwards = growth((b - a).length(), (d - c).length());
    let rightwards = growth((a - d).length(), (c - b).length());
    [(quad.down(), downwards), (quad.across(), rightwards)]
}

/// Returns the share by which the second length exceeds the first.
fn growth(first: f32, second: f32) -> f32 {
    2.0 * (second - first) / (first + second).max(1e-3)
}

/// Returns the stretch that makes the marks rectangles of the common proportion.
fn stretch(marks: &[Mark], plane: &Plane, params: &PlaneParams) -> [f32; 3] {
    let sides: Vec<Sides> = marks.iter().filter_map(|mark| Sides::new(mark, plane)).collect();
    // Metric [[1 + u, v], [v, 1 - u]] in which sides are at right angles and in proportion.
    let mut metric = [0.0, 0.0];
    for _ in 0..params.rounds {
        let mut fit = Fit::<2>::default();
        fit.add([1.0, 0.0], 0.0, params.usual_stretch);
        fit.add([0.0, 1.0], 0.0, params.usual_stretch);
        for sides in &sides {
            let rows = sides.conditions(params.proportion);
            let [angle_off, length_off] =
                rows.map(|row| (row[0] * metric[0] + row[1] * metric[1] + row[2]).abs());
            let limit = params.tolerance * params.angle_noise;
            let trust = 1.0 / (1.0 + (angle_off + length_off) / limit);
            for row in rows {
                fit.add([row[0], row[1]], -row[2], params.angle_noise / trust);
            }
        }
        metric = fit.solve().unwrap_or(metric);
        // The metric is positive definite only within the unit circle.
        let off = metric[0].hypot(metric[1]);
        if off > params.max_stretch {
            metric = metric.map(|part| part * params.max_stretch / off);
        }
    }
    root(metric)
}

/// Sides of a mark in the plane, scaled to an area of one.
struct Sides {
    across: Point,
    down: Point,
}

impl Sides {
    /// Returns the sides of a mark; `None` if it is not known which sides are longer.
    fn new(mark: &Mark, plane: &Plane) -> Option<Sides> {
        let flat = mark.quad.map(|corner| plane.flat(corner));
        let (across, down) = if mark.is_upright? {
            (flat.across(), flat.down())
        } else {
            (flat.down(), flat.across())
        };
        let unit = (across.length() * down.length()).sqrt();
        let scale = 1.0 / unit;
        (unit > 0.0).then(|| Sides { across: across * scale, down: down * scale })
    }

    /// Returns the terms that the metric must make zero: the scalar product of the sides, and their
    /// deviation from the proportion.
    fn conditions(&self, proportion: f32) -> [[f32; 3]; 2] {
        let long = product(self.down, self.down);
        let wide = product(self.across, self.across);
        let share = proportion * proportion;
        let length = std::array::from_fn(|i| (long[i] - share * wide[i]) / (2.0 * share));
        [product(self.across, self.down), length]
    }
}

/// Returns the terms of the metric in the scalar product of two sides.
fn product(a: Point, b: Point) -> [f32; 3] {
    [a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x, a.dot(b)]
}

/// Returns the Cholesky root of a metric, scaled to keep areas.
fn root(metric: [f32; 2]) -> [f32; 3] {
    let [u, v] = metric;
    let a = (1.0 + u).sqrt();
    let b = v / a;
    let c = (1.0 - u - b * b).max(1e-3).sqrt();
    let keep = 1.0 / (a * c).sqrt();
    [a * keep, b * keep, c * keep]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns tiles of 30 x 40 in two rows, one of them turned, as a camera sees them from `rise`
    /// degrees.
    fn seen(rise: f32) -> Vec<Mark> {
        let (up, flat) = rise.to_radians().sin_cos();
        let camera = |p: Point| {
            let (x, y) = (p.x - 200.0, p.y - 50.0);
            let scale = 600.0 / (600.0 - y * flat);
            Point::new(1000.0 + x * scale, 700.0 + y * up * scale)
        };
        let tile = |n: usize| {
            let (x, y) = ((n % 10) as f32 * 31.0, (n / 10) as f32 * 60.0);
            let quad = if n == 13 {
                Quad::rectangle(x, y, 40.2, 30.0)
            } else {
                Quad::rectangle(x, y, 30.0, 40.2)
            };
            Mark { quad: quad.map(camera), is_upright: Some(n != 13) }
        };
        (0..14).map(tile).collect()
    }

    #[test]
    fn tiles_are_equal_rectangles_again() {
        for rise in [90.0, 65.0, 45.0] {
            let marks = seen(rise);
            let plane = Plane::fit(&marks, &PlaneParams::DEFAULT);
            let flat: Vec<Quad> =
                marks.iter().map(|mark| mark.quad.map(|p| plane.flat(p))).collect();
            let unit = median(flat.iter().map(Quad::scale)).expect("tiles");
            for (mark, quad) in marks.iter().zip(&flat) {
                assert!(
                    (quad.scale() / unit - 1.0).abs() < 0.05,
                    "{rise}: {} {unit}",
                    quad.scale()
                );
                let (across, down) = (quad.across(), quad.down());
                let (wide, long) =
                    if mark.is_upright == Some(true) { (across, down) } else { (down, across) };
                let proportion = long.length() / wide.length();
                assert!(
                    (proportion / PlaneParams::DEFAULT.proportion - 1.0).abs() < 0.06,
                    "{rise}: {proportion}"
                );
                assert!(across.unit().dot(down.unit()).abs() < 0.08, "{rise}");
                assert!(quad.area() > 0.0);
            }
        }
    }

    #[test]
    fn without_marks_nothing_changes() {
        let point = Point::new(12.0, 34.0);
        assert_eq!(Plane::fit(&[], &PlaneParams::DEFAULT).flat(point), point);
    }
}
