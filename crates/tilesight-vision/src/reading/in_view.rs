//! The whole hands in a photo: those that win, or the thirteen tiles of players who did not.
//!
//! Input: the layout's hands and the tiles of the reading. Output: a [`HandInView`] for each
//! whole hand: first the one that was read, then the others by how well they fit. Invariant:
//! reading the photo again with the focus of one of them reads that hand. Indices refer to the
//! reading's tiles.

use tilesight_core::hand::HandSetup;
use tilesight_core::tile::Face;

use super::read_tile::ReadTile;
use crate::geometry::Point;

/// A whole hand in view.
#[derive(Debug, Clone, PartialEq)]
pub struct HandInView {
    /// Tiles of the hand, as indices into the reading's tiles.
    pub tiles: Vec<usize>,
    /// Point that lies on one of the tiles and near the middle of all, in pixels of the upright
    /// photo.
    pub focus: Point,
    /// The hand. The first hand is the one that was read; every other one has the likeliest names
    /// of its tiles, all concealed.
    pub hand: HandSetup,
}

/// Returns the hands in view, of which the first is the one that was read.
pub(super) fn hands_in_view(
    hands: impl Iterator<Item = Vec<usize>>,
    tiles: &[ReadTile],
    read: &HandSetup,
) -> Vec<HandInView> {
    let hands = hands.filter(|members| !members.is_empty()).enumerate();
    hands
        .map(|(place, members)| HandInView {
            focus: focus_of(&members, tiles),
            hand: if place == 0 { read.clone() } else { likeliest_hand(&members, tiles) },
            tiles: members,
        })
        .collect()
}

/// Returns the centre of the tile nearest to the middle of the hand. The middle itself may lie
/// between two rows.
fn focus_of(members: &[usize], tiles: &[ReadTile]) -> Point {
    let centres: Vec<Point> = members.iter().map(|&i| tiles[i].seen.quad.centre()).collect();
    let sum = centres.iter().fold(Point::default(), |sum, centre| sum + *centre);
    let middle = sum * (1.0 / members.len().max(1) as f32);
    centres
        .into_iter()
        .min_by(|a, b| (*a - middle).length().total_cmp(&(*b - middle).length()))
        .unwrap_or(middle)
}

/// Returns the hand that the likeliest names of some tiles make.
fn likeliest_hand(members: &[usize], tiles: &[ReadTile]) -> HandSetup {
    let mut setup = HandSetup::default();
    for face in members.iter().filter_map(|&i| tiles[i].face) {
        match face {
            Face::Tile(tile) => setup.concealed.push(tile),
            Face::Bonus(bonus) => {
                let flowers = setup.flowers;
                setup.flowers = flowers.with(bonus).unwrap_or(flowers);
            }
            Face::Back => {}
        }
    }
    setup.concealed.sort_unstable();
    setup
}
