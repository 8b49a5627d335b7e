//! The sample scenes' truth, taken as the output of a perfect detector and classifier, must be laid
//! out as the hand that was rendered. This measures layout alone, without weights.

use std::path::Path;

use serde::Deserialize;
use tilesight_core::contract::HandDto;
use tilesight_core::rules::Book;
use tilesight_core::tile::Face;
use tilesight_vision::decide::joint;
use tilesight_vision::geometry::{Point, Quad};
use tilesight_vision::networks::fake::PaintedTile;
use tilesight_vision::pixels::detect;
use tilesight_vision::{Faces, SeenTile, layout};

use crate::common::{describe, see};

#[derive(Deserialize)]
struct Truth {
    size: (u32, u32),
    hand: Hand,
    tiles: Vec<Tile>,
}

#[derive(Deserialize)]
struct Hand {
    #[serde(flatten)]
    hand: serde_json::Value,
}

#[derive(Deserialize)]
struct Tile {
    tile: Face,
    polygon: [[f32; 2]; 4],
    visible: f32,
}

/// Returns the tiles that a detector sees: those of which more than half is visible.
fn seen(truth: &Truth) -> Vec<SeenTile> {
    let visible = truth.tiles.iter().filter(|tile| tile.visible > 0.5);
    visible
        .map(|tile| {
            let quad = Quad(tile.polygon.map(|[x, y]| Point::new(x, y)));
            let inside = detect::share_inside(&quad, truth.size);
            let tile = PaintedTile { quad, face: tile.tile };
            SeenTile { inside, ..see(&tile, Faces::certain(tile.face)) }
        })
        .collect()
}

#[test]
fn every_sample_is_laid_out_as_it_was_rendered() {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("datasets/samples");
    let mut failures = Vec::new();
    let mut count = 0;
    let mut paths: Vec<_> = std::fs::read_dir(&folder)
        .expect("the samples are committed")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .filter(|path| path.with_extension("jpg").exists())
        .collect();
    paths.sort();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("readable");
        let truth: Truth = serde_json::from_str(&text).expect("a truth file");
        let hand: HandDto = serde_json::from_value(truth.hand.hand.clone()).expect("a hand");
        let expected = describe(&hand.to_setup().expect("a legal hand"));
        let tiles = seen(&truth);
        let decision =
            joint::decide(&tiles, &layout::lay_out(&tiles, Book::shipped().usual(), None));
        let read = decision.best.map_or("nothing".to_owned(), |best| describe(&best.setup));
        count += 1;
        if sorted(&read) != sorted(&expected) {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            failures.push(format!("{name}: {read}\n    expected {expected}"));
        }
    }
    assert!(count > 0, "no samples in datasets/samples");
    assert!(failures.is_empty(), "{} of {count} differ\n{}", failures.len(), failures.join("\n"));
}

/// Returns the parts of a hand in a fixed order: melds come in the order of reading, which the
/// truth does not guarantee.
fn sorted(line: &str) -> Vec<String> {
    let mut parts: Vec<String> = line.split('[').map(|part| part.trim().to_owned()).collect();
    parts.sort();
    parts
}
