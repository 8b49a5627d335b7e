//! The distance of tiles from a win: shanten plus one. The layout measures with it whether tiles
//! belong together although one is misread or missing.
//!
//! Input: tiles and the number of sets that they should make. Output: the number of tiles that must
//! be added or exchanged for that many chows and pungs and a pair, or for seven pairs in games that
//! have them, beside a pung if there are five sets. For each suit, dynamic programming over its
//! kinds finds the most tiles that every number of sets can use, and the result is cached; the
//! suits are combined in the same way. A fifth tile of a kind is of no use: there are four.
//! Invariant: 0 exactly when the tiles contain such a hand; each added tile lowers the number by at
//! most one; the work is bounded for any tiles.

use std::collections::HashMap;

use tilesight_core::hand::HandSize;
use tilesight_core::rules::Shapes;
use tilesight_core::tile::Tile;
use tilesight_core::tiles::Counts;

/// Maximum number of sets in a hand.
const SETS: usize = HandSize::MAX.sets();

/// Number of tiles of a kind.
const COPIES: u8 = 4;

/// Maximum number of tiles that can be used, by the number of sets and partial sets and whether the
/// pair is among them; `None` if that many cannot be formed.
type Usable = [[Option<u8>; 2]; SETS + 1];

/// Measures the distance to a win and caches the result of each suit: the same suits occur in many
/// combinations of one table.
#[derive(Debug, Default)]
pub struct WinDistance {
    suits: HashMap<[u8; 9], Usable>,
}

impl WinDistance {
    /// Returns the number of tiles that must be added or exchanged for `sets` sets and a pair.
    ///
    /// A set or partial set uses two or three tiles. Of the remaining tiles, one is used for each
    /// set that has no tile yet. Only hands without a kong may be pairs.
    pub fn measure(&mut self, tiles: &Counts, sets: usize, shapes: Shapes) -> usize {
        let counts = tiles.as_array().map(|count| count.min(COPIES));
        let mut usable: Usable = [[None; 2]; SETS + 1];
        usable[0][0] = Some(0);
        let sets = sets.min(SETS);
        for suit in counts[..27].chunks(9) {
            let mut rest = [0; 9];
            rest.copy_from_slice(suit);
            if rest != [0; 9] {
                let best = self.suits.entry(rest).or_insert_with(|| usable_of(rest, true));
                usable = combined(&usable, best, sets);
            }
        }
        for &count in &counts[27..] {
            if count >= 2 {
                let best = usable_of([count, 0, 0, 0, 0, 0, 0, 0, 0], false);
                usable = combined(&usable, &best, sets);
            }
        }
        distance_beside(&usable, &counts, sets, shapes)
    }
}

/// Returns the distance that remains when the most tiles are used.
fn distance_beside(
    usable: &Usable,
    counts: &[u8; Tile::KINDS],
    sets: usize,
    shapes: Shapes,
) -> usize {
    let total: usize = counts.iter().map(|&count| usize::from(count)).sum();
    let fitting = (0..=sets).flat_map(|formed| {
        let used = usable[formed];
        (0..2).filter_map(move |pair| Some(usize::from(used[pair]?) + (sets - formed) + (1 - pair)))
    });
    let max_fitting = fitting.max().unwrap_or(0).min(total);
    let standard = 3 * sets + 2 - max_fitting.min(3 * sets + 2);
    let pairs = match HandSize::ALL.into_iter().find(|size| size.sets() == sets) {
        Some(HandSize::Thirteen) if shapes.seven_pairs => distance_to_pairs(counts),
        Some(HandSize::Sixteen) if shapes.seven_pairs => distance_to_pairs_and_pung(counts),
        _ => standard,
    };
    standard.min(pairs)
}

/// Returns the distance to thirteen orphans, one of which must be a pair.
pub(crate) fn distance_to_orphans(tiles: &Counts) -> usize {
    let kinds = orphans().filter(|&tile| tiles.count(tile) > 0).count();
    let has_pair = orphans().any(|tile| tiles.count(tile) >= 2);
    14 - kinds - usize::from(has_pair)
}

/// Returns the thirteen kinds of terminals and honors.
pub(super) fn orphans() -> impl Iterator<Item = Tile> {
    Tile::ALL.into_iter().filter(|tile| tile.is_terminal_or_honor())
}

/// Returns whether a hand's tiles come near to thirteen orphans or to knitted tiles, which win
/// without sets and a pair.
pub(crate) fn may_win_otherwise(tiles: &Counts) -> bool {
    // Hands of knitted tiles show at least seven of the nine: one suit's 1 4 7, another's 2 5 8 and
    // the third's 3 6 9.
    const ORDERS: [[usize; 3]; 6] =
        [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let knitted = ORDERS.iter().map(|firsts| count_knitted(tiles, *firsts)).max();
    orphans().all(|tile| tiles.count(tile) > 0) || knitted.unwrap_or(0) >= 7
}

/// Returns how many of the nine knitted tiles are there, of each suit every third one from the
/// given one on.
fn count_knitted(tiles: &Counts, firsts: [usize; 3]) -> usize {
    let mut count = 0;
    for (suit, first) in firsts.into_iter().enumerate() {
        count += (0..3).filter(|step| tiles.as_array()[9 * suit + first + 3 * step] > 0).count();
    }
    count
}

/// Returns the distance to seven pairs.
fn distance_to_pairs(counts: &[u8; Tile::KINDS]) -> usize {
    let paired: usize = counts.iter().map(|&count| usize::from(count / 2)).sum();
    let single = counts.iter().filter(|&&count| count % 2 == 1).count();
    let pairs = paired.min(7);
    14 - 2 * pairs - single.min(7 - pairs)
}

/// Returns the distance to seven pairs and a pung.
fn distance_to_pairs_and_pung(counts: &[u8; Tile::KINDS]) -> usize {
    let beside = (0..Tile::KINDS).map(|kind| {
        let in_pung = counts[kind].min(3);
        let mut rest = *counts;
        rest[kind] -= in_pung;
        3 - usize::from(in_pung) + distance_to_pairs(&rest)
    });
    beside.min().unwrap_or(0)
}

/// Returns the most tiles that two groups of tiles use together, for at most `sets` sets.
fn combined(a: &Usable, b: &Usable, sets: usize) -> Usable {
    let mut sum: Usable = [[None; 2]; SETS + 1];
    for (sets_a, row_a) in a.iter().enumerate().take(sets + 1) {
        for (sets_b, row_b) in b.iter().enumerate().take(sets + 1 - sets_a) {
            for (pair_a, pair_b) in [(0, 0), (0, 1), (1, 0)] {
                if let (Some(x), Some(y)) = (row_a[pair_a], row_b[pair_b]) {
                    let best = &mut sum[sets_a + sets_b][pair_a + pair_b];
                    *best = (*best).max(Some(x + y));
                }
            }
        }
    }
    sum
}

/// Tiles that a set, a partial set or the pair uses: of its lowest kind and of the two next ones.
#[derive(Clone, Copy)]
struct Part {
    uses: [u8; 3],
    is_pair: bool,
}

/// Every part that tiles can be used in. The last three only exist in suits.
const PARTS: [Part; 6] = [
    Part { uses: [3, 0, 0], is_pair: false },
    Part { uses: [2, 0, 0], is_pair: false },
    Part { uses: [2, 0, 0], is_pair: true },
    Part { uses: [1, 1, 1], is_pair: false },
    Part { uses: [1, 1, 0], is_pair: false },
    Part { uses: [1, 0, 1], is_pair: false },
];

/// Number of those parts that need no other kind.
const PARTS_OF_ONE_KIND: usize = 3;

/// Parts that were formed of the kinds so far.
#[derive(Clone, Copy)]
struct TileUse {
    /// Number of tiles that these parts use of the next kind and of the two after it.
    ahead: [u8; 3],
    sets: usize,
    pair: usize,
    /// Number of tiles in use.
    tiles: u8,
}

impl TileUse {
    const NONE: TileUse = TileUse { ahead: [0; 3], sets: 0, pair: 0, tiles: 0 };

    /// Returns this use with one more part of the kinds from `at` on; `None` if there are no tiles
    /// for it.
    fn with(self, part: Part, counts: &[u8; 9], at: usize) -> Option<TileUse> {
        let ahead: [u8; 3] = std::array::from_fn(|step| self.ahead[step] + part.uses[step]);
        let sets = self.sets + usize::from(!part.is_pair);
        let pair = self.pair + usize::from(part.is_pair);
        let tiles = self.tiles + part.uses.iter().sum::<u8>();
        let fits = sets <= SETS
            && pair <= 1
            && (0..3).all(|step| {
                part.uses[step] == 0 || counts.get(at + step).is_some_and(|&own| ahead[step] <= own)
            });
        fits.then_some(TileUse { ahead, sets, pair, tiles })
    }

    /// Returns this use as it looks from the next kind.
    fn next(self) -> TileUse {
        let [_, next, after] = self.ahead;
        TileUse { ahead: [next, after, 0], ..self }
    }
}

/// Most tiles in use, by what is used of the next two kinds, by the sets and by the pair.
#[derive(Clone, Copy)]
struct Uses([Option<u8>; Uses::SLOTS]);

impl Uses {
    const AHEAD: usize = COPIES as usize + 1;
    const SLOTS: usize = Uses::AHEAD * Uses::AHEAD * (SETS + 1) * 2;

    /// Keeps a use, unless another one leaves the same tiles and uses as many.
    fn keep(&mut self, used: TileUse) {
        let [next, after, _] = used.ahead.map(usize::from);
        let slot = ((next * Uses::AHEAD + after) * (SETS + 1) + used.sets) * 2 + used.pair;
        self.0[slot] = self.0[slot].max(Some(used.tiles));
    }

    fn iter(&self) -> impl Iterator<Item = TileUse> + '_ {
        self.0.iter().enumerate().filter_map(|(slot, tiles)| {
            let both = slot / (2 * (SETS + 1));
            let ahead = [(both / Uses::AHEAD) as u8, (both % Uses::AHEAD) as u8, 0];
            Some(TileUse { ahead, sets: slot / 2 % (SETS + 1), pair: slot % 2, tiles: (*tiles)? })
        })
    }
}

/// Finds the best uses of nine kinds, one kind after the other; chows only if `is_suit`.
fn usable_of(counts: [u8; 9], is_suit: bool) -> Usable {
    let parts = if is_suit { &PARTS } else { &PARTS[..PARTS_OF_ONE_KIND] };
    let mut uses = Uses([None; Uses::SLOTS]);
    uses.keep(TileUse::NONE);
    for at in 0..counts.len() {
        let mut next = Uses([None; Uses::SLOTS]);
        for used in uses.iter() {
            use_kind(parts, &counts, at, used, &mut next);
        }
        uses = next;
    }
    let mut usable: Usable = [[None; 2]; SETS + 1];
    for used in uses.iter() {
        let best = &mut usable[used.sets][used.pair];
        *best = (*best).max(Some(used.tiles));
    }
    usable
}

/// Adds every choice of parts from kind `at` on to what was used before it, in the order of the
/// parts.
fn use_kind(parts: &[Part], counts: &[u8; 9], at: usize, used: TileUse, found: &mut Uses) {
    found.keep(used.next());
    for (n, &part) in parts.iter().enumerate() {
        if let Some(with) = used.with(part, counts, at) {
            use_kind(&parts[n..], counts, at, with, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tilesight_core::hand::HandSetup;
    use tilesight_core::rules::Book;

    use super::*;
    use crate::wins::wins;

    fn distance(tiles: &Counts, sets: usize, shapes: Shapes) -> usize {
        WinDistance::default().measure(tiles, sets, shapes)
    }

    fn counts(hand: &str) -> Counts {
        hand.split_whitespace().map(|code| code.parse::<Tile>().expect(code)).collect()
    }

    #[test]
    fn known_hands_have_known_distances() {
        for (hand, sets, expected) in [
            ("1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C C", 4, 0),
            ("1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C F", 4, 1),
            ("1m 2m 3m 4p 5p 6p 7s 8s 9s E E E C", 4, 1),
            ("1m 1m 3m 3m 9p 9p 2s 2s W W N N C C", 4, 0),
            ("1m 1m 3m 3m 9p 9p 2s 2s W W N N C F", 4, 1),
            ("1m 2m 3m 4p 5p 6p 7s 8s 9s E E E 2p 2p 2p C C", 5, 0),
            ("1m 2m 3m 4p 5p 6p 7s 8s 9s E E E 2p 2p 2p C", 5, 1),
            ("1m 1m 3m 3m 9p 9p 2s 2s W W N N C C F F F", 5, 0),
            ("1m 1m 3m 3m 9p 9p 2s 2s W W N N C C F F", 5, 1),
            ("1m 2m 3m 4p 5p 6p 7s 8s 9s C C", 3, 0),
            ("1m 2m 3m 4p 5p 6p C C", 2, 0),
            ("1m 2m 4p 6p C C E E", 2, 2),
            ("", 4, 14),
            ("1m 4m 7m 2p 5p 8p 3s 6s 9s E S W N C", 4, 7),
        ] {
            assert_eq!(distance(&counts(hand), sets, Shapes::ALL), expected, "{hand}");
        }
    }

    #[test]
    fn pairs_are_not_a_hand_where_seven_pairs_do_not_win() {
        let pairs = counts("1m 1m 3m 3m 9p 9p 2s 2s W W N N C C");
        let without = Shapes { seven_pairs: false, ..Shapes::ALL };
        // Four pairs begin a set each, and the fifth is the pair: each set needs one more tile.
        assert_eq!(distance(&pairs, 4, without), 4);
    }

    proptest! {
        /// Checks that a hand that wins with four sets and a pair has distance 0, and that
        /// exchanging one tile adds at most one.
        #[test]
        fn exchanging_a_tile_changes_one(
            starts in prop::collection::vec(0usize..34, 5), at in 0usize..14, other in 0usize..34,
        ) {
            let mut tiles: Vec<Tile> = Vec::new();
            for &start in &starts[..4] {
                let low = Tile::ALL[start];
                match tilesight_core::meld::Chow::new(low) {
                    Some(chow) if start % 2 == 0 => tiles.extend(chow.tiles()),
                    _ => tiles.extend([low; 3]),
                }
            }
            tiles.extend([Tile::ALL[starts[4]]; 2]);
            let counts: Counts = tiles.iter().copied().collect();
            prop_assume!(Tile::ALL.iter().all(|&tile| counts.count(tile) <= 4));
            prop_assert_eq!(distance(&counts, 4, Shapes::ALL), 0);
            let setup = HandSetup { concealed: tiles.clone(), ..HandSetup::default() };
            prop_assert!(wins(&setup, Book::shipped().usual()));
            tiles[at] = Tile::ALL[other];
            prop_assert!(distance(&tiles.into_iter().collect(), 4, Shapes::ALL) <= 1);
        }
    }
}
