//! The totals that a hand may have while doubts about it, and fields of its win context, are open.
//!
//! Input: the current hand, a [`HandScorer`] with its win context, and the open doubts with the
//! changes that each answer makes. Output: [`PossibleTotals`]: the range of all totals, and the
//! range that remains after each answer. Every combination of answers is scored in every win
//! context that is open ([`TotalRange::for_hands`]), as far as the budget goes. Invariants: the
//! total of the current hand lies within the range, and unless the range is partial, so does the
//! total after any answers; the range of an answer is the full range once that answer is given.

use tilesight_core::hand::{HandDelta, HandSetup, Variants};
use tilesight_core::rules::{
    OpenAnswer, OpenHand, OpenSubject, OpenValue, TotalRange, TotalsOfHands, scores_of,
};
use tilesight_core::tile::Tile;

use super::budget::ScoreBudget;
use super::doubt::{Doubt, DoubtKind};
use super::doubts::HandScorer;

/// Number of scores that answers are combined for. A score takes about a microsecond; with this
/// many, a phone still answers at once.
const MAX_SCORES: usize = 16_000;

/// Maximum number of scores for the totals of one hand: all that a hand of MCR needs, of which
/// neither the winning tile nor the winds nor the win are known (416 for each of 108 hands). They
/// take some 0.1 s on one core; a hand of riichi has 1,792.
pub(crate) const MAX_SCORES_OF_TOTALS: usize = 48_000;

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
    /// Computes the totals of a winner's hand with these doubts. The hand itself is always scored.
    pub(crate) fn new(
        scorer: &HandScorer,
        hand: &HandSetup,
        doubts: &[OpenDoubt],
        mut budget: ScoreBudget,
    ) -> PossibleTotals {
        let by_answer = doubts.iter().map(|doubt| vec![None; doubt.answers.len()]).collect();
        let mut totals = PossibleTotals { range: None, by_answer };
        if !scorer.expects_a_win() {
            return totals;
        }
        let questions = AnswerSets::new(hand, doubts, scorer.total(hand).is_some());
        let scores = scores_of(scorer.ruleset(), &scorer.open_hand(hand)).max(1);
        let max_hands = (MAX_SCORES / scores).clamp(MIN_HANDS, MAX_HANDS);
        let changes: Vec<&[_]> = questions.0.iter().map(|one| one.changes.as_slice()).collect();
        let variants = Variants::new(hand, &changes, max_hands);
        let hands: Vec<OpenHand> = variants
            .hands
            .iter()
            .map(|one| scorer.open_hand(&one.hand))
            .enumerate()
            .take_while(|(at, hand)| budget.spend(scores_of(scorer.ruleset(), hand)) || *at == 0)
            .map(|(_, hand)| hand)
            .collect();
        let is_partial = hands.len() < variants.hands.len()
            || !variants.alone.is_empty()
            || !variants.left_out.is_empty();
        let TotalsOfHands { range, ends } = TotalRange::for_hands(scorer.ruleset(), &hands);
        for (variant, ends) in variants.hands.iter().zip(&ends) {
            let Some(ends) = *ends else { continue };
            for &(question, answer) in &variant.answers {
                let (doubt, answer) = questions.0[question].places[answer];
                widen(&mut totals.by_answer[doubt][answer], ends);
            }
        }
        totals.range = range.map(|range| extend_range(range, &variants, &ends));
        if is_partial {
            totals.range = totals.range.or_else(|| single_total(&ends)).map(as_partial);
        }
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
                    *left = match by_tile {
                        Some(open) => ends_of(&open.answers, OpenValue::Tile(tile)),
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

impl AnswerSet {
    fn new(hand: &HandSetup, doubts: &[OpenDoubt], at: usize) -> AnswerSet {
        let doubt = &doubts[at];
        let answers = doubt.answers.iter().enumerate();
        let (changes, places) = answers
            .filter(|(_, (answer, _))| doubt.winning_tile(answer, hand).is_none())
            .map(|(answer, (_, change))| (change.clone(), (at, answer)))
            .unzip();
        AnswerSet { changes, places }
    }
}

/// Questions, those with the fewest answers first.
struct AnswerSets(Vec<AnswerSet>);

impl AnswerSets {
    fn new(hand: &HandSetup, doubts: &[OpenDoubt], wins: bool) -> AnswerSets {
        let (repairs, others): (Vec<usize>, Vec<usize>) =
            (0..doubts.len()).partition(|&at| doubts[at].is_repair && !wins);
        let repairs = repairs.into_iter().map(|at| AnswerSet::new(hand, doubts, at));
        let repair = repairs.reduce(|mut sum, more| {
            sum.changes.extend(more.changes);
            sum.places.extend(more.places);
            sum
        });
        let others = others.into_iter().map(|at| AnswerSet::new(hand, doubts, at));
        let mut questions: Vec<AnswerSet> = others.chain(repair).collect();
        questions.sort_by_key(|question| question.changes.len());
        AnswerSets(questions)
    }
}

fn widen(ends: &mut Option<Ends>, (min, max): Ends) {
    *ends = Some(ends.map_or((min, max), |(low, high)| (low.min(min), high.max(max))));
}

/// Returns the totals of the hands in which an open value is this one.
fn ends_of(answers: &[OpenAnswer], value: OpenValue) -> Option<Ends> {
    answers.iter().find(|one| one.value == value).map(|one| (one.min, one.max))
}

/// Returns the range of the only total that hands have; `None` if no hand wins.
fn single_total(ends: &[Option<Ends>]) -> Option<TotalRange> {
    let (min, max) = ends.iter().flatten().next().copied()?;
    Some(TotalRange { min, max, legal: None, open: Vec::new(), partial: true })
}

/// Returns a range for which not every combination was tried. Whether the hand is legal is then not
/// known either.
fn as_partial(range: TotalRange) -> TotalRange {
    TotalRange { legal: None, partial: true, ..range }
}

/// Extends the range by the questions whose answers were not combined with the others. Each widens
/// it by as much as its answers change the total of the current hand.
fn extend_range(range: TotalRange, variants: &Variants, ends: &[Option<Ends>]) -> TotalRange {
    let Some(&Some((low, high))) = ends.first() else { return range };
    let mut min = range.min;
    let mut max = range.max;
    for &question in &variants.alone {
        let mut own = Some((low, high));
        for (variant, ends) in variants.hands.iter().zip(ends).skip(1) {
            if let Some(ends) = *ends
                && variant.answers.iter().any(|answer| answer.0 == question)
            {
                widen(&mut own, ends);
            }
        }
        let (lowest, highest) = own.unwrap_or((low, high));
        min = min.saturating_sub(low - lowest);
        max += highest - high;
    }
    TotalRange { min, max, ..range }
}

#[cfg(test)]
mod tests {
    use tilesight_core::notation::Notation;
    use tilesight_core::rules::{Book, RulesetId};

    use super::*;

    /// Returns the totals of a riichi hand of which any other pair may be right, within a budget.
    fn totals(doubts: usize, budget: usize) -> (PossibleTotals, u32) {
        let text = "223344556677m88p+?";
        let Notation { hand, context } = text.parse().expect(text);
        let book = Book::shipped();
        let ruleset = book.get(RulesetId::RIICHI_TENHOU).expect("shipped");
        let scorer = HandScorer::new(&context, ruleset).expect("no contradiction");
        let pair = |tile: Tile| {
            let mut made = hand.clone();
            made.concealed.truncate(12);
            made.concealed.extend([tile, tile]);
            (tile.to_string(), Some(HandDelta::new(&hand, &made)))
        };
        let answers: Vec<_> = Tile::ALL[9..25].iter().map(|&tile| pair(tile)).collect();
        let doubt = OpenDoubt { kind: DoubtKind::Tile, answers, is_repair: false };
        let total = scorer.total(&hand).expect("it wins");
        (PossibleTotals::new(&scorer, &hand, &vec![doubt; doubts], ScoreBudget::new(budget)), total)
    }

    #[test]
    fn a_range_that_is_not_exhaustive_says_so() {
        let (few, total) = totals(1, MAX_SCORES_OF_TOTALS);
        let range = few.range.expect("several totals");
        assert!(!range.partial && range.min <= total && total <= range.max, "{range:?}");
        for (doubts, budget) in [(21, MAX_SCORES_OF_TOTALS), (1, 100), (1, 0)] {
            let (many, total) = totals(doubts, budget);
            let range = many.range.expect("several totals");
            assert!(range.partial && range.legal.is_none(), "{doubts} {budget}: {range:?}");
            assert!(range.min <= total && total <= range.max, "{doubts} {budget}: {range:?}");
            assert_eq!(many.by_answer.len(), doubts);
        }
    }
}
