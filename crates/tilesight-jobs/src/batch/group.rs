//! Groups of photos by the reason why they are not exact, so that alike cases can be reviewed
//! together.
//!
//! Input: the summarized fields of a reading. Output: a [`ReviewGroup`], and the number of tiles by
//! which the hand is away from a win. Strips cut out of photos, pictures without a table and hands
//! of another game are kept apart from readings that failed: a person need not look for a mistake
//! there. Invariant: a reading belongs to one group, the first that fits.

use serde::{Deserialize, Serialize};
use tilesight_core::hand::HandSize;
use tilesight_core::rules::Shapes;
use tilesight_core::tile::Tile;
use tilesight_core::tiles::Counts;
use tilesight_vision::{DoubtKind, Status, WinDistance};

use super::row::{RowDoubt, RowReading};

/// Aspect ratio from which a photo counts as cut out of another: cameras take at most 16:9. Of
/// 123 photos that were inspected, all above this ratio were cut out.
const STRIP: u32 = 3;
/// Maximum number of tiles to exchange at which a hand was probably misread. Of 108 photos to
/// review, the 58 that were further away were grids, walls and hands in play.
const MAX_NEAR_DISTANCE: usize = 2;

/// Reason why a photo is not exact. The order of the variants breaks ties in the order of review.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    utoipa::ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum ReviewGroup {
    /// A person's correction can't be scored.
    Correction,
    /// The photo does not show which tile won.
    WinningTile,
    /// The identity of a tile is uncertain.
    Tile,
    /// The way in which a set was formed is uncertain.
    Set,
    /// The owner of a flower is uncertain.
    Flower,
    /// The win context contradicts the hand.
    Context,
    /// Tiles are missing, or cut off by the edge.
    TilesMissing,
    /// The tiles are nearly a winning hand.
    NearWin,
    /// No question is open, but many small doubts add up.
    SmallDoubts,
    /// The hand has five sets.
    SixteenTiles,
    /// The picture is a strip that was cut out of a photo.
    Strip,
    /// The tiles are far from a winning hand: a wall, a grid, a hand in play.
    NotAHand,
    /// The picture shows only a few tiles.
    LooseTiles,
    /// The picture shows no tiles.
    NoTiles,
    /// The photo could not be read at all.
    Failed,
    /// A person stated that there is nothing to score.
    LeftOut,
    /// The photo was read with certainty. Reviews do not list it, but it can be corrected.
    Sure,
}

impl ReviewGroup {
    /// Returns the name of the group in JSON and in tables.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            ReviewGroup::Correction => "correction",
            ReviewGroup::WinningTile => "winning_tile",
            ReviewGroup::Tile => "tile",
            ReviewGroup::Set => "set",
            ReviewGroup::Flower => "flower",
            ReviewGroup::Context => "context",
            ReviewGroup::TilesMissing => "tiles_missing",
            ReviewGroup::NearWin => "near_win",
            ReviewGroup::SmallDoubts => "small_doubts",
            ReviewGroup::SixteenTiles => "sixteen_tiles",
            ReviewGroup::Strip => "strip",
            ReviewGroup::NotAHand => "not_a_hand",
            ReviewGroup::LooseTiles => "loose_tiles",
            ReviewGroup::NoTiles => "no_tiles",
            ReviewGroup::Failed => "failed",
            ReviewGroup::LeftOut => "left_out",
            ReviewGroup::Sure => "sure",
        }
    }

    /// Returns the description of the group in the summary.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            ReviewGroup::Correction => "the correction can't be scored",
            ReviewGroup::WinningTile => "winning tile unknown",
            ReviewGroup::Tile => "a tile may be another one",
            ReviewGroup::Set => "a set may be claimed or concealed",
            ReviewGroup::Flower => "a flower may be the winner's or not",
            ReviewGroup::Context => "the win context contradicts the hand",
            ReviewGroup::TilesMissing => "a tile is missing or cut off",
            ReviewGroup::NearWin => "one or two tiles away from a win",
            ReviewGroup::SmallDoubts => "many small doubts",
            ReviewGroup::SixteenTiles => "five sets and a pair, as in the game of sixteen tiles",
            ReviewGroup::Strip => "a strip cut out of a photo",
            ReviewGroup::NotAHand => {
                "tiles far from a winning hand: a wall, a grid, a hand in play"
            }
            ReviewGroup::LooseTiles => "a few tiles, not a hand",
            ReviewGroup::NoTiles => "no tiles in the picture",
            ReviewGroup::Failed => "the photo can't be read",
            ReviewGroup::LeftOut => "left out by a reviewer",
            ReviewGroup::Sure => "read for sure",
        }
    }

    /// Returns the group of a reading; `None` for a reading that can be relied on.
    #[must_use]
    pub fn from_reading(read: &RowReading) -> Option<ReviewGroup> {
        if read.status == Status::Ok {
            return None;
        }
        if let Some(correction) = read.correction() {
            if correction.problem.is_some() {
                return Some(ReviewGroup::Correction);
            }
            if read.status == Status::NoHand {
                return Some(ReviewGroup::LeftOut);
            }
        }
        if read.score.is_some() {
            return Some(read.open().next().map_or(ReviewGroup::SmallDoubts, group_of_doubt));
        }
        Some(unscored(read))
    }
}

/// Returns the group of a doubt about a winning hand.
fn group_of_doubt(doubt: &RowDoubt) -> ReviewGroup {
    match doubt.kind {
        Some(DoubtKind::WinningTile) => ReviewGroup::WinningTile,
        Some(DoubtKind::Flower) => ReviewGroup::Flower,
        Some(DoubtKind::Contradiction | DoubtKind::Feeder) => ReviewGroup::Context,
        Some(DoubtKind::TileCount | DoubtKind::CutTile) => ReviewGroup::TilesMissing,
        Some(DoubtKind::Tile | DoubtKind::TooManyCopies) => ReviewGroup::Tile,
        Some(DoubtKind::NotAWin) => ReviewGroup::NearWin,
        Some(_) => ReviewGroup::Set,
        None => ReviewGroup::SmallDoubts,
    }
}

/// Returns the group of a reading without a score.
fn unscored(read: &RowReading) -> ReviewGroup {
    let near = distance(read) <= MAX_NEAR_DISTANCE;
    if read.status == Status::NoHand {
        let tiles = read.tiles().len();
        return if tiles == 0 { ReviewGroup::NoTiles } else { ReviewGroup::LooseTiles };
    }
    if offers_larger_game(read) {
        return ReviewGroup::SixteenTiles;
    }
    match read.open().next().map(group_of_doubt) {
        Some(group @ (ReviewGroup::Tile | ReviewGroup::Context)) if near => group,
        _ if near && asks_for_tiles(read) => ReviewGroup::TilesMissing,
        _ if near => ReviewGroup::NearWin,
        _ if read.is_longer_than(STRIP) => ReviewGroup::Strip,
        _ => ReviewGroup::NotAHand,
    }
}

/// Returns the number of tiles that must be added, removed or exchanged until the hand wins, as a
/// hand of the size that is nearest: the stored reading does not name its rule set.
pub(super) fn distance(read: &RowReading) -> usize {
    let (concealed, melds) = read.loose_tiles();
    let distances = HandSize::ALL.into_iter().map(|size| distance_to(&concealed, melds, size));
    distances.min().unwrap_or(usize::MAX)
}

/// Returns the distance of loose tiles beside `melds` melds to a hand of a size.
fn distance_to(concealed: &[Tile], melds: usize, size: HandSize) -> usize {
    let sets = size.sets().saturating_sub(melds);
    let counts: Counts = concealed.iter().copied().collect();
    let surplus = concealed.len().saturating_sub(3 * sets + 2);
    WinDistance::default().measure(&counts, sets, Shapes::ALL) + surplus
}

/// Returns whether the reading offers the game of sixteen tiles, whose hands fit the photo.
fn offers_larger_game(read: &RowReading) -> bool {
    read.doubts.iter().any(|doubt| doubt.game.is_some())
}

/// Returns whether a doubt is about tiles that the photo does not show whole.
fn asks_for_tiles(read: &RowReading) -> bool {
    read.open().any(|doubt| matches!(doubt.kind, Some(DoubtKind::TileCount | DoubtKind::CutTile)))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::row::BatchRow;
    use super::super::row::tests::score;
    use super::*;

    /// Returns the group of a reading without a score, given the tiles that were read.
    fn group(concealed: &str, melds: usize, extra: &Value) -> Option<ReviewGroup> {
        let notation = concealed.parse::<tilesight_core::notation::Notation>().expect(concealed);
        let mut tiles: Vec<String> =
            notation.hand.concealed.iter().map(ToString::to_string).collect();
        tiles.extend(notation.hand.winning.map(|tile| tile.to_string()));
        let seen: Vec<_> =
            tiles.iter().map(|tile| json!({ "tile": tile, "role": "concealed" })).collect();
        let mut stored = json!({ "reading": {
            "status": "needs_review", "probability": 0.9, "score_probability": 0.0, "score": null,
            "hand": { "notation": "", "concealed": tiles, "melds": vec![json!({}); melds] },
            "tiles": seen, "doubts": [],
        }, "image": { "width": 640, "height": 480 } });
        for (name, value) in extra.as_object().expect("fields") {
            match name.as_str() {
                "image" | "correction" => stored[name] = value.clone(),
                _ => stored["reading"][name] = value.clone(),
            }
        }
        let BatchRow::Read(read) = BatchRow::from_stored(stored.to_string().as_bytes()) else {
            panic!("{stored}")
        };
        ReviewGroup::from_reading(&read)
    }

    fn asking(kind: &str) -> Value {
        json!({ "doubts": [{ "kind": kind, "question": "?", "alternatives": [], "affects_score": true }] })
    }

    #[test]
    fn a_hand_for_which_another_game_is_offered_is_of_sixteen_tiles() {
        let mut offered = asking("tile_count");
        offered["doubts"][0]["game"] = json!("taiwan");
        let found = group("123456m111222p55s", 1, &offered);
        assert_eq!(found, Some(ReviewGroup::SixteenTiles));
    }

    #[test]
    fn a_hand_is_near_a_win_by_the_size_that_is_nearest() {
        for (tiles, melds, expected) in [
            ("123456789m111p5s", 0, ReviewGroup::TilesMissing),
            ("123456789m111222p5s", 0, ReviewGroup::TilesMissing),
            ("123456m111222p5s", 1, ReviewGroup::TilesMissing),
            ("123456789m11122p58sE", 0, ReviewGroup::TilesMissing),
            ("1469m258p1379sESWN", 0, ReviewGroup::NotAHand),
        ] {
            assert_eq!(group(tiles, melds, &asking("tile_count")), Some(expected), "{tiles}");
        }
    }

    #[test]
    fn photos_without_a_hand_are_told_from_misread_hands() {
        let wall = "1469m258p1379sESWN";
        let strip = json!({ "image": { "width": 2560, "height": 200 } });
        let none = json!({ "status": "no_hand", "tiles": [] });
        for (tiles, extra, expected) in [
            ("123456789m11pFF6s", asking("not_a_win"), ReviewGroup::NearWin),
            ("123456789m11pFF", asking("tile_count"), ReviewGroup::TilesMissing),
            (wall, asking("not_a_win"), ReviewGroup::NotAHand),
            (wall, strip, ReviewGroup::Strip),
            ("1m2p", json!({ "status": "no_hand" }), ReviewGroup::LooseTiles),
            (wall, none, ReviewGroup::NoTiles),
            (
                wall,
                json!({ "correction": { "problem": { "type": "urn:tilesight:problem:not-a-win",
                "title": "", "status": 422, "detail": "x" } } }),
                ReviewGroup::Correction,
            ),
            (
                wall,
                json!({ "status": "no_hand", "correction": { "no_hand": true } }),
                ReviewGroup::LeftOut,
            ),
        ] {
            assert_eq!(group(tiles, 0, &extra), Some(expected), "{tiles} {extra}");
        }
    }

    #[test]
    fn a_hand_that_wins_is_in_the_group_of_its_first_question() {
        for (kind, expected) in [
            ("winning_tile", ReviewGroup::WinningTile),
            ("tile", ReviewGroup::Tile),
            ("exposed_set", ReviewGroup::Set),
            ("flower", ReviewGroup::Flower),
            ("contradiction", ReviewGroup::Context),
            ("cut_tile", ReviewGroup::TilesMissing),
        ] {
            let mut read = asking(kind);
            read["score"] = score(12, &[]);
            assert_eq!(group("123456789m11pFFF", 0, &read), Some(expected), "{kind}");
        }
        assert_eq!(group("11m", 0, &json!({ "status": "ok" })), None);
        let group = ReviewGroup::SixteenTiles;
        assert_eq!(serde_json::to_value(group).expect("a text"), group.code());
    }
}
