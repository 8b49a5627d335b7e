//! Hong Kong old style: the winner's faan add up to a limit, and a table turns them into payments.
//!
//! There is no single book of rules: every table agrees on values. So a rule set is data: the faan
//! of each line ([`FaanValues`], `[values]` in a profile) and the rulings ([`Options`]). Two layers
//! share one tally. [`HongKong::points`] gives the faan alone and allocates nothing;
//! [`HandRules::score`](super::HandRules::score) explains them. The files, in the order of the
//! work:
//!
//! | file | content |
//! | --- | --- |
//! | `options`, `values`, `profiles` | rulings, and the faan of each line; the shipped rule sets |
//! | `line` | code, paragraph and texts of every line |
//! | `replaced` | which line replaces which, as a table |
//! | `tally` | the lines of one decomposition, and the faan that they add up to |
//! | `contradictions` | win context that can't be true of the hand |
//! | `liability` | the player who let the last set of a group be called |
//! | `settle` | from faan to payments |
//! | `itemize`, `pieces` | the explained score and the sets in it |
//! | `law` | who deals next |
//!
//! Paragraphs are those of `docs/hong-kong.md`. Of all decompositions the one with most faan
//! counts; at the limit the one with more faan before it, then a hand with a line that is worth the
//! limit, then the first in the order of [`decompose`](super::decompose).

mod contradictions;
mod itemize;
mod law;
mod liability;
mod line;
mod options;
mod pieces;
mod replaced;
mod settle;
mod tally;
mod values;

pub use line::Line;
pub use options::{
    AllChowsPair, Liability, NineGatesWait, Options, PaymentTable, Responsibility, Ruling,
};
pub use values::{FaanValues, LineValue};

use crate::context::Context;
use crate::hand::{Hand, HandSize};

use super::decompose::decompositions;
use super::decompose::facts::Facts;
use super::error::require_size;
use super::{Game, RulesError, RulesetId, Worth};
use line::LineSet;
use tally::{HandFaan, Scorer};

/// The game and its shipped profiles.
pub(super) static GAME: Game = Game {
    name: "hongkong",
    shipped: &[
        include_str!("hongkong/profiles/hk-old.toml"),
        include_str!("hongkong/profiles/hk-npm.toml"),
        include_str!("hongkong/profiles/hk-tiers.toml"),
        include_str!("hongkong/profiles/hk-pairs.toml"),
    ],
    rules: |source| {
        let (options, values): (Options, FaanValues) = source.options_and_values()?;
        let checked = options.check().and_then(|()| values.check());
        checked.map_err(|(key, reason)| source.fault(key, reason))?;
        Ok(Box::new(HongKong { id: Some(source.id), ..HongKong::new(options, values) }))
    },
};

/// The rules, with a value for each line and each option.
#[derive(Debug, Clone)]
pub struct HongKong {
    id: Option<RulesetId>,
    options: Options,
    values: FaanValues,
    /// Lines that are played: the options allow them, and they are worth anything.
    played: LineSet,
    /// Lines that are worth the limit.
    limits: LineSet,
    /// Lines that each line replaces, by position.
    replaced: [LineSet; Line::COUNT],
}

impl HongKong {
    /// Returns the rules with these options and values.
    #[must_use]
    pub fn new(options: Options, values: FaanValues) -> HongKong {
        let played = Line::ALL
            .into_iter()
            .filter(|&line| options.allow(line) && values.value(line).is_worth_anything())
            .collect();
        let limits =
            Line::ALL.into_iter().filter(|&line| values.value(line) == LineValue::Limit).collect();
        HongKong { id: None, options, values, played, limits, replaced: replaced::table(&options) }
    }

    /// Returns the options.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the worth of a line. A line that the options leave out is worth nothing.
    #[must_use]
    pub const fn worth(&self, line: Line) -> Worth {
        match self.values.value(line) {
            _ if !self.played.contains(line) => Worth::Faan(0),
            LineValue::Faan(faan) => Worth::Faan(faan as u32),
            LineValue::Limit => Worth::FaanLimit(self.options.limit),
        }
    }

    /// Returns the faan of a winning hand, cut at the limit. Does not allocate.
    ///
    /// # Errors
    /// [`RulesError`] if the tiles are not a winning hand, the rules are played without some of
    /// them, or the context contradicts them.
    pub fn points(&self, hand: &Hand, context: &Context) -> Result<u32, RulesError> {
        let facts = self.facts(hand, context)?;
        let scorer = Scorer::new(self, &facts, hand.flowers());
        let mut best: Option<HandFaan> = None;
        decompositions::for_each(&facts, &mut |decomposition| {
            best = best.max(scorer.tally(decomposition).map(|tally| tally.faan(self)));
        });
        best.map(|best| best.faan).ok_or(RulesError::NotAWin)
    }

    /// Collects the facts of a hand. Returns an error if the context contradicts the hand, or for
    /// bonus tiles that are not played.
    fn facts(&self, hand: &Hand, context: &Context) -> Result<Facts, RulesError> {
        require_size(hand, HandSize::Thirteen)?;
        let facts = Facts::new(hand, context);
        contradictions::check(self, &facts, hand)?;
        let count = hand.flowers().count();
        if count > 0 && !self.options.flowers {
            return Err(RulesError::FlowersNotPlayed { count });
        }
        Ok(facts)
    }
}
