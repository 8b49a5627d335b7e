//! Hands that follow from an answer that names only a tile.
//!
//! Input: the kind of a doubt, an answer and the hand it is about. Output: the hand after the
//! answer. Compact answers omit such hands, and this module restores them in a compact answer that
//! is sent back. Invariant: only hands that follow from the tile alone; every other answer carries
//! its hand.

use tilesight_core::hand::HandSetup;
use tilesight_core::meld::{KongKind, Meld};
use tilesight_core::notation::Notation;
use tilesight_core::tile::Tile;

use crate::DoubtKind;

/// Returns the hand, in notation, with this tile as the winning tile or as a concealed kong that
/// lies face down. Returns `None` for other doubts, and if the tile can't be that.
pub(super) fn hand_of_tile(kind: DoubtKind, answer: &str, before: &HandSetup) -> Option<String> {
    let tile: Tile = answer.parse().ok()?;
    let hand = match kind {
        DoubtKind::WinningTile if before.winning.is_none() => before.won_by(tile)?,
        DoubtKind::HiddenKong => {
            let mut hand = before.clone();
            hand.melds.push(Meld::Kong { tile, kind: KongKind::Concealed });
            hand
        }
        _ => return None,
    };
    Some(Notation::from_hand(hand).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_is_the_hand_only_where_it_says_everything() {
        let of = |kind, answer: &str, before: &str| {
            let before: Notation = before.parse().expect(before);
            hand_of_tile(kind, answer, &before.hand)
        };
        let open = "123m456p789s222p55s+?";
        let won = of(DoubtKind::WinningTile, "2p", open).expect("one of its tiles");
        assert_eq!(won, "123m22456p55789s2p");
        let kong = of(DoubtKind::HiddenKong, "E", "123m456p789s55s").expect("four of them");
        assert_eq!(kong, "[EEEE]123m456p55789s+?");
        assert_eq!(of(DoubtKind::WinningTile, "9m", open), None, "not one of its tiles");
        assert_eq!(of(DoubtKind::WinningTile, "2m of 1m 2m 3m", open), None);
        assert_eq!(of(DoubtKind::WinningTile, "2p", "123m22456p55789s2p"), None, "it is known");
        assert_eq!(of(DoubtKind::Tile, "2p", open), None);
    }
}
