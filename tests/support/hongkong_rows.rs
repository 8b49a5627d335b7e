//! The rows of `hongkong/cases.jsonl.gz`: 2,000 winning hands of Hong Kong old style with their
//! rule set, lines, faan and payments, on which two independent scorers agree.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test binary uses a part")]

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Read;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Map, Value};
use tilesight_core::contract::{PreparedHand, ScoreRequest};
use tilesight_core::rules::{Profile, RulesetId};
use tilesight_core::tile::Wind;

#[derive(Debug, Deserialize)]
pub struct Row {
    pub id: u32,
    pub family: String,
    pub rules: Rules,
    hand: Value,
    context: Value,
    pub expect: Expected,
}

#[derive(Debug, Deserialize)]
pub struct Rules {
    pub profile: String,
    pub values: Map<String, Value>,
    #[serde(flatten)]
    pub options: Map<String, Value>,
}

#[derive(Debug, Deserialize)]
pub struct Expected {
    pub lines: Vec<Line>,
    pub raw: u32,
    pub faan: u32,
    pub limit_hand: bool,
    pub legal: bool,
    pub unit: Option<u32>,
    pub payments: Option<BTreeMap<Wind, i32>>,
}

/// A line with the faan of all its counts.
#[derive(Debug, Deserialize)]
pub struct Line {
    pub name: String,
    pub faan: u32,
    #[serde(default = "one")]
    pub count: u32,
}

const fn one() -> u32 {
    1
}

/// Returns all rows.
pub fn cases() -> Vec<Row> {
    let packed = include_bytes!("../data/hongkong/cases.jsonl.gz");
    let mut text = String::new();
    flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut text).expect("a text");
    text.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

impl Rules {
    /// Returns the rule set as a club would write it, starting from a shipped profile.
    pub fn profile(&self, extends: &str) -> Arc<Profile> {
        let mut text = format!("id = \"row\"\nextends = \"{extends}\"\n[options]\n");
        // JSON writes numbers, words and flags as TOML does.
        for (name, value) in &self.options {
            let _ = writeln!(text, "{name} = {value}");
        }
        text.push_str("[values]\n");
        for (name, value) in &self.values {
            let _ = writeln!(text, "{name} = {value}");
        }
        Arc::new(Profile::parse(&text).expect(&text))
    }
}

impl Row {
    /// Returns the shipped rule set of the row; `None` if its rules were drawn.
    pub fn shipped(&self) -> Option<RulesetId> {
        match self.rules.profile.as_str() {
            "hkos" => Some(RulesetId::HK_OLD),
            "npm" => Some(RulesetId::HK_NPM),
            "hkos-tiers" => Some(RulesetId::HK_TIERS),
            "hkos-pairs" => Some(RulesetId::HK_PAIRS),
            _ => None,
        }
    }

    /// Returns the request as a client would send it.
    pub fn request(&self) -> ScoreRequest {
        let json = serde_json::json!({ "hand": self.hand, "context": self.context });
        ScoreRequest::from_json(json.to_string().as_bytes()).expect("a request")
    }

    /// Returns the hand with its win context, to be scored by a rule set.
    pub fn prepare(&self, ruleset: Arc<Profile>) -> PreparedHand {
        self.request().prepare_by(ruleset).expect("a legal hand")
    }
}
