//! The value of a reading: its han and fu, the limit, the base points and what is paid for it
//! (paragraphs 5 and 6).
//!
//! Input: han and fu, or a number of yakuman. Output: a [`HandValue`]; the reading with the
//! greatest one counts. Invariant: every payment is a multiple of 100, rounded up.

use super::figures::Limit;
use super::options::{Kazoe, Options};

/// Base points of a mangan; a yakuman has four times as many.
pub(super) const MANGAN: u32 = 2000;
/// Han of one yakuman.
pub(super) const YAKUMAN_HAN: u32 = 13;

/// The value of a reading. Values are compared by their fields in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct HandValue {
    /// Sum that the other players pay, without counters.
    pub(super) payment: u32,
    /// Number of yakuman that are paid, without a counted one.
    pub(super) yakuman: u32,
    pub(super) han: u32,
    /// Fu, rounded up; 0 for a yakuman.
    pub(super) fu: u32,
    pub(super) base: u32,
    pub(super) limit: Option<Limit>,
}

/// The players who pay: all others or a single one, to East or to another player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Payers {
    pub(super) is_east: bool,
    pub(super) self_drawn: bool,
}

impl HandValue {
    /// Returns the value of a hand with yaku and dora.
    pub(super) fn from_han(han: u32, fu: u32, payers: Payers, options: &Options) -> HandValue {
        let (base, limit) = base(han, fu, options);
        HandValue { payment: payers.payment(base), yakuman: 0, han, fu, base, limit }
    }

    /// Returns the value of a hand with yakuman.
    pub(super) const fn from_yakuman(count: u32, payers: Payers) -> HandValue {
        let base = 4 * MANGAN * count;
        HandValue {
            payment: payers.payment(base),
            yakuman: count,
            han: YAKUMAN_HAN * count,
            fu: 0,
            base,
            limit: Some(Limit::Yakuman),
        }
    }

    /// Returns whether 13 han and more made a yakuman.
    pub(super) fn is_counted_yakuman(&self) -> bool {
        self.yakuman == 0 && self.limit == Some(Limit::Yakuman)
    }
}

impl Payers {
    /// Returns the sum that the other players pay.
    pub(super) const fn payment(self, base: u32) -> u32 {
        match (self.self_drawn, self.is_east) {
            (false, true) => hundreds(6 * base),
            (false, false) => hundreds(4 * base),
            (true, true) => 3 * hundreds(2 * base),
            (true, false) => hundreds(2 * base) + 2 * hundreds(base),
        }
    }
}

/// Rounds a payment up to hundreds.
pub(super) const fn hundreds(points: u32) -> u32 {
    points.div_ceil(100) * 100
}

/// Returns the base points and the limit.
fn base(han: u32, fu: u32, options: &Options) -> (u32, Option<Limit>) {
    let limit = match han {
        0..=4 => {
            let base = fu << (2 + han);
            let is_mangan = base >= MANGAN || options.kiriage && base == 1920;
            if !is_mangan {
                return (base, None);
            }
            Limit::Mangan
        }
        5 => Limit::Mangan,
        6 | 7 => Limit::Haneman,
        8..=10 => Limit::Baiman,
        11 | 12 => Limit::Sanbaiman,
        _ => match options.kazoe {
            Kazoe::Yakuman => Limit::Yakuman,
            Kazoe::Sanbaiman => Limit::Sanbaiman,
        },
    };
    let base = match limit {
        Limit::Mangan => MANGAN,
        Limit::Haneman => MANGAN / 2 * 3,
        Limit::Baiman => 2 * MANGAN,
        Limit::Sanbaiman => 3 * MANGAN,
        Limit::Yakuman => 4 * MANGAN,
    };
    (base, Some(limit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claimed(han: u32, fu: u32, is_east: bool, options: &Options) -> u32 {
        let payers = Payers { is_east, self_drawn: false };
        HandValue::from_han(han, fu, payers, options).payment
    }

    /// The table of paragraph 6, for a discard.
    #[test]
    fn the_table_of_values_is_that_of_the_rules() {
        let fu = [20, 25, 30, 40, 50, 60, 70];
        let others = [
            [0, 0, 1000, 1300, 1600, 2000, 2300],
            [0, 1600, 2000, 2600, 3200, 3900, 4500],
            [0, 3200, 3900, 5200, 6400, 7700, 8000],
            [0, 6400, 7700, 8000, 8000, 8000, 8000],
        ];
        let east = [
            [0, 0, 1500, 2000, 2400, 2900, 3400],
            [0, 2400, 2900, 3900, 4800, 5800, 6800],
            [0, 4800, 5800, 7700, 9600, 11600, 12000],
            [0, 9600, 11600, 12000, 12000, 12000, 12000],
        ];
        for (is_east, table) in [(false, others), (true, east)] {
            for (han, row) in (1..).zip(table) {
                for (fu, expected) in fu.into_iter().zip(row).filter(|(_, points)| *points > 0) {
                    let found = claimed(han, fu, is_east, &Options::TENHOU);
                    assert_eq!(found, expected, "{han} han {fu} fu");
                }
            }
        }
    }

    #[test]
    fn limits_follow_the_han() {
        let counted = Options { kazoe: Kazoe::Sanbaiman, ..Options::TENHOU };
        for (han, points) in [(5, 8000), (6, 12000), (7, 12000), (8, 16000), (10, 16000)] {
            assert_eq!(claimed(han, 30, false, &counted), points, "{han}");
        }
        for (han, points) in [(11, 24000), (12, 24000), (13, 32000), (30, 32000)] {
            assert_eq!(claimed(han, 30, false, &Options::TENHOU), points, "{han}");
        }
        assert_eq!(claimed(13, 30, false, &counted), 24000);
    }

    #[test]
    fn kiriage_rounds_up_to_a_mangan() {
        let kiriage = Options { kiriage: true, ..Options::TENHOU };
        assert_eq!(claimed(4, 30, false, &kiriage), 8000);
        assert_eq!(claimed(3, 60, true, &kiriage), 12000);
        assert_eq!(claimed(4, 30, false, &Options::TENHOU), 7700);
    }

    #[test]
    fn a_self_draw_is_rounded_for_each_player() {
        let drawn = |is_east| Payers { is_east, self_drawn: true }.payment(240);
        assert_eq!((drawn(true), drawn(false)), (1500, 1100));
        assert_eq!(
            HandValue::from_yakuman(2, Payers { is_east: true, self_drawn: false }).payment,
            96000
        );
    }
}
