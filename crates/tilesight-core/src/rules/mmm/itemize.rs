//! The explained score: each line with the sets that form it, the chosen decomposition and its
//! rivals.
//!
//! All numbers come from the same [`LineTally`] as the bare value. Of decompositions with equal
//! values, the first in the order of [`decompositions`](crate::rules::decompose::decompositions) is
//! chosen.

use crate::context::{Context, ContextField};
use crate::hand::Hand;
use crate::lang::Lang;
use crate::rules::decompose::decompositions::{self, Decomposition};
use crate::rules::law::Law;
use crate::rules::{
    Award, Conventions, Description, Exclusion, ExclusionReason, HandRules, Rule, RulesError,
    Ruleset, RunnerUp, Score, ScoredSet, SetKind, Shapes, SidewaysTiles, Unit, Worth,
    options_by_name, reach,
};
use crate::settle::Shares;
use crate::texts;

use super::hand_value::HandValue;
use super::line::Line::{self, *};
use super::pieces::Pieces;
use super::tally::{LineTally, PARTS, Scorer, best_part};
use super::{MINIMUM, Mmm, law, liability, settle};

/// Maximum number of runners-up in a score.
const RUNNERS_UP: usize = 3;

impl Ruleset for Mmm {}

impl HandRules for Mmm {
    fn points(&self, hand: &Hand, context: &Context) -> Result<u32, RulesError> {
        Mmm::points(self, hand, context)
    }

    fn score(&self, hand: &Hand, context: &Context) -> Result<Score, RulesError> {
        reach::with_reach(hand, context, &|hand, context| self.explain(hand, context))
    }

    fn shares(&self, context: &Context) -> Shares {
        settle::shares(context, &self.options)
    }
}

impl Mmm {
    /// Returns the itemized score without the changes within reach.
    fn explain(&self, hand: &Hand, context: &Context) -> Result<Score, RulesError> {
        let facts = self.facts(hand, context)?;
        let scorer = Scorer::new(self, &facts);
        let mut read = all_readings(&scorer);
        // The sort is stable: among equals the first decomposition stays first.
        read.sort_by_key(|(value, ..)| std::cmp::Reverse(*value));
        let [(hand_value, tally, best), rest @ ..] = read.as_slice() else {
            return Err(RulesError::NotAWin);
        };
        let liability = liability::liability(&facts, hand, &self.options);
        let settled = settle::settle(hand_value.value(), liability, context, &self.options);
        let (sets, awards) = items(&scorer, hand, best, tally);
        let runners_up = rest.iter().take(RUNNERS_UP).map(|(hand_value, tally, rival)| {
            let (sets, awards) = items(&scorer, hand, rival, tally);
            RunnerUp { total: hand_value.value(), sets, awards }
        });
        Ok(Score {
            ruleset: self.id,
            total: hand_value.value(),
            doubling: Some(hand_value.doubling()),
            riichi: None,
            dealer_tai: None,
            minimum: hand_value.minimum(),
            value: hand_value.value(),
            awards,
            excluded: list_exclusions(tally),
            sets,
            runners_up: runners_up.collect(),
            payments: settled.payments,
            within_reach: Vec::new(),
            assumed_feeder: settled.assumed,
        })
    }
}

impl Description for Mmm {
    fn law(&self) -> Law {
        law::LAW
    }

    fn conventions(&self) -> Conventions {
        Conventions { turned_in_claimed_kong: SidewaysTiles::Two }
    }

    /// Returns the shapes of "Only seven pairs, and no thirteen wonders" (0.3.1.2).
    fn shapes(&self) -> Shapes {
        Shapes { seven_pairs: true, same_pair_twice: true, ..Shapes::default() }
    }

    fn minimum(&self) -> (u32, Unit) {
        (MINIMUM, Unit::Doublings)
    }

    fn context_fields(&self) -> &'static [ContextField] {
        use ContextField::{Feeder, From, LastWallTile, Prevalent, Seat, Win};
        &[Seat, Prevalent, Win, From, LastWallTile, Feeder]
    }

    fn lines(&self) -> Vec<(&'static Rule, Worth)> {
        Line::ALL.iter().map(|line| (line.rule(), line.rule().worth)).collect()
    }

    fn options(&self) -> serde_json::Map<String, serde_json::Value> {
        options_by_name(self.options)
    }

    fn option_text(&self, name: &str, lang: Lang) -> Option<String> {
        texts::mmm::find_option(name, lang).map(str::to_owned)
    }
}

/// Returns every decomposition with its value, in the order of the decompositions.
fn all_readings(scorer: &Scorer<'_>) -> Vec<(HandValue, LineTally, Decomposition)> {
    let mut read = Vec::new();
    decompositions::for_each(scorer.facts, &mut |decomposition| {
        if let Some(tally) = scorer.tally(decomposition) {
            read.push((tally.hand_value(scorer), tally, *decomposition));
        }
    });
    read
}

/// Returns the sets of a decomposition and the lines that count in it.
fn items(
    scorer: &Scorer<'_>,
    hand: &Hand,
    decomposition: &Decomposition,
    tally: &LineTally,
) -> (Vec<ScoredSet>, Vec<Award>) {
    let pieces = Pieces::new(scorer, hand, decomposition);
    let counting = Line::ALL.iter().copied().filter(|&line| tally.counts.get(line) > 0);
    let awards = counting.map(|line| Award {
        rule: line.rule(),
        worth: line.rule().worth,
        count: tally.counts.get(line),
        sets: pieces.forming(line),
        needs: needs(line, pieces.sets()),
    });
    (pieces.sets().to_vec(), awards.collect())
}

/// Returns the parts that do not count beside a better part of their paragraph.
fn list_exclusions(tally: &LineTally) -> Vec<Exclusion> {
    let parts = PARTS.into_iter().flat_map(|parts| {
        let best = best_part(&tally.shown, parts);
        parts.iter().filter_map(move |&part| best.map(|best| (part, best)))
    });
    let left_out = parts
        .filter(|&(part, _)| tally.shown.get(part) > 0 && tally.counts.get(part) == 0)
        .map(|(part, best)| Exclusion {
            rule: part.rule(),
            by: best.rule(),
            count: tally.shown.get(part),
            reason: ExclusionReason::Implied,
        });
    left_out.collect()
}

/// Returns the context fields that decide, besides the tiles, whether a line of a decomposition
/// counts.
fn needs(line: Line, decomposition: &[ScoredSet]) -> &'static [ContextField] {
    use ContextField::{LastWallTile, Prevalent, Seat, Win};
    let won_on_pung = decomposition.iter().any(|set| set.winning && set.kind == SetKind::Pung);
    match line {
        OwnWind | OwnWindPair => &[Seat],
        RoundWind | RoundWindPair => &[Prevalent],
        UnderTheSea | UnderTheRiver => &[Win, LastWallTile],
        // A discard leaves the pung that it completes open.
        OpenPung | OpenOfficerPung | ConcealedPung | ConcealedOfficerPung | ThreeConcealedPungs
        | FourConcealedPungs
            if won_on_pung =>
        {
            &[Win]
        }
        // The points of a self-draw can decide whether the extra score is reached.
        ExtraHalf | ExtraWhole | FullyOpen | FullyConcealed | SelfDraw | AfterAKong
        | RobbingAKong => &[Win],
        _ => &[],
    }
}
