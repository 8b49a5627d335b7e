//! Reasons for a reading without a score.
//!
//! Input: a reading without a score. Output: a [`NoScore`], with a sentence in five languages.
//! Invariant: a reading has either a score or a reason.

use std::fmt;

use serde::{Deserialize, Serialize};
use tilesight_core::explain::{Lang, Message, said};
use tilesight_core::hand::HandFault;
use tilesight_core::plural::{choose_form, format_count};
use tilesight_core::rules::RulesError;

use super::{Reading, Status};
use crate::decide::doubt::DoubtKind;
use crate::decide::question::Question;

/// Reason for a missing score.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoScore {
    /// No hand was found in the photo.
    NoHand(NoHand),
    /// The hand did not win, and the rules score only the winning hand.
    NotWon,
    /// The tiles can't be a hand: too few, too many, or five of a kind.
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
        match setup.into_hand() {
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
            NoScore::Hand(_) => NoScoreKind::InvalidHand,
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

impl fmt::Display for NoScore {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoScore::NoHand(none) => none.fmt(out),
            NoScore::NotWon => out.write_str("the rules score only the hand that won"),
            NoScore::Hand(faults) => {
                let faults: Vec<String> = faults.iter().map(HandFault::to_string).collect();
                out.write_str(&faults.join("; "))
            }
            NoScore::Rules(error) => error.fmt(out),
            NoScore::Contradiction(question) => question.fmt(out),
        }
    }
}

impl Message for NoScore {
    fn said(&self, lang: Lang) -> String {
        match self {
            NoScore::NoHand(none) => none.said(lang),
            NoScore::NotWon => said!(
                self,
                lang,
                "die Regeln werten nur die Hand, die gewonnen hat",
                "reglerne giver kun point for hånden, der vandt",
                "reglerna ger bara poäng för handen som vann",
                "规则只给和牌的手牌计分",
            ),
            NoScore::Hand(faults) => {
                let faults: Vec<String> = faults.iter().map(|fault| fault.said(lang)).collect();
                faults.join("; ")
            }
            NoScore::Rules(error) => error.said(lang),
            NoScore::Contradiction(question) => question.said(lang),
        }
    }
}

/// A photo without a hand, with the number of tiles that were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct NoHand {
    tiles: usize,
    in_region: Option<usize>,
}

impl NoHand {
    /// Describes a reading with the status `no_hand`.
    #[must_use]
    pub fn from_reading(reading: &Reading) -> NoHand {
        NoHand { tiles: reading.tiles.len(), in_region: reading.in_region }
    }
}

impl fmt::Display for NoHand {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.tiles, self.in_region) {
            (0, _) => out.write_str("no tiles were found in the photo"),
            (tiles, None) => {
                let tiles = format_count(tiles, "tile was", "tiles were");
                write!(out, "{tiles} found in the photo, but no hand")
            }
            (tiles, Some(0)) => {
                let found = format_count(tiles, "was", "were");
                write!(out, "no tile lies in the region; {found} found outside it")
            }
            (_, Some(within)) => {
                let tiles = format_count(within, "tile lies", "tiles lie");
                write!(out, "{tiles} in the region, but no hand")
            }
        }
    }
}

impl Message for NoHand {
    fn said(&self, lang: Lang) -> String {
        match (self.tiles, self.in_region) {
            (0, _) => said!(
                self,
                lang,
                "auf dem Foto wurden keine Ziegel gefunden",
                "der blev ikke fundet brikker på billedet",
                "inga brickor hittades på bilden",
                "照片里没有找到牌",
            ),
            (tiles, None) => {
                let verb = choose_form(tiles, "wurde", "wurden");
                let brikker = format_count(tiles, "brik", "brikker");
                let brickor = format_count(tiles, "bricka", "brickor");
                said!(
                    self,
                    lang,
                    "auf dem Foto {verb} {tiles} Ziegel gefunden, aber keine Hand",
                    "der blev fundet {brikker} på billedet, men ingen hånd",
                    "{brickor} hittades på bilden, men ingen hand",
                    "照片里找到 {tiles} 张牌，但没有手牌",
                )
            }
            (tiles, Some(0)) => {
                let verb = choose_form(tiles, "wurde", "wurden");
                said!(
                    self,
                    lang,
                    "im Bereich liegt kein Ziegel; außerhalb {verb} {tiles} gefunden",
                    "der ligger ingen brik i området; {tiles} blev fundet udenfor",
                    "ingen bricka ligger i området; {tiles} hittades utanför",
                    "区域内没有牌；区域外找到 {tiles} 张",
                )
            }
            (_, Some(within)) => {
                let verb = choose_form(within, "liegt", "liegen");
                let brikker = format_count(within, "brik", "brikker");
                let brickor = format_count(within, "bricka", "brickor");
                said!(
                    self,
                    lang,
                    "im Bereich {verb} {within} Ziegel, aber keine Hand",
                    "der ligger {brikker} i området, men ingen hånd",
                    "{brickor} ligger i området, men ingen hand",
                    "区域内有 {within} 张牌，但没有手牌",
                )
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use tilesight_core::explain::check;
    use tilesight_core::rules::Contradiction;

    use super::*;

    #[test]
    fn every_reason_is_stated_in_five_languages() {
        let fault = HandFault::TileCount { expected: 13, found: 11 };
        let flowers = RulesError::FlowersNotPlayed { count: 2 };
        let no_hand = |tiles, in_region| NoScore::NoHand(NoHand { tiles, in_region });
        let all = [
            no_hand(0, None),
            no_hand(7, None),
            no_hand(1, None),
            no_hand(1, Some(0)),
            no_hand(7, Some(1)),
            no_hand(7, Some(0)),
            no_hand(7, Some(3)),
            NoScore::NotWon,
            NoScore::Hand(vec![fault, HandFault::NoWinningTile]),
            NoScore::Rules(RulesError::NotAWin),
            NoScore::Rules(flowers),
            NoScore::Rules(RulesError::Contradictions(vec![Contradiction::ReplacementWithoutKong])),
        ];
        check(all, &["7", "3", "11", "13", "2", "1 "]);
    }

    #[test]
    fn one_tile_is_singular() {
        let said = |tiles, in_region| {
            Lang::ALL.map(|lang| NoHand { tiles, in_region }.said(lang)).map(|text| {
                let plural = ["tiles", "were", "wurden", "liegen", "brikker", "brickor"];
                assert!(!plural.iter().any(|word| text.contains(word)), "{text}");
                text
            })
        };
        assert_eq!(said(1, None)[0], "1 tile was found in the photo, but no hand");
        assert_eq!(said(1, Some(0))[1], "im Bereich liegt kein Ziegel; außerhalb wurde 1 gefunden");
        assert_eq!(said(7, Some(1))[3], "1 bricka ligger i området, men ingen hand");
    }
}
