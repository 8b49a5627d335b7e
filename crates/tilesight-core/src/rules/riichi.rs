//! Riichi, the Japanese game: yaku, fu and han, limits and yakuman, dora, counters and liability.
//!
//! Two layers share one tally. [`Riichi::points`] gives the sum of the payments alone and allocates
//! nothing; [`HandRules::score`](super::HandRules::score) explains it. The files, in the order of
//! the work:
//!
//! | file | content |
//! | --- | --- |
//! | `options`, `profiles` | the points on which rule sets differ |
//! | `line` | every yaku, yakuman and dora with its han |
//! | `contradictions` | win context that can't be true of the hand |
//! | `readings` | every decomposition with every set that the winning tile can have completed |
//! | `whole_hand` | lines of the win context, of the kinds of tiles and of the kongs |
//! | `dora` | indicators, red fives and norths that were set aside |
//! | `scorer` | what all readings of a hand share |
//! | `tally` | all lines of one reading |
//! | `fu` | the small points, part by part |
//! | `figures` | han, fu, limit and parts of the fu, as a score tells them |
//! | `value`, `value_table` | limits, base points and the sum of the payments; all of them as a table |
//! | `liability` | the player who completed the set that decides a yakuman |
//! | `settle` | who pays whom |
//! | `itemize`, `pieces` | the explained score and the sets in it |
//! | `law` | who deals next |
//!
//! The games share the decomposition of a hand: [`decompose`](super::decompose).
//!
//! `docs/riichi.md` numbers the paragraphs. The reading that is paid most counts; among equals a
//! yakuman before 13 han by counting, then more han, then more fu, then the first in the order of
//! `readings`.

mod contradictions;
mod dora;
pub(super) mod figures;
mod fu;
mod itemize;
mod law;
mod liability;
mod line;
mod options;
mod pieces;
mod readings;
mod scorer;
mod settle;
mod tally;
mod value;
mod value_table;
mod whole_hand;

pub use figures::{Figures, FuKind, FuPart, Limit};
pub use line::Line;
pub use options::{Kazoe, MissingShare, Options};
pub use value_table::{RowPayments, ValueRow};

use crate::context::Context;
use crate::hand::{Hand, HandSize, Reds};
use crate::meld::{Meld, Seats};
use crate::tile::{PrintedTile, Suit};

use super::decompose::facts::Facts;
use super::error::require_size;
use super::{Game, RulesError, RulesetId};
use scorer::Scorer;
use value::HandValue;

/// The game and its shipped profiles.
pub(super) static GAME: Game = Game {
    name: "riichi",
    shipped: &[
        include_str!("riichi/profiles/riichi-tenhou.toml"),
        include_str!("riichi/profiles/riichi-wrc.toml"),
        include_str!("riichi/profiles/riichi-mleague.toml"),
        include_str!("riichi/profiles/riichi-majsoul.toml"),
        include_str!("riichi/profiles/riichi-three.toml"),
    ],
    rules: |source| {
        let options: Options = source.options()?;
        match options.contradiction() {
            Some((option, reason)) => Err(source.fault(option, reason)),
            None => Ok(Box::new(Riichi { id: Some(source.id), ..Riichi::new(options) })),
        }
    },
};

/// Minimum of a legal win: one yaku, whatever the dora.
pub const MINIMUM: u32 = 1;

/// The rules, with a value for each option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Riichi {
    id: Option<RulesetId>,
    options: Options,
}

impl Riichi {
    /// Returns the rules with these options.
    #[must_use]
    pub const fn new(options: Options) -> Riichi {
        Riichi { id: None, options }
    }

    /// Returns the options.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Returns what the other players pay together, with the counters and without the sticks on the
    /// table; 0 for a hand without a yaku. Does not allocate.
    ///
    /// # Errors
    /// [`RulesError`] if the tiles are not a winning hand, or the context contradicts them.
    pub fn points(&self, hand: &Hand, context: &Context) -> Result<u32, RulesError> {
        let facts = self.facts(hand, context)?;
        let scorer = Scorer::new(hand, &facts, &self.options);
        let mut best: Option<HandValue> = None;
        let mut wins = false;
        readings::for_each(&facts, &mut |decomposition, completed| {
            wins = true;
            best = best.max(scorer.tally(decomposition, completed).map(|tally| tally.value));
        });
        match best {
            Some(best) => Ok(settle::total(&best, context, &self.options)),
            None if wins => Ok(0),
            None => Err(RulesError::NotAWin),
        }
    }

    /// Collects the facts of a hand. Returns an error for flowers, which are not played, or if the
    /// context contradicts the hand.
    fn facts(&self, hand: &Hand, context: &Context) -> Result<Facts, RulesError> {
        require_size(hand, HandSize::Thirteen)?;
        let count = hand.flowers().count();
        if count > 0 {
            return Err(RulesError::FlowersNotPlayed { count });
        }
        self.check_tiles(hand)?;
        self.check_reds(hand)?;
        // No line needs to know whether the other copies of the winning tile lie open.
        let facts = Facts::new(hand, &Context { last_of_kind: false, ..*context });
        contradictions::check(&facts, hand, &self.options)?;
        Ok(facts)
    }

    /// Refuses more red fives of a suit than the set has.
    fn check_reds(&self, hand: &Hand) -> Result<(), RulesError> {
        if !self.options.red_fives || hand.reds() == Reds::NONE {
            return Ok(());
        }
        let found = hand.reds().count_in_suits(hand.winning());
        for suit in Suit::ALL {
            let found = found[suit as usize];
            let max = self.options.red_fives_of(suit);
            if found > max {
                let tile = PrintedTile::red_five(suit);
                return Err(RulesError::TooManyReds { tile, found, max });
            }
        }
        Ok(())
    }

    /// Refuses tiles that are not in the wall of three players, and chows, which they do not call.
    fn check_tiles(&self, hand: &Hand) -> Result<(), RulesError> {
        if self.options.seats() == Seats::Four {
            return Ok(());
        }
        if let Some(tile) = hand.all().iter().find(|&tile| !self.options.plays(tile)) {
            return Err(RulesError::TileNotPlayed { tile });
        }
        if hand.melds().any(|meld| matches!(meld, Meld::Chow(_))) {
            return Err(RulesError::ChowNotCallable);
        }
        Ok(())
    }
}
