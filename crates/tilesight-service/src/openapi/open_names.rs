//! Lists of names that grow: rule sets, kinds of doubts, types of problems and the like.
//!
//! Input: the complete document, in which each such list is an `enum`. Output: the same document,
//! in which it is a text with the known names as `x-extensible-enum`. A generated client makes a
//! closed type of an `enum`, and then fails on an answer with a name that is newer than the client
//! or that a club's own rule set brought. `docs/versions.md` promises which lists grow.

use serde_json::Value;

use super::pointer;

/// Places of the lists that grow. A list that stands elsewhere too, such as in a parameter, is
/// opened there as well.
const GROWING: [&[&str]; 11] = [
    &["RulesetId"],
    &["DoubtKind"],
    &["NoScoreKind"],
    &["MinimumUnit"],
    &["ContextField"],
    &["DeclaredCodes", "items"],
    &["Ignored"],
    &["LeftOut"],
    &["ManualReason"],
    &["ReviewGroup"],
    &["Problem", "properties", "type"],
];

/// Key of the known names of a list that may grow.
const KNOWN_NAMES: &str = "x-extensible-enum";

/// Opens every list of names that may grow.
pub(super) fn open(document: &mut Value) {
    let lists: Vec<Value> = GROWING
        .iter()
        .filter_map(|place| {
            let place = [&["components", "schemas"], *place].concat();
            document.pointer(&pointer(&place))?.get("enum").cloned()
        })
        .collect();
    open_lists(document, &lists);
}

fn open_lists(part: &mut Value, lists: &[Value]) {
    match part {
        Value::Object(fields) => {
            if fields.get("enum").is_some_and(|names| lists.contains(names))
                && let Some(names) = fields.remove("enum")
            {
                fields.insert(KNOWN_NAMES.to_owned(), names);
            }
            fields.values_mut().for_each(|field| open_lists(field, lists));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| open_lists(item, lists)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::testing::DOCUMENT;

    #[test]
    fn every_growing_list_is_open_and_names_what_is_known() {
        for place in GROWING {
            let place = [&["components", "schemas"], place].concat();
            let list = DOCUMENT.pointer(&pointer(&place)).expect("a list");
            assert_eq!(list["type"], "string", "{place:?}");
            assert!(list.get("enum").is_none(), "{place:?}");
            assert!(list[KNOWN_NAMES].as_array().is_some_and(|all| !all.is_empty()), "{place:?}");
        }
    }

    #[test]
    fn a_list_in_a_parameter_is_open_too_and_others_stay_closed() {
        let names = json!(["one", "two"]);
        let mut document = json!({
            "paths": { "/": { "schema": { "enum": ["one", "two"] } } },
            "components": { "schemas": {
                "RulesetId": { "type": "string", "enum": names },
                "Wind": { "type": "string", "enum": ["E"] },
            } },
        });
        open(&mut document);
        assert_eq!(document["paths"]["/"]["schema"], json!({ KNOWN_NAMES: ["one", "two"] }));
        assert_eq!(document["components"]["schemas"]["Wind"]["enum"], json!(["E"]));
    }
}
