//! The law of the deal: the dealer stays on after winning, and, by an option, after a deal that
//! nobody won. Four rounds make an evening; nobody changes seats.

use crate::rules::law::{Law, PassingRule};

use super::options::Options;

/// Returns the law (8.1, 8.2).
pub(super) const fn law(options: &Options) -> Law {
    let passing = if options.dealer_stays_after_draw {
        PassingRule::WhenAnotherWins
    } else {
        PassingRule::UnlessEastWins
    };
    Law { passing, paragraph: "8.1, 8.2", ..Law::ROTATING }
}
