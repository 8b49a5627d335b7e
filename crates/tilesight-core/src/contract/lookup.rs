//! Lookup of the rule sets that a request names.
//!
//! Input: names as they were decoded. Output: [`Profile`]s, or a [`Problem`] with the path of an
//! unknown name. Invariant: a list that was looked up names each rule set once.

use std::sync::Arc;

use super::ContextDto;
use super::fault::RequestFault;
use super::problem::{Problem, ProblemKind};
use crate::rules::{Book, Profile, RulesetId};

/// Returns the rule set of the one score that every answer has; the default if none is named.
///
/// # Errors
/// A [`Problem`] about `context.ruleset`.
pub fn find_ruleset(book: &Book, named: Option<RulesetId>) -> Result<Arc<Profile>, Problem> {
    find_named(book, named, "context.ruleset")
}

/// Like [`find_ruleset`], for a name in another field.
///
/// # Errors
/// A [`Problem`] about the field.
pub(crate) fn find_named(
    book: &Book,
    named: Option<RulesetId>,
    field: &str,
) -> Result<Arc<Profile>, Problem> {
    find(book, named.unwrap_or_default(), || field.to_owned()).cloned()
}

/// Returns the rule sets of the list `rulesets`, in its order.
///
/// # Errors
/// A [`Problem`] that names the entry, if the list is empty, repeats a rule set or has an unknown
/// name.
pub fn find_rulesets(book: &Book, list: &[RulesetId]) -> Result<Vec<Arc<Profile>>, Problem> {
    check_rulesets(Some(list))?;
    let found = list.iter().enumerate();
    found.map(|(at, &id)| find(book, id, || format!("rulesets[{at}]")).cloned()).collect()
}

/// Rejects unknown rule sets before they are looked up.
///
/// # Errors
/// Those of [`find_ruleset`] and [`find_rulesets`].
pub fn check_named(
    book: &Book,
    context: &ContextDto,
    rulesets: Option<&[RulesetId]>,
) -> Result<(), Problem> {
    find_ruleset(book, context.ruleset)?;
    rulesets.map_or(Ok(()), |list| find_rulesets(book, list).map(|_| ()))
}

/// Like [`find_ruleset`], for the name of any field, and without a new owner of the rule set.
pub(super) fn find(
    book: &Book,
    id: RulesetId,
    field: impl FnOnce() -> String,
) -> Result<&Arc<Profile>, Problem> {
    book.get(id).map_err(|error| Problem::for_field(ProblemKind::MalformedRequest, field(), &error))
}

/// Rejects lists of rule sets that are empty or name one twice.
///
/// # Errors
/// A [`Problem`] that names the entry.
pub fn check_rulesets(rulesets: Option<&[RulesetId]>) -> Result<(), Problem> {
    match rulesets {
        Some([]) => {
            let kind = ProblemKind::MalformedRequest;
            Err(Problem::for_field(kind, "rulesets", &RequestFault::NoRulesets))
        }
        Some(list) => match (1..list.len()).find(|&at| list[..at].contains(&list[at])) {
            Some(at) => Err(Problem::for_field(
                ProblemKind::MalformedRequest,
                format!("rulesets[{at}]"),
                &RequestFault::GivenTwice,
            )),
            None => Ok(()),
        },
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> RulesetId {
        text.parse().expect(text)
    }

    #[test]
    fn lists_of_rule_sets_are_checked() {
        let wmo = RulesetId::MCR_WMO;
        for (list, field) in [
            (vec![], "rulesets"),
            (vec![wmo, wmo], "rulesets[1]"),
            (vec![wmo, id("riichi")], "rulesets[1]"),
        ] {
            let problem = find_rulesets(&Book::shipped(), &list).expect_err(field);
            assert_eq!(problem.kind, ProblemKind::MalformedRequest, "{list:?}");
            assert_eq!(problem.errors[0].field, field, "{list:?}");
        }
        assert!(find_rulesets(&Book::shipped(), &[wmo]).is_ok());
    }

    #[test]
    fn a_name_that_no_rule_set_has_is_named_with_those_that_exist() {
        let context = ContextDto { ruleset: Some(id("riichi")), ..ContextDto::default() };
        let problem = check_named(&Book::shipped(), &context, None).expect_err("unknown");
        let expected = "context.ruleset: `riichi` is not a rule set: expected mcr-wmo, mcr-mil";
        assert!(problem.detail.starts_with(expected), "{}", problem.detail);
    }
}
