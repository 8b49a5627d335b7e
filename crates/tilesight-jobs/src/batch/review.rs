//! Order of review: the photos for which a check by a person changes most come first.
//!
//! Input: readings that need review. Output: a list, the largest expected change first. The
//! expected change of a reading is measured in points: for each alternative answer to a doubt, its
//! probability times the difference between its total and the current total. If the answers have no
//! totals, it is the probability that the score is wrong times the total. If there is no score, it
//! is the best score that an answer would give, or else the minimum of any winning hand, halved for
//! each tile beyond the first that the hand is away from a win: a check corrects one misread tile,
//! but does not turn a wall into a hand. Ties are in the order of their groups, so that alike cases
//! are together. Invariant: the list does not depend on the order in which photos arrive, and its
//! length is bounded: a million doubtful photos take no more memory than a thousand.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use serde::Serialize;

use super::group::{ReviewGroup, distance};
use super::row::{BatchRow, RowReading};

/// Maximum number of listed photos: more than anyone checks in one session. The table has all of
/// them.
const MAX_LISTED: usize = 1_000;

/// Assumed score of a reading without a score. It is the minimum of MCR; for other rule families it
/// only ranks hands that can't be scored among the others.
const MIN_TOTAL: f32 = 8.0;

/// Photo to review.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReviewItem {
    /// Id of the photo.
    pub id: String,
    /// Index of the photo.
    pub index: u64,
    /// Points by which a check is expected to change the score.
    pub expected_change: f32,
    /// Current total, if there is one.
    pub total: Option<u32>,
    /// Probability that the score is right.
    pub score_probability: f32,
    /// Questions for the reviewer.
    pub questions: Vec<String>,
    /// Reason why the photo is listed.
    pub group: ReviewGroup,
    /// Photo with the detections drawn onto it, as a path below the results folder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overlay: Option<String>,
}

impl ReviewItem {
    /// Describes a row, including a row that was read with certainty and needs no review.
    #[must_use]
    pub fn from_row(id: &str, index: u64, row: &BatchRow) -> ReviewItem {
        match row {
            BatchRow::Read(read) => ReviewItem::new(id, index, read),
            BatchRow::Failed(_) => ReviewItem {
                id: id.to_owned(),
                index,
                expected_change: 0.0,
                total: None,
                score_probability: 0.0,
                questions: Vec::new(),
                group: ReviewGroup::Failed,
                overlay: None,
            },
        }
    }

    /// Returns whether a person should look at the photo.
    #[must_use]
    pub fn needs_review(&self) -> bool {
        self.group != ReviewGroup::Sure
    }

    /// Describes what to check in a reading.
    #[must_use]
    pub fn new(id: &str, index: u64, read: &RowReading) -> ReviewItem {
        ReviewItem {
            id: id.to_owned(),
            index,
            // Two digits, because probabilities are not known more precisely.
            expected_change: (expected_change(read) * 100.0).round() / 100.0,
            total: read.score.as_ref().map(|score| score.total),
            score_probability: read.score_probability,
            questions: read.open().map(|doubt| doubt.question.clone()).collect(),
            group: ReviewGroup::from_reading(read).unwrap_or(ReviewGroup::Sure),
            overlay: None,
        }
    }
}

/// Returns the points that a check of the photo is expected to change.
fn expected_change(read: &RowReading) -> f32 {
    let Some(score) = &read.score else {
        let totals = read.doubts.iter().flat_map(|doubt| &doubt.alternatives);
        let best = totals.filter_map(|answer| answer.total).max();
        return best.map_or_else(|| MIN_TOTAL * worth_of_unscored(read), |best| best as f32);
    };
    let total = score.total as f32;
    let answers = read.open().flat_map(|doubt| &doubt.alternatives);
    let priced: f32 = answers.map(|answer| answer.p * change_of_total(total, answer.total)).sum();
    let unpriced = read.open().any(|doubt| doubt.alternatives.is_empty());
    let nothing_asked = read.open().next().is_none();
    if unpriced || nothing_asked {
        priced + (1.0 - read.score_probability).max(0.0) * total
    } else {
        priced
    }
}

/// Returns the change of a total by an answer. With an answer that has no total, the hand would not
/// win at all.
fn change_of_total(total: f32, answer: Option<u32>) -> f32 {
    answer.map_or(total, |answer| (answer as f32 - total).abs())
}

/// Returns the weight of checking a hand without a score, relative to a hand that is one tile away
/// from a win.
fn worth_of_unscored(read: &RowReading) -> f32 {
    match ReviewGroup::from_reading(read) {
        Some(ReviewGroup::SixteenTiles) => 0.0,
        Some(ReviewGroup::Correction) => 1.0,
        _ => {
            0.5_f32.powi(i32::try_from(distance(read)).unwrap_or(i32::MAX).saturating_sub(1).max(0))
        }
    }
}

/// Photo ordered by rank: the largest expected change first, then by group, then the least certain,
/// then the lowest index.
#[derive(Debug, Clone, PartialEq)]
struct RankedPhoto(ReviewItem);

impl Eq for RankedPhoto {}

impl Ord for RankedPhoto {
    fn cmp(&self, other: &RankedPhoto) -> Ordering {
        self.0.rank(&other.0)
    }
}

impl ReviewItem {
    /// Compares two photos in the order of review: the lesser one comes first.
    #[must_use]
    pub fn rank(&self, other: &ReviewItem) -> Ordering {
        other
            .expected_change
            .total_cmp(&self.expected_change)
            .then(self.group.cmp(&other.group))
            .then(self.score_probability.total_cmp(&other.score_probability))
            .then(self.index.cmp(&other.index))
    }
}

impl PartialOrd for RankedPhoto {
    fn partial_cmp(&self, other: &RankedPhoto) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// List of photos to review, as it grows.
#[derive(Debug, Clone, Default)]
pub(super) struct Review {
    /// Photos with the best ranks; the top of the heap is the next to be dropped.
    listed: BinaryHeap<RankedPhoto>,
}

impl Review {
    /// Adds a photo, and drops the one with the lowest rank if there are too many.
    pub(super) fn add(&mut self, photo: ReviewItem) {
        self.listed.push(RankedPhoto(photo));
        if self.listed.len() > MAX_LISTED {
            self.listed.pop();
        }
    }

    /// Returns the photos in the order of review.
    #[must_use]
    pub(crate) fn ranking(&self) -> Vec<&ReviewItem> {
        let mut ranked: Vec<&RankedPhoto> = self.listed.iter().collect();
        ranked.sort_by_key(|&photo| Reverse(Reverse(photo)));
        ranked.into_iter().map(|RankedPhoto(photo)| photo).collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::row::tests::{score, stored};
    use super::*;

    fn change(doubts: &Value, score: &Value) -> f32 {
        let BatchRow::Read(read) = BatchRow::from_stored(&stored("needs_review", doubts, score))
        else {
            panic!("a reading")
        };
        ReviewItem::new("a", 0, &read).expected_change
    }

    fn doubt(alternatives: &Value) -> Value {
        json!([{ "question": "?", "affects_score": true, "alternatives": alternatives }])
    }

    #[test]
    fn a_glance_is_worth_what_the_other_answers_would_change() {
        let two = doubt(
            &json!([{ "answer": "a", "p": 0.6, "total": 24 }, { "answer": "b", "p": 0.4, "total": 64 }]),
        );
        assert_eq!(change(&two, &score(24, &[])), 16.0);
        let no_win = doubt(
            &json!([{ "answer": "a", "p": 0.75, "total": 24 }, { "answer": "b", "p": 0.25, "total": null }]),
        );
        assert_eq!(change(&no_win, &score(24, &[])), 6.0);
        // The answer has no total, so the score is wrong with a probability of 0.2.
        assert_eq!(change(&doubt(&json!([])), &score(20, &[])), 4.0);
        // No question is open, but many small doubts add up.
        assert_eq!(change(&json!([]), &score(20, &[])), 4.0);
    }

    #[test]
    fn a_hand_without_a_score_is_worth_the_score_that_it_would_get() {
        assert_eq!(change(&json!([]), &Value::Null), 8.0);
        let one = doubt(
            &json!([{ "answer": "a", "p": 0.1, "total": 30 }, { "answer": "b", "p": 0.2, "total": 12 }]),
        );
        assert_eq!(change(&one, &Value::Null), 30.0);
    }

    fn photo(index: u64, expected_change: f32) -> ReviewItem {
        let (id, questions) = (index.to_string(), Vec::new());
        let group = ReviewGroup::SmallDoubts;
        let total = None;
        let (score_probability, overlay) = (0.5, None);
        ReviewItem {
            id,
            index,
            expected_change,
            total,
            score_probability,
            questions,
            group,
            overlay,
        }
    }

    #[test]
    fn the_list_is_bounded_and_does_not_depend_on_the_order_of_photos() {
        let photos: Vec<_> = (0..3_000).map(|n| photo(n, (n * 7919 % 500) as f32)).collect();
        let list = |photos: Vec<ReviewItem>| {
            let mut review = Review::default();
            photos.into_iter().for_each(|photo| review.add(photo));
            review.ranking().into_iter().cloned().collect::<Vec<_>>()
        };
        let listed = list(photos.clone());
        assert_eq!(listed.len(), MAX_LISTED);
        assert_eq!(listed, list(photos.into_iter().rev().collect()));
        let falls = |pair: &[ReviewItem]| {
            (pair[0].expected_change, Reverse(pair[0].index))
                > (pair[1].expected_change, Reverse(pair[1].index))
        };
        assert!(listed.windows(2).all(falls));
        assert_eq!(listed[0].expected_change, 499.0);
    }
}
