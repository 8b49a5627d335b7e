//! Extraction of tiles from the detector's maps.
//!
//! Input: the maps of one view. Output: the cells whose heat is a local maximum, the tile that each
//! cell predicts, in the view's pixels, and whether it can be a tile of the photo. Invariant: every
//! quad is convex and its corners are finite.

use tilesight_stills::Photo;

use super::{Detection, PARAMS};
use crate::geometry::{Point, Quad};
use crate::networks::{DetectorMaps, Planes, on_grid};

/// Returns the cells that are at least as hot as the threshold and as their eight neighbours.
pub(super) fn peaks(heat: &Planes, threshold: f32) -> Vec<(usize, usize)> {
    let mut peaks = Vec::new();
    for y in 0..heat.height {
        for x in 0..heat.width {
            let here = heat.value(0, 0, y, x);
            if here >= threshold && is_peak(heat, x, y, here) {
                peaks.push((x, y));
            }
        }
    }
    peaks
}

/// Returns whether no neighbour is hotter; of equal neighbours the first in reading order wins.
fn is_peak(heat: &Planes, x: usize, y: usize, here: f32) -> bool {
    let rows = y.saturating_sub(1)..(y + 2).min(heat.height);
    rows.flat_map(|row| (x.saturating_sub(1)..(x + 2).min(heat.width)).map(move |col| (row, col)))
        .all(|(row, col)| {
            let there = heat.value(0, 0, row, col);
            if (row, col) < (y, x) { there < here } else { there <= here }
        })
}

/// Returns the tile that a cell predicts, in the view's pixels.
pub(super) fn tile_at(maps: &DetectorMaps, x: usize, y: usize, stride: u32) -> Option<Detection> {
    let stride = stride as f32;
    let centre = Point::new((x as f32 + 0.5) * stride, (y as f32 + 0.5) * stride);
    // An ordering of corners is discontinuous where its first corner changes; the axis selects the
    // valid one.
    let first = if maps.axis.value(0, 0, y, x) >= 0.0 { 0 } else { 8 };
    let offsets: [f32; 8] = std::array::from_fn(|plane| {
        on_grid(maps.quad.value(0, first + plane, y, x), PARAMS.cell_steps) * stride
    });
    let quad = Quad([0, 1, 2, 3].map(|i| centre + Point::new(offsets[2 * i], offsets[2 * i + 1])));
    let numbers = quad.0.iter().all(|corner| corner.x.is_finite() && corner.y.is_finite());
    (numbers && quad.is_convex()).then(|| Detection {
        quad,
        score: maps.heat.value(0, 0, y, x).min(1.0),
        face_up: maps.face.value(0, 0, y, x).clamp(0.0, 1.0),
    })
}

/// Returns whether a quad can be a tile: its sides are in proportion and most of it is inside the
/// photo.
pub(super) fn is_plausible(tile: &Detection, photo: &Photo) -> bool {
    let across = tile.quad.across().length();
    let down = tile.quad.down().length();
    let short = across.min(down);
    let long = across.max(down);
    let (width, height) = photo.size();
    short >= PARAMS.min_width
        && long <= PARAMS.max_ratio * short
        && long <= PARAMS.max_length * width.max(height) as f32
        && share_inside(&tile.quad, photo.size()) > PARAMS.min_inside
}

/// Returns the share of a quad that lies inside a picture of the given size, 0 to 1.
#[must_use]
pub fn share_inside(quad: &Quad, (width, height): (u32, u32)) -> f32 {
    let frame = Quad::rectangle(0.0, 0.0, width as f32, height as f32);
    quad.intersection(&frame) / quad.area().max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_lie_on_a_grid() {
        let corners = [-1.301, -2.0, 1.5, -2.003, 1.5, 2.0, -1.5, 2.0];
        let quad_of = |nudge: f32| {
            let mut maps = DetectorMaps {
                heat: Planes::filled(1, 1, 1, 1, 0.9),
                quad: Planes::filled(1, 16, 1, 1, 0.0),
                axis: Planes::filled(1, 1, 1, 1, 1.0),
                face: Planes::filled(1, 1, 1, 1, 1.0),
            };
            for (plane, offset) in corners.into_iter().enumerate() {
                *maps.quad.at_mut(0, plane, 0, 0) = offset + nudge;
            }
            tile_at(&maps, 0, 0, 8).expect("it is convex").quad
        };
        assert_eq!(quad_of(0.0), quad_of(4e-6));
        assert_eq!(quad_of(0.0).0[1], Point::new(4.0 + 12.0, 4.0 - 8.0 * 1026.0 / 512.0));
    }

    #[test]
    fn of_equal_neighbours_one_is_a_peak() {
        let mut heat = Planes::filled(1, 1, 4, 4, 0.0);
        for (y, x) in [(1, 1), (1, 2), (2, 1), (2, 2)] {
            *heat.at_mut(0, 0, y, x) = 0.7;
        }
        assert_eq!(peaks(&heat, 0.2), [(1, 1)]);
        assert_eq!(peaks(&heat, 0.8), []);
    }
}
