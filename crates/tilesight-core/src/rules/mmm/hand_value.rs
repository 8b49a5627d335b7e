//! The value of a decomposition: points and doublings, the minimum, and the table of values (1.3).
//!
//! Input: the count of each line. Output: a [`HandValue`]; the decomposition with the greatest one
//! counts. Invariant: a value is 0 exactly below the minimum, and every value can be paid in halves
//! and quarters (in thirds to East) without a remainder.

use crate::rules::{Doubling, Halves, Minimum, Unit};

use super::MINIMUM;
use super::line::LineCounts;
use super::options::{HalfSteps, Options};

/// Highest number of doublings that counts.
const HIGHEST: Halves = Halves::whole(12);

/// Values that the winner is paid for 1, 1½, 2 ... 12 doublings.
const VALUES: [u32; 23] = [
    20, 28, 40, 60, 80, 120, 160, 200, 240, 280, 320, 360, 400, 420, 440, 460, 480, 500, 520, 540,
    560, 580, 600,
];

/// Values that East is paid for the same doublings.
const VALUES_OF_EAST: [u32; 23] = [
    30, 42, 60, 90, 120, 180, 240, 300, 360, 420, 480, 540, 600, 630, 660, 690, 720, 750, 780, 810,
    840, 870, 900,
];

/// The value of a decomposition. Values are compared by their fields in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct HandValue {
    value: u32,
    /// Doublings and extra score that select the entry of the table of values, at most 12.
    total: Halves,
    points: u32,
    /// Doublings of 1.2.1 to 1.2.30.
    doublings: u32,
    extra: Halves,
    /// Doublings that count towards the minimum.
    reached: u32,
}

impl HandValue {
    pub(super) fn new(counts: &LineCounts, options: &Options, is_east: bool) -> HandValue {
        let points = counts.points();
        let doublings = counts.doublings();
        let extra = counts.extra();
        let uncut = Halves(Halves::whole(doublings).0 + extra.0);
        let total = stepped(uncut, options.half_steps).min(HIGHEST);
        let whole_extra = if options.extra_score_reaches_minimum { extra.0 / 2 } else { 0 };
        let reached = doublings + whole_extra;
        let value = if reached >= MINIMUM { value(total, is_east) } else { 0 };
        HandValue { value, total, points, doublings, extra, reached }
    }

    /// Returns the value that the winner is paid; 0 below the minimum.
    pub(super) const fn value(&self) -> u32 {
        self.value
    }

    pub(super) const fn minimum(&self) -> Minimum {
        Minimum { needed: MINIMUM, reached: self.reached, unit: Unit::Doublings }
    }

    pub(super) fn doubling(&self) -> Doubling {
        let doublings = Halves(Halves::whole(self.doublings).0 + self.extra.0);
        let capped = doublings > HIGHEST;
        Doubling { points: self.points, doublings, limits: Halves(0), capped, limit: None }
    }
}

/// Returns the doublings, with a half rounded according to the options.
const fn stepped(doublings: Halves, steps: HalfSteps) -> Halves {
    match steps {
        HalfSteps::Column => doublings,
        HalfSteps::Down => Halves(doublings.0 / 2 * 2),
        HalfSteps::Up => Halves(doublings.0.div_ceil(2) * 2),
    }
}

/// Returns the value for one to 12 doublings.
fn value(total: Halves, is_east: bool) -> u32 {
    let values = if is_east { &VALUES_OF_EAST } else { &VALUES };
    let column = total.0.saturating_sub(Halves::whole(1).0) as usize;
    values[column.min(values.len() - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::mmm::Line;

    fn hand_value(doublings: u32, points: u32, options: Options, is_east: bool) -> HandValue {
        let mut counts = LineCounts::NONE;
        counts.set(Line::Dragons, doublings);
        counts.set(Line::OpenPung, points / 2);
        counts.set_if(Line::ExtraHalf, (20..40).contains(&points));
        counts.set_if(Line::ExtraWhole, points >= 40);
        HandValue::new(&counts, &options, is_east)
    }

    #[test]
    fn every_value_is_paid_without_a_remainder() {
        assert!(VALUES.iter().all(|value| value % 4 == 0));
        assert!(VALUES_OF_EAST.iter().all(|value| value % 3 == 0));
        assert!(VALUES.is_sorted() && VALUES_OF_EAST.is_sorted());
        for (value, of_east) in VALUES.iter().zip(&VALUES_OF_EAST) {
            assert_eq!(3 * value, 2 * of_east, "East is paid half as much again");
        }
    }

    #[test]
    fn doublings_and_half_steps_select_their_column() {
        let plain = Options::DEFAULT;
        for (doublings, points, value, of_east) in [
            (0, 60, 0, 0),
            (1, 18, 20, 30),
            (1, 20, 28, 42),
            (1, 40, 40, 60),
            (2, 38, 60, 90),
            (6, 0, 320, 480),
            (7, 22, 420, 630),
            (11, 20, 580, 870),
            (12, 0, 600, 900),
            (12, 38, 600, 900),
            (19, 66, 600, 900),
        ] {
            for (is_east, value) in [(false, value), (true, of_east)] {
                let found = hand_value(doublings, points, plain, is_east).value();
                assert_eq!(found, value, "{doublings} doublings, {points} points, {is_east}");
            }
        }
    }

    #[test]
    fn the_option_decides_the_worth_of_a_half() {
        for (half_steps, value) in
            [(HalfSteps::Column, 60), (HalfSteps::Down, 40), (HalfSteps::Up, 80)]
        {
            let options = Options { half_steps, ..Options::DEFAULT };
            assert_eq!(hand_value(2, 20, options, false).value(), value);
        }
    }

    #[test]
    fn extra_score_reaches_the_minimum_only_by_option() {
        let club = Options { extra_score_reaches_minimum: true, ..Options::DEFAULT };
        assert_eq!(hand_value(0, 40, Options::DEFAULT, false).minimum().missing(), 1);
        assert_eq!(hand_value(0, 40, club, false).value(), 20);
        assert_eq!(hand_value(0, 38, club, false).value(), 0, "half of one is nothing");
    }

    #[test]
    fn a_cap_is_reported() {
        let doubling = hand_value(13, 20, Options::DEFAULT, false).doubling();
        assert_eq!((doubling.doublings, doubling.capped), (Halves(27), true));
        assert!(!hand_value(12, 0, Options::DEFAULT, false).doubling().capped);
    }
}
