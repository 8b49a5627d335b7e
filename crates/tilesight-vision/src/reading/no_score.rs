//! Reasons for a reading without a score.
//!
//! Input: a reading without a score. Output: a [`NoScore`], with a sentence in every language.
//! Invariant: a reading has either a score or a reason.

use serde::{Deserialize, Serialize};
use tilesight_core::explain::{Lang, Message, display_english};
use tilesight_core::hand::HandFault;
use tilesight_core::rules::RulesError;

use super::{Reading, Status};
use crate::decide::doubt::DoubtKind;
use crate::decide::question::Question;
use crate::texts;

/// Reason for a missing score.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoScore {
    /// No hand was found in the photo.
    NoHand(NoHand),
    /// The hand did not win, and the rules score only the winning hand.
    NotWon,
    /// The tiles can't be a hand: too few, too many, five of a kind, or tiles that three players do
    /// not have.
    Hand(Vec<HandFault>),
    /// The rules can't score the hand: it does not win, or contradicts the win context.
    Rules(RulesError),
    /// The win context contradicts the hand, whichever tile won.
    Contradiction(Question),
}

/// Kind of a reason, as the contract names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NoScoreKind {
    /// No hand was found in the photo.
    NoHand,
    /// The hand did not win, and the rules score only the winning hand.
    NotWon,
    /// The tiles can't be a hand: too few, too many, or five of a kind.
    InvalidHand,
    /// The tiles do not form a winning hand.
    NotAWin,
    /// The rules are played without flowers, and the hand has some.
    FlowersNotPlayed,
    /// The win context contradicts the hand.
    InvalidContext,
}

impl NoScore {
    /// Returns the reason why a reading has no score; `None` if it has one.
    #[must_use]
    pub fn from_reading(reading: &Reading) -> Option<NoScore> {
        if reading.score.is_some() {
            return None;
        }
        if reading.status == Status::NoHand {
            return Some(NoScore::NoHand(NoHand::from_reading(reading)));
        }
        if !reading.won {
            let holding = reading.hand.clone().into_holding();
            let scores_others = reading.ruleset.rules().table().is_some();
            return Some(match holding {
                Err(error) if scores_others => NoScore::Hand(error.faults),
                _ => NoScore::NotWon,
            });
        }
        let mut setup = reading.scored_hand();
        let is_open = setup.winning.is_none();
        if is_open {
            // Any tile will do to find other faults: no tile is supposed only if none wins.
            setup.winning = setup.concealed.pop();
        }
        match setup.into_hand_of(reading.ruleset.rules().size()) {
            Err(error) => Some(NoScore::Hand(error.faults)),
            Ok(_) if is_open => Some(no_tile_wins(reading)),
            Ok(hand) => reading.ruleset.score(&hand, &reading.context).err().map(NoScore::Rules),
        }
    }

    /// Returns the kind of the reason.
    #[must_use]
    pub const fn kind(&self) -> NoScoreKind {
        match self {
            NoScore::NoHand(_) => NoScoreKind::NoHand,
            NoScore::NotWon => NoScoreKind::NotWon,
            NoScore::Hand(_)
            | NoScore::Rules(
                RulesError::WrongSize(_)
                | RulesError::TileNotPlayed { .. }
                | RulesError::TooManyReds { .. }
                | RulesError::ChowNotCallable,
            ) => NoScoreKind::InvalidHand,
            NoScore::Rules(RulesError::NotAWin) => NoScoreKind::NotAWin,
            NoScore::Rules(RulesError::FlowersNotPlayed { .. }) => NoScoreKind::FlowersNotPlayed,
            NoScore::Rules(RulesError::Contradictions(_)) | NoScore::Contradiction(_) => {
                NoScoreKind::InvalidContext
            }
        }
    }
}

/// Returns the reason why a complete hand has no score with any winning tile. A hand that wins with
/// some tile is scored.
fn no_tile_wins(reading: &Reading) -> NoScore {
    let mut doubts = reading.doubts.iter();
    let contradiction = doubts.find(|doubt| doubt.kind == DoubtKind::Contradiction);
    contradiction.map_or(NoScore::Rules(RulesError::NotAWin), |doubt| {
        NoScore::Contradiction(doubt.question.clone())
    })
}

display_english!(NoScore);

impl Message for NoScore {
    fn text(&self, lang: Lang) -> String {
        match self {
            NoScore::NoHand(none) => none.text(lang),
            NoScore::NotWon => texts::no_score::not_won(lang).to_owned(),
            NoScore::Hand(faults) => {
                let faults: Vec<String> = faults.iter().map(|fault| fault.text(lang)).collect();
                faults.join(lang.labels().clauses)
            }
            NoScore::Rules(error) => error.text(lang),
            NoScore::Contradiction(question) => question.text(lang),
        }
    }
}

/// A photo without a hand, with the number of tiles that were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NoHand {
    tiles: usize,
    in_region: Option<usize>,
    is_unfamiliar: bool,
}

impl NoHand {
    /// Describes a reading with the status `no_hand`.
    #[must_use]
    pub fn from_reading(reading: &Reading) -> NoHand {
        NoHand {
            tiles: reading.tiles.len(),
            in_region: reading.in_region,
            is_unfamiliar: reading.unfamiliar,
        }
    }
}

display_english!(NoHand);

impl Message for NoHand {
    fn text(&self, lang: Lang) -> String {
        match (self.tiles, self.in_region) {
            (0, _) => texts::no_hand::no_tiles(lang).to_owned(),
            (tiles, None) if self.is_unfamiliar => texts::no_hand::unfamiliar(lang, tiles),
            (tiles, None) => texts::no_hand::no_hand(lang, tiles),
            (tiles, Some(0)) => texts::no_hand::none_in_region(lang, tiles),
            (_, Some(within)) => texts::no_hand::no_hand_in_region(lang, within),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_tile_is_singular() {
        let said = |tiles, in_region| {
            let none = NoHand { tiles, in_region, is_unfamiliar: false };
            Lang::ALL.map(|lang| none.text(lang)).map(|text| {
                let plural = ["tiles", "were", "wurden", "liegen", "brikker", "brickor"];
                assert!(!plural.iter().any(|word| text.contains(word)), "{text}");
                text
            })
        };
        assert_eq!(said(1, None)[0], "1 tile was found in the photo, but no hand");
        assert_eq!(said(1, Some(0))[1], "im Bereich liegt kein Ziegel; außerhalb wurde 1 gefunden");
        assert_eq!(said(7, Some(1))[3], "1 bricka ligger i området, men ingen hand");
    }

    #[test]
    fn a_photo_of_an_unknown_set_says_that_it_can_be_taught() {
        let none = NoHand { tiles: 14, in_region: None, is_unfamiliar: true };
        assert!(none.text(Lang::En).ends_with("if they are mahjong tiles, teach it your set"));
    }
}
