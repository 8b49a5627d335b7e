//! Fu: the small points of a reading, part by part.
//!
//! Input: a reading. Output: every [`FuKind`] with its fu and the sets that give it, reported to a
//! function; the quick path adds them up, the explained score lists them. Invariant: both come from
//! the same walk, so the parts always add up to the fu.

use crate::rules::decompose::decompositions::Decomposition;
use crate::rules::decompose::kinds::{DRAGONS, Kinds, TERMINALS_AND_HONORS};

use super::figures::FuKind;
use super::line::{Line, LineSet};
use super::readings::{Completed, is_open_wait};
use super::scorer::Scorer;

/// The set that gives a part of the fu.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FuSet {
    /// No set.
    None,
    /// The pung or kong of this kind.
    Pung(Kinds),
    /// The pair.
    Pair,
    /// The set that the winning tile completed.
    Winning,
}

/// Returns the fu of a reading with these yaku, rounded up to tens. Reports every part.
pub(super) fn walk(
    scorer: &Scorer<'_>,
    decomposition: &Decomposition,
    completed: Completed,
    yaku: LineSet,
    part: &mut impl FnMut(FuKind, u32, FuSet),
) -> u32 {
    if completed == Completed::SevenPairs {
        part(FuKind::SevenPairs, 25, FuSet::None);
        return 25;
    }
    let facts = scorer.facts;
    let options = scorer.options;
    let mut sum = 0;
    let mut add = |kind, fu, set| {
        sum += fu;
        part(kind, fu, set);
    };
    add(FuKind::Base, 20, FuSet::None);
    let mut found = false;
    if scorer.closed && !facts.self_drawn {
        add(FuKind::ClosedOnDiscard, 10, FuSet::None);
    }
    for_pungs(scorer, decomposition, completed, &mut |kind, fu, set| {
        found = true;
        add(kind, fu, set);
    });
    if let Some((kind, fu)) = pair(scorer, decomposition.pair) {
        found = true;
        add(kind, fu, FuSet::Pair);
    }
    if let Some(kind) = wait(completed, facts.winning) {
        found = true;
        add(kind, 2, FuSet::Winning);
    }
    if facts.self_drawn {
        if !yaku.contains(Line::Pinfu) {
            add(FuKind::SelfDraw, 2, FuSet::None);
        }
    } else if !scorer.closed && !found && options.open_pinfu_shape_fu == 30 {
        add(FuKind::OpenPinfuShape, 2, FuSet::None);
    }
    let rounding = sum.next_multiple_of(10) - sum;
    if rounding > 0 {
        part(FuKind::Rounding, rounding, FuSet::None);
    }
    sum + rounding
}

/// Reports the fu of each pung and kong.
fn for_pungs(
    scorer: &Scorer<'_>,
    decomposition: &Decomposition,
    completed: Completed,
    part: &mut impl FnMut(FuKind, u32, FuSet),
) {
    let concealed = scorer.concealed_pungs(decomposition, completed);
    let kongs = scorer.facts.melds.kongs;
    let mut left = decomposition.pungs;
    while left != 0 {
        let pung = left & left.wrapping_neg();
        left &= left - 1;
        let (kind, fu) = match (kongs & pung != 0, concealed & pung != 0) {
            (false, false) => (FuKind::OpenPung, 2),
            (false, true) => (FuKind::ConcealedPung, 4),
            (true, false) => (FuKind::OpenKong, 8),
            (true, true) => (FuKind::ConcealedKong, 16),
        };
        let fu = if TERMINALS_AND_HONORS & pung != 0 { 2 * fu } else { fu };
        part(kind, fu, FuSet::Pung(pung));
    }
}

/// Returns the fu of the pair, if it has some.
fn pair(scorer: &Scorer<'_>, pair: Kinds) -> Option<(FuKind, u32)> {
    let winds = [scorer.seat_wind, scorer.prevalent_wind].map(|wind| pair & wind != 0);
    match winds {
        [true, true] => {
            Some((FuKind::DoubleWindPair, u32::from(scorer.options.double_wind_pair_fu)))
        }
        [false, false] => (pair & DRAGONS != 0).then_some((FuKind::DragonPair, 2)),
        _ => Some((FuKind::WindPair, 2)),
    }
}

/// Returns the wait that gives fu, if the winning tile completed one.
const fn wait(completed: Completed, winning: usize) -> Option<FuKind> {
    match completed {
        Completed::Pair => Some(FuKind::PairWait),
        Completed::Chow(chow) if is_open_wait(chow, winning) => None,
        Completed::Chow(chow) if winning as u8 % 9 == chow % 7 + 1 => Some(FuKind::ClosedWait),
        Completed::Chow(_) => Some(FuKind::EdgeWait),
        Completed::Pung | Completed::SevenPairs | Completed::Orphans => None,
    }
}
