//! The JSON that all front ends share: the command, batches and the HTTP service have one shape for
//! hands, win contexts, scores and problems.
//!
//! Input: a [`ScoreRequest`], `{ "hand": ..., "context": ... }`, whose hand is an object or a line
//! of [`notation`](crate::notation). Output: a [`ScoreDto`], or a [`Problem`] that names every
//! field that is wrong, all at once. Invariant: field names and meanings are a promise to clients;
//! fields may be added, never renamed. What is read is checked here and nowhere else: an unknown
//! field is refused, because a misspelt one would change the score without a word.

#[cfg(feature = "vision")]
mod answer;
#[cfg(feature = "vision")]
mod answers;
#[cfg(feature = "http")]
mod codes;
#[cfg(feature = "vision")]
mod compact;
mod context;
mod correction;
#[cfg(feature = "vision")]
mod detail;
mod fault;
#[cfg(feature = "vision")]
mod focus;
mod hand;
mod hand_input;
mod hand_source;
mod json_fault;
mod lookup;
#[cfg(feature = "vision")]
mod named;
mod object;
mod others;
mod problem;
mod range;
#[cfg(feature = "vision")]
mod reading;
#[cfg(feature = "vision")]
mod region;
mod request;
mod rulesets;
#[cfg(feature = "http")]
mod schema;
mod score;
mod scores;
mod scoring;
#[cfg(any(feature = "jobs", all(feature = "cli", feature = "runtime")))]
mod table;
mod unknown;
mod whole_answer;

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
pub(crate) use codes::RulesetList;
#[cfg(feature = "http")]
pub(crate) use compact::compact_scores;
#[cfg(feature = "vision")]
pub use compact::{
    CompactAnswerDto, CompactAwardDto, CompactChoiceDto, CompactDoubtDto, CompactHandInViewDto,
    CompactOtherDto, CompactOtherScoreDto, CompactRangeDto, CompactReadingDto,
    CompactRulesetScoreDto, CompactScoreDto,
};
pub use context::ContextDto;
#[cfg(any(feature = "http", feature = "cli"))]
pub(crate) use context::value_of_text;
pub use correction::{
    ChangesDto, CorrectionDto, CorrectionRequest, PreviousAward, PreviousReading, PreviousScore,
    TileChangeDto, TotalChangeDto, hand_of_reading,
};
#[cfg(feature = "vision")]
pub use detail::{Detail, DetailError};
pub use fault::RequestFault;
#[cfg(feature = "vision")]
pub use focus::{FocusDto, FocusError};
pub use hand::{HandDto, MeldDto, MeldKind};
pub use hand_input::HandInput;
pub use hand_source::HandSource;
pub(crate) use hand_source::{OtherInRequest, OtherPhotoDto, Place, as_in_form};
pub use lookup::{check_named, check_rulesets, find_named, find_ruleset, find_rulesets};
#[cfg(feature = "http")]
pub(crate) use object::Object;
pub(crate) use object::object;
pub(crate) use object::object_or_null;
pub(crate) use object::objects;
#[cfg(feature = "http")]
pub(crate) use others::MOST as MOST_OTHERS;
pub use others::OtherDto;
#[cfg(feature = "jobs")]
pub(crate) use others::check_number as check_number_of_others;
#[cfg(any(feature = "http", feature = "cli"))]
pub(crate) use problem::read_value;
#[cfg(feature = "cli")]
pub(crate) use problem::without_bom;
pub use problem::{Facts, FieldError, Kind, Problem, ProblemKind, read_json};
pub use range::{OpenAnswerDto, OpenFieldDto, TotalRangeDto};
#[cfg(feature = "vision")]
pub use reading::{
    AlternativeDto, CandidateDto, DoubtDto, HandInViewDto, LookDto, NoScoreDto, PhotoOfHandDto,
    ReadingDto, TileDto,
};
#[cfg(feature = "vision")]
pub use region::{RegionDto, RegionError};
pub use request::{PreparedHand, ScoreRequest, ScoredHand};
pub use rulesets::{FieldChoicesDto, LineDto, NamesDto, OptionDto, RulesetDto, RulesetsDto};
pub use score::{
    AwardDto, ExclusionDto, OtherScoreDto, PaymentsDto, ReachDto, RunnerUpDto, ScoreDto, SetDto,
};
pub use scores::{
    RulesetScoreDto, ScoresDto, SideBySideRequest, TypedScores, side_by_side, side_by_side_read,
};
pub use scoring::{Scoring, ScoringRulesets};
#[cfg(any(feature = "jobs", all(feature = "cli", feature = "runtime")))]
pub(crate) use table::{SeatPhoto, TablePlan, TableRequest};
pub(crate) use unknown::refused_field;
#[cfg(feature = "http")]
pub(crate) use unknown::{NameSort, UnknownName};
#[cfg(feature = "http")]
pub(crate) use whole_answer::with_reading_alone;
