//! The law of the deal in riichi (9): East deals again after winning, and after an exhaustive draw
//! if ready; which deals are aborted, how many win by one discard, and what ends the game, the
//! options say; the result has uma and oka.

use crate::rules::law::{Abort, Law, PassingRule, RiichiLaw, SeveralWinners};

use super::options::Options;

pub(super) fn law(options: &Options) -> Law {
    let three_winners = match options.several_winners {
        SeveralWinners::ThreeAbort => Abort::Stay,
        _ => Abort::No,
    };
    let riichi = RiichiLaw {
        noten: signed(options.noten_points),
        start: signed(options.start_points),
        target: signed(options.target_points),
        uma: uma(options),
        may_owe_stick: options.riichi_below_1000,
        aborts: [
            options.abort_nine_terminals,
            options.abort_four_winds,
            options.abort_four_riichi,
            options.abort_four_kongs,
            three_winners,
        ],
        nagashi: options.nagashi_mangan,
        bankruptcy: options.bankruptcy,
        stops_after_win: options.agari_yame,
        stops_after_draw: options.tenpai_yame,
        extension: signed(options.extension_points),
        left_sticks: options.left_sticks,
        ties: options.ties,
        chombo: 1000 * i32::from(options.chombo_result),
    };
    Law {
        passing: PassingRule::WhenEastIsNotReady,
        rounds: options.rounds,
        seats: options.seats(),
        several_winners: options.several_winners,
        riichi: Some(riichi),
        paragraph: "9",
        ..Law::ROTATING
    }
}

/// Returns the points of each place. Among three the last loses what first and second gain.
fn uma(options: &Options) -> [i32; 4] {
    let [first, second] = [options.uma_first, options.uma_second].map(|one| 1000 * i32::from(one));
    if options.players == 3 {
        [first, second, -first - second, 0]
    } else {
        [first, second, -second, -first]
    }
}

fn signed(points: u32) -> i32 {
    i32::try_from(points).unwrap_or(i32::MAX)
}
