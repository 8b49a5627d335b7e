//! The JSON of readings, which all front ends share: the command, batches and the HTTP service.
//!
//! The JSON of hands, win contexts, scores and problems is in [`tilesight_core::contract`].

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
