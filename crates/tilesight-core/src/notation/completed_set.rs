//! The set that the winning tile completed, as text: its tiles, such as `456m`.

use std::fmt;
use std::str::FromStr;

use super::{Notation, print_tiles};
use crate::context::{CompletedSet, CompletedSetError};
use crate::hand::HandSetup;

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
