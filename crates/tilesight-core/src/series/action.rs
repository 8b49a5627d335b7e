//! Actions on a series, as clients send them and as the journal holds them.

use serde::{Deserialize, Serialize};

use super::collect::CollectedTable;
use super::ranking::{FixedScore, RankingDto};
use super::{Chair, SeriesPlayer};
use crate::contract::{Problem, object, read_json};

/// An action on a series.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum SeriesAction {
    /// Adds players at the end of the list.
    AddPlayers {
        /// Names of the players.
        names: Vec<String>,
    },
    /// Corrects the name of a player.
    RenamePlayer {
        /// The player.
        player: SeriesPlayer,
        /// Name of the player from now on, in earlier rounds too.
        name: String,
    },
    /// Seats a player no longer, who stays in the standings.
    Leave {
        /// The player.
        player: SeriesPlayer,
    },
    /// Seats a player again who had left.
    Return {
        /// The player.
        player: SeriesPlayer,
    },
    /// Changes the title, the rules of ranking or the number of rounds; what is left out stays.
    Settings {
        /// Title of the series.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(max_length = 200)]
        title: Option<String>,
        /// Rules of ranking.
        #[serde(skip_serializing_if = "Option::is_none")]
        ranking: Option<RankingDto>,
        /// Number of rounds that are planned; 0 if that is open.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(maximum = 104)]
        rounds: Option<u32>,
    },
    /// Seats the next round, or seats the last one anew if nothing was played in it.
    Seat {
        /// Round to seat; the next one when absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        round: Option<u32>,
        /// Seed of the seating; another one finds another seating. The number of the round when
        /// absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        seed: Option<u32>,
        /// Players who are absent from the round.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schema(required = false)]
        absent: Vec<SeriesPlayer>,
        /// Names of guests who may fill tables, so that nobody rests; as many sit as are needed.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schema(required = false)]
        guests: Vec<String>,
        /// Tables, to seat them by hand; found so that few encounters are repeated when absent.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schema(required = false)]
        tables: Vec<Vec<Chair>>,
    },
    /// Puts another person on the chair of a player in a round: a player who rests, or a guest as
    /// substitute. With neither, the player sits there again.
    Replace {
        /// The round.
        round: u32,
        /// Player who is absent.
        player: SeriesPlayer,
        /// Player who rests in this round, and sits here now.
        #[serde(skip_serializing_if = "Option::is_none")]
        by: Option<SeriesPlayer>,
        /// Name of a substitute who is no player of the series.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(max_length = 40)]
        guest: Option<String>,
    },
    /// Opens the evening of a table: a game of its players, whose result can be collected.
    Open {
        /// The round.
        round: u32,
        /// Number of the table, from 1.
        table: u32,
        /// Id of the game: one of the same key that is there already, or a new one when absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(max_length = 64)]
        game: Option<String>,
    },
    /// Enters or corrects the result of a table.
    Result {
        /// The round.
        round: u32,
        /// Number of the table, from 1.
        table: u32,
        /// Points of each chair: gains and losses, which sum to zero, or the points at the end,
        /// which sum to those at the start.
        #[schema(min_items = 3, max_items = 4)]
        points: Vec<i32>,
    },
    /// Takes the results of tables from their evenings, which are over.
    Collect {
        /// The round.
        round: u32,
        /// Number of the table; all tables whose evening is over when absent.
        #[serde(skip_serializing_if = "Option::is_none")]
        table: Option<u32>,
        /// Results that were taken. Only read in answers.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schema(required = false, read_only)]
        collected: Vec<CollectedTable>,
    },
    /// Removes the result of a table.
    Clear {
        /// The round.
        round: u32,
        /// Number of the table, from 1.
        table: u32,
    },
    /// Gives or takes points of a player, such as for being late.
    Penalty {
        /// The player.
        player: SeriesPlayer,
        /// Round in which it counts; when absent, always.
        #[serde(skip_serializing_if = "Option::is_none")]
        round: Option<u32>,
        /// Points, negative if they are taken.
        value: FixedScore,
        /// Reason for the sheet.
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(max_length = 200)]
        note: Option<String>,
    },
    /// Enters results that were written elsewhere, with rounds that were not seated here.
    Import {
        /// Names of players who are new.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schema(required = false)]
        names: Vec<String>,
        /// The tables.
        results: Vec<ImportedTable>,
        /// Players who rest in rounds that were not seated here.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schema(required = false)]
        resting: Vec<ImportedRest>,
    },
    /// Finishes the series.
    Finish,
    /// Takes a change back.
    Undo {
        /// Number of the change.
        change: u32,
    },
}

/// A table of results that were written elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportedTable {
    /// The round.
    pub round: u32,
    /// Number of the table, from 1.
    pub table: u32,
    /// Chairs of the table, in the order of the first seats.
    #[schema(min_items = 3, max_items = 4)]
    pub chairs: Vec<Chair>,
    /// Points of each chair; none of a table that was not played yet.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false, max_items = 4)]
    pub points: Vec<i32>,
}

/// Players who rest in a round that was written elsewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ImportedRest {
    /// The round.
    pub round: u32,
    /// Players who rest.
    #[schema(max_items = 200)]
    pub players: Vec<SeriesPlayer>,
}

/// An action in the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeriesChange {
    /// Number of the change, from 1.
    pub number: u32,
    /// Time in milliseconds since 1970.
    pub at: u64,
    /// Author of the change, as they call themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Idempotency key that the author gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The action that was applied.
    pub action: SeriesAction,
}

/// A change of a series.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewSeriesChange)]
pub struct SeriesChangeDto {
    /// Action to apply.
    #[serde(deserialize_with = "object")]
    pub action: SeriesAction,
    /// Author of the change, as they call themselves.
    #[schema(max_length = 40)]
    pub by: Option<String>,
}

impl SeriesChangeDto {
    /// Reads a request from JSON.
    ///
    /// # Errors
    /// [`Problem`] with the first field that has the wrong shape.
    pub fn from_json(json: &[u8]) -> Result<SeriesChangeDto, Problem> {
        read_json(json, "").map(|SeriesChangeDto { action, by }| SeriesChangeDto {
            action: action.into_asked(),
            by,
        })
    }
}

impl SeriesAction {
    /// Returns whether a stored action is what this one asks for: the program may have filled in
    /// the tables, the game or the results.
    pub(super) fn asks_for(&self, stored: &SeriesAction) -> bool {
        if self == stored {
            return true;
        }
        let mut asked = stored.clone().into_asked();
        if let SeriesAction::Seat { round, seed, tables, .. } = &mut asked
            && let SeriesAction::Seat { round: own_round, seed: own_seed, tables: own, .. } = self
            && own.is_empty()
        {
            tables.clear();
            *round = round.filter(|_| own_round.is_some());
            *seed = seed.filter(|_| own_seed.is_some());
        }
        if let (SeriesAction::Open { game, .. }, SeriesAction::Open { game: None, .. }) =
            (&mut asked, self)
        {
            *game = None;
        }
        &asked == self
    }

    /// Returns the action without results that only the program may fill in.
    fn into_asked(self) -> SeriesAction {
        match self {
            SeriesAction::Collect { round, table, .. } => {
                SeriesAction::Collect { round, table, collected: Vec::new() }
            }
            other => other,
        }
    }
}
