//! Win context that can't be true of a hand that won the classical game: the contradictions of
//! every game, and those of declarations. All of them are reported.

use crate::context::{Declaration, DeclaredSet, WinSource};
use crate::rules::decompose::contradictions;
use crate::rules::decompose::facts::Facts;
use crate::rules::{Contradiction, RulesError};

use super::Classical;

/// Refuses win context that can't be true of the hand.
///
/// # Errors
/// [`RulesError::Contradictions`] with all contradictions.
pub(super) fn check(rules: &Classical, facts: &Facts) -> Result<(), RulesError> {
    let shared = contradictions::check(facts);
    let declared = facts.context.declared;
    let last_replacement = facts.context.last_wall_tile && facts.self_drawn && {
        facts.context.win == WinSource::KongReplacement
            || declared.contains(Declaration::FlowerReplacement)
    };
    if shared.is_ok() && declared.is_empty() && !last_replacement {
        return Ok(());
    }
    all(rules, facts, &shared, last_replacement)
}

#[cold]
fn all(
    rules: &Classical,
    facts: &Facts,
    shared: &Result<(), RulesError>,
    last_replacement: bool,
) -> Result<(), RulesError> {
    let last = last_replacement.then_some(Contradiction::ReplacementAtEndOfWall);
    let unmet = contradictions::unmet(facts, rules.known_declarations());
    contradictions::with_own(shared, last.into_iter().chain(unmet))
}

impl Classical {
    /// Returns the declarations that the options allow; others are ignored.
    pub(super) fn known_declarations(&self) -> DeclaredSet {
        Declaration::ALL.into_iter().filter(|&declared| self.allows(declared)).collect()
    }

    fn allows(&self, declared: Declaration) -> bool {
        let options = &self.options;
        match declared {
            Declaration::OriginalCall | Declaration::FlowerReplacement => true,
            Declaration::TwofoldFortune => options.twofold_fortune_limits.0 > 0,
            Declaration::Heaven => options.blessing_of_heaven_limits.0 > 0,
            Declaration::Earth => options.blessing_of_earth_limits.0 > 0,
            Declaration::NinthEastWin => options.ninth_east_win_limits.0 > 0,
            Declaration::DangerousGame => options.dangerous_game,
            Declaration::Human
            | Declaration::HeavenReady
            | Declaration::EarthReady
            | Declaration::Ready
            | Declaration::EightFlowers
            | Declaration::SevenFlowers => false,
        }
    }
}
