//! Payments in MMM (1.4): the feeder pays everything; on a self-draw all players pay, East twice as
//! much as the others.

use crate::context::{Context, Feeder};
use crate::meld::Relation;
use crate::settle::{Payments, Share, Shares};
use crate::tile::Wind;

use super::liability::{Liability, payer};
use super::options::Options;

/// The payments for a hand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settlement {
    pub(super) payments: Payments,
    /// Assumed feeder of the last set, if the context gives none and the payments depend on it.
    pub(super) assumed: Option<Feeder>,
}

pub(super) fn settle(
    value: u32,
    liability: Liability,
    context: &Context,
    options: &Options,
) -> Settlement {
    let shares = shares_with(context.feeder, liability, context, options);
    let assumed = match (liability, context.feeder) {
        (Liability::LastSet(feeders), None) => feeders
            .possible()
            .map(|feeder| shares_with(Some(feeder), liability, context, options))
            .any(|others| others.payments(value) != shares.payments(value))
            .then_some(feeders.likeliest()),
        _ => None,
    };
    Settlement { payments: shares.payments(value), assumed }
}

/// Returns each player's share if this was the feeder of the last set.
fn shares_with(
    feeder: Option<Feeder>,
    liability: Liability,
    context: &Context,
    options: &Options,
) -> Shares {
    let liable = payer(liability, feeder, context, options);
    shares_of(liable.or(fed_by(context, options)), context.seat)
}

/// Returns each player's share of a hand of which only the value is known: no set makes its feeder
/// pay.
pub(super) fn shares(context: &Context, options: &Options) -> Shares {
    shares_of(fed_by(context, options), context.seat)
}

/// Returns the player who fed the winning tile; `None` on a self-draw.
const fn fed_by(context: &Context, options: &Options) -> Option<Relation> {
    use crate::context::WinSource::{Discard, KongReplacement, RobbedKong, SelfDrawn};
    match context.win {
        Discard { from } => Some(from),
        RobbedKong { from } if !options.robbing_is_self_draw => Some(from),
        RobbedKong { .. } | SelfDrawn | KongReplacement => None,
    }
}

/// Returns each player's share. A single payer pays everything. Without one, East pays a half and
/// the others a quarter each; if East won, every other player pays a third.
fn shares_of(payer: Option<Relation>, winner: Wind) -> Shares {
    let payer = payer.map(|relation| winner.seat_of(relation));
    Shares::new(winner, |seat| match (payer, winner, seat) {
        (Some(payer), ..) if payer == seat => Share::times(1),
        (Some(_), ..) => Share::NOTHING,
        (None, Wind::East, _) => Share { per: 3, ..Share::times(1) },
        (None, _, Wind::East) => Share { per: 2, ..Share::times(1) },
        (None, ..) => Share { per: 4, ..Share::times(1) },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(value: u32, payer: Option<Relation>, winner: Wind) -> [i32; 4] {
        let payments = shares_of(payer, winner).payments(value);
        Wind::ALL.map(|seat| payments.for_seat(seat))
    }

    /// The example of 1.4: West wins on a self-draw with three doublings.
    #[test]
    fn on_a_self_draw_east_pays_twice_as_much() {
        assert_eq!(seats(80, None, Wind::West), [-40, -20, 80, -20]);
        assert_eq!(seats(120, None, Wind::East), [120, -40, -40, -40]);
    }

    #[test]
    fn the_feeder_pays_everything() {
        assert_eq!(seats(80, Some(Relation::Left), Wind::South), [-80, 80, 0, 0]);
        assert_eq!(seats(900, Some(Relation::Right), Wind::East), [900, -900, 0, 0]);
    }

    #[test]
    fn a_hand_without_value_is_not_paid() {
        assert_eq!(seats(0, None, Wind::North), [0; 4]);
    }
}
