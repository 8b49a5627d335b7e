//! A row of the score sheet: an entry with its deal, its payments and the totals after it.

use crate::context::{Feeder, RiichiCall};
use crate::contract::{self, PreparedHand};
use crate::rules::law::{Abort, Ending, Law};
use crate::tile::Tile;

use super::play::{Draw, HandPoints, Manual, Play, Reason, Win};
use super::{Deal, EntryId, Player, Points};

/// A row of the sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row {
    /// Entry that the row shows.
    pub entry: EntryId,
    /// Deal of the entry; `None` for points that were entered after the last deal.
    pub deal: Option<Deal>,
    /// Event of the deal.
    pub play: Play,
    /// Whether the entry was corrected since it was added.
    pub corrected: bool,
    /// Score of a won hand.
    pub scored: Option<ScoredHand>,
    /// Points that each player gains or loses by the entry.
    pub payments: Points,
    /// Total points of each player after the entry.
    pub totals: Points,
    /// Points that the entry takes off a player's result in the end, in riichi.
    pub penalty: Option<(Player, i32)>,
}

/// A hand that was scored.
pub type ScoredHand = contract::ScoredHand;

impl Draw {
    /// Returns the ending of a deal that nobody won: in riichi it was aborted.
    fn ending(&self, law: &Law) -> Ending {
        match self.abort.map(|kind| law.abort(kind)) {
            _ if law.riichi.is_none() => Ending::Drawn,
            Some(Abort::Pass) => Ending::DrawnWithoutEast,
            _ => Ending::Aborted,
        }
    }
}

impl Row {
    /// Returns the winning tile, if it was only assumed.
    #[must_use]
    pub fn supposed_winning_tile(&self) -> Option<Tile> {
        let Play::Win(Win { winning_tile_supposed: true, .. }) = &self.play else { return None };
        self.scored.as_ref().and_then(|scored| scored.prepared.setup.winning)
    }

    /// Returns the number of the deal.
    pub(super) fn number(&self) -> Option<u32> {
        self.deal.map(|deal| deal.number)
    }

    /// Returns the player on whose discard the deal was won, if it was.
    pub(super) const fn discarder(&self) -> Option<Player> {
        self.play.discarder()
    }

    /// Returns the player who is liable for the hand: by name, or as the winner sees them.
    #[must_use]
    pub fn liable(&self) -> Option<Player> {
        match &self.play {
            Play::Points(hand) => hand.liable,
            Play::Win(win) => win.liable.or_else(|| self.stated_feeder()),
            _ => None,
        }
    }

    /// Returns the player whom the win context names as the feeder of the last set, if that makes
    /// somebody liable for the hand.
    fn stated_feeder(&self) -> Option<Player> {
        let PreparedHand { context, .. } = &self.scored.as_ref()?.prepared;
        self.list_feeders().into_iter().find(|(feeder, _)| Some(*feeder) == context.feeder)?.1
    }

    /// Returns the players one of whom may be liable for the hand, if its melds leave that open and
    /// nobody said it.
    #[must_use]
    pub fn open_liability(&self) -> Vec<Player> {
        let is_open =
            self.scored.as_ref().is_some_and(|hand| hand.score().assumed_feeder.is_some());
        let feeders = if is_open { self.list_feeders() } else { Vec::new() };
        feeders.into_iter().filter_map(|(_, player)| player).collect()
    }

    /// Returns who may have fed the last of the sets that make their feeder liable, each with the
    /// player.
    fn list_feeders(&self) -> Vec<(Feeder, Option<Player>)> {
        let (Some(scored), Some(deal), Some(winner)) =
            (&self.scored, &self.deal, self.play.winner())
        else {
            return Vec::new();
        };
        let PreparedHand { hand, context, ruleset, .. } = &scored.prepared;
        let rules = ruleset.rules();
        let accepted =
            Feeder::ALL.into_iter().filter(|&one| rules.accepts_feeder(hand, context, one));
        let players = accepted.map(|feeder| {
            let relation = feeder.relation();
            let mut others = deal.players().filter(|&other| other != winner);
            let player = others.find(|&other| deal.relation(winner, other) == relation);
            (feeder, player.filter(|_| relation.is_some()))
        });
        players.collect()
    }

    /// Returns the total of the won hand, scored or entered; `None` if no player won with a hand.
    #[must_use]
    pub fn total(&self) -> Option<u32> {
        match &self.play {
            Play::Points(hand) => Some(hand.points),
            _ => self.scored.as_ref().map(|scored| scored.score().total),
        }
    }

    /// Returns the ending of the deal, if it ended.
    pub(super) fn ending(&self, law: &Law) -> Option<Ending> {
        let deal = self.deal?;
        match &self.play {
            Play::Win(Win { winner, .. })
            | Play::Points(HandPoints { winner, .. })
            | Play::Manual(Manual { reason: Reason::Hand, player: winner, .. }) => {
                Some(Ending::Won(deal.seat_from_dealer(*winner)))
            }
            Play::Manual(manual) if !manual.ends_deal => None,
            Play::ExhaustiveDraw(draw) if !draw.tenpai.contains(&deal.dealer()) => {
                Some(Ending::DrawnWithoutEast)
            }
            Play::Riichi(_) | Play::DeadHand(_) => None,
            Play::Chombo(_) => Some(Ending::Void),
            Play::Draw(draw) => Some(draw.ending(law)),
            Play::ExhaustiveDraw(_) | Play::Manual(_) => Some(Ending::Drawn),
        }
    }

    /// Returns whether the hand counts with riichi because its winner laid a stick in the deal,
    /// although riichi was not stated with it.
    #[must_use]
    pub fn has_riichi_by_stick(&self) -> bool {
        let Play::Win(win) = &self.play else { return false };
        win.context.riichi.is_none() && self.riichi() != RiichiCall::No
    }

    /// Returns the riichi with which the hand was scored.
    pub(super) fn riichi(&self) -> RiichiCall {
        self.scored.as_ref().map_or(RiichiCall::No, |scored| scored.prepared.context.riichi)
    }

    /// Returns the total points of a player before the entry.
    pub(super) fn total_before(&self, player: Player) -> i32 {
        self.totals[player.index()] - self.payments[player.index()]
    }
}
