//! The value of a reading: its han and fu, the limit, the base points and what is paid for it
//! (paragraphs 5 and 6).
//!
//! Input: han and fu, or a number of yakuman. Output: a [`HandValue`]; the reading with the
//! greatest one counts. Invariant: every payment is a multiple of 100, rounded up.

use super::figures::Limit;
use super::options::{Kazoe, MissingShare, Options};
use crate::meld::Seats;

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
    is_east: bool,
    self_drawn: bool,
    seats: Seats,
    missing_share: MissingShare,
}

/// Payments of the players for a self-draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SelfDraw {
    /// Payment of each player to East.
    pub(super) to_east: u32,
    /// Payment of East to another player.
    pub(super) of_east: u32,
    /// Payment of each of the others to that player.
    pub(super) of_others: u32,
}

impl HandValue {
    /// Returns the value of a hand with yaku and dora.
    pub(super) fn from_han(han: u32, fu: u32, payers: Payers, options: &Options) -> HandValue {
        let (base, limit) = base(han, fu, options);
        HandValue { payment: payers.payment(base), yakuman: 0, han, fu, base, limit }
    }

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
    pub(super) const fn new(is_east: bool, self_drawn: bool, options: &Options) -> Payers {
        Payers { is_east, self_drawn, seats: options.seats(), missing_share: options.missing_share }
    }

    /// Returns the sum that the other players pay.
    pub(super) const fn payment(self, base: u32) -> u32 {
        if !self.self_drawn {
            return discard(base, self.is_east);
        }
        let SelfDraw { to_east, of_east, of_others } = self.self_draw(base);
        let others = self.seats.winds().len() as u32 - 1;
        if self.is_east { others * to_east } else { of_east + (others - 1) * of_others }
    }

    /// Returns the payments of the players if the hand is self-drawn.
    pub(super) const fn self_draw(self, base: u32) -> SelfDraw {
        let double = hundreds(2 * base);
        let single = hundreds(base);
        let (to_east, to_others) = match (self.seats, self.missing_share) {
            (Seats::Three, MissingShare::Split) => (hundreds(double / 2), hundreds(single / 2)),
            _ => (0, 0),
        };
        SelfDraw {
            to_east: double + to_east,
            of_east: double + to_others,
            of_others: single + to_others,
        }
    }
}

/// Returns the payment of a discarder.
pub(super) const fn discard(base: u32, is_east: bool) -> u32 {
    let times = if is_east { 6 } else { 4 };
    hundreds(times * base)
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
        let payers = Payers::new(is_east, false, options);
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
        let drawn = |is_east| Payers::new(is_east, true, &Options::TENHOU).payment(240);
        assert_eq!((drawn(true), drawn(false)), (1500, 1100));
        let claimed = Payers::new(true, false, &Options::TENHOU);
        assert_eq!(HandValue::from_yakuman(2, claimed).payment, 96000);
    }

    /// A published table for three players who do not pay the missing share, by han and fu: the
    /// payments of another player and of East (tenhou.club, sanma-tumo-tensuu).
    const LOSS: [(u32, u32, [u32; 2]); 24] = [
        (1, 30, [300, 500]),
        (1, 40, [400, 700]),
        (1, 50, [400, 800]),
        (1, 60, [500, 1000]),
        (2, 20, [400, 700]),
        (2, 30, [500, 1000]),
        (2, 40, [700, 1300]),
        (2, 50, [800, 1600]),
        (2, 60, [1000, 2000]),
        (3, 20, [700, 1300]),
        (3, 25, [800, 1600]),
        (3, 30, [1000, 2000]),
        (3, 40, [1300, 2600]),
        (3, 50, [1600, 3200]),
        (3, 60, [2000, 3900]),
        (4, 20, [1300, 2600]),
        (4, 25, [1600, 3200]),
        (4, 30, [2000, 3900]),
        (4, 40, [2000, 4000]),
        (5, 30, [2000, 4000]),
        (6, 30, [3000, 6000]),
        (8, 30, [4000, 8000]),
        (11, 30, [6000, 12000]),
        (13, 30, [8000, 16000]),
    ];

    /// A published table for three players who divide the missing share, by han and fu: the
    /// payments of another player, of East, and of each to East (irilyuu.com,
    /// sannma-tennsuu-itirann).
    const SPLIT: [(u32, u32, [u32; 3]); 18] = [
        (1, 30, [500, 700, 800]),
        (1, 40, [600, 900, 1100]),
        (1, 50, [600, 1000, 1200]),
        (2, 20, [600, 900, 1100]),
        (2, 30, [800, 1300, 1500]),
        (2, 40, [1100, 1700, 2000]),
        (2, 50, [1200, 2000, 2400]),
        (3, 20, [1100, 1700, 2000]),
        (3, 25, [1200, 2000, 2400]),
        (3, 30, [1500, 2500, 3000]),
        (3, 40, [2000, 3300, 3900]),
        (3, 50, [2400, 4000, 4800]),
        (4, 20, [2000, 3300, 3900]),
        (5, 30, [3000, 5000, 6000]),
        (6, 30, [4500, 7500, 9000]),
        (8, 30, [6000, 10000, 12000]),
        (11, 30, [9000, 15000, 18000]),
        (13, 30, [12000, 20000, 24000]),
    ];

    #[test]
    fn three_players_pay_as_published_tables_say() {
        let loss = Options { players: 3, ..Options::TENHOU };
        let split = Options { missing_share: MissingShare::Split, ..loss };
        let drawn = |han, fu, options: &Options| {
            let payers = |is_east| Payers::new(is_east, true, options);
            let HandValue { base, payment, .. } =
                HandValue::from_han(han, fu, payers(false), options);
            let draw = payers(false).self_draw(base);
            assert_eq!(payment, draw.of_east + draw.of_others);
            assert_eq!(payers(true).payment(base), 2 * draw.to_east);
            draw
        };
        for (han, fu, [of_others, of_east]) in LOSS {
            let expected = SelfDraw { to_east: of_east, of_east, of_others };
            assert_eq!(drawn(han, fu, &loss), expected, "{han} han {fu} fu");
        }
        for (han, fu, [of_others, of_east, to_east]) in SPLIT {
            let expected = SelfDraw { to_east, of_east, of_others };
            assert_eq!(drawn(han, fu, &split), expected, "{han} han {fu} fu");
        }
        // A discarder pays as among four.
        assert_eq!(claimed(1, 30, false, &split), 1000);
        assert_eq!(claimed(3, 30, true, &loss), 5800);
    }
}
