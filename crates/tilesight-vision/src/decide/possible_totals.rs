//! The totals that a hand may have while doubts about it, and fields of its win context, are open.
//!
//! Input: the current hand, a [`HandScorer`] with its win context, and the open doubts with the
//! changes that each answer makes. Output: [`PossibleTotals`]: the range of all totals, and the
//! range that remains after each answer. Every combination of answers is scored in every win
//! context that is open ([`TotalRange::for_hands`]). Invariants: the total of the current hand lies
//! within the range, and so does the total after any answers; the range of an answer is the full
//! range once that answer is given.

use tilesight_core::hand::{HandDelta, HandSetup, Variants};
use tilesight_core::rules::{
    OpenAnswer, OpenHand, OpenSubject, OpenValue, TotalRange, TotalsOfHands, scores_of,
};
use tilesight_core::tile::Tile;

use super::doubt::{Doubt, DoubtKind};
use super::doubts::HandScorer;

/// Maximum number of scores to compute. A score takes about a microsecond; with this many, a phone
/// still answers at once.
const MAX_SCORES: usize = 16_000;

/// Maximum number of hands to score, and the lower limit to which it falls if a hand takes many
/// scores. The lower limit has room for three doubts with two answers each and one more with three.
const MAX_HANDS: usize = 1_024;
const MIN_HANDS: usize = 54;

/// The lowest and the highest of some totals.
pub(crate) type Ends = (u32, u32);

/// An open doubt.
#[derive(Debug, Clone)]
pub(crate) struct OpenDoubt {
    pub(crate) kind: DoubtKind,
    /// Answers with the changes that they make; `None` if the answer alone does not determine the
    /// change.
    pub(crate) answers: Vec<(String, Option<HandDelta>)>,
    /// Whether the doubt becomes void once the hand wins: it asks for a tile that would have to be
    /// another for the hand to win.
    pub(crate) is_repair: bool,
}

/// The possible totals of a hand.
#[derive(Debug, Clone, Default)]
pub(crate) struct PossibleTotals {
    /// Range of all totals; `None` if only one total is possible.
    pub(crate) range: Option<TotalRange>,
    /// For each doubt, the range that remains after each of its answers; `None` if the hand would
    /// not win.
    pub(crate) by_answer: Vec<Vec<Option<Ends>>>,
}

impl PossibleTotals {
    /// Computes the totals of a winner's hand with these doubts.
    pub(crate) fn new(
        scorer: &HandScorer,
        hand: &HandSetup,
        doubts: &[OpenDoubt],
    ) -> PossibleTotals {
        let none = || doubts.iter().map(|doubt| vec![None; doubt.answers.len()]).collect();
        let mut totals = PossibleTotals { range: None, by_answer: none() };
        if !scorer.expects_a_win() {
            return totals;
        }
        let questions = AnswerSets::new(hand, doubts, scorer.total(hand).is_some());
        let open =
            |hand: &HandSetup| OpenHand::from_setup(hand, scorer.context(), scorer.assumed());
        let scores = scores_of(scorer.ruleset(), &open(hand)).max(1);
        let max_hands = (MAX_SCORES / scores).clamp(MIN_HANDS, MAX_HANDS);
        let changes: Vec<&[_]> = questions.0.iter().map(|one| one.changes.as_slice()).collect();
        let variants = Variants::new(hand, &changes, max_hands);
        let hands: Vec<OpenHand> = variants.hands.iter().map(|one| open(&one.hand)).collect();
        let TotalsOfHands { range, ends } = TotalRange::for_hands(scorer.ruleset(), &hands);
        for (variant, ends) in variants.hands.iter().zip(&ends) {
            let Some(ends) = *ends else { continue };
            for &(question, answer) in &variant.answers {
                let (doubt, answer) = questions.0[question].places[answer];
                widen(&mut totals.by_answer[doubt][answer], ends);
            }
        }
        totals.range = range.map(|range| extend_range(range, &variants, &ends));
        totals.add_winning_tiles(hand, doubts);
        totals
    }

    /// Adds the totals that remain for each answer that names the winning tile. The range already
    /// contains them.
    fn add_winning_tiles(&mut self, hand: &HandSetup, doubts: &[OpenDoubt]) {
        let Some(range) = &self.range else { return };
        let by_tile = range.open.iter().find(|open| open.subject == OpenSubject::WinningTile);
        for (doubt, left) in doubts.iter().zip(&mut self.by_answer) {
            for ((answer, _), left) in doubt.answers.iter().zip(left.iter_mut()) {
                if let Some(tile) = doubt.winning_tile(answer, hand) {
                    let value = |one: &&OpenAnswer| one.value == OpenValue::Tile(tile);
                    let of_tile = |one: &OpenAnswer| (one.min, one.max);
                    *left = match by_tile {
                        Some(open) => open.answers.iter().find(value).map(of_tile),
                        None => Some((range.min, range.max)),
                    };
                }
            }
        }
    }
}

impl OpenDoubt {
    /// Converts a doubt about a hand.
    pub(crate) fn new(doubt: &Doubt, hand: &HandSetup) -> OpenDoubt {
        let answers = doubt.alternatives.iter().map(|one| {
            let change = one.hand.as_ref().map(|made| HandDelta::new(hand, made));
            (one.answer.clone(), change)
        });
        let totals = doubt.alternatives.iter().map(|one| one.total);
        let is_repair = is_repair(doubt.kind, totals);
        OpenDoubt { kind: doubt.kind, answers: answers.collect(), is_repair }
    }

    /// Returns the winning tile that an answer names, if the hand has none yet.
    fn winning_tile(&self, answer: &str, hand: &HandSetup) -> Option<Tile> {
        let asks = self.kind == DoubtKind::WinningTile && hand.winning.is_none();
        answer.parse().ok().filter(|_| asks)
    }
}

/// Returns whether a doubt is asked only because the hand does not win: exactly one of its answers,
/// the hand as it was read, has no total.
pub(crate) fn is_repair(kind: DoubtKind, totals: impl Iterator<Item = Option<u32>>) -> bool {
    let none = totals.filter(Option::is_none).count();
    matches!(kind, DoubtKind::Tile | DoubtKind::TileCount) && none == 1
}

/// Question with a single answer: a doubt, or several doubts of which the first answer makes the
/// others void.
struct AnswerSet {
    changes: Vec<Option<HandDelta>>,
    /// For each change, the index of the doubt and of its answer.
    places: Vec<(usize, usize)>,
}

/// Questions, those with the fewest answers first.
struct AnswerSets(Vec<AnswerSet>);

impl AnswerSets {
    fn new(hand: &HandSetup, doubts: &[OpenDoubt], wins: bool) -> AnswerSets {
        let question = |at: usize| {
            let doubt = &doubts[at];
            let answers = doubt.answers.iter().enumerate();
            let (changes, places) = answers
                .filter(|(_, (answer, _))| doubt.winning_tile(answer, hand).is_none())
                .map(|(answer, (_, change))| (change.clone(), (at, answer)))
                .unzip();
            AnswerSet { changes, places }
        };
        let (repairs, others): (Vec<usize>, Vec<usize>) =
            (0..doubts.len()).partition(|&at| doubts[at].is_repair && !wins);
        let repair = repairs.into_iter().map(question).reduce(|mut sum, more| {
            sum.changes.extend(more.changes);
            sum.places.extend(more.places);
            sum
        });
        let mut questions: Vec<AnswerSet> =
            others.into_iter().map(question).chain(repair).collect();
        questions.sort_by_key(|question| question.changes.len());
        AnswerSets(questions)
    }
}

fn widen(ends: &mut Option<Ends>, (min, max): Ends) {
    *ends = Some(ends.map_or((min, max), |(low, high)| (low.min(min), high.max(max))));
}

/// Extends the range by the questions whose answers were not combined with the others. Each widens
/// it by as much as its answers change the total of the current hand.
fn extend_range(range: TotalRange, variants: &Variants, ends: &[Option<Ends>]) -> TotalRange {
    let Some(&Some((low, high))) = ends.first() else { return range };
    let (mut min, mut max) = (range.min, range.max);
    for &question in &variants.alone {
        let of_question = |answers: &[(usize, usize)]| answers.iter().any(|one| one.0 == question);
        let answered = variants.hands.iter().zip(ends).skip(1);
        let answered = answered.filter(|(variant, _)| of_question(&variant.answers));
        let mut own = Some((low, high));
        answered.filter_map(|(_, ends)| *ends).for_each(|ends| widen(&mut own, ends));
        let (lowest, highest) = own.unwrap_or((low, high));
        min = min.saturating_sub(low - lowest);
        max += highest - high;
    }
    TotalRange { min, max, ..range }
}
