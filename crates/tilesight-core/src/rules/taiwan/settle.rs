//! From tai to payments (7): a payer owes the base and a unit for each tai.
//!
//! The dealer's tai are added where the payer or the winner is the dealer, after the cap.
//! Invariant: payments sum to zero.

use crate::context::Context;
use crate::settle::{Share, Shares};

use super::Taiwan;

/// Maximum payment for the tai of the dealer: as for the highest value that is settled, three of
/// them and three values fit into a sum.
const MAX_FOR_DEALER: u32 = i32::MAX as u32 / 16;

/// Returns what is owed for a hand without the tai of the dealer (7.1).
pub(super) fn value(rules: &Taiwan, tai: u32) -> u32 {
    let of_tai = rules.options.unit.saturating_mul(rules.options.cut(tai));
    rules.options.base.saturating_add(of_tai)
}

/// Returns the tai that a player and the dealer owe each other beside those of the hand (7.2).
pub(super) fn dealer_tai(rules: &Taiwan, context: &Context) -> u32 {
    let streak = u32::from(context.dealer_streak);
    u32::from(rules.values.dealer) + u32::from(rules.values.dealer_streak) * streak
}

/// Returns each player's share of the value: the discarder alone pays, or each of the others for a
/// drawn tile (7.1).
pub(super) fn shares(rules: &Taiwan, context: &Context) -> Shares {
    let discarder = context.win.from().map(|relation| context.seat.seat_of(relation));
    let for_dealer =
        rules.options.unit.saturating_mul(dealer_tai(rules, context)).min(MAX_FOR_DEALER);
    Shares::new(context.seat, |seat| {
        if discarder.is_some_and(|discarder| discarder != seat) {
            return Share::NOTHING;
        }
        let with_dealer = [seat, context.seat].contains(&context.dealer);
        Share { basic: if with_dealer { for_dealer } else { 0 }, ..Share::times(1) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::{Count, WinSource};
    use crate::meld::Relation;
    use crate::rules::taiwan::{Options, TaiValues};
    use crate::tile::Wind;

    fn paid(cap: u32, tai: u32, seat: Wind, win: WinSource, streak: u8) -> [i32; 4] {
        let options = Options { base: 5, unit: 1, cap, ..Options::COMMON };
        let rules = Taiwan::new(options, TaiValues::COMMON);
        let dealer_streak = Count::new(streak).expect("a small number");
        let context = Context { seat, win, dealer_streak, ..Context::PLAIN };
        let payments = shares(&rules, &context).payments(value(&rules, tai));
        Wind::ALL.map(|seat| payments.for_seat(seat))
    }

    #[test]
    fn the_highest_stakes_and_streaks_can_be_settled() {
        let options = Options { base: 1_000_000, unit: 1_000_000, ..Options::COMMON };
        let values = TaiValues { dealer: 100, dealer_streak: 100, ..TaiValues::COMMON };
        let rules = Taiwan::new(options, values);
        let dealer_streak = Count::new(99).expect("a count");
        let context = Context { dealer_streak, win: WinSource::SelfDrawn, ..Context::PLAIN };
        let payments = shares(&rules, &context).payments(value(&rules, 100_000));
        assert!(payments.for_seat(Wind::East) > 0);
        assert_eq!(payments.iter().map(|(_, points)| i64::from(points)).sum::<i64>(), 0);
    }

    /// Checks the sums that the rules give as examples.
    #[test]
    fn the_dealer_owes_and_gets_more() {
        let drawn = WinSource::SelfDrawn;
        assert_eq!(paid(0, 3, Wind::South, drawn, 0), [-9, 25, -8, -8]);
        assert_eq!(paid(0, 4, Wind::East, drawn, 2), [42, -14, -14, -14]);
        assert_eq!(paid(16, 21, Wind::East, drawn, 2), [78, -26, -26, -26]);
        let left = WinSource::Discard { from: Relation::Left };
        assert_eq!(paid(0, 0, Wind::South, left, 1), [-8, 8, 0, 0]);
        assert_eq!(paid(0, 0, Wind::West, left, 1), [0, -5, 5, 0]);
    }
}
