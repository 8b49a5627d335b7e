//! The `context` of a request: the win context, and the rule set beside it.
//!
//! Input: a flat JSON object in which every field is optional. Output: a [`ContextDto`]. Invariant:
//! the fields are those of [`ContextSetup`] and `ruleset`; an unknown or repeated field is
//! rejected.

use std::fmt;
use std::sync::LazyLock;

use serde::de::{self, DeserializeSeed, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use crate::context::{ContextSetup, ContextValue, FieldEntry, FieldVisitor, RiichiCall, WinKind};
use crate::rules::RulesetId;

use super::fault::RequestFault;
use super::problem::{FieldError, Problem, ProblemKind, read_json};

/// The `context` of the contract: the win context and the rule set. Every field is optional.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct ContextDto {
    /// Rule set to score by; `mcr-wmo` when absent.
    pub ruleset: Option<RulesetId>,
    /// The win context. In JSON its fields are beside `ruleset`.
    #[serde(flatten)]
    pub setup: ContextSetup,
}

impl From<ContextSetup> for ContextDto {
    fn from(setup: ContextSetup) -> ContextDto {
        ContextDto { ruleset: None, setup }
    }
}

impl ContextDto {
    /// Name of the field with the rule set.
    pub const RULESET: &'static str = "ruleset";

    /// Description of the field with the rule set.
    pub const RULESET_WORDS: &'static str = "The rules to score by; `mcr-wmo` when absent.";

    /// Returns the names of all fields, in the order of the contract.
    pub fn names() -> impl Iterator<Item = &'static str> {
        let fields = ContextSetup::FIELDS.iter().map(|field| field.name);
        std::iter::once(ContextDto::RULESET).chain(fields)
    }

    /// Reads a context from JSON.
    ///
    /// # Errors
    /// A [`Problem`] with the first field that has the wrong shape.
    pub fn from_json(json: &[u8]) -> Result<ContextDto, Problem> {
        read_json(json, "context")
    }

    /// Merges two sources. Each fills the fields that the other omits.
    ///
    /// # Errors
    /// A [`Problem`] with every field for which the sources give different values: neither takes
    /// precedence.
    pub fn merge(&self, other: &ContextDto) -> Result<ContextDto, Problem> {
        let mut merge = Merge { errors: Vec::new() };
        let ruleset = merge.either(ContextDto::RULESET, self.ruleset, other.ruleset);
        let setup = self.setup.zip(&other.setup, &mut merge);
        if merge.errors.is_empty() {
            Ok(ContextDto { ruleset, setup })
        } else {
            Err(Problem::with_errors(ProblemKind::InvalidContext, merge.errors))
        }
    }

    /// Returns this context with its absent fields taken from another one.
    #[must_use]
    pub fn or(&self, other: &ContextDto) -> ContextDto {
        ContextDto { ruleset: self.ruleset.or(other.ruleset), setup: self.setup.or(&other.setup) }
    }

    /// Like [`or`](ContextDto::or), for the context that a photo was read with, which this one
    /// corrects: an earlier field that only makes sense with a value that was corrected is dropped.
    #[must_use]
    pub fn amend(&self, earlier: &ContextDto) -> ContextDto {
        let now = self.setup;
        let mut earlier = *earlier;
        if is_drawn(now.win) || now.has_not_won() {
            earlier.setup.from = None;
        }
        if now.from.is_some() && is_drawn(earlier.setup.win) || now.has_not_won() {
            earlier.setup.win = None;
        }
        if now.win.is_some() || now.from.is_some() {
            earlier.setup.won = None;
        }
        if now.riichi == Some(RiichiCall::No) {
            earlier.setup.ippatsu = None;
            earlier.setup.ura_indicators = None;
        }
        self.or(&earlier)
    }

    /// Returns whether no field is given.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == ContextDto::default()
    }

    /// Writes only the fields that are given, as a request has them.
    ///
    /// # Errors
    /// The errors of the serializer.
    pub fn serialize_given<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut given = Given { fields: Map::new() };
        given.add(ContextDto::RULESET, self.ruleset.as_ref());
        let _ = self.setup.visit(&mut given);
        given.fields.serialize(serializer)
    }
}

/// Returns whether the winner drew the winning tile.
fn is_drawn(win: Option<WinKind>) -> bool {
    matches!(win, Some(WinKind::SelfDrawn | WinKind::KongReplacement))
}

/// Visitor that collects the fields that are given, as JSON.
struct Given {
    fields: Map<String, Value>,
}

impl Given {
    fn add(&mut self, name: &str, value: Option<&impl Serialize>) {
        let value = value.and_then(|value| serde_json::to_value(value).ok());
        self.fields.extend(value.map(|value| (name.to_owned(), value)));
    }
}

impl FieldVisitor for Given {
    fn visit<T: ContextValue>(
        &mut self,
        field: &FieldEntry,
        value: Option<T>,
        _: Option<T>,
    ) -> Option<T> {
        self.add(field.name, value.as_ref());
        value
    }
}

/// Merge that takes each field from the source that gives it.
struct Merge {
    errors: Vec<FieldError>,
}

impl Merge {
    #[inline]
    fn either<T: PartialEq + Serialize>(
        &mut self,
        name: &str,
        one: Option<T>,
        other: Option<T>,
    ) -> Option<T> {
        match (one, other) {
            (Some(one), Some(other)) if one != other => {
                self.refuse(name, json(&one), json(&other));
                None
            }
            (one, other) => one.or(other),
        }
    }

    #[cold]
    fn refuse(&mut self, name: &str, one: String, other: String) {
        let detail = RequestFault::GivenDifferently { one, other };
        self.errors.push(FieldError::from_message(format!("context.{name}"), &detail));
    }
}

impl FieldVisitor for Merge {
    #[inline]
    fn visit<T: ContextValue>(
        &mut self,
        field: &FieldEntry,
        one: Option<T>,
        other: Option<T>,
    ) -> Option<T> {
        self.either(field.name, one, other)
    }
}

/// Returns a value as clients write it.
#[cold]
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

/// Returns a value that came as text (from a query, a column or a flag) as JSON has it.
pub fn value_of_text(text: impl Into<String>) -> serde_json::Value {
    let text = text.into();
    match text.as_str() {
        "true" => serde_json::Value::Bool(true),
        "false" => serde_json::Value::Bool(false),
        _ => serde_json::Value::String(text),
    }
}

impl<'de> Deserialize<'de> for ContextDto {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ContextDto, D::Error> {
        deserializer.deserialize_map(ContextVisitor)
    }
}

struct ContextVisitor;

impl<'de> Visitor<'de> for ContextVisitor {
    type Value = ContextDto;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("an object with the fields of a win context")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ContextDto, A::Error> {
        let mut context = ContextDto::default();
        let mut seen = Vec::new();
        while let Some(name) = map.next_key_seed(FieldName)? {
            if seen.contains(&name) {
                return Err(de::Error::duplicate_field(name));
            }
            seen.push(name);
            if name == ContextDto::RULESET {
                context.ruleset = map.next_value()?;
            } else {
                let mut field = ReadField { name, map: &mut map, result: Ok(()) };
                context.setup = context.setup.visit(&mut field);
                field.result?;
            }
        }
        Ok(context)
    }
}

/// Names of all fields.
static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| ContextDto::names().collect());

/// Seed for the name of a field. An unknown name is rejected here, so that the error has its path.
struct FieldName;

impl<'de> DeserializeSeed<'de> for FieldName {
    type Value = &'static str;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_identifier(self)
    }
}

impl Visitor<'_> for FieldName {
    type Value = &'static str;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a field of a win context")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<&'static str, E> {
        let name = NAMES.iter().find(|&&name| name == text);
        name.copied().ok_or_else(|| E::unknown_field(text, &NAMES))
    }
}

/// Visitor that reads the value of one field.
struct ReadField<'a, 'de, A: MapAccess<'de>> {
    name: &'static str,
    map: &'a mut A,
    result: Result<(), A::Error>,
}

impl<'de, A: MapAccess<'de>> FieldVisitor for ReadField<'_, 'de, A> {
    fn visit<T: ContextValue>(
        &mut self,
        field: &FieldEntry,
        one: Option<T>,
        _: Option<T>,
    ) -> Option<T> {
        if field.name != self.name {
            return one;
        }
        self.map.next_value().unwrap_or_else(|error| {
            self.result = Err(error);
            None
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::WinKind;
    use crate::tile::Wind;

    fn south() -> ContextSetup {
        ContextSetup { seat: Some(Wind::South), ..ContextSetup::default() }
    }

    #[test]
    fn sources_complete_each_other() {
        let one = ContextDto::from(south());
        let other = ContextSetup { win: Some(WinKind::RobbedKong), ..south() }.into();
        assert_eq!(one.merge(&other), Ok(other));
    }

    #[test]
    fn a_correction_drops_earlier_fields_that_no_longer_make_sense() {
        let context = |json: &str| ContextDto::from_json(json.as_bytes()).expect(json);
        for (now, earlier, expected) in [
            (
                r#"{}"#,
                r#"{"win":"discard","from":"across"}"#,
                r#"{"win":"discard","from":"across"}"#,
            ),
            (
                r#"{"win":"self_drawn"}"#,
                r#"{"win":"discard","from":"left"}"#,
                r#"{"win":"self_drawn"}"#,
            ),
            (
                r#"{"from":"left"}"#,
                r#"{"win":"self_drawn","seat":"S"}"#,
                r#"{"from":"left","seat":"S"}"#,
            ),
            (
                r#"{"from":"left"}"#,
                r#"{"win":"robbed_kong"}"#,
                r#"{"from":"left","win":"robbed_kong"}"#,
            ),
            (r#"{"riichi":"no"}"#, r#"{"riichi":"riichi","ippatsu":true}"#, r#"{"riichi":"no"}"#),
            (r#"{"won":false}"#, r#"{"win":"discard","from":"left"}"#, r#"{"won":false}"#),
            (r#"{"win":"discard"}"#, r#"{"won":false}"#, r#"{"win":"discard"}"#),
            (r#"{"ruleset":"mmm"}"#, r#"{"ruleset":"hk-old"}"#, r#"{"ruleset":"mmm"}"#),
        ] {
            let merged = context(now).amend(&context(earlier));
            assert_eq!(merged, context(expected), "{now} over {earlier}");
        }
    }

    #[test]
    fn every_disagreement_is_named() {
        let one = ContextSetup { last_of_kind: Some(true), ..south() };
        let other = ContextSetup { seat: Some(Wind::East), last_of_kind: Some(false), ..one };
        let problem = ContextDto::from(one).merge(&other.into()).expect_err("two disagreements");
        let errors = problem.errors;
        let fields: Vec<_> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["context.seat", "context.last_of_kind"]);
        assert_eq!(errors[0].detail, r#"given twice, as "S" and as "E""#);
    }

    #[test]
    fn json_holds_all_fields_flat_and_reads_back() {
        let context = ContextDto { ruleset: Some(RulesetId::MCR_WMO), setup: south() };
        let json = serde_json::to_string(&context).expect("JSON");
        assert!(json.starts_with(r#"{"ruleset":"mcr-wmo","seat":"S","prevalent":null,"#), "{json}");
        assert_eq!(ContextDto::from_json(json.as_bytes()), Ok(context));
        for (json, part) in [
            (r#"{"seat":"S","seat":"S"}"#, "context.seat: the field occurs twice"),
            (r#"{"seat":null,"seat":"S"}"#, "context.seat: the field occurs twice"),
            (r#"{"sheat":"S"}"#, "unknown field `sheat`, expected one of `ruleset`, `seat`, "),
        ] {
            let problem = ContextDto::from_json(json.as_bytes()).expect_err(json);
            assert!(problem.detail.contains(part), "{json}: {}", problem.detail);
        }
    }
}
