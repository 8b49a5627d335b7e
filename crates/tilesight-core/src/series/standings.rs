//! The standings of a series after a round.
//!
//! Input: the progress, and the number of rounds that count so far. Output: the players by falling
//! scores. Invariants: players with equal scores have the same place; of the rounds of a player the
//! best count, as many as the rules of ranking say; penalties always count.

use std::cmp::Reverse;

use serde::Serialize;

use super::placing::place;
use super::progress::{Progress, Round};
use super::score::Score;
use super::{FixedScore, SeriesPlayer};

/// The place of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// The player.
    pub player: SeriesPlayer,
    /// Place, from 1; players with equal scores share it.
    pub place: u32,
    /// Number of rounds that the player played.
    pub played: u32,
    /// Score of all that counts.
    pub score: Score,
    /// Part of it that was given or taken by hand.
    pub penalty: Score,
    /// Rounds of the player.
    pub rounds: Vec<PlayedRound>,
}

/// A round of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedRound {
    /// Number of the round.
    pub round: u32,
    /// Number of the table; `None` for a player who rested or was absent.
    pub table: Option<u32>,
    /// Presence of the player in the round.
    pub presence: Presence,
    /// Place at the table; `None` before its result.
    pub place: Option<u8>,
    /// Score of the round; `None` before its result, and where it has none.
    pub score: Option<Score>,
    /// Whether the score is among the best, which count.
    pub counts: bool,
}

/// Presence of a player in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Presence {
    /// The player sat at a table.
    Played,
    /// A substitute sat on the player's chair.
    Substituted,
    /// The player rested, because the tables were full.
    Rested,
    /// The player was not there.
    Absent,
}

/// Returns the standings after the first rounds.
#[must_use]
pub fn standings(progress: &Progress, rounds: usize) -> Vec<Standing> {
    let players = (0..progress.players.len()).map(SeriesPlayer::from_index);
    let mut all: Vec<Standing> = players.map(|player| standing(progress, player, rounds)).collect();
    let order = progress.ranking.order;
    all.sort_by_key(|one| Reverse(one.score.key(order)));
    let keys: Vec<_> = all.iter().map(|one| one.score.key(order)).collect();
    for one in &mut all {
        let ahead = keys.partition_point(|key| *key > one.score.key(order));
        one.place = ahead as u32 + 1;
    }
    all
}

/// Returns the standing of a player, without the place.
fn standing(progress: &Progress, player: SeriesPlayer, count: usize) -> Standing {
    let first = (1..).zip(progress.rounds.iter().take(count));
    let mut rounds: Vec<PlayedRound> =
        first.map(|(number, round)| played(progress, player, number, round)).collect();
    choose_best(&mut rounds, progress);
    let counted = rounds.iter().filter(|round| round.counts).filter_map(|round| round.score);
    let penalties = progress.penalties.iter().filter(|one| one.player == player);
    let due = penalties.filter(|one| one.round.is_none_or(|round| round as usize <= count));
    let penalty: Score = due.map(|one| Score::from(one.value)).sum();
    let score = counted.sum::<Score>() + penalty;
    let played = rounds.iter().filter(|round| round.place.is_some()).count() as u32;
    Standing { player, place: 0, played, score, penalty, rounds }
}

/// Marks the rounds of a player that count.
fn choose_best(rounds: &mut [PlayedRound], progress: &Progress) {
    let order = progress.ranking.order;
    let mut scored: Vec<usize> =
        (0..rounds.len()).filter(|&at| rounds[at].score.is_some()).collect();
    scored.sort_by_key(|&at| Reverse(rounds[at].score.map(|score| score.key(order))));
    let best = match progress.ranking.best {
        0 => scored.len(),
        best => best as usize,
    };
    for &at in scored.iter().take(best) {
        rounds[at].counts = true;
    }
}

/// Returns a round of a player.
fn played(progress: &Progress, player: SeriesPlayer, number: u32, round: &Round) -> PlayedRound {
    let absent = PlayedRound {
        round: number,
        table: None,
        presence: Presence::Absent,
        place: None,
        score: None,
        counts: false,
    };
    let Some((table, chair)) = round.find(player) else {
        if !round.resting.contains(&player) {
            return absent;
        }
        let rest = progress.ranking.rest;
        let score = (rest != FixedScore::default()).then(|| Score::from(rest));
        return PlayedRound { presence: Presence::Rested, score, ..absent };
    };
    let is_present = round.tables[table].chairs[chair].guest.is_none();
    let presence = if is_present { Presence::Played } else { Presence::Substituted };
    let counts = is_present || progress.ranking.substitutes_count;
    let result = round.tables[table].result.as_ref().filter(|_| counts);
    let outcome = result.map(|result| place(&result.points, &progress.ranking)[chair]);
    PlayedRound {
        table: Some(table as u32 + 1),
        place: outcome.map(|one| one.place),
        presence,
        score: outcome.map(|one| one.score),
        ..absent
    }
}
