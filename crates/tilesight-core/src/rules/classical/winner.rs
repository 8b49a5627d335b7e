//! Lines of the hand that won: points of the win itself (paragraph 2) and doubles of the winner
//! (paragraph 4).
//!
//! Input: a [`Win`] and one [`Variant`] of four sets and a pair. Output: each line, reported to a
//! [`Sink`].

use crate::context::{Declaration, WinSource};
use crate::rules::decompose::facts::Facts;
use crate::rules::decompose::kinds::{DRAGONS, SIMPLES, TERMINALS_AND_HONORS, is_within, kind_of};

use super::everybody::{Formation, Sink, once_if};
use super::line::Line::*;
use super::variants::{Completion, Variant, Win};

/// Reports all lines that only a winner's hand has.
pub(super) fn walk(win: &Win<'_>, variant: &Variant, sink: &mut impl Sink) {
    points(win, variant, sink);
    doubles_of_tiles(win, variant, sink);
    doubles_of_win_context(win.facts, sink);
}

fn points(win: &Win<'_>, variant: &Variant, sink: &mut impl Sink) {
    sink.once(MahJongg, Formation::Whole);
    once_if(sink, LastTileFromWall, win.facts.self_drawn, Formation::Whole);
    if variant.last == Completion::Pair {
        let simple = is_within(variant.scoring.pairs, SIMPLES);
        let line = if simple { CompletesPair } else { CompletesPairOfTerminalsOrHonors };
        sink.once(line, Formation::Winning);
    }
    once_if(sink, OnlyPossibleTile, win.is_only_wait(), Formation::Winning);
}

fn doubles_of_tiles(win: &Win<'_>, variant: &Variant, sink: &mut impl Sink) {
    let facts = win.facts;
    let chows = variant.decomposition.chow_count;
    let outer = is_within(facts.kinds, TERMINALS_AND_HONORS);
    let one_suit = win.suit.is_some();
    once_if(sink, ZeroPointHand, is_zero_point_hand(win, variant), Formation::Whole);
    once_if(sink, NoChow, chows == 0, Formation::Whole);
    once_if(sink, ConcealedHand, win.is_concealed, Formation::Whole);
    once_if(sink, OneSuitAndHonors, one_suit && win.has_honors, Formation::Whole);
    once_if(sink, OneSuit, one_suit && !win.has_honors, Formation::Whole);
    once_if(sink, TerminalsAndHonors, outer, Formation::Whole);
}

/// Returns whether the hand is four chows and a pair without points; an option decides about bonus
/// tiles.
fn is_zero_point_hand(win: &Win<'_>, variant: &Variant) -> bool {
    let player = &win.player;
    let worth_something = DRAGONS | kind_of(player.seat) | kind_of(player.prevalent);
    let bonus = player.flowers.count() > 0;
    variant.decomposition.chow_count == 4
        && variant.scoring.pairs & worth_something == 0
        && (!bonus || win.options().zero_point_hand_with_bonus_tiles)
}

fn doubles_of_win_context(facts: &Facts, sink: &mut impl Sink) {
    let context = &facts.context;
    let discarded = matches!(context.win, WinSource::Discard { .. });
    let last_discard = discarded && context.last_wall_tile;
    let called = context.declared.contains(Declaration::OriginalCall);
    once_if(sink, LastTileOfWall, is_last_of_wall(facts), Formation::Whole);
    once_if(sink, LastDiscard, last_discard, Formation::Whole);
    once_if(sink, DeadWall, is_from_dead_wall(facts), Formation::Whole);
    once_if(sink, RobbingTheKong, facts.is_robbed(), Formation::Whole);
    once_if(sink, OriginalCall, called, Formation::Whole);
}

/// Returns whether the winning tile was the last that could be drawn.
pub(super) const fn is_last_of_wall(facts: &Facts) -> bool {
    facts.self_drawn && facts.context.last_wall_tile
}

/// Returns whether the winning tile replaced a kong's fourth tile or a bonus tile.
pub(super) const fn is_from_dead_wall(facts: &Facts) -> bool {
    matches!(facts.context.win, WinSource::KongReplacement)
        || facts.context.declared.contains(Declaration::FlowerReplacement)
}
