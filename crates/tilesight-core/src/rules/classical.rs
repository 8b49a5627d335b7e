//! The classical game as German clubs play it: points, doubles, limits, and every player's hand.
//!
//! Two layers share one walk over the lines, so they can't disagree: [`Classical::points`] adds up
//! the lines of the walk and allocates nothing, [`HandRules::score`](super::HandRules::score) lists
//! them. The files, in the order of the work:
//!
//! | file | content |
//! | --- | --- |
//! | `options`, `profiles` | limit, special hands and their worth, house rules |
//! | `line` | code, paragraph and worth of every line |
//! | `scoring_sets` | the sets of one decomposition: open, concealed, and the pair |
//! | `everybody` | lines of every player's hand (1, 3) |
//! | `winner` | lines of the hand that won (2, 4) |
//! | `special` | special hands, worth limits (5) |
//! | `variants` | every decomposition with every set that the winning tile can have completed |
//! | `tally` | what a walk adds up to: points, doubles, limits, the total |
//! | `itemize`, `items`, `pieces` | the explained score, its lines, and the sets in it |
//! | `other` | hands that have not won |
//! | `contradictions` | win context that can't be true of the hand |
//! | `settle` | who pays whom |
//!
//! The points are those of the German league's rules, the rest follows the German source;
//! `docs/classical.md` numbers the paragraphs. The variant with the highest total counts; among
//! equals the one that is worth more before the limit, then the one with the rarer special hand,
//! then the first.

mod contradictions;
mod everybody;
mod itemize;
mod items;
mod law;
mod line;
mod options;
mod other;
mod pieces;
mod scoring_sets;
mod settle;
mod special;
mod tally;
mod variants;
mod winner;

pub use line::Line;
pub use options::Options;

use crate::context::Context;
use crate::hand::{Hand, HandSize};

use super::decompose::facts::Facts;
use super::error::require_size;
use super::{Game, RulesError, RulesetId, Worth};
use tally::HandWorth;
use variants::Win;

/// The game and its shipped profiles.
pub(super) static GAME: Game = Game {
    name: "classical",
    shipped: &[
        include_str!("classical/profiles/classical-dmjl.toml"),
        include_str!("classical/profiles/classical-001.toml"),
    ],
    rules: |source| {
        let options: Options = source.options()?;
        options.check().map_err(|(option, reason)| source.fault(option, reason))?;
        Ok(Box::new(Classical { id: Some(source.id), ..Classical::new(options) }))
    },
};

/// The rules, with a value for each option.
#[derive(Debug, Clone)]
pub struct Classical {
    id: Option<RulesetId>,
    options: Options,
}

impl Classical {
    /// Returns the rules with these options.
    #[must_use]
    pub const fn new(options: Options) -> Classical {
        Classical { id: None, options }
    }

    /// Returns the options.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the worth of a line under these options.
    #[must_use]
    pub const fn worth(&self, line: Line) -> Worth {
        match self.options.limits(line) {
            Some(limits) => Worth::Limits(limits),
            None => line.rule().worth,
        }
    }

    /// Returns the total of a winning hand. Does not allocate.
    ///
    /// # Errors
    /// [`RulesError`] if the tiles are not a winning hand, or the context contradicts them.
    pub fn points(&self, hand: &Hand, context: &Context) -> Result<u32, RulesError> {
        require_size(hand, HandSize::Thirteen)?;
        let facts = Facts::new(hand, context);
        contradictions::check(self, &facts)?;
        let win = Win::new(self, &facts, hand);
        let mut best: Option<HandWorth> = None;
        win.for_each(&mut |variant| best = best.max(Some(HandWorth::for_win(&win, variant))));
        win.require_variant(best).map(|tally| tally.total())
    }
}
