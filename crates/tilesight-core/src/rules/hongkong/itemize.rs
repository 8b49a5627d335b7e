//! The explained score: each line with the sets that form it, the lines that others replace, the
//! chosen decomposition and its rivals.
//!
//! All numbers come from the same [`LineTally`] as the bare total, so the awards add up to it. Of
//! decompositions with equal faan, the first in the order of
//! [`decompositions`](crate::rules::decompose::decompositions) is chosen.

use crate::context::{Context, ContextField, DeclaredSet, Feeder};
use crate::hand::Hand;
use crate::lang::Lang;
use crate::rules::decompose::decompositions::{self, Decomposition};
use crate::rules::decompose::facts::Facts;
use crate::rules::decompose::feeders::PossibleFeeders;
use crate::rules::law::Law;
use crate::rules::{
    Award, Conventions, Description, Exclusion, ExclusionReason, HandRules, Minimum, Rule,
    RulesError, Ruleset, RunnerUp, Score, ScoredSet, Shapes, SidewaysTiles, Unit, Worth,
    options_by_name, reach,
};
use crate::settle::{Payments, Shares};
use crate::texts;

use super::liability;
use super::line::Line::{self, *};
use super::options::Liability;
use super::pieces::Pieces;
use super::tally::{HandFaan, LineTally, Scorer};
use super::{HongKong, law, settle};

/// Maximum number of runners-up in a score.
const RUNNERS_UP: usize = 3;

impl Ruleset for HongKong {}

impl HandRules for HongKong {
    fn points(&self, hand: &Hand, context: &Context) -> Result<u32, RulesError> {
        HongKong::points(self, hand, context)
    }

    fn score(&self, hand: &Hand, context: &Context) -> Result<Score, RulesError> {
        reach::with_reach(hand, context, &|hand, context| self.explain(hand, context))
    }

    fn accepts_feeder(&self, hand: &Hand, context: &Context, feeder: Feeder) -> bool {
        let facts = Facts::new(hand, context);
        liability::feeders(&facts, hand, &self.options).is_some_and(|all| all.allows(feeder))
    }

    fn shares(&self, context: &Context) -> Shares {
        settle::shares(&self.options, context)
    }

    fn settle_liable(&self, total: u32, context: &Context) -> Option<Payments> {
        let player = liability::payer(context, &self.options)?;
        let value = settle::value(&self.options, total);
        Some(settle::liable_shares(context, player).payments(value))
    }

    fn values(&self) -> Vec<u32> {
        (0..=self.options.limit).map(|faan| settle::value(&self.options, faan)).collect()
    }
}

impl HongKong {
    /// Returns the itemized score without the changes within reach.
    fn explain(&self, hand: &Hand, context: &Context) -> Result<Score, RulesError> {
        let facts = self.facts(hand, context)?;
        let scorer = Scorer::new(self, &facts, hand.flowers());
        let mut read = all_tallies(&scorer);
        // The sort is stable: among equals the first decomposition stays first.
        read.sort_by_key(|(faan, ..)| std::cmp::Reverse(*faan));
        let [(HandFaan { faan, .. }, tally, best), rest @ ..] = read.as_slice() else {
            return Err(RulesError::NotAWin);
        };
        let (needed, unit) = self.minimum();
        let minimum = Minimum { needed, reached: *faan, unit };
        let is_legal = minimum.missing() == 0;
        let value = if is_legal { settle::value(&self.options, *faan) } else { 0 };
        let feeders = liability::feeders(&facts, hand, &self.options);
        let (sets, awards) = items(&scorer, hand, (tally, best));
        let runners_up = rest.iter().take(RUNNERS_UP).map(|(faan, tally, rival)| {
            let (sets, awards) = items(&scorer, hand, (tally, rival));
            RunnerUp { total: faan.faan, sets, awards }
        });
        Ok(Score {
            ruleset: self.id,
            total: *faan,
            doubling: None,
            riichi: None,
            dealer_tai: None,
            minimum,
            value,
            awards,
            excluded: self.list_exclusions(tally),
            sets,
            runners_up: runners_up.collect(),
            payments: if is_legal {
                self.payments(feeders, context, value)
            } else {
                Payments::default()
            },
            within_reach: Vec::new(),
            assumed_feeder: (is_legal && self.depends_on_feeder(feeders, context))
                .then_some(Feeder::Nobody),
        })
    }

    /// Returns the payments for a value. One player may be liable for all of them.
    fn payments(
        &self,
        feeders: Option<PossibleFeeders>,
        context: &Context,
        value: u32,
    ) -> Payments {
        let shares = match liability::liable(feeders, context, &self.options) {
            Some(player) => settle::liable_shares(context, player),
            None => settle::shares(&self.options, context),
        };
        shares.payments(value)
    }

    /// Returns whether a feeder that the context does not name would be liable.
    fn depends_on_feeder(&self, feeders: Option<PossibleFeeders>, context: &Context) -> bool {
        context.feeder.is_none()
            && Feeder::ALL.into_iter().any(|feeder| {
                let context = Context { feeder: Some(feeder), ..*context };
                liability::liable(feeders, &context, &self.options).is_some()
            })
    }

    /// Returns the lines that do not count: those that another line replaces, and those beside a
    /// line that is worth the limit.
    fn list_exclusions(&self, tally: &LineTally) -> Vec<Exclusion> {
        let uncounted = tally.shown.difference(tally.counting);
        uncounted.iter().filter_map(|line| self.exclude(line, tally)).collect()
    }

    fn exclude(&self, line: Line, tally: &LineTally) -> Option<Exclusion> {
        let mut counting = tally.counting.iter();
        let (by, reason) = match counting.find(|&by| self.replaced[by as usize].contains(line)) {
            Some(by) => (by, ExclusionReason::Implied),
            None => (tally.counting.iter().next()?, ExclusionReason::CountsAlone),
        };
        Some(Exclusion { rule: line.rule(), by: by.rule(), count: tally.count(line), reason })
    }
}

impl Description for HongKong {
    fn law(&self) -> Law {
        law::law(&self.options)
    }

    /// Returns the conventions of most games: players of Hong Kong rarely turn a claimed tile, and
    /// where one lies turned it means the same as elsewhere.
    fn conventions(&self) -> Conventions {
        Conventions { turned_in_claimed_kong: SidewaysTiles::One }
    }

    fn shapes(&self) -> Shapes {
        Shapes {
            seven_pairs: self.played.contains(SevenPairs),
            same_pair_twice: false,
            thirteen_orphans: self.played.contains(ThirteenOrphans),
            knitted: false,
        }
    }

    fn minimum(&self) -> (u32, Unit) {
        (self.options.minimum, Unit::Faan)
    }

    fn context_fields(&self) -> &'static [ContextField] {
        use ContextField::{Declared, Feeder, From, LastWallTile, Prevalent, Seat, Win};
        match self.options.liability {
            Liability::None => &[Seat, Prevalent, Win, From, LastWallTile, Declared],
            _ => &[Seat, Prevalent, Win, From, LastWallTile, Declared, Feeder],
        }
    }

    fn declared(&self) -> DeclaredSet {
        self.known_declarations()
    }

    fn lines(&self) -> Vec<(&'static Rule, Worth)> {
        Line::ALL.map(|line| (line.rule(), self.worth(line))).into()
    }

    fn options(&self) -> serde_json::Map<String, serde_json::Value> {
        options_by_name(self.options)
    }

    fn option_text(&self, name: &str, lang: Lang) -> Option<String> {
        texts::hongkong::find_option(name, lang).map(str::to_owned)
    }
}

/// Returns every decomposition that wins with its faan, in the order of the decompositions.
fn all_tallies(scorer: &Scorer<'_>) -> Vec<(HandFaan, LineTally, Decomposition)> {
    let mut read = Vec::new();
    decompositions::for_each(scorer.facts, &mut |decomposition| {
        if let Some(tally) = scorer.tally(decomposition) {
            read.push((tally.faan(scorer.rules), tally, *decomposition));
        }
    });
    read
}

/// Returns the sets of a decomposition and the lines that count in it.
fn items(
    scorer: &Scorer<'_>,
    hand: &Hand,
    (tally, decomposition): (&LineTally, &Decomposition),
) -> (Vec<ScoredSet>, Vec<Award>) {
    let pieces = Pieces::new(scorer.facts, hand, decomposition);
    let counted = tally.counting.iter().map(|line| Award {
        rule: line.rule(),
        worth: scorer.rules.worth(line),
        count: tally.count(line),
        sets: pieces.forming(line),
        needs: needs(line),
    });
    let awards = counted.collect();
    (pieces.into_sets(), awards)
}

/// Returns the context fields that decide, besides the tiles, whether a line counts.
const fn needs(line: Line) -> &'static [ContextField] {
    match line {
        SeatWind | OwnFlower | OwnSeason => &[ContextField::Seat],
        PrevalentWind => &[ContextField::Prevalent],
        SelfDraw | RobbingKong | KongReplacement | FourConcealedPungs => &[ContextField::Win],
        LastTile => &[ContextField::LastWallTile],
        DoubleKong | HeavenlyHand | EarthlyHand => &[ContextField::Declared],
        _ => &[],
    }
}
