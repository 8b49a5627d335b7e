//! Fans that depend only on the tiles of the hand, whatever its sets.

use super::fan::Fan::{self, *};
use super::fan::FanSet;
use crate::rules::decompose::facts::Facts;
use crate::rules::decompose::kinds::{self, Kinds, is_within};

/// Fans for hands made only of certain kinds.
const ONLY: [(Fan, Kinds); 12] = [
    (AllGreen, kinds::GREEN),
    (AllTerminals, kinds::TERMINALS),
    (AllHonors, kinds::HONORS),
    (AllTerminalsAndHonors, kinds::TERMINALS_AND_HONORS),
    (UpperTiles, kinds::UPPER),
    (MiddleTiles, kinds::MIDDLE),
    (LowerTiles, kinds::LOWER),
    (UpperFour, kinds::UPPER_FOUR),
    (LowerFour, kinds::LOWER_FOUR),
    (ReversibleTiles, kinds::REVERSIBLE),
    (AllSimples, kinds::SIMPLES),
    (NoHonors, kinds::NUMBERS),
];

/// Suits that a hand can hold.
const SUITS: [Kinds; 3] = [kinds::CHARACTERS, kinds::DOTS, kinds::BAMBOO];

/// Returns the fans of a hand made of these kinds.
pub(super) fn find_kind_fans(kinds: Kinds) -> FanSet {
    let mut fans = FanSet::EMPTY;
    for (fan, allowed) in ONLY {
        fans.add_if(fan, is_within(kinds, allowed));
    }
    let suits = suits(kinds);
    let winds = kinds & kinds::WINDS != 0;
    let dragons = kinds & kinds::DRAGONS != 0;
    let honors = winds || dragons;
    fans.add_if(FullFlush, suits == 1 && !honors);
    fans.add_if(HalfFlush, suits == 1 && honors);
    fans.add_if(OneVoidedSuit, suits == 2);
    fans.add_if(AllTypes, suits == 3 && winds && dragons);
    fans
}

/// Returns the number of suits among these kinds.
pub(super) fn suits(kinds: Kinds) -> u32 {
    SUITS.iter().map(|suit| u32::from(kinds & suit != 0)).sum()
}

/// Returns whether the hand is Nine Gates (4): 1112345678999 of one suit in the hand, so that any
/// tile of the suit wins.
pub(super) fn is_nine_gates(facts: &Facts) -> bool {
    const GATES: u32 = 0o311_111_113;
    facts.melds.count == 0 && facts.waiting().iter().any(|group| group.0 == GATES)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tile::Tile;

    fn fans(codes: &str) -> Vec<u8> {
        let tiles = codes.split(' ').map(|code| code.parse::<Tile>().expect(code));
        find_kind_fans(tiles.fold(0, |kinds, tile| kinds | 1 << tile.index()))
            .map(Fan::number)
            .collect()
    }

    #[test]
    fn kinds_of_tiles_earn_fans() {
        let cases: [(&str, &[u8]); 8] = [
            ("2s 3s 4s 6s 8s F", &[3, 50]),
            ("1m 9m 1s 9p", &[8, 18, 76]),
            ("E S W N C", &[11, 18]),
            ("7m 8m 9p 7s", &[25, 36, 76]),
            ("4m 5m 6p", &[26, 68, 75, 76]),
            ("1p 2p 8p 5s P", &[40, 75]),
            ("1m 5p 9s E C", &[52]),
            ("2m 3m 4m", &[22, 37, 68, 76]),
        ];
        for (tiles, expected) in cases {
            assert_eq!(fans(tiles), expected, "{tiles}");
        }
    }
}
