//! The worth of one decomposition of a hand, without explanations.
//!
//! Input: [`Facts`] and a [`Decomposition`]. Output: a [`FanTally`] of the fans that the
//! decomposition shows; [`FanTally::points`] leaves out the excluded ones. The explaining layer
//! builds on the same tally, so both always agree. Nothing here allocates.

use std::cell::OnceCell;

use super::combinations::{CHOWS, ChowFans, pung_worth};
use super::exclusion::USING_WIND_PUNGS;
use super::fan::Fan::{self, *};
use super::fan::FanSet;
use super::{Mcr, whole_hand, win_mode};
use crate::rules::decompose::decompositions::{Decomposition, Shape, honor_count};
use crate::rules::decompose::facts::{Facts, HONOR_GROUP, place};
use crate::rules::decompose::kinds::{self, DRAGONS, Kinds, WINDS, is_within, kind_of};
use crate::rules::decompose::waits;

/// The fans that a decomposition shows, before exclusion.
#[derive(Clone, Copy, Debug)]
pub(super) struct FanTally {
    /// All fans except those of two or three chows.
    pub(super) fans: FanSet,
    /// Points of the fans of two or three chows.
    chow_points: u32,
    hogs: u32,
    double_pungs: u32,
    outer_pungs: u32,
}

/// A hand to be scored: the properties that all its decompositions share.
pub(super) struct Scorer<'a> {
    pub(super) rules: &'a Mcr,
    pub(super) facts: &'a Facts,
    /// Fans that do not depend on the decomposition.
    shared: FanSet,
    hogs: u32,
    only_wait: OnceCell<bool>,
}

impl<'a> Scorer<'a> {
    pub(super) fn new(rules: &'a Mcr, facts: &'a Facts) -> Scorer<'a> {
        let mut shared = whole_hand::find_kind_fans(facts.kinds)
            .union(win_mode::find_win_context_fans(facts))
            .union(win_mode::find_kong_fans(facts));
        let hogs = facts.tile_hogs(rules.options.tile_hog_on_honors);
        shared.add_if(TileHog, hogs > 0);
        shared.add_if(NineGates, whole_hand::is_nine_gates(facts));
        Scorer { rules, facts, shared, hogs, only_wait: OnceCell::new() }
    }

    /// Returns the fans that a decomposition shows.
    pub(super) fn tally(&self, decomposition: &Decomposition) -> FanTally {
        let mut tally = FanTally {
            fans: self.shared,
            chow_points: 0,
            hogs: self.hogs,
            double_pungs: 0,
            outer_pungs: 0,
        };
        match decomposition.shape {
            Shape::Regular => {
                self.add_pungs(decomposition, &mut tally);
                self.add_chows(decomposition, &mut tally);
                add_shape_of_sets(decomposition, &mut tally.fans);
                self.add_wait(decomposition, &mut tally.fans);
            }
            Shape::Knitted(knit) => {
                tally.fans.add_if(KnittedStraight, true);
                let chows =
                    decomposition.chow_count == 1 && decomposition.pair & kinds::HONORS == 0;
                tally.fans.add_if(AllChows, chows);
                self.add_pungs(decomposition, &mut tally);
                if !self.ignores_wait(knit) {
                    self.add_wait(decomposition, &mut tally.fans);
                }
            }
            Shape::Pairs => self.add_seven_pairs(&mut tally.fans),
            Shape::Orphans => tally.fans.add_if(ThirteenOrphans, true),
            Shape::HonorsAndKnitted(knit) => {
                let greater = honor_count(self.facts.kinds) == 7;
                tally.fans.add_if(GreaterHonorsAndKnittedTiles, greater);
                tally.fans.add_if(LesserHonorsAndKnittedTiles, !greater);
                tally.fans.add_if(KnittedStraight, is_within(knit, self.facts.kinds));
            }
        }
        tally
    }

    fn add_seven_pairs(&self, fans: &mut FanSet) {
        fans.add_if(SevenPairs, true);
        // Seven consecutive numbers of one suit, starting at 1, 2 or 3.
        let (group, low) = place(self.facts.kinds.trailing_zeros() as usize);
        let twos = self.facts.hidden[group].twos();
        fans.add_if(SevenShiftedPairs, group < HONOR_GROUP && twos == 0x7f << low);
    }

    /// Adds the fans of pungs and of their tiles.
    fn add_pungs(&self, decomposition: &Decomposition, tally: &mut FanTally) {
        let pungs = decomposition.pungs;
        if pungs == 0 {
            return;
        }
        let fans = &mut tally.fans;
        let concealed = decomposition.concealed_pungs(self.facts).count_ones();
        fans.add_if(TwoConcealedPungs, concealed >= 2);
        fans.add_if(ThreeConcealedPungs, concealed >= 3);
        fans.add_if(FourConcealedPungs, concealed == 4);

        let numbers = [pungs, pungs >> 9, pungs >> 18].map(|suit| suit as u16 & 0x1ff);
        let worth = pung_worth(numbers);
        if let Some(large) = worth.large {
            fans.add_if(large, true);
        }
        tally.double_pungs = worth.doubles;
        fans.add_if(DoublePung, worth.doubles > 0);

        add_honor_pungs(decomposition, fans, self.facts);
        tally.outer_pungs = self.outer_pungs(decomposition, *fans).count_ones();
        if fans.contains(NineGates) {
            let excluded = self.rules.options.terminal_pungs_excluded_by_nine_gates();
            tally.outer_pungs = tally.outer_pungs.saturating_sub(excluded);
        }
        fans.add_if(PungOfTerminalsOrHonors, tally.outer_pungs > 0);
    }

    /// Returns the pungs that count as Pung of Terminals or Honors (73): those of terminals, and
    /// those of winds that no other fan uses.
    pub(super) fn outer_pungs(&self, decomposition: &Decomposition, fans: FanSet) -> Kinds {
        let used = USING_WIND_PUNGS
            .into_iter()
            .filter(|&fan| fans.contains(fan) && self.rules.exclusions.uses_wind_pungs(fan))
            .fold(0, |used, fan| used | self.winds_of(fan));
        decomposition.pungs & (kinds::TERMINALS | WINDS & !used)
    }

    /// Returns the winds whose pungs a fan uses.
    pub(super) const fn winds_of(&self, fan: Fan) -> Kinds {
        match fan {
            PrevalentWind => kind_of(self.facts.context.prevalent),
            SeatWind => kind_of(self.facts.context.seat),
            _ => WINDS,
        }
    }

    /// Adds the fans of two to four chows.
    fn add_chows(&self, decomposition: &Decomposition, tally: &mut FanTally) {
        let worth = CHOWS.worth(decomposition.chows);
        let fives = decomposition.pair & kinds::FIVES != 0;
        let whole = worth.whole.filter(|&fan| match fan {
            PureTerminalChows => fives && tally.fans.contains(FullFlush),
            ThreeSuitedTerminalChows => fives && whole_hand::suits(self.facts.kinds) == 3,
            _ => true,
        });
        match whole {
            Some(fan) => tally.fans.add_if(fan, true),
            None => tally.chow_points = u32::from(worth.points),
        }
        let all_chows = decomposition.chow_count == 4 && decomposition.pair & kinds::HONORS == 0;
        tally.fans.add_if(AllChows, all_chows);
    }

    /// Adds at most one of Edge, Closed and Single Wait.
    fn add_wait(&self, decomposition: &Decomposition, fans: &mut FanSet) {
        if let Some(fan) = self.wait(decomposition) {
            fans.add_if(fan, true);
        }
    }

    /// Returns the wait fan that a decomposition shows.
    fn wait(&self, decomposition: &Decomposition) -> Option<Fan> {
        wait_shape(decomposition, self.facts.winning).filter(|_| self.is_only_wait())
    }

    #[inline]
    fn is_only_wait(&self) -> bool {
        let formal = self.rules.options.formal_waits;
        *self.only_wait.get_or_init(|| waits::is_only_wait(self.facts, formal))
    }

    /// Returns whether a wait does not count because the winning tile is one of the knitted tiles.
    const fn ignores_wait(&self, knit: Kinds) -> bool {
        !self.rules.options.wait_on_knitted_tile && knit >> self.facts.winning & 1 == 1
    }

    /// Returns the wait fan that a decomposition shows and that these rules ignore.
    pub(super) fn uncounted_wait(&self, decomposition: &Decomposition) -> Option<Fan> {
        match decomposition.shape {
            Shape::Knitted(knit) if self.ignores_wait(knit) => self.wait(decomposition),
            _ => None,
        }
    }

    /// Returns the points of a decomposition without flowers.
    pub(super) fn points(&self, decomposition: &Decomposition) -> u32 {
        self.tally(decomposition).points(self.rules)
    }
}

/// The fans that count in a winning hand, without the sets that form them.
#[derive(Debug, Clone, Copy)]
pub struct FanCounts {
    /// Points without those of flowers.
    pub(super) points: u32,
    /// All fans except those of two or three chows, and Flower Tiles.
    fans: FanSet,
    tally: FanTally,
    chows: [u8; 4],
    flowers: u32,
}

impl FanCounts {
    pub(super) fn new(scorer: &Scorer<'_>, decomposition: &Decomposition) -> FanCounts {
        let rules = scorer.rules;
        let tally = scorer.tally(decomposition);
        let fans = rules.exclusions.apply(tally.fans);
        let points = tally.points_of(fans, rules);
        FanCounts { points, fans, tally, chows: decomposition.chows, flowers: scorer.facts.flowers }
    }

    /// Returns each fan and the number of times that it counts, by falling points.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (Fan, u32)> {
        // A fan of all four chows leaves no points to smaller ones.
        let smaller = self.tally.chow_points > 0;
        let of_chows = if smaller { CHOWS.fans(self.chows) } else { ChowFans::default() };
        let mut fans = self.fans;
        for fan in of_chows.into_iter().flatten() {
            fans.add_if(fan, true);
        }
        fans.add_if(ChickenHand, self.points == 0);
        fans.add_if(FlowerTiles, self.flowers > 0);
        fans.map(move |fan| {
            let as_chows = of_chows.into_iter().filter(|&other| other == Some(fan)).count();
            let count = match fan {
                FlowerTiles => self.flowers,
                _ if as_chows > 0 => as_chows as u32,
                _ => self.tally.times(fan),
            };
            (fan, count)
        })
    }
}

impl FanTally {
    /// Returns the points of the fans that are not excluded.
    pub(super) fn points(&self, rules: &Mcr) -> u32 {
        self.points_of(rules.exclusions.apply(self.fans), rules)
    }

    fn points_of(&self, counted: FanSet, rules: &Mcr) -> u32 {
        counted.map(|fan| rules.points_of(fan) * self.times(fan)).sum::<u32>() + self.chow_points
    }

    /// Returns the number of times that a fan counts, if it is not excluded.
    pub(super) const fn times(&self, fan: Fan) -> u32 {
        match fan {
            TileHog => self.hogs,
            DoublePung => self.double_pungs,
            PungOfTerminalsOrHonors => self.outer_pungs,
            _ => 1,
        }
    }
}

/// Adds the fans of pungs of winds and dragons.
fn add_honor_pungs(decomposition: &Decomposition, fans: &mut FanSet, facts: &Facts) {
    let winds = (decomposition.pungs & WINDS).count_ones();
    let dragons = (decomposition.pungs & DRAGONS).count_ones();
    let wind_pair = decomposition.pair & WINDS != 0;
    let dragon_pair = decomposition.pair & DRAGONS != 0;
    fans.add_if(BigFourWinds, winds == 4);
    fans.add_if(LittleFourWinds, winds == 3 && wind_pair);
    fans.add_if(BigThreeWinds, winds >= 3);
    fans.add_if(BigThreeDragons, dragons == 3);
    fans.add_if(LittleThreeDragons, dragons == 2 && dragon_pair);
    fans.add_if(TwoDragonPungs, dragons >= 2);
    fans.add_if(DragonPung, dragons >= 1);
    fans.add_if(PrevalentWind, decomposition.pungs & kind_of(facts.context.prevalent) != 0);
    fans.add_if(SeatWind, decomposition.pungs & kind_of(facts.context.seat) != 0);
}

/// Kinds of chows that hold a one or a nine, one bit each. The next constant has those that hold a
/// five.
const OUTSIDE_CHOWS: u32 = 0b1000001_1000001_1000001;
const CHOWS_WITH_FIVE: u32 = 0b0011100_0011100_0011100;

/// Adds the fans that require a property of every set and of the pair.
fn add_shape_of_sets(decomposition: &Decomposition, fans: &mut FanSet) {
    let sets = decomposition.pungs | decomposition.pair;
    let chows = decomposition.chow_kinds();
    let outside = is_within(sets, kinds::TERMINALS_AND_HONORS) && chows & !OUTSIDE_CHOWS == 0;
    let fives = is_within(sets, kinds::FIVES) && chows & !CHOWS_WITH_FIVE == 0;
    let all_pungs = decomposition.chow_count == 0;
    fans.add_if(OutsideHand, outside);
    fans.add_if(AllFives, fives);
    fans.add_if(AllPungs, all_pungs);
    fans.add_if(AllEvenPungs, all_pungs && is_within(sets, kinds::EVEN));
}

/// Returns the wait in which the winning tile completes a set of the concealed tiles. A chow is
/// preferred to the pair, because the fans that exclude Single Wait exclude no other wait.
pub(super) fn wait_shape(decomposition: &Decomposition, winning: usize) -> Option<Fan> {
    let (group, number) = place(winning);
    let chows =
        if group < HONOR_GROUP { decomposition.hidden_chows >> (group * 7) & 0x7f } else { 0 };
    if number == 2 && chows & 1 == 1 || number == 6 && chows >> 6 & 1 == 1 {
        Some(EdgeWait)
    } else if (1..=7).contains(&number) && chows >> (number - 1) & 1 == 1 {
        Some(ClosedWait)
    } else if decomposition.pair >> winning & 1 == 1 {
        Some(SingleWait)
    } else {
        None
    }
}
