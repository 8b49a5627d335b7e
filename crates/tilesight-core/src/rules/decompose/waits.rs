//! The wait of a hand: whether the winning tile was the only kind that could complete it.
//!
//! Edge, Closed and Single Wait (77 to 79) require a hand that waits for exactly one kind of tile,
//! regardless of the decomposition. Every kind that would complete the tiles counts, even one of
//! which all four copies are in the hand already ("formal" waits; see
//! [`Options::formal_waits`](crate::rules::mcr::Options)). A finite automaton that reads the counts
//! of the nine numbers one by one decides whether a suit is complete.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::rules::Shapes;

use super::decompositions::remove_tiles;
use super::facts::{Facts, GROUPS, HONOR_GROUP};
use super::kinds::{KNITTED, Kinds, is_within};
use super::packed::PackedCounts;

/// The form of the tiles of a suit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Completeness {
    No,
    /// Sets only, or no tiles.
    Sets,
    /// Sets and one pair.
    SetsAndPair,
}

/// Returns whether the winning tile is the only kind that completes the hand.
pub(in crate::rules) fn is_only_wait(facts: &Facts, formal: bool) -> bool {
    is_only_wait_besides(facts, formal, Shapes::ALL)
}

/// Like [`is_only_wait`], for a game with other special hands. A hand that waits for thirteen
/// orphans does not wait for sets.
pub(in crate::rules) fn is_only_wait_besides(facts: &Facts, formal: bool, besides: Shapes) -> bool {
    let waiting = facts.waiting();
    let counts = |tile: usize| tile != facts.winning && (formal || facts.copies(tile) < 4);
    !(completes_sets(&waiting, &counts)
        || besides.seven_pairs
            && facts.melds.count == 0
            && (besides.same_pair_twice || super::facts::kinds(&waiting).count_ones() == 7)
            && completes_pairs(&waiting, &counts)
        || besides.knitted && facts.melds.count <= 1 && completes_knitted(&waiting, &counts))
}

/// Returns whether a tile that `counts` accepts would make four sets and a pair of the concealed
/// tiles.
fn completes_sets(waiting: &[PackedCounts; GROUPS], counts: &impl Fn(usize) -> bool) -> bool {
    let whole: [Completeness; GROUPS] =
        std::array::from_fn(|group| complete(waiting[group], group));
    (0..GROUPS).any(|group| {
        find_wanted(&whole, group)
            .is_some_and(|wanted| completes_group(waiting[group], group, wanted, counts))
    })
}

/// Returns the form that a group must get; `None` if the others can't be part of a complete hand:
/// they must be complete, with at most one pair.
fn find_wanted(whole: &[Completeness; GROUPS], group: usize) -> Option<Completeness> {
    let mut wanted = Completeness::SetsAndPair;
    for other in (0..GROUPS).filter(|&other| other != group) {
        match whole[other] {
            Completeness::Sets => {}
            Completeness::SetsAndPair if wanted == Completeness::SetsAndPair => {
                wanted = Completeness::Sets;
            }
            Completeness::SetsAndPair | Completeness::No => return None,
        }
    }
    Some(wanted)
}

/// Returns whether one more tile gives a group the wanted form.
fn completes_group(
    tiles: PackedCounts,
    group: usize,
    wanted: Completeness,
    counts: &impl Fn(usize) -> bool,
) -> bool {
    let missing = if wanted == Completeness::Sets { 2 } else { 1 };
    if tiles.total() % 3 != missing {
        return false;
    }
    let positions = if group == HONOR_GROUP { 7 } else { 9 };
    // The numbers of sets add up to a multiple of three; a pair adds any number.
    let (first, step) =
        if wanted == Completeness::Sets { (tiles.positions_to_sets()[0], 3) } else { (0, 1) };
    (first..positions).step_by(step).any(|position| {
        counts(9 * group + position) && complete(tiles.plus(position, 1), group) == wanted
    })
}

/// Returns whether a tile that `counts` accepts would make the seventh pair.
fn completes_pairs(waiting: &[PackedCounts; GROUPS], counts: &impl Fn(usize) -> bool) -> bool {
    let odd: Kinds = (0..GROUPS).fold(0, |odd, group| odd | waiting[group].odd_kinds(group));
    odd.count_ones() == 1 && counts(odd.trailing_zeros() as usize)
}

/// Returns whether a tile that `counts` accepts would complete a hand with a knitted straight.
fn completes_knitted(waiting: &[PackedCounts; GROUPS], counts: &impl Fn(usize) -> bool) -> bool {
    let kinds = super::facts::kinds(waiting);
    KNITTED.into_iter().any(|knit| {
        let missing = knit & !kinds;
        match missing.count_ones() {
            0 => completes_sets(&remove_tiles(waiting, knit), counts),
            1 => {
                let tile = missing.trailing_zeros() as usize;
                counts(tile) && is_complete(&remove_tiles(waiting, knit & kinds))
            }
            _ => false,
        }
    })
}

/// Returns whether the tiles are sets and one pair.
fn is_complete(groups: &[PackedCounts; GROUPS]) -> bool {
    let whole: [Completeness; GROUPS] = std::array::from_fn(|group| complete(groups[group], group));
    let pairs = whole.iter().filter(|&&group| group == Completeness::SetsAndPair).count();
    pairs == 1 && !whole.contains(&Completeness::No)
}

/// Returns the form of the tiles of a group.
fn complete(tiles: PackedCounts, group: usize) -> Completeness {
    if group != HONOR_GROUP {
        return AUTOMATON.read(tiles);
    }
    let pairs = tiles.twos();
    if !is_within(Kinds::from(tiles.kinds()), Kinds::from(tiles.threes() | pairs)) {
        return Completeness::No;
    }
    match pairs.count_ones() {
        0 => Completeness::Sets,
        1 => Completeness::SetsAndPair,
        _ => Completeness::No,
    }
}

/// Open chows after some numbers of a suit have been read: how many began at the last number, how
/// many at the one before; and whether the pair is used.
type Open = (u8, u8, bool);

/// An automaton that decides from the counts of a suit whether it is complete. A state is the set
/// of all ways to read the numbers so far.
struct Automaton {
    /// Next state by state and count; state 0 is the start.
    next: Vec<[u16; COUNTS]>,
    /// Form of a suit that ends in a state.
    ends: Vec<Completeness>,
}

/// Number of different counts, which are three bits wide. A hand has at most four copies, and a
/// formal wait adds a fifth.
const COUNTS: usize = 8;

/// The automaton, built on first use.
static AUTOMATON: LazyLock<Automaton> = LazyLock::new(Automaton::new);

impl Automaton {
    fn new() -> Automaton {
        let mut states: Vec<Vec<Open>> = vec![vec![(0, 0, false)]];
        let mut numbers: HashMap<Vec<Open>, u16> = HashMap::from([(states[0].clone(), 0)]);
        let mut next = Vec::new();
        while next.len() < states.len() {
            let state = states[next.len()].clone();
            next.push(std::array::from_fn(|count| {
                let after = read(&state, count as u8);
                *numbers.entry(after.clone()).or_insert_with(|| {
                    states.push(after);
                    (states.len() - 1) as u16
                })
            }));
        }
        let ends = states.iter().map(|state| end(state)).collect();
        Automaton { next, ends }
    }

    fn read(&self, tiles: PackedCounts) -> Completeness {
        let state = (0..9).fold(0, |state, number| self.step(state, tiles.count_at(number)));
        self.ends[usize::from(state)]
    }

    fn step(&self, state: u16, count: usize) -> u16 {
        self.next[usize::from(state)][count]
    }
}

/// Returns the state after a number with `count` tiles.
fn read(state: &[Open], count: u8) -> Vec<Open> {
    let mut after = Vec::new();
    for &(last, before, pair) in state {
        // Open chows take their tiles; the rest forms a pung, the pair, or starts chows.
        let Some(left) = count.checked_sub(last + before) else { continue };
        for (taken, with_pair) in [(0, pair), (2, true), (3, pair), (5, true)] {
            let Some(chows) = left.checked_sub(taken) else { continue };
            let pair_again = pair && matches!(taken, 2 | 5);
            // A hand never has more than four open chows.
            if chows + last <= 4 && !pair_again {
                after.push((chows, last, with_pair));
            }
        }
    }
    after.sort_unstable();
    after.dedup();
    after
}

/// Returns the form of a suit that ends in a state; no chow may be left open.
fn end(state: &[Open]) -> Completeness {
    if state.contains(&(0, 0, false)) {
        Completeness::Sets
    } else if state.contains(&(0, 0, true)) {
        Completeness::SetsAndPair
    } else {
        Completeness::No
    }
}

#[cfg(test)]
mod tests {
    use super::super::splits::Splits;
    use super::super::splits::tests::for_every_suit;
    use super::*;

    #[test]
    fn the_automaton_knows_which_suits_are_complete() {
        for_every_suit(&mut |counts| {
            let splits =
                counts.total() % 3 != 1 && !<Splits>::for_suit(counts).as_slice().is_empty();
            let expected = match (splits, counts.total() % 3) {
                (true, 0) => Completeness::Sets,
                (true, _) => Completeness::SetsAndPair,
                (false, _) => Completeness::No,
            };
            assert_eq!(AUTOMATON.read(counts), expected, "{:o}", counts.0);
        });
    }

    #[test]
    fn a_fifth_copy_is_a_formal_wait() {
        // A fifth 1 completes 1111: a pung and a pair.
        let five = PackedCounts::default().plus(0, 5);
        assert_eq!(AUTOMATON.read(five), Completeness::SetsAndPair);
    }
}
