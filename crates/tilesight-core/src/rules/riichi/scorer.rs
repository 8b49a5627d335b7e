//! A hand to be scored: the properties that all its readings share.

use crate::hand::Hand;
use crate::rules::decompose::decompositions::Decomposition;
use crate::rules::decompose::facts::Facts;
use crate::rules::decompose::kinds::{Kinds, kind_of};
use crate::tile::Wind;

use super::dora::Dora;
use super::options::Options;
use super::readings::Completed;
use super::value::Payers;
use super::whole_hand::{self, Shared};

/// A hand to be scored: the properties that all its readings share.
pub(super) struct Scorer<'a> {
    pub(super) facts: &'a Facts,
    pub(super) options: &'a Options,
    /// Whether nothing was called.
    pub(super) closed: bool,
    pub(super) dora: Dora,
    pub(super) seat_wind: Kinds,
    pub(super) prevalent_wind: Kinds,
    pub(super) shared: Shared,
    pub(super) payers: Payers,
    /// Whether any of the fourteen tiles may count as the last one.
    pub(super) any_last_tile: bool,
}

impl<'a> Scorer<'a> {
    pub(super) fn new(hand: &Hand, facts: &'a Facts, options: &'a Options) -> Scorer<'a> {
        Scorer {
            facts,
            options,
            closed: facts.melds.is_concealed(),
            dora: Dora::new(hand, facts, options),
            seat_wind: kind_of(facts.context.seat),
            prevalent_wind: kind_of(facts.context.prevalent),
            shared: whole_hand::find_lines(facts, options),
            payers: Payers::new(facts.context.seat == Wind::East, facts.self_drawn, options),
            any_last_tile: whole_hand::allows_any_last_tile(facts, options),
        }
    }

    /// Returns the pungs and kongs without a claimed tile.
    pub(super) const fn concealed_pungs(
        &self,
        decomposition: &Decomposition,
        completed: Completed,
    ) -> Kinds {
        let claimed = match completed {
            Completed::Pung if !self.facts.self_drawn => 1 << self.facts.winning,
            _ => 0,
        };
        self.facts.melds.concealed_kongs | decomposition.hidden_pungs & !claimed
    }
}
