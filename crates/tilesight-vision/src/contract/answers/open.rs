//! Doubts of a reading after answers: which of them remain, and the new totals of their answers.
//!
//! An answer is identified by the hand that it made of the hand as it was read. The change between
//! these two is applied to the current hand ([`HandDelta`]), which is scored again. A doubt is
//! dropped if its answers no longer apply, or if the hand now has what the doubt asked for. Doubts
//! with the same question and the same answers are merged into one about the tiles of all.

use std::cmp::Reverse;

use tilesight_core::context::{Context, ContextField, Feeder, Indicators};
use tilesight_core::contract::PaymentsDto;
use tilesight_core::contract::RequestFault;
use tilesight_core::contract::{FieldError, Problem, ProblemKind};
use tilesight_core::hand::{Hand, HandDelta, HandSetup};
use tilesight_core::notation::Notation;
use tilesight_core::rules::TotalRange;

use super::super::reading::{AlternativeDto, DoubtDto, with_ends};
use super::{Case, GivenAnswer, ScoredSetup, with_winning_tile};
use crate::DoubtKind;
use crate::decide::budget::ScoreBudget;
use crate::decide::doubts::{HandScorer, dora};
use crate::decide::possible_totals::{self, MAX_SCORES_OF_TOTALS, OpenDoubt, PossibleTotals};

/// The doubts of a reading, and the hand that they are about.
pub(super) struct Doubts<'a> {
    before: &'a HandSetup,
    all: Vec<ReadDoubt<'a>>,
}

/// A doubt and the change that each of its answers makes.
struct ReadDoubt<'a> {
    doubt: &'a DoubtDto,
    changes: Vec<Option<HandDelta>>,
}

/// The hand after answers, and the feeder and the indicators that they name.
pub(super) struct HandWithAnswers {
    pub(super) hand: HandSetup,
    pub(super) feeder: Option<Feeder>,
    pub(super) indicators: Option<Indicators>,
}

impl HandWithAnswers {
    /// Creates a hand without any answers.
    fn new(hand: &HandSetup) -> HandWithAnswers {
        HandWithAnswers { hand: hand.clone(), feeder: None, indicators: None }
    }
}

impl<'a> Doubts<'a> {
    /// Reads the hands that the answers make.
    ///
    /// # Errors
    /// A [`Problem`] with the field of a hand that can't be read.
    pub(super) fn read(
        before: &'a HandSetup,
        doubts: &'a [DoubtDto],
    ) -> Result<Doubts<'a>, Problem> {
        let mut all = Vec::with_capacity(doubts.len());
        for (at, doubt) in doubts.iter().enumerate() {
            let mut changes = Vec::with_capacity(doubt.alternatives.len());
            for (answer, one) in doubt.alternatives.iter().enumerate() {
                let change = one.hand.as_deref().map(|hand| {
                    change(before, hand, || {
                        format!("reading.doubts[{at}].alternatives[{answer}].hand")
                    })
                });
                changes.push(change.transpose()?);
            }
            all.push(ReadDoubt { doubt, changes });
        }
        Ok(Doubts { before, all })
    }

    /// Applies answers to the hand in their order.
    ///
    /// # Errors
    /// A [`Problem`] with the answer that does not apply.
    pub(super) fn apply(&self, answers: &[GivenAnswer]) -> Result<HandWithAnswers, Problem> {
        let mut applied = HandWithAnswers::new(self.before);
        for (at, given) in answers.iter().enumerate() {
            self.apply_one(&mut applied, given).map_err(|(field, fault)| {
                let field = format!("answers[{at}].{field}");
                Problem::for_field(ProblemKind::MalformedRequest, field, &fault)
            })?;
        }
        Ok(applied)
    }

    /// Applies answers to a hand that a person changed too. An answer whose change no longer
    /// applies is skipped.
    ///
    /// # Errors
    /// A [`Problem`] with the answer that does not exist.
    pub(super) fn apply_possible(
        &self,
        answers: &[GivenAnswer],
    ) -> Result<HandWithAnswers, Problem> {
        let mut applied = HandWithAnswers::new(self.before);
        for given in answers {
            match self.apply_one(&mut applied, given) {
                Err((_, RequestFault::AnswerNeedsHand)) | Ok(()) => {}
                Err(_) => return self.apply(answers),
            }
        }
        Ok(applied)
    }

    fn apply_one(
        &self,
        applied: &mut HandWithAnswers,
        given: &GivenAnswer,
    ) -> Result<(), (&'static str, RequestFault)> {
        let read = self
            .all
            .iter()
            .find(|read| read.doubt.id == given.doubt)
            .ok_or(("doubt", RequestFault::UnknownDoubt))?;
        let Some(answer) = &given.answer else { return Ok(()) };
        let mut answers = read.doubt.alternatives.iter().map(|one| &one.answer);
        let at = answers.position(|one| one == answer).ok_or_else(|| {
            let answers: Vec<&str> =
                read.doubt.alternatives.iter().map(|one| one.answer.as_str()).collect();
            ("answer", RequestFault::NotAnAnswer { answers: answers.join(", ") })
        })?;
        if read.doubt.kind == DoubtKind::Feeder {
            applied.feeder = Feeder::ALL.into_iter().find(|feeder| feeder.name() == answer);
            return Ok(());
        }
        if read.doubt.kind == DoubtKind::Indicator {
            applied.indicators = indicators_of(answer);
            return Ok(());
        }
        let change = read.changes[at].as_ref();
        let hand = change.and_then(|change| change.apply(&applied.hand));
        applied.hand = hand.ok_or(("answer", RequestFault::AnswerNeedsHand))?;
        Ok(())
    }

    /// Returns the doubts that remain for the current hand, with the new totals of their answers.
    /// `applied` is the hand that the answers alone make.
    pub(super) fn open_doubts(
        &self,
        now: &ScoredSetup,
        case: &Case,
        applied: &HandWithAnswers,
        answers: &[GivenAnswer],
    ) -> LeftDoubts {
        let doubts = self.all.iter().map(|read| read.doubt);
        let settled: Vec<&DoubtDto> =
            doubts.filter(|doubt| answers.iter().any(|given| given.doubt == doubt.id)).collect();
        let open =
            self.all.iter().filter(|read| !settled.iter().any(|doubt| is_same(doubt, read.doubt)));
        // A person who adds or removes flowers has stated how many there are.
        let flowers_stated = applied.hand.flowers.count() != now.hand.flowers.count();
        let after =
            HandAfterAnswers { flowers_stated, ..HandAfterAnswers::new(self.before, now, case) };
        let mut left: Vec<LeftDoubt> = Vec::new();
        for doubt in open.filter_map(|read| after.doubt(read)) {
            match left.iter_mut().find(|other| is_same(&other.doubt, &doubt.doubt)) {
                Some(other) => other.doubt.tiles.extend(&doubt.doubt.tiles),
                None => left.push(doubt),
            }
        }
        // The sort is stable: equal doubts keep the order of the reading.
        left.sort_by_key(|left| (!left.doubt.affects_score, Reverse(span(&left.doubt))));
        LeftDoubts::new(left, now.hand, case)
    }
}

/// The doubts that remain, and the totals that are possible with them and the win context.
pub(super) struct LeftDoubts {
    pub(super) doubts: Vec<DoubtDto>,
    pub(super) range: Option<TotalRange>,
    /// The doubts with the changes of their answers.
    pub(super) open: Vec<OpenDoubt>,
}

/// A doubt and the change that each of its answers makes.
struct LeftDoubt {
    doubt: DoubtDto,
    changes: Vec<Option<HandDelta>>,
}

impl LeftDoubt {
    /// Creates a doubt whose answers do not determine the hand.
    fn without_changes(doubt: DoubtDto) -> LeftDoubt {
        let changes = vec![None; doubt.alternatives.len()];
        LeftDoubt { doubt, changes }
    }

    fn open(&self) -> OpenDoubt {
        let answers = self.doubt.alternatives.iter().map(|one| one.answer.clone());
        OpenDoubt {
            kind: self.doubt.kind,
            answers: answers.zip(self.changes.iter().cloned()).collect(),
            is_repair: is_repair(&self.doubt),
        }
    }
}

impl LeftDoubts {
    fn new(left: Vec<LeftDoubt>, hand: &HandSetup, case: &Case) -> LeftDoubts {
        let open: Vec<OpenDoubt> = left.iter().map(LeftDoubt::open).collect();
        let budget = ScoreBudget::new(MAX_SCORES_OF_TOTALS);
        let PossibleTotals { range, by_answer } =
            PossibleTotals::new(&case.scorer, hand, &open, budget);
        let doubts = left.into_iter().map(|left| left.doubt).collect();
        LeftDoubts { doubts: with_ends(doubts, &by_answer), range, open }
    }
}

/// Returns the change from a hand to another one in notation.
fn change(
    before: &HandSetup,
    hand: &str,
    place: impl Fn() -> String,
) -> Result<HandDelta, Problem> {
    let notation: Notation = hand.parse().map_err(|error| {
        let errors = vec![FieldError { field: place(), ..FieldError::from_notation(hand, &error) }];
        Problem::with_errors(ProblemKind::InvalidHand, errors)
    })?;
    Ok(HandDelta::new(before, &notation.hand))
}

/// Returns whether two doubts ask the same question, so that one answer settles both. Doubts of old
/// readings have no id.
fn is_same(one: &DoubtDto, other: &DoubtDto) -> bool {
    let asks_alike = one.kind == other.kind && one.question == other.question;
    let has_answers = !one.alternatives.is_empty();
    let has_one_id = one.id == other.id && !one.id.is_empty();
    has_one_id || asks_alike && has_answers && one.alternatives == other.alternatives
}

/// Returns the difference between the highest and the lowest total of the answers. An answer
/// without a total counts as the largest possible difference.
fn span(doubt: &DoubtDto) -> u32 {
    let totals: Option<Vec<u32>> = doubt.alternatives.iter().map(|one| one.total).collect();
    let ends = totals.and_then(|totals| Some((*totals.iter().min()?, *totals.iter().max()?)));
    ends.map_or(u32::MAX, |(min, max)| max - min)
}

/// A hand after answers, beside the hand that the doubts are about.
struct HandAfterAnswers<'a> {
    before: &'a HandSetup,
    now: &'a HandSetup,
    scored: &'a ScoredSetup<'a>,
    case: &'a Case,
    /// Whether the hand has the right number of tiles, and not too many of a kind.
    complete: bool,
    won_before: bool,
    /// Whether a person stated how many flowers there are.
    flowers_stated: bool,
    /// Fields that contradict the hand or are wrong in it.
    wrong: Vec<String>,
}

impl<'a> HandAfterAnswers<'a> {
    fn new(
        before: &'a HandSetup,
        scored: &'a ScoredSetup<'a>,
        case: &'a Case,
    ) -> HandAfterAnswers<'a> {
        let now = scored.hand;
        let errors = scored.table.as_ref().err().into_iter().flat_map(|problem| &problem.errors);
        HandAfterAnswers {
            before,
            now,
            scored,
            case,
            complete: is_complete(now, &case.scorer),
            won_before: case.scorer.total(before).is_some(),
            flowers_stated: false,
            wrong: errors.map(|error| error.field.clone()).collect(),
        }
    }

    fn wins(&self) -> bool {
        self.scored.table.is_ok()
    }

    /// Returns a doubt about the current hand; `None` if nothing is left to ask.
    fn doubt(&self, read: &ReadDoubt<'_>) -> Option<LeftDoubt> {
        let doubt = read.doubt;
        match doubt.kind {
            DoubtKind::Feeder => return self.feeder(doubt).map(LeftDoubt::without_changes),
            DoubtKind::Indicator => return self.indicators(doubt).map(LeftDoubt::without_changes),
            DoubtKind::Contradiction => {
                let is_wrong = self.wrong.contains(doubt.field.as_ref()?);
                return is_wrong.then(|| LeftDoubt::without_changes(doubt.clone()));
            }
            _ if self.is_void(doubt) => return None,
            _ if doubt.alternatives.is_empty() => {
                return Some(LeftDoubt::without_changes(doubt.clone()));
            }
            _ => {}
        }
        let answers = read.changes.iter().zip(&doubt.alternatives);
        let (changes, alternatives): (Vec<_>, Vec<_>) = answers
            .filter_map(|(change, answer)| {
                Some((change.clone(), self.answer(change.as_ref(), answer)?))
            })
            .unzip();
        // A single answer leaves nothing to choose.
        if alternatives.len() < doubt.alternatives.len().min(2) {
            return None;
        }
        // A doubt that affected the score although its totals were equal stays open, unless the
        // hand wins with none of the answers: then another question decides.
        let always = doubt.affects_score && !differ(&doubt.alternatives);
        let may_matter = self.wins() || alternatives.iter().any(|one| one.hand.is_none());
        let affects_score = always && may_matter || differ(&alternatives);
        let doubt = DoubtDto { alternatives, affects_score, ..doubt.clone() };
        Some(LeftDoubt { doubt, changes })
    }

    /// Returns whether the hand now has what a doubt asked for.
    fn is_void(&self, doubt: &DoubtDto) -> bool {
        match doubt.kind {
            // A hand that won from the start is asked about all the same: with a set beside it, it
            // is one of another game.
            DoubtKind::TileCount if doubt.game.is_some() && self.won_before => false,
            DoubtKind::TileCount => self.complete && (self.wins() || self.now != self.before),
            DoubtKind::TooManyCopies => self.complete,
            DoubtKind::NotAWin | DoubtKind::NotASet => self.wins(),
            DoubtKind::WinningTile => self.before.winning.is_none() && self.now.winning.is_some(),
            DoubtKind::Tile => self.wins() && !self.won_before && is_repair(doubt),
            DoubtKind::Flower => self.flowers_stated,
            _ => false,
        }
    }

    /// Returns an answer for the current hand; `None` if it no longer applies.
    fn answer(
        &self,
        change: Option<&HandDelta>,
        alternative: &AlternativeDto,
    ) -> Option<AlternativeDto> {
        let Some(change) = change else {
            // The answer alone does not determine the hand, and stays valid while the hand is
            // unchanged.
            return (self.now == self.before).then(|| alternative.clone());
        };
        let hand = change.apply(self.now)?;
        let table = alternative.payments.and_then(|_| self.case.scored(&hand).table.ok());
        Some(AlternativeDto {
            total: self.case.scorer.total(&hand),
            payments: table.map(|table| PaymentsDto::from(&table.winner.payments)),
            hand: Some(Notation::from_hand(hand).to_string()),
            ..alternative.clone()
        })
    }

    /// Returns the doubt about the tiles on a wall, which is open while no indicators are given.
    fn indicators(&self, doubt: &DoubtDto) -> Option<DoubtDto> {
        let scorer = &self.case.scorer;
        if !scorer.assumed().contains(&ContextField::DoraIndicators) {
            return None;
        }
        let scored = doubt.alternatives.iter().filter_map(|alternative| {
            let total = scorer.with_indicators(indicators_of(&alternative.answer)?).total(self.now);
            Some(AlternativeDto { total, ..alternative.clone() })
        });
        let alternatives: Vec<AlternativeDto> = scored.collect();
        let affects_score = differ(&alternatives);
        Some(DoubtDto { alternatives, affects_score, ..doubt.clone() })
    }

    /// Returns the doubt about the feeder of the last set, which is open while the score has to
    /// assume a feeder.
    fn feeder(&self, doubt: &DoubtDto) -> Option<DoubtDto> {
        self.scored.table.as_ref().ok()?.winner.assumed_feeder?;
        let hand = self.case.scorer.hand_of(&with_winning_tile(self.now, self.scored.supposed))?;
        let paid = doubt.alternatives.iter().filter_map(|answer| self.paid_by(answer, &hand));
        Some(DoubtDto { alternatives: paid.collect(), ..doubt.clone() })
    }

    /// Returns an answer that names the feeder, with the payments of a hand of that feeder.
    fn paid_by(&self, answer: &AlternativeDto, hand: &Hand) -> Option<AlternativeDto> {
        let feeder = Feeder::ALL.into_iter().find(|one| one.name() == answer.answer);
        let context = Context { feeder: Some(feeder?), ..*self.case.scorer.context() };
        let score = self.case.scorer.ruleset().score(hand, &context).ok()?;
        let payments = Some(PaymentsDto::from(&score.payments));
        Some(AlternativeDto { total: Some(score.total), payments, ..answer.clone() })
    }
}

fn indicators_of(answer: &str) -> Option<Indicators> {
    if answer == dora::NO_INDICATORS { Some(Indicators::NONE) } else { answer.parse().ok() }
}

/// Returns whether answers lead to different totals or payments.
fn differ(alternatives: &[AlternativeDto]) -> bool {
    let mut pairs = alternatives.windows(2);
    pairs.any(|pair| pair[0].total != pair[1].total || pair[0].payments != pair[1].payments)
}

/// Returns whether a doubt was asked only because the hand did not win.
pub(super) fn is_repair(doubt: &DoubtDto) -> bool {
    possible_totals::is_repair(doubt.kind, doubt.alternatives.iter().map(|one| one.total))
}

/// Returns whether a hand has the right number of tiles, regardless of which tile won.
fn is_complete(hand: &HandSetup, scorer: &HandScorer) -> bool {
    let mut hand = hand.clone();
    hand.winning = hand.winning.or_else(|| hand.concealed.pop());
    scorer.is_complete(&hand)
}
