//! A corrected reading: the score of the corrected hand, and the changes by the correction.
//!
//! Input: the reading as `POST /v1/hands` returned it, of which only the hand and the score are
//! used, and the corrected hand. Output: [`ChangesDto`]. Tiles are compared regardless of the part
//! of the hand that they are in: if a tile only moved, its set was misread, not the tile.

use serde::{Deserialize, Serialize};

use super::hand::HandDto;
use super::hand_input::HandInput;
use super::lookup::check_rulesets;
use super::object::{object, object_or_null, objects, whole};
use super::others::OtherDto;
use super::problem::{FieldError, Problem, read_json};
use super::request::{ScoreRequest, ScoredHand};
use super::score::ScoreDto;
use super::scores::RulesetScoreDto;
use super::scoring::Scoring;
use super::whole_answer::with_reading_alone;
use super::{ContextDto, ProblemKind};
use crate::hand::HandSetup;
use crate::meld::Meld;
use crate::rules::RulesetId;
use crate::tile::Tile;

/// A reading that a person has corrected.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(deny_unknown_fields, expecting = "an object with `reading` and `hand`")]
#[schema(as = MendedRequest)]
pub struct CorrectionRequest {
    /// The reading as it was returned. Fields that are not needed here are ignored.
    #[serde(deserialize_with = "object")]
    pub reading: PreviousReading,
    /// The corrected hand.
    pub hand: HandInput,
    /// The win context and the rule set.
    #[serde(default, deserialize_with = "object_or_null")]
    #[schema(value_type = Option<ContextDto>)]
    pub context: ContextDto,
    /// Hands of the players who did not win, as typed or as read.
    #[serde(default, deserialize_with = "objects", skip_serializing_if = "Vec::is_empty")]
    #[schema(max_items = 3)]
    pub others: Vec<OtherDto>,
    /// Rule sets to score by, side by side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<super::codes::RulesetList>)]
    pub rulesets: Option<Vec<RulesetId>>,
}

/// The part of a reading that a correction is compared with. Other fields may be omitted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = ReadBefore)]
pub struct PreviousReading {
    /// The hand as it was read.
    #[serde(deserialize_with = "object")]
    pub hand: HandDto,
    /// Score of the hand, if it had one.
    #[serde(default)]
    pub score: Option<PreviousScore>,
    /// Win context and rule set that the photo was read with.
    #[serde(default, deserialize_with = "object_or_null")]
    #[schema(value_type = Option<ContextDto>)]
    pub context: ContextDto,
}

/// The part of a score that is compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = ScoredBefore)]
pub struct PreviousScore {
    /// Rule set that was applied.
    #[serde(default)]
    pub ruleset: Option<RulesetId>,
    /// Total points.
    #[serde(deserialize_with = "whole")]
    #[schema(maximum = 4_294_967_295_u32)]
    pub total: u32,
    /// Lines that counted.
    pub awards: Vec<PreviousAward>,
}

/// The part of a line that is compared.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = AwardedBefore)]
pub struct PreviousAward {
    /// Code of the line.
    pub code: String,
    /// Number of times that the line counted.
    #[serde(deserialize_with = "whole")]
    #[schema(maximum = 4_294_967_295_u32)]
    pub count: u32,
}

/// Score of a corrected hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = MendedScore)]
pub struct CorrectionDto {
    /// Id of the request.
    pub request_id: String,
    /// Score by `context.ruleset`, or by the first of `rulesets`.
    pub score: ScoreDto,
    /// Scores by `rulesets`, if the request named any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<Vec<RulesetScoreDto>>,
    /// Differences from the reading.
    pub changes: ChangesDto,
}

/// Differences between a reading and the corrected hand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = Changes)]
pub struct ChangesDto {
    /// Tiles that were misread, missed or surplus.
    pub tiles: Vec<TileChangeDto>,
    /// Whether the hand is divided differently: which sets are melds, their kinds and their
    /// sources.
    pub structure: bool,
    /// The winning tile, if it differs.
    pub winning_tile: Option<TileChangeDto>,
    /// Whether the flowers differ.
    pub flowers: bool,
    /// Total points before and after the correction.
    pub total: TotalChangeDto,
    /// Codes of lines that count now and did not before, or that count more often.
    pub gained: Vec<String>,
    /// Codes of lines that counted before and do not now, or that count less often.
    pub lost: Vec<String>,
}

/// A tile and its correction.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = TileChange)]
pub struct TileChangeDto {
    /// Tile that was read; `null` if none was.
    pub was: Option<Tile>,
    /// Correct tile; `null` if there is no tile.
    pub is: Option<Tile>,
}

/// Total points before and after a correction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = TotalChange)]
pub struct TotalChangeDto {
    /// Points of the reading; `null` if it had no score.
    pub was: Option<u32>,
    /// Points of the corrected hand.
    pub is: u32,
}

impl CorrectionRequest {
    /// Maximum size of a request in bytes. A reading of 60 tiles with their candidates and all its
    /// runners-up has about 60 KB.
    pub const MAX_BYTES: usize = 512 * 1024;

    /// Reads a request from JSON.
    ///
    /// # Errors
    /// A [`Problem`] that names the first field of a wrong shape.
    pub fn from_json(json: &[u8]) -> Result<CorrectionRequest, Problem> {
        let request: CorrectionRequest = read_json(&with_reading_alone(json), "")?;
        check_rulesets(request.rulesets.as_deref())?;
        Ok(request)
    }

    /// Returns the hand as it was read.
    ///
    /// # Errors
    /// Those of [`hand_of_reading`].
    pub fn previous_hand(&self) -> Result<HandSetup, Problem> {
        hand_of_reading(&self.reading.hand)
    }

    /// Returns the parameters of scoring: those of the body and of the query, and what both leave
    /// out as it was when the photo was read.
    ///
    /// # Errors
    /// A [`Problem`] with the fields for which body and query differ.
    pub fn scoring(&self, in_query: Scoring) -> Result<Scoring, Problem> {
        let in_body = Scoring { context: self.context, rulesets: self.rulesets.clone() };
        Ok(in_body.merge(in_query)?.complete_from(&self.reading.read_context()))
    }

    /// Returns the corrected hand as a request to score it.
    #[must_use]
    pub fn to_request(&self) -> ScoreRequest {
        ScoreRequest { hand: self.hand.clone(), context: self.context, others: self.others.clone() }
    }
}

impl PreviousReading {
    /// Returns the context that the photo was read with. If it is left out, the rule set is that of
    /// the score.
    fn read_context(&self) -> ContextDto {
        let ruleset = self.score.as_ref().and_then(|score| score.ruleset);
        ContextDto { ruleset: self.context.ruleset.or(ruleset), ..self.context }
    }
}

/// Reads the hand of a reading that was sent back.
///
/// # Errors
/// A [`Problem`] with the wrong fields below `reading.hand`.
pub fn hand_of_reading(hand: &HandDto) -> Result<HandSetup, Problem> {
    hand.to_notation().map(|notation| notation.hand).map_err(|problem| {
        let errors = problem
            .errors
            .into_iter()
            .map(|error| FieldError { field: format!("reading.{}", error.field), ..error });
        Problem::with_errors(ProblemKind::InvalidHand, errors.collect())
    })
}

impl ChangesDto {
    /// Returns the differences between the hand that was read, with its score, and the corrected
    /// hand.
    #[must_use]
    pub fn new(was: &HandSetup, scored: Option<&PreviousScore>, now: &ScoredHand) -> ChangesDto {
        let is = &now.prepared.setup;
        let tiles = tile_changes(was, is);
        let winning = TileChangeDto { was: was.winning, is: is.winning };
        let before: Vec<(&str, u32)> = scored
            .map(|score| score.awards.iter().map(|one| (one.code.as_str(), one.count)).collect())
            .unwrap_or_default();
        let after: Vec<(&str, u32)> =
            now.score().awards.iter().map(|award| (award.rule.code, award.count)).collect();
        ChangesDto {
            structure: structure(was) != structure(is)
                || tiles.is_empty() && melds(was) != melds(is),
            tiles,
            winning_tile: (winning.was != winning.is).then_some(winning),
            flowers: was.flowers != is.flowers,
            total: TotalChangeDto { was: scored.map(|score| score.total), is: now.score().total },
            gained: more(&after, &before),
            lost: more(&before, &after),
        }
    }
}

/// Returns the lines that count more often in one list than in the other.
fn more(one: &[(&str, u32)], other: &[(&str, u32)]) -> Vec<String> {
    let more = one.iter().filter(|(code, count)| *count > count_line(other, code));
    more.map(|(code, _)| (*code).to_owned()).collect()
}

fn count_line(lines: &[(&str, u32)], line: &str) -> u32 {
    lines.iter().find(|(code, _)| *code == line).map_or(0, |(_, count)| *count)
}

/// Returns the tiles that only the hand as read has, paired with those that only the corrected hand
/// has, both in order.
fn tile_changes(was: &HandSetup, is: &HandSetup) -> Vec<TileChangeDto> {
    let mut gone = all_tiles(was);
    let mut come = all_tiles(is);
    come.retain(|tile| match gone.iter().position(|other| other == tile) {
        Some(at) => {
            gone.remove(at);
            false
        }
        None => true,
    });
    let pairs = 0..gone.len().max(come.len());
    pairs
        .map(|at| TileChangeDto { was: gone.get(at).copied(), is: come.get(at).copied() })
        .collect()
}

fn all_tiles(hand: &HandSetup) -> Vec<Tile> {
    let melds = hand.melds.iter().flat_map(|meld| meld.tiles());
    let mut tiles: Vec<Tile> =
        hand.concealed.iter().copied().chain(hand.winning).chain(melds).collect();
    tiles.sort_unstable();
    tiles
}

/// Returns the melds in sorted order, because the order in which they lie is not a part of the
/// hand.
fn melds(hand: &HandSetup) -> Vec<Meld> {
    let mut melds = hand.melds.clone();
    melds.sort();
    melds
}

/// Returns the forms of the melds without their tiles.
fn structure(hand: &HandSetup) -> Vec<(u8, bool, Option<crate::meld::Relation>)> {
    let forms =
        hand.melds.iter().map(|meld| (kind_number(*meld), meld.is_concealed(), meld.from()));
    let mut sorted: Vec<_> = forms.collect();
    sorted.sort();
    sorted
}

const fn kind_number(meld: Meld) -> u8 {
    match meld {
        Meld::Chow(_) => 0,
        Meld::Pung { .. } => 1,
        Meld::Kong { kind: crate::meld::KongKind::Added { .. }, .. } => 3,
        Meld::Kong { .. } => 2,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn changes(was: &str, is: &str) -> ChangesDto {
        let hand = |text: &str| text.parse::<crate::notation::Notation>().expect(text).hand;
        let scored = |text: &str| {
            let request = json!({ "hand": text }).to_string();
            let request = ScoreRequest::from_json(request.as_bytes()).expect(text);
            request
                .prepare(&crate::rules::Book::shipped())
                .and_then(super::super::request::PreparedHand::score)
        };
        let before = scored(was).ok().map(|scored| PreviousScore {
            ruleset: None,
            total: scored.score().total,
            awards: scored
                .score()
                .awards
                .iter()
                .map(|award| PreviousAward { code: award.rule.code.to_owned(), count: award.count })
                .collect(),
        });
        ChangesDto::new(&hand(was), before.as_ref(), &scored(is).expect(is))
    }

    fn codes(changes: &[TileChangeDto]) -> Vec<(Option<String>, Option<String>)> {
        let code = |tile: Option<Tile>| tile.map(|tile| tile.to_string());
        changes.iter().map(|change| (code(change.was), code(change.is))).collect()
    }

    #[test]
    fn a_tile_that_was_misread() {
        let found = changes("123456789m11pFF6s", "123456789m11pFFF");
        assert_eq!(codes(&found.tiles), [(Some("6s".into()), Some("F".into()))]);
        assert_eq!((found.total.was, found.structure, found.flowers), (None, false, false));
        assert!(
            found.gained.contains(&"pure_straight".to_owned()) && found.lost.is_empty(),
            "{found:?}"
        );
    }

    #[test]
    fn a_meld_that_was_claimed_after_all() {
        let found = changes("123456789m11pFFF", "[FFF,2]123456789m1p1p");
        assert!(found.structure && found.tiles.is_empty(), "{found:?}");
        assert!(found.lost.contains(&"concealed_hand".to_owned()), "{found:?}");
        let turned = changes("[FFF,2]123456789m1p1p", "[FFF,3]123456789m1p1p");
        assert!(turned.structure && turned.gained.is_empty() && turned.lost.is_empty());
        assert_eq!(turned.total.was, Some(turned.total.is));
    }

    #[test]
    fn equal_hands_have_no_changes() {
        let found = changes("[FFF,2]123456789m1p1p||a", "[FFF,2]123456789m1p1p||a");
        assert!(found.tiles.is_empty() && found.winning_tile.is_none(), "{found:?}");
        assert!(!found.structure && !found.flowers, "{found:?}");
        assert!(found.gained.is_empty() && found.lost.is_empty(), "{found:?}");
    }

    #[test]
    fn flowers_and_the_winning_tile() {
        let found = changes("[FFF,2]123456789m1p1p||a", "[FFF,2]12345678m11p9m||ab");
        assert!(found.flowers);
        let winning = found.winning_tile.map(|one| (one.was, one.is));
        assert_eq!(codes(&found.tiles), []);
        assert_eq!(winning.map(|(was, is)| (was.is_some(), is.is_some())), Some((true, true)));
    }

    #[test]
    fn mistakes_in_the_reading_are_named_there() {
        let json = json!({ "reading": { "hand": { "concealed": ["1m", "0z"] }, "status": "ok" }, "hand": "11m" });
        let request =
            CorrectionRequest::from_json(json.to_string().as_bytes()).expect("the shape is right");
        let problem = request.previous_hand().expect_err("no tile");
        assert_eq!(problem.errors[0].field, "reading.hand.concealed[1]");
        let problem =
            CorrectionRequest::from_json(br#"{ "hand": "11m" }"#).expect_err("no reading");
        assert_eq!(problem.kind, ProblemKind::MalformedRequest);
    }
}
