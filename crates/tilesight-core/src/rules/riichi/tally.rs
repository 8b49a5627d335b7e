//! The lines of one reading, and what it is worth, without explanations.
//!
//! Input: [`Facts`](crate::rules::decompose::facts::Facts) and a reading. Output: a [`Tally`];
//! `None` for a reading without a yaku. The explaining layer builds on the same tally, so both
//! always agree. Nothing here allocates.

use crate::rules::decompose::decompositions::Decomposition;
use crate::rules::decompose::kinds::{DRAGONS, TERMINALS, TERMINALS_AND_HONORS, WINDS, is_within};

use super::fu;
use super::line::Line::*;
use super::line::LineSet;
use super::options::Options;
use super::readings::{Completed, is_open_wait};
use super::scorer::Scorer;
use super::value::HandValue;
use super::whole_hand::Shared;

/// Kinds of chows that start at 1 or at 7, one bit each.
const OUTER_CHOWS: u32 = 0b100_0001 | 0b100_0001 << 7 | 0b100_0001 << 14;
/// Kinds of chows of one suit.
const CHOWS_OF_A_SUIT: u32 = 0x7f;
/// The chows 123, 456 and 789 of a suit.
const STRAIGHT: u32 = 0b100_1001;

/// The lines and the value of a reading.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tally {
    /// Yakuman, if there are some; otherwise yaku. Dora are not among them.
    pub(super) lines: LineSet,
    /// Yaku that do not count beside a yakuman.
    pub(super) dropped: LineSet,
    pub(super) value: HandValue,
}

impl Scorer<'_> {
    /// Returns the tally of a reading; `None` if it has no yaku.
    pub(super) fn tally(
        &self,
        decomposition: &Decomposition,
        completed: Completed,
    ) -> Option<Tally> {
        let Shared { mut yaku, mut yakuman } = self.shared;
        match completed {
            Completed::SevenPairs => yaku.add_if(Chiitoitsu, true),
            Completed::Orphans => {
                let thirteen = self.facts.copies(self.facts.winning) == 2 || self.any_last_tile;
                yakuman.add_if(Kokushi13, thirteen);
                yakuman.add_if(Kokushi, !thirteen);
            }
            _ => {
                self.add_chows(decomposition, completed, &mut yaku);
                self.add_pungs(decomposition, completed, &mut yaku, &mut yakuman);
                self.add_outside(decomposition, &mut yaku);
            }
        }
        if !yakuman.is_empty() {
            let Options { double_yakuman, stacked_yakuman, .. } = *self.options;
            let count = yakuman.yakuman(double_yakuman, stacked_yakuman);
            let value = HandValue::from_yakuman(count, self.payers);
            return Some(Tally { lines: yakuman, dropped: yaku, value });
        }
        if yaku.is_empty() {
            return None;
        }
        let fu = fu::walk(self, decomposition, completed, yaku, &mut |_, _, _| ());
        let han = yaku.han(self.closed) + self.dora.han();
        let value = HandValue::from_han(han, fu, self.payers, self.options);
        Some(Tally { lines: yaku, dropped: LineSet::NONE, value })
    }

    /// Adds pinfu and the yaku of two and three chows.
    fn add_chows(&self, decomposition: &Decomposition, completed: Completed, yaku: &mut LineSet) {
        let chows = &decomposition.chows[..decomposition.chow_count];
        if chows.len() < 2 {
            return;
        }
        if self.closed {
            let pairs = equal_pairs(decomposition.chows);
            yaku.add_if(Iipeikou, pairs == 1);
            yaku.add_if(Ryanpeikou, pairs == 2);
            let worth = DRAGONS | self.seat_wind | self.prevalent_wind;
            let open_wait = matches!(
                completed, Completed::Chow(chow) if is_open_wait(chow, self.facts.winning));
            yaku.add_if(Pinfu, chows.len() == 4 && decomposition.pair & worth == 0 && open_wait);
        }
        if chows.len() >= 3 {
            let kinds = decomposition.chow_kinds();
            yaku.add_if(SanshokuDoujun, kinds & kinds >> 7 & kinds >> 14 & CHOWS_OF_A_SUIT != 0);
            let straight = [0, 7, 14].iter().any(|suit| kinds >> suit & STRAIGHT == STRAIGHT);
            yaku.add_if(Ittsu, straight);
        }
    }

    fn add_pungs(
        &self,
        decomposition: &Decomposition,
        completed: Completed,
        yaku: &mut LineSet,
        yakuman: &mut LineSet,
    ) {
        let pungs = decomposition.pungs;
        if pungs == 0 {
            return;
        }
        yaku.add_if(Toitoi, decomposition.chow_count == 0);
        let concealed = self.concealed_pungs(decomposition, completed).count_ones();
        yaku.add_if(Sanankou, concealed == 3);
        let tanki = completed == Completed::Pair || self.any_last_tile;
        yakuman.add_if(SuuankouTanki, concealed == 4 && tanki);
        yakuman.add_if(Suuankou, concealed == 4 && !tanki);
        yaku.add_if(SanshokuDoukou, pungs & pungs >> 9 & pungs >> 18 & 0x1ff != 0);
        if pungs & TERMINALS_AND_HONORS & !TERMINALS != 0 {
            self.add_honors(decomposition, yaku, yakuman);
        }
    }

    /// Adds the yaku and yakuman of pungs of winds and dragons.
    fn add_honors(&self, decomposition: &Decomposition, yaku: &mut LineSet, yakuman: &mut LineSet) {
        let pungs = decomposition.pungs;
        let pair = decomposition.pair;
        let dragons = pungs & DRAGONS;
        yaku.add_if(RedDragon, dragons >> 31 & 1 == 1);
        yaku.add_if(GreenDragon, dragons >> 32 & 1 == 1);
        yaku.add_if(WhiteDragon, dragons >> 33 & 1 == 1);
        yaku.add_if(SeatWind, pungs & self.seat_wind != 0);
        yaku.add_if(PrevalentWind, pungs & self.prevalent_wind != 0);
        yaku.add_if(Shousangen, dragons.count_ones() == 2 && pair & DRAGONS != 0);
        yakuman.add_if(Daisangen, dragons == DRAGONS);
        let winds = (pungs & WINDS).count_ones();
        yakuman.add_if(Shousuushii, winds == 3 && pair & WINDS != 0);
        yakuman.add_if(Daisuushii, winds == 4);
    }

    /// Adds chanta or junchan.
    fn add_outside(&self, decomposition: &Decomposition, yaku: &mut LineSet) {
        let sets = decomposition.pungs | decomposition.pair;
        let outside = decomposition.chow_count > 0
            && is_within(sets, TERMINALS_AND_HONORS)
            && decomposition.chow_kinds() & !OUTER_CHOWS == 0;
        let honors = !is_within(sets, TERMINALS);
        yaku.add_if(Chanta, outside && honors);
        yaku.add_if(Junchan, outside && !honors);
    }
}

/// Returns the number of pairs of equal chows, each chow in one pair at most.
const fn equal_pairs(chows: [u8; 4]) -> u32 {
    use crate::rules::decompose::decompositions::NO_CHOW;
    let mut pairs = 0;
    let mut used = 0_u8;
    let mut at = 0;
    while at < 4 {
        let mut other = at + 1;
        while other < 4 {
            let free = used >> at & 1 == 0 && used >> other & 1 == 0;
            if free && chows[at] == chows[other] && chows[at] != NO_CHOW {
                pairs += 1;
                used |= 1 << at | 1 << other;
            }
            other += 1;
        }
        at += 1;
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_equal_chows_are_two_pairs() {
        for (chows, pairs) in [
            ([1, 2, 3, 21], 0),
            ([1, 2, 1, 4], 1),
            ([5, 5, 5, 21], 1),
            ([1, 1, 1, 2], 1),
            ([1, 2, 2, 1], 2),
            ([7; 4], 2),
            ([3, 21, 21, 21], 0),
        ] {
            assert_eq!(equal_pairs(chows), pairs, "{chows:?}");
        }
    }
}
