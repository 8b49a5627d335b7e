//! Laws of second looks: the large classifier looks again where the hand depends on it, and the
//! hand is the same as if it looked at every tile in doubt.

use std::path::PathBuf;
use std::sync::Arc;

use tilesight_core::context::ContextSetup;
use tilesight_core::rules::Book;
use tilesight_core::tile::Face;
use tilesight_vision::geometry::Quad;
use tilesight_vision::networks::fake::{PaintedTile, WatchedModel, paint};
use tilesight_vision::{Observation, Photo, Reader, Reading, Trace};

use crate::common::reader;
use crate::samples::parts;

/// Paints a row of tiles.
fn row(codes: &str, top: f32) -> Vec<PaintedTile> {
    let tile = |(n, code): (usize, &str)| PaintedTile {
        quad: Quad::rectangle(40.0 + 44.0 * n as f32, top, 40.0, 54.0),
        face: code.parse::<Face>().expect("a face"),
    };
    codes.split(' ').enumerate().map(tile).collect()
}

/// Returns the number of tiles that are looked at again in a photo of a hand and of discards far
/// from it, if the classifier is not sure of one face.
fn count_second_looks(hand: &str, discards: &str, doubted: &str) -> usize {
    let doubted = doubted.parse::<Face>().expect("a face");
    let model = Arc::new(WatchedModel::with_large_classifier(&[doubted]));
    let tiles: Vec<PaintedTile> = row(hand, 520.0).into_iter().chain(row(discards, 60.0)).collect();
    let photo = Photo::from_rgb(paint(720, 640, &tiles)).expect("large enough");
    let book = Book::shipped();
    let reader = Reader::with_model(Arc::clone(&model));
    let reading = reader.read_pixels(photo, &ContextSetup::default(), book.usual());
    let is_scored = reading.expect("it runs").score.is_some();
    assert_eq!(is_scored, hand == WINNING);
    model.large_crops()
}

const WINNING: &str = "1m 2m 3m 4m 5m 6m 7p 8p 9p 2s 3s 4s E E";
const WAITING: &str = "1m 2m 3m 4m 5m 6m 7p 8p 9p 2s 3s 4s N";

#[test]
fn a_discard_far_from_a_sure_hand_is_not_looked_at_again() {
    assert_eq!(count_second_looks(WINNING, "8s 1p 8s N 8s", "8s"), 0);
}

#[test]
fn a_tile_that_leaves_the_hand_open_is_looked_at_again() {
    assert_eq!(count_second_looks(WINNING, "8s 1p 8s N 8s", "E"), 2, "the pair");
}

#[test]
fn without_a_whole_hand_every_tile_in_doubt_is_looked_at_again() {
    assert!(count_second_looks(WAITING, "8s 1p 8s N 8s", "8s") >= 3);
}

fn photos() -> Vec<PathBuf> {
    let root = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let folders = ["datasets/samples", "datasets/forms"].map(|folder| root.join(folder));
    let entries =
        folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("it is committed"));
    let paths = entries.map(|entry| entry.expect("readable").path());
    let mut photos: Vec<PathBuf> =
        paths.filter(|path| path.extension().is_some_and(|end| end == "jpg")).collect();
    photos.sort();
    photos
}

#[test]
fn a_hand_is_the_same_if_every_tile_in_doubt_is_looked_at_again() {
    let reader = reader();
    let book = Book::shipped();
    let context = ContextSetup::default();
    for path in photos() {
        let bytes = std::fs::read(&path).expect("readable");
        let reading = reader.read(&bytes, &context, book.usual()).expect("a photo");
        let photo = reader.decode(&bytes).expect("a photo");
        let tiles = reader.see_tiles(&photo).expect("it runs");
        let observation = Observation::from_tiles(photo.size(), tiles);
        let trace = Trace::new(observation, &context, book.usual()).expect("it is legal");
        let all = Reading::compose(trace).expect("it is legal");
        // A photo that shows no whole hand at first is looked at everywhere.
        let Some(score) = &all.score else { continue };
        assert_eq!(parts(&reading.hand), parts(&all.hand), "{path:?}");
        assert_eq!(reading.score.map(|score| score.total), Some(score.total), "{path:?}");
    }
}
