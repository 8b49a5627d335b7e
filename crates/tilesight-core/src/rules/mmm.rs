//! Mahjong Masters Million: points, doublings that add up, and a table of values; the feeder pays.
//!
//! Two layers share one tally. [`Mmm::points`] gives the value alone and allocates nothing;
//! [`HandRules::score`](super::HandRules::score) explains it. The files, in the order of the work:
//!
//! | file | content |
//! | --- | --- |
//! | `options`, `profiles` | what the rules leave open, each ruling by its name |
//! | `line` | every line of the rules: paragraph, worth, code |
//! | `whole_hand` | lines of the kinds of tiles, of the kongs and of how the hand was won |
//! | `tally` | how often each line counts in one decomposition |
//! | `hand_value` | points, doublings and the half steps; minimum and value |
//! | `liability` | 1.4.1 to 1.4.3: the feeder of the set that decides who pays |
//! | `settle` | who pays whom |
//! | `itemize`, `pieces` | the explained score and the sets in it |
//!
//! The games share the decomposition of a hand: [`decompose`](super::decompose).
//!
//! The rules are the supplement that Anders Labich wrote for Mahjong Danmark (v. 1.0, 2001);
//! paragraphs are those of the supplement. Where it leaves a question open, [`Options`] decides.
//! The decomposition with the highest value counts; among equals the one with the higher sum of
//! doublings and extra score, then the one with more points, then the one with more doublings, then
//! the first in the order of `decompose`. A discard completes a pung only if no other set can take
//! the tile, because fewer open pungs are never worth less.

mod hand_value;
mod itemize;
mod law;
mod liability;
mod line;
mod options;
mod pieces;
mod settle;

mod tally;
mod whole_hand;

pub use line::Line;
pub use options::{HalfSteps, Options};

use crate::context::Context;
use crate::hand::{Hand, HandSize};

use super::decompose::facts::Facts;
use super::decompose::{contradictions, decompositions};
use super::error::require_size;
use super::{Game, RulesError, RulesetId};
use hand_value::HandValue;
use tally::Scorer;

/// The game and its shipped profile.
pub(super) static GAME: Game = Game {
    name: "mmm",
    shipped: &[include_str!("mmm/profiles/mmm.toml")],
    rules: |source| {
        let options: Options = source.options()?;
        match options.contradiction() {
            Some((option, reason)) => Err(source.fault(option, reason)),
            None => Ok(Box::new(Mmm { id: Some(source.id), ..Mmm::new(options) })),
        }
    },
};

/// Minimum of a legal win, in doublings without the extra score (1.2.31).
pub const MINIMUM: u32 = 1;

/// The rules, with a value for each option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Mmm {
    id: Option<RulesetId>,
    options: Options,
}

impl Mmm {
    /// Returns the rules with these options.
    #[must_use]
    pub const fn new(options: Options) -> Mmm {
        Mmm { id: None, options }
    }

    /// Returns the options.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the value that the winner is paid: that of the table, or 0 below the minimum. Does
    /// not allocate.
    ///
    /// # Errors
    /// [`RulesError`] if the tiles are not a winning hand, the rules are played without some of
    /// them, or the context contradicts them.
    pub fn points(&self, hand: &Hand, context: &Context) -> Result<u32, RulesError> {
        let facts = self.facts(hand, context)?;
        let scorer = Scorer::new(self, &facts);
        let mut best: Option<HandValue> = None;
        decompositions::for_each(&facts, &mut |decomposition| {
            best = best.max(scorer.tally(decomposition).map(|tally| tally.hand_value(&scorer)));
        });
        best.map(|best| best.value()).ok_or(RulesError::NotAWin)
    }

    /// Collects the facts of a hand. Returns an error for flowers that are not played, or if the
    /// context contradicts the hand.
    fn facts(&self, hand: &Hand, context: &Context) -> Result<Facts, RulesError> {
        require_size(hand, HandSize::Thirteen)?;
        let count = hand.flowers().count();
        if count > 0 && !self.options.flowers_are_passed_over {
            return Err(RulesError::FlowersNotPlayed { count });
        }
        let facts = Facts::new(hand, context);
        let shared = contradictions::check(&facts);
        match liability::contradiction(&facts, hand, &self.options) {
            None => shared.map(|()| facts),
            Some(own) => {
                let mut all =
                    shared.err().map_or(Vec::new(), |error| error.contradictions().to_vec());
                all.push(own);
                Err(RulesError::Contradictions(all))
            }
        }
    }
}
