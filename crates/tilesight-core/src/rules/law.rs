//! The law of the deal: who deals next, when the wind of the round advances, and when players
//! change seats.
//!
//! Each game has a small [`Law`], which is data; [`game`](crate::evening) applies it. Input: a deal
//! and its ending. Output: the next deal, or the end of the game. Invariant: each
//! round passes the deal to each player once, and after the last one the game ends.
//! [`follows`] is the table of what may follow what in a deal.

mod follows;

use serde::{Deserialize, Serialize};

use crate::meld::Seats;
use crate::tile::Wind;

pub use self::follows::{AFTER, DealState, Event, may_follow};

/// The rules for the dealer, the rounds and the seats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Law {
    /// Condition under which the deal passes to the next player.
    pub passing: PassingRule,
    /// Changes of seats before the South, the West and the North round: the new winds of the former
    /// East, South, West and North.
    pub exchanges: [[Wind; 4]; 3],
    /// Tournament points for first, second, third and fourth place; `None` if the rules have none.
    pub table_points: Option<[u8; 4]>,
    /// Number of rounds of an evening, 1 to 4.
    pub rounds: u8,
    /// Seats that are taken: three or four players.
    pub seats: Seats,
    /// Winners by one discard.
    pub several_winners: SeveralWinners,
    /// Counters, sticks and the final result, where riichi is played.
    pub riichi: Option<RiichiLaw>,
    /// Payments and winds that depend on the dealer, in the game of sixteen tiles.
    pub dealer: Option<DealerLaw>,
    /// Paragraph of the rules with this law.
    pub paragraph: &'static str,
}

/// Number of players who may win by one discard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeveralWinners {
    /// The player alone who is next in turn after the discarder.
    #[default]
    Nearest,
    /// Every player who won.
    All,
    /// Two; three winners abort the deal.
    ThreeAbort,
}

impl SeveralWinners {
    /// Returns the maximum number of winners by one discard.
    #[must_use]
    pub const fn max(self) -> usize {
        match self {
            SeveralWinners::Nearest => 1,
            SeveralWinners::All => 3,
            SeveralWinners::ThreeAbort => 2,
        }
    }
}

/// Reason why a deal of riichi is aborted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AbortKind {
    /// A player's first fourteen tiles have nine kinds of terminals and honors, and the player
    /// wants a new deal.
    NineTerminals,
    /// The first discards of all four players are the same wind.
    FourWinds,
    /// All four players declared riichi.
    FourRiichi,
    /// Several players have four kongs together.
    FourKongs,
    /// Three players won by one discard.
    ThreeWinners,
}

impl AbortKind {
    /// All reasons.
    pub const ALL: [AbortKind; 5] = [
        AbortKind::NineTerminals,
        AbortKind::FourWinds,
        AbortKind::FourRiichi,
        AbortKind::FourKongs,
        AbortKind::ThreeWinners,
    ];

    /// Returns the name, as in JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            AbortKind::NineTerminals => "nine_terminals",
            AbortKind::FourWinds => "four_winds",
            AbortKind::FourRiichi => "four_riichi",
            AbortKind::FourKongs => "four_kongs",
            AbortKind::ThreeWinners => "three_winners",
        }
    }

    /// Returns whether it needs four players.
    const fn needs_four(self) -> bool {
        matches!(self, AbortKind::FourWinds | AbortKind::FourRiichi | AbortKind::ThreeWinners)
    }
}

/// Consequence of a reason to abort a deal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Abort {
    /// The deal goes on.
    #[default]
    No,
    /// The deal is over, and East deals again.
    Stay,
    /// The deal is over, and the deal passes.
    Pass,
}

/// Number of points by which a player is bankrupt, which ends the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bankruptcy {
    /// The game goes on.
    #[default]
    No,
    /// Fewer than 0.
    BelowZero,
    /// 0 or fewer.
    AtZero,
}

impl Bankruptcy {
    /// Returns whether a player with these points is bankrupt.
    #[must_use]
    pub const fn is_reached(self, points: i32) -> bool {
        match self {
            Bankruptcy::No => false,
            Bankruptcy::BelowZero => points < 0,
            Bankruptcy::AtZero => points <= 0,
        }
    }
}

/// Owner of the sticks that are on the table when the game is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftSticks {
    /// The first.
    #[default]
    First,
    /// No player.
    Lost,
}

/// Places of players with equal points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ties {
    /// Shared places, with what they gain.
    #[default]
    Share,
    /// Order of the seats: the player who dealt earlier in the first round is before the other.
    Seats,
}

/// The part of the law that only riichi has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RiichiLaw {
    /// Points that the players who are not ready pay together after an exhaustive draw.
    pub noten: i32,
    /// Points that each player has at the start.
    pub start: i32,
    /// Points that the result is counted from; the difference of all players goes to the first.
    pub target: i32,
    /// Points that first, second, third and fourth place gain or lose.
    pub uma: [i32; 4],
    /// Whether a player with fewer points than a stick may declare riichi.
    pub may_owe_stick: bool,
    /// Consequence of each reason to abort a deal, in the order of [`AbortKind::ALL`].
    pub aborts: [Abort; 5],
    /// Whether a player whose discards are all terminals and honors is paid a mangan after an
    /// exhaustive draw.
    pub nagashi: bool,
    /// Points that end the game.
    pub bankruptcy: Bankruptcy,
    /// Whether the game ends when East, who would deal again after winning in the last deal, is
    /// first.
    pub stops_after_win: bool,
    /// Whether it ends when East, who would deal again after a draw in the last deal, is first.
    pub stops_after_draw: bool,
    /// Points without which there is a further round; 0 if there is none.
    pub extension: i32,
    /// Owner of the sticks that are left.
    pub left_sticks: LeftSticks,
    /// Places of players with equal points.
    pub ties: Ties,
    /// Points that a false win takes off the result; 0 if a mangan is paid to the others.
    pub chombo: i32,
}

impl RiichiLaw {
    /// Returns the consequence of a reason to abort a deal at a table with these seats.
    const fn abort(&self, seats: Seats, kind: AbortKind) -> Abort {
        if kind.needs_four() && matches!(seats, Seats::Three) {
            return Abort::No;
        }
        self.aborts[kind as usize]
    }

    /// Returns the points that the first gets because the result is counted from more points than
    /// players have at the start.
    #[must_use]
    pub fn oka(&self, seats: Seats) -> i32 {
        seats.winds().len() as i32 * (self.target - self.start)
    }
}

/// The part of the law that only the game of sixteen tiles has: the dealer owes and gets more for
/// each deal that he has stayed on, wherever he sits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DealerLaw {
    /// Whether the opened wall gives the winds of a deal; otherwise the dealer sits East.
    pub wall_gives_winds: bool,
}

/// A condition under which the deal passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassingRule {
    /// After every deal.
    Always,
    /// After a win of a player other than East: East deals again after winning and after a draw.
    WhenAnotherWins,
    /// After every deal that East did not win: East deals again only after winning.
    UnlessEastWins,
    /// After a win of a player other than East, and after an exhaustive draw in which East is not
    /// ready.
    WhenEastIsNotReady,
}

/// The ending of a deal, as far as it decides the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The player of this seat won, counted from the dealer as East.
    Won(Wind),
    /// No player won.
    Drawn,
    /// No player won, and East was not ready when the wall was empty, or the deal was aborted for a
    /// reason after which it passes.
    DrawnWithoutEast,
    /// The deal of riichi was aborted, and East deals again.
    Aborted,
    /// The deal is dealt again, as after a false win in riichi.
    Void,
}

/// Exchange between two rounds in which no player changes seats.
pub const STAY: [Wind; 4] = Wind::ALL;

impl Law {
    /// Default law: the winds always rotate, and no player changes seats.
    pub const ROTATING: Law = Law {
        passing: PassingRule::Always,
        exchanges: [STAY; 3],
        table_points: None,
        rounds: 4,
        seats: Seats::Four,
        several_winners: SeveralWinners::Nearest,
        riichi: None,
        dealer: None,
        paragraph: "the deal always passes",
    };

    /// Returns the consequence of a reason to abort a deal.
    #[must_use]
    pub fn abort(&self, kind: AbortKind) -> Abort {
        self.riichi.map_or(Abort::No, |riichi| riichi.abort(self.seats, kind))
    }

    /// Returns whether the deal passes after this ending.
    #[must_use]
    pub const fn passes(&self, ending: Ending) -> bool {
        if matches!(ending, Ending::Aborted | Ending::Void) {
            return false;
        }
        let won = matches!(ending, Ending::Won(Wind::East));
        let drawn = matches!(ending, Ending::Drawn | Ending::DrawnWithoutEast);
        match self.passing {
            PassingRule::Always => true,
            PassingRule::WhenAnotherWins => !won && !drawn,
            PassingRule::UnlessEastWins => !won,
            PassingRule::WhenEastIsNotReady => !won && !matches!(ending, Ending::Drawn),
        }
    }
}
