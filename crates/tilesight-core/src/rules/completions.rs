//! The sets that the winning tile of a hand can have completed.
//!
//! Input: a hand as it was written. Output: every set with the winning tile that is concealed in
//! some regular decomposition. Where rules give points for such a set, the winner chooses among
//! them. Invariant: the list is empty for a hand that is not legal, or is not sets and a pair.

use super::decompose::decompositions::{Decomposition, Shape, for_each, for_each_of_sixteen};
use super::decompose::facts::Facts;
use super::decompose::sets::scored_sets;
use crate::context::{CompletedSet, Context};
use crate::hand::{Hand, HandSetup, HandSize};

/// Returns the sets that the winning tile can have completed, each once, in the order of their
/// names.
#[must_use]
pub(super) fn completions(setup: &HandSetup) -> Vec<CompletedSet> {
    let Ok(hand) = setup.clone().into_hand_of(setup.size()) else { return Vec::new() };
    let facts = Facts::new(&hand, &Context::PLAIN);
    let mut found: Vec<CompletedSet> = Vec::new();
    match hand.size() {
        HandSize::Thirteen => for_each(&facts, &mut |decomposition| {
            found.extend(completed_sets(&hand, &facts, decomposition));
        }),
        HandSize::Sixteen => for_each_of_sixteen(&facts, &mut |decomposition| {
            found.extend(completed_sets(&hand, &facts, decomposition));
        }),
    }
    found.sort_by_cached_key(ToString::to_string);
    found.dedup();
    found
}

/// Returns the concealed sets of a decomposition that the winning tile can have completed; none of
/// a special hand.
fn completed_sets<const SETS: usize>(
    hand: &Hand,
    facts: &Facts,
    decomposition: &Decomposition<SETS>,
) -> Vec<CompletedSet> {
    if decomposition.shape != Shape::Regular {
        return Vec::new();
    }
    let sets = scored_sets(facts, hand, decomposition, 0);
    let concealed = sets.iter().skip(facts.melds.count);
    let completed = concealed.filter_map(|set| CompletedSet::from_tiles(&set.tiles));
    completed.filter(|set| set.holds(hand.winning())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::Notation;

    /// Checks hands as the page sends them while a hand is typed.
    #[test]
    fn each_set_of_some_decomposition_is_offered_once() {
        let cases: [(&str, &[&str]); 9] = [
            ("[EEE,1][CCC,1][789m,1]4555m+6m", &["456m"]),
            ("[EEE,1][CCC,1][789m,1]4456m+4m", &["44m", "456m"]),
            ("[EEE,1][CCC,1]222333444s", &[]),
            ("[CCC,1]22233344455s", &["345s", "55s"]),
            ("[CCC,1]2223334455s+4s", &["234s", "345s", "444s"]),
            ("123456789m11pFF+F", &["FFF"]),
            ("1155m2288p3399sEE", &[]),
            ("123456789m11pFF", &[]),
            ("[CCC,1][FFF,2]22233344455s", &["345s", "55s"]),
        ];
        for (text, expected) in cases {
            let written: Notation = text.parse().expect(text);
            let found: Vec<String> =
                completions(&written.hand).iter().map(ToString::to_string).collect();
            assert_eq!(found, expected, "{text}");
        }
    }
}
