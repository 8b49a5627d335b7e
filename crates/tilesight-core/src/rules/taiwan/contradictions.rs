//! Win context that can't be true of a hand that won: the contradictions of every game, those of
//! declarations, and the seat of the dealer. All of them are reported.

use crate::context::{Declaration, DeclaredSet, WinSource};
use crate::hand::Hand;
use crate::rules::decompose::contradictions;
use crate::rules::decompose::facts::Facts;
use crate::rules::{Contradiction, Requirement, RulesError};
use crate::tile::Wind;

use super::Taiwan;
use super::line::Line;

/// Declarations with a line of their own in a hand that its tiles won.
pub(super) const LINES_OF_DECLARATIONS: [(Declaration, Line); 6] = [
    (Declaration::Ready, Line::Ready),
    (Declaration::EarthReady, Line::EarthlyReady),
    (Declaration::HeavenReady, Line::HeavenlyReady),
    (Declaration::Heaven, Line::HeavenlyHand),
    (Declaration::Earth, Line::EarthlyHand),
    (Declaration::Human, Line::HumanHand),
];

const FIRST_HANDS: [Declaration; 3] = [Declaration::Heaven, Declaration::Earth, Declaration::Human];
const READY_HANDS: [Declaration; 3] =
    [Declaration::Ready, Declaration::EarthReady, Declaration::HeavenReady];

const BONUS_WINS: [Declaration; 2] = [Declaration::EightFlowers, Declaration::SevenFlowers];

/// Refuses win context that can't be true of the hand.
///
/// # Errors
/// [`RulesError::Contradictions`] with all contradictions.
pub(super) fn check(rules: &Taiwan, facts: &Facts, hand: &Hand) -> Result<(), RulesError> {
    let shared = if hand.is_bonus_win() { Ok(()) } else { contradictions::check(facts) };
    let plain = facts.context.declared.is_empty() && facts.context.dealer == Wind::East;
    if plain { shared } else { all(rules, facts, hand, &shared) }
}

#[cold]
fn all(
    rules: &Taiwan,
    facts: &Facts,
    hand: &Hand,
    shared: &Result<(), RulesError>,
) -> Result<(), RulesError> {
    let elsewhere = rules.options.dealer_is_east && facts.context.dealer != Wind::East;
    let dealer = elsewhere.then_some(Contradiction::DealerNotEast);
    let known = facts.context.declared.iter().filter(|&one| rules.knows(one, hand));
    let unmet = known.flat_map(|declared| {
        let missing = needs(declared).iter().filter(|&&need| !is_met(rules, need, facts, hand));
        missing.map(move |&needs| Contradiction::Declared { declared, needs })
    });
    contradictions::with_own(shared, dealer.into_iter().chain(unmet))
}

impl Taiwan {
    /// Returns the declarations that change a score; others are ignored.
    pub(super) fn known_declarations(&self) -> DeclaredSet {
        Declaration::ALL.into_iter().filter(|&one| self.plays(one)).collect()
    }

    /// Returns whether a declaration changes a score.
    fn plays(&self, declared: Declaration) -> bool {
        let options = &self.options;
        let line = match declared {
            Declaration::FlowerReplacement if options.flowers && options.flower_replacement => {
                Line::KongReplacement
            }
            Declaration::EightFlowers => Line::EightFlowers,
            Declaration::SevenFlowers => Line::SevenFlowers,
            _ => {
                let mut lines = LINES_OF_DECLARATIONS.into_iter();
                let Some((_, line)) = lines.find(|(one, _)| *one == declared) else { return false };
                line
            }
        };
        self.played.contains(line)
    }

    /// Returns how many of a group are declared and played.
    fn count_known<const N: usize>(&self, declared: DeclaredSet, group: [Declaration; N]) -> usize {
        group.into_iter().filter(|&one| declared.contains(one) && self.plays(one)).count()
    }

    /// Returns whether a declaration means something here. One that is not played says nothing of a
    /// hand that its tiles won.
    fn knows(&self, declared: Declaration, hand: &Hand) -> bool {
        hand.is_bonus_win() || self.plays(declared)
    }
}

/// Returns what a declaration needs.
const fn needs(declared: Declaration) -> &'static [Requirement] {
    use Requirement::{
        BonusTile, Dealer, Discard, EightBonusTiles, NoClaimedSet, NoKongReplacement, NoMelds,
        NoReady, NoWinningTile, NotDealer, NotLastTile, NothingElse, OneFirstHand, OneReady,
        Played, SelfDraw, SevenBonusTiles,
    };
    match declared {
        Declaration::Heaven => &[Dealer, SelfDraw, NoMelds, NotLastTile, OneFirstHand, NoReady],
        Declaration::Earth => &[NotDealer, SelfDraw, NoMelds, NotLastTile, OneFirstHand, NoReady],
        Declaration::Human => &[Discard, NoMelds, NotLastTile, OneFirstHand, NoReady],
        Declaration::HeavenReady | Declaration::EarthReady => &[NoClaimedSet, OneReady],
        Declaration::Ready => &[OneReady],
        Declaration::FlowerReplacement => &[SelfDraw, NoKongReplacement, BonusTile],
        Declaration::EightFlowers => {
            &[Played, EightBonusTiles, SelfDraw, NoWinningTile, NothingElse]
        }
        Declaration::SevenFlowers => {
            &[Played, SevenBonusTiles, Discard, NoWinningTile, NothingElse]
        }
        Declaration::OriginalCall
        | Declaration::TwofoldFortune
        | Declaration::NinthEastWin
        | Declaration::DangerousGame => &[],
    }
}

fn is_met(rules: &Taiwan, need: Requirement, facts: &Facts, hand: &Hand) -> bool {
    let context = &facts.context;
    let melds = &facts.melds;
    match need {
        Requirement::Dealer => context.seat == context.dealer,
        Requirement::NotDealer => context.seat != context.dealer,
        Requirement::SelfDraw => facts.self_drawn,
        Requirement::Discard => matches!(context.win, WinSource::Discard { .. }),
        Requirement::NoMelds => melds.count == 0,
        Requirement::NoClaimedSet => melds.is_concealed(),
        Requirement::NotLastTile => !context.last_wall_tile,
        Requirement::NoKongReplacement => context.win != WinSource::KongReplacement,
        Requirement::OneFirstHand => rules.count_known(context.declared, FIRST_HANDS) == 1,
        Requirement::NoReady => rules.count_known(context.declared, READY_HANDS) == 0,
        Requirement::OneReady => rules.count_known(context.declared, READY_HANDS) == 1,
        Requirement::BonusTile => facts.flowers > 0,
        Requirement::EightBonusTiles => facts.flowers == 8,
        Requirement::SevenBonusTiles => facts.flowers == 7,
        Requirement::NoWinningTile => hand.is_bonus_win(),
        Requirement::NothingElse => context.declared.iter().count() == 1,
        Requirement::Played => rules.count_known(context.declared, BONUS_WINS) > 0,
        // No declaration of this game needs another.
        _ => true,
    }
}
