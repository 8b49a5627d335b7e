//! The changes between a reading and the hand that a person corrected it to.
//!
//! Input: both hands, each with its score if it has one. Output: [`ChangesDto`]. Tiles are compared
//! regardless of the part of the hand that they are in: if a tile only moved, its set was misread,
//! not the tile.

use serde::{Deserialize, Serialize};

use super::ProblemKind;
use super::hand::HandDto;
use super::problem::{FieldError, Problem};
use crate::hand::HandSetup;
use crate::meld::Meld;
use crate::rules::Score;
use crate::tile::Tile;

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
    /// Total points before and after the correction, both by the rule set and the win context that
    /// count now.
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
    /// Points of the hand as it was read; `null` if it has no score.
    pub was: Option<u32>,
    /// Points of the corrected hand; `null` if it has no score.
    pub is: Option<u32>,
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
    /// Returns the differences between the hand that was read and the corrected hand, each with its
    /// score.
    #[must_use]
    pub fn new(
        was: &HandSetup,
        before: Option<&Score>,
        is: &HandSetup,
        after: Option<&Score>,
    ) -> ChangesDto {
        let tiles = tile_changes(was, is);
        let winning = TileChangeDto { was: was.winning, is: is.winning };
        ChangesDto {
            structure: structure(was) != structure(is)
                || tiles.is_empty() && melds(was) != melds(is),
            tiles,
            winning_tile: (winning.was != winning.is).then_some(winning),
            flowers: was.flowers != is.flowers,
            total: TotalChangeDto {
                was: before.map(|score| score.total),
                is: after.map(|score| score.total),
            },
            gained: more_often(after, before),
            lost: more_often(before, after),
        }
    }
}

/// Returns the codes of the lines that count more often in one score than in the other.
fn more_often(one: Option<&Score>, other: Option<&Score>) -> Vec<String> {
    let awards = one.into_iter().flat_map(|score| &score.awards);
    awards
        .filter(|award| award.count > count_of(other, award.rule.code))
        .map(|award| award.rule.code.to_owned())
        .collect()
}

/// Returns how often a line counts in a score.
fn count_of(score: Option<&Score>, code: &str) -> u32 {
    let mut awards = score.into_iter().flat_map(|score| &score.awards);
    awards.find(|award| award.rule.code == code).map_or(0, |award| award.count)
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
    use super::*;
    use crate::contract::{PreparedHand, ScoreRequest, ScoredHand};
    use crate::notation::Notation;
    use crate::rules::Book;

    fn hand(text: &str) -> HandSetup {
        text.parse::<Notation>().expect(text).hand
    }

    fn scored(text: &str) -> Option<ScoredHand> {
        let json = serde_json::json!({ "hand": text }).to_string();
        let request = ScoreRequest::from_json(json.as_bytes()).expect(text);
        request.prepare(&Book::shipped()).and_then(PreparedHand::score).ok()
    }

    fn changes(was: &str, is: &str) -> ChangesDto {
        let before = scored(was);
        let after = scored(is);
        ChangesDto::new(
            &hand(was),
            before.as_ref().map(ScoredHand::score),
            &hand(is),
            after.as_ref().map(ScoredHand::score),
        )
    }

    fn codes(changes: &[TileChangeDto]) -> Vec<(Option<String>, Option<String>)> {
        changes.iter().map(|change| (code(change.was), code(change.is))).collect()
    }

    fn code(tile: Option<Tile>) -> Option<String> {
        tile.map(|tile| tile.to_string())
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
        assert_eq!(turned.total.was, turned.total.is);
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
    fn a_hand_that_does_not_win_loses_all_lines() {
        let found = changes("123456789m11pFFF", "123456789m11pFFE");
        assert_eq!(found.total.is, None);
        assert!(found.total.was.is_some() && found.gained.is_empty(), "{found:?}");
        assert!(found.lost.contains(&"pure_straight".to_owned()), "{found:?}");
    }

    #[test]
    fn an_invalid_tile_of_a_reading_is_named_below_the_reading() {
        let concealed = ["1m", "0z"].map(str::to_owned).to_vec();
        let problem = hand_of_reading(&HandDto { concealed, ..HandDto::default() });
        assert_eq!(problem.expect_err("no tile").errors[0].field, "reading.hand.concealed[1]");
    }
}
