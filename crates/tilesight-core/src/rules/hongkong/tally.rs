//! The lines of one decomposition of a hand, and the faan that they add up to, without
//! explanations.
//!
//! Input: [`Facts`] and a [`Decomposition`]. Output: a [`LineTally`], which both layers use, so
//! they always agree. Invariant: nothing here allocates, and decompositions that are not a win in
//! this game (knitted tiles) have no tally.

use crate::context::{Declaration, WinSource};
use crate::hand::Flowers;
use crate::rules::decompose::decompositions::{Decomposition, Shape};
use crate::rules::decompose::facts::{Facts, HONOR_GROUP};
use crate::rules::decompose::kinds::{
    self, DRAGONS, HONORS, Kinds, TERMINALS, WINDS, is_within, kind_of,
};
use crate::rules::decompose::packed::PackedCounts;
use crate::tile::Wind;

use super::HongKong;
use super::line::Line::*;
use super::line::LineSet;
use super::options::{AllChowsPair, NineGatesWait, Options};
use super::replaced::REPLACING;
use super::values::LineValue;

/// Suits that a hand can hold.
const SUITS: [Kinds; 3] = [kinds::CHARACTERS, kinds::DOTS, kinds::BAMBOO];

/// The lines of a decomposition.
#[derive(Debug, Clone, Copy)]
pub(super) struct LineTally {
    /// Lines that the decomposition shows and that are played.
    pub(super) shown: LineSet,
    /// Lines that count: not replaced by others, and not beside a limit.
    pub(super) counting: LineSet,
    /// Number of pungs of dragons.
    pub(super) dragons: u32,
}

/// The faan of a decomposition. They are compared by their fields in this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct HandFaan {
    /// Faan, cut at the limit.
    pub(super) faan: u32,
    /// Faan before the cut; for a hand with a line that is worth the limit, the limit.
    raw: u32,
    /// Whether a line is worth the limit.
    is_limit_hand: bool,
}

/// A hand to be scored: the properties that all its decompositions share.
pub(super) struct Scorer<'a> {
    pub(super) rules: &'a HongKong,
    pub(super) facts: &'a Facts,
    /// Lines of the win context and of bonus tiles.
    shared: LineSet,
    /// Lines of the kinds of tiles, for sets and for pairs.
    of_kinds: LineSet,
}

impl<'a> Scorer<'a> {
    pub(super) fn new(rules: &'a HongKong, facts: &'a Facts, flowers: Flowers) -> Scorer<'a> {
        let shared = win_lines(facts).or(flower_lines(flowers, facts.context.seat));
        Scorer { rules, facts, shared, of_kinds: kind_lines(facts.kinds) }
    }

    const fn options(&self) -> &'a Options {
        &self.rules.options
    }

    /// Returns the tally of a decomposition; `None` if it is not a win in this game.
    pub(super) fn tally(&self, decomposition: &Decomposition) -> Option<LineTally> {
        let rules = self.rules;
        let mut shown = self.shared;
        match decomposition.shape {
            Shape::Regular => self.add_sets(decomposition, &mut shown),
            Shape::Pairs if rules.played.contains(SevenPairs) && self.has_seven_kinds() => {
                shown.add_if(SevenPairs, true);
                shown = shown.or(self.of_kinds);
            }
            Shape::Orphans if rules.played.contains(ThirteenOrphans) => {
                shown.add_if(ThirteenOrphans, true);
            }
            _ => return None,
        }
        let shown = shown.and(rules.played);
        let replaced = shown
            .and(REPLACING)
            .iter()
            .fold(LineSet::NONE, |replaced, line| replaced.or(rules.replaced[line as usize]));
        let counting = shown.difference(replaced);
        let limits = counting.and(rules.limits);
        let counting = if limits.is_empty() { counting } else { limits };
        let dragons = (decomposition.pungs & DRAGONS).count_ones();
        Some(LineTally { shown, counting, dragons })
    }

    /// Returns whether all seven pairs differ.
    const fn has_seven_kinds(&self) -> bool {
        self.facts.kinds.count_ones() == 7
    }

    /// Adds the lines of four sets and a pair.
    fn add_sets(&self, decomposition: &Decomposition, lines: &mut LineSet) {
        *lines = lines.or(self.of_kinds);
        lines.add_if(NineGates, self.is_nine_gates());
        let suited = self.options().all_chows_pair == AllChowsPair::Suited;
        let pair_fits = !suited || decomposition.pair & HONORS == 0;
        lines.add_if(AllChows, decomposition.chow_count == 4 && pair_fits);
        if decomposition.chow_count == 0 {
            self.add_all_pungs(lines);
        }
        if decomposition.pungs & HONORS != 0 {
            self.add_honors(decomposition, lines);
        }
    }

    /// Adds the lines of four pungs.
    fn add_all_pungs(&self, lines: &mut LineSet) {
        let facts = self.facts;
        let melds = &facts.melds;
        let has_honors = facts.kinds & HONORS != 0;
        let outer = is_within(facts.kinds, kinds::TERMINALS_AND_HONORS);
        let kongs_fit = melds.concealed_kongs == 0 || self.options().hidden_kongs_in_four;
        lines.add_if(AllPungs, true);
        lines.add_if(AllTerminals, outer && !has_honors);
        lines.add_if(MixedTerminals, outer && has_honors && facts.kinds & TERMINALS != 0);
        lines.add_if(FourConcealedPungs, facts.self_drawn && melds.is_concealed() && kongs_fit);
        lines.add_if(AllKongs, melds.kongs.count_ones() == 4);
    }

    /// Adds the lines of winds and dragons.
    fn add_honors(&self, decomposition: &Decomposition, lines: &mut LineSet) {
        let Decomposition { pungs, pair, .. } = *decomposition;
        let context = &self.facts.context;
        let dragons = (pungs & DRAGONS).count_ones();
        let winds = (pungs & WINDS).count_ones();
        lines.add_if(Dragon, dragons > 0);
        lines.add_if(SeatWind, pungs & kind_of(context.seat) != 0);
        lines.add_if(PrevalentWind, pungs & kind_of(context.prevalent) != 0);
        lines.add_if(SmallThreeDragons, dragons == 2 && pair & DRAGONS != 0);
        lines.add_if(BigThreeDragons, dragons == 3);
        lines.add_if(SmallFourWinds, winds == 3 && pair & WINDS != 0);
        lines.add_if(BigFourWinds, winds == 4);
    }

    /// Returns whether the hand is nine gates: 1112345678999 of one suit and one more tile of it,
    /// nothing called and no kong.
    fn is_nine_gates(&self) -> bool {
        if self.facts.melds.count > 0 || !self.of_kinds.contains(FullFlush) {
            return false;
        }
        let gates = PackedCounts::NINE_GATES;
        match self.options().nine_gates_wait {
            NineGatesWait::Any => {
                self.facts.hidden[..HONOR_GROUP].iter().any(|suit| suit.holds(gates))
            }
            NineGatesWait::NineSided => self.facts.waiting()[..HONOR_GROUP].contains(&gates),
        }
    }
}

impl LineTally {
    /// Returns how often a line counts.
    pub(super) const fn count(&self, line: super::Line) -> u32 {
        if matches!(line, Dragon) { self.dragons } else { 1 }
    }

    pub(super) fn faan(&self, rules: &HongKong) -> HandFaan {
        let limit = rules.options.limit;
        let is_limit_hand = !self.counting.and(rules.limits).is_empty();
        let raw = if is_limit_hand {
            limit
        } else {
            let lines = self.counting.iter();
            lines.map(|line| self.count(line) * faan(rules.values.value(line))).sum()
        };
        HandFaan { faan: raw.min(limit), raw, is_limit_hand }
    }
}

/// Returns the faan of a line that is not worth the limit.
const fn faan(value: LineValue) -> u32 {
    match value {
        LineValue::Faan(faan) => faan as u32,
        LineValue::Limit => 0,
    }
}

/// Returns the lines of the win context and of concealment.
fn win_lines(facts: &Facts) -> LineSet {
    let context = &facts.context;
    let mut lines = LineSet::NONE;
    lines.add_if(SelfDraw, facts.self_drawn);
    lines.add_if(ConcealedHand, facts.melds.is_concealed());
    lines.add_if(RobbingKong, facts.is_robbed());
    lines.add_if(LastTile, context.last_wall_tile);
    lines.add_if(KongReplacement, context.win == WinSource::KongReplacement);
    if !context.declared.is_empty() {
        lines.add_if(DoubleKong, context.declared.contains(Declaration::TwofoldFortune));
        lines.add_if(HeavenlyHand, context.declared.contains(Declaration::Heaven));
        lines.add_if(EarthlyHand, context.declared.contains(Declaration::Earth));
    }
    lines
}

/// Returns the lines of bonus tiles. A bonus tile that is counted but not named belongs to no known
/// seat, unless all eight are there.
fn flower_lines(flowers: Flowers, seat: Wind) -> LineSet {
    const EACH: usize = 4;
    let count = flowers.count();
    if count == 0 {
        return LineSet::new(&[NoFlowers]);
    }
    let named = if usize::from(count) == 2 * EACH {
        0xff
    } else {
        flowers.iter().fold(0_u32, |named, bonus| named | 1 << bonus.index())
    };
    let plants = named & 0xf;
    let seasons = named >> EACH;
    let mut lines = LineSet::NONE;
    lines.add_if(OwnFlower, plants >> seat as u32 & 1 == 1);
    lines.add_if(OwnSeason, seasons >> seat as u32 & 1 == 1);
    lines.add_if(AllFlowers, plants == 0xf);
    lines.add_if(AllSeasons, seasons == 0xf);
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
