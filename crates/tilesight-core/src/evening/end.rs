//! The end of a game: its last deal, or what the rules of riichi end it by.
//!
//! Input: a deal with its ending, and the totals after it. Output: the deal that would follow, and
//! why none does. Invariant: a game that ended before its last deal still knows the deal that would
//! have followed, so that a game that was played on by other rules opens.

use serde::{Deserialize, Serialize};

use crate::rules::law::{Ending, Law, RiichiLaw, Ties};
use crate::tile::Wind;

use super::{Deal, Player, Points};

/// Reason why a game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum GameEnd {
    /// All deals were played.
    LastDeal,
    /// A player has no points left, in riichi.
    Bankruptcy,
    /// East of the last deal would deal again and is first, in riichi.
    DealerFirst,
    /// A player reached the points for which a further round was played, in riichi.
    Target,
    /// A player ended the game before its last deal.
    Finished,
}

/// Sequel of a deal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Sequel {
    /// Deal that follows, or would follow if the game were not over.
    pub(super) deal: Option<Deal>,
    /// Reason why the game is over.
    pub(super) end: Option<GameEnd>,
}

/// Returns the sequel of a deal that ended, with the totals after it.
pub(super) fn sequel(law: &Law, deal: &Deal, ending: Ending, totals: &Points) -> Sequel {
    let Some(riichi) = &law.riichi else {
        return Sequel::from_next(deal.next(law, ending));
    };
    let table = Table { law, riichi, deal, totals };
    let next = deal.next_within(law, ending, table.max_rounds());
    if ending == Ending::Void {
        return Sequel::from_next(next);
    }
    match table.end(ending) {
        None => Sequel::from_next(next),
        end => Sequel { deal: next, end },
    }
}

impl Sequel {
    fn from_next(deal: Option<Deal>) -> Sequel {
        Sequel { deal, end: deal.is_none().then_some(GameEnd::LastDeal) }
    }
}

/// A table of riichi after a deal.
struct Table<'a> {
    law: &'a Law,
    riichi: &'a RiichiLaw,
    deal: &'a Deal,
    totals: &'a Points,
}

impl Table<'_> {
    /// Returns the number of rounds with a further one; there are four winds to name them.
    fn max_rounds(&self) -> u8 {
        let further = u8::from(self.riichi.extension > 0);
        (self.law.rounds + further).min(Wind::ALL.len() as u8)
    }

    fn points(&self, player: Player) -> i32 {
        self.riichi.start + self.totals[player.index()]
    }

    fn end(&self, ending: Ending) -> Option<GameEnd> {
        let mut players = self.deal.players();
        if players.any(|player| self.riichi.bankruptcy.is_reached(self.points(player))) {
            return Some(GameEnd::Bankruptcy);
        }
        let round = self.deal.round as u8;
        if round >= self.law.rounds {
            return self.has_target().then_some(GameEnd::Target);
        }
        let is_last = round + 1 == self.law.rounds && self.deal.is_last_of_round();
        if !is_last || !self.has_target() {
            return None;
        }
        if self.law.passes(ending) {
            return Some(GameEnd::LastDeal);
        }
        self.stops(ending).then_some(GameEnd::DealerFirst)
    }

    /// Returns whether a player has the points without which there is a further round.
    fn has_target(&self) -> bool {
        let mut players = self.deal.players();
        self.riichi.extension == 0
            || players.any(|player| self.points(player) >= self.riichi.extension)
    }

    /// Returns whether East, who deals again, is first and stops.
    fn stops(&self, ending: Ending) -> bool {
        let stops = match ending {
            Ending::Won(_) => self.riichi.stops_after_win,
            Ending::Drawn => self.riichi.stops_after_draw,
            _ => false,
        };
        let dealer = self.deal.dealer();
        let own = self.totals[dealer.index()];
        let is_first = self.deal.players().filter(|&player| player != dealer).all(|player| {
            let total = self.totals[player.index()];
            own > total || own == total && self.riichi.ties == Ties::Seats && dealer < player
        });
        stops && is_first
    }
}
