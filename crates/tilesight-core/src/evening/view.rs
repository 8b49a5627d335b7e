//! A game as every front end shows it: the JSON of the service, of its events and of the command
//! line.
//!
//! Input: a [`Game`] and its revision. Output: [`GameView`]. Invariant: field names keep their
//! meaning; fields may be added.

use std::borrow::Cow;

use serde::Serialize;

use crate::explain::Lang;
use crate::rules::RulesetId;
use crate::rules::law::Law;
use crate::tile::Wind;

use super::{
    ActionDto, Change, Deal, EntryId, Game, GameError, PlayDto, Player, Points, Rank, Row, State,
    TablePoints,
};

/// An evening's game.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = Game)]
pub struct GameView {
    /// Id of the game; `null` for viewers with a read-only link.
    pub id: Option<String>,
    /// Revision of the game, as in the `ETag`; it grows with every change.
    pub revision: u64,
    /// Title of the game.
    pub title: String,
    /// Rule set of the game.
    pub ruleset: RulesetId,
    /// Players in the order of their first seats: East, South, West, North.
    pub players: Vec<String>,
    /// State of the game.
    pub state: State,
    /// Deal that is played next; `null` when the game is over.
    pub next: Option<DealView>,
    /// Rows of the score sheet, in the order of play.
    pub rows: Vec<RowView>,
    /// Total points of each player, in the order of the players.
    pub totals: Vec<i32>,
    /// Places of the players, by falling totals.
    pub standings: Vec<PlaceView>,
    /// All changes that were ever made, oldest first.
    pub history: Vec<ChangeView>,
    /// Change that an undo would take back next.
    pub undo: Option<u32>,
    /// Token of the read-only link; `null` if there is no link, or its token is not known.
    pub share: Option<String>,
}

/// A deal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = Deal)]
pub struct DealView {
    /// Number in the game, from 1.
    pub number: u32,
    /// Wind of the round.
    pub round: Wind,
    /// Players at East, South, West and North; East deals.
    pub seats: Vec<Player>,
    /// Number of times in a row that this dealer has dealt again.
    pub repeats: u32,
    /// Number of counters on the table, in riichi alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub honba: Option<u8>,
    /// Number of riichi sticks on the table, in riichi alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub riichi_sticks: Option<u8>,
}

/// A row of the score sheet.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = GameRow)]
pub struct RowView {
    /// Id of the entry, which a correction names.
    pub entry: EntryId,
    /// Deal of the entry; `null` for points that were entered after the last deal.
    pub deal: Option<DealView>,
    /// Event of the deal.
    pub play: PlayDto,
    /// Whether the entry was corrected since it was added.
    pub corrected: bool,
    /// Score of the won hand.
    pub score: Option<RowScore>,
    /// Points that each player gains or loses by the entry.
    pub payments: Vec<i32>,
    /// Total points of each player after the entry.
    pub totals: Vec<i32>,
}

/// Short score of a row; `POST /v1/score` explains it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = GameRowScore)]
pub struct RowScore {
    /// Total by which hands are compared.
    pub total: u32,
    /// Value that the payments are based on.
    pub value: u32,
    /// Lines that count.
    pub awards: Vec<RowAward>,
}

/// A line that counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = GameRowAward)]
pub struct RowAward {
    /// Code of the line, the same in all languages.
    pub code: &'static str,
    /// Name of the line in the requested language.
    pub name: Cow<'static, str>,
    /// Number of times that the line counts.
    pub count: u32,
}

/// The place of a player.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = GamePlace)]
pub struct PlaceView {
    /// The player.
    pub player: Player,
    /// Place, from 1; players with equal totals share it.
    pub place: u8,
    /// Total points won and lost.
    pub total: i32,
    /// Tournament points for the place; players with equal totals share them. `null` where the
    /// rules have none.
    #[schema(value_type = Option<f64>)]
    pub table_points: Option<TablePoints>,
    /// Result with uma and oka, in riichi alone. The sticks that are left on the table go to the
    /// first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<i32>,
}

/// A change in the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = GameChange)]
pub struct ChangeView {
    /// Number of the change, from 1; an entry is named by the number of the change that added it.
    pub number: u32,
    /// Time in milliseconds since 1970.
    pub at: u64,
    /// Author of the change, as they call themselves.
    pub by: Option<String>,
    /// `Idempotency-Key` of the request; shown to players only.
    pub key: Option<String>,
    /// Action that was applied.
    pub action: ActionDto,
    /// Whether the change was taken back.
    pub undone: bool,
}

impl GameView {
    /// Returns the view for players, with the id of the game and the token of its read-only link.
    ///
    /// # Errors
    /// [`GameError`] if the rules have changed since, so that a hand can no longer be scored.
    pub fn for_players(
        game: &Game,
        id: &str,
        revision: u64,
        share: Option<String>,
        lang: Lang,
    ) -> Result<GameView, GameError> {
        let mut view = GameView::for_onlookers(game, revision, lang)?;
        for (told, change) in view.history.iter_mut().zip(game.changes()) {
            told.key.clone_from(&change.key);
        }
        Ok(GameView { id: Some(id.to_owned()), share, ..view })
    }

    /// Returns the view for viewers with a read-only link.
    ///
    /// # Errors
    /// [`GameError`] if the rules have changed since, so that a hand can no longer be scored.
    pub fn for_onlookers(game: &Game, revision: u64, lang: Lang) -> Result<GameView, GameError> {
        let (sheet, law) = (game.sheet()?, game.ruleset().rules().law());
        Ok(GameView {
            id: None,
            revision,
            title: game.title().to_owned(),
            ruleset: game.ruleset().id(),
            players: game.players().to_vec(),
            state: sheet.state,
            next: sheet.next.as_ref().map(|deal| DealView::new(deal, &law)),
            rows: sheet.rows.iter().map(|row| RowView::new(row, &law, lang)).collect(),
            totals: sheet.totals.to_vec(),
            standings: sheet.standings.iter().map(PlaceView::from).collect(),
            history: game
                .changes()
                .iter()
                .map(|change| ChangeView { key: None, ..ChangeView::new(change, game) })
                .collect(),
            undo: game.undoable(),
            share: None,
        })
    }
}

impl DealView {
    fn new(deal: &Deal, law: &Law) -> DealView {
        let seats = Wind::ALL.map(|seat| deal.player_at(seat)).to_vec();
        let &Deal { number, round, repeats, honba, sticks, .. } = deal;
        let of_riichi = |count: u8| law.riichi.map(|_| count);
        let (honba, riichi_sticks) = (of_riichi(honba), of_riichi(sticks));
        DealView { number, round, seats, repeats, honba, riichi_sticks }
    }
}

impl RowView {
    fn new(row: &Row, law: &Law, lang: Lang) -> RowView {
        let list = |points: &Points| points.to_vec();
        let score = row.scored.as_ref().map(|scored| RowScore {
            total: scored.score().total,
            value: scored.score().value,
            awards: scored
                .score()
                .awards
                .iter()
                .map(|award| RowAward {
                    code: award.rule.code,
                    name: award.rule.name(lang).into(),
                    count: award.count,
                })
                .collect(),
        });
        RowView {
            entry: row.entry,
            deal: row.deal.as_ref().map(|deal| DealView::new(deal, law)),
            play: PlayDto::from(&row.play),
            corrected: row.corrected,
            score,
            payments: list(&row.payments),
            totals: list(&row.totals),
        }
    }
}

impl From<&Rank> for PlaceView {
    fn from(one: &Rank) -> PlaceView {
        let &Rank { player, place, total, table_points, result } = one;
        PlaceView { player, place, total, table_points, result }
    }
}

impl ChangeView {
    fn new(change: &Change, game: &Game) -> ChangeView {
        ChangeView {
            number: change.number,
            at: change.at,
            by: change.by.clone(),
            key: change.key.clone(),
            action: ActionDto::from(&change.action),
            undone: game.is_undone(change.number),
        }
    }
}
