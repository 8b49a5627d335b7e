//! Win context that can't be true of a hand under any rules. All contradictions are reported at
//! once.

use crate::context::WinSource;
use crate::rules::{Contradiction, RulesError};
use crate::tile::Tile;

use super::facts::Facts;

/// Refuses win context that can't be true of the hand.
///
/// # Errors
/// [`RulesError::Contradictions`] with all contradictions.
pub(in crate::rules) fn check(facts: &Facts) -> Result<(), RulesError> {
    let copies = facts.copies(facts.winning);
    let hidden = facts.hidden[facts.winning / 9].count_at(facts.winning % 9);
    let replacement = facts.context.win == WinSource::KongReplacement;
    let wrong = [
        replacement && facts.melds.kongs == 0,
        facts.is_robbed() && copies > 1,
        facts.is_robbed() && facts.context.last_wall_tile,
        facts.context.last_of_kind && hidden > 1,
    ];
    if wrong == [false; 4] { Ok(()) } else { Err(contradictions(facts, wrong)) }
}

#[cold]
fn contradictions(facts: &Facts, wrong: [bool; 4]) -> RulesError {
    let tile = Tile::ALL[facts.winning];
    let reasons = [
        Contradiction::ReplacementWithoutKong,
        Contradiction::RobbedTileInHand { tile },
        Contradiction::RobbedAfterLastTile,
        Contradiction::LastOfKindInHand { tile },
    ];
    let all = reasons.into_iter().zip(wrong).filter_map(|(reason, wrong)| wrong.then_some(reason));
    RulesError::Contradictions(all.collect())
}
