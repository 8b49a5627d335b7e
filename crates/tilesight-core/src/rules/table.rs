//! A whole table: the hand that won, and the hands of the other players where they count too.
//!
//! Input: the winner's hand with its win context, and hands of other players, each with its seat;
//! some may be missing. Output: a [`TableScore`] whose payments settle everything that is known, or
//! a [`TableError`] that names the hand to fix. Rule sets that score only the winner ignore the
//! other hands. Invariant: every seat has at most one hand, the table holds no tile more often than
//! a set of tiles does, and payments sum to zero.

use crate::context::Context;
use crate::hand::{Hand, Holding, Other};
use crate::tile::{Bonus, Tile, Wind};
use crate::tiles::Counts;

use super::{Profile, RulesError, Score};

/// Number of copies of each playing tile in a set of tiles.
const COPIES: u8 = 4;

/// The legal hand of a player who did not win.
pub type OtherHand = Other<Holding>;

/// The scores of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableScore {
    /// Score of the winner; its payments settle the whole table as far as it is known.
    pub winner: Score,
    /// Scores of the other players, in the given order; empty if only the winner's hand counts.
    pub others: Vec<(Wind, Score)>,
    /// Seats whose hands would count but are not known. Between these players and the others, only
    /// the winner's share was settled.
    pub unknown: Vec<Wind>,
}

/// Error when a table can't be scored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The hand that won can't be scored.
    Winner(RulesError),
    /// The seat has a hand already; the person who named the seats can fix it.
    SeatTaken {
        /// Position among the other hands.
        at: usize,
        /// The seat.
        seat: Wind,
    },
    /// More than four copies of a tile; the person who read or typed the tiles can fix it.
    TooManyCopies {
        /// Position, among the other hands, of the hand that exceeds the number.
        at: usize,
        /// The tile.
        tile: Tile,
        /// Number of copies up to and including this hand.
        found: u8,
    },
    /// A flower or season occurs twice; the person who read or typed the tiles can fix it.
    BonusTwice {
        /// Position, among the other hands, of the hand with the second copy.
        at: usize,
        /// The flower or season.
        bonus: Bonus,
    },
}

impl From<RulesError> for TableError {
    fn from(error: RulesError) -> TableError {
        TableError::Winner(error)
    }
}

/// Scores a table.
///
/// # Errors
/// [`TableError`] with the first error of the other hands, otherwise with that of the winner's
/// hand.
pub fn score_table(
    profile: &Profile,
    hand: &Hand,
    context: &Context,
    others: &[OtherHand],
) -> Result<TableScore, TableError> {
    let bonuses = hand.flowers().iter().collect();
    check(context.seat, (hand.all(), bonuses), others)?;
    Ok(score_read_table(profile, hand, context, others)?)
}

/// Like [`score_table`], for hands that were read from photos: the table may hold a tile too often,
/// because one of them was misread and a person still has to check it. The seats must differ.
///
/// # Errors
/// [`RulesError`] if the winner's hand can't be scored.
pub fn score_read_table(
    profile: &Profile,
    hand: &Hand,
    context: &Context,
    others: &[OtherHand],
) -> Result<TableScore, RulesError> {
    let mut winner = profile.score(hand, context)?;
    let Some(rules) = profile.rules().table() else {
        return Ok(TableScore { winner, others: Vec::new(), unknown: Vec::new() });
    };
    let scored: Vec<(Wind, Score)> = others
        .iter()
        .map(|other| (other.seat, rules.score_other(&other.hand, other.seat, context.prevalent)))
        .collect();
    let totals: Vec<(Wind, u32)> =
        scored.iter().map(|(seat, score)| (*seat, score.value)).collect();
    winner.payments = rules.settle(winner.value, context, &totals);
    let known: Vec<Wind> = totals.iter().map(|(seat, _)| *seat).collect();
    let unknown = unknown_seats(profile, context, &known);
    Ok(TableScore { winner, others: scored, unknown })
}

/// Returns the seats whose hands would count but were not given; empty if only the winner's hand
/// counts.
#[must_use]
pub fn unknown_seats(profile: &Profile, context: &Context, known: &[Wind]) -> Vec<Wind> {
    let others =
        Wind::ALL.into_iter().filter(|seat| *seat != context.seat && !known.contains(seat));
    if profile.scores_everybody() { others.collect() } else { Vec::new() }
}

/// Refuses hands of other players that can't lie on one table, whatever hand won.
///
/// # Errors
/// [`TableError`] with the first error of the hands.
pub fn check_others(winner: Wind, others: &[OtherHand]) -> Result<(), TableError> {
    check(winner, (Counts::default(), Vec::new()), others)
}

/// Refuses hands that can't lie on one table with the tiles and flowers of the winner.
fn check(
    winner: Wind,
    (mut tiles, mut bonuses): (Counts, Vec<Bonus>),
    others: &[OtherHand],
) -> Result<(), TableError> {
    let mut seats = vec![winner];
    for (at, Other { seat, hand: holding }) in others.iter().enumerate() {
        if seats.contains(seat) {
            return Err(TableError::SeatTaken { at, seat: *seat });
        }
        seats.push(*seat);
        tiles.extend(holding.all().iter());
        if let Some(tile) = Tile::ALL.into_iter().find(|&tile| tiles.count(tile) > COPIES) {
            return Err(TableError::TooManyCopies { at, tile, found: tiles.count(tile) });
        }
        for bonus in holding.flowers().iter() {
            if bonuses.contains(&bonus) {
                return Err(TableError::BonusTwice { at, bonus });
            }
            bonuses.push(bonus);
        }
    }
    Ok(())
}
