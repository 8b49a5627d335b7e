//! A game as every front end shows it: the JSON of the service, of its events and of the command.
//!
//! Input: a [`Game`] and its revision. Output: [`GameView`]. Invariant: field names keep their
//! meaning; fields may be added.

use std::borrow::Cow;

use serde::Serialize;

use crate::explain::Lang;
use crate::rules::RulesetId;
use crate::tile::Wind;

use super::{
    ActionDto, Change, Deal, EntryId, Game, GameError, Place, PlayDto, Player, Points, Row, State,
    TablePoints,
};

/// An evening's game.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = Game)]
pub struct GameView {
    /// Its id; `null` for those who may only look on.
    pub id: Option<String>,
    /// Its revision, as in the `ETag`: it grows with every change.
    pub revision: u64,
    /// What it is called.
    pub title: String,
    /// What it is played by.
    pub ruleset: RulesetId,
    /// The players in the order of their first seats: East, South, West, North.
    pub players: Vec<String>,
    /// Where it is in its life.
    pub state: State,
    /// The deal that is played next; `null` when the game is over.
    pub next: Option<DealView>,
    /// What happened, in the order of play.
    pub rows: Vec<RowView>,
    /// What each player has won and lost, in the order of the players.
    pub totals: Vec<i32>,
    /// Who leads: by falling totals.
    pub standings: Vec<PlaceView>,
    /// Everything that was ever entered, the oldest first.
    pub history: Vec<ChangeView>,
    /// The change that an undo would take back next.
    pub undo: Option<u32>,
    /// The token of the link for those who may only look on; `null` if there is none that can be
    /// shown.
    pub share: Option<String>,
}

/// A deal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = Deal)]
pub struct DealView {
    /// Its number in the game, from 1.
    pub number: u32,
    /// The wind of the round.
    pub round: Wind,
    /// Who sits at East, South, West and North; East deals.
    pub seats: Vec<Player>,
    /// How often this dealer has dealt again in a row.
    pub repeats: u32,
}

/// A row of the score sheet.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = GameRow)]
pub struct RowView {
    /// What it is named by in a correction.
    pub entry: EntryId,
    /// The deal that it belongs to; `null` for points that came after the last.
    pub deal: Option<DealView>,
    /// What happened.
    pub play: PlayDto,
    /// Whether it was corrected since it was entered.
    pub corrected: bool,
    /// What the won hand scores.
    pub score: Option<RowScore>,
    /// What each player gains or loses by it.
    pub payments: Vec<i32>,
    /// What each player has after it.
    pub totals: Vec<i32>,
}

/// The score of a row in short; `POST /v1/score` explains it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = GameRowScore)]
pub struct RowScore {
    /// What the hand is compared by.
    pub total: u32,
    /// What is settled.
    pub value: u32,
    /// The lines that count.
    pub awards: Vec<RowAward>,
}

/// A line that counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = GameRowAward)]
pub struct RowAward {
    /// The line, the same in all languages.
    pub code: &'static str,
    /// Its name in the language that was asked for.
    pub name: Cow<'static, str>,
    /// How often it counts.
    pub count: u32,
}

/// The place of a player.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = GamePlace)]
pub struct PlaceView {
    /// The player.
    pub player: Player,
    /// The place, from 1; equals share it.
    pub place: u8,
    /// Points won and lost.
    pub total: i32,
    /// What the place earns at a tournament; equals share it. `null` where the rules know none.
    #[schema(value_type = Option<f64>)]
    pub table_points: Option<TablePoints>,
}

/// A change in the history.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = GameChange)]
pub struct ChangeView {
    /// Its number, from 1; an entry is named by the number of the change that added it.
    pub number: u32,
    /// Milliseconds since 1970.
    pub at: u64,
    /// Who did it, as they call themselves.
    pub by: Option<String>,
    /// The `Idempotency-Key` of its request; shown to players only.
    pub key: Option<String>,
    /// What was done.
    pub action: ActionDto,
    /// Whether it was taken back.
    pub undone: bool,
}

impl GameView {
    /// A game with its id and its link, for those who play it.
    ///
    /// # Errors
    /// [`GameError`] where the rules have changed since.
    pub fn of_players(
        game: &Game,
        id: &str,
        revision: u64,
        share: Option<String>,
        lang: Lang,
    ) -> Result<GameView, GameError> {
        let mut view = GameView::of_onlookers(game, revision, lang)?;
        for (told, change) in view.history.iter_mut().zip(game.changes()) {
            told.key.clone_from(&change.key);
        }
        Ok(GameView { id: Some(id.to_owned()), share, ..view })
    }

    /// A game for those who may only look on.
    ///
    /// # Errors
    /// [`GameError`] where the rules have changed since.
    pub fn of_onlookers(game: &Game, revision: u64, lang: Lang) -> Result<GameView, GameError> {
        let sheet = game.sheet()?;
        Ok(GameView {
            id: None,
            revision,
            title: game.title().to_owned(),
            ruleset: game.ruleset().id(),
            players: game.players().to_vec(),
            state: sheet.state,
            next: sheet.next.as_ref().map(DealView::from),
            rows: sheet.rows.iter().map(|row| RowView::new(row, lang)).collect(),
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

impl From<&Deal> for DealView {
    fn from(deal: &Deal) -> DealView {
        let seats = Wind::ALL.map(|seat| deal.player_at(seat)).to_vec();
        DealView { number: deal.number, round: deal.round, seats, repeats: deal.repeats }
    }
}

impl RowView {
    fn new(row: &Row, lang: Lang) -> RowView {
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
            deal: row.deal.as_ref().map(DealView::from),
            play: PlayDto::from(&row.play),
            corrected: row.corrected,
            score,
            payments: list(&row.payments),
            totals: list(&row.totals),
        }
    }
}

impl From<&Place> for PlaceView {
    fn from(one: &Place) -> PlaceView {
        let &Place { player, place, total, table_points } = one;
        PlaceView { player, place, total, table_points }
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
