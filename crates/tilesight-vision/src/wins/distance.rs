//! The distance of tiles from a win: shanten plus one. The layout measures with it whether tiles
//! belong together although one is misread or missing.
//!
//! Input: tiles and the number of sets that they should make. Output: the number of tiles that must
//! be added or exchanged for that many chows and pungs and a pair, or for seven pairs in games that
//! have them. For each suit, depth-first search finds the most tiles that every number of sets can
//! use, and the result is cached; the suits are combined by dynamic programming. Invariant: 0
//! exactly when the tiles contain such a hand; each added tile lowers the number by at most one.

use std::collections::HashMap;

use tilesight_core::rules::Shapes;
use tilesight_core::tile::Tile;
use tilesight_core::tiles::Counts;

/// Number of sets in a hand.
const SETS: usize = 4;

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
    /// set that has no tile yet.
    pub fn measure(&mut self, tiles: &Counts, sets: usize, shapes: Shapes) -> usize {
        let counts = tiles.as_array();
        let mut usable: Usable = [[None; 2]; SETS + 1];
        usable[0][0] = Some(0);
        for suit in counts[..27].chunks(9) {
            let mut rest = [0; 9];
            rest.copy_from_slice(suit);
            if rest != [0; 9] {
                let best = self.suits.entry(rest).or_insert_with(|| usable_of(rest, true));
                usable = combined(&usable, best);
            }
        }
        for &count in &counts[27..] {
            if count >= 2 {
                usable = combined(&usable, &usable_of([count, 0, 0, 0, 0, 0, 0, 0, 0], false));
            }
        }
        distance_beside(&usable, tiles, sets.min(SETS), shapes)
    }
}

/// Returns the distance that remains when the most tiles are used.
fn distance_beside(usable: &Usable, tiles: &Counts, sets: usize, shapes: Shapes) -> usize {
    let fitting = (0..=sets).flat_map(|formed| {
        let used = usable[formed];
        (0..2).filter_map(move |pair| Some(usize::from(used[pair]?) + (sets - formed) + (1 - pair)))
    });
    let max_fitting = fitting.max().unwrap_or(0).min(tiles.total());
    let standard = 3 * sets + 2 - max_fitting.min(3 * sets + 2);
    let may_be_pairs = sets == SETS && shapes.seven_pairs;
    if may_be_pairs { standard.min(distance_to_pairs(tiles.as_array())) } else { standard }
}

/// Returns the distance to thirteen orphans, one of which must be a pair.
pub(crate) fn distance_to_orphans(tiles: &Counts) -> usize {
    let orphans = || orphans().map(|tile| tiles.count(tile));
    let pair = usize::from(orphans().any(|count| count >= 2));
    14 - orphans().filter(|&count| count > 0).count() - pair
}

/// Returns the thirteen kinds of terminals and honors.
pub(super) fn orphans() -> impl Iterator<Item = Tile> {
    Tile::ALL.into_iter().filter(|tile| tile.is_terminal_or_honor())
}

/// Returns whether fourteen tiles come near to thirteen orphans or to knitted tiles, which win
/// without sets and a pair.
pub(crate) fn may_win_otherwise(tiles: &Counts) -> bool {
    // Hands of knitted tiles show at least seven of the nine: one suit's 1 4 7, another's 2 5 8 and
    // the third's 3 6 9.
    let has = |suit: usize, first: usize| {
        (0..3).filter(|step| tiles.as_array()[9 * suit + first + 3 * step] > 0).count()
    };
    const ORDERS: [[usize; 3]; 6] =
        [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let knitted = ORDERS.iter().map(|order| (0..3).map(|suit| has(suit, order[suit])).sum());
    orphans().all(|tile| tiles.count(tile) > 0) || knitted.max().unwrap_or(0) >= 7_usize
}

/// Returns the distance to seven pairs.
fn distance_to_pairs(counts: &[u8; Tile::KINDS]) -> usize {
    let paired: usize = counts.iter().map(|&count| usize::from(count / 2)).sum();
    let single = counts.iter().filter(|&&count| count % 2 == 1).count();
    let pairs = paired.min(7);
    14 - 2 * pairs - single.min(7 - pairs)
}

/// Returns the most tiles that two groups of tiles use together.
fn combined(a: &Usable, b: &Usable) -> Usable {
    let mut sum: Usable = [[None; 2]; SETS + 1];
    for (sets_a, row_a) in a.iter().enumerate() {
        for (sets_b, row_b) in b.iter().enumerate().take(SETS + 1 - sets_a) {
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

/// Finds the best uses of nine kinds in order; chows only if `is_suit`.
fn usable_of(counts: [u8; 9], is_suit: bool) -> Usable {
    let mut usable: Usable = [[None; 2]; SETS + 1];
    let mut search = DistanceSearch { counts, is_suit, usable: &mut usable };
    search.count_from(0, TileUse { sets: 0, pair: 0, tiles: 0 });
    usable
}

struct DistanceSearch<'a> {
    counts: [u8; 9],
    is_suit: bool,
    usable: &'a mut Usable,
}

/// Sets, pair and tiles in use.
#[derive(Clone, Copy)]
struct TileUse {
    sets: usize,
    pair: usize,
    tiles: u8,
}

impl TileUse {
    fn with_set(self, tiles: u8) -> TileUse {
        TileUse { sets: self.sets + 1, tiles: self.tiles + tiles, ..self }
    }

    fn with_pair(self) -> TileUse {
        TileUse { pair: 1, tiles: self.tiles + 2, ..self }
    }
}

impl DistanceSearch<'_> {
    /// Uses the tiles from kind `at` on, in addition to those already used.
    fn count_from(&mut self, at: usize, used: TileUse) {
        let best = &mut self.usable[used.sets][used.pair];
        *best = (*best).max(Some(used.tiles));
        let Some(at) = (at..9).find(|&kind| self.counts[kind] > 0) else { return };
        if used.sets < SETS {
            self.use_in_set(at, used);
        }
        if used.pair == 0 && self.counts[at] >= 2 {
            self.using(&[(at, 2)], at, used.with_pair());
        }
        self.count_from(at + 1, used);
    }

    /// Uses tiles of kind `at` in every set and partial set that begins with it.
    fn use_in_set(&mut self, at: usize, used: TileUse) {
        let has = |step: usize| self.is_suit && at + step < 9 && self.counts[at + step] > 0;
        let (next, after) = (has(1), has(2));
        if self.counts[at] >= 3 {
            self.using(&[(at, 3)], at, used.with_set(3));
        }
        if self.counts[at] >= 2 {
            self.using(&[(at, 2)], at, used.with_set(2));
        }
        if next && after {
            self.using(&[(at, 1), (at + 1, 1), (at + 2, 1)], at, used.with_set(3));
        }
        if next {
            self.using(&[(at, 1), (at + 1, 1)], at, used.with_set(2));
        }
        if after {
            self.using(&[(at, 1), (at + 2, 1)], at, used.with_set(2));
        }
    }

    /// Continues from kind `at` while some tiles are in use.
    fn using(&mut self, tiles: &[(usize, u8)], at: usize, used: TileUse) {
        for &(kind, count) in tiles {
            self.counts[kind] -= count;
        }
        self.count_from(at, used);
        for &(kind, count) in tiles {
            self.counts[kind] += count;
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
