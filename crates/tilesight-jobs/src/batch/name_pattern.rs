//! Win contexts from the names of files.
//!
//! Input: a pattern such as `{prevalent}{seat}_{win}[-{from}]*` and the name of a file without
//! folder and extension. In a pattern `{field}` stands for a value of that field as in JSON, in
//! either case and with `-` for `_`; `{id}` for the id of the photo's row; `*` for any text; a part
//! between `[` and `]` is optional; everything else matches itself. Output: the win context.
//! Invariant: a name that does not match the pattern is refused, not guessed at.

use std::fmt::Write;

use regex_lite::Regex;
use serde_json::{Map, Value};
use tilesight_core::contract::{ContextDto, FieldError, Problem, ProblemKind};
use tilesight_core::rules::Book;

const WINDS: &str = "[ESWN]";

/// A pattern of names.
#[derive(Debug, Clone)]
pub struct NamePattern {
    pattern: String,
    regex: Regex,
    fields: Vec<&'static str>,
}

/// Id and win context from a name.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NamePart {
    /// Id of the row.
    pub id: Option<String>,
    /// Win context.
    pub context: ContextDto,
}

/// Error when a pattern can't be used. The user can fix it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// Error when braces name no field.
    #[error(
        "unknown field `{{{0}}}`: expected {{id}}, {{ruleset}}, {{seat}}, {{prevalent}}, {{win}}, {{from}}, {{last_wall_tile}} and {{last_of_kind}}"
    )]
    Unknown(String),
    /// Error when a field is given twice.
    #[error("`{{{0}}}` is given twice")]
    Twice(&'static str),
    /// Error when a bracket or a brace has no partner.
    #[error("unpaired `{0}`")]
    Unpaired(char),
    /// Error when the pattern names no field.
    #[error("it names no field")]
    Empty,
}

impl NamePattern {
    /// Parses a pattern; `{ruleset}` matches the rule sets of the book.
    ///
    /// # Errors
    /// [`PatternError`].
    pub fn parse(pattern: &str, book: &Book) -> Result<NamePattern, PatternError> {
        let mut regex = "(?i)^".to_owned();
        let mut fields = Vec::new();
        let mut open = false;
        let mut rest = pattern.chars();
        while let Some(c) = rest.next() {
            match c {
                '{' => {
                    let name = rest.as_str().split_once('}').ok_or(PatternError::Unpaired('{'))?.0;
                    rest = rest.as_str()[name.len() + 1..].chars();
                    let (field, values) = value_of(name, book)?;
                    if fields.contains(&field) {
                        return Err(PatternError::Twice(field));
                    }
                    fields.push(field);
                    write!(regex, "(?P<{field}>{values})").expect("memory");
                }
                '*' => regex.push_str(".*"),
                '[' if !open => {
                    open = true;
                    regex.push_str("(?:");
                }
                ']' if open => {
                    open = false;
                    regex.push_str(")?");
                }
                '}' | '[' | ']' => return Err(PatternError::Unpaired(c)),
                c => regex.push_str(&regex_lite::escape(c.encode_utf8(&mut [0; 4]))),
            }
        }
        if open {
            return Err(PatternError::Unpaired('['));
        }
        if fields.is_empty() {
            return Err(PatternError::Empty);
        }
        let regex = Regex::new(&(regex + "$")).expect("every part of it is a regular expression");
        Ok(NamePattern { pattern: pattern.to_owned(), regex, fields })
    }
}

/// Returns the field of a name in braces, and a regular expression for its values.
fn value_of(name: &str, book: &Book) -> Result<(&'static str, String), PatternError> {
    let boolean = "true|false";
    Ok(match name {
        "id" => ("id", ".+?".to_owned()),
        "seat" => ("seat", WINDS.to_owned()),
        "prevalent" => ("prevalent", WINDS.to_owned()),
        "win" => ("win", "self[_-]drawn|discard|kong[_-]replacement|robbed[_-]kong".to_owned()),
        "from" => ("from", "left|across|right".to_owned()),
        "last_wall_tile" => ("last_wall_tile", boolean.to_owned()),
        "last_of_kind" => ("last_of_kind", boolean.to_owned()),
        "ruleset" => {
            let mut names: Vec<String> =
                book.ids().map(|id| regex_lite::escape(id.as_str())).collect();
            // Longest first: `mcr` must not match the beginning of `mcr-wmo`.
            names.sort_by_key(|name| std::cmp::Reverse(name.len()));
            ("ruleset", names.join("|"))
        }
        other => return Err(PatternError::Unknown(other.to_owned())),
    })
}

impl NamePattern {
    /// Reads the id and the win context from a file's name without folder and extension.
    ///
    /// # Errors
    /// A [`Problem`] when the name does not match the pattern.
    pub fn read(&self, stem: &str) -> Result<NamePart, Problem> {
        let Some(found) = self.regex.captures(stem) else {
            let detail = format!("the name does not match the pattern `{}`", self.pattern);
            let errors = vec![FieldError::new("file", detail)];
            return Err(Problem::with_errors(ProblemKind::InvalidContext, errors));
        };
        let mut part = NamePart::default();
        let mut context = Map::new();
        for &field in &self.fields {
            let Some(text) = found.name(field).map(|value| value.as_str()) else { continue };
            let value = match field {
                "id" => {
                    part.id = Some(text.to_owned());
                    continue;
                }
                "seat" | "prevalent" => Value::from(text.to_ascii_uppercase()),
                "last_wall_tile" | "last_of_kind" => Value::from(text.eq_ignore_ascii_case("true")),
                "ruleset" => Value::from(text.to_ascii_lowercase()),
                _ => Value::from(text.to_ascii_lowercase().replace('-', "_")),
            };
            context.insert(field.to_owned(), value);
        }
        part.context = ContextDto::from_json(Value::Object(context).to_string().as_bytes())?;
        Ok(part)
    }
}

#[cfg(test)]
mod tests {
    use tilesight_core::context::{ContextSetup, WinKind};
    use tilesight_core::meld::Relation;
    use tilesight_core::rules::RulesetId;
    use tilesight_core::tile::Wind;

    use super::*;

    fn names(pattern: &str) -> NamePattern {
        NamePattern::parse(pattern, &Book::shipped())
            .unwrap_or_else(|error| panic!("{pattern}: {error}"))
    }

    #[test]
    fn names_give_the_context() {
        let names = names("{id}_{prevalent}{seat}_{win}[-{from}]*");
        let part = names.read("table 3.2_es_Discard-across (1)").expect("follows it");
        let expected = ContextDto::from(ContextSetup {
            prevalent: Some(Wind::East),
            seat: Some(Wind::South),
            win: Some(WinKind::Discard),
            from: Some(Relation::Across),
            ..ContextSetup::default()
        });
        assert_eq!(part, NamePart { id: Some("table 3.2".to_owned()), context: expected });
        let part = names.read("x_NW_self-drawn").expect("follows it");
        assert_eq!(
            (part.context.setup.win, part.context.setup.from),
            (Some(WinKind::SelfDrawn), None)
        );
    }

    #[test]
    fn every_field_of_the_context_can_be_named() {
        let pattern = "{ruleset}.{last_wall_tile}.{last_of_kind}";
        let part = names(pattern).read("MCR-MIL.true.False").expect("follows it");
        let expected = ContextDto {
            ruleset: Some(RulesetId::MCR_MIL),
            setup: ContextSetup {
                last_wall_tile: Some(true),
                last_of_kind: Some(false),
                ..ContextSetup::default()
            },
        };
        assert_eq!(part.context, expected);
    }

    #[test]
    fn a_name_that_does_not_follow_is_refused() {
        let names = names("{seat}-{win}");
        for stem in ["E-self_draw", "X-discard", "E-discard-2", "E_discard", "", "E-discard\n"] {
            let problem = names.read(stem).expect_err(stem);
            assert_eq!(problem.kind, ProblemKind::InvalidContext, "{stem}");
        }
    }

    #[test]
    fn literal_text_is_not_read_as_a_regular_expression() {
        assert!(names("a.(b+)^{seat}").read("a.(b+)^S").is_ok());
        assert!(names("a.{seat}").read("abS").is_err());
    }

    #[test]
    fn patterns_are_checked() {
        for (pattern, expected) in [
            ("{seet}", PatternError::Unknown("seet".to_owned())),
            ("{seat}{seat}", PatternError::Twice("seat")),
            ("{seat", PatternError::Unpaired('{')),
            ("seat}", PatternError::Unpaired('}')),
            ("[{seat}", PatternError::Unpaired('[')),
            ("{seat}]", PatternError::Unpaired(']')),
            ("[[{seat}]]", PatternError::Unpaired('[')),
            ("*", PatternError::Empty),
        ] {
            assert_eq!(
                NamePattern::parse(pattern, &Book::shipped()).expect_err(pattern),
                expected,
                "{pattern}"
            );
        }
    }
}
