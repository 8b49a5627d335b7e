//! The worth of a hand by its lines: points, doubles, limits, and the total.
//!
//! Input: the lines of one variant, as a [`Sink`] receives them. Output: a [`HandWorth`], ordered
//! by total. A special hand of at least a whole limit is worth exactly its limits, and nothing is
//! added. A special hand of less counts if its limits are worth at least as much as the points of
//! the same tiles. Of variants with the same worth, the rarer special hand counts. Nothing here
//! allocates.

use std::cmp::Ordering;

use crate::rules::decompose::kinds::Kinds;
use crate::rules::{Doubling, Halves, Worth};

use super::everybody::{self, Formation, Sink};
use super::line::Line;
use super::scoring_sets::ScoringSets;
use super::variants::{Variant, Win};
use super::{Classical, Options, special, winner};

/// The worth of a hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct HandWorth {
    total: u32,
    /// Points after doubling, before the limit.
    uncut: u32,
    sum: Sum,
    /// Special hand that the total comes from.
    pub(super) special: Option<Line>,
}

impl HandWorth {
    /// Tally of a hand that counts nothing.
    pub(super) const NOTHING: HandWorth = HandWorth {
        total: 0,
        uncut: 0,
        sum: Sum { points: 0, doubles: 0, limits: Halves(0), special: None },
        special: None,
    };

    /// Returns the tally of a variant of a hand that won.
    pub(super) fn for_win(win: &Win<'_>, variant: &Variant) -> HandWorth {
        let mut special = SumSink { rules: win.rules, sum: Sum::default() };
        special::walk(win, variant, &mut special);
        let special = special.sum;
        if special.is_whole() || !variant.is_regular() {
            return HandWorth::new(win.options(), special);
        }
        let mut all = SumSink { rules: win.rules, sum: special };
        everybody::walk(win.options(), &variant.scoring, &win.player, &mut all);
        winner::walk(win, variant, &mut all);
        HandWorth::new(win.options(), all.sum)
    }

    /// Returns the tally of the hand of a player who has not won.
    pub(super) fn for_other(
        rules: &Classical,
        scoring: &ScoringSets,
        player: &everybody::Player,
    ) -> HandWorth {
        let mut all = SumSink { rules, sum: Sum::default() };
        everybody::walk(&rules.options, scoring, player, &mut all);
        HandWorth::new(&rules.options, all.sum)
    }

    fn new(options: &Options, sum: Sum) -> HandWorth {
        let uncut = 2_u32
            .checked_pow(sum.doubles)
            .and_then(|factor| sum.points.checked_mul(factor))
            .unwrap_or(u32::MAX);
        let counted = if options.roof_off { uncut } else { uncut.min(options.limit) };
        let limits = (options.limit * sum.limits.0).div_ceil(2);
        if sum.special.is_some() && (sum.is_whole() || limits >= counted) {
            let alone = Sum { points: 0, doubles: 0, ..sum };
            return HandWorth { total: limits, uncut: limits, sum: alone, special: sum.special };
        }
        let sum = Sum { limits: Halves(0), special: None, ..sum };
        HandWorth { total: counted, uncut, sum, special: None }
    }

    /// Returns what totals are compared by. Of equal ones, a concealed hand of one suit comes last.
    fn rank(&self) -> (u32, u32, bool) {
        (self.total, self.uncut, self.special != Some(Line::ConcealedOneSuit))
    }

    pub(super) const fn total(&self) -> u32 {
        self.total
    }

    /// Returns the calculation of the total.
    pub(super) fn doubling(&self, options: &Options) -> Doubling {
        Doubling {
            points: self.sum.points,
            doublings: Halves::whole(self.sum.doubles),
            limits: self.sum.limits,
            capped: self.total < self.uncut,
            limit: (!options.roof_off).then_some(options.limit),
        }
    }
}

impl Ord for HandWorth {
    fn cmp(&self, other: &HandWorth) -> Ordering {
        self.rank().cmp(&other.rank())
    }
}

impl PartialOrd for HandWorth {
    fn partial_cmp(&self, other: &HandWorth) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The sum of the reported lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Sum {
    points: u32,
    doubles: u32,
    /// Limits of the special hand that is worth most, the first among equals.
    limits: Halves,
    special: Option<Line>,
}

impl Sum {
    const fn is_whole(&self) -> bool {
        self.limits.0 >= 2
    }
}

/// A sink that adds up the reported lines.
struct SumSink<'a> {
    rules: &'a Classical,
    sum: Sum,
}

impl Sink for SumSink<'_> {
    fn each(&mut self, line: Line, sets: Kinds) {
        self.times(line, sets.count_ones());
    }

    fn once(&mut self, line: Line, _: Formation) {
        self.times(line, 1);
    }

    fn times(&mut self, line: Line, count: u32) {
        match self.rules.worth(line) {
            Worth::Points(points) => self.sum.points += points * count,
            Worth::Doublings(halves) => self.sum.doubles += halves.0 / 2 * count,
            Worth::Limits(limits) if limits > self.sum.limits => {
                self.sum.limits = limits;
                self.sum.special = Some(line);
            }
            _ => {}
        }
    }
}
