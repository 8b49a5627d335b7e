//! The rows of `taiwan/`: winning hands of the game of sixteen tiles with their rule set, lines,
//! tai and payments, on which independent scorers agree; worked examples of public texts; and
//! inputs that must be refused.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test binary uses a part")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Read;
use std::sync::Arc;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tilesight_core::contract::{PreparedHand, Problem, ScoreRequest, ScoredHand};
use tilesight_core::rules::{Profile, RulesetId};
use tilesight_core::tile::Wind;

#[derive(Debug, Deserialize)]
pub struct Row {
    pub id: Value,
    pub rules: Rules,
    hand: Value,
    context: Value,
    #[serde(default)]
    pub expect: Expected,
    /// Reason why the row must be refused.
    #[serde(default)]
    pub refused: String,
}

#[derive(Debug, Deserialize)]
pub struct Rules {
    pub profile: String,
    pub values: Map<String, Value>,
    #[serde(flatten)]
    pub options: Map<String, Value>,
}

/// The expected score. A row of an example leaves out what its source does not state.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Expected {
    pub lines: Option<Vec<Line>>,
    pub raw: Option<u32>,
    pub tai: Option<u32>,
    pub dealer_tai: Option<u32>,
    pub legal: Option<bool>,
    pub unit: Option<u32>,
    pub payments: Option<BTreeMap<Wind, i32>>,
}

/// A line with the tai of all its counts.
#[derive(Debug, Deserialize)]
pub struct Line {
    pub name: String,
    pub tai: u32,
    /// Number of times that the line counts; 1 when absent, except in an example.
    pub count: Option<u32>,
}

/// Returns all winning hands.
pub fn cases() -> Vec<Row> {
    read(include_bytes!("../data/taiwan/cases.jsonl.gz"))
}

/// Returns the worked examples.
pub fn examples() -> Vec<Row> {
    read(include_bytes!("../data/taiwan/examples.jsonl.gz"))
}

/// Returns the inputs that must be refused.
pub fn refused() -> Vec<Row> {
    read(include_bytes!("../data/taiwan/refused.jsonl.gz"))
}

fn read<T: DeserializeOwned>(packed: &[u8]) -> Vec<T> {
    let mut text = String::new();
    flate2::read::GzDecoder::new(packed).read_to_string(&mut text).expect("a text");
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

impl Rules {
    /// Returns the options; a profile writes no cap as 0.
    pub fn options(&self) -> impl Iterator<Item = (&str, Value)> {
        self.options.iter().map(|(name, value)| {
            (name.as_str(), if value.is_null() { Value::from(0) } else { value.clone() })
        })
    }

    /// Returns the rule set as a club would write it, starting from a shipped profile.
    pub fn profile(&self) -> Arc<Profile> {
        let text = self.text("row");
        Arc::new(Profile::parse(&text).expect(&text))
    }

    /// Returns the file of that rule set.
    pub fn text(&self, id: &str) -> String {
        let mut text = format!("id = \"{id}\"\nextends = \"tw-common\"\n[options]\n");
        // JSON writes numbers, words and flags as TOML does.
        for (name, value) in self.options() {
            let _ = writeln!(text, "{name} = {value}");
        }
        text.push_str("[values]\n");
        for (name, value) in &self.values {
            let _ = writeln!(text, "{name} = {value}");
        }
        text
    }
}

impl Row {
    /// Returns the shipped rule set that the row names, which it may play with other stakes.
    pub fn shipped(&self) -> Option<RulesetId> {
        let own = self.rules.profile.as_str();
        (!matches!(own, "varied" | "tw-extras")).then(|| own.parse().expect(own))
    }

    /// Returns the request as a client would send it.
    ///
    /// # Errors
    /// A problem of the form of the request.
    pub fn request(&self) -> Result<ScoreRequest, Problem> {
        let json = serde_json::json!({ "hand": self.hand, "context": self.context });
        ScoreRequest::from_json(json.to_string().as_bytes())
    }

    /// Returns the request by a rule set.
    pub fn request_by(&self, ruleset: &str) -> Value {
        let mut context = self.context.clone();
        context["ruleset"] = Value::from(ruleset);
        serde_json::json!({ "hand": self.hand, "context": context })
    }

    /// Returns the hand with its win context, to be scored by a rule set.
    ///
    /// # Errors
    /// A problem with the hand or its context.
    pub fn prepare(&self, ruleset: Arc<Profile>) -> Result<PreparedHand, Problem> {
        self.request()?.prepare_by(ruleset)
    }

    /// Scores the row by its own rules.
    ///
    /// # Errors
    /// A problem with the hand or its context.
    pub fn score(&self) -> Result<ScoredHand, Problem> {
        self.prepare(self.rules.profile())?.score()
    }
}
