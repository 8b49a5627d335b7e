//! JSON and query strings into the contract's types, with the path of what is wrong.

use axum::extract::Query;
use axum::http::Uri;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::failure::Failure;
use crate::contract::{ContextDto, FieldError, Problem, ProblemKind};

/// JSON as a `T`; `place` is where it stood in the request, empty for the whole body.
pub(super) fn from_json<T: DeserializeOwned>(json: &[u8], place: &str) -> Result<T, Failure> {
    let mut deserializer = serde_json::Deserializer::from_slice(json);
    let value = serde_path_to_error::deserialize(&mut deserializer)
        .map_err(|error| Failure::from(within(place, Problem::from_json(&error))))?;
    deserializer.end().map_err(|error| {
        within(place, Problem::new(ProblemKind::MalformedRequest, error.to_string()))
    })?;
    Ok(value)
}

/// The circumstances in a query: the fields of the contract's `context`, each at most once.
pub(super) fn context_from_query(uri: &Uri) -> Result<ContextDto, Failure> {
    let pairs = Query::<Vec<(String, String)>>::try_from_uri(uri)
        .map_err(|_| Failure::bad_request("query", "the query is not form-encoded"))?;
    let mut fields = Map::new();
    for (name, text) in pairs.0 {
        let value = match text.as_str() {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            _ => Value::String(text),
        };
        if fields.insert(name.clone(), value).is_some() {
            return Err(Failure::bad_request(&format!("context.{name}"), "given twice"));
        }
    }
    from_json(Value::Object(fields).to_string().as_bytes(), "context")
}

/// The problem with its paths told from the top of the request.
fn within(place: &str, problem: Problem) -> Problem {
    if place.is_empty() {
        return problem;
    }
    let named = problem.errors.into_iter().map(|error| FieldError {
        field: format!("{place}.{}", error.field),
        ..error
    });
    let mut errors: Vec<_> = named.collect();
    if errors.is_empty() {
        errors.push(FieldError::new(place, problem.detail));
    }
    Problem::with_errors(problem.kind, errors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::WinKind;
    use crate::rules::RulesetId;
    use crate::tile::Wind;

    #[test]
    fn a_query_holds_the_context() {
        let uri = "/v1/hands?ruleset=mcr-mil&seat=S&win=self_drawn&last_wall_tile=true".parse().unwrap();
        let expected = ContextDto {
            ruleset: Some(RulesetId::McrMil),
            seat: Some(Wind::South),
            win: Some(WinKind::SelfDrawn),
            last_wall_tile: Some(true),
            ..ContextDto::default()
        };
        assert_eq!(context_from_query(&uri), Ok(expected));
        assert_eq!(context_from_query(&"/v1/hands".parse().unwrap()), Ok(ContextDto::default()));
    }

    #[test]
    fn what_is_wrong_is_named_by_its_path() {
        let cases = [
            ("/?sheat=S", "context.sheat"),
            ("/?seat=Q", "context.seat"),
            ("/?seat=S&seat=S", "context.seat"),
            ("/?last_wall_tile=perhaps", "context.last_wall_tile"),
        ];
        for (uri, field) in cases {
            let Err(Failure::Problem(problem)) = context_from_query(&uri.parse().unwrap()) else {
                panic!("{uri} was taken");
            };
            assert_eq!(problem.errors[0].field, field, "{uri}");
        }
        let Err(Failure::Problem(problem)) = from_json::<ContextDto>(b"{", "context") else {
            panic!("half an object was taken");
        };
        assert_eq!(problem.errors[0].field, "context");
    }
}
