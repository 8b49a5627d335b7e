//! From faan to payments (6): a table gives the value of a hand, of which everybody pays a
//! multiple.
//!
//! The value is in the smallest chips, so that nobody pays half of one. East pays and gets no more
//! than others. Invariant: payments sum to zero.

use crate::context::Context;
use crate::meld::Relation;
use crate::settle::{Share, Shares};

use super::options::{MAX_LIMIT, Options, PaymentTable, Responsibility};

/// Number of entries of a table: 0 faan to the highest limit.
const ENTRIES: usize = MAX_LIMIT as usize + 1;

/// Values of the table that doubles every second faan (6.1).
const HALF_SPICY: [u32; ENTRIES] = [1, 2, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384];

/// Values of the table with steps (6.1).
const TIERS: [u32; ENTRIES] = [1, 2, 4, 8, 16, 16, 16, 32, 32, 32, 64, 64, 64, 64];

/// Returns the value of a hand of this many faan.
pub(super) fn value(options: &Options, faan: u32) -> u32 {
    let faan = faan.min(options.limit).min(MAX_LIMIT);
    match options.table {
        PaymentTable::HalfSpicy => HALF_SPICY[faan as usize],
        PaymentTable::Spicy => 1 << faan,
        PaymentTable::Tiers => TIERS[faan as usize],
    }
}

/// Returns each player's share of the value (6.2).
pub(super) fn shares(options: &Options, context: &Context) -> Shares {
    let discarder = context.win.from().map(|relation| context.seat.seat_of(relation));
    Shares::new(context.seat, |seat| match (discarder, options.responsibility) {
        (None, _) => Share::times(2),
        (Some(discarder), Responsibility::Half) => Share::times(1 + u32::from(discarder == seat)),
        (Some(discarder), Responsibility::Full) if discarder == seat => Share::times(4),
        (Some(_), Responsibility::Full) => Share::NOTHING,
    })
}

/// Returns each player's share of the value if one player is liable for all that would be paid
/// (6.3).
pub(super) fn liable_shares(context: &Context, liable: Relation) -> Shares {
    let drawn = context.win.is_self_drawn();
    let all = if drawn { 6 } else { 4 };
    let player = context.seat.seat_of(liable);
    Shares::new(
        context.seat,
        |seat| if seat == player { Share::times(all) } else { Share::NOTHING },
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::WinSource;
    use crate::tile::Wind;

    fn paid(options: Options, faan: u32, win: WinSource) -> [i32; 4] {
        let context = Context { seat: Wind::South, win, ..Context::PLAIN };
        let payments = shares(&options, &context).payments(value(&options, faan));
        Wind::ALL.map(|seat| payments.for_seat(seat))
    }

    #[test]
    fn each_table_has_its_steps() {
        for (table, expected) in [
            (PaymentTable::HalfSpicy, [1, 8, 16, 24, 32, 192, 384]),
            (PaymentTable::Spicy, [1, 8, 16, 32, 64, 2048, 8192]),
            (PaymentTable::Tiers, [1, 8, 16, 16, 16, 64, 64]),
        ] {
            let options = Options { table, ..Options::COMMON };
            assert_eq!([0, 3, 4, 5, 6, 11, 13].map(|faan| value(&options, faan)), expected);
            assert_eq!(value(&options, 40), value(&options, 13));
        }
        let limit = Options { limit: 8, ..Options::COMMON };
        assert_eq!(value(&limit, 9), value(&limit, 8));
    }

    /// 11 faan on a discard, paid by the discarder alone: 384 of a base of two chips.
    #[test]
    fn the_payer_is_an_option() {
        let discard = WinSource::Discard { from: Relation::Left };
        let full = Options { responsibility: Responsibility::Full, ..Options::COMMON };
        assert_eq!(paid(full, 11, discard), [-768, 768, 0, 0]);
        assert_eq!(paid(Options::COMMON, 3, discard), [-16, 32, -8, -8]);
        let robbed = WinSource::RobbedKong { from: Relation::Across };
        assert_eq!(paid(full, 3, robbed), [0, 32, 0, -32]);
        for options in [full, Options::COMMON] {
            assert_eq!(paid(options, 3, WinSource::SelfDrawn), [-16, 48, -16, -16]);
        }
    }
}
