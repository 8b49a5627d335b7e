//! Parser of actions from JSON objects whose `kind` determines their other fields, as that of
//! [plays](crate::evening): an error has the path of its field.

use serde::{Deserialize, Deserializer};

use super::action::{ImportedRest, ImportedTable, SeriesAction};
use super::collect::CollectedTable;
use super::ranking::{FixedScore, RankingDto};
use super::{Chair, SeriesPlayer};
use crate::evening::by_kind::{FieldsByKind, deserialize_present, read_by_kind, require};

/// Kinds of actions.
#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    AddPlayers,
    RenamePlayer,
    Leave,
    Return,
    Settings,
    Seat,
    Replace,
    Open,
    Result,
    Collect,
    Clear,
    Penalty,
    Import,
    Finish,
    Undo,
}

/// Fields of all kinds of actions.
#[derive(Deserialize)]
struct Fields {
    kind: Kind,
    #[serde(default)]
    names: Vec<String>,
    #[serde(default, deserialize_with = "deserialize_present")]
    player: Option<SeriesPlayer>,
    #[serde(default, deserialize_with = "deserialize_present")]
    name: Option<String>,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    ranking: Option<RankingDto>,
    #[serde(default)]
    rounds: Option<u32>,
    #[serde(default)]
    round: Option<u32>,
    #[serde(default)]
    seed: Option<u32>,
    #[serde(default)]
    absent: Vec<SeriesPlayer>,
    #[serde(default)]
    guests: Vec<String>,
    #[serde(default)]
    tables: Vec<Vec<Chair>>,
    #[serde(default)]
    by: Option<SeriesPlayer>,
    #[serde(default)]
    guest: Option<String>,
    #[serde(default)]
    table: Option<u32>,
    #[serde(default)]
    game: Option<String>,
    #[serde(default, deserialize_with = "deserialize_present")]
    points: Option<Vec<i32>>,
    #[serde(default)]
    collected: Vec<CollectedTable>,
    #[serde(default, deserialize_with = "deserialize_present")]
    value: Option<FixedScore>,
    #[serde(default)]
    note: Option<String>,
    #[serde(default, deserialize_with = "deserialize_present")]
    results: Option<Vec<ImportedTable>>,
    #[serde(default)]
    resting: Vec<ImportedRest>,
    #[serde(default, deserialize_with = "deserialize_present")]
    change: Option<u32>,
}

impl FieldsByKind for Fields {
    fn names(&self) -> &'static [&'static str] {
        match self.kind {
            Kind::AddPlayers => &["kind", "names"],
            Kind::RenamePlayer => &["kind", "player", "name"],
            Kind::Leave | Kind::Return => &["kind", "player"],
            Kind::Settings => &["kind", "title", "ranking", "rounds"],
            Kind::Seat => &["kind", "round", "seed", "absent", "guests", "tables"],
            Kind::Replace => &["kind", "round", "player", "by", "guest"],
            Kind::Open => &["kind", "round", "table", "game"],
            Kind::Result => &["kind", "round", "table", "points"],
            Kind::Collect => &["kind", "round", "table", "collected"],
            Kind::Clear => &["kind", "round", "table"],
            Kind::Penalty => &["kind", "player", "round", "value", "note"],
            Kind::Import => &["kind", "names", "results", "resting"],
            Kind::Finish => &["kind"],
            Kind::Undo => &["kind", "change"],
        }
    }
}

impl<'de> Deserialize<'de> for SeriesAction {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SeriesAction, D::Error> {
        let fields: Fields = read_by_kind(deserializer)?;
        Ok(match fields.kind {
            Kind::AddPlayers => SeriesAction::AddPlayers { names: fields.names },
            Kind::RenamePlayer => SeriesAction::RenamePlayer {
                player: require("player", fields.player)?,
                name: require("name", fields.name)?,
            },
            Kind::Leave => SeriesAction::Leave { player: require("player", fields.player)? },
            Kind::Return => SeriesAction::Return { player: require("player", fields.player)? },
            Kind::Settings => {
                let Fields { title, ranking, rounds, .. } = fields;
                SeriesAction::Settings { title, ranking, rounds }
            }
            Kind::Seat => {
                let Fields { round, seed, absent, guests, tables, .. } = fields;
                SeriesAction::Seat { round, seed, absent, guests, tables }
            }
            Kind::Replace => SeriesAction::Replace {
                round: require("round", fields.round)?,
                player: require("player", fields.player)?,
                by: fields.by,
                guest: fields.guest,
            },
            Kind::Penalty => SeriesAction::Penalty {
                player: require("player", fields.player)?,
                round: fields.round,
                value: require("value", fields.value)?,
                note: fields.note,
            },
            Kind::Import => SeriesAction::Import {
                names: fields.names,
                results: require("results", fields.results)?,
                resting: fields.resting,
            },
            Kind::Finish => SeriesAction::Finish,
            Kind::Undo => SeriesAction::Undo { change: require("change", fields.change)? },
            Kind::Open | Kind::Result | Kind::Collect | Kind::Clear => fields.table_action()?,
        })
    }
}

impl Fields {
    /// Returns the action on a table.
    fn table_action<E: serde::de::Error>(self) -> Result<SeriesAction, E> {
        let round = require("round", self.round)?;
        if let Kind::Collect = self.kind {
            let Fields { table, collected, .. } = self;
            return Ok(SeriesAction::Collect { round, table, collected });
        }
        let table = require("table", self.table)?;
        Ok(match self.kind {
            Kind::Open => SeriesAction::Open { round, table, game: self.game },
            Kind::Result => {
                SeriesAction::Result { round, table, points: require("points", self.points)? }
            }
            _ => SeriesAction::Clear { round, table },
        })
    }
}
