//! Rule sets: a legal hand and its win context in, an itemised score out.
//!
//! [`Profile::score`] explains: every line with the sets that form it, what was excluded and by
//! what, the decomposition of the hand that was chosen and its close rivals, who pays whom. A rule
//! set may also offer a quick way to the total alone ([`HandRules::points`]); both always agree. No
//! images, no IO; contradictions between hand and context are refused, all at once, never
//! corrected.
//!
//! A rule set is a [`Profile`]: a game with its options settled. A [`Book`] holds those that hands
//! can be scored by, and finds them by their names, [`RulesetId`]s. Engines share what tiles can be
//! read as ([`decompose`]) and what a score looks like ([`Score`], [`Rule`]), and nothing else.
//! Adding a game is adding its folder and one entry to [`GAMES`].

mod book;
pub mod classical;
mod completions;
mod decompose;
mod error;
mod id;
pub mod law;
pub mod mcr;
pub mod mmm;
mod possible;
mod profile;
mod range;
mod reach;
mod rule;
mod score;
mod table;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::context::{Context, ContextField, DeclaredSet};
use crate::hand::{Hand, Holding};
use crate::lang::Lang;
use crate::settle::{Payments, Shares};
use crate::tile::Wind;

pub use book::{Book, InstallError, UnknownRuleset};
use completions::completions;
pub use error::{Contradiction, Requirement, RulesError};
pub(crate) use id::LONGEST as LONGEST_RULESET_ID;
pub use id::{InvalidRulesetId, RulesetId};
pub use law::Law;
pub use mcr::Fan;
pub use possible::{PossibleAnswers, possible_answers};
pub use profile::{Game, Profile, ProfileError, Source};
pub use range::scores_of;
pub use range::{
    OpenAnswer, OpenField, OpenHand, OpenSubject, OpenValue, TotalRange, TotalsOfHands,
};
pub use reach::{Change, Reach};
pub use rule::{FormedBy, Halves, Paragraph, Rule, Text, Worth};
pub use score::{
    Award, Doubling, Exclusion, ExclusionReason, LineCount, Minimum, RunnerUp, Score, ScoredSet,
    SetKind, Unit,
};
pub use table::{
    OtherHand, TableError, TableScore, check_others, score_read_table, score_table, unknown_seats,
};

/// Every game that hands can be scored by.
static GAMES: [&Game; 3] = [&mcr::GAME, &mmm::GAME, &classical::GAME];

/// The rules of a game with its options settled.
pub trait Ruleset: HandRules + Description + fmt::Debug + Send + Sync {
    /// The rules for the hands of those who did not win; `None` where only the winner scores.
    fn table(&self) -> Option<&dyn TableRules> {
        None
    }
}

/// What a winning hand scores.
pub trait HandRules {
    /// The total of a winning hand, flowers included.
    ///
    /// # Errors
    /// [`RulesError`]: the tiles are not a winning hand, or the context contradicts them.
    fn points(&self, hand: &Hand, context: &Context) -> Result<u32, RulesError>;

    /// The itemised score of a winning hand.
    ///
    /// # Errors
    /// As [`points`](HandRules::points).
    fn score(&self, hand: &Hand, context: &Context) -> Result<Score, RulesError>;

    /// What everybody pays for a hand of which only the value is known.
    fn shares(&self, context: &Context) -> Shares;
}

/// What a table of hands needs where every player scores.
pub trait TableRules {
    /// The itemised score of a hand that has not won.
    fn score_other(&self, holding: &Holding, seat: Wind, prevalent: Wind) -> Score;

    /// Who pays whom when the winner's total is `won` and those of others are known.
    fn settle(&self, won: u32, context: &Context, others: &[(Wind, u32)]) -> Payments;
}

/// What a rule set says about itself.
pub trait Description {
    /// How tiles are laid on the table.
    fn conventions(&self) -> Conventions;

    /// Who deals next, when the wind of the round advances, and where seats change.
    fn law(&self) -> Law {
        Law::ROTATING
    }

    /// The hands that win besides four sets and a pair.
    fn shapes(&self) -> Shapes;

    /// What a winning hand must reach.
    fn minimum(&self) -> (u32, Unit);

    /// The fields of the context that can change a score.
    fn context_fields(&self) -> &'static [ContextField];

    /// What can be declared and changes a score; the rest is ignored.
    fn declared(&self) -> DeclaredSet {
        DeclaredSet::NONE
    }

    /// Every line under these options, in the order of the rules.
    fn lines(&self) -> Vec<(&'static Rule, Worth)>;

    /// The options by name.
    fn options(&self) -> serde_json::Map<String, serde_json::Value>;

    /// What an option means; `None` for an unknown name.
    fn option_text(&self, name: &str, lang: Lang) -> Option<String>;
}

/// The hands that win besides four sets and a pair: what a hand waits for, and what a photo is
/// taken for, hangs on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Shapes {
    /// Seven pairs.
    pub seven_pairs: bool,
    /// Two of the seven pairs may be the same.
    pub same_pair_twice: bool,
    /// One of each terminal and honor, and any of them again.
    pub thirteen_orphans: bool,
    /// A knitted straight with a set and a pair, and honors with knitted tiles.
    pub knitted: bool,
}

impl Shapes {
    /// All that any game has.
    pub const ALL: Shapes =
        Shapes { seven_pairs: true, same_pair_twice: true, thirteen_orphans: true, knitted: true };
}

/// How a rule set has tiles laid on the table, as far as rule sets differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Conventions {
    /// How many tiles of a claimed kong lie sideways.
    pub turned_in_claimed_kong: SidewaysTiles,
}

/// How many tiles lie sideways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Turned)]
pub enum SidewaysTiles {
    /// The claimed one.
    #[default]
    One,
    /// The claimed one and its neighbour (Mahjong Masters Million).
    Two,
}

/// The fields of an engine's options, as [`Description::options`] lists them.
fn options_by_name(options: impl Serialize) -> serde_json::Map<String, serde_json::Value> {
    match serde_json::to_value(options) {
        Ok(serde_json::Value::Object(options)) => options,
        _ => unreachable!("options are a struct of numbers, flags and names"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_profile_can_be_read_and_has_its_own_name() {
        let book = Book::shipped();
        let shipped: usize = GAMES.iter().map(|game| game.shipped.len()).sum();
        let ids: std::collections::HashSet<_> = book.ids().collect();
        assert_eq!(ids.len(), shipped);
        for game in GAMES {
            for text in game.shipped {
                let profile = Profile::parse(text).expect(text);
                assert_eq!(profile.game(), game.name);
                assert!(
                    !profile.title(Lang::Zh).is_empty() && !profile.summary(Lang::Da).is_empty()
                );
            }
        }
        assert_eq!(book.usual().id(), RulesetId::default());
    }

    /// What a rule set says of its shapes is what its engine takes for a win.
    #[test]
    fn shapes_are_those_that_win() {
        let wins = |text: &str, rules: &dyn Ruleset| {
            let notation: crate::notation::Notation = text.parse().expect(text);
            let hand = notation.hand.into_hand().expect(text);
            rules.points(&hand, &Context::PLAIN).is_ok()
        };
        for profile in Book::shipped().profiles() {
            let (rules, shapes) = (profile.rules(), profile.rules().shapes());
            for (text, expected) in [
                ("123m456p789s111z3z3z", true),
                ("1133m99p22s33z44z5z5z", shapes.seven_pairs),
                ("19m19p19s1234567z7z", shapes.thirteen_orphans),
                ("147m258p369s1234z5z", shapes.knitted),
                ("147m258p369s111z3z3z", shapes.knitted),
            ] {
                assert_eq!(wins(text, rules), expected, "{} {text}", profile.id());
            }
        }
    }
}
