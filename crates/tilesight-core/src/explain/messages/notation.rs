//! Errors of a text in the notation.

use crate::explain::{Lang, Message, display_english};
use crate::notation::{Expectation, FoundChar, MarkedSet, NotationError};
use crate::texts;

display_english!(NotationError);

impl Message for NotationError {
    fn text(&self, lang: Lang) -> String {
        let column = self.position().column + 1;
        match self {
            NotationError::Unexpected { found, expected, .. } => {
                let found = found.text(lang);
                let expected = expected.text(lang);
                texts::notation_error::unexpected(lang, column, found, expected)
            }
            NotationError::NoSuchTile { number, suit, expected, .. } => {
                let expected = expected.text(lang);
                texts::notation_error::no_such_tile(lang, column, number, suit, expected)
            }
            NotationError::NotASet { tiles, .. } => {
                texts::notation_error::not_a_set(lang, column, tiles)
            }
            NotationError::SeveralWinningTiles { tiles, .. } => {
                texts::notation_error::several_winning_tiles(lang, column, tiles)
            }
            NotationError::WrongMark { found, kind, .. } => wrong_mark(self, lang, *found, *kind),
            NotationError::MarkOnUnsortedChow { rising, .. } => {
                texts::notation_error::mark_on_unsorted_chow(lang, column, rising)
            }
            NotationError::HalfKnownWin { found, .. } => {
                let found = found.text(lang);
                texts::notation_error::half_known_win(lang, column, found)
            }
            NotationError::OtherWin { .. } => texts::notation_error::other_win(lang, column),
            NotationError::Flowers { found, .. } => {
                let found = found.text(lang);
                texts::notation_error::flowers(lang, column, found)
            }
        }
    }
}

fn wrong_mark(error: &NotationError, lang: Lang, found: FoundChar, kind: MarkedSet) -> String {
    let column = error.position().column + 1;
    let found = found.text(lang);
    match kind {
        MarkedSet::Chow => texts::notation_error::wrong_mark_of_chow(lang, column, found),
        MarkedSet::Pung => texts::notation_error::wrong_mark_of_pung(lang, column, found),
    }
}

display_english!(FoundChar);

impl Message for FoundChar {
    fn text(&self, lang: Lang) -> String {
        match self.0 {
            Some(character) => format!("`{}`", character.escape_debug()),
            None => texts::notation_error::end_of_text(lang).to_owned(),
        }
    }
}

display_english!(Expectation);

impl Message for Expectation {
    fn text(&self, lang: Lang) -> String {
        match self {
            Expectation::Tile => texts::expectation::tile(lang).to_owned(),
            Expectation::InHand => texts::expectation::in_hand(lang).to_owned(),
            Expectation::InMeld => texts::expectation::in_meld(lang).to_owned(),
            Expectation::Suit => texts::expectation::suit(lang).to_owned(),
            Expectation::NumberOfSuit => texts::expectation::number_of_suit(lang).to_owned(),
            Expectation::NumberOfHonor => texts::expectation::number_of_honor(lang).to_owned(),
            Expectation::RedFive => texts::expectation::red_five(lang).to_owned(),
            Expectation::WinningTile => texts::expectation::winning_tile(lang).to_owned(),
            Expectation::Mark => texts::expectation::mark(lang).to_owned(),
            // The character itself, in every language.
            Expectation::EndOfMeld => "`]`".to_owned(),
            Expectation::Wind => texts::expectation::wind(lang).to_owned(),
            Expectation::Flag => texts::expectation::flag(lang).to_owned(),
            Expectation::From => texts::expectation::from(lang).to_owned(),
            Expectation::Flower => texts::expectation::flower(lang).to_owned(),
            Expectation::NumberOfFlower => texts::expectation::number_of_flower(lang).to_owned(),
            Expectation::EndOfText => texts::expectation::end_of_text(lang).to_owned(),
        }
    }
}
