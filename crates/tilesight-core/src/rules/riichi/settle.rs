//! Payments in riichi: the discarder or all players pay, East one and a half times or twice as
//! much; counters; the liable player, for that yakuman alone or for all of the hand. Three or four
//! players.
//!
//! Input: the value of the hand, the yakuman for which a player is liable, and the win context.
//! Output: a [`Settlement`]. Invariants: payments sum to zero, because the sticks on the table were
//! paid before; each payment is a multiple of 100.

use crate::context::{Context, Feeder};
use crate::meld::{Relation, Seats};
use crate::settle::{Payments, Share, Shares};
use crate::tile::Wind;

use super::liability::Liability;
use super::options::{MissingShare, Options};
use super::value::{HandValue, MANGAN, Payers, SelfDraw, hundreds};

/// Points of a counter from each player on a self-draw.
const HONBA: u32 = 100;
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
pub(super) fn total(value: &HandValue, context: &Context, options: &Options) -> u32 {
    value.payment + counters(context, options)
}

/// Returns what the other players pay together for the counters.
pub(super) fn counters(context: &Context, options: &Options) -> u32 {
    let payers = options.seats().winds().len() as u32 - 1;
    let self_drawn = context.win.is_self_drawn();
    let counter = if self_drawn { payers * HONBA } else { u32::from(options.honba_discard) };
    counter * u32::from(context.honba)
}

/// Settles a hand. `liable` are the yakuman that count and for which a player may be liable.
pub(super) fn settle(
    value: &HandValue,
    liable: &[Liability],
    context: &Context,
    options: &Options,
) -> Settlement {
    let paid = payments(value, liable, context.feeder, context, options);
    let depends = context.feeder.is_none()
        && Feeder::ALL
            .into_iter()
            .filter(|&feeder| liable.iter().any(|one| one.allows(feeder)))
            .any(|feeder| payments(value, liable, Some(feeder), context, options) != paid);
    Settlement { payments: paid, assumed: depends.then_some(Feeder::Nobody) }
}

/// Returns the payments. Without a feeder no player is liable.
fn payments(
    value: &HandValue,
    liable: &[Liability],
    feeder: Option<Feeder>,
    context: &Context,
    options: &Options,
) -> Payments {
    let mut bill = Bill { context, options, payments: Payments::default() };
    let mut left = value.yakuman;
    let mut responsible = None;
    for one in liable {
        let by = feeder.filter(|&feeder| one.allows(feeder));
        let Some(player) = by.and_then(Feeder::relation) else { continue };
        let own = one.yakuman.yakuman(options.double_yakuman).min(left);
        let count = if options.liability_all_yakuman { left } else { own };
        left -= count;
        responsible = Some(player);
        bill.liable(player, 4 * MANGAN * count);
    }
    let rest = if value.yakuman == 0 { value.base } else { 4 * MANGAN * left };
    bill.usual(rest);
    bill.counters(responsible);
    bill.payments
}

/// The payments of a hand, added up part by part.
struct Bill<'a> {
    context: &'a Context,
    options: &'a Options,
    payments: Payments,
}

impl Bill<'_> {
    fn pay(&mut self, from: Wind, points: u32) {
        self.payments.pay(from, self.context.seat, i32::try_from(points).unwrap_or(i32::MAX));
    }

    /// Returns the seat of another player, who was found to be there.
    fn seat_of(&self, relation: Relation) -> Wind {
        let seat = self.context.seat;
        let neighbor = self.options.seats().neighbor(seat, relation);
        neighbor.unwrap_or_else(|| seat.seat_of(relation))
    }

    /// Returns the seats of the other players, in the order of play.
    fn others(&self) -> impl Iterator<Item = Wind> + use<> {
        let winner = self.context.seat;
        self.options.seats().winds().iter().copied().filter(move |&seat| seat != winner)
    }

    fn payers(&self) -> Payers {
        let is_east = self.context.seat == Wind::East;
        Payers::new(is_east, self.context.win.is_self_drawn(), self.options)
    }

    /// Adds what all or the discarder pay for base points.
    fn usual(&mut self, base: u32) {
        let payers = self.payers();
        if let Some(from) = self.context.win.from() {
            return self.pay(self.seat_of(from), payers.payment(base));
        }
        let SelfDraw { to_east, of_east, of_others } = payers.self_draw(base);
        for seat in self.others() {
            let points = match (self.context.seat, seat) {
                (Wind::East, _) => to_east,
                (_, Wind::East) => of_east,
                _ => of_others,
            };
            self.pay(seat, points);
        }
    }

    /// Adds what is paid for a yakuman for which a player is liable: everything, or a half each
    /// with another player who discarded the winning tile.
    fn liable(&mut self, player: Relation, base: u32) {
        let whole = self.payers().payment(base);
        match self.context.win.from().filter(|&from| from != player) {
            Some(from) => {
                self.pay(self.seat_of(player), whole / 2);
                self.pay(self.seat_of(from), whole / 2);
            }
            None => self.pay(self.seat_of(player), whole),
        }
    }

    /// Adds the counters: on a self-draw from a liable player or from all, on a discard from the
    /// discarder, or from a liable player by an option.
    fn counters(&mut self, liable: Option<Relation>) {
        let counters = u32::from(self.context.honba);
        if let Some(from) = self.context.win.from() {
            let points = u32::from(self.options.honba_discard) * counters;
            let payer = liable.filter(|_| self.options.liability_counters).unwrap_or(from);
            return self.pay(self.seat_of(payer), points);
        }
        for seat in self.others() {
            let payer = liable.map_or(seat, |player| self.seat_of(player));
            self.pay(payer, HONBA * counters);
        }
    }
}

/// Returns the payments to a player who draws a mangan, without counters.
pub(super) fn mangan_drawn(seat: Wind, options: &Options) -> Payments {
    let context = Context { seat, ..Context::PLAIN };
    let mut bill = Bill { context: &context, options, payments: Payments::default() };
    bill.usual(MANGAN);
    bill.payments
}

/// Returns each player's share of a hand of which only the sum of all payments is known.
pub(super) fn shares(context: &Context, options: &Options) -> Shares {
    let bill = Bill { context, options, payments: Payments::default() };
    let payer = context.win.from().map(|relation| bill.seat_of(relation));
    Shares::new(context.seat, |seat| match payer {
        _ if !options.seats().has(seat) => Share::NOTHING,
        Some(payer) if payer == seat => Share::times(1),
        Some(_) => Share::NOTHING,
        None => drawn_share(context.seat, seat, options),
    })
}

/// Returns a player's share of a self-draw.
fn drawn_share(winner: Wind, seat: Wind, options: &Options) -> Share {
    let (times, per) = match (options.seats(), options.missing_share, winner, seat) {
        (Seats::Four, _, Wind::East, _) => (1, 3),
        (Seats::Four, _, _, Wind::East) | (Seats::Three, _, Wind::East, _) => (1, 2),
        (Seats::Four, ..) => (1, 4),
        (Seats::Three, MissingShare::Loss, _, Wind::East) => (2, 3),
        (Seats::Three, MissingShare::Loss, ..) => (1, 3),
        (Seats::Three, MissingShare::Split, _, Wind::East) => (5, 8),
        (Seats::Three, MissingShare::Split, ..) => (3, 8),
    };
    Share { times, per, ..Share::NOTHING }
}

/// Settles a hand of which only the sum of the payments without counters is known. On a self-draw
/// the sum tells the shares of East and of the others; a sum that no hand has is divided by their
/// proportion.
pub(super) fn settle_total(total: u32, context: &Context, options: &Options) -> Payments {
    let mut bill = Bill { context, options, payments: Payments::default() };
    bill.counters(None);
    if let Some(from) = context.win.from() {
        bill.pay(bill.seat_of(from), total);
        return bill.payments;
    }
    let payers = bill.payers();
    if let Some(base) = bases(options).find(|&base| payers.payment(base) == total) {
        bill.usual(base);
        return bill.payments;
    }
    let mut others: Vec<Wind> = bill.others().collect();
    // East pays what the others leave; to East the last player does.
    others.sort_by_key(|&seat| seat == Wind::East);
    let mut left = total;
    let mut count = others.len() as u32;
    for seat in others {
        count -= 1;
        let share = drawn_share(context.seat, seat, options);
        let part = share.points(total).unsigned_abs();
        let points = left.checked_div(count).map_or(left, |max| hundreds(part).min(max));
        bill.pay(seat, points);
        left -= points;
    }
    bill.payments
}

/// Settles a yakuman of which only the sum of the payments without counters is known, for which
/// the feeder is liable: for all of them, or by other rules for one, while the rest is paid as
/// usual. `None` for any other sum, and where nobody is ever liable.
pub(super) fn settle_liable(total: u32, context: &Context, options: &Options) -> Option<Payments> {
    let player = context.feeder.and_then(Feeder::relation).filter(|_| options.has_liability())?;
    let mut bill = Bill { context, options, payments: Payments::default() };
    let payers = bill.payers();
    let count =
        (1..=options.max_yakuman()).find(|count| payers.payment(4 * MANGAN * count) == total)?;
    let own = if options.liability_all_yakuman { count } else { 1 };
    bill.liable(player, 4 * MANGAN * own);
    bill.usual(4 * MANGAN * (count - own));
    bill.counters(Some(player));
    Some(bill.payments)
}

/// Returns all base points that hands can have.
fn bases(options: &Options) -> impl Iterator<Item = u32> + '_ {
    let payers = Payers::new(false, true, options);
    let fu = [25].into_iter().chain((2..=17).map(|tens| 10 * tens));
    let counted = (1..=13).flat_map(move |han| {
        fu.clone().map(move |fu| HandValue::from_han(han, fu, payers, options).base)
    });
    counted.chain((1..=options.max_yakuman()).map(|count| 4 * MANGAN * count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::{Count, WinSource};

    fn paid_by(options: &Options, total: u32, seat: Wind, win: WinSource, honba: u8) -> [i32; 4] {
        let honba = Count::new(honba).expect("few counters");
        let context = Context { seat, win, honba, ..Context::PLAIN };
        let payments = settle_total(total, &context, options);
        Wind::ALL.map(|seat| payments.for_seat(seat))
    }

    fn paid(total: u32, seat: Wind, win: WinSource, honba: u8) -> [i32; 4] {
        paid_by(&Options::TENHOU, total, seat, win, honba)
    }

    #[test]
    fn a_sum_tells_the_shares_of_three_players() {
        let loss = Options { players: 3, ..Options::TENHOU };
        let missing_share = MissingShare::Split;
        let split = Options { missing_share, honba_discard: 200, ..loss };
        let drawn = WinSource::SelfDrawn;
        assert_eq!(paid_by(&loss, 800, Wind::South, drawn, 0), [-500, 800, -300, 0]);
        assert_eq!(paid_by(&loss, 6000, Wind::West, drawn, 2), [-4200, -2200, 6400, 0]);
        assert_eq!(paid_by(&split, 8000, Wind::West, drawn, 0), [-5000, -3000, 8000, 0]);
        assert_eq!(paid_by(&split, 12000, Wind::East, drawn, 1), [12200, -6100, -6100, 0]);
        let from = |from| WinSource::Discard { from };
        assert_eq!(paid_by(&split, 3900, Wind::East, from(Relation::Left), 2), [4300, 0, -4300, 0]);
        assert_eq!(paid_by(&loss, 3900, Wind::West, from(Relation::Right), 2), [-4500, 0, 4500, 0]);
        for (options, total) in [(loss, 900), (split, 1000), (loss, 100), (split, 0)] {
            for seat in [Wind::East, Wind::South, Wind::West] {
                let paid = paid_by(&options, total, seat, drawn, 0);
                assert_eq!((paid.iter().sum::<i32>(), paid[3]), (0, 0), "{total}");
                assert_eq!(paid[seat as usize], total as i32);
            }
        }
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

    /// Returns what South's yakuman of a sum is paid by seat, with a counter and a liable player.
    fn paid_by_liable(
        options: &Options,
        total: u32,
        win: WinSource,
        feeder: Feeder,
    ) -> Option<[i32; 4]> {
        let honba = Count::new(1).expect("few counters");
        let feeder = Some(feeder);
        let context = Context { seat: Wind::South, win, honba, feeder, ..Context::PLAIN };
        let payments = settle_liable(total, &context, options)?;
        Some(Wind::ALL.map(|seat| payments.for_seat(seat)))
    }

    /// The shares are those of paragraph 7: everything on a self-draw, half beside a discarder.
    #[test]
    fn a_liable_player_pays_for_a_yakuman() {
        let drawn = WinSource::SelfDrawn;
        let from_east = WinSource::Discard { from: Relation::Left };
        let wrc =
            Options { liability_all_yakuman: false, liability_counters: false, ..Options::TENHOU };
        let right = Feeder::Right;
        for (options, total, win, feeder, expected) in [
            (Options::TENHOU, 32000, drawn, right, Some([0, 32300, -32300, 0])),
            (Options::TENHOU, 64000, drawn, right, Some([0, 64300, -64300, 0])),
            // One yakuman of the liable player, one of all: 16000 from East, 8000 of the others.
            (wrc, 64000, drawn, right, Some([-16000, 64300, -40300, -8000])),
            (Options::TENHOU, 32000, from_east, right, Some([-16000, 32300, -16300, 0])),
            (wrc, 32000, from_east, right, Some([-16300, 32300, -16000, 0])),
            (wrc, 32000, from_east, Feeder::Left, Some([-32300, 32300, 0, 0])),
            (Options::TENHOU, 24000, drawn, right, None),
            (Options::TENHOU, 32000, drawn, Feeder::Nobody, None),
        ] {
            let paid = paid_by_liable(&options, total, win, feeder);
            assert_eq!(paid, expected, "{total} {win:?} {feeder:?}");
        }
        let nobody =
            Options { liability_daisangen: false, liability_daisuushii: false, ..Options::TENHOU };
        assert_eq!(paid_by_liable(&nobody, 32000, drawn, right), None);
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
