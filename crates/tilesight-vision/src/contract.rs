//! The JSON of readings, which all front ends share: the command, batches and the HTTP service.
//!
//! The JSON of hands, win contexts, scores and problems is in [`tilesight_core::contract`].

mod answer;
mod answers;
mod compact;
mod detail;
mod named;
mod own_sets;
mod reading;
mod table;

pub use answer::milliseconds;
pub use answer::{AnswerDto, EngineDto, ImageDto, ModelsDto, OtherReadingDto};
pub use answers::{
    AnsweredReadingDto, AnswersRequest, AnswersResponse, CompactAnsweredDto, DoubtfulReading,
    GivenAnswer,
};
pub use compact::compact_scores;
pub use compact::{
    CompactAnswerDto, CompactAwardDto, CompactChoiceDto, CompactDoubtDto, CompactHandInViewDto,
    CompactOtherDto, CompactOtherScoreDto, CompactRangeDto, CompactReadingDto,
    CompactRulesetScoreDto, CompactScoreDto,
};
pub use detail::{Detail, DetailError};
pub use own_sets::{OwnSetDto, OwnSetsDto};
pub use reading::{
    AlternativeDto, CandidateDto, DoubtDto, HandInViewDto, NoScoreDto, PhotoOfHandDto, ReadingDto,
    SetUseDto, TileDto, TileViewDto, no_hand_problem,
};
pub use table::{HandPlan, TablePlan, TableRequest, too_many_photos};
