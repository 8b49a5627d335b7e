//! Errors of tiles that can't be a hand, too many flowers, and codes that are not tiles.

use crate::explain::{Lang, Message, display_english};
use crate::hand::{FlowersError, HandFault, HandSize};
use crate::texts;
use crate::tile::ParseTileError;

display_english!(HandFault);

impl Message for HandFault {
    fn text(&self, lang: Lang) -> String {
        match self {
            HandFault::TileCount { expected, found } => {
                texts::hand_fault::tile_count(lang, found, expected)
            }
            HandFault::NoWinningTile => texts::hand_fault::no_winning_tile(lang).to_owned(),
            HandFault::TooManyMelds { found, max } if *max == HandSize::MAX.sets() => {
                texts::hand_fault::too_many_melds_of_five(lang, found)
            }
            HandFault::TooManyMelds { found, .. } => texts::hand_fault::too_many_melds(lang, found),
            HandFault::TooManyCopies { tile, found } => {
                texts::hand_fault::too_many_copies(lang, found, tile)
            }
        }
    }
}

display_english!(FlowersError);

impl Message for FlowersError {
    fn text(&self, lang: Lang) -> String {
        match self {
            FlowersError::Twice(bonus) => texts::flowers_error::twice(lang, bonus),
            FlowersError::TooMany => texts::flowers_error::too_many(lang).to_owned(),
        }
    }
}

display_english!(ParseTileError);

impl Message for ParseTileError {
    fn text(&self, lang: Lang) -> String {
        let ParseTileError { found, expected } = self;
        let expected = expected.replace(" or ", &format!(" {} ", texts::invalid::or(lang)));
        texts::invalid::tile(lang, found, expected)
    }
}
