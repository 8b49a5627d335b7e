//! The `range` and the `assumed_values` of a score: the missing values, and the totals that remain
//! possible without them.

use serde::{Deserialize, Serialize};

use super::ContextDto;
use crate::context::{
    ContextField, ContextSetup, ContextValue, Declaration, FieldEntry, FieldVisitor,
};
use crate::explain::Lang;
use crate::rules::{OpenAnswer, OpenField, OpenSubject, OpenValue, TotalRange, Unit};

/// Possible totals of a hand while a value that changes them is missing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = TotalRange)]
pub struct TotalRangeDto {
    /// Lowest total.
    pub min: u32,
    /// Highest total.
    pub max: u32,
    /// Whether the hand is a legal win; `null` if that depends on the open questions.
    pub legal: Option<bool>,
    /// Open questions that the total depends on. The question that narrows the range most comes
    /// first.
    pub open: Vec<OpenFieldDto>,
    /// Statement whether the minimum is reached with all, some or none of the answers, in the
    /// requested language, or that not all combinations were tried. Absent if the rules have no
    /// minimum.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Whether there are too many combinations of answers to try all of them: totals outside of
    /// this range are then possible too, and `text` says so. Absent if not.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    pub partial: bool,
}

/// A missing value that changes the total.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = OpenField)]
pub struct OpenFieldDto {
    /// `winning_tile`, or a field of the context: `win`, `seat`, `prevalent`, `riichi`, `ippatsu`
    /// or `declared`.
    pub field: String,
    /// Possible values, each with the range that remains.
    pub answers: Vec<OpenAnswerDto>,
}

/// A possible value of a missing field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = OpenAnswer)]
pub struct OpenAnswerDto {
    /// The value: a tile, or a value of the context field; of `declared` an empty text where
    /// nothing was declared.
    pub answer: String,
    /// Lowest total that is then possible.
    pub min: u32,
    /// Highest total that is then possible.
    pub max: u32,
}

/// Returns the defaults of some fields, as `context` takes them.
pub(super) fn assumed_values(fields: &[ContextField], context: ContextSetup) -> ContextDto {
    context.visit(&mut SomeFields { fields }).into()
}

/// Visitor that leaves out all but some fields.
struct SomeFields<'a> {
    fields: &'a [ContextField],
}

impl FieldVisitor for SomeFields<'_> {
    fn visit<T: ContextValue>(
        &mut self,
        field: &FieldEntry,
        value: Option<T>,
        _: Option<T>,
    ) -> Option<T> {
        value.filter(|_| self.fields.iter().any(|one| one.name() == field.name))
    }
}

/// Returns a value as the contract writes it.
fn code(value: &impl Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(text)) => text,
        Ok(other) => other.to_string(),
        Err(_) => String::new(),
    }
}

impl TotalRangeDto {
    /// Builds the range for rules with this minimum, in a language.
    #[must_use]
    pub fn new(range: &TotalRange, minimum: (u32, Unit), lang: Lang) -> TotalRangeDto {
        let TotalRange { min, max, legal, open, partial } = range;
        let open = open.iter().map(OpenFieldDto::from).collect();
        let text = lang.labels().minimum_of_range(range, minimum);
        let partial = *partial;
        TotalRangeDto { min: *min, max: *max, legal: *legal, open, text, partial }
    }
}

impl From<&OpenField> for OpenFieldDto {
    fn from(open: &OpenField) -> OpenFieldDto {
        let field = match open.subject {
            OpenSubject::WinningTile => "winning_tile",
            OpenSubject::Field(field) => field.name(),
        };
        let answers = open.answers.iter().map(OpenAnswerDto::from).collect();
        OpenFieldDto { field: field.to_owned(), answers }
    }
}

impl From<&OpenAnswer> for OpenAnswerDto {
    fn from(answer: &OpenAnswer) -> OpenAnswerDto {
        let OpenAnswer { value, min, max } = *answer;
        let answer = match value {
            OpenValue::Tile(tile) => tile.to_string(),
            OpenValue::Wind(wind) => code(&wind),
            OpenValue::Win(win) => code(&win.kind()),
            OpenValue::Riichi(call) => code(&call),
            OpenValue::Ippatsu(won) => code(&won),
            OpenValue::Declared(declared) => {
                declared.iter().map(Declaration::name).collect::<Vec<_>>().join(",")
            }
        };
        OpenAnswerDto { answer, min, max }
    }
}
