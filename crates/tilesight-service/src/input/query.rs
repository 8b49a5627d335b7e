//! Parameters of a query: the win context, the rule sets, and the place of the hand in the photo.
//!
//! Input: `?seat=S&win=self_drawn&last_wall_tile=true&rulesets=mcr-wmo,mcr-mil`. Output: a
//! [`Scoring`], checked by the same code as JSON, so that the same mistake gets the same answer.
//! Invariant: no parameter is ignored.

use std::ops::RangeInclusive;
use std::str::FromStr;

use axum::extract::{self, FromRequestParts, Path};
use axum::http::Uri;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tilesight_core::contract::{
    ContextDto, NameSort, PhotoFields, RequestFault, Scoring, SetChoice, UnknownName,
    check_rulesets, read_json, read_value, value_of_text,
};
use tilesight_core::explain::Message;
use tilesight_core::rules::RulesetId;
use tilesight_jobs::sheet::CsvStyle;
use tilesight_vision::contract::Detail;
use utoipa::IntoParams;

use crate::answer::failure::Failure;

/// Segment of a path that names something. A segment that is not UTF-8 is no name.
#[derive(Debug)]
pub(crate) struct NameInPath(pub(crate) String);

impl<S: Send + Sync> FromRequestParts<S> for NameInPath {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<NameInPath, Failure> {
        let name = Path::<String>::from_request_parts(parts, state).await;
        name.map(|Path(name)| NameInPath(name)).map_err(|_| Failure::NoSuchPath)
    }
}

/// Parameters of a query that are not read yet, in order.
pub(crate) type Pairs = Vec<(String, String)>;

/// Parameters of a query: the fields, as OpenAPI describes them.
pub(crate) trait Parameters: IntoParams + Send + Sized {
    /// Takes the parameters out of a query.
    fn take(pairs: &mut Pairs) -> Result<Self, Failure>;
}

/// Content of a query: one or more sets of [`Parameters`].
pub(crate) trait QueryContent: Send + Sized {
    fn names() -> Vec<String>;

    /// Takes the parameters out of a query.
    fn take(pairs: &mut Pairs) -> Result<Self, Failure>;
}

impl<T: Parameters> QueryContent for T {
    fn names() -> Vec<String> {
        T::into_params(|| None).into_iter().map(|parameter| parameter.name).collect()
    }

    fn take(pairs: &mut Pairs) -> Result<T, Failure> {
        Parameters::take(pairs)
    }
}

impl<A: QueryContent, B: QueryContent> QueryContent for (A, B) {
    fn names() -> Vec<String> {
        [A::names(), B::names()].concat()
    }

    fn take(pairs: &mut Pairs) -> Result<(A, B), Failure> {
        Ok((A::take(pairs)?, B::take(pairs)?))
    }
}

impl QueryContent for () {
    fn names() -> Vec<String> {
        Vec::new()
    }

    fn take(_: &mut Pairs) -> Result<(), Failure> {
        Ok(())
    }
}

/// Query of a request, which has no other parameters.
#[derive(Debug)]
pub(crate) struct Query<T>(pub(crate) T);

impl<T: QueryContent> Query<T> {
    pub(crate) fn from_uri(uri: &Uri) -> Result<Query<T>, Failure> {
        let mut pairs = parse_pairs(uri)?;
        check_parameters(&pairs, T::names)?;
        T::take(&mut pairs).map(Query)
    }
}

impl<S: Sync, T: QueryContent> FromRequestParts<S> for Query<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Query<T>, Failure> {
        Query::from_uri(&parts.uri)
    }
}

/// Level of detail of the answer to a photo.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct DetailInQuery {
    /// Level of detail; `full` when absent. `compact` has only the hand, the score and the doubts,
    /// in a few kilobytes.
    #[param(required = false, inline, value_type = Detail)]
    pub(crate) detail: Option<Detail>,
}

impl Parameters for DetailInQuery {
    fn take(pairs: &mut Pairs) -> Result<DetailInQuery, Failure> {
        Ok(DetailInQuery { detail: take_value(pairs, DETAIL)? })
    }
}

/// Own set that the tiles of a request's photos are named with.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct SetInQuery {
    /// Own set that the tiles are named with: its name, or `auto` for the set that explains each
    /// photo best.
    #[param(required = false, value_type = String)]
    pub(crate) set: Option<SetChoice>,
}

impl Parameters for SetInQuery {
    fn take(pairs: &mut Pairs) -> Result<SetInQuery, Failure> {
        Ok(SetInQuery { set: take_value(pairs, SET)? })
    }
}

/// Style of a table.
#[derive(Debug, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct StyleInQuery {
    /// Style of the CSV; `excel` is UTF-8 with a byte order mark and semicolons.
    #[param(required = false, inline)]
    pub(crate) csv: CsvStyle,
}

impl Parameters for StyleInQuery {
    fn take(pairs: &mut Pairs) -> Result<StyleInQuery, Failure> {
        Ok(StyleInQuery { csv: take_name(pairs, "csv")?.unwrap_or_default() })
    }
}

/// Reads the fields of the contract's `context` and `rulesets` from a query, each at most once.
pub(crate) fn parse_scoring_query(uri: &Uri) -> Result<Scoring, Failure> {
    parse_scoring(parse_pairs(uri)?, &[])
}

/// Reads what a query says about a photo, each field at most once. `also` lists the endpoint's
/// other parameters, for the error message.
pub(crate) fn parse_photo_fields(
    mut pairs: Pairs,
    also: &[&'static str],
) -> Result<PhotoFields, Failure> {
    let mut fields = PhotoFields::default();
    for field in PhotoFields::FIELDS {
        if let Some(text) = take_text(&mut pairs, field.name)? {
            fields.set_text(field.name, &text)?;
        }
    }
    let others = PhotoFields::FIELDS.iter().map(|field| field.name);
    let also: Vec<&'static str> = others.chain(also.iter().copied()).collect();
    fields.scoring = parse_scoring(pairs, &also)?;
    Ok(fields)
}

/// Like [`parse_scoring_query`], from the remaining parameters of a query. `also` lists the
/// endpoint's other parameters, for the error message.
pub(crate) fn parse_scoring(pairs: Pairs, also: &[&'static str]) -> Result<Scoring, Failure> {
    if let Some((name, _)) = pairs.iter().find(|(name, _)| !is_known(name)) {
        let known = ContextDto::names().chain([RULESETS]).chain(also.iter().copied());
        let unknown = UnknownName {
            sort: NameSort::Parameter,
            name: name.clone(),
            known: known.map(str::to_owned).collect(),
        };
        return Err(Failure::invalid(&format!("context.{name}"), &unknown));
    }
    let mut fields = Map::new();
    let mut rulesets = None;
    for (name, text) in pairs {
        if name == RULESETS {
            // Clients write a list with commas or repeat the parameter: both mean the same.
            rulesets.get_or_insert_with(Vec::new).extend(parse_rulesets(&text)?);
        } else if fields.insert(name.clone(), value_of_text(text)).is_some() {
            return Err(Failure::invalid(&format!("context.{name}"), &RequestFault::GivenTwice));
        }
    }
    check_rulesets(rulesets.as_deref())?;
    let context = read_json(Value::Object(fields).to_string().as_bytes(), "context")?;
    Ok(Scoring { context, rulesets })
}

/// Returns whether a query with a win context may have this parameter.
fn is_known(name: &str) -> bool {
    name == RULESETS || ContextDto::names().any(|known| known == name)
}

/// Returns the parameters of a query, in order.
pub(crate) fn parse_pairs(uri: &Uri) -> Result<Pairs, Failure> {
    match extract::Query::<Pairs>::try_from_uri(uri) {
        Ok(extract::Query(pairs)) => Ok(pairs),
        Err(_) => Err(Failure::invalid("query", &RequestFault::BadQuery)),
    }
}

/// Name of the own set that tiles are named with, in queries, forms and JSON.
pub(crate) const SET: &str = "set";

/// Name of the level of detail of an answer, in queries, forms and JSON.
pub(crate) const DETAIL: &str = "detail";

/// Removes a parameter from those of a query and parses it, for the endpoints that have it.
pub(crate) fn take_value<T: FromStr<Err: Message>>(
    pairs: &mut Pairs,
    parameter: &str,
) -> Result<Option<T>, Failure> {
    let text = take_text(pairs, parameter)?;
    text.map(|text| parse_value(parameter, &text)).transpose()
}

/// Refuses parameters that an endpoint does not have.
fn check_parameters(pairs: &[(String, String)], names: fn() -> Vec<String>) -> Result<(), Failure> {
    if pairs.is_empty() {
        return Ok(());
    }
    let known = names();
    let Some((name, _)) = pairs.iter().find(|(name, _)| !known.contains(name)) else {
        return Ok(());
    };
    let unknown = UnknownName { sort: NameSort::Parameter, name: name.clone(), known };
    Err(Failure::invalid(name, &unknown))
}

/// Removes a parameter from those of a query and returns its text.
pub(crate) fn take_text(pairs: &mut Pairs, parameter: &str) -> Result<Option<String>, Failure> {
    let mut texts = pairs.extract_if(.., |(name, _)| name == parameter).map(|(_, text)| text);
    let text = texts.next();
    match texts.next() {
        None => Ok(text),
        Some(_) => Err(Failure::invalid(parameter, &RequestFault::GivenTwice)),
    }
}

/// Removes a parameter from those of a query and parses it as one of several names.
pub(crate) fn take_name<T: DeserializeOwned>(
    pairs: &mut Pairs,
    parameter: &str,
) -> Result<Option<T>, Failure> {
    let Some(text) = take_text(pairs, parameter)? else { return Ok(None) };
    Ok(Some(read_value(Value::from(text).to_string().as_bytes(), parameter)?))
}

/// Removes a parameter from those of a query and parses it as the number of rows of a page.
pub(crate) fn take_limit(pairs: &mut Pairs, max: usize) -> Result<Option<usize>, Failure> {
    Ok(take_number(pairs, "limit", 1..=max as u64)?.map(|limit| limit as usize))
}

/// Removes a parameter from those of a query and parses it as a number.
pub(crate) fn take_number(
    pairs: &mut Pairs,
    parameter: &str,
    range: RangeInclusive<u64>,
) -> Result<Option<u64>, Failure> {
    let Some(text) = take_text(pairs, parameter)? else { return Ok(None) };
    let number = text.parse().ok().filter(|number| range.contains(number));
    let (min, max) = range.into_inner();
    let fault = RequestFault::OutOfRange { min, max };
    number.map(Some).ok_or_else(|| Failure::invalid(parameter, &fault))
}

/// Default number of rows on a page of a list.
pub(crate) const USUAL_ROWS: usize = 100;
/// Maximum number of rows on a page of a list.
pub(crate) const MAX_ROWS: usize = 1_000;
/// Maximum index that every client and every store can represent.
pub(crate) const MAX_INDEX: u64 = (1 << 53) - 1;

/// Page of a review queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct QueuePage {
    /// Index of the photo after which to begin: `next` of the previous page.
    #[param(required = false, value_type = u64, maximum = 9_007_199_254_740_991_u64)]
    pub(crate) after: Option<u64>,
    /// Maximum number of photos to return; 100 when absent.
    #[param(required = false, value_type = u64, minimum = 1, maximum = 1_000)]
    pub(crate) limit: Option<usize>,
}

impl Parameters for QueuePage {
    fn take(pairs: &mut Pairs) -> Result<QueuePage, Failure> {
        let after = take_number(pairs, "after", 0..=MAX_INDEX)?;
        let limit = take_limit(pairs, MAX_ROWS)?;
        Ok(QueuePage { after, limit })
    }
}

/// Parses a text of a query or a form.
pub(crate) fn parse_value<T: FromStr<Err: Message>>(name: &str, text: &str) -> Result<T, Failure> {
    text.parse().map_err(|error: T::Err| Failure::invalid(name, &error))
}

/// Name of the list of rule sets, in queries, forms and JSON.
pub(crate) const RULESETS: &str = "rulesets";

/// Parses a list of rule sets, as JSON or with commas, which are easier to type into an address.
pub(crate) fn parse_rulesets(text: &str) -> Result<Vec<RulesetId>, Failure> {
    let rulesets: Vec<RulesetId> = if text.trim_start().starts_with('[') {
        read_value(text.as_bytes(), RULESETS)?
    } else {
        let names = text.split(',').enumerate();
        let read = names.map(|(at, name)| parse_value(&format!("{RULESETS}[{at}]"), name.trim()));
        read.collect::<Result<_, _>>()?
    };
    check_rulesets(Some(&rulesets))?;
    Ok(rulesets)
}

#[cfg(test)]
mod tests {
    use tilesight_core::context::{ContextSetup, WinKind};
    use tilesight_core::contract::ContextDto;
    use tilesight_core::rules::Book;
    use tilesight_core::tile::Wind;

    use super::*;

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
        let expected = Scoring { context: expected, rulesets: None };
        assert_eq!(parse_scoring_query(&uri), Ok(expected));
        assert_eq!(parse_scoring_query(&"/v1/hands".parse().unwrap()), Ok(Scoring::default()));
    }

    #[test]
    fn rule_sets_come_as_json_or_with_commas() {
        let one = |scoring: &Scoring| scoring.find(&Book::shipped()).expect("shipped").one.id();
        let both = Ok(vec![RulesetId::MCR_MIL, RulesetId::MCR_WMO]);
        assert_eq!(parse_rulesets("mcr-mil, mcr-wmo"), both);
        assert_eq!(parse_rulesets(r#"["mcr-mil","mcr-wmo"]"#), both);
        let scoring = parse_scoring_query(&"/?rulesets=mcr-mil,mcr-wmo".parse().unwrap()).unwrap();
        assert_eq!(one(&scoring), RulesetId::MCR_MIL, "the first, where none is named alone");
        let one_by_one = "/?rulesets=mcr-mil&rulesets=mcr-wmo".parse().unwrap();
        assert_eq!(parse_scoring_query(&one_by_one), Ok(scoring.clone()));
        let alone =
            parse_scoring_query(&"/?rulesets=mcr-mil&ruleset=mcr-wmo".parse().unwrap()).unwrap();
        assert_eq!(one(&alone), RulesetId::MCR_WMO);
        assert!(scoring.clone().merge(alone).is_err(), "different lists");
        assert_eq!(scoring.clone().merge(Scoring::default()), Ok(scoring));
    }

    #[test]
    fn an_invalid_parameter_is_named_by_its_path() {
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
            ("/?rulesets=[7", "rulesets[0]"),
            ("/?rulesets=%5B%22mcr-wmo%22", "rulesets"),
            ("/?rulesets=[%22mcr-wmo%22]x", "rulesets"),
            ("/?rulesets=mcr-wmo&rulesets=mcr-wmo", "rulesets[1]"),
        ];
        for (uri, field) in cases {
            let Err(Failure::Problem(problem)) = parse_scoring_query(&uri.parse().unwrap()) else {
                panic!("{uri} was taken");
            };
            assert_eq!(problem.errors[0].field, field, "{uri}");
            let text = problem.detail.to_string();
            for parser in ["invalid type", "column", "EOF", "variant", "trailing"] {
                assert!(!text.contains(parser), "{uri}: {text}");
            }
        }
    }
}
