//! Labels for the tiles of a hand that was read, from a notation that a person corrected.

use tilesight_core::hand::HandSetup;
use tilesight_core::notation::Notation;
use tilesight_core::tile::Face;

use super::error::SheetError;
use super::learn::LabelledTile;
use crate::{ReadTile, Reading, Role};

impl LabelledTile {
    /// Labels the tiles of a hand that was read with a notation that a person corrected: each face
    /// goes to the tile that looks most like it.
    ///
    /// # Errors
    /// [`SheetError::Hand`] if notation and hand have different numbers of tiles.
    pub fn from_hand(reading: &Reading, hand: &Notation) -> Result<Vec<LabelledTile>, SheetError> {
        let of_hand = |tile: &&ReadTile| tile.role != Role::Ignored;
        let (backs, tiles): (Vec<&ReadTile>, Vec<&ReadTile>) =
            reading.tiles.iter().filter(of_hand).partition(|tile| tile.face == Some(Face::Back));
        let faces = faces_of(&hand.hand);
        // Tiles of a concealed kong may lie face down.
        let (named, found) = (faces.len(), tiles.len() + backs.len());
        if named != found {
            return Err(SheetError::Hand { named, found });
        }
        let mut pairs: Vec<(f32, usize, usize)> = Vec::new();
        for (i, tile) in tiles.iter().enumerate() {
            let p = |face: Face| tile.seen.faces.probability(Some(face));
            pairs.extend(faces.iter().enumerate().map(|(j, &face)| (p(face), i, j)));
        }
        // Of equal probabilities the first pair stays first.
        pairs.sort_by(|a, b| b.0.total_cmp(&a.0));
        let (mut labels, mut is_used) = (vec![None; tiles.len()], vec![false; faces.len()]);
        for (_, i, j) in pairs {
            if labels[i].is_none() && !is_used[j] {
                (labels[i], is_used[j]) = (Some(faces[j]), true);
            }
        }
        let upright = |tile: &ReadTile| {
            let along = |turn: &usize| tile.seen.up(*turn).dot(tile.up);
            let turn = (0..4).max_by(|a, b| along(a).total_cmp(&along(b))).unwrap_or(0);
            tile.seen.quad.rotated(turn)
        };
        let backs = backs.into_iter().map(|tile| (tile, Some(Face::Back)));
        let tiles = tiles.into_iter().zip(labels).chain(backs).filter_map(|(tile, label)| {
            Some(LabelledTile { quad: upright(tile), label: label?.into() })
        });
        Ok(tiles.collect())
    }
}

/// Returns the faces of all tiles of a hand.
fn faces_of(hand: &HandSetup) -> Vec<Face> {
    let melds = hand.melds.iter().flat_map(|meld| meld.tiles());
    let tiles = hand.concealed.iter().copied().chain(melds).chain(hand.winning);
    tiles.map(Face::Tile).chain(hand.flowers.iter().map(Face::Bonus)).collect()
}
