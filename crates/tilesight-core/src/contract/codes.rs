//! Schemas of codes, which are texts that stand for one value each: tiles, flowers, rule sets, sets
//! and declarations.
//!
//! Input: the tables that the parsers of codes use. Output: components of the OpenAPI document.
//! Invariant: a pattern allows exactly what the parser accepts, but for the characters that choose
//! how a tile of Unicode is drawn.

use std::borrow::Cow;

use serde_json::json;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{ArrayBuilder, ObjectBuilder, Ref, Schema, Type};
use utoipa::{PartialSchema, ToSchema};

use super::region::RegionDto;
use crate::context::{CompletedSet, Count, Declaration, DeclaredSet, Indicators, MAX_COUNT};
use crate::meld::Chow;
use crate::rules::{Book, RulesetId};
use crate::tile::Tile;

/// Pattern of the codes that the parser of flowers accepts; a test compares it.
const FLOWER: &str = "^([fs][1-4]|\\?)$";

/// Returns the pattern of the codes that the parser of tiles accepts; a test compares it. Beyond
/// ASCII each character is an alternative: a class of these takes half of one in some languages.
fn tile_pattern() -> String {
    let symbols: Vec<String> = Tile::symbols().map(String::from).collect();
    format!("^([0-9][mps]|[1-7]z|[ESWNCFP]|{})$", symbols.join("|"))
}

fn codes<T: ToString>(all: &[T], description: &str) -> RefOr<Schema> {
    let codes: Vec<_> = all.iter().map(ToString::to_string).collect();
    let schema = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(codes));
    schema.description(Some(description)).into()
}

impl PartialSchema for Tile {
    fn schema() -> RefOr<Schema> {
        codes(
            &Tile::ALL,
            "A tile: 1m to 9m characters, 1p to 9p dots, 1s to 9s bamboos, winds E S W N, dragons C F P.",
        )
    }
}

impl ToSchema for Tile {
    fn name() -> Cow<'static, str> {
        "TileCode".into()
    }
}

/// A tile as clients may write it, red fives included.
pub(super) struct TileText;

impl PartialSchema for TileText {
    fn schema() -> RefOr<Schema> {
        let schema = ObjectBuilder::new().schema_type(Type::String).pattern(Some(tile_pattern()));
        let words = "A tile, as hands write it: 5p, E, 1z to 7z (E S W N C F P), the character on \
                     an honor or a tile of Unicode. 0m 0p 0s are red fives and count as fives.";
        schema.description(Some(words)).into()
    }
}

impl ToSchema for TileText {}

/// A flower as clients may write it.
pub(super) struct FlowerText;

impl PartialSchema for FlowerText {
    fn schema() -> RefOr<Schema> {
        let schema = ObjectBuilder::new().schema_type(Type::String).pattern(Some(FLOWER));
        schema
            .description(Some("f1 to f4 flowers, s1 to s4 seasons, ? for one without a name."))
            .into()
    }
}

impl ToSchema for FlowerText {}

/// The list `rulesets` of a request.
#[derive(Debug)]
pub struct RulesetList;

impl PartialSchema for RulesetList {
    fn schema() -> RefOr<Schema> {
        let one = Ref::from_schema_name(<RulesetId as ToSchema>::name());
        ArrayBuilder::new()
            .items(one)
            .min_items(Some(1))
            .unique_items(true)
            .max_items(Some(Book::shipped().ids().count()))
            .description(Some("Rule sets to score by side by side, each once."))
            .into()
    }
}

impl ToSchema for RulesetList {
    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        schemas.push((<RulesetId as ToSchema>::name().into(), RulesetId::schema()));
    }
}

/// A region of a photo. A text of points is accepted too.
impl PartialSchema for RegionDto {
    fn schema() -> RefOr<Schema> {
        let pixels = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0));
        let corner = ArrayBuilder::new().items(pixels).min_items(Some(2)).max_items(Some(2));
        let corners = ArrayBuilder::new().items(corner).min_items(Some(2)).max_items(Some(32));
        let words = "Corners in pixels of the upright photo, [x, y] each: 3 to 32 of a polygon, \
                     or 2 opposite ones of a box.";
        corners.description(Some(words)).examples([json!([[96, 310], [1460, 610]])]).into()
    }
}

impl ToSchema for RegionDto {
    fn name() -> Cow<'static, str> {
        "Region".into()
    }
}

/// Outline of a tile in whole pixels.
#[derive(Debug)]
pub struct TileOutline;

impl PartialSchema for TileOutline {
    fn schema() -> RefOr<Schema> {
        let pixels = ObjectBuilder::new()
            .schema_type(Type::Integer)
            .minimum(Some(0))
            .maximum(Some(u32::MAX));
        let corner = ArrayBuilder::new().items(pixels).min_items(Some(2)).max_items(Some(2));
        let corners = ArrayBuilder::new().items(corner).min_items(Some(4)).max_items(Some(4));
        corners.description(Some("Four corners, clockwise: [x, y] each.")).into()
    }
}

impl ToSchema for TileOutline {}

/// The declarations at the table, as a list of codes. A text with commas between them is accepted
/// too.
impl PartialSchema for DeclaredSet {
    fn schema() -> RefOr<Schema> {
        let one =
            ObjectBuilder::new().schema_type(Type::String).enum_values(Some(Declaration::NAMES));
        let list = ArrayBuilder::new().items(one).unique_items(true);
        list.description(Some("What was declared at the table, each once.")).into()
    }
}

impl ToSchema for DeclaredSet {
    fn name() -> Cow<'static, str> {
        "DeclaredCodes".into()
    }
}

/// Dora indicators, as a list of tiles. A text with commas between them is accepted too.
impl PartialSchema for Indicators {
    fn schema() -> RefOr<Schema> {
        let list = ArrayBuilder::new().items(TileText::schema()).max_items(Some(5));
        list.description(Some("Dora indicators, at most five.")).into()
    }
}

impl ToSchema for Indicators {
    fn name() -> Cow<'static, str> {
        "Indicators".into()
    }
}

/// A number of counters, sticks or norths.
impl PartialSchema for Count {
    fn schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0));
        number
            .maximum(Some(MAX_COUNT))
            .description(Some("A number of counters, sticks or norths."))
            .into()
    }
}

impl ToSchema for Count {
    fn name() -> Cow<'static, str> {
        "Count".into()
    }
}

/// The set that the winning tile completed: every pair, pung and chow.
impl PartialSchema for CompletedSet {
    fn schema() -> RefOr<Schema> {
        let pairs = Tile::ALL.into_iter().map(CompletedSet::Pair);
        let pungs = Tile::ALL.into_iter().map(CompletedSet::Pung);
        let chows = Tile::ALL.into_iter().filter_map(Chow::new).map(CompletedSet::Chow);
        let all: Vec<CompletedSet> = pairs.chain(pungs).chain(chows).collect();
        codes(&all, "A pair, a pung or a chow by its tiles, such as 99s, EEE or 456m.")
    }
}

impl ToSchema for CompletedSet {
    fn name() -> Cow<'static, str> {
        "CompletedCode".into()
    }
}

impl PartialSchema for RulesetId {
    fn schema() -> RefOr<Schema> {
        let all: Vec<RulesetId> = Book::shipped().ids().collect();
        codes(&all, "A rule set; GET /v1/rulesets explains them.")
    }
}

impl ToSchema for RulesetId {
    fn name() -> Cow<'static, str> {
        "RulesetId".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Expands the patterns: every code that they allow is accepted, and no other codes exist.
    #[test]
    fn patterns_allow_what_is_read() {
        let letters = |set: &'static str| set.chars();
        let suited =
            letters("0123456789").flat_map(|n| letters("mps").map(move |s| format!("{n}{s}")));
        let tiles: Vec<_> = suited.chain(letters("ESWNCFP").map(String::from)).collect();
        assert!(tiles.iter().all(|code| code.parse::<Tile>().is_ok()));
        assert_eq!(tiles.len(), Tile::ALL.len() + 3, "the red fives");
        assert!((1..=7).all(|number| format!("{number}z").parse::<Tile>().is_ok()));
        let alternatives = tile_pattern();
        assert!(Tile::symbols().all(|symbol| alternatives.contains(symbol)));
        let flowers = letters("fs").flat_map(|k| letters("1234").map(move |n| format!("{k}{n}")));
        assert!(flowers.into_iter().all(|code| code.parse::<crate::tile::Bonus>().is_ok()));
    }
}
