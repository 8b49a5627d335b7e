//! Who pays whom in MCR: every player pays the winner a basic 8 points; on a self-draw all three
//! pay the value of the hand as well, otherwise only the player whose tile it was.

use crate::context::Context;
use crate::settle::Payments;
use crate::tile::Wind;

/// What every other player pays the winner whatever the hand.
const BASIC_POINTS: i32 = 8;

/// Settles an MCR hand of a value that includes its flowers.
pub(super) fn payments(value: u32, context: &Context) -> Payments {
    let hand = i32::try_from(value).unwrap_or(i32::MAX / 4);
    let self_drawn = context.win.is_self_drawn();
    let discarder = context.win.from().map(|relation| context.seat.seat_of(relation));
    let mut payments = Payments::default();
    for seat in Wind::ALL.into_iter().filter(|&seat| seat != context.seat) {
        let pays_hand = self_drawn || discarder == Some(seat);
        let paid = BASIC_POINTS + if pays_hand { hand } else { 0 };
        payments.pay(seat, context.seat, paid);
    }
    payments
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::WinSource;
    use crate::meld::Relation;

    fn context(seat: Wind, win: WinSource) -> Context {
        Context { seat, win, ..Context::PLAIN }
    }

    #[test]
    fn on_a_self_draw_everybody_pays_the_hand() {
        let payments = payments(20, &context(Wind::South, WinSource::SelfDrawn));
        let seats: Vec<_> = payments.iter().map(|(_, points)| points).collect();
        assert_eq!(seats, [-28, 84, -28, -28]);
    }

    #[test]
    fn on_a_discard_the_discarder_pays_the_hand() {
        let from_left = WinSource::Discard { from: Relation::Left };
        let payments = payments(32, &context(Wind::East, from_left));
        let seats: Vec<_> = payments.iter().map(|(_, points)| points).collect();
        assert_eq!(seats, [56, -8, -8, -40]);
    }

    #[test]
    fn who_added_to_a_pung_pays_for_the_robbed_tile() {
        let from_right = WinSource::RobbedKong { from: Relation::Right };
        let payments = payments(32, &context(Wind::West, from_right));
        let seats: Vec<_> = payments.iter().map(|(_, points)| points).collect();
        assert_eq!(seats, [-8, -8, 56, -40]);
    }
}
