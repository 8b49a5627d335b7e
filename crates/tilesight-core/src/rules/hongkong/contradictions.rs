//! Win context that can't be true of a hand that won: the contradictions of every game, and those
//! of declarations. All of them are reported.

use crate::context::{Declaration, DeclaredSet, WinSource};
use crate::hand::Hand;
use crate::rules::decompose::contradictions;
use crate::rules::decompose::facts::Facts;
use crate::rules::{Requirement, RulesError};
use crate::tile::Wind;

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
    let own = contradictions::unmet(facts, rules.known_declarations(), needs, is_met);
    let fed = liability::contradiction(facts, hand, &rules.options);
    contradictions::with_own(shared, own.into_iter().chain(fed))
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

/// Returns the requirements of a declaration.
const fn needs(declared: Declaration) -> &'static [Requirement] {
    match declared {
        Declaration::TwofoldFortune => &[Requirement::KongReplacement, Requirement::TwoKongs],
        Declaration::Heaven => {
            &[Requirement::SeatEast, Requirement::SelfDraw, Requirement::NoMelds]
        }
        Declaration::Earth => &[Requirement::OtherSeat, Requirement::Discard, Requirement::NoMelds],
        _ => &[],
    }
}

fn is_met(need: Requirement, facts: &Facts) -> bool {
    let (melds, context) = (&facts.melds, &facts.context);
    match need {
        Requirement::SeatEast => context.seat == Wind::East,
        Requirement::OtherSeat => context.seat != Wind::East,
        Requirement::SelfDraw => facts.self_drawn,
        Requirement::Discard => matches!(context.win, WinSource::Discard { .. }),
        Requirement::KongReplacement => context.win == WinSource::KongReplacement,
        Requirement::TwoKongs => melds.kongs.count_ones() >= 2,
        Requirement::NoMelds => melds.count == 0,
        // No declaration of this game needs anything else.
        Requirement::FewOpenSets
        | Requirement::BonusTile
        | Requirement::NoRiichi
        | Requirement::NoNorths => true,
    }
}
