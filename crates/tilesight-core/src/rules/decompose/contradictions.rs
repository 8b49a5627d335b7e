//! Win context that can't be true of a hand under any rules. All contradictions are reported at
//! once.

use crate::context::{Declaration, DeclaredSet, WinSource};
use crate::rules::{Contradiction, Requirement, RulesError};
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

/// Returns what the declarations of a game need and a hand does not have.
pub(in crate::rules) fn unmet(
    facts: &Facts,
    known: DeclaredSet,
    needs: fn(Declaration) -> &'static [Requirement],
    is_met: fn(Requirement, &Facts) -> bool,
) -> impl Iterator<Item = Contradiction> + '_ {
    let declared = facts.context.declared.iter().filter(move |&one| known.contains(one));
    declared.flat_map(move |declared| {
        let missing = needs(declared).iter().filter(move |&&need| !is_met(need, facts));
        missing.map(move |&needs| Contradiction::Declared { declared, needs })
    })
}

/// Adds a game's own contradictions to those of [`check`].
///
/// # Errors
/// [`RulesError::Contradictions`] with all contradictions, if there are any.
pub(in crate::rules) fn with_own(
    shared: &Result<(), RulesError>,
    own: impl Iterator<Item = Contradiction>,
) -> Result<(), RulesError> {
    let shared = shared.as_ref().err().map_or(&[][..], RulesError::contradictions);
    let all: Vec<Contradiction> = shared.iter().copied().chain(own).collect();
    if all.is_empty() { Ok(()) } else { Err(RulesError::Contradictions(all)) }
}
