//! The JSON that all front ends share: the command, batches and the HTTP service have one shape for
//! hands, win contexts, scores and problems.
//!
//! Input: a [`ScoreRequest`], `{ "hand": ..., "context": ... }`, whose hand is an object or a line
//! of [`notation`](crate::notation). Output: a [`ScoreDto`], or a [`Problem`] that names every
//! field that is wrong, all at once. Invariant: field names and meanings are a promise to clients;
//! fields may be added, never renamed. What is read is checked here and nowhere else: an unknown
//! field is refused, because a misspelt one would change the score without a word.

pub mod changes;
mod codes;
mod context;
mod fault;
mod focus;
pub mod hand;
mod hand_input;
mod hand_source;
mod json_fault;
mod lookup;
pub mod object;
pub mod others;
mod photo_fields;
mod problem;
mod range;
mod region;
mod request;
mod riichi;
mod rulesets;
mod schema;
mod score;
mod scored_set;
mod scores;
mod scoring;
mod set_choice;
mod unknown;
mod whole_answer;

pub use changes::{ChangesDto, TileChangeDto, TotalChangeDto, hand_of_reading};
pub use codes::{RulesetList, TileOutline};
pub use context::ContextDto;
pub use context::value_of_text;
pub use fault::RequestFault;
pub use focus::{FocusDto, FocusError, deserialize_answered};
pub use hand::{HandDto, MeldDto, MeldKind};
pub use hand_input::HandInput;
pub use hand_source::HandSource;
pub use hand_source::{HandField, OtherInRequest, OtherPhotoDto, as_in_form};
pub(crate) use json_fault::read_parsed;
pub(crate) use lookup::find_named;
pub use lookup::{check_named, check_rulesets, find_ruleset, find_rulesets};
pub use object::Object;
pub use object::object;
pub use object::object_or_null;
pub use object::objects;
pub use others::MAX_OTHERS;
pub use others::check_number as check_number_of_others;
pub use others::{OtherDto, legal_other, problem_of_table, read as read_others};
pub use photo_fields::{PhotoField, PhotoFieldDescriber, PhotoFields};
pub use problem::read_value;
pub use problem::strip_bom;
pub use problem::{Facts, FieldError, Kind, Problem, ProblemKind, hand_faults, read_json};
pub use problem::{SeenInPhotoDto, TileInPhotoDto};
pub use range::{OpenAnswerDto, OpenFieldDto, TotalRangeDto};
pub use region::{RegionDto, RegionError};
pub use request::{PreparedHand, ScoreRequest, ScoredHand, TotalScorer};
pub use riichi::{FuPartDto, ValueRowDto, nullable};
pub use rulesets::{FieldChoicesDto, LineDto, NamesDto, OptionDto, RulesetDto, RulesetsDto};
pub(crate) use score::assumed_red_fives;
pub use score::{
    AwardDto, DoublingDto, ExclusionDto, OtherScoreDto, PaymentsDto, ReachDto, RunnerUpDto,
    ScoreDto,
};
pub use scored_set::SetDto;
pub use scores::{
    RulesetScoreDto, ScoresDto, SideBySideRequest, TypedScores, side_by_side, side_by_side_read,
};
pub use scoring::{Scoring, ScoringRulesets, merge_values};
pub use set_choice::{SetChoice, SetName, SetNameError};
pub use unknown::{NameSort, UnknownName};
pub use whole_answer::with_reading_alone;
