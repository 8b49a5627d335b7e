//! Types of the JSON that all front ends share: the command, batches and the HTTP service use one
//! representation of hands, win contexts, scores and problems.
//!
//! Input: a [`ScoreRequest`], `{ "hand": ..., "context": ... }`, whose hand is an object or a line
//! of [`notation`](crate::notation). Output: a [`ScoreDto`], or a [`Problem`] that names every
//! wrong field at once. Invariant: field names and meanings are a promise to clients; fields may be
//! added, but never renamed. All input is validated in this module and nowhere else: an unknown
//! field is rejected, because a misspelt one would silently change the score.

#[cfg(feature = "vision")]
mod answer;
#[cfg(feature = "vision")]
mod answers;
#[cfg(feature = "vision")]
mod compact;
#[cfg(feature = "vision")]
mod detail;
#[cfg(feature = "vision")]
mod named;
#[cfg(feature = "vision")]
mod reading;
#[cfg(any(feature = "jobs", all(feature = "cli", feature = "runtime")))]
mod table;

#[cfg(feature = "http")]
pub(crate) use answer::milliseconds;
#[cfg(feature = "vision")]
pub use answer::{AnswerDto, EngineDto, ImageDto, ModelsDto, OtherReadingDto};
#[cfg(feature = "vision")]
pub use answers::{
    AnsweredReadingDto, AnswersRequest, AnswersResponse, CompactAnsweredDto, DoubtfulReading,
    GivenAnswer,
};
#[cfg(feature = "http")]
pub(crate) use compact::compact_scores;
#[cfg(feature = "vision")]
pub use compact::{
    CompactAnswerDto, CompactAwardDto, CompactChoiceDto, CompactDoubtDto, CompactHandInViewDto,
    CompactOtherDto, CompactOtherScoreDto, CompactRangeDto, CompactReadingDto,
    CompactRulesetScoreDto, CompactScoreDto,
};
#[cfg(feature = "vision")]
pub use detail::{Detail, DetailError};
#[cfg(feature = "vision")]
pub use reading::{
    AlternativeDto, CandidateDto, DoubtDto, HandInViewDto, LookDto, NoScoreDto, PhotoOfHandDto,
    ReadingDto, TileDto, no_hand_problem,
};
#[cfg(any(feature = "jobs", all(feature = "cli", feature = "runtime")))]
pub(crate) use table::{SeatPhoto, TablePlan, TableRequest};
