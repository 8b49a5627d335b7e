//! The sets of a decomposition as a score shows them.
//!
//! Output: melds in their order, concealed chows, concealed pungs, the sets of special hands, the
//! pair last. The engine decides which set the winning tile completed, because the score may depend
//! on it.

use crate::hand::Hand;
use crate::meld::Meld;
use crate::rules::{ScoredSet, SetKind};
use crate::tile::Tile;

use super::decompositions::{Decomposition, Shape};
use super::facts::Facts;
use super::kinds::Kinds;

/// Returns the sets of a decomposition. A pung among the concealed tiles counts as concealed if its
/// bit is set in `concealed_pungs`; no set is marked as completed by the winning tile.
pub(in crate::rules) fn scored_sets<const SETS: usize>(
    facts: &Facts,
    hand: &Hand,
    decomposition: &Decomposition<SETS>,
    concealed_pungs: Kinds,
) -> Vec<ScoredSet> {
    let mut sets: Vec<ScoredSet> = hand.melds().map(scored_set).collect();
    let hidden = &decomposition.chows[facts.melds.chow_count..decomposition.chow_count];
    sets.extend(hidden.iter().map(|&chow| {
        let low = usize::from(chow / 7 * 9 + chow % 7);
        concealed_set(SetKind::Chow, Tile::ALL[low..low + 3].to_vec())
    }));
    sets.extend(tiles_of(decomposition.hidden_pungs).map(|tile| ScoredSet {
        concealed: concealed_pungs >> tile.index() & 1 == 1,
        ..concealed_set(SetKind::Pung, vec![tile; 3])
    }));
    sets.extend(special_sets(facts, decomposition.shape));
    sets.extend(
        tiles_of(decomposition.pair).map(|tile| concealed_set(SetKind::Pair, vec![tile; 2])),
    );
    sets
}

/// Returns a meld as a score shows it.
pub(in crate::rules) fn scored_set(meld: Meld) -> ScoredSet {
    let kind = match meld {
        Meld::Chow(_) => SetKind::Chow,
        Meld::Pung { .. } => SetKind::Pung,
        Meld::Kong { .. } => SetKind::Kong,
    };
    let tiles = meld.tiles().collect();
    ScoredSet { kind, tiles, concealed: meld.is_concealed(), winning: false }
}

pub(in crate::rules) fn concealed_set(kind: SetKind, tiles: Vec<Tile>) -> ScoredSet {
    ScoredSet { kind, tiles, concealed: true, winning: false }
}

/// Returns the sets that only special decompositions have.
fn special_sets(facts: &Facts, shape: Shape) -> Vec<ScoredSet> {
    match shape {
        Shape::Regular => Vec::new(),
        Shape::Knitted(knit) => vec![concealed_set(SetKind::Knitted, tiles_of(knit).collect())],
        Shape::Pairs => Tile::ALL
            .into_iter()
            .flat_map(|tile| std::iter::repeat_n(tile, facts.copies(tile.index()) / 2))
            .map(|tile| concealed_set(SetKind::Pair, vec![tile; 2]))
            .collect(),
        Shape::Orphans | Shape::HonorsAndKnitted(_) => {
            let tiles = tiles_of(facts.kinds)
                .flat_map(|tile| std::iter::repeat_n(tile, facts.copies(tile.index())));
            vec![concealed_set(SetKind::Singles, tiles.collect())]
        }
    }
}

/// Returns the tiles of a set of kinds, in order.
pub(in crate::rules) fn tiles_of(kinds: Kinds) -> impl Iterator<Item = Tile> {
    Tile::ALL.into_iter().filter(move |tile| kinds >> tile.index() & 1 == 1)
}
