//! Photos with several complete hands: all of them are listed, and each is read when its focus is
//! sent back. Pictures are painted, so that every stage runs.

use std::io::Cursor;

use crate::common;
use crate::common::{describe, placed};
use image::imageops::flip_horizontal;
use image::{DynamicImage, ImageFormat, RgbImage};
use tilesight::context::ContextSetup;
use tilesight::pipeline::geometry::Point;
use tilesight::pipeline::model::fake::{PaintedModel, PaintedTile, paint};
use tilesight::pipeline::{ReadError, ReadOptions, Reader, Reading};
use tilesight::rules::Book;

const SIZE: (u32, u32) = (700, 620);

/// Two hands of one table, far from each other.
const NEAR: &str = "1m 2m 3m 4p 5p 6p 7s 8s 9s C | C | E_ E E";
const FAR: &str = "2m 3m 4m 2p 3p 4p 6s 7s 8s 5s 5s 7m 8m | 9m";

fn moved_down(scene: &str, by: f32) -> impl Iterator<Item = PaintedTile> {
    placed(scene).into_iter().map(move |tile| PaintedTile {
        quad: tile.quad.map(|corner| corner + Point::new(0.0, by)),
        ..tile
    })
}

fn both() -> RgbImage {
    let tiles: Vec<PaintedTile> = moved_down(NEAR, 0.0).chain(moved_down(FAR, 420.0)).collect();
    paint(SIZE.0, SIZE.1, &tiles)
}

fn read(photo: &RgbImage, focus: Option<Point>) -> Result<Reading, ReadError> {
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(photo.clone()).write_to(&mut bytes, ImageFormat::Png).expect("encodes");
    let options = ReadOptions { focus, ..Book::shipped().usual().into() };
    Reader::with_model(PaintedModel::default()).read(
        bytes.get_ref(),
        &ContextSetup::default(),
        options,
    )
}

fn hands(reading: &Reading) -> Vec<String> {
    reading.hands_in_view.iter().map(|hand| describe(&hand.hand)).collect()
}

#[test]
fn every_complete_hand_is_listed_and_can_be_selected() {
    let reading = read(&both(), None).expect("a photo");
    assert_eq!(reading.hands_in_view.len(), 2, "{:?}", hands(&reading));
    assert_eq!(hands(&reading)[0], describe(&reading.hand));
    let mut read_alone = Vec::new();
    for (place, in_view) in reading.hands_in_view.iter().enumerate() {
        let alone = read(&both(), Some(in_view.focus)).expect("a photo");
        let names = |reading: &Reading, tiles: &[usize]| -> Vec<_> {
            let mut centres: Vec<_> = tiles
                .iter()
                .map(|&i| reading.tiles[i].seen.quad.centre())
                .map(|at| (at.x as i32, at.y as i32))
                .collect();
            centres.sort_unstable();
            centres
        };
        let first = &alone.hands_in_view[0];
        assert_eq!(
            names(&alone, &first.tiles),
            names(&reading, &in_view.tiles),
            "hand {place} is the one that its focus asks for"
        );
        assert_eq!(alone.hands_in_view.len(), 2, "the other one is still in view");
        read_alone.push(describe(&alone.hand));
    }
    read_alone.sort();
    let mut expected = [NEAR, FAR].map(|scene| {
        let tiles: Vec<PaintedTile> = moved_down(scene, 0.0).collect();
        describe(&read(&paint(SIZE.0, SIZE.1, &tiles), None).expect("a photo").hand)
    });
    expected.sort();
    assert_eq!(read_alone, expected, "each is read as if it lay there alone");
}

#[test]
fn one_hand_offers_no_choice() {
    let tiles: Vec<PaintedTile> = moved_down(NEAR, 0.0).collect();
    let alone = paint(SIZE.0, SIZE.1, &tiles);
    assert_eq!(read(&alone, None).expect("a photo").hands_in_view.len(), 1);
    // A focus beside the tiles selects the nearest hand.
    let beside = read(&alone, Some(Point::new(350.0, 600.0))).expect("a photo");
    assert_eq!(describe(&beside.hand), "1m 2m 3m 4p 5p 6p 7s 8s 9s C +C [EEE left]");
    let nothing = read(&RgbImage::new(64, 64), Some(Point::new(1.0, 1.0))).expect("a photo");
    assert!(nothing.hands_in_view.is_empty());
}

#[test]
fn a_point_outside_the_photo_is_rejected() {
    for (x, y) in [(700.5, 10.0), (10.0, 1000.0), (-1.0, 3.0), (f32::NAN, 3.0)] {
        let error = read(&both(), Some(Point::new(x, y))).expect_err("outside");
        assert!(matches!(error, ReadError::Focus(_)), "{error:?}");
        assert!(error.to_string().ends_with("700 pixels wide and 620 high"), "{error}");
    }
    assert!(read(&both(), Some(Point::new(700.0, 620.0))).is_ok(), "the corner is of the photo");
}

#[test]
fn a_focus_means_the_same_place_in_a_mirrored_photo() {
    let demo = image::open(concat!(env!("CARGO_MANIFEST_DIR"), "/datasets/samples/demo.jpg"));
    let photo = flip_horizontal(&demo.expect("a photo").into_rgb8());
    let mut bytes = Cursor::new(Vec::new());
    DynamicImage::ImageRgb8(photo).write_to(&mut bytes, ImageFormat::Png).expect("encodes");
    let reader = common::reader();
    let read = |focus| {
        let options = ReadOptions { focus, ..Book::shipped().usual().into() };
        reader.read(bytes.get_ref(), &ContextSetup::default(), options).expect("a photo")
    };
    let reading = read(None);
    assert!(reading.mirrored);
    let focus = reading.hands_in_view[0].focus;
    let is_under = |reading: &Reading| {
        let found =
            reading.tiles.iter().position(|tile| (tile.seen.quad.centre() - focus).length() < 1.0);
        found.is_some_and(|at| reading.hands_in_view[0].tiles.contains(&at))
    };
    assert!(is_under(&reading), "where the photo shows the tile");
    let again = read(Some(focus));
    assert_eq!(describe(&again.hand), describe(&reading.hand));
}
