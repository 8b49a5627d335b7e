//! The law of the deal in riichi (9): East deals again after winning, and after an exhaustive draw
//! if ready; two rounds; the result has uma and oka.

use crate::rules::law::{Law, PassingRule, RiichiLaw};

use super::options::Options;

/// Points that the players who are not ready pay together after an exhaustive draw.
const NOTEN: i32 = 3000;

pub(super) fn law(options: &Options) -> Law {
    let [first, second] = [options.uma_first, options.uma_second].map(|one| 1000 * i32::from(one));
    let riichi = RiichiLaw {
        noten: NOTEN,
        start: signed(options.start_points),
        target: signed(options.target_points),
        uma: [first, second, -second, -first],
        may_owe_stick: options.riichi_below_1000,
    };
    Law {
        passing: PassingRule::WhenEastIsNotReady,
        rounds: options.rounds,
        riichi: Some(riichi),
        paragraph: "9",
        ..Law::ROTATING
    }
}

fn signed(points: u32) -> i32 {
    i32::try_from(points).unwrap_or(i32::MAX)
}
