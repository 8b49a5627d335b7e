//! The explained score: the sets that form each fan, the excluded fans with the fans that exclude
//! them, the chosen decomposition and its rivals.
//!
//! All numbers come from the same [`FanTally`] as the bare total, so the awards add up to that
//! total. Of decompositions with equal points, the first in the order of
//! [`decompositions`](crate::rules::decompose::decompositions) is chosen; of equal choices of
//! combinations, the one that takes the more valuable fans first.

use crate::context::{Context, ContextField};
use crate::hand::{Hand, HandSize};
use crate::lang::Lang;
use crate::rules::decompose::contradictions;
use crate::rules::{
    Award, Conventions, Description, Exclusion, ExclusionReason, HandRules, Law, Minimum, Rule,
    RulesError, Ruleset, RunnerUp, Score, ScoredSet, SetKind, Shapes, SidewaysTiles, Unit, Worth,
    options_by_name, reach,
};
use crate::settle::{Payments, Shares};

use super::combinations::{Choice, Groups, SetGroup, choose, chow_groups, pung_groups};
use super::exclusion::{USING_WIND_PUNGS, implied_by_same_sets};
use super::fan::Fan::{self, *};
use super::fan::FanSet;
use super::pieces::Pieces;
use super::tally::{FanTally, Scorer};
use super::{MINIMUM, Mcr, law, settle};
use crate::rules::decompose::decompositions::{self, Decomposition};
use crate::rules::decompose::facts::Facts;
use crate::rules::decompose::kinds::WINDS;
use crate::rules::error::require_size;
use crate::texts;

/// Maximum number of runners-up in a score.
const RUNNERS_UP: usize = 3;

impl Ruleset for Mcr {}

impl HandRules for Mcr {
    fn points(&self, hand: &Hand, context: &Context) -> Result<u32, RulesError> {
        Mcr::points(self, hand, context)
    }

    fn score(&self, hand: &Hand, context: &Context) -> Result<Score, RulesError> {
        reach::with_reach(hand, context, &|hand, context| self.explain(hand, context))
    }

    fn shares(&self, context: &Context) -> Shares {
        settle::shares(context)
    }
}

impl Mcr {
    /// Returns the itemized score without the changes within reach.
    fn explain(&self, hand: &Hand, context: &Context) -> Result<Score, RulesError> {
        require_size(hand, HandSize::Thirteen)?;
        let facts = Facts::new(hand, context);
        contradictions::check(&facts)?;
        let scorer = Scorer::new(self, &facts);
        let mut decompositions = Vec::new();
        decompositions::for_each(&facts, &mut |decomposition| {
            decompositions.push((scorer.points(decomposition), *decomposition));
        });
        // The sort is stable: among equals the first decomposition stays first.
        decompositions.sort_by_key(|(points, _)| std::cmp::Reverse(*points));
        let [(_, best), rest @ ..] = decompositions.as_slice() else {
            return Err(RulesError::NotAWin);
        };

        let chosen = Items::new(&scorer, hand, best).or_chicken_hand(self);
        let total = chosen.total();
        let rivals = rest.iter().take(RUNNERS_UP);
        let (needed, unit) = self.minimum();
        let minimum = Minimum { needed, reached: total - facts.flowers, unit };
        Ok(Score {
            ruleset: self.id,
            total,
            doubling: None,
            riichi: None,
            dealer_tai: None,
            minimum,
            value: total,
            awards: chosen.awards(),
            excluded: chosen.list_exclusions(),
            sets: chosen.sets,
            runners_up: rivals.map(|(_, rival)| Items::new(&scorer, hand, rival).into()).collect(),
            payments: if minimum.missing() == 0 {
                settle::shares(context).payments(total)
            } else {
                Payments::default()
            },
            within_reach: Vec::new(),
            assumed_feeder: None,
        })
    }
}

impl Description for Mcr {
    fn conventions(&self) -> Conventions {
        Conventions { turned_in_claimed_kong: SidewaysTiles::One }
    }

    fn law(&self) -> Law {
        law::LAW
    }

    fn shapes(&self) -> Shapes {
        Shapes::ALL
    }

    fn minimum(&self) -> (u32, Unit) {
        (MINIMUM, Unit::Points)
    }

    fn context_fields(&self) -> &'static [ContextField] {
        use ContextField::{From, LastOfKind, LastWallTile, Prevalent, Seat, Win};
        &[Seat, Prevalent, Win, From, LastWallTile, LastOfKind]
    }

    fn lines(&self) -> Vec<(&'static Rule, Worth)> {
        Fan::ALL.map(|fan| (fan.rule(), Worth::Points(self.points_of(fan)))).into()
    }

    fn options(&self) -> serde_json::Map<String, serde_json::Value> {
        options_by_name(self.options)
    }

    fn option_text(&self, name: &str, lang: Lang) -> Option<String> {
        texts::mcr::find_option(name, lang).map(|text| with_fans(text, lang))
    }
}

/// The lines of one decomposition.
struct Items {
    awarded: Vec<CountedFan>,
    excluded: Vec<ExcludedFan>,
    sets: Vec<ScoredSet>,
}

/// A fan that counts.
struct CountedFan {
    fan: Fan,
    points: u32,
    count: u32,
    sets: Vec<Vec<ScoredSet>>,
}

/// A fan that does not count.
struct ExcludedFan {
    fan: Fan,
    by: Fan,
    count: u32,
    reason: ExclusionReason,
}

impl From<Items> for RunnerUp {
    fn from(items: Items) -> RunnerUp {
        RunnerUp { total: items.total(), awards: items.awards(), sets: items.sets }
    }
}

impl Items {
    fn new(scorer: &Scorer<'_>, hand: &Hand, decomposition: &Decomposition) -> Items {
        let tally = scorer.tally(decomposition);
        let counted = scorer.rules.exclusions.apply(tally.fans);
        let pieces = Pieces::new(scorer.facts, hand, decomposition, counted);
        let mut lines =
            LineCollector { scorer, tally, counted, awarded: Vec::new(), excluded: Vec::new() };
        lines.combinations(&Combinations::from_chows(decomposition, tally.fans), &pieces);
        lines.combinations(&Combinations::from_pungs(decomposition), &pieces);
        lines.other_fans(decomposition, &pieces);
        lines.whole_exclusions();
        lines.wait_on_knitted_tile(decomposition);
        lines.used_outer_pungs(decomposition);
        lines.flowers();
        let LineCollector { mut awarded, mut excluded, .. } = lines;
        awarded.sort_by_key(|line| line.fan);
        excluded.sort_by_key(|line| (line.fan, line.by));
        Items { awarded, excluded, sets: pieces.into_sets() }
    }

    fn total(&self) -> u32 {
        self.awarded.iter().map(|line| line.points * line.count).sum()
    }

    /// Returns the fans that count.
    fn awards(&self) -> Vec<Award> {
        let awards = self.awarded.iter().map(|line| Award {
            rule: line.fan.rule(),
            worth: Worth::Points(line.points),
            count: line.count,
            sets: line.sets.clone(),
            needs: needs(line, &self.sets),
        });
        awards.collect()
    }

    /// Returns the fans that do not count.
    fn list_exclusions(&self) -> Vec<Exclusion> {
        let exclusions = self.excluded.iter().map(|line| Exclusion {
            rule: line.fan.rule(),
            by: line.by.rule(),
            count: line.count,
            reason: line.reason,
        });
        exclusions.collect()
    }

    /// Adds Chicken Hand (43) if the best decomposition shows no fan but flowers.
    fn or_chicken_hand(mut self, rules: &Mcr) -> Items {
        if self.awarded.iter().all(|line| line.fan == FlowerTiles) {
            let points = rules.points_of(ChickenHand);
            let chicken = CountedFan { fan: ChickenHand, points, count: 1, sets: Vec::new() };
            self.awarded.insert(0, chicken);
        }
        self
    }
}

/// The groups of chows or pungs of a decomposition, and the choice of those that count.
struct Combinations {
    groups: Groups,
    choice: Choice,
    /// Kind of each set that the groups number: the kind of a chow, or the tile of a pung.
    tiles: Vec<usize>,
    of_chows: bool,
}

impl Combinations {
    fn from_chows(decomposition: &Decomposition, fans: FanSet) -> Combinations {
        let chows = &decomposition.chows[..decomposition.chow_count];
        let mut groups = chow_groups(chows);
        // Both fans also need a pair of fives, which the tally has checked.
        for fan in [PureTerminalChows, ThreeSuitedTerminalChows] {
            if !fans.contains(fan) {
                groups.remove(fan);
            }
        }
        let tiles = chows.iter().map(|&chow| usize::from(chow)).collect();
        Combinations { choice: choose(groups.as_slice()), groups, tiles, of_chows: true }
    }

    fn from_pungs(decomposition: &Decomposition) -> Combinations {
        let pungs: Vec<u8> = (0..27).filter(|pung| decomposition.pungs >> pung & 1 == 1).collect();
        let groups = pung_groups(&pungs);
        let tiles = pungs.into_iter().map(usize::from).collect();
        Combinations { choice: choose(groups.as_slice()), groups, tiles, of_chows: false }
    }

    fn chosen_groups(&self) -> impl Iterator<Item = SetGroup> + '_ {
        let groups = self.groups.as_slice().iter().enumerate();
        groups.filter(|(at, _)| self.choice.chosen >> at & 1 == 1).map(|(_, group)| *group)
    }

    fn passed_over(&self) -> impl Iterator<Item = SetGroup> + '_ {
        let groups = self.groups.as_slice().iter().enumerate();
        groups.filter(|(at, _)| self.choice.chosen >> at & 1 == 0).map(|(_, group)| *group)
    }

    fn sets(&self, group: SetGroup, pieces: &Pieces) -> Vec<ScoredSet> {
        let members = (0..self.tiles.len()).filter(|at| group.sets >> at & 1 == 1);
        if self.of_chows {
            // Equal chows differ by their place, and chows keep their order.
            members.map(|at| pieces.chow(at)).collect()
        } else {
            members.map(|at| pieces.pung(self.tiles[at])).collect()
        }
    }
}

/// Collects the lines of a decomposition.
struct LineCollector<'a> {
    scorer: &'a Scorer<'a>,
    tally: FanTally,
    counted: FanSet,
    awarded: Vec<CountedFan>,
    excluded: Vec<ExcludedFan>,
}

impl LineCollector<'_> {
    /// Counts a fan one more time.
    fn award(&mut self, fan: Fan, sets: Vec<ScoredSet>) {
        let found = self.awarded.iter().position(|line| line.fan == fan);
        let position = found.unwrap_or_else(|| {
            let points = self.scorer.rules.points_of(fan);
            self.awarded.push(CountedFan { fan, points, count: 0, sets: Vec::new() });
            self.awarded.len() - 1
        });
        let line = &mut self.awarded[position];
        line.count += 1;
        if !sets.is_empty() {
            line.sets.push(sets);
        }
    }

    /// Adds a fan that does not count `count` times; 0 adds nothing.
    fn exclude(&mut self, fan: Fan, by: Fan, count: u32, reason: ExclusionReason) {
        let mut lines = self.excluded.iter_mut();
        match lines.find(|line| (line.fan, line.by, line.reason) == (fan, by, reason)) {
            Some(line) => line.count += count,
            None if count == 0 => {}
            None => self.excluded.push(ExcludedFan { fan, by, count, reason }),
        }
    }

    /// Adds fans of two to four sets. Fans that the options exclude altogether are reported
    /// elsewhere.
    fn combinations(&mut self, combinations: &Combinations, pieces: &Pieces) {
        let chosen: Vec<SetGroup> = combinations.chosen_groups().collect();
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

    /// Adds fans of single sets, of the whole hand and of the win context.
    fn other_fans(&mut self, decomposition: &Decomposition, pieces: &Pieces) {
        for fan in self.counted {
            if self.awarded.iter().any(|line| line.fan == fan) {
                continue;
            }
            let count = self.tally.times(fan) as usize;
            let mut forming = pieces.forming(fan, self.scorer, decomposition);
            forming.resize(count, Vec::new());
            for sets in forming {
                self.award(fan, sets);
            }
        }
    }

    /// Adds fans that another fan excludes from the whole hand.
    fn whole_exclusions(&mut self) {
        let exclusions = &self.scorer.rules.exclusions;
        let together = exclusions.excluded_together(self.tally.fans);
        for fan in self.tally.fans.difference(self.counted) {
            let mut counted = self.counted.into_iter();
            let found = if together.contains(fan) {
                counted.find(|by| matches!(by, AllGreen | AllTerminals))
            } else {
                counted.find(|&by| exclusions.excluded_by(by).contains(fan))
            };
            let by = found.expect("only what a counted fan excludes is not counted");
            self.exclude(fan, by, self.tally.times(fan), ExclusionReason::Implied);
        }
    }

    /// Adds a wait fan (77 to 79) that would count if the winning tile were not a knitted one.
    fn wait_on_knitted_tile(&mut self, decomposition: &Decomposition) {
        if let Some(fan) = self.scorer.uncounted_wait(decomposition)
            && self.scorer.rules.exclusions.apply(self.tally.fans.with_if(fan, true)).contains(fan)
        {
            self.exclude(fan, KnittedStraight, 1, ExclusionReason::KnittedTile);
        }
    }

    /// Adds pungs of winds and terminals that another fan uses (73).
    fn used_outer_pungs(&mut self, decomposition: &Decomposition) {
        let scorer = self.scorer;
        let fan = PungOfTerminalsOrHonors;
        let free = scorer.outer_pungs(decomposition, self.tally.fans);
        let mut unexplained = decomposition.pungs & WINDS & !free;
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
            let sets = Vec::new();
            self.awarded.push(CountedFan { fan: FlowerTiles, points, count: flowers, sets });
        }
    }
}

/// Returns the fan that keeps a group from counting beside the chosen ones, and the reason.
fn why_passed_over(group: SetGroup, chosen: &[SetGroup]) -> Option<(Fan, ExclusionReason)> {
    let touching: Vec<&SetGroup> =
        chosen.iter().filter(|other| other.sets & group.sets != 0).collect();
    if let Some(by) = touching.iter().find(|other| implies(other, group)) {
        return Some((by.fan, ExclusionReason::Implied));
    }
    if touching.iter().any(|other| other.fan == group.fan) {
        return Some((group.fan, ExclusionReason::SameFanTwice));
    }
    touching.first().map(|by| (by.fan, ExclusionReason::AccountOnce))
}

/// Returns whether a group holds all sets of another one and a fan that implies the other's.
fn implies(one: &SetGroup, other: SetGroup) -> bool {
    one.sets & other.sets == other.sets && implied_by_same_sets(one.fan, other.fan)
}

/// Returns the context fields that decide, besides the tiles, whether a fan of a decomposition
/// counts.
fn needs(line: &CountedFan, decomposition: &[ScoredSet]) -> &'static [ContextField] {
    use ContextField::{LastOfKind, LastWallTile, Prevalent, Seat, Win};
    match line.fan {
        SeatWind => &[Seat],
        PrevalentWind => &[Prevalent],
        // A pung of winds counts as one if the wind is neither the seat wind nor the prevalent
        // wind.
        PungOfTerminalsOrHonors if has_wind(line) => &[Seat, Prevalent],
        // A discard leaves the pung that it completes exposed.
        FourConcealedPungs | ThreeConcealedPungs | TwoConcealedPungs
            if won_on_pung(decomposition) =>
        {
            &[Win]
        }
        LastTileDraw | LastTileClaim => &[Win, LastWallTile],
        LastTile => &[LastOfKind],
        ChickenHand
        | OutWithReplacementTile
        | RobbingTheKong
        | MeldedHand
        | FullyConcealedHand
        | ConcealedHand
        | SelfDrawn => &[Win],
        _ => &[],
    }
}

fn won_on_pung(decomposition: &[ScoredSet]) -> bool {
    decomposition.iter().any(|set| set.winning && set.kind == SetKind::Pung)
}

fn has_wind(line: &CountedFan) -> bool {
    line.sets.iter().flatten().flat_map(|set| &set.tiles).any(|tile| tile.is_wind())
}

/// Returns the meaning of an option with each code of a fan in braces replaced by the fan's name
/// and number.
fn with_fans(text: &str, lang: Lang) -> String {
    let mut pieces = text.split('{');
    let mut named = pieces.next().unwrap_or_default().to_owned();
    for (code, rest) in pieces.filter_map(|piece| piece.split_once('}')) {
        if let Some(fan) = Fan::ALL.into_iter().find(|fan| fan.code() == code) {
            named += &format!("{} ({})", fan.rule().name(lang), fan.number());
        }
        named += rest;
    }
    named
}
