//! Requests about hands and evenings.
//!
//! Input: the bytes of a request of the contract, and the language of names and texts. Output: the
//! JSON of the answer, or a [`Problem`]. Invariant: between two requests the engine keeps only the
//! book of rule sets; the record of an evening is part of each request about it.

use std::fmt::Display;

use serde::Serialize;
use tilesight_core::contract::{
    ContextDto, HandDto, Problem, ProblemKind, RulesetsDto, ScoreRequest, SideBySideRequest,
    read_json,
};
use tilesight_core::evening::{
    Action, ChangeDto, Game, GameRecord, GameView, Meta, NewGameDto, csv,
};
use tilesight_core::explain::Lang;
use tilesight_core::notation::Notation;
use tilesight_core::rules::{Book, PossibleAnswers, Profile, possible_answers};

/// Answer to a request: JSON, or the text of a table.
pub type Answer = Result<Vec<u8>, Problem>;

/// The engine, with the rule sets that hands are scored by.
#[derive(Debug)]
pub struct Engine {
    book: Book,
}

/// A hand in its three written forms.
#[derive(Serialize)]
struct WrittenHand {
    hand: HandDto,
    context: ContextDto,
    notation: String,
    possible: PossibleAnswers,
}

impl Engine {
    /// Returns an engine with the rule sets that come with the program.
    #[must_use]
    pub fn shipped() -> Engine {
        Engine { book: Book::shipped() }
    }

    /// Returns the rule sets that hands are scored by.
    #[must_use]
    pub fn book(&self) -> &Book {
        &self.book
    }

    /// Adds a rule set, given as the text of a profile file.
    ///
    /// # Errors
    /// A [`Problem`] with the fault of the file, or with the name that is taken.
    pub fn install(&mut self, profile: &str) -> Result<(), Problem> {
        let profile = Profile::parse(profile).map_err(malformed)?;
        self.book.install(profile).map_err(malformed)?;
        Ok(())
    }

    /// Scores a typed hand: one score, or, with `rulesets`, a list of scores side by side.
    ///
    /// # Errors
    /// Like the HTTP service: all faults of the hand and its context.
    pub fn score(&self, request: &[u8], lang: Lang) -> Answer {
        to_json(&SideBySideRequest::from_json(request)?.score(&self.book, lang)?)
    }

    /// Returns every rule set with its options and lines.
    ///
    /// # Errors
    /// No error that a request can cause.
    pub fn rulesets(&self, lang: Lang) -> Answer {
        to_json(&RulesetsDto::new(&self.book, lang))
    }

    /// Returns the hand and context of a scoring request as objects and as a line of notation, and
    /// the other values that the context may have for such a win. The tiles need not be a whole
    /// hand.
    ///
    /// # Errors
    /// A [`Problem`] with the fields that can't be read.
    pub fn hand(&self, request: &[u8]) -> Answer {
        let (hand, context) = ScoreRequest::from_json(request)?.read()?;
        let possible = possible_answers(&self.book, &hand, &context.setup);
        let dto = HandDto::from(&hand);
        let notation = Notation { hand, context: context.setup }.to_string();
        to_json(&WrittenHand { hand: dto, context, notation, possible })
    }

    /// Returns the record of a new evening.
    ///
    /// # Errors
    /// A [`Problem`] if the rule set is unknown or the names are not valid for a game.
    pub fn begin(&self, request: &[u8]) -> Answer {
        to_json(&NewGameDto::from_json(request)?.begin(&self.book)?)
    }

    /// Returns the record of an evening after a change at time `at`, in milliseconds since 1970.
    ///
    /// # Errors
    /// A [`Problem`] if the change is not possible.
    pub fn change(&self, record: &[u8], change: &[u8], at: u64) -> Answer {
        let mut game = self.open(record)?;
        let ChangeDto { action, by } = ChangeDto::from_json(change)?;
        let action = Action::try_from(action).map_err(|error| Problem::from(&error))?;
        let done = game.apply(Meta { at, by, key: None }, action);
        done.map_err(|error| Problem::from(&error))?;
        to_json(&game)
    }

    /// Returns the current state of an evening: deals, payments, totals and standings.
    ///
    /// # Errors
    /// A [`Problem`] if the record is not that of a game.
    pub fn view(&self, record: &[u8], lang: Lang) -> Answer {
        let game = self.open(record)?;
        let revision = game.changes().len() as u64;
        let view = GameView::for_onlookers(&game, revision, lang);
        to_json(&view.map_err(|error| Problem::from(&error))?)
    }

    /// Returns the score sheet of an evening as comma-separated values.
    ///
    /// # Errors
    /// Those of [`view`](Engine::view).
    pub fn table(&self, record: &[u8]) -> Answer {
        let table = csv(&self.open(record)?);
        Ok(table.map_err(|error| Problem::from(&error))?.into_bytes())
    }

    fn open(&self, record: &[u8]) -> Result<Game, Problem> {
        let record: GameRecord = read_json(record, "game")?;
        record.open(&self.book).map_err(malformed)
    }
}

/// Returns the problem of a rule set that can't be used.
fn malformed(error: impl Display) -> Problem {
    Problem::new(ProblemKind::MalformedRequest, error.to_string())
}

/// Splits a request into its first line and the bytes after it, for bindings that pass both in one
/// buffer.
#[must_use]
pub fn head_and_bytes(request: &[u8]) -> (&[u8], &[u8]) {
    let end = request.iter().position(|&byte| byte == b'\n').unwrap_or(request.len());
    (&request[..end], request.get(end + 1..).unwrap_or_default())
}

/// Returns the JSON of an answer.
///
/// # Errors
/// A [`Problem`] of the program, if the answer can't be written as JSON.
pub fn to_json(answer: &impl Serialize) -> Answer {
    serde_json::to_vec(answer)
        .map_err(|error| Problem::new(ProblemKind::Internal, error.to_string()))
}
