//! The reasons why an entry can't stand where it is.

use super::Player;
use crate::rules::law::AbortKind;

/// Reason why an entry can't stand where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum OrderFault {
    /// The game was finished before.
    Finished,
    /// A riichi stick or ready players, by rules that have no riichi.
    NoRiichi,
    /// A second stick of a player in a deal.
    RiichiTwice(Player),
    /// Riichi of a player who has fewer points than a stick.
    RiichiShort {
        /// The player.
        player: Player,
        /// Points that the player has.
        points: i32,
    },
    /// A hand with called sets, whose winner laid a stick in the deal.
    RiichiOpen(Player),
    /// A hand that is said to have no riichi, although its winner laid a stick in the deal.
    RiichiDenied(Player),
    /// A player who laid a stick in the deal, and is not among those who are ready at its end.
    NotReady(Player),
    /// A total that no hand has.
    NoSuchTotal {
        /// The total that was entered.
        points: u32,
        /// Next lower total that a hand has.
        lower: Option<u32>,
        /// Next higher total that a hand has.
        higher: Option<u32>,
    },
    /// A total that contains the counters, which are added to it.
    WithCounters {
        /// The total that was entered.
        points: u32,
        /// Points of the counters.
        counters: u32,
        /// The total without them.
        total: u32,
    },
    /// A second winner by one discard, by rules that have one.
    OneWinner,
    /// A third winner by one discard, by rules by which three abort the deal.
    ThreeWinners,
    /// A deal that is aborted for a reason that the rules don't have.
    NotAborted(AbortKind),
    /// An aborted deal, by rules that abort none.
    NoAborts,
    /// A deal that can't have been aborted for the reason that is stated: four riichi without four
    /// sticks, or nine terminals of a first hand after everybody had declared.
    CannotAbort,
    /// Any other end of a deal in which all four players declared riichi.
    AllDeclared,
    /// A win, a riichi or a ready hand of a player whose hand is dead.
    Dead(Player),
    /// Discards that are paid as a mangan, by rules that don't pay them.
    NoNagashi,
    /// A win on the discard of the entry before, where that is no other player's win on the same
    /// discard.
    OtherDiscard(Player),
    /// Winds of the opened wall, by rules in which the dealer sits East.
    NoOpenedWall,
    /// A further winner by a discard with other winds than those of a winner before.
    OtherWinds,
    /// Payments for a hand or a false win that can't be paid with sticks.
    NotHundreds,
    /// A player who is liable for a hand of which only the points are known, where the rules make
    /// nobody liable for such a hand.
    NobodyLiable,
}

impl OrderFault {
    /// Returns the player whom the fault is about, if it is about one.
    #[must_use]
    pub const fn player(&self) -> Option<Player> {
        match self {
            OrderFault::RiichiTwice(player)
            | OrderFault::RiichiShort { player, .. }
            | OrderFault::RiichiOpen(player)
            | OrderFault::RiichiDenied(player)
            | OrderFault::NotReady(player)
            | OrderFault::Dead(player)
            | OrderFault::OtherDiscard(player) => Some(*player),
            _ => None,
        }
    }

    /// Returns the field of the entry that is wrong; empty if the whole entry is.
    #[must_use]
    pub const fn field(&self) -> &'static str {
        match self {
            OrderFault::Finished | OrderFault::Dead(_) => "",
            OrderFault::NoRiichi | OrderFault::NoAborts | OrderFault::AllDeclared => "kind",
            OrderFault::NotAborted(_) | OrderFault::CannotAbort => "abort",
            OrderFault::NoNagashi => "nagashi",
            OrderFault::RiichiTwice(_) | OrderFault::RiichiShort { .. } => "player",
            OrderFault::RiichiOpen(_) => "hand",
            OrderFault::RiichiDenied(_) => "context.riichi",
            OrderFault::NotReady(_) => "tenpai",
            OrderFault::NoSuchTotal { .. } | OrderFault::WithCounters { .. } => "points",
            OrderFault::OneWinner | OrderFault::ThreeWinners | OrderFault::OtherDiscard(_) => {
                "same_discard"
            }
            OrderFault::NoOpenedWall | OrderFault::OtherWinds => "east",
            OrderFault::NotHundreds => "payments",
            OrderFault::NobodyLiable => "liable",
        }
    }
}
