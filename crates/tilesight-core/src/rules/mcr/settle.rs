//! Payments in MCR: every player pays the winner a basic 8 points. On a self-draw all three also
//! pay the value of the hand, otherwise only the player who gave the winning tile does.

use crate::context::Context;
use crate::settle::{Share, Shares};

/// Points that every other player pays the winner for any hand.
const BASIC_POINTS: u32 = 8;

/// Returns each player's share of an MCR hand, whose value includes its flowers.
pub(super) fn shares(context: &Context) -> Shares {
    let self_drawn = context.win.is_self_drawn();
    let discarder = context.win.from().map(|relation| context.seat.seat_of(relation));
    Shares::new(context.seat, |seat| {
        let pays_hand = self_drawn || discarder == Some(seat);
        Share { basic: BASIC_POINTS, ..Share::times(u32::from(pays_hand)) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::WinSource;
    use crate::meld::Relation;
    use crate::tile::Wind;

    fn context(seat: Wind, win: WinSource) -> Context {
        Context { seat, win, ..Context::PLAIN }
    }

    #[test]
    fn on_a_self_draw_everybody_pays_the_hand() {
        let payments = shares(&context(Wind::South, WinSource::SelfDrawn)).payments(20);
        let seats: Vec<_> = payments.iter().map(|(_, points)| points).collect();
        assert_eq!(seats, [-28, 84, -28, -28]);
    }

    #[test]
    fn on_a_discard_the_discarder_pays_the_hand() {
        let from_left = WinSource::Discard { from: Relation::Left };
        let payments = shares(&context(Wind::East, from_left)).payments(32);
        let seats: Vec<_> = payments.iter().map(|(_, points)| points).collect();
        assert_eq!(seats, [56, -8, -8, -40]);
    }

    #[test]
    fn the_player_of_a_robbed_kong_pays_as_discarder() {
        let from_right = WinSource::RobbedKong { from: Relation::Right };
        let payments = shares(&context(Wind::West, from_right)).payments(32);
        let seats: Vec<_> = payments.iter().map(|(_, points)| points).collect();
        assert_eq!(seats, [-8, -8, 56, -40]);
    }
}
