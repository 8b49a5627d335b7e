//! The score sheet: each entry with its deal, its payments and the totals after it.
//!
//! Input: a [`Game`]. Output: rows, totals, standings, and the deal that is played next. Invariant:
//! the sheet is never stored but computed for every request, so it can't contradict the journal.

use std::sync::Arc;

use crate::context::RiichiCall;
use crate::contract::{HandInput, Problem, ScoreRequest};
use crate::hand::Other;
use crate::meld::Meld;
use crate::rules::law::{Ending, Law};
use crate::rules::{Profile, Unit};
use crate::settle::Payments;
use crate::tile::Wind;

use super::context::{points_context, win_context};
use super::deal::Deal;
use super::journal::{CountedEntry, Game};
use super::order;
use super::order_fault::OrderFault;
use super::play::{HandPoints, Play, Win};
use super::row::{Row, ScoredHand};
use super::standings::{Rank, add_results, standings};
use super::sticks;
use super::{EntryId, GameError, Player, Points};

/// State of a game.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize, utoipa::ToSchema,
)]
#[serde(rename_all = "snake_case")]
#[schema(as = GameState)]
pub enum State {
    /// More deals can be played.
    Running,
    /// All deals were played.
    Complete,
    /// A player ended the game before its last deal.
    Finished,
}

/// A score sheet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sheet {
    /// Rows, one per entry, in the order of play.
    pub rows: Vec<Row>,
    /// Deal that is played next; `None` when the game is over.
    pub next: Option<Deal>,
    /// Total points of each player, in the order of the players.
    pub totals: Points,
    /// Places of the players, the leader first.
    pub standings: Vec<Rank>,
    /// State of the game.
    pub state: State,
    /// Entries that the rules do not allow where they stand. New ones are refused, so there are
    /// some only if the rule set has changed since.
    pub(super) faults: Vec<(EntryId, OrderFault)>,
}

impl Sheet {
    pub(super) fn from_game(game: &Game) -> Result<Sheet, GameError> {
        let rules = game.ruleset().rules();
        let law = rules.law();
        let mut sheet = Sheet {
            rows: Vec::new(),
            next: Some(Deal::FIRST),
            totals: Points::default(),
            standings: Vec::new(),
            state: State::Running,
            faults: Vec::new(),
        };
        for entry in game.entries()? {
            let row = sheet.row(game.ruleset(), entry)?;
            let fault = order::find_fault(game.ruleset(), &row, &sheet.rows, entry.late);
            sheet.faults.extend(fault.map(|fault| (entry.id, fault)));
            sheet.totals = row.totals;
            if let Some(ending) = sheet.ending(&row) {
                sheet.next = row.deal.and_then(|deal| deal.next(&law, ending));
            } else if let (Play::Riichi(riichi), Some(deal)) = (&row.play, &mut sheet.next)
                && law.riichi.is_some()
            {
                deal.lay_stick(riichi.player);
            }
            sheet.rows.push(row);
        }
        if sheet.next.is_none() {
            sheet.state = State::Complete;
        } else if game.is_finished() {
            sheet.state = State::Finished;
            sheet.next = None;
        }
        sheet.standings = standings(&sheet.totals, law.table_points);
        if let Some(law) = law.riichi {
            add_results(&mut sheet.standings, &law);
        }
        Ok(sheet)
    }

    /// Returns the deal of an entry, with the winds that it states.
    pub(super) fn deal_of(&self, law: &Law, play: &Play) -> Option<Deal> {
        let before = self.rows.last().filter(|row| row.discarder().is_some());
        let shared = before.filter(|_| play.has_same_discard());
        let deal = shared.map_or(self.next, |row| row.deal);
        let east = play.east().filter(|_| law.dealer.is_some_and(|one| one.wall_gives_winds));
        deal.map(|deal| east.map_or(deal, |east| deal.with_east(east)))
    }

    /// Returns the ending of the deal of a new row, if it ended. Of several winners by one discard
    /// the dealer decides.
    fn ending(&self, row: &Row) -> Option<Ending> {
        let ending = row.ending();
        if !row.play.has_same_discard() {
            return ending;
        }
        let winners = self.rows.iter().filter(|one| one.number() == row.number());
        let mut endings = winners.filter_map(Row::ending).chain(ending);
        endings.find(|one| *one == Ending::Won(Wind::East)).or(ending)
    }

    fn row(&self, ruleset: &Arc<Profile>, entry: CountedEntry<'_>) -> Result<Row, GameError> {
        let CountedEntry { id, play, corrected, .. } = entry;
        let law = ruleset.rules().law();
        let deal = self.deal_of(&law, play);
        let (mut payments, scored) = match (play, deal) {
            (Play::Manual(manual), deal) if deal.is_some() || !manual.ends_deal => {
                (manual.payments, None)
            }
            (Play::Draw, Some(_)) => (Points::default(), None),
            (Play::ExhaustiveDraw(draw), Some(_)) => (sticks::noten(&law, &draw.tenpai), None),
            (Play::Riichi(riichi), Some(_)) => (sticks::deposit(&law, riichi.player), None),
            (Play::Points(hand), Some(deal)) => (settle(ruleset, id, hand, &deal)?, None),
            (Play::Win(win), Some(deal)) => {
                let scored = score(ruleset, id, win, &deal)?;
                (payments_by_player(&scored.score().payments, &deal), Some(scored))
            }
            _ => return Err(GameError::Over),
        };
        if let (Some(winner), Some(deal)) = (play.winner(), deal) {
            payments[winner.index()] += sticks::on_table(&law, &deal);
        }
        let mut totals = self.totals;
        for (total, points) in totals.iter_mut().zip(payments) {
            *total = total.checked_add(points).ok_or(GameError::Sum)?;
        }
        Ok(Row { entry: id, deal, play: play.clone(), corrected, scored, payments, totals })
    }
}

/// Returns the points that each player gains or loses, in the order of the players.
fn payments_by_player(payments: &Payments, deal: &Deal) -> Points {
    Player::ALL.map(|player| payments.for_seat(deal.seat_of(player)))
}

/// Returns the payments for a hand of which only the points are known.
fn settle(
    ruleset: &Profile,
    entry: EntryId,
    hand: &HandPoints,
    deal: &Deal,
) -> Result<Points, GameError> {
    let points = hand.points;
    let (needed, unit) = ruleset.rules().minimum();
    // A number of points does not show whether a minimum of doubles or of yaku is reached.
    if matches!(unit, Unit::Points | Unit::Faan | Unit::Tai) && points < needed {
        let missing = needed - points;
        return Err(GameError::BelowMinimum { entry, field: "points", needed, missing });
    }
    let context = points_context(ruleset, hand, deal);
    Ok(payments_by_player(&ruleset.rules().settle_total(points, &context), deal))
}

/// Scores a won hand, which must be a legal win.
fn score(
    ruleset: &Arc<Profile>,
    entry: EntryId,
    win: &Win,
    deal: &Deal,
) -> Result<ScoredHand, GameError> {
    let scored = score_win(ruleset, win, deal)
        .map_err(|problem| GameError::Hand { entry, problem: Box::new(problem) })?;
    let minimum = scored.score().minimum;
    if !scored.score().is_legal() {
        let missing = minimum.missing();
        let needed = minimum.needed;
        return Err(GameError::BelowMinimum { entry, field: "hand", needed, missing });
    }
    Ok(scored)
}

fn score_win(ruleset: &Arc<Profile>, win: &Win, deal: &Deal) -> Result<ScoredHand, Problem> {
    let context = win_context(ruleset, win, deal)?;
    let others = win.others.iter().map(|other| {
        let seat = deal.seat_of(other.player);
        Other { seat, hand: HandInput::from(&other.hand) }
    });
    let request =
        ScoreRequest { hand: HandInput::from(&win.hand), context, others: others.collect() };
    let mut prepared = request.prepare_by(Arc::clone(ruleset))?;
    // A hand with called sets has no riichi to fill in: beside a stick it is out of order.
    if win.context.riichi.is_none() && !prepared.hand.melds().all(Meld::is_concealed) {
        prepared.context.riichi = RiichiCall::No;
    }
    prepared.score()
}
