//! Parser of a reading that a client sends back, from the full or the compact answer.
//!
//! Input: JSON. In the full answer, doubts name tiles by index and list `alternatives`; in the
//! compact one they hold outlines and list `answers`, without the hands that follow from a tile.
//! Output: a [`DoubtfulReading`], whose doubts name tiles by index into its outlines. Invariant:
//! only the needed fields are checked, so a reading of another version is accepted as long as it
//! has them.

use std::borrow::Cow;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use tilesight_core::contract::changes::hand_of_reading;
use tilesight_core::contract::hand::HandDto;
use tilesight_core::contract::object::{object, object_or_null};
use tilesight_core::contract::{ContextDto, RequestFault};
use tilesight_core::hand::HandSetup;
use tilesight_core::tile::Face;
use utoipa::openapi::schema::{OneOfBuilder, Schema};
use utoipa::openapi::{Ref, RefOr};
use utoipa::{PartialSchema, ToSchema};

use super::DoubtfulReading;
use crate::contract::compact::{CompactDoubtDto, Outline};
use crate::contract::named::hand_of_tile;
use crate::contract::reading::{AlternativeDto, DoubtDto};
use crate::decide::repair::TileCandidates;
use crate::{DoubtKind, Role};

/// JSON of a reading that is sent back.
#[derive(Deserialize)]
pub(super) struct GivenReading {
    #[serde(deserialize_with = "object")]
    hand: HandDto,
    #[serde(default)]
    doubts: Vec<GivenDoubt>,
    /// Win context and rule set that the photo was read with.
    #[serde(default, deserialize_with = "object_or_null")]
    context: ContextDto,
    /// Tiles of a full answer; their outlines and candidates are used if present.
    #[serde(default)]
    tiles: Vec<Value>,
    /// Repairs of the hand as it was read.
    #[serde(default)]
    repairs: Vec<GivenRepair>,
}

/// The part of a repair that is used: the probability of a name for a tile.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct GivenRepair {
    #[serde(default)]
    from: Option<String>,
    #[serde(default)]
    to: Option<String>,
    p: f32,
}

/// A doubt of a full or of a compact answer.
#[derive(Deserialize)]
pub(super) struct GivenDoubt {
    id: String,
    kind: DoubtKind,
    tiles: Vec<GivenTile>,
    question: String,
    #[serde(alias = "answers")]
    alternatives: Vec<AlternativeDto>,
    #[serde(default)]
    field: Option<String>,
    #[serde(default)]
    game: Option<String>,
    affects_score: bool,
}

impl PartialSchema for GivenDoubt {
    fn schema() -> RefOr<Schema> {
        OneOfBuilder::new()
            .description(Some("A doubt of a full or of a compact answer."))
            .item(Ref::from_schema_name(DoubtDto::name()))
            .item(Ref::from_schema_name(CompactDoubtDto::name()))
            .into()
    }
}

impl ToSchema for GivenDoubt {
    fn name() -> Cow<'static, str> {
        "ListedDoubt".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((DoubtDto::name().into(), DoubtDto::schema()));
        DoubtDto::schemas(schemas);
        schemas.push((CompactDoubtDto::name().into(), CompactDoubtDto::schema()));
        CompactDoubtDto::schemas(schemas);
    }
}

/// A tile, by its index in the list of all tiles or by its outline.
enum GivenTile {
    Index(usize),
    Outline(Outline),
}

/// Accepted forms of a tile in JSON.
#[derive(Deserialize)]
#[serde(untagged)]
enum TileForm {
    Index(usize),
    Outline(Outline),
}

impl<'de> Deserialize<'de> for GivenTile {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GivenTile, D::Error> {
        match TileForm::deserialize(deserializer) {
            Ok(TileForm::Index(at)) => Ok(GivenTile::Index(at)),
            Ok(TileForm::Outline(outline)) => Ok(GivenTile::Outline(outline)),
            Err(_) => Err(D::Error::custom(RequestFault::NotATile)),
        }
    }
}

impl From<GivenReading> for DoubtfulReading {
    fn from(given: GivenReading) -> DoubtfulReading {
        let mut outlines: Vec<Option<Outline>> = given.tiles.iter().map(outline_of).collect();
        // A hand that can't be read has no answers either; it is rejected where it is used.
        let before = hand_of_reading(&given.hand).unwrap_or_default();
        let mut doubts = Vec::with_capacity(given.doubts.len());
        for doubt in given.doubts {
            let tiles = doubt.tiles.into_iter();
            let answers = doubt.alternatives.into_iter();
            doubts.push(DoubtDto {
                id: doubt.id,
                kind: doubt.kind,
                tiles: tiles.map(|tile| tile.index(&mut outlines)).collect(),
                question: doubt.question,
                alternatives: answers.map(|one| with_hand(doubt.kind, one, &before)).collect(),
                field: doubt.field,
                game: doubt.game,
                affects_score: doubt.affects_score,
            });
        }
        let candidates = candidates(&given.tiles, &given.repairs);
        DoubtfulReading { hand: given.hand, doubts, context: given.context, outlines, candidates }
    }
}

impl GivenTile {
    /// Returns the tile's index among the outlines; an outline that is not there is added.
    fn index(self, outlines: &mut Vec<Option<Outline>>) -> usize {
        match self {
            GivenTile::Index(at) => at,
            GivenTile::Outline(outline) => {
                let known = outlines.iter().position(|other| *other == Some(outline));
                known.unwrap_or_else(|| {
                    outlines.push(Some(outline));
                    outlines.len() - 1
                })
            }
        }
    }
}

/// Returns an answer with the hand that it makes of the hand before it, if its tile says that.
fn with_hand(kind: DoubtKind, one: AlternativeDto, before: &HandSetup) -> AlternativeDto {
    AlternativeDto { hand: one.hand.or_else(|| hand_of_tile(kind, &one.answer, before)), ..one }
}

/// Returns the candidates of the tiles: from the tiles of a full answer, or else from the listed
/// repairs.
fn candidates(tiles: &[Value], repairs: &[GivenRepair]) -> Vec<TileCandidates> {
    let seen: Vec<TileCandidates> =
        tiles.iter().enumerate().filter_map(|(at, tile)| tile_candidates(at, tile)).collect();
    if seen.is_empty() {
        repairs.iter().filter_map(GivenRepair::tile_candidates).collect()
    } else {
        seen
    }
}

/// Reads the candidates of a tile of a full answer.
fn tile_candidates(at: usize, tile: &Value) -> Option<TileCandidates> {
    let candidates = tile.get("candidates")?.as_array()?.iter();
    Some(TileCandidates {
        at: Some(at),
        face: face_of(tile)?,
        role: Role::deserialize(tile.get("role")?).ok()?,
        candidates: candidates.filter_map(candidate).collect(),
    })
}

fn candidate(one: &Value) -> Option<(Face, f32)> {
    Some((face_of(one)?, one.get("p")?.as_f64()? as f32))
}

fn face_of(tile: &Value) -> Option<Face> {
    read_face(tile.get("tile")?.as_str())
}

fn read_face(code: Option<&str>) -> Option<Face> {
    code?.parse().ok()
}

impl GivenRepair {
    /// Returns the candidates of the tile that may have another name. The compact answer has
    /// nothing else about it.
    fn tile_candidates(&self) -> Option<TileCandidates> {
        let from = read_face(self.from.as_deref());
        let to = read_face(self.to.as_deref());
        let (face, candidates) = match (from, to) {
            (Some(from), Some(to)) => (from, vec![(from, 1.0), (to, self.p)]),
            (Some(face), None) => (face, vec![(face, 1.0 - self.p)]),
            (None, Some(face)) => (face, vec![(face, self.p)]),
            (None, None) => return None,
        };
        let role = if from.is_some() { Role::Concealed } else { Role::Ignored };
        Some(TileCandidates { at: None, face, role, candidates })
    }
}

/// Reads the outline of a tile of a full answer, rounded to whole pixels.
fn outline_of(tile: &Value) -> Option<Outline> {
    let polygon = serde_json::from_value::<[[f32; 2]; 4]>(tile.get("polygon")?.clone()).ok()?;
    Some(polygon.map(|corner| corner.map(|at| at.round() as u32)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> DoubtfulReading {
        serde_json::from_str(json).unwrap_or_else(|error| panic!("{json}: {error}"))
    }

    #[test]
    fn an_invalid_tile_is_refused_in_all_languages() {
        let error = serde_json::from_str::<GivenTile>("true").err().expect("no index");
        let expected = RequestFault::NotATile.to_string();
        assert!(error.to_string().starts_with(&expected), "{error}");
    }

    const HAND: &str = r#""hand": { "notation": "123456789m11pFF6s" }"#;

    #[test]
    fn both_forms_of_a_doubt_are_read() {
        let doubt = |tiles: &str, list: &str| {
            format!(
                r#"{{ {HAND}, "tiles": [{{ "polygon": [[0,0],[9.6,0],[9.6,12],[0,12]] }}, {{}}],
                     "doubts": [{{ "id": "tile-0", "kind": "tile", "tiles": {tiles}, "box": [0,0,9,9],
                                  "question": "?", "{list}": [], "affects_score": true }}] }}"#
            )
        };
        let full = read(&doubt("[0, 1]", "alternatives"));
        assert_eq!(full.doubts[0].tiles, [0, 1]);
        assert_eq!(full.outlines, [Some([[0, 0], [10, 0], [10, 12], [0, 12]]), None]);
        let compact =
            read(&doubt("[[[0,0],[10,0],[10,12],[0,12]], [[5,5],[6,5],[6,6],[5,6]]]", "answers"));
        assert_eq!(compact.doubts[0].tiles, [0, 2], "the same outline is the same tile");
        assert_eq!(compact.outlines.len(), 3);
    }

    #[test]
    fn a_tile_without_outline_is_refused_by_name() {
        let json = format!(
            r#"{{ {HAND}, "doubts": [{{ "id": "a", "kind": "tile", "tiles": ["1m"], "question": "?",
                  "answers": [], "affects_score": true }}] }}"#
        );
        let error = serde_json::from_str::<DoubtfulReading>(&json).expect_err("no tile");
        assert!(error.to_string().contains("its outline"), "{error}");
    }
}
