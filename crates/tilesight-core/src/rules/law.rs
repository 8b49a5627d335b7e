//! The law of the deal: who deals next, when the wind of the round advances, and when players
//! change seats.
//!
//! Each game has a small [`Law`], which is data; [`game`](crate::evening) applies it. Input: a deal
//! and its ending. Output: the next deal, or the end of the game. Invariant: each
//! round passes the deal to each player once, and after the last one the game ends.

use crate::tile::Wind;

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
    /// Counters, sticks and the final result, where riichi is played.
    pub riichi: Option<RiichiLaw>,
    /// Payments and winds that depend on the dealer, in the game of sixteen tiles.
    pub dealer: Option<DealerLaw>,
    /// Paragraph of the rules with this law.
    pub paragraph: &'static str,
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
}

impl RiichiLaw {
    /// Returns the gain of a place from uma and oka.
    #[must_use]
    pub const fn bonus(&self, place: usize) -> i32 {
        let oka = if place == 0 { 4 * (self.target - self.start) } else { 0 };
        self.uma[place] + oka
    }
}

/// The part of the law that only the game of sixteen tiles has: the dealer owes and gets more for
/// each deal that he has stayed on, wherever he sits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DealerLaw {
    /// Whether the opened wall gives the winds of a deal; otherwise the dealer sits East.
    pub wall_gives_winds: bool,
    /// Whether several players may win by one discard.
    pub several_winners: bool,
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
    /// No player won, and East was not ready when the wall was empty.
    DrawnWithoutEast,
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
        riichi: None,
        dealer: None,
        paragraph: "the deal always passes",
    };

    /// Returns whether the deal passes after this ending.
    #[must_use]
    pub const fn passes(&self, ending: Ending) -> bool {
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
