//! A table from one photo or several: the hand that won, and the hands of the other players if they
//! count.
//!
//! Input: the reading of the winner's photo, readings of other players' photos, and typed hands,
//! every seat once. Output: a [`TableReading`]: the payments as far as hands are known, and in each
//! reading the doubts that arise because its hand is on a table with the others. One photo is a
//! table without others, and stays as it was read. Invariants: no reading outranks another: a tile
//! that two hands can't both hold is a doubt in each of them; every answer to a doubt has the
//! payments of all seats, if its total is known.

mod surplus;

use std::sync::Arc;

use tilesight_core::hand::Other;
use tilesight_core::rules::{OtherHand, Profile, Score, TableScore, score_read_table};
use tilesight_core::tile::{Bonus, Face, Tile, Wind};

use crate::decide::doubt::DoubtKind;
use crate::reading::{Reading, Status};

/// Number of copies of a playing tile in a set. Flowers and seasons exist once.
const COPIES: usize = 4;

/// The readings of a table and their scores.
#[derive(Debug, Clone)]
pub struct TableReading {
    /// Rule set that all hands were read by.
    pub ruleset: Arc<Profile>,
    /// Hand that won. Its score has only its own payments.
    pub winner: Reading,
    /// Hands of other players in photos, in the order of their seats.
    pub others: Vec<Reading>,
    /// Typed hands of other players.
    pub typed: Vec<OtherHand>,
    /// Scores of all legal hands; `None` if the winner's hand has none or is the only hand.
    pub score: Option<TableScore>,
    /// Whether the whole table can be relied on: the worst status of a reading.
    pub status: Status,
}

impl TableReading {
    /// Puts the hands of a table together. The seats of the others are those of their contexts.
    #[must_use]
    pub fn settle(
        ruleset: Arc<Profile>,
        winner: Reading,
        others: Vec<Reading>,
        typed: Vec<OtherHand>,
    ) -> TableReading {
        let status = winner.status;
        let mut table = TableReading { ruleset, winner, others, typed, score: None, status };
        if table.is_alone() {
            return table;
        }
        table.others.sort_by_key(|reading| reading.context.seat);
        table.doubt_surplus();
        let hands = table.hands();
        let size = table.ruleset.rules().size();
        table.score = table.winner.scored_hand().into_hand_of(size).ok().and_then(|hand| {
            // A hand that does not win, or a win context that cannot be true of it, is already a
            // doubt of its reading.
            score_read_table(&table.ruleset, &hand, &table.winner.context, &hands).ok()
        });
        table.add_payments(&hands);
        table.status = table.worst();
        table
    }

    /// Returns whether only the winner's hand is known.
    #[must_use]
    pub fn is_alone(&self) -> bool {
        self.others.is_empty() && self.typed.is_empty()
    }

    /// Returns the score of the hand that won. Together with other hands its payments settle the
    /// table.
    #[must_use]
    pub fn winners_score(&self) -> Option<&Score> {
        if self.is_alone() {
            self.winner.score.as_ref()
        } else {
            self.score.as_ref().map(|score| &score.winner)
        }
    }

    /// Returns the other players' legal hands, read or typed, by their seats.
    #[must_use]
    pub fn hands(&self) -> Vec<OtherHand> {
        let read = self.others.iter().filter_map(|reading| {
            let hand = reading.hand.clone().into_holding().ok()?;
            Some(Other { seat: reading.context.seat, hand })
        });
        let mut hands: Vec<OtherHand> = read.chain(self.typed.iter().copied()).collect();
        hands.sort_by_key(|hand| hand.seat);
        hands
    }

    /// Adds a doubt to every photo about tiles of which the table has more copies than a set.
    fn doubt_surplus(&mut self) {
        for (face, found) in self.surplus() {
            for reading in std::iter::once(&mut self.winner).chain(&mut self.others) {
                if let Some(doubt) = surplus::doubt(reading, &self.ruleset, face, found) {
                    if doubt.affects_score && reading.status == Status::Ok {
                        reading.status = Status::NeedsReview;
                    }
                    // A doubt about one of these tiles alone asks the same question for a weaker
                    // reason.
                    reading.doubts.retain(|other| {
                        other.kind != DoubtKind::Tile || other.tiles != doubt.tiles
                    });
                    reading.doubts.push(doubt);
                }
            }
        }
    }

    /// Returns faces of which all hands together have too many copies, although no single hand
    /// does.
    fn surplus(&self) -> Vec<(Face, usize)> {
        let others = self.others.iter().map(|reading| &reading.hand);
        let setups = std::iter::once(&self.winner.hand).chain(others);
        let mut hands: Vec<_> = setups.map(|setup| (setup.all(), setup.flowers)).collect();
        hands.extend(self.typed.iter().map(|other| (other.hand.all(), other.hand.flowers())));
        let mut surplus = Vec::new();
        for tile in Tile::ALL {
            let counts = hands.iter().map(|(tiles, _)| usize::from(tiles.count(tile)));
            // Five in one hand are a doubt of that hand.
            let alone = counts.clone().any(|count| count > COPIES);
            let sum: usize = counts.sum();
            if sum > COPIES && !alone {
                surplus.push((Face::Tile(tile), sum));
            }
        }
        for bonus in Bonus::ALL {
            let holders = hands.iter().filter(|(_, flowers)| flowers.iter().any(|b| b == bonus));
            let count = holders.count();
            if count > 1 {
                surplus.push((Face::Bonus(bonus), count));
            }
        }
        surplus
    }

    /// Adds to every answer the gain or loss of every seat.
    fn add_payments(&mut self, hands: &[OtherHand]) {
        let ruleset = Arc::clone(&self.ruleset);
        let Some(rules) = ruleset.rules().table() else { return };
        let context = self.winner.context;
        let totals: Vec<(Wind, u32)> = hands
            .iter()
            .map(|Other { seat, hand }| {
                (*seat, rules.score_other(hand, *seat, context.prevalent).value)
            })
            .collect();
        for answer in self.winner.doubts.iter_mut().flat_map(|doubt| &mut doubt.alternatives) {
            let settled = answer.total.map(|won| rules.settle(won, &context, &totals));
            answer.payments = answer.payments.or(settled);
        }
        let Some(won) = self.winner.score.as_ref().map(|score| score.value) else { return };
        for reading in &mut self.others {
            let seat = reading.context.seat;
            for answer in reading.doubts.iter_mut().flat_map(|doubt| &mut doubt.alternatives) {
                let Some(total) = answer.total else { continue };
                let rest = totals.iter().copied().filter(|(other, _)| *other != seat);
                let totals: Vec<_> = rest.chain([(seat, total)]).collect();
                answer.payments = Some(rules.settle(won, &context, &totals));
            }
        }
    }

    fn worst(&self) -> Status {
        let others = self.others.iter().map(|reading| reading.status);
        let all_ok = std::iter::once(self.winner.status).chain(others).all(|one| one == Status::Ok);
        if all_ok { Status::Ok } else { Status::NeedsReview }
    }
}
