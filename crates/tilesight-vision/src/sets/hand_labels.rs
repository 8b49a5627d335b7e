//! Labels for the tiles of a hand that was read, from a notation that a person corrected.

use tilesight_core::hand::HandSetup;
use tilesight_core::notation::Notation;
use tilesight_core::tile::Face;

use super::error::SheetError;
use super::learn::LabelledTile;
use crate::geometry::Quad;
use crate::{ReadTile, Reading, Role};

impl LabelledTile {
    /// Labels the tiles of a hand that was read with a notation that a person corrected: each face
    /// goes to the tile that looks most like it.
    ///
    /// # Errors
    /// [`SheetError::Hand`] if notation and hand have different numbers of tiles.
    pub fn from_hand(reading: &Reading, hand: &Notation) -> Result<Vec<LabelledTile>, SheetError> {
        let of_hand = reading.tiles.iter().filter(|tile| tile.role != Role::Ignored);
        let (backs, tiles): (Vec<&ReadTile>, Vec<&ReadTile>) =
            of_hand.partition(|tile| tile.face == Some(Face::Back));
        let faces = faces_of(&hand.hand);
        let named = faces.len();
        // Tiles of a concealed kong may lie face down.
        let found = tiles.len() + backs.len();
        if named != found {
            return Err(SheetError::Hand { named, found });
        }
        let mut pairs: Vec<(f32, usize, usize)> = Vec::new();
        for (i, tile) in tiles.iter().enumerate() {
            for (j, &face) in faces.iter().enumerate() {
                pairs.push((tile.seen.faces.probability(Some(face)), i, j));
            }
        }
        // Of equal probabilities the first pair stays first.
        pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut labels = vec![None; tiles.len()];
        let mut is_used = vec![false; faces.len()];
        for (_, i, j) in pairs {
            if labels[i].is_none() && !is_used[j] {
                labels[i] = Some(faces[j]);
                is_used[j] = true;
            }
        }
        let backs = backs.into_iter().map(|tile| (tile, Some(Face::Back)));
        let tiles = tiles.into_iter().zip(labels).chain(backs).filter_map(|(tile, label)| {
            Some(LabelledTile { quad: upright_quad(tile), label: label?.into() })
        });
        Ok(tiles.collect())
    }
}

/// Returns the outline of a tile, its first corner at the top left of the face.
fn upright_quad(tile: &ReadTile) -> Quad {
    let along: [f32; 4] = std::array::from_fn(|turn| tile.seen.up(turn).dot(tile.up));
    let turn = (0..4).max_by(|&a, &b| along[a].total_cmp(&along[b])).unwrap_or(0);
    tile.seen.quad.rotated(turn)
}

fn faces_of(hand: &HandSetup) -> Vec<Face> {
    let melds = hand.melds.iter().flat_map(|meld| meld.tiles());
    let tiles = hand.concealed.iter().copied().chain(melds).chain(hand.winning);
    tiles.map(Face::Tile).chain(hand.flowers.iter().map(Face::Bonus)).collect()
}
