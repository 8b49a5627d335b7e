//! The set that the winning tile completed, where it is given.
//!
//! Input: the tiles of the set, such as `456m`, `111p` or `EE`. Output: a [`CompletedSet`]. Where
//! it is absent, the winner gets the set that scores most. Invariant: the set is a pair, a pung or
//! a chow; the winning tile never completes a kong.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::meld::Chow;
use crate::tile::Tile;

/// The set that the winning tile completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CompletedSet {
    /// The pair.
    Pair(Tile),
    /// A pung.
    Pung(Tile),
    /// The chow that starts at a tile.
    Chow(Chow),
}

/// Error when a text is not a set that a tile can complete.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct CompletedSetError(pub String);

impl CompletedSet {
    /// Returns whether a tile belongs to the set.
    #[must_use]
    pub fn holds(self, tile: Tile) -> bool {
        match self {
            CompletedSet::Pair(own) | CompletedSet::Pung(own) => own == tile,
            CompletedSet::Chow(chow) => chow.tiles().contains(&tile),
        }
    }

    /// Returns the set of these tiles, which must be in order.
    pub(crate) fn from_tiles(tiles: &[Tile]) -> Option<CompletedSet> {
        match *tiles {
            [one, other] if one == other => Some(CompletedSet::Pair(one)),
            [one, two, three] if one == two && two == three => Some(CompletedSet::Pung(one)),
            [low, ..] => {
                let chow = Chow::new(low).filter(|chow| chow.tiles() == tiles)?;
                Some(CompletedSet::Chow(chow))
            }
            [] => None,
        }
    }
}

impl Serialize for CompletedSet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for CompletedSet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<CompletedSet, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
