//! Collections of tiles: numbers of tiles by kind ([`Counts`]) and sets of kinds ([`TileSet`]).
//!
//! Both are `Copy` and allocate no memory. Invariant: a count never wraps. The caller decides
//! whether more than four of a kind make sense.

use std::fmt;

use crate::tile::Tile;

/// Number of tiles of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Counts([u8; Tile::KINDS]);

impl Counts {
    /// Returns a collection without tiles.
    #[must_use]
    pub const fn new() -> Counts {
        Counts([0; Tile::KINDS])
    }

    /// Returns the number of tiles of a kind.
    #[must_use]
    pub const fn count(&self, tile: Tile) -> u8 {
        self.0[tile.index()]
    }

    /// Adds one tile. Saturates at 255, far beyond any table.
    pub const fn add(&mut self, tile: Tile) {
        self.0[tile.index()] = self.0[tile.index()].saturating_add(1);
    }

    /// Removes one tile. Returns `None` and changes nothing if there are no tiles of the kind.
    pub const fn remove(&mut self, tile: Tile) -> Option<()> {
        match self.0[tile.index()] {
            0 => None,
            left => {
                self.0[tile.index()] = left - 1;
                Some(())
            }
        }
    }

    /// Returns the total number of tiles.
    #[must_use]
    pub fn total(&self) -> usize {
        self.0.iter().map(|&count| usize::from(count)).sum()
    }

    /// Returns the number of tiles of the most frequent kind.
    #[must_use]
    pub fn max(&self) -> u8 {
        self.0.iter().fold(0, |max, &count| max.max(count))
    }

    /// Returns every tile in order, repeated by its count.
    pub fn iter(&self) -> impl Iterator<Item = Tile> + '_ {
        Tile::ALL.into_iter().flat_map(|tile| std::iter::repeat_n(tile, self.count(tile).into()))
    }

    /// Returns the kinds with at least one tile.
    #[must_use]
    pub fn kinds(&self) -> TileSet {
        Tile::ALL.into_iter().filter(|&tile| self.count(tile) > 0).collect()
    }

    /// Returns the raw counts by tile index.
    #[must_use]
    pub const fn as_array(&self) -> &[u8; Tile::KINDS] {
        &self.0
    }
}

impl Default for Counts {
    fn default() -> Counts {
        Counts::new()
    }
}

impl fmt::Debug for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Extend<Tile> for Counts {
    fn extend<I: IntoIterator<Item = Tile>>(&mut self, tiles: I) {
        for tile in tiles {
            self.add(tile);
        }
    }
}

impl FromIterator<Tile> for Counts {
    fn from_iter<I: IntoIterator<Item = Tile>>(tiles: I) -> Counts {
        let mut counts = Counts::new();
        counts.extend(tiles);
        counts
    }
}

/// A set of kinds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct TileSet(u64);

impl TileSet {
    /// The empty set.
    pub const EMPTY: TileSet = TileSet(0);

    /// Returns the set with one more kind.
    #[must_use]
    pub const fn with(self, tile: Tile) -> TileSet {
        TileSet(self.0 | 1 << tile.index())
    }

    /// Returns whether a kind is in the set.
    #[must_use]
    pub const fn contains(self, tile: Tile) -> bool {
        self.0 >> tile.index() & 1 == 1
    }

    /// Returns whether every kind of this set is in the other.
    #[must_use]
    pub const fn is_subset(self, other: TileSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// Returns the number of kinds.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the kinds in order.
    pub fn iter(self) -> impl Iterator<Item = Tile> {
        Tile::ALL.into_iter().filter(move |&tile| self.contains(tile))
    }
}

impl FromIterator<Tile> for TileSet {
    fn from_iter<I: IntoIterator<Item = Tile>>(tiles: I) -> TileSet {
        tiles.into_iter().fold(TileSet::EMPTY, TileSet::with)
    }
}

impl fmt::Debug for TileSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiles(codes: &str) -> Vec<Tile> {
        codes.split(' ').map(|code| code.parse().expect(code)).collect()
    }

    #[test]
    fn counts_give_back_what_they_took() {
        let hand = tiles("1m 1m 5p E P P P");
        let mut counts: Counts = hand.iter().copied().collect();
        assert_eq!(counts.iter().collect::<Vec<_>>(), hand);
        assert_eq!(counts.total(), 7);
        assert_eq!(counts.remove(hand[2]), Some(()));
        assert_eq!(counts.remove(hand[2]), None);
        assert_eq!(counts.total(), 6);
    }

    #[test]
    fn kinds_are_a_set() {
        let counts: Counts = tiles("E E 9s 9s 9s").into_iter().collect();
        assert_eq!(counts.kinds().iter().collect::<Vec<_>>(), tiles("9s E"));
        assert!(TileSet::EMPTY.is_subset(counts.kinds()));
        assert_eq!(counts.kinds().len(), 2);
    }
}
