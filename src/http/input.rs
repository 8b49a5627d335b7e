//! The circumstances of a win out of a query string: all there are for a photo that is the whole
//! body, and more of them for a body that has its own.
//!
//! Input: `?seat=S&win=self_drawn&last_wall_tile=true`. Output: the contract's `context`, checked by
//! the same code as the JSON, so that the same mistake has the same answer. Invariant: no parameter
//! is passed over.

use axum::extract::Query;
use axum::http::Uri;
use serde_json::{Map, Value};

use super::failure::Failure;
use crate::contract::{ContextDto, Problem, ProblemKind, read_json};

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
    Ok(read_json(Value::Object(fields).to_string().as_bytes(), "context")?)
}

/// What body and query say together.
pub(super) fn merged(body: &ContextDto, query: &ContextDto) -> Result<ContextDto, Failure> {
    body.merge(query)
        .map_err(|errors| Problem::with_errors(ProblemKind::InvalidContext, errors).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::WinKind;
    use crate::rules::RulesetId;
    use crate::tile::Wind;

    #[test]
    fn a_query_holds_the_context() {
        let uri =
            "/v1/hands?ruleset=mcr-mil&seat=S&win=self_drawn&last_wall_tile=true".parse().unwrap();
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
    }
}
