//! Win context that can't be true of a hand under any rules, and what declarations need in the
//! games of the Chinese family. All contradictions are reported at once.

use crate::context::{CompletedSet, Declaration, DeclaredSet, WinSource};
use crate::hand::HandSize;
use crate::rules::{Contradiction, Requirement, RulesError};
use crate::tile::{Tile, Wind};

use super::decompositions::{Decomposition, Shape, chows_with, for_each, for_each_of_sixteen};
use super::facts::{Facts, place};

/// Maximum number of open sets after an original call: one that was claimed before the call, and
/// the one that the winning tile completes.
const OPEN_AFTER_ORIGINAL_CALL: usize = 2;

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
        facts.context.completes.is_some_and(|set| is_impossible(facts, set)),
    ];
    if wrong == [false; 5] { Ok(()) } else { Err(contradictions(facts, wrong)) }
}

/// Returns whether the winning tile completed the set in no reading of the hand. A hand that does
/// not win at all has another fault.
#[cold]
fn is_impossible(facts: &Facts, set: CompletedSet) -> bool {
    if !set.holds(Tile::ALL[facts.winning]) {
        return true;
    }
    let mut wins = false;
    let mut completes = false;
    match facts.size {
        HandSize::Thirteen => for_each(facts, &mut |decomposition| {
            wins = true;
            completes |= is_completed(facts, decomposition, set);
        }),
        HandSize::Sixteen => for_each_of_sixteen(facts, &mut |decomposition| {
            wins = true;
            completes |= is_completed(facts, decomposition, set);
        }),
    }
    wins && !completes
}

/// Returns whether the winning tile, which the set holds, can have completed it in a reading.
fn is_completed<const SETS: usize>(
    facts: &Facts,
    decomposition: &Decomposition<SETS>,
    set: CompletedSet,
) -> bool {
    let winning = facts.winning;
    match (decomposition.shape, set) {
        (Shape::Pairs | Shape::Orphans, CompletedSet::Pair(_)) => facts.copies(winning) >= 2,
        (Shape::Pairs | Shape::Orphans, _) => false,
        (_, CompletedSet::Pair(_)) => decomposition.pair >> winning & 1 == 1,
        (_, CompletedSet::Pung(_)) => decomposition.hidden_pungs >> winning & 1 == 1,
        (_, CompletedSet::Chow(chow)) => {
            let (suit, number) = place(chow.low().index());
            decomposition.hidden_chows & chows_with(winning) & 1 << (suit * 7 + number) != 0
        }
    }
}

#[cold]
fn contradictions(facts: &Facts, wrong: [bool; 5]) -> RulesError {
    let tile = Tile::ALL[facts.winning];
    let reasons = [
        Contradiction::ReplacementWithoutKong,
        Contradiction::RobbedTileInHand { tile },
        Contradiction::RobbedAfterLastTile,
        Contradiction::LastOfKindInHand { tile },
    ];
    let completes = facts.context.completes.map(|set| Contradiction::NotCompleted { set, tile });
    let reasons = reasons.into_iter().map(Some).chain([completes]);
    let all = reasons.zip(wrong).filter_map(|(reason, wrong)| reason.filter(|_| wrong));
    RulesError::Contradictions(all.collect())
}

/// Returns what the declarations that a game knows need and a hand does not have. Riichi, where
/// heaven and earth need other things, has its own.
pub(in crate::rules) fn unmet(
    facts: &Facts,
    known: DeclaredSet,
) -> impl Iterator<Item = Contradiction> + '_ {
    let declared = facts.context.declared.iter().filter(move |&one| known.contains(one));
    declared.flat_map(move |declared| {
        let missing = needs(declared).iter().filter(move |&&need| !is_met(need, facts));
        missing.map(move |&needs| Contradiction::Declared { declared, needs })
    })
}

const fn needs(declared: Declaration) -> &'static [Requirement] {
    match declared {
        Declaration::OriginalCall => &[Requirement::FewOpenSets],
        Declaration::TwofoldFortune => &[Requirement::KongReplacement, Requirement::TwoKongs],
        Declaration::Heaven => {
            &[Requirement::SeatEast, Requirement::SelfDraw, Requirement::NoMelds]
        }
        Declaration::Earth => &[Requirement::OtherSeat, Requirement::Discard, Requirement::NoMelds],
        Declaration::NinthEastWin => &[Requirement::SeatEast],
        Declaration::FlowerReplacement => &[Requirement::SelfDraw, Requirement::BonusTile],
        Declaration::DangerousGame => &[Requirement::Discard],
        // Only the game of sixteen tiles knows these, and says itself what they need.
        Declaration::Human
        | Declaration::HeavenReady
        | Declaration::EarthReady
        | Declaration::Ready
        | Declaration::EightFlowers
        | Declaration::SevenFlowers => &[],
    }
}

fn is_met(need: Requirement, facts: &Facts) -> bool {
    let melds = &facts.melds;
    let context = &facts.context;
    match need {
        Requirement::SeatEast => context.seat == Wind::East,
        Requirement::OtherSeat => context.seat != Wind::East,
        Requirement::SelfDraw => facts.self_drawn,
        Requirement::Discard => matches!(context.win, WinSource::Discard { .. }),
        Requirement::KongReplacement => context.win == WinSource::KongReplacement,
        Requirement::TwoKongs => melds.kongs.count_ones() >= 2,
        Requirement::NoMelds => melds.count == 0,
        Requirement::FewOpenSets => {
            let open = melds.count - melds.concealed_kongs.count_ones() as usize;
            open + usize::from(!facts.self_drawn) <= OPEN_AFTER_ORIGINAL_CALL
        }
        Requirement::BonusTile => facts.flowers > 0,
        // No declaration of these games needs another.
        _ => true,
    }
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
