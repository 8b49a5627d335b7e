//! The rule sets that hands can be scored by: what they need to be told, how they differ, their fans.
//!
//! Output: what `GET /v1/rulesets` answers, in one language, with the names of the fans in all.
//! Everything is derived from [`rules`](crate::rules) and [`explain`](crate::explain): the list
//! can't say other than what is scored. Invariant: every option of the rules is in the list.

use serde::Serialize;
use serde_json::{Value, json};

use crate::explain::{self, Lang};
use crate::rules::mcr::{self, Mcr, Options};
use crate::rules::{Conventions, Fan, RulesetId};

/// Every rule set.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = Rulesets))]
pub struct RulesetsDto {
    /// The rule sets, the usual one first.
    pub rulesets: Vec<RulesetDto>,
}

/// A rule set.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = Ruleset))]
pub struct RulesetDto {
    /// Its name in requests.
    pub id: RulesetId,
    /// Its name for people.
    pub name: String,
    /// The game that it is a reading of.
    pub game: String,
    /// What it is.
    pub summary: String,
    /// What a hand must be worth without flowers.
    pub minimum: u32,
    /// How tiles are laid on the table.
    pub conventions: Conventions,
    /// The circumstances that it needs.
    pub context: Vec<CircumstanceDto>,
    /// The points on which published readings of the rules differ.
    pub options: Vec<OptionDto>,
    /// The fans by falling points.
    pub fans: Vec<FanDto>,
}

/// A circumstance of the win.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = Circumstance))]
pub struct CircumstanceDto {
    /// Its field in the `context`.
    pub field: String,
    /// What may be told.
    pub values: Vec<Value>,
    /// What is assumed when nothing is.
    pub default: Value,
}

/// A point on which published readings of the rules differ.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = RulesetOption))]
pub struct OptionDto {
    /// Its name.
    pub name: String,
    /// A number of points, or whether it is set.
    pub value: Value,
    /// What it means.
    pub explanation: String,
}

/// A fan.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = FanText))]
pub struct FanDto {
    /// Its code, the same in all languages.
    pub code: Fan,
    /// Its WMO number.
    pub number: u8,
    /// Its name in the language that was asked for.
    pub name: String,
    /// What one is worth.
    pub points: u32,
    /// What it needs.
    pub explanation: String,
    /// Its name in every language.
    pub names: NamesDto,
}

/// One name in every language.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "http", derive(utoipa::ToSchema), schema(as = Names))]
pub struct NamesDto {
    /// English.
    pub en: String,
    /// German.
    pub de: String,
    /// Danish.
    pub da: String,
    /// Swedish.
    pub sv: String,
    /// Chinese.
    pub zh: String,
}

impl RulesetsDto {
    /// All of them in a language.
    #[must_use]
    pub fn new(lang: Lang) -> RulesetsDto {
        RulesetsDto { rulesets: RulesetId::ALL.map(|id| RulesetDto::new(id, lang)).into() }
    }
}

impl RulesetDto {
    fn new(id: RulesetId, lang: Lang) -> RulesetDto {
        let rules = match id {
            RulesetId::McrWmo => &mcr::WMO,
            RulesetId::McrMil => &mcr::MIL,
        };
        let text = explain::ruleset(id, lang);
        RulesetDto {
            id,
            name: text.name.to_owned(),
            game: "mcr".to_owned(),
            summary: text.summary.to_owned(),
            minimum: mcr::MINIMUM,
            conventions: id.conventions(),
            context: circumstances(),
            options: options(rules.options(), lang),
            fans: Fan::ALL.iter().map(|&fan| FanDto::new(fan, rules, lang)).collect(),
        }
    }
}

impl FanDto {
    fn new(fan: Fan, rules: &Mcr, lang: Lang) -> FanDto {
        let text = explain::fan(fan, lang);
        let name = |lang| explain::fan(fan, lang).name.to_owned();
        FanDto {
            code: fan,
            number: fan.number(),
            name: text.name.to_owned(),
            points: rules.points_of(fan),
            explanation: text.explanation.to_owned(),
            names: NamesDto {
                en: name(Lang::En),
                de: name(Lang::De),
                da: name(Lang::Da),
                sv: name(Lang::Sv),
                zh: name(Lang::Zh),
            },
        }
    }
}

/// What MCR asks of a win, with what [`ContextSetup::resolve`](crate::context::ContextSetup::resolve)
/// assumes.
fn circumstances() -> Vec<CircumstanceDto> {
    let winds = || vec![json!("E"), json!("S"), json!("W"), json!("N")];
    let flags = || vec![json!(false), json!(true)];
    let wins = ["self_drawn", "discard", "kong_replacement", "robbed_kong"].map(Value::from).into();
    let from = ["left", "across", "right"].map(Value::from).into();
    [
        ("seat", winds(), json!("E")),
        ("prevalent", winds(), json!("E")),
        ("win", wins, json!("discard")),
        ("from", from, json!("left")),
        ("last_wall_tile", flags(), json!(false)),
        ("last_of_kind", flags(), json!(false)),
    ]
    .map(|(field, values, default)| CircumstanceDto { field: field.to_owned(), values, default })
    .into()
}

/// Every option. The pattern has no rest, so that a new one can't be forgotten.
fn options(options: &Options, lang: Lang) -> Vec<OptionDto> {
    macro_rules! every {
        ($($field:ident)*) => {{
            let Options { $($field),* } = options;
            vec![$(OptionDto {
                name: stringify!($field).to_owned(),
                value: json!($field),
                explanation: explain::option(stringify!($field), lang).unwrap_or_default(),
            }),*]
        }};
    }
    every!(two_concealed_kongs_points melded_and_concealed_kong_points fully_concealed_special_hands
           half_flush_with_green_dragon double_pung_in_all_terminals
           nine_gates_excludes_all_terminal_pungs tile_hog_in_green_or_terminal_pairs
           concealed_kong_beside_three_or_four_kongs wait_on_knitted_tile
           knitted_straight_in_lesser_honors terminal_pungs_in_big_three_winds formal_waits
           tile_hog_on_honors)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::ContextDto;

    #[test]
    fn every_option_is_explained_in_every_language() {
        for lang in Lang::ALL {
            for ruleset in RulesetsDto::new(lang).rulesets {
                assert_eq!(ruleset.options.len(), 13);
                for option in ruleset.options {
                    let text = &option.explanation;
                    assert!(text.ends_with(['.', '。']), "{lang} {}: {text}", option.name);
                    assert!(!text.contains(['{', '}']), "{lang} {}: {text}", option.name);
                }
            }
        }
        let german = explain::option("two_concealed_kongs_points", Lang::De);
        assert_eq!(german.as_deref(), Some("Punkte für Zwei verdeckte Vierlinge (48)."));
    }

    #[test]
    fn points_are_those_of_the_rules() {
        let all = RulesetsDto::new(Lang::En).rulesets;
        let kongs =
            |at: usize| all[at].fans.iter().find(|fan| fan.number == 48).map(|fan| fan.points);
        assert_eq!((kongs(0), kongs(1)), (Some(8), Some(6)));
        assert!(all.iter().all(|ruleset| ruleset.fans.len() == Fan::COUNT));
    }

    /// The list of circumstances against what the contract reads and what is assumed.
    #[test]
    fn every_value_is_taken_and_every_default_is_the_one_assumed() {
        let (assumed, _) = crate::context::ContextSetup::default().resolve().expect("plain");
        let assumed = serde_json::to_value(ContextDto::of(None, &assumed.into())).expect("JSON");
        for one in circumstances() {
            for value in &one.values {
                let json = json!({ &one.field: value }).to_string();
                assert!(ContextDto::from_json(json.as_bytes()).is_ok(), "{json}");
            }
            assert_eq!(assumed[&one.field], one.default, "{}", one.field);
        }
        let fields = assumed.as_object().map_or(0, serde_json::Map::len);
        assert_eq!(circumstances().len() + 1, fields, "all but the rule set");
    }
}
