//! The variants of a winning hand: every decomposition of its tiles, with every set that the
//! winning tile can have completed in it.
//!
//! The winner chooses both, because they change the score: a discard leaves open the set that it
//! completes, and a pair that the winning tile completes has points of its own. Input: [`Facts`]
//! and the melds. Output: every [`Variant`], each once, in a fixed order; if the context names a
//! completed set, only the variants that complete it. Invariant: a variant is a hand that wins
//! under the options.

use std::cell::OnceCell;

use crate::context::CompletedSet;
use crate::hand::Hand;
use crate::rules::decompose::decompositions::{self, Decomposition, Shape, chows_with};
use crate::rules::decompose::facts::{Facts, place};
use crate::rules::decompose::kinds::{BAMBOO, CHARACTERS, DOTS, HONORS, Kinds};
use crate::rules::decompose::waits::is_only_wait_besides;
use crate::rules::{Contradiction, Description as _, RulesError};
use crate::tile::Tile;

use super::everybody::Player;
use super::line::Line;
use super::scoring_sets::ScoringSets;
use super::{Classical, Options};

/// The kind of set that the winning tile completed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Completion {
    /// The pair.
    Pair,
    /// A pung.
    Pung,
    /// A chow: the one that the context names, otherwise any.
    Chow(Option<Tile>),
    /// A hand without sets.
    Special,
}

/// A decomposition, and the set that the winning tile completed in it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Variant {
    pub(super) decomposition: Decomposition,
    pub(super) last: Completion,
    pub(super) scoring: ScoringSets,
}

impl Variant {
    /// Returns whether the variant is four sets and a pair.
    pub(super) const fn is_regular(&self) -> bool {
        matches!(self.decomposition.shape, Shape::Regular)
    }
}

/// A winning hand: the properties that all its variants share.
pub(super) struct Win<'a> {
    pub(super) rules: &'a Classical,
    pub(super) facts: &'a Facts,
    pub(super) player: Player,
    /// The only suit of the hand; `None` if it has no suit or several.
    pub(super) suit: Option<Kinds>,
    pub(super) has_honors: bool,
    /// Whether all sets are concealed and the winning tile was drawn.
    pub(super) is_concealed: bool,
    melds: ScoringSets,
    only_wait: OnceCell<bool>,
}

impl<'a> Win<'a> {
    pub(super) fn new(rules: &'a Classical, facts: &'a Facts, hand: &Hand) -> Win<'a> {
        let melds = ScoringSets::from_melds(hand.melds());
        let context = &facts.context;
        let suits = [CHARACTERS, DOTS, BAMBOO].into_iter().filter(|suit| facts.kinds & suit != 0);
        let suit = suits.clone().next().filter(|_| suits.count() == 1);
        let concealed_melds = melds.concealed(&rules.options).count_ones() as usize;
        Win {
            rules,
            facts,
            player: Player {
                seat: context.seat,
                prevalent: context.prevalent,
                flowers: hand.flowers(),
            },
            suit,
            has_honors: facts.kinds & HONORS != 0,
            is_concealed: facts.self_drawn && concealed_melds == facts.melds.count,
            melds,
            only_wait: OnceCell::new(),
        }
    }

    pub(super) const fn options(&self) -> &Options {
        &self.rules.options
    }

    /// Returns whether no other kind of tile could have won.
    pub(super) fn is_only_wait(&self) -> bool {
        *self.only_wait.get_or_init(|| {
            is_only_wait_besides(self.facts, self.options().formal_waits, self.rules.shapes())
        })
    }

    /// Returns whether a special hand is worth anything under the options.
    pub(super) fn is_played(&self, line: Line) -> bool {
        self.options().play(line)
    }

    /// Returns the best variant, or the reason why the hand has no variants.
    pub(super) fn require_variant<T>(&self, best: Option<T>) -> Result<T, RulesError> {
        best.ok_or_else(|| self.no_variant())
    }

    /// Calls `visit` with every variant.
    pub(super) fn for_each(&self, visit: &mut impl FnMut(&Variant)) {
        self.for_each_completing(self.facts.context.completes, visit);
    }

    #[cold]
    fn no_variant(&self) -> RulesError {
        let mut wins = false;
        self.for_each_completing(None, &mut |_| wins = true);
        match self.facts.context.completes {
            Some(set) if wins => {
                let tile = Tile::ALL[self.facts.winning];
                RulesError::Contradictions(vec![Contradiction::NotCompleted { set, tile }])
            }
            _ => RulesError::NotAWin,
        }
    }

    fn for_each_completing(&self, named: Option<CompletedSet>, visit: &mut impl FnMut(&Variant)) {
        decompositions::for_each(self.facts, &mut |decomposition| match decomposition.shape {
            Shape::Regular => self.regular(decomposition, named, visit),
            Shape::Orphans if self.is_played(Line::ThirteenOrphans) => {
                self.without_sets(decomposition, named, visit);
            }
            Shape::Pairs if self.is_played(Line::SevenPairs) && self.has_seven_pairs() => {
                self.without_sets(decomposition, named, visit);
            }
            Shape::Orphans | Shape::Pairs | Shape::Knitted(_) | Shape::HonorsAndKnitted(_) => {}
        });
    }

    /// Returns whether the hand is seven pairs; the pairs must differ if the options require it.
    fn has_seven_pairs(&self) -> bool {
        self.options().same_pair_twice || self.facts.kinds.count_ones() == 7
    }

    fn without_sets(
        &self,
        decomposition: &Decomposition,
        named: Option<CompletedSet>,
        visit: &mut impl FnMut(&Variant),
    ) {
        let tile = Tile::ALL[self.facts.winning];
        let paired = self.facts.copies(self.facts.winning) >= 2;
        if named.is_none() || named == Some(CompletedSet::Pair(tile)) && paired {
            visit(&Variant {
                decomposition: *decomposition,
                last: Completion::Special,
                scoring: self.melds,
            });
        }
    }

    /// Visits a decomposition of four sets and a pair, with each set that the winning tile can have
    /// completed.
    fn regular(
        &self,
        decomposition: &Decomposition,
        named: Option<CompletedSet>,
        visit: &mut impl FnMut(&Variant),
    ) {
        for last in self.completed(decomposition, named).into_iter().flatten() {
            let winning = 1 << self.facts.winning;
            let claimed = last == Completion::Pung && !self.facts.self_drawn;
            let opened = if claimed { winning } else { 0 };
            let scoring = ScoringSets {
                open_pungs: self.melds.open_pungs | opened,
                concealed_pungs: decomposition.hidden_pungs & !opened,
                pairs: decomposition.pair,
                ..self.melds
            };
            visit(&Variant { decomposition: *decomposition, last, scoring });
        }
    }

    /// Returns the sets of a decomposition that the winning tile can have completed: pair, pung,
    /// chow.
    fn completed(
        &self,
        decomposition: &Decomposition,
        named: Option<CompletedSet>,
    ) -> [Option<Completion>; 3] {
        let winning = self.facts.winning;
        let tile = Tile::ALL[winning];
        let chows = decomposition.hidden_chows & chows_with(winning);
        let pair = (decomposition.pair >> winning & 1 == 1).then_some(Completion::Pair);
        let pung = (decomposition.hidden_pungs >> winning & 1 == 1).then_some(Completion::Pung);
        match named {
            None => [pair, pung, (chows != 0).then_some(Completion::Chow(None))],
            Some(set) if !set.holds(tile) => [None; 3],
            Some(CompletedSet::Pair(_)) => [pair, None, None],
            Some(CompletedSet::Pung(_)) => [None, pung, None],
            Some(CompletedSet::Chow(chow)) => {
                let (suit, number) = place(chow.low().index());
                let is_there = chows >> (suit * 7 + number) & 1 == 1;
                [None, None, is_there.then_some(Completion::Chow(Some(chow.low())))]
            }
        }
    }
}
