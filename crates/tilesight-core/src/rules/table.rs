//! A whole table: the hand that won, and the hands of the others where they count too.
//!
//! Input: the winner's hand with its win context, and hands of others, each with its seat; some
//! may be missing. Output: a [`TableScore`] whose payments settle all that is known, or a
//! [`TableError`] that names the hand to fix. Where a rule set scores the winner alone the others
//! are passed over. Invariant: every seat has one hand at the most, the table holds no tile more
//! often than a set of tiles does, and payments sum to zero.

use crate::context::Context;
use crate::hand::{Hand, Holding, Other};
use crate::tile::{Bonus, Tile, Wind};
use crate::tiles::Counts;

use super::{Profile, RulesError, Score};

/// Copies of each playing tile in a set of tiles.
const COPIES: u8 = 4;

/// The legal hand of a player who did not win.
pub type OtherHand = Other<Holding>;

/// The scores of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableScore {
    /// The winner's; its payments settle the whole table as far as it is known.
    pub winner: Score,
    /// The others', in the order they were given; none where only the winner's counts.
    pub others: Vec<(Wind, Score)>,
    /// Seats whose hands would count and are not known: between them and the others nothing was
    /// settled but what the winner gets.
    pub unknown: Vec<Wind>,
}

/// Why a table can't be scored.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The hand that won can't be scored.
    #[error(transparent)]
    Winner(#[from] RulesError),
    /// A seat has another hand already; anyone who named the seats can fix it.
    #[error("{seat} has another hand already")]
    SeatTaken {
        /// The place among the others.
        at: usize,
        /// The seat.
        seat: Wind,
    },
    /// A set of tiles has four of each kind; anyone who read or typed the tiles can fix it.
    #[error("with this hand there are {found} copies of {tile} on the table: there are four")]
    TooManyCopies {
        /// The place among the others of the hand that makes it too many.
        at: usize,
        /// The kind.
        tile: Tile,
        /// How many there are up to this hand.
        found: u8,
    },
    /// Each flower and season exists once; anyone who read or typed the tiles can fix it.
    #[error("{bonus} lies at two places of the table")]
    BonusTwice {
        /// The place among the others of the hand that has it again.
        at: usize,
        /// The flower or season.
        bonus: Bonus,
    },
}

/// Scores a table.
///
/// # Errors
/// [`TableError`]: the first that is wrong with the others, else what is wrong with the winner's.
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

/// The same for hands that were read from photos: they may hold a tile more often than there are,
/// because one of them was misread, and who looks at them is to be asked. Their seats have to
/// differ.
///
/// # Errors
/// [`RulesError`]: what is wrong with the winner's hand.
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
    let scored = others
        .iter()
        .map(|other| (other.seat, rules.score_other(&other.hand, other.seat, context.prevalent)));
    let scored: Vec<(Wind, Score)> = scored.collect();
    let totals: Vec<(Wind, u32)> =
        scored.iter().map(|(seat, score)| (*seat, score.value)).collect();
    winner.payments = rules.settle(winner.value, context, &totals);
    let told: Vec<Wind> = totals.iter().map(|(seat, _)| *seat).collect();
    let unknown = unknown_seats(profile, context, &told);
    Ok(TableScore { winner, others: scored, unknown })
}

/// Seats whose hands would count and were not given; none where only the winner's counts.
#[must_use]
pub fn unknown_seats(profile: &Profile, context: &Context, told: &[Wind]) -> Vec<Wind> {
    let others = Wind::ALL.into_iter().filter(|seat| *seat != context.seat && !told.contains(seat));
    if profile.scores_everybody() { others.collect() } else { Vec::new() }
}

/// Refuses hands of others that can't lie on one table, whatever hand won.
///
/// # Errors
/// [`TableError`]: the first that is wrong with one of them.
pub fn check_others(winner: Wind, others: &[OtherHand]) -> Result<(), TableError> {
    check(winner, (Counts::default(), Vec::new()), others)
}

/// Refuses hands that can't lie on one table beside the tiles and flowers of the winner.
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
        if let Some(tile) = Tile::ALL.into_iter().find(|&tile| tiles.of(tile) > COPIES) {
            return Err(TableError::TooManyCopies { at, tile, found: tiles.of(tile) });
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
