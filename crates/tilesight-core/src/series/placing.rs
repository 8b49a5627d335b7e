//! Places at a table, and what they are worth.
//!
//! Input: the points of a table, and the rules of ranking. Output: place and score of each seat.
//! Invariants: seats with equal points have the same place, and share the table points and the uma
//! of the places that they take; the shares are as many as there are.

use super::ranking::Ranking;
use super::score::{Score, Twelfths};

/// Place and score of a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Place at the table, from 1.
    pub place: u8,
    /// Score of the table.
    pub score: Score,
}

/// Returns place and score of each seat of a table, in the order of the seats. Points are gains and
/// losses. Uma that equal players can't divide goes to the earlier seat.
#[must_use]
pub fn place(points: &[i32], ranking: &Ranking) -> Vec<Outcome> {
    let seats = points.iter().enumerate();
    seats
        .map(|(seat, &own)| {
            let ahead = points.iter().filter(|&&other| other > own).count();
            let equals = points.iter().filter(|&&other| other == own).count();
            let earlier = points[..seat].iter().filter(|&&other| other == own).count();
            let places = ahead..ahead + equals;
            let earned: i64 =
                ranking.table_points[places.clone()].iter().map(|&one| i64::from(one)).sum();
            let gains: i64 = places.map(|place| bonus(ranking, place)).sum();
            let share = gains.div_euclid(equals as i64);
            let more = i64::from((earlier as i64) < gains.rem_euclid(equals as i64));
            let from_target = i64::from(ranking.start) - i64::from(ranking.target);
            let score = Score {
                table_points: Twelfths(earned * 12 / equals as i64),
                points: own.into(),
                result: i64::from(own) + from_target + share + more,
            };
            Outcome { place: ahead as u8 + 1, score }
        })
        .collect()
}

/// Returns the gain of a place from uma and oka.
fn bonus(ranking: &Ranking, place: usize) -> i64 {
    let short = i64::from(ranking.target) - i64::from(ranking.start);
    let oka = if place == 0 { ranking.uma.len() as i64 * short } else { 0 };
    i64::from(ranking.uma[place]) + oka
}
