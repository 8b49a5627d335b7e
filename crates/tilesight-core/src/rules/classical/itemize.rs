//! The explained score: the chosen variant with its lines, and its runners-up.
//!
//! The lines come from the same walk as the bare total, so they add up to it.

use crate::context::{Context, ContextField, DeclaredSet};
use crate::hand::{Hand, HandSize, Holding};
use crate::lang::Lang;
use crate::rules::decompose::facts::Facts;
use crate::rules::error::require_size;
use crate::rules::{
    Conventions, Description, HandRules, Law, Rule, RulesError, Ruleset, RunnerUp, Score, Shapes,
    SidewaysTiles, TableRules, Unit, Worth, options_by_name, reach,
};
use crate::settle::{Payments, Shares};
use crate::texts;
use crate::tile::Wind;

use super::everybody;
use super::items::{ItemSink, Items};
use super::line::Line::{self, *};
use super::options::Options;
use super::pieces::HandSets;
use super::tally::HandWorth;
use super::variants::{Variant, Win};
use super::{Classical, contradictions, law, other, settle, special, winner};

/// Maximum number of runners-up in a score.
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

    fn shares(&self, context: &Context) -> Shares {
        settle::shares(&self.options, context)
    }
}

impl Classical {
    /// Returns the itemized score without the changes within reach.
    fn explain(&self, hand: &Hand, context: &Context) -> Result<Score, RulesError> {
        require_size(hand, HandSize::Thirteen)?;
        let facts = Facts::new(hand, context);
        contradictions::check(self, &facts)?;
        let win = Win::new(self, &facts, hand);
        let mut variants = Vec::new();
        win.for_each(&mut |variant| variants.push((HandWorth::for_win(&win, variant), *variant)));
        // The sort is stable: among equals the first variant stays first.
        variants.sort_by_key(|(tally, _)| std::cmp::Reverse(*tally));
        let (tally, best) = win.require_variant(variants.first().copied())?;
        let chosen = items_of_variant(&win, hand, (&tally, &best));
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
        Conventions { turned_in_claimed_kong: SidewaysTiles::One }
    }

    fn shapes(&self) -> Shapes {
        Shapes {
            seven_pairs: self.options.play(SevenPairs),
            same_pair_twice: self.options.same_pair_twice,
            thirteen_orphans: self.options.play(ThirteenOrphans),
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
        let own = texts::classical::find_option(name, lang).map(str::to_owned);
        own.or_else(|| explain_worth(name, lang))
    }
}

/// Returns the best variants that were not chosen. Of variants with the same decomposition and the
/// same total only the first is listed.
fn rivals(win: &Win<'_>, hand: &Hand, variants: &[(HandWorth, Variant)]) -> Vec<RunnerUp> {
    let mut distinct: Vec<&(HandWorth, Variant)> = Vec::new();
    for one in variants {
        if !distinct.iter().any(|other| is_same_for_players(other, one)) {
            distinct.push(one);
        }
    }
    let rivals = distinct.into_iter().skip(1).take(RUNNERS_UP).map(|(tally, variant)| {
        let items = items_of_variant(win, hand, (tally, variant));
        RunnerUp { total: tally.total(), awards: items.awards(win.rules), sets: items.sets }
    });
    rivals.collect()
}

fn is_same_for_players(
    (tally, variant): &(HandWorth, Variant),
    (other_tally, other): &(HandWorth, Variant),
) -> bool {
    tally.total() == other_tally.total() && variant.decomposition.has_sets_of(&other.decomposition)
}

fn items_of_variant(win: &Win<'_>, hand: &Hand, (tally, variant): (&HandWorth, &Variant)) -> Items {
    let mut sink = ItemSink::new(HandSets::from_variant(win, hand, variant));
    special::walk(win, variant, &mut sink);
    if variant.is_regular() {
        everybody::walk(win.options(), &variant.scoring, &win.player, &mut sink);
        winner::walk(win, variant, &mut sink);
    }
    if tally.special.is_none() {
        sink.drop_special();
    }
    sink.into_items(tally.special)
}

/// Returns the meaning of the option that sets the worth of a special hand; `None` for any other
/// name.
fn explain_worth(name: &str, lang: Lang) -> Option<String> {
    let (line, _) = Options::SPECIAL.iter().find(|(_, option)| *option == name)?;
    let rule = line.rule();
    Some(texts::classical::worth_of_hand(lang, rule.name(lang), rule.paragraph))
}
