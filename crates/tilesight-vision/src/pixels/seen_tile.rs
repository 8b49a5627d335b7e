//! A tile that the classifier has looked at.
//!
//! Input: probabilities of the classifier for one tile. Output: the tile as it is printed, and the
//! direction in which its face lies. Invariant: only fives are red.

use serde::Serialize;
use tilesight_core::tile::{PrintedTile, Tile};

use super::faces::Faces;
use super::look::sigmoid;
use crate::geometry::{Point, Quad};
use crate::params::ClassifyParams;

const PARAMS: ClassifyParams = ClassifyParams::DEFAULT;

/// A tile with the probabilities of its face.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeenTile {
    /// The outline, its longer sides from top to bottom.
    pub quad: Quad,
    /// The detector's score.
    pub score: f32,
    /// Share of the tile's outline that is inside the photo.
    pub inside: f32,
    /// Probabilities of the faces.
    pub faces: Faces,
    /// Probabilities that the face is turned clockwise by 0, 90, 180 and 270 degrees against the
    /// quad's own top.
    pub turns: [f32; 4],
    /// Network's probability that the tile is a red five, before
    /// [`SeenTile::red_probability`] weighs it.
    pub red: f32,
    /// Likeness to the typical face of the tile's name, if one is known: a cosine.
    pub likeness: Option<f32>,
}

/// Probability above which a five counts as a red one: more likely than not.
const RED: f32 = 0.5;

impl SeenTile {
    /// Returns a tile that this one is named as, with its print. Only fives have a red variant, so
    /// the network's output for other faces is ignored.
    #[must_use]
    pub fn printed(&self, tile: Tile) -> PrintedTile {
        PrintedTile { tile, red: self.red_probability(tile) > RED }
    }

    /// Returns the probability that the tile is red if it is the given one; zero for all but fives.
    #[must_use]
    pub fn red_probability(&self, tile: Tile) -> f32 {
        if tile.number() != Some(5) {
            return 0.0;
        }
        let logit = (self.red / (1.0 - self.red)).ln();
        sigmoid(PARAMS.red_slope * (logit - PARAMS.red_middle))
    }

    /// Lowers the probability that the tile is a red five to a limit.
    pub(super) fn limit_red(&mut self, limit: f32) {
        let logit = (limit / (1.0 - limit)).ln() / PARAMS.red_slope + PARAMS.red_middle;
        self.red = self.red.min(sigmoid(logit));
    }

    /// Returns the outline with its first side along the print's top or bottom, as the face most
    /// probably lies.
    #[must_use]
    pub(super) fn printed_quad(&self) -> Quad {
        let is_upright = self.turns[0] + self.turns[2] >= 0.5;
        if is_upright { self.quad } else { self.quad.rotated(1) }
    }

    /// Returns the direction of the face's top, as a unit vector, if the face is turned by `turn`
    /// quarters against the quad.
    #[must_use]
    pub fn up(&self, turn: usize) -> Point {
        match turn % 4 {
            0 => self.quad.down().unit() * -1.0,
            1 => self.quad.across().unit(),
            2 => self.quad.down().unit(),
            _ => self.quad.across().unit() * -1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use tilesight_core::tile::Face;

    use super::*;

    fn seen(face: Face, red: f32) -> SeenTile {
        SeenTile {
            quad: Quad::rectangle(0.0, 0.0, 30.0, 40.0),
            score: 1.0,
            inside: 1.0,
            faces: Faces::certain(face),
            turns: [1.0, 0.0, 0.0, 0.0],
            red,
            likeness: None,
        }
    }

    #[test]
    fn only_fives_are_red_from_the_limit_on() {
        for tile in Tile::ALL {
            for (above, is_red) in [(-0.1, false), (0.1, true), (f32::INFINITY, true)] {
                let tile_seen = seen(Face::Tile(tile), sigmoid(PARAMS.red_middle + above));
                let expected = is_red && tile.number() == Some(5);
                assert_eq!(tile_seen.printed(tile).red, expected, "{tile}, {above}");
            }
            assert!(seen(Face::Tile(tile), 0.0).red_probability(tile).abs() < f32::EPSILON);
        }
    }

    #[test]
    fn up_turns_with_the_face() {
        let tile = seen(Face::Back, 0.0);
        let ups = [0, 1, 2, 3].map(|turn| tile.up(turn));
        let expected = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)];
        assert_eq!(ups, expected.map(|(x, y)| Point::new(x, y)));
    }
}
