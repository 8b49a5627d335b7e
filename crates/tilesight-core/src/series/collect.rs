//! The result of a table from its evening.
//!
//! Input: a game. Output: its totals, and what each seat did in its deals.

use serde::{Deserialize, Serialize};

use crate::evening::{Game, GameError, HandPoints, Manual, Play, Player, Reason, Row, State, Win};

/// Result of a table that was taken from its evening.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CollectedTable {
    /// Number of the table, from 1.
    pub table: u32,
    /// Gains and losses, in the order of the chairs.
    pub points: Vec<i32>,
    /// Hands of each chair.
    pub hands: Vec<SeatHands>,
}

/// Hands of a player in the deals of an evening.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SeatHands {
    /// Number of deals that were played.
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
    /// Largest of these hands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<BestHand>,
}

/// The largest hand of a player in an evening.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BestHand {
    /// Total of the hand.
    pub total: u32,
    /// Hand in notation; absent if only its points were recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<String>,
    /// Entry of the evening's sheet.
    pub entry: u32,
}

/// Returns the result of a table from its evening; `None` while deals are left.
///
/// # Errors
/// [`GameError`] if the rules have changed since, so that a hand can no longer be scored.
pub fn collect(table: u32, game: &Game) -> Result<Option<CollectedTable>, GameError> {
    let sheet = game.sheet()?;
    if sheet.state == State::Running {
        return Ok(None);
    }
    let mut ended: Vec<u32> = sheet
        .rows
        .iter()
        .filter(|row| row.play.ends_deal())
        .filter_map(|row| row.deal.map(|deal| deal.number))
        .collect();
    ended.dedup();
    let points: Vec<i32> = sheet.totals[..game.players().len()].to_vec();
    let begun = SeatHands { deals: ended.len() as u32, ..SeatHands::default() };
    let mut hands = vec![begun; points.len()];
    sheet.rows.iter().for_each(|row| count(row, &mut hands));
    Ok(Some(CollectedTable { table, points, hands }))
}

/// Counts the win of a row.
fn count(row: &Row, hands: &mut [SeatHands]) {
    let (winner, discarder, hand) = match &row.play {
        Play::Win(Win { winner, discarder, hand, .. }) => {
            (*winner, *discarder, Some(hand.as_str().to_owned()))
        }
        Play::Points(HandPoints { winner, discarder, .. }) => (*winner, *discarder, None),
        Play::Manual(Manual { reason: Reason::Hand, player, .. }) => {
            hands[player.index()].won += 1;
            return;
        }
        _ => return,
    };
    let own = &mut hands[winner.index()];
    own.won += 1;
    own.self_drawn += u32::from(discarder.is_none());
    if let Some(total) = row.total() {
        own.scored += 1;
        own.total += u64::from(total);
        if own.best.as_ref().is_none_or(|best| best.total < total) {
            own.best = Some(BestHand { total, hand, entry: row.entry.0 });
        }
    }
    if let Some(fed) = discarder.map(Player::index) {
        hands[fed].fed += 1;
    }
}
