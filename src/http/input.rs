//! What a query string tells: all there is for a photo that is the whole body, and more for a body
//! that has its own.
//!
//! Input: `?seat=S&win=self_drawn&last_wall_tile=true&rulesets=mcr-wmo,mcr-mil`. Output: the
//! contract's `context`, checked by the same code as the JSON, so that the same mistake has the same
//! answer, and the rule sets to score by. Invariant: no parameter is passed over.

use axum::extract::Query;
use axum::http::Uri;
use serde_json::{Map, Value};

use super::failure::Failure;
use crate::contract::{
    ContextDto, FieldError, FocusDto, NoPoint, Problem, ProblemKind, check_rulesets, read_json,
    value_of_text,
};
use crate::rules::RulesetId;

/// What was said about a hand besides its tiles.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Told {
    /// The circumstances; all absent when none were sent.
    pub(super) context: ContextDto,
    /// The rule sets to score by side by side.
    pub(super) rulesets: Option<Vec<RulesetId>>,
}

impl Told {
    /// What the query tells: the fields of the contract's `context` and `rulesets`, each at most once.
    pub(super) fn in_query(uri: &Uri) -> Result<Told, Failure> {
        Told::in_pairs(pairs_in(uri)?)
    }

    /// The same in the parameters that are left of a query.
    pub(super) fn in_pairs(pairs: Vec<(String, String)>) -> Result<Told, Failure> {
        let (mut fields, mut rulesets) = (Map::new(), None);
        for (name, text) in pairs {
            if name == RULESETS {
                // Clients write a list with commas or name by name: both say the same.
                rulesets.get_or_insert_with(Vec::new).extend(rulesets_in(&text)?);
            } else if fields.insert(name.clone(), value_of_text(text)).is_some() {
                return Err(Failure::bad_request(&format!("context.{name}"), "given twice"));
            }
        }
        check_rulesets(rulesets.as_deref())?;
        let context = read_json(Value::Object(fields).to_string().as_bytes(), "context")?;
        Ok(Told { context, rulesets })
    }

    /// What two sources say together.
    pub(super) fn and(self, other: Told) -> Result<Told, Failure> {
        let context = self.context.merge(&other.context).map_err(|errors| {
            Failure::from(Problem::with_errors(ProblemKind::InvalidContext, errors))
        })?;
        match (&self.rulesets, &other.rulesets) {
            (Some(one), Some(two)) if one != two => {
                let error = FieldError::new(RULESETS, "the query and the body name different ones");
                Err(Problem::with_errors(ProblemKind::InvalidContext, vec![error]).into())
            }
            _ => Ok(Told { context, rulesets: self.rulesets.or(other.rulesets) }),
        }
    }

    /// The rule set of the one score that every answer has: the one named for it, else the first of
    /// several, else the usual one.
    pub(super) fn ruleset(&self) -> RulesetId {
        let first = self.rulesets.as_ref().and_then(|list| list.first());
        self.context.ruleset.or(first.copied()).unwrap_or_default()
    }
}

/// The parameters of a query, in order.
pub(super) fn pairs_in(uri: &Uri) -> Result<Vec<(String, String)>, Failure> {
    let pairs = Query::<Vec<(String, String)>>::try_from_uri(uri);
    let pairs =
        pairs.map_err(|_| Failure::bad_request("query", "the query is not form-encoded"))?;
    Ok(pairs.0)
}

/// The name of the point in a photo, in queries, forms and JSON.
pub(super) const FOCUS: &str = "focus";

/// Takes the point in a photo out of the parameters of a query, for the doors that photos come to.
pub(super) fn focus_in(pairs: &mut Vec<(String, String)>) -> Result<Option<FocusDto>, Failure> {
    let mut focus = None;
    for (_, text) in pairs.extract_if(.., |(name, _)| name == FOCUS) {
        if focus.replace(focus_of(&text)?).is_some() {
            return Err(Failure::bad_request(FOCUS, "given twice"));
        }
    }
    Ok(focus)
}

/// The point that a text names.
pub(super) fn focus_of(text: &str) -> Result<FocusDto, Failure> {
    text.parse().map_err(|error: NoPoint| Failure::bad_request(FOCUS, &error.to_string()))
}

/// The name of the list of rule sets, in queries, forms and JSON.
pub(super) const RULESETS: &str = "rulesets";

/// A list of rule sets as JSON or with commas, which is easier to type into an address.
pub(super) fn rulesets_in(text: &str) -> Result<Vec<RulesetId>, Failure> {
    let names: Vec<Value> = if text.trim_start().starts_with('[') {
        serde_json::from_str(text)
            .map_err(|error| Failure::bad_request(RULESETS, &error.to_string()))?
    } else {
        text.split(',').map(|name| Value::from(name.trim())).collect()
    };
    let read = names.iter().enumerate().map(|(at, name)| {
        let name = name.as_str().unwrap_or_default();
        let field = format!("{RULESETS}[{at}]");
        name.parse().map_err(|error: crate::rules::ParseRulesetError| {
            Failure::bad_request(&field, &error.to_string())
        })
    });
    let rulesets = read.collect::<Result<Vec<_>, _>>()?;
    check_rulesets(Some(&rulesets))?;
    Ok(rulesets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::{ContextSetup, WinKind};
    use crate::tile::Wind;

    #[test]
    fn a_query_holds_the_context() {
        let uri =
            "/v1/hands?ruleset=mcr-mil&seat=S&win=self_drawn&last_wall_tile=true".parse().unwrap();
        let expected = ContextDto {
            ruleset: Some(RulesetId::MCR_MIL),
            setup: ContextSetup {
                seat: Some(Wind::South),
                win: Some(WinKind::SelfDrawn),
                last_wall_tile: Some(true),
                ..ContextSetup::default()
            },
        };
        let expected = Told { context: expected, rulesets: None };
        assert_eq!(Told::in_query(&uri), Ok(expected));
        assert_eq!(Told::in_query(&"/v1/hands".parse().unwrap()), Ok(Told::default()));
    }

    #[test]
    fn rule_sets_come_as_json_or_with_commas() {
        let both = Ok(vec![RulesetId::MCR_MIL, RulesetId::MCR_WMO]);
        assert_eq!(rulesets_in("mcr-mil, mcr-wmo"), both);
        assert_eq!(rulesets_in(r#"["mcr-mil","mcr-wmo"]"#), both);
        let told = Told::in_query(&"/?rulesets=mcr-mil,mcr-wmo".parse().unwrap()).unwrap();
        assert_eq!(told.ruleset(), RulesetId::MCR_MIL, "the first, where none is named alone");
        let one_by_one = "/?rulesets=mcr-mil&rulesets=mcr-wmo".parse().unwrap();
        assert_eq!(Told::in_query(&one_by_one), Ok(told.clone()));
        let alone = Told::in_query(&"/?rulesets=mcr-mil&ruleset=mcr-wmo".parse().unwrap()).unwrap();
        assert_eq!(alone.ruleset(), RulesetId::MCR_WMO);
        assert!(told.clone().and(alone).is_err(), "different lists");
        assert_eq!(told.clone().and(Told::default()), Ok(told));
    }

    #[test]
    fn what_is_wrong_is_named_by_its_path() {
        let cases = [
            ("/?sheat=S", "context.sheat"),
            ("/?seat=Q", "context.seat"),
            ("/?seat=S&seat=S", "context.seat"),
            ("/?last_wall_tile=perhaps", "context.last_wall_tile"),
            ("/?rulesets=", "rulesets[0]"),
            ("/?rulesets=mcr-wmo,", "rulesets[1]"),
            ("/?rulesets=mcr-wmo,mcr-wmo", "rulesets[1]"),
            ("/?rulesets=[]", "rulesets"),
            ("/?rulesets=[7]", "rulesets[0]"),
            ("/?rulesets=mcr-wmo&rulesets=mcr-wmo", "rulesets[1]"),
        ];
        for (uri, field) in cases {
            let Err(Failure::Problem(problem)) = Told::in_query(&uri.parse().unwrap()) else {
                panic!("{uri} was taken");
            };
            assert_eq!(problem.errors[0].field, field, "{uri}");
        }
    }
}
