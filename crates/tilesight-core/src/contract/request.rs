//! A hand to score, in the form of every front end: `{ "hand": ..., "context": ... }`.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::context::{Context, ContextField, ContextSetup, DeclaredSet};
use crate::explain::Lang;
use crate::hand::{Hand, HandError, HandSetup, HandSize};
use crate::notation::Notation;
use crate::rules::{
    self, Book, OpenHand, OtherHand, Profile, Ruleset, Score, TableScore, TotalRange,
};

use super::context::ContextDto;
use super::fault::RequestFault;
use super::hand_input::HandInput;
use super::lookup::{find, find_ruleset};
use super::object::{object_or_null, objects};
use super::others::{self, OtherDto};
use super::problem::{FieldError, Problem, ProblemKind, hand_faults, read_json};
use super::score::ScoreDto;

/// A hand and its win context.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object with `hand` and `context`")]
pub struct ScoreRequest {
    /// The hand.
    pub hand: HandInput,
    /// The win context and the rule set. They are merged with a context in the notation of the
    /// hand.
    #[serde(default, deserialize_with = "object_or_null")]
    pub context: ContextDto,
    /// Hands of the players who did not win. Rule sets that score only the winner ignore them.
    #[serde(default, deserialize_with = "objects", skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<OtherDto>,
}

impl From<HandInput> for ScoreRequest {
    fn from(hand: HandInput) -> ScoreRequest {
        ScoreRequest { hand, context: ContextDto::default(), others: Vec::new() }
    }
}

/// A legal hand with a complete win context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreparedHand {
    /// The hand as it was given.
    pub setup: HandSetup,
    /// The hand after validation.
    pub hand: Hand,
    /// Rule set to score by.
    pub ruleset: Arc<Profile>,
    /// The win context.
    pub context: Context,
    /// Context fields that got a default.
    pub assumed: Vec<ContextField>,
    /// Hands of the players who did not win.
    pub others: Vec<OtherHand>,
}

/// A scored hand, with everything needed to show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScoredHand {
    /// The hand that was scored.
    pub prepared: PreparedHand,
    /// Scores of the winner and, if the rules score every player, of the others.
    pub table: TableScore,
    /// Possible totals, if the total depends on missing values.
    pub range: Option<TotalRange>,
}

impl ScoredHand {
    /// Returns the winner's score. Its payments settle all known hands of the table.
    #[must_use]
    pub fn score(&self) -> &Score {
        &self.table.winner
    }

    /// Returns the score as JSON, with texts in a language.
    #[must_use]
    pub fn to_dto(&self, lang: Lang) -> ScoreDto {
        let PreparedHand { context, assumed, .. } = &self.prepared;
        ScoreDto::from_table(&self.table, assumed, lang).with_assumptions(
            context,
            self.range.as_ref(),
            lang,
        )
    }
}

impl PreparedHand {
    /// Scores the hand.
    ///
    /// # Errors
    /// A [`Problem`] if the hand does not win, or if its context contradicts the hand.
    pub fn score(self) -> Result<ScoredHand, Problem> {
        let table = rules::score_table(&self.ruleset, &self.hand, &self.context, &self.others)
            .map_err(|error| Problem::from(&error))?;
        let open = OpenHand::new(&self.hand, &self.context, &self.assumed);
        let range = TotalRange::for_hand(&self.ruleset, &open);
        Ok(ScoredHand { prepared: self, table, range })
    }
}

impl ScoreRequest {
    /// Maximum size of a request in bytes, for every front end. A request with every field is
    /// smaller than 2 kB, and parsing a very long text would need many times its size in memory.
    pub const MAX_BYTES: usize = 64 * 1024;

    /// Reads a request from JSON.
    ///
    /// # Errors
    /// A [`Problem`] if the request is too large, or with the path of the first field that has the
    /// wrong shape.
    pub fn from_json(json: &[u8]) -> Result<ScoreRequest, Problem> {
        Self::check_size(json)?;
        read_json(json, "")
    }

    /// Rejects texts longer than [`MAX_BYTES`](Self::MAX_BYTES).
    ///
    /// # Errors
    /// A [`Problem`] that names the limit.
    pub fn check_size(json: &[u8]) -> Result<(), Problem> {
        if json.len() > Self::MAX_BYTES {
            let fault = RequestFault::HandTooLarge { limit: Self::MAX_BYTES };
            return Err(Problem::from_message(ProblemKind::TooLarge, &fault));
        }
        Ok(())
    }

    /// Returns the tiles, which need not be a whole hand, and the merged contexts of the request
    /// and of the notation.
    ///
    /// # Errors
    /// A [`Problem`] with the fields that can't be read, or for which the two contexts differ.
    pub fn read(&self) -> Result<(HandSetup, ContextDto), Problem> {
        let Notation { hand, context } = self.hand.read()?;
        Ok((hand, self.context.merge(&context.into())?))
    }

    /// Returns the total of the hand; without the hands of others faster than with a score.
    ///
    /// # Errors
    /// [`Problem`] as from [`prepare`](Self::prepare) and [`PreparedHand::score`].
    pub fn total(&self, book: &Book) -> Result<u32, Problem> {
        if self.others.is_empty() {
            return TotalScorer::new(book, &self.context)?.score(&self.hand.read()?);
        }
        Ok(self.prepare(book)?.score()?.score().total)
    }

    /// Checks the hand and its context, separately and against each other.
    ///
    /// # Errors
    /// A [`Problem`] with all faults of both.
    pub fn prepare(&self, book: &Book) -> Result<PreparedHand, Problem> {
        self.prepare_by(find_ruleset(book, self.context.ruleset)?)
    }

    /// Like [`prepare`](Self::prepare), with a rule set that was already looked up.
    ///
    /// # Errors
    /// Those of [`prepare`](Self::prepare).
    pub fn prepare_by(&self, ruleset: Arc<Profile>) -> Result<PreparedHand, Problem> {
        let (setup, given) = self.read()?;
        let (hand, context) = check(&setup, &given.setup, ruleset.rules().size())?;
        let assumed = given.setup.defaulted_fields(context.win);
        let others = others::read(&self.others)?;
        Ok(PreparedHand { setup, hand, ruleset, context, assumed, others })
    }
}

/// Scorer of many hands in one win context, by their totals alone. It looks the rule set up once,
/// and reads all hands into the same memory.
#[derive(Debug, Clone)]
pub struct TotalScorer<'a> {
    rules: &'a dyn Ruleset,
    /// Win context of all hands; `None` if nothing of it was given.
    context: Option<&'a ContextDto>,
    /// The last hand in notation.
    read: Notation,
}

impl<'a> TotalScorer<'a> {
    /// Creates a scorer for hands in a win context, to which each hand's notation may add.
    ///
    /// # Errors
    /// A [`Problem`] if the book does not have the rule set.
    pub fn new(book: &'a Book, context: &'a ContextDto) -> Result<TotalScorer<'a>, Problem> {
        let id = context.ruleset.unwrap_or_default();
        let ruleset = find(book, id, || format!("context.{}", ContextDto::RULESET))?;
        let context = Some(context).filter(|given| given.setup != ContextSetup::default());
        Ok(TotalScorer { rules: ruleset.rules(), context, read: Notation::default() })
    }

    /// Returns the total of a hand in notation.
    ///
    /// # Errors
    /// A [`Problem`] if the text is longer than a request may be, or as from
    /// [`ScoreRequest::total`].
    pub fn score_notation(&mut self, text: &str) -> Result<u32, Problem> {
        ScoreRequest::check_size(text.as_bytes())?;
        let read = self.read.replace(text);
        read.map_err(|error| Problem::from_notation(text, &error))?;
        self.score(&self.read)
    }

    fn score(&self, hand: &Notation) -> Result<u32, Problem> {
        let merged = self.context.map(|given| given.merge(&hand.context.into())).transpose()?;
        let given = merged.as_ref().map_or(&hand.context, |merged| &merged.setup);
        let (hand, context) = check(&hand.hand, given, self.rules.size())?;
        self.rules.points(&hand, &context).map_err(|error| Problem::from(&error))
    }
}

/// Returns a legal hand of a size that won and a complete win context, or all faults of both.
#[inline]
fn check(
    setup: &HandSetup,
    given: &ContextSetup,
    size: HandSize,
) -> Result<(Hand, Context), Problem> {
    if given.has_not_won() {
        let kind = ProblemKind::InvalidContext;
        return Err(Problem::for_field(kind, "context.won", &RequestFault::OtherNotWon));
    }
    let hand = if is_bonus_win(setup, given, size) {
        setup.to_bonus_win(size)
    } else {
        setup.to_hand(size)
    };
    match (hand, given.complete()) {
        (Ok(hand), Ok(context)) => Ok((hand, context)),
        (Ok(_), Err(error)) => {
            Err(Problem::with_errors(ProblemKind::InvalidContext, vec![FieldError::from(&error)]))
        }
        (Err(faults), context) => {
            let mut errors = hand_faults(&HandError { setup: setup.clone(), faults });
            errors.extend(context.err().map(|error| FieldError::from(&error)));
            Err(Problem::with_errors(ProblemKind::InvalidHand, errors))
        }
    }
}

/// Returns whether bonus tiles alone won, which only the game of sixteen tiles knows.
fn is_bonus_win(setup: &HandSetup, given: &ContextSetup, size: HandSize) -> bool {
    size == HandSize::Sixteen
        && setup.winning.is_none()
        && given.declared.is_some_and(DeclaredSet::has_bonus_win)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(json: &str) -> Problem {
        match ScoreRequest::from_json(json.as_bytes()) {
            Ok(request) => request.prepare(&Book::shipped()).expect_err(json),
            Err(problem) => problem,
        }
    }

    fn fields(json: &str) -> Vec<String> {
        problem(json).errors.into_iter().map(|error| error.field).collect()
    }

    #[test]
    fn text_and_object_say_the_same() {
        let text = r#"{ "hand": "[EEE,2]123m456p789s5s5s|SE1000|a" }"#;
        let object = r#"{ "hand": {
            "concealed": ["1m","2m","3m","4p","5p","6p","7s","8s","9s","5s"], "winning_tile": "5s",
            "melds": [{ "kind": "pung", "tiles": ["E","E","E"], "from": "across" }],
            "flowers": ["f1"] },
            "context": { "prevalent": "S", "seat": "E", "win": "self_drawn" } }"#;
        let read = |json: &str| {
            let request = ScoreRequest::from_json(json.as_bytes()).expect(json);
            request.prepare(&Book::shipped()).expect(json)
        };
        assert_eq!(read(text).hand, read(object).hand);
        assert_eq!(read(text).context, read(object).context);
        assert_eq!(read(text).assumed, []);
    }

    #[test]
    fn the_shape_of_a_request_is_checked_by_path() {
        for (json, field, part) in [
            (r#"{ "hand": "11m", "contxt": {} }"#, "contxt", "unknown field `contxt`"),
            (r#"{ "hand": "11m", "context": { "seet": "E" } }"#, "context.seet", "`seet`"),
            (r#"{ "hand": "11m", "context": { "seat": "X" } }"#, "context.seat", "`X`"),
            (
                r#"{ "hand": "11m", "context": { "win": 3 } }"#,
                "context.win",
                "expected one of `self_drawn`, `discard`, `kong_replacement`, `robbed_kong`, found a number",
            ),
            (r#"{ "hand": { "melds": [{ "kind": "set" }] } }"#, "hand.melds[0].kind", "`set`"),
            (
                r#"{ "hand": { "concealed": "11m" } }"#,
                "hand.concealed",
                "expected a list, found a text",
            ),
            (r#"{ "hand": "11m", "context": 3 }"#, "context", "expected an object"),
            (r#"{ "hand": 3 }"#, "hand", "expected a hand"),
        ] {
            let problem = problem(json);
            assert_eq!(problem.kind, ProblemKind::MalformedRequest, "{json}");
            assert_eq!(fields(json), [field], "{json}");
            assert!(problem.detail.contains(part), "{json}: {}", problem.detail);
        }
    }

    #[test]
    fn a_scorer_forgets_the_hands_before() {
        let texts = [
            "[EEE,2]123m406p789s5s5s|SE1000,1|ah",
            "123456789m11pFFF1p|EE10",
            "[999s,1][999p]123m789m2p2p",
            "123",
            "19m19p19sESWNCFPP",
            "19m19p19sESWNCFP9s|NN0100,3|8",
        ];
        let (book, context) = (Book::shipped(), ContextDto::default());
        let new = || TotalScorer::new(&book, &context).expect("the usual rules");
        let mut scorer = new();
        for text in texts.iter().chain(texts.iter().rev()) {
            assert_eq!(scorer.score_notation(text), new().score_notation(text), "{text}");
        }
    }

    #[test]
    fn a_notation_alone_is_the_same_as_a_text() {
        for text in ["123456789m11pFFF|SS1000", "123456789m11pFFF|SS1000|2a", "11m|??00??", "11m"] {
            let read = |json: &str| {
                ScoreRequest::from_json(json.as_bytes()).expect(json).prepare(&Book::shipped())
            };
            let object = read(&format!(r#"{{ "hand": {{ "notation": "{text}" }} }}"#));
            match read(&format!(r#"{{ "hand": "{text}" }}"#)) {
                Ok(prepared) => assert_eq!(object, Ok(prepared), "{text}"),
                Err(problem) => {
                    assert_eq!(object.expect_err(text).kind, problem.kind, "{text}");
                }
            }
        }
    }

    #[test]
    fn lists_are_no_objects() {
        for (json, field) in [
            (r#"["11m", {}]"#, ""),
            (r#"{ "hand": [["1m"], "1m"] }"#, "hand"),
            (r#"{ "hand": "11m", "context": ["mcr-wmo", "E"] }"#, "context"),
            (r#"{ "hand": { "melds": [["pung", ["E","E","E"]]] } }"#, "hand.melds[0]"),
        ] {
            let problem = problem(json);
            assert_eq!(problem.kind, ProblemKind::MalformedRequest, "{json}");
            assert!(problem.detail.contains("found a list"), "{}", problem.detail);
            let named = problem.errors.first().map_or("", |error| error.field.as_str());
            assert_eq!(named, field, "{json}");
        }
    }

    #[test]
    fn a_request_has_its_own_limit() {
        let json = format!(r#"{{ "hand": "{}" }}"#, "1".repeat(ScoreRequest::MAX_BYTES));
        assert_eq!(problem(&json).kind, ProblemKind::TooLarge);
    }

    #[test]
    fn an_absent_context_may_be_null() {
        let absent = ScoreRequest::from_json(br#"{ "hand": "11m" }"#);
        assert_eq!(ScoreRequest::from_json(br#"{ "hand": "11m", "context": null }"#), absent);
    }

    #[test]
    fn an_incomplete_request_is_malformed() {
        for json in ["", "{", "[]", "{}", r#"{ "hand": "11m" } x"#] {
            assert_eq!(problem(json).kind, ProblemKind::MalformedRequest, "{json}");
        }
    }

    #[test]
    fn hand_and_context_are_blamed_together() {
        let json = r#"{ "hand": { "concealed": ["1m","1m","1m","1m","1m"] },
                        "context": { "win": "self_drawn", "from": "left" } }"#;
        let expected = ["hand.concealed", "hand.winning_tile", "hand.concealed", "context.from"];
        assert_eq!(fields(json), expected);
        assert_eq!(problem(json).kind, ProblemKind::InvalidHand);
    }

    #[test]
    fn a_field_that_is_given_twice_must_agree() {
        let json = r#"{ "hand": "123m456p789s5555z5m|EE1000", "context": { "seat": "S" } }"#;
        assert_eq!(fields(json), ["context.seat"]);
        assert_eq!(problem(json).kind, ProblemKind::InvalidContext);
    }

    #[test]
    fn a_text_that_is_no_hand_points_at_its_character() {
        let problem = problem(r#"{ "hand": "11m22x" }"#);
        assert_eq!(problem.kind, ProblemKind::UnreadableNotation);
        assert_eq!(
            (problem.errors[0].field.as_str(), problem.errors[0].character),
            ("hand", Some(6))
        );
    }
}
