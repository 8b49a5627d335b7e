//! Who pays whom in MMM (1.4): the feeder pays everything; on a self-draw everybody pays, East
//! twice as much as the others.

use crate::context::{Context, Feeder};
use crate::meld::Relation;
use crate::settle::Payments;
use crate::tile::Wind;

use super::liability::{Liability, payer};
use super::options::Options;

/// What a hand is paid, and by whom.
#[derive(Debug, Clone, Copy)]
pub(super) struct Settlement {
    pub(super) payments: Payments,
    /// The assumed feeder of the last set, if the context gives none and the payments differ.
    pub(super) assumed: Option<Feeder>,
}

/// Settles a hand of a value.
pub(super) fn settle(
    value: u32,
    liability: Liability,
    context: &Context,
    options: &Options,
) -> Settlement {
    let paid = |feeder: Option<Feeder>| {
        let liable = payer(liability, feeder, context, options);
        payments(value, liable.or(fed_by(context, options)), context.seat)
    };
    let payments = paid(context.feeder);
    let assumed = match (liability, context.feeder) {
        (Liability::LastSet(feeders), None) => {
            let differs = |feeder: Feeder| paid(Some(feeder)) != payments;
            feeders.possible().any(differs).then_some(feeders.likeliest())
        }
        _ => None,
    };
    Settlement { payments, assumed }
}

/// Who fed the winning tile; nobody on a self-draw.
const fn fed_by(context: &Context, options: &Options) -> Option<Relation> {
    use crate::context::WinSource::{Discard, KongReplacement, RobbedKong, SelfDrawn};
    match context.win {
        Discard { from } => Some(from),
        RobbedKong { from } if !options.robbing_is_self_draw => Some(from),
        RobbedKong { .. } | SelfDrawn | KongReplacement => None,
    }
}

/// One payer pays everything. Without one East pays a half and the others a quarter each; to East
/// everybody pays a third.
fn payments(value: u32, payer: Option<Relation>, winner: Wind) -> Payments {
    let value = i32::try_from(value).unwrap_or(i32::MAX / 4);
    let mut payments = Payments::default();
    match payer.map(|relation| winner.seat_of(relation)) {
        Some(payer) => payments.pay(payer, winner, value),
        None => {
            for seat in Wind::ALL.into_iter().filter(|&seat| seat != winner) {
                let share = match (winner, seat) {
                    (Wind::East, _) => value / 3,
                    (_, Wind::East) => value / 2,
                    _ => value / 4,
                };
                payments.pay(seat, winner, share);
            }
        }
    }
    payments
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seats(value: u32, payer: Option<Relation>, winner: Wind) -> [i32; 4] {
        let payments = payments(value, payer, winner);
        Wind::ALL.map(|seat| payments.of(seat))
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
