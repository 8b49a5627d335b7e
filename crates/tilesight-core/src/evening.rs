//! An evening: a series of deals, from the first deal to the final standings.
//!
//! A [`Game`] is three or four players, a rule set, and a journal of entries. [`Sheet`] derives
//! everything else from these: who deals and sits where ([`Deal`], by the rule set's own
//! [`Law`](crate::rules::Law)), the score of each hand, payments, totals and standings. So seats
//! and rounds never have to be typed, and a correction of the third deal also corrects the dealers
//! and payments of all later ones.
//!
//! Input: [`Action`]s. Output: the sheet, or a [`GameError`] and an unchanged game. No I/O, no
//! clock: the caller passes the time. Invariants: the journal only grows, so corrections and undos
//! keep the earlier entries; payments of every deal sum to zero; after each applied action the
//! sheet can be computed; no action puts an entry where the rules do not allow it (`order`).

mod action;
mod apply;
mod context;
mod deal;
mod end;
mod entry_id;
mod error;
mod export;
mod journal;
mod messages;
pub(crate) mod names;
mod order;
mod order_fault;
mod play;
mod record;
mod row;
mod sheet;
mod standings;
mod sticks;
pub(crate) mod text;
mod view;
mod wire;

use serde::{Deserialize, Serialize};

use crate::contract::RequestFault;
use crate::meld::Seats;

pub(crate) use self::wire::by_kind;

pub use self::action::{Action, Change, Meta};
pub use self::deal::Deal;
pub use self::end::GameEnd;
pub use self::entry_id::EntryId;
pub use self::error::GameError;
pub use self::export::{Cell, SheetTable, csv, table};
pub use self::journal::Game;
pub use self::order_fault::OrderFault;
pub use self::play::{
    Draw, ExhaustiveDraw, HandPoints, HandText, Manual, OfPlayer, Other, Play, PlayerPoints,
    Reason, RiichiStick, Win,
};
pub use self::record::GameRecord;
pub use self::row::{Row, ScoredHand};
pub use self::sheet::{Sheet, State};
pub use self::standings::{Rank, TablePoints};
pub use self::view::{
    ChangeView, DealView, FurtherWinView, GameSummary, GameView, PlaceView, RowAward, RowScore,
    RowView,
};
pub use self::wire::{ActionDto, ChangeDto, NewGameDto, OtherPlayerDto, PlayDto, WinDto};

/// Maximum number of players at a table; three play by some rules of riichi.
pub const PLAYERS: usize = 4;

/// A player, numbered in the order of the first deal: 0 was East, 1 South, 2 West, 3 North.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    utoipa::ToSchema,
)]
#[serde(into = "u8", try_from = "u8")]
#[schema(value_type = u8, maximum = 3)]
pub struct Player(u8);

impl Player {
    /// All players of a table of four.
    pub const ALL: [Player; PLAYERS] = [Player(0), Player(1), Player(2), Player(3)];

    /// Returns the players of a table.
    #[must_use]
    pub const fn all_at(seats: Seats) -> &'static [Player] {
        match seats {
            Seats::Four => &Player::ALL,
            Seats::Three => &[Player(0), Player(1), Player(2)],
        }
    }

    /// Returns the index of the player.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl From<Player> for u8 {
    fn from(player: Player) -> u8 {
        player.0
    }
}

impl TryFrom<u8> for Player {
    type Error = RequestFault;

    fn try_from(number: u8) -> Result<Player, RequestFault> {
        if usize::from(number) < PLAYERS {
            Ok(Player(number))
        } else {
            Err(RequestFault::NotAPlayer)
        }
    }
}

/// Gain or loss of each player, in the order of the players; 0 for a fourth who is not there.
pub type Points = [i32; PLAYERS];
