//! Looks at every tile but the backs of walls again, closely, and corrects its corners.
//!
//! Input: a [`Photo`], [`Detection`]s and a [`Model`]. Output: the detections with better quads:
//! the detector sees the whole table on cells of eight pixels, the refiner one tile with its
//! surroundings. Invariant: like those of detections, every quad is convex and clockwise, and no
//! two quads cover each other. A tile whose corrected quad is not convex and clockwise keeps its
//! old one.

use tilesight_stills::Photo;

use super::crop::{crops_of, planes};
use super::detect::{Detection, merge};
use crate::geometry::Quad;
use crate::geometry::projection::Projection;
use crate::networks::{Corners, Model, ModelError, on_grid};
use crate::params::RefineParams;

const PARAMS: RefineParams = RefineParams::DEFAULT;

/// Corrects the corners of all detections that may show a face, and of backs beside these, which
/// may be part of a meld or mark its end. Without a refiner they stay unchanged.
///
/// # Errors
/// [`ModelError::Failed`] if the network cannot run.
pub(crate) fn refine(
    photo: &Photo,
    mut tiles: Vec<Detection>,
    model: &dyn Model,
) -> Result<Vec<Detection>, ModelError> {
    let Some(spec) = &model.manifest().refiner else { return Ok(tiles) };
    let faces: Vec<Quad> =
        tiles.iter().filter(|tile| !tile.is_back()).map(|tile| tile.quad).collect();
    let mut looked_at: Vec<&mut Detection> =
        tiles.iter_mut().filter(|tile| !tile.is_back() || is_beside(tile, &faces)).collect();
    for batch in looked_at.chunks_mut(model.max_crops()) {
        let quads: Vec<Quad> = batch.iter().map(|tile| tile.quad.upright()).collect();
        let found =
            model.refine(&planes(&crops_of(photo, quads.iter(), &spec.crop), &spec.crop))?;
        for ((tile, quad), corners) in batch.iter_mut().zip(quads).zip(found) {
            tile.quad = correct_quad(quad, &corners);
        }
    }
    // Two detections of one tile may now cover each other.
    Ok(merge(tiles))
}

fn is_beside(back: &Detection, faces: &[Quad]) -> bool {
    faces.iter().any(|face| face.gap(&back.quad, PARAMS.beside) <= PARAMS.beside)
}

/// Returns the quad with the corners that were found, or the old quad if they are implausible.
fn correct_quad(quad: Quad, corners: &Corners) -> Quad {
    let frame = Projection::from_quad(&quad);
    let sides = corners.map(|side| f64::from(on_grid(side, PARAMS.side_steps)));
    let corrected = Quad([0, 1, 2, 3].map(|i| frame.point_at(sides[2 * i], sides[2 * i + 1])));
    let numbers = corrected.0.iter().all(|corner| corner.x.is_finite() && corner.y.is_finite());
    if numbers && corrected.is_convex() && corrected.overlap(&quad) >= PARAMS.min_overlap {
        corrected
    } else {
        quad
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Point;

    fn tile() -> Quad {
        Quad::rectangle(100.0, 50.0, 30.0, 40.0)
    }

    #[test]
    fn corners_are_places_in_the_quads_frame() {
        let corrected = correct_quad(tile(), &[0.125, 0.0, 1.0, 0.25, 1.125, 1.0, 0.0, 1.0]);
        let expected = [(103.75, 50.0), (130.0, 60.0), (133.75, 90.0), (100.0, 90.0)];
        for (found, (x, y)) in corrected.0.iter().zip(expected) {
            assert!((*found - Point::new(x, y)).length() < 1e-3, "{corrected:?}");
        }
    }

    #[test]
    fn rounding_differences_of_runtimes_leave_corners_unchanged() {
        let found = [0.031_249, 0.0, 1.013, 0.017, 1.0, 1.021, -0.009, 1.0];
        let same = found.map(|place| place + 2e-7);
        assert_eq!(correct_quad(tile(), &found), correct_quad(tile(), &same));
        let place = Point::new(100.0 + 30.0 * found[0], 50.0);
        assert!((correct_quad(tile(), &found).0[0] - place).length() < 30.0 / 4096.0);
    }

    #[test]
    fn corners_that_do_not_outline_a_tile_change_nothing() {
        let crossed = [1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 0.0, 1.0];
        let elsewhere = [0.7, 0.0, 1.7, 0.0, 1.7, 1.0, 0.7, 1.0];
        let nothing = [f32::NAN; 8];
        for corners in [crossed, elsewhere, nothing] {
            assert_eq!(correct_quad(tile(), &corners), tile(), "{corners:?}");
        }
    }
}
