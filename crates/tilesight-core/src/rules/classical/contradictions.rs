//! Win context that can't be true of a hand that won the classical game: the contradictions of
//! every game, and those of declarations. All of them are reported.

use crate::context::{Declaration, DeclaredSet, WinSource};
use crate::rules::decompose::contradictions;
use crate::rules::decompose::facts::Facts;
use crate::rules::{Contradiction, Requirement, RulesError};
use crate::tile::Wind;

use super::Classical;

/// Maximum number of open sets after an original call: one that was claimed before the call, and
/// the one that the winning tile completes.
const OPEN_AFTER_ORIGINAL_CALL: usize = 2;

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
    let unmet = contradictions::unmet(facts, rules.known_declarations(), needs, is_met);
    contradictions::with_own(shared, last.into_iter().chain(unmet))
}

impl Classical {
    /// Returns the declarations that the options allow; others are ignored.
    pub(super) fn known_declarations(&self) -> DeclaredSet {
        let options = &self.options;
        let known = |declared: &Declaration| match declared {
            Declaration::OriginalCall | Declaration::FlowerReplacement => true,
            Declaration::TwofoldFortune => options.twofold_fortune_limits.0 > 0,
            Declaration::Heaven => options.blessing_of_heaven_limits.0 > 0,
            Declaration::Earth => options.blessing_of_earth_limits.0 > 0,
            Declaration::NinthEastWin => options.ninth_east_win_limits.0 > 0,
            Declaration::DangerousGame => options.dangerous_game,
        };
        Declaration::ALL.into_iter().filter(known).collect()
    }
}

/// Returns the requirements of a declaration.
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
    }
}

fn is_met(need: Requirement, facts: &Facts) -> bool {
    let (melds, context) = (&facts.melds, &facts.context);
    let open = melds.count - melds.concealed_kongs.count_ones() as usize;
    match need {
        Requirement::SeatEast => context.seat == Wind::East,
        Requirement::OtherSeat => context.seat != Wind::East,
        Requirement::SelfDraw => facts.self_drawn,
        Requirement::Discard => matches!(context.win, WinSource::Discard { .. }),
        Requirement::KongReplacement => context.win == WinSource::KongReplacement,
        Requirement::TwoKongs => melds.kongs.count_ones() >= 2,
        Requirement::NoMelds => melds.count == 0,
        // The classical game knows neither riichi nor norths set aside.
        Requirement::NoRiichi | Requirement::NoNorths => true,
        Requirement::FewOpenSets => {
            open + usize::from(!facts.self_drawn) <= OPEN_AFTER_ORIGINAL_CALL
        }
        Requirement::BonusTile => facts.flowers > 0,
    }
}
