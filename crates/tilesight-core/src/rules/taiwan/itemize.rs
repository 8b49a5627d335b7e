//! The explained score: each line with the sets that form it, the lines that others replace, the
//! chosen reading and its rivals.
//!
//! All numbers come from the same [`LineTally`] as the bare total, so the awards add up to it. Of
//! readings with equal tai, the first in the order of [`readings`](super::readings) is chosen.

use crate::context::{Context, ContextField, DeclaredSet};
use crate::hand::{Hand, HandSize};
use crate::lang::Lang;
use crate::rules::law::Law;
use crate::rules::{
    Award, Conventions, Description, Exclusion, ExclusionReason, HandRules, Minimum, Rule,
    RulesError, Ruleset, RunnerUp, Score, ScoredSet, Shapes, SidewaysTiles, Unit, Worth,
    options_by_name, reach,
};
use crate::settle::{Payments, Shares};
use crate::texts;

use super::line::Line::{self, *};
use super::pieces::Pieces;
use super::readings::{self, Reading};
use super::replaced::WITHIN_FULLY_CONCEALED;
use super::tally::{LineTally, Scorer};
use super::{Taiwan, law, settle};

/// Maximum number of runners-up in a score.
const RUNNERS_UP: usize = 3;

/// A tally with its tai and the sets and awards that explain it.
struct Explained {
    tai: u32,
    tally: LineTally,
    sets: Vec<ScoredSet>,
    awards: Vec<Award>,
}

impl Ruleset for Taiwan {}

impl HandRules for Taiwan {
    fn points(&self, hand: &Hand, context: &Context) -> Result<u32, RulesError> {
        Taiwan::points(self, hand, context)
    }

    fn score(&self, hand: &Hand, context: &Context) -> Result<Score, RulesError> {
        reach::with_reach(hand, context, &|hand, context| self.explain(hand, context))
    }

    fn shares(&self, context: &Context) -> Shares {
        settle::shares(self, context)
    }

    /// Returns the values up to the most tai that a hand could have.
    fn values(&self) -> Vec<u32> {
        (0..=self.highest_tai()).map(|tai| settle::value(self, tai)).collect()
    }

    fn settle_total(&self, total: u32, context: &Context) -> Payments {
        self.shares(context).payments(settle::value(self, total))
    }
}

impl Taiwan {
    /// Returns the itemized score without the changes within reach.
    fn explain(&self, hand: &Hand, context: &Context) -> Result<Score, RulesError> {
        let facts = self.facts(hand, context)?;
        let scorer = Scorer::new(self, &facts, hand.flowers());
        let mut read = explain_readings(&scorer, hand);
        if read.is_empty() {
            return Err(RulesError::NotAWin);
        }
        let Explained { tai: raw, tally, sets, awards } = read.remove(0);
        let (needed, unit) = self.minimum();
        let minimum = Minimum { needed, reached: raw, unit };
        let is_legal = minimum.missing() == 0;
        let value = if is_legal { settle::value(self, raw) } else { 0 };
        let runners_up = read.into_iter().take(RUNNERS_UP).map(|rival| RunnerUp {
            total: self.options.cut(rival.tai),
            sets: rival.sets,
            awards: rival.awards,
        });
        Ok(Score {
            ruleset: self.id,
            total: self.options.cut(raw),
            doubling: None,
            riichi: None,
            dealer_tai: Some(settle::dealer_tai(self, context)),
            minimum,
            value,
            awards,
            excluded: self.list_exclusions(&scorer, &tally),
            sets,
            runners_up: runners_up.collect(),
            payments: if is_legal {
                self.shares(context).payments(value)
            } else {
                Payments::default()
            },
            within_reach: Vec::new(),
            assumed_feeder: None,
        })
    }

    /// Returns the lines that do not count because another line replaces them.
    fn list_exclusions(&self, scorer: &Scorer<'_>, tally: &LineTally) -> Vec<Exclusion> {
        let reason = ExclusionReason::Implied;
        let uncounted = tally.shown.difference(tally.counting);
        let replaced = uncounted.iter().filter_map(|line| {
            // Five concealed pungs replace four, which would replace three.
            let mut replacing = tally.counting.iter().chain(uncounted.iter());
            let by = replacing.find(|&by| self.replaces(by, line))?;
            let count = scorer.count(tally, line);
            Some(Exclusion { rule: line.rule(), by: by.rule(), count, reason })
        });
        let bonus = &scorer.bonus;
        let within = [(OwnFlower, bonus.own_within), (Flower, bonus.any_within)];
        let included = within.into_iter().filter(|&(line, count)| {
            count > 0 && tally.counting.contains(FlowerSet) && self.played.contains(line)
        });
        let of_sets = included.map(|(line, count)| Exclusion {
            rule: line.rule(),
            by: FlowerSet.rule(),
            count,
            reason,
        });
        replaced.chain(of_sets).collect()
    }

    /// Returns whether a line replaces another.
    const fn replaces(&self, by: Line, line: Line) -> bool {
        self.replaced[by as usize].contains(line)
            || matches!(by, FullyConcealedHand) && WITHIN_FULLY_CONCEALED.contains(line)
    }
}

impl Description for Taiwan {
    fn law(&self) -> Law {
        law::law(&self.options)
    }

    /// Returns the conventions of most games.
    fn conventions(&self) -> Conventions {
        Conventions { turned_in_claimed_kong: SidewaysTiles::One }
    }

    fn size(&self) -> HandSize {
        HandSize::Sixteen
    }

    fn shapes(&self) -> Shapes {
        Shapes {
            seven_pairs: self.played.contains(SevenPairs),
            same_pair_twice: self.played.contains(SevenPairs),
            thirteen_orphans: self.played.contains(ThirteenOrphans),
            knitted: false,
        }
    }

    fn minimum(&self) -> (u32, Unit) {
        (self.options.minimum, Unit::Tai)
    }

    fn context_fields(&self) -> &'static [ContextField] {
        use ContextField::{
            Dealer, DealerStreak, Declared, From, LastWallTile, Prevalent, Seat, Win,
        };
        let counts_streak = self.values.dealer_streak > 0;
        match (self.options.dealer_is_east, counts_streak) {
            (true, true) => &[Seat, Prevalent, Win, From, LastWallTile, Declared, DealerStreak],
            (true, false) => &[Seat, Prevalent, Win, From, LastWallTile, Declared],
            (false, true) => {
                &[Seat, Prevalent, Win, From, LastWallTile, Declared, Dealer, DealerStreak]
            }
            (false, false) => &[Seat, Prevalent, Win, From, LastWallTile, Declared, Dealer],
        }
    }

    fn declared(&self) -> DeclaredSet {
        self.known_declarations()
    }

    fn lines(&self) -> Vec<(&'static Rule, Worth)> {
        Line::ALL.map(|line| (line.rule(), Worth::Tai(self.tai(line)))).into()
    }

    fn pinyin(&self, rule: &Rule) -> Option<&'static str> {
        let mut lines = Line::ALL.into_iter();
        lines.find(|line| line.rule() == rule).map(Line::pinyin)
    }

    fn options(&self) -> serde_json::Map<String, serde_json::Value> {
        options_by_name(self.options)
    }

    fn option_text(&self, name: &str, lang: Lang) -> Option<String> {
        texts::taiwan::find_option(name, lang).map(str::to_owned)
    }
}

/// Returns every reading with its tai, the one with most of them first.
fn explain_readings(scorer: &Scorer<'_>, hand: &Hand) -> Vec<Explained> {
    if hand.is_bonus_win() {
        let tally = scorer.bonus_win();
        let pieces = Pieces::from_bonus_win(scorer.facts, hand);
        return vec![explain_tally(scorer, tally, pieces)];
    }
    let mut read: Vec<(u32, LineTally, Reading)> = Vec::new();
    readings::for_each(scorer.facts, scorer.rules.specials(), &mut |reading| {
        let tally = scorer.tally(reading);
        read.push((scorer.tai(&tally), tally, *reading));
    });
    // The sort is stable: among equals the first reading stays first.
    read.sort_by_key(|(tai, ..)| std::cmp::Reverse(*tai));
    let best = read.into_iter().take(1 + RUNNERS_UP).map(|(_, tally, reading)| {
        explain_tally(scorer, tally, Pieces::new(scorer.facts, hand, &reading))
    });
    best.collect()
}

/// Returns the sets of a reading and the lines that count in it.
fn explain_tally(scorer: &Scorer<'_>, tally: LineTally, pieces: Pieces) -> Explained {
    let counted = tally.counting.iter().map(|line| Award {
        rule: line.rule(),
        worth: Worth::Tai(scorer.rules.tai(line)),
        count: scorer.count(&tally, line),
        sets: pieces.forming(line),
        needs: needs(line),
    });
    let awards = counted.collect();
    Explained { tai: scorer.tai(&tally), tally, sets: pieces.into_sets(), awards }
}

/// Returns the context fields that decide, besides the tiles, whether a line counts.
const fn needs(line: Line) -> &'static [ContextField] {
    match line {
        SeatWind | OwnFlower => &[ContextField::Seat],
        PrevalentWind => &[ContextField::Prevalent],
        SelfDraw | ConcealedHand | FullyConcealedHand | AllMelded | HalfMelded | RobbingKong
        | KongReplacement | AllChows | ThreeConcealedPungs | FourConcealedPungs
        | FiveConcealedPungs => &[ContextField::Win],
        LastTileDraw | LastTileClaim => &[ContextField::LastWallTile],
        Ready | EarthlyReady | HeavenlyReady | HeavenlyHand | EarthlyHand | HumanHand
        | EightFlowers | SevenFlowers => &[ContextField::Declared],
        _ => &[],
    }
}
