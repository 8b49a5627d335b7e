//! The law of the deal: who deals next, when the wind of the round advances, and when players
//! change seats.
//!
//! Each game has a small [`Law`], which is data; [`game`](crate::evening) applies it. Input: a deal
//! and its ending. Output: the next deal, or the end of the game. Invariant: each of the four
//! rounds passes the deal to each player once, and then the game ends.

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
    /// Paragraph of the rules with this law.
    pub paragraph: &'static str,
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
}

/// The ending of a deal, as far as it decides the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The player of this seat won.
    Won(Wind),
    /// No player won.
    Drawn,
}

/// Exchange between two rounds in which no player changes seats.
pub const STAY: [Wind; 4] = Wind::ALL;

impl Law {
    /// Default law: the winds always rotate, and no player changes seats.
    pub const ROTATING: Law = Law {
        passing: PassingRule::Always,
        exchanges: [STAY; 3],
        table_points: None,
        paragraph: "the deal always passes",
    };

    /// Returns whether the deal passes after this ending.
    #[must_use]
    pub const fn passes(&self, ending: Ending) -> bool {
        let east_stays = matches!(ending, Ending::Won(Wind::East) | Ending::Drawn);
        match self.passing {
            PassingRule::Always => true,
            PassingRule::WhenAnotherWins => !east_stays,
            PassingRule::UnlessEastWins => !matches!(ending, Ending::Won(Wind::East)),
        }
    }
}
