//! Who pays whom: a winner's points in, what every seat gains or loses out.
//!
//! MCR: every player pays the winner a basic 8 points; on a self-draw all three pay the value of
//! the hand as well, otherwise only the player whose tile it was. Invariant: the four seats sum to
//! zero.

use crate::context::Context;
use crate::tile::Wind;

/// What every other player pays the winner whatever the hand.
const BASIC_POINTS: i32 = 8;

/// What every seat gains (positive) or loses (negative).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Payments {
    seats: [i32; 4],
}

impl Payments {
    /// The points of a seat.
    #[must_use]
    pub const fn of(&self, seat: Wind) -> i32 {
        self.seats[seat as usize]
    }

    /// All seats in the order of play, East first.
    pub fn iter(&self) -> impl Iterator<Item = (Wind, i32)> + '_ {
        Wind::ALL.into_iter().map(|seat| (seat, self.of(seat)))
    }
}

/// Settles an MCR hand of a value that includes its flowers.
#[must_use]
pub fn mcr(value: u32, context: &Context) -> Payments {
    let hand = i32::try_from(value).unwrap_or(i32::MAX / 4);
    let self_drawn = context.win.is_self_drawn();
    let discarder = context.win.from().map(|relation| context.seat.seat_of(relation));
    let mut payments = Payments { seats: [0; 4] };
    for seat in Wind::ALL.into_iter().filter(|&seat| seat != context.seat) {
        let pays_hand = self_drawn || discarder == Some(seat);
        let paid = BASIC_POINTS + if pays_hand { hand } else { 0 };
        payments.seats[seat as usize] -= paid;
        payments.seats[context.seat as usize] += paid;
    }
    payments
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::WinSource;
    use crate::meld::Relation;

    fn context(seat: Wind, win: WinSource) -> Context {
        Context { seat, prevalent: Wind::East, win, last_wall_tile: false, last_of_kind: false }
    }

    #[test]
    fn on_a_self_draw_everybody_pays_the_hand() {
        let payments = mcr(20, &context(Wind::South, WinSource::SelfDrawn));
        let seats: Vec<_> = payments.iter().map(|(_, points)| points).collect();
        assert_eq!(seats, [-28, 84, -28, -28]);
    }

    #[test]
    fn on_a_discard_the_discarder_pays_the_hand() {
        let from_left = WinSource::Discard { from: Relation::Left };
        let payments = mcr(32, &context(Wind::East, from_left));
        let seats: Vec<_> = payments.iter().map(|(_, points)| points).collect();
        assert_eq!(seats, [56, -8, -8, -40]);
    }

    #[test]
    fn who_added_to_a_pung_pays_for_the_robbed_tile() {
        let from_right = WinSource::RobbedKong { from: Relation::Right };
        let payments = mcr(32, &context(Wind::West, from_right));
        let seats: Vec<_> = payments.iter().map(|(_, points)| points).collect();
        assert_eq!(seats, [-8, -8, 56, -40]);
    }
}
