//! The set that the winning tile completed, where it is given.
//!
//! Input: the tiles of the set, such as `456m`, `111p` or `EE`. Output: a [`CompletedSet`]. Where
//! it is absent, the winner gets the set that scores most. Invariant: the set is a pair, a pung or
//! a chow; the winning tile never completes a kong.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::hand::HandSetup;
use crate::meld::Chow;
use crate::notation::{Notation, print_tiles};
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

impl fmt::Display for CompletedSet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            CompletedSet::Pair(tile) => print_tiles(&[*tile; 2]),
            CompletedSet::Pung(tile) => print_tiles(&[*tile; 3]),
            CompletedSet::Chow(chow) => print_tiles(&chow.tiles()),
        };
        out.write_str(&text)
    }
}

impl FromStr for CompletedSet {
    type Err = CompletedSetError;

    fn from_str(text: &str) -> Result<CompletedSet, CompletedSetError> {
        // Only a single set of tiles is allowed: no melds, flowers or win context.
        let tiles = text.parse::<Notation>().ok().and_then(|notation| {
            let mut tiles = notation.hand.concealed.clone();
            tiles.sort_unstable();
            let plain =
                HandSetup { concealed: notation.hand.concealed.clone(), ..HandSetup::default() };
            (notation == Notation::from_hand(plain)).then_some(tiles)
        });
        let set = tiles.and_then(|tiles| CompletedSet::from_tiles(&tiles));
        set.ok_or_else(|| CompletedSetError(text.to_owned()))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_read_back_and_nothing_else_does() {
        for text in ["456m", "111p", "99s", "EE", "PPP"] {
            let set: CompletedSet = text.parse().expect(text);
            assert_eq!(set.to_string(), text);
        }
        assert_eq!(
            "645m".parse::<CompletedSet>().map(|set| set.to_string()).as_deref(),
            Ok("456m")
        );
        for text in ["", "1m", "457m", "1111m", "89m1p", "[EEE]", "EE|EE1000", "ES", "CFP", "456x"]
        {
            assert!(text.parse::<CompletedSet>().is_err(), "{text}");
        }
    }
}
