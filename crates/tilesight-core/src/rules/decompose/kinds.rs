//! Sets of tile kinds as bit masks, and the fixed sets that fans refer to.
//!
//! Bit `i` is `Tile::ALL[i]`. Unlike [`TileSet`](crate::tiles::TileSet) these are bare
//! integers, because the quick path shifts and compares whole suits at once.

use crate::tile::{Suit, Tile, Wind};

/// A set of tile kinds, one bit for each of the 34 kinds.
pub(in crate::rules) type Kinds = u64;

/// Collects the kinds that a predicate picks.
macro_rules! kinds {
    (|$tile:ident| $picked:expr) => {{
        let mut kinds: Kinds = 0;
        let mut index = 0;
        while index < Tile::KINDS {
            let $tile = Tile::ALL[index];
            if $picked {
                kinds |= 1 << index;
            }
            index += 1;
        }
        kinds
    }};
}

/// Returns the tile kind of a wind.
pub(in crate::rules) const fn kind_of(wind: Wind) -> Kinds {
    1 << wind.tile().index()
}

/// Returns whether a tile is a number between two bounds, both included.
const fn is_numbered(tile: Tile, low: u8, high: u8) -> bool {
    matches!(tile.number(), Some(number) if number >= low && number <= high)
}

const fn one_of(tile: Tile, suit: Suit, numbers: &[u8]) -> bool {
    let mut index = 0;
    while index < numbers.len() {
        if let (Some(own), Some(number)) = (tile.suit(), tile.number())
            && own as u8 == suit as u8
            && number == numbers[index]
        {
            return true;
        }
        index += 1;
    }
    false
}

pub(in crate::rules) const CHARACTERS: Kinds = 0x1ff;
pub(in crate::rules) const DOTS: Kinds = CHARACTERS << 9;
pub(in crate::rules) const BAMBOO: Kinds = CHARACTERS << 18;
pub(in crate::rules) const WINDS: Kinds = kinds!(|tile| tile.is_wind());
pub(in crate::rules) const DRAGONS: Kinds = kinds!(|tile| tile.is_dragon());
pub(in crate::rules) const HONORS: Kinds = WINDS | DRAGONS;
pub(in crate::rules) const TERMINALS: Kinds = kinds!(|tile| tile.is_terminal());
pub(in crate::rules) const TERMINALS_AND_HONORS: Kinds = TERMINALS | HONORS;
pub(in crate::rules) const SIMPLES: Kinds = kinds!(|tile| tile.is_simple());
pub(in crate::rules) const NUMBERS: Kinds = SIMPLES | TERMINALS;
pub(in crate::rules) const UPPER: Kinds = kinds!(|tile| is_numbered(tile, 7, 9));
pub(in crate::rules) const MIDDLE: Kinds = kinds!(|tile| is_numbered(tile, 4, 6));
pub(in crate::rules) const LOWER: Kinds = kinds!(|tile| is_numbered(tile, 1, 3));
pub(in crate::rules) const UPPER_FOUR: Kinds = kinds!(|tile| is_numbered(tile, 6, 9));
pub(in crate::rules) const LOWER_FOUR: Kinds = kinds!(|tile| is_numbered(tile, 1, 4));
pub(in crate::rules) const FIVES: Kinds = kinds!(|tile| is_numbered(tile, 5, 5));
pub(in crate::rules) const EVEN: Kinds =
    kinds!(|tile| matches!(tile.number(), Some(number) if number % 2 == 0));
const GREEN_DRAGON: Kinds =
    kinds!(|tile| matches!(tile.dragon(), Some(crate::tile::Dragon::Green)));
pub(in crate::rules) const GREEN: Kinds =
    GREEN_DRAGON | kinds!(|tile| one_of(tile, Suit::Bamboo, &[2, 3, 4, 6, 8]));
pub(in crate::rules) const REVERSIBLE: Kinds = kinds!(|tile| tile.is_reversible());

/// The six knitted straights: 1-4-7, 2-5-8 and 3-6-9, each in a different suit.
pub(in crate::rules) const KNITTED: [Kinds; 6] = [
    knitted_kinds(0, 1, 2),
    knitted_kinds(0, 2, 1),
    knitted_kinds(1, 0, 2),
    knitted_kinds(1, 2, 0),
    knitted_kinds(2, 0, 1),
    knitted_kinds(2, 1, 0),
];

/// Returns the knitted straight whose sequences start at these numbers (counted from 0) in
/// characters, dots and bamboo.
const fn knitted_kinds(characters: u32, dots: u32, bamboo: u32) -> Kinds {
    const EVERY_THIRD: Kinds = 0b001_001_001;
    EVERY_THIRD << characters | EVERY_THIRD << (9 + dots) | EVERY_THIRD << (18 + bamboo)
}

/// Returns whether all of a set lies within another.
pub(in crate::rules) const fn is_within(kinds: Kinds, other: Kinds) -> bool {
    kinds & !other == 0
}

/// Converts positions within a group to kinds of tiles.
pub(in crate::rules) const fn spread(positions: u16, group: usize) -> Kinds {
    (positions as Kinds) << (9 * group)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_have_the_sizes_that_the_rules_name() {
        let sizes = [
            (TERMINALS_AND_HONORS, 13),
            (SIMPLES, 21),
            (NUMBERS, 27),
            (UPPER, 9),
            (MIDDLE, 9),
            (LOWER, 9),
            (UPPER_FOUR, 12),
            (LOWER_FOUR, 12),
            (FIVES, 3),
            (EVEN, 12),
            (GREEN, 6),
            (REVERSIBLE, 14),
        ];
        for (kinds, size) in sizes {
            assert_eq!(kinds.count_ones(), size);
        }
    }

    #[test]
    fn a_knitted_straight_has_three_tiles_of_each_suit_and_every_number_once() {
        for knit in KNITTED {
            let suits = [knit & 0x1ff, knit >> 9 & 0x1ff, knit >> 18 & 0x1ff];
            assert_eq!(suits.map(u64::count_ones), [3; 3]);
            assert_eq!(suits.iter().fold(0, |all, suit| all | suit), 0x1ff);
        }
    }
}
