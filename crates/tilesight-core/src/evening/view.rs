//! A game as every front end shows it: the JSON of the service, of its events and of the command
//! line.
//!
//! Input: a [`Game`] and its revision. Output: [`GameView`]. Invariant: field names keep their
//! meaning; fields may be added.

use std::borrow::Cow;

use serde::Serialize;

use crate::contract::{DoublingDto, assumed_red_fives};
use crate::explain::Lang;
use crate::rules::law::{AbortKind, Law};
use crate::rules::riichi::Limit;
use crate::rules::{Award, Halves, RulesetId, Score};
use crate::tile::Wind;

use super::end::GameEnd;
use super::order::{further_winners, may_abort, may_declare, may_win};
use super::sheet::Sheet;
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
    /// Reason why the game is over. Absent while it is played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub end: Option<GameEnd>,
    /// Points that each player has at the start, to which `totals` are added, in riichi alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start_points: Option<i32>,
    /// Players who may have won by the discard of the last entry too; absent if none may.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub further_win: Option<FurtherWinView>,
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
    /// Players at East, South, West and North; East deals, unless `dealer` names another player.
    pub seats: Vec<Player>,
    /// Number of times in a row that this dealer has dealt again.
    pub repeats: u32,
    /// Player who deals, in the game of sixteen tiles alone: the opened wall may give other winds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dealer: Option<Player>,
    /// Number of counters on the table, in riichi alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub honba: Option<u8>,
    /// Number of riichi sticks on the table, in riichi alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub riichi_sticks: Option<u8>,
    /// Players who declared riichi in this deal before the entry, in riichi alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub declared: Option<Vec<Player>>,
    /// Players who may still declare riichi, in riichi alone: they have no stick on the table, and
    /// the points for one where the rules require these. Only of the deal that is played next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may_declare: Option<Vec<Player>>,
    /// Reasons for which the deal may be aborted now, in riichi alone. Only of the deal that is
    /// played next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may_abort: Option<Vec<AbortKind>>,
    /// Players who may win the deal or be ready at its end, in riichi alone: none once it must be
    /// aborted, and nobody whose hand is dead. Only of the deal that is played next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may_win: Option<Vec<Player>>,
    /// Whether discards that are all terminals and honors are paid as a mangan, in riichi alone.
    /// Only of the deal that is played next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may_nagashi: Option<bool>,
    /// Players whose hands are dead, in riichi alone. Absent if none is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub dead: Vec<Player>,
}

/// A further winner by the discard of the last entry, who may be entered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = FurtherWin)]
pub struct FurtherWinView {
    /// Player who discarded the tile.
    pub discarder: Player,
    /// Players who may have won by it too.
    pub winners: Vec<Player>,
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
    /// Whether the hand counts with riichi because its winner laid a stick in the deal, although
    /// riichi was not stated with it. Absent otherwise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub riichi_by_stick: bool,
    /// Player who is liable for the hand, named by the entry or by the `feeder` of its win context.
    /// Absent if none is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub liable: Option<Player>,
    /// Points that each player gains or loses by the entry.
    pub payments: Vec<i32>,
    /// Total points of each player after the entry.
    pub totals: Vec<i32>,
    /// Points that the entry takes off the result of its player in the end, in riichi. Absent if it
    /// takes none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penalty: Option<i32>,
}

/// Short score of a row; `POST /v1/score` explains it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = GameRowScore)]
pub struct RowScore {
    /// Total by which hands are compared.
    pub total: u32,
    /// Value that the payments are based on.
    pub value: u32,
    /// Han of all lines, in riichi alone; of a yakuman 13 for each that is paid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub han: Option<u32>,
    /// Fu, rounded up to tens (seven pairs: 25), in riichi alone; `null` for a yakuman.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u32>)]
    pub fu: Option<Option<u32>>,
    /// Limit that the hand reaches, in riichi alone; `null` below a mangan.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Limit>)]
    pub limit: Option<Option<Limit>>,
    /// Number of yakuman that are paid, in riichi alone. A counted one is not among them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub yakuman: Option<u32>,
    /// Whether 13 han and more are paid as a yakuman, in riichi alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted_yakuman: Option<bool>,
    /// Points of the riichi sticks on the table, which the winner takes, in riichi alone. They are
    /// part of the row's `payments`, and not of `total`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sticks: Option<u32>,
    /// Red fives that count although none was named, because the hand has all four fives of the
    /// suit, in riichi alone: `0p`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub assumed_red_fives: Vec<String>,
    /// Faan of the hand, cut at the limit; absent in games without faan. It equals `total`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faan: Option<u32>,
    /// Whether a line is worth the limit by itself; absent in games without faan.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit_hand: Option<bool>,
    /// Tai of the hand, cut at the cap; absent in games without tai. It equals `total`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tai: Option<u32>,
    /// Tai that the dealer and another player owe each other beside those of the hand; absent in
    /// games without tai.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dealer_tai: Option<u32>,
    /// Explanation of the total, if points are doubled; absent if they are only added up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubling: Option<DoublingDto>,
    /// Whether a player may be liable for the hand by its melds, and none was named: then `liable`
    /// or `feeder` of the win can change the payments. Absent otherwise.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub liability_open: bool,
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
    /// Points of one occurrence; 0 for doubles, limits, faan, tai and han.
    pub points: u32,
    /// Doubles of one occurrence, in steps of one half.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    pub doublings: Option<Halves>,
    /// Limits of one occurrence, in steps of one half.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<f64>)]
    pub limits: Option<Halves>,
    /// Faan of the line, all occurrences together; the limit for a line that is worth it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faan: Option<u32>,
    /// Tai of the line, all occurrences together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tai: Option<u32>,
    /// Han of the line in riichi; of dora those of all their tiles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub han: Option<u32>,
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
    /// Points that are missing to the player before; 0 for the first.
    pub to_next: i32,
    /// Points of the place, in riichi alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uma: Option<i32>,
    /// Points of the first beyond those of the start that the others put in, in riichi alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oka: Option<i32>,
    /// Points of the sticks that are left on the table, in riichi alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub left_sticks: Option<i32>,
    /// Points that false wins take off the result, in riichi alone. Absent if none do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub penalty: Option<i32>,
    /// Result with uma and oka, in riichi alone: the points with those of the start, less those
    /// that the result is counted from, with `uma`, `oka` and `left_sticks`, less `penalty`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<i32>,
}

/// A game in a list of games, with the fields that it has by itself.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct GameSummary {
    /// Id of the game.
    pub id: Option<String>,
    /// Revision of the game.
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
    /// Total points of each player, in the order of the players.
    pub totals: Vec<i32>,
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
        for (entry, change) in view.history.iter_mut().zip(game.changes()) {
            entry.key.clone_from(&change.key);
        }
        Ok(GameView { id: Some(id.to_owned()), share, ..view })
    }

    /// Returns the view for viewers with a read-only link.
    ///
    /// # Errors
    /// [`GameError`] if the rules have changed since, so that a hand can no longer be scored.
    pub fn for_onlookers(game: &Game, revision: u64, lang: Lang) -> Result<GameView, GameError> {
        let sheet = game.sheet()?;
        let law = game.ruleset().rules().law();
        Ok(GameView {
            id: None,
            revision,
            title: game.title().to_owned(),
            ruleset: game.ruleset().id(),
            players: game.players().to_vec(),
            state: sheet.state,
            end: sheet.end,
            start_points: law.riichi.map(|riichi| riichi.start),
            further_win: further_winners(&law, &sheet.rows)
                .map(|(discarder, winners)| FurtherWinView { discarder, winners }),
            next: sheet.next.as_ref().map(|deal| DealView::next(deal, &law, &sheet)),
            rows: sheet.rows.iter().map(|row| RowView::new(row, &law, lang)).collect(),
            totals: players_of(&sheet.totals, &law),
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
        let seats: Vec<Player> = deal.players().collect();
        let dead = seats.iter().copied().filter(|player| deal.is_dead(*player)).collect();
        let &Deal { number, round, repeats, honba, sticks, .. } = deal;
        let has_sticks = law.riichi.is_some();
        let players = Player::all_at(law.seats).iter().copied();
        let declarers = players.filter(|player| deal.has_declared(*player));
        DealView {
            number,
            round,
            seats,
            repeats,
            dealer: law.dealer.map(|_| deal.dealer()),
            honba: has_sticks.then_some(honba),
            riichi_sticks: has_sticks.then_some(sticks),
            declared: has_sticks.then(|| declarers.collect()),
            may_declare: None,
            may_abort: None,
            may_win: None,
            may_nagashi: None,
            dead,
        }
    }

    /// Returns the deal that is played next, with what may follow in it.
    fn next(deal: &Deal, law: &Law, sheet: &Sheet) -> DealView {
        let state = sheet.deal_state(law, false);
        DealView {
            may_declare: law.riichi.map(|_| may_declare(law, deal, state, &sheet.totals)),
            may_abort: law.riichi.map(|_| may_abort(law, deal, state)),
            may_win: law.riichi.map(|_| may_win(law, deal, state)),
            may_nagashi: law.riichi.map(|riichi| riichi.nagashi),
            ..DealView::new(deal, law)
        }
    }
}

/// Returns the points of the players who are there.
fn players_of(points: &Points, law: &Law) -> Vec<i32> {
    points[..law.seats.winds().len()].to_vec()
}

impl From<GameView> for GameSummary {
    fn from(game: GameView) -> GameSummary {
        let GameView { id, revision, title, ruleset, players, state, next, totals, .. } = game;
        GameSummary { id, revision, title, ruleset, players, state, next, totals }
    }
}

impl RowView {
    fn new(row: &Row, law: &Law, lang: Lang) -> RowView {
        RowView {
            entry: row.entry,
            deal: row.deal.as_ref().map(|deal| DealView::new(deal, law)),
            play: PlayDto::from(&row.play),
            corrected: row.corrected,
            score: row.scored.as_ref().map(|scored| RowScore::new(scored.score(), lang)),
            riichi_by_stick: row.has_riichi_by_stick(),
            liable: row.liable(),
            payments: players_of(&row.payments, law),
            totals: players_of(&row.totals, law),
            penalty: row.penalty.map(|(_, points)| points),
        }
    }
}

impl RowScore {
    fn new(score: &Score, lang: Lang) -> RowScore {
        let riichi = score.riichi.as_ref();
        let faan = score.faan();
        RowScore {
            total: score.total,
            value: score.value,
            han: riichi.map(|figures| figures.han),
            fu: riichi.map(|figures| figures.fu),
            limit: riichi.map(|figures| figures.limit),
            yakuman: riichi.map(|figures| figures.yakuman),
            counted_yakuman: riichi.map(|figures| figures.counted_yakuman),
            sticks: riichi.map(|figures| figures.sticks),
            assumed_red_fives: riichi.map(assumed_red_fives).unwrap_or_default(),
            faan: faan.as_ref().map(|count| count.faan),
            limit_hand: faan.as_ref().map(|count| count.is_limit_hand),
            tai: score.tai().map(|count| count.tai),
            dealer_tai: score.dealer_tai,
            liability_open: score.assumed_feeder.is_some(),
            doubling: score.doubling.map(DoublingDto::from),
            awards: score.awards.iter().map(|award| RowAward::new(award, lang)).collect(),
        }
    }
}

impl RowAward {
    fn new(award: &Award, lang: Lang) -> RowAward {
        RowAward {
            code: award.rule.code,
            name: award.rule.name(lang).into(),
            points: award.worth.points(),
            doublings: award.worth.doublings(),
            limits: award.worth.limits(),
            faan: award.worth.times(award.count).faan(),
            tai: award.worth.times(award.count).tai(),
            han: award.worth.han(),
            count: award.count,
        }
    }
}

impl From<&Rank> for PlaceView {
    fn from(one: &Rank) -> PlaceView {
        let &Rank { player, place, total, to_next, table_points, bonus } = one;
        let penalty = bonus.map(|bonus| bonus.penalty).filter(|&points| points != 0);
        PlaceView {
            player,
            place,
            total,
            table_points,
            to_next,
            uma: bonus.map(|bonus| bonus.uma),
            oka: bonus.map(|bonus| bonus.oka),
            left_sticks: bonus.map(|bonus| bonus.sticks),
            penalty,
            result: one.result(),
        }
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
