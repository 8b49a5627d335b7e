//! The law of the deal: who deals next, when the wind of the round advances, where seats change.
//!
//! Each game answers with a small [`Law`], which is data; [`game`](crate::game) follows it. Input:
//! a deal and how it ended. Output: the next deal, or that the game is over. Invariant: every law
//! ends: each of the four rounds passes the deal to each player once.

use crate::tile::Wind;

/// Who deals, for how long, and who sits where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Law {
    /// When the deal passes to the next player.
    pub passing: PassingRule,
    /// How the seats change before the South, the West and the North round: the wind that each
    /// former East, South, West and North has from then on.
    pub exchanges: [[Wind; 4]; 3],
    /// What first, second, third and fourth place earn at a tournament; `None` if the rules
    /// have no such points.
    pub table_points: Option<[u8; 4]>,
    /// Where the rules say it.
    pub paragraph: &'static str,
}

/// When the deal passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassingRule {
    /// After every deal.
    Always,
    /// When another player than East won: East deals again after winning and after a draw.
    WhenAnotherWins,
}

/// How a deal ended, as far as it decides the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// The player of this seat won.
    Won(Wind),
    /// Nobody won.
    Drawn,
}

/// Nobody changes seats between two rounds.
pub const STAY: [Wind; 4] = Wind::ALL;

impl Law {
    /// Winds always rotate, and nobody changes seats: the default.
    pub const ROTATING: Law = Law {
        passing: PassingRule::Always,
        exchanges: [STAY; 3],
        table_points: None,
        paragraph: "the deal always passes",
    };

    /// Whether the deal passes after this ending.
    #[must_use]
    pub const fn passes(&self, ending: Ending) -> bool {
        let east_stays = matches!(ending, Ending::Won(Wind::East) | Ending::Drawn);
        match self.passing {
            PassingRule::Always => true,
            PassingRule::WhenAnotherWins => !east_stays,
        }
    }
}
