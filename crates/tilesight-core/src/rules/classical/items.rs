//! The lines of one hand, with the sets that form each: the lines that count, and those that a
//! special hand excludes.
//!
//! Input: the lines that the walks report to an [`ItemSink`]. Output: [`Items`], as awards and
//! exclusions, or as a [`Score`] without payments. Winners and other players share this code.

use crate::context::ContextField;
use crate::rules::decompose::kinds::Kinds;
use crate::rules::{
    Award, Description as _, Exclusion, ExclusionReason, Minimum, Score, ScoredSet, SetKind,
};
use crate::settle::Payments;

use super::Classical;
use super::everybody::{Formation, Sink};
use super::line::Line::{self, *};
use super::pieces::HandSets;
use super::tally::HandWorth;

/// The lines of one hand, divided into counted and excluded ones.
pub(super) struct Items {
    counted: Vec<LineItem>,
    excluded: Vec<LineItem>,
    /// Line that excludes the others.
    alone: Option<Line>,
    pub(super) sets: Vec<ScoredSet>,
}

/// A line that a hand shows.
struct LineItem {
    line: Line,
    count: u32,
    sets: Vec<Vec<ScoredSet>>,
}

impl Items {
    /// Returns the lines that count.
    pub(super) fn awards(&self, rules: &Classical) -> Vec<Award> {
        let awards = self.counted.iter().map(|item| Award {
            rule: item.line.rule(),
            worth: rules.worth(item.line),
            count: item.count,
            sets: item.sets.clone(),
            needs: needs(item),
        });
        awards.collect()
    }

    fn list_exclusions(&self) -> Vec<Exclusion> {
        let Some(by) = self.alone else { return Vec::new() };
        let exclusions = self.excluded.iter().map(|item| Exclusion {
            rule: item.line.rule(),
            by: by.rule(),
            count: item.count,
            reason: ExclusionReason::CountsAlone,
        });
        exclusions.collect()
    }

    /// Returns the score, without payments.
    pub(super) fn into_score(self, rules: &Classical, tally: &HandWorth) -> Score {
        let (needed, unit) = rules.minimum();
        Score {
            ruleset: rules.id,
            total: tally.total(),
            doubling: Some(tally.doubling(&rules.options)),
            riichi: None,
            dealer_tai: None,
            minimum: Minimum { needed, reached: tally.total(), unit },
            value: tally.total(),
            awards: self.awards(rules),
            excluded: self.list_exclusions(),
            sets: self.sets,
            runners_up: Vec::new(),
            payments: Payments::default(),
            within_reach: Vec::new(),
            assumed_feeder: None,
        }
    }
}

/// A sink that collects the reported lines with their sets.
pub(super) struct ItemSink {
    pieces: HandSets,
    lines: Vec<LineItem>,
}

impl ItemSink {
    pub(super) const fn new(pieces: HandSets) -> ItemSink {
        ItemSink { pieces, lines: Vec::new() }
    }

    /// Splits the lines into counted and excluded ones: a line that counts alone excludes all
    /// others.
    pub(super) fn into_items(self, alone: Option<Line>) -> Items {
        let ItemSink { pieces, mut lines } = self;
        lines.sort_by_key(|item| item.line);
        let (counted, excluded) =
            lines.into_iter().partition(|item| alone.is_none_or(|alone| item.line == alone));
        Items { counted, excluded, alone, sets: pieces.into_sets() }
    }

    /// Removes the special hands, because the points of the hand are worth more than their limits.
    pub(super) fn drop_special(&mut self) {
        self.lines.retain(|item| !item.line.is_special());
    }

    fn push(&mut self, line: Line, count: u32, sets: Vec<Vec<ScoredSet>>) {
        if count > 0 {
            self.lines.push(LineItem { line, count, sets });
        }
    }
}

impl Sink for ItemSink {
    fn each(&mut self, line: Line, sets: Kinds) {
        self.push(line, sets.count_ones(), self.pieces.each(sets));
    }

    fn once(&mut self, line: Line, formation: Formation) {
        self.push(line, 1, self.pieces.together(formation));
    }

    fn times(&mut self, line: Line, count: u32) {
        self.push(line, count, Vec::new());
    }
}

/// Returns the context fields that decide, besides the tiles, whether a line counts.
fn needs(item: &LineItem) -> &'static [ContextField] {
    use ContextField::{Declared, LastWallTile, Prevalent, Seat, Win};
    match item.line {
        PairOfOwnWind | OwnWindPung | OwnFlowerAndSeason => &[Seat],
        PairOfRoundWind | RoundWindPung => &[Prevalent],
        // A pair of winds counts if it is the seat wind or the prevalent wind.
        ZeroPointHand => &[Seat, Prevalent],
        // A discard leaves the pung that it completes open.
        _ if item.sets.iter().flatten().any(is_won_pung) => &[Win],
        LastTileFromWall | ConcealedHand | ConcealedOneSuit | RobbingTheKong | CarryingPole => {
            &[Win]
        }
        FourConcealedPungs => &[Win],
        LastTileOfWall | LastDiscard | MoonFromTheSea => &[Win, LastWallTile],
        DeadWall | PlumBlossom => &[Win, Declared],
        OriginalCall | TwofoldFortune | NinthEastWin => &[Declared],
        BlessingOfHeaven | BlessingOfEarth => &[Seat, Win, Declared],
        _ => &[],
    }
}

fn is_won_pung(set: &ScoredSet) -> bool {
    set.winning && set.kind == SetKind::Pung
}
