//! The facts of a hand and its win context before the tiles are read into sets.
//!
//! Input: a legal [`Hand`] and a [`Context`]. Output: [`Facts`], small and without heap data, from
//! which decompositions, waits and fans are found. Invariant: no fact depends on how the concealed
//! tiles are read.

use crate::context::{Context, WinSource};
use crate::hand::{Hand, HandSize};
use crate::meld::Meld;
use crate::tile::Tile;

use super::kinds::{Kinds, spread};
use super::packed::PackedCounts;

/// Number of groups: the suits, then the honors.
pub(in crate::rules) const GROUPS: usize = 4;
/// Position of the honors among the groups.
pub(in crate::rules) const HONOR_GROUP: usize = 3;
/// Number of kinds of chows. They are numbered 0 to 20: suit times seven plus the number they start
/// at, from 0.
pub(in crate::rules) const CHOW_KINDS: usize = 21;

/// The facts of a hand.
#[derive(Clone, Copy)]
pub(in crate::rules) struct Facts {
    /// Concealed tiles, including the winning tile.
    pub(in crate::rules) hidden: [PackedCounts; GROUPS],
    /// All tiles except those of kongs.
    pub(in crate::rules) loose: [PackedCounts; GROUPS],
    /// All kinds in the hand.
    pub(in crate::rules) kinds: Kinds,
    /// Index of the winning tile.
    pub(in crate::rules) winning: usize,
    pub(in crate::rules) melds: MeldFacts,
    /// Number of tiles that the hand was played with.
    pub(in crate::rules) size: HandSize,
    pub(in crate::rules) flowers: u32,
    pub(in crate::rules) self_drawn: bool,
    /// Whether the winning tile was the last of its kind: the context says so, or three copies lie
    /// in the hand's own exposed sets, where everybody sees them. The rulings then give Last Tile
    /// even if the context says otherwise.
    pub(in crate::rules) last_of_kind: bool,
    pub(in crate::rules) context: Context,
}

/// Room for the chows of any hand, a power of two.
const ROOM_FOR_CHOWS: usize = HandSize::MAX.sets().next_power_of_two();

/// The facts of the melds.
#[derive(Clone, Copy, Default)]
pub(in crate::rules) struct MeldFacts {
    /// Kinds of the exposed chows, in the order of the melds.
    pub(in crate::rules) chows: [u8; ROOM_FOR_CHOWS],
    pub(in crate::rules) chow_count: usize,
    /// Kinds of the pungs and kongs.
    pub(in crate::rules) pungs: Kinds,
    pub(in crate::rules) kongs: Kinds,
    pub(in crate::rules) concealed_kongs: Kinds,
    /// Number of melds, including concealed kongs.
    pub(in crate::rules) count: usize,
}

/// Returns the group of a tile and its position there.
pub(in crate::rules) const fn place(tile: usize) -> (usize, usize) {
    (tile / 9, tile % 9)
}

/// Returns the kind of the chow that starts at a tile.
const fn chow_kind(low: usize) -> u8 {
    let (suit, number) = place(low);
    (suit * 7 + number) as u8
}

impl MeldFacts {
    fn add(&mut self, meld: Meld, loose: &mut [PackedCounts; GROUPS]) {
        let tile = meld.first_tile().index();
        let (group, position) = place(tile);
        let bit = 1 << tile;
        self.count += 1;
        match meld {
            Meld::Chow(_) => {
                self.chows[self.chow_count % ROOM_FOR_CHOWS] = chow_kind(tile);
                self.chow_count += 1;
                loose[group] = loose[group].plus_chow(position);
            }
            Meld::Pung { .. } => {
                self.pungs |= bit;
                loose[group] = loose[group].plus(position, 3);
            }
            Meld::Kong { .. } => {
                self.pungs |= bit;
                self.kongs |= bit;
                self.concealed_kongs |= if meld.is_concealed() { bit } else { 0 };
            }
        }
    }

    /// Returns whether no tile was claimed; concealed kongs leave a hand concealed.
    pub(in crate::rules) const fn is_concealed(&self) -> bool {
        self.count == self.concealed_kongs.count_ones() as usize
    }

    pub(in crate::rules) const fn melded_kongs(&self) -> Kinds {
        self.kongs & !self.concealed_kongs
    }
}

impl Facts {
    pub(in crate::rules) fn new(hand: &Hand, context: &Context) -> Facts {
        let winning = hand.winning().index();
        let (group, position) = place(winning);
        let mut hidden = pack(hand.concealed().as_array());
        hidden[group] = hidden[group].plus(position, 1);
        let mut loose = hidden;
        let mut melds = MeldFacts::default();
        for meld in hand.melds() {
            melds.add(meld, &mut loose);
        }
        let exposed = loose[group].count_at(position) - hidden[group].count_at(position);
        Facts {
            hidden,
            loose,
            kinds: kinds(&loose) | melds.kongs,
            winning,
            melds,
            size: hand.size(),
            flowers: u32::from(hand.flowers().count()),
            self_drawn: context.win.is_self_drawn(),
            last_of_kind: context.last_of_kind || exposed == 3,
            context: *context,
        }
    }

    /// Returns the number of copies of a kind in the hand, including the winning tile and kongs.
    pub(in crate::rules) const fn copies(&self, tile: usize) -> usize {
        let (group, position) = place(tile);
        if self.melds.kongs >> tile & 1 == 1 { 4 } else { self.loose[group].count_at(position) }
    }

    /// Returns the concealed tiles before the winning tile came.
    pub(in crate::rules) const fn waiting(&self) -> [PackedCounts; GROUPS] {
        let (group, position) = place(self.winning);
        let mut waiting = self.hidden;
        waiting[group] = waiting[group].minus_one(position);
        waiting
    }

    /// Returns the number of kinds that the hand has four times without a kong.
    pub(in crate::rules) const fn tile_hogs(&self, with_honors: bool) -> u32 {
        let [characters, dots, bamboo, honors] = &self.loose;
        let of_suits = characters.fours() + dots.fours() + bamboo.fours();
        of_suits + if with_honors { honors.fours() } else { 0 }
    }

    /// Returns whether the win robbed a kong.
    pub(in crate::rules) const fn is_robbed(&self) -> bool {
        matches!(self.context.win, WinSource::RobbedKong { .. })
    }
}

/// Packs counts by tile index into groups.
fn pack(counts: &[u8; Tile::KINDS]) -> [PackedCounts; GROUPS] {
    // The eight counts from index 26 are 9 of bamboo and the seven honors.
    let honors = PackedCounts(pack_eight(counts, 26).0 >> 3);
    [pack_suit(counts, 0), pack_suit(counts, 9), pack_suit(counts, 18), honors]
}

#[inline]
fn pack_suit(counts: &[u8; Tile::KINDS], from: usize) -> PackedCounts {
    pack_eight(counts, from).plus(8, u32::from(counts[from + 8]))
}

#[inline]
fn pack_eight(counts: &[u8; Tile::KINDS], from: usize) -> PackedCounts {
    let bytes = counts[from..].first_chunk().expect("the last eight start at index 26");
    PackedCounts::from_bytes(u64::from_le_bytes(*bytes))
}

pub(in crate::rules) const fn kinds(groups: &[PackedCounts; GROUPS]) -> Kinds {
    let [characters, dots, bamboo, honors] = groups;
    spread(characters.kinds(), 0)
        | spread(dots.kinds(), 1)
        | spread(bamboo.kinds(), 2)
        | spread(honors.kinds(), HONOR_GROUP)
}
