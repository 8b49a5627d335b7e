//! The law of the deal: the dealer stays on after winning, and, by an option, after a deal that
//! nobody won; by another option several players may win by one discard. Four rounds make an
//! evening; nobody changes seats.

use crate::rules::law::{DealerLaw, Law, PassingRule, SeveralWinners};

use super::options::Options;

/// Returns the law (8.1 to 8.4).
pub(super) const fn law(options: &Options) -> Law {
    let passing = if options.dealer_stays_after_draw {
        PassingRule::WhenAnotherWins
    } else {
        PassingRule::UnlessEastWins
    };
    let several_winners =
        if options.several_winners { SeveralWinners::All } else { SeveralWinners::Nearest };
    Law {
        passing,
        several_winners,
        dealer: Some(DealerLaw { wall_gives_winds: !options.dealer_is_east }),
        paragraph: "8.1, 8.2, 8.3, 8.4",
        ..Law::ROTATING
    }
}
