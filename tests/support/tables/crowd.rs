//! Pictures full of quads, in which no hand need be: grids of drawn faces, rows, clutter.
//!
//! Input: a way to place them, the faces that they show, and their number. Output: what the
//! networks would see. Invariant: a crowd depends only on these and on its seed.

use fastrand::Rng;
use tilesight_core::tile::{Bonus, Dragon, Face, Tile};
use tilesight_vision::geometry::{Point, Quad};
use tilesight_vision::{Faces, SeenTile};

use super::LENGTH;

/// Width of a tile in pixels.
const WIDTH: f32 = 30.0;

/// Places of a crowd's tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Places {
    /// Rows and columns that touch.
    Grid,
    /// Rows and columns with gaps.
    Apart,
    /// A single row.
    Row,
    /// Rows of fourteen.
    Hands,
    /// Groups of two, three or four with gaps.
    Groups(usize),
    /// Every third tile lies across.
    Turned,
    /// Tiles lie across their neighbours and touch none.
    Crossed,
    /// Anywhere, at any angle.
    Clutter,
}

impl Places {
    pub(crate) const ALL: [Places; 10] = [
        Places::Grid,
        Places::Apart,
        Places::Row,
        Places::Hands,
        Places::Groups(2),
        Places::Groups(3),
        Places::Groups(4),
        Places::Turned,
        Places::Crossed,
        Places::Clutter,
    ];

    /// Returns the top left corner of a tile in widths, whether it lies across, and its angle in
    /// degrees.
    fn place(self, i: usize, count: usize, rng: &mut Rng) -> (f32, f32, bool, f32) {
        let columns = (count as f32).sqrt().ceil() as usize;
        let (column, row) = ((i % columns) as f32, (i / columns) as f32);
        let side = count as f32 / 6.0;
        match self {
            Places::Grid => (1.04 * column, 1.4 * row, false, 0.0),
            Places::Apart => (1.8 * column, 2.3 * row, false, 0.0),
            Places::Row => (1.04 * i as f32, 0.0, false, 0.0),
            Places::Hands => (1.04 * (i % 14) as f32, 2.7 * (i / 14) as f32, false, 0.0),
            Places::Groups(length) => {
                let gaps = (i % columns / length) as f32;
                (1.04 * column + gaps, 2.7 * row, false, 0.0)
            }
            Places::Turned => (1.4 * column, 1.4 * row, i.is_multiple_of(3), 0.0),
            Places::Crossed => (1.7 * column, 1.7 * row, i.is_multiple_of(2), 0.0),
            Places::Clutter => (side * rng.f32(), side * rng.f32(), false, 360.0 * rng.f32()),
        }
    }
}

/// Faces of a crowd's tiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kinds {
    /// All the same.
    Equal,
    /// Six kinds.
    Few,
    /// Four of a kind after each other.
    Quads,
    /// Any kind of a suit.
    Suit,
    /// All kinds in turn.
    Mixed,
    /// Any kind.
    Random,
    /// Mostly white dragons.
    Blank,
    /// Backs between the tiles.
    Backs,
    /// Flowers and seasons around a few tiles.
    Flowers,
}

impl Kinds {
    pub(crate) const ALL: [Kinds; 9] = [
        Kinds::Equal,
        Kinds::Few,
        Kinds::Quads,
        Kinds::Suit,
        Kinds::Mixed,
        Kinds::Random,
        Kinds::Blank,
        Kinds::Backs,
        Kinds::Flowers,
    ];

    fn face(self, i: usize, rng: &mut Rng) -> Face {
        let kind = |n: usize| Face::Tile(Tile::ALL[n % Tile::KINDS]);
        match self {
            Kinds::Equal => kind(4),
            Kinds::Few => kind(5 * rng.usize(..6)),
            Kinds::Quads => kind(i / 4),
            Kinds::Suit => kind(rng.usize(..9)),
            Kinds::Mixed => kind(i),
            Kinds::Blank if i % 5 < 3 => Face::Tile(white_dragon()),
            Kinds::Backs if i.is_multiple_of(2) => Face::Back,
            Kinds::Flowers if i % 10 < 7 => Face::Bonus(Bonus::ALL[i % Bonus::ALL.len()]),
            Kinds::Random | Kinds::Blank | Kinds::Backs | Kinds::Flowers => {
                kind(rng.usize(..Tile::KINDS))
            }
        }
    }
}

fn white_dragon() -> Tile {
    let is_white = |tile: &Tile| tile.dragon() == Some(Dragon::White);
    Tile::ALL.into_iter().find(is_white).expect("a white dragon")
}

/// Returns a crowd of `count` tiles, each named with the probability `named`.
pub(crate) fn crowd(
    places: Places,
    kinds: Kinds,
    count: usize,
    named: f32,
    seed: u64,
) -> Vec<SeenTile> {
    let mut rng = Rng::with_seed(seed);
    let tile = |i: usize| {
        let (x, y, is_across, degrees) = places.place(i, count, &mut rng);
        let face = kinds.face(i, &mut rng);
        let size = if is_across { (LENGTH, 1.0) } else { (1.0, LENGTH) };
        let quad = Quad::rectangle(WIDTH * x, WIDTH * y, WIDTH * size.0, WIDTH * size.1);
        let mut other = || Some(Face::Tile(Tile::ALL[rng.usize(..Tile::KINDS)]));
        let rest = (1.0 - named) / 2.0;
        let faces = Faces::from_weights([(Some(face), named), (other(), rest), (other(), rest)]);
        SeenTile {
            quad: turned(&quad, degrees).upright(),
            score: 0.9,
            inside: 1.0,
            faces,
            turns: [0.97, 0.01, 0.01, 0.01],
            red: 0.0,
            likeness: None,
        }
    };
    (0..count).map(tile).collect()
}

fn turned(quad: &Quad, degrees: f32) -> Quad {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let centre = quad.centre();
    quad.map(|corner| {
        let off = corner - centre;
        centre + Point::new(off.x * cos - off.y * sin, off.x * sin + off.y * cos)
    })
}
