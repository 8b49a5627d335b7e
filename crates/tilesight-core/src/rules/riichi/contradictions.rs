//! Win context that can't be true of a hand in riichi. All contradictions are reported at once.

use crate::context::{Declaration, RiichiCall, WinSource};
use crate::hand::Hand;
use crate::rules::decompose::contradictions;
use crate::rules::decompose::facts::Facts;
use crate::rules::{Contradiction, Requirement, RulesError};
use crate::tile::Wind;

use super::liability;
use super::options::Options;

/// Refuses win context that can't be true of the hand.
///
/// # Errors
/// [`RulesError::Contradictions`] with all contradictions.
pub(super) fn check(facts: &Facts, hand: &Hand, options: &Options) -> Result<(), RulesError> {
    let shared = contradictions::check(facts);
    let context = &facts.context;
    let plain = context.riichi == RiichiCall::No
        && !context.ippatsu
        && !context.last_wall_tile
        && context.declared.is_empty()
        && context.feeder.is_none()
        && !has_too_few_indicators(facts);
    if plain || shared.is_ok() && own(facts, hand, options).next().is_none() {
        return shared;
    }
    contradictions::with_own(&shared, own(facts, hand, options))
}

/// Returns the contradictions that only riichi knows.
fn own<'a>(
    facts: &'a Facts,
    hand: &'a Hand,
    options: &'a Options,
) -> impl Iterator<Item = Contradiction> + 'a {
    let context = &facts.context;
    let has_riichi = context.riichi != RiichiCall::No;
    let replacement = context.win == WinSource::KongReplacement;
    let checks = [
        (has_riichi && !facts.melds.is_concealed(), Contradiction::RiichiWithCalledMeld),
        (context.ippatsu && !has_riichi, Contradiction::IppatsuWithoutRiichi),
        (context.last_wall_tile && replacement, Contradiction::ReplacementAtEndOfWall),
        (has_too_few_indicators(facts), too_few_indicators(facts)),
    ];
    let checks = checks.into_iter().filter_map(|(wrong, reason)| wrong.then_some(reason));
    checks.chain(declared(facts)).chain(liability::contradiction(facts, hand, options))
}

/// Returns the requirements of heaven and earth that are not met.
fn declared(facts: &Facts) -> impl Iterator<Item = Contradiction> + '_ {
    let both = [Declaration::Heaven, Declaration::Earth].into_iter();
    let stated = both.filter(|&one| facts.context.declared.contains(one));
    stated.flat_map(|declared| {
        let is_east = facts.context.seat == Wind::East;
        let (seat, sits) = match declared {
            Declaration::Heaven => (Requirement::SeatEast, is_east),
            _ => (Requirement::OtherSeat, !is_east),
        };
        let needs = [
            (seat, sits),
            (Requirement::SelfDraw, facts.context.win == WinSource::SelfDrawn),
            (Requirement::NoMelds, facts.melds.count == 0),
            (Requirement::NoRiichi, facts.context.riichi == RiichiCall::No),
        ];
        let missing = needs.into_iter().filter(|(_, met)| !met);
        missing.map(move |(needs, _)| Contradiction::Declared { declared, needs })
    })
}

/// Returns whether the hand has kongs that the indicators do not account for. No indicators at all
/// mean that they are not known.
fn has_too_few_indicators(facts: &Facts) -> bool {
    let found = facts.context.dora_indicators.len();
    found > 0 && found < needed_indicators(facts)
}

/// Returns the number of indicators that lie face up at least: one, and one more for each kong of
/// the hand. That of an open kong may be turned up late, after its replacement tile won.
fn needed_indicators(facts: &Facts) -> u8 {
    let late = facts.context.win == WinSource::KongReplacement && facts.melds.melded_kongs() != 0;
    1 + facts.melds.kongs.count_ones() as u8 - u8::from(late)
}

fn too_few_indicators(facts: &Facts) -> Contradiction {
    let (needed, found) = (needed_indicators(facts), facts.context.dora_indicators.len());
    Contradiction::TooFewIndicators { needed, found }
}
