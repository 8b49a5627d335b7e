//! The special hands of seventeen tiles: seven pairs with a pung, and thirteen orphans with another
//! set. Neither has a set on the table.

use crate::rules::decompose::decompositions::remove_tiles;
use crate::rules::decompose::facts::{self, Facts, GROUPS, HONOR_GROUP};
use crate::rules::decompose::kinds::{Kinds, TERMINALS_AND_HONORS, is_within, spread};
use crate::rules::decompose::packed::PackedCounts;
use crate::tile::Tile;

/// A special hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Special {
    /// Seven pairs, two of which may be alike, and the pung of this kind.
    SevenPairs(Kinds),
    /// Each terminal and honor, and the rest: one of them again, and a set.
    ThirteenOrphans {
        /// Kind that is there twice.
        pair: Kinds,
        /// First tile of the set.
        set: usize,
        /// Whether the set is a pung.
        is_pung: bool,
    },
}

/// The special hands that are played.
#[derive(Debug, Clone, Copy)]
pub(super) struct Played {
    pub(super) seven_pairs: bool,
    pub(super) thirteen_orphans: bool,
}

/// Returns the special hands that the tiles are, and that are played.
pub(super) fn find(facts: &Facts, played: Played) -> [Option<Special>; 2] {
    if facts.melds.count > 0 {
        return [None; 2];
    }
    find_special(&facts.hidden, played)
}

/// Returns whether another tile than the winning one makes a special hand of the others; with
/// `exhausted` even one of which the hand has all four.
pub(super) fn has_other_wait(facts: &Facts, played: Played, exhausted: bool) -> bool {
    if facts.melds.count > 0 || !(played.seven_pairs || played.thirteen_orphans) {
        return false;
    }
    let waiting = facts.waiting();
    let mut others = (0..Tile::KINDS)
        .filter(|&tile| tile != facts.winning && (exhausted || facts.copies(tile) < 4));
    others.any(|tile| {
        let mut tiles = waiting;
        tiles[tile / 9] = tiles[tile / 9].plus(tile % 9, 1);
        find_special(&tiles, played).iter().any(Option::is_some)
    })
}

fn find_special(tiles: &[PackedCounts; GROUPS], played: Played) -> [Option<Special>; 2] {
    [
        if played.seven_pairs { seven_pairs(tiles) } else { None },
        if played.thirteen_orphans { thirteen_orphans(tiles) } else { None },
    ]
}

/// Returns seven pairs and a pung: one kind three times, and all others twice or four times.
fn seven_pairs(tiles: &[PackedCounts; GROUPS]) -> Option<Special> {
    let odd = (0..GROUPS).fold(0, |odd: Kinds, group| odd | tiles[group].odd_kinds(group));
    let threes =
        (0..GROUPS).fold(0, |all: Kinds, group| all | spread(tiles[group].threes(), group));
    (odd.count_ones() == 1 && odd == threes).then_some(Special::SevenPairs(odd))
}

/// Returns thirteen orphans, one of them twice, and a chow or a pung.
fn thirteen_orphans(tiles: &[PackedCounts; GROUPS]) -> Option<Special> {
    if !is_within(TERMINALS_AND_HONORS, facts::kinds(tiles)) {
        return None;
    }
    let left = remove_tiles(tiles, TERMINALS_AND_HONORS);
    let pairs = (0..Tile::KINDS).filter(|&kind| {
        TERMINALS_AND_HONORS >> kind & 1 == 1 && left[kind / 9].count_at(kind % 9) > 0
    });
    let mut with_set = pairs.filter_map(|kind| {
        let pair = 1 << kind;
        let (set, is_pung) = single_set(&remove_tiles(&left, pair))?;
        Some(Special::ThirteenOrphans { pair, set, is_pung })
    });
    with_set.next()
}

/// Returns the first tile of the set that three tiles are, and whether it is a pung.
fn single_set(tiles: &[PackedCounts; GROUPS]) -> Option<(usize, bool)> {
    let group = tiles.iter().position(|group| group.0 != 0)?;
    let low = tiles[group].0.trailing_zeros() as usize / 3;
    let alone = tiles.iter().filter(|group| group.0 != 0).count() == 1;
    let is_pung = tiles[group] == PackedCounts::default().plus(low, 3);
    let is_chow =
        group != HONOR_GROUP && low <= 6 && tiles[group] == PackedCounts::default().plus_chow(low);
    (alone && (is_pung || is_chow)).then_some((9 * group + low, is_pung))
}
