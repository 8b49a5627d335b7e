//! The score sheet: each entry with its deal, its payments and the totals after it.
//!
//! Input: a [`Game`]. Output: rows, totals, standings, and the deal that is played next. Invariant:
//! the sheet is never stored but computed for every request, so it can't contradict the journal.

use std::sync::Arc;

use crate::context::RiichiCall;
use crate::contract::{HandInput, Problem, ScoreRequest};
use crate::hand::Other;
use crate::meld::Meld;
use crate::rules::law::{Abort, AbortKind, DealState, Ending, Law};
use crate::rules::{Profile, Unit};
use crate::tile::Wind;

use super::context::{points_context, win_context};
use super::deal::Deal;
use super::end::{GameEnd, Sequel, sequel};
use super::journal::{CountedEntry, Game};
use super::order;
use super::order_fault::OrderFault;
use super::play::{HandPoints, Manual, OfPlayer, Play, Win};
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
    /// Reason why the game is over; `None` while it is played.
    pub end: Option<GameEnd>,
    /// Deal that would be played next if the rules had not ended the game before its last deal.
    after_end: Option<Deal>,
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
            next: Some(Deal::first(&law)),
            end: None,
            after_end: None,
            totals: Points::default(),
            standings: Vec::new(),
            state: State::Running,
            faults: Vec::new(),
        };
        let entries = game.entries()?;
        for (at, entry) in entries.iter().enumerate() {
            let row = sheet.row(game.ruleset(), *entry, &winners_beside(&entries, at))?;
            let state = sheet.deal_state(&law, entry.late);
            let fault = order::find_fault(game.ruleset(), &row, &sheet.rows, state);
            sheet.faults.extend(fault.map(|fault| (entry.id, fault)));
            sheet.push(&law, row);
        }
        if sheet.end.is_some() {
            sheet.state = State::Complete;
        } else if game.is_finished() {
            sheet.state = State::Finished;
            sheet.end = Some(GameEnd::Finished);
            sheet.next = None;
        }
        sheet.standings = standings(&sheet.totals, &law);
        let penalties = sheet.penalties();
        add_results(&mut sheet.standings, &law, &penalties);
        Ok(sheet)
    }

    /// Adds a row, with what follows it.
    fn push(&mut self, law: &Law, row: Row) {
        self.totals = row.totals;
        match (self.ending(law, &row), row.deal) {
            (Some(ending), Some(deal)) => {
                let Sequel { deal: next, end } = sequel(law, &deal, ending, &row.totals);
                self.end = end;
                self.next = next.filter(|_| end.is_none());
                self.after_end = next.filter(|_| end.is_some());
            }
            _ if law.riichi.is_some() => self.mark_deal(&row.play),
            _ => {}
        }
        self.rows.push(row);
    }

    /// Marks in the deal that is played what a player did who stays in it.
    fn mark_deal(&mut self, play: &Play) {
        let played = self.next.as_mut().or(self.after_end.as_mut());
        match (play, played) {
            (Play::Riichi(riichi), Some(deal)) => deal.lay_stick(riichi.player),
            (Play::DeadHand(dead), Some(deal)) => deal.bury(dead.player),
            _ => {}
        }
    }

    /// Returns the state of the table before the next entry; `late` is whether that was made after
    /// a player had ended the game.
    pub(super) fn deal_state(&self, law: &Law, late: bool) -> DealState {
        if late || self.next.is_none() {
            return DealState::Over;
        }
        let aborts = law.abort(AbortKind::FourRiichi) != Abort::No;
        match self.next {
            Some(deal) if aborts && deal.all_declared() => DealState::AllDeclared,
            _ if self.rows.last().is_some_and(|row| row.discarder().is_some()) => {
                DealState::WonByDiscard
            }
            _ => DealState::Playing,
        }
    }

    /// Returns the points that each player's result loses in the end.
    fn penalties(&self) -> Points {
        let mut points = Points::default();
        for (player, penalty) in self.rows.iter().filter_map(|row| row.penalty) {
            points[player.index()] += penalty;
        }
        points
    }

    /// Returns the deal of an entry, with the winds that it states.
    pub(super) fn deal_of(&self, law: &Law, play: &Play) -> Option<Deal> {
        let before = self.rows.last().filter(|row| row.discarder().is_some());
        let shared = before.filter(|_| play.has_same_discard());
        let is_payment = matches!(play, Play::Manual(Manual { ends_deal: false, .. }));
        let played = self.next.or_else(|| self.after_end.filter(|_| !is_payment));
        let deal = shared.map_or(played, |row| row.deal);
        let east = play.east().filter(|_| law.dealer.is_some_and(|one| one.wall_gives_winds));
        deal.map(|deal| east.map_or(deal, |east| deal.with_east(east)))
    }

    /// Returns the ending of the deal of a new row, if it ended. Of several winners by one discard
    /// the dealer decides.
    fn ending(&self, law: &Law, row: &Row) -> Option<Ending> {
        let ending = row.ending(law);
        if !row.play.has_same_discard() {
            return ending;
        }
        let winners = self.rows.iter().filter(|one| one.number() == row.number());
        let mut endings = winners.filter_map(|one| one.ending(law)).chain(ending);
        endings.find(|one| *one == Ending::Won(Wind::East)).or(ending)
    }

    fn row(
        &self,
        ruleset: &Arc<Profile>,
        entry: CountedEntry<'_>,
        winners: &[Player],
    ) -> Result<Row, GameError> {
        let CountedEntry { id, play, corrected, .. } = entry;
        let rules = ruleset.rules();
        let law = rules.law();
        let deal = self.deal_of(&law, play);
        let of_winner = deal.map(|deal| deal_of_winner(deal, play, winners));
        let (mut payments, scored) = match (play, of_winner) {
            (Play::Manual(manual), deal) if deal.is_some() || !manual.ends_deal => {
                (manual.payments.all(), None)
            }
            (Play::Draw(_) | Play::DeadHand(_), Some(_)) => (Points::default(), None),
            (Play::ExhaustiveDraw(draw), Some(deal)) => {
                (sticks::exhausted(rules, draw, &deal), None)
            }
            (Play::Chombo(by), Some(deal)) => (sticks::chombo(rules, by.player, &deal), None),
            (Play::Riichi(riichi), Some(_)) => (sticks::deposit(&law, riichi.player), None),
            (Play::Points(hand), Some(deal)) => (settle(ruleset, id, hand, &deal)?, None),
            (Play::Win(win), Some(deal)) => {
                let scored = score(ruleset, id, win, &deal)?;
                (deal.points_of(&scored.score().payments), Some(scored))
            }
            _ => return Err(GameError::Over),
        };
        if let (Some(winner), Some(deal)) = (play.winner(), of_winner) {
            payments[winner.index()] += sticks::on_table(&law, &deal);
        }
        let mut totals = self.totals;
        for (total, points) in totals.iter_mut().zip(payments) {
            *total = total.checked_add(points).ok_or(GameError::Sum)?;
        }
        let penalty = penalty(&law, play);
        Ok(Row {
            entry: id,
            deal,
            play: play.clone(),
            corrected,
            scored,
            payments,
            totals,
            penalty,
        })
    }
}

/// Returns the winners by the discard of an entry, of which it is one; none if it is no win by a
/// discard.
fn winners_beside(entries: &[CountedEntry<'_>], at: usize) -> Vec<Player> {
    let before = entries[..=at].iter().rev().take_while(|one| one.play.has_same_discard()).count();
    let first = at.saturating_sub(before);
    let after = entries[at + 1..].iter().take_while(|one| one.play.has_same_discard()).count();
    entries[first..=at + after].iter().filter_map(|entry| entry.play.winner()).collect()
}

/// Returns the deal as the winner of an entry is paid in it: what lies on the table goes to the
/// winner who is next in turn after the discarder.
fn deal_of_winner(deal: Deal, play: &Play, winners: &[Player]) -> Deal {
    let (Some(winner), Some(discarder)) = (play.winner(), play.discarder()) else { return deal };
    let nearest = winners.iter().min_by_key(|&&player| deal.steps(discarder, player));
    if nearest.is_none_or(|&player| player == winner) { deal } else { deal.without_table() }
}

/// Returns the points that an entry takes off a player's result.
fn penalty(law: &Law, play: &Play) -> Option<(Player, i32)> {
    let Play::Chombo(OfPlayer { player }) = play else { return None };
    let points = law.riichi?.chombo;
    (points > 0).then_some((*player, points))
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
    let rules = ruleset.rules();
    let liable = hand.liable.and_then(|_| rules.settle_liable(points, &context));
    Ok(deal.points_of(&liable.unwrap_or_else(|| rules.settle_total(points, &context))))
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
