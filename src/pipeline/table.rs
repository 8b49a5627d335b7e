//! A whole table from several photos: the hand that won, and the hands of the others where they count too.
//!
//! Input: the reading of the winner's photo, readings of other players' photos, and hands that were told; every seat
//! once. Output: a [`TableReading`]: who pays whom as far as hands are known, and in each reading what else has to be
//! asked because its hand lies beside the others. Invariants: a hand that was read is never held against another:
//! what they can't both hold is a doubt of each; every answer to a doubt tells what every seat would gain or
//! lose by it, where its total is known.

mod surplus;

use super::doubt::DoubtKind;
use super::reading::{Reading, Status};
use crate::rules::{OtherHand, RulesetId, TableScore, score_read_table};
use crate::tile::{Bonus, Face, Tile, Wind};

/// Copies of a playing tile in a set; of a flower or a season there is one.
const COPIES: usize = 4;

/// The readings of a table and what they come to.
#[derive(Debug, Clone)]
pub struct TableReading {
    /// The rule set that all of them were read by.
    pub ruleset: RulesetId,
    /// The hand that won; its score is of its own payments alone.
    pub winner: Reading,
    /// The hands of others in photos, by their seats.
    pub others: Vec<(Wind, Reading)>,
    /// The hands of others that were told.
    pub told: Vec<OtherHand>,
    /// The scores of all hands that are legal; `None` where the winner's has none.
    pub score: Option<TableScore>,
    /// Whether all of it can be relied on: the worst that is true of a hand that was read.
    pub status: Status,
}

impl TableReading {
    /// Puts the hands of a table together.
    #[must_use]
    pub fn settle(
        ruleset: RulesetId,
        winner: Reading,
        others: Vec<(Wind, Reading)>,
        told: Vec<OtherHand>,
    ) -> TableReading {
        let mut table =
            TableReading { ruleset, winner, others, told, score: None, status: Status::Ok };
        table.others.sort_by_key(|(seat, _)| *seat);
        table.ask_about_surplus();
        let hands = table.hands();
        table.score = table.winner.scored_hand().into_hand().ok().and_then(|hand| {
            // A hand that does not win, or circumstances that can't be true of it, are doubts of its reading already.
            score_read_table(ruleset, &hand, &table.winner.context, &hands).ok()
        });
        table.tell_payments(&hands);
        table.status = table.worst();
        table
    }

    /// The hands of others that are legal, read or told, by their seats.
    #[must_use]
    pub fn hands(&self) -> Vec<OtherHand> {
        let read = self.others.iter().filter_map(|(seat, reading)| {
            let holding = reading.hand.clone().into_holding().ok()?;
            Some(OtherHand { seat: *seat, holding })
        });
        let mut hands: Vec<OtherHand> = read.chain(self.told.iter().copied()).collect();
        hands.sort_by_key(|hand| hand.seat);
        hands
    }

    /// Asks in every photo about tiles of which the table has more than there are.
    fn ask_about_surplus(&mut self) {
        for (face, found) in self.surplus() {
            let readings = self.others.iter_mut().map(|(_, reading)| reading);
            for reading in std::iter::once(&mut self.winner).chain(readings) {
                if let Some(doubt) = surplus::doubt(reading, self.ruleset, face, found) {
                    if doubt.affects_score && reading.status == Status::Ok {
                        reading.status = Status::NeedsReview;
                    }
                    // The question about the tile alone is the same one with less of a reason.
                    reading.doubts.retain(|other| {
                        other.kind != DoubtKind::Tile || other.tiles != doubt.tiles
                    });
                    reading.doubts.push(doubt);
                }
            }
        }
    }

    /// Faces that all hands together have too often, although none of them has by itself.
    fn surplus(&self) -> Vec<(Face, usize)> {
        let setups = self.others.iter().map(|(_, reading)| &reading.hand);
        let setups = std::iter::once(&self.winner.hand).chain(setups);
        let mut hands: Vec<_> = setups.map(|setup| (setup.all(), setup.flowers)).collect();
        hands.extend(self.told.iter().map(|hand| (hand.holding.all(), hand.holding.flowers())));
        let of_tile = |tile: Tile| {
            let each = hands.iter().map(|(tiles, _)| usize::from(tiles.of(tile)));
            // Five in one hand are asked about there.
            let alone = each.clone().any(|count| count > COPIES);
            Some((Face::Tile(tile), each.sum())).filter(|&(_, sum)| sum > COPIES && !alone)
        };
        let of_bonus = |bonus: Bonus| {
            let holders = hands.iter().filter(|(_, flowers)| flowers.iter().any(|b| b == bonus));
            Some((Face::Bonus(bonus), holders.count())).filter(|&(_, count)| count > 1)
        };
        let tiles = Tile::ALL.into_iter().filter_map(of_tile);
        tiles.chain(Bonus::ALL.into_iter().filter_map(of_bonus)).collect()
    }

    /// Tells with every answer what every seat would gain or lose.
    fn tell_payments(&mut self, hands: &[OtherHand]) {
        let rules = self.ruleset.rules();
        let context = self.winner.context;
        let totals: Vec<(Wind, u32)> = hands
            .iter()
            .filter_map(|OtherHand { seat, holding }| {
                Some((*seat, rules.score_other(holding, *seat, context.prevalent)?.value))
            })
            .collect();
        for answer in self.winner.doubts.iter_mut().flat_map(|doubt| &mut doubt.alternatives) {
            let settled = answer.total.and_then(|won| rules.settle(won, &context, &totals));
            answer.payments = answer.payments.or(settled);
        }
        let Some(won) = self.winner.score.as_ref().map(|score| score.value) else { return };
        for (seat, reading) in &mut self.others {
            for answer in reading.doubts.iter_mut().flat_map(|doubt| &mut doubt.alternatives) {
                let Some(total) = answer.total else { continue };
                let rest = totals.iter().copied().filter(|(other, _)| other != seat);
                let totals: Vec<_> = rest.chain([(*seat, total)]).collect();
                answer.payments = rules.settle(won, &context, &totals);
            }
        }
    }

    fn worst(&self) -> Status {
        let others = self.others.iter().map(|(_, reading)| reading.status);
        let all_ok = std::iter::once(self.winner.status).chain(others).all(|one| one == Status::Ok);
        if all_ok { Status::Ok } else { Status::NeedsReview }
    }
}
