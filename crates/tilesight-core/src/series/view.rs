//! A series as every front end shows it: the JSON of the service and of the command line.
//!
//! Input: a [`Series`] and its revision. Output: [`SeriesView`]. Invariants: field names keep their
//! meaning; fields may be added. Those who have a read-only link see no id of the series or of its
//! evenings, because without keys an id lets its holder write.

use serde::Serialize;

use super::career::{Career, LargestHand};
use super::placing::{Outcome, place};
use super::progress::{Penalty, Progress, Round, Table};
use super::ranking::{FixedScore, Ranking};
use super::score::{Score, Twelfths};
use super::standings::{PlayedRound, Presence, Standing, standings};
use super::{Chair, Series, SeriesAction, SeriesChange, SeriesError, SeriesPlayer};
use crate::rules::RulesetId;

/// A series.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = Series)]
pub struct SeriesView {
    /// Id of the series; `null` for viewers with a read-only link.
    pub id: Option<String>,
    /// Revision of the series, as in the `ETag`; it grows with every change.
    pub revision: u64,
    /// Title of the series.
    pub title: String,
    /// Rule set of all evenings.
    pub ruleset: RulesetId,
    /// Number of seats of a table.
    pub seats: usize,
    /// Number of rounds that are planned; 0 if that is open.
    pub planned: u32,
    /// Rules of ranking.
    pub ranking: Ranking,
    /// State of the series.
    pub state: SeriesState,
    /// Players, in the order of their numbers.
    pub players: Vec<MemberView>,
    /// Rounds, in order.
    pub rounds: Vec<RoundView>,
    /// Number of rounds that the standings count.
    pub after: u32,
    /// Players by falling scores.
    pub standings: Vec<StandingView>,
    /// Records of the players, in the order of their numbers.
    pub records: Vec<CareerView>,
    /// Points that were given or taken by hand.
    pub penalties: Vec<PenaltyView>,
    /// All changes that were ever made, oldest first; empty for viewers with a read-only link.
    pub history: Vec<SeriesChangeView>,
    /// Change that an undo would take back next.
    pub undo: Option<u32>,
    /// Token of the read-only link; `null` if there is no link, or its token is not known.
    pub share: Option<String>,
}

/// A series in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct SeriesSummary {
    /// Id of the series.
    pub id: String,
    /// Revision of the series.
    pub revision: u64,
    /// Title of the series.
    pub title: String,
    /// Rule set of all evenings.
    pub ruleset: RulesetId,
    /// State of the series.
    pub state: SeriesState,
    /// Number of players.
    pub players: usize,
    /// Number of rounds that were seated.
    pub rounds: usize,
    /// Number of rounds that are planned; 0 if that is open.
    pub planned: u32,
}

/// State of a series.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SeriesState {
    /// More rounds can be seated.
    Running,
    /// The organiser finished the series.
    Finished,
}

/// A player of a series.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = SeriesMember)]
pub struct MemberView {
    /// Number of the player.
    pub number: SeriesPlayer,
    /// Name of the player.
    pub name: String,
    /// Whether the player is seated; one who left stays in the standings.
    pub active: bool,
}

/// A round.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = SeriesRound)]
pub struct RoundView {
    /// Number of the round, from 1.
    pub number: u32,
    /// Tables, in the order of their numbers.
    pub tables: Vec<TableView>,
    /// Players who rest, because the tables are full.
    pub resting: Vec<SeriesPlayer>,
    /// Number of pairs that had met in an earlier round.
    pub repeated: u32,
}

/// A table of a round.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = SeriesTable)]
pub struct TableView {
    /// Number of the table, from 1.
    pub number: u32,
    /// Seats, in the order of the first deal, East first.
    pub seats: Vec<SeatView>,
    /// Id of the evening that is played there; `null` for viewers with a read-only link.
    pub game: Option<String>,
    /// Whether the table has a result.
    pub has_result: bool,
}

/// A seat of a table.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = SeriesSeat)]
pub struct SeatView {
    /// Name of the person who sits there.
    pub name: String,
    /// Player to whom the seat belongs; `null` for a guest who fills the table.
    pub player: Option<SeriesPlayer>,
    /// Whether the person is a guest: a substitute of the player, or one who fills the table.
    pub is_guest: bool,
    /// Place at the table; `null` before its result.
    pub place: Option<u8>,
    /// Points won and lost; `null` before the result of the table.
    pub points: Option<i64>,
    /// Table points; `null` before the result of the table.
    #[schema(value_type = Option<f64>)]
    pub table_points: Option<Twelfths>,
    /// Points with uma and oka; `null` before the result of the table.
    pub result: Option<i64>,
}

/// The place of a player.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = SeriesStanding)]
pub struct StandingView {
    /// The player.
    pub player: SeriesPlayer,
    /// Name of the player.
    pub name: String,
    /// Place, from 1; players with equal scores share it.
    pub place: u32,
    /// Number of rounds that the player played.
    pub played: u32,
    /// Table points of all that counts, penalties included.
    #[schema(value_type = f64)]
    pub table_points: Twelfths,
    /// Points of all that counts, penalties included.
    pub points: i64,
    /// Points with uma and oka of all that counts, penalties included.
    pub result: i64,
    /// Table points of penalties.
    #[schema(value_type = f64)]
    pub penalty_table_points: Twelfths,
    /// Points of penalties.
    pub penalty_points: i64,
    /// Rounds of the player.
    pub rounds: Vec<PlayedRoundView>,
}

/// A round of a player.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = SeriesPlayedRound)]
pub struct PlayedRoundView {
    /// Number of the round.
    pub round: u32,
    /// Number of the table; `null` for a player who rested or was absent.
    pub table: Option<u32>,
    /// Presence of the player in the round.
    pub presence: Presence,
    /// Place at the table; `null` before its result.
    pub place: Option<u8>,
    /// Table points of the round.
    #[schema(value_type = Option<f64>)]
    pub table_points: Option<Twelfths>,
    /// Points of the round.
    pub points: Option<i64>,
    /// Points with uma and oka of the round.
    pub result: Option<i64>,
    /// Whether the round is among the best, which count.
    pub counts: bool,
}

/// The record of a player.
#[derive(Debug, Clone, PartialEq, Serialize, utoipa::ToSchema)]
#[schema(as = SeriesPlayerRecord)]
pub struct CareerView {
    /// The player.
    pub player: SeriesPlayer,
    /// Number of tables with a result.
    pub rounds: u32,
    /// Number of first, second, third and fourth places.
    pub places: Vec<u32>,
    /// Mean place; `null` before the first result.
    pub average_place: Option<f64>,
    /// Points won and lost.
    pub points: i64,
    /// Mean of the points of a round; `null` before the first result.
    pub average_points: Option<f64>,
    /// Number of other players whom the player has met.
    pub met: u32,
    /// Number of deals of which the hands are known, from evenings of this service.
    pub deals: u32,
    /// Number of these that the player won.
    pub won: u32,
    /// Number of those that were won by self-draw.
    pub self_drawn: u32,
    /// Number of deals that another player won on this player's discard.
    pub fed: u32,
    /// Mean total of the won hands; `null` if none is known.
    pub average_hand: Option<f64>,
    /// Largest hand.
    pub largest: Option<LargestHandView>,
}

/// The largest hand of a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = SeriesLargestHand)]
pub struct LargestHandView {
    /// Total of the hand.
    pub total: u32,
    /// Hand in notation; `null` if only its points were recorded.
    pub hand: Option<String>,
    /// Round in which it was won.
    pub round: u32,
    /// Number of the table at which it was won.
    pub table: u32,
    /// Id of the evening; `null` for viewers with a read-only link.
    pub game: Option<String>,
    /// Entry of the evening's sheet, by which a device finds the photo that it kept.
    pub entry: u32,
}

/// Points that were given or taken by hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = SeriesPenalty)]
pub struct PenaltyView {
    /// Number of the change that entered them.
    pub change: u32,
    /// The player.
    pub player: SeriesPlayer,
    /// Round in which it counts; `null` if always.
    pub round: Option<u32>,
    /// Points, negative if they are taken.
    pub value: FixedScore,
    /// Reason.
    pub note: Option<String>,
}

/// A change of a series.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
#[schema(as = SeriesChange)]
pub struct SeriesChangeView {
    /// Number of the change, from 1.
    pub number: u32,
    /// Time in milliseconds since 1970.
    pub at: u64,
    /// Author of the change, as they call themselves.
    pub by: Option<String>,
    /// Idempotency key that the author gave.
    pub key: Option<String>,
    /// The action.
    pub action: SeriesAction,
    /// Whether the change was taken back.
    pub undone: bool,
}

impl SeriesView {
    /// Returns a series as its organisers see it, with the standings after a round, or after the
    /// last one that has a result.
    ///
    /// # Errors
    /// [`SeriesError`] if the rules have changed since.
    pub fn for_organisers(
        series: &Series,
        id: &str,
        revision: u64,
        share: Option<String>,
        after: Option<u32>,
    ) -> Result<SeriesView, SeriesError> {
        let undone = series.undone();
        let history = series
            .changes()
            .iter()
            .map(|change| SeriesChangeView::new(change, undone.contains(&change.number)));
        let view = SeriesView::new(series, revision, after)?;
        Ok(SeriesView { id: Some(id.to_owned()), history: history.collect(), share, ..view })
    }

    /// Returns a series as viewers see it.
    ///
    /// # Errors
    /// [`SeriesError`] if the rules have changed since.
    pub fn for_onlookers(
        series: &Series,
        revision: u64,
        after: Option<u32>,
    ) -> Result<SeriesView, SeriesError> {
        let mut view = SeriesView::new(series, revision, after)?;
        let tables = view.rounds.iter_mut().flat_map(|round| &mut round.tables);
        tables.for_each(|table| table.game = None);
        let largest = view.records.iter_mut().filter_map(|record| record.largest.as_mut());
        largest.for_each(|hand| hand.game = None);
        Ok(SeriesView { undo: None, ..view })
    }

    fn new(series: &Series, revision: u64, after: Option<u32>) -> Result<SeriesView, SeriesError> {
        let progress = series.progress()?;
        let after = progress.find_shown_round(after)?;
        let seated = progress.rounds.iter().enumerate();
        let rounds = seated.map(|(at, round)| RoundView::new(&progress, at, round));
        let placed = standings(&progress, after as usize);
        Ok(SeriesView {
            id: None,
            revision,
            title: progress.title.clone(),
            ruleset: series.ruleset().id(),
            seats: progress.seats(),
            planned: progress.planned,
            ranking: progress.ranking.clone(),
            state: SeriesState::from_progress(&progress),
            players: members(&progress),
            rounds: rounds.collect(),
            after,
            standings: placed.iter().map(|one| StandingView::new(&progress, one)).collect(),
            records: progress.careers().into_iter().map(CareerView::from).collect(),
            penalties: progress.penalties.iter().map(PenaltyView::from).collect(),
            history: Vec::new(),
            undo: series.undoable(),
            share: None,
        })
    }
}

impl SeriesSummary {
    /// Returns the summary of a series.
    ///
    /// # Errors
    /// [`SeriesError`] if the rules have changed since.
    pub fn new(series: &Series, id: &str, revision: u64) -> Result<SeriesSummary, SeriesError> {
        let progress = series.progress()?;
        Ok(SeriesSummary {
            id: id.to_owned(),
            revision,
            title: progress.title.clone(),
            ruleset: series.ruleset().id(),
            state: SeriesState::from_progress(&progress),
            players: progress.players.len(),
            rounds: progress.rounds.len(),
            planned: progress.planned,
        })
    }
}

impl SeriesState {
    fn from_progress(progress: &Progress) -> SeriesState {
        if progress.finished { SeriesState::Finished } else { SeriesState::Running }
    }
}

fn members(progress: &Progress) -> Vec<MemberView> {
    let members = progress.players.iter().enumerate();
    members
        .map(|(at, member)| MemberView {
            number: SeriesPlayer::from_index(at),
            name: member.name.clone(),
            active: member.active,
        })
        .collect()
}

impl RoundView {
    fn new(progress: &Progress, at: usize, round: &Round) -> RoundView {
        let tables = round.tables.iter().enumerate();
        RoundView {
            number: at as u32 + 1,
            tables: tables.map(|(at, table)| TableView::new(progress, at, table)).collect(),
            resting: round.resting.clone(),
            repeated: progress.repeated_in(at),
        }
    }
}

impl TableView {
    fn new(progress: &Progress, at: usize, table: &Table) -> TableView {
        let result = table.result.as_ref();
        let outcomes = result.map(|result| place(&result.points, &progress.ranking));
        let seats = table.chairs.iter().enumerate().map(|(at, chair)| {
            SeatView::new(progress, chair, outcomes.as_ref().map(|outcomes| outcomes[at]))
        });
        TableView {
            number: at as u32 + 1,
            seats: seats.collect(),
            game: table.game.clone(),
            has_result: table.result.is_some(),
        }
    }
}

impl SeatView {
    fn new(progress: &Progress, chair: &Chair, outcome: Option<Outcome>) -> SeatView {
        let score = outcome.map(|outcome| outcome.score);
        SeatView {
            name: progress.name_on(chair).to_owned(),
            player: chair.player,
            is_guest: chair.guest.is_some(),
            place: outcome.map(|outcome| outcome.place),
            points: score.map(|score| score.points),
            table_points: score.map(|score| score.table_points),
            result: score.map(|score| score.result),
        }
    }
}

impl StandingView {
    fn new(progress: &Progress, one: &Standing) -> StandingView {
        let Score { table_points, points, result } = one.score;
        StandingView {
            player: one.player,
            name: progress.name_of(one.player).to_owned(),
            place: one.place,
            played: one.played,
            table_points,
            points,
            result,
            penalty_table_points: one.penalty.table_points,
            penalty_points: one.penalty.points,
            rounds: one.rounds.iter().map(PlayedRoundView::from).collect(),
        }
    }
}

impl From<&PlayedRound> for PlayedRoundView {
    fn from(round: &PlayedRound) -> PlayedRoundView {
        PlayedRoundView {
            round: round.round,
            table: round.table,
            presence: round.presence,
            place: round.place,
            table_points: round.score.map(|score| score.table_points),
            points: round.score.map(|score| score.points),
            result: round.score.map(|score| score.result),
            counts: round.counts,
        }
    }
}

impl From<Career> for CareerView {
    fn from(career: Career) -> CareerView {
        let places = career.places.iter().zip(1..).map(|(&count, place)| i64::from(count) * place);
        let rounds = career.rounds.into();
        CareerView {
            player: career.player,
            rounds: career.rounds,
            average_place: mean(places.sum(), rounds),
            places: career.places,
            points: career.points,
            average_points: mean(career.points, rounds),
            met: career.met,
            deals: career.deals,
            won: career.won,
            self_drawn: career.self_drawn,
            fed: career.fed,
            average_hand: mean(career.total as i64, career.scored.into()),
            largest: career.largest.map(LargestHandView::from),
        }
    }
}

/// Returns a mean with two decimals; `None` of nothing.
fn mean(sum: i64, count: i64) -> Option<f64> {
    (count > 0).then(|| (sum as f64 / count as f64 * 100.0).round() / 100.0)
}

impl From<LargestHand> for LargestHandView {
    fn from(largest: LargestHand) -> LargestHandView {
        let LargestHand { total, hand, round, table, game, entry } = largest;
        LargestHandView { total, hand, round, table, game, entry }
    }
}

impl From<&Penalty> for PenaltyView {
    fn from(penalty: &Penalty) -> PenaltyView {
        let Penalty { change, player, round, value, note } = penalty.clone();
        PenaltyView { change, player, round, value, note }
    }
}

impl SeriesChangeView {
    fn new(change: &SeriesChange, undone: bool) -> SeriesChangeView {
        let SeriesChange { number, at, by, key, action } = change.clone();
        SeriesChangeView { number, at, by, key, action, undone }
    }
}
