//! The explained score: for each fan the sets that form it, what was excluded and by what, the
//! chosen reading and its rivals.
//!
//! Everything is taken from the same [`Tally`] as the bare total, so the sum of the awards is that
//! total. Of readings with equal points the first in the order of
//! [`readings`](super::readings) is chosen; of equal choices of combinations the one that takes
//! the more valuable fans first.

use crate::context::Context;
use crate::hand::Hand;
use crate::rules::{
    Award, Exclusion, ExclusionReason, RulesError, Ruleset, RulesetId, RunnerUp, Score, ScoredSet,
};
use crate::settle;

use super::combinations::{Choice, Group, Groups, choose, chow_groups, pung_groups};
use super::exclusion::{USING_WIND_PUNGS, implied_by_same_sets};
use super::facts::Facts;
use super::fan::Fan::{self, *};
use super::fan::FanSet;
use super::kinds::WINDS;
use super::pieces::Pieces;
use super::readings::{self, Reading};
use super::tally::{Scorer, Tally};
use super::{MINIMUM, Mcr, Options, win_mode};

/// How many rivals of the chosen reading are told.
const RUNNERS_UP: usize = 3;

impl Ruleset for Mcr {
    fn id(&self) -> Option<RulesetId> {
        match *self.options() {
            Options::WMO => Some(RulesetId::McrWmo),
            Options::MIL => Some(RulesetId::McrMil),
            _ => None,
        }
    }

    fn points(&self, hand: &Hand, context: &Context) -> Result<u32, RulesError> {
        Mcr::points(self, hand, context)
    }

    fn score(&self, hand: &Hand, context: &Context) -> Result<Score, RulesError> {
        let facts = Facts::new(hand, context);
        win_mode::check(&facts)?;
        let scorer = Scorer::new(self, &facts);
        let mut readings = Vec::new();
        readings::for_each(&facts, &mut |reading| {
            readings.push((scorer.points(reading), *reading));
        });
        // The sort is stable: among equals the first reading stays first.
        readings.sort_by_key(|(points, _)| std::cmp::Reverse(*points));
        let [(_, best), rest @ ..] = readings.as_slice() else { return Err(RulesError::NotAWin) };

        let chosen = Items::new(&scorer, hand, best).or_chicken_hand(self);
        let total = chosen.total();
        let rivals = rest.iter().take(RUNNERS_UP);
        Ok(Score {
            ruleset: self.id(),
            total,
            minimum: MINIMUM,
            value: total,
            legal: total - facts.flowers >= MINIMUM,
            awards: chosen.awards,
            excluded: chosen.excluded,
            sets: chosen.sets,
            runners_up: rivals.map(|(_, rival)| Items::new(&scorer, hand, rival).into()).collect(),
            payments: settle::mcr(total, context),
        })
    }
}

/// The lines of one reading.
struct Items {
    awards: Vec<Award>,
    excluded: Vec<Exclusion>,
    sets: Vec<ScoredSet>,
}

impl From<Items> for RunnerUp {
    fn from(items: Items) -> RunnerUp {
        RunnerUp { total: items.total(), sets: items.sets, awards: items.awards }
    }
}

impl Items {
    fn new(scorer: &Scorer<'_>, hand: &Hand, reading: &Reading) -> Items {
        let tally = scorer.tally(reading);
        let counted = scorer.rules.exclusions.apply(tally.fans);
        let pieces = Pieces::new(scorer.facts, hand, reading, counted);
        let mut lines = Lines { scorer, tally, counted, awards: Vec::new(), excluded: Vec::new() };
        lines.combinations(&Combinations::of_chows(reading, tally.fans), &pieces);
        lines.combinations(&Combinations::of_pungs(reading), &pieces);
        lines.other_fans(reading, &pieces);
        lines.whole_exclusions();
        lines.used_outer_pungs(reading);
        lines.flowers();
        let Lines { mut awards, mut excluded, .. } = lines;
        awards.sort_by_key(|award| award.fan);
        excluded.sort_by_key(|exclusion| (exclusion.fan, exclusion.by));
        Items { awards, excluded, sets: pieces.into_sets() }
    }

    fn total(&self) -> u32 {
        self.awards.iter().map(Award::total).sum()
    }

    /// Chicken Hand (43): the best reading shows no fan but flowers.
    fn or_chicken_hand(mut self, rules: &Mcr) -> Items {
        if self.awards.iter().all(|award| award.fan == FlowerTiles) {
            let points = rules.points_of(ChickenHand);
            let chicken = Award { fan: ChickenHand, points, count: 1, sets: Vec::new() };
            self.awards.insert(0, chicken);
        }
        self
    }
}

/// The groups of chows or pungs of a reading and which of them count.
struct Combinations {
    groups: Groups,
    choice: Choice,
    /// The place among the pieces of each set that the groups number.
    tiles: Vec<usize>,
    of_chows: bool,
}

impl Combinations {
    fn of_chows(reading: &Reading, fans: FanSet) -> Combinations {
        let chows = &reading.chows[..reading.chow_count];
        let mut groups = chow_groups(chows);
        // These two also need a pair of fives, which the tally has looked at.
        for fan in [PureTerminalChows, ThreeSuitedTerminalChows] {
            if !fans.contains(fan) {
                groups.remove(fan);
            }
        }
        let tiles = chows.iter().map(|&chow| usize::from(chow)).collect();
        Combinations { choice: choose(groups.as_slice()), groups, tiles, of_chows: true }
    }

    fn of_pungs(reading: &Reading) -> Combinations {
        let pungs: Vec<u8> = (0..27).filter(|pung| reading.pungs >> pung & 1 == 1).collect();
        let groups = pung_groups(&pungs);
        let tiles = pungs.into_iter().map(usize::from).collect();
        Combinations { choice: choose(groups.as_slice()), groups, tiles, of_chows: false }
    }

    fn chosen(&self) -> impl Iterator<Item = Group> + '_ {
        let groups = self.groups.as_slice().iter().enumerate();
        groups.filter(|(at, _)| self.choice.chosen >> at & 1 == 1).map(|(_, group)| *group)
    }

    fn passed_over(&self) -> impl Iterator<Item = Group> + '_ {
        let groups = self.groups.as_slice().iter().enumerate();
        groups.filter(|(at, _)| self.choice.chosen >> at & 1 == 0).map(|(_, group)| *group)
    }

    fn sets(&self, group: Group, pieces: &Pieces) -> Vec<ScoredSet> {
        let members = (0..self.tiles.len()).filter(|at| group.sets >> at & 1 == 1);
        if self.of_chows {
            // Equal chows are told apart by their place, and chows keep their order.
            members.map(|at| pieces.chow(at)).collect()
        } else {
            members.map(|at| pieces.pung(self.tiles[at])).collect()
        }
    }
}

/// The lines of a reading while they are written.
struct Lines<'a> {
    scorer: &'a Scorer<'a>,
    tally: Tally,
    counted: FanSet,
    awards: Vec<Award>,
    excluded: Vec<Exclusion>,
}

impl Lines<'_> {
    /// Adds one more time that a fan counts.
    fn award(&mut self, fan: Fan, sets: Vec<ScoredSet>) {
        let position = self.awards.iter().position(|award| award.fan == fan);
        let position = position.unwrap_or_else(|| {
            let points = self.scorer.rules.points_of(fan);
            self.awards.push(Award { fan, points, count: 0, sets: Vec::new() });
            self.awards.len() - 1
        });
        let award = &mut self.awards[position];
        award.count += 1;
        if !sets.is_empty() {
            award.sets.push(sets);
        }
    }

    /// Adds so many times that a fan does not count; none add nothing.
    fn exclude(&mut self, fan: Fan, by: Fan, count: u32, reason: ExclusionReason) {
        let same = |line: &&mut Exclusion| (line.fan, line.by, line.reason) == (fan, by, reason);
        match self.excluded.iter_mut().find(same) {
            Some(line) => line.count += count,
            None if count == 0 => {}
            None => self.excluded.push(Exclusion { fan, by, count, reason }),
        }
    }

    /// Fans of two to four sets. What the options exclude altogether is told elsewhere.
    fn combinations(&mut self, combinations: &Combinations, pieces: &Pieces) {
        let chosen: Vec<Group> = combinations.chosen().collect();
        for &group in &chosen {
            if !self.tally.fans.contains(group.fan) || self.counted.contains(group.fan) {
                self.award(group.fan, combinations.sets(group, pieces));
            }
        }
        for group in combinations.passed_over() {
            if let Some((by, reason)) = why_passed_over(group, &chosen) {
                self.exclude(group.fan, by, 1, reason);
            }
        }
    }

    /// Fans of single sets, of the whole hand and of the circumstances.
    fn other_fans(&mut self, reading: &Reading, pieces: &Pieces) {
        for fan in self.counted {
            if self.awards.iter().any(|award| award.fan == fan) {
                continue;
            }
            let count = self.tally.times(fan) as usize;
            let mut forming = pieces.forming(fan, self.scorer, reading);
            forming.resize(count, Vec::new());
            for sets in forming {
                self.award(fan, sets);
            }
        }
    }

    /// Fans that another fan excludes from the whole hand.
    fn whole_exclusions(&mut self) {
        let exclusions = &self.scorer.rules.exclusions;
        let together = exclusions.excluded_together(self.tally.fans);
        for fan in self.tally.fans.without(self.counted) {
            let by = if together.contains(fan) {
                self.counted.into_iter().find(|by| matches!(by, AllGreen | AllTerminals))
            } else {
                self.counted.into_iter().find(|&by| exclusions.by(by).contains(fan))
            };
            let by = by.expect("only what a counted fan excludes is not counted");
            self.exclude(fan, by, self.tally.times(fan), ExclusionReason::Implied);
        }
    }

    /// Pungs of winds and terminals that another fan uses (73).
    fn used_outer_pungs(&mut self, reading: &Reading) {
        let (scorer, fan) = (self.scorer, PungOfTerminalsOrHonors);
        let free = scorer.outer_pungs(reading, self.tally.fans);
        let mut unexplained = reading.pungs & WINDS & !free;
        let counted = self.counted;
        for by in USING_WIND_PUNGS.into_iter().filter(|&by| counted.contains(by)) {
            let used = unexplained & scorer.winds_of(by);
            self.exclude(fan, by, used.count_ones(), ExclusionReason::Implied);
            unexplained &= !used;
        }
        let by_nine_gates = free.count_ones() - self.tally.times(fan);
        self.exclude(fan, NineGates, by_nine_gates, ExclusionReason::Implied);
    }

    fn flowers(&mut self) {
        let flowers = self.scorer.facts.flowers;
        if flowers > 0 {
            let points = self.scorer.rules.points_of(FlowerTiles);
            self.awards.push(Award { fan: FlowerTiles, points, count: flowers, sets: Vec::new() });
        }
    }
}

/// What keeps a group from counting beside the chosen ones.
fn why_passed_over(group: Group, chosen: &[Group]) -> Option<(Fan, ExclusionReason)> {
    let touching = || chosen.iter().filter(|other| other.sets & group.sets != 0);
    let covers = |other: &&Group| {
        other.sets & group.sets == group.sets && implied_by_same_sets(other.fan, group.fan)
    };
    let implied = touching().find(covers).map(|by| (by.fan, ExclusionReason::Implied));
    let twice = touching().find(|other| other.fan == group.fan);
    implied
        .or(twice.map(|by| (by.fan, ExclusionReason::SameFanTwice)))
        .or(touching().next().map(|by| (by.fan, ExclusionReason::AccountOnce)))
}
