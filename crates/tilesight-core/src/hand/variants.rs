//! Every hand that the answers to several questions can turn a hand into.
//!
//! Input: a hand, and the change that each answer to each question makes. Output: [`Variants`]:
//! each hand once, with the answers that produce it. Invariants: a question may stay unanswered, so
//! the hand itself is the first variant; each question gets at most one answer; answers that
//! exclude each other are never combined; the number of hands is bounded, however many questions
//! and answers there are.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::{HandDelta, HandSetup};

/// An answer: the index of its question, and its index among the answers to that question.
pub(crate) type AnswerPlace = (usize, usize);

/// A hand, and the answers that produce it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    pub hand: HandSetup,
    /// All answers of all combinations that produce this hand.
    pub answers: Vec<AnswerPlace>,
}

/// The hands that answers produce.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variants {
    /// Hands that remain possible, the hand as it was read first.
    pub hands: Vec<Variant>,
    /// The questions whose answers are not combined with those to the others, because there would
    /// be too many hands.
    pub alone: Vec<usize>,
    /// The questions whose answers make no hand here, because there would be too many even alone.
    pub left_out: Vec<usize>,
}

/// Changes of the answers to a question; `None` for an answer that a delta alone can't carry out.
pub(crate) type Changes = [Option<HandDelta>];

impl Variants {
    /// Returns the hands that the answers to the questions produce from a hand. Answers are
    /// combined only while there are at most `max_hands` hands; the answers of the other questions
    /// produce at most as many again.
    #[must_use]
    pub fn new(hand: &HandSetup, questions: &[&Changes], max_hands: usize) -> Variants {
        let mut hand = hand.clone();
        hand.concealed.sort_unstable();
        let base = Variant { hand, answers: Vec::new() };
        let mut variants =
            Variants { hands: vec![base.clone()], alone: Vec::new(), left_out: Vec::new() };
        let mut alone = Vec::new();
        for (question, changes) in questions.iter().enumerate() {
            if variants.hands.len().saturating_mul(changes.len() + 1) > max_hands {
                alone.push(question);
            } else {
                variants.hands = with_answers(variants.hands, question, changes);
            }
        }
        let mut room = max_hands;
        for question in alone {
            let changes = questions[question];
            if changes.len() > room {
                variants.left_out.push(question);
                continue;
            }
            room -= changes.len();
            variants.alone.push(question);
            let answered = with_answers(vec![base.clone()], question, changes);
            variants.hands.extend(answered.into_iter().skip(1));
        }
        variants
    }
}

/// Returns the hands unchanged and with each answer to one more question.
fn with_answers(hands: Vec<Variant>, question: usize, changes: &Changes) -> Vec<Variant> {
    let answered: Vec<Variant> = hands
        .iter()
        .flat_map(|variant| {
            let changes = changes.iter().enumerate();
            changes.filter_map(move |(answer, change)| {
                let hand = change.as_ref()?.apply(&variant.hand)?;
                let answers = variant.answers.iter().copied().chain([(question, answer)]);
                Some(Variant { hand, answers: answers.collect() })
            })
        })
        .collect();
    merge(hands.into_iter().chain(answered))
}

/// Merges equal hands and collects the answers that produce each.
fn merge(variants: impl Iterator<Item = Variant>) -> Vec<Variant> {
    let mut places: HashMap<HandSetup, usize> = HashMap::new();
    let mut all: Vec<Variant> = Vec::new();
    for variant in variants {
        match places.entry(variant.hand.clone()) {
            Entry::Occupied(at) => {
                let known = &mut all[*at.get()].answers;
                known.extend(variant.answers);
                known.sort_unstable();
                known.dedup();
            }
            Entry::Vacant(at) => {
                at.insert(all.len());
                all.push(variant);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Notation;

    fn hand(text: &str) -> HandSetup {
        text.parse::<Notation>().expect(text).hand
    }

    fn changes(before: &str, answers: &[&str]) -> Vec<Option<HandDelta>> {
        answers.iter().map(|one| Some(HandDelta::new(&hand(before), &hand(one)))).collect()
    }

    const BEFORE: &str = "123456m11pFFF55s|EE0000|a";

    #[test]
    fn every_combination_of_answers_is_a_hand() {
        let flower = changes(BEFORE, &[BEFORE, "123456m11pFFF55s|EE0000|ab"]);
        let face = changes(BEFORE, &[BEFORE, "123456m11pFFF56s|EE0000|a"]);
        let all = Variants::new(&hand(BEFORE), &[&flower, &face], 100);
        assert!(all.alone.is_empty());
        assert_eq!(all.hands.len(), 4);
        assert_eq!(all.hands[0].answers, [(0, 0), (1, 0)], "the hand as it is");
        let last = &all.hands[3];
        assert_eq!(last.answers, [(0, 1), (1, 1)]);
        assert_eq!(last.hand.flowers.count(), 2);
    }

    #[test]
    fn with_too_many_hands_questions_are_answered_alone() {
        let flower = changes(BEFORE, &[BEFORE, "123456m11pFFF55s|EE0000|ab"]);
        let face = changes(BEFORE, &[BEFORE, "123456m11pFFF56s|EE0000|a"]);
        let few = Variants::new(&hand(BEFORE), &[&flower, &face], 3);
        assert_eq!(few.alone, [1]);
        let answers: Vec<_> = few.hands.iter().map(|one| one.answers.clone()).collect();
        assert_eq!(answers, [vec![(0, 0)], vec![(0, 1)], vec![(1, 1)]]);
    }

    /// A request can have thousands of answers; only so many hands are scored.
    #[test]
    fn there_are_never_more_than_twice_as_many_hands() {
        let answers: Vec<String> =
            (1..=9).map(|rank| format!("123456m11pFFF5{rank}s|EE0000|a")).collect();
        let answers: Vec<&str> = answers.iter().map(String::as_str).collect();
        let face = changes(BEFORE, &answers);
        let questions = vec![face.as_slice(); 64];
        for max_hands in [1, 9, 10, 54, 1_000] {
            let all = Variants::new(&hand(BEFORE), &questions, max_hands);
            assert!(all.hands.len() <= 2 * max_hands, "{} of {max_hands}", all.hands.len());
            assert!(!all.left_out.is_empty() || max_hands >= 500, "{max_hands}");
        }
    }

    #[test]
    fn an_answer_that_does_not_apply_makes_no_hand() {
        let gone = changes(BEFORE, &["123456m11pFFF66s|EE0000|a"]);
        let other = changes(BEFORE, &["123456m11pFFF57s|EE0000|a"]);
        let all = Variants::new(&hand(BEFORE), &[&gone, &other], 100);
        let answers: Vec<_> = all.hands.iter().map(|one| one.answers.clone()).collect();
        assert_eq!(answers, [vec![], vec![(0, 0)], vec![(1, 0)]], "both take a 5s away");
    }
}
