//! The lines of one reading of a hand, and the tai that they add up to, without explanations.
//!
//! Input: [`Facts`] and a [`Reading`]. Output: a [`LineTally`], which both layers use, so they
//! always agree. Invariant: nothing here allocates.

use std::cell::OnceCell;

use crate::context::{Declaration, WinSource};
use crate::hand::Flowers;
use crate::rules::Shapes;
use crate::rules::decompose::decompositions::for_each_of_sixteen;
use crate::rules::decompose::facts::Facts;
use crate::rules::decompose::kinds::{self, DRAGONS, HONORS, Kinds, WINDS, kind_of};
use crate::rules::decompose::waits::is_only_wait_besides;

use super::Taiwan;
use super::bonus::BonusTiles;
use super::line::Line::{self, *};
use super::line::LineSet;
use super::options::{AllChowsWait, EightExtra, Options, SingleWait};
use super::readings::{Completed, FiveSets, Reading, for_each_completed, is_two_sided};
use super::replaced::{REPLACING, WITHIN_FULLY_CONCEALED};
use super::special::{self, Special};

/// Number of sets of a hand.
const SETS: usize = crate::hand::HandSize::Sixteen.sets();
/// Suits that a hand can hold.
const SUITS: [Kinds; 3] = [kinds::CHARACTERS, kinds::DOTS, kinds::BAMBOO];

/// The lines of a reading.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineTally {
    /// Lines that the reading shows and that are played.
    pub(super) shown: LineSet,
    /// Lines that count, because no other replaces them.
    pub(super) counting: LineSet,
    /// Number of pungs of dragons.
    dragons: u32,
    /// Number of pungs of winds.
    winds: u32,
}

/// A hand to be scored: the properties that all its readings share.
pub(super) struct Scorer<'a> {
    pub(super) rules: &'a Taiwan,
    pub(super) facts: &'a Facts,
    pub(super) bonus: BonusTiles,
    /// Lines of the win context, of bonus tiles, of kongs and of the kinds of tiles.
    shared: LineSet,
    /// Whether no tile was claimed before the winning one.
    closed: bool,
    only_wait: OnceCell<bool>,
    only_two_sided: OnceCell<bool>,
}

impl<'a> Scorer<'a> {
    pub(super) fn new(rules: &'a Taiwan, facts: &'a Facts, flowers: Flowers) -> Scorer<'a> {
        let options = &rules.options;
        let seat = facts.context.seat;
        let bonus = BonusTiles::new(flowers, seat, options, rules.played.contains(FlowerSet));
        let has_honors = facts.kinds & HONORS != 0;
        let closed = is_closed(facts, options);
        let shared = win_lines(facts, options, closed)
            .or(declared_lines(facts))
            .or(bonus.lines(options, has_honors))
            .or(kind_lines(facts.kinds))
            .or(kong_lines(facts));
        Scorer {
            rules,
            facts,
            bonus,
            shared,
            closed,
            only_wait: OnceCell::new(),
            only_two_sided: OnceCell::new(),
        }
    }

    const fn options(&self) -> &'a Options {
        &self.rules.options
    }

    /// Returns the tally of a reading.
    pub(super) fn tally(&self, reading: &Reading) -> LineTally {
        let mut lines = self.shared;
        let pungs = match reading {
            Reading::Sets(sets, completed) => {
                self.add_sets(sets, *completed, &mut lines);
                sets.pungs
            }
            Reading::Special(special) => self.add_special(*special, &mut lines),
        };
        if pungs & HONORS != 0 {
            self.add_honor_pungs(pungs, &mut lines);
        }
        let dragons = (pungs & DRAGONS).count_ones();
        let winds = (pungs & WINDS).count_ones();
        let shown = lines.and(self.rules.played);
        LineTally { shown, counting: self.drop_replaced(shown), dragons, winds }
    }

    /// Removes the lines that others replace. A concealed and self-drawn hand comes last: it may be
    /// replaced itself, and then replaces nothing.
    fn drop_replaced(&self, shown: LineSet) -> LineSet {
        let replaced = shown
            .and(REPLACING)
            .iter()
            .fold(LineSet::NONE, |replaced, line| replaced.or(self.rules.replaced[line as usize]));
        let left = shown.difference(replaced);
        if left.contains(FullyConcealedHand) {
            left.difference(WITHIN_FULLY_CONCEALED)
        } else {
            left
        }
    }

    /// Adds the lines of five sets and a pair.
    fn add_sets(&self, sets: &FiveSets, completed: Completed, lines: &mut LineSet) {
        let facts = self.facts;
        if facts.melds.count == SETS && facts.melds.concealed_kongs == 0 {
            lines.add_if(AllMelded, !facts.self_drawn);
            lines.add_if(HalfMelded, facts.self_drawn);
        }
        if sets.chow_count == SETS {
            lines.add_if(AllChows, self.is_all_chows(sets, completed));
        }
        lines.add_if(AllPungs, sets.chow_count == 0);
        let claimed = completed == Completed::Pung && !facts.self_drawn;
        let concealed = sets.hidden_pungs.count_ones() + facts.melds.concealed_kongs.count_ones()
            - u32::from(claimed);
        lines.add_if(ThreeConcealedPungs, concealed >= 3);
        lines.add_if(FourConcealedPungs, concealed >= 4);
        lines.add_if(FiveConcealedPungs, concealed >= 5);
        let winds = (sets.pungs & WINDS).count_ones();
        let dragons = (sets.pungs & DRAGONS).count_ones();
        lines.add_if(SmallThreeDragons, dragons == 2 && sets.pair & DRAGONS != 0);
        lines.add_if(BigThreeDragons, dragons == 3);
        lines.add_if(SmallFourWinds, winds == 3 && sets.pair & WINDS != 0);
        lines.add_if(BigFourWinds, winds == 4);
        if self.rules.played.contains(SingleWait) {
            lines.add_if(SingleWait, self.is_single_wait(completed));
        }
    }

    /// Adds the lines of a special hand, and returns the pungs that count.
    fn add_special(&self, special: Special, lines: &mut LineSet) -> Kinds {
        let options = self.options();
        let can_wait = options.special_wait && options.single_wait_by == SingleWait::Waits;
        lines.add_if(Line::SingleWait, can_wait && self.is_only_wait());
        match special {
            Special::SevenPairs(pung) => {
                lines.add_if(SevenPairs, true);
                if options.special_sets { pung } else { 0 }
            }
            Special::ThirteenOrphans { .. } => {
                lines.add_if(ThirteenOrphans, true);
                0
            }
        }
    }

    /// Adds the lines of each pung of a wind or a dragon.
    fn add_honor_pungs(&self, pungs: Kinds, lines: &mut LineSet) {
        let context = &self.facts.context;
        lines.add_if(Dragon, pungs & DRAGONS != 0);
        lines.add_if(SeatWind, pungs & kind_of(context.seat) != 0);
        lines.add_if(PrevalentWind, pungs & kind_of(context.prevalent) != 0);
        lines.add_if(Wind, pungs & WINDS != 0);
    }

    fn is_single_wait(&self, completed: Completed) -> bool {
        match self.options().single_wait_by {
            SingleWait::Waits => self.is_only_wait(),
            SingleWait::Shape => match completed {
                Completed::Pair => true,
                Completed::Pung => false,
                Completed::Chow(chow) => !is_two_sided(chow, self.facts.winning),
            },
        }
    }

    /// Returns whether five chows meet the conditions of the options.
    fn is_all_chows(&self, sets: &FiveSets, completed: Completed) -> bool {
        let options = self.options();
        let has_flowers = self.facts.flowers > 0;
        (options.all_chows_honors || sets.pair & HONORS == 0)
            && (options.all_chows_flowers || !has_flowers)
            && (options.all_chows_self_draw || !self.facts.self_drawn)
            && (options.all_chows_concealed || !self.closed)
            && self.has_wait_of_all_chows(completed)
    }

    fn has_wait_of_all_chows(&self, completed: Completed) -> bool {
        let wait = self.options().all_chows_wait;
        let fits = match wait {
            AllChowsWait::Any => return true,
            AllChowsWait::NotSingle => true,
            AllChowsWait::TwoSided => is_open(completed, self.facts.winning),
            AllChowsWait::OnlyTwoSided => self.is_only_two_sided(),
        };
        fits && !self.is_only_wait()
    }

    /// Returns whether every reading of five chows has a wait for both ends of a chow.
    fn is_only_two_sided(&self) -> bool {
        *self.only_two_sided.get_or_init(|| {
            let winning = self.facts.winning;
            let mut all = true;
            for_each_of_sixteen(self.facts, &mut |sets| {
                if sets.chow_count == SETS {
                    for_each_completed(winning, sets, &mut |completed| {
                        all &= is_open(completed, winning);
                    });
                }
            });
            all
        })
    }

    /// Returns whether the winning tile is the only kind that completes the hand.
    fn is_only_wait(&self) -> bool {
        *self.only_wait.get_or_init(|| {
            let facts = self.facts;
            let exhausted = self.options().exhausted_waits;
            is_only_wait_besides(facts, exhausted, Shapes::default())
                && !special::has_other_wait(facts, self.rules.specials(), exhausted)
        })
    }

    /// Returns the lines of a win by bonus tiles alone.
    pub(super) fn bonus_win(&self) -> LineTally {
        let eight = self.facts.context.declared.contains(Declaration::EightFlowers);
        let drawn = self.options().eight_flowers_extra == EightExtra::SelfDraw;
        let mut lines = LineSet::NONE;
        lines.add_if(EightFlowers, eight);
        lines.add_if(SevenFlowers, !eight);
        lines.add_if(SelfDraw, eight && drawn);
        let lines = lines.and(self.rules.played);
        LineTally { shown: lines, counting: lines, dragons: 0, winds: 0 }
    }

    /// Returns how often a line counts.
    pub(super) fn count(&self, tally: &LineTally, line: Line) -> u32 {
        let melds = &self.facts.melds;
        match line {
            Dragon => tally.dragons,
            Wind => tally.winds,
            ExposedKong => melds.melded_kongs().count_ones(),
            ConcealedKong => melds.concealed_kongs.count_ones(),
            OwnFlower => self.bonus.own,
            Flower => self.bonus.any,
            FlowerSet => self.bonus.sets,
            _ => 1,
        }
    }

    /// Returns the tai of a tally, before the cap.
    pub(super) fn tai(&self, tally: &LineTally) -> u32 {
        let lines = tally.counting.iter();
        lines.map(|line| self.count(tally, line) * self.rules.tai(line)).sum()
    }
}

/// Returns whether the winning tile completes a chow from an end at which two kinds do.
fn is_open(completed: Completed, winning: usize) -> bool {
    matches!(completed, Completed::Chow(chow) if is_two_sided(chow, winning))
}

/// Returns whether no tile was claimed before the winning one.
fn is_closed(facts: &Facts, options: &Options) -> bool {
    facts.melds.is_concealed() && (options.concealed_kongs_keep || facts.melds.count == 0)
}

/// Returns the lines of the way of winning and of concealment.
fn win_lines(facts: &Facts, options: &Options, closed: bool) -> LineSet {
    let context = &facts.context;
    let drawn = facts.self_drawn;
    let of_flower =
        options.flower_replacement && context.declared.contains(Declaration::FlowerReplacement);
    let mut lines = LineSet::NONE;
    lines.add_if(SelfDraw, drawn);
    lines.add_if(ConcealedHand, closed);
    lines.add_if(FullyConcealedHand, closed && drawn);
    lines.add_if(RobbingKong, facts.is_robbed());
    lines.add_if(KongReplacement, context.win == WinSource::KongReplacement || of_flower);
    lines.add_if(LastTileDraw, context.last_wall_tile && drawn);
    lines.add_if(LastTileClaim, context.last_wall_tile && !drawn);
    lines
}

/// Returns the lines of declarations.
fn declared_lines(facts: &Facts) -> LineSet {
    let declared = facts.context.declared;
    let mut lines = LineSet::NONE;
    if declared.is_empty() {
        return lines;
    }
    for (declaration, line) in super::contradictions::LINES_OF_DECLARATIONS {
        lines.add_if(line, declared.contains(declaration));
    }
    lines
}

/// Returns the lines of kongs.
fn kong_lines(facts: &Facts) -> LineSet {
    let melds = &facts.melds;
    let kongs = melds.kongs.count_ones();
    let mut lines = LineSet::NONE;
    lines.add_if(ExposedKong, melds.melded_kongs() != 0);
    lines.add_if(ConcealedKong, melds.concealed_kongs != 0);
    lines.add_if(FourKongs, kongs >= 4);
    lines.add_if(FiveKongs, kongs == 5);
    lines
}

/// Returns the lines that depend only on the kinds of tiles.
fn kind_lines(all: Kinds) -> LineSet {
    let suits = SUITS.iter().filter(|&suit| all & suit != 0).count();
    let has_honors = all & HONORS != 0;
    let mut lines = LineSet::NONE;
    lines.add_if(HalfFlush, suits == 1 && has_honors);
    lines.add_if(FullFlush, suits == 1 && !has_honors);
    lines.add_if(AllHonors, suits == 0);
    lines
}
