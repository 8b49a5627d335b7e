//! Payments in the classical game: every player pays the winner the winner's total, the others pay
//! each other the difference of their totals, and payments to or by East are doubled.
//!
//! Input: the winner's total, the win context, and the known totals of the others. Output:
//! [`Payments`]. Two players who did not win settle only if both totals are known; the rest can be
//! settled once the missing totals are given.

use crate::context::{Context, Declaration};
use crate::settle::{Payments, Share, Shares};
use crate::tile::Wind;

use super::Options;

/// Multiple of the total that the discarder pays after a dangerous discard: one of the three
/// players is East and pays double. If East won, all three pay double.
const FOR_ALL: u32 = 4;
const FOR_ALL_TO_EAST: u32 = 6;

/// Settles a hand.
pub(super) fn payments(
    options: &Options,
    won: u32,
    context: &Context,
    others: &[(Wind, u32)],
) -> Payments {
    let winner = context.seat;
    let mut payments = shares(options, context).payments(won);
    let settle = match paying_for_all(options, context) {
        Some(_) => options.losers_settle_in_dangerous_game,
        None => options.losers_settle,
    };
    if settle {
        settle_losers(options, others, &mut payments);
    }
    if options.winner_pays_losers {
        for &(seat, total) in others {
            payments.pay(winner, seat, factor(options, seat, winner).points(total));
        }
    }
    payments
}

/// Returns each player's share of the winner's total.
pub(super) fn shares(options: &Options, context: &Context) -> Shares {
    let winner = context.seat;
    let payer = paying_for_all(options, context);
    Shares::new(winner, |seat| match payer {
        Some(payer) if payer == seat => Share::times(for_all(options, winner)),
        Some(_) => Share::NOTHING,
        None => factor(options, seat, winner),
    })
}

/// Settles each pair of players who did not win: the one with the lower total pays the difference.
fn settle_losers(options: &Options, others: &[(Wind, u32)], payments: &mut Payments) {
    for (at, &(seat, total)) in others.iter().enumerate() {
        for &(other, its_total) in &others[at + 1..] {
            let share = factor(options, seat, other);
            payments.pay(seat, other, share.points(its_total) - share.points(total));
        }
    }
}

/// Returns the player who pays for all, after a dangerous discard that was declared.
fn paying_for_all(options: &Options, context: &Context) -> Option<Wind> {
    let declared = context.declared.contains(Declaration::DangerousGame);
    let discarder = context.win.from().map(|relation| context.seat.seat_of(relation));
    discarder.filter(|_| options.dangerous_game && declared)
}

const fn for_all(options: &Options, winner: Wind) -> u32 {
    match (options.east_doubles, winner) {
        (false, _) => 3,
        (true, Wind::East) => FOR_ALL_TO_EAST,
        (true, _) => FOR_ALL,
    }
}

/// Returns the factor for payments between two players: 2 if one of them is East.
fn factor(options: &Options, one: Wind, other: Wind) -> Share {
    let with_east = one == Wind::East || other == Wind::East;
    Share::times(if options.east_doubles && with_east { 2 } else { 1 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::{DeclaredSet, WinSource};
    use crate::meld::Relation;

    fn settled(
        options: Options,
        seat: Wind,
        declared: DeclaredSet,
        others: &[(Wind, u32)],
    ) -> [i32; 4] {
        let win = WinSource::Discard { from: Relation::Left };
        let context = Context { seat, win, declared, ..Context::PLAIN };
        let payments = payments(&options, 200, &context, others);
        Wind::ALL.map(|seat| payments.for_seat(seat))
    }

    /// The example of the German source: East wins with 200 and receives 1,200.
    #[test]
    fn east_wins_double() {
        let none = DeclaredSet::NONE;
        assert_eq!(settled(Options::DMJL, Wind::East, none, &[]), [1200, -400, -400, -400]);
        assert_eq!(settled(Options::DMJL, Wind::South, none, &[]), [-400, 800, -200, -200]);
        let plain = Options { east_doubles: false, ..Options::DMJL };
        assert_eq!(settled(plain, Wind::East, none, &[]), [600, -200, -200, -200]);
    }

    #[test]
    fn those_who_did_not_win_pay_the_difference_and_east_double() {
        let others = [(Wind::East, 10), (Wind::West, 40), (Wind::North, 4)];
        let none = DeclaredSet::NONE;
        // East owes West twice 30 and receives twice 6 from North; North owes West 36.
        let expected = [-400 - 60 + 12, 800, -200 + 60 + 36, -200 - 12 - 36];
        assert_eq!(settled(Options::DMJL, Wind::South, none, &others), expected);
        let apart = Options { losers_settle: false, ..Options::DMJL };
        assert_eq!(settled(apart, Wind::South, none, &others), [-400, 800, -200, -200]);
        let paying = Options { winner_pays_losers: true, ..apart };
        assert_eq!(settled(paying, Wind::South, none, &others), [-380, 736, -160, -196]);
    }

    #[test]
    fn a_player_without_a_hand_settles_with_the_winner_only() {
        let two = [(Wind::East, 10), (Wind::West, 40)];
        let none = DeclaredSet::NONE;
        assert_eq!(settled(Options::DMJL, Wind::South, none, &two), [-460, 800, -140, -200]);
    }

    #[test]
    fn a_dangerous_discard_pays_for_all() {
        let declared = DeclaredSet::NONE.with(Declaration::DangerousGame);
        let others = [(Wind::East, 10), (Wind::West, 40), (Wind::North, 4)];
        // East sits left of South.
        assert_eq!(settled(Options::DMJL, Wind::South, declared, &others), [-800, 800, 0, 0]);
        assert_eq!(settled(Options::DMJL, Wind::East, declared, &[]), [1200, 0, 0, -1200]);
        let off = Options { dangerous_game: false, ..Options::DMJL };
        assert_eq!(settled(off, Wind::East, declared, &[]), [1200, -400, -400, -400]);
        let all = Options { losers_settle_in_dangerous_game: true, ..Options::DMJL };
        let expected = [-800 - 60 + 12, 800, 60 + 36, -12 - 36];
        assert_eq!(settled(all, Wind::South, declared, &others), expected);
    }
}
