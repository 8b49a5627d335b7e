//! Mahjong Competition Rules: 82 fans, five principles, every decomposition of a hand.
//!
//! Three layers share one set of facts. [`points`] gives the total alone and [`Mcr::fans`] the fans
//! that count, both without an allocation; [`HandRules::score`](super::HandRules::score) explains
//! them. The files, in the order of the work:
//!
//! | file | content |
//! | --- | --- |
//! | `options`, `profiles` | the points on which published interpretations of the rules differ |
//! | `fan` | number, code, points and name of every fan |
//! | `win_mode` | fans of winning, concealment and kongs |
//! | `whole_hand` | fans of the kinds of tiles alone |
//! | `combinations` | fans of two to four chows or pungs; account-once and non-identical |
//! | `tally` | all fans of one decomposition |
//! | `exclusion` | which fan excludes which, as tables; non-repeat |
//! | `itemize`, `pieces` | the explained score and the sets in it |
//! | `settle` | who pays whom |
//! | `law` | who deals next, and who sits where |
//!
//! The games share the decomposition of a hand: [`decompose`](super::decompose).
//!
//! The rules are those of the World Mahjong Organization (2006); where published interpretations
//! differ, [`Options`] decides. The decomposition with most points counts (highest value). Among
//! equals the order is fixed: decompositions without sets before regular ones before those with a
//! knitted straight; regular ones by suits in the order of the tiles, each suit by its lowest pair,
//! pungs before chows. Among equal combinations of sets, the one that takes the more valuable fans
//! first counts; among fans with equal points, the one with the lower number.

mod combinations;
mod exclusion;
mod fan;
mod itemize;
mod law;
mod options;
mod pieces;
mod settle;
mod tally;
mod whole_hand;
mod win_mode;

pub use fan::{Fan, ParseFanError};
pub use options::Options;

use crate::context::Context;
use crate::hand::{Hand, HandSize};

use super::decompose::facts::Facts;
use super::decompose::{contradictions, decompositions};
use super::error::require_size;
use super::{Game, RulesError, RulesetId};
use exclusion::Exclusions;
pub use tally::FanCounts;
use tally::Scorer;

/// The game and its shipped profiles.
pub(super) static GAME: Game = Game {
    name: "mcr",
    shipped: &[
        include_str!("mcr/profiles/mcr-wmo.toml"),
        include_str!("mcr/profiles/mcr-mil.toml"),
    ],
    rules: |source| Ok(Box::new(Mcr::new(source.options()?).with_id(source.id))),
};

/// Minimum of a legal win, in points without flowers.
pub const MINIMUM: u32 = 8;

/// The rules, with a value for each option.
#[derive(Debug, Clone)]
pub struct Mcr {
    id: Option<RulesetId>,
    options: Options,
    points: [u8; Fan::COUNT],
    exclusions: Exclusions,
}

/// The rules of 2006.
pub static WMO: Mcr = Mcr::new(Options::WMO);

/// The rules of 1998.
pub static MIL: Mcr = Mcr::new(Options::MIL);

impl Mcr {
    /// Returns the rules with these options.
    #[must_use]
    pub const fn new(options: Options) -> Mcr {
        let mut points = [0; Fan::COUNT];
        let mut index = 0;
        while index < Fan::COUNT {
            points[index] = Fan::ALL[index].points();
            index += 1;
        }
        points[Fan::TwoConcealedKongs as usize] = options.two_concealed_kongs_points;
        points[Fan::MeldedAndConcealedKong as usize] = options.melded_and_concealed_kong_points;
        Mcr { id: None, options, points, exclusions: Exclusions::new(&options) }
    }

    /// Returns these rules with the id of a profile, which scores then carry.
    const fn with_id(self, id: RulesetId) -> Mcr {
        Mcr { id: Some(id), ..self }
    }

    /// Returns the options.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the points of a fan under these options.
    #[must_use]
    pub const fn points_of(&self, fan: Fan) -> u32 {
        self.points[fan as usize] as u32
    }

    /// Returns the total of a winning hand, flowers included. Does not allocate.
    ///
    /// # Errors
    /// [`RulesError`] if the tiles are not a winning hand, or the context contradicts them.
    pub fn points(&self, hand: &Hand, context: &Context) -> Result<u32, RulesError> {
        require_size(hand, HandSize::Thirteen)?;
        let facts = Facts::new(hand, context);
        contradictions::check(&facts)?;
        let scorer = Scorer::new(self, &facts);
        let mut best = None;
        decompositions::for_each(&facts, &mut |decomposition| {
            best = best.max(Some(scorer.points(decomposition)));
        });
        match best {
            None => Err(RulesError::NotAWin),
            Some(0) => Ok(self.points_of(Fan::ChickenHand) + facts.flowers),
            Some(points) => Ok(points + facts.flowers),
        }
    }

    /// Returns the fans that count in a winning hand. Does not allocate.
    ///
    /// # Errors
    /// The errors of [`points`](Mcr::points).
    pub fn fans(&self, hand: &Hand, context: &Context) -> Result<FanCounts, RulesError> {
        require_size(hand, HandSize::Thirteen)?;
        let facts = Facts::new(hand, context);
        contradictions::check(&facts)?;
        let scorer = Scorer::new(self, &facts);
        let mut best: Option<FanCounts> = None;
        decompositions::for_each(&facts, &mut |decomposition| {
            let counts = FanCounts::new(&scorer, decomposition);
            // Among equals the first one counts.
            if best.is_none_or(|best| counts.points > best.points) {
                best = Some(counts);
            }
        });
        best.ok_or(RulesError::NotAWin)
    }
}

/// Returns the total of a winning hand under any options, flowers included. Does not allocate.
///
/// # Errors
/// [`RulesError`] if the tiles are not a winning hand, or the context contradicts them.
pub fn points(hand: &Hand, context: &Context, options: &Options) -> Result<u32, RulesError> {
    match *options {
        Options::WMO => WMO.points(hand, context),
        Options::MIL => MIL.points(hand, context),
        other => Mcr::new(other).points(hand, context),
    }
}
