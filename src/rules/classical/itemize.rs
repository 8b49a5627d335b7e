//! The explained score: for each line the sets that form it, what a special hand keeps out, the
//! chosen reading and its rivals.
//!
//! The lines come from the same walk as the bare total, so their worth is that total.

use crate::context::{Context, ContextField, DeclaredSet};
use crate::hand::{Hand, Holding};
use crate::lang::Lang;
use crate::rules::decompose::facts::Facts;
use crate::rules::decompose::kinds::Kinds;
use crate::rules::{
    Award, Conventions, Description, Exclusion, ExclusionReason, HandRules, Law, Minimum, Rule,
    RulesError, Ruleset, RunnerUp, Score, ScoredSet, SetKind, Shapes, TableRules, Turned, Unit,
    Worth, options_by_name, reach,
};
use crate::settle::Payments;
use crate::tile::Wind;

use super::everybody::{self, Formed, Sink};
use super::line::Line::{self, *};
use super::pieces::Pieces;
use super::tally::Tally;
use super::variants::{Variant, Win};
use super::{Classical, contradictions, law, other, settle, special, texts, winner};

/// How many runners-up are listed.
const RUNNERS_UP: usize = 3;

impl Ruleset for Classical {
    fn table(&self) -> Option<&dyn TableRules> {
        Some(self)
    }
}

impl HandRules for Classical {
    fn points(&self, hand: &Hand, context: &Context) -> Result<u32, RulesError> {
        Classical::points(self, hand, context)
    }

    fn score(&self, hand: &Hand, context: &Context) -> Result<Score, RulesError> {
        reach::with_reach(hand, context, &|hand, context| self.explain(hand, context))
    }
}

impl Classical {
    /// The itemised score without what is within reach of it.
    fn explain(&self, hand: &Hand, context: &Context) -> Result<Score, RulesError> {
        let facts = Facts::new(hand, context);
        contradictions::check(self, &facts)?;
        let win = Win::new(self, &facts, hand);
        let mut variants = Vec::new();
        win.for_each(&mut |variant| variants.push((Tally::of(&win, variant), *variant)));
        // The sort is stable: among equals the first variant stays first.
        variants.sort_by_key(|(tally, _)| std::cmp::Reverse(*tally));
        let (tally, best) = win.settled(variants.first().copied())?;
        let chosen = Items::of_variant(&win, hand, (&tally, &best));
        Ok(Score {
            runners_up: rivals(&win, hand, &variants),
            payments: settle::payments(&self.options, tally.total(), context, &[]),
            ..chosen.into_score(self, &tally)
        })
    }
}

impl TableRules for Classical {
    fn score_other(&self, holding: &Holding, seat: Wind, prevalent: Wind) -> Score {
        other::score(self, holding, seat, prevalent)
    }

    fn settle(&self, won: u32, context: &Context, others: &[(Wind, u32)]) -> Payments {
        settle::payments(&self.options, won, context, others)
    }
}

impl Description for Classical {
    fn law(&self) -> Law {
        law::LAW
    }

    fn conventions(&self) -> Conventions {
        Conventions { turned_in_claimed_kong: Turned::One }
    }

    fn shapes(&self) -> Shapes {
        let played = |line| self.options.limits(line).is_some_and(|limits| limits.0 > 0);
        Shapes {
            seven_pairs: played(SevenPairs),
            same_pair_twice: self.options.same_pair_twice,
            thirteen_orphans: played(ThirteenOrphans),
            knitted: false,
        }
    }

    fn minimum(&self) -> (u32, Unit) {
        (0, Unit::Points)
    }

    fn context_fields(&self) -> &'static [ContextField] {
        use ContextField::{Completes, Declared, From, LastWallTile, Prevalent, Seat, Win};
        &[Seat, Prevalent, Win, From, LastWallTile, Declared, Completes]
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
        texts::option(name, lang)
    }
}

/// The best of the variants that were not chosen. Variants of one reading that are worth the same
/// differ in nothing that anybody would ask about.
fn rivals(win: &Win<'_>, hand: &Hand, variants: &[(Tally, Variant)]) -> Vec<RunnerUp> {
    let mut told: Vec<&(Tally, Variant)> = Vec::new();
    for one in variants {
        let same = |other: &&(Tally, Variant)| {
            other.0.total() == one.0.total() && is_same_reading(&other.1, &one.1)
        };
        if !told.iter().any(same) {
            told.push(one);
        }
    }
    let rivals = told.into_iter().skip(1).take(RUNNERS_UP);
    let told = rivals.map(|(tally, variant)| {
        let items = Items::of_variant(win, hand, (tally, variant));
        RunnerUp { total: tally.total(), awards: items.awards(win.rules), sets: items.sets }
    });
    told.collect()
}

fn is_same_reading(one: &Variant, other: &Variant) -> bool {
    let key = |variant: &Variant| {
        let reading = &variant.reading;
        (reading.shape, reading.chows, reading.hidden_pungs, reading.pair)
    };
    key(one) == key(other)
}

/// The lines of one hand, those that count apart from those that do not.
pub(super) struct Items {
    counting: Vec<LineItem>,
    kept_out: Vec<LineItem>,
    /// The line that keeps the others out.
    alone: Option<Line>,
    sets: Vec<ScoredSet>,
}

/// A line that a hand shows.
pub(super) struct LineItem {
    line: Line,
    count: u32,
    sets: Vec<Vec<ScoredSet>>,
}

impl Items {
    fn of_variant(win: &Win<'_>, hand: &Hand, (tally, variant): (&Tally, &Variant)) -> Items {
        let mut found = Writing::new(Pieces::of_variant(win, hand, variant));
        special::walk(win, variant, &mut found);
        if variant.is_regular() {
            everybody::walk(win.options(), &variant.shown, &win.player, &mut found);
            winner::walk(win, variant, &mut found);
        }
        if tally.special.is_none() {
            // Points that are worth more than a half limit: the special hand is not made use of.
            found.lines.retain(|found| !found.line.is_special());
        }
        found.into_items(tally.special)
    }

    /// The lines as every rule set tells them.
    fn awards(&self, rules: &Classical) -> Vec<Award> {
        let award = |found: &LineItem| Award {
            rule: found.line.rule(),
            worth: rules.worth(found.line),
            count: found.count,
            sets: found.sets.clone(),
            needs: needs(found),
        };
        self.counting.iter().map(award).collect()
    }

    fn excluded(&self) -> Vec<Exclusion> {
        let Some(by) = self.alone else { return Vec::new() };
        let exclusion = |found: &LineItem| Exclusion {
            rule: found.line.rule(),
            by: by.rule(),
            count: found.count,
            reason: ExclusionReason::CountsAlone,
        };
        self.kept_out.iter().map(exclusion).collect()
    }

    /// The score, which nobody is paid for yet.
    pub(super) fn into_score(self, rules: &Classical, tally: &Tally) -> Score {
        let (needed, unit) = rules.minimum();
        Score {
            ruleset: rules.id,
            total: tally.total(),
            doubling: Some(tally.doubling(&rules.options)),
            minimum: Minimum { needed, reached: tally.total(), unit },
            value: tally.total(),
            awards: self.awards(rules),
            excluded: self.excluded(),
            sets: self.sets,
            runners_up: Vec::new(),
            payments: Payments::default(),
            within_reach: Vec::new(),
            assumed_feeder: None,
        }
    }
}

/// Writes down what it hears, with the sets.
pub(super) struct Writing {
    pieces: Pieces,
    lines: Vec<LineItem>,
}

impl Writing {
    pub(super) const fn new(pieces: Pieces) -> Writing {
        Writing { pieces, lines: Vec::new() }
    }

    /// Parts the lines: one that counts alone keeps out all others.
    pub(super) fn into_items(self, alone: Option<Line>) -> Items {
        let Writing { pieces, mut lines } = self;
        lines.sort_by_key(|found| found.line);
        let counts = |found: &LineItem| alone.is_none_or(|alone| found.line == alone);
        let (counting, kept_out) = lines.into_iter().partition(counts);
        Items { counting, kept_out, alone, sets: pieces.into_sets() }
    }

    fn push(&mut self, line: Line, count: u32, sets: Vec<Vec<ScoredSet>>) {
        if count > 0 {
            self.lines.push(LineItem { line, count, sets });
        }
    }
}

impl Sink for Writing {
    fn each(&mut self, line: Line, sets: Kinds) {
        self.push(line, sets.count_ones(), self.pieces.each(sets));
    }

    fn once(&mut self, line: Line, formed: Formed) {
        self.push(line, 1, self.pieces.together(formed));
    }

    fn times(&mut self, line: Line, count: u32) {
        self.push(line, count, Vec::new());
    }
}

/// The win context that decide whether a line counts, besides the tiles.
fn needs(found: &LineItem) -> &'static [ContextField] {
    use ContextField::{Declared, LastWallTile, Prevalent, Seat, Win};
    match found.line {
        PairOfOwnWind | OwnWindPung | OwnFlowerAndSeason => &[Seat],
        PairOfRoundWind | RoundWindPung => &[Prevalent],
        // A pair of a wind counts when the wind is somebody's.
        ZeroPointHand => &[Seat, Prevalent],
        // A discard leaves the pung that it completes open.
        _ if found.sets.iter().flatten().any(is_won_pung) => &[Win],
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
