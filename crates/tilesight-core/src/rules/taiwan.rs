//! The Taiwanese game of sixteen tiles: five sets and a pair, and tai that add up.
//!
//! There is no single book of rules: every table agrees on values. So a rule set is data: the tai
//! of each line ([`TaiValues`], `[values]` in a profile) and the rulings ([`Options`]). Two layers
//! share one tally. [`Taiwan::points`] gives the tai alone and allocates nothing;
//! [`HandRules::score`](super::HandRules::score) explains them. The files, in the order of the
//! work:
//!
//! | file | content |
//! | --- | --- |
//! | `options`, `values`, `profiles` | rulings, and the tai of each line; the shipped rule sets |
//! | `line` | code, paragraph and texts of every line |
//! | `replaced` | which line replaces which, as a table |
//! | `special` | seven pairs and thirteen orphans of seventeen tiles |
//! | `readings` | the ways to read a hand, and the set that the winning tile completed |
//! | `bonus` | the lines of bonus tiles |
//! | `tally` | the lines of one reading, and the tai that they add up to |
//! | `contradictions` | win context that can't be true of the hand |
//! | `settle` | from tai to payments |
//! | `itemize`, `pieces` | the explained score and the sets in it |
//! | `law` | who deals next, and how often he has stayed on |
//!
//! Paragraphs are those of `docs/taiwan.md`. Of all readings the one with most tai counts, before
//! the cap; among equals the first.

mod bonus;
mod contradictions;
mod itemize;
mod law;
mod line;
mod options;
mod pieces;
mod readings;
mod replaced;
mod settle;
mod special;
mod tally;
mod values;

pub use line::Line;
pub use options::{AllChowsWait, EightExtra, EightInWin, Extra, Options, Ruling, SingleWait};
pub use values::TaiValues;

use crate::context::Context;
use crate::hand::{Hand, HandSize};

use super::decompose::facts::Facts;
use super::error::require_size;
use super::{Game, RulesError, RulesetId};
use line::LineSet;
use special::Played;
use tally::Scorer;

/// The game and its shipped profiles.
pub(super) static GAME: Game = Game {
    name: "taiwan",
    shipped: &[
        include_str!("taiwan/profiles/tw-common.toml"),
        include_str!("taiwan/profiles/tw-shifu.toml"),
        include_str!("taiwan/profiles/tw-star31.toml"),
        include_str!("taiwan/profiles/tw-gamesofa.toml"),
        include_str!("taiwan/profiles/tw-pocket.toml"),
        include_str!("taiwan/profiles/tw-sml.toml"),
    ],
    rules: |source| {
        let (options, values): (Options, TaiValues) = source.options_and_values()?;
        let checked = options.check().and_then(|()| values.check());
        checked.map_err(|(key, reason)| source.fault(key, reason))?;
        Ok(Box::new(Taiwan { id: Some(source.id), ..Taiwan::new(options, values) }))
    },
};

/// Lines that need bonus tiles, or that they be played.
const LINES_OF_FLOWERS: LineSet = LineSet::new(&[
    Line::OwnFlower,
    Line::Flower,
    Line::FlowerSet,
    Line::NoFlowers,
    Line::NoFlowersNoHonors,
    Line::EightFlowers,
    Line::SevenFlowers,
]);

/// The rules, with a value for each line and each option.
#[derive(Debug, Clone)]
pub struct Taiwan {
    id: Option<RulesetId>,
    options: Options,
    values: TaiValues,
    /// Lines that are played: the options allow them, and they are worth anything.
    played: LineSet,
    /// Lines that each line replaces, by position.
    replaced: [LineSet; Line::COUNT],
}

impl Taiwan {
    /// Returns the rules with these options and values.
    #[must_use]
    pub fn new(options: Options, values: TaiValues) -> Taiwan {
        let worth: LineSet = Line::ALL.into_iter().filter(|&line| values.value(line) > 0).collect();
        let left_out = if options.flowers { LineSet::NONE } else { LINES_OF_FLOWERS };
        let played = worth.difference(left_out);
        Taiwan { id: None, options, values, played, replaced: replaced::table(&options) }
    }

    /// Returns the options.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// Returns the tai of a line; 0 if it is not played.
    #[must_use]
    pub const fn tai(&self, line: Line) -> u32 {
        if self.played.contains(line) { self.values.value(line) as u32 } else { 0 }
    }

    /// Returns the tai of a winning hand, cut at the cap. Does not allocate.
    ///
    /// # Errors
    /// [`RulesError`] if the tiles are not a winning hand, the rules are played without some of
    /// them, or the context contradicts them.
    pub fn points(&self, hand: &Hand, context: &Context) -> Result<u32, RulesError> {
        let facts = self.facts(hand, context)?;
        let scorer = Scorer::new(self, &facts, hand.flowers());
        let mut best: Option<u32> = None;
        if hand.is_bonus_win() {
            best = Some(scorer.tai(&scorer.bonus_win()));
        } else {
            readings::for_each(&facts, self.specials(), &mut |reading| {
                best = best.max(Some(scorer.tai(&scorer.tally(reading))));
            });
        }
        best.map(|tai| self.options.cut(tai)).ok_or(RulesError::NotAWin)
    }

    /// Returns the special hands that are played.
    const fn specials(&self) -> Played {
        Played {
            seven_pairs: self.played.contains(Line::SevenPairs),
            thirteen_orphans: self.played.contains(Line::ThirteenOrphans),
        }
    }

    /// Returns a number of tai that no hand exceeds.
    fn highest_tai(&self) -> u32 {
        let lines = Line::ALL.into_iter().map(|line| {
            let count = match line {
                Line::Dragon => 3,
                Line::Wind => 4,
                Line::ExposedKong | Line::ConcealedKong => 5,
                Line::OwnFlower | Line::FlowerSet => 2,
                Line::Flower => 8,
                _ => 1,
            };
            count * self.tai(line)
        });
        self.options.cut(lines.sum())
    }

    /// Collects the facts of a hand. Returns an error if the context contradicts the hand, or for
    /// bonus tiles that are not played.
    fn facts(&self, hand: &Hand, context: &Context) -> Result<Facts, RulesError> {
        require_size(hand, HandSize::Sixteen)?;
        let count = hand.flowers().count();
        if count > 0 && !self.options.flowers {
            return Err(RulesError::FlowersNotPlayed { count });
        }
        let facts = Facts::new(hand, context);
        contradictions::check(self, &facts, hand)?;
        Ok(facts)
    }
}
