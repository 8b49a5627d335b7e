//! Rule sets: they turn a legal hand and its win context into an itemised score.
//!
//! [`Profile::score`] explains the score: every line with the sets that form it, the excluded lines
//! and what excludes them, the decomposition of the hand that was chosen and its close rivals, and
//! the payments. A rule set may also offer a fast way to compute only the total
//! ([`HandRules::points`]); both always agree. No images, no I/O; contradictions between hand and
//! context are all rejected at once, never corrected.
//!
//! A rule set is a [`Profile`]: a rule family with its options settled. A [`Book`] holds the rule
//! sets that hands can be scored by, and finds them by their names, [`RulesetId`]s. Engines share
//! only the possible decompositions of tiles ([`decompose`]) and the form of a score ([`Score`],
//! [`Rule`]). To add a rule family, add its folder and an entry in [`GAMES`].

mod book;
pub mod classical;
mod completions;
mod decompose;
mod error;
pub mod hongkong;
mod id;
pub mod law;
pub mod mcr;
pub mod mmm;
mod possible;
mod profile;
mod range;
mod reach;
pub mod riichi;
mod rule;
mod score;
mod scored_set;
mod table;
pub mod taiwan;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::context::{Context, ContextField, Declaration, DeclaredSet, Feeder};
use crate::hand::{Hand, HandSize, Holding};
use crate::lang::Lang;
use crate::meld::Seats;
use crate::settle::{Payments, Shares};
use crate::tile::Wind;

pub use book::{Book, InstallError, UnknownRuleset};
use completions::completions;
pub use error::{Contradiction, Requirement, RulesError};
pub(crate) use id::MAX_RULESET_ID;
pub use id::{InvalidRulesetId, RulesetId};
pub use law::Law;
pub use mcr::Fan;
pub use possible::{PossibleAnswers, possible_answers};
pub use profile::{Game, Profile, ProfileError, ProfileSource};
pub use range::scores_of;
pub use range::{
    OpenAnswer, OpenField, OpenHand, OpenSubject, OpenValue, TotalRange, TotalsOfHands,
};
pub use rule::{FormedBy, Halves, Paragraph, Rule, Text, Worth};
pub use score::{
    Award, Change, Doubling, Exclusion, ExclusionReason, FaanCount, LineCount, Minimum, Reach,
    RunnerUp, Score, TaiCount, Unit,
};
pub use scored_set::{ScoredSet, SetKind};
pub use table::{
    OtherHand, TableError, TableScore, check_others, score_read_table, score_table, unknown_seats,
};

/// Every rule family that hands can be scored by.
static GAMES: [&Game; 6] =
    [&mcr::GAME, &mmm::GAME, &classical::GAME, &riichi::GAME, &hongkong::GAME, &taiwan::GAME];

/// Returns the name of the game that hands of a size are played in, the usual one of several.
#[must_use]
pub fn game_of(size: HandSize) -> &'static str {
    match size {
        HandSize::Thirteen => mcr::GAME.name,
        HandSize::Sixteen => taiwan::GAME.name,
    }
}

/// The rules of a rule family with its options settled.
pub trait Ruleset: HandRules + Description + fmt::Debug + Send + Sync {
    /// Returns the rules for the hands of players who did not win; `None` if only the winner
    /// scores.
    fn table(&self) -> Option<&dyn TableRules> {
        None
    }
}

/// Scoring of a winning hand.
pub trait HandRules {
    /// Returns the total of a winning hand, flowers included.
    ///
    /// # Errors
    /// [`RulesError`] if the tiles are not a winning hand, or if the context contradicts them.
    fn points(&self, hand: &Hand, context: &Context) -> Result<u32, RulesError>;

    /// Returns the itemised score of a winning hand.
    ///
    /// # Errors
    /// Those of [`points`](HandRules::points).
    fn score(&self, hand: &Hand, context: &Context) -> Result<Score, RulesError>;

    /// Returns the share of each player's payment for a hand of which only the value is known.
    fn shares(&self, context: &Context) -> Shares;

    /// Returns the value that is settled for each total, from 0 on; the last one holds for all
    /// higher totals. Empty if a total itself is settled.
    fn values(&self) -> Vec<u32> {
        Vec::new()
    }

    /// Returns the totals without counters that a won hand can have, in rising order; empty where
    /// every number from the minimum on is possible.
    fn totals(&self, _context: &Context) -> Vec<u32> {
        Vec::new()
    }

    /// Returns what the counters on the table add to the total of a hand.
    fn counters(&self, _context: &Context) -> u32 {
        0
    }

    /// Settles a hand of which only the total is known.
    fn settle_total(&self, total: u32, context: &Context) -> Payments {
        let values = self.values();
        let value = values.get(total as usize).or(values.last()).copied().unwrap_or(total);
        self.shares(context).payments(value)
    }

    /// Settles a hand of which only the total is known, for which the feeder of the context is
    /// liable; `None` where nobody can be liable for such a hand.
    fn settle_liable(&self, _total: u32, _context: &Context) -> Option<Payments> {
        None
    }

    /// Returns the payments to a player who draws a mangan, in riichi alone.
    fn mangan_drawn(&self, _seat: Wind) -> Payments {
        Payments::default()
    }

    /// Returns whether a player may have fed the set that decides who pays for a hand. A form
    /// offers only these players.
    fn accepts_feeder(&self, hand: &Hand, context: &Context, feeder: Feeder) -> bool {
        let context = Context { feeder: Some(feeder), ..*context };
        let Err(error) = self.points(hand, &context) else { return true };
        !error.contradictions().iter().any(|one| one.field() == ContextField::Feeder)
    }
}

/// Scoring of a table in rule sets that score every player.
pub trait TableRules {
    /// Returns the itemised score of a hand that has not won.
    fn score_other(&self, holding: &Holding, seat: Wind, prevalent: Wind) -> Score;

    /// Returns the payments for the winner's total `won` and the known totals of others.
    fn settle(&self, won: u32, context: &Context, others: &[(Wind, u32)]) -> Payments;
}

/// Description of a rule set.
pub trait Description {
    /// Returns the conventions for laying tiles on the table.
    fn conventions(&self) -> Conventions;

    /// Returns the law of deals: who deals next, when the prevalent wind advances, and when seats
    /// change.
    fn law(&self) -> Law {
        Law::ROTATING
    }

    /// Returns the seats that players take.
    fn seats(&self) -> Seats {
        Seats::Four
    }

    /// Returns the number of tiles that the hands of the game have.
    fn size(&self) -> HandSize {
        HandSize::Thirteen
    }

    /// Returns the winning shapes other than sets and a pair.
    fn shapes(&self) -> Shapes;

    /// Returns the minimum of a legal winning hand, and its unit.
    fn minimum(&self) -> (u32, Unit);

    /// Returns the fields of the context that can change a score.
    fn context_fields(&self) -> &'static [ContextField];

    /// Returns the declarations that change a score; others are ignored.
    fn declared(&self) -> DeclaredSet {
        DeclaredSet::NONE
    }

    /// Returns whether a field that was not given is asked: the rules have it. Of the declarations
    /// only a ready hand is common enough; all others count if they are given.
    fn asks(&self, field: ContextField) -> bool {
        let is_common =
            field != ContextField::Declared || self.declared().contains(Declaration::Ready);
        is_common && self.context_fields().contains(&field)
    }

    /// Returns every line under these options, in the order of the rules.
    fn lines(&self) -> Vec<(&'static Rule, Worth)>;

    /// Returns the worth of a line in an open hand, in rules where it can differ; `None` if an open
    /// hand can't have the line, and in all other rules.
    fn open_worth(&self, _rule: &Rule) -> Option<Worth> {
        None
    }

    /// Returns the reading in pinyin of a line's name in traditional Chinese, in the game of
    /// sixteen tiles alone.
    fn pinyin(&self, _rule: &Rule) -> Option<&'static str> {
        None
    }

    /// Returns the payments by han and fu, in riichi alone; empty in all other games.
    fn value_table(&self) -> Vec<riichi::ValueRow> {
        Vec::new()
    }

    /// Returns the options by name.
    fn options(&self) -> serde_json::Map<String, serde_json::Value>;

    /// Returns the explanation of an option; `None` for an unknown name.
    fn option_text(&self, name: &str, lang: Lang) -> Option<String>;
}

/// Winning shapes other than sets and a pair. They affect the waits of a hand and the
/// interpretation of a photo. In a hand of sixteen tiles seven pairs have a pung beside them, and
/// thirteen orphans another set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Shapes {
    /// Whether seven pairs win.
    pub seven_pairs: bool,
    /// Whether two of the seven pairs may be the same.
    pub same_pair_twice: bool,
    /// Whether each terminal and honor once, with any of them again, wins.
    pub thirteen_orphans: bool,
    /// Whether a knitted straight with a set and a pair wins, and honors with knitted tiles.
    pub knitted: bool,
}

impl Shapes {
    /// All shapes of all rule families.
    pub const ALL: Shapes =
        Shapes { seven_pairs: true, same_pair_twice: true, thirteen_orphans: true, knitted: true };
}

/// Conventions for laying tiles on the table, as far as rule sets differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Conventions {
    /// Number of tiles of a claimed kong that lie sideways.
    pub turned_in_claimed_kong: SidewaysTiles,
}

/// Number of tiles that lie sideways.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = Turned)]
pub enum SidewaysTiles {
    /// The claimed tile.
    #[default]
    One,
    /// The claimed tile and its neighbor (Mahjong Masters Million).
    Two,
}

/// Returns the fields of an engine's options, as [`Description::options`] lists them.
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

    /// The shapes that a rule set declares are those that its engine accepts as a win.
    #[test]
    fn shapes_are_those_that_win() {
        let wins = |text: &str, rules: &dyn Ruleset| {
            let notation: crate::notation::Notation = text.parse().expect(text);
            let size = notation.hand.size();
            let hand = notation.hand.into_hand_of(size).expect(text);
            rules.points(&hand, &Context::PLAIN).is_ok()
        };
        for profile in Book::shipped().profiles() {
            let (rules, shapes) = (profile.rules(), profile.rules().shapes());
            let size = rules.size();
            for (text, expected) in [
                ("123p456p789s111z3z3z", size == HandSize::Thirteen),
                ("123p456p789s111z222z3z3z", size == HandSize::Sixteen),
                ("1199m33p22s33z44z5z5z", shapes.seven_pairs),
                ("19m19p19s1234567z7z", shapes.thirteen_orphans),
                ("147m258p369s1234z5z", shapes.knitted),
                ("147m258p369s111z3z3z", shapes.knitted),
            ] {
                assert_eq!(wins(text, rules), expected, "{} {text}", profile.id());
            }
        }
    }
}
