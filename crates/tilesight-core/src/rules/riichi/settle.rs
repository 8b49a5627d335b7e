//! Payments in riichi: the discarder or all players pay, East one and a half times or twice as
//! much; counters; the liable player.
//!
//! Input: the value of the hand, the yakuman for which a player is liable, and the win context.
//! Output: a [`Settlement`]. Invariants: payments sum to zero, because the sticks on the table were
//! paid before; each payment is a multiple of 100.

use crate::context::{Context, Feeder};
use crate::meld::Relation;
use crate::settle::{Payments, Share, Shares};
use crate::tile::Wind;

use super::liability::Liability;
use super::options::Options;
use super::value::{HandValue, MANGAN, Payers, hundreds};

/// Points of a counter from the discarder, or from the three players together.
const HONBA: u32 = 300;
/// Points of a riichi stick.
pub(super) const STICK: u32 = 1000;

/// The payments for a hand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settlement {
    pub(super) payments: Payments,
    /// Assumed feeder of the last set, if the context gives none and the payments depend on it.
    pub(super) assumed: Option<Feeder>,
}

/// Returns what the other players pay together for a hand, with the counters.
pub(super) fn total(value: &HandValue, context: &Context) -> u32 {
    value.payment + HONBA * u32::from(context.honba)
}

/// Settles a hand. `liable` are the yakuman that count and for which a player may be liable.
pub(super) fn settle(
    value: &HandValue,
    liable: &[Liability],
    context: &Context,
    options: &Options,
) -> Settlement {
    let paid = |feeder: Option<Feeder>| payments(value, liable, feeder, context, options);
    let payments = paid(context.feeder);
    let possible = |feeder: &Feeder| liable.iter().any(|one| one.allows(*feeder));
    let mut others = Feeder::ALL.into_iter().filter(possible).map(|feeder| paid(Some(feeder)));
    let depends = context.feeder.is_none() && others.any(|other| other != payments);
    let assumed = depends.then_some(Feeder::Nobody);
    Settlement { payments, assumed }
}

/// Returns the payments. Without a feeder no player is liable.
fn payments(
    value: &HandValue,
    liable: &[Liability],
    feeder: Option<Feeder>,
    context: &Context,
    options: &Options,
) -> Payments {
    let mut bill = Bill { context, payments: Payments::default() };
    let honba = HONBA * u32::from(context.honba);
    let mut left = value.yakuman;
    let mut responsible = None;
    for one in liable {
        let by = feeder.filter(|&feeder| one.allows(feeder));
        let Some(player) = by.and_then(Feeder::relation) else { continue };
        let count = one.yakuman.yakuman(options.double_yakuman).min(left);
        left -= count;
        responsible = Some(player);
        bill.liable(player, 4 * MANGAN * count);
    }
    let rest = if value.yakuman == 0 { value.base } else { 4 * MANGAN * left };
    bill.usual(rest);
    bill.counters(honba, responsible);
    bill.payments
}

/// The payments of a hand, added up part by part.
struct Bill<'a> {
    context: &'a Context,
    payments: Payments,
}

impl Bill<'_> {
    fn pay(&mut self, from: Wind, points: u32) {
        self.payments.pay(from, self.context.seat, i32::try_from(points).unwrap_or(i32::MAX));
    }

    fn seat_of(&self, relation: Relation) -> Wind {
        self.context.seat.seat_of(relation)
    }

    /// Adds what all or the discarder pay for base points.
    fn usual(&mut self, base: u32) {
        let winner = self.context.seat;
        if let Some(from) = self.context.win.from() {
            let times = if winner == Wind::East { 6 } else { 4 };
            return self.pay(self.seat_of(from), hundreds(times * base));
        }
        for seat in Wind::ALL.into_iter().filter(|&seat| seat != winner) {
            let times = if winner == Wind::East || seat == Wind::East { 2 } else { 1 };
            self.pay(seat, hundreds(times * base));
        }
    }

    /// Adds what is paid for a yakuman for which a player is liable: everything, or a half each
    /// with another player who discarded the winning tile.
    fn liable(&mut self, player: Relation, base: u32) {
        let times = if self.context.seat == Wind::East { 6 } else { 4 };
        match self.context.win.from().filter(|&from| from != player) {
            Some(from) => {
                self.pay(self.seat_of(player), times * base / 2);
                self.pay(self.seat_of(from), times * base / 2);
            }
            None => self.pay(self.seat_of(player), times * base),
        }
    }

    /// Adds the counters: from the discarder, from a liable player on a self-draw, or from all.
    fn counters(&mut self, honba: u32, liable: Option<Relation>) {
        match self.context.win.from().or(liable) {
            Some(player) => self.pay(self.seat_of(player), honba),
            None => {
                let winner = self.context.seat;
                for seat in Wind::ALL.into_iter().filter(|&seat| seat != winner) {
                    self.pay(seat, honba / 3);
                }
            }
        }
    }
}

/// Returns each player's share of a hand of which only the sum of all payments is known.
pub(super) fn shares(context: &Context) -> Shares {
    let payer = context.win.from().map(|relation| context.seat.seat_of(relation));
    Shares::new(context.seat, |seat| match (payer, context.seat, seat) {
        (Some(payer), ..) if payer == seat => Share::times(1),
        (Some(_), ..) => Share::NOTHING,
        (None, Wind::East, _) => Share { per: 3, ..Share::times(1) },
        (None, _, Wind::East) => Share { per: 2, ..Share::times(1) },
        (None, ..) => Share { per: 4, ..Share::times(1) },
    })
}

/// Settles a hand of which only the sum of the payments without counters is known. On a self-draw
/// the sum tells the shares of East and of the others; a sum that no hand has is divided by their
/// proportion.
pub(super) fn settle_total(total: u32, context: &Context, options: &Options) -> Payments {
    let mut bill = Bill { context, payments: Payments::default() };
    bill.counters(HONBA * u32::from(context.honba), None);
    let winner = context.seat;
    if let Some(from) = context.win.from() {
        bill.pay(bill.seat_of(from), total);
        return bill.payments;
    }
    let is_east = winner == Wind::East;
    let payers = Payers { is_east, self_drawn: true };
    match bases(options).find(|&base| payers.payment(base) == total) {
        Some(base) => bill.usual(base),
        None => {
            let others = hundreds(total / if is_east { 3 } else { 4 }).min(total / 2);
            let last = if is_east { Wind::North } else { Wind::East };
            for seat in Wind::ALL.into_iter().filter(|&seat| seat != winner) {
                bill.pay(seat, if seat == last { total - 2 * others } else { others });
            }
        }
    }
    bill.payments
}

/// Returns all base points that hands can have.
fn bases(options: &Options) -> impl Iterator<Item = u32> + '_ {
    let payers = Payers { is_east: false, self_drawn: true };
    let fu = [25].into_iter().chain((2..=17).map(|tens| 10 * tens));
    let counted = (1..=13).flat_map(move |han| {
        fu.clone().map(move |fu| HandValue::from_han(han, fu, payers, options).base)
    });
    // No hand has more yakuman than seven, two of them doubled.
    counted.chain((1..=7).map(|count| 4 * MANGAN * count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::{Count, WinSource};

    fn paid(total: u32, seat: Wind, win: WinSource, honba: u8) -> [i32; 4] {
        let honba = Count::new(honba).expect("few counters");
        let context = Context { seat, win, honba, ..Context::PLAIN };
        let payments = settle_total(total, &context, &Options::TENHOU);
        Wind::ALL.map(|seat| payments.for_seat(seat))
    }

    #[test]
    fn a_sum_tells_the_shares_of_a_self_draw() {
        let drawn = WinSource::SelfDrawn;
        assert_eq!(paid(1100, Wind::South, drawn, 0), [-500, 1100, -300, -300]);
        assert_eq!(paid(5200, Wind::West, drawn, 1), [-2700, -1400, 5500, -1400]);
        assert_eq!(paid(1500, Wind::East, drawn, 0), [1500, -500, -500, -500]);
        assert_eq!(paid(64000, Wind::South, drawn, 0), [-32000, 64000, -16000, -16000]);
        let from = Relation::Left;
        assert_eq!(paid(3900, Wind::South, WinSource::Discard { from }, 2), [-4500, 4500, 0, 0]);
    }

    #[test]
    fn any_other_sum_is_divided_without_a_remainder() {
        for total in [0, 100, 1000, 1300, 9999] {
            for seat in Wind::ALL {
                let paid = paid(total, seat, WinSource::SelfDrawn, 0);
                assert_eq!(paid.iter().sum::<i32>(), 0, "{total}");
                assert_eq!(paid[seat as usize], total as i32);
            }
        }
    }
}
