//! Scores of one hand by several rule sets, side by side.
//!
//! Input: the list `rulesets` of a request, and a hand that was read or typed. Output: for each
//! rule set its score, or the problem that prevents it. Invariant: the answer has one entry for
//! each rule set of the list, in its order.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::hand_input::HandInput;
use super::lookup::check_rulesets;
use super::object::objects;
use super::others::OtherDto;
use super::problem::{Problem, ProblemKind, hand_faults};
use super::request::{PreparedHand, ScoreRequest};
use super::score::ScoreDto;
use super::scoring::{Scoring, ScoringRulesets};
use super::{ContextDto, object_or_null, read_json};
use crate::context::ContextField;
use crate::explain::Lang;
use crate::hand::HandSetup;
use crate::rules::{self, Book, OpenHand, OtherHand, Profile, RulesetId, TableScore, TotalRange};

/// A typed hand, for one or several rule sets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object with `hand`, `context` and `rulesets`")]
pub struct SideBySideRequest {
    /// The hand.
    pub hand: HandInput,
    /// The win context and the rule set.
    #[serde(default, deserialize_with = "object_or_null")]
    #[schema(value_type = Option<ContextDto>)]
    pub context: ContextDto,
    /// Hands of the players who did not win. Rule sets that score only the winner ignore them.
    #[serde(default, deserialize_with = "objects", skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 3)]
    pub others: Vec<OtherDto>,
    /// Rule sets to score by, each once. If absent, only `context.ruleset` is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<super::codes::RulesetList>)]
    pub rulesets: Option<Vec<RulesetId>>,
}

/// Score of a hand by one rule set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = RulesetScore)]
pub struct RulesetScoreDto {
    /// The rule set.
    pub ruleset: RulesetId,
    /// The score; `null` if the hand can't be scored by these rules.
    pub score: Option<ScoreDto>,
    /// Reason why the hand can't be scored; `null` beside a score.
    pub problem: Option<Problem>,
}

/// Answer to a typed hand for several rule sets.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = Scores)]
pub struct ScoresDto {
    /// Id of the request.
    pub request_id: String,
    /// Entry of each rule set, in the order of `rulesets`.
    pub scores: Vec<RulesetScoreDto>,
}

/// Scores of a typed hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum TypedScores {
    /// Score by one rule set.
    One(Box<ScoreDto>),
    /// Scores by each of `rulesets`, in their order.
    SideBySide(Vec<RulesetScoreDto>),
}

impl SideBySideRequest {
    /// Reads a request from JSON.
    ///
    /// # Errors
    /// Those of [`ScoreRequest::from_json`], and a list of rule sets that is empty or repeats one.
    pub fn from_json(json: &[u8]) -> Result<SideBySideRequest, Problem> {
        ScoreRequest::check_size(json)?;
        let request: SideBySideRequest = read_json(json, "")?;
        check_rulesets(request.rulesets.as_deref())?;
        Ok(request)
    }

    /// Returns the hand with its context as a request for one rule set, and the list of rule sets.
    #[must_use]
    pub fn into_request(self) -> (ScoreRequest, Option<Vec<RulesetId>>) {
        let SideBySideRequest { hand, context, others, rulesets } = self;
        (ScoreRequest { hand, context, others }, rulesets)
    }

    /// Scores the hand by one rule set, or by each of `rulesets`.
    ///
    /// # Errors
    /// A [`Problem`] with all faults of the hand and its context. A problem with only one of
    /// several rule sets is stored in the entry of that rule set.
    pub fn score(self, book: &Book, lang: Lang) -> Result<TypedScores, Problem> {
        let (mut request, rulesets) = self.into_request();
        let scoring = Scoring { context: request.context, rulesets };
        let ScoringRulesets { one, all } = scoring.find(book)?;
        request.context = scoring.context;
        let size = request.read()?.0.size();
        let fits = all.iter().flatten().find(|ruleset| ruleset.rules().size() == size);
        let prepared = request.prepare_by(Arc::clone(fits.unwrap_or(&one)))?;
        Ok(match all {
            None => TypedScores::One(Box::new(prepared.score()?.to_dto(lang))),
            Some(all) => TypedScores::SideBySide(side_by_side(&prepared, &all, lang)),
        })
    }
}

/// Scores a legal hand by each rule set.
#[must_use]
pub fn side_by_side(
    prepared: &PreparedHand,
    rulesets: &[Arc<Profile>],
    lang: Lang,
) -> Vec<RulesetScoreDto> {
    let PreparedHand { hand, context, others, assumed, .. } = prepared;
    let open = OpenHand::new(hand, context, assumed);
    score_rulesets(
        |ruleset| {
            rules::score_table(ruleset, hand, context, others)
                .map_err(|error| Problem::from(&error))
        },
        &open,
        rulesets,
        lang,
    )
}

/// Scores a hand that was read, and those of other players beside it, by each rule set. `setup` has
/// its winning tile, seen or assumed.
#[must_use]
pub fn side_by_side_read(
    setup: &HandSetup,
    others: &[OtherHand],
    open: &OpenHand,
    rulesets: &[Arc<Profile>],
    lang: Lang,
) -> Vec<RulesetScoreDto> {
    let hand = setup
        .clone()
        .into_hand_of(setup.size())
        .map_err(|error| Problem::with_errors(ProblemKind::InvalidHand, hand_faults(&error)));
    score_rulesets(
        |ruleset| {
            let hand = hand.as_ref().map_err(Clone::clone)?;
            rules::score_read_table(ruleset, hand, open.context(), others)
                .map_err(|error| Problem::from(&error))
        },
        open,
        rulesets,
        lang,
    )
}

/// Scores a table by each rule set.
fn score_rulesets(
    table: impl Fn(&Profile) -> Result<TableScore, Problem>,
    open: &OpenHand,
    rulesets: &[Arc<Profile>],
    lang: Lang,
) -> Vec<RulesetScoreDto> {
    let scored = rulesets.iter().map(|ruleset| {
        let scored = table(ruleset).map(|table| {
            let range = TotalRange::for_hand(ruleset, open);
            // A photo's rule set may be riichi, and this one another game.
            let rules = ruleset.rules();
            let mut assumed = open.assumed().to_vec();
            assumed.retain(|&field| rules.asks(field) || !ContextField::UNSEEN.contains(&field));
            ScoreDto::from_table(&table, &assumed, lang).with_assumptions(
                open.context(),
                range.as_ref(),
                lang,
            )
        });
        RulesetScoreDto::new(ruleset.id(), scored.map_err(|problem| problem.translate(lang)))
    });
    scored.collect()
}

impl RulesetScoreDto {
    fn new(ruleset: RulesetId, scored: Result<ScoreDto, Problem>) -> RulesetScoreDto {
        match scored {
            Ok(score) => RulesetScoreDto { ruleset, score: Some(score), problem: None },
            Err(problem) => RulesetScoreDto { ruleset, score: None, problem: Some(problem) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::find_rulesets;
    use crate::rules::Book;

    fn read(json: &str) -> Result<SideBySideRequest, Problem> {
        SideBySideRequest::from_json(json.as_bytes())
    }

    #[test]
    fn fields_of_riichi_are_no_assumption_of_other_games() {
        use ContextField::{Norths, Riichi, Seat};
        let json = r#"{ "hand": "111m456789p345s2s2s",
                        "rulesets": ["mcr-wmo", "riichi-tenhou", "riichi-three"] }"#;
        let (request, rulesets) = read(json).expect("a request").into_request();
        let book = Book::shipped();
        let prepared = request.prepare(&book).expect("a hand");
        let rulesets = find_rulesets(&book, &rulesets.expect("three")).expect("shipped");
        let open = OpenHand::new(&prepared.hand, &prepared.context, &[Seat, Riichi, Norths]);
        let scores = side_by_side_read(&prepared.setup, &[], &open, &rulesets, Lang::En);
        let assumed = scores.iter().map(|one| &one.score.as_ref().expect("a score").assumed[..]);
        let expected: [&[ContextField]; 3] = [&[Seat], &[Seat, Riichi], &[Seat, Riichi, Norths]];
        assert_eq!(assumed.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn a_hand_of_sixteen_tiles_is_scored_by_the_rule_sets_that_have_it() {
        let json = r#"{ "hand": "123m456m789p234s55s67p5p", "context": { "win": "self_drawn" },
                        "rulesets": ["mcr-wmo", "tw-common"] }"#;
        let scores = read(json).expect("a request").score(&Book::shipped(), Lang::En);
        let Ok(TypedScores::SideBySide(scores)) = scores else { panic!("{scores:?}") };
        let tai: Vec<_> =
            scores.iter().map(|one| one.score.as_ref().map(|score| score.total)).collect();
        assert_eq!(tai, [None, Some(3)]);
        assert!(scores[0].problem.is_some());
    }

    #[test]
    fn rule_sets_differ_where_their_options_do() {
        // Self-drawn seven pairs are a fully concealed hand in the rules of 2006, but only
        // self-drawn in those of 1998.
        let json = r#"{ "hand": "1133557799m22p5s5s", "context": { "win": "self_drawn" },
                        "rulesets": ["mcr-mil", "mcr-wmo"] }"#;
        let (request, rulesets) = read(json).expect("a request").into_request();
        let book = Book::shipped();
        let prepared = request.prepare(&book).expect("a hand");
        let rulesets = find_rulesets(&book, &rulesets.expect("two")).expect("shipped");
        let scores = side_by_side(&prepared, &rulesets, Lang::En);
        let named: Vec<_> = scores.iter().map(|one| one.ruleset).collect();
        assert_eq!(named, [RulesetId::MCR_MIL, RulesetId::MCR_WMO]);
        let totals: Vec<_> =
            scores.iter().map(|one| one.score.as_ref().expect("a win").total).collect();
        assert!(totals[0] < totals[1], "{totals:?}");
        let of_setup = side_by_side_read(
            &prepared.setup,
            &[],
            &OpenHand::new(&prepared.hand, &prepared.context, &prepared.assumed),
            &rulesets,
            Lang::En,
        );
        assert_eq!(of_setup, scores);
    }

    #[test]
    fn a_hand_that_does_not_win_has_a_problem_for_each_ruleset() {
        let setup = "123m456p789s1122z3z".parse::<crate::notation::Notation>();
        let setup = setup.map(|notation| notation.hand).unwrap_or_default();
        let (context, assumed) = crate::context::ContextSetup::default().resolve().expect("plain");
        let open = OpenHand::from_setup(&setup, &context, &assumed);
        let all: Vec<_> = Book::shipped().profiles().cloned().collect();
        let scores = side_by_side_read(&setup, &[], &open, &all, Lang::En);
        assert!(
            scores.iter().all(|one| one.score.is_none() && one.problem.is_some()),
            "{scores:?}"
        );
        assert_eq!(scores.len(), all.len());
    }

    #[test]
    fn problems_of_rule_sets_are_in_the_language_of_the_request() {
        let json = r#"{ "hand": { "concealed": ["1m","2m","3m","4p","5p","6p","7s","8s","9s","E","E","E","C"],
                                  "winning_tile": "C", "flowers": ["f1", "s3"] },
                        "rulesets": ["mcr-wmo", "mmm"] }"#;
        for (lang, words) in [(Lang::En, "without flowers"), (Lang::De, "ohne Glücksziegel")] {
            let scores = read(json).expect("a request").score(&Book::shipped(), lang);
            let Ok(TypedScores::SideBySide(scores)) = scores else { panic!("two rule sets") };
            assert!(scores[0].score.is_some());
            let json = serde_json::to_string(&scores[1]).expect("JSON");
            assert!(json.contains(words), "{json}");
        }
    }

    #[test]
    fn lists_of_rule_sets_are_checked() {
        for (list, field) in [
            ("[]", "rulesets"),
            (r#"["mcr-wmo","mcr-wmo"]"#, "rulesets[1]"),
            (r#"["mcr-wmo","Riichi!"]"#, "rulesets[1]"),
            (r#""mcr-wmo""#, "rulesets"),
        ] {
            let problem = read(&format!(r#"{{ "hand": "11m", "rulesets": {list} }}"#));
            let problem = problem.expect_err(list);
            assert_eq!(problem.kind, ProblemKind::MalformedRequest, "{list}");
            assert_eq!(problem.errors[0].field, field, "{list}");
        }
    }
}
