//! Win context that can't be true of a hand that won: the contradictions of every game, and those
//! of declarations. All of them are reported.

use crate::context::{Declaration, DeclaredSet};
use crate::hand::Hand;
use crate::rules::RulesError;
use crate::rules::decompose::contradictions;
use crate::rules::decompose::facts::Facts;

use super::HongKong;
use super::liability;
use super::line::Line;

/// Refuses win context that can't be true of the hand.
///
/// # Errors
/// [`RulesError::Contradictions`] with all contradictions.
pub(super) fn check(rules: &HongKong, facts: &Facts, hand: &Hand) -> Result<(), RulesError> {
    let shared = contradictions::check(facts);
    let plain = facts.context.declared.is_empty() && facts.context.feeder.is_none();
    if plain { shared } else { all(rules, facts, hand, &shared) }
}

#[cold]
fn all(
    rules: &HongKong,
    facts: &Facts,
    hand: &Hand,
    shared: &Result<(), RulesError>,
) -> Result<(), RulesError> {
    let unmet = contradictions::unmet(facts, rules.known_declarations());
    let fed = liability::contradiction(facts, hand, &rules.options);
    contradictions::with_own(shared, unmet.chain(fed))
}

impl HongKong {
    /// Returns the declarations that change a score; others are ignored.
    pub(super) fn known_declarations(&self) -> DeclaredSet {
        let lines = [
            (Declaration::TwofoldFortune, Line::DoubleKong),
            (Declaration::Heaven, Line::HeavenlyHand),
            (Declaration::Earth, Line::EarthlyHand),
        ];
        let played = lines.into_iter().filter(|(_, line)| self.played.contains(*line));
        played.map(|(declared, _)| declared).collect()
    }
}
