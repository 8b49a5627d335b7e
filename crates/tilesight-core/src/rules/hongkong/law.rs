//! The law of the deal in Hong Kong: East deals again after winning, and, by an option, after a
//! deal that nobody won. Four rounds make an evening; nobody changes seats.

use crate::rules::law::{Law, PassingRule};

use super::options::Options;

/// Returns the law (7.1 to 7.3).
pub(super) const fn law(options: &Options) -> Law {
    let passing = if options.dealer_stays_after_draw {
        PassingRule::WhenAnotherWins
    } else {
        PassingRule::UnlessEastWins
    };
    Law { passing, paragraph: "7.1, 7.2", ..Law::ROTATING }
}
