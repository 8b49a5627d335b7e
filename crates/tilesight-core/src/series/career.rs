//! The record of a player in a series: places, deals won and fed, the average and the largest hand.
//!
//! Input: the progress. Output: [`Career`]. Invariant: only rounds that the player played in person
//! count.

use super::SeriesPlayer;
use super::placing::place;
use super::progress::{Progress, Table};

/// The record of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Career {
    /// The player.
    pub player: SeriesPlayer,
    /// Number of tables with a result.
    pub rounds: u32,
    /// Number of first, second, third and fourth places.
    pub places: Vec<u32>,
    /// Points won and lost.
    pub points: i64,
    /// Number of other players whom the player has met.
    pub met: u32,
    /// Number of deals of which the hands are known.
    pub deals: u32,
    /// Number of deals that the player won.
    pub won: u32,
    /// Number of those that were won by self-draw.
    pub self_drawn: u32,
    /// Number of deals that another player won on this player's discard.
    pub fed: u32,
    /// Number of won hands whose total is known.
    pub scored: u32,
    /// Sum of these totals.
    pub total: u64,
    /// Largest hand.
    pub largest: Option<LargestHand>,
}

/// The largest hand of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LargestHand {
    /// Total of the hand.
    pub total: u32,
    /// Hand in notation.
    pub hand: Option<String>,
    /// Round in which it was won.
    pub round: u32,
    /// Table at which it was won.
    pub table: u32,
    /// Id of the evening.
    pub game: Option<String>,
    /// Entry of the evening's sheet, by which a device finds the photo that it kept.
    pub entry: u32,
}

impl Progress {
    /// Returns the records of all players, in the order of their numbers.
    #[must_use]
    pub fn careers(&self) -> Vec<Career> {
        let met = self.encounters(self.rounds.len());
        let players: Vec<_> = (0..self.players.len()).map(SeriesPlayer::from_index).collect();
        let mut careers: Vec<Career> = players
            .iter()
            .map(|&player| Career {
                player,
                rounds: 0,
                places: vec![0; self.seats()],
                points: 0,
                met: players.iter().map(|&one| u32::from(met.count_between(player, one) > 0)).sum(),
                deals: 0,
                won: 0,
                self_drawn: 0,
                fed: 0,
                scored: 0,
                total: 0,
                largest: None,
            })
            .collect();
        for (round, tables) in self.rounds.iter().enumerate() {
            for (table, played) in tables.tables.iter().enumerate() {
                self.count_table(played, [round as u32 + 1, table as u32 + 1], &mut careers);
            }
        }
        careers
    }

    /// Counts a table; its place is the round and its number.
    fn count_table(&self, played: &Table, [round, table]: [u32; 2], careers: &mut [Career]) {
        let Some(result) = &played.result else { return };
        let outcomes = place(&result.points, &self.ranking);
        for (at, chair) in played.chairs.iter().enumerate() {
            let Some(player) = chair.present() else { continue };
            let career = &mut careers[player.index()];
            career.rounds += 1;
            career.places[usize::from(outcomes[at].place) - 1] += 1;
            career.points += i64::from(result.points[at]);
            let Some(hands) = result.hands.get(at) else { continue };
            career.deals += hands.deals;
            career.won += hands.won;
            career.self_drawn += hands.self_drawn;
            career.fed += hands.fed;
            career.scored += hands.scored;
            career.total += hands.total;
            let Some(best) = &hands.best else { continue };
            if career.largest.as_ref().is_none_or(|largest| largest.total < best.total) {
                career.largest = Some(LargestHand {
                    total: best.total,
                    hand: best.hand.clone(),
                    round,
                    table,
                    game: played.game.clone(),
                    entry: best.entry,
                });
            }
        }
    }
}
